// fails: f({"age": null})
f(p: {age: Integer?;}) : Logical { p.age >= 18 }
