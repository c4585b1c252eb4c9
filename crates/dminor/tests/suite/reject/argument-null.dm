// fails: f({"name": null})
length(t: Text) : Integer { 1 }
f(p: {name: Text?;}) : Integer { length(p.name) }
