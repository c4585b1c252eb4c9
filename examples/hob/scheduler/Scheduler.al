abst module Scheduler {
  use plugin "flags";
  Running = { x : Process | "x.state = 1" };
  Suspended = { x : Process | "x.state = 2" };
}
