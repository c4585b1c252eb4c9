// Connections. The descriptors are the library's; which of them may be used for what is known here.
spec module Remote {
  format file_descr;
  specvar Listening, Connected, Ended : file_descr set;

  invariant disjoint(Listening, Connected, Ended);

  proc listen(port : int) returns s : file_descr
    modifies Listening, Connected, Ended
    ensures (s' in Listening') & (Connected' <= Connected);

  proc next(s : file_descr) returns c : file_descr
    requires (card(s) = 1) & (s in Listening)
    modifies Connected
    ensures (card(c') = 1) & disjoint(c', Listening + Connected + Ended) & (Connected' = Connected + c');

  proc send(c : file_descr; v : int)
    requires (card(c) = 1) & (c in Connected)
    ensures true;

  proc hangUp(c : file_descr)
    requires (card(c) = 1) & (c in Connected)
    modifies Connected, Ended
    ensures (Connected' = Connected - c) & (Ended' = Ended + c);
}
