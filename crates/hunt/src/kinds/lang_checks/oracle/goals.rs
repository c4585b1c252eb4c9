//! Goals: what a judgment says of known arguments. Rules may lead from a goal to itself (subsumption), so that all goals under way are
//! answered in rounds, each with what the one before found, until a round finds nothing new: the least relation that the rules allow.

use super::terms::{has_unknown, resolved};
use super::{Oracle, Stuck, Tree, Unknowns, Ways};
use lang::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The arguments that are known have no unknown types, and variables are numbered by where they occur.
type Goal = (JudgId, Vec<Option<Tree>>);

#[derive(Default)]
pub struct Goals {
    answers: FxHashMap<Goal, Vec<Vec<Tree>>>,
    /// To which nothing will be added.
    complete: FxHashSet<Goal>,
    /// In the round under way.
    visited: Option<FxHashSet<Goal>>,
    has_changed: bool,
}

const MOST_ANSWERS: usize = 100;
const LARGEST_ANSWER: u32 = 40;
const MOST_ROUNDS: u32 = 40;

impl Oracle<'_> {
    pub(super) fn judge(&self, j: JudgId, args: &[Option<Tree>], unknowns: Unknowns, depth: u32) -> Ways<Vec<Tree>> {
        let mut all = Vec::new();
        if self.lang.judgment(j).reduction.is_some() {
            let Some(before) = &args[0] else { return Err(Stuck("a step of nothing")) };
            for after in self.steps(j, before, depth)? {
                if args[1].as_ref().is_none_or(|a| self.same(a, &after, &mut Vec::new())) {
                    all.push((vec![before.clone(), after], unknowns.clone()));
                }
            }
            return Ok(all);
        }
        if self.unifies.get() {
            return self.resolve(j, args, unknowns, depth);
        }
        let known = args.iter().map(|arg| arg.as_ref().map(|t| resolved(t, &unknowns)).filter(|t| !has_unknown(t)));
        let mut names = Vec::new();
        let mut bound = 500;
        let known = known.map(|arg| {
            arg.map(|tree| {
                let mut number = || {
                    bound += 1;
                    bound
                };
                self.renamed(&tree, &mut |n| numbered(n, &mut names), &mut number, &mut Vec::new())
            })
        });
        let goal = (j, known.collect());
        for answer in self.answers(&goal, depth)? {
            let mut unknowns = unknowns.clone();
            let original = |n: u32| names.get(n as usize).copied().unwrap_or(n);
            let answer: Vec<Tree> = answer
                .iter()
                .map(|t| self.renamed(t, &mut |n| original(n), &mut || self.new_name(), &mut Vec::new()))
                .collect();
            if args.iter().zip(&answer).all(|(arg, t)| arg.as_ref().is_none_or(|a| self.unify(a, t, &mut unknowns))) {
                all.push((answer, unknowns));
            }
        }
        Ok(all)
    }

    fn answers(&self, goal: &Goal, depth: u32) -> Result<Vec<Vec<Tree>>, Stuck> {
        {
            let mut goals = self.goals.borrow_mut();
            let is_known = goals.complete.contains(goal);
            let is_new = goals.visited.as_mut().map(|visited| !is_known && visited.insert(goal.clone()));
            if is_known || is_new == Some(false) {
                return Ok(goals.answers.get(goal).cloned().unwrap_or_default());
            }
            if is_new.is_none() {
                drop(goals);
                return self.settle_goal(goal, depth);
            }
        }
        self.derive(goal, depth)
    }

    /// Rounds until nothing is new.
    fn settle_goal(&self, goal: &Goal, depth: u32) -> Result<Vec<Vec<Tree>>, Stuck> {
        for _ in 0..MOST_ROUNDS {
            let start = FxHashSet::from_iter([goal.clone()]);
            let outer = {
                let mut goals = self.goals.borrow_mut();
                (goals.visited.replace(start), std::mem::take(&mut goals.has_changed))
            };
            let found = self.derive(goal, depth);
            let mut goals = self.goals.borrow_mut();
            let visited = std::mem::replace(&mut goals.visited, outer.0);
            let has_changed = std::mem::replace(&mut goals.has_changed, outer.1);
            goals.has_changed |= has_changed;
            let found = found?;
            if !has_changed {
                goals.complete.extend(visited.into_iter().flatten());
                return Ok(found);
            }
        }
        Err(Stuck("no end of rounds"))
    }

    /// Something that is looked at with complete answers only, as under a negation.
    pub(super) fn apart<R>(&self, look: impl FnOnce() -> R) -> R {
        let outer = self.goals.borrow_mut().visited.take();
        let found = look();
        self.goals.borrow_mut().visited = outer;
        found
    }

    /// What the rules say of a goal with the answers so far.
    fn derive(&self, goal: &Goal, depth: u32) -> Result<Vec<Vec<Tree>>, Stuck> {
        let sorts = &self.lang.judgment(goal.0).args;
        let mut found = self.goals.borrow().answers.get(goal).cloned().unwrap_or_default();
        let before = found.len();
        for (results, unknowns) in self.resolve(goal.0, &goal.1, Vec::new(), depth)? {
            let all: Vec<(Tree, SortId)> = results.into_iter().zip(sorts.iter().copied()).collect();
            for unknowns in self.grounded(&all, unknowns)? {
                let answer: Vec<Tree> = all.iter().map(|(t, _)| resolved(t, &unknowns)).collect();
                let is_known = |f: &Vec<Tree>| f.iter().zip(&answer).all(|(a, b)| self.same(a, b, &mut Vec::new()));
                if !found.iter().any(is_known) {
                    found.push(answer);
                }
            }
            let is_large = |answer: &Vec<Tree>| answer.iter().any(|t| self.size(t) > LARGEST_ANSWER);
            if found.len() > MOST_ANSWERS || found.last().is_some_and(is_large) {
                return Err(Stuck("no end of answers"));
            }
        }
        let mut goals = self.goals.borrow_mut();
        // What was found in the meantime, further down, is kept.
        let now = goals.answers.entry(goal.clone()).or_default();
        now.iter().for_each(|a| {
            if !found.contains(a) {
                found.push(a.clone());
            }
        });
        *now = found.clone();
        goals.has_changed |= found.len() > before;
        Ok(found)
    }

    /// Every way to give the unknown types of these trees a value, if there are finitely many.
    pub(super) fn grounded(&self, trees: &[(Tree, SortId)], unknowns: Unknowns) -> Result<Vec<Unknowns>, Stuck> {
        let mut open = Vec::new();
        for (tree, sort) in trees {
            self.unknowns_in(&resolved(tree, &unknowns), *sort, &mut open);
        }
        let mut all = vec![unknowns];
        for (unknown, sort) in open {
            let members = self.all_types(sort)?.ok_or(Stuck("a type is left free"))?;
            let with = |unknowns: &Unknowns, member: &Tree| {
                let mut unknowns = unknowns.clone();
                unknowns[unknown as usize] = Some(member.clone());
                unknowns
            };
            all = all.iter().flat_map(|u| members.iter().map(move |m| with(u, m))).collect();
        }
        Ok(all)
    }

    fn unknowns_in(&self, tree: &Tree, sort: SortId, out: &mut Vec<(u32, SortId)>) {
        match tree {
            Tree::Unknown(u) if out.iter().all(|(o, _)| o != u) => out.push((*u, sort)),
            Tree::Node(prod, args) => {
                args.iter().zip(&self.lang.prod(*prod).args).for_each(|(a, s)| self.unknowns_in(a, *s, out));
            }
            Tree::Map(entries) => {
                for (prod, entry) in entries {
                    let sorts = &self.lang.prod(*prod).args[1..];
                    entry.iter().zip(sorts).for_each(|(a, s)| self.unknowns_in(a, *s, out));
                }
            }
            _ => {}
        }
    }

    /// A tree with other names for its variables.
    fn renamed(
        &self,
        tree: &Tree,
        free: &mut dyn FnMut(u32) -> u32,
        binder: &mut dyn FnMut() -> u32,
        bound: &mut Vec<(u32, u32)>,
    ) -> Tree {
        match tree {
            Tree::Name(n) => match bound.iter().rev().find(|(from, _)| from == n) {
                Some((_, to)) => Tree::Name(*to),
                None => Tree::Name(free(*n)),
            },
            Tree::Node(prod, args) => {
                let production = self.lang.prod(*prod);
                let own: Vec<(usize, u32, u32)> = production
                    .binders
                    .iter()
                    .filter_map(|b| if let Tree::Name(n) = args[b.var] { Some((b.var, n, binder())) } else { None })
                    .collect();
                let args = args.iter().enumerate().map(|(i, arg)| {
                    if let Some((_, _, to)) = own.iter().find(|(var, ..)| *var == i) {
                        return Tree::Name(*to);
                    }
                    let before = bound.len();
                    for b in production.binders_over(i) {
                        bound.extend(own.iter().filter(|(var, ..)| *var == b.var).map(|(_, from, to)| (*from, *to)));
                    }
                    let arg = self.renamed(arg, free, binder, bound);
                    bound.truncate(before);
                    arg
                });
                Tree::Node(*prod, args.collect())
            }
            Tree::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(prod, entry)| (*prod, entry.iter().map(|t| self.renamed(t, free, binder, bound)).collect()));
                Tree::Map(entries.collect())
            }
            other => other.clone(),
        }
    }
}

/// The number of a free variable, by where it occurs first.
fn numbered(name: u32, names: &mut Vec<u32>) -> u32 {
    let at = names.iter().position(|n| *n == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    });
    at as u32
}
