// fails: f([1, null])
f(c: Integer?*) : Integer* { from x in c select x }
