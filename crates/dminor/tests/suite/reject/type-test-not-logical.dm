// fails: f(1)
f(x: Integer) : Logical { x in (y: Integer where y) }
