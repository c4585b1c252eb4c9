// fails: area({"kind": "triangle", "base": 2})
type Shape : {kind: {"circle"}; radius: Integer;} | {kind: {"square"}; side: Integer;} | {kind: {"triangle"}; base: Integer;};
area(s: Shape) : Integer { s.kind == "circle" ? 3 * s.radius * s.radius : s.side * s.side }
