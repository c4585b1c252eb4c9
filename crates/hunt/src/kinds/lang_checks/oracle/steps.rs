//! Steps: every rule tried at every hole.

use super::terms::resolved;
use super::{Oracle, Stuck, Tree};
use lang::*;

impl Oracle<'_> {
    /// What a program steps to.
    pub(super) fn steps(&self, j: JudgId, tree: &Tree, depth: u32) -> Result<Vec<Tree>, Stuck> {
        let mut after: Vec<Tree> = Vec::new();
        let mut holes: Vec<Vec<usize>> = Vec::new();
        match self.lang.judgment(j).reduction.and_then(|r| r.contexts) {
            None => holes.push(Vec::new()),
            Some(contexts) => self.holes(contexts, tree, &mut Vec::new(), &mut holes)?,
        }
        for path in holes {
            let mut redex = tree;
            for at in &path {
                let Tree::Node(_, args) = redex else { return Err(Stuck("no path")) };
                redex = &args[*at];
            }
            for (_, rule) in self.lang.rules_of(j) {
                let (mut row, mut unknowns, mut later) = (vec![None; rule.metas.len()], Vec::new(), Vec::new());
                if !self.matches(&rule.conclusion[0], redex, &rule.metas, &mut row, &mut unknowns, &mut later)? {
                    continue;
                }
                let premises: Vec<&Premise> = rule.premises.iter().map(|l| &l.premise).collect();
                for (mut row, mut unknowns) in self.solve(&premises, &rule.metas, row, unknowns, depth)? {
                    if let Some(made) = self.build(&rule.conclusion[1], &rule.metas, &mut row, &mut unknowns)? {
                        let made = resolved(&made, &unknowns);
                        let whole = if made == Tree::Error { made } else { put(tree, &path, made) };
                        if !after.iter().any(|t| self.same(t, &whole, &mut Vec::new())) {
                            after.push(whole);
                        }
                    }
                }
            }
        }
        Ok(after)
    }

    pub(super) fn holes(
        &self,
        context: SortId,
        tree: &Tree,
        path: &mut Vec<usize>,
        out: &mut Vec<Vec<usize>>,
    ) -> Result<(), Stuck> {
        let SortKind::Context { alts, .. } = &self.lang.sort(context).kind else { return Err(Stuck("no context")) };
        for alt in alts {
            match (&alt.form, tree) {
                (Form::Hole(_), _) if !out.contains(path) => out.push(path.clone()),
                (Form::Node(prod, forms), Tree::Node(p, args)) if p == prod => {
                    let goes_on = |f: &Form| matches!(f, Form::Any(s) if matches!(self.lang.sort(*s).kind, SortKind::Context { .. }));
                    let Some(at) = forms.iter().position(goes_on) else { return Err(Stuck("another context")) };
                    let is_binder = |i: usize| self.lang.prod(*p).is_binder(i);
                    let fits = (0..forms.len()).all(|i| i == at || is_binder(i) || self.has_shape(&args[i], &forms[i]));
                    let Form::Any(inner) = forms[at] else { return Err(Stuck("another context")) };
                    if fits {
                        path.push(at);
                        self.holes(inner, &args[at], path, out)?;
                        path.pop();
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

pub(super) fn put(tree: &Tree, path: &[usize], new: Tree) -> Tree {
    match (tree, path) {
        (_, []) => new,
        (Tree::Node(prod, args), [at, rest @ ..]) => {
            let mut args = args.clone();
            args[*at] = put(&args[*at], rest, new);
            Tree::Node(*prod, args)
        }
        (other, _) => other.clone(),
    }
}
