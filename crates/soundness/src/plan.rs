//! Everything about a language and a check that does not depend on slots: domains, tables, prepared rules, the reduction.

use crate::finite::Finite;
use crate::ground::Table;
use crate::rules::{Rules, tree_subject};
use crate::shape::{Extent, Grammar, is_tree};
use crate::steps::Steps;
use crate::tables;
use crate::{Deeper, NotCarried, Outcome};
use lang::term::Terms;
use lang::universe::Explosion;
use lang::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Plan<'l> {
    pub lang: &'l Lang,
    pub check: &'l Check,
    pub finite: Finite,
    pub tables: FxHashMap<JudgId, Table>,
    pub rules: Rules,
    pub grammar: Grammar,
    pub steps: Option<Steps>,
    pub deeper: Deeper,
    decomposed: FxHashMap<ProdId, Vec<(u32, Vec<u32>)>>,
}

/// A member of a finite sort, with what the metavariables of a form are if it matches.
pub type Matching = (u32, Vec<(MetaId, u32)>);

pub enum Trouble {
    Stopped,
    NotCarried(NotCarried),
    Exploded(Explosion),
}

impl From<NotCarried> for Trouble {
    fn from(n: NotCarried) -> Trouble {
        Trouble::NotCarried(n)
    }
}

impl From<Trouble> for Outcome {
    fn from(trouble: Trouble) -> Outcome {
        match trouble {
            Trouble::Stopped => Outcome::Stopped,
            Trouble::NotCarried(n) => Outcome::NotCarried(n),
            Trouble::Exploded(e) => Outcome::Exploded(e),
        }
    }
}

impl From<Explosion> for Trouble {
    fn from(e: Explosion) -> Trouble {
        Trouble::Exploded(e)
    }
}

/// Entries of a store that no bound is given for.
pub const STORE_ENTRY_SIZE: u32 = 3;
/// Trees without a bound.
pub const DEFAULT_NODES: u32 = 15;

impl<'l> Plan<'l> {
    pub fn new(terms: &mut Terms<'l>, check: &'l Check) -> Result<Plan<'l>, Trouble> {
        let lang = terms.lang;
        if let Some(binder) = lang.prods.iter().find(|p| p.infer) {
            return Err(NotCarried::new("types of binders are inferred", binder.span).into());
        }
        let finite = Finite::build(terms, Some(check), 0)?;
        let ints: Vec<SortId> = lang.sort_ids().filter(|s| lang.sort(*s).kind == SortKind::Int).collect();
        if let Some(other) = ints.iter().find(|s| finite.of(lang, **s).members != finite.of(lang, ints[0]).members) {
            let reason = "integers with different bounds";
            return Err(NotCarried::new(reason, lang.sort(*other).span).into());
        }
        let mut tables = tables::build(terms, &finite)?;
        let deeper = compare_deeper(terms, check, &finite, &mut tables)?;
        if terms.is_late() {
            return Err(Trouble::Stopped);
        }
        let needed = needed(lang, check);
        let rules = Rules::prepare(terms, &finite, &tables, &needed)?;
        if terms.is_late() {
            return Err(Trouble::Stopped);
        }
        let roots: Vec<SortId> = lang.sort_ids().filter(|s| is_tree(lang, *s)).collect();
        let grammar = {
            let roots: Vec<SortId> = tree_roots(lang, check).into_iter().filter(|s| roots.contains(s)).collect();
            Grammar::new(lang, &roots, |s| {
                let domain = finite.of(lang, s);
                domain.sizes[..domain.before].iter().copied().min().unwrap_or(0)
            })
        };
        let steps = Steps::find(lang, check)?;
        let decomposed = decompose(terms, &finite);
        Ok(Plan { lang, check, finite, tables, rules, grammar, steps, deeper, decomposed })
    }

    /// The extent of trees of a metavariable of the check.
    pub fn extent(&self, sort: SortId) -> Extent {
        let bound =
            self.lang.bound(Some(self.check), sort).or_else(|| self.lang.bound(Some(self.check), self.lang.base(sort)));
        Extent::of(bound.unwrap_or(Bound::Nodes(DEFAULT_NODES)))
    }

    /// The extent of the entries of a store.
    pub fn entry_extent(&self, sort: SortId) -> Extent {
        let most = match self.lang.bound(Some(self.check), sort) {
            Some(Bound::Size(n) | Bound::Nodes(n) | Bound::Height(n) | Bound::Depth(n) | Bound::Count(n)) => n,
            _ => STORE_ENTRY_SIZE,
        };
        // The bound of programs is meant for programs, not for each of the values in a store.
        let is_program = self.lang.base(sort) == sort;
        Extent::of(Bound::Size(if is_program { most.min(STORE_ENTRY_SIZE) } else { most }))
    }
}

/// The sorts of the trees a check speaks of, through configurations and stores as well.
fn tree_roots(lang: &Lang, check: &Check) -> Vec<SortId> {
    let mut roots = Vec::new();
    for meta in &check.metas {
        match &lang.sort(meta.sort).kind {
            SortKind::Store { extension, .. } => roots.push(lang.prod(*extension).args[2]),
            _ => roots.push(meta.sort),
        }
    }
    roots
}

