//! Building trees from forms, and the user's functions.
//!
//! In: a form whose metavariables are bound. Out: the tree it stands for; none if it is undefined (`σ(x)` outside the domain, a function
//! without a matching equation): then the rule instance does not exist.

use super::clause::*;
use super::{Args, Bindings, Fault, Interp, Limit};
use crate::definition::*;
use crate::term::{Term, TermId};

impl Interp<'_> {
    pub(crate) fn build(&mut self, clause: &Clause, form: &Form, b: &mut Bindings) -> Result<Option<TermId>, Fault> {
        Ok(Some(match form {
            Form::Meta(meta) => {
                return match b.get(*meta) {
                    Some(term) => Ok(Some(term)),
                    None => Err(self.undetermined(clause, *meta)),
                };
            }
            Form::Node(prod, forms) => return self.build_node(clause, *prod, forms, b),
            Form::Int(n) => self.terms.intern(Term::Int(*n)),
            Form::Atom(sort, k) => self.terms.intern(Term::Atom(*sort, *k)),
            Form::Error => self.terms.intern(Term::Error),
            Form::Subst { body, pairs } => {
                let Some(body) = self.build(clause, body, b)? else { return Ok(None) };
                let mut built = Vec::new();
                for (by, var) in pairs {
                    let (Some(by), Some(var)) = (self.build(clause, by, b)?, self.build(clause, var, b)?) else {
                        return Ok(None);
                    };
                    if !matches!(self.terms.get(var), Term::Free(..)) {
                        return Ok(None);
                    }
                    built.push((by, var));
                }
                self.terms.substitute(body, &built)
            }
            Form::Lookup { store, key } => {
                let (Some(store), Some(key)) = (self.build(clause, store, b)?, self.build(clause, key, b)?) else {
                    return Ok(None);
                };
                return Ok(self.terms.entry(store, key).and_then(|(_, fields)| fields.first().copied()));
            }
            Form::Update { store, key, value } => {
                let (Some(map), Some(key)) = (self.build(clause, store, b)?, self.build(clause, key, b)?) else {
                    return Ok(None);
                };
                let Some(value) = self.build(clause, value, b)? else { return Ok(None) };
                let Some(prod) = self.extension_of(map) else { return Ok(None) };
                self.terms.extend(prod, map, key, &[value])
            }
            Form::Call(fun, forms) => {
                let mut args = Args::new();
                for form in forms {
                    let Some(arg) = self.build(clause, form, b)? else { return Ok(None) };
                    args.push(arg);
                }
                return self.call(*fun, args);
            }
            Form::Arith(op, left, right) => {
                let (Some(left), Some(right)) = (self.build(clause, left, b)?, self.build(clause, right, b)?) else {
                    return Ok(None);
                };
                let (Term::Int(left), Term::Int(right)) = (self.terms.get(left), self.terms.get(right)) else {
                    return Ok(None);
                };
                let result = match op {
                    Op::Add => left.checked_add(*right),
                    Op::Sub => left.checked_sub(*right),
                    Op::Mul => left.checked_mul(*right),
                };
                let Some(result) = result else { return Ok(None) };
                self.terms.intern(Term::Int(result))
            }
            Form::Any(_) | Form::Hole(_) => return Ok(None),
        }))
    }

    fn build_node(
        &mut self,
        clause: &Clause,
        prod: ProdId,
        forms: &[Form],
        b: &mut Bindings,
    ) -> Result<Option<TermId>, Fault> {
        let lang = self.lang;
        let production = lang.prod(prod);
        // The variable of a binder: known from matching, or a new one for what is built here.
        let mut vars = Vec::new();
        let mut own = Vec::new();
        for binder in &production.binders {
            let sort = production.args[binder.var];
            let Form::Meta(meta) = forms[binder.var] else { return Ok(None) };
            if b.get(meta).is_none() {
                let var = self.new_variable(sort, b);
                b.set(meta, var);
                own.push(meta);
            }
            let Some(Term::Free(_, level)) = b.get(meta).map(|var| self.terms.get(var)) else { return Ok(None) };
            vars.push((sort, *level));
        }
        let mut args: Vec<TermId> = Vec::with_capacity(forms.len());
        let mut is_error = false;
        for (i, form) in forms.iter().enumerate() {
            if production.is_binder(i) {
                args.push(self.terms.intern(Term::Binder(production.args[i])));
                continue;
            }
            let Some(mut arg) = self.build(clause, form, b)? else { return Ok(None) };
            is_error |= *self.terms.get(arg) == Term::Error;
            for (binder, (sort, level)) in production.binders.iter().zip(&vars) {
                if binder.scope.contains(&i) {
                    arg = self.terms.close(arg, *sort, *level);
                }
            }
            args.push(arg);
        }
        own.iter().for_each(|meta| b.clear(*meta));
        // An error is the whole state, wherever it comes up.
        if is_error {
            return Ok(Some(self.terms.intern(Term::Error)));
        }
        Ok(Some(self.terms.assemble(prod, args)))
    }

    /// The production that extends a map with one field.
    fn extension_of(&self, map: TermId) -> Option<ProdId> {
        let (prod, _) = self.terms.node(map)?;
        match &self.lang.sort(self.lang.prod(prod).sort).kind {
            SortKind::Store { extension, .. } => Some(*extension),
            SortKind::Env { extensions, .. } => extensions.iter().copied().find(|p| self.lang.prod(*p).args.len() == 3),
            _ => None,
        }
    }

    pub(crate) fn undetermined(&self, clause: &Clause, meta: MetaId) -> Fault {
        Fault::Undetermined { rule: clause.rule, meta: clause.metas[meta.index()].name.clone() }
    }

    /// The value of a user's function: of the first equation that matches.
    pub fn call(&mut self, fun: FunId, args: Args) -> Result<Option<TermId>, Fault> {
        let key = (fun, args);
        if let Some(known) = self.worlds[self.current].functions.get(&key) {
            return Ok(*known);
        }
        self.tick()?;
        if self.calls.len() >= self.deepest.1 {
            // Equations are deterministic: a call that comes upon itself never ends. Any other may be only long.
            let mut seen = rustc_hash::FxHashSet::default();
            let repeated = self.calls.iter().find(|call| !seen.insert(*call));
            let limit = Limit::Calls { fun, most: self.calls.len() };
            return Err(repeated.map_or(Fault::Limit(limit), |(fun, _)| Fault::Endless(*fun)));
        }
        self.calls.push(key.clone());
        let value = self.call_equations(fun, &key.1);
        self.calls.pop();
        let value = value?;
        self.world().functions.insert(key, value);
        Ok(value)
    }

    fn call_equations(&mut self, fun: FunId, args: &Args) -> Result<Option<TermId>, Fault> {
        let code = self.code.clone();
        for (clause, plan) in code.equations[fun.index()].iter().zip(&code.conditions[fun.index()]) {
            let plan = plan.as_ref().map_err(|meta| self.undetermined(clause, *meta))?;
            let start = Bindings::new(clause.metas.len(), self.fresh_levels(args));
            // Whether an equation matches must be settled, and is not if it depends on what is still being derived.
            let rows = self.settled(|interp| interp.run(clause, plan, args, start))?;
            if let Some(row) = rows.into_iter().next() {
                let mut row = row;
                let Some(right) = clause.heads.last() else { return Ok(None) };
                let value = self.build(clause, right, &mut row)?;
                let result = self.lang.fun(fun).result;
                return Ok(value.filter(|v| self.is_result(*v, result)));
            }
        }
        Ok(None)
    }

    fn is_result(&mut self, value: TermId, sort: SortId) -> bool {
        match self.lang.sort(sort).kind {
            SortKind::Sub { .. } => self.terms.is_member(value, sort),
            _ => true,
        }
    }
}
