// fails: f(0)
f(x: Any) : Any { !x }
