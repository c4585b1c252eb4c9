// A set as a linked list, to be instantiated: the links are fields of the entries.
spec module List {
  format Entry;
  specvar Content : Entry set;

  proc isEmpty() returns b : bool
    ensures b' <=> (Content = {});

  proc add(e : Entry)
    requires (card(e) = 1) & disjoint(e, Content)
    modifies Content
    ensures Content' = Content + e;

  proc remove(e : Entry)
    requires (card(e) = 1) & (e in Content)
    modifies Content
    ensures Content' = Content - e;

  proc contains(e : Entry) returns b : bool
    requires card(e) = 1
    ensures b' <=> (e in Content);

  proc getFirst() returns e : Entry
    requires Content != {}
    ensures (card(e') = 1) & (e' in Content);

  proc removeFirst() returns e : Entry
    requires Content != {}
    modifies Content
    ensures (card(e') = 1) & (e' in Content) & (Content' = Content - e');
}
