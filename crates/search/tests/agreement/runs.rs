//! States run: how many paths each example has at each size, pinned, and the same for both ways to search (docs/engine.md, "Two searches":
//! the loop of Figure 5.8 is the oracle for counts). TreeMap, HashMap, Stack, Queue and the expression language: at most Tables 6.1 and 6.4
//! of the dissertation.

use crate::engines::{Engine, Subject, examples, load};
use ir::interp::Linked;
use ir::space::Shape;
use search::{Counts, Options, Outcome, Session};

/// By example: size and states run, all operations together.
const RUNS: &[(&str, &[(i64, u64)])] = &[
    ("bank-account", &[(1, 10), (2, 10), (3, 10), (4, 10)]),
    ("bounded-buffer", &[(1, 3), (2, 6), (3, 9), (4, 12)]),
    ("expression-language", &[(1, 1), (2, 3), (3, 3), (4, 5), (13, 11), (40, 17)]),
    ("hash-map", &[(1, 9), (2, 15), (3, 21), (4, 27)]),
    // One of them for its abstraction.
    ("map-tree", &[(2, 34), (3, 59)]),
    ("queue", &[(1, 4), (2, 5), (3, 6), (50, 53)]),
    ("search-tree", &[(1, 9), (2, 15), (3, 21), (4, 27)]),
    ("search-tree-delete", &[(1, 4), (2, 6), (3, 8), (4, 10)]),
    ("sorted-list", &[(1, 9), (2, 14), (3, 19), (4, 24)]),
    ("stack", &[(1, 3), (2, 3), (3, 3), (100, 3)]),
    ("tree-map", &[(1, 15), (2, 25), (3, 47), (4, 59), (7, 133)]),
    ("two-threads", &[(1, 3), (2, 7), (3, 7), (4, 7)]),
    ("union-find", &[(1, 3), (2, 20)]),
];

