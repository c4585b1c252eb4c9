// fails: f({"name": "a"})
f(x: {name: Text;}) : {name: Text; age: Integer;} { x }
