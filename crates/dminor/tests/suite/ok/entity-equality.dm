// Equality is about all fields, not only those of a type.
same(x: Integer) : {true} { {a => x, b => 1} == {b => 1, a => x} }
different(x: Integer) : {false} { {a => x} == {a => x, b => 1} }
