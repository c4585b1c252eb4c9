//! A random program: a module M with sets by flags, by reachability and by an array, in one to three sections, with invariants,
//! private and public procedures that call each other; a module N that M calls and that calls back; Main.

use std::fmt::Write;
use work::Chance;

pub struct Proc {
    pub name: String,
    pub private: bool,
    /// With an object `e` that is not null, with an array `a`.
    has_object: bool,
    has_array: bool,
    result: Option<&'static str>,
    requires: String,
    modifies: Vec<&'static str>,
    pub ensures: String,
    /// One statement each; the last one returns, if there is a result.
    pub body: Vec<String>,
    section: usize,
}

pub struct Program {
    sections: Vec<&'static str>,
    /// By section.
    invariants: Vec<Vec<&'static str>>,
    /// Of the specification.
    spec_invariant: Option<&'static str>,
    pub procs: Vec<Proc>,
    /// What N calls, if anything.
    called_back: Option<usize>,
    main_requires: &'static str,
    pub main: Vec<String>,
}

const SETS: &str = "On, L, D";
const VARIABLES: [&str; 4] = ["On", "L", "D", "flag"];
const INVARIANTS: [&str; 8] = [
    "n >= 0",
    "n <= 1",
    "flag => root != null",
    "flag <=> root != null",
    "d != null => d.length > 0",
    "d != null => d.length > 0 & d[0] != null",
    "forall x : E. not x<next+>x",
    "root != null => root.on",
];
const SPEC_INVARIANTS: [&str; 3] = ["flag => (not (L = {}))", "L in On", "flag => (D = {})"];

pub fn random(chance: &mut Chance) -> Program {
    let sections = match chance.below(4) {
        0 => vec!["bounded"],
        1 | 2 => vec!["flags", "bounded"],
        _ => vec!["bounded", "flags", "bounded"],
    };
    let invariants = sections.iter().map(|plugin| {
        let count = if *plugin == "bounded" { chance.below(4) } else { 0 };
        (0..count).map(|_| *chance.pick(&INVARIANTS)).collect()
    });
    let invariants = invariants.collect();
    let spec_invariant = chance.one_in(3).then(|| *chance.pick(&SPEC_INVARIANTS));
    let mut program = Program {
        sections,
        invariants,
        spec_invariant,
        procs: Vec::new(),
        called_back: None,
        main_requires: "",
        main: Vec::new(),
    };
    for known in KNOWN {
        if chance.one_in(2) {
            let proc = known_proc(chance, &program, &known);
            let needed = NEEDED.iter().find(|(name, ..)| *name == proc.name).filter(|_| !chance.one_in(4));
            let section = program.sections.iter().rposition(|p| *p == "bounded").unwrap_or(0);
            program.invariants[section].extend(needed.map(|(_, invariant, _)| *invariant));
            program.procs.push(proc);
        }
    }
    for number in 0..2 + chance.below(3) {
        let proc = proc(chance, &program, number);
        program.procs.push(proc);
    }
    let public: Vec<usize> =
        (0..program.procs.len()).filter(|&p| !program.procs[p].private && !program.procs[p].has_array).collect();
    program.called_back = (!public.is_empty()).then(|| *chance.pick(&public));
    program.main_requires = match chance.below(6) {
        0 => "requires M.flag ",
        1 => "requires (M.L = {}) & (not M.flag) ",
        2 => "requires M.L != {} ",
        _ => "",
    };
    program.main = main(chance, &program);
    program
}

/// A procedure with a contract that it keeps, under some of the invariants: name, formal e or not, result, body, `requires`, `modifies`,
/// `ensures`.
type Known =
    (&'static str, bool, Option<&'static str>, &'static str, &'static str, &'static [&'static str], &'static str);

const KNOWN: [Known; 8] = [
    (
        "put",
        true,
        None,
        "e.next = root;\nroot = e;\nflag = true;\ne.on = true;",
        "(card(e) = 1) & (not (e in L))",
        &["On", "L", "flag"],
        "L' = L + e",
    ),
    ("ask", false, Some("bool"), "return flag;", "", &[], "b' <=> (L != {})"),
    ("pass", false, None, "if (flag) { assert \"L' != {}\"; }", "", &[], "true"),
    ("keep", true, None, "d = new E[1];\nd[0] = e;", "(card(e) = 1)", &["D"], "D' = e"),
    ("has", false, Some("bool"), "return d != null;", "", &[], "b' => (D != {})"),
    ("count", false, Some("bool"), "return n >= 0;", "", &[], "b'"),
    ("mark", true, None, "e.on = true;", "(card(e) = 1)", &["On"], "On' = On + e"),
    ("hand", false, Some("E[]"), "return d;", "", &[], "true"),
];

