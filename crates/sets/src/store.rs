//! Variables, terms and formulas: each distinct node is kept once.
//!
//! A handle means something only in the store that made it. Invariants: the children of a node have smaller handles than the node;
//! what is cached with a node (free variables, size, depth) is a function of the node.
//!
//! A store that is reported when to stop (`heed`) cuts simplification and substitution short from then on. What they return afterwards may not
//! mean what it should, so nothing is concluded from it: decisions are `Unknown`, and others ask `is_stopped`.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use work::{Clock, Stop};

/// A variable: a set, or a truth value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Set,
    Bool,
}

/// Handle of a set term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

/// Handle of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Formula(pub(crate) u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermNode {
    Empty,
    Var(Var),
    Union(Box<[Term]>),
    Inter(Box<[Term]>),
    Diff(Term, Term),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Compare {
    Equal,
    AtMost,
    AtLeast,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    True,
    False,
    Bool(Var),
    Equal(Term, Term),
    Subset(Term, Term),
    Card(Term, Compare, u32),
    /// Pairwise: a set listed twice is empty.
    Disjoint(Box<[Term]>),
    Not(Formula),
    And(Box<[Formula]>),
    Or(Box<[Formula]>),
    Implies(Formula, Formula),
    Iff(Formula, Formula),
    Exists(Box<[Var]>, Formula),
    Forall(Box<[Var]>, Formula),
}

/// The transformations of section 4; each can be switched off, to measure what it is worth (Table 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Constants folded, conjunctions and disjunctions flat and without repetition, unused quantifiers dropped.
    pub smart_constructors: bool,
    /// `(A & B) | (A & C)` is built as `A & (B | C)`.
    pub factoring: bool,
    /// `exists x. x = t & F` becomes `F[t/x]`.
    pub one_point: bool,
    /// Each quantifier gets the smallest scope.
    pub nesting: bool,
}

impl Options {
    pub fn all(on: bool) -> Options {
        Options { smart_constructors: on, factoring: on, one_point: on, nesting: on }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::all(true)
    }
}

/// Nodes, each kept once. Chained hashing over handles, so that a node's children are not stored twice.
struct Table<T> {
    nodes: Vec<T>,
    heads: FxHashMap<u64, u32>,
    /// The next node of the same hash, plus one.
    next: Vec<u32>,
}

impl<T: Hash + Eq> Table<T> {
    fn new() -> Table<T> {
        Table { nodes: Vec::new(), heads: FxHashMap::default(), next: Vec::new() }
    }

    /// The handle, and whether it is new.
    fn intern(&mut self, node: T) -> (u32, bool) {
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        let head = self.heads.entry(hasher.finish()).or_insert(0);
        let mut at = *head;
        while at != 0 {
            let index = at - 1;
            if self.nodes[index as usize] == node {
                return (index, false);
            }
            at = self.next[index as usize];
        }
        let index = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.nodes.push(node);
        self.next.push(*head);
        *head = index + 1;
        (index, true)
    }
}

struct Named {
    name: Box<str>,
    sort: Sort,
    /// The variable a hat was made for.
    base: Option<Var>,
    /// Hats made for this one.
    hats: u32,
}

/// What is known of a node; `free` is an index of `Store::var_sets`.
#[derive(Clone, Copy)]
struct Facts {
    free: u32,
    size: u64,
    depth: u32,
    quantified: bool,
}

pub struct Store {
    pub(crate) options: Options,
    vars: Vec<Named>,
    by_name: FxHashMap<(Box<str>, Sort), Var>,
    terms: Table<TermNode>,
    term_facts: Vec<Facts>,
    formulas: Table<Node>,
    facts: Vec<Facts>,
    var_sets: Table<Box<[Var]>>,
    clock: Clock,
    /// One pass of `simplify` over each formula it has seen.
    pub(crate) simplified: FxHashMap<Formula, Formula>,
}

impl Store {
    pub fn new(options: Options) -> Store {
        Store {
            options,
            vars: Vec::new(),
            by_name: FxHashMap::default(),
            terms: Table::new(),
            term_facts: Vec::new(),
            formulas: Table::new(),
            facts: Vec::new(),
            var_sets: Table::new(),
            clock: Clock::default(),
            simplified: FxHashMap::default(),
        }
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// From now on this says when to stop; a store that was stopped stays so.
    pub fn heed(&mut self, stop: &Stop) {
        if !self.clock.is_due() {
            self.clock = Clock::new(stop);
        }
    }

    /// Whether it was time to stop when it was last looked at: nothing may be concluded from what was built since.
    pub fn is_stopped(&self) -> bool {
        self.clock.is_due()
    }

    /// Counts some work; whether to stop.
    pub(crate) fn step(&mut self, work: usize) -> bool {
        self.clock.step(work)
    }

    pub(crate) fn stop(&self) -> &Stop {
        self.clock.stop()
    }

    /// The variable of this name and sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Var {
        match self.by_name.get(&(Box::from(name), sort)) {
            Some(&var) => var,
            None => self.add_variable(name.into(), sort, None),
        }
    }

    /// A hat: a variable nobody has used, of the same sort, printed as `^name3`.
    pub fn fresh(&mut self, like: Var) -> Var {
        let base = self.vars[like.0 as usize].base.unwrap_or(like);
        let sort = self.sort(like);
        loop {
            let named = &mut self.vars[base.0 as usize];
            named.hats += 1;
            let name: Box<str> = format!("^{}{}", named.name, named.hats).into();
            let is_taken = [Sort::Set, Sort::Bool].iter().any(|&s| self.by_name.contains_key(&(name.clone(), s)));
            if !is_taken {
                return self.add_variable(name, sort, Some(base));
            }
        }
    }

