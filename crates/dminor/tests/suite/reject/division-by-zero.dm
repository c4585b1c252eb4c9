// fails: f(1, 0)
f(a: Integer, b: Integer) : Integer { a / b }
