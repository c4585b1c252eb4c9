//! Which int variables and fields of a procedure, and which of characters, are followed, and against which constants (docs/hob.md, "Statements").
//!
//! What goes in: a procedure. What comes out: for each of them the constants that matter to it. Variables and fields that values
//! go between form a class; a class is followed if it has a field that sets are defined by, or if all its values are constants and
//! some are compared. Where something of a class is compared, its fields are followed against all constants of the class, not only those
//! that sets are defined by. A class with more than [`MOST`] constants is not followed, nor one with more than [`MOST_IN_LOOPS`]
//! that a loop writes: facts would grow.

use super::indexes::Variable;
use super::spots::Spot;
use crate::program::*;
use crate::visit;
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

const MOST: usize = 32;
/// Of a class that a loop writes: what it keeps is asked of each of them.
pub const MOST_IN_LOOPS: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    Local(LocalId),
    Field(FieldId),
}

#[derive(Clone, Default, Debug)]
struct Class {
    constants: BTreeSet<i64>,
    /// One that sets are defined by.
    has_field: bool,
    /// Or a field of it is counted up or down.
    is_compared: bool,
    /// Some value is not a constant.
    is_open: bool,
    /// It is counted in a loop: there are more values than constants.
    is_counted: bool,
    is_written_in_loop: bool,
    /// How far down and up at once.
    strides: (i64, i64),
}

impl Class {
    /// What a loop counts through on its way to a field, if that is not much: from one constant to another, and a stride further.
    fn fill(&mut self) {
        let (Some(first), Some(last)) = (self.constants.first(), self.constants.last()) else { return };
        let all = first.saturating_add(self.strides.0)..=last.saturating_add(self.strides.1);
        if self.is_counted && !self.is_open && all.clone().nth(MOST_IN_LOOPS).is_none() {
            self.constants.extend(all);
        }
    }
}

struct Classes<'p> {
    program: &'p Program,
    proc: &'p Proc,
    bases: &'p dyn Fn(FieldId) -> Vec<i64>,
    /// Loops around the statement.
    loops: usize,
    numbers: FxHashMap<Node, usize>,
    parents: Vec<usize>,
    classes: Vec<Class>,
}

/// Variables and fields, each with its constants.
pub fn followed(
    program: &Program,
    proc: &Proc,
    bases: &dyn Fn(FieldId) -> Vec<i64>,
    spots: &BTreeMap<Spot, TypeId>,
) -> BTreeMap<Node, Vec<i64>> {
    let mut classes = Classes {
        program,
        proc,
        bases,
        loops: 0,
        numbers: FxHashMap::default(),
        parents: Vec::new(),
        classes: Vec::new(),
    };
    let body = proc.body.as_deref().unwrap_or_default();
    classes.statements(body);
    let mut in_loops = FxHashSet::default();
    steps_in_loops(body, &mut in_loops);
    visit::exprs(body, &mut |e| match &e.kind {
        ExprKind::Binary(op, a, b) if is_comparison(*op) => classes.compared(a, b),
        ExprKind::Step { place, up, .. } => {
            if let Some(node) = classes.place(place) {
                let class = classes.class(node);
                classes.shift(class, if *up { 1 } else { -1 }, in_loops.contains(&e.span));
                classes.classes[class].is_compared |= matches!(node, Node::Field(_));
            }
        }
        _ => {}
    });
    // Indexes of elements that may be those at constants.
    let indexes = |spot: &Spot| spot.indexes();
    for (spot, ty) in spots {
        for other in
            spots.iter().filter(|(other, of)| *other != spot && *of == ty).flat_map(|(other, _)| indexes(other))
        {
            for index in spot.indexes() {
                if let (Some(Variable::Local(local)), None) = (index.of, other.of) {
                    let class = classes.class(Node::Local(local));
                    classes.classes[class].constants.insert(sum(other.plus, -index.plus));
                    classes.classes[class].is_compared = true;
                }
            }
        }
    }
    for formal in (0..proc.formals).map(LocalId) {
        if let Some(class) = classes.numbers.get(&Node::Local(formal)).copied() {
            let class = classes.root(class);
            classes.classes[class].is_open = true;
        }
    }
    // How often a field is counted is how many rounds there are: what counts these matters as well.
    let counts_field = classes.classes.iter().any(|class| class.is_counted && class.has_field);
    classes.classes.iter_mut().filter(|class| class.has_field || counts_field).for_each(Class::fill);
    let mut found = BTreeMap::new();
    for (node, at) in classes.numbers.clone() {
        let class = &classes.classes[classes.root(at)];
        let matters = match node {
            Node::Local(local) => class.has_field || class.is_compared && (!class.is_open || local.0 < proc.formals),
            Node::Field(field) => {
                class.is_compared && (!class.is_open && !class.is_counted || !bases(field).is_empty())
            }
        };
        let most = if class.is_counted || class.is_written_in_loop { MOST_IN_LOOPS } else { MOST };
        if matters && class.constants.len() <= most {
            found.insert(node, class.constants.iter().copied().collect());
        }
    }
    found
}

/// Ints wrap.
pub fn sum(n: i64, by: i64) -> i64 {
    i64::from((n as i32).wrapping_add(by as i32))
}

