// A recursive type through collections.
type Rose : {label: Text; children: Rose*;};
count(r: Rose) : (Integer where value > 0) {
  from c in r.children let n = 1 : (Integer where value > 0) accumulate n + count(c)
}
labels(r: Rose) : Text* { from c in r.children let all = {r.label} : Text* accumulate labels(c) ++ all }
rename(r: Rose, l: Text) : Rose { {label => l, children => from c in r.children select rename(c, l)} }
