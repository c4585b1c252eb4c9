//! B1: what stood under a binder on the left stays under one, or is substituted into; a variable is bound once.

use crate::definition::*;
use source::Diagnostic;

/// Whether a metavariable is the variable of a binder somewhere in these forms.
pub fn is_bound_in(lang: &Lang, forms: &[Form], meta: MetaId) -> bool {
    let mut found = false;
    for form in forms {
        binders(lang, form, &mut |var| found |= var == meta);
    }
    found
}

fn binders(lang: &Lang, form: &Form, f: &mut dyn FnMut(MetaId)) {
    if let Form::Node(prod, args) = form {
        for binder in &lang.prod(*prod).binders {
            if let Form::Meta(var) = args[binder.var] {
                f(var);
            }
        }
    }
    form.each_child(&mut |child| binders(lang, child, f));
}

/// Every metavariable that is no binder, with the variables in whose scope it stands.
fn occurrences(lang: &Lang, form: &Form, scope: &mut Vec<MetaId>, out: &mut Vec<(MetaId, Vec<MetaId>)>) {
    match form {
        Form::Meta(meta) => out.push((*meta, scope.clone())),
        Form::Node(prod, args) => {
            let production = lang.prod(*prod);
            for (k, arg) in args.iter().enumerate() {
                if production.is_binder(k) {
                    continue;
                }
                let depth = scope.len();
                for binder in production.binders_over(k) {
                    if let Form::Meta(var) = args[binder.var] {
                        scope.push(var);
                    }
                }
                occurrences(lang, arg, scope, out);
                scope.truncate(depth);
            }
        }
        Form::Subst { body, pairs } => {
            let depth = scope.len();
            for (by, var) in pairs {
                occurrences(lang, by, scope, out);
                if let Form::Meta(var) = var {
                    scope.push(*var);
                }
            }
            occurrences(lang, body, scope, out);
            scope.truncate(depth);
        }
        other => other.each_child(&mut |child| occurrences(lang, child, &mut scope.clone(), out)),
    }
}

pub fn check(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let is_reduction = lang.judgment(rule.judgment).reduction.is_some();
    let (left, right) = rule.conclusion.split_at(if is_reduction { 1 } else { rule.conclusion.len() });
    bound_twice(lang, rule, left, diagnostics);
    let mut under = Vec::new();
    left.iter().for_each(|f| occurrences(lang, f, &mut Vec::new(), &mut under));
    // An equation may take a binder apart as well.
    for located in &rule.premises {
        if let Premise::Equal { left, right, holds: true } = &located.premise {
            occurrences(lang, left, &mut Vec::new(), &mut under);
            occurrences(lang, right, &mut Vec::new(), &mut under);
        }
    }
    let mut after = Vec::new();
    right.iter().for_each(|f| occurrences(lang, f, &mut Vec::new(), &mut after));
    let name = |meta: MetaId| rule.metas[meta.index()].name.as_str();
    let mut told = Vec::new();
    for (meta, scope) in &after {
        let is_var = lang.sort(rule.metas[meta.index()].sort).kind == SortKind::Var;
        if is_var {
            // Free on the left, or of an environment, it may stay so.
            let is_free = under.iter().any(|(m, s)| m == meta && s.is_empty());
            let is_bound = is_bound_in(lang, &rule.conclusion, *meta);
            if is_bound && !is_free && !scope.contains(meta) && !told.contains(meta) {
                told.push(*meta);
                diagnostics.push(
                    Diagnostic::error(
                        "B1",
                        rule.conclusion_span,
                        format!("{} is free on the right of {}", name(*meta), rule.name),
                    )
                    .help("keep it under its binder, or substitute for it"),
                );
            }
            continue;
        }
        // Every place on the left where it stands has the same binders above, or it would not match.
        let Some((_, needed)) = under.iter().find(|(m, _)| m == meta) else { continue };
        if let Some(missing) = needed.iter().find(|x| !scope.contains(x))
            && can_mention(lang, rule, *meta, *missing)
            && !told.contains(meta)
        {
            told.push(*meta);
            diagnostics.push(
                Diagnostic::error(
                    "B1",
                    rule.conclusion_span,
                    format!(
                        "{} is under the binder {} on the left of {} but not on the right",
                        name(*meta),
                        name(*missing),
                        rule.name
                    ),
                )
                .help(format!("write {}[v/{}], or keep the binder", name(*meta), name(*missing))),
            );
        }
    }
}

/// Whether trees of the metavariable's sort can mention variables of the binder's sort at all.
fn can_mention(lang: &Lang, rule: &Rule, meta: MetaId, var: MetaId) -> bool {
    let target = rule.metas[var.index()].sort;
    let mut seen = Vec::new();
    let mut stack = vec![lang.base(rule.metas[meta.index()].sort)];
    while let Some(sort) = stack.pop() {
        if sort == target {
            return true;
        }
        if seen.contains(&sort) {
            continue;
        }
        seen.push(sort);
        for prod in lang.prods_of(sort) {
            stack.extend(lang.prod(prod).args.iter().map(|a| lang.base(*a)));
        }
    }
    false
}

fn bound_twice(lang: &Lang, rule: &Rule, left: &[Form], diagnostics: &mut Vec<Diagnostic>) {
    let mut told: Vec<MetaId> = Vec::new();
    // The program and its type may well bind the same variable: Λ X. t : ∀ X. T.
    for form in left {
        let mut seen: Vec<MetaId> = Vec::new();
        binders(lang, form, &mut |var| {
            if seen.contains(&var) && !told.contains(&var) {
                told.push(var);
                let name = &rule.metas[var.index()].name;
                diagnostics.push(
                    Diagnostic::error(
                        "B1",
                        rule.conclusion_span,
                        format!("{name} is bound in two places in {}", rule.name),
                    )
                    .help(format!("name them {name}1 and {name}2")),
                );
            }
            seen.push(var);
        });
    }
}