fn steps_in_loops(body: &[Stmt], found: &mut FxHashSet<Span>) {
    for statement in body {
        match &statement.kind {
            StmtKind::While { .. } => visit::exprs(std::slice::from_ref(statement), &mut |e| {
                if matches!(e.kind, ExprKind::Step { .. }) {
                    found.insert(e.span);
                }
            }),
            StmtKind::Block(inner) => steps_in_loops(inner, found),
            StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                steps_in_loops(a, found);
                steps_in_loops(b, found);
            }
            _ => {}
        }
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | Greater | AtMost | AtLeast)
}

impl Classes<'_> {
    fn root(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    fn class(&mut self, node: Node) -> usize {
        if let Some(at) = self.numbers.get(&node) {
            return self.root(*at);
        }
        let at = self.parents.len();
        self.numbers.insert(node, at);
        self.parents.push(at);
        let mut class = Class::default();
        if let Node::Field(field) = node {
            class.constants = (self.bases)(field).into_iter().collect();
            class.has_field = !class.constants.is_empty();
        }
        self.classes.push(class);
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        self.parents[b] = a;
        let other = std::mem::take(&mut self.classes[b]);
        let class = &mut self.classes[a];
        class.constants.extend(other.constants);
        class.has_field |= other.has_field;
        class.is_compared |= other.is_compared;
        class.is_open |= other.is_open;
        class.is_counted |= other.is_counted;
        class.is_written_in_loop |= other.is_written_in_loop;
        class.strides = (class.strides.0.min(other.strides.0), class.strides.1.max(other.strides.1));
    }

    fn place(&self, place: &Place) -> Option<Node> {
        match place {
            Place::Local(local) => self.local(*local),
            Place::Field(_, field) => self.field(*field),
            _ => None,
        }
    }

    fn local(&self, local: LocalId) -> Option<Node> {
        matches!(self.proc.locals[local.index()].ty, Type::Int | Type::Char).then_some(Node::Local(local))
    }

    fn field(&self, field: FieldId) -> Option<Node> {
        matches!(self.program.field(field).ty, Type::Int | Type::Char).then_some(Node::Field(field))
    }

    fn value(&self, e: &Expr) -> Option<Node> {
        match &e.kind {
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Field(_, field) => self.field(*field),
            _ => None,
        }
    }

    fn statements(&mut self, body: &[Stmt]) {
        for statement in body {
            match &statement.kind {
                StmtKind::Declare(local, value) => {
                    if let Some(node) = self.local(*local) {
                        self.assigned(node, value.as_ref());
                    }
                }
                StmtKind::Assign(place, value) => {
                    if let Some(node) = self.place(place) {
                        self.assigned(node, Some(value));
                    }
                }
                StmtKind::Havoc(locals) => {
                    for local in locals {
                        if let Some(node) = self.local(*local) {
                            let class = self.class(node);
                            self.classes[class].is_open = true;
                        }
                    }
                }
                StmtKind::Block(inner) => self.statements(inner),
                StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                    self.statements(a);
                    self.statements(b);
                }
                StmtKind::While { body, step, .. } => {
                    self.loops += 1;
                    self.statements(body);
                    self.statements(step.as_deref().map(std::slice::from_ref).unwrap_or_default());
                    self.loops -= 1;
                }
                _ => {}
            }
        }
    }

    fn assigned(&mut self, to: Node, value: Option<&Expr>) {
        let class = self.class(to);
        self.classes[class].is_written_in_loop |= self.loops > 0;
        let constant = value.map_or(Some(Constant::Int(0)), super::walk::constant);
        match (constant, value.and_then(|v| self.value(v))) {
            (Some(Constant::Int(n)), _) => drop(self.classes[class].constants.insert(n)),
            (_, Some(from)) => {
                let from = self.class(from);
                self.join(class, from);
            }
            _ => match value.and_then(|v| self.shifted(v)) {
                Some((from, by)) => {
                    let is_field = matches!(from, Node::Field(_));
                    let from = self.class(from);
                    self.classes[from].is_compared |= is_field;
                    self.join(class, from);
                    self.shift(class, by, self.loops > 0);
                }
                None => self.classes[class].is_open = true,
            },
        }
    }

    /// Its constants may be met that much further; round after round of a loop there are more and more, of which none matters.
    fn shift(&mut self, class: usize, by: i64, in_loop: bool) {
        let class = &mut self.classes[class];
        if in_loop {
            class.is_counted = true;
            class.strides = (class.strides.0.min(by), class.strides.1.max(by));
            return;
        }
        let moved: Vec<i64> = class.constants.iter().map(|n| sum(*n, by)).collect();
        class.constants.extend(moved);
    }

    /// `k + 1`, `k - 1`, `++k`.
    fn shifted(&self, e: &Expr) -> Option<(Node, i64)> {
        if let ExprKind::Step { place, up, prefix } = &e.kind {
            let by = if *up { 1 } else { -1 };
            return self.place(place).map(|node| (node, if *prefix { by } else { 0 }));
        }
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b) = &e.kind else { return None };
        match (self.value(a), super::walk::constant(b)) {
            (Some(node), Some(Constant::Int(n))) => Some((node, if *op == BinaryOp::Add { n } else { -n })),
            _ => None,
        }
    }

    fn compared(&mut self, a: &Expr, b: &Expr) {
        match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => {
                let (a, b) = (self.class(a), self.class(b));
                self.join(a, b);
            }
            (Some(node), None) | (None, Some(node)) => {
                let other = if self.value(a).is_some() { b } else { a };
                if let Some(Constant::Int(n)) = super::walk::constant(other) {
                    let class = self.class(node);
                    self.classes[class].constants.insert(n);
                    self.classes[class].is_compared = true;
                }
            }
            (None, None) => {}
        }
    }
}
