// fails: f(-7)
// Division rounds towards minus infinity for a positive divisor.
f(n: Integer) : (r: Integer where n < 0 ? r * 2 >= n : r * 2 <= n) { n / 2 }
