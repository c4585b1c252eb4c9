abst module Rand {
  use plugin "flags";
  predvar Seeded;
}
