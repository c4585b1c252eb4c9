//! Rules, equations and checks in the form the interpreter runs.
//!
//! In: a definition. Out: clauses, with what planning asks about forms: what a form needs before it can be built, what it binds when it is
//! matched. Meaning is unchanged.

use crate::definition::*;

/// Premises and forms over metavariables of their own. The heads are the conclusion of a rule, the left side of an equation.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Instances clipped by the bounds are counted there.
    pub rule: Option<RuleId>,
    pub metas: Vec<Meta>,
    pub heads: Vec<Form>,
    pub premises: Vec<Premise>,
}

impl Clause {
    pub fn of_rule(id: RuleId, rule: &Rule) -> Clause {
        Clause::new(Some(id), &rule.metas, &rule.conclusion, rule.premises.iter().map(|p| &p.premise))
    }

    pub fn new<'a>(
        rule: Option<RuleId>,
        metas: &[Meta],
        heads: &[Form],
        premises: impl Iterator<Item = &'a Premise>,
    ) -> Clause {
        Clause { rule, metas: metas.to_vec(), heads: heads.to_vec(), premises: premises.cloned().collect() }
    }
}

/// What is known about the metavariables of a clause while it is planned.
pub type Known = Vec<bool>;

/// Whether a form can be built. The variable of a binder that nothing has bound is chosen when the binder is built.
pub fn is_known(lang: &Lang, form: &Form, known: &Known) -> bool {
    missing(lang, form, known, &mut Vec::new()).is_none()
}

/// A metavariable without which a form cannot be built.
pub fn missing(lang: &Lang, form: &Form, known: &Known, own: &mut Vec<MetaId>) -> Option<MetaId> {
    match form {
        Form::Meta(m) => (!known[m.index()] && !own.contains(m)).then_some(*m),
        Form::Node(prod, args) => {
            let production = lang.prod(*prod);
            let before = own.len();
            for binder in &production.binders {
                if let Form::Meta(m) = args[binder.var] {
                    own.push(m);
                }
            }
            let found = args.iter().find_map(|arg| missing(lang, arg, known, own));
            own.truncate(before);
            found
        }
        _ => {
            let mut found = None;
            form.each_child(&mut |child| found = found.or_else(|| missing(lang, child, known, own)));
            found
        }
    }
}

/// The metavariables that matching a form binds, and those it needs for the parts that are no patterns.
pub fn pattern(form: &Form, binds: &mut Vec<MetaId>, needs: &mut Vec<MetaId>) {
    match form {
        Form::Meta(m) => binds.push(*m),
        Form::Node(_, args) => args.iter().for_each(|arg| pattern(arg, binds, needs)),
        Form::Any(_) | Form::Hole(_) | Form::Int(_) | Form::Atom(..) | Form::Error => {}
        _ => form.metas(needs),
    }
}

/// Whether matching alone decides: no part has to be computed.
pub fn is_pattern(form: &Form) -> bool {
    match form {
        Form::Node(_, args) => args.iter().all(is_pattern),
        Form::Meta(_) | Form::Any(_) | Form::Hole(_) | Form::Int(_) | Form::Atom(..) | Form::Error => true,
        _ => false,
    }
}

/// Finite before anything runs: names, numbers and types, in contrast to programs and maps.
pub fn is_interned(lang: &Lang, sort: SortId) -> bool {
    match lang.sort(sort).kind {
        SortKind::Atom | SortKind::Loc | SortKind::Int => true,
        SortKind::Grammar { .. } => !lang.sort(sort).is_tree,
        SortKind::Sub { base, .. } => !lang.sort(base).is_tree,
        _ => false,
    }
}

/// Types: interned, and bounded by D.
pub fn is_type(lang: &Lang, sort: SortId) -> bool {
    is_interned(lang, sort) && matches!(lang.sort(sort).kind, SortKind::Grammar { .. } | SortKind::Sub { .. })
}

/// The productions of an environment or a store whose entries are kept sorted: over atoms or locations.
pub fn is_unordered_entry(lang: &Lang, prod: ProdId) -> bool {
    let production = lang.prod(prod);
    lang.is_map(production.sort)
        && production.args.len() >= 2
        && !matches!(lang.sort(production.args[1]).kind, SortKind::Var)
}
