//! The flag analysis against every small heap: random modules, each procedure run by the interpreter on all heaps of up to two or three
//! objects. What is verified never breaks its contract there; in code whose every value is followed, what fails breaks it somewhere.

use hob::flags::{self, Effects, Options, Verdict};
use hob::interp::{Chance, Machine, Options as RunOptions, Script, Stop, Value, ViolationKind, on_large_stack};
use hob::program::{FieldId, GlobalId, ProcId, Type};
use hob::{FileKind, Input, Program};
use source::SourceMap;
use std::fmt::Write;

const ABSTRACTION: &str = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; C = {x : T | \"x.b = true\"};
    D = A cap C; E = B + {x : T | \"x.c = true\"}; F = {x : T | \"x.b = true\"} cap {x : T | \"x.c = false\"}; predvar g; }";

const SETS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

struct Generator {
    chance: Chance,
    text: String,
    /// Whether every value is followed, no object can be null and no loop is there: then the analysis is exact.
    exact: bool,
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
        match self.chance.below(if depth == 0 { 8 } else { 11 }) {
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
            7 if !self.exact => {
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

    /// `modified` is what a callee modifies, then what this one does.
    fn contract(&mut self, modified: &mut Vec<&'static str>) -> String {
        let mut text = "requires (card(x) = 1) & (card(y) = 1)".to_owned();
        if self.chance.below(2) == 0 {
            let _ = write!(text, " & {}", self.clause(false));
        }
        modified.extend(["A", "B", "C", "D", "E", "F", "g"].into_iter().filter(|_| self.chance.below(8) != 0));
        modified.sort_unstable();
        modified.dedup();
        if !modified.is_empty() {
            let _ = write!(text, " modifies {}", modified.join(", "));
        }
        let _ = write!(text, " ensures {}", self.clause(true));
        if self.chance.below(3) == 0 {
            let _ = write!(text, " & {}", self.clause(true));
        }
        text
    }
}

/// Implementation and specification of a module with two procedures; the second may call the first.
fn module(seed: u64, exact: bool) -> (String, String) {
    let mut g = Generator { chance: Chance::new(seed), text: String::new(), exact, fresh: 0 };
    g.text.push_str("impl module M {\n    format T { s : int; b : bool; c : bool; }\n    reference g : bool;\n");
    let mut sl = "spec module M { format T; specvar A, B, C, D, E, F : T set; specvar g : bool;\n".to_owned();
    let mut modified = Vec::new();
    for name in ["callee", "caller"] {
        let _ = writeln!(g.text, "    proc {name}(x : T; y : T; p : bool; n : int) {{");
        let was = std::mem::replace(&mut g.exact, exact || name == "callee");
        g.block(&mut vec!["x".into(), "y".into()], 2, 2);
        g.exact = was;
        g.text.push_str("    }\n");
        let contract = g.contract(&mut modified);
        let _ = writeln!(sl, "    proc {name}(x : T; y : T; p : bool; n : int) {contract};");
    }
    g.text.push_str("}\n");
    sl.push('}');
    (g.text, sl)
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

/// Runs a procedure on every heap of so many objects; what it broke first, and how many runs met its precondition.
fn on_all_heaps(program: &Program, proc: ProcId, objects: u32) -> (Option<String>, u64) {
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

fn compare(seeds: std::ops::Range<u64>, exact: bool) {
    let (mut verified, mut failed, mut broken_both) = (0, 0, 0);
    for seed in seeds {
        let (fl, sl) = module(seed, exact);
        let program = load(&fl, &sl);
        let effects = Effects::of(&program);
        let mut callee_is_right = true;
        for proc in flags::procs(&program, hob::program::ModuleId(0)) {
            let finding = flags::analyse(&program, &effects, proc, &Options::default());
            let name = &program.proc(proc).name;
            let most = if exact { 3 } else { 2 };
            let mut found = None;
            for objects in 1..=most {
                found = on_all_heaps(&program, proc, objects).0;
                if found.is_some() {
                    break;
                }
            }
            match &finding.verdict {
                Verdict::Verified => {
                    verified += 1;
                    // A caller may rely on what a callee wrongly promises.
                    if callee_is_right {
                        assert!(found.is_none(), "seed {seed}: {name} is verified, but breaks {found:?}\n{fl}\n{sl}");
                    }
                }
                Verdict::Fails(failures) => {
                    failed += 1;
                    broken_both += usize::from(found.is_some());
                    if name == "callee" {
                        callee_is_right = false;
                    }
                    // A heap with more objects is not tried.
                    if exact && failures.iter().any(|f| f.example.objects <= 3) {
                        assert!(
                            found.is_some(),
                            "seed {seed}: {name} fails ({failures:#?}), but on no heap\n{fl}\n{sl}"
                        );
                    }
                }
                Verdict::Unknown(why) => panic!("seed {seed}: {why:?}"),
            }
        }
    }
    assert!(
        verified > 20 && failed > 20 && broken_both > 10,
        "{verified} verified, {failed} failed, {broken_both} broken"
    );
}

#[test]
fn exact_code_is_decided_exactly() {
    on_large_stack(|| compare(0..150, true));
}

#[test]
fn what_is_verified_never_breaks() {
    on_large_stack(|| compare(1000..1300, false));
}
