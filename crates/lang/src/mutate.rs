//! Mutants of a definition, made mechanically (docs/lang.md, "Mutants and extensions"): a premise dropped, two metavariables swapped, a
//! constant of a type replaced, an alternative of values or contexts dropped, a right side replaced by a metavariable of its sort, a rule
//! dropped. A mutant that could not have been written (a static error) is no mutant.

use crate::definition::*;
use crate::statics;
use source::{Severity, Span};
use work::Stop;

#[derive(Clone, Debug)]
pub struct Mutant {
    /// "T-App: premise 2 dropped"
    pub what: String,
    pub span: Span,
    pub lang: Lang,
}

/// Every mutant by one change, in the order of the definition.
pub fn mutants(lang: &Lang) -> Vec<Mutant> {
    mutants_until(lang, &Stop::default())
}

/// The same, as far as there is time: each of them is a definition of its own.
pub fn mutants_until(lang: &Lang, stop: &Stop) -> Vec<Mutant> {
    let mut maker = Maker { lang, mutants: Vec::new(), stop };
    for id in lang.rule_ids() {
        maker.rule(id);
    }
    for id in lang.sort_ids() {
        maker.sort(id);
    }
    maker.mutants
}

struct Maker<'a> {
    lang: &'a Lang,
    mutants: Vec<Mutant>,
    stop: &'a Stop,
}

impl Maker<'_> {
    fn add(&mut self, what: String, span: Span, change: impl FnOnce(&mut Lang)) {
        if self.stop.is_due() {
            return;
        }
        let mut lang = self.lang.clone();
        change(&mut lang);
        lang.name = format!("{} [{what}]", lang.name);
        lang.expects.clear();
        let mut diagnostics = Vec::new();
        statics::check(&lang, &mut diagnostics);
        if !diagnostics.iter().any(|d| d.severity == Severity::Error) {
            self.mutants.push(Mutant { what, span, lang });
        }
    }

    /// As `add`, with one rule changed; a change that changes nothing is dropped.
    fn change_rule(&mut self, id: RuleId, what: String, span: Span, change: impl FnOnce(&mut Rule)) {
        let mut rule = self.lang.rule(id).clone();
        change(&mut rule);
        let old = self.lang.rule(id);
        if rule.conclusion == old.conclusion && rule.premises == old.premises {
            return;
        }
        self.add(format!("{}: {what}", old.name), span, |lang| lang.rules[id.index()] = rule);
    }

    fn rule(&mut self, id: RuleId) {
        let rule = self.lang.rule(id);
        self.add(format!("{}: dropped", rule.name), rule.span, |lang| {
            lang.rules.remove(id.index());
        });
        for (k, located) in rule.premises.iter().enumerate() {
            self.change_rule(id, format!("premise {} dropped", k + 1), located.span, |r| {
                r.premises.remove(k);
            });
        }
        // Places: the conclusion, then each premise.
        for place in 0..=rule.premises.len() {
            let span = place.checked_sub(1).map_or(rule.conclusion_span, |k| rule.premises[k].span);
            self.swaps(id, place, span);
            self.constants(id, place, span);
        }
        if self.lang.judgment(rule.judgment).reduction.is_some() {
            self.right_sides(id);
        }
    }

    fn forms_at(rule: &mut Rule, place: usize, f: &mut dyn FnMut(&mut Form)) {
        match place.checked_sub(1) {
            None => rule.conclusion.iter_mut().for_each(f),
            Some(k) => each_form_mut(&mut rule.premises[k].premise, f),
        }
    }

    fn swaps(&mut self, id: RuleId, place: usize, span: Span) {
        let rule = self.lang.rule(id);
        let mut found = Vec::new();
        Self::forms_at(&mut rule.clone(), place, &mut |form| form.metas(&mut found));
        found.sort();
        found.dedup();
        for (i, &a) in found.iter().enumerate() {
            for &b in &found[i + 1..] {
                let (x, y) = (&rule.metas[a.index()], &rule.metas[b.index()]);
                if self.lang.base(x.sort) != self.lang.base(y.sort) || self.lang.sort(x.sort).kind == SortKind::Var {
                    continue;
                }
                let where_ = place_name(place);
                self.change_rule(id, format!("{} and {} swapped in {where_}", x.name, y.name), span, |r| {
                    Self::forms_at(r, place, &mut |form| {
                        rename(form, &|m| {
                            if m == a {
                                b
                            } else if m == b {
                                a
                            } else {
                                m
                            }
                        })
                    });
                });
            }
        }
    }

    /// A constant of a type by another of its sort.
    fn constants(&mut self, id: RuleId, place: usize, span: Span) {
        let lang = self.lang;
        let mut found: Vec<ProdId> = Vec::new();
        Self::forms_at(&mut lang.rule(id).clone(), place, &mut |form| constants_in(lang, form, &mut found));
        for (nth, prod) in found.iter().enumerate() {
            for other in lang.prods_of(lang.prod(*prod).sort) {
                if other == *prod || !lang.prod(other).args.is_empty() {
                    continue;
                }
                let what = format!("{} for {} in {}", lang.prod(other).text, lang.prod(*prod).text, place_name(place));
                self.change_rule(id, what, span, |r| {
                    let mut seen = 0;
                    Self::forms_at(r, place, &mut |form| replace_constant(lang, form, nth, other, &mut seen));
                });
            }
        }
    }

    fn right_sides(&mut self, id: RuleId) {
        let lang = self.lang;
        let rule = lang.rule(id);
        let [left, right] = &rule.conclusion[..] else { return };
        let mut metas = Vec::new();
        left.metas(&mut metas);
        metas.sort();
        metas.dedup();
        // In a state the program is what is replaced, not the store beside it.
        let target = match right {
            Form::Node(prod, args) if lang.prod(*prod).args.iter().any(|a| lang.is_map(*a)) => {
                args.iter().zip(&lang.prod(*prod).args).position(|(_, s)| lang.sort(*s).is_tree)
            }
            _ => None,
        };
        let sort = match (right, target) {
            (Form::Node(prod, _), Some(k)) => lang.base(lang.prod(*prod).args[k]),
            _ => lang.base(lang.judgment(rule.judgment).args[1]),
        };
        for meta in metas {
            if lang.base(rule.metas[meta.index()].sort) != sort {
                continue;
            }
            let what = format!("right side replaced by {}", rule.metas[meta.index()].name);
            self.change_rule(id, what, rule.conclusion_span, |r| match (&mut r.conclusion[1], target) {
                (Form::Node(_, args), Some(k)) => args[k] = Form::Meta(meta),
                (right, _) => *right = Form::Meta(meta),
            });
        }
    }

    fn sort(&mut self, id: SortId) {
        let sort = self.lang.sort(id);
        if let SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } = &sort.kind {
            for (k, alt) in alts.iter().enumerate() {
                if matches!(alt.form, Form::Hole(_)) || alts.len() == 1 {
                    continue;
                }
                self.add(format!("{} ::= {} dropped", sort.name, alt.text), alt.span, |lang| {
                    if let SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } =
                        &mut lang.sorts[id.index()].kind
                    {
                        alts.remove(k);
                    }
                });
            }
        }
    }
}