/// The invariants that some of them need, and how to break and mend them.
const NEEDED: [(&str, &str, (&str, &str)); 4] = [
    ("ask", "flag <=> root != null", ("flag = !flag;", "flag = !flag;")),
    ("pass", "flag => root != null", ("flag = !flag;", "flag = !flag;")),
    ("has", "d != null => d.length > 0 & d[0] != null", ("d = new E[1];", "d = null;")),
    ("count", "n >= 0", ("n = -1;", "n = 0;")),
];

fn known_proc(chance: &mut Chance, program: &Program, known: &Known) -> Proc {
    let (name, has_object, result, body, requires, modifies, ensures) = *known;
    let mut body: Vec<String> = body.lines().map(str::to_owned).collect();
    if result == Some("E[]") {
        body = returned_array(chance, 0);
    }
    let requires = if requires.is_empty() { String::new() } else { format!("requires {requires} ") };
    Proc {
        name: name.into(),
        private: chance.one_in(4),
        has_object,
        has_array: false,
        result,
        requires,
        modifies: modifies.to_vec(),
        ensures: ensures.into(),
        body,
        section: chance.below(program.sections.len()),
    }
}

fn returned_array(chance: &mut Chance, fresh: usize) -> Vec<String> {
    let kept = format!("t{fresh}");
    match chance.below(6) {
        0 => vec!["return d;".into()],
        1 => vec!["return spare;".into()],
        2 => vec![format!("E[] {kept} = d;"), format!("return {kept};")],
        3 => vec![format!("E[] {kept} = d;"), "d = null;".into(), format!("return {kept};")],
        4 => vec![format!("E[] {kept} = new E[1];"), format!("return {kept};")],
        _ => vec![format!("E[] {kept} = new E[1];"), format!("d = {kept};"), format!("return {kept};")],
    }
}

fn proc(chance: &mut Chance, program: &Program, number: usize) -> Proc {
    let (has_object, has_array) = (!chance.one_in(3), chance.one_in(4));
    let result = [None, None, None, Some("bool"), Some("E[]")][chance.below(5)];
    let mut proc = Proc {
        name: format!("p{number}"),
        private: chance.one_in(3),
        has_object,
        has_array,
        result,
        requires: String::new(),
        modifies: VARIABLES.into_iter().filter(|_| !chance.one_in(3)).collect(),
        ensures: "true".into(),
        body: Vec::new(),
        section: chance.below(program.sections.len()),
    };
    let mut required: Vec<String> = Vec::new();
    if has_object {
        required.push("(card(e) = 1)".into());
    }
    if chance.one_in(4) {
        required.push(clause(chance, has_object, "", ""));
    }
    if !required.is_empty() {
        proc.requires = format!("requires {} ", required.join(" & "));
    }
    if chance.one_in(2) {
        proc.ensures = ensured(chance, has_object);
    }
    for _ in 0..1 + chance.below(4) {
        statements(chance, program, &mut proc, 1);
    }
    match result {
        Some("bool") => {
            let (returned, ensures) = *chance.pick(&[
                ("flag", "b' <=> flag'"),
                ("n >= 0", "b'"),
                ("root != null", "b' <=> (L' != {})"),
                ("d != null && d.length > 0 && d[0] != null", "b' => (D' != {})"),
            ]);
            proc.body.push(format!("return {returned};"));
            if chance.one_in(2) {
                proc.ensures = ensures.into();
            }
        }
        Some(_) => {
            let fresh = proc.body.len();
            proc.body.extend(returned_array(chance, fresh));
        }
        None => {}
    }
    proc
}

