//! Modules whose abstractions are written for PALE, Bohne and vcgen (docs/hob.md, "Modules of other plugins"): verified up to a bound, and
//! each of their faults is found with the smallest bound that can show it.

use super::engine::{Answer, Subject, load, texts};
use hob::program::Checker;

pub struct Module {
    pub name: &'static str,
    /// Code and specification: of a module in a folder, or here.
    code: Result<&'static str, [&'static str; 2]>,
    abstraction: &'static str,
    /// Some text, what replaces it, the operation that goes wrong, and with which bound at least.
    pub faults: &'static [(&'static str, &'static str, &'static str, i64)],
}

const QUEUE: [&str; 2] = [
    "impl module Queue {
    format Node { next : Node; }
    reference first, last : Node;
    proc put(n : Node) {
        n.next = null;
        if (first == null) { first = n; } else { last.next = n; }
        last = n;
    }
    proc take() returns n : Node {
        Node taken = first;
        first = first.next;
        if (first == null) { last = null; }
        taken.next = null;
        return taken;
    }
    proc contains(n : Node) returns found : bool {
        Node y = first;
        while \"first<next*>y | y = null\" (y != null) {
            if (y == n) { return true; }
            y = y.next;
        }
        return false;
    }
}",
    "spec module Queue {
    format Node;
    specvar Content : Node set;
    proc put(n : Node) requires (card(n) = 1) & (not (n in Content)) modifies Content ensures Content' = Content + n;
    proc take() returns n : Node requires Content != {} modifies Content
        ensures (card(n') = 1) & (n' in Content) & (Content' = Content - n');
    proc contains(n : Node) returns found : bool requires card(n) = 1 ensures found' <=> (n in Content);
}",
];

const BUSH: [&str; 2] = [
    "impl module Bush {
    format Node { left : Node; right : Node; }
    reference root : Node;
    proc add(n : Node) {
        n.left = null;
        n.right = root;
        root = n;
    }
    proc addLeft(n : Node) {
        n.left = null;
        n.right = null;
        Node p = root;
        while (p.left != null) { p = p.left; }
        p.left = n;
    }
    proc swap() {
        if (root != null) {
            Node old = root.left;
            root.left = root.right;
            root.right = old;
        }
    }
    proc contains(n : Node) returns found : bool { return search(root, n); }
    private proc search(top : Node; n : Node) returns found : bool {
        if (top == null) { return false; }
        if (top == n) { return true; }
        if (search(top.left, n)) { return true; }
        return search(top.right, n);
    }
}",
    "spec module Bush {
    format Node;
    specvar Content : Node set;
    proc add(n : Node) requires (card(n) = 1) & (not (n in Content)) modifies Content ensures Content' = Content + n;
    proc addLeft(n : Node) requires (card(n) = 1) & (not (n in Content)) & (Content != {}) modifies Content
        ensures Content' = Content + n;
    proc swap() ensures true;
    proc contains(n : Node) returns found : bool requires card(n) = 1 ensures found' <=> (n in Content);
    private proc search(top : Node; n : Node) returns found : bool requires card(n) = 1 ensures true;
}",
];

const STACK: [&str; 2] = [
    "impl module Stack {
    reference d : Cell[];
    var top : int;
    proc push(c : Cell) {
        if (d == null) { d = new Cell[2]; }
        if (top == d.length) {
            Cell[] more = new Cell[top + top];
            int i = 0;
            while \"0 <= i & i <= top\" (i < top) { more[i] = d[i]; i = i + 1; }
            d = more;
        }
        d[top] = c;
        top = top + 1;
    }
    proc pop() returns c : Cell {
        top = top - 1;
        Cell taken = d[top];
        d[top] = null;
        return taken;
    }
    proc isEmpty() returns empty : bool { return top == 0; }
}",
    "spec module Stack {
    format Cell;
    specvar Content : Cell set;
    proc push(c : Cell) requires (card(c) = 1) & (not (c in Content)) modifies Content ensures Content' = Content + c;
    proc pop() returns c : Cell requires Content != {} modifies Content
        ensures (card(c') = 1) & (c' in Content) & (Content' = Content - c');
    proc isEmpty() returns empty : bool ensures empty' <=> (Content = {});
}",
];

