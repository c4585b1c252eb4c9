choose(c: Logical, a: Integer, b: Text) : (r: Integer | Text where c ? r in Integer : r in Text) { c ? a : b }
both(a: Logical, b: Logical) : (r: Logical where r == (a ? b : false)) { a && b }
either(a: Logical, b: Logical) : (r: Logical where r == !(!a && !b)) { a || b }
implies(a: Logical, b: Logical) : Logical { !a || b }
