//! Classes as values: `C.class`, and `o.getClass()` where it is not compared at once. Each class has one object of `java.lang.Class`; they
//! are made before all else and held by static fields, as the constants of an enum are, and so a field of type `Class` holds any of them.

use super::Lowering;
use super::body::{Body, Val, expr, stmt};
use crate::resolve::*;
use crate::syntax::ast::{Prim, TypeRef};
use ir::{ClassId, ClassKind, ExprKind, FieldId, Intrinsic, StmtKind, Ty};
use rustc_hash::FxHashSet;
use source::Span;

pub(super) const CLASS: &str = "java.lang.Class";

impl Body<'_, '_> {
    pub fn class_literal(&mut self, written: &TypeRef, span: Span) -> Val {
        let named = self.resolve(written);
        let ty = self.low.table.known_type(CLASS);
        // There they are numbers of bits.
        if is_floating(&named) {
            return self.unsupported(span, "the class of a floating-point type", "leave it out", ty);
        }
        let of = self.low.ir_type(&named);
        match self.low.class_object(of) {
            Some(field) => Val { expr: expr(ExprKind::Static(field), self.low.ir_type(&ty), span), ty },
            None => self.unsupported(span, "a class literal here", "use `instanceof`", ty),
        }
    }

    /// `None` is asked of `this`.
    pub fn class_of(&mut self, receiver: Option<Val>, span: Span) -> Val {
        let object = match receiver {
            Some(val) => self.receiver(val),
            None => self.this_value(span).expr,
        };
        self.low.asks_for_classes = true;
        let ty = self.low.table.known_type(CLASS);
        let kind = ExprKind::Intrinsic(Intrinsic::ClassOf, vec![object]);
        Val { expr: expr(kind, self.low.ir_type(&ty), span), ty }
    }
}

fn is_floating(ty: &Type) -> bool {
    match ty {
        Type::Prim(p) => matches!(p, Prim::Float | Prim::Double),
        Type::Array(e) => is_floating(e),
        _ => false,
    }
}

impl Lowering<'_> {
    /// The static field with the object of a type that the code names. None if it is too late for a new one.
    pub(super) fn class_object(&mut self, ty: Ty) -> Option<FieldId> {
        match self.program.class_objects.iter().find(|o| o.0 == ty) {
            Some(&(_, field)) => Some(field),
            None if self.has_class_objects => None,
            None => Some(self.new_class_object(ty)),
        }
    }

    pub(super) fn new_class_object(&mut self, ty: Ty) -> FieldId {
        let class = self.class_of_classes();
        let field = FieldId(self.program.fields.len() as u32);
        self.program.fields.push(ir::Field {
            name: format!("{}.class", self.program.ty_name(ty)),
            class,
            ty: Ty::Class(class),
            is_static: true,
            is_final: true,
            enum_constant: true,
            is_synthetic: true,
            bound: ir::Bound::default(),
            span: self.program.class(class).span,
        });
        self.program.class_objects.push((ty, field));
        field
    }

    fn class_of_classes(&mut self) -> ClassId {
        let ix = self.table.known(CLASS);
        self.class_id(ix)
    }

    /// After all is reached: an object for each class that has objects, so that a state may hold others than the code names.
    pub(super) fn finish_class_objects(&mut self) {
        self.has_class_objects = true;
        if self.program.class_objects.is_empty() && !self.asks_for_classes && !self.is_class_held() {
            return self.finish_by_class();
        }
        self.program.named_classes = self.program.class_objects.len();
        let class = self.class_of_classes();
        let made = self.made_classes();
        let has_objects = |index: usize, c: &ir::Class| {
            let is_concrete = !c.is_abstract && c.kind != ClassKind::Interface && !c.is_apart;
            is_concrete && (!c.is_built_in || made.contains(&ClassId(index as u32)))
        };
        let with_objects = self.program.classes.iter().enumerate().filter(|(index, c)| has_objects(*index, c));
        let mut all: Vec<Ty> = with_objects.map(|(index, _)| Ty::Class(ClassId(index as u32))).collect();
        // What a state is made of comes first.
        all.sort_by_key(|ty| !matches!(ty, Ty::Class(c) if self.program.class(*c).is_input));
        all.extend((0..self.program.arrays.len() as u32).map(|a| Ty::Array(ir::ArrayId(a))));
        for ty in all {
            if self.program.class_objects.iter().all(|o| o.0 != ty) {
                self.new_class_object(ty);
            }
        }
        self.add_classes_asked_for();
        self.finish_by_class();
        let ix = self.class_ix(class);
        let span = self.program.class(class).span;
        let object = self.bare(class, span);
        let set = self.program.class_objects.iter().map(|(_, field)| {
            let set = ExprKind::SetStatic(*field, Box::new(object.clone()));
            stmt(StmtKind::Expr(expr(set, Ty::Class(class), span)), span)
        });
        let body = set.collect();
        self.add_static_initialiser(ix, Vec::new(), body, span);
        self.run();
    }

    /// Classes that there are objects of, of those that are built in: the others have static methods only, or are never thrown.
    fn made_classes(&self) -> FxHashSet<ClassId> {
        let program = &self.program;
        let k = &program.known;
        let thrown = [k.null_pointer, k.index_out_of_bounds, k.arithmetic, k.class_cast, k.negative_array_size];
        let more = [k.array_store, k.stack_overflow, k.assertion, k.object, k.string];
        let mut made: FxHashSet<ClassId> = thrown.into_iter().chain(more).collect();
        let is_value = |c: &ir::Class| matches!(c.kind, ClassKind::Box | ClassKind::Enum);
        let values = program.classes.iter().enumerate().filter(|(_, c)| is_value(c));
        made.extend(values.map(|(index, _)| ClassId(index as u32)));
        for body in program.methods.iter().filter_map(|m| m.body.as_ref()) {
            ir::walk::block(body, &mut |e| {
                if let ExprKind::New(class, ..) = e.kind {
                    made.insert(class);
                }
            });
        }
        made
    }

    /// Whether a state or a call may have one, though no code names or asks for any.
    fn is_class_held(&mut self) -> bool {
        let ix = self.table.known(CLASS);
        let Some(&class) = self.class_ids.get(&ix) else { return false };
        let program = &self.program;
        let is_class = |ty: Ty| ty == Ty::Class(class);
        let is_held = |f: &ir::Field| program.class(f.class).is_input && is_class(f.ty);
        program.fields.iter().any(is_held)
            || self.operations.iter().any(|m| program.method(*m).parameters.iter().any(|p| is_class(p.ty)))
    }
}
