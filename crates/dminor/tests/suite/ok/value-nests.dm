// `value` is the innermost one.
type Box : {low: Integer; high: (Integer where value > 0);} where value.low < value.high;
width(b: Box) : (Integer where value > 0) { b.high - b.low }
inner(x: Integer where value in (Integer where value > 3)) : (Integer where value > 2) { x }
