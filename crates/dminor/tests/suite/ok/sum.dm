sum(c: Integer*) : Integer { from x in c let s = 0 : Integer accumulate s + x }
sumOfPositive(c: (Integer where value > 0)*) : (Integer where value >= 0) {
  from x in c let s = 0 : (Integer where value >= 0) accumulate s + x
}
count(c: Any*) : (r: Integer where r == c.Count) {
  from x in c let n = 0 : Integer invariant n + rest.Count == c.Count accumulate n + 1
}
