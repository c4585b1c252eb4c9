// The periodic box that the liquid fills: a cube.
spec module Box {
  // Its edge is known.
  specvar Sized : bool;

  proc setup(edge : float)
    modifies Sized
    ensures Sized';

  proc length() returns l : float
    requires Sized
    ensures true;

  proc volume() returns v : float
    requires Sized
    ensures true;

  // A difference of coordinates, to the nearest image.
  proc image(d : float) returns e : float
    requires Sized
    ensures true;

  // What to add to a coordinate to bring it into the box.
  proc wrap(x : float) returns shift : float
    requires Sized
    ensures true;
}
