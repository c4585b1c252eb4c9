//! Formulas about heaps with quantified integers: the interpreter, which tries those that matter (`hob::integers`), against all
//! integers of an interval.
//!
//! The numbers of the formulas are small, those of the heaps as well or near the ends of all ints. For them an interval that reaches far
//! enough beyond, with its ends in the place of those, is like all ints: what is near its ends is as far from everything else. Each
//! int quantifier ranges over the interval.

use crate::{Disagreement, Found, Kind};
use hob::interp::heap_formula::{HeapValue, HeapView, holds};
use hob::interp::{Heap, ObjId, Value};
use hob::program::{BinaryOp, GlobalId, HeapFormula, HeapTerm, Route, Type};
use hob::{FileKind, Input, Program};
use source::SourceMap;
use work::Chance;

pub fn kind() -> Kind {
    Kind {
        name: "hob-integers",
        about: "heap formulas with quantified ints: those that matter against all of an interval",
        ci: 80,
        attempt,
    }
}

const CODE: &str = "impl module M { format E { k : int; f : E; } reference root : E; reference d : E[]; reference a : int[]; \
                    var n : int; var m : int; proc p() { } }";
const SPECIFICATION: &str = "spec module M { format E; proc p() ensures true; }";

/// How far the interval reaches, by how many integers are quantified within each other.
const REACH: [i64; 4] = [60, 60, 60, 40];

fn attempt(seed: u64) -> Found {
    let mut chance = Chance::new(seed);
    let depth = if chance.one_in(6) { 3 } else { 1 + chance.below(2) };
    let most = if depth == 3 { 1 } else { 3 };
    let multiplies = chance.one_in(3);
    let mut maker = Maker { chance: &mut chance, integers: Vec::new(), objects: 0, depth, most, multiplies };
    let text = maker.quantified();
    compare(&text, multiplies, &mut chance, seed)
}

fn compare(text: &str, multiplies: bool, chance: &mut Chance, seed: u64) -> Found {
    let program = match load(text) {
        Ok(program) => program,
        Err(why) => return Found::Skipped(why),
    };
    let formula = &program.modules[0].plugins[0].invariants[0].formula;
    let reach = REACH[nested(formula).min(3)];
    let (mut held, mut tried) = (0, 0);
    for _ in 0..if nested(formula) > 2 { 2 } else { 8 } {
        // The same heap twice: with the ends of all ints, and with those of the interval in their place.
        // Products and remainders tell them apart: then there are none of these.
        let (ends, those) =
            if multiplies { ((-3, 3), (-3, 3)) } else { ((i32::MIN.into(), i32::MAX.into()), (-reach - 1, reach)) };
        let few = random_heap(&program, &mut chance.clone(), those);
        let heap = random_heap(&program, chance, ends);
        let Some(fast) = holds(&program, &heap, formula) else {
            return Found::Skipped("the integers are not known".into());
        };
        let slow = Slow { heap: &few, reach }.holds(formula, &mut Vec::new());
        tried += 1;
        held += usize::from(slow);
        if fast != slow {
            let input = format!("{text}\n\n{}", shown(&program, &heap));
            let answers = vec![
                ("those that matter".into(), fast.to_string()),
                (format!("all from {} to {reach}", -reach - 1), slow.to_string()),
            ];
            let input = format!("{input}seed {seed}\n");
            return Found::Disagreed(Box::new(Disagreement { input, answers }));
        }
    }
    Found::Agreed(match held {
        0 => "never holds",
        _ if held == tried => "always holds",
        _ => "holds at times",
    })
}

