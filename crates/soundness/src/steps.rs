//! The reduction a check speaks of (docs/lang.md, "Classes and guards"): its rules, and where they may be applied. Congruence rules written
//! out are recognised and become contexts; a state that pairs a program with stores is taken apart.

use crate::NotCarried;
use crate::shape::is_tree;
use lang::*;

#[derive(Clone, Debug)]
pub struct Steps {
    pub judgment: JudgId,
    /// The sort that is reduced.
    pub state: SortId,
    /// The state is a production with one tree and stores, not itself a tree in slots.
    pub is_configuration: bool,
    pub contexts: Option<SortId>,
    /// Rules that contract something.
    pub rules: Vec<RuleId>,
    /// Rules that only go below: the metavariable that steps.
    pub congruences: Vec<(RuleId, MetaId)>,
}

impl Steps {
    pub fn find(lang: &Lang, check: &Check) -> Result<Option<Steps>, NotCarried> {
        let mut found: Option<(JudgId, source::Span)> = None;
        for located in check.premises.iter().chain(check.conclusions.iter().flatten()) {
            let judgment = match &located.premise {
                Premise::Judgment(j, _) if lang.judgment(*j).reduction.is_some() => *j,
                Premise::Steps(j, _) => *j,
                _ => continue,
            };
            if found.is_some_and(|(j, _)| j != judgment) {
                return Err(NotCarried::new("two reductions in one check", located.span));
            }
            found = Some((judgment, located.span));
        }
        let Some((judgment, span)) = found else { return Ok(None) };
        let state = lang.judgment(judgment).args[0];
        let prods = lang.prods_of(state);
        let has_store = |p: &ProdId| lang.prod(*p).args.iter().any(|s| lang.is_map(*s));
        let is_configuration = prods.iter().any(has_store);
        if is_configuration {
            for prod in &prods {
                let args = &lang.prod(*prod).args;
                let trees = args.iter().filter(|s| is_tree(lang, **s)).count();
                let stores = args.iter().filter(|s| matches!(lang.sort(**s).kind, SortKind::Store { .. })).count();
                if trees != 1 || trees + stores != args.len() {
                    return Err(NotCarried::new("a state that is not one program with stores", lang.prod(*prod).span));
                }
            }
        }
        let mut steps = Steps {
            judgment,
            state,
            is_configuration,
            contexts: lang.judgment(judgment).reduction.and_then(|r| r.contexts),
            rules: Vec::new(),
            congruences: Vec::new(),
        };
        for (id, rule) in lang.rules_of(judgment) {
            let inner: Vec<&Located> = rule
                .premises
                .iter()
                .filter(|l| matches!(&l.premise, Premise::Judgment(j, _) if lang.judgment(*j).reduction.is_some()))
                .collect();
            let asks = |l: &Located| {
                matches!(&l.premise, Premise::Steps(..) | Premise::Forall { .. })
                    || matches!(&l.premise, Premise::Not(p) if matches!(**p, Premise::Steps(..)))
            };
            if let Some(other) = rule.premises.iter().find(|l| asks(l)) {
                return Err(NotCarried::new(format!("rule {} asks whether something steps", rule.name), other.span));
            }
            match inner[..] {
                [] => steps.rules.push(id),
                [premise] => match congruence(lang, judgment, rule, premise) {
                    Some(meta) => steps.congruences.push((id, meta)),
                    None => {
                        let reason = format!("rule {} has a step as premise and is not a congruence", rule.name);
                        return Err(NotCarried::new(reason, premise.span));
                    }
                },
                _ => {
                    return Err(NotCarried::new(
                        format!("rule {} has several steps as premises", rule.name),
                        rule.span,
                    ));
                }
            }
        }
        if steps.rules.is_empty() {
            return Err(NotCarried::new("a reduction without rules that contract", span));
        }
        if let (true, Some(_), Some((rule, _))) = (steps.is_configuration, steps.contexts, steps.congruences.first()) {
            let rule = lang.rule(*rule);
            let reason = format!("rule {} lets a part step, beside contexts that do", rule.name);
            return Err(NotCarried::new(reason, rule.span));
        }
        Ok(Some(steps))
    }
}

/// The metavariable that steps, if the rule does nothing else than let it.
fn congruence(lang: &Lang, judgment: JudgId, rule: &Rule, premise: &Located) -> Option<MetaId> {
    let Premise::Judgment(j, forms) = &premise.premise else { return None };
    if *j != judgment {
        return None;
    }
    let mut pairs = Vec::new();
    let mut tree = None;
    match (&forms[0], &forms[1]) {
        (Form::Meta(a), Form::Meta(b)) => {
            tree = Some(*a);
            pairs.push((*a, *b));
        }
        (Form::Node(p, from), Form::Node(q, to)) if p == q => {
            // A state of another form, or an error, is no step that the premise speaks of.
            let is_form = |form: &Form| matches!(form, Form::Node(r, _) if r == p);
            let is_other = |form: &Form| matches!(form, Form::Node(r, _) if r != p);
            if !lang.rules_of(judgment).all(|(_, r)| is_other(&r.conclusion[0]) || is_form(&r.conclusion[1])) {
                return None;
            }
            for ((f, t), sort) in from.iter().zip(to).zip(&lang.prod(*p).args) {
                let (Form::Meta(a), Form::Meta(b)) = (f, t) else { return None };
                if is_tree(lang, *sort) {
                    tree = Some(*a);
                }
                pairs.push((*a, *b));
            }
        }
        _ => return None,
    }
    let tree = tree?;
    // It must be one of the subtrees, of the full sort, and the rest must stay.
    let is_full = |m: MetaId| lang.base(rule.metas[m.index()].sort) == rule.metas[m.index()].sort;
    let full = pairs.iter().all(|(before, after)| is_full(*before) && is_full(*after));
    let [left, right] = &rule.conclusion[..] else { return None };
    let mut metas = Vec::new();
    left.metas(&mut metas);
    let once = metas.iter().filter(|m| **m == tree).count() == 1;
    (full && once && renamed(left, &pairs) == *right).then_some(tree)
}

fn renamed(form: &Form, pairs: &[(MetaId, MetaId)]) -> Form {
    match form {
        Form::Meta(m) => Form::Meta(pairs.iter().find(|(a, _)| a == m).map_or(*m, |(_, b)| *b)),
        Form::Node(prod, args) => Form::Node(*prod, args.iter().map(|a| renamed(a, pairs)).collect()),
        other => other.clone(),
    }
}
