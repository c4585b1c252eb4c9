//! The types of expressions and their operands.

use super::Checker;
use crate::program::*;

impl<'p> Checker<'p> {
    /// Checks an operand and that it may stand where `expected` is.
    pub(super) fn operand(&mut self, e: &'p Expr, expected: Ty) {
        self.expr(e);
        self.fits(e, expected);
    }

    fn fits(&mut self, e: &Expr, expected: Ty) {
        let fits = matches!(e.kind, ExprKind::Unsupported(_))
            || if expected.is_reference() { self.program.is_subtype(e.ty, expected) } else { e.ty == expected };
        let program = self.program;
        self.expect(fits, || format!("{} where {} is expected", program.ty_name(e.ty), program.ty_name(expected)));
    }

    fn reference(&mut self, e: &'p Expr) {
        self.expr(e);
        let fits = e.ty.is_reference() || matches!(e.kind, ExprKind::Unsupported(_));
        self.expect(fits, || format!("{:?} where a reference is expected", e.ty));
    }

    fn integral(&mut self, e: &'p Expr) {
        self.expr(e);
        let fits = e.ty.is_integral() || matches!(e.kind, ExprKind::Unsupported(_));
        self.expect(fits, || format!("{:?} where an integer is expected", e.ty));
    }

    /// The expression's own type.
    fn is(&mut self, e: &Expr, ty: Ty) {
        let program = self.program;
        self.expect(e.ty == ty, || format!("{} has type {}", program.ty_name(ty), program.ty_name(e.ty)));
    }

    /// The expression may have a wider type than it could.
    fn widens(&mut self, e: &Expr, ty: Ty) {
        let fits = e.ty == ty || ty.is_reference() && self.program.is_subtype(ty, e.ty);
        let program = self.program;
        self.expect(fits, || format!("{} has type {}", program.ty_name(ty), program.ty_name(e.ty)));
    }

    /// The element type of an array operand; None for the null literal and for what is unsupported.
    fn array(&mut self, e: &'p Expr) -> Option<Ty> {
        self.expr(e);
        match e.ty {
            Ty::Array(array) => Some(self.program.element_ty(array)),
            Ty::Null => None,
            _ => {
                let unsupported = matches!(e.kind, ExprKind::Unsupported(_));
                self.expect(unsupported, || format!("{:?} where an array is expected", e.ty));
                None
            }
        }
    }

    fn local(&mut self, local: LocalId) -> Option<Ty> {
        let ty = self.method.locals.get(local.index()).map(|l| l.ty);
        self.expect(ty.is_some(), || format!("local {} does not exist", local.0));
        ty
    }

