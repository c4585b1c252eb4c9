// fails: f("a")
f(x: Integer | Text) : Integer { x + 1 }
