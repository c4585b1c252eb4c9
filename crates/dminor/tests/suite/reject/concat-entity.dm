// fails: f({})
f(x: Any) : Any { x ++ {} }
