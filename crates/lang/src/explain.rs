//! A counterexample as a person reads it: terms as text, derivations as trees, the step with its rule, what failed, what nearly applied
//! (docs/lang.md, "Reports"). Everything shown is computed by the interpreter anew.

use crate::definition::*;
use crate::interp::{self, Fault, Interp, Miss, Reason, Support};
use crate::print;
use crate::term::{Term, TermId, Terms};
use verdict::program::{Derivation, Part, ProgramExample, ProgramStep};

/// What the metavariables of a check stand for; those of `exists` have no value.
pub type Assignment = [Option<TermId>];

/// Explains an assignment that satisfies the premises of a check and not its conclusion. `file` is named in the replay line.
pub fn example(interp: &mut Interp, check: &Check, found: &Assignment, file: &str) -> Result<ProgramExample, Fault> {
    let lang = interp.lang;
    let inputs = crate::enumerate::inputs(interp, check)?;
    let mut sizes = Vec::new();
    let mut parts = Vec::new();
    for (meta, value) in check.metas.iter().zip(found) {
        let Some(value) = value.filter(|_| meta.name != "_") else { continue };
        let is_program = lang.sort(meta.sort).is_tree;
        parts.push(Part { name: meta.name.clone(), text: print::term(&interp.terms, value), is_program });
        if inputs.iter().any(|m| check.metas[m.index()].name == meta.name) {
            sizes.push((meta.name.clone(), interp.terms.size(value)));
        }
    }
    let mut derivations = Vec::new();
    let mut steps = Vec::new();
    let mut run = None;
    for located in &check.premises {
        let Premise::Judgment(judgment, forms) = &located.premise else { continue };
        let Some(args) = forms.iter().map(|f| ground(&mut interp.terms, f, found)).collect::<Option<Vec<TermId>>>()
        else {
            continue;
        };
        let shape = lang.judgment(*judgment);
        if shape.reduction.is_some() {
            run.get_or_insert(args[0]);
            steps.extend(unless_limited(step(interp, *judgment, args[0], args[1]))?);
        } else if shape.subject.is_some() {
            run = run.or(shape.subject.map(|s| args[s]));
            if let Some(derivation) = unless_limited(interp.derivation(*judgment, &args))? {
                derivations.push(drawn(interp, &derivation));
            }
        }
    }
    // A state that is stuck is run as the state it is.
    for located in check.conclusions.iter().flatten() {
        if let Premise::Steps(_, form) = &located.premise
            && let Some(state) = ground(&mut interp.terms, form, found)
        {
            run = Some(state);
        }
    }
    let failure = failure(&mut interp.terms, check, found);
    let nearest = unless_limited(nearest(interp, check, found))?;
    let term = run.map_or(String::new(), |t| print::term(&interp.terms, t));
    let replay = format!("glassbox run {file} --language {} {}", lang.name, quoted(&term));
    let size = sizes.iter().map(|(_, s)| s).sum();
    Ok(ProgramExample { size, sizes, parts, derivations, steps, failure, nearest, cause: None, replay })
}

/// What takes too long is not shown: the counterexample is one without it.
fn unless_limited<T: Default>(told: Result<T, Fault>) -> Result<T, Fault> {
    if let Err(Fault::Limit(_)) = told { Ok(T::default()) } else { told }
}

/// For a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A form whose metavariables are all known and that needs no evaluation.
pub fn ground(terms: &mut Terms, form: &Form, found: &Assignment) -> Option<TermId> {
    match form {
        Form::Meta(meta) => found.get(meta.index()).copied().flatten(),
        Form::Node(prod, args) => {
            let lang = terms.lang;
            if !lang.prod(*prod).binders.is_empty() {
                return None;
            }
            let args: Vec<TermId> = args.iter().map(|a| ground(terms, a, found)).collect::<Option<_>>()?;
            Some(terms.assemble(*prod, args))
        }
        Form::Int(n) => Some(terms.intern(Term::Int(*n))),
        Form::Atom(sort, k) => Some(terms.intern(Term::Atom(*sort, *k))),
        Form::Error => Some(terms.intern(Term::Error)),
        _ => None,
    }
}

fn step(interp: &mut Interp, reduction: JudgId, before: TermId, after: TermId) -> Result<Option<ProgramStep>, Fault> {
    let lang = interp.lang;
    let found = interp.steps(reduction, before)?.into_iter().find(|s| s.result == after);
    Ok(found.map(|step| {
        let rule = lang.rule(step.rule);
        let bindings = rule
            .metas
            .iter()
            .zip(&step.bindings)
            .filter(|(meta, _)| meta.name != "_")
            .filter_map(|(meta, value)| value.map(|v| (meta.name.clone(), print::term(&interp.terms, v))))
            .collect();
        ProgramStep {
            before: print::term(&interp.terms, before),
            after: print::term(&interp.terms, after),
            rule: rule.name.clone(),
            span: rule.span,
            bindings,
        }
    }))
}

