// fails: f([1])
f(c: Integer*) : (r: Integer* where r.Count == c.Count) { from x in c where x > 1 select x }
