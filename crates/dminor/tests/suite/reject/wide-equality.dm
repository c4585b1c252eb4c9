// fails: f({"a": 1, "b": 2})
f(x: {a: Integer;}) : {true} { x == {a => x.a} }
