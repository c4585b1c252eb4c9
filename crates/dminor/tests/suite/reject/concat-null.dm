// fails: f(null)
f(x: Integer* | {null}) : Any { {1} ++ x }
