//! Which method a call means (JLS 15.12.2): by subtyping alone, then with boxing, then with a variable number of
//! arguments; the most specific of those that apply.

use super::hierarchy::Candidate;
use super::*;

/// An argument, as far as it is known before the method is.
#[derive(Clone, Debug)]
pub enum Argument {
    Typed(Type),
    /// A call of a generic method whose result is of this type, with type parameters of it that nothing decides yet.
    Open(Type),
    /// The result expressions of a conditional or `switch`: each has to fit.
    Each(Vec<Argument>),
    Lambda {
        arity: usize,
        value: Option<bool>,
        /// What it returns, if its parameters have types.
        results: Option<Vec<Argument>>,
    },
    /// With how many parameters a function may be meant, if that is known.
    MethodRef(Option<Vec<usize>>),
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
            let mut applicable: Vec<Candidate> =
                candidates.iter().filter(|c| self.applies(c, arguments, phase)).cloned().collect();
            if applicable.len() > 1 {
                // Type arguments are looked at only where there is a choice: those that are inferred are not all known.
                let exact: Vec<Candidate> =
                    applicable.iter().filter(|c| self.fits_exactly(c, arguments, phase)).cloned().collect();
                applicable = if exact.is_empty() { applicable } else { exact };
            }
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
            Argument::Open(ty) => {
                let param = self.lower(param);
                let bound = self.erasure(ty);
                if !matches!(ty, Type::Var(_)) {
                    return self.converts(&bound, &param, phase != Phase::Strict);
                }
                let param = match param.prim() {
                    Some(_) if phase == Phase::Strict => return false,
                    _ => self.box_of(&param),
                };
                let param = self.erasure(&param);
                self.is_subtype(&param, &bound) || self.is_subtype(&bound, &param)
            }
            Argument::MethodRef(arities) => {
                matches!(param, Type::Var(v) if vars.contains(v))
                    || self
                        .functional_method(param)
                        .is_some_and(|f| arities.as_ref().is_none_or(|known| known.contains(&f.params.len())))
            }
            Argument::Lambda { arity, value, results } => {
                if matches!(param, Type::Var(v) if vars.contains(v)) {
                    return true;
                }
                let Some(function) = self.functional_method(param) else { return false };
                function.params.len() == *arity
                    && match value {
                        Some(gives) => *gives == (function.ret != Type::Void),
                        None => true,
                    }
                    && (function.ret == Type::Void
                        || function.ret.mentions(vars)
                        || results.iter().flatten().all(|r| self.may_return(r, &function.ret, vars)))
            }
        }
    }

    fn fits_exactly(&mut self, candidate: &Candidate, arguments: &[Argument], phase: Phase) -> bool {
        let vars = self.method(candidate.method).type_params.clone();
        arguments.iter().enumerate().all(|(i, argument)| match (formal(&candidate.params, i, phase), argument) {
            (Type::Class(class, wanted), Argument::Typed(ty)) if !wanted.is_empty() && ty.is_reference() => {
                let Some(Type::Class(_, given)) = self.as_super(ty, class) else { return true };
                let mut pairs = wanted.iter().zip(given.iter());
                pairs.all(|(w, g)| w.mentions(&vars) || self.contains(w, g))
            }
            _ => true,
        })
    }

    /// Whether a type argument includes another (JLS 4.5.1).
    pub fn contains(&mut self, wanted: &Type, given: &Type) -> bool {
        match (wanted, given) {
            (Type::Wild(None), _) => true,
            (Type::Wild(Some((false, bound))), _) => {
                let given = self.upper(given);
                self.is_subtype(&given, bound)
            }
            (Type::Wild(Some((true, _))), Type::Wild(Some((false, _)) | None)) => false,
            (Type::Wild(Some((true, bound))), _) => {
                let given = self.lower(given);
                self.is_subtype(bound, &given)
            }
            _ => wanted == given,
        }
    }

    /// Whether a result of a lambda fits what is expected of it; an int may be a constant that does.
    fn may_return(&mut self, result: &Argument, ret: &Type, vars: &[VarIx]) -> bool {
        let ret = self.upper(ret);
        let is_small = matches!(self.as_prim(&ret), Some(Prim::Byte | Prim::Short | Prim::Char));
        (is_small && matches!(result, Argument::Typed(ty) if *ty == INT))
            || self.accepts(&ret, result, Phase::Boxing, vars)
    }

    /// For a lambda whose results are known: of two unrelated functional interfaces (JLS 15.12.2.5).
    fn is_more_specific_function(&mut self, x: &Type, y: &Type, results: &[Argument]) -> bool {
        let (Some(x), Some(y)) = (self.functional_method(x), self.functional_method(y)) else { return false };
        let is_prim = |r: &Argument| matches!(r, Argument::Typed(Type::Prim(_)));
        match (&x.ret, &y.ret) {
            (_, Type::Void) => true,
            (Type::Void, _) => false,
            (Type::Prim(p), Type::Prim(q)) => prim_widens(*p, *q),
            (Type::Prim(_), _) => results.iter().all(is_prim),
            (_, Type::Prim(_)) => !results.iter().any(is_prim),
            (x, y) => self.is_subtype(x, y),
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
                _ if self.is_subtype(&x, &y) => true,
                _ => match arguments.get(i) {
                    Some(Argument::Lambda { results: Some(results), .. }) => {
                        self.is_more_specific_function(&x, &y, results)
                    }
                    _ => false,
                },
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
