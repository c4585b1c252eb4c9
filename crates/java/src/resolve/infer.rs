//! Type arguments that are not written: of generic methods, of the diamond. First from the arguments, then from what is
//! expected of the result, else the bound. Only the ordinary cases: erasure makes the rest a matter of casts.

use super::*;

impl Table<'_> {
    /// Learns what `vars` stand for from an actual type where a formal one is declared.
    pub fn unify(&mut self, formal: &Type, actual: &Type, vars: &[VarIx], map: &mut Substitution) {
        if actual.is_error() {
            return;
        }
        match formal {
            Type::Var(v) if vars.contains(v) => {
                let actual = match actual {
                    Type::Prim(p) => self.boxed(*p),
                    Type::Null | Type::Void => return,
                    // What can be read from there.
                    Type::Wild(_) => self.upper(actual),
                    other => other.clone(),
                };
                let joined = match map.get(*v).cloned() {
                    Some(before) => self.join(&before, &actual),
                    None => actual,
                };
                map.set(*v, joined);
            }
            Type::Class(c, formals) if !formals.is_empty() => {
                let actual = match actual {
                    Type::Prim(p) => self.boxed(*p),
                    other => other.clone(),
                };
                let Some(Type::Class(_, actuals)) = self.as_super(&actual, *c) else { return };
                if actuals.len() == formals.len() {
                    for (f, a) in formals.iter().zip(actuals.iter()) {
                        self.unify(f, a, vars, map);
                    }
                }
            }
            Type::Array(f) => {
                if let Type::Array(a) = actual {
                    self.unify(&f.clone(), &a.clone(), vars, map);
                }
            }
            Type::Wild(Some((_, f))) => {
                let f = f.clone();
                match actual {
                    Type::Wild(Some((_, a))) => self.unify(&f, &a.clone(), vars, map),
                    Type::Wild(None) => {}
                    other => self.unify(&f, other, vars, map),
                }
            }
            _ => {}
        }
    }

    /// As [`Table::unify`] for the result: only what the arguments left open.
    pub fn unify_result(&mut self, ret: &Type, expected: &Type, vars: &[VarIx], map: &mut Substitution) {
        let open: Vec<VarIx> = vars.iter().copied().filter(|v| map.get(*v).is_none()).collect();
        if open.is_empty() || !ret.mentions(&open) {
            return;
        }
        let target = match (ret, expected) {
            (Type::Class(_, formals), Type::Class(e, actuals)) if !formals.is_empty() && !actuals.is_empty() => {
                // `List<T>` expected of an `ArrayList<E>`: see the formal result as what is expected.
                let Some(Type::Class(_, seen)) = self.as_super(ret, *e) else { return };
                if seen.len() == actuals.len() {
                    for (f, a) in seen.iter().zip(actuals.iter()) {
                        // A `Comparator<? super T>` is expected: one of `T` is.
                        let wanted = if let Type::Wild(Some((_, bound))) = a { bound } else { a };
                        self.unify(f, wanted, &open, map);
                    }
                }
                return;
            }
            _ => expected,
        };
        self.unify(ret, target, &open, map);
    }

    /// Everything still open becomes its bound.
    pub fn close(&mut self, vars: &[VarIx], map: &mut Substitution) {
        for v in vars {
            if map.get(*v).is_none() {
                let bound = self.bounds(&Type::Var(*v)).into_iter().next().unwrap_or_else(|| self.object());
                let bound = if bound.mentions(vars) { self.erasure(&bound) } else { bound };
                map.set(*v, bound);
            }
        }
    }
}
