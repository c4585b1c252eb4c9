// fails: f(null)
f(c: Integer* | {null}) : Integer* { from x in c select x }
