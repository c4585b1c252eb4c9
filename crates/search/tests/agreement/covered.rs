//! The two engines speak of the same states: the models of S, which the glass box covers with paths (`--certify` proves
//! that), are the states that the exhaustive engine enumerates, up to the names of objects.
//!
//! Compared is what S speaks of. Any other slot, such as the value of a map's entry, is free in S; that the exhaustive engine
//! takes all its values is what `counts` tests.

use crate::engines::{Subject, examples, load};
use crate::mutate::{chosen, mutants};
use ir::interp::Linked;
use ir::space::{Concrete, Shape};
use ir::{Checked, Operation};
use search::Described;
use search::exhaustive::{Extent, each_state};
use std::collections::BTreeSet;
use std::path::Path;

/// The greatest size at which the states are few.
fn small(path: &Path) -> i64 {
    match path.file_stem().and_then(|s| s.to_str()) {
        Some("UnionFind" | "HashMap" | "HashSet") => 2,
        _ => 3,
    }
}

/// States that only one of the engines has, as text; nothing if S cannot be translated.
fn difference(
    subject: &Subject<'_>,
    checked: &Checked,
    operation: &Operation,
    enumerated_for: &Operation,
) -> Option<(usize, Vec<String>)> {
    let space = subject.space(checked, operation);
    let limits = symex::Limits { steps: subject.steps, ..symex::Limits::default() };
    let program = subject.linked.program;
    let mut described = Described::new(program, &space, &subject.statics, checked, operation, limits).ok()?;
    let mut of_formula = BTreeSet::new();
    described
        .each_state(&mut |described, state: Concrete| {
            of_formula.insert(described.canonical(&state));
        })
        .expect("all models");
    let mut enumerated = BTreeSet::new();
    each_state(subject.linked, &subject.heap, &space, checked, enumerated_for, Extent::Elements, &mut |state| {
        enumerated.insert(described.canonical(&state));
        true
    })
    .ok()?;
    let only = |a: &BTreeSet<_>, b: &BTreeSet<_>, whose| {
        a.difference(b).take(2).map(|s| format!("{whose}: {s:?}")).collect::<Vec<_>>()
    };
    let mut different = only(&of_formula, &enumerated, "only the glass box");
    different.extend(only(&enumerated, &of_formula, "only the exhaustive engine"));
    Some((enumerated.len(), different))
}

/// How many states were compared, and all differences.
fn compare(text: &str, largest: i64, steps: u64) -> (usize, Vec<String>) {
    let Ok(loaded) = load(text) else { return (0, Vec::new()) };
    let linked = Linked::new(&loaded.program);
    let (mut compared, mut differences) = (0, Vec::new());
    for (size, shape) in (1..=largest).flat_map(|s| [(s, Shape::Complete), (s, Shape::Any)]) {
        let subject = Subject { steps, shape, ..Subject::new(&linked, size) };
        for checked in &loaded.checked {
            for operation in &checked.operations {
                let Some((states, different)) = difference(&subject, checked, operation, operation) else { continue };
                compared += states;
                let title = format!("size {size} {shape:?} {}", operation.name);
                differences.extend(different.into_iter().map(|d| format!("{title}: {d}")));
            }
        }
    }
    (compared, differences)
}

