min(a: Integer, b: Integer) : (r: Integer where r <= a && r <= b && (r == a || r == b)) { a < b ? a : b }
max(a: Integer, b: Integer) : (r: Integer where r >= a && r >= b && (r == a || r == b)) { a < b ? b : a }
clamp(low: Integer, high: Integer where value >= low, x: Integer) : (r: Integer where low <= r && r <= high) {
  min(high, max(low, x))
}
