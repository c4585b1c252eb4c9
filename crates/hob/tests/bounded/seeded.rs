//! Modules that are right, and faults in them.

use crate::engine::{Answer, Subject, texts};
use std::time::Instant;

/// By module: the greatest bound, and the states run with each bound, all operations together.
const RIGHT: &[(&str, &[u64])] = &[
    ("list", &[0, 0, 0, 0]),
    ("dlist", &[0, 0, 0]),
    ("arrayset", &[0, 0, 0]),
    ("tree", &[0, 0, 0]),
    ("hashtable", &[0, 0, 0]),
];

#[test]
fn right_modules_are_verified() {
    let mut wrong = String::new();
    for (module, states) in RIGHT {
        let subject = Subject::new(&texts(module));
        for (n, expected) in (1..).zip(*states) {
            let (mut run, start) = (0, Instant::now());
            for (operation, name) in subject.operations() {
                let (answer, states) = subject.ask(operation, n);
                run += states;
                if !matches!(answer, Answer::Verified) {
                    wrong += &format!("{module} at {n}, {name}: {answer:?}\n");
                }
            }
            println!("{module} at {n}: {run} states, {:?}", start.elapsed());
            if run != *expected {
                wrong += &format!("{module} at {n}: {run} states, not {expected}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
