//! Modules that are proved for all heaps, each with faults that are not: what the languages of shapes can say beyond `bounded::languages`.

/// Code, specification, abstraction, and faults: some text, what replaces it, and the operation that goes wrong.
pub struct Shape {
    pub name: &'static str,
    pub texts: [&'static str; 3],
    pub faults: &'static [(&'static str, &'static str, &'static str)],
}

pub const SHAPES: &[Shape] = &[
    Shape {
        name: "a list that may be a ring, and nothing behind what is outside of it",
        texts: [
            "impl module L { format E { next : E; } reference first : E; proc add(e : E) { e.next = first; first = e; } }",
            "spec module L { format E; specvar Content : E set;
                proc add(e : E) requires (card(e) = 1) & (not (e in Content)) modifies Content ensures Content' = Content + e; }",
            r#"abst module L { use plugin "Bohne";
                Content = {x : E | "x ~= null & rtrancl (lambda a b. next a = b) first x"};
                invariant "ALL x. x ~= null & ~(rtrancl (lambda a b. next a = b) first x) --> next x = null"; }"#,
        ],
        faults: &[("e.next = first; ", "", "L.add"), ("first = e;", "first = e.next;", "L.add")],
    },
    Shape {
        name: "an iterator over a list, and nothing behind what is outside of it",
        texts: [
            "impl module I { format E { next : E; } reference first, at : E;
                proc add(e : E) { e.next = first; first = e; }
                proc open() { at = first; }
                proc step() returns e : E { E r = at; at = at.next; return r; }
            }",
            "spec module I { format E; specvar Content, Rest : E set;
                proc add(e : E) requires (card(e) = 1) & (not (e in Content)) modifies Content ensures Content' = Content + e;
                proc open() modifies Rest ensures Rest' = Content;
                proc step() returns e : E requires Rest != {} modifies Rest ensures (card(e') = 1) & (e' in Rest) & (Rest' = Rest - e');
            }",
            r#"abst module I { use plugin "Bohne";
                Content = {x : E | "x ~= null & rtrancl (lambda a b. next a = b) first x"};
                Rest = {x : E | "x ~= null & rtrancl (lambda a b. next a = b) at x"};
                invariant "rtrancl (lambda a b. next a = b) first at";
                invariant "rtrancl (lambda a b. next a = b) first null";
                invariant "ALL x. x ~= null & ~(rtrancl (lambda a b. next a = b) first x) --> next x = null"; }"#,
        ],
        faults: &[("e.next = first; ", "e.next = at; ", "I.add"), ("at = at.next;", "at = first;", "I.step")],
    },
    Shape {
        name: "an iterator that removes, its two places within the list",
        texts: [
            "impl module I { format E { next : E; } reference first, at, last : E;
                proc add(e : E) { e.next = first; first = e; at = null; last = null; }
                proc open() { at = first; last = null; }
                proc step() { last = at; at = at.next; }
                proc cut() { E c = at; if (last == null) { first = c.next; } else { last.next = c.next; } at = c.next; c.next = null; }
                proc seek() { E c = at; E p = null; E q = first; while (q != c) { p = q; q = q.next; }
                    if (p == null) { first = c.next; } else { p.next = c.next; } at = c.next; last = p; c.next = null; }
            }",
            "spec module I { format E; specvar Content, Here, Rest : E set;
                proc add(e : E) requires (card(e) = 1) & (not (e in Content)) modifies Content, Here, Rest
                    ensures (Content' = Content + e) & (Rest' = {});
                proc open() modifies Here, Rest ensures (Rest' = Content) & ((Content = {}) | (card(Here') = 1));
                proc step() requires card(Here) = 1 modifies Here, Rest ensures (Rest' = Rest - Here) & (Here' in Rest');
                proc cut() requires card(Here) = 1 modifies Content, Here, Rest
                    ensures (Content' = Content - Here) & (Rest' = Rest - Here) & (Here' in Rest');
                proc seek() requires card(Here) = 1 modifies Content, Here, Rest
                    ensures (Content' = Content - Here) & (Rest' = Rest - Here) & (Here' in Rest');
            }",
            r#"abst module I { use plugin "Bohne";
                Content = {x : E | "x ~= null & rtrancl (lambda a b. next a = b) first x"};
                Here = {x : E | "x ~= null & x = at"};
                Rest = {x : E | "x ~= null & at ~= null & rtrancl (lambda a b. next a = b) at x"};
                invariant "at ~= null --> rtrancl (lambda a b. next a = b) first at";
                invariant "last ~= null --> rtrancl (lambda a b. next a = b) first last & next last = at";
                invariant "last = null & at ~= null --> at = first";
                invariant "rtrancl (lambda a b. next a = b) first null"; }"#,
        ],
        faults: &[
            ("at = null; last = null;", "at = null;", "I.add"),
            ("else { last.next = c.next; }", "", "I.cut"),
            ("at = c.next; c.next = null; }\n                proc seek", "c.next = null; }\n                proc seek", "I.cut"),
            ("{ p = q; q = q.next; }", "{ q = q.next; }", "I.seek"),
        ],
    },
    Shape {
        name: "a place in a tree with parents is looked for",
        texts: [
            "impl module T { format N { left, right, up : N; key : int; } reference root : N;
                proc insert(n : N; k : int) {
                    n.key = k;
                    n.left = null;
                    n.right = null;
                    N p = null;
                    N c = root;
                    bool less = false;
                    while (c != null) {
                        p = c;
                        less = k < c.key;
                        if (less) { c = c.left; } else { c = c.right; }
                    }
                    n.up = p;
                    if (p == null) { root = n; } else { if (less) { p.left = n; } else { p.right = n; } }
                }
                proc last() returns n : N {
                    N p = root;
                    N c = root.right;
                    while (c != null) { p = c; c = c.right; }
                    return p;
                }
            }",
            "spec module T { format N; specvar Content : N set;
                proc last() returns n : N requires Content != {} ensures (card(n') = 1) & (n' in Content);
                proc insert(n : N; k : int) requires (card(n) = 1) & disjoint(n, Content) modifies Content ensures Content' = Content + n;
            }",
            r#"abst module T { use plugin "PALE";
                invariant "type N = { data left : N; data right : N; pointer up : N[this^N.left union this^N.right = {up}]; }";
                invariant "data root : N;";
                Content = {x : N | "root<(left + right)*>x"}; }"#,
        ],
        faults: &[
            ("n.up = p;", "", "T.insert"),
            ("p = c;", "if (less) { p = c; }", "T.insert"),
        ],
    },
    Shape {
        name: "an iterator in PALE's language, with an invariant that is no declaration",
        texts: [
            "impl module L { format N { next : N; } reference first, at : N;
                proc add(n : N) { n.next = first; first = n; at = null; }
                proc open() { at = first; }
                proc step() returns n : N { N r = at; at = at.next; return r; }
            }",
            "spec module L { format N; specvar Content, Rest : N set;
                proc add(n : N) requires (card(n) = 1) & disjoint(n, Content) modifies Content, Rest
                    ensures (Content' = Content + n) & (Rest' = {});
                proc open() modifies Rest ensures Rest' = Content;
                proc step() returns n : N requires card(Rest) >= 1 modifies Rest
                    ensures (card(n') = 1) & (n' in Rest) & (Rest' = Rest - n') & (n' in Content);
            }",
            r#"abst module L { use plugin "PALE";
                invariant "type N = { data next : N; }";
                invariant "data first : N;";
                invariant "first<next*>at | at = null";
                Content = {x : N | "first<next*>x"};
                Rest = {x : N | "at<next*>x"}; }"#,
        ],
        faults: &[
            ("first<next*>at | at = null", "at = null | at = at", "L.step"),
            ("first = n; at = null;", "first = n; at = n.next;", "L.add"),
            ("at = at.next; return r;", "at = at.next; at = at.next; return r;", "L.step"),
            ("at = first;", "at = new N();", "L.open"),
        ],
    },
    Shape {
        name: "a list turned round in place, its other half in a variable of its own",
        texts: [
            "impl module L { format N { next : N; } reference root, done : N;
                proc reverse() {
                    while (root != null) {
                        N n = root;
                        root = n.next;
                        n.next = done;
                        done = n;
                    }
                    root = done;
                    done = null;
                }
            }",
            "spec module L { format N; specvar Content, Done : N set;
                proc reverse() requires Done = {} modifies Content, Done ensures (Content' = Content) & (Done' = {});
            }",
            r#"abst module L { use plugin "PALE";
                invariant "type N = { data next : N; }";
                invariant "data root : N;";
                invariant "data done : N;";
                Content = {x : N | "root<next*>x"};
                Done = {x : N | "done<next*>x"}; }"#,
        ],
        faults: &[
            ("n.next = done;", "n.next = null;", "L.reverse"),
            ("done = n;", "done = n; root = null;", "L.reverse"),
            ("done = null;\n                }", "}", "L.reverse"),
        ],
    },
    Shape {
        name: "doubly linked, in Bohne's language",
        texts: [
            "impl module L { format N { next, prev : N; } reference first : N;
                proc add(n : N) {
                    n.next = first;
                    n.prev = null;
                    if (first != null) { first.prev = n; }
                    first = n;
                }
                proc remove(n : N) {
                    if (n.prev == null) { first = n.next; } else { n.prev.next = n.next; }
                    if (n.next != null) { n.next.prev = n.prev; }
                    n.next = null;
                    n.prev = null;
                }
            }",
            "spec module L { format N; specvar Content : N set;
                proc add(n : N) requires (card(n) = 1) & disjoint(n, Content) modifies Content ensures Content' = Content + n;
                proc remove(n : N) requires (card(n) = 1) & (n in Content) modifies Content ensures Content' = Content - n;
            }",
            r#"abst module L { use plugin "Bohne";
                invariant "ALL x. rtrancl (lambda a b. next a = b) first x --> rtrancl (lambda a b. next a = b) x null";
                invariant "first ~= null --> prev first = null";
                invariant "ALL x y. x ~= null & rtrancl (lambda a b. next a = b) first x & next x = y & y ~= null --> prev y = x";
                Content = {x : N | "x ~= null & rtrancl (lambda a b. next a = b) first x"}; }"#,
        ],
        faults: &[
            ("n.prev = null;\n                    if", "if", "L.add"),
            ("n.next.prev = n.prev;", "", "L.remove"),
            ("disjoint(n, Content)", "true", "L.add"),
        ],
    },
    Shape {
        name: "nothing outside of the list leads anywhere",
        texts: [
            "impl module L { format N { next : N; } reference root : N;
                proc note(n : N) { n.next = root; root = n; }
                proc forget() { if (root != null) { N n = root; root = n.next; n.next = null; } }
                proc drop(n : N) {
                    if (root == n) { root = n.next; n.next = null; return; }
                    N at = root;
                    while (at.next != n) { at = at.next; }
                    at.next = n.next;
                    n.next = null;
                }
                proc make() returns n : N { N m = new N(); m.next = root; root = m; return m; }
            }",
            "spec module L { format N; specvar Content : N set;
                proc note(n : N) requires (card(n) = 1) & disjoint(n, Content) modifies Content ensures Content' = Content + n;
                proc forget() modifies Content ensures Content' <= Content;
                proc drop(n : N) requires (card(n) = 1) & (n in Content) modifies Content ensures Content' = Content - n;
                proc make() returns n : N modifies Content ensures (Content' = Content + n') & (card(n') = 1) & disjoint(n', Content);
            }",
            r#"abst module L { use plugin "Bohne";
                invariant "ALL x y z. next x = z & next y = z & z ~= null & x ~= null & y ~= null --> x = y";
                invariant "ALL x. x ~= null & ~(rtrancl (lambda a b. next a = b) root x) --> next x = null";
                invariant "rtrancl (lambda a b. next a = b) root null";
                Content = {x : N | "x ~= null & rtrancl (lambda a b. next a = b) root x"}; }"#,
        ],
        faults: &[
            ("root = n.next; n.next = null; }", "root = n.next; }", "L.forget"),
            ("n.next = null;\n                }", "}", "L.drop"),
            ("disjoint(n, Content) modifies", "true modifies", "L.note"),
            ("N m = new N(); m.next = root;", "N m = new N(); m.next = m;", "L.make"),
            ("next x = null\"", "next x = x\"", "a new N"),
            ("--> x = y\"", "--> x = y & x = root\"", "L.note"),
        ],
    },
    Shape {
        name: "calls of another module",
        texts: [
            "impl module L { format N { next : N; } reference first : N;
                proc add(e : N) { e.next = first; first = e; Log.seen(e); }
                proc take() returns r : N {
                    N m = first;
                    first = m.next;
                    m.next = null;
                    if (Log.isSeen(m)) { Log.forget(m); }
                    return m;
                }
                proc fresh() returns r : N { N m = Log.make(); m.next = first; first = m; return m; }
                proc all() returns b : bool {
                    N at = first;
                    while (at != null) { if (!Log.isSeen(at)) { return false; } at = at.next; }
                    return true;
                }
            }
            impl module Log { format N { seen : bool; }
                proc seen(e : N) { e.seen = true; }
                proc isSeen(e : N) returns b : bool { return e.seen; }
                proc forget(e : N) { e.seen = false; }
                proc make() returns e : N { N m = new N(); m.seen = true; return m; }
            }",
            "spec module L { format N; specvar Content : N set;
                proc add(e : N) requires (card(e) = 1) & disjoint(e, Log.Seen) modifies Content, Log.Seen calls Log
                    ensures (Content' = Content + e) & (Log.Seen' = Log.Seen + e);
                proc take() returns r : N requires card(Content) >= 1 modifies Content, Log.Seen calls Log
                    ensures (card(r') = 1) & (r' in Content) & (Content' = Content - r') & (Log.Seen' = Log.Seen - r');
                proc fresh() returns r : N modifies Content, Log.Seen calls Log
                    ensures (card(r') = 1) & (not (r' in Content)) & (Content' = Content + r') & (Log.Seen <= Log.Seen');
                proc all() returns b : bool calls Log ensures b';
            }
            spec module Log { format N; specvar Seen : N set;
                proc seen(e : N) requires (card(e) = 1) & (not (e in Seen)) modifies Seen ensures Seen' = Seen + e;
                proc isSeen(e : N) returns b : bool requires card(e) = 1 ensures b' <=> (e in Seen);
                proc forget(e : N) requires (card(e) = 1) & (e in Seen) modifies Seen ensures Seen' = Seen - e;
                proc make() returns e : N modifies Seen ensures (card(e') = 1) & (not (e' in Seen)) & (Seen' = Seen + e');
            }
            scope C { modules L, Log; exports L; invariant L.Content <= Log.Seen; }",
            r#"abst module L { use plugin "PALE"; invariant "type N = { data next : N; }"; invariant "data first : N;";
                Content = {x : N | "first<next*>x"}; }
            abst module Log { use plugin "flags"; Seen = {x : N | "x.seen = true"}; }"#,
        ],
        faults: &[
            ("if (Log.isSeen(m)) { Log.forget(m); }", "", "L.take"),
            ("if (Log.isSeen(m)) { Log.forget(m); }", "Log.forget(m); if (Log.isSeen(m)) { Log.forget(m); } else { Log.seen(m); }", "L.take"),
            ("first = e; Log.seen(e);", "first = e;", "L.add"),
            (" & disjoint(e, Log.Seen)", "", "L.add"),
            ("if (!Log.isSeen(at)) { return false; }", "if (Log.isSeen(at)) { return false; }", "L.all"),
        ],
    },
    Shape {
        name: "two lists",
        texts: [
            "impl module Two { format N { next : N; } reference a, b : N;
                proc put(n : N) { n.next = a; a = n; }
                proc move() { N n = a; a = n.next; n.next = b; b = n; }
                proc swap() { N n = a; a = b; b = n; }
                proc isIn(n : N) returns found : bool {
                    bool seen = false;
                    int steps = 0;
                    N at = a;
                    while (at != null && !seen) {
                        if (at == n) { seen = true; } else { at = at.next; steps++; }
                    }
                    return seen;
                }
            }",
            "spec module Two { format N; specvar A, B : N set;
                proc put(n : N) requires (card(n) = 1) & disjoint(n, A + B) modifies A ensures A' = A + n;
                proc move() requires A != {} modifies A, B
                    ensures (A' + B' = A + B) & disjoint(A', B') & (B <= B') & (A' <= A) & (card(A - A') = 1);
                proc swap() modifies A, B ensures (A' = B) & (B' = A);
                proc isIn(n : N) returns found : bool requires card(n) = 1 ensures found' <=> (n in A);
            }",
            r#"abst module Two { use plugin "PALE";
                invariant "type N = { data next : N; }"; invariant "data a, b : N;";
                A = {x : N | "a<next*>x"}; B = {x : N | "b<next*>x"}; }"#,
        ],
        faults: &[
            ("disjoint(n, A + B)", "disjoint(n, A)", "Two.put"),
            ("a = n.next; n.next = b;", "n.next = b; a = n.next;", "Two.move"),
            ("b = n; }\n                proc isIn", "}\n                proc isIn", "Two.swap"),
            ("seen = true;", "return false;", "Two.isIn"),
            ("else { at = at.next; steps++; }", "", "Two.isIn"),
        ],
    },
    Shape {
        name: "a ring",
        texts: [
            "impl module L { format N { next : N; } reference at : N;
                proc add(n : N) {
                    if (at == null) { n.next = n; at = n; } else { n.next = at.next; at.next = n; }
                }
                proc turn() { if (at != null) { at = at.next; } }
                proc takeNext() returns n : N {
                    N out = at.next;
                    if (out == at) { at = null; } else { at.next = out.next; }
                    out.next = null;
                    return out;
                }
                proc last() returns n : N {
                    N p = at;
                    while (p.next != at) { p = p.next; }
                    return p;
                }
            }",
            "spec module L { format N; specvar Content : N set;
                proc add(n : N) requires (card(n) = 1) & disjoint(n, Content) modifies Content ensures Content' = Content + n;
                proc turn() ensures true;
                proc takeNext() returns n : N requires Content != {} modifies Content
                    ensures (card(n') = 1) & (n' in Content) & (Content' = Content - n');
                proc last() returns n : N requires Content != {} ensures (card(n') = 1) & (n' in Content);
            }",
            r#"abst module L { use plugin "Bohne";
                invariant "ALL x. x ~= null & rtrancl (lambda a b. next a = b) at x --> next x ~= null & rtrancl (lambda a b. next a = b) x at";
                Content = {x : N | "x ~= null & rtrancl (lambda a b. next a = b) at x"}; }"#,
        ],
        faults: &[
            ("n.next = n; at = n;", "at = n;", "L.add"),
            ("Content = {x : N |", "invariant \"at ~= null\"; Content = {x : N |", "the start of L"),
            ("n.next = at.next; at.next = n;", "n.next = at; at = n;", "L.add"),
            ("if (out == at) { at = null; } else", "", "L.takeNext"),
            ("while (p.next != at)", "while (p != null)", "L.last"),
        ],
    },
    Shape {
        name: "marks",
        texts: [
            "impl module L { format N { next : N; on : bool; } reference root : N; var any : bool;
                proc add(n : N) { n.next = root; n.on = false; root = n; any = true; }
                proc mark(n : N) { n.on = true; }
                proc make() returns n : N { N fresh = new N(); add(fresh); fresh.on = true; return fresh; }
            }",
            "spec module L { format N; specvar Content, On : N set; specvar any : bool; invariant any | (Content = {});
                proc add(n : N) requires (card(n) = 1) & disjoint(n, Content) modifies Content, any
                    ensures (Content' = Content + n) & any';
                proc mark(n : N) requires (card(n) = 1) & (n in Content) modifies On ensures On' = On + n;
                proc make() returns n : N modifies Content, On, any
                    ensures (card(n') = 1) & disjoint(n', Content) & (Content' = Content + n') & (On' = On + n') & any';
            }",
            r#"abst module L { use plugin "PALE";
                invariant "type N = { data next : N; bool on; }"; invariant "data root : N; bool any;"; predvar any;
                Content = {x : N | "root<next*>x"}; On = {x : N | "root<next*>x & x.on"}; }"#,
        ],
        faults: &[
            ("n.on = false;", "", "L.add"),
            ("any = true;", "", "L.add"),
            ("add(fresh);", "", "L.make"),
            ("N fresh = new N();", "N fresh = root;", "L.make"),
            ("\"root<next*>x\"", "\"root<next*>x | root != null & x.next = null\"", "a new N"),
        ],
    },
    Shape {
        name: "a list beside flags, and a number that nobody changes",
        texts: [
            "impl module L { format N { next : N; kind : int; read : bool; } reference root : N; var most : int;
                proc arrive(n : N) { n.next = root; root = n; }
                proc take() returns n : N { N r = root; root = r.next; r.next = null; return r; }
                proc fresh() returns n : N { N r = new N(); r.next = root; root = r; return r; }
                proc flag(n : N) { n.kind = 2; }
            }",
            "spec module L { format N; specvar Content, Flagged, Read, Special : N set;
                proc arrive(n : N) requires (card(n) = 1) & disjoint(n, Content) modifies Content ensures Content' = Content + n;
                proc take() returns n : N requires Content != {} modifies Content
                    ensures (card(n') = 1) & (n' in Content) & (Content' = Content - n');
                proc fresh() returns n : N modifies Content ensures (card(n') = 1) & (Content' = Content + n');
                proc flag(n : N) requires card(n) = 1 modifies Flagged, Special ensures Flagged' = Flagged + n;
            }",
            r#"abst module L {
                use plugin "PALE" for {
                    invariant "type N = { data next : N; }"; invariant "data root : N;"; Content = {x : N | "root<next*>x"};
                    procs arrive, take, fresh;
                }
                use plugin "flags" for {
                    Flagged = {x : N | "x.kind = 2"}; Read = {x : N | "x.read = true"}; Special = Flagged cap Read;
                    procs flag;
                }
            }"#,
        ],
        faults: &[
            ("r.next = null; return r;", "r.next = null; r.kind = 2; return r;", "L.take"),
            ("root = r; return r;", "root = r; r.read = true; return r;", "L.fresh"),
            ("proc arrive(n : N) {", "proc arrive(n : N) { n.kind = 0;", "L.arrive"),
        ],
    },
    Shape {
        name: "a tree with parents",
        texts: [
            "impl module T { format N { left, right, up : N; } reference root : N;
                proc grow(n : N) {
                    n.left = root;
                    n.right = null;
                    n.up = null;
                    if (root != null) { root.up = n; }
                    root = n;
                }
                proc hang(p : N; n : N) returns done : bool {
                    if (p.right != null) { return false; }
                    n.left = null;
                    n.right = null;
                    n.up = p;
                    p.right = n;
                    return true;
                }
                proc top(n : N) returns t : N {
                    N at = n;
                    while (at.up != null) { at = at.up; }
                    return at;
                }
            }",
            "spec module T { format N; specvar Content : N set;
                proc grow(n : N) requires (card(n) = 1) & disjoint(n, Content) modifies Content ensures Content' = Content + n;
                proc hang(p : N; n : N) returns done : bool requires (card(p) = 1) & (p in Content) & (card(n) = 1) & disjoint(n, Content)
                    modifies Content ensures (done' => (Content' = Content + n)) & ((not done') => (Content' = Content));
                proc top(n : N) returns t : N requires (card(n) = 1) & (n in Content) ensures (card(t') = 1) & (t' in Content);
            }",
            r#"abst module T { use plugin "PALE";
                invariant "type N = { data left, right : N; pointer up : N[this^N.left = {up} & this^N.right = {} | this^N.right = {up} & this^N.left = {}]; }";
                invariant "data root : N;";
                Content = {x : N | "root<(left + right)*>x"}; }"#,
        ],
        faults: &[
            ("n.up = p;", "", "T.hang"),
            ("root.up = n;", "", "T.grow"),
            ("if (p.right != null) { return false; }", "", "T.hang"),
        ],
    },
    Shape {
        name: "a search that calls itself",
        texts: [
            "impl module T { format N { left, right : N; } reference root : N;
                proc below(top : N; n : N) returns found : bool {
                    if (top == null) { return false; }
                    return top == n || below(top.left, n) || below(top.right, n);
                }
            }",
            "spec module T { format N; specvar Content : N set;
                proc below(top : N; n : N) returns found : bool requires (card(n) = 1) & (top <= Content)
                    ensures (found' => (n in Content)) & ((not (n = top)) | found');
            }",
            r#"abst module T { use plugin "PALE";
                invariant "type N = { data left, right : N; }"; invariant "data root : N;";
                Content = {x : N | "root<(left + right)*>x"}; }"#,
        ],
        faults: &[
            ("below(top.left, n)", "below(root, n)", "T.below"),
        ],
    },
    Shape {
        name: "loops that change the heap",
        texts: [
            "impl module Two { format N { next : N; } reference a, b : N;
                proc moveAll() { while (a != null) { N n = a; a = n.next; n.next = b; b = n; } }
                proc takeUntil(n : N) { while \"a<next*>n\" (a != n) { a = a.next; } }
                proc makeOne() { N n = new N(); while (a != null) { a = a.next; } n.next = null; a = n; }
            }",
            "spec module Two { format N; specvar A, B : N set;
                proc moveAll() modifies A, B ensures (A' = {}) & (B' = A + B);
                proc takeUntil(n : N) requires (card(n) = 1) & (n in A) modifies A ensures (A' <= A) & (n in A');
                proc makeOne() modifies A ensures (card(A') = 1) & disjoint(A', A);
            }",
            r#"abst module Two { use plugin "PALE";
                invariant "type N = { data next : N; }"; invariant "data a, b : N;";
                A = {x : N | "a<next*>x"}; B = {x : N | "b<next*>x"}; }"#,
        ],
        faults: &[
            ("n.next = b; b = n;", "b = n;", "Two.moveAll"),
            ("n.next = b; b = n;", "n.next = b; b = n; if (n == n) { a = null; }", "Two.moveAll"),
            ("a<next*>n", "b<next*>n", "Two.takeUntil"),
            (" & (n in A) modifies", " modifies", "Two.takeUntil"),
            ("{ a = a.next; } n.next", "{ a.next = a; } n.next", "Two.makeOne"),
            ("{ a = a.next; } n.next", "{ n = a; a = a.next; } n.next", "Two.makeOne"),
        ],
    },
];
