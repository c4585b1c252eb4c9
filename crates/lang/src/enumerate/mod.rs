//! The typed enumerator: well-typed programs in order of size, and checks decided by trying all of them. Exact for every definition
//! that the interpreter can run; the oracle for the encoding.
//!
//! In: a definition and a check. Out: the smallest assignment that breaks it, or that none does up to a size. Programs are built along the
//! rules, so that no ill-typed tree is ever looked at for long; whether one is well typed is always the interpreter's word.

mod check;
mod coverage;
mod draw;
mod family;
mod infer;
mod maps;
mod order;
mod outcome;
mod raw;
mod within;

pub use check::{inputs, run_check, run_check_over};
pub use outcome::{Coverage, Failure, Limits, Outcome, Report, Witness};

use crate::definition::*;
use crate::interp::{Args, Fault, Interp};
use crate::term::TermId;
use family::Family;
use order::Order;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// Per `var` sort, how many variables are in scope: those of the levels below.
pub type Scope = SmallVec<[u32; 2]>;

type FamilyKey = (JudgId, Args, Scope, u32);

pub struct Enumerator<'l> {
    pub interp: Interp<'l>,
    check: Option<&'l Check>,
    raw: FxHashMap<(SortId, u32, Scope), Rc<Vec<TermId>>>,
    raw_under_way: FxHashSet<(SortId, u32, Scope)>,
    families: FxHashMap<FamilyKey, Rc<Family>>,
    families_under_way: FxHashSet<FamilyKey>,
    orders: FxHashMap<(RuleId, u32), Rc<Option<Order>>>,
    maps: FxHashMap<(SortId, bool, bool), Rc<Vec<TermId>>>,
    /// The smallest member of each sort.
    least: Vec<u32>,
    /// The subjects of the first premise of the check, of the size at hand.
    first_subjects: FxHashSet<TermId>,
    /// Maps are not taken up to a renaming.
    all_names: bool,
    /// Of the complete tree whose places bounds count.
    branching: u64,
    /// What has more levels is not part of an input.
    most_levels: Option<u32>,
    /// So far, and at most.
    draws: u64,
    most_draws: u64,
}

impl<'l> Enumerator<'l> {
    pub fn new(interp: Interp<'l>, check: Option<&'l Check>) -> Enumerator<'l> {
        let least = least_sizes(interp.lang);
        let lang = interp.lang;
        let branching = check.map_or(1, |check| within::branching(lang, check));
        Enumerator {
            interp,
            check,
            raw: FxHashMap::default(),
            raw_under_way: FxHashSet::default(),
            families: FxHashMap::default(),
            families_under_way: FxHashSet::default(),
            orders: FxHashMap::default(),
            maps: FxHashMap::default(),
            least,
            first_subjects: FxHashSet::default(),
            all_names: false,
            branching,
            most_levels: check.and_then(|check| within::most_levels(lang, check, branching)),
            draws: 0,
            most_draws: u64::MAX,
        }
    }

    /// One more.
    fn count_draw(&mut self) -> Result<(), Fault> {
        self.draws += 1;
        if self.draws > self.most_draws { Err(Fault::Stopped) } else { Ok(()) }
    }

    /// Where types are inferred: makes the interpreter see those of a derivation of this judgment, which the bounds may leave out.
    pub fn admit_types(&mut self, judgment: JudgId, args: &[Option<TermId>]) -> Result<(), Fault> {
        infer::admit_types(self, judgment, args)
    }

    /// All subjects of exactly this size for which the judgment holds with the known arguments; the subject itself is not given.
    pub fn generate(&mut self, judgment: JudgId, args: &[Option<TermId>], size: u32) -> Result<Vec<TermId>, Fault> {
        let args: Args = args.iter().map(|arg| arg.unwrap_or(crate::interp::OPEN)).collect();
        let scope = self.interp.fresh_levels(&args);
        Ok(self.family(judgment, args, scope, size)?.subjects.clone())
    }
}

/// The argument of a judgment that is generated: its tree, or the map it judges.
pub(crate) fn subject_of(lang: &Lang, judgment: JudgId) -> Option<usize> {
    use crate::interp::clause::is_interned;
    let declared = lang.judgment(judgment);
    if declared.reduction.is_some() {
        return None;
    }
    declared
        .subject
        .filter(|arg| !lang.is_map(declared.args[*arg]))
        .or_else(|| declared.args.iter().position(|sort| !is_interned(lang, *sort) && !lang.is_map(*sort)))
}

/// The size of a smallest member of each sort, by the grammar alone.
fn least_sizes(lang: &Lang) -> Vec<u32> {
    const NONE: u32 = 1 << 20;
    let mut least: Vec<u32> =
        lang.sorts.iter().map(|sort| if matches!(sort.kind, SortKind::Grammar { .. }) { NONE } else { 0 }).collect();
    loop {
        let mut changed = false;
        for production in &lang.prods {
            let at = production.sort.index();
            if !matches!(lang.sorts[at].kind, SortKind::Grammar { .. }) {
                continue;
            }
            let args = production.args.iter().map(|sort| least[lang.base(*sort).index()]);
            let size = args.fold(production.weight, |sum, arg| sum.saturating_add(arg).min(NONE));
            if size < least[at] {
                least[at] = size;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    (0..lang.sorts.len()).map(|s| least[lang.base(SortId(s as u32)).index()]).collect()
}
