//! Runs of a procedure, followed path by path: values are positions, conditions are formulas about them.
//!
//! Every concrete run is one of the paths, in any heap that its facts allow; what is not followed (ints, texts) may be anything.

use super::formula::{Mode, When};
use super::heap::{Heap, Version, all, any, not, same};
use super::{Prover, Shown, open};
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// The name of a position, or null's.
    Object(String),
    /// A formula.
    Bool(String),
    /// Not followed.
    Other,
}

/// What MONA is told, in order.
#[derive(Clone, Debug)]
pub enum Line {
    /// A variable of this order.
    Variable(u8, String),
    Fact(String),
    /// A set, and what defines it: of no interest if nobody speaks of it.
    Set(String, String),
    /// Of the layout.
    Text(String),
    /// What a call of the procedure within itself was about, and the Boolean it returned.
    Returned(String, Option<String>),
}

/// Not a Boolean.
type IsSet = bool;

#[derive(Clone, Debug)]
pub struct State {
    pub lines: Vec<Rc<Line>>,
    pub heap: Heap,
    /// What it was when the procedure that runs began.
    pub entry: Rc<Heap>,
    pub locals: FxHashMap<LocalId, Value>,
    /// Names of sets that were asked for, and of objects that a route leads to.
    pub sets: FxHashMap<(u32, SpecVarId), String>,
    pub reached: FxHashMap<String, String>,
    /// What was read from a field of an object: it is the same if it is read again.
    reads: Vec<(Rc<Version>, String, String)>,
    /// Sets and Booleans of other modules that something speaks of.
    pub elsewhere: BTreeMap<SpecVarId, IsSet>,
}

impl State {
    pub fn new(heap: Heap) -> State {
        State {
            lines: Vec::new(),
            entry: Rc::new(heap.clone()),
            heap,
            locals: FxHashMap::default(),
            sets: FxHashMap::default(),
            reached: FxHashMap::default(),
            reads: Vec::new(),
            elsewhere: BTreeMap::new(),
        }
    }

    pub fn declare(&mut self, order: u8, name: &str) {
        self.lines.push(Rc::new(Line::Variable(order, name.to_owned())));
    }

    pub fn assume(&mut self, fact: &str) {
        if fact != "true" {
            self.lines.push(Rc::new(Line::Fact(fact.to_owned())));
        }
    }

    /// In just these words.
    pub fn knows(&self, goal: &str) -> bool {
        self.lines.iter().any(|line| matches!(&**line, Line::Fact(fact) if fact == goal))
    }

    pub fn define(&mut self, name: &str, fact: String) {
        self.lines.push(Rc::new(Line::Set(name.to_owned(), fact)));
    }

    pub fn say(&mut self, text: String) {
        self.lines.push(Rc::new(Line::Text(text)));
    }

    /// A program of MONA that is satisfiable iff the condition can hold here.
    pub fn text(&self, logic: &str, condition: &str) -> String {
        let mut text = declared(logic, &self.elsewhere);
        for (_, line) in self.spoken_of(condition) {
            line.tell(&mut text);
        }
        _ = writeln!(text, "{condition};");
        text
    }

    /// The lines without definitions of sets that nobody speaks of, and where they stand.
    fn spoken_of(&self, condition: &str) -> Vec<(usize, &Rc<Line>)> {
        let mut kept = Vec::new();
        // From the end, so that it is known which sets are spoken of.
        let mut spoken: FxHashSet<&str> = words(condition).collect();
        for (at, line) in self.lines.iter().enumerate().rev() {
            match &**line {
                Line::Variable(..) | Line::Returned(..) => {}
                Line::Set(name, _) if !spoken.contains(name.as_str()) => continue,
                Line::Set(_, says) | Line::Fact(says) | Line::Text(says) => spoken.extend(words(says)),
            }
            kept.push((at, line));
        }
        kept.reverse();
        kept
    }

    /// How many lines lay out the heap: predicates are declared there, once in a program.
    fn layout(&self) -> usize {
        self.lines.iter().rposition(|line| matches!(**line, Line::Text(_))).map_or(0, |at| at + 1)
    }

    pub fn is_laid_out_as(&self, other: &State) -> bool {
        let (own, others) = (&self.lines[..self.layout()], &other.lines[..other.layout()]);
        own.len() == others.len() && own.iter().zip(others).all(|(a, b)| Rc::ptr_eq(a, b))
    }
}

