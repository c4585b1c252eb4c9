abst module Ir {
  use plugin "flags";
  Constants = { x : Node | "x.kind = 1" };
  Variables = { x : Node | "x.kind = 2" };
  Sums = { x : Node | "x.kind = 3" };
  Products = { x : Node | "x.kind = 4" };
  Operators = Sums + Products;
  Nodes = Constants + Variables + Operators;
}
