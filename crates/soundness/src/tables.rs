//! Judgments over finite sorts only (`S <: T`, `T ok`) as constant tables, bottom-up and semi-naively (docs/lang.md, "Tables"): they cost
//! no clause.
//!
//! Preserved: the least relations closed under the rules, over the members of the domains. A rule instance that mentions something
//! outside is left out; that this changes nothing is what the comparison with deeper domains is for.

use crate::NotCarried;
use crate::finite::Finite;
use crate::ground::{Goal, Join, Table};
use lang::term::Terms;
use lang::*;
use rustc_hash::FxHashMap;

/// Whether every argument is of a finite sort.
pub fn is_table(lang: &Lang, judgment: JudgId) -> bool {
    let j = lang.judgment(judgment);
    j.reduction.is_none() && j.args.iter().all(|s| is_finite(lang, *s))
}

pub fn is_finite(lang: &Lang, sort: SortId) -> bool {
    let base = lang.sort(lang.base(sort));
    match base.kind {
        SortKind::Atom | SortKind::Loc | SortKind::Int => true,
        SortKind::Grammar { .. } => !base.is_tree,
        _ => false,
    }
}

pub fn build(terms: &mut Terms, finite: &Finite) -> Result<FxHashMap<JudgId, Table>, NotCarried> {
    let lang = terms.lang;
    let mut tables: FxHashMap<JudgId, Table> = FxHashMap::default();
    let all: Vec<JudgId> = (0..lang.judgments.len() as u32).map(JudgId).filter(|j| is_table(lang, *j)).collect();
    for group in strata(lang, &all)? {
        for &j in &group {
            tables.insert(j, Table::default());
        }
        let mut seen: FxHashMap<JudgId, usize> = FxHashMap::default();
        let mut first = true;
        loop {
            let sizes: FxHashMap<JudgId, usize> = group.iter().map(|j| (*j, tables[j].rows.len())).collect();
            let mut derived = Vec::new();
            let mut used = Vec::new();
            for (id, rule) in group.iter().flat_map(|j| lang.rules_of(*j)) {
                let before = derived.len();
                let recursive: Vec<usize> = (0..rule.premises.len())
                    .filter(|i| matches!(&rule.premises[*i].premise, Premise::Judgment(j, _) if group.contains(j)))
                    .collect();
                // Each round, one premise must be new; the first round, none has to.
                let chosen: Vec<Option<usize>> =
                    if first { vec![None] } else { recursive.iter().map(|i| Some(*i)).collect() };
                for newer in chosen {
                    derive(terms, finite, &tables, rule, newer, &seen, &mut derived)?;
                }
                if derived.len() > before {
                    used.push((rule.judgment, id));
                }
            }
            for (judgment, id) in used {
                tables.entry(judgment).or_default().used.insert(id);
            }
            let mut grown = false;
            for (judgment, row) in derived {
                grown |= tables.get_mut(&judgment).is_some_and(|t| t.insert(row));
            }
            seen = sizes;
            first = false;
            if !grown {
                break;
            }
        }
    }
    Ok(tables)
}

fn derive(
    terms: &mut Terms,
    finite: &Finite,
    tables: &FxHashMap<JudgId, Table>,
    rule: &Rule,
    newer: Option<usize>,
    seen: &FxHashMap<JudgId, usize>,
    derived: &mut Vec<(JudgId, Vec<lang::term::TermId>)>,
) -> Result<(), NotCarried> {
    let lang = terms.lang;
    let not_carried =
        |span| NotCarried { reason: format!("rule {} is not evaluated over finite sorts", rule.name), span };
    let mut goals = Vec::new();
    for (i, premise) in rule.premises.iter().enumerate() {
        goals.push(match &premise.premise {
            Premise::Judgment(j, forms) if is_table(lang, *j) => match newer {
                Some(n) if n == i => Goal::Newer(*j, forms, seen.get(j).copied().unwrap_or(0)),
                _ => Goal::Table(*j, forms),
            },
            p @ (Premise::Equal { .. } | Premise::Compare(..) | Premise::Is { .. } | Premise::Not(_)) => {
                Goal::Condition(p)
            }
            _ => return Err(not_carried(premise.span)),
        });
    }
    let sorts = &lang.judgment(rule.judgment).args;
    goals.extend(rule.conclusion.iter().zip(sorts).map(|(form, sort)| Goal::Member(form, *sort)));
    let mut rows = Vec::new();
    let mut join = Join { terms, finite, tables, metas: &rule.metas, failed: false, most: usize::MAX };
    let mut assignments = Vec::new();
    join.solve(&goals, &mut vec![None; rule.metas.len()], &mut |_, a| assignments.push(a.clone()));
    for assignment in assignments {
        let row: Option<Vec<_>> = rule.conclusion.iter().map(|f| join.build(f, &assignment)).collect();
        rows.extend(row);
    }
    if join.failed {
        return Err(not_carried(rule.span));
    }
    derived.extend(rows.into_iter().map(|row| (rule.judgment, row)));
    Ok(())
}

/// Groups of judgments that depend on each other, each after those it depends on. Negation only of earlier ones.
fn strata(lang: &Lang, all: &[JudgId]) -> Result<Vec<Vec<JudgId>>, NotCarried> {
    let uses = |j: JudgId| -> Vec<(JudgId, bool, source::Span)> {
        let mut out = Vec::new();
        for (_, rule) in lang.rules_of(j) {
            for premise in &rule.premises {
                match &premise.premise {
                    Premise::Judgment(k, _) => out.push((*k, true, premise.span)),
                    Premise::Not(inner) => {
                        if let Premise::Judgment(k, _) = **inner {
                            out.push((k, false, premise.span));
                        }
                    }
                    _ => {}
                }
            }
        }
        out
    };
    let reaches = |from: JudgId| {
        let mut seen = vec![from];
        let mut next = 0;
        while next < seen.len() {
            for (k, _, _) in uses(seen[next]) {
                if !seen.contains(&k) {
                    seen.push(k);
                }
            }
            next += 1;
        }
        seen
    };
    let reach: FxHashMap<JudgId, Vec<JudgId>> = all.iter().map(|j| (*j, reaches(*j))).collect();
    let mut order: Vec<JudgId> = all.to_vec();
    order.sort_by_key(|j| reach[j].len());
    let mut groups: Vec<Vec<JudgId>> = Vec::new();
    for j in order {
        for (k, positive, span) in uses(j) {
            if !positive && reach.get(&k).is_none_or(|r| r.contains(&j)) {
                return Err(NotCarried { reason: "negation through recursion".into(), span });
            }
        }
        match groups.iter_mut().find(|g| reach[&g[0]].contains(&j) && reach[&j].contains(&g[0])) {
            Some(group) => group.push(j),
            None => groups.push(vec![j]),
        }
    }
    Ok(groups)
}
