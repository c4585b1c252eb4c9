// fails: f("b")
f(x: Integer | Text) : Logical { x < 3 }
