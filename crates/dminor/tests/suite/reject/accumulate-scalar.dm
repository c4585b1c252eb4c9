// fails: f(7)
f(c: Integer | Integer*) : Integer { from x in c let y = 0 : Integer accumulate x + y }