/// The judgments that the check and the reduction rest on.
fn needed(lang: &Lang, check: &Check) -> FxHashSet<JudgId> {
    fn visit(premise: &Premise, found: &mut Vec<JudgId>) {
        match premise {
            Premise::Judgment(j, _) | Premise::Steps(j, _) => found.push(*j),
            Premise::Not(inner) => visit(inner, found),
            Premise::Forall { body, .. } => visit(body, found),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let located = check.premises.iter().chain(check.conclusions.iter().flatten());
    located.for_each(|l| visit(&l.premise, &mut found));
    let mut seen = FxHashSet::default();
    while let Some(j) = found.pop() {
        if seen.insert(j) {
            for (_, rule) in lang.rules_of(j) {
                rule.premises.iter().for_each(|l| visit(&l.premise, &mut found));
            }
        }
    }
    seen.retain(|j| tree_subject(lang, *j).is_some() || lang.judgment(*j).reduction.is_none());
    seen
}

/// Tables over domains that are one level deeper, if that is cheap; where they say more of the members we have, that is used.
fn compare_deeper(
    terms: &mut Terms,
    check: &Check,
    finite: &Finite,
    tables: &mut FxHashMap<JudgId, Table>,
) -> Result<Deeper, NotCarried> {
    // 150 types, and the closure of their subtyping takes a second: more than all the rest.
    const MOST: usize = 100;
    if tables.values().all(|t| t.rows.is_empty()) {
        return Ok(Deeper::NoTables);
    }
    let lang = terms.lang;
    // One level more is at least the square, as a rule.
    if lang.sort_ids().any(|s| finite.of(lang, s).len() > MOST / 3) {
        return Ok(Deeper::NotRun);
    }
    let Ok(larger) = Finite::build(terms, Some(check), 1) else { return Ok(Deeper::NotRun) };
    if lang.sort_ids().any(|s| larger.of(lang, s).len() > MOST) {
        return Ok(Deeper::NotRun);
    }
    let mut differ = Vec::new();
    for (judgment, table) in tables::build(terms, &larger)? {
        let sorts = &lang.judgment(judgment).args;
        for row in table.rows {
            let within = row.iter().zip(sorts).all(|(t, s)| finite.of(lang, *s).position(*t).is_some());
            if within && tables.get_mut(&judgment).is_some_and(|t| t.insert(row)) && !differ.contains(&judgment) {
                differ.push(judgment);
            }
        }
    }
    Ok(if differ.is_empty() { Deeper::Same } else { Deeper::Differs(differ) })
}

impl Plan<'_> {
    /// The members of a finite sort made by a production, with the indices of its arguments.
    pub fn decomposed(&self, prod: ProdId) -> &[(u32, Vec<u32>)] {
        self.decomposed.get(&prod).map_or(&[], |d| d)
    }

    /// The members of a finite sort that match a form, with what its metavariables are then. None: not a plain pattern.
    pub fn members_matching(&self, sort: SortId, form: &Form, metas: &[Meta]) -> Option<Vec<Matching>> {
        let mut out = Vec::new();
        for member in 0..self.finite.of(self.lang, sort).len() as u32 {
            let mut binds = Vec::new();
            if self.matches(sort, member, form, metas, &mut binds)? {
                out.push((member, binds));
            }
        }
        Some(out)
    }

    fn matches(
        &self,
        sort: SortId,
        member: u32,
        form: &Form,
        metas: &[Meta],
        binds: &mut Vec<(MetaId, u32)>,
    ) -> Option<bool> {
        match form {
            Form::Any(s) => Some(self.finite.allows(*s, member)),
            Form::Int(n) => Some(self.finite.of(self.lang, sort).numbers[member as usize] == *n),
            Form::Atom(_, k) => Some(*k == member),
            Form::Meta(m) => match binds.iter().find(|(k, _)| k == m) {
                Some((_, known)) => Some(*known == member),
                None => {
                    binds.push((*m, member));
                    Some(self.finite.allows(metas[m.index()].sort, member))
                }
            },
            Form::Node(prod, forms) => {
                if !self.lang.prod(*prod).binders.is_empty() {
                    return None;
                }
                let Some((_, args)) = self.decomposed(*prod).iter().find(|(m, _)| *m == member) else {
                    return Some(false);
                };
                for ((form, arg), s) in forms.iter().zip(args).zip(&self.lang.prod(*prod).args) {
                    if !self.matches(*s, *arg, form, metas, binds)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            _ => None,
        }
    }
}

/// Per production of a finite sort without binders: its members, taken apart.
fn decompose(terms: &Terms, finite: &Finite) -> FxHashMap<ProdId, Vec<(u32, Vec<u32>)>> {
    let lang = terms.lang;
    let mut out: FxHashMap<ProdId, Vec<(u32, Vec<u32>)>> = FxHashMap::default();
    for sort in lang.sort_ids().filter(|s| lang.base(*s) == *s && tables::is_finite(lang, *s)) {
        for (i, term) in finite.of(lang, sort).members.iter().enumerate() {
            let Some((prod, args)) = terms.node(*term) else { continue };
            let sorts = &lang.prod(prod).args;
            let values: Option<Vec<u32>> =
                args.iter().zip(sorts).map(|(a, s)| finite.of(lang, *s).position(*a)).collect();
            if let Some(values) = values {
                out.entry(prod).or_default().push((i as u32, values));
            }
        }
    }
    out
}
