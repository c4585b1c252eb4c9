//! Random small classes whose operations leave the space of start states, or do not, and have lines that nobody reaches.
//! Compared: the causes that the glass box, the loop over models and the exhaustive engine report, and the statements that
//! they reach. And slowly: all start states, all states that a run makes of them, and whether each of those is among them.

use crate::{Apart, Found, Kind, found};
use ir::check::Judgement;
use ir::heap::Heap;
use ir::interp::{Limits, Linked, run_statics, snapshot};
use ir::leaving::{Cause, How, Members};
use ir::replay::{heap_of, replay};
use ir::space::{Shape, Space};
use ir::{Checked, ObjId, Operation, OperationKind, Ty, Value};
use search::exhaustive::{self, Extent};
use search::{GlassBox, Observed, Observer, Options, Outcome, Strategy, search_models};
use source::{SourceMap, Span};
use std::collections::{BTreeSet, HashMap, HashSet};
use work::Chance;
use work::with_room;

use std::sync::Arc;

pub fn kind() -> Kind {
    Kind {
        name: "java-leaving",
        about: "random classes: causes of leaving the start states and reached lines, by three engines and by enumeration",
        ci: 24,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    found(&class(&mut Chance::new(seed)), compare)
}

/// A part of a class, with the fields it needs: each class has some of them, so that its states stay few.
type Part = (&'static str, &'static str);

const FIELDS: [Part; 7] = [
    ("", "int n; int k;"),
    ("m", "int mods;"),
    ("f", "boolean flag;"),
    ("a", "int[] a; int[] b;"),
    ("o", "Object o; static class Extra { }"),
    ("s", "String s; String t;"),
    ("h", "@Tree Node head; Node last; static class Node { int v; @Tree Node next; }"),
];

const INVARIANT: [Part; 8] = [
    ("", "n >= 0"),
    ("", "k >= 0"),
    ("", "n <= 9"),
    ("", "n >= k"),
    ("a", "a != null"),
    ("a", "b != null"),
    ("a", "(a == null || a.length <= 1)"),
    ("f", "(flag || n < 3)"),
];

const STATEMENTS: [Part; 33] = [
    ("", "n++;"),
    ("", "n--;"),
    ("", "n = k;"),
    ("", "k = n + x;"),
    ("", "k = x;"),
    ("", "k = n * k;"),
    ("", "n = n % 2;"),
    ("m", "mods++;"),
    ("f", "flag = n == 2;"),
    ("f", "flag = !flag;"),
    ("a", "a = b;"),
    ("a", "{ int[] t = a; a = b; b = t; }"),
    ("a", "a = new int[x];"),
    ("a", "a = new int[x + 2];"),
    ("a", "b = new int[] { n, k };"),
    ("a", "if (a != null && n >= 0 && n < a.length) a[n] = x;"),
    ("a", "if (a != null && a.length > 0) a[0]++;"),
    ("o", "o = this;"),
    ("o", "o = new Extra();"),
    ("o", "o = null;"),
    ("ao", "o = b;"),
    ("s", "s = t;"),
    ("s", "s = u;"),
    ("s", "t = \"k\";"),
    ("s", "s = \"k\" + x;"),
    ("so", "o = s;"),
    ("so", "o = \"k\";"),
    ("h", "{ Node h = new Node(); h.v = x; h.next = head; head = h; }"),
    ("h", "if (head != null) head = head.next;"),
    ("h", "if (head != null) head.v += k;"),
    ("h", "if (head != null && head.next != null) head.next = head.next.next;"),
    ("h", "last = head;"),
    ("h", "last = null;"),
];

const CONDITIONS: [Part; 15] = [
    ("", "n < 2"),
    ("", "k == x"),
    ("", "n > 5"),
    ("", "n < 0"),
    ("a", "a == b"),
    ("f", "flag"),
    ("o", "o instanceof Extra"),
    ("s", "s == t"),
    ("s", "s != null && s.equals(t)"),
    ("s", "\"k\".equals(s)"),
    ("so", "o == s"),
    ("so", "o instanceof String"),
    ("h", "last == head"),
    ("h", "head != null && head.v > 3"),
    ("h", "head != null && head.next != null"),
];

/// A class, line by line.
fn class(chance: &mut Chance) -> String {
    let mut groups: Vec<char> = "mfaoh".chars().filter(|_| chance.one_in(3)).collect();
    // There are many strings, so little else is with them.
    let has_strings = chance.one_in(6);
    if has_strings {
        groups = if chance.one_in(4) { vec!['o', 's'] } else { vec!['s'] };
    }
    let fits = |part: &Part| part.0.chars().all(|c| groups.contains(&c));
    let pick = |chance: &mut Chance, from: &[Part]| {
        let fitting: Vec<&str> = from.iter().filter(|p| fits(p)).map(|p| p.1).collect();
        chance.pick(&fitting).to_string()
    };
    let mut text = String::from("import glassbox.*;\nclass C {\n");
    for (_, fields) in FIELDS.iter().filter(|p| fits(p)) {
        let fields = match fields.starts_with("int n") {
            true if has_strings => "@Range(\"0..1\") int n; @Range(\"0..0\") int k;".to_string(),
            true if chance.one_in(6) => format!("@Range(\"-1..2\") {fields}"),
            _ => fields.to_string(),
        };
        text += &format!("    {fields}\n");
    }
    text += "    @Declarative boolean repOk() {\n        return true\n";
    for (_, condition) in INVARIANT.iter().filter(|p| fits(p)) {
        if chance.one_in(3) {
            text += &format!("            && {condition}\n");
        }
    }
    text += "        ;\n    }\n";
    let has_constructor = chance.one_in(3);
    let parameters = if has_strings { "@Range(\"0..1\") int x, String u" } else { "int x" };
    for index in 0..1 + chance.below(2) {
        let head = match has_constructor && index == 1 {
            true => format!("public C({parameters})"),
            false => format!("public void op{index}({parameters})"),
        };
        text += &format!("    {head} {{\n");
        for _ in 0..1 + chance.below(3) {
            let statement = pick(chance, &STATEMENTS);
            if chance.one_in(3) {
                let (condition, other) = (pick(chance, &CONDITIONS), pick(chance, &STATEMENTS));
                text += &format!(
                    "        if ({condition}) {{\n            {statement}\n        }} else {{\n            {other}\n        }}\n"
                );
            } else {
                text += &format!("        {statement}\n");
            }
        }
        text += "    }\n";
    }
    text + "}\n"
}

const SIZE: i64 = 2;

fn compare(text: &str) -> Result<&'static str, Apart> {
    let mut sources = SourceMap::default();
    let files = vec![sources.add("C.java", text)];
    let inputs = java::Inputs::new(&mut sources, files);
    let loaded = java::load(inputs).map_err(|problems| Apart::Skipped(problems[0].message.clone()))?;
    let linked = Linked::new(&loaded.program);
    let heap = run_statics(&linked, SIZE).map_err(|stop| Apart::Skipped(format!("{stop:?}")))?;
    let mut answer = "nothing";
    for checked in &loaded.checked {
        let subject = Subject { linked: &linked, heap: &heap, checked };
        for operation in &checked.operations {
            if let Some(causes) = subject.compare(&sources, operation)?
                && causes > 0
            {
                answer = "leaves";
            }
        }
    }
    Ok(answer)
}

