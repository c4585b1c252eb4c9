//! A random module as text, one statement, clause or definition per line: some of the fields and variables that there could be, sets
//! by flags, routes, arrays and integers, invariants in one of up to three sections, procedures that call each other.

use work::Chance;

/// Between the three sections of a module.
pub const CUT: &str = "//////";

/// What a module may have: name, type, and once in how many modules.
const FIELDS: [(&str, &str, usize); 5] =
    [("k", "int", 2), ("on", "bool", 2), ("next", "E", 2), ("own", "E[]", 3), ("link", "F", 8)];
const VARIABLES: [(&str, &str, usize); 7] = [
    ("size", "int", 2),
    ("flag", "bool", 3),
    ("root", "E", 2),
    ("tab", "E[]", 2),
    ("num", "int[]", 5),
    ("spare", "E[]", 4),
    ("grid", "E[][]", 12),
];

type Typed = (&'static str, &'static str);

struct Proc {
    name: String,
    formals: Vec<Typed>,
    modifies: Vec<&'static str>,
    section: usize,
}

struct Maker<'c> {
    chance: &'c mut Chance,
    numbers: Vec<i64>,
    fields: Vec<Typed>,
    variables: Vec<Typed>,
    /// Plugins.
    sections: Vec<&'static str>,
    sets: Vec<&'static str>,
    /// Those that were made.
    procs: Vec<Proc>,
    /// Of the procedure that is being made: its formals, and what its callees modify.
    formals: Vec<Typed>,
    modified: Vec<&'static str>,
}

pub fn random(chance: &mut Chance) -> String {
    let far = [0, 1, 2, 3, 5, 63, 64, 100, 255, 1000, -1, -2, -64, -1000];
    let numbers = (0..2).map(|_| *chance.pick(&far)).collect();
    let sections = match chance.below(5) {
        0..=2 => vec!["bounded"],
        3 => vec!["flags", "bounded"],
        _ => vec!["bounded", "flags", "bounded"],
    };
    let mut some = |from: &[(&'static str, &'static str, usize)], always: &str| -> Vec<Typed> {
        from.iter()
            .filter(|(name, _, n)| *name == always || chance.one_in(*n))
            .map(|(name, ty, _)| (*name, *ty))
            .collect()
    };
    let fields = some(&FIELDS, if sections.len() > 1 { "on" } else { "k" });
    let variables = some(&VARIABLES, "");
    let mut maker = Maker {
        chance,
        numbers,
        fields,
        variables,
        sections,
        sets: Vec::new(),
        procs: Vec::new(),
        formals: Vec::new(),
        modified: Vec::new(),
    };
    maker.module()
}

