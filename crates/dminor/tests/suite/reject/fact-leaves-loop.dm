// fails: f([])
// What is known of a member does not hold of the collection.
f(c: Integer*) : (Integer where value > 0) { from x in c let m = 0 : Integer accumulate x > 0 ? x : 1 }