/// One statement, or some that belong together.
fn statements(chance: &mut Chance, program: &Program, proc: &mut Proc, depth: u32) {
    let fresh = proc.body.len();
    let simple = [
        "n = 0;",
        "n = 1;",
        "n = -1;",
        "if (n < 1) { n = n + 1; }",
        "flag = true;",
        "flag = false;",
        "flag = !flag;",
        "root = null;",
        "d = null;",
        "d = new E[1];",
        "spare = d;",
        "d = spare;",
        "spare = null;",
        "if (root != null) { root.on = true; }",
        "if (root != null) { root = root.next; flag = root != null; }",
        "if (d != null && d.length > 0) { d[0] = null; }",
        "if (d != null && d.length > 0 && d[0] != null) { d[0].on = false; }",
    ];
    let with_object = [
        "e.on = true;",
        "e.on = false;",
        "e.on = flag;",
        "e.next = root;",
        "e.next = null;",
        "root = e;",
        "if (d != null && d.length > 0) { d[0] = e; }",
        "e.next = root; root = e; flag = true; e.on = true;",
    ];
    let with_array = ["d = a;", "spare = a;", "if (a != null && a.length > 0) { a[0] = null; }"];
    match chance.below(14) {
        0..=3 if proc.has_object => proc.body.push((*chance.pick(&with_object)).into()),
        4 | 5 if proc.has_array => proc.body.push((*chance.pick(&with_array)).into()),
        6 | 7 | 12 => {
            let (before, after) = *chance.pick(&[
                ("", ""),
                ("", ""),
                ("flag = !flag;", "flag = !flag;"),
                ("n = -1;", "n = 0;"),
                ("n = 2;", "n = 1;"),
                ("root = null;", ""),
                ("d = new E[0];", "d = null;"),
                ("if (root != null) { root.on = false; }", "root = null; flag = false;"),
            ]);
            let known: Vec<_> =
                NEEDED.iter().filter(|(name, ..)| program.procs.iter().any(|p| p.name == *name)).collect();
            if !known.is_empty() && chance.one_in(2) {
                let (name, _, (before, after)) = *chance.pick(&known);
                proc.body.extend([before.to_string(), format!("{name}();"), after.to_string()]);
            } else if let Some(call) = call(chance, program, proc, fresh) {
                proc.body.extend([before, &call, after].into_iter().filter(|s| !s.is_empty()).map(str::to_owned));
            }
        }
        8 => {
            let assertion = clause(chance, proc.has_object, "", "'");
            proc.body.push(format!("assert \"{assertion}\";"));
        }
        9 if depth > 0 => {
            let condition = *chance.pick(&["flag", "n == 0", "root == null", "root != null && root.on"]);
            let known = proc.body.len();
            statements(chance, program, proc, depth - 1);
            let inner: Vec<String> = proc.body.drain(known..).collect();
            proc.body.push(format!("if ({condition}) {{ {} }}", inner.join(" ")));
        }
        10 | 13 if proc.has_object => proc.body.push("N.ping(e);".into()),
        _ => proc.body.push((*chance.pick(&simple)).into()),
    }
}

/// A call of an earlier procedure of the module: no recursion, so that all runs end.
fn call(chance: &mut Chance, program: &Program, proc: &Proc, fresh: usize) -> Option<String> {
    if program.procs.is_empty() {
        return None;
    }
    let callee = chance.pick(&program.procs);
    let mut arguments = Vec::new();
    if callee.has_object {
        arguments.push(if proc.has_object { "e" } else { return None });
    }
    if callee.has_array {
        arguments.push(if proc.has_array { "a" } else { *chance.pick(&["d", "spare", "null"]) });
    }
    let call = format!("{}({})", callee.name, arguments.join(", "));
    Some(match callee.result {
        Some("bool") if chance.one_in(2) => format!("if ({call}) {{ flag = true; }}"),
        Some("E[]") if chance.one_in(2) => format!("E[] r{fresh} = {call};"),
        _ => format!("{call};"),
    })
}

fn clause(chance: &mut Chance, has_object: bool, module: &str, prime: &str) -> String {
    let set = format!("{module}{}{prime}", chance.pick(&["On", "L", "D"]));
    let (flag, other) = (format!("{module}flag{prime}"), format!("{module}{}{prime}", chance.pick(&["On", "L", "D"])));
    match chance.below(if has_object { 8 } else { 5 }) {
        0 => format!("({set} = {{}})"),
        1 => format!("({flag})"),
        2 => format!("(not {flag})"),
        3 => format!("({set} in {other})"),
        4 => format!("({flag} => ({set} != {{}}))"),
        5 => format!("(not (e in {set}))"),
        _ => format!("(e in {set})"),
    }
}