const SLOTS: [&str; 2] = [
    "impl module Slots {
    reference t : Cell[];
    private proc slot(k : int) returns at : int {
        int i = k % t.length;
        if (i < 0) { i = i + t.length; }
        return i;
    }
    proc put(c : Cell; k : int) {
        if (t == null) { t = new Cell[2]; }
        int i = slot(k);
        t[i] = c;
    }
    proc clear() {
        int i = 0;
        if (t != null) {
            while (i < t.length) { t[i] = null; i = i + 1; }
        }
    }
    proc get(k : int) returns c : Cell {
        if (t == null) { return null; }
        int i = slot(k);
        return t[i];
    }
}",
    "spec module Slots {
    format Cell;
    specvar Content : Cell set;
    private proc slot(k : int) returns at : int ensures true;
    proc put(c : Cell; k : int) requires card(c) = 1 modifies Content ensures (c in Content') & (Content' <= Content + c);
    proc clear() modifies Content ensures Content' = {};
    proc get(k : int) returns c : Cell ensures c' in Content;
}",
];

const LINE: [&str; 2] = [
    "impl module Line {
    reference d : Cell[];
    var n : int;
    proc init() { d = new Cell[3]; n = 0; }
    proc add(c : Cell) returns done : bool {
        if (d == null) { return false; }
        if (n == d.length) { return false; }
        d[n] = c;
        n = n + 1;
        return true;
    }
    proc first() returns c : Cell {
        Cell taken = d[0];
        int i = 1;
        while (i < n) { d[i - 1] = d[i]; i = i + 1; }
        n = n - 1;
        d[n] = null;
        return taken;
    }
    proc contains(c : Cell) returns found : bool {
        int i = 0;
        while (i < n) {
            if (d[i] == c) { return true; }
            i = i + 1;
        }
        return false;
    }
}",
    "spec module Line {
    format Cell;
    specvar Content : Cell set;
    proc init() modifies Content ensures Content' = {};
    proc add(c : Cell) returns done : bool requires (card(c) = 1) & (not (c in Content)) modifies Content
        ensures (done' => (Content' = Content + c)) & ((not done') => (Content' = Content));
    proc first() returns c : Cell requires Content != {} modifies Content
        ensures (card(c') = 1) & (c' in Content) & (Content' = Content - c');
    proc contains(c : Cell) returns found : bool requires card(c) = 1 ensures found' <=> (c in Content);
}",
];

const POOL: [&str; 2] = [
    "impl module Pool {
    format Obj { at : int; used : bool; }
    reference d : Obj[];
    var n : int;
    proc add(x : Obj) {
        if (d == null) { d = new Obj[2]; }
        if (n == d.length) {
            Obj[] more = new Obj[n + n];
            int k = 0;
            while (k < n) { more[k] = d[k]; k = k + 1; }
            d = more;
        }
        d[n] = x;
        x.at = n;
        x.used = true;
        n = n + 1;
    }
    proc remove(x : Obj) {
        int i = x.at;
        n = n - 1;
        Obj last = d[n];
        d[i] = last;
        last.at = i;
        d[n] = null;
        x.used = false;
    }
    proc has(x : Obj) returns found : bool { return x.used; }
}",
    "spec module Pool {
    format Obj;
    specvar Content : Obj set;
    proc add(x : Obj) requires (card(x) = 1) & (not (x in Content)) modifies Content ensures Content' = Content + x;
    proc remove(x : Obj) requires (card(x) = 1) & (x in Content) modifies Content ensures Content' = Content - x;
    proc has(x : Obj) returns found : bool requires card(x) = 1 ensures found' <=> (x in Content);
}",
];

const HEAP: [&str; 2] = [
    "impl module Heap {
    format Job { urgency : int; }
    reference d : Job[];
    var n : int;
    proc insert(j : Job) {
        if (d == null) { d = new Job[3]; }
        if (n == d.length) { return; }
        int i = n;
        n = n + 1;
        d[i] = j;
        while (i > 0 && d[(i - 1) / 2].urgency > d[i].urgency) {
            int up = (i - 1) / 2;
            Job other = d[up];
            d[up] = d[i];
            d[i] = other;
            i = up;
        }
    }
    proc first() returns j : Job { return d[0]; }
    proc dropLast() { n = n - 1; d[n] = null; }
}",
    "spec module Heap {
    format Job;
    specvar Waiting : Job set;
    proc insert(j : Job) requires (card(j) = 1) & (not (j in Waiting)) modifies Waiting
        ensures (Waiting' = Waiting + j) | (Waiting' = Waiting);
    proc first() returns j : Job requires Waiting != {} ensures (card(j') = 1) & (j' in Waiting);
    proc dropLast() requires Waiting != {} modifies Waiting ensures card(Waiting - Waiting') = 1;
}",
];

