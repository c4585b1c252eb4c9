// The exposed cells.
spec module ExposedSet {
  format Cell;
  specvar Content : Cell set;

  proc isEmpty() returns b : bool
    ensures b' <=> (Content = {});

  proc add(c : Cell)
    requires (card(c) = 1) & disjoint(c, Content)
    modifies Content
    ensures Content' = Content + c;

  proc remove(c : Cell)
    requires (card(c) = 1) & (c in Content)
    modifies Content
    ensures Content' = Content - c;

  proc contains(c : Cell) returns b : bool
    requires card(c) = 1
    ensures b' <=> (c in Content);

  proc count() returns n : int
    ensures true;
}
