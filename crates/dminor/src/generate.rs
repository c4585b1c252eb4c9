//! Random values of a type: guided by its structure, by the constants of the program, and by conditions of the form `x.a == e`,
//! `x.a < e` or `x.a in T`; then tested. What cannot be found in a few attempts is not.

use crate::interp::{First, Frame, Interp, Options, Random, Run};
use crate::program::{Expr, ExprKind, FunId, Op, Program, Type, TypeKind, VarId};
use crate::value::{Label, Value};
use num_bigint::BigInt;
use std::cell::Cell;
use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;
use work::Stop;

/// Attempts at a value, and at each refinement in it.
const ATTEMPTS: usize = 40;

/// Parts drawn for one value.
const MOST_WORK: u32 = 4_000;

/// Each once, in the order in which they were found.
struct Distinct<T> {
    all: Vec<T>,
    known: HashSet<T>,
}

impl<T: Clone + Eq + Hash> Distinct<T> {
    fn of<const N: usize>(first: [T; N]) -> Distinct<T> {
        Distinct { known: HashSet::from(first.clone()), all: first.to_vec() }
    }

    fn add(&mut self, one: &T) {
        if !self.known.contains(one) {
            self.known.insert(one.clone());
            self.all.push(one.clone());
        }
    }
}

pub struct Generator<'a> {
    program: &'a Program,
    pub random: Random,
    integers: Distinct<BigInt>,
    texts: Distinct<Arc<str>>,
    labels: Distinct<Label>,
    work: u32,
    /// Of the interpreter, so far.
    pub steps: Cell<u64>,
    stop: Stop,
}

impl<'a> Generator<'a> {
    pub fn new(program: &'a Program, seed: u64) -> Generator<'a> {
        let mut generator = Generator {
            program,
            random: Random::new(seed),
            integers: Distinct::of([]),
            texts: Distinct::of(["".into(), "a".into(), "b".into()]),
            labels: Distinct::of(["extra".into()]),
            work: 0,
            steps: Cell::new(0),
            stop: Stop::default(),
        };
        for named in &program.types {
            generator.collect_type(&named.definition);
        }
        for function in &program.functions {
            function.parameters.iter().for_each(|(_, ty)| generator.collect_type(ty));
            generator.collect_type(&function.result);
            generator.collect(&function.body);
        }
        generator
    }

    /// Nothing is found any more when this is due.
    pub fn until(self, stop: &Stop) -> Generator<'a> {
        Generator { stop: stop.clone(), ..self }
    }

