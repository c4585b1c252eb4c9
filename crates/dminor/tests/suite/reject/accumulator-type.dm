// fails: f([-1])
f(c: Integer*) : Integer { from x in c let s = 0 : (Integer where value >= 0) accumulate s + x }
