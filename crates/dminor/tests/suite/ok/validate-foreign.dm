// Foreign data is tested before it is used.
type Order : {id: Integer; lines: {sku: Text; amount: (Integer where value > 0);}*;};
amount(x: Any) : (Integer where value >= 0) {
  x in Order ? (from l in x.lines let n = 0 : (Integer where value >= 0) accumulate n + l.amount) : 0
}
orders(c: Any*) : Order* { from x in c where x in Order select x }
