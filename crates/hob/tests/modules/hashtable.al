abst module HashTable {
    use plugin "bounded";
    Content = { x : Entry | "exists i : int. 0 <= i & i < table.length & table[i]<next*>x" };
    invariant "table != null => table.length > 0";
    invariant "forall x : Entry. not x<next+>x";
    invariant "forall x : Entry. forall i : int. (0 <= i & i < table.length & table[i]<next*>x) => x.bucket = i";
}
