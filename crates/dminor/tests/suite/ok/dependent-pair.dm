type Range : {low: Integer; high: Any;} where value.high in (h: Integer where h >= value.low);
type Sized : {items: Integer*; count: Any;} where value.count == value.items.Count;
length(r: Range) : (Integer where value >= 0) { r.high - r.low }
push(s: Sized, x: Integer) : Sized { {items => x :: s.items, count => s.count + 1} }
empty() : Sized { {items => {}, count => 0} }
