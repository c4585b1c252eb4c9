//! Steps: every rule tried at every hole. In contexts over configurations the rules see the configuration with what is in the hole in
//! place of the whole program, and the rest of what they make is kept.

use super::terms::resolved;
use super::{Oracle, Stuck, Tree};
use lang::*;

/// The way to a hole, and its sort.
type Place = (Vec<usize>, SortId);

impl Oracle<'_> {
    /// What a program steps to.
    pub(super) fn steps(&self, j: JudgId, tree: &Tree, depth: u32) -> Result<Vec<Tree>, Stuck> {
        let state = self.lang.judgment(j).args[0];
        let mut after: Vec<Tree> = Vec::new();
        let mut places: Vec<Place> = Vec::new();
        match self.lang.judgment(j).reduction.and_then(|r| r.contexts) {
            None => places.push((Vec::new(), state)),
            Some(contexts) => self.places(&Form::Any(contexts), tree, &mut Vec::new(), &mut places, 0)?,
        }
        for (path, hole) in places {
            let content = at(tree, &path)?;
            let is_whole = self.lang.base(hole) == self.lang.base(state);
            // The level of the configuration, and what the rules see.
            let level = match is_whole {
                true => None,
                false => Some(self.configuration(tree, &path, state)?),
            };
            let redex = match level {
                None => content.clone(),
                Some(level) => self.seen(at(tree, &path[..level])?, path[level], content, hole)?,
            };
            for made in self.contracta(j, &redex, depth)? {
                let whole = match (level, made) {
                    (_, Tree::Error) => Tree::Error,
                    (None, made) => put(tree, &path, made),
                    (Some(level), Tree::Node(_, args)) => {
                        let Tree::Node(prod, old) = at(tree, &path[..level])? else { continue };
                        let kept = put(&old[path[level]], &path[level + 1..], args[path[level]].clone());
                        if args.len() != old.len() || !self.is_member(&args[path[level]], self.lang.base(hole)) {
                            continue;
                        }
                        let mut args = args.clone();
                        args[path[level]] = kept;
                        put(tree, &path[..level], Tree::Node(*prod, args))
                    }
                    _ => continue,
                };
                if !after.iter().any(|t| self.same(t, &whole, &mut Vec::new())) {
                    after.push(whole);
                }
            }
        }
        Ok(after)
    }

    /// What the rules make of a redex.
    fn contracta(&self, j: JudgId, redex: &Tree, depth: u32) -> Result<Vec<Tree>, Stuck> {
        let mut all = Vec::new();
        for (_, rule) in self.lang.rules_of(j) {
            let (mut row, mut unknowns, mut later) = (vec![None; rule.metas.len()], Vec::new(), Vec::new());
            if !self.matches(&rule.conclusion[0], redex, &rule.metas, &mut row, &mut unknowns, &mut later)? {
                continue;
            }
            let premises: Vec<&Premise> = rule.premises.iter().map(|l| &l.premise).collect();
            for (mut row, mut unknowns) in self.solve(&premises, &rule.metas, row, unknowns, depth)? {
                if !self.settles(&later, &rule.metas, &mut row, &mut unknowns)? {
                    continue;
                }
                if let Some(made) = self.build(&rule.conclusion[1], &rule.metas, &mut row, &mut unknowns)? {
                    all.push(resolved(&made, &unknowns));
                }
            }
        }
        Ok(all)
    }

    /// How far down the way the innermost configuration is.
    fn configuration(&self, tree: &Tree, path: &[usize], state: SortId) -> Result<usize, Stuck> {
        for level in (0..path.len()).rev() {
            if let Tree::Node(prod, _) = at(tree, &path[..level])?
                && self.lang.prod(*prod).sort == self.lang.base(state)
            {
                return Ok(level);
            }
        }
        Err(Stuck("no configuration around a hole"))
    }

    /// A configuration with something else in place of its program, of another form if its sort asks for it.
    fn seen(&self, configuration: &Tree, place: usize, content: &Tree, hole: SortId) -> Result<Tree, Stuck> {
        let Tree::Node(prod, args) = configuration else { return Err(Stuck("no configuration")) };
        let sorts = &self.lang.prod(*prod).args;
        let fits = |p: &ProdId| {
            let others = &self.lang.prod(*p).args;
            let same = |i: usize| match i == place {
                true => self.lang.base(others[i]) == self.lang.base(hole),
                false => others[i] == sorts[i],
            };
            others.len() == sorts.len() && (0..sorts.len()).all(same)
        };
        let forms = self.lang.prods_of(self.lang.prod(*prod).sort);
        let form = if fits(prod) { Some(*prod) } else { forms.into_iter().find(fits) };
        let mut args = args.clone();
        args[place] = content.clone();
        Ok(Tree::Node(form.ok_or(Stuck("no configuration of that sort"))?, args))
    }

    /// Every hole that the alternatives of contexts lead to.
    fn places(
        &self,
        form: &Form,
        tree: &Tree,
        path: &mut Vec<usize>,
        out: &mut Vec<Place>,
        depth: u32,
    ) -> Result<(), Stuck> {
        if depth > 40 {
            return Err(Stuck("contexts in a circle"));
        }
        match (form, tree) {
            (Form::Hole(sort), _) if self.is_member(tree, *sort) && out.iter().all(|(p, _)| p != path) => {
                out.push((path.clone(), *sort));
            }
            (Form::Any(context), _) => {
                let SortKind::Context { alts, .. } = &self.lang.sort(*context).kind else {
                    return Err(Stuck("no context"));
                };
                for alt in alts {
                    self.places(&alt.form, tree, path, out, depth + 1)?;
                }
            }
            (Form::Node(prod, forms), Tree::Node(p, args)) if p == prod => {
                let Some(way) = forms.iter().position(|f| self.goes_on(f)) else { return Err(Stuck("no hole")) };
                let is_binder = |i: usize| self.lang.prod(*p).is_binder(i);
                if (0..forms.len()).all(|i| i == way || is_binder(i) || self.has_shape(&args[i], &forms[i])) {
                    path.push(way);
                    self.places(&forms[way], &args[way], path, out, depth + 1)?;
                    path.pop();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn goes_on(&self, form: &Form) -> bool {
        match form {
            Form::Hole(_) => true,
            Form::Any(sort) => matches!(self.lang.sort(*sort).kind, SortKind::Context { .. }),
            Form::Node(_, forms) => forms.iter().any(|f| self.goes_on(f)),
            _ => false,
        }
    }
}

fn at<'t>(tree: &'t Tree, path: &[usize]) -> Result<&'t Tree, Stuck> {
    match (tree, path) {
        (_, []) => Ok(tree),
        (Tree::Node(_, args), [first, rest @ ..]) => at(&args[*first], rest),
        _ => Err(Stuck("no such place")),
    }
}

fn put(tree: &Tree, path: &[usize], new: Tree) -> Tree {
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
