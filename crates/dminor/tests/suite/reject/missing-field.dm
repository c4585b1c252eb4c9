// fails: f({"name": "a"})
f(x: {name: Text;}) : Any { x.email }
