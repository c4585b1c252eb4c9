// fails: f("a")
f(x: Any) : Logical { x in (y: Any where y > 5) }
