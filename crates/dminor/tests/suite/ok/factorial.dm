factorial(n: Integer where value >= 0) : (Integer where value > 0) { n == 0 ? 1 : n * factorial(n - 1) }
power(b: Integer where value > 0, n: Integer where value >= 0) : (Integer where value > 0) {
  n == 0 ? 1 : b * power(b, n - 1)
}
gcd(a: Integer where value >= 0, b: Integer where value >= 0) : (Integer where value >= 0) {
  b == 0 ? a : gcd(b, a - a / b * b)
}
