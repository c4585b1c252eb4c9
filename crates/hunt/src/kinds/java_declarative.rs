//! Random declarative code that allocates: constructors, copies of lists and trees, temporaries that do not get out, arrays of its
//! own, loops and recursion on numbers that go in circles; and operations that call it, write into what it returned, and compare
//! identities. Compared: the glass box, the loop over models, and the exhaustive engine.

use crate::{Apart, Found, Kind, found};
use ir::check::Judgement;
use ir::heap::Heap;
use ir::interp::{Limits, Linked, run_statics, snapshot};
use ir::replay::replay;
use ir::space::{Shape, Space};
use ir::{Checked, Operation};
use search::{GlassBox, Options, Outcome, Strategy, exhaustive, search_models};
use source::SourceMap;
use std::sync::Arc;
use std::time::Duration;
use work::Chance;
use work::with_room;

pub fn kind() -> Kind {
    Kind {
        name: "java-declarative",
        about: "random declarative code that allocates or goes in circles, and operations that use it, by three engines",
        ci: 12,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    attempt_on(&class(&mut Chance::new(seed)))
}

/// The first operation of a class, by three engines.
pub(super) fn attempt_on(text: &str) -> Found {
    found(text, compare)
}

/// What every class has: cells in a tree or in a pool, and declarative code that makes some.
const HEAD: &str = "    static class Cell {
        int v; Cell next; Cell other;
        @Declarative Cell(int v) { this.v = v; }
        @Declarative Cell(int v, Cell next) { this(v); this.next = next; }
        @Declarative Cell(Cell like, boolean isDeep) {
            v = like.v;
            if (isDeep) next = like.next == null ? null : new Cell(like.next, false);
            else next = like.next;
        }
    }
    static class Pair { Cell a; Cell b; @Declarative Pair(Cell a, Cell b) { this.a = a; this.b = b; } }
    static class Lazy { int v = 3; Cell made = new Cell(v); }
";

/// Declarative methods; each may use those before it.
const METHODS: [&str; 17] = [
    "@Declarative static Cell make(int v) { return new Cell(v); }",
    "@Declarative static Cell copy(Cell c, int most) { return c == null || most == 0 ? null : new Cell(c.v, copy(c.next, most - 1)); }",
    "@Declarative static Cell either(int v, Cell c) { Cell mine = new Cell(v); return v > 0 ? mine : c; }",
    "@Declarative static Cell deep(Cell c) { return c == null ? new Cell(9) : new Cell(c, true); }",
    "@Declarative static int sum(int v) { Cell a = new Cell(v), b = new Cell(v); return a == b ? 50 : a.v + b.v; }",
    "@Declarative static boolean fresh(Cell c) { return new Cell(1) != c && new Cell(c, false).next == c.next; }",
    "@Declarative static Pair pair(int v, Cell c) { Cell one = new Cell(v, c); return new Pair(one, v > 0 ? one : new Cell(v)); }",
    "@Declarative int[] row(int k) { int[] a = new int[k]; for (int i = 0; i < k; i++) a[i] = x + i; return a; }",
    "@Declarative int[] marked(int k) { int[] a = new int[2]; a[k % 2] = x; if (k > 1) a[0] = 7; return a; }",
    "@Declarative static Cell last(Cell c, int most) { Cell d = c; while (d != null && d.next != null && most > 0) { d = d.next; most--; } return d; }",
    "@Declarative static Cell stack(int k) { Cell top = null; for (int i = 0; i < k; i++) top = new Cell(i, top); return top; }",
    "@Declarative static int ring(int a, int b) { int j = a, k = 0; while (j != b) { j = (j + 1) % 3; k++; } return k; }",
    "@Declarative static int skip(int a, int b) { return a == b ? 0 : 1 + skip((a + 2) % 4, b); }",
    "@Declarative static Cell[] cells(Cell c) { Cell[] all = new Cell[] { c, null }; all[1] = new Cell(4, c); return all; }",
    "@Declarative static Integer box(int v) { return v + 126; }",
    "@Declarative int seen(int k) { boolean[] was = new boolean[3]; int n = 0; while (!was[k]) { was[k] = true; k = (k + x) % 3; n++; } return n; }",
    // The same questions about the same objects before and after a write.
    "@Declarative static Cell twin(Cell c, int most) { return c == null || most == 0 ? null : new Cell(c.v, twin(c.next, most - 1)); }
    @Declarative static boolean alike(Cell c, Cell d, int most) { return most == 0 || (c == null ? d == null : d != null && c != d && c.v == d.v && alike(c.next, d.next, most - 1)); }
    @Declarative static boolean has(Cell c, int v, int most) { return most > 0 && c != null && (c.v == v || has(c.next, v, most - 1)); }
    @Declarative static boolean twinned(Cell c, int v) { Cell d = twin(c, 2); return alike(d, c, 2) && has(d, v, 2); }",
];