#[test]
fn states_agree_on_examples_and_seeded_bugs() {
    let mut wrong = Vec::new();
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        // Most faults are in operations, and leave the states as they are.
        let largest = if path.components().any(|c| c.as_os_str() == "bugs") { 2 } else { small(&path) };
        let (compared, differences) = compare(&text, largest, 20_000);
        if compared == 0 || !differences.is_empty() {
            wrong.push(format!("{}: {compared} states, {differences:#?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The comparison sees a state too many: `pop` has a precondition that the enumeration is not told of.
#[test]
fn a_difference_is_seen() {
    let path = examples().into_iter().find(|p| p.ends_with("stack/Stack.java")).expect("the stack");
    let text = std::fs::read_to_string(path).expect("a readable example");
    let loaded = load(&text).expect("a class");
    let linked = Linked::new(&loaded.program);
    let checked = &loaded.checked[0];
    let pop = checked.operations.iter().find(|o| !o.preconditions.is_empty()).expect("pop");
    let without = Operation { preconditions: Vec::new(), ..pop.clone() };
    let (_, different) = difference(&Subject::new(&linked, 2), checked, pop, &without).expect("states");
    assert!(matches!(&different[..], [only] if only.starts_with("only the exhaustive engine")), "{different:?}");
}

/// Mutants of the invariant are the ones that change the states.
#[test]
fn states_agree_on_mutants() {
    const PER_EXAMPLE: usize = 15;
    let (mut all, mut wrong) = (0, Vec::new());
    for path in examples().into_iter().filter(|p| !p.components().any(|c| c.as_os_str() == "bugs")) {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        for mutant in chosen(mutants(&text), 11).into_iter().take(PER_EXAMPLE) {
            let (compared, differences) = compare(&mutant.apply(&text), 2, 2_000);
            all += usize::from(compared > 0);
            if !differences.is_empty() {
                wrong.push(format!("{}: {}\n{differences:#?}", path.display(), mutant.describe(&text)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all >= 100, "{all} mutants have states");
}

/// A method that ends in one of several calls of itself is translated with one (`symex/src/tails.rs`): whatever they stand in, the states are
/// those of the interpreter, which runs what is written.
#[test]
fn states_agree_where_several_calls_become_one() {
    for (judgement, start) in [
        (
            "int f(S s, int k) { if (s == null) return k; return s.op == 0 ? f(s.next, k | 1 << s.v) : f(s.next, k & ~(1 << s.v)); }",
            "f(s, k)",
        ),
        (
            "int f(S s, int k) { if (s == null) return k; switch (s.op) { case 0: return f(s.next, k * 2); case 1: k = k + 2; default: return f(s.next, k * 3 + s.v); } }",
            "f(s, k)",
        ),
        (
            "int f(S s, int k) { if (s == null) return k; int m = k; if (s.v == 1) { m = k * 2; k = 7; } else if (s.op == 2) return 1; if (s.op == 0) return f(s.next, m * k); return f(s.next, m - k); }",
            "f(s, k)",
        ),
        (
            "int f(S s, int k) { return s == null ? k : switch (s.op) { case 0 -> f(s.next, k * 2); case 1 -> { int m = k * k; yield f(s.next, m + 1); } default -> s.v; }; }",
            "f(s, k)",
        ),
        (
            "int f(S s, int k) { if (s == null) return k; return s.op == 0 ? f(s.next, 4 / k) : f(s.next, k * k); }",
            "f(s, k)",
        ),
        (
            "boolean f(S s, int k) { if (s == null) return k == 1; return s.op == 0 && k > 0 && f(s.next, k & s.v) || s.op == 1 || f(s.next, k ^ s.v); }",
            "f(s, k) ? 1 : 0",
        ),
        (
            "boolean f(S s, boolean k) { if (s == null) return k; return s.op != 2 && (s.op == 0 ? s.v == 0 || f(s.next, !k) : f(s.next, k == (s.v == 1))); }",
            "f(s, k == 1) ? 1 : 0",
        ),
        ("int f(S s, int k) { return s == null ? k : s.f(k); }", "f(s, k)"),
        (
            "int f(S s, int k) { if (s == null) return k; int r = switch (s.op) { case 0 -> f(s.next, k * 2); case 1 -> f(s.next, k * 3); default -> 5; }; r = r * 3 + 1; return r; }",
            "f(s, k)",
        ),
        (
            "int f(S s, int k) { return s == null ? k : 1 + switch (s.op) { case 0: yield f(s.next, k * 2); case 1: k = 2 * k; default: { if (s.v == 0) yield f(s.next, k * k); yield f(s.next, 3 * k); } }; }",
            "f(s, k)",
        ),
        (
            "int f(S s, int k) { return s == null ? k : switch (s.op) { case 0: yield f(s.next, k * 2); case 1: k = 2 * k; default: { if (s.v == 0) yield f(s.next, k * k); yield f(s.next, 3 * k); } }; }",
            "f(s, k)",
        ),
        (
            "int f(S s, int k) { while (s != null) { if (s.op == 0) return f(s.next, k * 2); if (s.op == 1) return f(s.next, k * 3); s = s.next; k++; } return k; }",
            "f(s, k)",
        ),
    ] {
        let text = format!(
            "import glassbox.*; public class C {{
                static class S {{
                    @Range(\"0..2\") int op; @Range(\"0..1\") int v; @Tree S next;
                    @Declarative int f(int k) {{ return next == null ? k : op == 0 ? next.f(k * 2) : next.f(k * 3 + v); }} }}
                @Tree S s; @Range(\"0..2\") int k;
                @Declarative static {judgement}
                @Declarative boolean repOk() {{ return ({start}) % 2 == 1; }}
                @Check void look() {{}} }}"
        );
        let (compared, differences) = compare(&text, 3, 20_000);
        assert!(compared > 40 && differences.is_empty(), "{judgement}: {compared} states, {differences:#?}");
    }
}
