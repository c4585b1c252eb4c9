//! Exact model counting over the tree of slots: how many trees satisfy formulas, without looking at them one by one.
//!
//! In: formulas over the variables of one tree. Out: per vector of their values, how many trees give it. A tree is the choices made in
//! its slots, from the root down: a production, its finite fields, the binder of a variable. Once they are made, formulas about the
//! rest fall apart into parts about one subtree each; each subtree is counted per vector of the values of its parts, and the
//! vectors are put together. Results are kept by what is left of the formulas and the binders in scope, so that whatever was chosen above
//! in different ways to the same effect is counted once.
//!
//! Preserved: the sum over all vectors is the number of trees up to a size, modulo α; nothing is asked but the formulas. Shares
//! no code with the enumerator, nor with the solver. That a formula depends on a slot which its tree does not have is an error.

use crate::encoder::{BinderKey, Encoder};
use crate::shape::SlotId;
use crate::tables::is_finite;
use formula::{Graph, Lit, Node, NodeId};
use lang::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Vectors of values, each with the number of trees; sums stay at the largest number there is.
pub type Tally = Vec<(Vec<bool>, u64)>;

/// A slot as a tree of this sort, of at most this size; the binders in scope, the formulas.
type Key = (SlotId, SortId, u32, Vec<BinderKey>, Vec<Lit>);

pub struct Trees<'e, 'p, 'l> {
    encoder: &'e mut Encoder<'p, 'l>,
    /// The slot whose choice a variable belongs to.
    owners: FxHashMap<NodeId, SlotId>,
    /// Choices made above.
    made: FxHashMap<NodeId, bool>,
    known: FxHashMap<Key, Rc<Tally>>,
    notes: Notes,
}

/// Each field, variable or production that is possible, by variables that pick it.
type Ways = Vec<(usize, Vec<(NodeId, bool)>)>;