const RING: [&str; 2] = [
    "impl module Ring {
    reference d : Cell[];
    var head, n : int;
    proc put(c : Cell) returns done : bool {
        if (d == null) { d = new Cell[2]; }
        if (n == d.length) { return false; }
        d[(head + n) % d.length] = c;
        n = n + 1;
        return true;
    }
    proc take() returns c : Cell {
        Cell taken = d[head];
        head = (head + 1) % d.length;
        n = n - 1;
        return taken;
    }
    proc isEmpty() returns empty : bool { return n == 0; }
}",
    "spec module Ring {
    format Cell;
    specvar Content : Cell set;
    proc put(c : Cell) returns done : bool requires (card(c) = 1) & (not (c in Content)) modifies Content
        ensures (done' => (Content' = Content + c)) & ((not done') => (Content' = Content));
    proc take() returns c : Cell requires Content != {} modifies Content
        ensures (card(c') = 1) & (c' in Content) & (Content' = Content - c');
    proc isEmpty() returns empty : bool ensures empty' <=> (Content = {});
}",
];

pub const MODULES: &[Module] = &[
    Module {
        name: "vcgen heap in an array",
        code: Err(HEAP),
        abstraction: r#"abst module Heap { use plugin "vcgen";
            invariant "0 <= n & (n = 0 | (d ~= null & n <= arraySize d)) & (d ~= null --> 0 < arraySize d)";
            invariant "ALL i. 0 <= i & i < n --> d[i] ~= null";
            invariant "ALL i j. 0 <= i & i < j & j < n --> d[i] ~= d[j]";
            invariant "ALL i. 0 <= i & 2 * i + 1 < n --> urgency (d[i]) <= urgency (d[2 * i + 1])";
            invariant "\<forall> i. 2 \<le> i \<and> i < n \<longrightarrow> urgency (d[(i - 1) div 2]) \<le> urgency (d[i])";
            Waiting = {x : Job | "exists j. 0 <= j & j < n & x : d[j]"}; }"#,
        faults: &[
            ("while (i > 0 && ", "while (i > 1 && ", "Heap.insert", 2),
            ("d[i] = other;", "", "Heap.insert", 2),
            ("n = n + 1;\n        d[i] = j;", "d[i] = j;", "Heap.insert", 2),
            ("return d[0];", "return d[1];", "Heap.first", 1),
        ],
    },
    Module {
        name: "vcgen ring",
        code: Err(RING),
        abstraction: r#"abst module Ring { use plugin "vcgen";
            invariant "0 <= n & (d = null --> n = 0 & head = 0)";
            invariant "d ~= null --> 0 <= head & head < arraySize d & n <= arraySize d";
            invariant "ALL i. 0 <= i & i < n --> d[(head + i) mod arraySize d] ~= null";
            invariant "ALL i j. 0 <= i & i < j & j < n --> d[(head + i) mod arraySize d] ~= d[(head + j) mod arraySize d]";
            Content = {x : Cell | "exists j. 0 <= j & j < n & x : d[(head + j) mod arraySize d]"}; }"#,
        faults: &[
            ("d[(head + n) % d.length] = c;", "d[n] = c;", "Ring.put", 2),
            ("head = (head + 1) % d.length;", "head = head + 1;", "Ring.take", 1),
            ("if (n == d.length) { return false; }", "", "Ring.put", 2),
            ("head = (head + 1) % d.length;", "", "Ring.take", 2),
        ],
    },
    Module {
        name: "PALE list",
        code: Ok("list"),
        abstraction: r#"abst module List { use plugin "PALE";
            invariant "type Entry = { data next : Entry; }"; invariant "data root : Entry;";
            Content = {x : Entry | "root<next*>x"}; }"#,
        faults: &[
            ("e.next = root;", "", "List.add", 1),
            ("previous.next = e.next;", "previous.next = null;", "List.remove", 3),
            ("return root == null;", "return root != null;", "List.isEmpty", 1),
            ("(card(e) = 1) & (not (e in Content))", "card(e) = 1", "List.add", 1),
        ],
    },
    Module {
        name: "PALE doubly linked list",
        code: Ok("dlist"),
        abstraction: r#"abst module DList { use plugin "PALE";
            invariant "type Node = { data next : Node; pointer prev : Node[this^Node.next = {prev}]; }";
            invariant "data first : Node;";
            invariant "pointer last : Node[(first = null & last = null) | (first<next*>last & last.next = null)];";
            Content = {x : Node | "first<next*>x"}; }"#,
        faults: &[
            ("first.prev = n;", "", "DList.addFirst", 2),
            ("last = n.prev;", "", "DList.remove", 1),
            ("n.prev = null;\n        n.next = first;", "n.next = first;", "DList.addFirst", 1),
            ("current = current.prev;", "current = current.next;", "DList.contains", 2),
        ],
    },
    Module {
        name: "PALE queue with a tail pointer",
        code: Err(QUEUE),
        abstraction: r#"abst module Queue { use plugin "PALE";
            invariant "type Node = { data next : Node; }"; invariant "data first : Node;";
            invariant "pointer last : Node[(first = null & last = null) | (first<next*>last & last.next = null)];";
            Content = {x : Node | "first<next*>x"}; }"#,
        faults: &[
            ("n.next = null;\n        if", "if", "Queue.put", 1),
            ("last = n;\n    }\n    proc take", "}\n    proc take", "Queue.put", 1),
            ("if (first == null) { last = null; }", "", "Queue.take", 1),
            ("first<next*>y | y = null", "first<next*>y", "Queue.contains", 1),
        ],
    },
    Module {
        name: "PALE tree",
        code: Err(BUSH),
        abstraction: r#"abst module Bush { use plugin "PALE";
            invariant "type Node = { data left, right : Node; }"; invariant "data root : Node;";
            Content = {x : Node | "root<(left + right)*>x"}; }"#,
        faults: &[
            ("n.left = null;\n        n.right = root;", "n.right = root;", "Bush.add", 1),
            ("p.left = n;", "p.right = n;", "Bush.addLeft", 3),
            ("root.right = old;", "", "Bush.swap", 2),
            ("return search(top.right, n);", "return false;", "Bush.contains", 2),
        ],
    },
    Module {
        name: "Bohne list",
        code: Ok("list"),
        abstraction: r#"abst module List { use plugin "Bohne";
            invariant "ALL x. rtrancl (lambda v1 v2. next v1 = v2) root x --> rtrancl (lambda v1 v2. next v1 = v2) x null";
            Content = {x : Entry | "x ~= null & rtrancl (lambda v1 v2. next v1 = v2) root x"};
            proc remove { r_prev = {x : Entry | "next x = e"}; } }"#,
        faults: &[
            ("e.next = root;", "", "List.add", 1),
            ("previous.next = e.next;", "previous.next = null;", "List.remove", 3),
            ("root = root.next;\n        first", "first", "List.removeFirst", 1),
            ("return false;", "root = null; return false;", "List.contains", 2),
        ],
    },
    Module {
        name: "Bohne bag of nodes",
        code: Ok("bag"),
        abstraction: r#"abst module Bag { use plugin "Bohne decaf";
            invariant "ALL x. rtrancl (lambda v1 v2. next v1 = v2) root x --> rtrancl (lambda v1 v2. next v1 = v2) x null";
            invariant "ALL n. n ~= null & rtrancl (lambda v1 v2. next v1 = v2) root n --> data n ~= null";
            invariant "ALL m n. m ~= null & n ~= null & m ~= n & rtrancl (lambda v1 v2. next v1 = v2) root m
                & rtrancl (lambda v1 v2. next v1 = v2) root n --> data m ~= data n";
            Content = {x : Elem | "EX n. n ~= null & rtrancl (lambda v1 v2. next v1 = v2) root n & data n = x"}; }"#,
        faults: &[
            ("n.next = root;", "", "Bag.add", 2),
            ("root = current.next;", "root = null;", "Bag.remove", 2),
            ("if (!contains(b))", "if (contains(b))", "Bag.addBoth", 1),
            ("n.data = e;", "", "Bag.add", 1),
        ],
    },
    Module {
        name: "Bohne search tree",
        code: Ok("tree"),
        abstraction: r#"abst module Tree { use plugin "Bohne";
            invariant "ALL x. x ~= null & rtrancl (lambda a b. left a = b | right a = b) root x
                --> ~(EX y. (left x = y | right x = y) & y ~= null & rtrancl (lambda a b. left a = b | right a = b) y x)";
            invariant "ALL x. x ~= null & rtrancl (lambda a b. left a = b | right a = b) root x
                --> left x = null | left x ~= right x";
            invariant "ALL x y. x ~= null & y ~= null & x ~= y & rtrancl (lambda a b. left a = b | right a = b) root x
                & rtrancl (lambda a b. left a = b | right a = b) root y
                --> (left x = null | (left x ~= left y & left x ~= right y)) & (right x = null | right x ~= right y)";
            invariant "ALL x y. x ~= null & y ~= null & rtrancl (lambda a b. left a = b | right a = b) root x & left x ~= null
                & rtrancl (lambda a b. left a = b | right a = b) (left x) y --> key y < key x";
            invariant "ALL x y. x ~= null & y ~= null & rtrancl (lambda a b. left a = b | right a = b) root x & right x ~= null
                & rtrancl (lambda a b. left a = b | right a = b) (right x) y --> key x <= key y";
            Content = {x : Node | "x ~= null & rtrancl (lambda a b. left a = b | right a = b) root x"}; }"#,
        faults: &[
            ("n.left = null;\n", "\n", "Tree.insert", 1),
            ("key < parent.key", "key > parent.key", "Tree.insert", 2),
            ("n.key < top.key", "n.key <= top.key", "Tree.contains", 2),
            ("root = root.right;", "root = null;", "Tree.removeMin", 2),
        ],
    },
    Module {
        name: "Bohne iterator",
        code: Ok("sequence"),
        abstraction: r#"abst module Sequence { use plugin "Bohne";
            invariant "ALL x. rtrancl (lambda v1 v2. next v1 = v2) first x --> rtrancl (lambda v1 v2. next v1 = v2) x null";
            invariant "current ~= null --> rtrancl (lambda v1 v2. next v1 = v2) first current";
            Content = {x : Entry | "x ~= null & rtrancl (lambda v1 v2. next v1 = v2) first x"};
            Current = {x : Entry | "x ~= null & x = current"}; }"#,
        faults: &[
            ("if (current == e) { current = null; }", "", "Sequence.remove", 1),
            ("p.next = e.next;", "p.next = null;", "Sequence.remove", 3),
            ("e.next = first; first = e;", "first = e;", "Sequence.addFirst", 1),
            ("last.next = e;", "", "Sequence.addLast", 2),
        ],
    },
    Module {
        name: "vcgen array with room",
        code: Ok("arrayset"),
        abstraction: r#"abst module ArraySet { use plugin "vcgen";
            invariant "0 <= size & (size = 0 | (d ~= null & size <= arraySize d))";
            invariant "\<forall> i. 0 \<le> i \<and> i < size \<longrightarrow> d[i] \<noteq> null";
            invariant "ALL i j. 0 <= i & i < j & j < size --> d[i] ~= d[j]";
            Content = {x : Cell | "exists j. 0 <= j & j < size & x : d[j]"}; }"#,
        faults: &[
            ("if (size == d.length)", "if (size > d.length)", "ArraySet.add", 1),
            ("d[i] = d[size];", "", "ArraySet.remove", 2),
            ("while (i < size) {\n            if", "while (i <= size) {\n            if", "ArraySet.contains", 1),
            ("d = null;\n        size = 0;", "d = null;", "ArraySet.clear", 1),
        ],
    },
    Module {
        name: "vcgen stack",
        code: Err(STACK),
        abstraction: r#"abst module Stack { use plugin "vcgen";
            invariant "0 <= top & (top = 0 | (d ~= null & top <= arraySize d)) & (d ~= null --> 0 < arraySize d)";
            invariant "ALL i. 0 <= i & i < top --> d[i] ~= null";
            invariant "ALL i j. 0 <= i & i < j & j < top --> d[i] ~= d[j]";
            Content = {x : Cell | "exists j. 0 <= j & j < top & x : d[j]"}; }"#,
        faults: &[
            ("top = top + 1;", "", "Stack.push", 1),
            ("top = top - 1;\n", "\n", "Stack.pop", 1),
            ("(i < top) { more", "(i < top - 1) { more", "Stack.push", 2),
            ("return top == 0;", "return d == null;", "Stack.isEmpty", 1),
        ],
    },
    Module {
        name: "vcgen table",
        code: Err(SLOTS),
        abstraction: r#"abst module Slots { use plugin "vcgen";
            invariant "t ~= null --> 0 < arraySize t";
            Content = {x : Cell | "\<exists> j. 0 \<le> j \<and> j < arraySize t \<and> x : t[j]"}; }"#,
        faults: &[
            ("if (i < 0) { i = i + t.length; }", "", "Slots.put", 1),
            ("t[i] = c;", "", "Slots.put", 1),
            ("while (i < t.length) { t[i] = null; i = i + 1; }", "t[i] = null;", "Slots.clear", 2),
            ("t = new Cell[2];", "t = new Cell[0];", "Slots.put", 1),
        ],
    },
    Module {
        name: "vcgen objects that know their place",
        code: Err(POOL),
        abstraction: r#"abst module Pool { use plugin "vcgen";
            Content = {x : Obj | "exists i. 0 <= i & i < n & x : d[i]"};
            invariant "0 <= n & (d = null --> n = 0) & (d ~= null --> n <= arraySize d & 1 <= arraySize d)";
            invariant "forall i. 0 <= i & i < n --> d[i] ~= null & at (d[i]) = i & used (d[i])";
            invariant "forall i. n <= i & i < arraySize d --> d[i] = null";
            invariant "forall x. x ~= null & used x --> 0 <= at x & at x < n & x : d[at x]"; }"#,
        faults: &[
            ("last.at = i;", "", "Pool.remove", 2),
            ("d[n] = null;", "", "Pool.remove", 1),
            ("int i = x.at;", "int i = 0;", "Pool.remove", 2),
            ("while (k < n)", "while (k + 1 < n)", "Pool.add", 2),
        ],
    },
    Module {
        name: "vcgen line with a fill pointer",
        code: Err(LINE),
        abstraction: r#"abst module Line { use plugin "vcgen";
            invariant "0 <= n & (n = 0 | (d ~= null & n <= arraySize d))";
            invariant "ALL i. 0 <= i & i < n --> d[i] ~= null";
            invariant "ALL i j. 0 <= i & i < j & j < n --> d[i] ~= d[j]";
            Content = {x : Cell | "exists j. 0 <= j & j < n & x : d[j]"}; }"#,
        faults: &[
            ("if (n == d.length) { return false; }", "", "Line.add", 1),
            ("d[i - 1] = d[i];", "", "Line.first", 2),
            ("n = n + 1;\n        return true;", "return true;", "Line.add", 1),
            (
                "int i = 0;\n        while (i < n) {\n            if",
                "int i = 1;\n        while (i < n) {\n            if",
                "Line.contains",
                1,
            ),
        ],
    },
];

