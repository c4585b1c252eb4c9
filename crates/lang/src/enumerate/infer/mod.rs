//! Checks of definitions whose binders have no annotation (`infer`): programs are enumerated, their types are found by unification.
//!
//! In: a check and limits. Out: the same as from the other enumerator, with types unbounded: an assignment stands for all instances of
//! the types in it. A conclusion has to hold of the most general ones, taken as constants; where it does not, types of the domain are put
//! in until one instance breaks it. Each counterexample is then found again by the interpreter, whose domain is widened by the types in it.
//!
//! What the rules ask beyond that (inequalities of unknown types, patterns on environments, rules that lead back to the same
//! question) is not carried, and left to the other enumerator.

mod check;
mod programs;
mod solve;
mod unify;

pub(super) use check::run;

use super::{Enumerator, Scope};
use crate::definition::*;
use crate::interp::clause::{Clause, is_type};
use crate::interp::{Bindings, Fault};
use crate::term::TermId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Why there is no answer from here.
pub(super) enum Stuck {
    /// Left to the other enumerator.
    NotCarried,
    Fault(Fault),
}

impl From<Fault> for Stuck {
    fn from(fault: Fault) -> Stuck {
        match fault {
            Fault::Stopped => Stuck::Fault(fault),
            _ => Stuck::NotCarried,
        }
    }
}

/// The state of one search: what is unknown, and what has been found out about it on the way to here.
struct Inference<'e, 'l> {
    en: &'e mut Enumerator<'l>,
    /// Per rule, in the order in which its premises are solved.
    rules: Vec<Rc<Clause>>,
    /// Per judgment and production of its subject, the rules that may apply.
    of_subject: FxHashMap<(JudgId, ProdId), Rc<[RuleId]>>,
    unknowns: Vec<Option<TermId>>,
    /// Unknowns below this one are constants.
    rigid: u32,
    /// What was found out, in order, to be taken back.
    trail: Vec<u32>,
    /// The rules applied on the way to here.
    used: Vec<RuleId>,
    /// The types asked about on the way to here, if they are wanted.
    asked: Option<Vec<TermId>>,
    depth: usize,
    programs: FxHashMap<(SortId, u32, Scope, Scope), Rc<Vec<TermId>>>,
}

impl<'e, 'l> Inference<'e, 'l> {
    fn new(en: &'e mut Enumerator<'l>) -> Inference<'e, 'l> {
        let lang = en.interp.lang;
        let rules = en.interp.code.rules.iter().map(|clause| Rc::new(solve::ordered(lang, clause))).collect();
        Inference {
            en,
            rules,
            of_subject: FxHashMap::default(),
            unknowns: Vec::new(),
            rigid: 0,
            trail: Vec::new(),
            used: Vec::new(),
            asked: None,
            depth: 0,
            programs: FxHashMap::default(),
        }
    }
}

/// Widens the domain of the interpreter by the types of a derivation of this judgment, if there is one and types are to be inferred.
pub(super) fn admit_types(en: &mut Enumerator, judgment: JudgId, args: &[Option<TermId>]) -> Result<(), Fault> {
    let lang = en.interp.lang;
    if !suits(lang) {
        return Ok(());
    }
    let known: Vec<TermId> = args.iter().copied().flatten().collect();
    let mut row = Bindings::new(args.len(), en.interp.fresh_levels(&known));
    for (i, arg) in args.iter().enumerate() {
        arg.iter().for_each(|arg| row.set(MetaId(i as u32), *arg));
    }
    match Inference::new(en).admit_types_of(asking(lang, judgment), row) {
        Err(Stuck::Fault(fault)) => Err(fault),
        Ok(()) | Err(Stuck::NotCarried) => Ok(()),
    }
}

/// The clause that asks whether a judgment holds: its arguments are the metavariables.
fn asking(lang: &Lang, judgment: JudgId) -> Clause {
    let declared = lang.judgment(judgment);
    let meta = |sort: &SortId| Meta { name: "_".into(), sort: *sort, span: declared.span };
    let forms = (0..declared.args.len() as u32).map(|m| Form::Meta(MetaId(m))).collect();
    Clause {
        rule: None,
        metas: declared.args.iter().map(meta).collect(),
        heads: Vec::new(),
        premises: vec![Premise::Judgment(judgment, forms)],
    }
}

/// Whether types are to be inferred, and can be: nothing is bound in them, and no rule asks for a subset of them.
fn suits(lang: &Lang) -> bool {
    let is_plain = |sort: SortId| {
        lang.prods_of(sort).iter().all(|p| {
            let production = lang.prod(*p);
            production.binders.is_empty() && production.args.iter().all(|s| is_type(lang, *s) && lang.base(*s) == *s)
        })
    };
    let types_are_plain = lang.sort_ids().filter(|s| is_type(lang, *s)).all(is_plain);
    let asks_no_subset = |metas: &[Meta]| metas.iter().all(|m| !is_type(lang, m.sort) || lang.base(m.sort) == m.sort);
    // A program must be larger than its parts.
    let is_heavy =
        |p: &Production| p.weight > 0 || !p.args.iter().any(|s| lang.sort(*s).is_tree) || lang.is_map(p.sort);
    lang.prods.iter().any(|p| p.infer)
        && lang.prods.iter().all(is_heavy)
        && types_are_plain
        && lang.rules.iter().all(|r| asks_no_subset(&r.metas))
}
