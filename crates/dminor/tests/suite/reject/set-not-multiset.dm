// fails: f(1)
f(x: Integer) : {true} { {x, x} == {x} }
