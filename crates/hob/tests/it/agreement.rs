//! The flag analysis against every small heap: random modules, each procedure run by the interpreter on all heaps of up to two or three
//! objects. What is verified never breaks its contract there; in code whose every value is followed, what fails breaks it somewhere.

use hob::flags::{self, Effects, Options, Verdict};
use hob::interp::{Machine, Options as RunOptions, Script, Stop, Value, ViolationKind};
use hob::program::{FieldId, GlobalId, ProcId, Type};
use hob::{FileKind, Input, Program};
use source::SourceMap;
use std::fmt::Write;
use work::Chance;
use work::on_large_stack;

const ABSTRACTION: &str = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; C = {x : T | \"x.b = true\"};
    D = A cap C; E = B + {x : T | \"x.c = true\"}; F = {x : T | \"x.b = true\"} cap {x : T | \"x.c = false\"}; predvar g; }";

const SETS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

struct Generator {
    chance: Chance,
    text: String,
    /// Whether every value is followed, no object can be null and no loop is there: then the analysis is exact.
    exact: bool,
    may_call: bool,
    fresh: u32,
}

impl Generator {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.chance.below(from.len())]
    }

    fn object(&mut self, locals: &[String]) -> String {
        locals[self.chance.below(locals.len())].clone()
    }

    fn boolean(&mut self, locals: &[String], depth: u32) -> String {
        let x = self.object(locals);
        match self.chance.below(if depth == 0 { 7 } else { 11 }) {
            0 => "p".into(),
            1 => "g".into(),
            2 => format!("{x}.b"),
            3 => format!("{x}.c"),
            4 => format!("({x}.s == {})", self.chance.below(3)),
            5 => format!("({x} == {})", self.object(locals)),
            6 => self.pick(&["true", "false"]).into(),
            7 => format!("!({})", self.boolean(locals, depth - 1)),
            8 => format!("({} && {})", self.boolean(locals, depth - 1), self.boolean(locals, depth - 1)),
            9 => format!("({} || {})", self.boolean(locals, depth - 1), self.boolean(locals, depth - 1)),
            _ => format!("({} == {})", self.boolean(locals, depth - 1), self.boolean(locals, depth - 1)),
        }
    }

    fn block(&mut self, locals: &mut Vec<String>, depth: u32, indent: usize) {
        let known = locals.len();
        for _ in 0..1 + self.chance.below(3) {
            self.statement(locals, depth, indent);
        }
        locals.truncate(known);
    }

    fn statement(&mut self, locals: &mut Vec<String>, depth: u32, indent: usize) {
        let pad = "    ".repeat(indent);
        let x = self.object(locals);
        // Code that is not exact has what only it may have half of the time.
        let special = if depth == 0 { [6, 7, 7] } else { [6, 7, 10] };
        let choice = match self.exact {
            false if self.chance.coin() => special[self.chance.below(3)],
            _ => self.chance.below(if depth == 0 { 8 } else { 11 }),
        };
        match choice {
            0 | 1 => {
                let value = self.chance.below(4);
                let _ = writeln!(self.text, "{pad}{x}.s = {value};");
            }
            2 => {
                let field = self.pick(&["b", "c"]);
                let value = self.boolean(locals, 1);
                let _ = writeln!(self.text, "{pad}{x}.{field} = {value};");
            }
            3 => {
                let value = self.boolean(locals, 2);
                let _ = writeln!(self.text, "{pad}g = {value};");
            }
            4 => {
                self.fresh += 1;
                let name = format!("z{}", self.fresh);
                let value = match self.chance.below(4) {
                    0 | 1 => "new T()".to_owned(),
                    2 if !self.exact => "null".to_owned(),
                    _ => self.object(locals),
                };
                let _ = writeln!(self.text, "{pad}T {name} = {value};");
                locals.push(name);
            }
            5 if locals.len() > 2 => {
                let (to, from) = (locals[2 + self.chance.below(locals.len() - 2)].clone(), self.object(locals));
                let _ = writeln!(self.text, "{pad}{to} = {from};");
            }
            6 if !self.exact => {
                let _ = writeln!(self.text, "{pad}{x}.s = n;");
            }
            7 if !self.exact && self.may_call => {
                let from = self.object(locals);
                let _ = writeln!(self.text, "{pad}callee({x}, {from}, p, n);");
            }
            8 | 9 => {
                let condition = self.boolean(locals, 2);
                let _ = writeln!(self.text, "{pad}if ({condition}) {{");
                self.block(locals, depth - 1, indent + 1);
                let _ = writeln!(self.text, "{pad}}} else {{");
                self.block(locals, depth - 1, indent + 1);
                let _ = writeln!(self.text, "{pad}}}");
            }
            10 if !self.exact => {
                let condition = self.boolean(locals, 1);
                let _ = writeln!(self.text, "{pad}while ({condition}) {{");
                self.block(locals, depth - 1, indent + 1);
                let _ = writeln!(self.text, "{pad}}}");
            }
            _ => {
                let _ = writeln!(self.text, "{pad}{x}.s = 1;");
            }
        }
    }

    /// About the sets before and after: often true of some procedure.
    fn clause(&mut self, primed: bool) -> String {
        let s = self.pick(&SETS);
        let t = self.pick(&SETS);
        let x = self.pick(&["x", "y"]);
        let k = self.chance.below(3);
        let choice = if primed { self.chance.below(12) } else { 6 + self.chance.below(5) };
        let q = if primed { "'" } else { "" };
        match choice {
            0 => format!("({s} in ({s}' + x + y))"),
            1 => format!("({s}' in ({s} + x + y))"),
            2 => format!("({s}' = {s})"),
            3 => format!("({s}' - x - y = {s} - x - y)"),
            4 => format!("(card({s}' - {s}) <= {k})"),
            5 => "(g' <=> g)".to_owned(),
            6 => format!("disjoint({s}{q}, {t}{q})"),
            7 => format!("({x} in {s}{q})"),
            8 => format!("(p => ({x} in {s}{q}))"),
            9 => format!("((g{q}) | disjoint({x}, {s}{q}))"),
            10 => format!("(card({s}{q}) <= {k})"),
            _ => format!("((not (x = y)) => (({x} in {s}) <=> ({x} in {s}')))"),
        }
    }
}

