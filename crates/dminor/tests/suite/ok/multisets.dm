// Order does not matter, multiplicity does.
reorder(a: Integer, b: Integer) : {true} { {a, b} == {b, a} }
twice(a: Integer) : {false} { {a} == {a, a} }
commute(a: Integer*, b: Integer*) : {true} { a ++ b == b ++ a }
push(a: Any, b: Any) : {true} { a :: b :: {} == {b, a} }
