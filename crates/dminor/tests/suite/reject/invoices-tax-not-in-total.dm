// fails: invoice([{"sku": "x", "title": "X", "price": 100, "tax": 10}], {"number": 1, "customer": {"id": 1, "name": "A", "email": null}, "lines": [{"sku": "x", "quantity": 1}], "coupon": null})
// From orders of a shop to invoices: validation, prices, discounts, taxes, totals. All amounts are in cents.
module Catalogue {
  type Cents : Integer where value >= 0;
  type Quantity : Integer where value > 0;
  type Percent : Integer where 0 <= value && value <= 100;
  type Sku : Text where value != "";

  type Product : {sku: Sku; title: Text; price: Cents; tax: Percent;};

  find(products: Product*, sku: Sku) : (p: Product? where p == null || p.sku == sku) {
    from p in products
      let found = null : (q: Product? where q == null || q.sku == sku)
    accumulate p.sku == sku ? p : found
  }
}

module Orders {
  type Customer : {id: Integer; name: Text; email: Text?;};
  type Line : {sku: Sku; quantity: Quantity;};
  type Order : {
    number: Quantity;
    customer: Customer;
    lines: Line*;
    coupon: Percent?;
  };

  // What comes from outside may be anything.
  accepted(raw: Any*) : (r: Order* where r.Count <= raw.Count) {
    from o in raw where o in Order select o
  }

  refused(raw: Any*) : (!Order)* {
    from o in raw where !(o in Order) select o
  }

  pieces(o: Order) : Cents {
    from l in o.lines let n = 0 : Cents accumulate n + l.quantity
  }

  discountOf(o: Order) : Percent { o.coupon == null ? 0 : o.coupon }
}

module Invoices {
  type Position : {
    sku: Sku;
    quantity: Quantity;
    net: Cents;
    tax: Cents;
  };

  type Invoice : {
    order: Quantity;
    recipient: Text;
    positions: Position*;
    missing: Sku*;
    net: Cents;
    discount: Cents;
    tax: Cents;
    total: Cents;
  } where value.total == value.net - value.discount + value.tax && value.discount <= value.net;

  share(amount: Cents, percent: Percent) : (r: Cents where r <= amount) {
    amount * percent / 100
  }

  position(p: Product, quantity: Quantity) : (r: Position where r.sku == p.sku && r.quantity == quantity) {
    let net = p.price * quantity in
    {sku => p.sku, quantity => quantity, net => net, tax => share(net, p.tax)}
  }

  positions(products: Product*, o: Order) : Position* {
    from l in o.lines let all = {} : Position*
    accumulate
      let p = find(products, l.sku) in
      p == null ? all : position(p, l.quantity) :: all
  }

  missing(products: Product*, o: Order) : (r: Sku* where r.Count <= o.lines.Count) {
    from l in o.lines where find(products, l.sku) == null select l.sku
  }

  netOf(c: Position*) : Cents { from p in c let s = 0 : Cents accumulate s + p.net }
  taxOf(c: Position*) : Cents { from p in c let s = 0 : Cents accumulate s + p.tax }

  recipient(c: Customer) : Text { c.email == null ? c.name : c.email }

  invoice(products: Product*, o: Order) : (i: Invoice where i.order == o.number) {
    let lines = positions(products, o) in
    let net = netOf(lines) in
    let discount = share(net, discountOf(o)) in
    let tax = taxOf(lines) in
    {
      order => o.number,
      recipient => recipient(o.customer),
      positions => lines,
      missing => missing(products, o),
      net => net,
      discount => discount,
      tax => tax,
      total => net - discount
    }
  }

  invoices(products: Product*, raw: Any*) : (r: Invoice* where r.Count <= raw.Count) {
    from o in accepted(raw) select invoice(products, o)
  }

  // Reports over invoices.

  type Report : {invoices: Cents; revenue: Cents; highest: Cents;} where value.highest <= value.revenue;

  report(c: Invoice*) : Report {
    from i in c
      let r = {invoices => 0, revenue => 0, highest => 0} : Report
    accumulate {
      invoices => r.invoices + 1,
      revenue => r.revenue + i.total,
      highest => i.total > r.highest ? i.total : r.highest
    }
  }

  average(r: Report) : Cents? { r.invoices == 0 ? null : r.revenue / r.invoices }

  incomplete(c: Invoice*) : (Invoice where value.missing != {})* {
    from i in c where i.missing != {} select i
  }
}