fn load(formula: &str) -> Result<Program, String> {
    let abstraction = format!("abst module M {{ use plugin \"bounded\"; invariant \"{formula}\"; }}");
    let mut sources = SourceMap::default();
    let texts = [
        ("m.fl", FileKind::Implementation, CODE),
        ("m.sl", FileKind::Specification, SPECIFICATION),
        ("m.al", FileKind::Abstraction, abstraction.as_str()),
    ];
    let inputs = texts.map(|(name, kind, text)| Input { file: sources.add(name, text.to_string()), kind, text });
    let loaded = hob::load(&inputs);
    loaded.program.ok_or_else(|| loaded.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

/// Makes formulas as text.
struct Maker<'c> {
    chance: &'c mut Chance,
    integers: Vec<String>,
    objects: usize,
    /// How many more integers may be quantified.
    depth: usize,
    /// The greatest constant.
    most: usize,
    /// Numbers are multiplied and divided, too.
    multiplies: bool,
}

impl Maker<'_> {
    fn quantified(&mut self) -> String {
        let word = *self.chance.pick(&["forall", "exists"]);
        let name = ["i", "j", "l"][self.integers.len().min(2)].to_string();
        self.depth -= 1;
        self.integers.push(name.clone());
        let body = self.formula(2);
        let body = match (if self.multiplies { 0 } else { self.chance.below(4) }, word) {
            (0, "forall") => format!("({}) => ({body})", self.limits(&name)),
            (0, _) => format!("({}) & ({body})", self.limits(&name)),
            _ => body,
        };
        self.integers.pop();
        self.depth += 1;
        format!("{word} {name} : int. {body}")
    }

    fn limits(&mut self, name: &str) -> String {
        let (low, high) = (self.closed(), self.closed());
        let (a, b) = (*self.chance.pick(&["<", "<="]), *self.chance.pick(&["<", "<="]));
        match self.chance.below(if self.multiplies { 9 } else { 3 }) {
            3..5 => format!("{low} {a} {name} & 2 * {name} + 1 {b} {high}"),
            0 => format!("{low} {a} {name}"),
            1 => format!("{name} {b} {high}"),
            _ => format!("{low} {a} {name} & {name} {b} {high}"),
        }
    }

    /// A number without the innermost variable.
    fn closed(&mut self) -> String {
        match self.chance.below(5) {
            0 => "n".into(),
            1 => "m".into(),
            2 => "d.length".into(),
            3 if self.objects > 0 => "x0.k".into(),
            _ => self.constant(),
        }
    }

    fn constant(&mut self) -> String {
        let value = self.chance.below(2 * self.most + 1) as i64 - self.most as i64;
        value.to_string()
    }

    fn formula(&mut self, size: usize) -> String {
        if size == 0 {
            return self.atom();
        }
        match self.chance.below(9) {
            0 => format!("not ({})", self.formula(size - 1)),
            1 | 2 => format!("({}) & ({})", self.formula(size - 1), self.formula(size - 1)),
            3 => format!("({}) | ({})", self.formula(size - 1), self.formula(size - 1)),
            4 => format!("({}) => ({})", self.formula(size - 1), self.formula(size - 1)),
            5 => format!("({}) <=> ({})", self.formula(size - 1), self.formula(size - 1)),
            6 | 7 if self.depth > 0 => format!("({})", self.quantified()),
            6 if self.objects < 2 => {
                let word = *self.chance.pick(&["forall", "exists"]);
                let name = format!("x{}", self.objects);
                self.objects += 1;
                let body = self.formula(size - 1);
                self.objects -= 1;
                format!("({word} {name} : E. {body})")
            }
            _ => self.atom(),
        }
    }

    fn atom(&mut self) -> String {
        let object = |maker: &mut Self| match maker.chance.below(4) {
            0 => "root".to_string(),
            1 if maker.objects > 0 => format!("x{}", maker.chance.below(maker.objects)),
            2 => "null".to_string(),
            _ => format!("d[{}]", maker.index()),
        };
        match self.chance.below(6) {
            0 => {
                let op = *self.chance.pick(&["=", "!="]);
                format!("d[{}] {op} {}", self.index(), object(self))
            }
            1 if self.objects > 0 => format!("root<f*>x{}", self.chance.below(self.objects)),
            _ => {
                let op = *self.chance.pick(&["=", "!=", "<", "<=", ">", ">="]);
                format!("{} {op} {}", self.number(), self.number())
            }
        }
    }

    fn variable(&mut self) -> String {
        let k = self.chance.below(self.integers.len());
        self.integers[k].clone()
    }

    fn index(&mut self) -> String {
        match self.chance.below(if self.multiplies { 10 } else { 8 }) {
            8 => format!("2 * {} + 1", self.variable()),
            9 => format!("({} - 1) / 2", self.variable()),
            0 => format!("{} + 1", self.variable()),
            1 => format!("{} - 1", self.variable()),
            2 => format!("n - {}", self.variable()),
            3 => format!("a[{}]", self.variable()),
            4 => "n".into(),
            _ => self.variable(),
        }
    }

    fn number(&mut self) -> String {
        match self.chance.below(if self.multiplies { 16 } else { 12 }) {
            12 => format!("2 * {} + {}", self.variable(), self.closed()),
            13 => format!("{} * {}", self.closed(), self.variable()),
            14 => format!("{} / {}", self.variable(), self.closed()),
            15 => format!("{} % {}", self.variable(), self.closed()),
            0 => format!("a[{}]", self.index()),
            1 => format!("d[{}].k", self.index()),
            2 => format!("{} + {}", self.variable(), self.chance.below(self.most + 1)),
            3 => format!("{} - {}", self.variable(), self.closed()),
            4 | 5 => self.closed(),
            6 => format!("a[{}] + {}", self.index(), self.variable()),
            _ => self.variable(),
        }
    }
}

