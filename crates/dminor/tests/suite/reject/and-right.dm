// fails: f(1)
f(x: Any) : Logical { true && x }
