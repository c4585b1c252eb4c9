// fails: f([{"name": "a"}])
f(x: {name: Text;} | {name: Text;}*) : Text { x.name }
