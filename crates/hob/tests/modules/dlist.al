abst module DList {
    use plugin "bounded";
    Content = { x : Node | "first<next*>x" };
    invariant "forall x : Node. not x<next+>x";
    invariant "first != null => first.prev = null";
    invariant "(first = null & last = null) | first<next*>last";
    invariant "last != null => last.next = null";
    invariant "forall x : Node. forall y : Node. (first<next*>x & x.next = y) => y.prev = x";
}