/// A random module: the bodies of a callee, and of a caller that may call it, and clauses that could be ensured.
struct Random {
    callee: String,
    caller: String,
    requires: [String; 2],
    clauses: Vec<String>,
}

const CLAUSES: usize = 14;
const FORMALS: &str = "(x : T; y : T; p : bool; n : int)";

impl Random {
    fn new(seed: u64, exact: bool) -> Random {
        let mut g = Generator { chance: Chance::new(seed), text: String::new(), exact, may_call: false, fresh: 0 };
        let mut body = |may_call: bool| {
            g.may_call = may_call;
            g.text.clear();
            g.block(&mut vec!["x".into(), "y".into()], 2, 2);
            g.text.clone()
        };
        let (callee, caller) = (body(false), body(true));
        let mut requires = || {
            let more = if g.chance.coin() { format!(" & {}", g.clause(false)) } else { String::new() };
            format!("(card(x) = 1) & (card(y) = 1){more}")
        };
        let requires = [requires(), requires()];
        let clauses = (0..CLAUSES).map(|_| g.clause(true)).collect();
        Random { callee, caller, requires, clauses }
    }

    /// Implementation and specification: procedures, each with its name, the number of its body, and what it ensures.
    fn texts(&self, procs: &[(String, usize, String)]) -> (String, String) {
        let mut fl =
            "impl module M {\n    format T { s : int; b : bool; c : bool; }\n    reference g : bool;\n".to_owned();
        let mut sl = "spec module M { format T; specvar A, B, C, D, E, F : T set; specvar g : bool;\n".to_owned();
        for (name, body, ensures) in procs {
            let text = [&self.callee, &self.caller][*body];
            let requires = &self.requires[*body];
            let _ = writeln!(fl, "    proc {name}{FORMALS} {{\n{text}    }}");
            let _ = writeln!(
                sl,
                "    proc {name}{FORMALS} requires {requires} modifies A, B, C, D, E, F, g ensures {ensures};"
            );
        }
        fl.push_str("}\n");
        sl.push('}');
        (fl, sl)
    }
}