impl Maker<'_> {
    fn has(&self, name: &str) -> bool {
        self.fields.iter().chain(&self.variables).any(|(n, _)| *n == name)
    }

    fn number(&mut self) -> i64 {
        let k = self.chance.below(self.numbers.len());
        self.numbers[k]
    }

    fn set(&mut self) -> &'static str {
        let k = self.chance.below(self.sets.len());
        self.sets[k]
    }

    fn module(&mut self) -> String {
        let mut definitions = self.definitions();
        while definitions.len() > 1 + self.chance.below(3) {
            definitions.remove(self.chance.below(definitions.len()));
        }
        if self.sections.len() > 1 && definitions.iter().all(|(name, _)| *name != "On") {
            definitions.push(("On", "x.on = true".into()));
        }
        self.sets = definitions.iter().map(|(name, _)| *name).collect();

        let mut code = String::from("impl module M {\n format E {\n");
        for (name, ty) in &self.fields {
            code += &format!("  {name} : {ty};\n");
        }
        code += " }\n";
        if self.has("link") {
            code += " format F { back : E; }\n";
        }
        for (name, ty) in &self.variables {
            let word = if matches!(*ty, "int" | "bool") { "var" } else { "reference" };
            code += &format!(" {word} {name} : {ty};\n");
        }
        let mut specification = format!("spec module M {{\n format E;\n specvar {} : E set;\n", self.sets.join(", "));
        if self.has("flag") {
            specification += " specvar flag : bool;\n";
        }
        for k in 0..2 + self.chance.below(2) {
            self.proc(&format!("p{k}"), &mut code, &mut specification);
        }
        let abstraction = self.abstraction(&definitions);
        format!("{code}}}\n{CUT}\n{specification}}}\n{CUT}\n{abstraction}")
    }

    fn abstraction(&mut self, definitions: &[(&'static str, String)]) -> String {
        let mut text = String::from("abst module M {\n");
        let last = self.sections.len() - 1;
        for (i, plugin) in self.sections.clone().into_iter().enumerate() {
            text += &format!(" use plugin \"{plugin}\"{}\n", if last > 0 { " for {" } else { ";" });
            let flags = self.sections.iter().position(|p| *p == "flags").unwrap_or(0);
            for (name, formula) in definitions {
                if i == if *name == "On" { flags } else { last } {
                    text += &format!(" {name} = {{ x : E | \"{formula}\" }};\n");
                }
            }
            if i == 0 && self.has("flag") {
                text += " predvar flag;\n";
            }
            for _ in 0..if plugin == "bounded" { self.chance.below(3) } else { 0 } {
                text += &format!(" invariant \"{}\";\n", self.invariant());
            }
            let procs: Vec<&str> = self.procs.iter().filter(|p| p.section == i).map(|p| p.name.as_str()).collect();
            if last > 0 && !procs.is_empty() {
                text += &format!(" procs {};\n", procs.join(", "));
            }
            if last > 0 {
                text += " }\n";
            }
        }
        text + "}\n"
    }

    /// The sets that there could be.
    fn definitions(&mut self) -> Vec<(&'static str, String)> {
        let (c0, c1) = (self.number(), self.number());
        let mut all: Vec<(&'static str, String)> = Vec::new();
        if self.has("k") {
            all.push(("A", format!("x.k = {c0}")));
            all.push(match self.chance.below(3) {
                0 => ("B", format!("exists i : int. {c0} < i & i <= {c1} & x.k = i")),
                1 => ("B", format!("not (forall i : int. i >= x.k => i > {c0})")),
                _ => ("B", format!("exists i : int. exists j : int. {c1} <= i & i < j & j <= x.k & j != {c0}")),
            });
        }
        if self.has("on") {
            all.push(("On", "x.on = true".into()));
        }
        if self.has("root") {
            all.push(("R", "x = root".into()));
            if self.has("next") {
                let route = *self.chance.pick(&["next*", "next+", "next.next", "next?"]);
                all.push(("C", format!("root<{route}>x")));
            }
            if self.has("link") {
                all.push(("L", "root<link.back>x".into()));
            }
        }
        if self.has("next") {
            // Circles, wherever they are.
            all.push(("Z", "exists y : E. x<next>y & y<next>x & x != y".into()));
        }
        if self.has("tab") {
            let limit = if self.has("size") { "i < size & " } else { "" };
            all.push(("D", format!("exists i : int. 0 <= i & {limit}tab[i] = x")));
        }
        if self.has("num") && self.has("k") {
            all.push(("N", "exists i : int. num[i] = x.k".into()));
        }
        if self.has("own") {
            all.push(("O", "exists y : E. exists i : int. y.own[i] = x".into()));
            all.push(("W", "x.own[0] != null".into()));
        }
        if self.has("grid") {
            all.push(("G", "exists i : int. exists j : int. grid[i][j] = x".into()));
        }
        all
    }

    fn invariant(&mut self) -> String {
        let c = self.number();
        let mut all: Vec<String> = Vec::new();
        let mut add = |needed: &[&str], texts: &[&str]| {
            if needed.iter().all(|name| self.has(name)) {
                all.extend(texts.iter().map(|t| t.replace('#', &c.to_string())));
            }
        };
        add(&["size"], &["0 <= size", "size < #", "exists i : int. i > # & i < size"]);
        add(&["k"], &["forall x : E. x.k <= #"]);
        add(&["size", "k"], &["forall x : E. forall i : int. (i < x.k & 0 <= i) => i < size"]);
        add(&["next"], &["forall x : E. not x<next+>x"]);
        add(&["root", "flag"], &["flag <=> root != null"]);
        add(&["root", "on"], &["root != null => root.on"]);
        add(&["on"], &["forall x : E. forall y : E. x.on & y.on => x = y"]);
        add(&["link"], &["forall x : E. x.link != null => x.link.back = x"]);
        add(
            &["tab"],
            &[
                "tab != null",
                "tab != null => tab.length > 0 & tab[0] != null",
                "forall i : int. tab[i + 1] != null => (tab[i] != null | i < #)",
                "forall i : int. forall j : int. 0 <= i & i < j & tab[j] != null => tab[i] != tab[j]",
            ],
        );
        add(
            &["tab", "size"],
            &["tab != null & size <= tab.length", "forall i : int. 0 <= i & i < size => tab[i] != null"],
        );
        add(&["tab", "spare"], &["tab != spare", "spare != null => spare = tab"]);
        add(
            &["num"],
            &[
                "forall i : int. num[i] <= num[i + 1] | num[i + 1] < #",
                "forall i : int. (exists j : int. num[j] = i) => 0 <= i",
            ],
        );
        add(&["num", "size"], &["forall i : int. 0 <= i & i < size => num[size - 1 - i] >= 0"]);
        add(
            &["own"],
            &[
                "forall x : E. x.own != null => x.own.length > 0",
                "forall x : E. forall y : E. (x != y & x.own != null) => x.own != y.own",
                "forall x : E. forall i : int. x.own[i] != x",
            ],
        );
        // What only null breaks.
        add(&["own", "flag"], &["flag => (forall x : E. x.own != null)"]);
        add(&["tab", "flag"], &["flag => tab != null"]);
        add(&["next", "flag"], &["flag => (forall x : E. x.next != null)"]);
        add(&["own", "tab"], &["forall x : E. x.own != tab"]);
        add(&["grid"], &["forall i : int. forall j : int. grid[i][j] != null => grid[i][0] != null"]);
        if all.is_empty() { "true".into() } else { self.chance.pick(&all).clone() }
    }

    /// What has that type: variables, formals, fields of objects, elements; what must hold for it to be there.
    fn places(&mut self, ty: &str, with_formals: bool) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        let named = |from: &[Typed]| {
            from.iter().filter(|(_, t)| *t == ty).map(|(n, _)| (n.to_string(), String::new())).collect::<Vec<_>>()
        };
        all.extend(named(&self.variables));
        if with_formals {
            all.extend(named(&self.formals));
        }
        let roots: Vec<Typed> = self.variables.iter().chain(&self.formals).copied().collect();
        for (root, _) in roots.iter().filter(|(_, t)| *t == "E") {
            let fields = self.fields.iter().filter(|(_, t)| *t == ty);
            all.extend(fields.map(|(f, _)| (format!("{root}.{f}"), format!("{root} != null"))));
            if ty == "E" && self.has("link") {
                all.push((format!("{root}.link.back"), format!("{root} != null && {root}.link != null")));
            }
        }
        for (root, _) in roots.iter().filter(|(_, t)| t.strip_suffix("[]") == Some(ty)) {
            let index = self.index();
            all.push((
                format!("{root}[{index}]"),
                format!("{root} != null && {index} >= 0 && {index} < {root}.length"),
            ));
        }
        if ty == "E" && self.has("own") && roots.iter().any(|(n, _)| *n == "e") {
            all.push(("e.own[0]".into(), "e != null && e.own != null && e.own.length > 0".into()));
        }
        all
    }

    /// A place, or what stands for it if there is none; often with what must hold for it to be there.
    fn place(&mut self, ty: &str, otherwise: &str) -> (String, String) {
        let all = self.places(ty, true);
        let (text, guard) =
            if all.is_empty() { (otherwise.into(), String::new()) } else { self.chance.pick(&all).clone() };
        if self.chance.one_in(8) { (text, String::new()) } else { (text, guard) }
    }

    fn index(&mut self) -> String {
        let mut all = vec!["0", "0", "1"];
        all.extend(["size", "i"].into_iter().filter(|n| self.has(n) || self.formals.iter().any(|(f, _)| f == n)));
        self.chance.pick(&all).to_string()
    }

    /// A value of that type, and what must hold for it to be there.
    fn value(&mut self, ty: &str) -> (String, String) {
        match (ty, self.chance.below(6)) {
            ("int", 0 | 1) => (self.number().to_string(), String::new()),
            ("int", 2) => (self.index(), String::new()),
            ("int", 3) => {
                let (array, guard) = self.place("E[]", "");
                if array.is_empty() {
                    return ("1".into(), guard);
                }
                let is_there = if self.chance.one_in(3) { String::new() } else { format!("{array} != null") };
                (format!("{array}.length"), joined(&guard, &is_there))
            }
            ("int", 4) => {
                let (place, guard) = self.place("int", "0");
                (format!("{place} {} 1", self.chance.pick(&["+", "-"])), guard)
            }
            ("int", _) => self.place("int", "0"),
            ("bool", 0) => (self.chance.pick(&["true", "false"]).to_string(), String::new()),
            ("bool", 1 | 2) => self.condition(),
            ("bool", _) => self.place("bool", "true"),
            (_, 0) => ("null".into(), String::new()),
            ("E" | "F", 1) => (format!("new {ty}()"), String::new()),
            ("E[][]", 1) => ("new E[2][1]".into(), String::new()),
            ("E[]" | "int[]", 1 | 2) => {
                let length = *self.chance.pick(&["0", "1", "2", "70"]);
                (format!("new {}", ty.replace("[]", &format!("[{length}]"))), String::new())
            }
            _ => self.place(ty, "null"),
        }
    }

    fn condition(&mut self) -> (String, String) {
        let ty = *self.chance.pick(&["int", "int", "E", "E[]", "bool"]);
        let ((a, first), (b, second)) = match ty {
            "int" => (self.value("int"), self.value("int")),
            "bool" => return self.place("bool", "true"),
            _ => (self.place(ty, "null"), self.place(ty, "null")),
        };
        let ops: &[&str] = if ty == "int" { &["==", "!=", "<", "<=", ">", ">="] } else { &["==", "!="] };
        let b = if ty != "int" && self.chance.one_in(2) { "null".into() } else { b };
        (format!("{a} {} {b}", self.chance.pick(ops)), joined(&first, &second))
    }

    fn statements(&mut self, depth: usize, indent: usize, code: &mut String) {
        for _ in 0..1 + self.chance.below(3) {
            self.statement(depth, indent, code);
        }
    }

    fn statement(&mut self, depth: usize, indent: usize, code: &mut String) {
        let space = " ".repeat(indent);
        let (line, guard) = match self.chance.below(10) {
            0 | 1 if depth > 0 => {
                let (condition, guard) = self.condition();
                *code += &format!("{space}if ({}) {{\n", joined(&guard, &condition));
                self.statements(depth - 1, indent + 1, code);
                if self.chance.one_in(3) {
                    *code += &format!("{space}}} else {{\n");
                    self.statements(depth - 1, indent + 1, code);
                }
                *code += &format!("{space}}}\n");
                return;
            }
            2 | 3 if !self.procs.is_empty() => self.call(),
            4 => (format!("assert \"{}\";", self.assertion()), String::new()),
            _ => {
                let ty = *self.chance.pick(&["int", "bool", "E", "E", "E[]", "E[]", "int[]", "E[][]", "F"]);
                let places = self.places(ty, false);
                if places.is_empty() {
                    return;
                }
                let (place, first) = self.chance.pick(&places).clone();
                let first = if self.chance.one_in(8) { String::new() } else { first };
                let (value, second) = self.value(ty);
                (format!("{place} = {value};"), joined(&first, &second))
            }
        };
        let line = if guard.is_empty() { line } else { format!("if ({guard}) {{ {line} }}") };
        *code += &format!("{space}{line}\n");
    }

    fn call(&mut self) -> (String, String) {
        let k = self.chance.below(self.procs.len());
        let callee = &self.procs[k];
        let (name, formals) = (callee.name.clone(), callee.formals.clone());
        self.modified.extend(callee.modifies.iter().copied());
        let (mut actuals, mut guard) = (Vec::new(), String::new());
        for (_, ty) in formals {
            let (actual, needed) = self.value(ty);
            guard = joined(&guard, &needed);
            actuals.push(actual);
        }
        (format!("{name}({});", actuals.join(", ")), guard)
    }

    fn assertion(&mut self) -> String {
        let (set, other) = (self.set(), self.set());
        match self.chance.below(4) {
            0 => format!("{set}' = {other}'"),
            1 => format!("{set} <= {set}'"),
            2 if self.has("flag") => format!("flag' => ({set}' != {{}})"),
            _ => format!("({set}' = {{}}) | (not ({set}' = {other}))"),
        }
    }

    fn proc(&mut self, name: &str, code: &mut String, specification: &mut String) {
        self.formals = match self.chance.below(7) {
            0 => vec![("i", "int")],
            1 => vec![("e", "E"), ("i", "int")],
            2 => vec![("a", "E[]")],
            3 => vec![("e", "E"), ("a", "E[]")],
            _ => vec![("e", "E")],
        };
        self.modified.clear();
        let result = [None, None, None, Some("bool"), Some("E"), Some("E[]")][self.chance.below(6)];
        let formals: Vec<String> = self.formals.iter().map(|(name, ty)| format!("{name} : {ty}")).collect();
        let private = if self.chance.one_in(4) { "private " } else { "" };
        let returns = result.map_or(String::new(), |ty| format!(" returns r : {ty}"));
        let head = format!("{private}proc {name}({}){returns}", formals.join("; "));
        *code += &format!(" {head} {{\n");
        self.statements(2, 2, code);
        if let Some(ty) = result {
            let (value, guard) = self.value(ty);
            if !guard.is_empty() {
                *code += &format!("  if ({guard}) {{ return {value}; }}\n");
            }
            let plain = if ty == "bool" { "false" } else { "null" };
            *code += &format!("  return {};\n", if guard.is_empty() { &value } else { plain });
        }
        *code += " }\n";

        let is_object = self.formals[0].0 == "e";
        let (set, other) = (self.set(), self.set());
        let requires = match self.chance.below(5) {
            0 if is_object => format!(" requires (card(e) = 1) & (not (e in {set}))"),
            1 | 2 if is_object => " requires card(e) = 1".into(),
            3 => format!(" requires {set} = {{}}"),
            4 if self.has("flag") => " requires flag".into(),
            _ => String::new(),
        };
        let variables = self.sets.iter().copied().chain(self.has("flag").then_some("flag"));
        let variables: Vec<&'static str> = variables.collect();
        let mut modifies: Vec<&'static str> = Vec::new();
        for variable in variables {
            if self.modified.contains(&variable) || !self.chance.one_in(4) {
                modifies.push(variable);
            }
        }
        let ensures = match self.chance.below(8) {
            0 if is_object => format!("{set}' <= {set} + e"),
            1 if is_object && result == Some("bool") => format!("r' => (e in {set}')"),
            1 if result == Some("E") => format!("(r' = {{}}) | (r' in {set}')"),
            2 => format!("{set}' <= {other}'"),
            3 if is_object => format!("(e in {set}') | ({other}' <= {other})"),
            4 => format!("card({set}') <= 1"),
            5 if self.has("flag") => format!("flag' => ({set}' != {{}})"),
            _ => "true".into(),
        };
        let listed = if modifies.is_empty() { String::new() } else { format!(" modifies {}", modifies.join(", ")) };
        *specification += &format!(" {head}{requires}{listed} ensures {ensures};\n");
        let section = self.chance.below(self.sections.len());
        self.procs.push(Proc { name: name.into(), formals: self.formals.clone(), modifies, section });
    }
}

/// Both conditions.
fn joined(a: &str, b: &str) -> String {
    match (a, b) {
        ("", b) => b.into(),
        (a, "") => a.into(),
        (a, b) => format!("{a} && {b}"),
    }
}
