// A text such as (1 + 2) * x becomes a tree. What is not understood counts as 0, with a message.
spec module Parse {
  format Node;

  proc parse(source : string) returns n : Node
    modifies Ir.Constants, Ir.Variables, Ir.Sums, Ir.Products, Ir.Operators, Ir.Nodes
    ensures (card(n') = 1) & (n' in Ir.Nodes') & (Ir.Nodes <= Ir.Nodes');
}
