//! Arguments of a wide type, such as the one of `equals(Object)`, may be another object of the checked class. It is one that
//! the class made, so it is valid: a precondition says so.

use super::Lowering;
use super::body::{expr, stmt};
use ir::seen::Kind;
use ir::{Checked, ClassId, ExprKind, LocalId, MethodId, Parameter, Spec, SpecArgument, StmtKind, Ty};

impl Lowering<'_> {
    pub(super) fn assume_valid_arguments(&mut self, checked: &mut [Checked]) {
        for checked in checked {
            let mut is_valid = None;
            for operation in &mut checked.operations {
                let parameters = self.program.method(operation.method).parameters.clone();
                for (index, parameter) in parameters.iter().enumerate() {
                    if self.may_be_another(parameter, checked.class) {
                        let method = *is_valid.get_or_insert_with(|| self.is_valid(checked.class, checked.invariant));
                        let arguments = vec![SpecArgument::Parameter(index)];
                        operation.preconditions.push(Spec { method, arguments });
                    }
                }
            }
        }
    }

    fn may_be_another(&self, parameter: &Parameter, class: ClassId) -> bool {
        let Ty::Class(declared) = parameter.ty else { return false };
        let is_asked = |kind: &Kind| matches!(*kind, Kind::Class(asked) if self.program.is_subclass(class, asked));
        !self.program.class(declared).is_input
            && parameter.bound.one_of.is_none()
            && parameter.bound.seen.types.iter().any(is_asked)
    }

    /// `static boolean isValid(Object o) { return !(o instanceof C) || ((C) o).repOk(); }`
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
            name: "isValid".into(),
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
