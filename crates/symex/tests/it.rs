//! Symbolic execution along the path of one state, and the translation of declarative code at that state, give what the interpreter gives.
//! No solver takes part: an oracle answers every branch by evaluating it at random values of the variables.

use formula::{Assignment, Evaluator, Graph, Lit, Node, NodeId, Term, TermId};
use ir::check::Judgement;
use ir::interp::{Limits, Linked, run_statics, snapshot};
use ir::space::{Shape, Space, Statics};
use ir::{Checked, Operation};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use symex::{Executor, Oracle, Restriction, RunEnd, Stop, Symbolic};
use work::Chance;

/// Values of all variables, drawn when they come into being.
struct Values {
    assignment: Assignment,
    chance: Chance,
    nodes: u32,
    terms: u32,
}

impl Values {
    fn new(seed: u64) -> Values {
        Values { assignment: Assignment::default(), chance: Chance::new(seed), nodes: 0, terms: 0 }
    }

    fn draw(&mut self, graph: &Graph) {
        for id in (self.nodes..graph.node_count() as u32).map(NodeId) {
            if matches!(graph.node(id), Node::Var) {
                self.assignment.bools.insert(id, !self.chance.one_in(3));
            }
        }
        for id in (self.terms..graph.term_count() as u32).map(TermId) {
            if matches!(graph.term(id), Term::Var(_)) {
                let (lo, hi) = graph.interval(id);
                let width = usize::try_from(i128::from(hi) - i128::from(lo)).unwrap_or(usize::MAX - 1) + 1;
                self.assignment.ints.insert(id, lo.wrapping_add(self.chance.below(width) as i64));
            }
        }
        (self.nodes, self.terms) = (graph.node_count() as u32, graph.term_count() as u32);
    }

    fn holds(&mut self, graph: &Graph, lit: Lit) -> bool {
        self.draw(graph);
        Evaluator::new(&self.assignment).lit(graph, lit)
    }
}

impl Oracle for Values {
    fn branch(&mut self, graph: &mut Graph, lit: Lit) -> Result<bool, Stop> {
        let value = self.holds(graph, lit);
        graph.push_guard(lit.flip(!value));
        Ok(value)
    }

    fn restrict(&mut self, graph: &mut Graph, lit: Lit, _: Restriction) -> Result<(), Stop> {
        if self.branch(graph, lit)? { Ok(()) } else { Err(Stop::Dropped) }
    }
}

/// What both say of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Told {
    /// No valid state, a false precondition or `assume`, or a final state.
    Dropped,
    Fine,
    Violated,
    /// More steps than are allowed, or something that is not supported.
    Open,
}

struct Subject<'p> {
    linked: &'p Linked<'p>,
    heap: ir::heap::Heap,
    statics: Arc<Statics>,
    size: i64,
}

const STEPS: u64 = 2_000;

impl Subject<'_> {
    /// By both ways, at values drawn from a seed; None if they are not those of a state.
    fn ask(&self, checked: &Checked, operation: &Operation, space: &Arc<Space>, seed: u64) -> Option<(Told, Told)> {
        let limits = symex::Limits { steps: STEPS, ..symex::Limits::default() };
        let mut symbolic = Symbolic::new(self.linked.program, space, &self.statics, limits);
        let mut values = Values::new(seed);
        let arguments = symbolic.arguments();
        let of_states = symbolic.state_conditions();
        let conditions = symbolic.valid_states(checked).and_then(|mut conditions| {
            conditions.extend(symbolic.valid_arguments(operation, &arguments)?);
            Ok(conditions)
        });
        values.draw(&symbolic.graph);
        // Once for the variables that it makes, and once with their values.
        symbolic.concretize(&values.assignment, &arguments);
        values.draw(&symbolic.graph);
        let concrete = symbolic.concretize(&values.assignment, &arguments);
        if of_states.iter().any(|c| !values.holds(&symbolic.graph, *c)) {
            return None;
        }
        let by_path = match conditions {
            Err(_) => Told::Open,
            Ok(all) if all.iter().any(|c| !values.holds(&symbolic.graph, *c)) => Told::Dropped,
            Ok(_) => {
                symbolic.heap.keep();
                symbolic.cache.keep();
                along_path(&mut symbolic, &mut values, checked, operation, &arguments)
            }
        };
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let replay = ir::replay::replay(self.linked, &self.heap, space, &concrete, checked, operation, limits);
        let by_interpreter = match replay.judgement {
            Judgement::Dropped => Told::Dropped,
            Judgement::Fine => Told::Fine,
            Judgement::Violated(_) => Told::Violated,
            Judgement::Unknown(_) | Judgement::Stopped(_) => Told::Open,
        };
        Some((by_path, by_interpreter))
    }
}