    fn collect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(Value::Integer(n)) => self.integers.add(n),
            ExprKind::Constant(Value::Text(text)) => self.texts.add(text),
            ExprKind::Select(_, label) => self.labels.add(label),
            _ => {}
        }
        expr.each_part(&mut |e| self.collect(e));
        expr.each_type(&mut |t| self.collect_labels(t));
    }

    fn collect_type(&mut self, ty: &Type) {
        self.collect_labels(ty);
        ty.each_expr(&mut |e| self.collect(e));
    }

    fn collect_labels(&mut self, ty: &Type) {
        if let TypeKind::Entity(fields) = &ty.kind {
            fields.iter().for_each(|f| self.labels.add(&f.label));
        }
        ty.each_part(&mut |t| self.collect_labels(t));
    }

    /// Arguments within the types of the parameters.
    pub fn arguments(&mut self, function: FunId) -> Option<Vec<Value>> {
        let function = self.program.function(function);
        let mut frame = Frame::new(&function.variables);
        let mut values = Vec::new();
        for (variable, ty) in &function.parameters {
            let value = self.tested(ty, &mut frame)?;
            frame.set(*variable, value.clone());
            values.push(value);
        }
        Some(values)
    }

    /// A value of a closed type, whose variables are these.
    pub fn value(&mut self, ty: &Type, variables: &Range<u32>) -> Option<Value> {
        self.tested(ty, &mut Frame::new(variables))
    }

    fn tested(&mut self, ty: &Type, frame: &mut Frame) -> Option<Value> {
        for _ in 0..ATTEMPTS {
            self.work = 0;
            let depth = 2 + self.random.below(7) as u32;
            if let Some(value) = self.draw(ty, frame, depth)
                && self.is_in(&value, ty, frame)
            {
                return Some(value);
            }
        }
        None
    }

    fn run<T>(&self, work: impl FnOnce(&mut Interp<'_>) -> Run<T>) -> Option<T> {
        let mut first = First;
        let options = Options { fuel: Some(100_000), stop: self.stop.clone(), ..Options::default() };
        let mut interp = Interp::new(self.program, &options, &mut first);
        let result = work(&mut interp).ok();
        self.steps.set(self.steps.get() + interp.steps);
        result
    }

    fn is_in(&self, value: &Value, ty: &Type, frame: &mut Frame) -> bool {
        self.run(|interp| interp.test(value, ty, frame)) == Some(true)
    }

    fn eval(&self, expr: &Expr, frame: &mut Frame) -> Option<Value> {
        self.run(|interp| interp.eval(expr, frame))
    }

    /// Any value, of little depth.
    pub fn any(&mut self, depth: u32) -> Value {
        match self.random.below(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => Value::Logical(self.random.below(2) == 0),
            2 | 3 => self.integer(),
            4 => self.some_text(),
            5 | 6 => {
                let count = self.random.below(4);
                Value::collection((0..count).map(|_| self.any(depth - 1)).collect::<Vec<_>>())
            }
            _ => {
                let count = self.random.below(4);
                let fields: Vec<(Label, Value)> =
                    (0..count).map(|_| (self.some_label(), self.any(depth - 1))).collect();
                Value::Entity(Arc::new(fields.into_iter().collect()))
            }
        }
    }

    fn some_label(&mut self) -> Label {
        let k = self.random.below(self.labels.all.len());
        self.labels.all[k].clone()
    }

    fn some_text(&mut self) -> Value {
        let k = self.random.below(self.texts.all.len());
        Value::Text(self.texts.all[k].clone())
    }

    fn integer(&mut self) -> Value {
        match self.random.below(10) {
            0..=5 => Value::integer(self.random.below(16) as i64 - 4),
            6..=8 if !self.integers.all.is_empty() => {
                let k = self.random.below(self.integers.all.len());
                Value::Integer(&self.integers.all[k] + (self.random.below(3) as i64 - 1))
            }
            6..=8 => Value::integer(self.random.below(2_000) as i64 - 1_000),
            _ => Value::Integer(BigInt::from(self.random.draw() as i64) * 1_000_003),
        }
    }

    /// Perhaps of the type: refinements on the way have been tried to meet.
    fn draw(&mut self, ty: &Type, frame: &mut Frame, depth: u32) -> Option<Value> {
        self.work += 1;
        if self.work > MOST_WORK || self.stop.is_due() {
            return None;
        }
        match &ty.kind {
            TypeKind::Any => Some(self.any(depth.min(3))),
            TypeKind::Empty => None,
            TypeKind::Integer => Some(self.integer()),
            TypeKind::Text => Some(self.some_text()),
            TypeKind::Logical => Some(Value::Logical(self.random.below(2) == 0)),
            TypeKind::Collection(inner) => {
                let count = if depth == 0 { 0 } else { self.random.below(5) };
                let mut members: Vec<Value> = Vec::new();
                for _ in 0..count {
                    let again = !members.is_empty() && self.random.below(4) == 0;
                    let member = if again { members.last().cloned() } else { self.draw(inner, frame, depth - 1) };
                    members.extend(member);
                }
                Some(Value::collection(members))
            }
            TypeKind::Entity(fields) => {
                let mut all = crate::value::Fields::default();
                if self.random.below(4) == 0 {
                    // At least the fields asked for: there may be others.
                    let (label, value) = (self.some_label(), self.any(1));
                    all.insert(label, value);
                }
                for field in fields {
                    all.insert(field.label.clone(), self.draw(&field.ty, frame, depth.checked_sub(1)?)?);
                }
                Some(Value::Entity(Arc::new(all)))
            }
            TypeKind::Refinement(..) => {
                for _ in 0..ATTEMPTS {
                    let TypeKind::Refinement(_, base, _) = &ty.kind else { return None };
                    let drawn = self.draw(base, frame, depth)?;
                    let value = self.steer(drawn, ty, frame, depth);
                    if self.is_in(&value, ty, frame) {
                        return Some(value);
                    }
                }
                None
            }
            TypeKind::And(a, b) => {
                for _ in 0..ATTEMPTS {
                    let first = self.draw(a, frame, depth)?;
                    let second = self.draw(b, frame, depth);
                    let merged = self.merged(first, second);
                    let merged = self.steer(merged, a, frame, depth);
                    let merged = self.steer(merged, b, frame, depth);
                    if self.is_in(&merged, ty, frame) {
                        return Some(merged);
                    }
                }
                None
            }
            TypeKind::Or(..) => {
                let mut alternatives = Vec::new();
                flatten(ty, &mut alternatives);
                let start = self.random.below(alternatives.len());
                (0..alternatives.len()).find_map(|k| {
                    let chosen = alternatives[(start + k) % alternatives.len()];
                    self.draw(chosen, frame, depth)
                })
            }
            TypeKind::Not(inner) => (0..ATTEMPTS).find_map(|_| {
                let value = self.any(depth.min(2));
                if self.is_in(&value, inner, frame) { None } else { Some(value) }
            }),
            TypeKind::Nullable(inner) => {
                if self.random.below(3) == 0 {
                    return Some(Value::Null);
                }
                Some(self.draw(inner, frame, depth).unwrap_or(Value::Null))
            }
            TypeKind::Singleton(only) => self.eval(only, frame),
            TypeKind::Named(id) => {
                let named = self.program.named(*id);
                self.draw(&named.definition, &mut Frame::new(&named.variables), depth)
            }
        }
    }

    fn merged(&mut self, first: Value, second: Option<Value>) -> Value {
        match (first, second) {
            (Value::Entity(a), Some(Value::Entity(b))) => {
                let mut all = crate::value::Fields::clone(&a);
                for (label, value) in b.iter() {
                    if all.get(label).is_none() || self.random.below(2) == 0 {
                        all.insert(label.clone(), value.clone());
                    }
                }
                Value::Entity(Arc::new(all))
            }
            (first, Some(second)) => {
                if self.random.below(2) == 0 {
                    first
                } else {
                    second
                }
            }
            (first, None) => first,
        }
    }

    /// Changes a value so that conditions of the type are likelier to hold.
    fn steer(&mut self, value: Value, ty: &Type, frame: &mut Frame, depth: u32) -> Value {
        match &ty.kind {
            TypeKind::Refinement(variable, base, condition) => {
                let value = self.steer(value, base, frame, depth);
                self.toward(value, *variable, condition, frame, depth)
            }
            TypeKind::Named(id) => {
                let named = self.program.named(*id);
                self.steer(value, &named.definition, &mut Frame::new(&named.variables), depth)
            }
            TypeKind::And(a, b) => {
                let value = self.steer(value, a, frame, depth);
                self.steer(value, b, frame, depth)
            }
            _ => value,
        }
    }

    fn toward(&mut self, mut value: Value, variable: VarId, condition: &Expr, frame: &mut Frame, depth: u32) -> Value {
        frame.set(variable, value.clone());
        match &condition.kind {
            ExprKind::Op(Op::And, parts) => {
                for part in parts {
                    value = self.toward(value, variable, part, frame, depth);
                }
                value
            }
            ExprKind::Op(Op::Or, parts) => {
                let part = &parts[self.random.below(parts.len())];
                self.toward(value, variable, part, frame, depth)
            }
            ExprKind::Op(op @ (Op::Eq | Op::Lt | Op::Le | Op::Gt | Op::Ge), parts) => {
                let [left, right] = &parts[..] else { return value };
                let flip =
                    place(left, variable).is_none() || place(right, variable).is_some() && self.random.below(2) == 0;
                let (target, bound, op) = if flip { (right, left, flipped(*op)) } else { (left, right, *op) };
                let Some(path) = place(target, variable) else { return value };
                let Some(bound) = self.eval(bound, frame) else { return value };
                let by = match op {
                    Op::Eq | Op::Le | Op::Ge if self.random.below(3) == 0 => 0,
                    _ => 1 + self.random.below(3) as i64,
                };
                match (op, bound) {
                    (Op::Eq, bound) => replace(&value, &path, bound).unwrap_or(value),
                    (_, Value::Integer(n)) => {
                        let is_met = matches!(self.eval(condition, frame), Some(Value::Logical(true)));
                        if is_met && self.random.below(4) > 0 {
                            return value;
                        }
                        let n = if matches!(op, Op::Lt | Op::Le) { n - by } else { n + by };
                        replace(&value, &path, Value::Integer(n)).unwrap_or(value)
                    }
                    _ => value,
                }
            }
            ExprKind::Test(tested, ty) => {
                let Some(path) = place(tested, variable) else { return value };
                let Some(part) = self.eval(tested, frame) else { return value };
                if self.is_in(&part, ty, frame) {
                    return value;
                }
                match self.draw(ty, frame, depth.saturating_sub(1)) {
                    Some(part) => replace(&value, &path, part).unwrap_or(value),
                    None => value,
                }
            }
            _ => value,
        }
    }
}

fn flatten<'t>(ty: &'t Type, out: &mut Vec<&'t Type>) {
    match &ty.kind {
        TypeKind::Or(a, b) => {
            flatten(a, out);
            flatten(b, out);
        }
        _ => out.push(ty),
    }
}

fn flipped(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Gt => Op::Lt,
        Op::Le => Op::Ge,
        Op::Ge => Op::Le,
        op => op,
    }
}

/// The labels of `x.a.b`.
fn place(expr: &Expr, variable: VarId) -> Option<Vec<Label>> {
    match &expr.kind {
        ExprKind::Var(id) if *id == variable => Some(Vec::new()),
        ExprKind::Select(base, label) => {
            let mut path = place(base, variable)?;
            path.push(label.clone());
            Some(path)
        }
        _ => None,
    }
}

fn replace(value: &Value, path: &[Label], part: Value) -> Option<Value> {
    let Some((label, rest)) = path.split_first() else { return Some(part) };
    let Value::Entity(fields) = value else { return None };
    let mut fields = crate::value::Fields::clone(fields);
    let inner = fields.get(label).cloned().unwrap_or(Value::Null);
    fields.insert(label.clone(), replace(&inner, rest, part)?);
    Some(Value::Entity(Arc::new(fields)))
}
