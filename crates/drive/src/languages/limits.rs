//! What a limit of the engines means to a user: what there was too much of, by which rule, and which bound to lower.
//!
//! In: a limit, and how far a check got. Out: sentences. A limit never is a mistake of the user, and never a verdict.

use lang::interp::Limit;
use lang::term::Terms;
use lang::universe::{DEFAULT_DEPTH, DEFAULT_NAMES, Explosion, Universe};
use lang::{Bound, Check, Lang, MetaId, RuleId, SortId, SortKind, print};
use verdict::Reason;

/// A check of which not all could be looked at: how far it got, what was cut, and what to change. Without a limit, it was the work.
pub fn partly(lang: &Lang, check: &Check, inputs: &[MetaId], below: u32, cut: Option<Limit>) -> Reason {
    // No program is smaller than that.
    let below = if below <= inputs.len() as u32 { 0 } else { below };
    let mut helps: Vec<String> = Vec::new();
    helps.extend(smaller(check, inputs, below).map(|bounds| bound_help(lang, &bounds)));
    let text = match cut {
        None => "there are too many programs".to_string(),
        Some(limit) => {
            helps.extend(knob(lang, Some(check), &limit));
            what(lang, &limit)
        }
    };
    if helps.is_empty() {
        helps.push("lower the bounds of the check".to_string());
    }
    Reason::Partly { below, cut: text, help: helps.join(", or ") }
}

/// What there is too much of.
pub fn what(lang: &Lang, limit: &Limit) -> String {
    let rule = |rule: &Option<RuleId>| rule.map_or("the check".to_string(), |r| lang.rule(r).name.clone());
    match limit {
        Limit::Depth { judgment, rule: by, most } => {
            format!("{} asks for {} more than {most} premises deep", rule(by), lang.judgment(*judgment).text)
        }
        Limit::Answers { judgment, rule: by, most } => {
            format!("{} holds in more than {most} ways of one program, by {}", lang.judgment(*judgment).text, rule(by))
        }
        Limit::Instances { rule: by, most } => format!("{} has more than {most} instances for one program", rule(by)),
        Limit::Height { rule: by, most } => format!("{} makes types that are more than {most} levels tall", rule(by)),
        Limit::Calls { fun, most } => format!("calls of {} go more than {most} deep", lang.fun(*fun).name),
        Limit::Members { sort, most } if lang.is_map(*sort) => {
            format!("there are more than {most} {} to look at", lang.sort(*sort).name)
        }
        Limit::Members { sort, most } => {
            format!("{} has more than {most} members of one size", lang.sort(*sort).name)
        }
        Limit::Universe(Explosion { sort, bound, members }) => {
            let most = members.saturating_sub(1);
            format!("{} has more than {most} members of {}", lang.sort(*sort).name, print::bound(*bound))
        }
    }
}

/// What to change, beside the bound of the programs.
pub fn knob(lang: &Lang, check: Option<&Check>, limit: &Limit) -> Option<String> {
    let fix = |rule: &Option<RuleId>| {
        rule.map(|r| format!("make what each premise of {} asks smaller than its conclusion", lang.rule(r).name))
    };
    match limit {
        Limit::Depth { rule, .. } | Limit::Height { rule, .. } => fix(rule),
        Limit::Answers { .. } | Limit::Instances { .. } => {
            // What is guessed: the sort with most members.
            let universe = Universe::build(&mut Terms::new(lang), check, 0).ok()?;
            let lowered = lang.sort_ids().filter(|s| !lang.sort(lang.base(*s)).is_tree);
            let entry =
                lowered.filter_map(|s| lower(lang, check, s)).max_by_key(|(s, _)| universe.members(*s).len())?;
            Some(bound_help(lang, &[entry]))
        }
        Limit::Calls { fun, .. } => Some(format!("call {} on a smaller argument each time", lang.fun(*fun).name)),
        Limit::Members { sort, .. } if lang.is_map(*sort) => {
            let mut parts: Vec<SortId> = lang.prods_of(*sort).iter().flat_map(|p| lang.prod(*p).args.clone()).collect();
            parts.insert(0, *sort);
            Some(bound_help(lang, &[parts.into_iter().find_map(|part| lower(lang, check, part))?]))
        }
        Limit::Members { .. } => None,
        Limit::Universe(explosion) => Some(bound_help(lang, &[fitting(lang, check, explosion)])),
    }
}

