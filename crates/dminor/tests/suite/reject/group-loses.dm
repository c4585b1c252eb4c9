// fails: f([{"shop": "a", "amount": 1}])
type Sale : {shop: Text; amount: Integer;};
f(c: Sale*) : (r: Sale* where r.Count == c.Count) { from s in c where s.shop != "a" select s }
