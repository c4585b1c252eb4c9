// fails: f({"a": "x"})
f(x: Any) : Logical { x in {a: (y: Any where y > 5);} }
