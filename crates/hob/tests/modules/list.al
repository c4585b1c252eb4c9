abst module List {
    use plugin "bounded";
    Content = { x : Entry | "root<next*>x" };
    invariant "forall x : Entry. not x<next+>x";
}