    fn field(&mut self, field: FieldId, is_static: bool) -> Option<&'p Field> {
        let found = self.program.fields.get(field.index()).filter(|f| f.is_static == is_static);
        self.expect(found.is_some(), || format!("field {} does not exist", field.0));
        found
    }

    fn arguments(&mut self, args: &'p [Expr], expected: impl ExactSizeIterator<Item = Ty>) {
        let count = expected.len();
        self.expect(args.len() == count, || format!("{} arguments where {count} are expected", args.len()));
        for (arg, ty) in args.iter().zip(expected) {
            self.operand(arg, ty);
        }
    }

    pub(super) fn expr(&mut self, e: &'p Expr) {
        match &e.kind {
            ExprKind::Bool(_) => self.is(e, Ty::Bool),
            ExprKind::Int(value) => {
                let (lo, hi) = e.ty.range();
                let fits = e.ty.is_integral() && (lo..=hi).contains(value);
                self.expect(fits, || format!("{value} is no {:?}", e.ty));
            }
            ExprKind::Null => self.expect(e.ty.is_reference(), || "null of no reference type".into()),
            ExprKind::String(id) => {
                self.expect(id.index() < self.program.strings.len(), || format!("string {} does not exist", id.0));
                self.widens(e, Ty::Class(self.program.known.string));
            }
            ExprKind::Local(local) => {
                if let Some(ty) = self.local(*local) {
                    self.widens(e, ty);
                }
            }
            ExprKind::SetLocal(local, value) => match self.local(*local) {
                Some(ty) => {
                    self.operand(value, ty);
                    self.assignment(e, value, ty);
                }
                None => self.expr(value),
            },
            ExprKind::Field(object, field) => {
                if let Some(field) = self.field(*field, false) {
                    self.operand(object, Ty::Class(field.class));
                    self.widens(e, field.ty);
                }
            }
            ExprKind::SetField(object, field, value) => {
                if let Some(field) = self.field(*field, false) {
                    self.operand(object, Ty::Class(field.class));
                    self.operand(value, field.ty);
                    self.assignment(e, value, field.ty);
                }
            }
            ExprKind::Static(field) => {
                if let Some(field) = self.field(*field, true) {
                    self.widens(e, field.ty);
                }
            }
            ExprKind::SetStatic(field, value) => {
                if let Some(field) = self.field(*field, true) {
                    self.operand(value, field.ty);
                    self.assignment(e, value, field.ty);
                }
            }
            ExprKind::Element(array, index) => {
                let element = self.array(array);
                self.operand(index, Ty::Int);
                if let Some(element) = element {
                    self.widens(e, element);
                }
            }
            ExprKind::SetElement(array, index, value) => {
                let element = self.array(array);
                self.operand(index, Ty::Int);
                match element {
                    Some(element) => {
                        self.operand(value, element);
                        self.assignment(e, value, element);
                    }
                    None => self.expr(value),
                }
            }
            ExprKind::Length(array) => {
                self.array(array);
                self.is(e, Ty::Int);
            }
            ExprKind::Not(a) => {
                self.operand(a, Ty::Bool);
                self.is(e, Ty::Bool);
            }
            ExprKind::Negate(width, a) | ExprKind::Complement(width, a) => {
                self.operand(a, of_width(*width));
                self.is(e, of_width(*width));
            }
            ExprKind::Binary(op, width, a, b) => {
                self.operand(a, of_width(*width));
                match op {
                    BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr => self.integral(b),
                    _ => self.operand(b, of_width(*width)),
                }
                self.is(e, of_width(*width));
            }
            ExprKind::Compare(_, a, b) => {
                self.integral(a);
                self.integral(b);
                let one_width = (a.ty == Ty::Long) == (b.ty == Ty::Long);
                self.expect(one_width, || "a comparison of an int and a long".into());
                self.is(e, Ty::Bool);
            }
            ExprKind::Logic(_, a, b) | ExprKind::AndThen(a, b) | ExprKind::OrElse(a, b) => {
                self.operand(a, Ty::Bool);
                self.operand(b, Ty::Bool);
                self.is(e, Ty::Bool);
            }
            ExprKind::Conditional(condition, a, b) => {
                self.operand(condition, Ty::Bool);
                self.operand(a, e.ty);
                self.operand(b, e.ty);
            }
            ExprKind::Same(a, b) => {
                self.reference(a);
                self.reference(b);
                self.is(e, Ty::Bool);
            }
            ExprKind::Convert(a) => {
                self.integral(a);
                self.expect(e.ty.is_integral(), || format!("a conversion to {:?}", e.ty));
            }
            ExprKind::InstanceOf(a, ty) => {
                self.reference(a);
                self.expect(ty.is_reference(), || format!("instanceof {ty:?}"));
                self.is(e, Ty::Bool);
            }
            ExprKind::Cast(a, ty) => {
                self.reference(a);
                self.widens(e, *ty);
            }
            ExprKind::Call(..) | ExprKind::CallVirtual(..) | ExprKind::New(..) => self.call(e),
            ExprKind::NewArray(lengths) => {
                lengths.iter().for_each(|length| self.operand(length, Ty::Int));
                let mut ty = e.ty;
                for _ in lengths {
                    match ty {
                        Ty::Array(array) => ty = self.program.element_ty(array),
                        _ => return self.expect(false, || "a new array with too many lengths".into()),
                    }
                }
                self.expect(!lengths.is_empty(), || "a new array without a length".into());
            }
            ExprKind::ArrayLiteral(elements) => match e.ty {
                Ty::Array(array) => {
                    elements.iter().for_each(|x| self.operand(x, self.program.element_ty(array)));
                }
                _ => self.expect(false, || "an array literal of no array type".into()),
            },
            ExprKind::Sequence(block, value) => {
                // Jumps do not leave an expression.
                let labels = std::mem::take(&mut self.labels);
                self.block(block);
                self.labels = labels;
                self.expr(value);
                if value.ty == Ty::Void {
                    self.is(e, Ty::Void);
                } else {
                    self.fits(value, e.ty);
                }
            }
            ExprKind::Concat(parts) => {
                parts.iter().for_each(|part| self.expr(part));
                self.widens(e, Ty::Class(self.program.known.string));
            }
            ExprKind::Intrinsic(intrinsic, args) => self.intrinsic(e, *intrinsic, args),
            ExprKind::Unsupported(_) => {}
        }
    }

    /// The value of an assignment has the type of the target, or of the value.
    fn assignment(&mut self, e: &Expr, value: &Expr, target: Ty) {
        if e.ty != value.ty && e.ty != Ty::Void {
            self.widens(e, target);
        }
    }

    fn call(&mut self, e: &'p Expr) {
        match &e.kind {
            ExprKind::Call(id, args) => {
                let Some(method) = self.program.methods.get(id.index()) else {
                    return self.expect(false, || format!("method {} does not exist", id.0));
                };
                let arguments = &method.locals[..method.argument_locals().len()];
                self.arguments(args, arguments.iter().map(|local| local.ty));
                self.widens(e, method.return_ty);
            }
            ExprKind::CallVirtual(selector, args) => {
                let Some((receiver, rest)) = args.split_first() else {
                    return self.expect(false, || "a virtual call without a receiver".into());
                };
                self.reference(receiver);
                rest.iter().for_each(|arg| self.expr(arg));
                if let Ty::Class(class) = receiver.ty {
                    self.targets(e, class, *selector, args.len());
                }
            }
            ExprKind::New(class, constructor, args) => {
                let Some(method) = self.program.methods.get(constructor.index()) else {
                    return self.expect(false, || format!("constructor {} does not exist", constructor.0));
                };
                let fits = method.is_constructor && method.class == *class;
                self.expect(fits, || format!("new of class {} with {}", class.0, method.name));
                let is_abstract = self.program.classes.get(class.index()).is_none_or(|c| c.is_abstract);
                self.expect(!is_abstract, || format!("new of class {}, which is abstract", class.0));
                self.arguments(args, method.parameters.iter().map(|parameter| parameter.ty));
                self.widens(e, Ty::Class(*class));
            }
            _ => {}
        }
    }

    /// Whatever object the receiver is, its class has the method.
    fn targets(&mut self, e: &Expr, class: ClassId, selector: SelectorId, count: usize) {
        for concrete in self.program.concrete_subclasses(class) {
            let name = &self.program.class(concrete).name;
            match self.program.class(concrete).dispatch.get(&selector) {
                None => self.expect(false, || format!("{name} has no method s{}", selector.0)),
                Some(&target) => {
                    let method = self.program.method(target);
                    let fits = method.argument_locals().len() == count;
                    self.expect(fits, || format!("{name}.{} called with {count} arguments", method.name));
                    self.widens(e, method.return_ty);
                }
            }
        }
    }

    fn intrinsic(&mut self, e: &Expr, intrinsic: Intrinsic, args: &'p [Expr]) {
        let object = Ty::Class(self.program.known.object);
        let (arguments, result): (&[Ty], Ty) = match intrinsic {
            Intrinsic::Size => (&[], Ty::Int),
            Intrinsic::ShowsTexts => (&[], Ty::Bool),
            Intrinsic::Surely => (&[Ty::Bool], Ty::Bool),
            Intrinsic::IsSameObject | Intrinsic::SameClass => (&[object, object], Ty::Bool),
            Intrinsic::IdentityHash => (&[object], Ty::Int),
            Intrinsic::ArrayCopy => (&[object, Ty::Int, object, Ty::Int, Ty::Int], Ty::Void),
            Intrinsic::Clone | Intrinsic::ClassOf => (&[object], e.ty),
            Intrinsic::Float(..) => return,
        };
        self.arguments(args, arguments.iter().copied());
        self.is(e, result);
    }
}

fn of_width(width: Width) -> Ty {
    match width {
        Width::W32 => Ty::Int,
        Width::W64 => Ty::Long,
    }
}
