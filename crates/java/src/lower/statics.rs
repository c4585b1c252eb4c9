//! Static initialisers: one method per class that has any, and the order to run them in.
//!
//! Java runs them at the first use of a class; here all run before an operation, each after those whose classes it uses
//! itself (JAVA.md, point 4). A circle is broken where the text comes first.

use super::body::{Body, expr, stmt};
use super::{Lowering, Work};
use crate::resolve::*;
use crate::syntax::ast::Member;
use ir::{ClassId, ExprKind, MethodId, StmtKind, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

impl Lowering<'_> {
    /// Notes that a class is used in a way that initialises it.
    pub fn static_initialiser(&mut self, class: ClassIx) {
        if self.statics.contains_key(&class) {
            return;
        }
        self.statics.insert(class, None);
        if let Some(Type::Class(parent, _)) = self.table.header(class).superclass {
            self.static_initialiser(parent);
        }
        self.work.push(Work::Statics(class));
    }

    pub(super) fn fill_statics(&mut self, class: ClassIx) {
        let decl = self.table.class(class).decl.clone();
        let span = decl.name.span;
        let types = self.table.scope_of(class);
        let members = self.table.members(class);
        let mut body = Body::new(self, class, false, types);
        let mut out = Vec::new();
        for (i, constant) in decl.constants.iter().enumerate() {
            let mark = (body.low.table.diagnostics.len(), out.len());
            body.enum_constant(class, i, constant.span, &mut out);
            if body.low.library_problem(class, mark.0).is_some() {
                out.truncate(mark.1);
                body.low.initialised.extend(members.fields.get(i).map(|f| (*f, false)));
            }
        }
        for member in &decl.members {
            match member {
                Member::Field(field) if field.modifiers.is_static => {
                    let Some(init) = &field.init else { continue };
                    let found = members.fields.iter().find(|f| body.low.table.field(**f).name == field.name.name);
                    let Some(&fx) = found else { continue };
                    if body.low.constant(fx).is_none() && body.low.is_initialised(fx) {
                        body.initialise_field(fx, init, field.span, &mut out);
                    }
                }
                Member::Initialiser { is_static: true, body: block } => {
                    let mark = (body.low.table.diagnostics.len(), out.len());
                    body.block_stmt(block, &mut out);
                    // What it would have set up is missing: only library code is taken so, see `is_initialised`.
                    if body.low.library_problem(class, mark.0).is_some() {
                        out.truncate(mark.1);
                    }
                }
                _ => {}
            }
        }
        if out.is_empty() {
            return;
        }
        let locals = std::mem::take(&mut body.locals);
        let id = self.class_id(class);
        let next = ir::SelectorId(self.selectors.len() as u32);
        let selector = *self.selectors.entry((name("<clinit>"), Vec::new())).or_insert(next);
        let method = self.add_synthetic(ir::Method {
            name: "<clinit>".into(),
            class: id,
            selector,
            is_static: true,
            is_constructor: false,
            is_declarative: false,
            return_ty: Ty::Void,
            parameters: Vec::new(),
            locals,
            body: Some(out),
            span,
            name_span: span,
        });
        self.statics.insert(class, Some(method));
    }

    /// Whether the initialiser of a static field could be lowered. In library code one that cannot is left out, and
    /// every use of the field is unsupported.
    pub fn is_initialised(&mut self, fx: FieldIx) -> bool {
        if let Some(&known) = self.initialised.get(&fx) {
            return known;
        }
        self.initialised.insert(fx, true);
        let info = self.table.field(fx).clone();
        let FieldOrigin::Declared(decl) = &info.origin else { return true };
        if !self.is_library(info.class) {
            return true;
        }
        let mut fine = info.problems.is_empty();
        if let (Some(init), true) = (&decl.init, fine) {
            let types = self.table.scope_of(info.class);
            let mark = self.table.diagnostics.len();
            let mut out = Vec::new();
            Body::new(self, info.class, false, types).initialise_field(fx, init, decl.span, &mut out);
            fine = self.library_problem(info.class, mark).is_none();
            ir::walk::block(&out, &mut |e| fine &= !matches!(e.kind, ExprKind::Unsupported(_)));
        }
        self.initialised.insert(fx, fine);
        fine
    }

    pub(super) fn order_statics(&mut self) {
        let initialisers: FxHashMap<ClassId, MethodId> =
            self.statics.iter().filter_map(|(c, m)| Some((*self.class_ids.get(c)?, (*m)?))).collect();
        let mut classes: Vec<ClassId> = initialisers.keys().copied().collect();
        // As the text has it: prelude first, then the inputs.
        classes.sort_by_key(|c| self.class_of[c.index()]);
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        for class in classes {
            self.visit_statics(class, &initialisers, &mut seen, &mut order);
        }
        self.program.static_initialisers = order;
    }

    fn visit_statics(
        &self,
        class: ClassId,
        initialisers: &FxHashMap<ClassId, MethodId>,
        seen: &mut FxHashSet<ClassId>,
        order: &mut Vec<MethodId>,
    ) {
        let Some(&method) = initialisers.get(&class) else { return };
        if !seen.insert(class) {
            return;
        }
        let mut used = self.classes_used(method);
        used.extend(self.program.class(class).superclass);
        used.sort_by_key(|c| self.class_of[c.index()]);
        for other in used {
            self.visit_statics(other, initialisers, seen, order);
        }
        order.push(method);
    }

    /// Classes that running a method may initialise, through everything it may call.
    fn classes_used(&self, from: MethodId) -> Vec<ClassId> {
        let mut used = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut todo = vec![from];
        while let Some(m) = todo.pop() {
            if !seen.insert(m) {
                continue;
            }
            let Some(body) = &self.program.method(m).body else { continue };
            ir::walk::block(body, &mut |e| match &e.kind {
                ExprKind::Static(f) | ExprKind::SetStatic(f, _) => {
                    used.insert(self.program.field(*f).class);
                }
                ExprKind::Call(callee, _) => {
                    let method = self.program.method(*callee);
                    if method.is_static {
                        used.insert(method.class);
                    }
                    todo.push(*callee);
                }
                ExprKind::CallVirtual(selector, _) => {
                    todo.extend(self.program.classes.iter().filter_map(|c| c.dispatch.get(selector)));
                }
                ExprKind::New(class, constructor, _) => {
                    used.insert(*class);
                    todo.push(*constructor);
                }
                _ => {}
            });
        }
        used.into_iter().collect()
    }
}

