abst module Pipe {
  use plugin "flags";
  Empty = { x : Slot | "x.state = 1" };
  Full = { x : Slot | "x.state = 2" };
}
