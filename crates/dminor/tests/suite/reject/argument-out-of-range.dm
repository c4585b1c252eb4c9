// fails: f(-1)
root(n: Integer where value >= 0) : Integer { n / 2 }
f(n: Integer) : Integer { root(n) }