impl Line {
    fn tell(&self, text: &mut String) {
        _ = match self {
            Line::Variable(order, name) => writeln!(text, "var{order} {name};"),
            Line::Fact(fact) => writeln!(text, "{fact};"),
            Line::Set(name, fact) => writeln!(text, "var2 {name};\n{fact};"),
            Line::Text(said) => write!(text, "{said}"),
            Line::Returned(..) => Ok(()),
        };
    }
}

/// A program of MONA that is satisfiable iff one of the conditions can hold in its state, all of which are laid out alike. What is not of the
/// layout is bound in each of them: if none can hold, which is the usual case, each is false before the next is read. Variables stand in
/// front of all facts, since those that stand behind others (`F & ex1 x: (G & …)`) took MONA half as long again.
pub fn any_of(logic: &str, questions: &[(&State, String)]) -> String {
    let mut elsewhere = BTreeMap::new();
    let (mut layout, mut each) = (BTreeMap::new(), Vec::new());
    for (state, condition) in questions {
        elsewhere.extend(&state.elsewhere);
        let lines = state.spoken_of(condition);
        let upto = lines.partition_point(|(at, _)| *at < state.layout());
        layout.extend(lines[..upto].iter().copied());
        let (mut variables, mut facts) = (String::new(), Vec::new());
        for (_, line) in &lines[upto..] {
            match &***line {
                Line::Variable(order, name) => _ = write!(variables, "ex{order} {name}: "),
                Line::Set(name, _) => _ = write!(variables, "ex2 {name}: "),
                Line::Fact(_) | Line::Text(_) | Line::Returned(..) => {}
            }
            if let Line::Fact(fact) | Line::Set(_, fact) = &***line
                && !facts.contains(fact)
            {
                facts.push(fact.clone());
            }
        }
        facts.push(condition.clone());
        each.push((variables, facts));
    }
    let mut told = declared(logic, &elsewhere);
    layout.values().for_each(|line| line.tell(&mut told));
    // What is said of the layout stands in each of them, in front: MONA joins facts from left to right, and few are small by themselves.
    let is_declaration = |line: &&str| ["ws", "var", "pred"].iter().any(|word| line.starts_with(word));
    let (declarations, known): (Vec<&str>, Vec<&str>) = told.lines().partition(is_declaration);
    let known: Vec<String> = known.into_iter().map(|fact| format!("({})", fact.trim_end_matches(';'))).collect();
    let each = each.into_iter().map(|(variables, facts)| {
        let facts: Vec<String> = known.iter().cloned().chain(facts).collect();
        format!("({variables}{})", all(&facts))
    });
    format!("{}\n{};\n", declarations.join("\n"), any(&each.collect::<Vec<_>>()))
}

fn declared(logic: &str, elsewhere: &BTreeMap<SpecVarId, IsSet>) -> String {
    let mut text = format!("{logic};\nvar2 A;\n");
    for (variable, is_set) in elsewhere {
        let name = super::formula::elsewhere(*variable);
        _ = match is_set {
            true => writeln!(text, "var2 {name};\nall1 x: x in {name} => x in A;"),
            false => writeln!(text, "var0 {name};"),
        };
    }
    text
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty())
}

/// How a statement ends.
pub enum Flow {
    Next(State),
    /// The result is the value of its name.
    Return(State),
}

pub type Valued = Vec<(State, Value)>;

impl<'p> Prover<'p> {
    /// A new name for any value of a type.
    pub fn any_value(&mut self, state: &mut State, ty: &Type) -> Value {
        match ty {
            Type::Object(object) => {
                let name = self.fresh("v");
                state.declare(1, &name);
                let there = all(&[state.heap.has(&name), self.layout.typed(&name, *object)]);
                state.assume(&any(&[same(&name, self.layout.null()), there]));
                Value::Object(name)
            }
            Type::Bool => self.any_bool(state),
            _ => Value::Other,
        }
    }

    fn any_bool(&mut self, state: &mut State) -> Value {
        let name = self.fresh("b");
        state.declare(0, &name);
        Value::Bool(name)
    }

    fn default_value(&self, ty: &Type) -> Value {
        match ty {
            Type::Object(_) => Value::Object(self.layout.null().into()),
            Type::Bool => Value::Bool("false".into()),
            _ => Value::Other,
        }
    }

    pub fn allocate(&mut self, state: &mut State, object: TypeId) -> String {
        let name = self.fresh("n");
        state.declare(1, &name);
        let mut facts = vec![not(&state.heap.has(&name)), not(&same(&name, self.layout.null()))];
        facts.push(self.layout.typed(&name, object));
        state.assume(&all(&facts));
        state.heap.made.push(name.clone());
        for &field in &self.program.module(self.module).fields {
            let declared = self.program.field(field);
            if declared.object == object {
                let value = self.default_value(&declared.ty);
                self.write(state, field, &name, &value);
            }
        }
        self.stamp(state);
        name
    }

