//! An argument may be another object of the checked class: of `addAll(IntSet)`, or of a wider type, as of `equals(Object)`. It is one that
//! the class made, so it is valid, and must be afterwards: a precondition and a postcondition say so. Nor may it have an `@Owned` array of the
//! checked object then, or may a result: no start state has two of which one changes with the other.

use super::Lowering;
use super::body::{expr, stmt};
use ir::seen::Kind;
use ir::{
    Checked, CheckedKind, ClassId, ExprKind, FieldId, LocalId, Made, MethodId, Operation, OperationKind, Parameter,
    Spec, SpecArgument, StmtKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};

impl Lowering<'_> {
    pub(super) fn assume_valid_arguments(&mut self, checked: &mut [Checked]) {
        for checked in checked {
            let (mut is_valid, mut owns) = (None, FxHashMap::default());
            let is_part = self.has_parts_of(checked.class);
            let (class, is_language) = (checked.class, matches!(checked.kind, CheckedKind::Language { .. }));
            for operation in &mut checked.operations {
                operation.made = if is_language { None } else { self.made(operation, class, is_part) };
                if let Some(made) = operation.made.filter(|_| operation.kind == OperationKind::Method) {
                    let owns = *owns.entry(made).or_insert_with(|| self.owns(checked.class, checked.invariant, made));
                    let owned = owns.map(|method| Spec { method, arguments: vec![SpecArgument::Result] });
                    operation.others.extend(owned.clone());
                    operation.postconditions.extend(owned);
                }
                let parameters = self.program.method(operation.method).parameters.clone();
                for (index, parameter) in parameters.iter().enumerate() {
                    if self.may_be_another(parameter, checked.class, is_part) {
                        let method = *is_valid.get_or_insert_with(|| self.is_valid(checked.class, checked.invariant));
                        let arguments = vec![SpecArgument::Parameter(index)];
                        let spec = Spec { method, arguments };
                        operation.preconditions.push(spec.clone());
                        operation.postconditions.push(spec.clone());
                        let owns = owns.entry(Made::Returned);
                        let owns = *owns.or_insert_with(|| self.owns(checked.class, checked.invariant, Made::Returned));
                        let owned = owns.map(|method| Spec { method, ..spec.clone() });
                        operation.others.push(spec);
                        operation.others.extend(owned.clone());
                        operation.postconditions.extend(owned);
                    }
                }
            }
        }
    }

    /// If objects of the class are made of such objects, an argument may be one of them, a node, of which the invariant need not hold.
    fn may_be_another(&self, parameter: &Parameter, class: ClassId, is_part: bool) -> bool {
        let Ty::Class(declared) = parameter.ty else { return false };
        match self.program.class(declared).is_input {
            true => !is_part && self.program.is_subclass(class, declared),
            false => parameter.bound.one_of.is_none() && self.is_asked_for(&parameter.bound, class),
        }
    }

    /// Whether the code asks what is there for a class that objects of this one are of.
    fn is_asked_for(&self, bound: &ir::Bound, class: ClassId) -> bool {
        let is_it = |kind: &Kind| matches!(*kind, Kind::Class(asked) if self.program.is_subclass(class, asked));
        bound.seen.types.iter().any(is_it)
    }

    /// Where the result of an operation is, if that may be an object of the class: it is valid, as what a constructor makes is. Not if it may
    /// be one of the objects that those of the class are made of.
    fn made(&self, operation: &Operation, class: ClassId, is_part: bool) -> Option<Made> {
        let program = &self.program;
        if is_part || operation.kind == OperationKind::Constructor || operation.block.is_some() {
            return None;
        }
        let returned = program.method(operation.method).return_ty;
        let (made, ty) = match (&operation.compared, returned) {
            (Some(_), Ty::Class(both)) => {
                let fields = program.instance_fields(both);
                let field = fields.into_iter().find(|f| program.field(*f).name == "r")?;
                (Made::In(field), program.field(field).ty)
            }
            _ => (Made::Returned, returned),
        };
        let Ty::Class(declared) = ty else { return None };
        let may_hold = |field: &ir::Field| self.is_asked_for(&field.bound, class);
        let is_wanted = program.class(declared).is_input || !program.fields.iter().any(may_hold);
        (program.is_subclass(class, declared) && is_wanted).then_some(made)
    }

    /// Whether fields that are reached from an object of the class may hold another one.
    fn has_parts_of(&self, class: ClassId) -> bool {
        let program = &self.program;
        let (mut seen, mut todo) = (FxHashSet::default(), vec![class]);
        while let Some(next) = todo.pop() {
            let fields = program.instance_fields(next).into_iter().map(|f| program.field(f));
            for field in fields.filter(|f| !f.is_synthetic) {
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

    /// `boolean owns(Object o) { return o == this || !(o instanceof C) || items == null || items.length == 0 || items != ((C) o).items; }`,
    /// for all its `@Owned` arrays; or of an object in a field of `o`.
    fn owns(&mut self, class: ClassId, invariant: MethodId, of: Made) -> Option<MethodId> {
        let owned =
            |f: &FieldId| self.program.field(*f).bound.owned && matches!(self.program.field(*f).ty, Ty::Array(_));
        let fields: Vec<FieldId> = self.program.instance_fields(class).into_iter().filter(owned).collect();
        let first = self.program.field(*fields.first()?).clone();
        let (name, span) = (format!("@Owned {}", first.name), first.span);
        let (object, this) = (Ty::Class(self.program.known.object), Ty::Class(class));
        let own = || Box::new(expr(ExprKind::Local(LocalId(0)), this, span));
        let given = match of {
            Made::Returned => object,
            Made::In(field) => Ty::Class(self.program.field(field).class),
        };
        let argument = || {
            let local = Box::new(expr(ExprKind::Local(LocalId(1)), given, span));
            match of {
                Made::Returned => local,
                Made::In(field) => {
                    let ty = self.program.field(field).ty;
                    Box::new(expr(ExprKind::Field(local, field), ty, span))
                }
            }
        };
        let other = || Box::new(expr(ExprKind::Cast(argument(), this), this, span));
        let truth = |kind: ExprKind| Box::new(expr(kind, Ty::Bool, span));
        let is_one = truth(ExprKind::InstanceOf(argument(), this));
        let is_it = truth(ExprKind::Same(argument(), own()));
        let mut holds = truth(ExprKind::Bool(true));
        for (mine, theirs) in fields.iter().flat_map(|f| fields.iter().map(move |g| (*f, *g))) {
            let ty = self.program.field(mine).ty;
            if self.program.field(theirs).ty != ty {
                continue;
            }
            let held = || Box::new(expr(ExprKind::Field(own(), mine), ty, span));
            let null = Box::new(expr(ExprKind::Null, Ty::Null, span));
            let is_null = truth(ExprKind::Same(held(), null));
            // Nor does an empty one ever change.
            let length = Box::new(expr(ExprKind::Length(held()), Ty::Int, span));
            let zero = Box::new(expr(ExprKind::Int(0), Ty::Int, span));
            let is_empty = truth(ExprKind::Compare(ir::CompareOp::Eq, length, zero));
            let is_none = truth(ExprKind::OrElse(is_null, is_empty));
            let also = Box::new(expr(ExprKind::Field(other(), theirs), ty, span));
            let differs = truth(ExprKind::Not(truth(ExprKind::Same(held(), also))));
            holds = truth(ExprKind::AndThen(holds, truth(ExprKind::OrElse(is_none, differs))));
        }
        let is_apart = truth(ExprKind::OrElse(truth(ExprKind::Not(is_one)), holds));
        let value = expr(ExprKind::OrElse(is_it, is_apart), Ty::Bool, span);
        // Not the invariant's: what overrides that would be run in its place.
        let selector = self.selector_of(name.as_str().into(), vec![given]);
        Some(self.add_synthetic(ir::Method {
            selector,
            name,
            name_span: span,
            is_static: false,
            is_declarative: true,
            return_ty: Ty::Bool,
            parameters: vec![Parameter { name: "argument".into(), ty: given, bound: ir::Bound::default() }],
            locals: vec![ir::Local { name: "this".into(), ty: this }, ir::Local { name: "argument".into(), ty: given }],
            body: Some(vec![stmt(StmtKind::Return(Some(value)), span)]),
            ..self.program.method(invariant).clone()
        }))
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
