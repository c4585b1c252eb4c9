abst module ArraySet {
    use plugin "bounded";
    Content = { x : Cell | "exists i : int. 0 <= i & i < size & d[i] = x" };
    invariant "0 <= size & (size = 0 | size <= d.length)";
    invariant "forall i : int. (0 <= i & i < size) => d[i] != null";
    invariant "forall i : int. forall j : int. (0 <= i & i < j & j < size) => d[i] != d[j]";
}
