spec module DList {
    format Node;
    specvar Content : Node set;

    proc addFirst(n : Node)
        requires (card(n) = 1) & (not (n in Content))
        modifies Content
        ensures Content' = Content + n;

    proc addLast(n : Node)
        requires (card(n) = 1) & (not (n in Content))
        modifies Content
        ensures Content' = Content + n;

    proc remove(n : Node)
        requires (card(n) = 1) & (n in Content)
        modifies Content
        ensures Content' = Content - n;

    proc contains(n : Node) returns found : bool
        requires card(n) = 1
        ensures found' <=> (n in Content);
}
