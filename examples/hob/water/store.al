abst module Store {
  use plugin "bounded";
  Content = { x : Molecule | "exists i : int. 0 <= i & i < size & d[i] = x" };
  Rest = { x : Molecule | "exists i : int. cursor <= i & i < size & d[i] = x" };
  Others = { x : Molecule | "exists i : int. inner <= i & i < size & d[i] = x" };
  invariant "0 <= cursor & cursor <= inner & inner <= size";
  invariant "(d = null => size = 0) & (d != null => 0 < d.length & size <= d.length)";
  invariant "forall i : int. 0 <= i & i < size => d[i] != null";
  invariant "forall i : int. forall j : int. 0 <= i & i < j & j < size => d[i] != d[j]";
}
