copy(c: Any*) : (r: Any* where r.Count == c.Count) {
  from x in c let y = {} : Any* invariant y.Count + rest.Count == c.Count accumulate x :: y
}
concat(a: Integer*, b: Integer*) : (r: Integer* where r.Count == a.Count + b.Count) {
  from x in a let y = b : Integer* invariant y.Count + rest.Count == a.Count + b.Count accumulate x :: y
}
