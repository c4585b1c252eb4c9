//! An argument may be another object of the checked class: of `addAll(IntSet)`, or of a wider type, as of `equals(Object)`. It is one that
//! the class made, so it is valid, and must be afterwards: a precondition and a postcondition say so.

use super::Lowering;
use super::body::{expr, stmt};
use ir::seen::Kind;
use ir::{Checked, ClassId, ExprKind, LocalId, MethodId, Parameter, Spec, SpecArgument, StmtKind, Ty};
use rustc_hash::FxHashSet;

impl Lowering<'_> {
    pub(super) fn assume_valid_arguments(&mut self, checked: &mut [Checked]) {
        for checked in checked {
            let mut is_valid = None;
            let is_part = self.has_parts_of(checked.class);
            for operation in &mut checked.operations {
                let parameters = self.program.method(operation.method).parameters.clone();
                for (index, parameter) in parameters.iter().enumerate() {
                    if self.may_be_another(parameter, checked.class, is_part) {
                        let method = *is_valid.get_or_insert_with(|| self.is_valid(checked.class, checked.invariant));
                        let arguments = vec![SpecArgument::Parameter(index)];
                        let spec = Spec { method, arguments };
                        operation.preconditions.push(spec.clone());
                        operation.postconditions.push(spec.clone());
                        operation.others.push(spec);
                    }
                }
            }
        }
    }

    /// If objects of the class are made of such objects, an argument may be one of them, a node, of which the invariant need not hold.
    fn may_be_another(&self, parameter: &Parameter, class: ClassId, is_part: bool) -> bool {
        let Ty::Class(declared) = parameter.ty else { return false };
        let is_asked = |kind: &Kind| matches!(*kind, Kind::Class(asked) if self.program.is_subclass(class, asked));
        match self.program.class(declared).is_input {
            true => !is_part && self.program.is_subclass(class, declared),
            false => parameter.bound.one_of.is_none() && parameter.bound.seen.types.iter().any(is_asked),
        }
    }

    /// Whether fields that are reached from an object of the class may hold another one.
    fn has_parts_of(&self, class: ClassId) -> bool {
        let program = &self.program;
        let (mut seen, mut todo) = (FxHashSet::default(), vec![class]);
        while let Some(next) = todo.pop() {
            let fields = program.fields.iter().filter(|f| !f.is_synthetic && program.is_subclass(next, f.class));
            for field in fields {
                let mut ty = field.ty;
                while let Ty::Array(array) = ty {
                    ty = program.element_ty(array);
                }
                let Ty::Class(declared) = ty else { continue };
                if !program.class(declared).is_input {
                    continue;
                }
                if program.is_subclass(class, declared) {
                    return true;
                }
                todo.extend(program.concrete_subclasses(declared).filter(|c| seen.insert(*c)));
            }
        }
        false
    }

    /// `static boolean repOk(Object o) { return !(o instanceof C) || ((C) o).repOk(); }`
    fn is_valid(&mut self, class: ClassId, invariant: MethodId) -> MethodId {
        let (object, this) = (Ty::Class(self.program.known.object), Ty::Class(class));
        let span = self.program.method(invariant).name_span;
        let argument = || Box::new(expr(ExprKind::Local(LocalId(0)), object, span));
        let is_one = expr(ExprKind::InstanceOf(argument(), this), Ty::Bool, span);
        let receiver = expr(ExprKind::Cast(argument(), this), this, span);
        let holds = expr(ExprKind::Call(invariant, vec![receiver]), Ty::Bool, span);
        let is_none = expr(ExprKind::Not(Box::new(is_one)), Ty::Bool, span);
        let value = expr(ExprKind::OrElse(Box::new(is_none), Box::new(holds)), Ty::Bool, span);
        self.add_synthetic(ir::Method {
            is_static: true,
            is_declarative: true,
            return_ty: Ty::Bool,
            parameters: vec![Parameter { name: "argument".into(), ty: object, bound: ir::Bound::default() }],
            locals: vec![ir::Local { name: "argument".into(), ty: object }],
            body: Some(vec![stmt(StmtKind::Return(Some(value)), span)]),
            ..self.program.method(invariant).clone()
        })
    }
}
