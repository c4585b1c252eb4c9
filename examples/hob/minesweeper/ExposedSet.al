abst module ExposedSet {
  use plugin "bounded";
  Content = { x : Cell | "exists i : int. 0 <= i & i < size & d[i] = x" };
  invariant "0 <= size & (d = null => size = 0) & (d != null => 0 < d.length & size <= d.length)";
  invariant "forall i : int. 0 <= i & i < size => d[i] != null";
  invariant "forall i : int. forall j : int. 0 <= i & i < j & j < size => d[i] != d[j]";
}
