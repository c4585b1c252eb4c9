spec module Bag {
    format Elem;
    specvar Content : Elem set;

    proc add(e : Elem)
        requires (card(e) = 1) & (not (e in Content))
        modifies Content
        ensures Content' = Content + e;

    proc remove(e : Elem)
        requires card(e) = 1
        modifies Content
        ensures Content' = Content - e;

    proc addBoth(a : Elem; b : Elem)
        requires (card(a) = 1) & (card(b) = 1)
        modifies Content
        ensures Content' = Content + a + b;

    proc contains(e : Elem) returns found : bool
        requires card(e) = 1
        ensures found' <=> (e in Content);

    proc any() returns e : Elem
        ensures (e' in Content) & ((e' = {}) <=> (Content = {}));
}
