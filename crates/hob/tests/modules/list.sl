spec module List {
    format Entry;
    specvar Content : Entry set;

    proc add(e : Entry)
        requires (card(e) = 1) & (not (e in Content))
        modifies Content
        ensures Content' = Content + e;

    proc remove(e : Entry)
        requires (card(e) = 1) & (e in Content)
        modifies Content
        ensures Content' = Content - e;

    proc contains(e : Entry) returns found : bool
        requires card(e) = 1
        ensures found' <=> (e in Content);

    proc isEmpty() returns empty : bool
        ensures empty' <=> (Content = {});

    proc getFirst() returns e : Entry
        requires Content != {}
        ensures (card(e') = 1) & (e' in Content);

    proc removeFirst() returns e : Entry
        requires Content != {}
        modifies Content
        ensures (card(e') = 1) & (e' in Content) & (Content' = Content - e');

    proc clear()
        modifies Content
        ensures Content' = {};
}
