//! Classes within methods: which variables of the method they copy, and the fields that hold them.
//!
//! A variable is captured if its name occurs in the text of the class or lambda. That may be one too many (a field of
//! the same name), never one too few, and needs no second walk over the syntax.

use super::Lowering;
use super::body::Body;
use crate::resolve::*;
use crate::syntax::ast::{ClassDecl, Name};
use rustc_hash::FxHashSet;
use source::Span;
use std::rc::Rc;

pub const OUTER: &str = "this$0";

impl Body<'_, '_> {
    /// What is visible here to a class or lambda whose text is at `span`.
    pub fn local_scope(&mut self, span: Span, is_lambda: bool) -> LocalScope {
        let text = self.low.table.sources.text(span).to_string();
        let mut names: FxHashSet<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|w| !w.is_empty()).collect();
        // A local class that is used inside brings what it captured itself.
        let inherited: Vec<Name> = self
            .types
            .classes
            .iter()
            .filter(|(n, _)| names.contains(&**n))
            .filter_map(|(_, c)| self.low.table.class(*c).local.clone())
            .flat_map(|l| l.captured.iter().map(|(n, _)| n.clone()).collect::<Vec<Name>>())
            .collect();
        names.extend(inherited.iter().map(|n| &**n));
        let mut scope = LocalScope {
            type_vars: self.types.type_vars.clone(),
            classes: self.types.classes.clone(),
            declarative: self.declarative,
            is_lambda,
            ..LocalScope::default()
        };
        for var in self.vars.iter().rev().filter(|v| v.in_scope && names.contains(&*v.name)) {
            let seen = |name: &Name| scope.captured.iter().any(|(n, _)| n == name);
            if seen(&var.name) || scope.constants.iter().any(|(n, _, _)| *n == var.name) {
                continue;
            }
            match &var.constant {
                Some(constant) => scope.constants.push((var.name.clone(), var.ty.clone(), constant.kind.clone())),
                None => scope.captured.push((var.name.clone(), var.ty.clone())),
            }
        }
        scope
    }

    /// Declares a local or anonymous class.
    pub fn declare_local(&mut self, decl: Rc<ClassDecl>, name: Name) -> ClassIx {
        if let Some(written) = &decl.superclass
            && let Some(module) = self.replaced_name(written)
        {
            let problem = crate::check::extends(&self.low.table, &decl.name.name, module, written.span);
            self.error(problem);
        }
        let scope = self.local_scope(decl.span, false);
        let unit = self.low.table.class(self.class).unit.clone();
        let is_static = !self.has_this;
        let class = self.low.table.declare_class(decl, unit, Some(self.class), Some(Rc::new(scope)), Some(is_static));
        if !name.is_empty() {
            self.types.classes.push((name, class));
        }
        class
    }
}

impl Lowering<'_> {
    /// What constructors of a class take before their parameters, as names and types.
    pub fn hidden_params(&mut self, class: ClassIx) -> Vec<(Name, Type)> {
        let info = self.table.class(class).clone();
        let mut hidden = Vec::new();
        if self.is_enum_class(class) {
            hidden.push((name("$name"), self.table.known_type("java.lang.String")));
            hidden.push((name("$ordinal"), INT));
        }
        if let (false, Some(outer)) = (info.is_static, info.outer) {
            hidden.push((name(OUTER), self.table.self_type(outer)));
        }
        if let Some(local) = &info.local {
            hidden.extend(local.captured.iter().cloned());
        }
        hidden
    }

    /// An enum, or the class of one of its constants.
    pub fn is_enum_class(&mut self, class: ClassIx) -> bool {
        if self.table.class(class).is_enum() {
            return true;
        }
        match self.table.header(class).superclass {
            Some(Type::Class(c, _)) => self.table.class(c).is_enum(),
            _ => false,
        }
    }

    /// The fields that hold them.
    pub fn hidden_fields(&mut self, class: ClassIx) -> Vec<FieldIx> {
        let mut fields: Vec<FieldIx> = self.outer_field(class).into_iter().collect();
        if let Some(local) = self.table.class(class).local.clone() {
            for (name, ty) in &local.captured {
                fields.push(self.captured_field(class, name, ty));
            }
        }
        fields
    }

    pub fn outer_field(&mut self, class: ClassIx) -> Option<FieldIx> {
        let info = self.table.class(class);
        let outer = info.outer.filter(|_| !info.is_static)?;
        let ty = self.table.self_type(outer);
        Some(self.synthetic_field(class, name(OUTER), ty))
    }

    pub fn captured_field(&mut self, class: ClassIx, variable: &str, ty: &Type) -> FieldIx {
        self.synthetic_field(class, name(&format!("val${variable}")), ty.clone())
    }

    fn synthetic_field(&mut self, class: ClassIx, name: Name, ty: Type) -> FieldIx {
        if let Some(&field) = self.synthetic.get(&(class, name.clone())) {
            return field;
        }
        let span = self.table.class(class).decl.span;
        let field = self.table.add_field(FieldInfo {
            name: name.clone(),
            class,
            ty,
            is_static: false,
            is_final: true,
            origin: FieldOrigin::Synthetic,
            span,
            problems: Vec::new(),
        });
        self.synthetic.insert((class, name), field);
        field
    }
}
