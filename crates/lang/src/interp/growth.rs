//! Where rules put types together: there, and only there, a derivation can leave the bound of its types.
//!
//! In: a check. Out: the rules that build a type which is neither a part of one at hand nor a constant within the bound, where the check, its
//! steps and what they ask are derived as the interpreter does. If there is none, and all types that are given or guessed are within the
//! bound, then so is every type of every derivation: by induction over the derivation, in the order of the plan of each rule. Forms that
//! occur in what was matched before are parts of types at hand; every other form with a metavariable in it may be new.

use super::Interp;
use super::clause::{Clause, is_type};
use super::plan::Step;
use crate::definition::*;
use crate::explain;

/// The rules that build types.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Builders {
    /// In steps, and in what they ask: what a step yields may be beyond the bound.
    pub of_steps: Vec<RuleId>,
    /// All of them.
    pub all: Vec<RuleId>,
    /// The check itself builds a type, or something is asked for in a way that is not followed here.
    pub is_unsure: bool,
}

/// A judgment, which of its arguments are known, and whether a step asks for it.
type Question = (JudgId, u32, bool);

impl Interp<'_> {
    /// The rules that build types where a check is decided.
    pub fn builders(&mut self, check: &Check) -> Builders {
        let mut growth = Growth { funs: vec![false; self.lang.funs.len()], interp: self, pending: Vec::new() };
        growth.functions();
        growth.check(check)
    }
}

struct Growth<'a, 'l> {
    interp: &'a mut Interp<'l>,
    /// Per function, whether it builds a type.
    funs: Vec<bool>,
    pending: Vec<Question>,
}

impl Growth<'_, '_> {
    fn check(&mut self, check: &Check) -> Builders {
        let lang = self.interp.lang;
        let mut found = Builders::default();
        // A step is asked of what it starts from; types are found wherever they can be.
        let given = |judgment: JudgId| {
            let declared = lang.judgment(judgment);
            let is_step = declared.reduction.is_some();
            let is_given = |i: &usize| if is_step { *i == 0 } else { !is_type(lang, declared.args[*i]) };
            (0..declared.args.len()).filter(is_given).fold(0, |mask, i| mask | 1u32 << i)
        };
        for located in &check.premises {
            let mask = if let Premise::Judgment(judgment, _) = located.premise { given(judgment) } else { 0 };
            found.is_unsure |= self.asks(&located.premise, mask, &check.metas, &mut Vec::new());
        }
        for located in check.conclusions.iter().flatten() {
            found.is_unsure |= self.asks(&located.premise, u32::MAX, &check.metas, &mut Vec::new());
        }
        for located in check.premises.iter().chain(check.conclusions.iter().flatten()) {
            located.premise.each_judgment(&mut |judgment, _| {
                self.pending.push((judgment, given(judgment), lang.judgment(judgment).reduction.is_some()));
            });
        }
        let mut seen: Vec<Question> = Vec::new();
        while let Some(question) = self.pending.pop() {
            if !seen.contains(&question) {
                seen.push(question);
                self.follow(question, &mut found);
            }
        }
        found
    }

    /// Which functions build types: those that do themselves, and those that call them.
    fn functions(&mut self) {
        let code = self.interp.code.clone();
        loop {
            let before = self.funs.clone();
            for (fun, clauses) in code.equations.iter().enumerate() {
                for clause in clauses {
                    let Some((right, left)) = clause.heads.split_last() else { continue };
                    let mut asked = false;
                    clause.premises.iter().for_each(|p| p.each_judgment(&mut |_, _| asked = true));
                    self.funs[fun] |= asked || self.builds(right, &clause.metas, left);
                }
            }
            if self.funs == before {
                return;
            }
        }
    }

