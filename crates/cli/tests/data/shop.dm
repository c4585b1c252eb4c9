type Cents : Integer where value >= 0;
type Line : {sku: Text; price: Cents; quantity: (Integer where value > 0);};
type Order : {number: Integer; lines: Line*; coupon: Text?;};

total(o: Order) : Cents {
  from l in o.lines let sum = 0 : Cents accumulate sum + l.price * l.quantity
}
mean(o: Order) : Cents { total(o) / o.lines.Count }
price(o: Order) : Cents { 0 - total(o) }
power(b: Integer, n: Integer where value >= 0) : Integer { n == 0 ? 1 : b * power(b, n - 1) }
forever(n: Integer) : Integer { forever(n + 1) }
any(c: Any*) : Any { from x in c let y = null accumulate x }
promise(x: Any) : Any { (x : Integer) }