impl Module {
    pub fn texts(&self) -> [String; 3] {
        let [code, spec] = match self.code {
            Ok(module) => {
                let [code, spec, _] = texts(module);
                [code, spec]
            }
            Err(texts) => texts.map(str::to_owned),
        };
        [code, spec, self.abstraction.to_owned()]
    }
}

#[test]
fn all_of_them_are_read() {
    for module in MODULES {
        let program = load(&module.texts());
        let sections = program.modules.iter().flat_map(|m| &m.plugins);
        assert!(sections.into_iter().all(|s| s.checker == Checker::Bounded), "{}", module.name);
    }
}

#[test]
fn right_modules_are_verified() {
    let mut wrong = String::new();
    for module in MODULES {
        let subject = Subject::new(&module.texts());
        for n in 1..=3 {
            for (operation, name) in subject.operations() {
                let answer = subject.ask(operation, n).0;
                // With one object there may be nothing to check yet.
                let is_right = matches!(answer, Answer::Verified) || n == 1 && matches!(answer, Answer::NoState);
                if !is_right {
                    wrong += &format!("{} at {n}, {name}: {answer:?}\n", module.name);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn faults_are_found_with_the_smallest_bound() {
    let mut wrong = String::new();
    for module in MODULES {
        for (text, instead, operation, smallest) in module.faults {
            let mut done = false;
            let faulty = module.texts().map(|whole| {
                let here = !done && whole.contains(text);
                done |= here;
                if here { whole.replacen(text, instead, 1) } else { whole }
            });
            assert!(done, "{}: {text:?} is not there", module.name);
            let subject = Subject::new(&faulty);
            let found = subject.operations().find(|(_, name)| name == operation);
            let (number, _) = found.unwrap_or_else(|| panic!("there is no {operation}"));
            let refuted = (1..=3).find(|n| matches!(subject.ask(number, *n).0, Answer::Refuted(_)));
            if refuted != Some(*smallest) {
                wrong +=
                    &format!("{} with {instead:?} for {text:?}: {operation} refuted at {refuted:?}\n", module.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// `=` between formulas is "if and only if"; terms in parentheses stay terms.
#[test]
fn equal_formulas() {
    let subject = |code: &str, said: &str| {
        Subject::new(&[
            format!("impl module L {{ format N {{ next : N; on : bool; }} proc link(n : N; m : N) {{ {code} }} }}"),
            "spec module L { format N; proc link(n : N; m : N) requires card(n) = 1 ensures true; }".to_owned(),
            format!("abst module L {{ use plugin \"Bohne\"; invariant \"ALL x. x ~= null --> {said}\"; }}"),
        ])
    };
    let answer = |code: &str, said: &str| {
        let subject = subject(code, said);
        let (link, _) = subject.operations().find(|(_, name)| name == "L.link").expect("an operation");
        subject.ask(link, 2).0
    };
    for said in [
        "(on x) = (next x ~= null)",
        "on x = (next x ~= null)",
        "(next x ~= null) = on x",
        "(~ on x) ~= (next x ~= null)",
        "(((next x)) = (null)) = (~(on x)) & (next x) = (next x)",
    ] {
        for right in ["n.next = m; n.on = m != null;", "n.next = null; n.on = false;"] {
            assert!(matches!(answer(right, said), Answer::Verified), "{said}: {right}");
        }
        for wrong in ["n.next = m;", "n.on = !n.on;", "n.next = m; n.on = true;"] {
            assert!(matches!(answer(wrong, said), Answer::Refuted(_)), "{said}: {wrong}");
        }
    }
}

/// Fields of ints are total as well: what is so of every int is so at null.
#[test]
fn ints_of_null() {
    let answer = |said: &str| {
        let subject = Subject::new(&[
            format!(
                "impl module L {{ format N {{ next : N; key : int; }} reference root : N; proc look(n : N) {{ assert \"{said}\"; }} }}"
            ),
            "spec module L { format N; proc look(n : N) ensures true; }".to_owned(),
            "abst module L { use plugin \"Bohne\"; invariant \"root = root\"; }".to_owned(),
        ]);
        let (look, _) = subject.operations().find(|(_, name)| name == "L.look").expect("an operation");
        subject.ask(look, 2).0
    };
    for right in [
        "ALL x y. x = y --> key x = key y",
        "ALL x. key x <= key x",
        "key null = key null",
        "ALL x. ~(key x < 3) --> 3 <= key x",
        "key n < 2 | key n = 2 | key n > 2",
        "n = root --> key (next n) = key (next root)",
        "ALL x. key x + key n = key n + key x",
    ] {
        assert!(matches!(answer(right), Answer::Verified), "{right}");
    }
    for wrong in [
        "ALL x y. key x = key y --> x = y",
        "ALL x. key x < key x",
        "key n ~= key null",
        "ALL x. key x < 1 | 1 < key x",
        "key (next n) = key n",
    ] {
        assert!(matches!(answer(wrong), Answer::Refuted(_)), "{wrong}");
    }
}

/// The length of null is 0, as a number of null is: a counter may be within an array that nobody made yet.
#[test]
fn the_length_of_null() {
    let start = |invariant: &str| {
        let subject = Subject::new(&[
            "impl module A { format N { } var d : N[]; var k : int; proc init() { d = new N[2]; k = 2; } }".to_owned(),
            "spec module A { format N; proc init() ensures true; }".to_owned(),
            format!("abst module A {{ use plugin \"vcgen\"; invariant \"{invariant}\"; }}"),
        ]);
        let answers = subject.operations().map(|(op, _)| subject.ask(op, 2).0).collect::<Vec<_>>();
        answers.iter().all(|a| matches!(a, Answer::Verified))
    };
    for (invariant, holds) in [
        ("0 <= k & k <= arraySize d", true),
        ("k = arraySize d", true),
        ("d = null --> arraySize d = 0", true),
        ("ALL i. 0 <= i & i < arraySize d --> d[i] = null", true),
        ("k < arraySize d", false),
        ("arraySize d = 2", false),
    ] {
        assert_eq!(start(invariant), holds, "{invariant}");
    }
}
