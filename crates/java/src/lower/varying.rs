//! Static fields that vary from state to state: those with `@Varies` or a bound. They become instance fields of one object
//! per class, which a static field holds; so whatever treats objects treats them.

use super::Lowering;
use super::body::{Body, expr};
use crate::resolve::*;
use ir::{Expr, ExprKind, StaticState, Ty};
use source::Span;

/// A bound on a start value means something only if there is more than one.
const VARYING: [&str; 6] = ["Varies", "Range", "Length", "OneOf", "NonNull", "Tree"];

impl Lowering<'_> {
    pub fn varies(&mut self, fx: FieldIx) -> bool {
        let info = self.table.field(fx);
        let is_marked = match &info.origin {
            FieldOrigin::Declared(decl) => VARYING.iter().any(|a| decl.modifiers.has(a)),
            _ => false,
        };
        let class = self.table.class(info.class);
        let is_ours = class.is_input() || class.unit.origin == Origin::Prelude;
        is_marked && info.is_static && is_ours && self.constant(fx).is_none()
    }

    pub(super) fn static_state(&mut self, owner: ClassIx) -> StaticState {
        if let Some(&state) = self.static_states.get(&owner) {
            return state;
        }
        let of = self.class_id(owner);
        let span = self.program.class(of).span;
        let class = ir::ClassId(self.program.classes.len() as u32);
        self.class_of.push(owner);
        self.program.classes.push(ir::Class {
            name: self.program.class(of).name.clone(),
            superclass: Some(self.program.known.object),
            interfaces: Vec::new(),
            kind: ir::ClassKind::Class,
            is_abstract: true,
            is_input: false,
            is_local: false,
            is_apart: false,
            is_built_in: false,
            is_ready_made: false,
            is_of_library: false,
            fields: Vec::new(),
            dispatch: Default::default(),
            max: None,
            span,
        });
        let field = ir::FieldId(self.program.fields.len() as u32);
        self.program.fields.push(ir::Field {
            name: "static".to_string(),
            class: of,
            ty: Ty::Class(class),
            is_static: true,
            is_final: true,
            enum_constant: false,
            is_synthetic: true,
            bound: ir::Bound::default(),
            span,
        });
        let state = StaticState { field, class };
        self.program.static_state.push(state);
        self.static_states.insert(owner, state);
        state
    }
}

impl Body<'_, '_> {
    /// The object that has a static field, if it varies.
    pub fn static_owner(&mut self, fx: FieldIx, span: Span) -> Option<Expr> {
        if !self.low.varies(fx) {
            return None;
        }
        let state = self.low.static_state(self.low.table.field(fx).class);
        Some(expr(ExprKind::Static(state.field), Ty::Class(state.class), span))
    }
}