/// Numbers are small, or near these ends.
fn random_heap(program: &Program, chance: &mut Chance, (least, most): (i64, i64)) -> Heap {
    let mut heap = Heap::new(program, 1 << 12);
    let object_type = program.fields[0].object;
    let count = chance.below(3);
    let objects: Vec<ObjId> = (0..count).map(|_| heap.allocate(object_type).expect("room")).collect();
    let number = |chance: &mut Chance| {
        let (kind, small) = (chance.below(12), chance.below(7) as i64 - 3);
        Value::Int(match kind {
            0 => least + small.abs(),
            1 => most - small.abs(),
            _ => small,
        } as i32)
    };
    let object = |chance: &mut Chance| match chance.below(count + 1) {
        0 => Value::Null,
        k => Value::Object(objects[k - 1]),
    };
    for (index, global) in program.globals.iter().enumerate() {
        let value = match &global.ty {
            Type::Int => number(chance),
            Type::Object(_) => object(chance),
            Type::Array(element) if !chance.one_in(4) => {
                let length = chance.below(4);
                let is_number = **element == Type::Int;
                let first = if is_number { Value::Int(0) } else { Value::Null };
                let array = heap.allocate_array(length, &first).expect("room");
                for i in 0..length {
                    let value = if is_number { number(chance) } else { object(chance) };
                    heap.set_element(array, i as i64, value);
                }
                Value::Array(array)
            }
            _ => Value::Null,
        };
        heap.set_global(GlobalId(index as u32), value);
    }
    for &id in &objects {
        for (index, field) in program.fields.iter().enumerate() {
            let value = if field.ty == Type::Int { number(chance) } else { object(chance) };
            heap.set_field(id, hob::program::FieldId(index as u32), value);
        }
    }
    heap
}

fn shown(program: &Program, heap: &Heap) -> String {
    let mut text = String::new();
    for (index, global) in program.globals.iter().enumerate() {
        let value = heap.global(GlobalId(index as u32));
        let elements = match value {
            Value::Array(array) => (0..heap.length(*array) as i64)
                .filter_map(|i| heap.element(*array, i))
                .map(|v| format!("{v:?}"))
                .collect(),
            _ => vec![format!("{value:?}")],
        };
        text += &format!("{} = {}\n", global.name, elements.join(", "));
    }
    for id in (0..heap.object_count() as u32).map(ObjId) {
        for (index, field) in program.fields.iter().enumerate() {
            let value = heap.field(id, hob::program::FieldId(index as u32));
            text += &format!("object {}.{} = {value:?}\n", id.0, field.name);
        }
    }
    text
}

/// How many integers are quantified within each other.
fn nested(formula: &HeapFormula) -> usize {
    match formula {
        HeapFormula::Not(a) => nested(a),
        HeapFormula::And(parts) | HeapFormula::Or(parts) => parts.iter().map(nested).max().unwrap_or(0),
        HeapFormula::Implies(a, b) | HeapFormula::Iff(a, b) => nested(a).max(nested(b)),
        HeapFormula::Quantified { ty, body, .. } => nested(body) + usize::from(*ty == Type::Int),
        _ => 0,
    }
}

/// The definition, word by word: it shares nothing with the interpreter but the heap.
struct Slow<'h> {
    heap: &'h Heap,
    reach: i64,
}

