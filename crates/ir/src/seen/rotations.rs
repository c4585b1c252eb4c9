//! Stores that move arrays around and keep none twice: `int[] t = a; a = b; b = t;`, also over more than two places, and of
//! rows: `int[] t = m[i]; m[i] = m[j]; m[j] = t;`. Each place is overwritten by the next statement after it was read.
//!
//! What goes in: the body of a method. What comes out: where these stores stand. It must be all of them or none that are done:
//! after the first store nothing can throw, and no store changes what another place means.

use crate::program::*;
use crate::walk::{self, Node};
use rustc_hash::FxHashSet;
use source::Span;

pub(super) fn of(program: &Program, method: &Method, body: &[Stmt]) -> FxHashSet<Span> {
    let mut found = FxHashSet::default();
    let mut block = |block: &[Stmt]| {
        for first in 0..block.len() {
            found.extend(rotation(program, method, &block[first..]).into_iter().flatten());
        }
    };
    block(body);
    walk::nodes(body, &mut |node| {
        if let Node::Stmt(stmt) = node {
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|b| block(b)),
                StmtKind::Loop { body, .. } | StmtKind::Labelled { body, .. } | StmtKind::Block(body) => block(body),
                StmtKind::Switch { cases, .. } => cases.iter().for_each(|c| block(&c.body)),
                StmtKind::Try { body, catches, finally } => {
                    [body, finally].into_iter().for_each(|b| block(b));
                    catches.iter().for_each(|c| block(&c.body));
                }
                _ => {}
            }
        }
        true
    });
    found
}

/// Where an array is kept.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Field(LocalId, FieldId),
    Element(Base, Index),
}

#[derive(Clone, Copy, PartialEq)]
enum Base {
    Local(LocalId),
    Field(LocalId, FieldId),
}

#[derive(Clone, Copy, PartialEq)]
enum Index {
    Local(LocalId),
    Constant(i64),
}

/// The stores of a rotation that begins with the first statement.
fn rotation(program: &Program, method: &Method, block: &[Stmt]) -> Option<Vec<Span>> {
    let (first, rest) = block.split_first()?;
    let StmtKind::Expr(Expr { kind: ExprKind::SetLocal(local, taken), .. }) = &first.kind else { return None };
    let (mut open, mut places, mut stores) = (place(program, taken)?, Vec::new(), Vec::new());
    for stmt in rest {
        let StmtKind::Expr(store) = &stmt.kind else { return None };
        let (to, value) = match &store.kind {
            ExprKind::SetField(object, field, value) => (field_of(object, *field)?, value),
            ExprKind::SetElement(array, index, value) => (element_of(program, array, index)?, value),
            _ => return None,
        };
        if to != open {
            return None;
        }
        places.push(to);
        stores.push(store.span);
        if matches!(value.kind, ExprKind::Local(l) if l == *local) {
            let is_apart = |p: &Place| places.iter().all(|written| !p.depends_on(*local, *written));
            return places.iter().all(is_apart).then_some(stores);
        }
        open = place(program, value)?;
        // To read the second place may throw: nothing is written then. The others must be there.
        let is_there = matches!(open, Place::Field(LocalId(0), _)) && !method.is_static;
        if stores.len() > 1 && !is_there {
            return None;
        }
    }
    None
}

fn place(program: &Program, e: &Expr) -> Option<Place> {
    match &e.kind {
        ExprKind::Field(object, field) => field_of(object, *field),
        ExprKind::Element(array, index) => element_of(program, array, index),
        _ => None,
    }
}

fn field_of(object: &Expr, field: FieldId) -> Option<Place> {
    match object.kind {
        ExprKind::Local(local) => Some(Place::Field(local, field)),
        _ => None,
    }
}

/// Of an array whose elements are arrays of numbers: a store into any other may be refused.
fn element_of(program: &Program, array: &Expr, index: &Expr) -> Option<Place> {
    let Ty::Array(outer) = array.ty else { return None };
    let Ty::Array(inner) = program.element_ty(outer) else { return None };
    if program.element_ty(inner).is_reference() {
        return None;
    }
    let base = match &array.kind {
        ExprKind::Local(local) => Base::Local(*local),
        ExprKind::Field(object, field) => match object.kind {
            ExprKind::Local(local) => Base::Field(local, *field),
            _ => return None,
        },
        _ => return None,
    };
    let index = match index.kind {
        ExprKind::Local(local) => Index::Local(local),
        ExprKind::Int(i) => Index::Constant(i),
        _ => return None,
    };
    Some(Place::Element(base, index))
}

impl Place {
    /// Whether it may mean something else after the local is set, or this place is written.
    fn depends_on(self, local: LocalId, written: Place) -> bool {
        match self {
            Place::Field(object, _) => object == local,
            Place::Element(base, index) => {
                let is_base = match base {
                    Base::Local(l) => l == local,
                    Base::Field(object, field) => {
                        object == local || matches!(written, Place::Field(_, f) if f == field)
                    }
                };
                is_base || index == Index::Local(local)
            }
        }
    }
}
