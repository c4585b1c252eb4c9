//! Static checks of a definition that could be read (docs/lang.md, "Messages"): names, binding, modes, negation. Ambiguity (G1, G4),
//! unknown names (N1), sorts (S1, G2, G3) and layout (L1 to L3) are told by `syntax`, what only a run can show (V1) by the checkers.

mod binding;
mod recursion;

use crate::definition::*;
use rustc_hash::FxHashSet;
use source::Diagnostic;

pub fn check(lang: &Lang, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &lang.rules {
        once(lang, rule, diagnostics);
        repeated(lang, rule, diagnostics);
        determined(lang, rule, diagnostics);
        patterns(lang, rule, diagnostics);
        subjects(lang, rule, diagnostics);
        contexts(lang, rule, diagnostics);
        guards(lang, rule, diagnostics);
        binding::check(lang, rule, diagnostics);
    }
    negation(lang, diagnostics);
    layers(lang, diagnostics);
    identical(lang, diagnostics);
    for check in &lang.checks {
        check_of(lang, check, diagnostics);
        binding::check_check(lang, check, diagnostics);
    }
    for fun in &lang.funs {
        for equation in &fun.equations {
            equation_of(lang, fun, equation, diagnostics);
            binding::check_equation(lang, fun, equation, diagnostics);
        }
    }
    recursion::check(lang, diagnostics);
}

fn name(rule: &Rule, meta: MetaId) -> &str {
    &rule.metas[meta.index()].name
}

/// All metavariables of a premise, with repetitions.
fn premise_metas(premise: &Premise) -> Vec<MetaId> {
    let mut out = Vec::new();
    premise.metas(&mut out);
    out
}

/// The forms a rule is matched against: for a reduction its left side, otherwise the whole conclusion.
fn matched<'a>(lang: &Lang, rule: &'a Rule) -> &'a [Form] {
    let inputs = if lang.judgment(rule.judgment).reduction.is_some() { 1 } else { rule.conclusion.len() };
    &rule.conclusion[..inputs.min(rule.conclusion.len())]
}

fn metas_of(forms: &[Form]) -> Vec<MetaId> {
    let mut out = Vec::new();
    forms.iter().for_each(|f| f.metas(&mut out));
    out
}

/// N2: a type that occurs once in a rule with premises constrains nothing.
fn once(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    if rule.premises.is_empty() || lang.judgment(rule.judgment).reduction.is_some() {
        return;
    }
    let mut all = metas_of(&rule.conclusion);
    rule.premises.iter().for_each(|p| all.extend(premise_metas(&p.premise)));
    for (k, meta) in rule.metas.iter().enumerate() {
        let sort = lang.sort(meta.sort);
        let is_type = matches!(sort.kind, SortKind::Grammar { .. } | SortKind::Sub { .. }) && !sort.is_tree;
        if is_type && meta.name != "_" && all.iter().filter(|m| m.index() == k).count() == 1 {
            diagnostics.push(
                Diagnostic::warning("N2", meta.span, format!("{} occurs once in {}", meta.name, rule.name))
                    .help("write _ if that is meant"),
            );
        }
    }
}

/// N3: the same metavariable twice on a left side means equality.
fn repeated(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    if lang.judgment(rule.judgment).reduction.is_none() {
        return;
    }
    let left = metas_of(matched(lang, rule));
    for (k, meta) in rule.metas.iter().enumerate() {
        let sort = lang.sort(meta.sort);
        if sort.is_tree && left.iter().filter(|m| m.index() == k).count() > 1 {
            let stem = meta.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '\'');
            diagnostics.push(
                Diagnostic::warning(
                    "N3",
                    meta.span,
                    format!(
                        "{} occurs twice in the left side of {}: the rule only fires on equal values",
                        meta.name, rule.name
                    ),
                )
                .help(format!("use {stem}1, {stem}2 if they may differ")),
            );
        }
    }
}

