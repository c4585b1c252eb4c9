orZero(x: Integer?) : Integer { x == null ? 0 : x }
orElse(x: Integer?, y: Integer) : (r: Integer where x == null ? r == y : r == x) { x in Integer ? x : y }
first(a: Text?, b: Text?) : Text? { a != null ? a : b }