type Entry = (SortId, Bound);

fn bound_help(lang: &Lang, entries: &[Entry]) -> String {
    let texts: Vec<String> =
        entries.iter().map(|(sort, bound)| format!("{}: {}", lang.sort(*sort).name, print::bound(*bound))).collect();
    let text = texts.join("  ");
    format!("bounds {text} (or the option --bounds '{text}')")
}

/// Bounds of programs that are looked at wholly: sizes that add up to less than where it stopped.
fn smaller(check: &Check, inputs: &[MetaId], below: u32) -> Option<Vec<Entry>> {
    let share = below.checked_sub(1)?.checked_div(inputs.len() as u32).filter(|n| *n > 0)?;
    let mut entries: Vec<Entry> = Vec::new();
    for input in inputs {
        let sort = check.metas[input.index()].sort;
        if entries.iter().all(|(s, _)| *s != sort) {
            entries.push((sort, Bound::Size(share)));
        }
    }
    Some(entries)
}

/// The next smaller bound of a sort, if there is one.
fn lower(lang: &Lang, check: Option<&Check>, sort: SortId) -> Option<Entry> {
    let bound = lang.bound(check, sort);
    let is_tree = lang.sort(lang.base(sort)).is_tree;
    let lowered = match lang.sort(sort).kind {
        SortKind::Atom | SortKind::Loc => match bound.unwrap_or(Bound::Count(DEFAULT_NAMES)) {
            Bound::Count(n) if n > 1 => Bound::Count(n - 1),
            _ => return None,
        },
        SortKind::Int => match bound.unwrap_or(Bound::Range(0, 1)) {
            Bound::Range(lo, hi) if lo < hi => Bound::Range(lo, lo + (hi - lo) / 2),
            _ => return None,
        },
        SortKind::Env { .. } => match bound? {
            Bound::Count(n) if n > 1 => Bound::Count(n - 1),
            _ => return None,
        },
        SortKind::Grammar { .. } | SortKind::Sub { .. } => {
            let default = if is_tree { Bound::Size(DEFAULT_VALUE) } else { Bound::Depth(DEFAULT_DEPTH) };
            match bound.unwrap_or(default) {
                Bound::Size(n) if n > 1 => Bound::Size(n - 1),
                Bound::Depth(n) if n > 1 => Bound::Depth(n - 1),
                Bound::Height(n) if n > 1 => Bound::Height(n - 1),
                Bound::Nodes(n) if n > 1 => Bound::Size(n.min(DEFAULT_VALUE)),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some((sort, lowered))
}

/// The largest bound of its kind within which a sort has few enough members.
fn fitting(lang: &Lang, check: Option<&Check>, explosion: &Explosion) -> Entry {
    let with = |n: i64| match explosion.bound {
        Bound::Size(_) => Bound::Size(n as u32),
        Bound::Range(lo, _) => Bound::Range(lo, lo + n - 1),
        _ => Bound::Depth(n as u32),
    };
    let fits = |n: i64| {
        let mut lang = lang.clone();
        let mut check = check.cloned();
        lang.bounds.push((explosion.sort, with(n)));
        check.iter_mut().for_each(|c| c.bounds.push((explosion.sort, with(n))));
        !matches!(Universe::build(&mut Terms::new(&lang), check.as_ref(), 0), Err(e) if e.sort == explosion.sort)
    };
    let most = (1..=MOST_TRIED).take_while(|n| fits(*n)).last().unwrap_or(1);
    (explosion.sort, with(most))
}

/// Bounds that are tried.
const MOST_TRIED: i64 = 100;
/// The size of values in a store, where no bound says otherwise.
const DEFAULT_VALUE: u32 = 3;