fn load(fl: &str, sl: &str) -> Program {
    let mut sources = SourceMap::default();
    let files = [(fl, FileKind::Implementation), (sl, FileKind::Specification), (ABSTRACTION, FileKind::Abstraction)]
        .map(|(text, kind)| (sources.add("m", text), kind, text));
    let inputs: Vec<Input> = files.iter().map(|(file, kind, text)| Input { file: *file, kind: *kind, text }).collect();
    let loaded = hob::load(&inputs);
    loaded.program.unwrap_or_else(|| panic!("{:#?}\n{fl}\n{sl}", loaded.diagnostics))
}

fn field(program: &Program, name: &str) -> FieldId {
    FieldId(program.fields.iter().position(|f| f.name == name).expect("a field of T") as u32)
}

/// Runs a procedure on every heap of so many objects, or on many of them; what it broke first, and how many runs met its precondition.
fn on_all_heaps(program: &Program, proc: ProcId, objects: u32, sparse: bool) -> (Option<String>, u64) {
    let (s, b, c) = (field(program, "s"), field(program, "b"), field(program, "c"));
    let Type::Object(ty) = program.proc(proc).locals[0].ty else { panic!("an object") };
    let options = RunOptions { check_contracts: true, steps: 300, ..RunOptions::default() };
    let mut world = Script::default();
    let mut runs = 0;
    for code in 0..12u64.pow(objects) * 2 {
        let mut rest = code / 2;
        let kinds: Vec<u64> = (0..objects)
            .map(|_| {
                let k = rest % 12;
                rest /= 12;
                k
            })
            .collect();
        // Objects are alike but for their fields.
        if kinds.windows(2).any(|w| w[0] > w[1]) {
            continue;
        }
        for arguments in 0..u64::from(objects) * u64::from(objects) * 2 * 3 {
            // Of the larger heaps, a part.
            if sparse && objects == 2 && (code + arguments) % 4 != 0 {
                continue;
            }
            let mut machine = Machine::new(program, &mut world, &options);
            let heap = machine.heap_mut();
            let mut all = Vec::new();
            for kind in &kinds {
                let object = heap.allocate(ty).expect("room");
                heap.set_field(object, s, Value::Int((kind % 3) as i32));
                heap.set_field(object, b, Value::Bool(kind / 3 % 2 == 1));
                heap.set_field(object, c, Value::Bool(kind / 6 == 1));
                all.push(object);
            }
            heap.set_global(GlobalId(0), Value::Bool(code % 2 == 1));
            let n = u64::from(objects);
            let chosen = [
                Value::Object(all[(arguments % n) as usize]),
                Value::Object(all[(arguments / n % n) as usize]),
                Value::Bool(arguments / n / n % 2 == 1),
                Value::Int((arguments / n / n / 2 % 3) as i32),
            ];
            if machine.may_call(proc, &chosen) != Some(true) {
                continue;
            }
            runs += 1;
            if let Err(stop) = machine.call(proc, &chosen)
                && let Stop::Violation(violation) = *stop
            {
                // Who does not do as the callee requires is to blame, whoever notices.
                let broken =
                    format!("{:?} on kinds {kinds:?}, g {}, arguments {chosen:?}", violation.kind, code % 2 == 1);
                let by_callee = violation.stack.len() > 1 && !matches!(violation.kind, ViolationKind::Requires);
                if !by_callee {
                    return (Some(broken), runs);
                }
            }
        }
    }
    (None, runs)
}

