// fails: f(2147483647)
f(x: Integer32) : (r: Integer where r <= 2147483647) { x + 1 }
