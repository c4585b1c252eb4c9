module Prices {
  type Price : Integer where value >= 0;
  add(a: Price, b: Price) : Price { a + b }
}
module Carts {
  type Cart : {items: {price: Price; quantity: (Integer where value > 0);}*;};
  total(c: Cart) : Price { from i in c.items let t = 0 : Price accumulate add(t, i.price * i.quantity) }
}
