// fails: f([1, "a"])
f(c: (Integer | Text)*) : Integer { from x in c let y = 0 : Integer accumulate x + y }
