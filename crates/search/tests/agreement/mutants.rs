//! A few hundred mutants of the examples: most are wrong somewhere, and the engines agree where.

use crate::engines::{Answer, Engine, Subject, examples, load};
use crate::mutate::{chosen, mutants};
use ir::interp::Linked;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const PER_EXAMPLE: usize = 8;
/// Enough for any run at these sizes that ends.
const STEPS: u64 = 2_000;

/// A run that does not end stops an engine wherever it is met; another violation may be met first.
pub fn agree(answers: &[Answer]) -> bool {
    let is_broken = |a: &Answer| matches!(a, Answer::Violated(_) | Answer::Endless | Answer::Unsupported(_));
    if answers.iter().any(|a| matches!(a, Answer::Endless | Answer::Unsupported(_))) {
        return answers.iter().all(is_broken);
    }
    answers.iter().all(|a| a.agrees(&answers[0]) && !matches!(a, Answer::Other(_)))
}

/// Whether any operation is broken, and how the engines disagree, if they do.
fn compare(text: &str, sizes: std::ops::RangeInclusive<i64>) -> Option<(bool, Vec<String>)> {
    let loaded = load(text).ok()?;
    let linked = Linked::new(&loaded.program);
    let mut is_killed = false;
    let mut disagreements = Vec::new();
    for size in sizes {
        let subject = Subject { steps: STEPS, ..Subject::new(&linked, size) };
        for checked in &loaded.checked {
            for operation in &checked.operations {
                let answers: Vec<Answer> = Engine::ALL.map(|engine| subject.ask(engine, checked, operation)).to_vec();
                is_killed |= answers.iter().any(|a| !matches!(a, Answer::Verified));
                if !agree(&answers) {
                    disagreements.push(format!("size {size} {}: {answers:?}", operation.name));
                }
            }
        }
    }
    Some((is_killed, disagreements))
}

#[test]
fn engines_agree_on_mutants() {
    let mut work = Vec::new();
    for path in examples().into_iter().filter(|p| !p.components().any(|c| c.as_os_str() == "bugs")) {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let is_tree_map = path.ends_with("TreeMap.java");
        let mut taken = 0;
        for (i, mutant) in chosen(mutants(&text), 7).into_iter().enumerate() {
            let mutated = mutant.apply(&text);
            if taken < PER_EXAMPLE && load(&mutated).is_ok() {
                let largest = 2 + i64::from(is_tree_map && i % 4 == 0);
                work.push((path.clone(), mutant.describe(&text), mutated, largest));
                taken += 1;
            }
        }
    }
    let (next, killed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((path, description, text, largest)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some((is_killed, disagreements)) = compare(text, 1..=*largest) else { continue };
                    killed.fetch_add(usize::from(is_killed), Ordering::Relaxed);
                    if !disagreements.is_empty() {
                        let failure = format!("{}\n{description}\n{}", path.display(), disagreements.join("\n"));
                        failures.lock().expect("no panic").push(failure);
                    }
                }
            });
        }
    });
    let (count, killed) = (work.len(), killed.into_inner());
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{} of {count} mutants:\n{}", failures.len(), failures.join("\n\n"));
    assert!(count >= 80 && killed * 2 > count, "{killed} of {count}");
}
