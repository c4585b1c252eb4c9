abst module Sequence {
    use plugin "bounded";
    Content = { x : Entry | "first<next*>x" };
    Current = { x : Entry | "current = x" };
    invariant "forall x : Entry. not (first<next*>x & x<next+>x)";
    invariant "current != null => first<next*>current";
}
