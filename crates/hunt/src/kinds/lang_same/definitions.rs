//! The same definition with its parts in another order, with congruence rules for contexts, with other bounds, or with an equation more.

use lang::*;
use source::Span;
use work::Chance;

/// Another definition: how it differs, whether counts stay, and itself.
type Other = (&'static str, bool, Lang);

fn shuffle<T>(all: &mut [T], chance: &mut Chance) {
    for i in (1..all.len()).rev() {
        all.swap(i, chance.below(i + 1));
    }
}

/// Rules, their premises, alternatives, and the premises and conclusions of checks in another order.
pub fn other_order(language: &Lang, chance: &mut Chance) -> Other {
    let mut other = language.clone();
    shuffle(&mut other.rules, chance);
    for rule in &mut other.rules {
        shuffle(&mut rule.premises, chance);
    }
    for sort in &mut other.sorts {
        match &mut sort.kind {
            SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } => shuffle(alts, chance),
            SortKind::Grammar { prods } => shuffle(prods, chance),
            _ => {}
        }
    }
    // Programs are counted by the first premise about them.
    let is_counted = chance.one_in(2);
    for check in &mut other.checks {
        if !is_counted {
            shuffle(&mut check.premises, chance);
        }
        shuffle(&mut check.conclusions, chance);
        check.conclusions.iter_mut().for_each(|c| shuffle(c, chance));
    }
    ("another order", is_counted, other)
}

/// For `t --> t' in E`: a rule per alternative of E. None if its contexts are over configurations or over several sorts.
pub fn congruence(language: &Lang) -> Option<Lang> {
    let mut other = language.clone();
    let mut has_changed = false;
    for (j, judgment) in language.judgments.iter().enumerate() {
        let Some(contexts) = judgment.reduction.and_then(|r| r.contexts) else { continue };
        let SortKind::Context { base, alts } = &language.sort(contexts).kind else { continue };
        if language.base(judgment.args[0]) != *base {
            return None;
        }
        let reduction = JudgId(j as u32);
        for (i, alt) in alts.iter().enumerate() {
            if matches!(alt.form, Form::Hole(_)) {
                continue;
            }
            let mut metas = Vec::new();
            let left = with_metas(&alt.form, contexts, *base, &mut metas, language)?;
            let hole = metas.iter().position(|m| m.name == HOLE)?;
            let after = MetaId(metas.len() as u32);
            metas.push(Meta { name: "after".into(), sort: *base, span: Span::default() });
            let right = with_after(&left, MetaId(hole as u32), after);
            let premise = Premise::Judgment(reduction, vec![Form::Meta(MetaId(hole as u32)), Form::Meta(after)]);
            other.rules.push(Rule {
                name: format!("congruence-{i}"),
                span: alt.span,
                judgment: reduction,
                metas,
                premises: vec![Located { premise, span: alt.span }],
                conclusion: vec![left, right],
                conclusion_span: alt.span,
                marks: Marks::default(),
            });
        }
        other.judgments[j].reduction = Some(Reduction { contexts: None });
        has_changed = true;
    }
    has_changed.then_some(other)
}

const HOLE: &str = "before";

/// An alternative as a pattern, with a metavariable for every leaf.
fn with_metas(form: &Form, contexts: SortId, base: SortId, metas: &mut Vec<Meta>, language: &Lang) -> Option<Form> {
    Some(match form {
        Form::Any(sort) => {
            let is_hole = *sort == contexts;
            if !is_hole && matches!(language.sort(*sort).kind, SortKind::Context { .. }) {
                return None;
            }
            let (name, sort) = if is_hole { (HOLE.to_string(), base) } else { (format!("m{}", metas.len()), *sort) };
            metas.push(Meta { name, sort, span: Span::default() });
            Form::Meta(MetaId(metas.len() as u32 - 1))
        }
        Form::Node(prod, forms) => {
            let forms: Option<Vec<Form>> =
                forms.iter().map(|f| with_metas(f, contexts, base, metas, language)).collect();
            Form::Node(*prod, forms?)
        }
        Form::Hole(_) => return None,
        other => other.clone(),
    })
}

