// fails: f([])
f(c: Text*) : Text { from x in c let y = null : Text? accumulate x }
