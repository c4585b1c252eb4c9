// Code for a stack machine, of folded trees only.
spec module Code {
  format Node;

  proc generate(n : Node)
    requires (card(n) = 1) & (n in Ir.Nodes) & (n in Fold.Folded)
    ensures true;
}