impl<'e, 'p, 'l> Trees<'e, 'p, 'l> {
    pub fn new(encoder: &'e mut Encoder<'p, 'l>) -> Trees<'e, 'p, 'l> {
        Trees {
            encoder,
            owners: FxHashMap::default(),
            made: FxHashMap::default(),
            known: FxHashMap::default(),
            notes: Notes::default(),
        }
    }

    /// Per formula, how many trees at a root satisfy it for some values of the variables that are not of the tree. It must be false of
    /// trees beyond this size: none of them is looked at.
    pub fn count(&mut self, root: SlotId, size: u32, formulas: &[Lit]) -> Result<Vec<u64>, String> {
        self.find_owners(root);
        let mut lits = formulas.to_vec();
        let cone = self.notes.cone(&self.encoder.graph, &lits);
        let others: Vec<NodeId> =
            cone.into_iter().filter(|n| is_var(&self.encoder.graph, *n) && !self.owners.contains_key(n)).collect();
        for var in others {
            let graph = &mut self.encoder.graph;
            let [no, yes] =
                [false, true].map(|value| self.notes.given(graph, &lits, &FxHashMap::from_iter([(var, value)])));
            lits = no.iter().zip(&yes).map(|(a, b)| graph.or(*a, *b)).collect();
        }
        let sort = self.encoder.shape.get(root).sorts[0];
        let tally = self.tally(root, sort, size, lits)?;
        let mut counts = vec![0u64; formulas.len()];
        for (values, n) in tally.iter() {
            for (count, _) in counts.iter_mut().zip(values).filter(|(_, value)| **value) {
                *count = count.saturating_add(*n);
            }
        }
        Ok(counts)
    }

    /// Variables of choices, parents before children: what occurs in a choice and belongs to no slot above is the slot's own.
    fn find_owners(&mut self, root: SlotId) {
        let encoder = &self.encoder;
        let mut of_slot: FxHashMap<SlotId, Vec<Lit>> = FxHashMap::default();
        for ((slot, _), kinds) in &encoder.kinds {
            of_slot.entry(*slot).or_default().extend(kinds.iter().map(|(_, l)| *l));
        }
        for ((slot, ..), (bits, _)) in &encoder.fields {
            of_slot.entry(*slot).or_default().extend(bits.iter());
        }
        for ((slot, ..), refs) in &encoder.refs {
            of_slot.entry(*slot).or_default().extend(refs.iter().map(|(_, l)| *l));
        }
        let mut slots: Vec<SlotId> = of_slot.keys().copied().filter(|s| encoder.shape.get(*s).root == root).collect();
        slots.sort();
        for slot in slots {
            for node in self.notes.cone(&encoder.graph, &of_slot[&slot]) {
                if is_var(&encoder.graph, node) {
                    self.owners.entry(node).or_insert(slot);
                }
            }
        }
    }

    fn tally(&mut self, slot: SlotId, sort: SortId, room: u32, formulas: Vec<Lit>) -> Result<Rc<Tally>, String> {
        let mut scope = Vec::new();
        for var in self.encoder.plan.grammar.vars.clone() {
            for (key, lit) in self.encoder.scope(slot, var).iter() {
                if self.notes.given(&mut self.encoder.graph, &[*lit], &self.made)[0] == Lit::TRUE {
                    scope.push(*key);
                }
            }
        }
        let key = (slot, sort, room, scope, formulas);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.encoder.is_late() {
            return Err("stopped".into());
        }
        let formulas = &key.4;
        let mut sums: FxHashMap<Vec<bool>, u64> = FxHashMap::default();
        let kinds = self.encoder.kinds(slot, sort);
        let lits: Vec<Lit> = kinds.iter().map(|(_, l)| *l).collect();
        for (kind, picked) in self.ways(slot, &lits)? {
            let prod = kinds[kind].0;
            let Some(spare) = room.checked_sub(self.encoder.plan.grammar.least_of[prod.index()]) else { continue };
            self.made.extend(picked.iter().copied());
            let formulas = self.notes.given(&mut self.encoder.graph, formulas, &picked.iter().copied().collect());
            self.fields(slot, prod, 0, spare, &formulas, &mut sums)?;
            self.forget(&picked);
        }
        let mut tally: Tally = sums.into_iter().collect();
        tally.sort();
        let tally = Rc::new(tally);
        self.known.insert(key, tally.clone());
        Ok(tally)
    }

    fn forget(&mut self, picked: &[(NodeId, bool)]) {
        for (var, _) in picked {
            self.made.remove(var);
        }
    }

    /// Which of these literals may be true, given what was chosen above, and how.
    fn ways(&mut self, slot: SlotId, lits: &[Lit]) -> Result<Ways, String> {
        let graph = &mut self.encoder.graph;
        let lits = self.notes.given(graph, lits, &self.made);
        let vars: Vec<NodeId> = self.notes.cone(graph, &lits).into_iter().filter(|n| is_var(graph, *n)).collect();
        let mut ways = Ways::new();
        for bits in 0..1u32 << vars.len() {
            let values: Vec<(NodeId, bool)> = vars.iter().enumerate().map(|(i, v)| (*v, bits >> i & 1 == 1)).collect();
            let now = self.notes.given(graph, &lits, &values.iter().copied().collect());
            let mut true_ones = (0..now.len()).filter(|i| now[*i] == Lit::TRUE);
            let (Some(one), None) = (true_ones.next(), true_ones.next()) else {
                return Err(format!("slot {slot:?} does not hold exactly one thing"));
            };
            if ways.iter().all(|(i, _)| *i != one) {
                ways.push((one, values));
            }
        }
        for (var, _) in ways.iter().flat_map(|(_, values)| values) {
            // Made by this very question.
            self.owners.entry(*var).or_insert(slot);
        }
        Ok(ways)
    }

    /// Chooses what a production has beside its subtrees, from an argument on; then goes down.
    fn fields(
        &mut self,
        slot: SlotId,
        prod: ProdId,
        from: usize,
        spare: u32,
        formulas: &[Lit],
        sums: &mut FxHashMap<Vec<bool>, u64>,
    ) -> Result<(), String> {
        let lang = self.encoder.lang;
        let production = lang.prod(prod);
        for arg in from..production.args.len() {
            let sort = production.args[arg];
            if production.is_binder(arg) || self.encoder.plan.grammar.position[prod.index()][arg].is_some() {
                continue;
            }
            let lits: Vec<Lit> = if lang.sort(sort).kind == SortKind::Var {
                self.encoder.slot_refs(slot, prod, arg).iter().map(|(_, l)| *l).collect()
            } else if is_finite(lang, sort) {
                self.encoder.slot_field(slot, prod, arg).1.to_vec()
            } else {
                return Err(format!("'{}' is not made of trees, variables and finite fields", production.text));
            };
            for (i, picked) in self.ways(slot, &lits)? {
                let Some(spare) = spare.checked_sub(self.beyond_least(sort, i)) else { continue };
                self.made.extend(picked.iter().copied());
                let formulas = self.notes.given(&mut self.encoder.graph, formulas, &picked.iter().copied().collect());
                self.fields(slot, prod, arg + 1, spare, &formulas, sums)?;
                self.forget(&picked);
            }
            return Ok(());
        }
        self.subtrees(slot, prod, spare, formulas, sums)
    }

    /// By how much a member of a finite sort is larger than the least.
    fn beyond_least(&self, sort: SortId, member: usize) -> u32 {
        let sizes = match is_finite(self.encoder.lang, sort) {
            true => &self.encoder.plan.finite.of(self.encoder.lang, sort).sizes[..],
            false => return 0,
        };
        sizes[member] - self.encoder.plan.grammar.least[sort.index()].min(sizes[member])
    }

    /// Counts each subtree by the parts of the formulas about it alone, and puts the results together.
    fn subtrees(
        &mut self,
        slot: SlotId,
        prod: ProdId,
        spare: u32,
        formulas: &[Lit],
        sums: &mut FxHashMap<Vec<bool>, u64>,
    ) -> Result<(), String> {
        let lang = self.encoder.lang;
        let mut kids = Vec::new();
        for (arg, position) in self.encoder.plan.grammar.position[prod.index()].clone().into_iter().enumerate() {
            let Some(position) = position else { continue };
            let kid = self.encoder.slot_kid(slot, position).ok_or("a production without room")?;
            kids.push((kid, lang.base(lang.prod(prod).args[arg])));
        }
        let (mut whole, parts) = self.split(slot, &kids, formulas)?;
        // What is left of the formulas, with the number of ways that led to it.
        let mut notes = Notes::default();
        let mut states: FxHashMap<Vec<Lit>, u64> = FxHashMap::from_iter([(whole.formulas.clone(), 1)]);
        for ((kid, sort), part) in kids.iter().zip(&parts) {
            let room = spare + self.encoder.plan.grammar.least[sort.index()];
            let tally = self.tally(*kid, *sort, room, part.iter().map(|(lit, _)| *lit).collect())?;
            let mut next: FxHashMap<Vec<Lit>, u64> = FxHashMap::default();
            for (state, n) in states {
                let support: FxHashSet<NodeId> = notes.cone(&whole.graph, &state).into_iter().collect();
                // Vectors that differ only in what does not matter any more go together.
                let mut relevant: FxHashMap<Vec<(NodeId, bool)>, u64> = FxHashMap::default();
                for (values, m) in tally.iter() {
                    let vector = part.iter().zip(values).map(|((_, var), value)| (*var, *value));
                    let sum = relevant.entry(vector.filter(|(var, _)| support.contains(var)).collect()).or_default();
                    *sum = sum.saturating_add(*m);
                }
                for (vector, m) in relevant {
                    let left = notes.given(&mut whole.graph, &state, &vector.into_iter().collect());
                    let sum = next.entry(left).or_default();
                    *sum = sum.saturating_add(n.saturating_mul(m));
                }
            }
            states = next;
        }
        for (state, n) in states {
            if !state.iter().all(|lit| lit.is_constant()) {
                return Err("a formula that depends on what is not in the tree".into());
            }
            let sum = sums.entry(state.iter().map(|lit| *lit == Lit::TRUE).collect()).or_default();
            *sum = sum.saturating_add(n);
        }
        Ok(())
    }

    /// The formulas over new variables that stand for their largest parts about one subtree; and per subtree these parts.
    fn split(
        &mut self,
        slot: SlotId,
        kids: &[(SlotId, SortId)],
        formulas: &[Lit],
    ) -> Result<(Whole, Vec<Parts>), String> {
        let graph = &self.encoder.graph;
        let nodes = self.notes.cone(graph, formulas);
        // Which subtree a node is about; None if several.
        let mut about: FxHashMap<NodeId, Option<usize>> = FxHashMap::default();
        for &node in &nodes {
            let of = match graph.node(node) {
                Node::And(a, b) => {
                    let [a, b] = [a, b].map(|lit| about[&lit.node()]);
                    if a == b { a } else { None }
                }
                _ => {
                    let owner = self.owners.get(&node).copied();
                    let kid = owner.and_then(|owner| self.child_towards(slot, owner));
                    let Some(kid) = kid.and_then(|kid| kids.iter().position(|(k, _)| *k == kid)) else {
                        return Err("a formula that depends on a slot that is not in the tree".into());
                    };
                    Some(kid)
                }
            };
            about.insert(node, of);
        }
        let mut whole = Whole { graph: Graph::new(), formulas: Vec::new() };
        let mut parts = vec![Parts::new(); kids.len()];
        let mut new: FxHashMap<NodeId, Lit> = FxHashMap::default();
        let mut image = |whole: &mut Graph, lit: Lit, new: &mut FxHashMap<NodeId, Lit>| {
            if lit.is_constant() {
                return lit;
            }
            let at = *new.entry(lit.node()).or_insert_with(|| {
                let var = whole.var();
                // Only nodes about one subtree are not there yet.
                let kid = about[&lit.node()].unwrap_or_default();
                parts[kid].push((Lit::new(lit.node(), true), var.node()));
                var
            });
            at.flip(lit.is_negated())
        };
        for &node in nodes.iter().filter(|n| about[n].is_none()) {
            if let Node::And(a, b) = graph.node(node) {
                let [a, b] = [a, b].map(|lit| image(&mut whole.graph, lit, &mut new));
                let both = whole.graph.and(a, b);
                new.insert(node, both);
            }
        }
        whole.formulas = formulas.iter().map(|lit| image(&mut whole.graph, *lit, &mut new)).collect();
        Ok((whole, parts))
    }

    /// The child of a slot that a slot below is in.
    fn child_towards(&self, slot: SlotId, mut below: SlotId) -> Option<SlotId> {
        while let Some((parent, _)) = self.encoder.shape.get(below).parent {
            if parent == slot {
                return Some(below);
            }
            below = parent;
        }
        None
    }
}

/// Formulas over stand-ins.
struct Whole {
    graph: Graph,
    formulas: Vec<Lit>,
}

/// Formulas about one subtree, each with its stand-in.
type Parts = Vec<(Lit, NodeId)>;

fn is_var(graph: &Graph, node: NodeId) -> bool {
    !matches!(graph.node(node), Node::And(..) | Node::True)
}

/// What is noted of nodes during one walk over a graph; the room is kept for the next one.
#[derive(Default)]
struct Notes {
    walk: u32,
    /// The walk that noted something of a node, and what: the formula it becomes.
    of: Vec<(u32, Lit)>,
}

impl Notes {
    fn begin(&mut self, graph: &Graph) {
        self.walk += 1;
        self.of.resize(self.of.len().max(graph.node_count()), (0, Lit::FALSE));
    }

