//! Random modules with sets by fields: a callee, a procedure that may call it, and a clause that it could ensure.

use std::fmt::Write;
use work::Chance;

const ABSTRACTION: &str = "abst module M { use plugin \"flags\"; A = {x : T | \"x.s = 1\"}; B = {x : T | \"x.s = 2\"}; \
    C = {x : T | \"x.b = true\"}; D = A cap C; E = B + {x : T | \"x.c = true\"}; \
    F = {x : T | \"x.b = true\"} cap {x : T | \"x.c = false\"}; predvar g; }\n";
const HEAD: &str = "impl module M {\nformat T { s : int; b : bool; c : bool; next : T; kids : T[]; }\n\
    reference g : bool;\nreference root : T;\nreference d : T[];\n";
const SETS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
const FORMALS: &str = "(x : T; y : T; p : bool; n : int)";
/// Clauses that a callee might ensure: those that it does are its contract.
const CLAUSES: usize = 10;

/// What code may have besides values that are followed wherever they go, branches and new objects.
#[derive(Clone, Copy, Default)]
pub struct Features {
    pub loops: bool,
    pub calls: bool,
    /// Objects in fields and module variables, and null.
    pub lists: bool,
    /// In a module variable and in fields.
    pub arrays: bool,
    /// Int variables and arithmetic.
    pub numbers: bool,
}

impl Features {
    /// Without any of them the analysis is exact.
    pub fn is_exact(self) -> bool {
        !(self.loops || self.calls || self.lists || self.arrays || self.numbers)
    }
}

pub struct Random {
    pub features: Features,
    callee: String,
    caller: String,
    requires: [String; 2],
    pub clauses: Vec<String>,
}

struct Maker {
    chance: Chance,
    text: String,
    features: Features,
    may_call: bool,
    objects: Vec<String>,
    ints: Vec<String>,
    fresh: u32,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut chance = Chance::new(seed);
        let features = Features {
            loops: chance.coin(),
            calls: chance.one_in(4),
            lists: chance.one_in(3),
            arrays: chance.one_in(5),
            numbers: chance.one_in(3),
        };
        let mut maker = Maker {
            chance,
            text: String::new(),
            features,
            may_call: false,
            objects: Vec::new(),
            ints: Vec::new(),
            fresh: 0,
        };
        let callee = maker.body(false);
        let caller = maker.body(features.calls);
        let requires = [maker.requires(), maker.requires()];
        let clauses = (0..CLAUSES).map(|_| maker.clause(true)).collect();
        Random { features, callee, caller, requires, clauses }
    }

    /// The callee, once for each clause.
    pub fn callees(&self) -> String {
        let procs: Vec<(String, &String)> = (0..).map(|k| format!("q{k}")).zip(&self.clauses).collect();
        let procs: Vec<_> = procs.iter().map(|(n, e)| (n.as_str(), &self.callee, 0, e.as_str())).collect();
        self.module(&procs)
    }

    /// The procedure that should ensure the clause; what the callee ensures is known of it.
    pub fn caller(&self, callee_ensures: &str, clause: &str) -> String {
        let callee = ("callee", &self.callee, 0, callee_ensures);
        let procs = [callee, ("caller", &self.caller, 1, clause)];
        self.module(if self.features.calls { &procs } else { &procs[1..] })
    }

    /// The same with the code of the callee in the places where it is called.
    pub fn inlined(&self, clause: &str) -> String {
        let mut body = String::new();
        for (k, line) in self.caller.lines().enumerate() {
            let Some(arguments) = line.strip_prefix("callee(").and_then(|l| l.strip_suffix(");")) else {
                let _ = writeln!(body, "{line}");
                continue;
            };
            let mut names = arguments.split(", ");
            let (a, b) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
            let renamed = renamed(&self.callee, &format!("_{k}"));
            let _ = writeln!(body, "{{\nT x_{k} = {a};\nT y_{k} = {b};\n{renamed}}}");
        }
        self.module(&[("caller", &body, 1, clause)])
    }

    fn module(&self, procs: &[(&str, &String, usize, &str)]) -> String {
        let mut fl = HEAD.to_owned();
        let mut sl = format!("spec module M {{\nformat T;\nspecvar {} : T set;\nspecvar g : bool;\n", SETS.join(", "));
        for (name, body, contract, ensures) in procs {
            let _ = write!(fl, "proc {name}{FORMALS} {{\n{body}}}\n");
            let requires = &self.requires[*contract];
            let modifies = SETS.join(", ");
            let _ = writeln!(sl, "proc {name}{FORMALS} requires {requires} modifies {modifies}, g ensures {ensures};");
        }
        format!("{fl}}}\n{sl}}}\n{ABSTRACTION}")
    }
}

