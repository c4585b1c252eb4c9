// Constant folding: an operator whose operands are constants becomes a constant, from the leaves up.
spec module Fold {
  format Node;
  specvar Folded : Node set;

  proc fold(n : Node)
    requires (card(n) = 1) & (n in Ir.Nodes)
    modifies Folded, Ir.Constants, Ir.Sums, Ir.Products, Ir.Operators
    ensures (n in Folded') & (Folded <= Folded') & (Ir.Constants <= Ir.Constants') & (Ir.Operators' <= Ir.Operators);

  proc isFolded(n : Node) returns b : bool
    requires card(n) = 1
    ensures b' <=> (n in Folded);
}