/// A derivation as text. Lookups in an environment are left out: the environment is in the conclusion.
pub fn drawn(interp: &Interp, derivation: &interp::Derivation) -> Derivation {
    let rule = interp.lang.rule(derivation.rule);
    let mut premises = Vec::new();
    for support in &derivation.premises {
        match support {
            Support::Derivation(inner) => premises.push(drawn(interp, inner)),
            Support::Entries(all) => premises.extend(all.iter().map(|d| drawn(interp, d))),
            Support::Side(k) => {
                let premise = &rule.premises[*k].premise;
                if !matches!(premise, Premise::Entry { .. } | Premise::SameDomain(..)) {
                    let conclusion = print::filled_premise(&interp.terms, &rule.metas, &derivation.bindings, premise);
                    premises.push(Derivation { conclusion, rule: String::new(), premises: Vec::new() });
                }
            }
        }
    }
    let conclusion = print::judgment(&interp.terms, derivation.judgment, &derivation.args);
    Derivation { conclusion, rule: rule.name.clone(), premises }
}

/// What does not hold, in a sentence.
fn failure(terms: &mut Terms, check: &Check, found: &Assignment) -> String {
    let lang = terms.lang;
    let mut is_not = None;
    let mut stuck = None;
    for conclusion in &check.conclusions {
        if let [located] = &conclusion[..] {
            match &located.premise {
                Premise::Is { form, sort, holds: true } => is_not = Some((form, *sort)),
                Premise::Steps(_, form) => stuck = Some(form),
                _ => {}
            }
        }
    }
    if let (Some(form), true) = (stuck, check.conclusions.len() <= 2) {
        let text = print::filled_form(terms, &check.metas, found, form);
        return match is_not {
            Some((_, sort)) => format!("{text} is stuck: it is no {}, and no rule applies", lang.sort(sort).name),
            None => format!("{text} is stuck: no rule applies"),
        };
    }
    let texts: Vec<String> = check
        .conclusions
        .iter()
        .map(|conclusion| {
            let parts: Vec<String> =
                conclusion.iter().map(|l| print::filled_premise(terms, &check.metas, found, &l.premise)).collect();
            parts.join(" and ")
        })
        .collect();
    let names: Vec<String> = check
        .exists
        .iter()
        .map(|(meta, sup)| {
            let sup = sup.map_or(String::new(), |s| format!(" ⊇ {}", check.metas[s.index()].name));
            format!("{}{sup}", check.metas[meta.index()].name)
        })
        .collect();
    let text = texts.join(" or ");
    if names.is_empty() {
        format!("{text} does not hold")
    } else {
        format!("there is no {} such that {text}", names.join(", "))
    }
}

/// What nearly applied: to the state that is stuck, or to what the step led to.
fn nearest(interp: &mut Interp, check: &Check, found: &Assignment) -> Result<Vec<String>, Fault> {
    let mut lines = Vec::new();
    for located in check.conclusions.iter().flatten() {
        let miss = match &located.premise {
            Premise::Steps(reduction, form) => match ground(&mut interp.terms, form, found) {
                Some(state) => interp.nearest_step(*reduction, state)?,
                None => None,
            },
            Premise::Judgment(judgment, forms) if interp.lang.judgment(*judgment).subject.is_some() => {
                match forms.iter().map(|f| ground(&mut interp.terms, f, found)).collect::<Option<Vec<TermId>>>() {
                    Some(args) if !interp.holds(*judgment, &args)? => interp.nearest_judgment(*judgment, &args)?,
                    _ => None,
                }
            }
            _ => None,
        };
        lines.extend(miss.map(|m| miss_text(interp, &m)));
    }
    Ok(lines)
}

/// A nearest miss in a sentence.
pub fn miss_text(interp: &Interp, miss: &Miss) -> String {
    let terms = &interp.terms;
    let lang = interp.lang;
    let shown = |args: &[TermId]| {
        let args: Vec<Option<TermId>> = args.iter().map(|a| (*a != interp::OPEN).then_some(*a)).collect();
        print::open_judgment(terms, miss.judgment, &args)
    };
    let is_step = lang.judgment(miss.judgment).reduction.is_some();
    let asked = if is_step { print::term(terms, miss.args[0]) } else { shown(&miss.args) };
    let Some(rule) = miss.rule.map(|r| lang.rule(r)) else {
        return match &miss.reason {
            Reason::Other(given) => {
                let texts: Vec<String> = given
                    .iter()
                    .take(3)
                    .map(|(r, args)| format!("{} gives {}", lang.rule(*r).name, shown(args)))
                    .collect();
                format!("{}; {asked} was needed", texts.join(", "))
            }
            _ => format!("no rule gives {asked}"),
        };
    };
    let premise = |k: usize, bindings: &[Option<TermId>]| {
        print::filled_premise(terms, &rule.metas, bindings, &rule.premises[k].premise)
    };
    match &miss.reason {
        Reason::Shape { expected, found } => {
            let expected = print::form(lang, &rule.metas, expected);
            let found = print::term(terms, *found);
            format!("{} almost applies to {asked}: {expected} is expected instead of {found}", rule.name)
        }
        Reason::Premise { premise: k, bindings, found } => {
            let mut text = format!("{} almost applies to {asked}: {} does not hold", rule.name, premise(*k, bindings));
            if let Premise::Judgment(judgment, _) = &rule.premises[*k].premise
                && let Some(other) = found.first()
            {
                text.push_str(&format!(" ({} does)", print::judgment(terms, *judgment, other)));
            }
            text
        }
        Reason::Undefined { .. } => format!("{} almost applies to {asked}: what it gives does not exist", rule.name),
        Reason::Other(_) => format!("{} almost applies to {asked}", rule.name),
    }
}
