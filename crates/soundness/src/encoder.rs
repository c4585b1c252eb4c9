//! The formulas over one arrangement of slots: what the other files of this folder add to, each one technique. Holds no solver.
//!
//! The encoding is *functional*: every assignment of the free variables denotes well-formed trees, environments and stores, so there
//! are no side conditions, and a query needs only the cone of the formulas it asks about.

use crate::plan::Plan;
use crate::shape::{Extent, Shape, SlotId};
use formula::{Graph, Lit};
use lang::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// One literal per member of a domain, or per tuple; of a value exactly one is true.
pub type Row = Rc<[Lit]>;

/// The productions of a slot, each with its literal.
pub type Kinds = Rc<Vec<(ProdId, Lit)>>;
/// The bits of a finite field, and the literals they spell.
pub type Field = (Rc<[Lit]>, Row);
/// Binders of two trees that stand for each other.
pub type BinderPairs = Vec<(BinderKey, BinderKey)>;

/// A tree: see `overlay`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OvId(pub u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    Tree(OvId),
    Fin(Row),
    Refs(Refs),
    Binder(BinderKey),
    Store(StoreId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ov {
    Slot(SlotId),
    New(ProdId, Rc<[Arg]>),
    Ite(Lit, OvId, OvId),
    /// With another subtree at a position: the spine above a redex.
    Repl(OvId, u8, OvId),
    /// `body[by/binder]`
    Sub {
        body: OvId,
        binder: BinderKey,
        by: OvId,
    },
    /// The same, of a node that is not that variable itself.
    Under {
        node: OvId,
        binder: BinderKey,
        by: OvId,
    },
    /// Stands for the body after substitution, by the substitution lemma.
    Lemma {
        body: OvId,
        pairs: Rc<[(BinderKey, OvId)]>,
    },
}

/// The variable of a binder, wherever it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderKey(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinderAt {
    Slot(SlotId, ProdId, usize),
    /// Made by a right side.
    New(u32),
    /// Free in the tree of a root: the so many-th, of this sort.
    Free(u32, SortId),
}

