// A recursive type: a list as entities.
type List : {null} | {head: Integer; tail: List;};
length(l: List) : (Integer where value >= 0) { l == null ? 0 : 1 + length(l.tail) }
append(a: List, b: List) : List { a == null ? b : {head => a.head, tail => append(a.tail, b)} }
reverse(l: List, done: List) : List { l == null ? done : reverse(l.tail, {head => l.head, tail => done}) }
sum(l: List) : Integer { l == null ? 0 : l.head + sum(l.tail) }
toBag(l: List) : Integer* { l == null ? {} : l.head :: toBag(l.tail) }
fromBag(c: Integer*) : List { from x in c let l = null : List accumulate {head => x, tail => l} }