/// Values by the methods they need: cells, then numbers, then conditions.
const CELLS: [(&str, usize); 12] = [
    ("make(N)", 0),
    ("copy(C, 2)", 1),
    ("copy(head, N)", 1),
    ("either(N, C)", 2),
    ("deep(C)", 3),
    ("pair(N, C).a", 6),
    ("pair(x, C).b", 6),
    ("last(C, 2)", 9),
    ("stack(N)", 10),
    ("cells(C)[1]", 13),
    ("cells(C)[0]", 13),
    ("(C == null ? null : C.next)", 99),
];
const NUMBERS: [(&str, usize); 9] = [
    ("sum(N)", 4),
    ("row(x + 1)[0]", 7),
    ("row(2)[1]", 7),
    ("marked(x)[0]", 8),
    ("marked(N)[1]", 8),
    ("ring(x, N)", 11),
    ("skip(x, N)", 12),
    ("seen(N)", 15),
    ("(C == null ? 0 : C.v)", 99),
];
const CONDITIONS: [(&str, usize); 11] = [
    ("C == C", 99),
    ("C != C", 99),
    ("N == N", 99),
    ("N < N", 99),
    ("(C == null || fresh(C))", 5),
    ("box(N) == box(N)", 14),
    ("(C == null || C.v == N)", 99),
    ("(C == null || C.next != C)", 99),
    ("twinned(C, N)", 16),
    ("(twinned(head, 0) || twinned(head, 1))", 16),
    ("(head == null || twinned(head, head.v))", 16),
];

struct Maker<'c> {
    chance: &'c mut Chance,
    has: Vec<usize>,
    /// Names of cells in scope.
    cells: Vec<String>,
    /// How many methods there are that make something of a cell, and that tell something about one, out of what is above.
    made: usize,
    told: usize,
}

