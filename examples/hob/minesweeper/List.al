abst module List {
  use plugin "PALE";
  invariant "type Entry = { data next : Entry; }";
  invariant "data root : Entry;";
  Content = { x : Entry | "root<next*>x" };
}
