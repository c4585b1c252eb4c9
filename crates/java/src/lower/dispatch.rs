//! Dispatch tables: for every class of the program and every method that is called through dispatch, what runs.
//!
//! An overriding method whose erased signature differs from the one that is called (`compareTo(Foo)` for
//! `compareTo(Object)`) is reached through a bridge that casts the arguments, as `javac` makes it.

use super::Lowering;
use super::body::{expr, stmt};
use crate::resolve::*;
use ir::{ClassId, ExprKind, LocalId, MethodId, SelectorId, StmtKind, Ty};
use source::Diagnostic;

impl Lowering<'_> {
    /// The selector of a method that is called through dispatch.
    pub fn virtual_call(&mut self, method: MethodIx) -> SelectorId {
        if self.virtual_set.insert(method) {
            self.virtuals.push(method);
        }
        // A problem in the signature would otherwise go unnoticed.
        let info = self.table.method(method).clone();
        self.class_id(info.class);
        self.report(info.class, &info.problems);
        self.selector(method)
    }

    /// A state may hold an object of any input class that fits a type in it.
    pub(super) fn add_input_subclasses(&mut self) {
        for class in self.table.classes_of_states() {
            if self.class_ids.contains_key(&class) {
                continue;
            }
            if self.is_below_reached(class) {
                self.class_id(class);
            }
        }
    }

    /// Whether some class above this one is part of the program, however many classes of the library are between them.
    /// `Object` does not count: it is above all.
    fn is_below_reached(&mut self, class: ClassIx) -> bool {
        let header = self.table.header(class);
        header.superclass.iter().chain(&header.interfaces).any(|parent| match parent {
            Type::Class(c, _) if *c != ClassIx(0) => self.class_ids.contains_key(c) || self.is_below_reached(*c),
            _ => false,
        })
    }

    /// Where a method of `Object` is called on just any object, those that override it matter: all classes of the inputs
    /// that do, and `Integer` for those of the library. Two of its objects may be equal and not the same.
    pub(super) fn add_overriding(&mut self) {
        let called: Vec<MethodIx> =
            self.virtuals.iter().copied().filter(|&m| self.table.method(m).class == ClassIx(0)).collect();
        if called.is_empty() {
            return;
        }
        for class in self.table.input_classes() {
            let info = self.table.class(class);
            if self.class_ids.contains_key(&class) || info.is_interface() || info.decl.modifiers.is_abstract {
                continue;
            }
            if called.iter().any(|&m| self.implementation(class, m).is_some_and(|i| i != m)) {
                self.class_id(class);
            }
        }
        if called.iter().any(|&m| &*self.table.method(m).name == "equals") {
            let integer = self.table.known("java.lang.Integer");
            self.class_id(integer);
        }
    }

    /// What a constructor gives to an array field says whether another field may hold the same array.
    pub(super) fn add_constructors(&mut self) {
        for class in self.table.input_classes() {
            let members = self.table.members(class);
            let is_array = |f: &&FieldIx| {
                let field = self.table.field(**f);
                let is_owned = matches!(&field.origin, FieldOrigin::Declared(decl) if decl.modifiers.has("Owned"));
                !field.is_static && !is_owned && matches!(field.ty, Type::Array(_))
            };
            if !self.class_ids.contains_key(&class) || members.fields.iter().find(is_array).is_none() {
                continue;
            }
            for &method in &members.methods {
                if self.table.method(method).is_constructor {
                    self.method_id(method);
                }
            }
        }
    }

    /// Adds the entries that are still missing.
    pub(super) fn dispatch(&mut self) {
        let mut class = 0;
        while class < self.program.classes.len() {
            let id = ClassId(class as u32);
            class += 1;
            let c = self.program.class(id);
            if c.is_abstract || c.kind == ir::ClassKind::Interface {
                continue;
            }
            if self.dispatched_to.len() < class {
                self.dispatched_to.resize(class, 0);
            }
            for i in std::mem::replace(&mut self.dispatched_to[class - 1], self.virtuals.len())..self.virtuals.len() {
                let called = self.virtuals[i];
                let owner = self.table.method(called).class;
                let ix = self.class_ix(id);
                if self.table.is_subclass(ix, owner) && self.dispatched.insert((id, called)) {
                    self.dispatch_one(id, ix, called);
                }
            }
        }
    }

    fn dispatch_one(&mut self, id: ClassId, class: ClassIx, called: MethodIx) {
        let selector = self.selector(called);
        let Some(target) = self.implementation(class, called) else {
            let name = self.table.method(called).name.clone();
            let info = self.table.class(class);
            let message = format!("`{}` does not implement `{name}`", info.name);
            let d = Diagnostic::error("missing-method", info.decl.name.span, message);
            if self.is_library(class) {
                let id_of = self.unsupported_method(called, d);
                self.program.classes[id.index()].dispatch.insert(selector, id_of);
                return;
            }
            let at = self.table.method(called).name_span;
            self.error(d.related(at, "declared here").help("implement it, or make the class abstract"));
            return;
        };
        let (given, wanted) = (self.table.method(target).ret.clone(), self.table.method(called).ret.clone());
        let (given, wanted) = (self.ir_type(&given), self.ir_type(&wanted));
        let narrows = given.is_reference() && !self.is_ir_subtype(given, wanted);
        let method = match self.selector(target) == selector && !narrows {
            true => self.method_id(target),
            false => self.bridge(target, called, selector),
        };
        // Methods of one selector may promise different results: the bridge with the narrowest serves all.
        let before = self.program.classes[id.index()].dispatch.get(&selector).copied();
        if let Some(before) = before {
            let (a, b) = (self.program.method(before).return_ty, self.program.method(method).return_ty);
            if self.is_ir_subtype(a, b) {
                return;
            }
        }
        self.program.classes[id.index()].dispatch.insert(selector, method);
    }

    /// Stands for a method of a library class that is not there.
    fn unsupported_method(&mut self, called: MethodIx, mut problem: Diagnostic) -> MethodId {
        problem.id = "unsupported";
        let id = self.method_id(called);
        let span = self.program.method(id).name_span;
        let stop = expr(ExprKind::Unsupported(Box::new(problem)), Ty::Void, span);
        let method =
            ir::Method { body: Some(vec![stmt(StmtKind::Expr(stop), span)]), ..self.program.method(id).clone() };
        self.add_synthetic(method)
    }

    /// What a call of a method runs on an object of exactly this class.
    pub fn implementation(&mut self, class: ClassIx, called: MethodIx) -> Option<MethodIx> {
        let name = self.table.method(called).name.clone();
        let this = self.table.self_type(class);
        // Superclasses first: a method of a class wins over any interface's.
        let mut at = Some(this.clone());
        while let Some(ty) = at {
            if let Some(found) = self.declared_override(&ty, &this, &name, called)
                && !self.table.method(found).is_abstract
            {
                return Some(found);
            }
            at = match &ty {
                Type::Class(c, _) if !self.table.class(*c).is_interface() => {
                    let header = self.table.header(*c);
                    let map = self.table.substitution(&ty);
                    header.superclass.as_ref().map(|s| s.substitute(&map))
                }
                _ => None,
            };
        }
        // Then the default methods: one that no other overrides.
        let mut defaults: Vec<(ClassIx, MethodIx)> = Vec::new();
        let mut todo = vec![this.clone()];
        while let Some(ty) = todo.pop() {
            let Type::Class(c, _) = &ty else { continue };
            if self.table.class(*c).is_interface()
                && let Some(found) = self.declared_override(&ty, &this, &name, called)
                && !defaults.iter().any(|(_, m)| *m == found)
            {
                defaults.push((*c, found));
            }
            todo.extend(self.table.supertypes(&ty));
        }
        let mut best: Option<(ClassIx, MethodIx)> = None;
        for (c, m) in defaults {
            let better = match best {
                Some((b, _)) => b != c && self.table.is_subclass(c, b),
                None => true,
            };
            if better
                || best.is_some_and(|(_, b)| self.table.method(b).is_abstract && !self.table.method(m).is_abstract)
            {
                best = Some((c, m));
            }
        }
        best.map(|(_, m)| m).filter(|m| !self.table.method(*m).is_abstract)
    }

    /// The method that a type itself declares and that overrides (or is) the called one, seen from `this`.
    fn declared_override(&mut self, ty: &Type, this: &Type, name: &str, called: MethodIx) -> Option<MethodIx> {
        let Type::Class(c, _) = ty else { return None };
        let wanted = self.table.method(called).clone();
        let members = self.table.members(*c);
        if members.methods.contains(&called) {
            return Some(called);
        }
        let owner = self.table.as_super(this, wanted.class).unwrap_or(Type::class(wanted.class));
        let owner_map = self.table.substitution(&owner);
        let own_map = self.table.substitution(ty);
        for &m in &members.methods {
            let info = self.table.method(m).clone();
            if &*info.name != name || info.is_static || info.is_constructor || info.is_private {
                continue;
            }
            if info.params.len() != wanted.params.len() {
                continue;
            }
            let mut same = true;
            let mut same_erased = true;
            for (mine, theirs) in info.params.iter().zip(&wanted.params) {
                // As members of one type the parameters agree; a raw supertype makes them agree by erasure only.
                let (a, b) = (mine.substitute(&own_map), theirs.substitute(&owner_map));
                same &= self.table.erasure(&a) == self.table.erasure(&b);
                same_erased &= self.table.erasure(mine) == self.table.erasure(theirs);
            }
            if same || same_erased {
                return Some(m);
            }
        }
        None
    }

    fn bridge(&mut self, target: MethodIx, called: MethodIx, selector: SelectorId) -> MethodId {
        let called = self.table.method(called).clone();
        let wanted = self.ir_type(&called.ret);
        if let Some(&id) = self.bridges.get(&(target, selector, wanted)) {
            return id;
        }
        let to = self.method_id(target);
        let info = self.table.method(target).clone();
        let span = info.name_span;
        let class = self.class_id(info.class);
        let this = Ty::Class(class);
        let mut locals = vec![ir::Local { name: "this".into(), ty: this }];
        let mut parameters = Vec::new();
        let mut arguments = vec![expr(ExprKind::Local(LocalId(0)), this, span)];
        for (i, (theirs, mine)) in called.params.iter().zip(&info.params).enumerate() {
            let (given, wanted) = (self.ir_type(theirs), self.ir_type(mine));
            let name = format!("p{i}");
            locals.push(ir::Local { name: name.clone(), ty: given });
            parameters.push(ir::Parameter { name, ty: given, bound: ir::Bound::default() });
            let value = expr(ExprKind::Local(LocalId(i as u32 + 1)), given, span);
            arguments.push(match self.is_ir_subtype(given, wanted) {
                true => value,
                false => expr(ExprKind::Cast(Box::new(value), wanted), wanted, span),
            });
        }
        let mut return_ty = self.ir_type(&info.ret);
        let mut call = expr(ExprKind::Call(to, arguments), return_ty, span);
        if return_ty.is_reference() && !self.is_ir_subtype(return_ty, wanted) {
            return_ty = wanted;
            call = expr(ExprKind::Cast(Box::new(call), wanted), wanted, span);
        }
        let body = match return_ty {
            Ty::Void => vec![stmt(StmtKind::Expr(call), span)],
            _ => vec![stmt(StmtKind::Return(Some(call)), span)],
        };
        let is_declarative = self.is_declarative(target);
        let id = self.add_synthetic(ir::Method {
            name: info.name.to_string(),
            class,
            selector,
            is_static: false,
            is_constructor: false,
            is_declarative,
            is_implicit: false,
            return_ty,
            parameters,
            locals,
            body: Some(body),
            span: info.span,
            name_span: span,
        });
        self.bridges.insert((target, selector, wanted), id);
        id
    }
}