/// How the verdicts of some procedures compare with their runs.
#[derive(Default)]
struct Counts {
    verified: usize,
    failed: usize,
    broken: usize,
}

/// Analyses and runs each procedure of that name; the clauses that are verified.
fn compare(
    random: &Random,
    procs: &[(String, usize, String)],
    wanted: &str,
    exact: bool,
    counts: &mut Counts,
) -> Vec<String> {
    let (fl, sl) = random.texts(procs);
    let program = load(&fl, &sl);
    let effects = Effects::of(&program);
    let mut verified = Vec::new();
    for (id, (name, _, clause)) in procs.iter().enumerate().filter(|(_, (name, ..))| name.starts_with(wanted)) {
        let proc = ProcId(id as u32);
        assert_eq!(&program.proc(proc).name, name);
        let finding = flags::analyse(&program, &effects, proc, &Options::default());
        let most = if exact { 3 } else { 2 };
        let broken = (1..=most).find_map(|objects| on_all_heaps(&program, proc, objects, !exact).0);
        // Facts set aside before every branch lose nothing.
        let aside = flags::analyse(&program, &effects, proc, &Options { set_aside: 0, ..Options::default() });
        let is_verified = |verdict: &Verdict| matches!(verdict, Verdict::Verified);
        assert!(
            is_verified(&aside.verdict) || !is_verified(&finding.verdict),
            "{name}: {:?}\n{fl}\n{sl}",
            aside.verdict
        );
        assert!(!is_verified(&aside.verdict) || broken.is_none(), "{name}, set aside: {broken:?}\n{fl}\n{sl}");
        match &finding.verdict {
            Verdict::Verified => {
                counts.verified += 1;
                verified.push(clause.clone());
                assert!(broken.is_none(), "{name} is verified, but breaks {broken:?}\n{fl}\n{sl}");
            }
            Verdict::Fails(failures) => {
                counts.failed += 1;
                counts.broken += usize::from(broken.is_some());
                // A heap with more objects is not tried.
                if exact && failures.iter().any(|f| f.example.objects <= 3) {
                    assert!(broken.is_some(), "{name} fails ({failures:#?}), but on no heap\n{fl}\n{sl}");
                }
            }
            Verdict::Unknown(why) => panic!("{name}: {why:?}\n{fl}\n{sl}"),
        }
    }
    verified
}

/// The same body ensures each of several clauses; a callee ensures some that it was shown to.
fn all(seeds: std::ops::Range<u64>, exact: bool) -> Counts {
    let mut counts = Counts::default();
    for seed in seeds {
        let random = Random::new(seed, exact);
        let each = |name: &str, body: usize| {
            let procs = random.clauses.iter().enumerate();
            procs.map(|(k, clause)| (format!("{name}{k}"), body, clause.clone())).collect::<Vec<_>>()
        };
        let true_of_callee = compare(&random, &each("q", 0), "q", exact, &mut counts);
        if exact {
            continue;
        }
        let known = true_of_callee.iter().take(4).cloned().chain(["true".to_owned()]).collect::<Vec<_>>().join(" & ");
        let mut procs = vec![("callee".to_owned(), 0, known)];
        procs.extend(each("r", 1));
        compare(&random, &procs, "r", exact, &mut counts);
    }
    counts
}

#[test]
fn exact_code_is_decided_exactly() {
    let counts = on_large_stack(|| all(0..5, true));
    assert!(counts.verified > 15 && counts.broken > 15, "{} {} {}", counts.verified, counts.failed, counts.broken);
}

#[test]
fn what_is_verified_never_breaks() {
    let counts = on_large_stack(|| all(1000..1020, false));
    assert!(counts.verified > 60 && counts.broken > 60, "{} {} {}", counts.verified, counts.failed, counts.broken);
}
