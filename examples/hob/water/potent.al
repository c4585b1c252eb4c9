abst module Potent {
  use plugin "flags";
  predvar Ready;
}
