// A parameter occurs in the types behind it; the variable of the result type hides nothing.
slice(low: Integer, high: Integer where value >= low, x: (y: Integer where low <= y && y <= high))
  : (y: Integer where y == x - low && y <= high - low) { x - low }
value(value: Integer) : (Integer where value >= 0) { value * value }
capture(x: Integer, y: (x: Integer where x > 0)) : (z: Integer where z == x + y && z > x) { x + y }
