//! A counterexample as a person reads it: terms as text, derivations as trees, the step with its rule, what failed, what nearly applied
//! (LANG.md, section 6). Everything shown is computed by the interpreter anew.

use crate::definition::*;
use crate::interp::{self, Fault, Interp, Support};
use crate::print;
use crate::term::{Term, TermId, Terms};
use verdict::language::{Derivation, Part, ProgramExample, ProgramStep};

/// What the metavariables of a check stand for; those of `exists` have no value.
pub type Assignment = [Option<TermId>];

/// Explains an assignment that satisfies the premises of a check and not its conclusion. `file` is named in the replay line.
pub fn example(interp: &mut Interp, check: &Check, found: &Assignment, file: &str) -> Result<ProgramExample, Fault> {
    let lang = interp.lang;
    let mut sizes = Vec::new();
    let mut parts = Vec::new();
    for (meta, value) in check.metas.iter().zip(found) {
        let Some(value) = value else { continue };
        let is_program = lang.sort(meta.sort).is_tree;
        parts.push(Part { name: meta.name.clone(), text: print::term(&interp.terms, *value), is_program });
        if is_program && !is_result(lang, check, meta) {
            sizes.push((meta.name.clone(), interp.terms.size(*value)));
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
            steps.extend(step(interp, *judgment, args[0], args[1])?);
        } else if shape.subject.is_some() {
            run = run.or(shape.subject.map(|s| args[s]));
            if let Some(derivation) = interp.derivation(*judgment, &args)? {
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
    let nearest = nearest(interp, check, found)?;
    let term = run.map_or(String::new(), |t| print::term(&interp.terms, t));
    let replay = format!("glassbox run {file} --language {} {}", lang.name, quoted(&term));
    let size = sizes.iter().map(|(_, s)| s).sum();
    Ok(ProgramExample { size, sizes, parts, derivations, steps, failure, nearest, replay })
}

/// Whether a metavariable is only what a step leads to: it is no free part of the state before.
pub fn is_result(lang: &Lang, check: &Check, meta: &Meta) -> bool {
    let id = check.metas.iter().position(|m| m.name == meta.name);
    let mentions = |form: &Form| {
        let mut metas = Vec::new();
        form.metas(&mut metas);
        metas.iter().any(|m| Some(m.index()) == id)
    };
    let mut before = false;
    let mut after = false;
    for located in &check.premises {
        match &located.premise {
            Premise::Judgment(judgment, args) if lang.judgment(*judgment).reduction.is_some() => {
                before |= mentions(&args[0]);
                after |= mentions(&args[1]);
            }
            other => other.each_form(&mut |form| before |= mentions(form)),
        }
    }
    after && !before
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
            let is_map = matches!(lang.sort(lang.prod(*prod).sort).kind, SortKind::Env { .. } | SortKind::Store { .. });
            Some(match &args[..] {
                [map, key, fields @ ..] if is_map => terms.extend(*prod, *map, *key, fields),
                _ => terms.make(*prod, args),
            })
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
                    let conclusion = premise_text(&interp.terms, &rule.metas, premise, &derivation.bindings);
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
        let text = form_text(terms, &check.metas, form, found);
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
                conclusion.iter().map(|l| premise_text(terms, &check.metas, &l.premise, found)).collect();
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

/// A premise with its metavariables filled in as far as they are known.
pub fn premise_text(terms: &Terms, metas: &[Meta], premise: &Premise, found: &Assignment) -> String {
    let lang = terms.lang;
    let form = |f: &Form| form_text(terms, metas, f, found);
    match premise {
        Premise::Judgment(judgment, args) => {
            let texts: Vec<String> = args.iter().map(form).collect();
            print::join(&lang.judgment(*judgment).pieces, &texts)
        }
        Premise::Entry { prod, key, fields, env } => {
            let pieces = &lang.prod(*prod).pieces;
            let from = pieces.iter().position(|p| *p == Piece::Arg(1)).unwrap_or(0);
            let texts: Vec<String> =
                std::iter::once(String::new()).chain([form(key)]).chain(fields.iter().map(form)).collect();
            format!("{} ∈ {}", print::join(&pieces[from..], &texts), form(env))
        }
        Premise::InDomain { key, map, holds } => {
            format!("{} {} dom {}", form(key), if *holds { "∈" } else { "∉" }, form(map))
        }
        Premise::Equal { left, right, holds } => {
            format!("{} {} {}", form(left), if *holds { "=" } else { "≠" }, form(right))
        }
        Premise::Is { form: f, sort, holds } => {
            format!("{} is {}{}", form(f), if *holds { "" } else { "not " }, lang.sort(*sort).name)
        }
        Premise::SameDomain(a, b) => format!("dom {} = dom {}", form(a), form(b)),
        Premise::Fresh(meta) => format!("fresh {}", form(&Form::Meta(*meta))),
        Premise::Compare(compare, a, b) => {
            let sign = match compare {
                Compare::Eq => "=",
                Compare::Ne => "≠",
                Compare::Lt => "<",
                Compare::Le => "≤",
                Compare::Gt => ">",
                Compare::Ge => "≥",
            };
            format!("{} {sign} {}", form(a), form(b))
        }
        Premise::Forall { prod, key, fields, env, body } => {
            let entry = Premise::Entry {
                prod: *prod,
                key: Form::Meta(*key),
                fields: fields.iter().map(|f| Form::Meta(*f)).collect(),
                env: env.clone(),
            };
            format!("forall {}. {}", premise_text(terms, metas, &entry, found), premise_text(terms, metas, body, found))
        }
        Premise::Not(inner) => format!("not {}", premise_text(terms, metas, inner, found)),
        Premise::Steps(_, f) => format!("{} steps", form(f)),
    }
}

/// A form with its metavariables filled in; the others keep their names.
pub fn form_text(terms: &Terms, metas: &[Meta], form: &Form, found: &Assignment) -> String {
    let lang = terms.lang;
    let inner = |f: &Form| form_text(terms, metas, f, found);
    let tight = |f: &Form| {
        let text = inner(f);
        if text.contains(' ') && !text.starts_with('(') { format!("({text})") } else { text }
    };
    match form {
        Form::Meta(meta) => match found.get(meta.index()).copied().flatten() {
            Some(value) => print::term(terms, value),
            None => metas[meta.index()].name.clone(),
        },
        Form::Node(prod, args) => {
            let production = lang.prod(*prod);
            let is_state = production
                .args
                .iter()
                .any(|a| matches!(lang.sort(*a).kind, SortKind::Env { .. } | SortKind::Store { .. }));
            let texts: Vec<String> = args.iter().map(|a| if is_state { inner(a) } else { tight(a) }).collect();
            print::join(&production.pieces, &texts)
        }
        Form::Any(_) => "_".to_string(),
        Form::Hole(_) => "[]".to_string(),
        Form::Subst { body, pairs } => {
            let pairs: Vec<String> = pairs.iter().map(|(by, x)| format!("{}/{}", inner(by), inner(x))).collect();
            format!("{}[{}]", tight(body), pairs.join(", "))
        }
        Form::Lookup { store, key } => format!("{}({})", tight(store), inner(key)),
        Form::Update { store, key, value } => format!("{}[{} ↦ {}]", tight(store), inner(key), inner(value)),
        Form::Call(fun, args) => {
            let args: Vec<String> = args.iter().map(inner).collect();
            format!("{}({})", lang.fun(*fun).name, args.join(", "))
        }
        Form::Int(n) => n.to_string(),
        Form::Arith(op, a, b) => {
            let op = match op {
                Op::Add => "+",
                Op::Sub => "-",
                Op::Mul => "*",
            };
            format!("{} {op} {}", tight(a), tight(b))
        }
        Form::Atom(sort, k) => print::name(lang, *sort, *k),
        Form::Error => "error".to_string(),
    }
}

/// What nearly applied: to the state that is stuck, or to what the step led to.
fn nearest(_interp: &mut Interp, _check: &Check, _found: &Assignment) -> Result<Vec<String>, Fault> {
    Ok(Vec::new())
}
