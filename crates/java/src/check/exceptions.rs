//! Which exceptions may escape from an operation: those that `throws` and `@MayThrow` name; from one of an abstraction,
//! also those that it throws by statements of its own, which are part of what it does.
//!
//! A family is named by its head (`IndexOutOfBoundsException` for that of arrays). But `throws Exception`, or another
//! class of which the unchecked exceptions of every family are, names none of these: it would hide all of them.
//! `@MayThrow` is written for this tool and means what it says.

use super::Picker;
use crate::resolve::*;
use crate::syntax::ast::{AnnotationValue, ExprKind, TypeRef};
use ir::MayThrow;
use source::{Diagnostic, Span};

impl Picker<'_> {
    pub fn may_throw(&mut self, method: MethodIx) -> Vec<MayThrow> {
        let info = self.low.table.method(method).clone();
        let Some(decl) = &info.decl else { return Vec::new() };
        let mut may = Vec::new();
        for ty in &decl.throws {
            may.extend(self.named(method, ty, true));
        }
        if let Some(annotation) = decl.modifiers.annotation("MayThrow") {
            for value in self.low.values(annotation) {
                match value {
                    AnnotationValue::Expr(e) => match &e.kind {
                        ExprKind::ClassLiteral(ty) => may.extend(self.named(method, ty, false)),
                        _ => self.not_a_class(e.span),
                    },
                    AnnotationValue::Array(_, span) | AnnotationValue::Annotation(span) => self.not_a_class(*span),
                }
            }
        }
        let of_abstraction = self.modules.iter().filter(|m| m.abstraction.contains(&info.class));
        let thrown: Vec<ClassIx> = of_abstraction.flat_map(|m| m.thrown.clone()).collect();
        may.extend(thrown.into_iter().map(|class| self.family(class, true)));
        may
    }

    fn named(&mut self, method: MethodIx, ty: &TypeRef, by_throws: bool) -> Option<MayThrow> {
        let scope = self.low.table.method_scope(method);
        let found = match self.low.table.resolve(&scope, ty) {
            Ok(found) => found,
            Err(problem) => {
                self.low.error(*problem);
                return None;
            }
        };
        let throwable = self.low.table.known("java.lang.Throwable");
        match self.low.table.erasure(&found) {
            Type::Class(c, _) if self.low.table.is_subclass(c, throwable) => Some(self.family(c, by_throws)),
            _ => {
                let message = format!("`{}` is not an exception", self.low.table.type_name(&found));
                self.low.error(Diagnostic::error("bad-spec", ty.span, message));
                None
            }
        }
    }

    fn family(&mut self, class: ClassIx, by_throws: bool) -> MayThrow {
        let unchecked = ["java.lang.RuntimeException", "java.lang.Error"].map(|n| self.low.table.known(n));
        let above = unchecked.into_iter().filter(|&u| by_throws && self.low.table.is_subclass(u, class));
        let above: Vec<ClassIx> = above.collect();
        let except = above.into_iter().map(|u| self.low.class_id(u)).collect();
        MayThrow { class: self.low.class_id(class), except }
    }

    fn not_a_class(&mut self, span: Span) {
        let message = "`@MayThrow` takes class literals such as `MyException.class`";
        self.low.error(Diagnostic::error("bad-spec", span, message));
    }
}