impl Maker<'_> {
    fn pick(&mut self, from: &[(&'static str, usize)]) -> Option<&'static str> {
        let fitting: Vec<_> = from.iter().filter(|(_, needs)| *needs == 99 || self.has.contains(needs)).collect();
        (!fitting.is_empty()).then(|| self.chance.pick(&fitting).0)
    }

    /// A template with its holes filled.
    fn fill(&mut self, template: &str, depth: u32) -> String {
        let mut text = String::new();
        let letters: Vec<char> = template.chars().collect();
        for (i, &c) in letters.iter().enumerate() {
            let is_alone = |at: Option<&char>| at.is_none_or(|c| !c.is_alphanumeric());
            let is_hole = (i == 0 || is_alone(letters.get(i - 1))) && is_alone(letters.get(i + 1));
            match c {
                'C' if is_hole => text += &self.cell(depth),
                'N' if is_hole => text += &self.number(depth),
                _ => text.push(c),
            }
        }
        text
    }

    fn cell(&mut self, depth: u32) -> String {
        if depth > 0 && self.made > 0 && self.chance.one_in(4) {
            let number = self.chance.below(self.made);
            return format!("made{number}({})", self.cell(depth - 1));
        }
        match self.pick(&CELLS) {
            Some(template) if depth > 0 && self.chance.one_in(2) => self.fill(template, depth - 1),
            _ => self.chance.pick(&self.cells.clone()).clone(),
        }
    }

    fn number(&mut self, depth: u32) -> String {
        match self.pick(&NUMBERS) {
            Some(template) if depth > 0 && self.chance.one_in(2) => self.fill(template, depth - 1),
            _ => self.chance.pick(&["x", "0", "1", "2"]).to_string(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if self.told > 0 && self.chance.one_in(3) {
            let number = self.chance.below(self.told);
            return format!("told{number}({})", self.cell(depth));
        }
        if self.chance.one_in(4) {
            // The same call twice makes two objects, or none.
            let cell = self.cell(2);
            return format!("{cell} {} {cell}", self.chance.pick(&["==", "!="]));
        }
        let template = self.pick(&CONDITIONS).unwrap_or("C == C");
        self.fill(template, depth)
    }

    /// Declarative methods made of others: what they make lives as long as the condition that asks for it.
    fn methods(&mut self) -> String {
        let mut text = String::new();
        let scope = self.cells.len();
        self.cells.push("p".into());
        for _ in 0..self.chance.below(3) {
            let (one, other) = (self.cell(2), self.cell(2));
            text +=
                &format!("    @Declarative Cell made{}(Cell p) {{ return p == null ? {one} : {other}; }}\n", self.made);
            self.made += 1;
        }
        for _ in 0..self.chance.below(4) {
            let local = self.cell(2);
            self.cells.push("q".into());
            let (one, other) = (self.condition(2), self.condition(2));
            self.cells.pop();
            let op = self.chance.pick(&["&&", "||", "&", "=="]);
            text += &format!(
                "    @Declarative boolean told{}(Cell p) {{ Cell q = {local}; return ({one}) {op} ({other}); }}\n",
                self.told
            );
            self.told += 1;
        }
        self.cells.truncate(scope);
        text
    }

    /// A condition that holds more often, so that more is verified.
    fn wide(&mut self) -> String {
        let (one, other) = (self.condition(2), self.condition(2));
        format!("{one} || {other}{}", self.chance.pick(&["", " || x == 0", " || head == null"]))
    }

    fn statement(&mut self, number: usize) -> String {
        let (one, other) = (self.cell(1), self.cell(0));
        match self.chance.below(10) {
            9 => {
                let made = self.cell(2);
                format!("{{ Cell d = {made}; if (d != null) {{ d.v = 7; assert {made}.v != 7; }} }}")
            }
            0 | 1 => {
                let made = self.cell(2);
                let name = format!("c{number}");
                self.cells.push(name.clone());
                format!("Cell {name} = {made};")
            }
            2 => {
                let value = self.number(1);
                format!("if ({other} != null) {other}.v = {value};")
            }
            3 => format!("if ({other} != null) {other}.next = {one};"),
            4 => format!("head = {one};"),
            5 => format!("x = {} & 1;", self.number(1)),
            6 => "{ Lazy lazy = new Lazy(); lazy.made.v++; assert new Lazy().made.v == 3; }".to_string(),
            _ => format!("assert {};", self.wide()),
        }
    }
}

/// A class, a statement per line.
fn class(chance: &mut Chance) -> String {
    let has: Vec<usize> = (0..METHODS.len()).filter(|_| chance.one_in(3)).collect();
    let is_tree = chance.one_in(2);
    let mut text = String::from("import glassbox.*;\nclass C {\n");
    let head = HEAD.replace("int v; Cell next;", "@Range(\"0..1\") int v; Cell next;");
    text += &if is_tree { head.replace("Cell next; Cell other", "@Tree Cell next; Cell other") } else { head };
    text += if is_tree { "    @Tree Cell head;\n" } else { "    Cell head;\n" };
    text += "    @Range(\"0..1\") int x;\n";
    for &method in &has {
        text += &format!("    {}\n", METHODS[method]);
    }
    let cells = if is_tree { vec!["head"] } else { vec!["head", "(head == null ? null : head.next)"] };
    let cells = cells.into_iter().map(String::from).collect();
    let mut maker = Maker { chance, has, cells, made: 0, told: 0 };
    text += &maker.methods();
    text += "    @Declarative boolean repOk() {\n        return true\n";
    for _ in 0..maker.chance.below(3) {
        text += &format!("            && ({} || x == 0)\n", maker.condition(2));
    }
    text += "        ;\n    }\n";
    if maker.chance.one_in(4) {
        let after = maker.wide();
        text += &format!("    @Declarative @Post(\"op()\") boolean after(C before) {{ return {after}; }}\n");
    }
    text += "    @Check void op() {\n";
    if maker.chance.one_in(2) {
        text += "        int begins = 0;\n";
    }
    for number in 0..1 + maker.chance.below(4) {
        text += &format!("        {}\n", maker.statement(number));
    }
    text += &format!("        assert {};\n    }}\n", maker.wide());
    text + "}\n"
}

const SIZE: i64 = 2;
const STEPS: u64 = 20_000;

fn compare(text: &str) -> Result<&'static str, Apart> {
    let mut sources = SourceMap::default();
    let files = vec![sources.add("C.java", text)];
    let inputs = java::Inputs::new(&mut sources, files);
    let loaded = java::load(inputs).map_err(|problems| Apart::Skipped(problems[0].message.clone()))?;
    let linked = Linked::new(&loaded.program);
    let heap = run_statics(&linked, SIZE).map_err(|stop| Apart::Skipped(format!("{stop:?}")))?;
    let Some((checked, operation)) = loaded.checked.iter().find_map(|c| Some((c, c.operations.first()?))) else {
        return Err(Apart::Skipped("nothing to check".into()));
    };
    let subject = Subject { linked: &linked, heap: &heap, checked, operation };
    let ways = ["glass box", "models", "exhaustive"];
    let mut answers = Vec::new();
    for way in ways {
        answers.push((way.to_string(), subject.ask(way)?));
    }
    // What one engine does not carry is another one's to decide.
    let decided: Vec<&String> = answers.iter().map(|a| &a.1).filter(|a| !a.starts_with("unsupported")).collect();
    match decided[..] {
        [] | [_] => Err(Apart::Skipped(answers[0].1.clone())),
        [first, ..] if decided.iter().all(|a| *a == first) => Ok(match first.as_str() {
            "verified" => "verified",
            "violated" => "violated",
            _ => "nothing",
        }),
        _ => Err(Apart::Disagreed(answers)),
    }
}

struct Subject<'a> {
    linked: &'a Linked<'a>,
    heap: &'a Heap,
    checked: &'a Checked,
    operation: &'a Operation,
}

impl Subject<'_> {
    fn ask(&self, way: &str) -> Result<String, Apart> {
        let (program, checked, operation) = (self.linked.program, self.checked, self.operation);
        let statics = Arc::new(snapshot(self.linked, self.heap));
        let space = Space::new(program, checked, operation, SIZE, Shape::Complete, &statics.objects)
            .map(Arc::new)
            .map_err(|problem| Apart::Skipped(problem.message))?;
        let options = Options {
            size: SIZE,
            shape: Shape::Complete,
            strategy: Strategy::Execution,
            limits: symex::Limits { steps: STEPS, nodes: 1_000_000, ..symex::Limits::default() },
            stop: work::Stop::after(Duration::from_secs(5)),
            ..Default::default()
        };
        let search = || match way {
            "glass box" => GlassBox::new(program, &space, &statics, checked, operation, &options).search(),
            "models" => search_models(program, &space, &statics, checked, operation, &options).0,
            _ => exhaustive::search(self.linked, self.heap, &space, checked, operation, &options).0,
        };
        let outcome = with_room(search).unwrap_or_else(|e| Outcome::Rejected(e.to_string()));
        Ok(match outcome {
            Outcome::Verified => "verified".into(),
            Outcome::NoState => "no state".into(),
            Outcome::AllDropped => "all dropped".into(),
            Outcome::Violated(concrete) => {
                let limits = Limits { steps: STEPS, ..Limits::default() };
                let run = || replay(self.linked, self.heap, &space, &concrete, checked, operation, limits).judgement;
                match with_room(run) {
                    Ok(Judgement::Violated(_)) => "violated".into(),
                    Ok(Judgement::Unknown(_)) => return Err(Apart::Skipped("a limit".into())),
                    other => format!("does not replay: {other:?}"),
                }
            }
            Outcome::Stopped(symex::Stop::Unsupported(problem)) => format!("unsupported: {}", problem.message),
            Outcome::Stopped(symex::Stop::Interrupted | symex::Stop::Steps(_)) => {
                return Err(Apart::Skipped("a limit".into()));
            }
            other => format!("{other:?}"),
        })
    }
}
