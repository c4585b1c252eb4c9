//! `language B extends A assuming A sound` (docs/lang.md, "Mutants and extensions"; Roberson, Harries, Darga, Boyapati, "Efficient Software
//! Model Checking of Soundness of Type Systems", the section on type extensions): whether what A guarantees carries over to B.
//!
//! It does if B only says *more* about types: it takes the same steps, has the same programs, and each of its typing rules is one of A's
//! with further premises; grammars of types may have grown. Then every program that B types is typed by A once what is new in the types is
//! mapped to something old of the same form, and A's progress is B's. Negative premises on types do not survive such a map.

use crate::definition::*;
use crate::print;
use source::Diagnostic;

/// E1 with the first reason why nothing may be assumed.
pub fn inherits(base: &Lang, extension: &Lang) -> Result<(), Diagnostic> {
    programs(base, extension)?;
    let texts_of = |lang: &Lang, rule: &Rule| -> Vec<String> {
        rule.premises.iter().map(|p| print::premise(lang, &rule.metas, &p.premise)).collect()
    };
    let refuse = |rule: &Rule, why: String| {
        Err(Diagnostic::error("E1", rule.span, format!("{} cannot be assumed sound here: {why}", base.name))
            .help(format!("drop 'assuming {} sound' to have everything checked", base.name)))
    };
    for rule in &extension.rules {
        let judgment = extension.judgment(rule.judgment);
        let of_base = base.judgments.iter().any(|j| j.text == judgment.text);
        let Some(twin) = base.rules.iter().find(|r| r.name == rule.name) else {
            if of_base {
                return refuse(rule, format!("{} is a new rule of {}", rule.name, judgment.text));
            }
            continue;
        };
        let (premises, old_premises) = (texts_of(extension, rule), texts_of(base, twin));
        let is_step = judgment.reduction.is_some();
        let same = rule.conclusion.len() == twin.conclusion.len()
            && twin
                .conclusion
                .iter()
                .zip(&rule.conclusion)
                .all(|(old, new)| is_same((base, twin, old), (extension, rule, new)));
        if !same || (is_step && premises != old_premises) {
            return refuse(rule, format!("{} is not the rule of {} with further premises", rule.name, base.name));
        }
        if let Some(missing) = old_premises.iter().find(|p| !premises.contains(p)) {
            return refuse(rule, format!("{} lacks the premise {missing}", rule.name));
        }
        if let Some(negative) = twin.premises.iter().find(|p| is_negative(&p.premise)) {
            let shown = print::premise(base, &twin.metas, &negative.premise);
            if grows(base, extension) {
                return refuse(
                    rule,
                    format!("{shown} may hold of types of {} and not of what they extend", extension.name),
                );
            }
        }
    }
    for rule in &base.rules {
        if base.judgment(rule.judgment).reduction.is_some() && !extension.rules.iter().any(|r| r.name == rule.name) {
            return refuse(rule, format!("the step {} is missing in {}", rule.name, extension.name));
        }
    }
    Ok(())
}

/// The same form, but for names that the base leaves open: `_` may be a metavariable in the extension.
fn is_same((base, old_rule, old): (&Lang, &Rule, &Form), (extension, new_rule, new): (&Lang, &Rule, &Form)) -> bool {
    match (old, new) {
        (Form::Meta(m), Form::Meta(_)) if old_rule.metas[m.index()].name == "_" => true,
        (Form::Node(p, olds), Form::Node(q, news)) => {
            base.prod(*p).text == extension.prod(*q).text
                && olds.iter().zip(news).all(|(o, n)| is_same((base, old_rule, o), (extension, new_rule, n)))
        }
        _ => print::form(base, &old_rule.metas, old) == print::form(extension, &new_rule.metas, new),
    }
}

fn is_negative(premise: &Premise) -> bool {
    match premise {
        Premise::Not(_) => true,
        Premise::Equal { holds, .. } | Premise::Is { holds, .. } | Premise::InDomain { holds, .. } => !holds,
        Premise::Forall { body, .. } => is_negative(body),
        _ => false,
    }
}

fn texts(lang: &Lang, sort: SortId) -> Vec<&str> {
    match &lang.sort(sort).kind {
        SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } => alts.iter().map(|a| a.text.as_str()).collect(),
        _ => lang.prods_of(sort).into_iter().map(|p| lang.prod(p).text.as_str()).collect(),
    }
}

/// Whether the extension has types that the base has not.
fn grows(base: &Lang, extension: &Lang) -> bool {
    extension.sort_ids().any(|id| {
        let sort = extension.sort(id);
        let twin = base.sort_ids().find(|s| base.sort(*s).name == sort.name);
        !sort.is_tree && twin.is_some_and(|t| texts(base, t) != texts(extension, id))
    })
}

/// The same programs, values and contexts; what is new in types has something old of the same form.
fn programs(base: &Lang, extension: &Lang) -> Result<(), Diagnostic> {
    for id in extension.sort_ids() {
        let sort = extension.sort(id);
        let Some(twin) = base.sort_ids().find(|s| base.sort(*s).name == sort.name) else { continue };
        let (old, new) = (texts(base, twin), texts(extension, id));
        if old == new {
            continue;
        }
        let refuse = |why: String| {
            Err(Diagnostic::error("E1", extension.span, format!("{} cannot be assumed sound here: {why}", base.name))
                .help(format!("drop 'assuming {} sound' to have everything checked", base.name)))
        };
        if sort.is_tree || matches!(sort.kind, SortKind::Sub { .. } | SortKind::Context { .. }) {
            return refuse(format!("{} has other alternatives in {}", sort.name, extension.name));
        }
        for prod in extension.prods_of(id) {
            let production = extension.prod(prod);
            if old.contains(&production.text.as_str()) {
                continue;
            }
            let names = |lang: &Lang, p: &Production| -> Vec<String> {
                p.args.iter().map(|a| lang.sort(*a).name.clone()).collect()
            };
            let wanted = names(extension, production);
            if !base.prods_of(twin).into_iter().any(|p| names(base, base.prod(p)) == wanted) {
                return refuse(format!("nothing in {} has the form of '{}'", base.name, production.text));
            }
        }
    }
    Ok(())
}
