spec module ArraySet {
    format Cell;
    specvar Content : Cell set;

    proc add(c : Cell)
        requires (card(c) = 1) & (not (c in Content))
        modifies Content
        ensures Content' = Content + c;

    private proc indexOf(c : Cell) returns index : int
        ensures true;

    proc remove(c : Cell)
        requires (card(c) = 1) & (c in Content)
        modifies Content
        ensures Content' = Content - c;

    proc contains(c : Cell) returns found : bool
        requires card(c) = 1
        ensures found' <=> (c in Content);

    proc clear()
        modifies Content
        ensures Content' = {};
}
