//! The meaning of a check, word by word (docs/lang.md): every input within its bound, resolution with types unknown, steps by trying every
//! rule at every hole. No bounds on what follows, no tables, no modes; it shares the definition with the tool, and nothing else.

use lang::*;
use std::cell::Cell;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    Node(ProdId, Vec<Tree>),
    /// A variable, by a name of its own.
    Name(u32),
    Int(i64),
    /// A type that is not known.
    Unknown(u32),
    /// Entries of an environment, oldest first: production, key, fields.
    Map(Vec<(ProdId, Vec<Tree>)>),
    Error,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck(pub &'static str);

type Row = Vec<Option<Tree>>;
type Unknowns = Vec<Option<Tree>>;
type Ways<T> = Result<Vec<(T, Unknowns)>, Stuck>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    Holds,
    Fails(u32),
    Vacuous,
}

/// Derivations within derivations, at most.
const DEEPEST: u32 = 60;
/// Inputs of one check, at most.
const MOST_INPUTS: usize = 6_000;

pub struct Oracle<'l> {
    lang: &'l Lang,
    check: &'l Check,
    names: Cell<u32>,
    work: Cell<u64>,
}

impl<'l> Oracle<'l> {
    pub fn new(lang: &'l Lang, check: &'l Check) -> Oracle<'l> {
        Oracle { lang, check, names: Cell::new(1000), work: Cell::new(0) }
    }

    /// The truth about a check whose inputs are these metavariables.
    pub fn truth(&self, inputs: &[MetaId]) -> Result<Truth, Stuck> {
        let mut all: Vec<(u32, Row)> = vec![(0, vec![None; self.check.metas.len()])];
        for meta in inputs {
            let members = self.within(self.check.metas[meta.index()].sort)?;
            let mut next = Vec::new();
            for (size, row) in &all {
                for tree in &members {
                    let mut row = row.clone();
                    row[meta.index()] = Some(tree.clone());
                    next.push((size + self.size(tree), row));
                }
            }
            if next.len() > MOST_INPUTS {
                return Err(Stuck("too many inputs"));
            }
            all = next;
        }
        all.sort_by_key(|(size, _)| *size);
        let mut is_vacuous = true;
        for (size, row) in all {
            match self.breaks(row)? {
                None => {}
                Some(true) => return Ok(Truth::Fails(size)),
                Some(false) => is_vacuous = false,
            }
        }
        Ok(if is_vacuous { Truth::Vacuous } else { Truth::Holds })
    }

    /// Whether inputs break the check; none if they do not satisfy its premises.
    pub fn breaks(&self, row: Row) -> Result<Option<bool>, Stuck> {
        let premises: Vec<&Premise> = self.check.premises.iter().map(|l| &l.premise).collect();
        let mut satisfied = None;
        for (row, unknowns) in self.solve(&premises, &self.check.metas, row, Vec::new(), 0)? {
            for (row, unknowns) in self.instances(row, unknowns)? {
                satisfied.get_or_insert(false);
                if !self.concludes(&row, &unknowns)? {
                    return Ok(Some(true));
                }
            }
        }
        Ok(satisfied)
    }

    /// A row with every type that is left free taken from its bound.
    fn instances(&self, row: Row, unknowns: Unknowns) -> Ways<Row> {
        let mut rows = vec![(row, unknowns)];
        for (i, meta) in self.check.metas.iter().enumerate() {
            if !self.is_type(meta.sort) {
                continue;
            }
            let mut next = Vec::new();
            for (row, unknowns) in rows {
                let Some(ty) = row[i].as_ref().map(|t| resolved(t, &unknowns)) else {
                    next.push((row, unknowns));
                    continue;
                };
                match ty {
                    Tree::Unknown(u) => {
                        for member in self.types(meta.sort)? {
                            let mut unknowns = unknowns.clone();
                            unknowns[u as usize] = Some(member);
                            next.push((row.clone(), unknowns));
                        }
                    }
                    ty if has_unknown(&ty) => return Err(Stuck("a type with a free part")),
                    _ => next.push((row, unknowns)),
                }
            }
            rows = next;
        }
        Ok(rows)
    }

    fn concludes(&self, row: &Row, unknowns: &Unknowns) -> Result<bool, Stuck> {
        for conclusion in &self.check.conclusions {
            let is_error = |m: &MetaId| row[m.index()] == Some(Tree::Error);
            let said: Vec<&Premise> = conclusion.iter().map(|l| &l.premise).collect();
            let rest = said.into_iter().filter(|p| {
                let mut metas = Vec::new();
                p.metas(&mut metas);
                matches!(p, Premise::Equal { .. }) || !metas.iter().any(is_error)
            });
            let rest: Vec<&Premise> = rest.collect();
            if !self.solve(&rest, &self.check.metas, row.clone(), unknowns.clone(), 0)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_type(&self, sort: SortId) -> bool {
        let base = self.lang.sort(self.lang.base(sort));
        matches!(base.kind, SortKind::Grammar { .. }) && !base.is_tree
    }

    fn is_program(&self, sort: SortId) -> bool {
        let base = self.lang.sort(self.lang.base(sort));
        matches!(base.kind, SortKind::Grammar { .. }) && base.is_tree
    }

    fn new_name(&self) -> u32 {
        self.names.set(self.names.get() + 1);
        self.names.get()
    }
}

/// Inputs.
impl Oracle<'_> {
    pub fn size(&self, tree: &Tree) -> u32 {
        match tree {
            Tree::Node(prod, args) => self.lang.prod(*prod).weight + args.iter().map(|a| self.size(a)).sum::<u32>(),
            _ => 0,
        }
    }

    fn bound(&self, sort: SortId) -> Option<Bound> {
        self.lang.bound(Some(self.check), sort).or(self.lang.bound(Some(self.check), self.lang.base(sort)))
    }

    /// Every program of a sort within its bound.
    fn within(&self, sort: SortId) -> Result<Vec<Tree>, Stuck> {
        let branching = self.lang.prods.iter().filter(|p| self.is_program(p.sort)).map(|p| self.kids(p)).max();
        let branching = branching.unwrap_or(1).max(1) as u64;
        let bound = self.bound(sort).ok_or(Stuck("no bound"))?;
        let most = match bound {
            Bound::Size(n) => n,
            Bound::Nodes(n) => 4 * n,
            Bound::Height(n) => 4 * (0..n).fold(0, |sum, _| sum * branching as u32 + 1),
            _ => return Err(Stuck("another bound")),
        };
        let mut all = Vec::new();
        for size in 0..=most {
            for tree in self.of_size(sort, size, &[])? {
                let fits = match bound {
                    Bound::Nodes(n) => self.last_place(&tree, 0, branching) < n.into(),
                    Bound::Height(n) => self.levels(&tree) <= n,
                    _ => true,
                };
                if fits {
                    all.push(tree);
                }
            }
            if all.len() > MOST_INPUTS {
                return Err(Stuck("too many inputs"));
            }
        }
        Ok(all)
    }

    fn kids(&self, production: &Production) -> usize {
        production.args.iter().filter(|s| self.is_program(**s)).count()
    }

    fn programs<'t>(&self, tree: &'t Tree) -> Vec<&'t Tree> {
        let Tree::Node(prod, args) = tree else { return Vec::new() };
        let sorts = &self.lang.prod(*prod).args;
        args.iter().zip(sorts).filter(|(_, s)| self.is_program(**s)).map(|(a, _)| a).collect()
    }

    fn levels(&self, tree: &Tree) -> u32 {
        1 + self.programs(tree).into_iter().map(|t| self.levels(t)).max().unwrap_or(0)
    }

    fn last_place(&self, tree: &Tree, place: u64, branching: u64) -> u64 {
        let kids = self.programs(tree).into_iter().enumerate();
        kids.map(|(i, t)| self.last_place(t, place * branching + 1 + i as u64, branching)).max().unwrap_or(place)
    }

    /// Members of a sort of exactly this size; `scope` are the variables bound above.
    fn of_size(&self, sort: SortId, size: u32, scope: &[u32]) -> Result<Vec<Tree>, Stuck> {
        self.work.set(self.work.get() + 1);
        if self.work.get() > 400_000 {
            return Err(Stuck("too much to generate"));
        }
        if self.is_type(sort) {
            let types = self.types(sort)?;
            return Ok(types.into_iter().filter(|t| self.size(t) == size).collect());
        }
        match &self.lang.sort(sort).kind {
            SortKind::Var if size == 0 => Ok(scope.iter().map(|n| Tree::Name(*n)).collect()),
            SortKind::Var => Ok(Vec::new()),
            SortKind::Sub { base, .. } => {
                let all = self.of_size(*base, size, scope)?;
                Ok(all.into_iter().filter(|t| self.is_member(t, sort)).collect())
            }
            SortKind::Grammar { prods } => {
                let mut all = Vec::new();
                for prod in prods {
                    let production = self.lang.prod(*prod);
                    let Some(rest) = size.checked_sub(production.weight) else { continue };
                    let binders: Vec<(usize, u32)> =
                        production.binders.iter().map(|b| (b.var, self.new_name())).collect();
                    self.fill(production, rest, scope, &binders, &mut Vec::new(), &mut |args| {
                        all.push(Tree::Node(*prod, args));
                    })?;
                }
                Ok(all)
            }
            _ => Err(Stuck("another sort of inputs")),
        }
    }

    fn fill(
        &self,
        production: &Production,
        rest: u32,
        scope: &[u32],
        binders: &[(usize, u32)],
        args: &mut Vec<Tree>,
        found: &mut dyn FnMut(Vec<Tree>),
    ) -> Result<(), Stuck> {
        let at = args.len();
        if at == production.args.len() {
            if rest == 0 {
                found(args.clone());
            }
            return Ok(());
        }
        if let Some((_, name)) = binders.iter().find(|(var, _)| *var == at) {
            args.push(Tree::Name(*name));
            self.fill(production, rest, scope, binders, args, found)?;
            args.pop();
            return Ok(());
        }
        let own = binders.iter().filter(|(var, _)| production.binders_over(at).any(|b| b.var == *var));
        let inner: Vec<u32> = scope.iter().copied().chain(own.map(|(_, name)| *name)).collect();
        for size in 0..=rest {
            for tree in self.of_size(production.args[at], size, &inner)? {
                args.push(tree);
                self.fill(production, rest - size, scope, binders, args, found)?;
                args.pop();
            }
        }
        Ok(())
    }

    /// Every type within its bound.
    fn types(&self, sort: SortId) -> Result<Vec<Tree>, Stuck> {
        let (most, by_depth) = match self.bound(sort) {
            Some(Bound::Size(n)) => (n, false),
            Some(Bound::Depth(n)) => (n, true),
            None => (2, true),
            _ => return Err(Stuck("another bound of types")),
        };
        let mut all: Vec<Tree> = Vec::new();
        for _ in 0..most {
            let mut next = Vec::new();
            for prod in self.lang.prods_of(sort) {
                let production = self.lang.prod(prod);
                let mut rows: Vec<Vec<Tree>> = vec![Vec::new()];
                for arg in &production.args {
                    if self.lang.base(*arg) != self.lang.base(sort) {
                        return Err(Stuck("types of several sorts"));
                    }
                    rows = rows
                        .iter()
                        .flat_map(|r| all.iter().map(|t| [&r[..], std::slice::from_ref(t)].concat()))
                        .collect();
                }
                next.extend(rows.into_iter().map(|args| Tree::Node(prod, args)));
            }
            all = next;
        }
        if !by_depth {
            all.retain(|t| self.size(t) <= most);
        }
        all.retain(|t| self.is_member(t, sort));
        Ok(all)
    }
}

