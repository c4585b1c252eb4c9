spec module HashTable {
    format Entry;
    specvar Content : Entry set;

    private proc bucketOf(key : int) returns bucket : int
        ensures true;

    proc add(e : Entry; key : int)
        requires (card(e) = 1) & (not (e in Content))
        modifies Content
        ensures Content' = Content + e;

    proc remove(e : Entry)
        requires (card(e) = 1) & (e in Content)
        modifies Content
        ensures Content' = Content - e;

    proc contains(e : Entry) returns found : bool
        requires card(e) = 1
        ensures (not found') | (e in Content);

    proc clear()
        modifies Content
        ensures Content' = {};
}
