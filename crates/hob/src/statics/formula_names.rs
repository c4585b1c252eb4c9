//! Names in formulas: variables of quantifiers, parameters of predicates, formals, sets and Booleans; and predicates, which are
//! expanded where they are used.

use super::copies;
use super::formulas::{Frame, Kind, Purpose, Role, Value, Visible, Walker};
use crate::program::{Formula, FormulaKind, NameRef, SetExpr, SpecVarKind, Subject, Type};
use crate::syntax::ast::{self, Ident, Name};
use source::Span;

impl Walker<'_, '_, '_, '_> {
    pub(super) fn expand(
        &mut self,
        name: &Ident,
        primed: bool,
        arguments: &[ast::Formula],
        span: Span,
    ) -> Option<FormulaKind> {
        let predicates = self.place.module.map(|m| &self.resolver.names[m.index()].predicates);
        let Some(predicate) = predicates.and_then(|p| p.get(name.text.as_str()).copied()) else {
            let known: Vec<&str> = predicates.into_iter().flat_map(|p| p.keys().copied()).collect();
            let help = self.resolver.suggest(&name.text, known.into_iter(), "declare it: `predicate @p(S) = B;`");
            return self.fail("unknown-name", name.span, format!("there is no predicate `@{}`", name.text), &help);
        };
        if self.frames.iter().any(|f| f.name == name.text) {
            let message = format!("predicate `@{}` is defined by itself", name.text);
            return self.fail(
                "cyclic-definition",
                name.span,
                message,
                "predicates are abbreviations: they cannot recur",
            );
        }
        if primed && self.place.purpose != Purpose::Ensures && self.place.purpose != Purpose::Assertion {
            return self.prime_forbidden(span);
        }
        if predicate.parameters.len() != arguments.len() {
            let (takes, has) = (predicate.parameters.len(), arguments.len());
            let message = format!("predicate `@{}` takes {takes} arguments, but has {has} here", name.text);
            return self.fail("wrong-arguments", span, message, "give as many as its declaration has parameters");
        }
        let mut parameters = Vec::new();
        for (parameter, argument) in predicate.parameters.iter().zip(arguments) {
            let mut value = match self.kind(argument) {
                Kind::Bool => Value::Bool(self.boolean(argument)?),
                _ => Value::Set(self.set(argument)?),
            };
            if primed {
                prime_value(&mut value);
            }
            parameters.push((parameter.text.as_str(), value));
        }
        let primed = primed || self.frames.last().is_some_and(|f| f.primed);
        self.frames.push(Frame { name: &predicate.name.text, parameters, primed, bound_from: self.bound.len() });
        let formula = self.boolean(&predicate.formula);
        self.frames.pop();
        formula.map(|f| f.kind)
    }

    fn fail<T>(&mut self, id: &'static str, span: Span, message: String, help: &str) -> Option<T> {
        self.resolver.error(id, span, message, help);
        None
    }

    fn prime_forbidden<T>(&mut self, span: Span) -> Option<T> {
        let (message, help) = match self.place.purpose {
            Purpose::Requires => (
                "a precondition has no primes",
                "remove the prime: `requires` speaks of the state at the entry; primed names are of the exit",
            ),
            _ => (
                "an invariant or default has no primes",
                "remove the prime: it speaks of one state, and is primed where it is joined to an `ensures`",
            ),
        };
        self.fail("misplaced-prime", span, message.to_string(), help)
    }

    pub(super) fn name(&mut self, name: &Name, primed: bool, span: Span) -> Option<Value> {
        let text = name.name.text.as_str();
        if name.module.is_none() {
            let from = self.frames.last().map_or(0, |f| f.bound_from);
            if let Some((_, number)) = self.bound[from..].iter().rev().find(|(n, _)| n == text) {
                let reference = NameRef { subject: Subject::Bound(*number), primed: false, span };
                if primed {
                    let message = format!("`{text}` is a variable of a quantifier: it has no prime");
                    return self.fail("misplaced-prime", span, message, "remove the prime");
                }
                return Some(Value::Set(SetExpr::Name(reference)));
            }
            if let Some(frame) = self.frames.last() {
                if let Some((_, value)) = frame.parameters.iter().find(|(n, _)| *n == text) {
                    self.nodes += size_of_value(value);
                    let mut value = value.clone();
                    if let Value::Bool(formula) = &mut value {
                        *formula = copies::copied(formula, &mut self.resolver.bound);
                    }
                    if primed {
                        if matches!(self.place.purpose, Purpose::Requires | Purpose::State) {
                            return self.prime_forbidden(span);
                        }
                        prime_value(&mut value);
                    }
                    return Some(value);
                }
            } else if self.place.clause == Some(text) {
                if primed {
                    return self.prime_forbidden(span);
                }
                let name = NameRef { subject: Subject::Bound(super::formulas::CLAUSE), primed, span };
                return Some(Value::Bool(Formula { kind: FormulaKind::Bool(name), span }));
            } else if let Some(local) = (self.place.locals)(text) {
                return self.local(text, local, primed, span);
            }
        }
        let names = self.place.local_names;
        let (module, naming, among) = (self.place.module, self.place.naming, self.place.among);
        let variable = self.resolver.spec_var(name, module, naming, among, names)?;
        let primed = primed || self.frames.last().is_some_and(|f| f.primed);
        if primed && matches!(self.place.purpose, Purpose::Requires | Purpose::State) {
            return self.prime_forbidden(span);
        }
        let reference = NameRef { subject: Subject::SpecVar(variable), primed, span };
        Some(match self.resolver.program.spec_var(variable).kind {
            SpecVarKind::Set(_) => Value::Set(SetExpr::Name(reference)),
            SpecVarKind::Bool => Value::Bool(Formula { kind: FormulaKind::Bool(reference), span }),
            // As a condition by itself.
            SpecVarKind::Relation => Value::Bool(Formula { kind: FormulaKind::OverRelation(variable), span }),
        })
    }

    fn local(&mut self, text: &str, local: Visible, primed: bool, span: Span) -> Option<Value> {
        if primed && self.place.purpose == Purpose::Requires {
            return self.prime_forbidden(span);
        }
        if local.role == Role::Result && !primed && self.place.purpose == Purpose::Ensures {
            let message = format!("the result `{text}` must be primed");
            let help = format!("write `{text}'`: there is no result before the procedure ends");
            return self.fail("unprimed-result", span, message, &help);
        }
        if local.role == Role::Result && self.place.purpose == Purpose::Requires {
            let message = format!("a precondition cannot speak of the result `{text}`");
            return self.fail("misplaced-result", span, message, "there is no result before the procedure ends");
        }
        // A formal never changes: its primed name means the same.
        let primed = primed && local.role != Role::Formal;
        let reference = NameRef { subject: Subject::Local(local.id), primed, span };
        match local.ty {
            Type::Bool => Some(Value::Bool(Formula { kind: FormulaKind::Bool(reference), span })),
            Type::Object(_) => Some(Value::Set(SetExpr::Name(reference))),
            Type::Nothing => None,
            ty => {
                let message = format!("`{text}` is of type {}", self.resolver.type_text(&ty));
                let help = "formulas speak of sets, objects and Booleans: keep what matters in a Boolean";
                self.fail("type-mismatch", span, message, help)
            }
        }
    }
}

fn prime_value(value: &mut Value) {
    match value {
        Value::Set(set) => copies::prime_set(set),
        Value::Bool(formula) => copies::prime(formula),
    }
}

fn size_of_value(value: &Value) -> usize {
    match value {
        Value::Set(set) => copies::size_of_set(set),
        Value::Bool(formula) => copies::size(formula),
    }
}
