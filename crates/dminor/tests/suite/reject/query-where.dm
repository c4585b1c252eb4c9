// fails: f([1])
f(c: Any*) : Any* { from x in c where x select x }
