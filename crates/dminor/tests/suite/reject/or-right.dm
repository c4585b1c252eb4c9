// fails: f(null)
f(x: Any) : Logical { false || x }