    pub fn stamp(&mut self, state: &mut State) {
        self.names += 1;
        state.heap.stamp = self.names;
    }

    pub fn write(&mut self, state: &mut State, field: FieldId, object: &str, value: &Value) {
        self.stamp(state);
        let value = match value {
            Value::Object(name) | Value::Bool(name) => name.clone(),
            Value::Other => return,
        };
        if let Some(before) = state.heap.fields.get(&field).cloned() {
            let written = Version::Written { object: object.to_owned(), value, before };
            state.heap.fields.insert(field, Rc::new(written));
        }
    }

    /// Runs a procedure's code, its formals being known.
    pub fn body(&mut self, mut state: State, proc: &'p Proc, body: &'p [Stmt]) -> Shown<Vec<Flow>> {
        for (i, local) in proc.locals.iter().enumerate().skip(proc.formals as usize) {
            let value = self.default_value(&local.ty);
            state.locals.insert(LocalId(i as u32), value);
        }
        state.entry = Rc::new(state.heap.clone());
        self.block(state, body)
    }

    pub fn block(&mut self, state: State, body: &'p [Stmt]) -> Shown<Vec<Flow>> {
        let mut states = vec![state];
        let mut ended = Vec::new();
        for statement in body {
            let mut next = Vec::new();
            for state in states {
                for flow in self.statement(state, statement)? {
                    match flow {
                        Flow::Next(state) => next.push(state),
                        Flow::Return(_) => ended.push(flow),
                    }
                }
            }
            states = next;
        }
        ended.extend(states.into_iter().map(Flow::Next));
        Ok(ended)
    }

    pub fn statement(&mut self, mut state: State, statement: &'p Stmt) -> Shown<Vec<Flow>> {
        let span = statement.span;
        let next = |states: Vec<State>| Ok(states.into_iter().map(Flow::Next).collect());
        match &statement.kind {
            StmtKind::Block(body) => self.block(state, body),
            StmtKind::Declare(local, value) => {
                let Some(value) = value else {
                    let value = self.default_value(&self.local_type(*local));
                    state.locals.insert(*local, value);
                    return Ok(vec![Flow::Next(state)]);
                };
                next(self.set_local(state, *local, value)?)
            }
            StmtKind::Assign(place, value) => next(self.assign(state, place, value, span)?),
            StmtKind::Expr(e) => next(self.value(state, e)?.into_iter().map(|(state, _)| state).collect()),
            StmtKind::Return(value) => {
                let Some(value) = value else { return Ok(vec![Flow::Return(state)]) };
                let result = self.running.last().and_then(|p| self.program.proc(*p).result);
                let mut flows = Vec::new();
                for (mut state, value) in self.value(state, value)? {
                    if let Some(result) = result {
                        state.locals.insert(result, value);
                    }
                    flows.push(Flow::Return(state));
                }
                Ok(flows)
            }
            StmtKind::If { condition, then, otherwise } => {
                let mut flows = Vec::new();
                for (state, holds) in self.branches(state, condition)? {
                    flows.extend(self.block(state, if holds { then } else { otherwise })?);
                }
                Ok(flows)
            }
            StmtKind::While { .. } => self.while_loop(state, statement),
            StmtKind::Assert { formula, .. } => {
                self.clause(&mut state, formula, When::Later, "this assertion")?;
                let known = self.formula(&mut state, formula, When::Later, Mode::May)?;
                state.assume(&known);
                Ok(vec![Flow::Next(state)])
            }
            StmtKind::Assume { formula, .. } => {
                let known = self.formula(&mut state, formula, When::Later, Mode::May)?;
                state.assume(&known);
                Ok(vec![Flow::Next(state)])
            }
            StmtKind::Pragma(_) => Ok(vec![Flow::Next(state)]),
            StmtKind::Havoc(locals) => {
                for local in locals {
                    let value = self.any_value(&mut state, &self.local_type(*local));
                    state.locals.insert(*local, value);
                }
                Ok(vec![Flow::Next(state)])
            }
            StmtKind::Choice(a, b) => {
                let mut flows = self.block(state.clone(), a)?;
                flows.extend(self.block(state, b)?);
                Ok(flows)
            }
        }
    }

