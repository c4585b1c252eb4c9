one(x: Integer) : (c: Integer* where c.Count == 1) { {x} }
cons(x: Integer, c: Integer*) : (r: Integer* where r.Count == c.Count + 1) { x :: c }
join(a: Integer*, b: Integer*) : (r: Integer* where r.Count == a.Count + b.Count) { a ++ b }
mixed() : (Integer | Text)* { {1, "a", 2} }
nested() : Integer** { {{1, 2}, {}} }
braces(c: {Integer*}) : Integer* { c }