    /// Looks at each rule that answers a question, and notes what it asks in turn.
    fn follow(&mut self, (judgment, mask, in_step): Question, found: &mut Builders) {
        let code = self.interp.code.clone();
        let Some(mode) = code.modes.get(judgment, mask).filter(|mode| mode.runs) else {
            found.is_unsure = true;
            return;
        };
        for (rule, plan) in &mode.plans {
            let clause = &code.rules[rule.index()];
            // What was matched so far, in order.
            let mut at_hand: Vec<Form> = Vec::new();
            let mut builds = false;
            for step in &plan.steps {
                match step {
                    Step::Match(head) => at_hand.push(clause.heads[*head].clone()),
                    Step::Confirm(head) => builds |= self.builds(&clause.heads[*head], &clause.metas, &at_hand),
                    Step::Guess(_) => {}
                    Step::Premise(premise, mask) => {
                        builds |= self.premise(clause, *premise, *mask, in_step, &mut at_hand);
                    }
                }
            }
            for (i, head) in clause.heads.iter().enumerate() {
                builds |= mask >> i & 1 == 0 && self.builds(head, &clause.metas, &at_hand);
            }
            if builds && !found.all.contains(rule) {
                found.all.push(*rule);
            }
            if builds && in_step && !found.of_steps.contains(rule) {
                found.of_steps.push(*rule);
            }
        }
    }

    /// A premise of a rule: notes what it asks.
    fn premise(&mut self, clause: &Clause, at: usize, mask: u32, in_step: bool, at_hand: &mut Vec<Form>) -> bool {
        let lang = self.interp.lang;
        let premise = &clause.premises[at];
        premise.each_judgment(&mut |callee, _| {
            let is_step = lang.judgment(callee).reduction.is_some();
            self.pending.push((callee, if is_step { 1 } else { mask }, in_step || is_step));
        });
        self.asks(premise, mask, &clause.metas, at_hand)
    }

    /// Whether a premise is asked with a new type; what it gives is at hand from then on.
    fn asks(&mut self, premise: &Premise, mask: u32, metas: &[Meta], at_hand: &mut Vec<Form>) -> bool {
        let (mut given, mut gives) = (Vec::new(), Vec::new());
        match premise {
            Premise::Judgment(_, forms) => {
                let is_given = |i: usize| mask >> i.min(31) & 1 == 1;
                given.extend(forms.iter().enumerate().filter(|(i, _)| is_given(*i)).map(|(_, f)| f));
                gives.extend(forms.iter().enumerate().filter(|(i, _)| !is_given(*i)).map(|(_, f)| f));
            }
            Premise::Entry { key, fields, env, .. } => {
                given.push(env);
                gives.extend(fields.iter().chain([key]));
            }
            Premise::Equal { left, right, .. } => match mask {
                1 => {
                    given.push(left);
                    gives.push(right);
                }
                2 => {
                    given.push(right);
                    gives.push(left);
                }
                _ => given.extend([left, right]),
            },
            Premise::Forall { body, env, .. } => {
                return self.asks(body, mask, metas, &mut at_hand.clone()) || self.builds(env, metas, at_hand);
            }
            Premise::Not(inner) => return self.asks(inner, mask, metas, &mut at_hand.clone()),
            other => other.each_form(&mut |form| given.push(form)),
        }
        let builds = given.iter().any(|form| self.builds(form, metas, at_hand));
        at_hand.extend(gives.into_iter().cloned());
        builds
    }

    /// Whether a form has a type in it that is neither at hand nor a constant within the bound.
    fn builds(&mut self, form: &Form, metas: &[Meta], at_hand: &[Form]) -> bool {
        let lang = self.interp.lang;
        if at_hand.iter().any(|known| has_part(known, form)) {
            return false;
        }
        let is_of_type = |form: &Form| match form {
            Form::Meta(m) => is_type(lang, metas[m.index()].sort),
            Form::Node(prod, _) => is_type(lang, lang.prod(*prod).sort),
            _ => true,
        };
        match form {
            Form::Node(prod, _) if is_type(lang, lang.prod(*prod).sort) => {
                let constant = explain::ground(&mut self.interp.terms, form, &[]);
                return !constant.is_some_and(|t| self.interp.universe().contains(lang.prod(*prod).sort, t));
            }
            Form::Call(fun, _) if self.funs[fun.index()] => return true,
            Form::Subst { body, pairs } if is_of_type(body) || pairs.iter().any(|(by, _)| is_of_type(by)) => {
                return true;
            }
            _ => {}
        }
        let mut children = Vec::new();
        form.each_child(&mut |child| children.push(child));
        children.into_iter().any(|child| self.builds(child, metas, at_hand))
    }
}

/// Whether a form is a pattern, or a part of it.
fn has_part(pattern: &Form, form: &Form) -> bool {
    pattern == form || matches!(pattern, Form::Node(_, args) if args.iter().any(|arg| has_part(arg, form)))
}