/// Terms.
impl Oracle<'_> {
    fn is_member(&self, tree: &Tree, sort: SortId) -> bool {
        match &self.lang.sort(sort).kind {
            SortKind::Sub { alts, .. } => alts.iter().any(|alt| self.has_shape(tree, &alt.form)),
            SortKind::Var => matches!(tree, Tree::Name(_)),
            SortKind::Int => matches!(tree, Tree::Int(_)),
            _ => matches!(tree, Tree::Node(p, _) if self.lang.prod(*p).sort == sort),
        }
    }

    fn has_shape(&self, tree: &Tree, form: &Form) -> bool {
        match (form, tree) {
            (Form::Any(sort), _) => self.is_member(tree, *sort),
            (Form::Node(p, forms), Tree::Node(q, args)) => {
                p == q && forms.iter().zip(args).all(|(f, a)| self.has_shape(a, f))
            }
            (Form::Int(n), Tree::Int(m)) => n == m,
            _ => false,
        }
    }

    /// Equality modulo the names of bound variables.
    fn same(&self, a: &Tree, b: &Tree, pairs: &mut Vec<(u32, u32)>) -> bool {
        match (a, b) {
            (Tree::Name(x), Tree::Name(y)) => match pairs.iter().rev().find(|(p, q)| p == x || q == y) {
                Some((p, q)) => p == x && q == y,
                None => x == y,
            },
            (Tree::Node(p, xs), Tree::Node(q, ys)) if p == q => {
                let production = self.lang.prod(*p);
                (0..xs.len()).all(|i| {
                    if production.is_binder(i) {
                        return true;
                    }
                    let before = pairs.len();
                    for binder in production.binders_over(i) {
                        if let (Tree::Name(x), Tree::Name(y)) = (&xs[binder.var], &ys[binder.var]) {
                            pairs.push((*x, *y));
                        }
                    }
                    let same = self.same(&xs[i], &ys[i], pairs);
                    pairs.truncate(before);
                    same
                })
            }
            (Tree::Map(xs), Tree::Map(ys)) => {
                xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|((p, a), (q, b))| {
                        p == q && a.iter().zip(b).all(|(a, b)| self.same(a, b, &mut Vec::new()))
                    })
            }
            _ => a == b,
        }
    }

    /// A tree with something in place of a free variable. Binders get new names, so that nothing is captured.
    fn replaced(&self, tree: &Tree, name: u32, by: &Tree) -> Tree {
        match tree {
            Tree::Name(n) if *n == name && matches!(by, Tree::Name(_)) => by.clone(),
            Tree::Node(prod, args) => {
                let production = self.lang.prod(*prod);
                if production.pieces.len() == 1
                    && args[..] == [Tree::Name(name)]
                    && matches!(by, Tree::Node(p, _) if self.lang.prod(*p).sort == production.sort)
                {
                    return by.clone();
                }
                let mut args = args.clone();
                for binder in &production.binders {
                    let fresh = self.new_name();
                    if let Tree::Name(old) = args[binder.var] {
                        for i in &binder.scope {
                            args[*i] = self.replaced_name(&args[*i], old, fresh);
                        }
                        args[binder.var] = Tree::Name(fresh);
                    }
                }
                let is_binder = |i: usize| production.is_binder(i);
                let args = args.iter().enumerate();
                Tree::Node(
                    *prod,
                    args.map(|(i, a)| if is_binder(i) { a.clone() } else { self.replaced(a, name, by) }).collect(),
                )
            }
            other => other.clone(),
        }
    }

    fn replaced_name(&self, tree: &Tree, old: u32, new: u32) -> Tree {
        match tree {
            Tree::Name(n) if *n == old => Tree::Name(new),
            // Names are bound once each, so none is shadowed.
            Tree::Node(prod, args) => Tree::Node(*prod, args.iter().map(|a| self.replaced_name(a, old, new)).collect()),
            other => other.clone(),
        }
    }

    fn unify(&self, a: &Tree, b: &Tree, unknowns: &mut Unknowns) -> bool {
        let (a, b) = (head(a, unknowns), head(b, unknowns));
        match (&a, &b) {
            (Tree::Unknown(u), Tree::Unknown(w)) if u == w => true,
            (Tree::Unknown(u), other) | (other, Tree::Unknown(u)) => {
                if occurs(*u, other, unknowns) {
                    return false;
                }
                unknowns[*u as usize] = Some(other.clone());
                true
            }
            (Tree::Node(p, xs), Tree::Node(q, ys)) if self.is_type(self.lang.prod(*p).sort) => {
                p == q && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y, unknowns))
            }
            (Tree::Map(xs), Tree::Map(ys)) => {
                xs.len() == ys.len()
                    && xs
                        .iter()
                        .zip(ys)
                        .all(|((p, a), (q, b))| p == q && a.iter().zip(b).all(|(a, b)| self.unify(a, b, unknowns)))
            }
            (a, b) => self.same(a, b, &mut Vec::new()),
        }
    }

    /// Builds a form. A type that nothing has said anything about becomes an unknown. None: undefined.
    fn build(
        &self,
        form: &Form,
        metas: &[Meta],
        row: &mut Row,
        unknowns: &mut Unknowns,
    ) -> Result<Option<Tree>, Stuck> {
        Ok(Some(match form {
            Form::Meta(m) => match &row[m.index()] {
                Some(tree) => tree.clone(),
                None if self.is_type(metas[m.index()].sort) => {
                    unknowns.push(None);
                    let tree = Tree::Unknown(unknowns.len() as u32 - 1);
                    row[m.index()] = Some(tree.clone());
                    tree
                }
                None => return Err(Stuck("something is not determined")),
            },
            Form::Int(n) => Tree::Int(*n),
            Form::Error => Tree::Error,
            Form::Node(prod, forms) => {
                let production = self.lang.prod(*prod);
                for binder in &production.binders {
                    if let Form::Meta(m) = forms[binder.var] {
                        row[m.index()].get_or_insert_with(|| Tree::Name(self.new_name()));
                    }
                }
                let mut args = Vec::new();
                for form in forms {
                    let Some(arg) = self.build(form, metas, row, unknowns)? else { return Ok(None) };
                    args.push(arg);
                }
                if args.contains(&Tree::Error) {
                    return Ok(Some(Tree::Error));
                }
                if self.lang.is_map(production.sort) {
                    let Some(Tree::Map(entries)) = args.first().cloned().or(Some(Tree::Map(Vec::new()))) else {
                        return Err(Stuck("no map"));
                    };
                    let mut entries = entries;
                    if args.len() > 1 {
                        entries.push((*prod, args[1..].to_vec()));
                    }
                    return Ok(Some(Tree::Map(entries)));
                }
                Tree::Node(*prod, args)
            }
            Form::Subst { body, pairs } => {
                let Some(mut body) = self.build(body, metas, row, unknowns)? else { return Ok(None) };
                for (by, var) in pairs {
                    let by = self.build(by, metas, row, unknowns)?;
                    let var = self.build(var, metas, row, unknowns)?;
                    let (Some(by), Some(Tree::Name(name))) = (by, var) else { return Ok(None) };
                    body = self.replaced(&body, name, &by);
                }
                body
            }
            Form::Call(fun, forms) => {
                let mut args = Vec::new();
                for form in forms {
                    let Some(arg) = self.build(form, metas, row, unknowns)? else { return Ok(None) };
                    args.push(arg);
                }
                return self.call(*fun, &args, 0);
            }
            _ => return Err(Stuck("another form")),
        }))
    }

    fn call(&self, fun: FunId, args: &[Tree], depth: u32) -> Result<Option<Tree>, Stuck> {
        if depth > DEEPEST {
            return Err(Stuck("a function goes deep"));
        }
        for equation in &self.lang.fun(fun).equations {
            if !equation.conditions.is_empty() {
                return Err(Stuck("a condition of an equation"));
            }
            let (mut row, mut unknowns) = (vec![None; equation.metas.len()], Vec::new());
            let mut later = Vec::new();
            let mut all = true;
            for (form, arg) in equation.left.iter().zip(args) {
                all = all && self.matches(form, arg, &equation.metas, &mut row, &mut unknowns, &mut later)?;
            }
            if all && later.is_empty() {
                return self.build(&equation.right, &equation.metas, &mut row, &mut unknowns);
            }
        }
        Ok(None)
    }

    /// Matches a form against a tree; what has to be computed is left for later.
    fn matches<'f>(
        &self,
        form: &'f Form,
        tree: &Tree,
        metas: &[Meta],
        row: &mut Row,
        unknowns: &mut Unknowns,
        later: &mut Vec<(&'f Form, Tree)>,
    ) -> Result<bool, Stuck> {
        let tree = head(tree, unknowns);
        Ok(match form {
            Form::Meta(m) => match row[m.index()].clone() {
                Some(known) => self.unify(&known, &tree, unknowns),
                None => {
                    let sort = metas[m.index()].sort;
                    let fits = match &tree {
                        Tree::Unknown(_) if self.lang.base(sort) == sort => true,
                        Tree::Unknown(_) => return Err(Stuck("a subset of types")),
                        Tree::Map(_) => self.lang.is_map(sort),
                        Tree::Error => self.is_program(sort),
                        tree => self.is_member(tree, sort),
                    };
                    row[m.index()] = Some(tree);
                    fits
                }
            },
            Form::Node(prod, forms) => match tree {
                Tree::Unknown(_) => {
                    let Some(built) = self.build(form, metas, row, unknowns)? else { return Ok(false) };
                    self.unify(&built, &tree, unknowns)
                }
                Tree::Map(entries) => match (entries.split_last(), &forms[..]) {
                    (None, []) => true,
                    (Some(((p, fields), rest)), [map, inner @ ..]) if p == prod => {
                        if !self.matches(map, &Tree::Map(rest.to_vec()), metas, row, unknowns, later)? {
                            return Ok(false);
                        }
                        for (form, field) in inner.iter().zip(fields) {
                            if !self.matches(form, field, metas, row, unknowns, later)? {
                                return Ok(false);
                            }
                        }
                        true
                    }
                    _ => false,
                },
                Tree::Node(p, mut args) if p == *prod => {
                    let production = self.lang.prod(p);
                    for binder in &production.binders {
                        let (Form::Meta(m), Tree::Name(old)) = (&forms[binder.var], &args[binder.var]) else {
                            return Err(Stuck("a binder"));
                        };
                        let (old, new) = (*old, self.new_name());
                        if row[m.index()].is_some() {
                            return Err(Stuck("a binder twice"));
                        }
                        row[m.index()] = Some(Tree::Name(new));
                        for i in &binder.scope {
                            args[*i] = self.replaced_name(&args[*i], old, new);
                        }
                    }
                    for (i, (form, arg)) in forms.iter().zip(&args).enumerate() {
                        if !production.is_binder(i) && !self.matches(form, arg, metas, row, unknowns, later)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                _ => false,
            },
            Form::Any(sort) => match &tree {
                Tree::Unknown(_) => true,
                Tree::Map(_) => true,
                tree => self.is_member(tree, *sort),
            },
            Form::Int(n) => tree == Tree::Int(*n),
            Form::Error => tree == Tree::Error,
            other => {
                later.push((other, tree));
                true
            }
        })
    }
}

/// Derivations.
impl Oracle<'_> {
    /// Every way to satisfy premises, the first that is ready first.
    fn solve(&self, premises: &[&Premise], metas: &[Meta], row: Row, unknowns: Unknowns, depth: u32) -> Ways<Row> {
        let Some(at) = premises.iter().position(|p| self.is_ready(p, metas, &row)) else {
            return if premises.is_empty() { Ok(vec![(row, unknowns)]) } else { Err(Stuck("no premise is ready")) };
        };
        let mut rest = premises.to_vec();
        let premise = rest.remove(at);
        let mut all = Vec::new();
        for (row, unknowns) in self.premise(premise, metas, row, unknowns, depth)? {
            all.extend(self.solve(&rest, metas, row, unknowns, depth)?);
        }
        Ok(all)
    }

    /// Whether the programs and maps of a form are known.
    fn is_known(&self, form: &Form, metas: &[Meta], row: &Row, own: &mut Vec<MetaId>) -> bool {
        match form {
            Form::Meta(m) => row[m.index()].is_some() || own.contains(m) || self.is_type(metas[m.index()].sort),
            Form::Node(prod, forms) => {
                let binders = self.lang.prod(*prod).binders.iter();
                own.extend(binders.filter_map(|b| if let Form::Meta(m) = forms[b.var] { Some(m) } else { None }));
                forms.iter().all(|f| self.is_known(f, metas, row, own))
            }
            other => {
                let mut all = true;
                other.each_child(&mut |child| all = all && self.is_known(child, metas, row, own));
                all
            }
        }
    }

    fn is_ready(&self, premise: &Premise, metas: &[Meta], row: &Row) -> bool {
        let known = |form: &Form| self.is_known(form, metas, row, &mut Vec::new());
        match premise {
            Premise::Judgment(j, forms) => {
                let judgment = self.lang.judgment(*j);
                if judgment.reduction.is_some() {
                    return known(&forms[0]);
                }
                let first = judgment.args.iter().position(|s| self.is_program(*s));
                let is_needed = |i: usize| Some(i) == first || self.lang.is_map(judgment.args[i]);
                (0..forms.len()).all(|i| !is_needed(i) || known(&forms[i]))
            }
            Premise::Equal { left, right, holds: true } => known(left) || known(right),
            Premise::Entry { env, .. } => known(env),
            other => {
                let mut all = true;
                other.each_form(&mut |f| all = all && known(f));
                all
            }
        }
    }

    fn premise(
        &self,
        premise: &Premise,
        metas: &[Meta],
        mut row: Row,
        mut unknowns: Unknowns,
        depth: u32,
    ) -> Ways<Row> {
        self.work.set(self.work.get() + 1);
        if depth > DEEPEST || self.work.get() > 3_000_000 {
            return Err(Stuck("derivations go deep"));
        }
        let mut all = Vec::new();
        let holds = match premise {
            Premise::Judgment(j, forms) => {
                let mut args = Vec::new();
                for form in forms {
                    args.push(match self.is_known(form, metas, &row, &mut Vec::new()) {
                        true => match self.build(form, metas, &mut row, &mut unknowns)? {
                            Some(arg) => Some(arg),
                            None => return Ok(all),
                        },
                        false => None,
                    });
                }
                for (results, mut unknowns) in self.judge(*j, &args, unknowns, depth + 1)? {
                    let mut row = row.clone();
                    let mut later = Vec::new();
                    let mut fits = true;
                    for ((form, arg), result) in forms.iter().zip(&args).zip(&results) {
                        fits = fits
                            && (arg.is_some()
                                || self.matches(form, result, metas, &mut row, &mut unknowns, &mut later)?);
                    }
                    if fits && self.settles(&later, metas, &mut row, &mut unknowns)? {
                        all.push((row, unknowns));
                    }
                }
                return Ok(all);
            }
            Premise::Entry { prod, key, fields, env } => {
                let Some(Tree::Map(entries)) = self.build(env, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                for (p, entry) in entries.iter().rev() {
                    let (mut row, mut unknowns, mut later) = (row.clone(), unknowns.clone(), Vec::new());
                    let mut fits = p == prod;
                    for (form, tree) in std::iter::once(key).chain(fields).zip(entry) {
                        fits = fits && self.matches(form, tree, metas, &mut row, &mut unknowns, &mut later)?;
                    }
                    if fits && later.is_empty() {
                        all.push((row, unknowns));
                    }
                }
                return Ok(all);
            }
            Premise::Equal { left, right, holds: true } => {
                let known = |form: &Form, row: &Row| self.is_known(form, metas, row, &mut Vec::new());
                let (from, to) = if known(left, &row) { (left, right) } else { (right, left) };
                let Some(tree) = self.build(from, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                let mut later = Vec::new();
                self.matches(to, &tree, metas, &mut row, &mut unknowns, &mut later)?
                    && self.settles(&later, metas, &mut row, &mut unknowns)?
            }
            Premise::Equal { left, right, holds: false } => {
                let (a, b) = (
                    self.build(left, metas, &mut row, &mut unknowns)?,
                    self.build(right, metas, &mut row, &mut unknowns)?,
                );
                let (Some(a), Some(b)) = (a, b) else { return Ok(all) };
                let (a, b) = (resolved(&a, &unknowns), resolved(&b, &unknowns));
                if has_unknown(&a) || has_unknown(&b) {
                    return Err(Stuck("an inequality of unknowns"));
                }
                !self.same(&a, &b, &mut Vec::new())
            }
            Premise::Is { form, sort, holds } => {
                let Some(tree) = self.build(form, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                self.is_member(&tree, *sort) == *holds
            }
            Premise::Steps(j, form) => {
                let Some(tree) = self.build(form, metas, &mut row, &mut unknowns)? else { return Ok(all) };
                !self.steps(*j, &tree, depth + 1)?.is_empty()
            }
            Premise::Not(inner) => {
                let found = self.premise(inner, metas, row.clone(), unknowns.clone(), depth + 1)?;
                found.is_empty()
            }
            _ => return Err(Stuck("another premise")),
        };
        if holds {
            all.push((row, unknowns));
        }
        Ok(all)
    }

    /// What was left to be computed is what it was matched against.
    fn settles(
        &self,
        later: &[(&Form, Tree)],
        metas: &[Meta],
        row: &mut Row,
        unknowns: &mut Unknowns,
    ) -> Result<bool, Stuck> {
        for (form, tree) in later {
            match self.build(form, metas, row, unknowns)? {
                Some(built) if self.unify(&built, tree, unknowns) => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn judge(&self, j: JudgId, args: &[Option<Tree>], unknowns: Unknowns, depth: u32) -> Ways<Vec<Tree>> {
        if self.lang.judgment(j).reduction.is_some() {
            let Some(before) = &args[0] else { return Err(Stuck("a step of nothing")) };
            let mut all = Vec::new();
            for after in self.steps(j, before, depth)? {
                if args[1].as_ref().is_none_or(|a| self.same(a, &after, &mut Vec::new())) {
                    all.push((vec![before.clone(), after], unknowns.clone()));
                }
            }
            return Ok(all);
        }
        let mut all = Vec::new();
        for (_, rule) in self.lang.rules_of(j) {
            let (mut row, mut own, mut later) = (vec![None; rule.metas.len()], unknowns.clone(), Vec::new());
            let mut fits = true;
            for (form, arg) in rule.conclusion.iter().zip(args) {
                if let Some(arg) = arg {
                    fits = fits && self.matches(form, arg, &rule.metas, &mut row, &mut own, &mut later)?;
                }
            }
            if !fits {
                continue;
            }
            let premises: Vec<&Premise> = rule.premises.iter().map(|l| &l.premise).collect();
            for (mut row, mut own) in self.solve(&premises, &rule.metas, row, own, depth)? {
                if !self.settles(&later, &rule.metas, &mut row, &mut own)? {
                    continue;
                }
                let mut results = Vec::new();
                for (form, arg) in rule.conclusion.iter().zip(args) {
                    results.push(match arg {
                        Some(arg) => Some(arg.clone()),
                        None => self.build(form, &rule.metas, &mut row, &mut own)?,
                    });
                }
                if let Some(results) = results.into_iter().collect() {
                    all.push((results, own));
                }
            }
        }
        Ok(all)
    }

    /// What a program steps to.
    fn steps(&self, j: JudgId, tree: &Tree, depth: u32) -> Result<Vec<Tree>, Stuck> {
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

    fn holes(
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

fn head(tree: &Tree, unknowns: &Unknowns) -> Tree {
    let mut tree = tree.clone();
    while let Tree::Unknown(u) = tree
        && let Some(known) = &unknowns[u as usize]
    {
        tree = known.clone();
    }
    tree
}

fn resolved(tree: &Tree, unknowns: &Unknowns) -> Tree {
    match head(tree, unknowns) {
        Tree::Node(prod, args) => Tree::Node(prod, args.iter().map(|a| resolved(a, unknowns)).collect()),
        other => other,
    }
}

fn has_unknown(tree: &Tree) -> bool {
    match tree {
        Tree::Unknown(_) => true,
        Tree::Node(_, args) => args.iter().any(has_unknown),
        _ => false,
    }
}

fn occurs(unknown: u32, tree: &Tree, unknowns: &Unknowns) -> bool {
    match head(tree, unknowns) {
        Tree::Unknown(u) => u == unknown,
        Tree::Node(_, args) => args.iter().any(|a| occurs(unknown, a, unknowns)),
        _ => false,
    }
}
