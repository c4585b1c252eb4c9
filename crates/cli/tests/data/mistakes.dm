type A : {a: Integer, b: Text};
f(x: B) : Strin { y }