fn with_after(form: &Form, before: MetaId, after: MetaId) -> Form {
    match form {
        Form::Meta(m) if *m == before => Form::Meta(after),
        Form::Node(prod, forms) => Form::Node(*prod, forms.iter().map(|f| with_after(f, before, after)).collect()),
        other => other.clone(),
    }
}

/// Where programs are chains of productions of weight 1, `size`, `nodes` and `height` are the same.
pub fn other_bounds(language: &Lang, chance: &mut Chance) -> Option<Lang> {
    let is_program = |s: SortId| {
        let base = language.sort(language.base(s));
        base.is_tree && matches!(base.kind, SortKind::Grammar { .. })
    };
    let is_type =
        |s: SortId| matches!(language.sort(language.base(s)).kind, SortKind::Grammar { .. }) && !is_program(s);
    for production in language.prods.iter().filter(|p| is_program(p.sort)) {
        let programs = production.args.iter().filter(|s| is_program(**s)).count();
        if programs > 1 || production.weight != 1 || production.args.iter().any(|s| is_type(*s)) {
            return None;
        }
    }
    let mut other = language.clone();
    let mut has_changed = false;
    let own = other.checks.iter_mut().flat_map(|c| &mut c.bounds);
    for (sort, bound) in other.bounds.iter_mut().chain(own) {
        // The bound of a subset is one of the values in stores.
        if let (Bound::Size(n) | Bound::Nodes(n) | Bound::Height(n), true) = (*bound, is_program(*sort)) {
            *bound = *chance.pick(&[Bound::Size(n), Bound::Nodes(n), Bound::Height(n)]);
            has_changed = true;
        }
    }
    has_changed.then_some(other)
}

/// Something that a conclusion says of a program, said of a new metavariable that an equation before makes the same.
pub fn equation(language: &Lang, check: usize, chance: &mut Chance) -> Option<Lang> {
    let mut other = language.clone();
    let check = &mut other.checks[check];
    let mut known = Vec::new();
    check.premises.iter().for_each(|p| p.premise.metas(&mut known));
    let mut parts = Vec::new();
    for located in check.conclusions.iter().flatten() {
        if matches!(located.premise, Premise::Judgment(..) | Premise::Is { .. } | Premise::Steps(..)) {
            located.premise.each_form(&mut |f| parts.push(f.clone()));
        }
    }
    parts.retain(|form| {
        let mut metas = Vec::new();
        form.metas(&mut metas);
        sort_of(form, &check.metas, language).is_some() && metas.iter().all(|m| known.contains(m)) && is_plain(form)
    });
    if parts.is_empty() {
        return None;
    }
    let part = chance.pick(&parts).clone();
    let sort = sort_of(&part, &check.metas, language)?;
    let new = MetaId(check.metas.len() as u32);
    check.metas.push(Meta { name: "same".into(), sort, span: check.span });
    let sides = if chance.one_in(2) { (Form::Meta(new), part.clone()) } else { (part.clone(), Form::Meta(new)) };
    let premise = Premise::Equal { left: sides.0, right: sides.1, holds: true };
    check.premises.push(Located { premise, span: check.span });
    for located in check.conclusions.iter_mut().flatten() {
        match &mut located.premise {
            Premise::Judgment(_, forms) => forms.iter_mut().filter(|f| **f == part).for_each(|f| *f = Form::Meta(new)),
            Premise::Is { form, .. } | Premise::Steps(_, form) if *form == part => *form = Form::Meta(new),
            _ => {}
        }
    }
    Some(other)
}

/// The sort of a program.
fn sort_of(form: &Form, metas: &[Meta], language: &Lang) -> Option<SortId> {
    let sort = match form {
        Form::Meta(m) => language.base(metas[m.index()].sort),
        Form::Node(prod, _) => language.prod(*prod).sort,
        _ => return None,
    };
    let is_grammar = matches!(language.sort(sort).kind, SortKind::Grammar { .. });
    (is_grammar && language.sort(sort).is_tree).then_some(sort)
}

/// Always defined, and without binders.
fn is_plain(form: &Form) -> bool {
    match form {
        Form::Meta(_) => true,
        Form::Node(_, forms) => forms.iter().all(is_plain),
        _ => false,
    }
}
