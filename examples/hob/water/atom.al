abst module Atom {
  use plugin "flags";
  Predic = { x : Atom | "x.state = 1" };
  Correc = { x : Atom | "x.state = 2" };
}
