abst module List {
    use plugin "bounded";
    Content = { x : Item | "exists e : Entry. root<next*>e & e.data = x" };
    invariant "forall e : Entry. root<next*>e => not e<next+>e";
    invariant "size >= 0 | root = null";
}

abst module Table {
    use plugin "bounded";
    Items = { x : Item | "exists i : int. 0 <= i & i < count & i < items.length & items[i] = x" };
}

abst module Users = List with Item = User;
