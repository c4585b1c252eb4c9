//! The parts that execution and translation share: program, space, graph, heap and cache of one operation, and reading
//! and combining symbolic values.

use crate::cache::{Cache, Key};
use crate::calls::Nest;
use crate::chosen::Chosen;
use crate::heap::{Fresh, Heap, Place};
use crate::makers::Makers;
use crate::oracle::Stop;
use crate::places::SlotPlaces;
use crate::statements::Locals;
use crate::tails::OneCall;
use crate::value::{Boxes, Obj, RefId, RefStore, Refs, Sym};
use formula::{Graph, IntTy, Lit, TermId};
use ir::facts::Facts;
use ir::interp::identity_hash_of_box;
use ir::space::{Space, Statics};
use ir::{CACHED, ClassKind, FieldId, MethodId, Program, Ty, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// When to give up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Loop iterations and calls of one run.
    pub steps: u64,
    /// Nested calls of a run; beyond it, `StackOverflowError`.
    pub depth: u32,
    /// Nested calls or iterations of declarative code; what goes further cannot be verified.
    pub declarative_depth: u32,
    /// Nodes of formulas; translations that need more end.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000, depth: 2_000, declarative_depth: 4_096, nodes: 100_000_000 }
    }
}

/// A reference to no more objects than that is written out, object by object.
const WRITTEN_OUT: usize = 4;

/// Whether to end, asked by whoever takes long.
pub type Interrupted = Arc<dyn Fn() -> bool + Send + Sync>;

/// The first statements of an operation, as far as they decide nothing and change nothing that was there: they are run once.
#[derive(Clone)]
pub(crate) struct Prelude {
    pub statements: usize,
    pub locals: Locals,
    /// Objects that were met.
    pub met: FxHashSet<Obj>,
    /// Tests that were made.
    pub tests: u64,
    /// Statements that were reached, in methods that are called too.
    pub reached: Vec<source::Span>,
}

#[derive(Clone)]
pub struct Symbolic<'p> {
    pub program: &'p Program,
    pub space: Arc<Space>,
    pub graph: Graph,
    pub refs: RefStore,
    pub heap: Heap,
    pub cache: Cache,
    pub(crate) chosen: Arc<Chosen>,
    pub(crate) makers: Makers,
    pub(crate) methods: Facts,
    /// Bodies in which several calls are one, of methods that were asked for.
    pub(crate) one_call: FxHashMap<MethodId, Option<Arc<OneCall>>>,
    pub limits: Limits,
    /// What static fields hold before the operation.
    pub statics: Arc<Statics>,
    /// Slot of each instance field.
    pub(crate) field_slots: Vec<u32>,
    pub(crate) presence: FxHashMap<Obj, Lit>,
    pub(crate) slot_vars: Vec<Option<crate::initial::SlotVar>>,
    pub(crate) places: SlotPlaces,
    pub(crate) lengths: FxHashMap<Obj, TermId>,
    /// Grown edges by the object they may point to.
    pub(crate) grown_edges: FxHashMap<Obj, Vec<Place>>,
    pub(crate) depth: u32,
    /// Asked now and then by long translations: they end if it says so.
    pub interrupted: Option<Interrupted>,
    ticks: u32,
    /// How many fresh objects there were when the outermost declarative call began.
    pub(crate) made_before: usize,
    /// And when the one that is being translated did: later ones are its own.
    pub(crate) own: usize,
    /// Guards of the declarative method that is being translated, taken as known.
    pub(crate) guards: Vec<(Lit, formula::Mark)>,
    /// Those of the callers.
    pub(crate) outer_guards: Vec<Lit>,
    /// Whether what is being translated holds under those only: a call that they rule out was left.
    pub(crate) is_guarded: bool,
    /// Declarative methods that are being translated.
    pub(crate) nests: FxHashMap<ir::MethodId, Nest>,
    /// Those of them whose recursion was cut off in what is being translated.
    pub(crate) cut: FxHashSet<ir::MethodId>,
    /// Calls that are being translated of methods that make objects, with arguments that were there before the outermost one.
    pub(crate) making: FxHashSet<Key>,
    /// Whether one of these was cut off within itself: what is being translated is right within it only.
    pub(crate) is_within_itself: bool,
    /// In how many ways the arguments of a method can be chosen, with how many objects made before.
    pub(crate) ways: FxHashMap<ir::MethodId, (usize, u64)>,
    /// Whether anything ever was.
    pub(crate) has_cut: bool,
    /// Where declarative code was cut off by a limit: states that go further count as invalid though they may not be.
    pub(crate) beyond: Option<source::Span>,
    pub null: RefId,
    pub(crate) strings: Vec<Obj>,
    /// Where the paths begin: what is known there holds in all states.
    pub(crate) ground: Option<formula::Mark>,
    /// What every run does first.
    pub(crate) prelude: Option<Prelude>,
    /// Statements that the present run reached, noted if there is one.
    pub reached: Option<ir::lines::Reached>,
}

