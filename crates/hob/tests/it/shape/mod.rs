//! Proofs for all heaps (docs/hob.md, "Proofs for all heaps"): what is proved of the modules in the languages of shapes, and that nothing
//! is proved that `bounded` refutes, of seeded faults and of small changes made by the dozen.

mod layouts;
mod modules;

use crate::bounded::engine::{Answer as Bounded, Subject, loads};
use crate::bounded::languages::{MODULES, Module};
use crate::bounded::mutants::mutants;
use crate::programs::has_mona;
use hob::bounded::Subject as About;
use hob::program::ExprKind;
use hob::shape::{Answer, Ground, Options};
use modules::SHAPES;
use std::path::PathBuf;
use std::time::Duration;
use work::Stop;

/// What is left to `bounded`, and why.
const OPEN: &[(&str, &str)] = &[
    ("Bohne search tree: a new Node", "that a new object changes no set is not shown"),
    ("Bohne search tree: Tree.insert", "that this loop ends is not shown"),
    ("Bohne search tree: Tree.contains", "that `search` ends is not shown"),
    ("Bohne search tree: Tree.removeMin", "that this holds at the end is not shown"),
    (
        "Bohne iterator: Sequence.reverse",
        "that the invariant holds after a round of the loop, whose rounds change the heap, is not shown",
    ),
];

fn shapes() -> impl Iterator<Item = &'static Module> {
    MODULES.iter().filter(|m| !m.name.starts_with("vcgen"))
}

/// What the proofs of a module begin with, once for all of them.
fn ground(subject: &Subject) -> Ground<'_> {
    Ground::new(&subject.program, subject.task.module, &within(Duration::from_secs(60)))
}

fn ask(ground: &Ground, subject: &Subject, operation: usize) -> Answer {
    ground.prove(subject.task.subjects[operation], &within(Duration::from_secs(60)))
}

/// Of a faulty procedure, which users never see a proof of (`bounded` answers first): MONA takes up to 7 s to say that a claim about trees is
/// false, and 2 to prove the right one.
fn is_proved_soon(subject: &Subject, operation: usize) -> bool {
    let soon = within(Duration::from_secs(2));
    let ground = Ground::new(&subject.program, subject.task.module, &soon);
    matches!(ground.prove(subject.task.subjects[operation], &soon), Answer::Proved)
}

fn within(most: Duration) -> Options {
    Options { mona: PathBuf::from("mona"), most, stop: Stop::default() }
}

