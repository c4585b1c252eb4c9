//! Which int variables of a procedure are followed, and against which constants (docs/hob.md, "Statements").
//!
//! What goes in: a procedure. What comes out: for each such variable the constants that matter to it. Variables and fields that values
//! go between form a class; a class is followed if it has a field that sets are defined by, or if all its values are constants and
//! some are compared. A class with more than [`MOST`] constants is not followed: facts would grow.

use crate::program::*;
use crate::visit;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

const MOST: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Local(LocalId),
    Field(FieldId),
}

#[derive(Clone, Default, Debug)]
struct Class {
    constants: BTreeSet<i64>,
    has_field: bool,
    is_compared: bool,
    /// Some value is not a constant.
    is_open: bool,
}

struct Classes<'p> {
    proc: &'p Proc,
    bases: &'p dyn Fn(FieldId) -> Vec<i64>,
    numbers: FxHashMap<Node, usize>,
    parents: Vec<usize>,
    classes: Vec<Class>,
}

/// By variable: its constants.
pub fn followed(proc: &Proc, bases: &dyn Fn(FieldId) -> Vec<i64>) -> FxHashMap<LocalId, Vec<i64>> {
    let mut classes = Classes { proc, bases, numbers: FxHashMap::default(), parents: Vec::new(), classes: Vec::new() };
    let body = proc.body.as_deref().unwrap_or_default();
    classes.statements(body);
    visit::exprs(body, &mut |e| {
        if let ExprKind::Binary(op, a, b) = &e.kind
            && is_comparison(*op)
        {
            classes.compared(a, b);
        }
    });
    visit::exprs(body, &mut |e| {
        if let ExprKind::Step { place, .. } = &e.kind
            && let Some(node) = classes.place(place)
        {
            let class = classes.class(node);
            classes.classes[class].is_open = true;
        }
    });
    for formal in (0..proc.formals).map(LocalId) {
        if let Some(class) = classes.numbers.get(&Node::Local(formal)).copied() {
            let class = classes.root(class);
            classes.classes[class].is_open = true;
        }
    }
    let mut found = FxHashMap::default();
    for (node, at) in classes.numbers.clone() {
        let Node::Local(local) = node else { continue };
        let class = &classes.classes[classes.root(at)];
        let matters =
            class.has_field || class.is_compared && !class.is_open || class.is_compared && is_formal(proc, local);
        if matters && class.constants.len() <= MOST {
            found.insert(local, class.constants.iter().copied().collect());
        }
    }
    found
}

fn is_formal(proc: &Proc, local: LocalId) -> bool {
    local.0 < proc.formals
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
            class.has_field = true;
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
    }

    fn place(&self, place: &Place) -> Option<Node> {
        match place {
            Place::Local(local) => self.local(*local),
            Place::Field(_, field) => self.field(*field),
            _ => None,
        }
    }

    fn local(&self, local: LocalId) -> Option<Node> {
        (self.proc.locals[local.index()].ty == Type::Int).then_some(Node::Local(local))
    }

    fn field(&self, field: FieldId) -> Option<Node> {
        (!(self.bases)(field).is_empty()).then_some(Node::Field(field))
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
                    self.statements(body);
                    self.statements(step.as_deref().map(std::slice::from_ref).unwrap_or_default());
                }
                _ => {}
            }
        }
    }

    fn assigned(&mut self, to: Node, value: Option<&Expr>) {
        let class = self.class(to);
        let constant = value.map_or(Some(Constant::Int(0)), super::walk::constant);
        match (constant, value.and_then(|v| self.value(v))) {
            (Some(Constant::Int(n)), _) => drop(self.classes[class].constants.insert(n)),
            (_, Some(from)) => {
                let from = self.class(from);
                self.join(class, from);
            }
            _ => self.classes[class].is_open = true,
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
