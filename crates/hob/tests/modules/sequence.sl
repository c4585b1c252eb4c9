spec module Sequence {
    format Entry;
    specvar Content, Current : Entry set;

    proc isEmpty() returns b : bool ensures b' <=> (Content = {});
    proc getFirst() returns e : Entry requires Content != {} ensures (card(e') = 1) & (e' in Content);
    proc getCurrent() returns e : Entry ensures e' = Current;
    proc addFirst(e : Entry) requires (card(e) = 1) & (not (e in Content)) modifies Content ensures Content' = Content + e;
    proc addLast(e : Entry) requires (card(e) = 1) & (not (e in Content)) modifies Content ensures Content' = Content + e;
    proc addAfter(p : Entry; e : Entry)
        requires (card(p) = 1) & (p in Content) & (card(e) = 1) & (not (e in Content))
        modifies Content
        ensures Content' = Content + e;
    proc contains(e : Entry) returns b : bool requires card(e) = 1 ensures b' <=> (e in Content);
    proc remove(e : Entry)
        requires (card(e) = 1) & (e in Content)
        modifies Content, Current
        ensures (Content' = Content - e) & (Current' = Current - e);
    proc removeFirst() returns e : Entry
        requires Content != {}
        modifies Content, Current
        ensures (card(e') = 1) & (e' in Content) & (Content' = Content - e') & (Current' = Current - e');
    proc removeLast() returns e : Entry
        requires Content != {}
        modifies Content, Current
        ensures (card(e') = 1) & (e' in Content) & (Content' = Content - e') & (Current' = Current - e');
    proc clear() modifies Content, Current ensures (Content' = {}) & (Current' = {});
    proc start() modifies Current ensures (Current' <= Content) & ((Content = {}) <=> (Current' = {}));
    proc hasMore() returns b : bool ensures b' <=> (card(Current) = 1);
    proc advance() requires card(Current) = 1 modifies Current ensures (Current' <= Content) & disjoint(Current, Current');
    proc stop() modifies Current ensures Current' = {};
    proc reverse() ensures true;
    proc last() returns e : Entry requires Content != {} ensures (card(e') = 1) & (e' in Content);
    proc isLast(e : Entry) returns b : bool requires (card(e) = 1) & (e in Content) ensures true;
}
