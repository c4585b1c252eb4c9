spec module List {
    format Item;
    specvar Content : Item set;
    invariant (Content <= Content);
    proc add(d : Item)
        requires (card(d) = 1) & disjoint(d, Content)
        modifies Content
        ensures Content' = Content + d;
    proc remove() returns d : Item
        requires Content != {}
        modifies Content
        ensures (card(d') = 1) & (Content' = Content - d') & (d' in Content);
    proc isEmpty() returns b : bool
        ensures b' <=> (Content = {});
}

spec module Table {
    set Items : Item;
    proc put(x : Item)
        requires not (x in Items)
        modifies Items
        ensures Items' = (Items + x) ;
}

spec module Users = List with Item <- User;

spec module User {
    format User;
    proc make() returns u : User
        ensures (card(u') = 1) & (forall x : User. ((x in u') => (u' in x)));
}
