// A file to be: first written to, then sealed with a checksum, then packed.
spec module Image {
  format Image;
  specvar Open, Sealed, Packed : Image set;

  invariant disjoint(Open, Sealed, Packed);

  proc make(room : int) returns i : Image
    modifies Open
    ensures (card(i') = 1) & disjoint(i', Open + Sealed + Packed) & (Open' = Open + i');

  proc add(i : Image; text : string)
    requires (card(i) = 1) & (i in Open)
    ensures true;

  proc seal(i : Image)
    requires (card(i) = 1) & (i in Open)
    modifies Open, Sealed
    ensures (Open' = Open - i) & (Sealed' = Sealed + i);

  proc pack(i : Image)
    requires (card(i) = 1) & (i in Sealed)
    modifies Sealed, Packed
    ensures (Sealed' = Sealed - i) & (Packed' = Packed + i);

  proc report(i : Image)
    requires (card(i) = 1) & (i in Packed)
    ensures true;
}
