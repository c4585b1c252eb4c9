// The paper's first example: the result has at most as many members.
type NullableInteger : (x: Any where x in Integer || x == null);

removeNulls(c: NullableInteger*) : (x: Integer* where x.Count <= c.Count) {
  from x in c let y = {} : Integer*
    invariant y.Count + rest.Count <= c.Count
  accumulate x != null ? x :: y : y
}