#[test]
fn modules_are_proved_for_all_heaps() {
    if !has_mona() {
        return;
    }
    let (mut wrong, mut proved) = (String::new(), 0);
    for module in shapes() {
        let subject = Subject::new(&module.texts());
        let ground = ground(&subject);
        for (operation, name) in subject.operations() {
            let name = format!("{}: {name}", module.name);
            let expected = OPEN.iter().find(|(open, _)| *open == name).map(|(_, why)| *why);
            match (ask(&ground, &subject, operation), expected) {
                (Answer::Proved, None) => proved += 1,
                (Answer::Open(_, why), Some(expected)) if why == expected => {}
                (answer, _) => wrong += &format!("{name}: {answer:?}\n"),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(proved >= 45, "{proved}");
}

#[test]
fn faults_are_not_proved() {
    if !has_mona() {
        return;
    }
    let mut wrong = String::new();
    for module in shapes() {
        // Every second one: what MONA does not prove takes it long.
        for (text, instead, operation, _) in module.faults.iter().step_by(2) {
            let mut done = false;
            let faulty = module.texts().map(|whole| {
                let here = !done && whole.contains(text);
                done |= here;
                if here { whole.replacen(text, instead, 1) } else { whole }
            });
            let subject = Subject::new(&faulty);
            let (number, _) = subject.operations().find(|(_, name)| name == operation).expect("an operation");
            if is_proved_soon(&subject, number) {
                wrong += &format!("{} with {instead:?} for {text:?}: {operation} is proved\n", module.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What is right is proved; what is not is refuted by `bounded`, and not proved.
#[test]
fn shapes_and_their_faults() {
    if !has_mona() {
        return;
    }
    let mut wrong = String::new();
    for shape in SHAPES {
        let right = Subject::new(&shape.texts.map(str::to_owned));
        let ground = ground(&right);
        for (operation, name) in right.operations() {
            if let Answer::Open(span, why) = ask(&ground, &right, operation) {
                wrong += &format!("{}: {name}: {why} ({span:?})\n", shape.name);
            }
            if !matches!(right.ask(operation, 3).0, Bounded::Verified) {
                wrong += &format!("{}: {name} is not verified up to 3\n", shape.name);
            }
        }
        for (number_of_fault, (text, instead, operation)) in shape.faults.iter().enumerate() {
            let count: usize = shape.texts.iter().map(|t| t.matches(text).count()).sum();
            assert!(count > 0, "{}: {text:?} is not there", shape.name);
            let faulty = Subject::new(&shape.texts.map(|whole| whole.replacen(text, instead, 1)));
            let (number, _) = faulty.operations().find(|(_, name)| name == operation).expect("an operation");
            // Every second one: what MONA does not prove takes it long.
            if number_of_fault % 2 == 0 && is_proved_soon(&faulty, number) {
                wrong += &format!("{} with {instead:?} for {text:?}: {operation} is proved\n", shape.name);
            }
            if !(1..=3).any(|n| matches!(faulty.ask(number, n).0, Bounded::Refuted(_))) {
                wrong += &format!("{} with {instead:?} for {text:?}: {operation} is not refuted\n", shape.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Sets of objects that lead here may be joined, and routes go backwards: over the backbone, whatever leads into it from outside.
#[test]
fn ways_to_say_who_the_parent_is() {
    if !has_mona() {
        return;
    }
    let shape = SHAPES.iter().find(|s| s.name == "a tree with parents").expect("a shape");
    let [code, specification, abstraction] = shape.texts;
    let (before, rest) = abstraction.split_once("N[").expect("a formula");
    let (_, after) = rest.split_once("];").expect("its end");
    for said in [
        "this^N.left + this^N.right = {up}",
        "this<^N.left + ^N.right>up | this = root & up = null",
        "this^N.left union this^N.right = {up} & empty(this^N.left inter this^N.right)",
        "this^N.left + this^N.right sub {up} & {up} minus this^N.left sub this^N.right",
    ] {
        let abstraction = format!("{before}N[{said}];{after}");
        let right = Subject::new(&[code.to_owned(), specification.to_owned(), abstraction.clone()]);
        let ground = ground(&right);
        for (operation, name) in right.operations() {
            assert!(matches!(ask(&ground, &right, operation), Answer::Proved), "{said}: {name}");
            assert!(matches!(right.ask(operation, 3).0, Bounded::Verified), "{said}: {name}");
        }
        let wrong = Subject::new(&[code.replacen("n.up = p;", "", 1), specification.to_owned(), abstraction]);
        let (hang, _) = wrong.operations().find(|(_, name)| name == "T.hang").expect("an operation");
        assert!((1..=3).any(|n| matches!(wrong.ask(hang, n).0, Bounded::Refuted(_))), "{said}");
    }
}

/// An invariant about objects outside of the structure, of which nothing is known: it is kept by what does not touch its fields.
#[test]
fn invariants_that_nothing_touches_are_kept() {
    if !has_mona() {
        return;
    }
    let subject = Subject::new(&[
        "impl module L { format N { next, other : N; } reference first, current : N;
            proc rewind() { current = first; }
            proc tie(n : N) { n.other = n; }
            proc make() { N n = new N(); n.other = n; }
        }"
        .to_string(),
        "spec module L { format N; specvar Left : N set;
            proc rewind() modifies Left ensures true;
            proc tie(n : N) requires card(n) = 1 ensures true;
            proc make() ensures true;
        }"
        .to_string(),
        r#"abst module L { use plugin "Bohne";
            invariant "ALL x. other x ~= null --> other (other x) = null";
            invariant "rtrancl (lambda a b. next a = b) first current";
            Left = {x : N | "x ~= null & rtrancl (lambda a b. next a = b) current x"}; }"#
            .to_string(),
    ]);
    let ground = ground(&subject);
    for (operation, name) in subject.operations() {
        let is_proved = matches!(ask(&ground, &subject, operation), Answer::Proved);
        match name.as_str() {
            "L.rewind" => assert!(is_proved),
            "L.tie" | "L.make" => {
                assert!(!is_proved, "{name}");
                assert!(matches!(subject.ask(operation, 2).0, Bounded::Refuted(_)), "{name}");
            }
            _ => {}
        }
    }
}

/// What invariants say of a field leaves some value for each object: so a list whose objects have one way back each has no cycle.
#[test]
fn a_sentinel_with_a_way_back() {
    if !has_mona() {
        return;
    }
    let removed = |fl: &str| {
        let subject = Subject::new(&[
            format!(
                "impl module L {{ format N {{ next, prev : N; }} reference head : N;
                    proc remove(n : N) {{ N p = n.prev; N q = n.next; {fl} }}
                    proc has(n : N) returns r : bool {{
                        N c = head; while (c != null) {{ if (c == n) {{ return true; }} c = c.next; }} return false; }} }}"
            ),
            "spec module L { format N; specvar S : N set;
                proc remove(n : N) requires (card(n) = 1) & (n in S) modifies S ensures (S' = S - n);
                proc has(n : N) returns r : bool requires card(n) = 1 ensures (n in S) => r'; }"
                .to_string(),
            r#"abst module L { use plugin "Bohne";
                invariant "ALL x y. x ~= null & y ~= null & prev x = y --> next y = x";
                invariant "ALL x y. x ~= null & y ~= null & next x = y --> prev y = x";
                invariant "head ~= null --> prev head = null";
                invariant "ALL x. x ~= null & ~(rtrancl (lambda a b. next a = b) head x) --> next x = null & prev x = null";
                S = {x : N | "x ~= null & x ~= head & rtrancl (lambda a b. next a = b) head x"}; }"#
                .to_string(),
        ]);
        let ground = ground(&subject);
        subject.operations().all(|(operation, _)| matches!(ask(&ground, &subject, operation), Answer::Proved))
    };
    assert!(removed("p.next = q; if (q != null) { q.prev = p; } n.next = null; n.prev = null;"));
    assert!(!removed("p.next = q; n.next = null; n.prev = null;"));
    assert!(!removed("p.next = q; if (q != null) { q.prev = p; } n.next = null;"));
}

/// The operations whose code differs, or calls code that does.
fn concerned(right: &Subject, mutant: &Subject) -> Vec<usize> {
    let differs = |proc: usize| {
        let shape = |s: &Subject| format!("{:?}", without_spans(&format!("{:?}", s.program.procs[proc].body)));
        shape(right) != shape(mutant)
    };
    let changed: Vec<usize> = (0..mutant.program.procs.len()).filter(|p| differs(*p)).collect();
    let calls = |proc: usize| {
        let mut found = changed.contains(&proc);
        hob::visit::exprs(mutant.program.procs[proc].body.as_deref().unwrap_or_default(), &mut |e| {
            if let ExprKind::Call(callee, _) = e.kind {
                found |= changed.contains(&callee.index());
            }
        });
        found
    };
    let is_concerned = |about: &About| matches!(about, About::Proc(proc) if calls(proc.index()));
    (0..mutant.task.subjects.len()).filter(|i| is_concerned(&mutant.task.subjects[*i])).collect()
}

/// A program as text, without where it stands.
fn without_spans(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split("Span {").enumerate() {
        out += if i == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) };
    }
    out
}

/// With `ALL_MUTANTS` in the environment all of all modules, otherwise every eleventh of those of `bounded::languages`.
#[test]
fn what_is_proved_of_mutants_is_not_refuted() {
    if !has_mona() {
        return;
    }
    let is_all = std::env::var_os("ALL_MUTANTS").is_some();
    let stride = if is_all { 1 } else { 11 };
    let (mut wrong, mut compared, mut proved, mut refuted) = (String::new(), 0, 0, 0);
    let modules = shapes().map(|m| (m.name, m.texts()));
    let more = SHAPES.iter().filter(|_| is_all).map(|s| (s.name, s.texts.map(str::to_owned)));
    for (name, [code, specification, abstraction]) in modules.chain(more) {
        let right = Subject::new(&[code.clone(), specification.clone(), abstraction.clone()]);
        for mutant in mutants(&code).into_iter().step_by(stride) {
            let texts = [mutant, specification.clone(), abstraction.clone()];
            if !loads(&texts) {
                continue;
            }
            let subject = Subject::new(&texts);
            let ground = ground(&subject);
            for operation in concerned(&right, &subject) {
                compared += 1;
                let smallest = (1..=3).find(|n| matches!(subject.ask(operation, *n).0, Bounded::Refuted(_)));
                let answer = ask(&ground, &subject, operation);
                refuted += usize::from(smallest.is_some());
                proved += usize::from(matches!(answer, Answer::Proved));
                if let (Answer::Proved, Some(bound)) = (answer, smallest) {
                    wrong += &format!("{name} is proved and refuted at {bound}:\n{}\n", texts[0]);
                }
            }
        }
    }
    eprintln!("{compared} operations of mutants: {proved} proved, {refuted} refuted up to 3");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > 10 && proved > 0 && refuted > 0, "{compared}, {proved}, {refuted}");
}