impl Body<'_, '_> {
    /// `NAME = new E("NAME", ordinal, arguments…)`, of a class of its own if it has a body.
    fn enum_constant(&mut self, class: ClassIx, index: usize, span: Span, out: &mut Vec<ir::Stmt>) {
        let decl = self.low.table.class(class).decl.clone();
        let constant = &decl.constants[index];
        let ty = Type::class(class);
        let pending = self.pending(&constant.arguments);
        let candidates = self.low.table.constructors(&ty);
        let Some(chosen) = self.choose(&candidates, &pending, &constant.name, span) else { return };
        let (arguments, _) = self.arguments(&chosen, pending, &[], None, span);
        let mut constructor = chosen.candidate.method;
        let mut of = class;
        if let Some(body) = &constant.body {
            of = self.declare_local(body.clone(), name(""));
            let header = Header { superclass: Some(ty.clone()), ..Header::default() };
            self.low.table.set_header(of, header);
            let params = self.low.table.method(constructor).params.clone();
            let own = self.low.table.implicit_constructor(of, params);
            self.low.table.add_member_method(of, own);
            self.low.super_constructors.insert(own, constructor);
            constructor = own;
        }
        let mut all = vec![self.string(&constant.name.name, span).expr];
        all.push(expr(ExprKind::Int(index as i64), Ty::Int, span));
        all.extend(arguments);
        let object = self.new_object(of, constructor, all, ty, span);
        let members = self.low.table.members(class);
        let field = members.fields.get(index).copied().and_then(|f| self.low.field_id(f));
        if let Some(field) = field {
            let ty = self.low.program.field(field).ty;
            let set = expr(ExprKind::SetStatic(field, Box::new(object.expr)), ty, span);
            out.push(stmt(StmtKind::Expr(set), span));
        }
    }
}