fn states_run(text: &str, size: i64, engine: Engine) -> u64 {
    let loaded = load(text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let subject = Subject { seconds: 60, ..Subject::new(&linked, size) };
    let mut sum = 0;
    for checked in &loaded.checked {
        for operation in &checked.operations {
            let (outcome, counts) = subject.search(engine, checked, operation);
            assert!(
                matches!(outcome, Outcome::Verified | Outcome::AllDropped),
                "{} at {size}: {outcome:?}",
                operation.name
            );
            sum += counts.states_run;
        }
    }
    sum
}

#[test]
fn states_run_are_pinned_and_the_same_for_both_searches() {
    let mut found = String::new();
    for path in examples().into_iter().filter(|p| !p.components().any(|c| c.as_os_str() == "bugs")) {
        let name = path.parent().and_then(|p| p.file_name()?.to_str()).expect("a name").to_string();
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let pinned = RUNS.iter().find(|(n, _)| *n == name).map_or(&[][..], |(_, runs)| runs);
        assert!(!pinned.is_empty(), "{name} has no pinned counts");
        for &(size, expected) in pinned {
            let by_execution = states_run(&text, size, Engine::GlassBox);
            let by_models = states_run(&text, size, Engine::Models);
            if (by_execution, by_models) != (expected, expected) {
                found += &format!("{name} at {size}: {expected} pinned, {by_execution} run, {by_models} by models\n");
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// A path that propagation lets through and no state takes may loop without an end, or for as long as steps are allowed: such
/// paths are found out before.
#[test]
fn a_loop_that_no_state_gets_to_is_left() {
    let text = r#"import glassbox.*;
        public class C {
            @NonNull @Owned @Length("n..n") int[] keys = new int[4];
            @Range("0..n") int size;
            @Declarative boolean repOk() {
                for (int i = 0; i + 1 < keys.length; i++) if (i + 1 < size && keys[i] >= keys[i + 1]) return false;
                return size <= keys.length;
            }
            @Check boolean contains(@Range("0..n") int key) {
                int lo = 0, hi = size - 1;
                while (lo <= hi) {
                    int mid = (lo + hi) >>> 1;
                    if (keys[mid] < key) lo = mid + 1;
                    else if (keys[mid] > key) hi = mid - 1;
                    else return true;
                }
                return false;
            }
        }"#;
    let loaded = load(text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let checked = &loaded.checked[0];
    for size in [3, 7] {
        let (outcome, counts) = Subject::new(&linked, size).search(Engine::GlassBox, checked, &checked.operations[0]);
        assert!(matches!(outcome, Outcome::Verified), "{outcome:?}");
        assert!(counts.steps < 1_000, "{counts:?}");
    }
}

/// A test of a run comes out as it was decided, whatever formula is made of it when later tests are decided as well: which entry of a table
/// `pick` reads is known then. No path is added, and none is lost.
#[test]
fn a_test_is_decided_once() {
    let text = |asserted: &str| {
        format!(
            "import glassbox.*;
            public class C {{
                @NonNull @Owned @Length(\"3..3\") @Range(\"0..3\") int[] a, b;
                @Range(\"0..1\") int row;
                @Declarative boolean repOk() {{ return true; }}
                @Declarative int pick(int i) {{ return row == 0 ? a[i] : b[i]; }}
                @Check int look(@Range(\"0..2\") int i) {{
                    int r = 1;
                    if (r > 0) r--;
                    int c = pick(i);
                    if (c == 1) r += 1;
                    else if (c == 2) r += 2;
                    else if (c == 3) r += 3;
                    if (row == 1) r += 4;
                    if (i == 1) r += 8;
                    else if (i == 2) r += 16;
                    {asserted}
                    return r;
                }}
            }}"
        )
    };
    for engine in [Engine::GlassBox, Engine::Models] {
        assert_eq!(states_run(&text(""), 3, engine), 4 * 2 * 3, "{engine:?}");
    }
    for (c, row, i) in (0..4).flat_map(|c| (0..2).flat_map(move |row| (0..3).map(move |i| (c, row, i)))) {
        let sum = c + 4 * row + 8 * i;
        let loaded = load(&text(&format!("assert r != {sum};"))).unwrap_or_else(|e| panic!("{e}"));
        let linked = Linked::new(&loaded.program);
        let checked = &loaded.checked[0];
        let (outcome, _) = Subject::new(&linked, 3).search(Engine::GlassBox, checked, &checked.operations[0]);
        assert!(matches!(outcome, Outcome::Violated(_)), "{sum}: {outcome:?}");
    }
}

/// What the formula of a decided test says rests on later decisions, too: where they are taken back, nothing is left of it. The path with `r == 11`
/// was lost.
#[test]
fn a_decided_test_rests_on_later_decisions() {
    let text = |asserted: &str| {
        format!(
            "import glassbox.*;
            public class C {{
                @NonNull @Owned @Length(\"2..2\") @Range(\"0..2\") int[] a, b;
                @Range(\"0..1\") int row;
                @Declarative boolean repOk() {{ return true; }}
                @Declarative int pick(int i) {{ return row == 0 ? a[i] : b[i]; }}
                @Check int look(@Range(\"0..1\") int i, @Range(\"0..1\") int x) {{
                    int r = 1;
                    if (r > 0) r--;
                    int c = pick(i);
                    if (i == 1) r += 1;
                    if (pick(x) == 2) r += 2;
                    if (a[1] < b[1]) r += 4;
                    if (c == 1) r += 8;
                    if (x == 1) r += 16;
                    if (a[1] == 2) r += 32;
                    {asserted}
                    return r;
                }}
            }}"
        )
    };
    assert_eq!(states_run(&text(""), 2, Engine::GlassBox), 39);
    let loaded = load(&text("assert r != 11;")).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let checked = &loaded.checked[0];
    let (outcome, _) = Subject::new(&linked, 2).search(Engine::GlassBox, checked, &checked.operations[0]);
    assert!(matches!(outcome, Outcome::Violated(_)), "{outcome:?}");
}

/// By operation, with the valid states translated for all operations at once, as the command does it, or for each by itself.
fn counts(text: &str, size: i64, is_shared: bool) -> Vec<(String, String, Counts)> {
    let loaded = load(text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let session = Session::new(&linked, size).expect("static initialisers that run");
    let all: Vec<_> = loaded.checked.iter().flat_map(|c| c.operations.iter().map(move |o| (c, o))).collect();
    let apart: Vec<_> = all.iter().map(|_| Session::new(&linked, size).expect("the same")).collect();
    let session = |index: usize| if is_shared { &session } else { &apart[index] };
    let space = |(index, &(checked, operation))| session(index).space(checked, operation, Shape::Complete);
    let spaces: Vec<_> = all.iter().enumerate().map(space).map(|s| s.expect("a space")).collect();
    let mut found = Vec::new();
    for (index, &(checked, operation)) in all.iter().enumerate() {
        let options = Options { certify: false, ..Subject::new(&linked, size).options() };
        let search = || session(index).search(&spaces[index], checked, operation, &options);
        let (outcome, counts) = work::with_room(search).expect("a thread");
        found.push((operation.name.clone(), format!("{outcome:?}"), counts));
    }
    found
}

/// Also where an operation is violated, and where states are declared anew.
#[test]
fn operations_that_start_from_the_same_states_do_not_depend_on_each_other() {
    let mut several = 0;
    for path in examples().into_iter().step_by(3) {
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let (shared, apart) = (counts(&text, 2, true), counts(&text, 2, false));
        assert_eq!(shared, apart, "{}", path.display());
        several += usize::from(shared.len() > 1);
    }
    assert!(several > 20, "{several}");
}

/// Places that no state of an operation fills cost nothing, however many there are: here lists of three nodes at most, by a precondition that
/// counts or by one that looks at the nodes. Faults in what is left are found, and states at the bound are among them.
#[test]
fn places_that_no_state_fills_cost_nothing() {
    let text = |small: &str, asserted: &str| {
        format!(
            "import glassbox.*;
            public class C {{
                static class Node {{ int key; @Tree Node next; }}
                @Tree Node first;
                @Range(\"0..n\") int size;
                @Declarative static int count(Node e) {{ return e == null ? 0 : 1 + count(e.next); }}
                @Declarative static boolean isFree(Node e, int key) {{ return e == null || e.key != key && isFree(e.next, key); }}
                @Declarative static boolean isSet(Node e) {{ return e == null || isFree(e.next, e.key) && isSet(e.next); }}
                @Declarative static boolean isShort(Node e, int most) {{ return e == null || most > 0 && isShort(e.next, most - 1); }}
                @Declarative boolean repOk() {{ return size == count(first) && isSet(first); }}
                @Pre @Declarative boolean isSmall() {{ return {small}; }}
                @Check boolean add(int key) {{
                    for (Node e = first; e != null; e = e.next) if (e.key == key) return false;
                    Node e = new Node();
                    e.key = key;
                    e.next = first;
                    first = e;
                    size++;
                    {asserted}
                    return true;
                }}
            }}"
        )
    };
    let work = |text: &str, size: i64| {
        let loaded = load(text).unwrap_or_else(|e| panic!("{e}"));
        let linked = Linked::new(&loaded.program);
        let checked = &loaded.checked[0];
        Subject::new(&linked, size).search(Engine::GlassBox, checked, &checked.operations[0])
    };
    for small in ["size <= 3", "isShort(first, 3)"] {
        assert_eq!(states_run(&text(small, ""), 6, Engine::Models), 7, "{small}");
        for (size, asserted) in [(6, ""), (40, "")] {
            let (outcome, counts) = work(&text(small, asserted), size);
            assert!(matches!(outcome, Outcome::Verified), "{small}: {outcome:?}");
            assert_eq!(counts.states_run, 7, "{small}");
            assert!(counts.nodes < 1_000, "{small} at {size}: {counts:?}");
        }
        let (outcome, _) = work(&text(small, "assert size < 4;"), 40);
        assert!(matches!(outcome, Outcome::Violated(_)), "{small}: {outcome:?}");
        let (outcome, _) = work(&text(small, "assert size < 5;"), 40);
        assert!(matches!(outcome, Outcome::Verified), "{small}: {outcome:?}");
    }
}

/// A loop to a `size` ends where the list does: the size counts the nodes, and no solver need say so at each step.
#[test]
fn a_size_says_how_many_nodes_there_are() {
    let text = "import glassbox.*;
        public class C {
            static class Node { @Range(\"0..3\") int key; @Tree Node next; }
            @Tree Node first;
            @Range(\"0..n\") int size;
            @Declarative static int count(Node e) { return e == null ? 0 : 1 + count(e.next); }
            @Declarative boolean repOk() { return size == count(first); }
            @Check int last() {
                if (size == 0) return -1;
                Node e = first;
                for (int i = 1; i < size; i++) e = e.next;
                return e.key;
            }
        }";
    let loaded = load(text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let checked = &loaded.checked[0];
    let (outcome, counts) = Subject::new(&linked, 30).search(Engine::GlassBox, checked, &checked.operations[0]);
    assert!(matches!(outcome, Outcome::Verified), "{outcome:?}");
    assert!(counts.states_run == 31 && counts.solver_queries < 60, "{counts:?}");
}
