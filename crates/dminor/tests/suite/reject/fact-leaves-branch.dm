// fails: f("a")
f(x: Any) : Integer { (x in Integer ? x : 0) + x }