    pub fn local_type(&self, local: LocalId) -> Type {
        let proc = self.running.last().map(|p| self.program.proc(*p));
        proc.map_or(Type::Nothing, |p| p.locals[local.index()].ty.clone())
    }

    fn set_local(&mut self, state: State, local: LocalId, value: &'p Expr) -> Shown<Vec<State>> {
        let mut done = Vec::new();
        for (mut state, value) in self.value(state, value)? {
            state.locals.insert(local, value);
            done.push(state);
        }
        Ok(done)
    }

    fn assign(&mut self, state: State, place: &'p Place, value: &'p Expr, span: Span) -> Shown<Vec<State>> {
        let mut done = Vec::new();
        match place {
            Place::Local(local) => return self.set_local(state, *local, value),
            Place::Global(global) => {
                for (mut state, value) in self.value(state, value)? {
                    self.stamp(&mut state);
                    state.heap.globals.insert(*global, value);
                    done.push(state);
                }
            }
            // The object first, as the interpreter does; it must be there when the value is written.
            Place::Field(object, field) => {
                for (state, object) in self.object(state, object)? {
                    for (mut state, value) in self.value(state, value)? {
                        self.is_there(&mut state, &object, span)?;
                        self.write(&mut state, *field, &object, &value);
                        done.push(state);
                    }
                }
            }
            Place::Index(..) => return open(span, "arrays are not laid out"),
        }
        Ok(done)
    }

    fn is_there(&mut self, state: &mut State, object: &str, span: Span) -> Shown {
        let there = not(&same(object, self.layout.null()));
        self.must(state, &there, &there, span, "that this is not null")
    }

    fn object(&mut self, state: State, e: &'p Expr) -> Shown<Vec<(State, String)>> {
        let mut found = Vec::new();
        for (state, value) in self.value(state, e)? {
            match value {
                Value::Object(name) => found.push((state, name)),
                _ => return open(e.span, "this is not followed"),
            }
        }
        Ok(found)
    }

    /// The two outcomes of a condition.
    pub fn branches(&mut self, state: State, condition: &'p Expr) -> Shown<Vec<(State, bool)>> {
        let mut found = Vec::new();
        for (state, value) in self.value(state, condition)? {
            let Value::Bool(text) = value else { return open(condition.span, "this condition is not followed") };
            for outcome in [true, false] {
                let fact = if outcome { text.clone() } else { not(&text) };
                if fact != "false" {
                    let mut state = state.clone();
                    state.assume(&fact);
                    found.push((state, outcome));
                }
            }
        }
        Ok(found)
    }

