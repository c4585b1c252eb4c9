spec module Main {
  proc main()
    requires (Ir.Nodes = {}) & (Fold.Folded = {})
    modifies Ir.Constants, Ir.Variables, Ir.Sums, Ir.Products, Ir.Operators, Ir.Nodes, Fold.Folded,
             Image.Open, Image.Sealed, Image.Packed
    ensures true;
}
