abst module Fold {
  use plugin "flags";
  Folded = { x : Node | "x.folded = true" };
}