/// Formals and variables of a procedure under other names.
fn renamed(body: &str, suffix: &str) -> String {
    let mut text = String::new();
    let mut rest = body;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let end = rest[at..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(rest.len(), |n| at + n);
        let (before, name) = (&rest[..at], &rest[at..end]);
        let is_variable = matches!(name, "x" | "y") || name[1..].parse::<u32>().is_ok();
        text.push_str(before);
        text.push_str(name);
        if is_variable && !before.ends_with('.') {
            text.push_str(suffix);
        }
        rest = &rest[end..];
    }
    text + rest
}

impl Maker {
    fn body(&mut self, may_call: bool) -> String {
        self.may_call = may_call;
        self.objects = vec!["x".into(), "y".into()];
        self.ints = Vec::new();
        self.block(2);
        std::mem::take(&mut self.text)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn requires(&mut self) -> String {
        let more = if self.chance.coin() { format!(" & {}", self.clause(false)) } else { String::new() };
        match self.features.lists && self.chance.one_in(3) {
            true => format!("(card(x) <= 1) & (card(y) <= 1){more}"),
            false => format!("(card(x) = 1) & (card(y) = 1){more}"),
        }
    }

    fn object(&mut self) -> String {
        self.chance.pick(&self.objects).clone()
    }

    /// A value that an object variable may get.
    fn any_object(&mut self) -> String {
        let x = self.object();
        match self.chance.below(8) {
            0 if self.features.lists => "null".into(),
            1 | 2 if self.features.lists => format!("{x}.next"),
            3 if self.features.lists => "root".into(),
            4 if self.features.arrays => format!("d[{}]", self.chance.below(2)),
            5 if self.features.arrays => format!("{x}.kids[{}]", self.chance.below(2)),
            6 => "new T()".into(),
            _ => x,
        }
    }

    fn int(&mut self) -> String {
        let x = self.object();
        match self.chance.below(6) {
            0 => format!("{x}.s"),
            1 if !self.ints.is_empty() => format!("{} + 1", self.chance.pick(&self.ints)),
            2 | 3 if !self.ints.is_empty() => self.chance.pick(&self.ints).clone(),
            4 => "n".into(),
            _ => self.chance.below(4).to_string(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let x = self.object();
        match self.chance.below(if depth == 0 { 9 } else { 14 }) {
            0 => "p".into(),
            1 => "g".into(),
            2 => format!("{x}.b"),
            3 => format!("{x}.c"),
            4 => format!("({x}.s == {})", self.chance.below(3)),
            5 => format!("({x} == {})", self.object()),
            6 if self.features.lists => {
                let y = self.object();
                (*self.chance.pick(&[
                    &format!("({x} == null)"),
                    &format!("({x}.next != null)"),
                    &format!("(root == {y})"),
                ]))
                .clone()
            }
            7 if self.features.numbers => {
                let relation = *self.chance.pick(&["==", "!=", "<", ">=", ">", "<="]);
                let (a, b) = (self.int(), self.chance.below(4));
                format!("({a} {relation} {b})")
            }
            8 if self.features.arrays => {
                let (array, y) = (if self.chance.coin() { "d".into() } else { format!("{x}.kids") }, self.object());
                format!("({array}[{}] == {y})", self.chance.below(2))
            }
            6..=8 => (*self.chance.pick(&["true", "false"])).into(),
            9 => format!("!({})", self.condition(depth - 1)),
            10 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            11 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            12 => format!("({} ^ {})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("({} == {})", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }

    fn block(&mut self, depth: u32) {
        let (objects, ints) = (self.objects.len(), self.ints.len());
        for _ in 0..1 + self.chance.below(4) {
            self.statement(depth);
        }
        self.objects.truncate(objects);
        self.ints.truncate(ints);
    }

    fn statement(&mut self, depth: u32) {
        let (x, features) = (self.object(), self.features);
        // Half of the statements are of what the code has.
        let special = [
            (features.loops && depth > 0, [17, 18, 19]),
            (self.may_call, [12, 12, 13]),
            (features.lists, [4, 6, 10]),
            (features.arrays, [4, 6, 11]),
            (features.numbers, [7, 8, 9]),
        ];
        let special: Vec<usize> = special.into_iter().filter(|(is, _)| *is).flat_map(|(_, of)| of).collect();
        let choice = match special.is_empty() || self.chance.coin() {
            true => self.chance.below(if depth == 0 { 14 } else { 20 }),
            false => *self.chance.pick(&special),
        };
        match choice {
            0 | 1 => {
                let value = self.chance.below(4);
                self.line(&format!("{x}.s = {value};"));
            }
            2 => {
                let (field, value) = (*self.chance.pick(&["b", "c"]), self.condition(1));
                self.line(&format!("{x}.{field} = {value};"));
            }
            3 => {
                let value = self.condition(2);
                self.line(&format!("g = {value};"));
            }
            4 | 5 => {
                self.fresh += 1;
                let (name, value) = (format!("z{}", self.fresh), self.any_object());
                self.line(&format!("T {name} = {value};"));
                self.objects.push(name);
            }
            6 if self.objects.len() > 2 => {
                let (to, from) = (self.chance.pick(&self.objects[2..]).clone(), self.any_object());
                self.line(&format!("{to} = {from};"));
            }
            7 if features.numbers => {
                self.fresh += 1;
                let (name, value) = (format!("k{}", self.fresh), self.int());
                self.line(&format!("int {name} = {value};"));
                self.ints.push(name);
            }
            8 if features.numbers && !self.ints.is_empty() => {
                let (to, value) = (self.chance.pick(&self.ints).clone(), self.int());
                match self.chance.below(3) {
                    0 => self.line(&format!("{to}++;")),
                    _ => self.line(&format!("{to} = {value};")),
                }
            }
            9 if features.numbers && self.chance.one_in(3) => self.line(&format!("{x}.s--;")),
            9 if features.numbers => {
                let value = self.int();
                self.line(&format!("{x}.s = {value};"));
            }
            9 => self.line(&format!("{x}.s = n;")),
            10 if features.lists => {
                let to = self.any_object();
                let place = if self.chance.coin() { "root".into() } else { format!("{x}.next") };
                self.line(&format!("{place} = {to};"));
            }
            11 if features.arrays => {
                let (index, value, y) = (self.chance.below(2), self.any_object(), self.object());
                match self.chance.below(5) {
                    0 | 1 => self.line(&format!("d[{index}] = {value};")),
                    2 | 3 => self.line(&format!("{x}.kids[{index}] = {value};")),
                    _ => {
                        let array = (*self.chance.pick(&["d", "new T[2]", &format!("{y}.kids")])).to_owned();
                        self.line(&format!("{x}.kids = {array};"));
                    }
                }
            }
            12 | 13 if self.may_call => {
                let y = self.object();
                self.line(&format!("callee({x}, {y}, p, n);"));
            }
            14..=16 => {
                let condition = self.condition(2);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth - 1);
                self.line("} else {");
                self.block(depth - 1);
                self.line("}");
            }
            17 | 18 if features.loops => {
                let condition = self.condition(1);
                self.line(&format!("while ({condition}) {{"));
                self.block(depth - 1);
                self.line("}");
            }
            19 if features.loops && features.lists => {
                self.fresh += 1;
                let (name, start) = (format!("z{}", self.fresh), self.any_object());
                self.line(&format!("T {name} = {start};"));
                self.line(&format!("while ({name} != null) {{"));
                self.objects.push(name.clone());
                self.block(depth - 1);
                self.line(&format!("{name} = {name}.next;"));
                self.line("}");
            }
            _ => self.line(&format!("{x}.s = 1;")),
        }
    }

    /// About the sets before and after: often true of some procedure.
    fn clause(&mut self, primed: bool) -> String {
        let (s, t) = (*self.chance.pick(&SETS), *self.chance.pick(&SETS));
        let x = *self.chance.pick(&["x", "y"]);
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