fn ensured(chance: &mut Chance, has_object: bool) -> String {
    let set = *chance.pick(&["On", "L", "D"]);
    match chance.below(6) {
        0 => format!("({set}' = {set})"),
        1 => "(flag' <=> flag)".into(),
        2 if has_object => format!("({set}' = {set} + e)"),
        3 if has_object => format!("({set}' - e = {set} - e)"),
        _ => clause(chance, has_object, "", "'"),
    }
}

fn main(chance: &mut Chance, program: &Program) -> Vec<String> {
    let mut body = vec!["E e = new E();".to_owned()];
    let public: Vec<&Proc> = program.procs.iter().filter(|p| !p.private).collect();
    for step in 0..2 + chance.below(5) {
        match chance.below(5) {
            0 => body.push(format!("assert \"{}\";", clause(chance, true, "M.", "'"))),
            _ if public.is_empty() => {}
            _ => {
                let callee = *chance.pick(&public);
                let mut arguments = Vec::new();
                if callee.has_object {
                    arguments.push("e".to_owned());
                }
                if callee.has_array {
                    body.push(format!("E[] a{step} = new E[1];"));
                    body.push(format!("a{step}[0] = e;"));
                    arguments.push(format!("a{step}"));
                }
                let call = format!("M.{}({})", callee.name, arguments.join(", "));
                match callee.result {
                    Some("E[]") => {
                        body.push(format!("E[] r{step} = {call};"));
                        let spoilt = *chance.pick(&["null", "e"]);
                        body.push(format!("if (r{step} != null && r{step}.length > 0) {{ r{step}[0] = {spoilt}; }}"));
                    }
                    Some(_) => body.push(format!("bool r{step} = {call};")),
                    None => body.push(format!("{call};")),
                }
                if callee.has_array {
                    body.push(format!("a{step}[0] = null;"));
                }
            }
        }
    }
    body
}

impl Proc {
    /// Promises or does less.
    pub fn weaken(&mut self, chance: &mut Chance) {
        let returns = usize::from(self.result.is_some());
        if self.ensures != "true" && chance.one_in(3) {
            self.ensures = "true".into();
        } else if self.modifies.len() < VARIABLES.len() && chance.one_in(3) {
            self.modifies = VARIABLES.to_vec();
        } else if self.body.len() > returns {
            self.body.remove(chance.below(self.body.len() - returns));
        } else {
            self.ensures = "true".into();
            self.requires = if self.has_object { "requires (card(e) = 1) ".into() } else { String::new() };
            let plain = self.result.map(|ty| if ty == "bool" { "return false;" } else { "return null;" });
            self.body = plain.into_iter().map(str::to_owned).collect();
        }
    }
}

impl Program {
    /// Main does less, and nothing has to hold at the start.
    pub fn weaken_main(&mut self, chance: &mut Chance) {
        if self.main.len() > 1 {
            let line = self.main.remove(1 + chance.below(self.main.len() - 1));
            // What is declared goes with all that uses it.
            if let Some(name) = line.split_whitespace().nth(1).filter(|_| line.starts_with("E[]")) {
                self.main.retain(|other| !other.contains(&format!("{name}[")) && !other.contains(&format!("{name})")));
            }
        } else {
            self.main_requires = "";
            self.spec_invariant = None;
            self.called_back = None;
        }
        if chance.one_in(4) {
            self.main_requires = "";
        }
    }

