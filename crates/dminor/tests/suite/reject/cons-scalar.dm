// fails: f(1)
f(x: Any) : Any { 1 :: x }
