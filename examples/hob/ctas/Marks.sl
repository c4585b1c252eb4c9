// Marks on a screen, of whatever they stand for.
spec module Marks {
  format Item;
  specvar Content : Item set;

  proc put(x : Item)
    requires card(x) = 1
    modifies Content
    ensures Content' = Content + x;

  proc drop(x : Item)
    requires (card(x) = 1) & (x in Content)
    modifies Content
    ensures Content' = Content - x;
}
