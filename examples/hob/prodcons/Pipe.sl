// Slots that a producer fills and a consumer empties.
spec module Pipe {
  format Slot;
  specvar Empty, Full : Slot set;

  invariant disjoint(Empty, Full);

  proc make() returns s : Slot
    modifies Empty
    ensures (card(s') = 1) & disjoint(s', Empty + Full) & (Empty' = Empty + s');

  proc put(s : Slot; v : int)
    requires (card(s) = 1) & (s in Empty)
    modifies Empty, Full
    ensures (Empty' = Empty - s) & (Full' = Full + s);

  proc take(s : Slot) returns v : int
    requires (card(s) = 1) & (s in Full)
    modifies Empty, Full
    ensures (Full' = Full - s) & (Empty' = Empty + s);

  proc isEmpty(s : Slot) returns b : bool
    requires card(s) = 1
    ensures b' <=> (s in Empty);

  proc isFull(s : Slot) returns b : bool
    requires card(s) = 1
    ensures b' <=> (s in Full);
}
