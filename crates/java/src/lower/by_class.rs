//! Native methods whose answer depends on a class, when all classes are known: each is a choice between them. `Class.getSuperclass`,
//! arrays of the type that another has, and the like.

use super::Lowering;
use super::body::{expr, stmt};
use ir::{ClassKind, ExprKind, FieldId, LocalId, MethodId, StmtKind, Ty};
use source::Span;

/// Those of the prelude.
const BY_CLASS: &[(&str, &str)] = &[
    ("Class", "getSuperclass"),
    ("Class", "getComponentType"),
    ("Class", "getEnumConstants"),
    ("Class", "isInstance"),
    ("Class", "getName"),
    ("Class", "getSimpleName"),
    ("Arrays", "like"),
    ("Arrays", "make"),
    ("Array", "make"),
];

pub(super) fn is_by_class(class: &str, method: &str) -> bool {
    BY_CLASS.contains(&(class, method))
}

impl Lowering<'_> {
    /// The methods of this sort that were reached.
    fn by_class(&self) -> Vec<(MethodId, &'static str, &'static str)> {
        let mut found = Vec::new();
        for (index, method) in self.program.methods.iter().enumerate() {
            let class = self.program.class(method.class);
            let is_it = |(c, m): &&(&str, &str)| *c == class.name && *m == method.name;
            if let Some((class, name)) = BY_CLASS.iter().find(is_it).filter(|_| class.is_built_in) {
                found.push((MethodId(index as u32), *class, *name));
            }
        }
        found
    }

    /// The objects of classes that these methods give or are asked for.
    pub(super) fn add_classes_asked_for(&mut self) {
        for (_, class, name) in self.by_class() {
            let mut next = 0;
            while let Some(&(ty, _)) = self.program.class_objects.get(next) {
                next += 1;
                let more = match (class, name, ty) {
                    ("Class", "getSuperclass", Ty::Class(c)) => self.program.class(c).superclass.map(Ty::Class),
                    ("Class", "getComponentType", Ty::Array(a)) | ("Array", "make", Ty::Array(a)) => {
                        Some(self.program.element_ty(a))
                    }
                    _ => None,
                };
                if let Some(ty) = more.filter(|ty| self.program.class_objects.iter().all(|o| o.0 != *ty)) {
                    self.new_class_object(ty);
                }
            }
        }
    }

    /// Gives them their bodies.
    pub(super) fn finish_by_class(&mut self) {
        for (id, class, name) in self.by_class() {
            let span = self.program.method(id).span;
            let return_ty = self.program.method(id).return_ty;
            let mut body = Vec::new();
            let mut answer = |condition: ir::Expr, value: ir::Expr| {
                let then = vec![stmt(StmtKind::Return(Some(value)), span)];
                body.push(stmt(StmtKind::If { condition, then, otherwise: Vec::new() }, span));
            };
            let local = |program: &ir::Program, number: u32| {
                let ty = program.method(id).locals[number as usize].ty;
                expr(ExprKind::Local(LocalId(number)), ty, span)
            };
            let objects = self.program.class_objects.clone();
            match (class, name) {
                ("Arrays", "like") => {
                    for array in self.arrays_below_first() {
                        let is_it = ExprKind::InstanceOf(Box::new(local(&self.program, 0)), array);
                        let length = local(&self.program, 1);
                        answer(expr(is_it, Ty::Bool, span), expr(ExprKind::NewArray(vec![length]), array, span));
                    }
                }
                ("Arrays" | "Array", _) => {
                    for &(ty, field) in &objects {
                        let Ty::Array(of) = ty else { continue };
                        let element = self.program.element_ty(of);
                        let key = match class {
                            "Arrays" => element.is_reference().then_some(field),
                            _ => object_of(&objects, element),
                        };
                        if let Some(key) = key.filter(|_| !self.program.float_arrays.contains_key(&of)) {
                            let length = local(&self.program, 1);
                            let value = expr(ExprKind::NewArray(vec![length]), ty, span);
                            answer(self.is_class(local(&self.program, 0), key, span), value);
                        }
                    }
                }
                (_, "getSuperclass") => {
                    for &(ty, field) in &objects {
                        let above = match ty {
                            Ty::Class(c) => self.program.class(c).superclass.map(Ty::Class),
                            Ty::Array(_) => Some(Ty::Class(self.program.known.object)),
                            _ => None,
                        };
                        let value = above.and_then(|above| object_of(&objects, above));
                        let is_interface =
                            matches!(ty, Ty::Class(c) if self.program.class(c).kind == ClassKind::Interface);
                        if let Some(value) = value.filter(|_| !is_interface) {
                            let value = expr(ExprKind::Static(value), return_ty, span);
                            answer(self.is_class(local(&self.program, 0), field, span), value);
                        }
                    }
                }
                (_, "getComponentType") => {
                    for &(ty, field) in &objects {
                        let Ty::Array(of) = ty else { continue };
                        if let Some(value) = object_of(&objects, self.program.element_ty(of)) {
                            let value = expr(ExprKind::Static(value), return_ty, span);
                            answer(self.is_class(local(&self.program, 0), field, span), value);
                        }
                    }
                }
                (_, "getEnumConstants") => {
                    for &(ty, field) in &objects {
                        let Ty::Class(c) = ty else { continue };
                        let ix = self.class_ix(c);
                        if self.table.class(ix).is_enum() {
                            let value = self.enum_array(ix, span);
                            answer(self.is_class(local(&self.program, 0), field, span), value);
                        }
                    }
                }
                (_, "getName" | "getSimpleName") => {
                    for &(ty, field) in &objects {
                        let Ty::Class(c) = ty else { continue };
                        let info = self.table.class(self.class_ix(c));
                        if info.local.is_some() {
                            continue;
                        }
                        let text = match (name, info.unit.package.as_str()) {
                            ("getSimpleName", _) => info.simple.to_string(),
                            (_, "") => info.name.replace('.', "$"),
                            (_, package) => format!("{package}.{}", info.name.replace('.', "$")),
                        };
                        let value = expr(ExprKind::String(self.string_id(&text)), return_ty, span);
                        answer(self.is_class(local(&self.program, 0), field, span), value);
                    }
                }
                _ => {
                    for &(ty, field) in &objects {
                        if ty.is_reference() {
                            let is_it = ExprKind::InstanceOf(Box::new(local(&self.program, 1)), ty);
                            let value = expr(is_it, Ty::Bool, span);
                            answer(self.is_class(local(&self.program, 0), field, span), value);
                        }
                    }
                }
            }
            let null = expr(ExprKind::Null, Ty::Null, span);
            let none = match (class, name) {
                ("Class", "getSuperclass" | "getComponentType" | "getEnumConstants") => null,
                ("Class", "getName" | "getSimpleName") => {
                    let what = "the name of an array type, or of a class within a method";
                    let d = super::unsupported(span, what, "leave it out");
                    expr(ExprKind::Unsupported(Box::new(d)), return_ty, span)
                }
                ("Class", _) => expr(ExprKind::Bool(false), Ty::Bool, span),
                _ => {
                    let d = super::unsupported(span, "a new array of a type that the program does not name", "name it");
                    expr(ExprKind::Unsupported(Box::new(d)), return_ty, span)
                }
            };
            body.push(stmt(StmtKind::Return(Some(none)), span));
            self.program.methods[id.index()].body = Some(body);
        }
    }

    fn is_class(&self, asked: ir::Expr, object: FieldId, span: Span) -> ir::Expr {
        let object = expr(ExprKind::Static(object), self.program.field(object).ty, span);
        expr(ExprKind::Same(Box::new(asked), Box::new(object)), Ty::Bool, span)
    }

    /// Types of arrays of references, each after those below it.
    fn arrays_below_first(&mut self) -> Vec<Ty> {
        let all = (0..self.program.arrays.len() as u32).map(ir::ArrayId);
        let all = all.filter(|a| self.program.element_ty(*a).is_reference()).map(Ty::Array);
        let mut sorted: Vec<Ty> = Vec::new();
        for ty in all.collect::<Vec<_>>() {
            let above = sorted.iter().position(|t| *t != ty && self.is_ir_subtype(ty, *t));
            sorted.insert(above.unwrap_or(sorted.len()), ty);
        }
        sorted
    }
}

fn object_of(objects: &[(Ty, FieldId)], ty: Ty) -> Option<FieldId> {
    objects.iter().find(|o| o.0 == ty).map(|o| o.1)
}
