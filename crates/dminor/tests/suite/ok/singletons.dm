type Direction : {"north"} | {"south"} | {"east"} | {"west"};
opposite(d: Direction) : (r: Direction where r != d) {
  d == "north" ? "south" : d == "south" ? "north" : d == "east" ? "west" : "east"
}
constant(x: Integer) : {x} { x }
one() : {1} { 1 }
pair(x: Integer) : {{x, x + 1}} { {x + 1, x} }
