abst module ExposedSet {
  use plugin "PALE";
  invariant "type Cell = { data next : Cell; pointer prev : Cell[this^Cell.next = {prev}]; }";
  invariant "data first : Cell;";
  Content = { x : Cell | "first<next*>x" };
}
