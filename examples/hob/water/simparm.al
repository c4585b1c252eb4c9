abst module Simparm {
  use plugin "flags";
  predvar Init;
  predvar ParmsLoaded;
}