/// X1: what a step yields is determined by what it takes.
fn determined(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    // With more or fewer parts the shape is wrong, which was told.
    if lang.judgment(rule.judgment).reduction.is_none() || rule.conclusion.len() != 2 {
        return;
    }
    let known = known(lang, metas_of(matched(lang, rule)), rule.premises.iter().map(|p| &p.premise));
    let right = &rule.conclusion[1..];
    let mut told = FxHashSet::default();
    let mut bare = false;
    for meta in metas_of(right) {
        if name(rule, meta) == "_" && !binding::is_bound_in(lang, &rule.conclusion, meta) {
            bare = true;
        } else if !known.contains(&meta) && told.insert(meta) && !binding::is_bound_in(lang, &rule.conclusion, meta) {
            diagnostics.push(
                Diagnostic::error(
                    "X1",
                    rule.metas[meta.index()].span,
                    format!("{} on the right of {} is not determined", name(rule, meta), rule.name),
                )
                .help("it must occur on the left, or be determined by a premise: where …, A = B, σ(x)"),
            );
        }
    }
    if bare {
        diagnostics.push(
            Diagnostic::error("X1", rule.conclusion_span, format!("_ on the right of {} is not determined", rule.name))
                .help("say what it is"),
        );
    }
}

/// What is known once the premises hold: a premise that only tests determines nothing.
fn known<'a>(
    lang: &Lang,
    start: Vec<MetaId>,
    premises: impl Iterator<Item = &'a Premise> + Clone,
) -> FxHashSet<MetaId> {
    let mut known: FxHashSet<MetaId> = start.into_iter().collect();
    loop {
        let before = known.len();
        for premise in premises.clone() {
            match premise {
                Premise::Judgment(judgment, args) => {
                    let judgment = lang.judgment(*judgment);
                    let input = if judgment.reduction.is_some() { Some(0) } else { judgment.subject };
                    let is_known = |k: usize| {
                        args.get(k).is_none_or(|a| metas_of(std::slice::from_ref(a)).iter().all(|m| known.contains(m)))
                    };
                    if input.is_none_or(is_known) {
                        known.extend(metas_of(args));
                    }
                }
                Premise::Entry { key, fields, .. } => {
                    known.extend(metas_of(std::slice::from_ref(key)));
                    known.extend(metas_of(fields));
                }
                Premise::InDomain { key, holds: true, .. } => known.extend(metas_of(std::slice::from_ref(key))),
                Premise::Fresh(meta) => {
                    known.insert(*meta);
                }
                Premise::Equal { left, right, holds: true } => {
                    let sides = [left, right].map(|f| metas_of(std::slice::from_ref(f)));
                    if sides.iter().any(|side| side.iter().all(|m| known.contains(m))) {
                        known.extend(sides.into_iter().flatten());
                    }
                }
                _ => {}
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// Whether a form has a part like this.
fn any(form: &Form, is: &dyn Fn(&Form) -> bool) -> bool {
    let mut found = is(form);
    form.each_child(&mut |child| found |= any(child, is));
    found
}

/// What is computed cannot be matched against.
fn is_computed(form: &Form) -> bool {
    matches!(form, Form::Subst { .. } | Form::Lookup { .. } | Form::Update { .. } | Form::Call(..) | Form::Arith(..))
}

/// X1: the left side of a step, and the subject of a judgment, are patterns. B1: only variables are substituted for.
fn patterns(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let judgment = lang.judgment(rule.judgment);
    let (input, what) = match judgment.reduction {
        Some(_) => (Some(0), "the left side"),
        None => (judgment.subject, "the subject"),
    };
    if let Some(form) = input.and_then(|k| rule.conclusion.get(k))
        && any(form, &is_computed)
    {
        diagnostics.push(
            Diagnostic::error(
                "X1",
                rule.conclusion_span,
                format!("{what} of {} is to be computed, but it is what the rule is matched against", rule.name),
            )
            .help("put a metavariable there, and say in a premise what it is: A = B, where n = n1 + n2"),
        );
    }
    let mut told = FxHashSet::default();
    let mut look = |form: &Form, span: source::Span| {
        each_substituted(form, &mut |meta| {
            let variable = &rule.metas[meta.index()];
            let kind = &lang.sort(variable.sort).kind;
            if *kind != SortKind::Var && told.insert(meta) {
                let name = &variable.name;
                let hint = match kind {
                    SortKind::Atom => {
                        "declare it with 'var' if terms bind it, or write a 'fun' that puts something for an atom"
                    }
                    _ => "only what is declared with 'var' is substituted for",
                };
                diagnostics.push(
                    Diagnostic::error(
                        "B1",
                        span,
                        format!("{name} in {} is not a variable: nothing can be put for it", rule.name),
                    )
                    .help(hint),
                );
            }
        });
    };
    rule.conclusion.iter().for_each(|f| look(f, rule.conclusion_span));
    for located in &rule.premises {
        located.premise.each_form(&mut |f| look(f, located.span));
    }
}

/// The metavariables that something is put for, `x` in `t[v/x]`.
fn each_substituted(form: &Form, f: &mut dyn FnMut(MetaId)) {
    if let Form::Subst { pairs, .. } = form {
        for (_, var) in pairs {
            if let Form::Meta(meta) = var {
                f(*meta);
            }
        }
    }
    form.each_child(&mut |child| each_substituted(child, f));
}

/// X1 for the equations of functions: patterns on the left, nothing new on the right.
fn equation_of(lang: &Lang, fun: &Fun, equation: &Equation, diagnostics: &mut Vec<Diagnostic>) {
    if equation.left.iter().any(|form| any(form, &is_computed)) {
        diagnostics.push(
            Diagnostic::error(
                "X1",
                equation.span,
                format!("the left side of an equation of {} is to be computed, but it is matched against", fun.name),
            )
            .help("put a metavariable there, and compare it after 'if'"),
        );
    }
    let known = known(lang, metas_of(&equation.left), equation.conditions.iter().map(|c| &c.premise));
    let mut told = FxHashSet::default();
    for meta in metas_of(std::slice::from_ref(&equation.right)) {
        if !known.contains(&meta)
            && equation.metas[meta.index()].name != "_"
            && told.insert(meta)
            && !binding::is_bound_in(lang, std::slice::from_ref(&equation.right), meta)
        {
            let meta = &equation.metas[meta.index()];
            diagnostics.push(
                Diagnostic::error(
                    "X1",
                    meta.span,
                    format!("{} on the right of an equation of {} is not determined", meta.name, fun.name),
                )
                .help("it must occur on the left, or be determined after 'if'"),
            );
        }
    }
    let is_bare = |f: &Form| matches!(f, Form::Meta(m) if equation.metas[m.index()].name == "_");
    if any(&equation.right, &is_bare) {
        let message = format!("_ on the right of an equation of {} is not determined", fun.name);
        diagnostics.push(Diagnostic::error("X1", equation.span, message).help("say what it is"));
    }
}

/// M1: a premise speaks of a program that the conclusion does not have.
fn subjects(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let mut known: FxHashSet<MetaId> = metas_of(matched(lang, rule)).into_iter().collect();
    // What other premises yield: sides of equations, results of steps, fields of entries, and outputs of judgments.
    for located in &rule.premises {
        match &located.premise {
            Premise::Judgment(judgment, args) => {
                let judgment = lang.judgment(*judgment);
                let inputs = if judgment.reduction.is_some() { Some(0) } else { judgment.subject };
                for (k, arg) in args.iter().enumerate() {
                    if inputs.is_some_and(|i| i != k) {
                        known.extend(metas_of(std::slice::from_ref(arg)));
                    }
                }
            }
            Premise::Equal { left, right, holds: true } => known.extend(metas_of(&[left.clone(), right.clone()])),
            Premise::Entry { fields, .. } => known.extend(metas_of(fields)),
            Premise::Forall { key, fields, .. } => known.extend(fields.iter().chain([key])),
            _ => {}
        }
    }
    for (number, located) in rule.premises.iter().enumerate() {
        let mut inner = &located.premise;
        while let Premise::Forall { body, .. } | Premise::Not(body) = inner {
            inner = body;
        }
        let Premise::Judgment(judgment, args) = inner else { continue };
        let judgment = lang.judgment(*judgment);
        let subject = if judgment.reduction.is_some() { Some(0) } else { judgment.subject };
        let Some(subject) = subject else { continue };
        for meta in metas_of(&args[subject..=subject]) {
            let sort = lang.sort(rule.metas[meta.index()].sort);
            if sort.is_tree && !known.contains(&meta) {
                diagnostics.push(
                    Diagnostic::error(
                        "M1",
                        located.span,
                        format!(
                            "{} in premise {} of {} is not a part of the subject",
                            name(rule, meta),
                            number + 1,
                            rule.name
                        ),
                    )
                    .help(
                        "a premise speaks of parts of the conclusion's program, or of what another premise determines",
                    ),
                );
            }
        }
    }
}

/// C1: a rule that looks into its environment.
fn contexts(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let judgment = lang.judgment(rule.judgment);
    if judgment.subject.is_none() || judgment.reduction.is_some() {
        return;
    }
    for form in &rule.conclusion {
        let Form::Node(prod, _) = form else { continue };
        if matches!(lang.sort(lang.prod(*prod).sort).kind, SortKind::Env { .. }) {
            let env = &lang.sort(lang.prod(*prod).sort).name;
            diagnostics.push(Diagnostic::note(
                "C1",
                rule.conclusion_span,
                format!("{} looks into {env}: programs are enumerated, and bounds are smaller", rule.name),
            ));
        }
    }
}

/// X2: a step that depends on a judgment about programs.
fn guards(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    if lang.judgment(rule.judgment).reduction.is_none() {
        return;
    }
    for located in &rule.premises {
        if let Premise::Judgment(judgment, _) = &located.premise {
            let other = lang.judgment(*judgment);
            if other.reduction.is_none() && other.subject.is_some() {
                diagnostics.push(Diagnostic::note(
                    "X2",
                    located.span,
                    format!("the step {} depends on {}: it is part of when the rule applies", rule.name, other.text),
                ));
            }
        }
    }
}

/// A judgment under negation, in a premise of a rule.
type Negated = (usize, usize, usize);

/// The judgments that rules of each judgment refer to: (all, under negation).
fn references(lang: &Lang) -> (Vec<FxHashSet<usize>>, Vec<Vec<Negated>>) {
    fn visit(premise: &Premise, negated: bool, out: &mut Vec<(usize, bool)>) {
        match premise {
            Premise::Judgment(j, _) | Premise::Steps(j, _) => out.push((j.index(), negated)),
            Premise::Not(inner) => visit(inner, true, out),
            Premise::Forall { body, .. } => visit(body, negated, out),
            _ => {}
        }
    }
    let mut all = vec![FxHashSet::default(); lang.judgments.len()];
    let mut negative = vec![Vec::new(); lang.judgments.len()];
    for (r, rule) in lang.rules.iter().enumerate() {
        for (p, located) in rule.premises.iter().enumerate() {
            let mut found = Vec::new();
            visit(&located.premise, false, &mut found);
            for (judgment, negated) in found {
                all[rule.judgment.index()].insert(judgment);
                if negated {
                    negative[rule.judgment.index()].push((judgment, r, p));
                }
            }
        }
    }
    // Transitively.
    loop {
        let mut changed = false;
        for k in 0..all.len() {
            let more: Vec<usize> = all[k].iter().flat_map(|j| all[*j].iter().copied()).collect();
            for j in more {
                changed |= all[k].insert(j);
            }
        }
        if !changed {
            break;
        }
    }
    (all, negative)
}

/// M3: negation through recursion has no least meaning.
fn negation(lang: &Lang, diagnostics: &mut Vec<Diagnostic>) {
    let (all, negative) = references(lang);
    for (k, refs) in negative.iter().enumerate() {
        for (judgment, rule, premise) in refs {
            if *judgment == k || all[*judgment].contains(&k) {
                let rule = &lang.rules[*rule];
                diagnostics.push(
                    Diagnostic::error(
                        "M3",
                        rule.premises[*premise].span,
                        format!("{} is negated in its own definition", lang.judgments[*judgment].text),
                    )
                    .help("a negated judgment must be defined without the one that negates it"),
                );
            }
        }
    }
}

/// M2: rules on the same subject with several premises about programs.
fn layers(lang: &Lang, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &lang.rules {
        let judgment = lang.judgment(rule.judgment);
        let (Some(subject), None) = (judgment.subject, judgment.reduction) else { continue };
        let own = &rule.conclusion[subject];
        let on_trees: Vec<bool> = rule
            .premises
            .iter()
            .filter_map(|p| match &p.premise {
                Premise::Judgment(j, args) => lang.judgment(*j).subject.map(|s| args[s] == *own),
                _ => None,
            })
            .collect();
        if matches!(own, Form::Meta(_)) && on_trees.iter().any(|same| *same) && on_trees.len() > 1 {
            diagnostics.push(Diagnostic::note(
                "M2",
                rule.conclusion_span,
                format!(
                    "{} is about the same program as its premises: it is applied in layers until nothing new follows",
                    rule.name
                ),
            ));
        }
    }
}

/// R1: a rule or an alternative that says the same as another.
fn identical(lang: &Lang, diagnostics: &mut Vec<Diagnostic>) {
    for (k, rule) in lang.rules.iter().enumerate() {
        let same = lang.rules[..k].iter().find(|other| {
            other.judgment == rule.judgment
                && other.conclusion == rule.conclusion
                && other.premises.len() == rule.premises.len()
                && other.premises.iter().zip(&rule.premises).all(|(a, b)| a.premise == b.premise)
                && other.metas.iter().map(|m| m.sort).eq(rule.metas.iter().map(|m| m.sort))
        });
        if let Some(other) = same {
            diagnostics.push(
                Diagnostic::warning("R1", rule.span, format!("{} says the same as {}", rule.name, other.name))
                    .related(other.span, "the same rule")
                    .help("remove one of them"),
            );
        }
    }
    for sort in &lang.sorts {
        if let SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } = &sort.kind {
            for (k, alt) in alts.iter().enumerate() {
                if alts[..k].iter().any(|other| other.form == alt.form) {
                    diagnostics.push(
                        Diagnostic::warning(
                            "R1",
                            alt.span,
                            format!("this alternative of {} has no effect: it was given before", sort.name),
                        )
                        .help("remove it"),
                    );
                }
            }
        }
        if let SortKind::Grammar { prods } = &sort.kind {
            for (k, prod) in prods.iter().enumerate() {
                let this = lang.prod(*prod);
                let same = |p: &&ProdId| lang.prod(**p).pieces == this.pieces && lang.prod(**p).args == this.args;
                if prods[..k].iter().any(|p| same(&p)) {
                    diagnostics.push(
                        Diagnostic::error(
                            "R1",
                            this.span,
                            format!("this alternative of {} was given before", sort.name),
                        )
                        .help("remove it"),
                    );
                }
            }
        }
    }
}

fn check_of(lang: &Lang, check: &Check, diagnostics: &mut Vec<Diagnostic>) {
    for (meta, _) in &check.exists {
        let meta = &check.metas[meta.index()];
        let sort = lang.sort(meta.sort);
        if sort.is_tree {
            diagnostics.push(
                Diagnostic::error(
                    "M3",
                    meta.span,
                    format!("{} quantifies over programs: only types, names and environments may be sought", meta.name),
                )
                .help("say what the program is, with a step or an equation"),
            );
        }
    }
    let mut known: FxHashSet<MetaId> = FxHashSet::default();
    check.premises.iter().for_each(|p| known.extend(premise_metas(&p.premise)));
    known.extend(check.exists.iter().map(|(m, _)| *m));
    let mut told = FxHashSet::default();
    for located in check.conclusions.iter().flatten() {
        for meta in premise_metas(&located.premise) {
            if !known.contains(&meta) && told.insert(meta) {
                let meta = &check.metas[meta.index()];
                diagnostics.push(
                    Diagnostic::error(
                        "X1",
                        meta.span,
                        format!("{} in the conclusion of {} is not determined", meta.name, check.name),
                    )
                    .help(format!("use it in a premise, or write 'exists {}.' before the conclusion", meta.name)),
                );
            }
        }
    }
    if check.premises.is_empty() {
        diagnostics.push(
            Diagnostic::error(
                "V1",
                check.span,
                format!("the check {} has no premise: it speaks of nothing", check.name),
            )
            .help("for instance: · ⊢ t : T => …"),
        );
    }
}
