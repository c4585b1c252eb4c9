area(w: Integer where value >= 0, h: Integer where value >= 0) : (Integer where value >= 0) {
  let a = w * h : (Integer where value >= 0) in a
}
shadow(x: Integer) : (r: Integer where r == x + 2) { let x = x + 1 in let x = x + 1 in x }
tested(x: Any) : Logical { let t = (x in Integer) in t }
nested(x: Integer) : (r: Integer where r == x) { let a = let b = x in b in a }
