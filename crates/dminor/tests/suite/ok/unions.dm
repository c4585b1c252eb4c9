type Id : Integer | Text;
isNumber(i: Id) : Logical { i in Integer }
number(i: Id) : Integer { i in Integer ? i : 0 }
describe(i: Id | {null}) : Text { i == null ? "none" : i in Text ? i : "number" }