impl<'p> Symbolic<'p> {
    pub fn new(program: &'p Program, space: &Arc<Space>, statics: &Arc<Statics>, limits: Limits) -> Symbolic<'p> {
        let mut refs = RefStore::default();
        let null = refs.single(Obj::NULL);
        let mut field_slots = vec![0; program.fields.len()];
        for class in 0..program.classes.len() as u32 {
            for (slot, field) in program.instance_fields(ir::ClassId(class)).into_iter().enumerate() {
                field_slots[field.index()] = slot as u32;
            }
        }
        let (places, forest) = SlotPlaces::new(space);
        let mut graph = Graph::new();
        graph.set_forest(forest);
        let mut symbolic = Symbolic {
            program,
            space: space.clone(),
            graph,
            refs,
            heap: Heap::new(space.objects.len()),
            cache: Cache::default(),
            chosen: Arc::default(),
            makers: Makers::default(),
            methods: Facts::new(program),
            one_call: FxHashMap::default(),
            limits,
            statics: statics.clone(),
            field_slots,
            presence: FxHashMap::default(),
            slot_vars: vec![None; space.slots.len()],
            places,
            lengths: FxHashMap::default(),
            grown_edges: FxHashMap::default(),
            depth: 0,
            interrupted: None,
            ticks: 0,
            made_before: 0,
            own: 0,
            guards: Vec::new(),
            outer_guards: Vec::new(),
            is_guarded: false,
            nests: FxHashMap::default(),
            making: FxHashSet::default(),
            is_within_itself: false,
            cut: FxHashSet::default(),
            ways: FxHashMap::default(),
            has_cut: false,
            beyond: None,
            null,
            strings: statics.strings.iter().map(|o| Obj(o.0)).collect(),
            ground: None,
            prelude: None,
            reached: None,
        };
        symbolic.collect_grown_edges();
        symbolic
    }

    /// Paths begin here, with what is settled.
    pub fn begin(&mut self) {
        self.ground = Some(self.graph.mark());
    }

    /// The first statements of the operation are done: if they did the same for all states, every run may begin after them.
    pub(crate) fn keep_prelude(
        &mut self,
        statements: usize,
        locals: &Locals,
        met: &FxHashSet<Obj>,
        tests: u64,
    ) -> bool {
        let is_kept = self.ground == Some(self.graph.mark()) && self.heap.is_initial() && self.cache.is_whole();
        if is_kept {
            self.keep();
            let reached = self.reached.as_ref().map_or(Vec::new(), |r| r.so_far().to_vec());
            self.prelude = Some(Prelude { statements, locals: locals.clone(), met: met.clone(), tests, reached });
        }
        is_kept
    }

    /// What was translated so far, and the objects made for it, stay for all runs.
    pub fn keep(&mut self) {
        self.heap.keep();
        self.keep_chosen();
        self.cache.keep();
        self.makers.keep();
    }

    /// Back to the initial heap, for the next run.
    pub fn reset(&mut self) {
        self.heap.reset();
        self.cache.reset();
        self.makers.reset();
        if let Some(reached) = &mut self.reached {
            reached.reopen();
        }
        self.guards.clear();
        self.outer_guards.clear();
        self.is_guarded = false;
        self.nests.clear();
        self.making.clear();
        self.is_within_itself = false;
        // Other objects will have their numbers.
        self.ways.clear();
        self.cut.clear();
        self.depth = 0;
    }

    /// A step of a translation, of what is there.
    pub(crate) fn tick(&mut self, span: source::Span) -> Result<(), Stop> {
        const BETWEEN: u32 = 64;
        self.ticks = self.ticks.wrapping_add(1);
        if self.graph.node_count() > self.limits.nodes {
            let large = format!("declarative code whose formula has more than {} nodes", self.limits.nodes);
            return Err(Stop::unsupported_at(span, &large));
        }
        if self.ticks.is_multiple_of(BETWEEN) && self.interrupted.as_ref().is_some_and(|interrupted| interrupted()) {
            return Err(Stop::Interrupted);
        }
        Ok(())
    }

    /// An object of the space: the heap's first objects have its numbers.
    pub fn obj(&self, id: ir::ObjId) -> Obj {
        Obj(id.0)
    }

    /// What must be said instead of "verified" if declarative code was cut off.
    pub fn cut_off(&self) -> Option<Stop> {
        let deep = format!(
            "declarative code that goes more than {} calls or iterations deep (a number that may run past the end does: `i >= size` \
             ends there, `i == size` does not)",
            self.limits.declarative_depth
        );
        self.beyond.map(|span| Stop::unsupported_at(span, &deep))
    }

    pub fn ty_of(&self, obj: Obj) -> Ty {
        if self.heap.is_fresh(obj) { self.heap.fresh(obj.now()).ty } else { self.space.objects[obj.index()].ty }
    }

    pub fn single(&mut self, obj: Obj) -> Sym {
        Sym::Ref(self.refs.single(obj))
    }

    pub fn string(&mut self, id: ir::StringId) -> Sym {
        let obj = self.strings[id.index()];
        self.single(obj)
    }

    pub fn value(&mut self, value: Value) -> Sym {
        match value {
            Value::Bool(b) => Sym::Bool(Lit::constant(b)),
            Value::Int(i) => Sym::Int(self.graph.constant(i)),
            Value::Null => Sym::Ref(self.null),
            Value::Obj(o) => self.single(Obj(o.0)),
        }
    }

    pub fn default_of(&mut self, ty: Ty) -> Sym {
        self.value(ir::heap::default_value(ty))
    }

    pub fn allocate(&mut self, ty: Ty, slots: Vec<Sym>) -> Obj {
        let length = self.graph.constant(slots.len() as i64);
        self.heap.allocate(Fresh { ty, slots, length, maker: None })
    }

    /// A new object of a class with default values.
    pub fn allocate_object(&mut self, class: ir::ClassId) -> Obj {
        let fields = self.program.instance_fields(class);
        let slots = fields.iter().map(|&f| self.default_of(self.program.field(f).ty)).collect();
        self.allocate(Ty::Class(class), slots)
    }

    /// The alternatives of a reference that are still possible, given what is known.
    pub fn alternatives(&mut self, id: RefId) -> Vec<(Obj, Lit)> {
        match self.refs.get(id).clone() {
            Refs::Guarded(list) => {
                if list.len() == 1 {
                    return list;
                }
                let mut possible = Vec::with_capacity(list.len());
                for (obj, guard) in list {
                    match self.graph.value(guard) {
                        Some(true) => return vec![(obj, Lit::TRUE)],
                        Some(false) => {}
                        None => possible.push((obj, guard)),
                    }
                }
                if let [(obj, _)] = possible[..] {
                    return vec![(obj, Lit::TRUE)];
                }
                possible
            }
            Refs::Choice { index, table } => self.expand_choice(index, table),
        }
    }

    fn expand_choice(&mut self, index: TermId, table: u32) -> Vec<(Obj, Lit)> {
        let index = self.graph.narrow(index);
        let (lo, hi) = self.graph.bounds(index);
        let mut list: Vec<(Obj, Lit)> = Vec::new();
        let mut some = Lit::FALSE;
        for i in lo..=hi {
            let obj = self.refs.chosen(table, i);
            if obj == Obj::NULL {
                continue;
            }
            let (chosen, present) = (self.graph.eq_constant(index, i), self.present(obj));
            match self.graph.and(chosen, present) {
                Lit::TRUE => return vec![(obj, Lit::TRUE)],
                Lit::FALSE => {}
                guard => {
                    list.push((obj, guard));
                    some = self.graph.or(some, guard);
                }
            }
        }
        if some != Lit::TRUE {
            list.push((Obj::NULL, !some));
        }
        list.sort_unstable_by_key(|(o, _)| *o);
        if let [(obj, _)] = list[..] {
            return vec![(obj, Lit::TRUE)];
        }
        list
    }

    /// The one object a reference is known to be.
    pub fn known_object(&mut self, id: RefId) -> Option<Obj> {
        if let Some(obj) = self.refs.only(id) {
            return Some(obj);
        }
        if let Refs::Choice { index, table } = *self.refs.get(id) {
            let index = self.graph.narrow(index);
            let obj = self.refs.chosen(table, self.graph.as_constant(index)?);
            if obj != Obj::NULL {
                let present = self.present(obj);
                return match self.graph.value(present) {
                    Some(true) => Some(obj),
                    Some(false) => Some(Obj::NULL),
                    None => None,
                };
            }
            return Some(obj);
        }
        match self.alternatives(id)[..] {
            [(obj, _)] => Some(obj),
            _ => None,
        }
    }

    /// A value with what is known put in, so that equal calls have equal keys.
    pub fn narrow(&mut self, value: Sym) -> Sym {
        match value {
            Sym::Bool(lit) => Sym::Bool(self.graph.known(lit)),
            Sym::Int(term) => {
                let term = self.graph.narrow(term);
                match self.graph.as_constant(term) {
                    Some(c) => Sym::Int(self.graph.constant(c)),
                    None => Sym::Int(term),
                }
            }
            Sym::Ref(id) => match *self.refs.get(id) {
                Refs::Guarded(ref list) if list.len() == 1 => value,
                Refs::Choice { index, table } => match self.known_object(id) {
                    Some(obj) => self.single(obj),
                    None => {
                        let index = self.graph.narrow(index);
                        Sym::Ref(self.refs.intern(Refs::Choice { index, table }))
                    }
                },
                Refs::Guarded(_) => {
                    let list = self.alternatives(id);
                    Sym::Ref(self.refs.intern(Refs::Guarded(list)))
                }
            },
        }
    }

    /// Whether a reference is a given object.
    pub fn is_object(&mut self, id: RefId, obj: Obj) -> Lit {
        if let Some(only) = self.refs.only(id) {
            return Lit::constant(only == obj);
        }
        if let Refs::Choice { index, table } = *self.refs.get(id)
            && (obj != Obj::NULL || self.refs.tables[table as usize].is_exact)
        {
            let Some(place) = self.refs.place(table, obj) else { return Lit::FALSE };
            let (chosen, present) = (self.graph.eq_constant(index, place), self.present(obj));
            return self.graph.and(chosen, present);
        }
        let list = self.alternatives(id);
        list.iter().find(|(o, _)| *o == obj).map_or(Lit::FALSE, |(_, guard)| *guard)
    }

    pub fn is_null(&mut self, id: RefId) -> Lit {
        self.is_object(id, Obj::NULL)
    }

    /// RD-EQUALS; boxes compare as Java's caches make them.
    pub fn same(&mut self, a: RefId, b: RefId) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(obj) = self.known_object(x)
                && !self.is_box(obj)
            {
                return self.is_object(y, obj);
            }
        }
        // Of few objects propagation sees more if each is asked for.
        const FEW: usize = 8;
        if let Some((i, j, table)) = self.indices(a, b)
            && self.refs.tables[table as usize].objects.len() > FEW
        {
            return self.graph.eq(i, j);
        }
        let (left, right) = (self.alternatives(a), self.alternatives(b));
        let mut any = Lit::FALSE;
        for &(x, c) in &left {
            for &(y, d) in &right {
                let equal = if x == y { Lit::TRUE } else { self.equal_boxes(x, y) };
                if equal == Lit::FALSE {
                    continue;
                }
                let both = self.graph.and(c, d);
                let both = self.graph.and(both, equal);
                any = self.graph.or(any, both);
            }
        }
        any
    }

    /// Two references as indices of one [exact](Table::is_exact) table, so that they are combined and compared as integers are.
    fn indices(&mut self, a: RefId, b: RefId) -> Option<(TermId, TermId, u32)> {
        let table = [a, b].into_iter().find_map(|id| match *self.refs.get(id) {
            Refs::Choice { table, .. } if self.refs.tables[table as usize].is_exact => Some(table),
            _ => None,
        })?;
        Some((self.index(a, table)?, self.index(b, table)?, table))
    }

    fn index(&mut self, id: RefId, table: u32) -> Option<TermId> {
        match *self.refs.get(id) {
            Refs::Choice { index, table: other } => (table == other).then_some(index),
            Refs::Guarded(ref list) if list.len() > WRITTEN_OUT => None,
            Refs::Guarded(ref list) => {
                let mut rest = list.clone().into_iter();
                let (obj, _) = rest.next()?;
                let first = self.index_of(obj, table)?;
                rest.try_fold(first, |index, (obj, guard)| {
                    let here = self.index_of(obj, table)?;
                    Some(self.graph.int_ite(guard, here, index))
                })
            }
        }
    }

    fn index_of(&mut self, obj: Obj, table: u32) -> Option<TermId> {
        match self.refs.place(table, obj) {
            Some(place) => Some(self.graph.constant(place)),
            None => self.index_of_box(obj, table),
        }
    }

    /// Of a box that a run made: the one in the table that it is the same as.
    fn index_of_box(&mut self, obj: Obj, table: u32) -> Option<TermId> {
        let (true, Ty::Class(class)) = (self.is_box(obj), self.ty_of(obj)) else { return None };
        let Sym::Int(value) = self.read_slot(obj, 0) else { return None };
        let (lo, hi) = self.graph.linear_bounds(&self.graph.linear_of(value)?);
        let bounds = (i64::try_from(lo).ok()?, i64::try_from(hi).ok()?);
        let boxes = self.refs.tables[table as usize].boxes_within(class, bounds)?;
        let shift = boxes.first - boxes.value;
        self.graph.shifted(value, shift)
    }

    /// The number in the box at an index of an exact table; where there is no box, one that is in none. None if there are no boxes.
    pub(crate) fn unboxed(&mut self, index: TermId, table: u32, class: ir::ClassId) -> Option<TermId> {
        let all = &self.refs.tables[table as usize].boxes;
        let boxes: Vec<Boxes> = all.iter().filter(|b| b.class == class).cloned().collect();
        let most = boxes.iter().map(|b| b.value + (b.last - b.first)).max()?;
        let none = self.graph.constant(most.checked_add(1)?);
        self.unboxed_leaves(index, &boxes, none, &mut FxHashMap::default())
    }

    fn unboxed_leaves(
        &mut self,
        index: TermId,
        boxes: &[Boxes],
        none: TermId,
        made: &mut FxHashMap<TermId, TermId>,
    ) -> Option<TermId> {
        let index = self.graph.narrow(index);
        if let Some(&value) = made.get(&index) {
            return Some(value);
        }
        let value = if let formula::Term::Ite(c, x, y) = self.graph.term(index) {
            let x = self.unboxed_leaves(x, boxes, none, made)?;
            let y = self.unboxed_leaves(y, boxes, none, made)?;
            self.graph.int_ite(c, x, y)
        } else {
            let (lo, hi) = self.graph.bounds(index);
            let mut value = None;
            for b in boxes.iter().rev().filter(|b| b.first <= hi && lo <= b.last) {
                let here = match b.first == b.last {
                    true => self.graph.constant(b.value),
                    false => self.graph.shifted(index, b.value - b.first)?,
                };
                value = Some(match value {
                    None => here,
                    Some(above) => {
                        let is_here = self.graph.at_most(index, b.last);
                        self.graph.int_ite(is_here, here, above)
                    }
                });
            }
            value.unwrap_or(none)
        };
        made.insert(index, value);
        Some(value)
    }

    pub(crate) fn is_box(&self, obj: Obj) -> bool {
        obj != Obj::NULL && matches!(self.ty_of(obj), Ty::Class(c) if self.program.class(c).kind == ClassKind::Box)
    }

    fn equal_boxes(&mut self, x: Obj, y: Obj) -> Lit {
        if !self.is_box(x) || !self.is_box(y) || self.ty_of(x) != self.ty_of(y) {
            return Lit::FALSE;
        }
        match (self.read_slot(x, 0), self.read_slot(y, 0)) {
            (Sym::Int(a), Sym::Int(b)) => {
                let equal = self.graph.eq(a, b);
                let cached = self.is_cached(a);
                self.graph.and(equal, cached)
            }
            (Sym::Bool(a), Sym::Bool(b)) => self.graph.iff(a, b),
            _ => Lit::FALSE,
        }
    }

    /// Whether Java keeps one box of this number.
    fn is_cached(&mut self, number: TermId) -> Lit {
        let (low, high) = (self.graph.constant(*CACHED.start()), self.graph.constant(*CACHED.end()));
        let (above, below) = (self.graph.le(low, number), self.graph.le(number, high));
        self.graph.and(above, below)
    }

    /// What `System.identityHashCode` returns: the same for boxes that are `==`.
    pub(crate) fn identity_hash(&mut self, obj: Obj) -> Sym {
        let own = self.graph.constant(if obj == Obj::NULL { 0 } else { obj.index() as i64 });
        let class = match self.is_box(obj).then(|| self.ty_of(obj)) {
            Some(Ty::Class(class)) => class,
            _ => return Sym::Int(own),
        };
        let hash_of = |value: i64| identity_hash_of_box(class, value).unwrap_or(0);
        match self.read_slot(obj, 0) {
            Sym::Bool(value) => {
                let (yes, no) = (self.graph.constant(hash_of(1)), self.graph.constant(hash_of(0)));
                Sym::Int(self.graph.int_ite(value, yes, no))
            }
            Sym::Int(value) => {
                let cached = self.is_cached(value);
                let base = self.graph.constant(hash_of(0));
                let of_value = self.graph.add(IntTy::I32, value, base);
                Sym::Int(self.graph.int_ite(cached, of_value, own))
            }
            Sym::Ref(_) => Sym::Int(own),
        }
    }

    /// (c, !c) -> (a, b)
    pub fn ite(&mut self, c: Lit, a: Sym, b: Sym) -> Sym {
        let c = self.graph.known(c);
        if c == Lit::TRUE || a == b {
            return a;
        }
        if c == Lit::FALSE {
            return b;
        }
        match (a, b) {
            (Sym::Bool(x), Sym::Bool(y)) => Sym::Bool(self.graph.ite(c, x, y)),
            (Sym::Int(x), Sym::Int(y)) => Sym::Int(self.graph.int_ite(c, x, y)),
            (Sym::Ref(x), Sym::Ref(y)) => {
                if let Some((i, j, table)) = self.indices(x, y) {
                    let index = self.graph.int_ite(c, i, j);
                    return Sym::Ref(self.refs.intern(Refs::Choice { index, table }));
                }
                let (left, right) = (self.alternatives(x), self.alternatives(y));
                let mut merged: Vec<(Obj, Lit)> = Vec::with_capacity(left.len() + right.len());
                let (mut i, mut j) = (0, 0);
                while i < left.len() || j < right.len() {
                    let (obj, g, h) = match (left.get(i), right.get(j)) {
                        (Some(&(o, g)), Some(&(p, h))) if o == p => (o, g, h),
                        (Some(&(o, g)), Some(&(p, _))) if o < p => (o, g, Lit::FALSE),
                        (_, Some(&(p, h))) => (p, Lit::FALSE, h),
                        (Some(&(o, g)), None) => (o, g, Lit::FALSE),
                        (None, None) => break,
                    };
                    i += usize::from(left.get(i).is_some_and(|e| e.0 == obj));
                    j += usize::from(right.get(j).is_some_and(|e| e.0 == obj));
                    let guard = self.graph.ite(c, g, h);
                    if guard != Lit::FALSE {
                        merged.push((obj, guard));
                    }
                }
                Sym::Ref(self.refs.intern(Refs::Guarded(merged)))
            }
            // Types agree in a well-formed program; a garbage value under a false guard may be of either.
            _ => a,
        }
    }

    /// Selects by conditions that exclude each other; the last needs none.
    pub fn select(&mut self, parts: Vec<(Lit, Sym)>) -> Option<Sym> {
        let mut parts = parts.into_iter().rev();
        let (_, mut value) = parts.next()?;
        for (guard, part) in parts {
            value = self.ite(guard, part, value);
        }
        Some(value)
    }

    /// The value of a slot of one object, recorded as read.
    pub fn read_slot(&mut self, obj: Obj, slot: u32) -> Sym {
        let place = Place::Slot(obj.now(), slot);
        if self.heap.is_fresh(obj) {
            self.cache.read(place);
            return self.heap.fresh(obj.now()).slots[slot as usize];
        }
        if obj.is_before() {
            let value = self.initial_value(place);
            return self.as_before(value);
        }
        self.cache.read(place);
        match self.heap.writes.get(&place) {
            Some(&value) => value,
            None => self.initial_value(place),
        }
    }

    /// References read from the pre-state lead into the pre-state, but for what is shared (docs/java.md, "The state before").
    pub(crate) fn as_before(&mut self, value: Sym) -> Sym {
        let Sym::Ref(id) = value else { return value };
        if let Refs::Choice { table, .. } = *self.refs.get(id) {
            let table = &self.refs.tables[table as usize];
            if table.is_exact && !table.objects.iter().any(|&obj| self.is_copied(obj)) {
                return value;
            }
        }
        let list = self.alternatives(id);
        let before = |(o, g): (Obj, Lit)| (if self.is_copied(o) { o.before() } else { o }, g);
        let mut list: Vec<(Obj, Lit)> = list.into_iter().map(before).collect();
        list.sort_unstable_by_key(|(o, _)| *o);
        Sym::Ref(self.refs.intern(Refs::Guarded(list)))
    }

    /// Whether a pre-state has its own copy of an object.
    pub fn is_copied(&self, obj: Obj) -> bool {
        if obj == Obj::NULL || obj.index() < self.space.statics {
            return false;
        }
        match self.ty_of(obj) {
            Ty::Array(_) => true,
            Ty::Class(c) => self.program.class(c).is_input && self.program.class(c).kind == ClassKind::Class,
            _ => false,
        }
    }

    pub fn read_static(&mut self, field: FieldId) -> Sym {
        let place = Place::Static(field);
        self.cache.read(place);
        match self.heap.writes.get(&place) {
            Some(&value) => value,
            None => match self.statics.fields.get(&field) {
                Some(&value) => self.value(value),
                None => self.default_of(self.program.field(field).ty),
            },
        }
    }

    pub fn write(&mut self, place: Place, value: Sym) {
        self.cache.invalidate(place);
        self.heap.write(place, value);
    }

    pub fn length(&mut self, array: Obj) -> TermId {
        if self.heap.is_fresh(array) {
            return self.heap.fresh(array.now()).length;
        }
        self.initial_length(array.now())
    }
}