struct Subject<'a> {
    linked: &'a Linked<'a>,
    heap: &'a Heap,
    checked: &'a Checked,
}

type Seen = (Outcome, Observed);

impl Subject<'_> {
    fn space(&self, operation: &Operation) -> Result<Arc<Space>, Apart> {
        let statics = snapshot(self.linked, self.heap);
        Space::new(self.linked.program, self.checked, operation, SIZE, Shape::Complete, &statics.objects)
            .map(Arc::new)
            .map_err(|problem| Apart::Skipped(problem.message))
    }

    /// How many causes there are; None if the operation is not verified.
    fn compare(&self, sources: &SourceMap, operation: &Operation) -> Result<Option<usize>, Apart> {
        let space = self.space(operation)?;
        let method = self.checked.operations.iter().find(|o| o.kind == OperationKind::Method);
        let states = match (operation.kind, method) {
            (OperationKind::Constructor, Some(method)) => Some(self.space(method)?),
            _ => None,
        };
        let seen = [
            self.glass_box(&space, operation, &states),
            self.models(&space, operation, &states),
            self.exhaustive(&space, operation, &states),
        ];
        if seen.iter().any(|(outcome, _)| !matches!(outcome, Outcome::Verified)) {
            return Ok(None);
        }
        let mut answers: Vec<(String, String)> = Vec::new();
        for (way, (_, observed)) in ["glass box", "models", "exhaustive"].iter().zip(&seen) {
            answers.push((way.to_string(), self.show(sources, operation, observed)));
        }
        if let Some(slow) = self.slowly(&space, operation, &states)? {
            let causes: BTreeSet<Cause> = seen[2].1.left.keys().copied().collect();
            if slow != causes.is_empty() {
                answers
                    .push(("enumeration".into(), format!("{} {}: all in the space: {slow}", operation.name, "states")));
                return Err(Apart::Disagreed(answers));
            }
        }
        let is_same = answers.iter().all(|(_, said)| *said == answers[0].1);
        if is_same { Ok(Some(seen[0].1.left.len())) } else { Err(Apart::Disagreed(answers)) }
    }

    fn options(&self, states: &Option<Arc<Space>>) -> Options {
        Options {
            size: SIZE,
            shape: Shape::Complete,
            strategy: Strategy::Execution,
            limits: symex::Limits::default(),
            stop: work::Stop::after(std::time::Duration::from_secs(20)),
            observe: Some(Observer::new(states.clone())),
            ..Default::default()
        }
    }

    fn glass_box(&self, space: &Arc<Space>, operation: &Operation, states: &Option<Arc<Space>>) -> Seen {
        let (options, statics) = (self.options(states), Arc::new(snapshot(self.linked, self.heap)));
        let search = || GlassBox::new(self.linked.program, space, &statics, self.checked, operation, &options).search();
        let outcome = with_room(search).unwrap_or_else(|e| Outcome::Rejected(e.to_string()));
        (outcome, options.observe.map(|o| o.observed()).unwrap_or_default())
    }

    fn models(&self, space: &Arc<Space>, operation: &Operation, states: &Option<Arc<Space>>) -> Seen {
        let (options, statics) = (self.options(states), Arc::new(snapshot(self.linked, self.heap)));
        let search = || search_models(self.linked.program, space, &statics, self.checked, operation, &options).0;
        let outcome = with_room(search).unwrap_or_else(|e| Outcome::Rejected(e.to_string()));
        (outcome, options.observe.map(|o| o.observed()).unwrap_or_default())
    }

    fn exhaustive(&self, space: &Space, operation: &Operation, states: &Option<Arc<Space>>) -> Seen {
        let options = self.options(states);
        let outcome = exhaustive::search(self.linked, self.heap, space, self.checked, operation, &options).0;
        (outcome, options.observe.map(|o| o.observed()).unwrap_or_default())
    }

    fn show(&self, sources: &SourceMap, operation: &Operation, observed: &Observed) -> String {
        let program = self.linked.program;
        let causes: Vec<String> =
            observed.left.keys().map(|c| format!("{} {:?}", program.field(c.field).name, c.how)).collect();
        let line = |span: Span| sources.start(span).line;
        let reached: BTreeSet<usize> = observed.reached.iter().map(|&s| line(s)).collect();
        format!("{} leaves by {causes:?}, reaches {reached:?}", operation.name)
    }

    /// Whether every state that a run makes, and that has not grown, is a start state: both sets written out. None if there is
    /// no operation that would go on.
    fn slowly(&self, space: &Space, operation: &Operation, states: &Option<Arc<Space>>) -> Result<Option<bool>, Apart> {
        let Some(method) = self.checked.operations.iter().find(|o| o.kind == OperationKind::Method) else {
            return Ok(None);
        };
        let states = states.clone().unwrap_or_else(|| Arc::new(space.clone()));
        let members = Members::new(self.linked.program, states);
        let starts = self.forms(&members, method)?;
        let mut is_within = true;
        let mut problem = None;
        let mut visit = |concrete: ir::space::Concrete| {
            let run = replay(self.linked, self.heap, space, &concrete, self.checked, operation, Limits::default());
            let (Judgement::Fine, Some(main)) = (run.judgement, run.states.first().copied()) else { return true };
            let is_known = starts.contains(&form(&members, &run.after, main));
            match members.leaving(&run.after, main) {
                None if is_known => problem = Some("a start state is said to have grown"),
                Some(causes) if !causes.is_empty() && is_known => problem = Some("a start state is said to leave"),
                Some(causes) if causes.is_empty() && !is_known => {
                    problem = Some("a state that is not a start state is said to be one")
                }
                Some(_) => is_within &= is_known,
                None => {}
            }
            problem.is_none()
        };
        exhaustive::each_state(self.linked, self.heap, space, self.checked, operation, Extent::Elements, &mut visit)
            .map_err(|stop| Apart::Skipped(format!("{stop:?}")))?;
        match problem {
            Some(problem) => Err(Apart::Disagreed(vec![(operation.name.clone(), problem.to_string())])),
            None => Ok(Some(is_within)),
        }
    }

    /// All start states, up to the names of objects.
    fn forms(&self, members: &Members<'_>, method: &Operation) -> Result<HashSet<Vec<i64>>, Apart> {
        let states = &members.space;
        let mut forms = HashSet::default();
        let mut visit = |concrete: ir::space::Concrete| {
            let heap = heap_of(self.linked, self.heap, states, &concrete);
            if let Some(main) = states.main {
                forms.insert(form(members, &heap, main));
            }
            true
        };
        exhaustive::each_state(self.linked, self.heap, states, self.checked, method, Extent::States, &mut visit)
            .map_err(|stop| Apart::Skipped(format!("{stop:?}")))?;
        Ok(forms)
    }
}

