// Partial correctness: what does not end returns nothing wrong.
forever(x: Integer) : Empty { forever(x + 1) }
search(c: Integer*, n: Integer) : Integer { c == {n} ? n : search(c, n + 1) }