    /// What each procedure says that it modifies: all that its callees do as well.
    fn listed(&self) -> Vec<Vec<&'static str>> {
        let mut all: Vec<Vec<&'static str>> = Vec::new();
        for proc in &self.procs {
            let calls = |name: &str| proc.body.iter().any(|s| s.contains(&format!("{name}(")));
            let mut listed = if calls("N.ping") { VARIABLES.to_vec() } else { proc.modifies.clone() };
            let inner = self.procs.iter().zip(&all).filter(|(callee, _)| calls(&callee.name));
            listed.extend(inner.flat_map(|(_, variables)| variables.iter().copied()));
            listed.sort_unstable();
            listed.dedup();
            all.push(listed);
        }
        all
    }

    /// `.fl`, `.sl`, `.al`.
    pub fn texts(&self) -> [String; 3] {
        let mut fl = "impl module M {\nformat E { on : bool; next : E; }\nvar n : int;\nvar flag : bool;\n".to_owned();
        fl += "reference root : E;\nreference d : E[];\nreference spare : E[];\n";
        let mut sl = format!("spec module M {{\nformat E;\nspecvar {SETS} : E set;\nspecvar flag : bool;\n");
        if let Some(invariant) = self.spec_invariant {
            let _ = writeln!(sl, "invariant {invariant};");
        }
        let listed = self.listed();
        for (number, proc) in self.procs.iter().enumerate() {
            let mut formals = Vec::new();
            formals.extend(proc.has_object.then_some("e : E"));
            formals.extend(proc.has_array.then_some("a : E[]"));
            let result = proc
                .result
                .map_or(String::new(), |ty| format!(" returns {} : {ty}", if ty == "bool" { "b" } else { "r" }));
            let head = format!(
                "{}proc {}({}){result}",
                if proc.private { "private " } else { "" },
                proc.name,
                formals.join("; ")
            );
            let _ = writeln!(fl, "{head} {{\n{}\n}}", proc.body.join("\n"));
            let _ = writeln!(sl, "{head} {}{}ensures {};", proc.requires, modified(&listed[number]), proc.ensures);
        }
        let (mut ping, mut required) = (String::new(), "requires card(e) = 1 ".to_owned());
        if let Some(back) = self.called_back.map(|p| &self.procs[p]) {
            ping = format!("M.{}({});", back.name, if back.has_object { "e" } else { "" });
            if !back.requires.is_empty() {
                required = in_other_module(&back.requires);
            }
        }
        let all = "M.On, M.L, M.D, M.flag";
        let _ = write!(fl, "}}\nimpl module N {{\nproc ping(e : E) {{\n{ping}\n}}\n}}\n");
        let _ = write!(sl, "}}\nspec module N {{\nproc ping(e : E) {required}modifies {all} ensures true;\n}}\n");
        let _ = write!(fl, "impl module Main {{\nproc main() {{\n{}\n}}\n}}\n", self.main.join("\n"));
        let _ = write!(sl, "spec module Main {{\nproc main() {}modifies {all} ensures true;\n}}\n", self.main_requires);
        let mut al = "abst module M {\n".to_owned();
        let at = |plugin: &str| self.sections.iter().position(|p| *p == plugin).unwrap_or(0);
        for (i, plugin) in self.sections.iter().enumerate() {
            let _ = writeln!(al, "use plugin \"{plugin}\" for {{");
            if i == at("flags") {
                al +=
                    if *plugin == "flags" { "On = {x : E | \"x.on = true\"};\n" } else { "On = {x : E | \"x.on\"};\n" };
            }
            if i == at("bounded") {
                al += "L = {x : E | \"root<next*>x\"};\nD = {x : E | \"exists i : int. d[i] = x\"};\n";
            }
            if i == 0 {
                al += "predvar flag;\n";
            }
            for invariant in &self.invariants[i] {
                let _ = writeln!(al, "invariant \"{invariant}\";");
            }
            let procs: Vec<&str> = self.procs.iter().filter(|p| p.section == i).map(|p| p.name.as_str()).collect();
            if !procs.is_empty() {
                let _ = writeln!(al, "procs {};", procs.join(", "));
            }
            al += "}\n";
        }
        al += "}\nabst module N { use plugin \"flags\"; }\nabst module Main { use plugin \"flags\"; }\n";
        [fl, sl, al]
    }
}

fn modified(variables: &[&str]) -> String {
    if variables.is_empty() { String::new() } else { format!("modifies {} ", variables.join(", ")) }
}

/// Names of M as another module writes them, and an object that is there.
fn in_other_module(requires: &str) -> String {
    let mut text = requires.to_owned();
    for name in ["On", "flag"] {
        text = text.replace(name, &format!("M.{name}"));
    }
    for name in ["L", "D"] {
        for (before, after) in [("(", " "), (" ", ")"), (" ", " ")] {
            text = text.replace(&format!("{before}{name}{after}"), &format!("{before}M.{name}{after}"));
        }
    }
    if text.contains("card(e)") { text } else { text.replacen("requires ", "requires (card(e) = 1) & ", 1) }
}
