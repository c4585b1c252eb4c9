//! Modules that are right, and faults in them.

use crate::engine::{Answer, Subject, texts};
use std::time::Instant;

#[test]
fn right_modules_are_verified() {
    let modules = [("list", 4), ("dlist", 3), ("arrayset", 3), ("tree", 3), ("hashtable", 3)];
    let mut wrong = String::new();
    for (module, most) in modules {
        let subject = Subject::new(&texts(module));
        for n in 1..=most {
            for (operation, name) in subject.operations() {
                let start = Instant::now();
                let (answer, states) = subject.ask(operation, n);
                println!("{module} {n} {name}: {states} states, {:?}", start.elapsed());
                if !matches!(answer, Answer::Verified) {
                    wrong += &format!("{module} at {n}, {name}: {answer:?}\n");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
