// fails: f(0)
f(x: Integer) : Logical { 1 in {1 / x} }