fn along_path(
    symbolic: &mut Symbolic<'_>,
    values: &mut Values,
    checked: &Checked,
    operation: &Operation,
    arguments: &[symex::Sym],
) -> Told {
    let run = match Executor::new(symbolic, values, false).operate(checked, operation, arguments) {
        Ok(run) => run,
        Err(Stop::Dropped) => return Told::Dropped,
        Err(Stop::Infeasible) => panic!("a state takes this path"),
        Err(_) => return Told::Open,
    };
    match run.end {
        RunEnd::Escaped(_) => Told::Violated,
        RunEnd::Final => Told::Dropped,
        RunEnd::Returned(_) | RunEnd::Threw(_) => match symbolic.final_conditions(checked, operation, &run) {
            Err(_) => Told::Open,
            Ok(all) if all.iter().all(|c| values.holds(&symbolic.graph, c.lit)) => Told::Fine,
            Ok(_) => Told::Violated,
        },
    }
}

/// Both ways on random states of every operation; how often each answer was given.
fn compare(name: &str, text: &str, sizes: std::ops::RangeInclusive<i64>, rounds: u64) -> [usize; 4] {
    let mut sources = source::SourceMap::default();
    let file = sources.add(name, text);
    let files = vec![file];
    let inputs = java::Inputs::new(&mut sources, files);
    let loaded = java::load(inputs).unwrap_or_else(|problems| panic!("{name}: {problems:#?}"));
    let linked = Linked::new(&loaded.program);
    let mut counts = [0; 4];
    for size in sizes {
        let heap = run_statics(&linked, size).expect("static initialisers that run");
        let subject = Subject { linked: &linked, statics: Arc::new(snapshot(&linked, &heap)), heap, size };
        for checked in &loaded.checked {
            for operation in &checked.operations {
                for shape in [Shape::Complete, Shape::Any] {
                    let statics = &subject.statics.objects;
                    let space = Space::new(&loaded.program, checked, operation, subject.size, shape, statics);
                    let Ok(space) = space.map(Arc::new) else { continue };
                    for seed in 0..rounds {
                        let Some((path, interpreter)) = subject.ask(checked, operation, &space, seed) else { continue };
                        let method = &loaded.program.method(operation.method).name;
                        let is_open = path == Told::Open || interpreter == Told::Open;
                        assert!(
                            is_open || path == interpreter,
                            "{name} {method}, size {size}, {shape:?}, seed {seed}: {path:?} along the path, {interpreter:?} by the interpreter"
                        );
                        counts[if is_open { Told::Open } else { path } as usize] += 1;
                    }
                }
            }
        }
    }
    counts
}

/// So many answers of each kind at least.
#[track_caller]
fn check(text: &str, dropped: usize, fine: usize, violated: usize) {
    let text = format!("import glassbox.*;\n{text}");
    let counts = work::on_large_stack(|| compare("Subject.java", &text, 1..=3, 300));
    let [d, f, v, open] = counts;
    assert!(d >= dropped && f >= fine && v >= violated && open == 0, "{counts:?}");
}

#[test]
fn trees() {
    check(
        "class Search { static class Node { int key; @Tree Node left, right; } @Tree Node root;
         @Declarative boolean repOk() { return ordered(root, -1, 9); }
         @Declarative boolean ordered(Node n, int lo, int hi) {
             return n == null || (lo < n.key && n.key < hi && ordered(n.left, lo, n.key) && ordered(n.right, n.key, hi));
         }
         void insert(int key) {
             if (root == null) { root = new Node(); root.key = key; return; }
             Node n = root;
             while (true) {
                 if (key == n.key) return;
                 Node next = key < n.key ? n.left : n.right;
                 if (next == null) {
                     Node made = new Node(); made.key = key;
                     if (key <= n.key) n.left = made; else n.right = made;
                     return;
                 }
                 n = next;
             }
         }
         void spoil(int key) { if (root != null && root.left != null) root.left.key = key; }
         }",
        200,
        200,
        20,
    );
}

