//! Which method a call means (JLS 15.12.2): by subtyping alone, then with boxing, then with a variable number of
//! arguments; the most specific of those that apply.

use super::hierarchy::Candidate;
use super::*;

/// An argument, as far as it is known before the method is.
#[derive(Clone, Debug)]
pub enum Argument {
    Typed(Type),
    /// A call whose result is this type parameter of the method called, and nothing decides it yet.
    Open(VarIx),
    /// The result expressions of a conditional or `switch`: each has to fit.
    Each(Vec<Argument>),
    Lambda {
        arity: usize,
        value: Option<bool>,
    },
    MethodRef,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Strict,
    Boxing,
    Varargs,
}

pub enum Selection {
    Found(Candidate, Phase),
    /// None applies.
    None,
    Ambiguous(Candidate, Candidate),
}

impl Table<'_> {
    pub fn select(&mut self, candidates: &[Candidate], arguments: &[Argument]) -> Selection {
        for phase in [Phase::Strict, Phase::Boxing, Phase::Varargs] {
            let applicable: Vec<Candidate> =
                candidates.iter().filter(|c| self.applies(c, arguments, phase)).cloned().collect();
            if !applicable.is_empty() {
                return self.most_specific(applicable, arguments, phase);
            }
        }
        Selection::None
    }

    fn applies(&mut self, candidate: &Candidate, arguments: &[Argument], phase: Phase) -> bool {
        let info = self.method(candidate.method);
        let vars = info.type_params.clone();
        let params = &candidate.params;
        if phase == Phase::Varargs {
            if !info.varargs || arguments.len() + 1 < params.len() {
                return false;
            }
        } else if params.len() != arguments.len() {
            return false;
        }
        let accepts = |table: &mut Self, i: usize, a: &Argument| {
            let param = formal(params, i, phase);
            table.accepts(&param, a, phase, &vars)
        };
        arguments.iter().enumerate().all(|(i, a)| accepts(self, i, a))
    }

    fn accepts(&mut self, param: &Type, argument: &Argument, phase: Phase, vars: &[VarIx]) -> bool {
        match argument {
            Argument::Typed(ty) => {
                let param = self.lower(param);
                self.converts(ty, &param, phase != Phase::Strict)
            }
            Argument::Each(results) => results.iter().all(|r| self.accepts(param, r, phase, vars)),
            Argument::Open(var) => {
                let param = self.lower(param);
                let param = match param.prim() {
                    Some(_) if phase == Phase::Strict => return false,
                    _ => self.box_of(&param),
                };
                let (param, bound) = (self.erasure(&param), self.erasure(&Type::Var(*var)));
                self.is_subtype(&param, &bound) || self.is_subtype(&bound, &param)
            }
            Argument::MethodRef => {
                matches!(param, Type::Var(v) if vars.contains(v)) || self.functional_method(param).is_some()
            }
            Argument::Lambda { arity, value } => {
                if matches!(param, Type::Var(v) if vars.contains(v)) {
                    return true;
                }
                let Some(function) = self.functional_method(param) else { return false };
                function.params.len() == *arity
                    && match value {
                        Some(gives) => *gives == (function.ret != Type::Void),
                        None => true,
                    }
            }
        }
    }

    /// Method invocation conversion, without (strict) or with (loose) boxing.
    pub fn converts(&mut self, from: &Type, to: &Type, boxing: bool) -> bool {
        if from.is_error() || to.is_error() {
            return true;
        }
        match (from, to) {
            (Type::Prim(a), Type::Prim(b)) => prim_widens(*a, *b),
            (Type::Prim(a), _) => {
                boxing && {
                    let boxed = self.boxed(*a);
                    self.is_subtype(&boxed, to)
                }
            }
            (_, Type::Prim(b)) => boxing && self.unboxed(from).is_some_and(|a| prim_widens(a, *b)),
            (Type::Void, _) | (_, Type::Void) => false,
            _ => self.is_subtype(from, to),
        }
    }

    fn most_specific(&mut self, applicable: Vec<Candidate>, arguments: &[Argument], phase: Phase) -> Selection {
        let mut best: Vec<Candidate> = Vec::new();
        for (i, a) in applicable.iter().enumerate() {
            let beats_all =
                applicable.iter().enumerate().all(|(j, b)| i == j || self.at_least_as_specific(a, b, arguments, phase));
            if beats_all {
                best.push(a.clone());
            }
        }
        match best.as_slice() {
            [] => match applicable.as_slice() {
                [a, b, ..] => Selection::Ambiguous(a.clone(), b.clone()),
                _ => Selection::None,
            },
            [a, rest @ ..] if rest.iter().any(|b| self.erased_params(a) != self.erased_params(b)) => {
                Selection::Ambiguous(a.clone(), rest[0].clone())
            }
            // Equal signatures: inherited from two interfaces, or overridden through generics. A body is preferred.
            _ => {
                let preferred = best.iter().find(|c| !self.method(c.method).is_abstract).or(best.first());
                preferred.map_or(Selection::None, |c| Selection::Found(c.clone(), phase))
            }
        }
    }

    fn at_least_as_specific(&mut self, a: &Candidate, b: &Candidate, arguments: &[Argument], phase: Phase) -> bool {
        let count = if phase == Phase::Varargs {
            arguments.len().max(a.params.len()).max(b.params.len())
        } else {
            arguments.len()
        };
        (0..count).all(|i| {
            let (x, y) = (formal(&a.params, i, phase), formal(&b.params, i, phase));
            match (&x, &y) {
                (Type::Prim(p), Type::Prim(q)) => prim_widens(*p, *q),
                // `javac` compares a primitive type and another by boxing the one or unboxing the other.
                (Type::Prim(_), _) | (_, Type::Prim(_)) => phase != Phase::Strict && self.is_specific_box(&x, &y),
                _ => self.is_subtype(&x, &y),
            }
        })
    }
}

impl Table<'_> {
    fn is_specific_box(&mut self, x: &Type, y: &Type) -> bool {
        match (x.prim(), y.prim()) {
            (Some(x), None) => {
                let x = self.boxed(x);
                self.is_subtype(&x, y)
            }
            (None, Some(y)) => self.unboxed(x).is_some_and(|x| prim_widens(x, y)),
            _ => false,
        }
    }

    fn erased_params(&mut self, candidate: &Candidate) -> Vec<Type> {
        candidate.params.iter().map(|p| self.erasure(p)).collect()
    }
}

/// The type of the parameter that argument `i` goes to.
pub fn formal(params: &[Type], i: usize, phase: Phase) -> Type {
    let last = params.len().saturating_sub(1);
    if phase == Phase::Varargs && i >= last {
        return match params.last() {
            Some(Type::Array(e)) => Type::clone(e),
            _ => Type::Error,
        };
    }
    params.get(i).cloned().unwrap_or(Type::Error)
}