    fn image(&self, lit: Lit) -> Option<Lit> {
        if lit.is_constant() {
            return Some(lit);
        }
        let (walk, image) = self.of[lit.node().index()];
        (walk == self.walk).then_some(image.flip(lit.is_negated()))
    }

    fn set(&mut self, node: NodeId, image: Lit) {
        self.of[node.index()] = (self.walk, image);
    }

    /// The nodes that formulas are made of, without the constant; operands before what they are operands of.
    fn cone(&mut self, graph: &Graph, lits: &[Lit]) -> Vec<NodeId> {
        self.begin(graph);
        let mut out = Vec::new();
        let mut stack: Vec<NodeId> = lits.iter().map(|l| l.node()).collect();
        while let Some(&node) = stack.last() {
            let before = stack.len();
            if self.image(Lit::new(node, true)).is_none() {
                if let Node::And(a, b) = graph.node(node) {
                    stack.extend([a, b].iter().filter(|l| self.image(**l).is_none()).map(|l| l.node()));
                }
                if stack.len() > before {
                    continue;
                }
                self.set(node, Lit::TRUE);
                out.push(node);
            }
            stack.pop();
        }
        out
    }

    /// The formulas for values of some variables.
    fn given(&mut self, graph: &mut Graph, lits: &[Lit], values: &FxHashMap<NodeId, bool>) -> Vec<Lit> {
        if values.is_empty() {
            return lits.to_vec();
        }
        self.begin(graph);
        let mut stack: Vec<NodeId> = Vec::new();
        for lit in lits {
            stack.push(lit.node());
            while let Some(&node) = stack.last() {
                if self.image(Lit::new(node, true)).is_some() {
                    stack.pop();
                    continue;
                }
                let now = match graph.node(node) {
                    Node::And(a, b) => match (self.image(a), self.image(b)) {
                        (Some(Lit::FALSE), _) | (_, Some(Lit::FALSE)) => Lit::FALSE,
                        (Some(x), Some(y)) if (x, y) == (a, b) => Lit::new(node, true),
                        (Some(x), Some(y)) => graph.and(x, y),
                        (None, _) => {
                            stack.push(a.node());
                            continue;
                        }
                        (_, None) => {
                            stack.push(b.node());
                            continue;
                        }
                    },
                    _ => values.get(&node).map_or(Lit::new(node, true), |value| Lit::constant(*value)),
                };
                self.set(node, now);
                stack.pop();
            }
        }
        lits.iter().map(|lit| self.image(*lit).unwrap_or(*lit)).collect()
    }
}
