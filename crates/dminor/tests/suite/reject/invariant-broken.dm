// fails: f([1, 1])
f(c: Integer*) : Integer { from x in c let n = 0 : Integer invariant n + rest.Count == c.Count accumulate n + 2 }
