// fails: f(3, 2)
between(low: Integer, high: Integer where value >= low) : Integer { high - low }
f(a: Integer, b: Integer) : Integer { between(a, b) }
