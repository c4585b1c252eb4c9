abst module Box {
  use plugin "flags";
  predvar Sized;
}
