//! B1: what stood under a binder on the left stays under one, or is substituted into; a variable is bound once.

use crate::definition::*;
use source::{Diagnostic, Span};

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
        // What a function gives mentions no variable, if its sort has none: size(t) may stand anywhere.
        Form::Call(fun, _) if !has_variables(lang, lang.fun(*fun).result) => {}
        other => other.each_child(&mut |child| occurrences(lang, child, &mut scope.clone(), out)),
    }
}

/// Two sides, of which the right one is made from what the left one matched.
struct Sides<'a> {
    metas: &'a [Meta],
    /// Metavariables with the variables that they stand under.
    under: Vec<(MetaId, Vec<MetaId>)>,
    after: Vec<(MetaId, Vec<MetaId>)>,
    /// Where variables are bound.
    all: Vec<Form>,
    /// "on the left of beta", "on the right of beta"
    before_text: String,
    after_text: String,
    span: Span,
}

pub fn check(lang: &Lang, rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let is_reduction = lang.judgment(rule.judgment).reduction.is_some();
    let (left, right) = rule.conclusion.split_at(if is_reduction { 1 } else { rule.conclusion.len() });
    bound_twice(lang, (&rule.metas, &rule.name, rule.conclusion_span), left, diagnostics);
    let mut under = Vec::new();
    left.iter().for_each(|f| occurrences(lang, f, &mut Vec::new(), &mut under));
    taken_apart(lang, &rule.premises, &mut under);
    let mut after = Vec::new();
    right.iter().for_each(|f| occurrences(lang, f, &mut Vec::new(), &mut after));
    let sides = Sides {
        metas: &rule.metas,
        under,
        after,
        all: rule.conclusion.clone(),
        before_text: format!("on the left of {}", rule.name),
        after_text: format!("on the right of {}", rule.name),
        span: rule.conclusion_span,
    };
    escapes(lang, &sides, diagnostics);
}

/// The same in an equation of a function.
pub fn check_equation(lang: &Lang, fun: &Fun, equation: &Equation, diagnostics: &mut Vec<Diagnostic>) {
    bound_twice(lang, (&equation.metas, &fun.name, equation.span), &equation.left, diagnostics);
    let (mut under, mut after) = (Vec::new(), Vec::new());
    equation.left.iter().for_each(|f| occurrences(lang, f, &mut Vec::new(), &mut under));
    taken_apart(lang, &equation.conditions, &mut under);
    occurrences(lang, &equation.right, &mut Vec::new(), &mut after);
    let sides = Sides {
        metas: &equation.metas,
        under,
        after,
        all: equation.left.iter().chain([&equation.right]).cloned().collect(),
        before_text: format!("on the left of an equation of {}", fun.name),
        after_text: format!("on the right of an equation of {}", fun.name),
        span: equation.span,
    };
    escapes(lang, &sides, diagnostics);
}

