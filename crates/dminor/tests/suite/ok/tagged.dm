type Circle : {kind: {"circle"}; radius: Integer;};
type Square : {kind: {"square"}; side: Integer;};
type Shape : Circle | Square;
size(s: Shape) : Integer { s.kind == "circle" ? s.radius * s.radius * 3 : s.side * s.side }
isRound(s: Shape) : (r: Logical where r == (s in Circle)) { s.kind == "circle" }
grow(s: Shape) : Shape {
  s in Circle ? {kind => "circle", radius => s.radius + 1} : {kind => "square", side => s.side + 1}
}
