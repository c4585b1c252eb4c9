abst module Bag {
    use plugin "bounded";
    Content = { x : Elem | "root<next*.data>x" };
    invariant "forall n : Node. not n<next+>n";
    invariant "forall n : Node. root<next*>n => n.data != null";
    invariant "forall m : Node. forall n : Node. (root<next*>m & m<next+>n) => m.data != n.data";
}
