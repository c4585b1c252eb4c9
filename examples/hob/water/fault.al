abst module Fault {
  use plugin "flags";
}
