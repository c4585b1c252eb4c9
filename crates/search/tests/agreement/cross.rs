//! The glass box, the loop of Figure 5.8 and the exhaustive engine on every example and every seeded bug.

use crate::engines::{Answer, Engine, Subject, examples, load, load_all};
use ir::interp::Linked;
use ir::leaving::Cause;
use search::Observed;
use std::path::Path;
use verdict::heap::Kind;

/// Enough for any run that ends.
const STEPS: u64 = 20_000;

/// The first line of a seeded bug: what is wrong, where it shows, and how.
struct Header {
    size: i64,
    operation: String,
    kinds: Vec<String>,
}

fn header(text: &str) -> Option<Header> {
    let line = text.lines().next()?.strip_prefix("// Bug:")?;
    let after = |key: &str| Some(line.split_once(key)?.1.split(". ").next()?.trim_end_matches('.').trim().to_string());
    Some(Header {
        size: after("Smallest size:")?.parse().ok()?,
        operation: after("Operation:")?,
        kinds: after("Kind:")?.split(" or ").map(str::to_string).collect(),
    })
}

/// The greatest size at which all engines end soon.
fn small(path: &Path) -> i64 {
    let name = path.display().to_string();
    let many_states = ["map-tree", "hash-map", "map-hash", "set-hash", "queue", "union-find", "stack"];
    if many_states.iter().any(|s| name.contains(&format!("/{s}/"))) { 2 } else { 3 }
}

fn is_of_kind(answer: &Answer, header: &Header) -> bool {
    match answer {
        Answer::Violated(kinds) => kinds.iter().any(|k| header.kinds.iter().any(|h| h == k.name())),
        Answer::Endless => header.kinds.iter().any(|h| h == Kind::Divergence.name()),
        _ => false,
    }
}

#[test]
fn engines_agree_on_examples_and_seeded_bugs() {
    let mut disagreements = Vec::new();
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let bug = header(&text);
        let loaded = load(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let linked = Linked::new(&loaded.program);
        // A fault is looked at up to where it shows.
        let largest = bug.as_ref().map_or(small(&path), |h| small(&path).min(h.size.max(2)));
        for size in 1..=largest {
            let subject = Subject { steps: STEPS, ..Subject::new(&linked, size) };
            for checked in &loaded.checked {
                for operation in &checked.operations {
                    let (answers, seen): (Vec<Answer>, Vec<Observed>) =
                        Engine::ALL.iter().map(|&engine| subject.observe(engine, checked, operation)).unzip();
                    if answers.iter().all(|a| *a == Answer::Verified) {
                        let causes = |o: &Observed| o.left.keys().copied().collect::<Vec<_>>();
                        if seen.iter().any(|s| s.reached != seen[0].reached || causes(s) != causes(&seen[0])) {
                            let what = format!("{} size {size} {}: {seen:?}", path.display(), operation.name);
                            disagreements.push(what);
                        }
                        // An example that is sound leaves nothing out but what its bounds say.
                        let is_hole = |c: &Cause| loaded.program.field(c.field).bound.range.is_none();
                        if bug.is_none() && seen[0].left.keys().any(is_hole) {
                            disagreements.push(format!("{} size {size} {}: leaves", path.display(), operation.name));
                        }
                    }
                    let agree = answers.iter().all(|a| a.agrees(&answers[0]));
                    let expected = match &bug {
                        Some(h) if size >= h.size && operation.name.starts_with(&h.operation) => {
                            answers.iter().any(|a| is_of_kind(a, h))
                        }
                        Some(h) if size >= h.size => true,
                        _ => matches!(answers[0], Answer::Verified | Answer::AllDropped),
                    };
                    if !agree || !expected {
                        let what = format!("{} size {size} {}: {answers:?}", path.display(), operation.name);
                        disagreements.push(what);
                    }
                }
            }
        }
    }
    assert!(disagreements.is_empty(), "{disagreements:#?}");
}

/// Pairs and triples of them, at the smallest size.
#[test]
fn engines_agree_on_abstractions_by_themselves() {
    let mut checks = 0;
    for path in examples().into_iter().filter(|p| !p.components().any(|c| c.as_os_str() == "bugs")) {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let loaded = load_all(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let linked = Linked::new(&loaded.program);
        let subject = Subject { steps: STEPS, ..Subject::new(&linked, 1) };
        let is_made = |c: &&ir::Checked| loaded.modules.iter().any(|m| m.made.contains(&c.class));
        for checked in loaded.checked.iter().filter(is_made) {
            for operation in &checked.operations {
                let answers = Engine::ALL.map(|engine| subject.ask(engine, checked, operation));
                assert!(
                    answers.iter().all(|a| *a == Answer::Verified),
                    "{} {}: {answers:?}",
                    path.display(),
                    operation.name
                );
                checks += 1;
            }
        }
    }
    assert!(checks >= 10, "{checks}");
}

/// Those that show at sizes where not all engines end soon; the others are above.
#[test]
fn seeded_bugs_show_at_their_smallest_size() {
    let mut wrong = Vec::new();
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let Some(header) = header(&text).filter(|h| h.size > small(&path)) else { continue };
        let loaded = load(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let linked = Linked::new(&loaded.program);
        let checked = &loaded.checked[0];
        for size in small(&path) + 1..=header.size {
            // Large sizes take their time: only the one where it shows, and of others the one before.
            if size < header.size && (size > 8 || size + 1 < header.size) {
                continue;
            }
            let subject = Subject { steps: STEPS, seconds: 120, ..Subject::new(&linked, size) };
            for operation in checked.operations.iter().filter(|o| o.name.starts_with(&header.operation)) {
                let answer = subject.ask(Engine::GlassBox, checked, operation);
                let is_right = match &answer {
                    Answer::Verified | Answer::AllDropped => size < header.size,
                    // A fault may show in other ways too, but not earlier.
                    Answer::Violated(_) | Answer::Endless => size == header.size,
                    _ => false,
                };
                if !is_right {
                    wrong.push(format!("{} size {size} {}: {answer:?}", path.display(), operation.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The outcome, its counterexample and all counts: work included.
#[test]
fn checks_beside_the_search_change_nothing() {
    let mut different = Vec::new();
    for path in examples().into_iter().step_by(3) {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let loaded = load(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let linked = Linked::new(&loaded.program);
        for checked in &loaded.checked {
            for operation in &checked.operations {
                let run = |beside| {
                    let subject = Subject { steps: STEPS, beside, ..Subject::new(&linked, 2) };
                    format!("{:?}", subject.search(Engine::GlassBox, checked, operation))
                };
                let (alone, beside) = (run(0), run(1));
                if alone != beside {
                    different.push(format!("{} {}\n{alone}\n{beside}", path.display(), operation.name));
                }
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
