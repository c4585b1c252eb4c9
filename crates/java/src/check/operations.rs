//! Which methods and constructors of a class are its operations (JAVA.md, point 6).

use super::Picker;
use super::specs::Specs;
use crate::resolve::*;
use crate::syntax::ast::{AnnotationValue, ExprKind};
use ir::{CheckedKind, Operation, OperationKind};
use source::Diagnostic;

/// An operation before it is lowered.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub method: MethodIx,
    pub kind: OperationKind,
}

impl Picker<'_> {
    pub fn operations(&mut self, class: ClassIx, kind: CheckedKind) -> Vec<Candidate> {
        let all = self.possible(class);
        if let CheckedKind::Language { .. } = kind {
            let step = |low: &crate::lower::Lowering, m: MethodIx| {
                let info = low.table.method(m);
                &*info.name == "smallStep" && (info.params.is_empty() || info.params == [INT])
            };
            return all.into_iter().filter(|c| step(&self.low, c.method)).collect();
        }
        let marked: Vec<Candidate> = all.iter().filter(|c| self.has(c.method, "Check")).cloned().collect();
        if !marked.is_empty() {
            return marked;
        }
        let ordinary: Vec<Candidate> =
            all.into_iter().filter(|c| c.kind != OperationKind::Static && !self.low.is_declarative(c.method)).collect();
        let public = |c: &&Candidate| {
            let decl = &self.low.table.method(c.method).decl;
            decl.as_ref().is_some_and(|d| d.modifiers.is_public)
        };
        let chosen: Vec<Candidate> = ordinary.iter().filter(public).cloned().collect();
        if !chosen.is_empty() {
            return chosen;
        }
        ordinary.into_iter().filter(|c| !self.low.table.method(c.method).is_private).collect()
    }

    fn has(&self, method: MethodIx, annotation: &str) -> bool {
        self.low.table.method(method).decl.as_ref().is_some_and(|d| d.modifiers.has(annotation))
    }

    /// Everything with a body that the class declares, or inherits from other inputs, nearest first.
    pub fn possible(&mut self, class: ClassIx) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let mut todo = vec![self.low.table.self_type(class)];
        let mut seen = Vec::new();
        while let Some(ty) = todo.pop() {
            let Type::Class(c, _) = ty.clone() else { continue };
            if seen.contains(&c) || !self.low.table.class(c).is_input() {
                continue;
            }
            seen.push(c);
            for &m in &self.low.table.members(c).methods {
                let info = self.low.table.method(m).clone();
                // A constructor belongs to its own class only; a default one is not written by anybody.
                if info.is_abstract || info.decl.is_none() || (info.is_constructor && c != class) {
                    continue;
                }
                let overridden = !info.is_static
                    && !info.is_constructor
                    && !info.is_private
                    && self.low.implementation(class, m).is_some_and(|i| i != m);
                if overridden || (c != class && info.is_private) {
                    continue;
                }
                let kind = match () {
                    _ if info.is_constructor => OperationKind::Constructor,
                    _ if info.is_static => OperationKind::Static,
                    _ => OperationKind::Method,
                };
                found.push(Candidate { method: m, kind });
            }
            todo.extend(self.low.table.supertypes(&ty).into_iter().rev());
        }
        found
    }

    /// `--method`.
    pub fn is_wanted(&self, method: MethodIx) -> bool {
        match &self.method {
            Some(wanted) => self.is_called(method, wanted),
            None => true,
        }
    }

    /// Whether a name, or a name with parameter types, means this method.
    pub fn is_called(&self, method: MethodIx, wanted: &str) -> bool {
        let info = self.low.table.method(method);
        let wanted: String = wanted.chars().filter(|c| !c.is_whitespace()).collect();
        if *info.name == *wanted {
            return true;
        }
        let plain: Vec<String> = info.params.iter().map(|p| self.simple_name(p)).collect();
        wanted == format!("{}({})", info.name, plain.join(","))
    }

    /// As a signature names a type: without package, outer classes and type arguments.
    fn simple_name(&self, ty: &Type) -> String {
        match ty {
            Type::Class(c, _) => self.low.table.class(*c).simple.to_string(),
            Type::Array(e) => format!("{}[]", self.simple_name(e)),
            _ => self.low.table.type_name(ty),
        }
    }

    pub fn operation_name(&self, method: MethodIx) -> String {
        let info = self.low.table.method(method);
        let params: Vec<String> = info.params.iter().map(|p| self.low.table.type_name(p)).collect();
        format!("{}({})", info.name, params.join(", "))
    }

    pub fn operation(&mut self, candidate: &Candidate, specs: &Specs) -> Operation {
        let name = self.operation_name(candidate.method);
        let info = self.low.table.method(candidate.method).clone();
        let may_throw = self.may_throw(candidate.method);
        if !info.is_static {
            self.low.static_initialiser(info.class);
        }
        Operation {
            method: self.low.method_id(candidate.method),
            name,
            kind: candidate.kind,
            preconditions: specs.pre.clone(),
            postconditions: specs.post.clone(),
            may_throw,
            span: info.name_span,
        }
    }

    fn may_throw(&mut self, method: MethodIx) -> Vec<ir::ClassId> {
        let info = self.low.table.method(method).clone();
        let Some(decl) = &info.decl else { return Vec::new() };
        let scope = self.low.table.method_scope(method);
        let mut written = decl.throws.clone();
        if let Some(annotation) = decl.modifiers.annotation("MayThrow") {
            for value in self.low.values(annotation) {
                match value {
                    AnnotationValue::Expr(e) => match &e.kind {
                        ExprKind::ClassLiteral(ty) => written.push(ty.clone()),
                        _ => self.not_a_class(e.span),
                    },
                    AnnotationValue::Array(_, span) | AnnotationValue::Annotation(span) => self.not_a_class(*span),
                }
            }
        }
        let throwable = self.low.table.known("java.lang.Throwable");
        let mut classes = Vec::new();
        for ty in &written {
            match self.low.table.resolve(&scope, ty) {
                Ok(found) => match self.low.table.erasure(&found) {
                    Type::Class(c, _) if self.low.table.is_subclass(c, throwable) => classes.push(self.low.class_id(c)),
                    _ => {
                        let message = format!("`{}` is not an exception", self.low.table.type_name(&found));
                        self.low.error(Diagnostic::error("bad-spec", ty.span, message));
                    }
                },
                Err(problem) => self.low.error(*problem),
            }
        }
        classes
    }

    fn not_a_class(&mut self, span: source::Span) {
        let message = "`@MayThrow` takes class literals such as `MyException.class`";
        self.low.error(Diagnostic::error("bad-spec", span, message));
    }
}