fn place_name(place: usize) -> String {
    place.checked_sub(1).map_or("the conclusion".to_string(), |k| format!("premise {}", k + 1))
}

fn each_form_mut(premise: &mut Premise, f: &mut dyn FnMut(&mut Form)) {
    match premise {
        Premise::Judgment(_, args) => args.iter_mut().for_each(f),
        Premise::Entry { key, fields, env, .. } => {
            f(key);
            fields.iter_mut().for_each(&mut *f);
            f(env);
        }
        Premise::InDomain { key, map, .. } => {
            f(key);
            f(map);
        }
        Premise::Equal { left, right, .. } | Premise::SameDomain(left, right) | Premise::Compare(_, left, right) => {
            f(left);
            f(right);
        }
        Premise::Is { form, .. } | Premise::Steps(_, form) => f(form),
        Premise::Fresh(_) => {}
        // The metavariables that `forall` binds are not forms: swapping them would only rename.
        Premise::Forall { .. } => {}
        Premise::Not(inner) => each_form_mut(inner, f),
    }
}

fn rename(form: &mut Form, to: &dyn Fn(MetaId) -> MetaId) {
    if let Form::Meta(m) = form {
        *m = to(*m);
    }
    form.each_child_mut(&mut |child| rename(child, to));
}

fn is_constant(lang: &Lang, form: &Form) -> Option<ProdId> {
    match form {
        Form::Node(prod, args) if args.is_empty() => {
            let sort = lang.sort(lang.prod(*prod).sort);
            (matches!(sort.kind, SortKind::Grammar { .. }) && !sort.is_tree).then_some(*prod)
        }
        _ => None,
    }
}

fn constants_in(lang: &Lang, form: &Form, out: &mut Vec<ProdId>) {
    out.extend(is_constant(lang, form));
    form.each_child(&mut |child| constants_in(lang, child, out));
}

/// Replaces the constant that [`constants_in`] finds as the `nth`.
fn replace_constant(lang: &Lang, form: &mut Form, nth: usize, by: ProdId, seen: &mut usize) {
    if is_constant(lang, form).is_some() {
        if *seen == nth {
            *form = Form::Node(by, Vec::new());
        }
        *seen += 1;
    }
    form.each_child_mut(&mut |child| replace_constant(lang, child, nth, by, seen));
}
