//! Small reports of each kind. Every text that a user can choose passes through [`Texts`], which may add what would be markup.

use source::{Diagnostic, FileId, SourceMap, Span};
use verdict::heap::{Gap, HeapExample, Snapshot, SnapshotField, SnapshotObject, SnapshotValue, Step};
use verdict::program::{
    Cause, Classes, Derivation, Exercised, Mutant, Part, ProgramExample, ProgramStep, Witness, WitnessKind,
};
use verdict::*;

pub const JAVA: &str = "class Tree {\n  Node root;\n  boolean ordered() { return isOrdered(root); }\n  void insert(int key) {\n    Node at = root;\n    while (at != null) {\n      if (key < at.key) at = at.left;\n      else at = at.right;\n    }\n    root = new Node(key);\n  }\n}\n";
pub const LANG: &str = "language Arith\nsyntax t ::= true | if t then t else t\nrule T-If: t : Bool\nrule E-If: if true then t else u --> t\ncheck progress\n";
pub const DM: &str = "type Order = { price : Integer };\ntotal(o : Order) : Integer { o.price / 0 }\n";
pub const HOB: &str =
    "proc remove(e : Entry)\nrequires e in Live\nmodifies Live\nensures Live' = Live - e\n{ set free = free + e; }\n";
const MARKUP: &str = "<script>window.broken = 1</script>\"'><img src=x onerror=\"window.broken=1\"/>]]>&amp;\u{1}";

/// What texts of users are like.
#[derive(Clone, Copy)]
pub enum Texts {
    Plain,
    /// Meant to break out of the page.
    Markup,
}

pub struct Kit {
    pub sources: SourceMap,
    texts: Texts,
}

impl Kit {
    pub fn new(texts: Texts) -> Kit {
        Kit { sources: SourceMap::default(), texts }
    }

    pub fn text(&self, text: &str) -> String {
        match self.texts {
            Texts::Plain => text.to_string(),
            Texts::Markup => format!("{text}{MARKUP}"),
        }
    }

    /// A file whose lines have the same texts at the same places.
    pub fn file(&mut self, name: &str, text: &str) -> FileId {
        let name = self.text(name);
        let lines: String = text.lines().map(|l| format!("{}\n", self.text(l))).collect();
        self.sources.add(name, lines)
    }

    /// The first place of a text.
    pub fn at(&self, file: FileId, text: &str) -> Span {
        let start = self.sources.file(file).text.find(text).expect("the text");
        Span::new(file, start, start + text.len())
    }

    fn field(&self, name: &str, value: SnapshotValue, is_tree: bool, is_changed: bool) -> SnapshotField {
        SnapshotField { name: self.text(name), value, is_tree, is_changed }
    }

    fn object(&self, name: &str, class: &str, fields: Vec<SnapshotField>) -> SnapshotObject {
        SnapshotObject { name: name.to_string(), class: self.text(class), fields, is_array: false, is_new: false }
    }

    /// `this → n0 → n1`, and an array of numbers; afterwards a new root, and `n0` and `n1` are lost.
    pub fn states(&self) -> (Snapshot, Snapshot) {
        use SnapshotValue::{Null, Object, Text};
        let node = |name: &str, key: &str, left, parent| {
            let key = self.field("key", Text(self.text(key)), false, false);
            let parent = self.field("parent", parent, false, false);
            self.object(
                name,
                "acme.Node",
                vec![key, self.field("left", left, true, false), self.field("right", Null, true, false), parent],
            )
        };
        let items = |is_changed| {
            let cells =
                (0..3).map(|k| self.field(&k.to_string(), Text("7".into()), false, is_changed && k == 1)).collect();
            SnapshotObject { is_array: true, ..self.object("items", "int[]", cells) }
        };
        let this = |root, items, is_changed| {
            let root = self.field("root", Object(root), true, is_changed);
            self.object("this", "acme.Tree", vec![root, self.field("items", Object(items), false, false)])
        };
        let before =
            vec![this(1, 3, false), node("n0", "5", Object(2), Null), node("n1", "3", Null, Object(1)), items(false)];
        let made = SnapshotObject { is_new: true, ..node("n2", "4", Null, Null) };
        let after = vec![this(1, 2, true), made, items(true)];
        (Snapshot { text: None, objects: before }, Snapshot { text: None, objects: after })
    }

