widen(x: Integer where value > 0) : Integer { (x : Integer) }
known(x: Integer) : (Integer where value >= x) { let y = x + 1 : (Integer where value > x) in y }
body(c: Integer*) : Any { (from x in c select x + 1) : Integer* }
