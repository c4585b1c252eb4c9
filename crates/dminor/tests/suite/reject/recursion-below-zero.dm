// fails: f(0)
f(n: Integer where value >= 0) : Integer { n == 1 ? 1 : f(n - 1) }
