// fails: f(1, 2)
// The x of the result type is the result, not the parameter.
f(x: Integer, y: Integer) : (x: Integer where x == y) { x }