    /// A class with one operation that breaks its invariant, one that does not, and one of which nothing is known.
    pub fn class(&mut self) -> Subject {
        let file = self.file("Tree.java", JAVA);
        let at = |text: &str| self.at(file, text);
        let (before, after) = self.states();
        let step = |text: &str, note: &str, depth| Step { span: at(text), note: self.text(note), depth };
        let plain = |text: &str, note: &str, depth| Step { span: at(text), note: note.to_string(), depth };
        let heap = HeapExample {
            before,
            notes: vec![self.text("such states occur")],
            call: self.text("insert(4)"),
            path: vec![
                plain("at != null", "true", 0),
                plain("key < at.key", "true", 0),
                plain("at = at.left", "", 1),
                plain("at != null", "false", 0),
                step("new Node(key)", "new n2", 1),
            ],
            gap: Some(Gap { at: 3, steps: 12 }),
            after: Some(after),
            pictures: Vec::new(),
            outcome: self.text("returned"),
        };
        let problem =
            Diagnostic::error("broken-invariant", at("isOrdered(root)"), self.text("`insert` breaks the invariant"))
                .label(self.text("this clause is false"))
                .related(at("Node root"), self.text("about this field"))
                .help(self.text("compare keys before"));
        let replay = Some(self.text("glassbox check Tree.java --operation insert --size 2"));
        let failure = Failure { problems: vec![problem], example: Some(Example::Heap(heap)), size: Some(2), replay };
        let mut bad = Item::new(ItemKind::Operation, self.text("insert"), Verdict::Violated, Engine::Glassbox);
        bad.span = Some(at("insert"));
        bad.failures.push(failure);
        bad.work = vec![("states_run", 22)];
        let mut good = Item::new(ItemKind::Operation, self.text("contains"), Verdict::Verified, Engine::Exhaustive);
        good.covered.states = Some(12_345);
        good.certified = Some(Certified { by: self.text("an LRAT checker"), checked: 9, proofs: 9 });
        good.statements =
            vec![Statement { method: self.text("contains"), span: at("Node at"), is_reached: Some(false) }];
        good.left_out = vec![LeftOut {
            id: "values-outside",
            message: self.text("states with more keys are left out"),
            remedy: self.text("`@Range(\"0..9\")` brings them in"),
            span: Some(at("Node root")),
            example: Some(self.text("insert(7)")),
            only_json: false,
        }];
        let mut open = Item::new(ItemKind::Operation, self.text("remove"), Verdict::Unknown, Engine::Glassbox);
        open.span = Some(at("root = new"));
        let (state, _) = self.states();
        open.reasons =
            vec![Reason::Steps { span: Some(at("while")), state: Some(Box::new(state)), call: self.text("remove(1)") }];
        let mut subject = Subject::new(SubjectKind::Class, self.text("acme.Tree"));
        subject.size = Some(2);
        subject.scope = self.text("every tree within 3 places");
        subject.items = vec![bad, good, open];
        subject
    }

