//! Classes whose invariants go in circles: rings, open addressing, chained maps, union-find, lists in arrays. Each has a seeded bug.
//! The engines agree on both, and on what they are: no number of iterations is a reason to refuse.

use crate::engines::{Answer, Engine, Subject, load};
use ir::interp::Linked;
use std::path::Path;

/// A class, the fault that is planted in it, the operation that shows it.
const CLASSES: &[(&str, (&str, &str), &str)] = &[
    ("ChainMap", ("for (Node e = table[b]; e != null; e = e.next) if (e.key == key) return;", ""), "put"),
    ("Cursor", ("next[i] = used; used = i;", "used = i;"), "alloc"),
    ("Josephus", ("if (i == at) return; ", ""), "kill"),
    ("Lru", ("e.prev.next = head; ", ""), "removeLast"),
    ("OpenSet", ("if (size == keys.length - 1) return false;", ""), "add"),
    ("RingBuffer", ("count--;", "if (head != tail) count--;"), "take"),
    ("RingList", ("if (start.next == start) start = null; else ", ""), "remove"),
    ("UnionFind", ("if (ra != rb) parent[ra] = rb;", "parent[rb] = a;"), "union"),
    ("UnionRec", ("p[ra] = rb;", "p[rb] = a;"), "union"),
];

fn check(text: &str, sizes: std::ops::RangeInclusive<i64>, is_bad: impl Fn(&str) -> bool) {
    let loaded = load(text).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let linked = Linked::new(&loaded.program);
    for size in sizes {
        let subject = Subject { seconds: 60, ..Subject::new(&linked, size) };
        let checked = &loaded.checked[0];
        for operation in &checked.operations {
            for engine in [Engine::GlassBox, Engine::Exhaustive] {
                let answer = subject.ask(engine, checked, operation);
                let is_right = match is_bad(&operation.name) {
                    true => matches!(answer, Answer::Violated(_)),
                    false => answer == Answer::Verified,
                };
                assert!(is_right, "{text}\n{} at {size} by {engine:?}: {answer:?}", operation.name);
            }
        }
    }
}

#[test]
fn invariants_that_go_in_circles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/circles");
    assert_eq!(std::fs::read_dir(&folder).expect("the classes").count(), CLASSES.len());
    for (name, (from, to), operation) in CLASSES {
        let text = std::fs::read_to_string(folder.join(format!("{name}.java"))).expect("a class");
        let faulty = text.replace(from, to);
        assert_ne!(text, faulty, "{name}: nothing is planted");
        check(&text, 2..=2, |_| false);
        let shows = |name: &str| name.split('(').next() == Some(operation);
        check(&faulty, 2..=2, shows);
        if !matches!(*name, "ChainMap" | "Cursor") {
            check(&text, 3..=3, |_| false);
        }
    }
}
