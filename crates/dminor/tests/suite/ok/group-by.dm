type Sale : {shop: Text; amount: Integer;};
type Total : {shop: Text; total: Integer; sales: (Integer where value >= 0);};
total(c: Sale*, shop: Text) : (t: Total where t.shop == shop) {
  from s in (from x in c where x.shop == shop select x)
    let t = {shop => shop, total => 0, sales => 0} : (t: Total where t.shop == shop)
  accumulate {shop => shop, total => t.total + s.amount, sales => t.sales + 1}
}
totals(c: Sale*) : Total* { from s in c select total(c, s.shop) }
