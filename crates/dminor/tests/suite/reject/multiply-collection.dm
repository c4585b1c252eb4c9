// fails: f([])
f(x: Any) : Integer { x in (Any*) ? 2 * x : 1 }
