// fails: f([])
f(c: (x: Integer where x > 0)*) : {true} { c in (Integer* & !((x: Integer where x <= 0)*)) }
