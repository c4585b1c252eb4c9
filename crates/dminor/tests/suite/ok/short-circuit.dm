// The right operand is evaluated only where it is needed.
positive(x: Any) : Logical { x in Integer && x > 0 }
divides(a: Integer, b: Integer) : Logical { a != 0 && b - b / a * a == 0 }
missing(x: Any) : Logical { !(x in {name: Any;}) || x.name == null }
