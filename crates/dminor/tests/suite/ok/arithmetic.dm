increment(x: Integer) : (r: Integer where r == x + 1) { x + 1 }
twice(x: Integer) : (r: Integer where r == 2 * x) { x + x }
negate(x: Integer) : (r: Integer where r + x == 0) { -x }
absolute(x: Integer) : (r: Integer where r >= 0 && (r == x || r == -x)) { x < 0 ? -x : x }
sign(x: Integer) : {1} | {0} | {-1} { x > 0 ? 1 : x < 0 ? -1 : 0 }
large(x: Integer) : (r: Integer where r > x) { x * 0 + x + 123456789012345678901234567890 }
