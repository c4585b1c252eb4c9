// fails: f(0)
f(x: Integer) : Integer { (x : (Integer where value > 0)) }