pub type Refs = Rc<[(BinderKey, Lit)]>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EnvId(pub u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EnvVal {
    /// The binders above; these have another entry than their annotation, or none.
    Pointer(Vec<(BinderKey, Option<Row>)>),
    /// Per key: whether it is in the domain, and its fields. `before` is this without what a step added, if it did.
    Array { entries: Rc<[(Lit, Row)]>, before: Option<EnvId> },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StoreId(pub u32);

/// The value of a store's entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stored {
    Tree(OvId),
    Fin(Row),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StoreVal {
    pub entries: Rc<[(Lit, Stored)]>,
}

/// What a metavariable stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum Val {
    Tree(OvId),
    Fin(Row),
    Refs(Refs),
    Binder(BinderKey),
    Env(EnvId),
    Store(StoreId),
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CtxId(pub u32);

pub struct Encoder<'p, 'l> {
    pub plan: &'p Plan<'l>,
    pub lang: &'l Lang,
    pub graph: Graph,
    pub shape: Shape,
    pub ovs: Vec<Ov>,
    pub ov_ids: FxHashMap<Ov, OvId>,
    pub binders: Vec<BinderAt>,
    pub binder_ids: FxHashMap<BinderAt, BinderKey>,
    pub envs: Vec<EnvVal>,
    pub env_ids: FxHashMap<EnvVal, EnvId>,
    pub ctxs: Vec<Vec<EnvId>>,
    pub ctx_ids: FxHashMap<Vec<EnvId>, CtxId>,
    pub stores: Vec<StoreVal>,
    pub(crate) kinds: FxHashMap<(SlotId, SortId), Kinds>,
    pub(crate) fields: FxHashMap<(SlotId, SortId, u8), Field>,
    pub(crate) scopes: FxHashMap<(SlotId, SortId), Refs>,
    pub(crate) refs: FxHashMap<(SlotId, ProdId, usize), Refs>,
    pub(crate) sizes: FxHashMap<(SlotId, SortId), Row>,
    pub(crate) cases: FxHashMap<OvId, Rc<Vec<(Lit, OvId)>>>,
    pub(crate) members: FxHashMap<(OvId, SortId), Lit>,
    pub(crate) rows: FxHashMap<(JudgId, OvId, CtxId), Row>,
    pub(crate) equal: FxHashMap<(OvId, OvId, BinderPairs), Lit>,
    /// Something was asked of a stand-in that it cannot answer: this attempt at a shortcut proves nothing.
    pub strained: bool,
    /// A form that cannot be evaluated here; the first one.
    pub not_carried: Option<crate::NotCarried>,
    pub(crate) new_binders: u32,
    /// Variables that are free in the tree of a root.
    pub(crate) free: FxHashMap<SlotId, Refs>,
    pub(crate) limits: sat::Limits,
    /// A limit was reached while formulas were built: they are of no use.
    pub stopped: bool,
    calls: u32,
    /// Nodes when time was last looked at, and steps since.
    seen_nodes: usize,
    steps: usize,
    /// More nodes are not built.
    pub most_nodes: usize,
}

/// A call counts as much as some nodes; time is looked at once in so many.
const STEPS_PER_CALL: usize = 16;
const STEPS_PER_LOOK: usize = 4096;
/// More nodes than that are no use to anybody.
const MOST_NODES: usize = 8_000_000;

impl<'p, 'l> Encoder<'p, 'l> {
    pub fn new(plan: &'p Plan<'l>, limits: &sat::Limits) -> Encoder<'p, 'l> {
        Encoder {
            plan,
            lang: plan.lang,
            graph: Graph::new(),
            shape: Shape::default(),
            ovs: Vec::new(),
            ov_ids: FxHashMap::default(),
            binders: Vec::new(),
            binder_ids: FxHashMap::default(),
            envs: Vec::new(),
            env_ids: FxHashMap::default(),
            ctxs: Vec::new(),
            ctx_ids: FxHashMap::default(),
            stores: Vec::new(),
            kinds: FxHashMap::default(),
            fields: FxHashMap::default(),
            scopes: FxHashMap::default(),
            refs: FxHashMap::default(),
            sizes: FxHashMap::default(),
            cases: FxHashMap::default(),
            members: FxHashMap::default(),
            rows: FxHashMap::default(),
            equal: FxHashMap::default(),
            strained: false,
            not_carried: None,
            new_binders: 0,
            free: FxHashMap::default(),
            limits: limits.clone(),
            stopped: false,
            calls: 0,
            seen_nodes: 0,
            steps: 0,
            most_nodes: MOST_NODES,
        }
    }

    /// Whether to go on building: there is time, and room.
    pub fn goes_on(&mut self) -> bool {
        self.calls += 1;
        if self.calls.is_multiple_of(256) && self.graph.node_count() > self.most_nodes {
            self.give_up("contexts or types multiply beyond what fits into memory", self.plan.check.span);
        }
        !self.is_late() && self.not_carried.is_none()
    }

    /// Whether there is no time left: what is built from now on is of no use. Asked wherever formulas are built by recursion, and answered
    /// by the clock every few thousand nodes. Nothing is concluded afterwards: a [`Query`](crate::query::Query) answers nothing any more, and
    /// [`check`](crate::check) says that it was stopped.
    pub fn is_late(&mut self) -> bool {
        let nodes = self.graph.node_count();
        self.steps += STEPS_PER_CALL + nodes - self.seen_nodes;
        self.seen_nodes = nodes;
        if self.steps >= STEPS_PER_LOOK {
            self.steps = 0;
            self.stopped |= self.limits.reached();
        }
        self.stopped
    }

    pub fn root(&mut self, sort: SortId, extent: Extent) -> SlotId {
        self.shape.root(&self.plan.grammar, self.lang.base(sort), extent)
    }

    pub fn binder(&mut self, at: BinderAt) -> BinderKey {
        let next = BinderKey(self.binders.len() as u32);
        let binders = &mut self.binders;
        *self.binder_ids.entry(at).or_insert_with(|| {
            binders.push(at);
            next
        })
    }

    pub fn env(&mut self, value: EnvVal) -> EnvId {
        if let Some(&id) = self.env_ids.get(&value) {
            return id;
        }
        let id = EnvId(self.envs.len() as u32);
        self.envs.push(value.clone());
        self.env_ids.insert(value, id);
        id
    }

    pub fn ctx(&mut self, envs: Vec<EnvId>) -> CtxId {
        if let Some(&id) = self.ctx_ids.get(&envs) {
            return id;
        }
        let id = CtxId(self.ctxs.len() as u32);
        self.ctxs.push(envs.clone());
        self.ctx_ids.insert(envs, id);
        id
    }

    pub fn store(&mut self, entries: Vec<(Lit, Stored)>) -> StoreId {
        let id = StoreId(self.stores.len() as u32);
        self.stores.push(StoreVal { entries: entries.into() });
        id
    }

    /// Says, once, that something is beyond this encoding.
    pub fn give_up(&mut self, reason: impl Into<String>, span: source::Span) {
        self.not_carried.get_or_insert_with(|| crate::NotCarried::new(reason, span));
    }

    /// Exactly one of `n` literals, freely: bits, and the literals they spell.
    pub fn choose(&mut self, n: usize) -> (Rc<[Lit]>, Row) {
        let bits: Vec<Lit> = (0..n.max(1).next_power_of_two().trailing_zeros()).map(|_| self.graph.var()).collect();
        let row = self.spell(&bits, n);
        (bits.into(), row)
    }

    /// The literals that bits spell: halves of the list by the first bit, and so on. Every assignment spells exactly one.
    pub fn spell(&mut self, bits: &[Lit], n: usize) -> Row {
        let mut out = vec![Lit::FALSE; n];
        let mut stack = vec![(0, n, 0, Lit::TRUE)];
        while let Some((from, to, level, path)) = stack.pop() {
            if to - from == 1 {
                out[from] = path;
            } else if to > from {
                let middle = from + (to - from).div_ceil(2);
                let (left, right) = (self.graph.and(path, !bits[level]), self.graph.and(path, bits[level]));
                stack.push((from, middle, level + 1, left));
                stack.push((middle, to, level + 1, right));
            }
        }
        out.into()
    }

    /// The row of a constant.
    pub fn constant(&self, value: usize, n: usize) -> Row {
        (0..n).map(|i| Lit::constant(i == value)).collect()
    }

    /// Whether two rows have a literal at the same place: of two rows with one literal each, whether they are equal.
    pub fn equal_rows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut any = Lit::FALSE;
        for (x, y) in a.iter().zip(b.iter()) {
            let both = self.graph.and(*x, *y);
            any = self.graph.or(any, both);
        }
        any
    }

    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.graph.or_all(lits)
    }
}