impl Slow<'_> {
    fn holds(&self, formula: &HeapFormula, bound: &mut Vec<(u32, HeapValue)>) -> bool {
        match formula {
            HeapFormula::True => true,
            HeapFormula::False => false,
            HeapFormula::Not(a) => !self.holds(a, bound),
            HeapFormula::And(parts) => parts.iter().all(|p| self.holds(p, bound)),
            HeapFormula::Or(parts) => parts.iter().any(|p| self.holds(p, bound)),
            HeapFormula::Implies(a, b) => !self.holds(a, bound) || self.holds(b, bound),
            HeapFormula::Iff(a, b) => self.holds(a, bound) == self.holds(b, bound),
            HeapFormula::Compare(op, a, b) => {
                let (Some(a), Some(b)) = (self.value(a, bound), self.value(b, bound)) else { return false };
                match (op, a, b) {
                    (BinaryOp::Equal, a, b) => a == b,
                    (BinaryOp::NotEqual, a, b) => a != b,
                    (op, HeapValue::Int(a), HeapValue::Int(b)) => match op {
                        BinaryOp::Less => a < b,
                        BinaryOp::AtMost => a <= b,
                        BinaryOp::Greater => a > b,
                        _ => a >= b,
                    },
                    _ => false,
                }
            }
            HeapFormula::Holds(term) => self.value(term, bound) == Some(HeapValue::Bool(true)),
            HeapFormula::Reach(from, Route::Star(step), to) => {
                let Route::Field(field) = **step else { return false };
                let (mut at, to) = (self.value(from, bound), self.value(to, bound));
                for _ in 0..=self.heap.object_count() {
                    let Some(HeapValue::Object(here)) = at else { return false };
                    if at == to {
                        return true;
                    }
                    at = HeapView::field(self.heap, here, field);
                }
                false
            }
            HeapFormula::Reach(..) => false,
            HeapFormula::Quantified { exists, variable, ty, body, .. } => {
                let all: Vec<HeapValue> = match ty {
                    Type::Int => (-self.reach - 1..=self.reach).map(HeapValue::Int).collect(),
                    Type::Object(ty) => self.heap.objects(*ty).into_iter().map(HeapValue::Object).collect(),
                    _ => vec![HeapValue::Bool(false), HeapValue::Bool(true)],
                };
                let found = all.into_iter().any(|value| {
                    bound.push((*variable, value));
                    let held = self.holds(body, bound);
                    bound.pop();
                    held == *exists
                });
                found == *exists
            }
        }
    }

    fn value(&self, term: &HeapTerm, bound: &[(u32, HeapValue)]) -> Option<HeapValue> {
        let number = |term| match self.value(term, bound) {
            Some(HeapValue::Int(n)) => Some(n),
            _ => None,
        };
        match term {
            HeapTerm::Null => Some(HeapValue::Null),
            HeapTerm::Int(n) => Some(HeapValue::Int(*n)),
            HeapTerm::Bool(b) => Some(HeapValue::Bool(*b)),
            HeapTerm::Global(global) => HeapView::global(self.heap, *global),
            HeapTerm::Local(local) => HeapView::local(self.heap, *local),
            HeapTerm::Bound(variable) => bound.iter().find(|(v, _)| v == variable).map(|(_, value)| *value),
            HeapTerm::Field(object, field) => match self.value(object, bound)? {
                HeapValue::Object(object) => HeapView::field(self.heap, object, *field),
                _ => None,
            },
            HeapTerm::Index(array, index) => match self.value(array, bound)? {
                HeapValue::Array(array) => HeapView::element(self.heap, array, number(index)?),
                _ => None,
            },
            HeapTerm::Length(array) => match self.value(array, bound)? {
                HeapValue::Array(array) => Some(HeapValue::Int(HeapView::length(self.heap, array))),
                _ => None,
            },
            HeapTerm::Arithmetic(op, a, b) => {
                let (a, b) = (number(a)?, number(b)?);
                Some(HeapValue::Int(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Subtract => a - b,
                    BinaryOp::Multiply => a * b,
                    _ if b == 0 => return None,
                    BinaryOp::Divide => a / b,
                    _ => a % b,
                }))
            }
        }
    }
}
