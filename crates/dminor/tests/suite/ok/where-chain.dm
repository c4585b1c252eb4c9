type Digit : Integer where value >= 0 where value < 10;
next(d: Digit) : Digit { d == 9 ? 0 : d + 1 }
digits(a: Digit, b: Digit) : (Integer where value >= 0 && value < 100) { 10 * a + b }
