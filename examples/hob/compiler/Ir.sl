// Nodes of expressions. A node is a constant, a variable, a sum or a product; a pass may turn an operator into a constant.
spec module Ir {
  format Node;
  specvar Constants, Variables, Sums, Products, Operators, Nodes : Node set;

  public invariant disjoint(Constants, Variables, Sums, Products);
  public invariant Operators = Sums + Products;
  public invariant Nodes = Constants + Variables + Operators;

  proc constant(v : int) returns n : Node
    modifies Constants, Nodes
    ensures (card(n') = 1) & disjoint(n', Nodes) & (Constants' = Constants + n') & (Nodes' = Nodes + n');

  proc variable(name : string) returns n : Node
    modifies Variables, Nodes
    ensures (card(n') = 1) & disjoint(n', Nodes) & (Variables' = Variables + n') & (Nodes' = Nodes + n');

  proc sum(a : Node; b : Node) returns n : Node
    requires (card(a) = 1) & (card(b) = 1) & (a + b <= Nodes)
    modifies Sums, Operators, Nodes
    ensures (card(n') = 1) & disjoint(n', Nodes) & (Sums' = Sums + n') & (Operators' = Operators + n') & (Nodes' = Nodes + n');

  proc product(a : Node; b : Node) returns n : Node
    requires (card(a) = 1) & (card(b) = 1) & (a + b <= Nodes)
    modifies Products, Operators, Nodes
    ensures (card(n') = 1) & disjoint(n', Nodes) & (Products' = Products + n') & (Operators' = Operators + n') & (Nodes' = Nodes + n');

  proc left(n : Node) returns c : Node
    requires (card(n) = 1) & (n in Operators)
    ensures (card(c') = 1) & (c' in Nodes);

  proc right(n : Node) returns c : Node
    requires (card(n) = 1) & (n in Operators)
    ensures (card(c') = 1) & (c' in Nodes);

  proc value(n : Node) returns v : int
    requires (card(n) = 1) & (n in Constants)
    ensures true;

  proc nameOf(n : Node) returns name : string
    requires (card(n) = 1) & (n in Variables)
    ensures true;

  proc isConstant(n : Node) returns b : bool
    requires card(n) = 1
    ensures b' <=> (n in Constants);

  proc isVariable(n : Node) returns b : bool
    requires card(n) = 1
    ensures b' <=> (n in Variables);

  proc isSum(n : Node) returns b : bool
    requires card(n) = 1
    ensures b' <=> (n in Sums);

  proc makeConstant(n : Node; v : int)
    requires (card(n) = 1) & (n in Operators)
    modifies Constants, Sums, Products, Operators
    ensures (Constants' = Constants + n) & (Sums' = Sums - n) & (Products' = Products - n) & (Operators' = Operators - n);
}
