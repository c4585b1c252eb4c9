// fails: f(1)
f(x: Integer) : Integer { x ? 1 : 2 }
