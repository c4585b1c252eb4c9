// fails: f([])
f(c: Integer*) : Integer { from x in c let s = null : Integer accumulate s + x }