/// And in a check: what its premises have under a binder, its conclusions have under one, or beside an entry of an environment for it.
pub fn check_check(lang: &Lang, check: &Check, diagnostics: &mut Vec<Diagnostic>) {
    let (mut under, mut after, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for located in &check.premises {
        located.premise.each_form(&mut |f| {
            occurrences(lang, f, &mut Vec::new(), &mut under);
            all.push(f.clone());
        });
    }
    for located in check.conclusions.iter().flatten() {
        let mut scope = Vec::new();
        located.premise.each_form(&mut |f| entries(lang, f, &mut scope));
        located.premise.each_form(&mut |f| {
            occurrences(lang, f, &mut scope.clone(), &mut after);
            all.push(f.clone());
        });
    }
    // What also stands under no binder may stay so.
    let free: Vec<(MetaId, Vec<MetaId>)> = under.iter().filter(|(_, s)| s.is_empty()).cloned().collect();
    under.retain(|(m, _)| !free.iter().any(|(f, _)| f == m));
    under.extend(free);
    let sides = Sides {
        metas: &check.metas,
        under,
        after,
        all,
        before_text: format!("in the premises of {}", check.name),
        after_text: "in its conclusion".to_string(),
        span: check.span,
    };
    escapes(lang, &sides, diagnostics);
}

/// The variables that an environment has entries for.
fn entries(lang: &Lang, form: &Form, out: &mut Vec<MetaId>) {
    if let Form::Node(prod, args) = form
        && let SortKind::Env { .. } = lang.sort(lang.prod(*prod).sort).kind
        && let Some(Form::Meta(var)) = args.get(1)
    {
        out.push(*var);
    }
    form.each_child(&mut |child| entries(lang, child, out));
}

/// An equation may take a binder apart as well.
fn taken_apart(lang: &Lang, premises: &[Located], under: &mut Vec<(MetaId, Vec<MetaId>)>) {
    for located in premises {
        if let Premise::Equal { left, right, holds: true } = &located.premise {
            occurrences(lang, left, &mut Vec::new(), under);
            occurrences(lang, right, &mut Vec::new(), under);
        }
    }
}

fn escapes(lang: &Lang, sides: &Sides, diagnostics: &mut Vec<Diagnostic>) {
    let Sides { metas, under, after, .. } = sides;
    let name = |meta: MetaId| metas[meta.index()].name.as_str();
    let mut told = Vec::new();
    for (meta, scope) in after {
        let is_var = lang.sort(metas[meta.index()].sort).kind == SortKind::Var;
        if is_var {
            // Free on the left, or of an environment, it may stay so.
            let is_free = under.iter().any(|(m, s)| m == meta && s.is_empty());
            let is_bound = is_bound_in(lang, &sides.all, *meta);
            if is_bound && !is_free && !scope.contains(meta) && !told.contains(meta) {
                told.push(*meta);
                diagnostics.push(
                    Diagnostic::error("B1", sides.span, format!("{} is free {}", name(*meta), sides.after_text))
                        .help("keep it under its binder, or substitute for it"),
                );
            }
            continue;
        }
        // Every place on the left where it stands has the same binders above, or it would not match.
        let Some((_, needed)) = under.iter().find(|(m, _)| m == meta) else { continue };
        if let Some(missing) = needed.iter().find(|x| !scope.contains(x))
            && can_mention(lang, metas[meta.index()].sort, metas[missing.index()].sort)
            && !told.contains(meta)
        {
            told.push(*meta);
            diagnostics.push(
                Diagnostic::error(
                    "B1",
                    sides.span,
                    format!(
                        "{} is under the binder {} {} but not {}",
                        name(*meta),
                        name(*missing),
                        sides.before_text,
                        sides.after_text.split(" of ").next().unwrap_or_default()
                    ),
                )
                .help(format!("write {}[v/{}], or keep the binder", name(*meta), name(*missing))),
            );
        }
    }
}

/// Whether trees of a sort can mention variables of another at all.
fn can_mention(lang: &Lang, sort: SortId, var: SortId) -> bool {
    reachable(lang, sort).contains(&var)
}

fn has_variables(lang: &Lang, sort: SortId) -> bool {
    reachable(lang, sort).iter().any(|s| lang.sort(*s).kind == SortKind::Var)
}

/// The sorts of the parts of a sort's trees, itself included.
fn reachable(lang: &Lang, sort: SortId) -> Vec<SortId> {
    let mut seen = Vec::new();
    let mut stack = vec![lang.base(sort)];
    while let Some(sort) = stack.pop() {
        if seen.contains(&sort) {
            continue;
        }
        seen.push(sort);
        for prod in lang.prods_of(sort) {
            stack.extend(lang.prod(prod).args.iter().map(|a| lang.base(*a)));
        }
    }
    seen
}

fn bound_twice(
    lang: &Lang,
    (metas, owner, span): (&[Meta], &str, Span),
    left: &[Form],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut told: Vec<MetaId> = Vec::new();
    // The program and its type may well bind the same variable: Λ X. t : ∀ X. T.
    for form in left {
        let mut seen: Vec<MetaId> = Vec::new();
        binders(lang, form, &mut |var| {
            if seen.contains(&var) && !told.contains(&var) {
                told.push(var);
                let name = &metas[var.index()].name;
                diagnostics.push(
                    Diagnostic::error("B1", span, format!("{name} is bound in two places in {owner}"))
                        .help(format!("name them {name}1 and {name}2")),
                );
            }
            seen.push(var);
        });
    }
}
