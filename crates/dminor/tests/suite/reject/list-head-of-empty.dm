// fails: head(null)
type List : {null} | {head: Integer; tail: List;};
head(l: List) : Integer { l.head }
