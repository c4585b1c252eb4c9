abst module Report {
  use plugin "flags";
  predvar Headed;
  predvar Rows;
  predvar Closed;
}
