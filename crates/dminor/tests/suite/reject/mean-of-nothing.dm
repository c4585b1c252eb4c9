// fails: mean([])
mean(c: Integer*) : Integer { (from x in c let s = 0 : Integer accumulate s + x) / c.Count }
