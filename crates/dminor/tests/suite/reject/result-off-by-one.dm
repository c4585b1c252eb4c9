// fails: f(5)
f(x: Integer) : (r: Integer where r > x) { x }
