//! Which pre- and postconditions belong to which operation, and what they are given (docs/java.md, "Preconditions and postconditions").

use super::Picker;
use super::operations::Candidate;
use crate::resolve::*;
use crate::syntax::ast::{Annotation, AnnotationValue, ExprKind, Literal, Name};
use ir::{OperationKind, Spec, SpecArgument};
use source::{Diagnostic, Span};

/// The specifications of one operation.
#[derive(Clone, Default, Debug)]
pub struct Specs {
    pub pre: Vec<Spec>,
    pub post: Vec<Spec>,
}

impl Picker<'_> {
    /// For each operation, in their order.
    pub fn specs(&mut self, class: ClassIx, operations: &[Candidate]) -> Vec<Specs> {
        let mut specs = vec![Specs::default(); operations.len()];
        for candidate in self.possible(class) {
            let method = candidate.method;
            let Some(decl) = self.low.table.method(method).decl.clone() else { continue };
            for is_post in [false, true] {
                let annotation = decl.modifiers.annotation(if is_post { "Post" } else { "Pre" });
                let by_name = match is_post {
                    false => &*decl.name.name == "precondition" && decl.params.is_empty(),
                    true => &*decl.name.name == "postcondition" && decl.params.len() == 1,
                };
                if (annotation.is_none() && !by_name) || !self.fit_to_specify(method) {
                    continue;
                }
                let names = annotation.map(|a| self.names(a)).unwrap_or_default();
                for index in self.specified(&names, annotation, operations) {
                    if let Some(spec) = self.spec(class, method, &operations[index], is_post) {
                        let list = if is_post { &mut specs[index].post } else { &mut specs[index].pre };
                        list.push(spec);
                    }
                }
            }
        }
        specs
    }

    fn fit_to_specify(&mut self, method: MethodIx) -> bool {
        let info = self.low.table.method(method).clone();
        let problem = match () {
            _ if info.ret != BOOL => "it must return `boolean`",
            _ if !self.low.is_declarative(method) => "it must be `@Declarative`",
            _ => return true,
        };
        let message = format!("`{}` cannot be a specification: {problem}", info.name);
        self.low.error(Diagnostic::error("bad-spec", info.name_span, message));
        false
    }

    fn names(&mut self, annotation: &Annotation) -> Vec<(String, Span)> {
        let mut names = Vec::new();
        for value in self.low.values(annotation) {
            match value {
                AnnotationValue::Expr(e) => match &e.kind {
                    ExprKind::Literal(Literal::String(text)) => names.push((text.clone(), e.span)),
                    _ => self.not_a_name(e.span),
                },
                AnnotationValue::Array(_, span) | AnnotationValue::Annotation(span) => self.not_a_name(*span),
            }
        }
        names
    }

    fn not_a_name(&mut self, span: Span) {
        let message = "an operation is named by a string, such as \"add\" or \"add(int,int)\"";
        self.low.error(Diagnostic::error("bad-spec", span, message));
    }

    /// The operations that names mean; all methods (not constructors) without one.
    fn specified(
        &mut self,
        names: &[(String, Span)],
        annotation: Option<&Annotation>,
        operations: &[Candidate],
    ) -> Vec<usize> {
        let all = 0..operations.len();
        if names.is_empty() {
            let has_arguments = annotation.is_some_and(|a| !a.arguments.is_empty());
            return all.filter(|&i| !has_arguments && operations[i].kind != OperationKind::Constructor).collect();
        }
        let mut found = Vec::new();
        for (name, span) in names {
            let matching: Vec<usize> = all.clone().filter(|&i| self.is_called(operations[i].method, name)).collect();
            if matching.is_empty() {
                let known: Vec<String> = operations.iter().map(|o| self.operation_name(o.method)).collect();
                let simple: Vec<Name> =
                    operations.iter().map(|o| self.low.table.method(o.method).name.clone()).collect();
                let d =
                    Diagnostic::error("unknown-operation", *span, format!("there is no operation `{name}` to specify"));
                let near = did_you_mean(name, simple.iter().map(|n| &**n));
                self.low.error(d.help(near.unwrap_or(format!("the operations are {}", known.join(", ")))));
            }
            found.extend(matching);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn spec(&mut self, class: ClassIx, method: MethodIx, operation: &Candidate, is_post: bool) -> Option<Spec> {
        let info = self.low.table.method(method).clone();
        let op = self.low.table.method(operation.method).clone();
        let name = self.operation_name(operation.method);
        let no_object = match operation.kind {
            OperationKind::Static => true,
            OperationKind::Constructor => !is_post,
            OperationKind::Method => false,
        };
        if no_object && !info.is_static {
            let message = format!("`{}` needs an object, but `{name}` has none then", info.name);
            self.low.error(Diagnostic::error("bad-spec", info.name_span, message).help("make it static"));
            return None;
        }
        let mut available: Vec<(SpecArgument, Type)> = Vec::new();
        if is_post {
            available.push((SpecArgument::PreState, self.low.table.self_type(class)));
        }
        // A constructor of an inner class takes the outer instance first.
        let hidden = if op.is_constructor { self.low.hidden_params(op.class).len() } else { 0 };
        let parameters = op.params.iter().enumerate();
        available.extend(parameters.map(|(i, p)| (SpecArgument::Parameter(hidden + i), p.clone())));
        if is_post && op.ret != Type::Void {
            available.push((SpecArgument::Result, op.ret.clone()));
        }
        let count_fits = match is_post {
            true => info.params.len() <= available.len(),
            false => info.params.is_empty() || info.params.len() == available.len(),
        };
        let types_fit = info.params.iter().zip(&available).all(|(p, (_, a))| match (p.prim(), a.prim()) {
            (None, None) => self.low.table.is_subtype(a, p),
            (p, a) => p == a,
        });
        if !count_fits || !types_fit {
            let wants: Vec<String> = available.iter().map(|(_, t)| self.low.table.type_name(t)).collect();
            let what = if is_post { "postcondition" } else { "precondition" };
            let message = format!("`{}` does not fit as {what} of `{name}`", info.name);
            let help = match is_post {
                true => format!("it takes ({}); trailing ones may be left out", wants.join(", ")),
                false => format!("it takes ({}), or nothing", wants.join(", ")),
            };
            self.low.error(
                Diagnostic::error("bad-spec", info.name_span, message)
                    .related(op.name_span, "the operation")
                    .help(help),
            );
            return None;
        }
        let arguments = available.into_iter().take(info.params.len()).map(|(a, _)| a).collect();
        Some(Spec { method: self.low.method_id(method), arguments })
    }
}
