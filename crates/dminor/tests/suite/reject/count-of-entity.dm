// fails: f({"Count": 3})
f(x: {Count: Integer;}) : Integer { x.Count }
