// fails: f("a")
f(x: Any) : Any { -x }
