abst module Image {
  use plugin "flags";
  Open = { x : Image | "x.state = 1" };
  Sealed = { x : Image | "x.state = 2" };
  Packed = { x : Image | "x.state = 3" };
}
