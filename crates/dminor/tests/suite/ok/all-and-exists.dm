// All members satisfy, and some member does.
type AllPositive : (x: Integer where x > 0)*;
type SomeNegative : Integer* & !((x: Integer where x >= 0)*);
bump(c: AllPositive) : (x: Integer where x > 1)* { from x in c select x + 1 }
hasNegative(c: Integer*) : (r: Logical where r == (c in SomeNegative)) { c in SomeNegative }
notEmpty(c: SomeNegative) : {true} { c != {} }