    pub fn language(&mut self) -> Subject {
        let file = self.file("arith.lang", LANG);
        let at = |text: &str| self.at(file, text);
        let derive = |conclusion: &str, rule: &str, premises| Derivation {
            conclusion: self.text(conclusion),
            rule: self.text(rule),
            premises,
        };
        let leaf = derive("true : Bool", "T-True", Vec::new());
        let other = derive("zero : Nat", "T-Zero", Vec::new());
        let step = |before: &str, after: &str, text: &str| ProgramStep {
            before: self.text(before),
            after: self.text(after),
            rule: self.text("E-If"),
            span: at(text),
            bindings: vec![(self.text("t"), self.text("zero"))],
        };
        let program = ProgramExample {
            size: 4,
            sizes: vec![(self.text("t"), 3), (self.text("u"), 1)],
            parts: vec![
                Part { name: self.text("t"), text: self.text("if true then zero else true"), is_program: true },
                Part { name: self.text("T"), text: self.text("Bool"), is_program: false },
            ],
            derivations: vec![derive("if true then zero else true : Bool", "T-If", vec![leaf, other])],
            steps: vec![
                step("if true then zero else true", "zero", "if true then t else u --> t"),
                step("zero", "stuck", "t : Bool"),
            ],
            failure: self.text("`zero` is not a value"),
            nearest: vec![self.text("E-If would apply")],
            cause: Some(Cause {
                value: self.text("zero"),
                sort: self.text("t"),
                size: 1,
                judgment: self.text("zero : Nat"),
                rule: self.text("E-If"),
                expected: self.text("a Boolean"),
                taken: self.text("true"),
                others: vec![self.text("zero : Any")],
            }),
            replay: self.text("glassbox run arith.lang"),
        };
        let problem = Diagnostic::error("check-fails", at("progress"), self.text("progress fails"));
        let failure =
            Failure { problems: vec![problem], example: Some(Example::Program(program)), size: Some(4), replay: None };
        let mut bad = Item::new(ItemKind::Check, self.text("progress"), Verdict::Violated, Engine::Classes);
        bad.failures.push(failure);
        bad.exercised = Some(Box::new(Exercised {
            classes: Some(Classes { all: 6, non_empty: Some(2), by_rule: vec![(self.text("E-If"), 2)] }),
            programs: Some(40),
            witnesses: vec![Witness {
                kind: WitnessKind::Rule,
                name: self.text("T-If"),
                span: at("T-If"),
                example: None,
                asked_up_to: Some(4),
                may_be_unused: false,
            }],
            clipped: vec![(self.text("T-If"), 3)],
        }));
        let mut expected = Item::new(ItemKind::Check, self.text("mutant"), Verdict::Violated, Engine::Enumeration);
        expected.expected = Some(Expected { holds: false, size: None });
        expected.failures.push(Failure::of(Diagnostic::error("check-fails", at("check"), self.text("it fails"))));
        let mut good = Item::new(ItemKind::Check, self.text("preservation"), Verdict::Verified, Engine::Inherited);
        good.covered.types = Some(CoveredTypes { bounds: self.text("T: depth 3"), all_below: 5 });
        good.rests_on = vec![self.assumption(AssumptionKind::Sound, Some(at("language")))];
        let mut subject = Subject::new(SubjectKind::Language, self.text("Arith"));
        subject.scope = self.text("every program up to size 9");
        subject.items = vec![bad, expected, good];
        let mutant =
            |killed, reason| Mutant { what: self.text("T-If: premise dropped"), span: at("T-If"), killed, reason };
        subject.mutants = vec![
            mutant(Some((self.text("progress"), 3)), None),
            mutant(None, None),
            mutant(None, Some(Reason::Timeout)),
        ];
        subject
    }

    pub fn assumption(&self, kind: AssumptionKind, span: Option<Span>) -> Assumption {
        Assumption { kind, name: self.text("Base"), message: self.text("its code was not checked here"), span }
    }

