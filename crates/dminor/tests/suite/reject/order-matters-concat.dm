// fails: f([1, 2])
f(c: Integer*) : {true} {
  (from x in c let y = 0 accumulate 10 * y + x) == (from x in c let y = 0 accumulate y + x)
}
