// fails: f(3)
f(x: Any) : Any { x.name }