#[test]
fn arrays_and_exceptions() {
    check(
        "class Buffer { int[] items = new int[2]; int count;
         @Declarative boolean repOk() { return items != null && 0 <= count && count <= items.length; }
         @Declarative @Post(\"put\") boolean wasPut(Buffer before, int x) {
             if (count != before.count + 1) return false;
             for (int i = 0; i < before.count; i++) { if (items[i] != before.items[i]) return false; }
             return items[count - 1] == x;
         }
         void put(int x) { items[count] = x; count++; }
         int guarded(int i) {
             int r = 0;
             try { r = items[i]; items[i] = r + 1; } catch (ArrayIndexOutOfBoundsException e) { r = -1; } finally { r *= 2; }
             assert r != 4;
             return r;
         }
         void drop(@Range(\"0..5\") int n) { for (int i = 0; i < n; i++) { if (i == 1) continue; count--; if (count < -5) break; } }
         }",
        200,
        200,
        20,
    );
}

#[test]
fn numbers_and_switches() {
    check(
        "class Numbers { @Range(\"-9..9\") int a; @Range(\"-9..9\") int b; static int calls;
         @Declarative boolean repOk() { return a * b != 12 || a == 3; }
         @Declarative int power(int x, int n) { return n <= 0 ? 1 : x * power(x, n - 1); }
         void step(@Range(\"-3..3\") int by) {
             switch (by) { case 0: a++; case 1: b--; break; case -1: a = b / by; break; default: a = power(by, 3) % 7; }
             calls++;
         }
         void divide(@Range(\"-3..3\") int by) { a = b / by; }
         void shift(@Range(\"-40..40\") int by) { b = (a << by) ^ (b >>> by); b = (byte) b; }
         void assumed(@Range(\"-3..3\") int by) { GlassBox.assume(by > 0); assert a % by < by; }
         }",
        200,
        200,
        20,
    );
}

/// A specification that throws is false, whatever it would have returned.
#[test]
fn specifications_that_throw() {
    check(
        "class Ratio { @Range(\"-2..2\") int d; int[] a;
         @Declarative boolean repOk() { return 10 / d > 90 | d == d; }
         @Declarative @Post(\"set\") boolean isSet(Ratio before) { return a[0] == 7 | true; }
         void set(@Range(\"-1..1\") int x) { if (x > 0) { a = new int[x]; a[0] = 7; } d = d + x; }
         }",
        200,
        200,
        20,
    );
}

/// Objects that point anywhere, virtual calls, casts, instanceof.
#[test]
fn references() {
    check(
        "class Graph { static class N { N next; int tag; int kind() { return 0; } } static class M extends N { int extra; int kind() { return 1; } }
         N a, b;
         @Declarative boolean repOk() { return a == null || a != b; }
         int kinds() { int k = 0; if (a != null) k += a.kind(); if (b != null) k += 2 * b.kind(); assert k != 3 || a != b; return k; }
         void link() { N old = a.next; a.next = b; if (b != null && b.next == a) { b = old; } }
         void cast() { M m = (M) a; if (m != null) m.extra = m.tag; }
         void swap() { N t = a; a = b; b = t; if (a instanceof M) { a = new N(); } else { b = a; } }
         }",
        20,
        200,
        20,
    );
}

fn examples(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            examples(&path, found);
        } else if path.extension().is_some_and(|e| e == "java") {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn all_examples_and_seeded_bugs() {
    let mut files = Vec::new();
    examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java"), &mut files);
    // Clients need the files of their modules; class tables have no valid state that is found by chance.
    files.retain(|p| {
        !p.components().any(|c| ["clients", "languages"].iter().any(|left_out| c.as_os_str() == *left_out))
    });
    let mut all = [0; 4];
    files.sort();
    for path in files.iter().step_by(2) {
        let text = std::fs::read_to_string(path).expect("a readable example");
        let name = path.display().to_string();
        let counts = work::on_large_stack(|| compare(&name, &text, 2..=2, 40));
        all.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    let [dropped, fine, violated, open] = all;
    assert!(dropped > 500 && fine > 500 && violated > 25 && open < dropped / 20, "{all:?}");
}
