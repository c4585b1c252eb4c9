spec module Tree {
    format Node;
    specvar Content : Node set;

    proc insert(n : Node; key : int)
        requires (card(n) = 1) & (not (n in Content))
        modifies Content
        ensures Content' = Content + n;

    proc contains(n : Node) returns found : bool
        requires card(n) = 1
        ensures found' <=> (n in Content);

    private proc search(top : Node; n : Node) returns found : bool
        requires card(n) = 1
        ensures true;

    proc removeMin() returns n : Node
        requires Content != {}
        modifies Content
        ensures (card(n') = 1) & (n' in Content) & (Content' = Content - n');

    proc isEmpty() returns empty : bool
        ensures empty' <=> (Content = {});
}
