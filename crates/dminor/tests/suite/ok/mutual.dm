// Mutually recursive types and functions; negation below a field is fine.
type Even : {null} | {next: Odd;};
type Odd : {next: Even;};
type Wrapped : {null} | {inner: !Wrapped;};
isEven(n: Integer where value >= 0) : Logical { n == 0 ? true : isOdd(n - 1) }
isOdd(n: Integer where value >= 0) : Logical { n == 0 ? false : isEven(n - 1) }
lengthOfEven(e: Even) : (Integer where value >= 0) { e == null ? 0 : 1 + lengthOfOdd(e.next) }
lengthOfOdd(o: Odd) : (Integer where value > 0) { 1 + lengthOfEven(o.next) }
isWrapped(x: Any) : Logical { x in Wrapped }
