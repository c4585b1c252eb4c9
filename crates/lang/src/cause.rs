//! What is closer to the cause of a stuck program than the program itself (docs/lang.md, "Reports"): canonical forms and uniqueness of
//! types, unasked.
//!
//! In: a program that breaks a check of the shape of progress. Out: a final part of it that has the type of forms which the nearest rule
//! takes there, and is none of them (`cons 0 nil : Int`, where `plus` takes numbers), with the smallest form that is; and its other
//! types, if there are few. Nothing if no final form of that type would have been taken: then the type of the place is wrong, not the
//! form. Everything is derived by the interpreter; a verdict never depends on it.

use crate::definition::*;
use crate::enumerate::Enumerator;
use crate::explain::{Assignment, ground};
use crate::interp::{Derivation, Fault, Interp, Reason, Support};
use crate::print;
use crate::term::TermId;
use verdict::program::Cause;

/// Sizes up to which a form that the rule takes is looked for: few terms of one type are that small.
const MOST: u32 = 7;
/// More types than that are no accident.
const MOST_TYPES: usize = 3;

pub fn find(enumerator: &mut Enumerator, check: &Check, found: &Assignment) -> Result<Option<Cause>, Fault> {
    let lang = enumerator.interp.lang;
    let conclusions = || check.conclusions.iter().flatten();
    let Some((reduction, state)) = conclusions().find_map(|l| match &l.premise {
        Premise::Steps(reduction, form) => Some((*reduction, form)),
        _ => None,
    }) else {
        return Ok(None);
    };
    let Some(sort) = conclusions().find_map(|l| match &l.premise {
        Premise::Is { sort, holds: true, .. } => Some(*sort),
        _ => None,
    }) else {
        return Ok(None);
    };
    let Some(state) = ground(&mut enumerator.interp.terms, state, found) else { return Ok(None) };
    let Some(miss) = enumerator.interp.nearest_step(reduction, state)? else { return Ok(None) };
    let (Some(rule), Reason::Shape { expected, found: part }) = (miss.rule, miss.reason) else { return Ok(None) };
    // A part of something that is not final itself is not what the rule waits for: `tl` in `tl (tl nil)`.
    if !enumerator.interp.terms.is_member(part, sort) || is_hidden(&mut enumerator.interp, miss.args[0], part, sort, 0)
    {
        return Ok(None);
    }
    for located in &check.premises {
        let Premise::Judgment(judgment, forms) = &located.premise else { continue };
        let Some(subject) = lang.judgment(*judgment).subject.filter(|_| lang.judgment(*judgment).reduction.is_none())
        else {
            continue;
        };
        let terms = &mut enumerator.interp.terms;
        let Some(args) = forms.iter().map(|f| ground(terms, f, found)).collect::<Option<Vec<TermId>>>() else {
            continue;
        };
        if args[subject] == part {
            continue;
        }
        let Some(whole) = enumerator.interp.derivation(*judgment, &args)? else { continue };
        let mut places = Vec::new();
        about(&whole, *judgment, subject, part, &mut places);
        for args in places {
            let mut open: Vec<Option<TermId>> = args.iter().copied().map(Some).collect();
            open[subject] = None;
            let rule = lang.rule(rule);
            let Some(taken) = smallest(enumerator, *judgment, &open, sort, &expected, &rule.metas)? else { continue };
            let interp = &mut enumerator.interp;
            return Ok(Some(Cause {
                value: print::term(&interp.terms, part),
                sort: lang.sort(sort).name.clone(),
                size: interp.terms.size(part),
                judgment: print::judgment(&interp.terms, *judgment, &args),
                rule: rule.name.clone(),
                expected: print::form(lang, &rule.metas, &expected),
                taken: print::term(&interp.terms, taken),
                others: others(interp, *judgment, subject, &args)?,
            }));
        }
    }
    Ok(None)
}

/// Whether a part of a redex stands in a part that is not final. `around` is how many programs that are none are around it: the redex is
/// one.
fn is_hidden(interp: &mut Interp, term: TermId, part: TermId, sort: SortId, around: u32) -> bool {
    if term == part {
        return around > 1;
    }
    let lang = interp.lang;
    let Some((prod, args)) = interp.terms.node(term).map(|(p, args)| (p, args.to_vec())) else { return false };
    let is_open = lang.prod(prod).sort == lang.base(sort) && !interp.terms.is_member(term, sort);
    args.iter().any(|arg| is_hidden(interp, *arg, part, sort, around + u32::from(is_open)))
}

/// What a derivation says of a term.
fn about(derivation: &Derivation, judgment: JudgId, subject: usize, part: TermId, out: &mut Vec<Vec<TermId>>) {
    if derivation.judgment == judgment && derivation.args[subject] == part && !out.contains(&derivation.args) {
        out.push(derivation.args.clone());
    }
    for support in &derivation.premises {
        match support {
            Support::Derivation(inner) => about(inner, judgment, subject, part, out),
            Support::Entries(all) => all.iter().for_each(|d| about(d, judgment, subject, part, out)),
            Support::Side(_) => {}
        }
    }
}

/// The smallest final term of a type that has the form.
fn smallest(
    enumerator: &mut Enumerator,
    judgment: JudgId,
    open: &[Option<TermId>],
    sort: SortId,
    expected: &Form,
    metas: &[Meta],
) -> Result<Option<TermId>, Fault> {
    for size in 1..=MOST {
        for term in enumerator.generate(judgment, open, size)? {
            if enumerator.interp.terms.is_member(term, sort) && takes(&mut enumerator.interp, expected, metas, term) {
                return Ok(Some(term));
            }
        }
    }
    Ok(None)
}

/// Whether a term has the form, repeated metavariables aside.
fn takes(interp: &mut Interp, form: &Form, metas: &[Meta], term: TermId) -> bool {
    let lang = interp.lang;
    match form {
        Form::Meta(m) => interp.terms.is_member(term, metas[m.index()].sort),
        Form::Any(sort) => interp.terms.is_member(term, *sort),
        Form::Node(prod, forms) => {
            let Some((own, args)) = interp.terms.node(term).map(|(p, args)| (p, args.to_vec())) else { return false };
            own == *prod
                && forms
                    .iter()
                    .zip(&args)
                    .enumerate()
                    .all(|(i, (form, arg))| lang.prod(*prod).is_binder(i) || takes(interp, form, metas, *arg))
        }
        _ => false,
    }
}

/// The other types of a term, if they are few.
fn others(interp: &mut Interp, judgment: JudgId, subject: usize, args: &[TermId]) -> Result<Vec<String>, Fault> {
    let lang = interp.lang;
    let sorts = &lang.judgment(judgment).args;
    let asked: Vec<Option<TermId>> = (args.iter().zip(sorts).enumerate())
        .map(|(i, (arg, sort))| (i == subject || lang.is_map(*sort)).then_some(*arg))
        .collect();
    let all = interp.solve(judgment, &asked)?;
    if all.len() > MOST_TYPES {
        return Ok(Vec::new());
    }
    Ok(all.iter().filter(|a| a[..] != args[..]).map(|a| print::judgment(&interp.terms, judgment, a)).collect())
}
