//! Modules that are right, and faults in them: each is found with the smallest bound that can show it.

use super::engine::{Answer, Subject, texts};
use verdict::heap::Kind;

/// By module: the states run with bound 1, 2, …, all operations together.
const RIGHT: &[(&str, &[u64])] = &[
    ("list", &[10, 14, 18, 22]),
    ("dlist", &[7, 13, 20]),
    ("arrayset", &[9, 15, 22]),
    ("tree", &[7, 14, 29]),
    ("hashtable", &[11, 30, 68]),
    ("bag", &[12, 23, 38]),
];

#[test]
fn right_modules_are_verified() {
    let mut wrong = String::new();
    for (module, states) in RIGHT {
        let subject = Subject::new(&texts(module));
        for (n, expected) in (1..).zip(*states) {
            let mut run = 0;
            for (operation, name) in subject.operations() {
                let (answer, states) = subject.ask(operation, n);
                run += states;
                if !matches!(answer, Answer::Verified) {
                    wrong += &format!("{module} at {n}, {name}: {answer:?}\n");
                }
            }
            if run != *expected {
                wrong += &format!("{module} at {n}: {run} states, not {expected}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Some text of a module, what stands there instead, the operation that goes wrong, how, and with which bound at least.
pub struct Fault {
    pub module: &'static str,
    pub text: &'static str,
    pub instead: &'static str,
    pub operation: &'static str,
    pub kind: Kind,
    pub smallest: i64,
}

const fn fault(
    module: &'static str,
    (text, instead): (&'static str, &'static str),
    operation: &'static str,
    kind: Kind,
    smallest: i64,
) -> Fault {
    Fault { module, text, instead, operation, kind, smallest }
}

pub const FAULTS: &[Fault] = &[
    fault("list", ("e.next = root;", ""), "List.add", Kind::Postcondition, 2),
    fault("list", ("previous.next = e.next;", "previous.next = null;"), "List.remove", Kind::Postcondition, 3),
    fault("list", ("Entry current = root;", "Entry current = root.next;"), "List.contains", Kind::Exception, 1),
    fault("list", ("return root == null;", "return root != null;"), "List.isEmpty", Kind::Postcondition, 1),
    fault("list", ("root = root.next;\n        first", "first"), "List.removeFirst", Kind::Postcondition, 1),
    fault("list", ("return false;", "root = null; return false;"), "List.contains", Kind::Postcondition, 2),
    fault("list", ("(card(e) = 1) & (not (e in Content))", "card(e) = 1"), "List.add", Kind::Invariant, 1),
    fault("list", ("(card(e) = 1) & (e in Content)", "e in Content"), "List.remove", Kind::Exception, 1),
    fault(
        "list",
        ("\"root<next*>x\"", "\"root<next*>x | (root != null & x.next = null)\""),
        "a new Entry",
        Kind::Postcondition,
        1,
    ),
    fault(
        "list",
        ("forall x : Entry. not", "root != null & forall x : Entry. not"),
        "the start of List",
        Kind::Invariant,
        1,
    ),
    fault("list", ("while (previous.next != e)", "while (previous != e)"), "List.remove", Kind::Postcondition, 2),
    fault("list", ("            current = current.next;\n", ""), "List.contains", Kind::Divergence, 2),
    fault("dlist", ("first.prev = n;", ""), "DList.addFirst", Kind::Invariant, 2),
    fault("dlist", ("last = n.prev;", ""), "DList.remove", Kind::Invariant, 1),
    fault(
        "dlist",
        ("n.next = null;\n        n.prev = last;", "n.prev = last;"),
        "DList.addLast",
        Kind::Postcondition,
        2,
    ),
    fault("dlist", ("current = current.prev;", "current = current.next;"), "DList.contains", Kind::Postcondition, 2),
    fault("arrayset", ("if (size == d.length)", "if (size > d.length)"), "ArraySet.add", Kind::Exception, 1),
    fault("arrayset", ("d[i] = d[size];", ""), "ArraySet.remove", Kind::Postcondition, 2),
    fault(
        "arrayset",
        ("while (i < size) {\n                bigger", "while (i < size - 1) {\n                bigger"),
        "ArraySet.add",
        Kind::Postcondition,
        2,
    ),
    fault(
        "arrayset",
        ("while (i < size) {\n            if", "while (i <= size) {\n            if"),
        "ArraySet.contains",
        Kind::Exception,
        1,
    ),
    fault("arrayset", ("d = null;\n        size = 0;", "d = null;"), "ArraySet.clear", Kind::Invariant, 1),
    fault("tree", ("n.left = null;\n", "\n"), "Tree.insert", Kind::Invariant, 1),
    fault("tree", ("key < parent.key", "key > parent.key"), "Tree.insert", Kind::Invariant, 2),
    fault("tree", ("parent.left = least.right;", "parent.left = null;"), "Tree.removeMin", Kind::Postcondition, 3),
    fault("tree", ("n.key < top.key", "n.key <= top.key"), "Tree.contains", Kind::Postcondition, 2),
    fault(
        "tree",
        (
            "private proc search(top : Node; n : Node) returns found : bool\n        requires card(n) = 1",
            "private proc search(top : Node; n : Node) returns found : bool\n        requires (card(n) = 1) & (card(top) = 1)",
        ),
        "Tree.contains",
        Kind::Assertion,
        1,
    ),
    fault(
        "tree",
        ("requires card(n) = 1\n        ensures true", "requires card(n) = 1\n        ensures found'"),
        "Tree.contains",
        Kind::Postcondition,
        1,
    ),
    fault("hashtable", ("if (b < 0)", "if (b < -1)"), "HashTable.add", Kind::Exception, 1),
    fault("hashtable", ("e.bucket = b;", ""), "HashTable.add", Kind::Invariant, 1),
    fault("hashtable", ("table[b] = e.next;", "table[b] = null;"), "HashTable.remove", Kind::Postcondition, 2),
    fault(
        "hashtable",
        ("table = null;\n    }\n}", "table = new Entry[0];\n    }\n}"),
        "HashTable.clear",
        Kind::Invariant,
        1,
    ),
    fault("bag", ("n.next = root;", ""), "Bag.add", Kind::Postcondition, 2),
    fault("bag", ("root = current.next;", "root = null;"), "Bag.remove", Kind::Postcondition, 2),
    fault("bag", ("if (!contains(b))", "if (contains(b))"), "Bag.addBoth", Kind::Assertion, 1),
];

/// The texts with the fault in them.
pub fn with_fault(fault: &Fault) -> [String; 3] {
    let right = texts(fault.module);
    let count: usize = right.iter().map(|text| text.matches(fault.text).count()).sum();
    assert!(count >= 1, "{}: {:?} is not there", fault.module, fault.text);
    let mut done = false;
    right.map(|text| {
        let here = !done && text.contains(fault.text);
        done |= here;
        if here { text.replacen(fault.text, fault.instead, 1) } else { text }
    })
}

#[test]
fn faults_are_found_with_the_smallest_bound() {
    let mut wrong = String::new();
    for fault in FAULTS {
        let subject = Subject::new(&with_fault(fault));
        let what = format!("{} with {:?}", fault.module, fault.instead);
        let operation = subject.operations().find(|(_, name)| name == fault.operation);
        let (operation, name) = operation.unwrap_or_else(|| panic!("there is no {}", fault.operation));
        for n in 1..=fault.smallest {
            match subject.ask(operation, n).0 {
                // Nothing to check yet, or nothing wrong.
                Answer::Verified | Answer::NoState if n < fault.smallest => {}
                Answer::Refuted(found) if n == fault.smallest => {
                    let first = &found.violations[0];
                    if first.kind != fault.kind {
                        wrong += &format!("{what}, {name} at {n}: {:?}, {}\n", first.kind, first.problem.message);
                    }
                }
                answer => wrong += &format!("{what}, {name} at {n}: {answer:?}\n"),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
