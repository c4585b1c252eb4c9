abst module Radar {
  use plugin "flags";
  Tracked = { x : Flight | "x.tracked = true" };
  Painted = { x : Flight | "x.painted = true" };
}