/// What is reached from an object, objects numbered in the order they are met. Numbers that decide nothing are left out, so is
/// what an object is where nobody asks, whether arrays are the same that nobody can tell apart, and of strings all but whether they are equal to another or to a constant.
fn form(members: &Members<'_>, heap: &Heap, main: ObjId) -> Vec<i64> {
    let (program, statics) = (members.program, members.space.statics);
    let mut numbers: HashMap<ObjId, i64> = HashMap::new();
    let mut unasked: HashMap<ObjId, i64> = HashMap::new();
    let mut texts: HashMap<(i64, Option<ObjId>), i64> = HashMap::new();
    // With the field that an array hangs on.
    let (mut queue, mut form) = (vec![(main, None)], Vec::new());
    numbers.insert(main, 0);
    let mut next = 0;
    while let Some(&(object, holder)) = queue.get(next) {
        next += 1;
        let (class, fields) = match heap.ty(object) {
            Ty::Class(class) => (i64::from(class.0), program.instance_fields(class)),
            Ty::Array(array) => (-1 - i64::from(array.0), Vec::new()),
            _ => (0, Vec::new()),
        };
        form.extend([class, i64::from(heap.len(object))]);
        for slot in 0..heap.len(object) {
            let field = fields.get(slot as usize).copied().or(holder);
            let decides = field.is_some_and(|field| members.matters(Cause { field, how: How::Above }));
            match heap.get(object, slot) {
                None => form.push(i64::MIN),
                Some(Value::Null) => form.push(-1_000_000),
                Some(Value::Bool(value)) => form.push(value.into()),
                Some(Value::Int(text)) if heap.ty(object) == Ty::Class(program.known.string) => {
                    // Nobody knows what a string that was built equals.
                    let (number, built) = (texts.len() as i64, (text == 0).then_some(object));
                    let number = *texts.entry((text, built)).or_insert(number);
                    form.push(if !decides {
                        0
                    } else if text > 0 {
                        text
                    } else {
                        -1 - number
                    });
                }
                Some(Value::Int(value)) => form.push(if decides { value } else { 0 }),
                Some(Value::Obj(target)) if field.is_some_and(|f| members.is_unasked(heap.ty(target), f)) => {
                    let number = unasked.len() as i64;
                    form.push(3_000_000 + *unasked.entry(target).or_insert(number));
                }
                Some(Value::Obj(target)) if target.index() < statics => form.push(1_000_000 + i64::from(target.0)),
                // Whether it is held elsewhere, nobody can tell.
                Some(Value::Obj(target)) if matches!(heap.ty(target), Ty::Array(a) if !program.identity.arrays.contains(&a)) =>
                {
                    queue.push((target, field));
                    form.push(4_000_000);
                }
                Some(Value::Obj(target)) => {
                    let number = numbers.len() as i64;
                    let number = *numbers.entry(target).or_insert_with(|| {
                        queue.push((target, field));
                        number
                    });
                    form.push(2_000_000 + number);
                }
            }
        }
    }
    form
}
