// Imported from orders.schema.json (JSON Schema 2020-12).

// What the shop hands over.
type Orders : Order*;

// Not carried: #/$defs/order/properties/placed/format: an annotation unless a validator is set up otherwise; the type is the same without it.
type Order : {
  number: Integer where value >= 1;
  contact: (Text where value != "")?;
  lines: Line* where value.Count >= 1;
}
  & (!{placed: Any;} | {placed: Text;});

// Amounts are in cents; a discount is taken off the amount.
type Line : {sku: Text; amount: Cents;} & (!{discount: Any;} | {discount: Cents;});

type Cents : Integer where value >= 0;

// Imported from invoices.schema.json (JSON Schema 2020-12).

// What the accounting takes.
type Invoices : Invoice*;

type Invoice : {
  order: Integer;
  to: Text where value != "";
  positions: Integer where value >= 1;
  total: Integer where value >= 0;
};

// From here on by hand.

charge(l: Line) : Cents {
  let off = (l in {discount: Any;} ? l.discount : 0) in
  off <= l.amount ? l.amount - off : 0
}

total(o: Order) : Cents {
  from l in o.lines let sum = 0 : Cents accumulate sum + charge(l)
}

invoice(o: Order) : Invoice {
  {
    order => o.number,
    to => o.contact == null ? "the buyer" : o.contact,
    positions => o.lines.Count,
    total => total(o)
  }
}

invoices(orders: Orders) : (r: Invoices where r.Count == orders.Count) {
  from o in orders select invoice(o)
}
