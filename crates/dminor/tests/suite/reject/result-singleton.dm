// fails: f("west")
f(d: {"north"} | {"south"} | {"west"}) : {"north"} | {"south"} { d }
