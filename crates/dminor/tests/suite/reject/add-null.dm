// fails: f(null)
f(x: Integer?) : Integer { x + 1 }