    pub fn program(&mut self) -> Subject {
        let file = self.file("shop.dm", DM);
        let at = |text: &str| self.at(file, text);
        // Its texts are JSON, so they are quoted there.
        let quoted = format!("\"{}\"", self.text("x").replace('"', "\\\"").replace('\u{1}', ""));
        let input = InputExample {
            call: self.text("total({...})"),
            arguments: vec![format!("{{\"a name that needs a line of its own\": [1, 2, 3], \"price\": {quoted}}}")],
            order: vec![1, 0],
            path: Vec::new(),
            value: Some(OutOfType {
                what: self.text("the argument for `o`"),
                json: format!(
                    "{{\"name\": {quoted}, \"price\": 123456789012345678901234567890, \"lines\": [{{\"n\": 1}}, {{\"n\": null}}]}}"
                ),
            }),
            misfits: vec![
                Misfit {
                    path: vec![Selector::Field("lines".into()), Selector::Member(1), Selector::Field("n".into())],
                    place: self.text(".lines[1].n"),
                    message: self.text("`.lines[1].n` is null, but must be Integer"),
                    clause: at("Integer"),
                    span: None,
                },
                Misfit {
                    path: Vec::new(),
                    place: self.text("value"),
                    message: self.text("it has no field `id`"),
                    clause: at("Order"),
                    span: None,
                },
            ],
        };
        let problem = Diagnostic::error("division-by-zero", at("o.price / 0"), self.text("it is divided by 0"))
            .related(at("total"), self.text("called here"));
        let replay = Some(self.text("glassbox run shop.dm total"));
        let failure = Failure { problems: vec![problem], example: Some(Example::Input(input)), size: None, replay };
        let mut bad = Item::new(ItemKind::Function, self.text("total"), Verdict::Violated, Engine::Conditions);
        bad.failures.push(failure);
        let mut open = Item::new(ItemKind::Type, self.text("Order"), Verdict::Unknown, Engine::Conditions);
        open.reasons = vec![
            Reason::Open(Diagnostic::error("not-proved", None, self.text("a condition is not proved"))),
            Reason::Timeout,
        ];
        let mut subject = Subject::new(SubjectKind::Program, self.text("shop.dm"));
        subject.scope = self.text("all inputs");
        subject.items = vec![bad, open];
        subject
    }

    pub fn module(&mut self) -> Subject {
        let file = self.file("cache.fl", HOB);
        let at = |text: &str| self.at(file, text);
        let sets = SetsExample {
            objects: vec![
                (self.text("o1"), Some(self.text("Entry"))),
                (self.text("o2"), None),
                (self.text("o3"), None),
            ],
            sets: vec![
                Change { name: self.text("Live"), entry: vec![0, 1], now: vec![1] },
                Change { name: self.text("Free"), entry: vec![2], now: vec![0, 2] },
            ],
            booleans: vec![Change { name: self.text("isSetUp"), entry: false, now: true }],
            variables: vec![(self.text("e"), self.text("o1"))],
            path: Vec::new(),
        };
        let problem = Diagnostic::error("postcondition", at("Live' = Live - e"), self.text("the postcondition fails"))
            .related(at("set free"), self.text("after this assignment"));
        let failure = Failure { problems: vec![problem], example: Some(Example::Sets(sets)), size: None, replay: None };
        let mut bad = Item::new(ItemKind::Procedure, self.text("remove"), Verdict::Violated, Engine::Flags);
        bad.failures.push(failure);
        let mut subject = Subject::new(SubjectKind::Module, self.text("Cache"));
        subject.plugin = Some(self.text("flags"));
        subject.items = vec![bad];
        subject
    }

    /// Everything a report can hold.
    pub fn report(&mut self) -> Report {
        let subjects = vec![self.class(), self.language(), self.program(), self.module()];
        let file = FileId(0);
        let warning = Diagnostic::warning("unused", self.at(file, "class Tree"), self.text("it is not used"));
        Report {
            subjects,
            rests_on: vec![self.assumption(AssumptionKind::Trusted, Some(self.at(file, "Node")))],
            warnings: vec![warning],
            errors: vec![Diagnostic::error("bad-input", None, self.text("it cannot be read"))],
            conclusions: Vec::new(),
            overviews: Vec::new(),
            status: None,
            bounds: vec![Bounds {
                class: self.text("Tree"),
                operation: self.text("insert"),
                size: 2,
                lines: vec![BoundLine { what: self.text("Node.key"), bound: self.text("0..4"), is_default: true }],
                log10: 3.2,
                space: self.text("every tree"),
            }],
        }
    }
}
