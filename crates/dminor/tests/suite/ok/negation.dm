type NotNull : !{null};
type Scalar : !(Any*) & !{null};
keep(x: NotNull) : !{null} { x }
orText(x: Any) : NotNull { x == null ? "null" : x }
nonZero(x: Integer & !{0}) : Integer { 100 / x }
