abst module Remote {
  use plugin "flags";
  Listening = { x : file_descr | "x.state = 1" };
  Connected = { x : file_descr | "x.state = 2" };
  Ended = { x : file_descr | "x.state = 3" };
}
