// fails: f("a")
f(x: Any) : Integer { x }
