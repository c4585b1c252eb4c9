// Euclidean division: a remainder is never negative, and smaller than the divisor.
half(n: Integer) : (r: Integer where 2 * r <= n && n < 2 * r + 2) { n / 2 }
quotient(a: Integer, b: Integer where value != 0) : Integer { a / b }
mean(sum: Integer, count: Integer where value >= 0) : Integer? { count == 0 ? null : sum / count }
isEven(n: Integer) : Logical { n - n / 2 * 2 == 0 }