    pub fn value(&mut self, mut state: State, e: &'p Expr) -> Shown<Valued> {
        let one = |state, value| Ok(vec![(state, value)]);
        match &e.kind {
            ExprKind::Bool(b) => one(state, Value::Bool(b.to_string())),
            ExprKind::Null => one(state, Value::Object(self.layout.null().into())),
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::String(_) => one(state, Value::Other),
            ExprKind::Local(local) => {
                let value = state.locals.get(local).cloned().unwrap_or(Value::Other);
                one(state, value)
            }
            ExprKind::Global(global) => {
                let value = state.heap.globals.get(global).cloned().unwrap_or(Value::Other);
                one(state, value)
            }
            ExprKind::Field(object, field) => {
                let mut found = Vec::new();
                for (mut state, object) in self.object(state, object)? {
                    self.is_there(&mut state, &object, e.span)?;
                    let value = self.read(&mut state, *field, &object);
                    found.push((state, value));
                }
                Ok(found)
            }
            ExprKind::New(object) => {
                let name = self.allocate(&mut state, *object);
                one(state, Value::Object(name))
            }
            ExprKind::Unary(op, inner) => {
                let negated = |(state, value)| match (op, value) {
                    (UnaryOp::Not, Value::Bool(text)) => (state, Value::Bool(not(&text))),
                    (_, _) => (state, Value::Other),
                };
                Ok(self.value(state, inner)?.into_iter().map(negated).collect())
            }
            ExprKind::Binary(op @ (BinaryOp::AndThen | BinaryOp::OrElse), a, b) => {
                let decides = *op == BinaryOp::OrElse;
                let mut found = Vec::new();
                for (state, holds) in self.branches(state, a)? {
                    if holds == decides {
                        found.push((state, Value::Bool(decides.to_string())));
                    } else {
                        found.extend(self.value(state, b)?);
                    }
                }
                Ok(found)
            }
            ExprKind::Binary(op, a, b) => {
                if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && !matches!(b.kind, ExprKind::Int(1..)) {
                    return open(e.span, "this may divide by zero");
                }
                let mut found = Vec::new();
                for (state, a) in self.value(state, a)? {
                    for (mut state, b) in self.value(state, b)? {
                        let value = match self.combined(*op, &a, &b) {
                            Some(text) => Value::Bool(text),
                            None if e.ty == Type::Bool => self.any_bool(&mut state),
                            None => Value::Other,
                        };
                        found.push((state, value));
                    }
                }
                Ok(found)
            }
            ExprKind::ToFloat(inner) => {
                Ok(self.value(state, inner)?.into_iter().map(|(state, _)| (state, Value::Other)).collect())
            }
            ExprKind::Step { place, .. } => match &**place {
                Place::Local(_) => one(state, Value::Other),
                Place::Global(_) => {
                    self.stamp(&mut state);
                    one(state, Value::Other)
                }
                Place::Field(object, _) => {
                    let mut found = Vec::new();
                    for (mut state, object) in self.object(state, object)? {
                        self.is_there(&mut state, &object, e.span)?;
                        self.stamp(&mut state);
                        found.push((state, Value::Other));
                    }
                    Ok(found)
                }
                Place::Index(..) => open(e.span, "arrays are not laid out"),
            },
            ExprKind::Call(callee, arguments) => self.call(state, *callee, arguments, e.span),
            // The program ends: no run goes on.
            ExprKind::Intrinsic(Intrinsic::Exit, arguments) => {
                self.values(state, arguments)?;
                Ok(Vec::new())
            }
            // The library changes no heap.
            ExprKind::Intrinsic(_, arguments) => {
                if matches!(e.ty, Type::Object(_) | Type::Array(_)) {
                    return open(e.span, "what this returns is not followed");
                }
                let mut found = Vec::new();
                for (mut state, _) in self.values(state, arguments)? {
                    let value = self.any_value(&mut state, &e.ty);
                    found.push((state, value));
                }
                Ok(found)
            }
            ExprKind::Index(..) | ExprKind::Length(_) | ExprKind::NewArray(_) => {
                open(e.span, "arrays are not laid out")
            }
        }
    }

    /// Of arguments, one after the other.
    pub fn values(&mut self, state: State, arguments: &'p [Expr]) -> Shown<Vec<(State, Vec<Value>)>> {
        let mut ready = vec![(state, Vec::new())];
        for argument in arguments {
            let mut more = Vec::new();
            for (state, given) in ready {
                for (state, value) in self.value(state, argument)? {
                    let mut given: Vec<Value> = given.clone();
                    given.push(value);
                    more.push((state, given));
                }
            }
            ready = more;
        }
        Ok(ready)
    }

    fn combined(&self, op: BinaryOp, a: &Value, b: &Value) -> Option<String> {
        Some(match (op, a, b) {
            (BinaryOp::Equal, Value::Object(a), Value::Object(b)) => same(a, b),
            (BinaryOp::NotEqual, Value::Object(a), Value::Object(b)) => not(&same(a, b)),
            (BinaryOp::Equal, Value::Bool(a), Value::Bool(b)) => format!("({a} <=> {b})"),
            (BinaryOp::NotEqual | BinaryOp::Xor, Value::Bool(a), Value::Bool(b)) => format!("~({a} <=> {b})"),
            (BinaryOp::And, Value::Bool(a), Value::Bool(b)) => all(&[a.clone(), b.clone()]),
            (BinaryOp::Or, Value::Bool(a), Value::Bool(b)) => any(&[a.clone(), b.clone()]),
            _ => return None,
        })
    }

    fn read(&mut self, state: &mut State, field: FieldId, object: &str) -> Value {
        let Some(version) = state.heap.fields.get(&field).cloned() else { return Value::Other };
        if self.program.field(field).ty == Type::Bool {
            return Value::Bool(self.flag(&version, object));
        }
        if let Version::Written { object: written, value, .. } = &*version
            && written == object
        {
            return Value::Object(value.clone());
        }
        let is_same = |(v, o, _): &&(Rc<Version>, String, String)| Rc::ptr_eq(v, &version) && o == object;
        if let Some((.., name)) = state.reads.iter().find(is_same) {
            return Value::Object(name.clone());
        }
        let name = self.fresh("v");
        state.declare(1, &name);
        let holds = self.holds(&state.heap, field, &version, object, &name, Mode::May);
        state.assume(&holds);
        state.reads.push((version, object.to_owned(), name.clone()));
        Value::Object(name)
    }
}
