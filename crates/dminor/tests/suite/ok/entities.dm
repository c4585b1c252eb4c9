type Point : {x: Integer; y: Integer;};
make(x: Integer, y: Integer) : (p: Point where p.x == x && p.y == y) { {x => x, y => y} }
swap(p: Point) : (q: Point where q.x == p.y && q.y == p.x) { {x => p.y, y => p.x} }
add(p: Point, q: Point) : Point { {x => p.x + q.x, y => p.y + q.y} }
isOrigin(p: Point) : Logical { p.x == 0 && p.y == 0 }
