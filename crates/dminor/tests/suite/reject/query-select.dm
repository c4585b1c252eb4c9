// fails: f([null])
f(c: Integer?*) : Integer* { from x in c select x + 1 }
