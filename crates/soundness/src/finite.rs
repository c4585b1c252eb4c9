//! Finite domains (docs/lang.md, "Finite domains"): every type, name, location and number gets an index, and from then on is that index.
//!
//! In: a language and the bounds of a check. Out: per sort its members, those of the state before first. Preserved: the state
//! before only has members within the bounds; a step may leave them, and what it can reach is a member as well: results
//! of arithmetic, and one location more than the bound where a rule asks for a fresh one.

use lang::term::{Term, TermId, Terms};
use lang::universe::{Explosion, Universe};
use lang::*;
use rustc_hash::FxHashMap;

/// The members of one sort.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    pub members: Vec<TermId>,
    /// The first so many are within the bounds.
    pub before: usize,
    index: FxHashMap<TermId, u32>,
    /// What each adds to the size of a tree.
    pub sizes: Vec<u32>,
    /// Of a sort of integers, the numbers themselves.
    pub numbers: Vec<i64>,
}

impl Domain {
    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn position(&self, term: TermId) -> Option<u32> {
        self.index.get(&term).copied()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Finite {
    /// By sort; subsets have the domain of their base.
    domains: Vec<Domain>,
    /// By sort: which members of the base belong to a subset.
    allowed: Vec<Option<Vec<bool>>>,
}

impl Finite {
    pub fn build(terms: &mut Terms, check: Option<&Check>, deeper: u32) -> Result<Finite, Explosion> {
        let universe = Universe::build(terms, check, deeper)?;
        let lang = terms.lang;
        let (lo, hi) = reachable_numbers(lang, &universe, terms);
        let mut finite = Finite::default();
        for id in lang.sort_ids() {
            let mut members = universe.members(id).to_vec();
            let before = members.len();
            match lang.sort(id).kind {
                SortKind::Loc if asks_for_fresh(lang, id) => {
                    members.push(terms.intern(Term::Loc(id, before as u32)));
                }
                SortKind::Atom if asks_for_fresh(lang, id) => {
                    members.push(terms.intern(Term::Atom(id, before as u32)));
                }
                SortKind::Int => {
                    for n in lo..=hi {
                        let term = terms.intern(Term::Int(n));
                        if !universe.contains(id, term) {
                            members.push(term);
                        }
                    }
                }
                _ => {}
            }
            let number = |t: &TermId| if let Term::Int(n) = terms.get(*t) { *n } else { 0 };
            finite.domains.push(Domain {
                before,
                index: members.iter().enumerate().map(|(i, t)| (*t, i as u32)).collect(),
                sizes: members.iter().map(|t| terms.size(*t)).collect(),
                numbers: members.iter().map(number).collect(),
                members,
            });
        }
        for id in lang.sort_ids() {
            let base = lang.base(id);
            let allowed = (base != id && !lang.sort(base).is_tree).then(|| {
                let members = finite.domains[base.index()].members.clone();
                members.iter().map(|t| universe.contains(id, *t)).collect()
            });
            finite.allowed.push(allowed);
        }
        Ok(finite)
    }

    /// The domain of a sort, or of what it is a subset of.
    pub fn of(&self, lang: &Lang, sort: SortId) -> &Domain {
        &self.domains[lang.base(sort).index()]
    }

    /// Whether a member of the base belongs to the sort.
    pub fn allows(&self, sort: SortId, value: u32) -> bool {
        self.allowed[sort.index()].as_ref().is_none_or(|a| a[value as usize])
    }

    pub fn is_restricted(&self, sort: SortId) -> bool {
        self.allowed[sort.index()].is_some()
    }
}

/// Whether some rule asks for a new name or location of this sort.
fn asks_for_fresh(lang: &Lang, sort: SortId) -> bool {
    lang.rules.iter().any(|rule| {
        rule.premises.iter().any(|p| matches!(p.premise, Premise::Fresh(m) if rule.metas[m.index()].sort == sort))
    })
}

/// The numbers that one step makes of those within the bounds; never more than a few thousand.
fn reachable_numbers(lang: &Lang, universe: &Universe, terms: &Terms) -> (i64, i64) {
    let numbers = lang.sort_ids().filter(|s| lang.sort(*s).kind == SortKind::Int).flat_map(|s| {
        universe.members(s).iter().filter_map(|t| if let Term::Int(n) = terms.get(*t) { Some(*n) } else { None })
    });
    let (lo, hi) = numbers.fold((0, 0), |(lo, hi): (i64, i64), n| (lo.min(n), hi.max(n)));
    let mut range = (lo, hi);
    let mut visit = |form: &Form| {
        let (a, b) = interval(form, (lo, hi));
        range = (range.0.min(a), range.1.max(b));
    };
    for rule in &lang.rules {
        rule.conclusion.iter().for_each(|f| each_number(f, &mut visit));
        for premise in &rule.premises {
            premise.premise.each_form(&mut |f| each_number(f, &mut visit));
        }
    }
    (range.0.max(-1000), range.1.min(1000))
}

fn each_number(form: &Form, visit: &mut dyn FnMut(&Form)) {
    if matches!(form, Form::Arith(..) | Form::Int(_)) {
        visit(form);
    }
    form.each_child(&mut |child| each_number(child, visit));
}

fn interval(form: &Form, leaf: (i64, i64)) -> (i64, i64) {
    match form {
        Form::Int(n) => (*n, *n),
        Form::Arith(op, a, b) => {
            let (a, b) = (interval(a, leaf), interval(b, leaf));
            let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| arith(*op, x, y));
            (*ends.iter().min().unwrap_or(&0), *ends.iter().max().unwrap_or(&0))
        }
        _ => leaf,
    }
}

pub fn arith(op: Op, x: i64, y: i64) -> i64 {
    match op {
        Op::Add => x.saturating_add(y),
        Op::Sub => x.saturating_sub(y),
        Op::Mul => x.saturating_mul(y),
    }
}

pub fn compare(how: Compare, x: i64, y: i64) -> bool {
    match how {
        Compare::Eq => x == y,
        Compare::Ne => x != y,
        Compare::Lt => x < y,
        Compare::Le => x <= y,
        Compare::Gt => x > y,
        Compare::Ge => x >= y,
    }
}
