positive(c: Integer*) : (r: (Integer where value > 0)* where r.Count <= c.Count) {
  from x in c where x > 0 select x
}
integers(c: Any*) : Integer* { from x in c where x in Integer select x }
same(c: Integer*) : (r: Integer* where r.Count == c.Count) { from x in c select x }
