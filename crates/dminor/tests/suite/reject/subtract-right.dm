// fails: f(true)
f(x: Integer | Logical) : Integer { 1 - x }
