// fails: f({"low": 5})
f(r: {low: Integer;}) : ({low: Integer;} where value.low in (Integer where value > 5)) { r }
