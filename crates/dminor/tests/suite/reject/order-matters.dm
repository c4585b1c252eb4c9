// fails: f([1, 2])
f(c: Integer*) : (r: Integer where c == {} || r == 1) { from x in c let y = 0 : Integer accumulate x }
