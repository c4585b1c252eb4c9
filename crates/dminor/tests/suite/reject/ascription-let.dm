// fails: f("a")
f(x: Any) : Any { let y = x : Integer in y }
