abst module Flights {
  use plugin "flags";
  North = { x : Flight | "x.sector = 1" };
  South = { x : Flight | "x.sector = 2" };
  Landed = { x : Flight | "x.sector = 3" };
  Waiting = { x : Flight | "x.control = 1" };
  Controlled = { x : Flight | "x.control = 2" };
  Offered = { x : Flight | "x.offered = true" };
}