    fn add_variable(&mut self, name: Box<str>, sort: Sort, base: Option<Var>) -> Var {
        let var = Var(u32::try_from(self.vars.len()).expect("fewer than 2^32 variables"));
        self.vars.push(Named { name: name.clone(), sort, base, hats: 0 });
        self.by_name.insert((name, sort), var);
        var
    }

    pub fn name(&self, var: Var) -> &str {
        &self.vars[var.0 as usize].name
    }

    pub fn sort(&self, var: Var) -> Sort {
        self.vars[var.0 as usize].sort
    }

    pub fn node(&self, f: Formula) -> &Node {
        &self.formulas.nodes[f.0 as usize]
    }

    pub fn term(&self, t: Term) -> &TermNode {
        &self.terms.nodes[t.0 as usize]
    }

    /// Free variables, in order.
    pub fn free(&self, f: Formula) -> &[Var] {
        &self.var_sets.nodes[self.facts[f.0 as usize].free as usize]
    }

    /// Variables of a term, in order.
    pub fn term_free(&self, t: Term) -> &[Var] {
        &self.var_sets.nodes[self.term_facts[t.0 as usize].free as usize]
    }

    pub fn is_free(&self, var: Var, f: Formula) -> bool {
        self.free(f).binary_search(&var).is_ok()
    }

    /// Nodes of the formula written as a tree, terms included; what Table 2 counts. A quantifier is one node per variable.
    pub fn size(&self, f: Formula) -> u64 {
        self.facts[f.0 as usize].size
    }

    pub fn term_size(&self, t: Term) -> u64 {
        self.term_facts[t.0 as usize].size
    }

    pub fn has_quantifier(&self, f: Formula) -> bool {
        self.facts[f.0 as usize].quantified
    }

    /// The longest way down, terms included.
    pub(crate) fn depth(&self, f: Formula) -> u32 {
        self.facts[f.0 as usize].depth
    }

    /// Nodes that were made, for measurements.
    pub fn formula_count(&self) -> usize {
        self.formulas.nodes.len()
    }

    pub(crate) fn intern_term(&mut self, node: TermNode) -> Term {
        let (index, is_new) = self.terms.intern(node);
        if is_new {
            let facts = self.facts_of_term(index);
            self.term_facts.push(facts);
        }
        Term(index)
    }

    pub(crate) fn intern(&mut self, node: Node) -> Formula {
        let (index, is_new) = self.formulas.intern(node);
        if is_new {
            let facts = self.facts_of_formula(index);
            self.facts.push(facts);
        }
        Formula(index)
    }

    fn facts_of_term(&mut self, index: u32) -> Facts {
        let mut all = Gathered::new(self);
        match &self.terms.nodes[index as usize] {
            TermNode::Empty => {}
            TermNode::Var(var) => all.free.push(*var),
            TermNode::Union(parts) | TermNode::Inter(parts) => parts.iter().for_each(|&t| all.add_term(t)),
            TermNode::Diff(a, b) => [*a, *b].into_iter().for_each(|t| all.add_term(t)),
        }
        let Gathered { free, size, depth, .. } = all;
        self.facts_from(free, size, depth, false)
    }

    fn facts_of_formula(&mut self, index: u32) -> Facts {
        let mut all = Gathered::new(self);
        let mut quantified = false;
        match &self.formulas.nodes[index as usize] {
            Node::True | Node::False => {}
            Node::Bool(var) => all.free.push(*var),
            Node::Equal(a, b) | Node::Subset(a, b) => [*a, *b].into_iter().for_each(|t| all.add_term(t)),
            Node::Card(t, ..) => all.add_term(*t),
            Node::Disjoint(parts) => parts.iter().for_each(|&t| all.add_term(t)),
            Node::Not(f) => all.add(*f),
            Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|&f| all.add(f)),
            Node::Implies(a, b) | Node::Iff(a, b) => [*a, *b].into_iter().for_each(|f| all.add(f)),
            Node::Exists(vars, f) | Node::Forall(vars, f) => {
                all.add(*f);
                all.size = all.size.saturating_add(vars.len() as u64).saturating_sub(1);
                all.free.retain(|var| !vars.contains(var));
                quantified = true;
            }
        }
        let Gathered { free, size, depth, quantified: below, .. } = all;
        self.facts_from(free, size, depth, quantified || below)
    }

    fn facts_from(&mut self, mut free: Vec<Var>, size: u64, depth: u32, quantified: bool) -> Facts {
        self.clock.step(8 + free.len());
        free.sort_unstable();
        free.dedup();
        Facts { free: self.var_sets.intern(free.into()).0, size, depth, quantified }
    }
}

/// The facts of a node, while its children are visited.
struct Gathered<'a> {
    store: &'a Store,
    free: Vec<Var>,
    size: u64,
    depth: u32,
    quantified: bool,
}

impl<'a> Gathered<'a> {
    fn new(store: &'a Store) -> Gathered<'a> {
        Gathered { store, free: Vec::new(), size: 1, depth: 1, quantified: false }
    }

    fn add_facts(&mut self, facts: Facts) {
        self.free.extend_from_slice(&self.store.var_sets.nodes[facts.free as usize]);
        self.size = self.size.saturating_add(facts.size);
        self.depth = self.depth.max(facts.depth.saturating_add(1));
        self.quantified |= facts.quantified;
    }

    fn add_term(&mut self, t: Term) {
        self.add_facts(self.store.term_facts[t.0 as usize]);
    }

    fn add(&mut self, f: Formula) {
        self.add_facts(self.store.facts[f.0 as usize]);
    }
}
