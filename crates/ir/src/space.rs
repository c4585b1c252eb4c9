//! The space of states within the bounds (dissertation, 2.2): which objects a state may hold and what each of their slots
//! may contain. Both engines start from it; they share nothing else.
//!
//! What goes in: a program, what is checked, n, and the objects that static initialisers made. What comes out: one
//! [`Space`] per operation, whose elements are all assignments of a value of its domain to every slot and argument. An
//! element is a state if the tree property and the invariant hold. JAVA.md, "What a state is", points 1 to 4.

use crate::heap::default_value;
use crate::program::*;
use crate::task::{Checked, Operation, OperationKind};
use crate::value::{Location, ObjId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

/// How many opaque objects stand for `Object`.
pub const OPAQUE_OBJECTS: usize = 8;

/// A place where a tree edge, an owned array or an owned box may hang an object, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SlotId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// Each tree has n places of its own, laid out as a complete tree in breadth-first order.
    #[default]
    Complete,
    /// Every tree of at most n objects.
    Any,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    Fixed(Value),
    Bool,
    Int {
        lo: i64,
        hi: i64,
    },
    /// Null, or any of these that the state holds.
    Ref {
        nullable: bool,
        objects: Vec<ObjId>,
    },
    /// Null, or the one of these that is at the slot.
    Slot {
        slot: SlotId,
        nullable: bool,
        objects: Vec<ObjId>,
    },
    /// A tree edge of [`Shape::Any`]: null, or one of these, none of which any other tree edge points to.
    Grow {
        nullable: bool,
        objects: Vec<ObjId>,
    },
}

/// How an object comes to be in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// Static objects, the checked object, pools: always there, part of the state if something reaches them.
    Always,
    /// If the slot holds it.
    AtSlot(SlotId),
    /// If a tree edge of [`Shape::Any`] points to it.
    Grown,
}

#[derive(Clone, Debug)]
pub struct SpaceObject {
    pub ty: Ty,
    pub presence: Presence,
    /// Of a class: its instance fields. Of an array: its elements up to the greatest length.
    pub slots: Vec<Domain>,
    /// Of an array.
    pub length: (i64, i64),
    /// Where it stands in a tree: which tree, which place.
    pub place: Option<(u32, u32)>,
    /// Any renaming among objects of one class with this set gives the same state (dissertation, 2.8).
    pub interchangeable: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// What it may hold: at most one per class.
    pub objects: Vec<ObjId>,
    /// The edges that lead to it; one of their objects is present if the slot is not empty. None: an argument.
    pub owners: Vec<Location>,
}

#[derive(Clone, Debug)]
pub struct Space {
    pub n: i64,
    pub shape: Shape,
    pub objects: Vec<SpaceObject>,
    /// The first objects are those of the static initialisers, with fixed values.
    pub statics: usize,
    /// The checked object; a constructor has none before it runs.
    pub main: Option<ObjId>,
    pub arguments: Vec<Domain>,
    pub slots: Vec<Slot>,
    /// Sets of slots of which at most so many hold something.
    pub budgets: Vec<(i64, Vec<SlotId>)>,
    /// How many trees, of how many places, with what fan-out: for the report.
    pub trees: Vec<Tree>,
}

#[derive(Clone, Debug)]
pub struct Tree {
    pub field: FieldId,
    pub places: u32,
    pub fan_out: u32,
}

impl Tree {
    /// The greatest height of a complete tree with so many places.
    pub fn height(&self) -> u32 {
        let (mut height, mut last, mut level) = (0, 0u64, 1u64);
        while last < self.places.into() {
            height += 1;
            last += level;
            level = level.saturating_mul(self.fan_out.into());
        }
        height
    }
}

/// What the static initialisers left: the first objects of every state.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    pub objects: Vec<StaticObject>,
    pub fields: FxHashMap<FieldId, Value>,
    /// The object of each string constant.
    pub strings: Vec<ObjId>,
}

/// One element of a space.
#[derive(Clone, PartialEq, Debug)]
pub struct Concrete {
    /// By object of the space; the length of an array is the number of its values.
    pub objects: Vec<Vec<Value>>,
    pub arguments: Vec<Value>,
}

/// A static object as the initialisers left it.
#[derive(Clone, Debug)]
pub struct StaticObject {
    pub ty: Ty,
    pub values: Vec<Value>,
}

impl Space {
    pub fn new(
        program: &Program,
        checked: &Checked,
        operation: &Operation,
        n: i64,
        shape: Shape,
        statics: &[StaticObject],
    ) -> Result<Space, Diagnostic> {
        let classes = state_classes(program, checked.class, operation);
        let mut builder = Builder {
            program,
            space: Space {
                n,
                shape,
                objects: Vec::new(),
                statics: statics.len(),
                main: None,
                arguments: Vec::new(),
                slots: Vec::new(),
                budgets: Vec::new(),
                trees: Vec::new(),
            },
            recursive: classes.iter().copied().filter(|&c| tree_classes(program, c).contains(&c)).collect(),
            pools: FxHashMap::default(),
            pending: Vec::new(),
            opaque: FxHashMap::default(),
            tree_classes: classes.iter().flat_map(|&c| tree_targets(program, c)).collect(),
        };
        for object in statics {
            let slots: Vec<Domain> = object.values.iter().map(|&v| Domain::Fixed(v)).collect();
            let length = slots.len() as i64;
            builder.add(SpaceObject {
                ty: object.ty,
                presence: Presence::Always,
                slots,
                length: (length, length),
                place: None,
                interchangeable: false,
            });
        }
        if operation.kind == OperationKind::Method {
            // Known before it is filled: it is the outer instance of what it reaches.
            builder.space.main = Some(ObjId(statics.len() as u32));
            builder.object(checked.class, Presence::Always)?;
        }
        for parameter in &program.method(operation.method).parameters {
            let span = program.method(operation.method).name_span;
            let argument = builder.space.arguments.len();
            builder.space.arguments.push(Domain::Bool);
            builder.domain(Target::Argument(argument), parameter.ty, &parameter.bound, 0, span)?;
        }
        builder.finish()
    }

    pub fn object(&self, id: ObjId) -> &SpaceObject {
        &self.objects[id.index()]
    }

    /// The decimal logarithm of the number of elements of the space: what the bounds alone span.
    pub fn log10_size(&self) -> f64 {
        let size = |domain: &Domain| match domain {
            Domain::Fixed(_) => 1.0,
            Domain::Bool => 2.0,
            Domain::Int { lo, hi } => (hi - lo + 1) as f64,
            Domain::Ref { nullable, objects } | Domain::Grow { nullable, objects } => {
                (objects.len() + usize::from(*nullable)) as f64
            }
            Domain::Slot { .. } => 1.0,
        };
        let in_objects: f64 = self.objects.iter().flat_map(|o| &o.slots).map(|d| size(d).max(1.0).log10()).sum();
        let lengths: f64 = self.objects.iter().map(|o| ((o.length.1 - o.length.0 + 1).max(1) as f64).log10()).sum();
        let in_arguments: f64 = self.arguments.iter().map(|d| size(d).max(1.0).log10()).sum();
        let at_slots: f64 = self.slots.iter().map(|s| ((s.objects.len() + 1) as f64).log10()).sum();
        in_objects + lengths + in_arguments + at_slots
    }
}

/// Where a domain goes.
#[derive(Clone, Copy)]
enum Target {
    At(Location),
    Argument(usize),
}

struct Builder<'a> {
    program: &'a Program,
    space: Space,
    /// Classes on a cycle of tree fields.
    recursive: FxHashSet<ClassId>,
    /// Classes that some tree field reaches.
    tree_classes: FxHashSet<ClassId>,
    pools: FxHashMap<ClassId, Vec<ObjId>>,
    /// References whose candidates are known only when all objects are.
    pending: Vec<(Target, Vec<ClassId>, bool)>,
    opaque: FxHashMap<ClassId, Vec<ObjId>>,
}

impl Builder<'_> {
    fn add(&mut self, object: SpaceObject) -> ObjId {
        let id = ObjId(self.space.objects.len() as u32);
        self.space.objects.push(object);
        id
    }

    fn bare(&mut self, ty: Ty, presence: Presence) -> ObjId {
        self.add(SpaceObject { ty, presence, slots: Vec::new(), length: (0, 0), place: None, interchangeable: false })
    }

    fn set(&mut self, target: Target, domain: Domain) {
        match target {
            Target::At(at) => self.space.objects[at.object.index()].slots[at.slot as usize] = domain,
            Target::Argument(i) => self.space.arguments[i] = domain,
        }
    }

    /// An object of a class outside trees, with all its fields.
    fn object(&mut self, class: ClassId, presence: Presence) -> Result<ObjId, Diagnostic> {
        let id = self.bare(Ty::Class(class), presence);
        self.fill(id, class, |_, _| None)?;
        Ok(id)
    }

    /// Gives an object its fields; `edge` may take over the tree fields.
    fn fill(
        &mut self,
        id: ObjId,
        class: ClassId,
        edge: impl Fn(&Builder<'_>, u32) -> Option<Domain>,
    ) -> Result<(), Diagnostic> {
        let fields = self.program.instance_fields(class);
        self.space.objects[id.index()].slots = vec![Domain::Bool; fields.len()];
        let mut edges = 0;
        for (slot, &field_id) in fields.iter().enumerate() {
            let field = self.program.field(field_id);
            let target = Target::At(Location { object: id, slot: slot as u32 });
            if field.is_synthetic {
                match self.space.main.filter(|&main| self.program.is_subtype(self.space.object(main).ty, field.ty)) {
                    Some(main) => self.set(target, Domain::Fixed(Value::Obj(main))),
                    // Never null, whatever it is.
                    None => {
                        let bound = Bound { non_null: true, ..Bound::default() };
                        self.domain(target, field.ty, &bound, 0, field.span)?;
                    }
                }
                continue;
            }
            if field.bound.tree && matches!(field.ty, Ty::Class(_)) {
                let number = edges;
                edges += 1;
                if let Some(domain) = edge(self, number) {
                    self.set(target, domain);
                    continue;
                }
                self.tree(target, field_id)?;
                continue;
            }
            self.domain(target, field.ty, &field.bound, 0, field.span)?;
        }
        Ok(())
    }

    fn range(&self, range: &RangeExpr) -> Result<(i64, i64), Diagnostic> {
        match (range.lo.eval(self.space.n), range.hi.eval(self.space.n)) {
            (Some(lo), Some(hi)) if lo <= hi => Ok((lo, hi)),
            (Some(lo), Some(hi)) => Err(Diagnostic::error(
                "empty-bound",
                range.span,
                format!("the bound is empty at size {}: from {lo} to {hi}", self.space.n),
            )
            .label("nothing lies in this range")
            .help("choose another --size, or a range that holds something at every size")),
            _ => Err(Diagnostic::error(
                "bad-bound",
                range.span,
                format!("the bound has no value at size {}", self.space.n),
            )
            .label("division by zero or overflow here")),
        }
    }

    /// The domain of a field, parameter or element, and all it owns.
    fn domain(&mut self, target: Target, ty: Ty, bound: &Bound, depth: usize, span: Span) -> Result<(), Diagnostic> {
        let nullable = !bound.non_null;
        match ty {
            Ty::Bool => self.set(target, Domain::Bool),
            Ty::Byte | Ty::Short | Ty::Char | Ty::Int | Ty::Long => {
                let (lo, hi) = self.int_range(ty, bound)?;
                self.set(target, Domain::Int { lo, hi });
            }
            Ty::Array(array) => self.array(target, array, bound, depth, span)?,
            Ty::Class(class) => self.reference(target, class, bound, nullable, span)?,
            Ty::Null | Ty::Void => self.set(target, Domain::Fixed(Value::Null)),
        }
        Ok(())
    }

    fn int_range(&self, ty: Ty, bound: &Bound) -> Result<(i64, i64), Diagnostic> {
        let (least, most) = ty.range();
        let Some(range) = &bound.range else { return Ok((0, (self.space.n - 1).clamp(0, most))) };
        let (lo, hi) = self.range(range)?;
        if lo < least || hi > most {
            return Err(Diagnostic::error(
                "bad-bound",
                range.span,
                format!("the bound {lo}..{hi} does not fit into {}", self.program.ty_name(ty)),
            ));
        }
        Ok((lo, hi))
    }

    /// An array of its own: each array has one owner.
    fn array(
        &mut self,
        target: Target,
        array: ArrayId,
        bound: &Bound,
        depth: usize,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let element = self.program.element_ty(array);
        let (lo, hi) = match bound.lengths.get(depth) {
            Some(range) => self.range(range)?,
            None => (0, self.space.n),
        };
        if lo < 0 || hi > 1 << 20 {
            return Err(Diagnostic::error("bad-bound", span, format!("an array cannot have {lo}..{hi} elements")));
        }
        let slot = self.slot(target);
        let id = self.bare(Ty::Array(array), Presence::AtSlot(slot));
        self.space.slots[slot.0 as usize].objects.push(id);
        self.space.objects[id.index()].length = (lo, hi);
        self.space.objects[id.index()].slots = vec![Domain::Bool; hi as usize];
        // Only at the outermost level may an array of a @NonNull field not be null.
        let nullable = !(bound.non_null && depth == 0);
        self.set(target, Domain::Slot { slot, nullable, objects: vec![id] });
        let is_edge = bound.tree && matches!(element, Ty::Class(_));
        if is_edge
            && self.space.shape == Shape::Any
            && let Ty::Class(class) = element
            && let classes = self.fitting(class, bound)
            && classes.iter().any(|c| self.recursive.contains(c))
        {
            // All trees of the array grow from the same n objects.
            let ranks = self.any_ranks(&classes)?;
            for i in 0..hi as u32 {
                let domain = self.grow(&ranks, &classes, true);
                self.set(Target::At(Location { object: id, slot: i }), domain);
            }
            return Ok(());
        }
        let first_slot = self.space.slots.len();
        // @NonNull speaks of the array, not of its elements.
        let inner = Bound { non_null: false, ..bound.clone() };
        for i in 0..hi as u32 {
            let element_target = Target::At(Location { object: id, slot: i });
            if is_edge {
                let Ty::Class(class) = element else { continue };
                self.tree_of(element_target, class, &inner, span)?;
            } else {
                self.domain(element_target, element, &inner, depth + 1, span)?;
            }
        }
        if is_edge {
            let slots: Vec<SlotId> = (first_slot..self.space.slots.len()).map(|s| SlotId(s as u32)).collect();
            self.space.budgets.push((self.space.n, slots));
        }
        Ok(())
    }

    fn slot(&mut self, owner: Target) -> SlotId {
        let owners = match owner {
            Target::At(at) => vec![at],
            Target::Argument(_) => Vec::new(),
        };
        self.space.slots.push(Slot { objects: Vec::new(), owners });
        SlotId(self.space.slots.len() as u32 - 1)
    }

    /// The concrete classes that may stand at a field or parameter.
    fn fitting(&self, class: ClassId, bound: &Bound) -> Vec<ClassId> {
        match &bound.one_of {
            Some(classes) => {
                let mut all: Vec<ClassId> = Vec::new();
                for &c in classes {
                    all.extend(self.program.concrete_subclasses(c));
                }
                all.dedup();
                all
            }
            None => self.program.state_subclasses(class).collect(),
        }
    }

    fn reference(
        &mut self,
        target: Target,
        class: ClassId,
        bound: &Bound,
        nullable: bool,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let known = &self.program.known;
        let info = self.program.class(class);
        if bound.one_of.is_none() && (class == known.object || class == known.string) {
            let objects = self.opaque_objects(class);
            self.set(target, Domain::Ref { nullable, objects });
            return Ok(());
        }
        if info.kind == ClassKind::Enum {
            let objects = self.enum_constants(class);
            self.set(target, Domain::Ref { nullable, objects });
            return Ok(());
        }
        let mut classes = self.fitting(class, bound);
        if classes.is_empty() && info.name == "Comparable" {
            // Any order will do: integers in boxes.
            classes.extend(
                (0..self.program.classes.len() as u32)
                    .map(ClassId)
                    .filter(|&c| self.program.class(c).name == "Integer"),
            );
        }
        if info.kind == ClassKind::Box {
            classes = vec![class];
        }
        if let [only] = classes[..]
            && self.program.class(only).kind == ClassKind::Box
        {
            return self.boxed(target, only, bound, nullable);
        }
        if classes.is_empty() {
            return Err(Diagnostic::error(
                "no-implementation",
                span,
                format!("nothing can stand here: no class among the inputs implements {}", info.name),
            )
            .label(format!("needs objects of {}", info.name))
            .help("give the file of an implementation too, or say @OneOf({Some.class})"));
        }
        for &c in &classes {
            self.pool(c)?;
        }
        self.pending.push((target, classes, nullable));
        Ok(())
    }

    /// A box of its own: `==` on boxes compares small values, so nothing is lost by not sharing them.
    fn boxed(&mut self, target: Target, class: ClassId, bound: &Bound, nullable: bool) -> Result<(), Diagnostic> {
        let slot = self.slot(target);
        let id = self.bare(Ty::Class(class), Presence::AtSlot(slot));
        self.space.slots[slot.0 as usize].objects.push(id);
        let fields = self.program.instance_fields(class);
        let mut domains = Vec::new();
        for field in fields {
            let ty = self.program.field(field).ty;
            domains.push(match ty {
                Ty::Bool => Domain::Bool,
                _ => {
                    let (lo, hi) = self.int_range(ty, bound)?;
                    Domain::Int { lo, hi }
                }
            });
        }
        self.space.objects[id.index()].slots = domains;
        self.set(target, Domain::Slot { slot, nullable, objects: vec![id] });
        Ok(())
    }

    fn opaque_objects(&mut self, class: ClassId) -> Vec<ObjId> {
        if let Some(objects) = self.opaque.get(&class) {
            return objects.clone();
        }
        let mut objects = Vec::new();
        for _ in 0..OPAQUE_OBJECTS {
            let id = self.bare(Ty::Class(class), Presence::Always);
            let fields = self.program.instance_fields(class);
            self.space.objects[id.index()].slots =
                fields.iter().map(|&f| Domain::Fixed(default_value(self.program.field(f).ty))).collect();
            self.space.objects[id.index()].interchangeable = true;
            objects.push(id);
        }
        if class == self.program.known.string {
            // Any text that the program knows; the others differ from all of them.
            objects.extend((0..self.program.strings.len() as u32).map(ObjId));
        }
        self.opaque.insert(class, objects.clone());
        objects
    }

    /// The constants, as the static initialisers made them.
    fn enum_constants(&self, class: ClassId) -> Vec<ObjId> {
        (0..self.space.statics as u32)
            .map(ObjId)
            .filter(|&o| match self.space.object(o).ty {
                Ty::Class(c) => self.program.is_subclass(c, class),
                _ => false,
            })
            .collect()
    }

    /// n objects of a class that no tree field reaches (or as many as `@Max` says).
    fn pool(&mut self, class: ClassId) -> Result<(), Diagnostic> {
        if self.pools.contains_key(&class) || self.tree_classes.contains(&class) {
            return Ok(());
        }
        let max = self.program.class(class).max.as_ref().map_or(Some(self.space.n), |m| m.eval(self.space.n));
        let max = max.filter(|m| (0..=1 << 16).contains(m)).ok_or_else(|| {
            Diagnostic::error("bad-bound", self.program.class(class).span, "@Max has no sensible value at this size")
        })?;
        // The checked object is one of its class.
        let is_main = self.space.main.is_some_and(|m| self.space.object(m).ty == Ty::Class(class));
        let count = if is_main { max - 1 } else { max };
        let mut objects = Vec::new();
        for _ in 0..count {
            let id = self.bare(Ty::Class(class), Presence::Always);
            self.space.objects[id.index()].interchangeable = true;
            objects.push(id);
        }
        self.pools.insert(class, objects.clone());
        for id in objects {
            self.fill(id, class, |_, _| None)?;
        }
        Ok(())
    }

    /// A tree edge from an object outside the recursive classes.
    fn tree(&mut self, target: Target, field: FieldId) -> Result<(), Diagnostic> {
        let field = self.program.field(field);
        let Ty::Class(class) = field.ty else { return Ok(()) };
        self.tree_of(target, class, &field.bound, field.span)
    }

    fn tree_of(&mut self, target: Target, class: ClassId, bound: &Bound, span: Span) -> Result<(), Diagnostic> {
        let classes = self.fitting(class, bound);
        if classes.is_empty() {
            return Err(Diagnostic::error(
                "no-implementation",
                span,
                format!("no class among the inputs can be a {}", self.program.class(class).name),
            ));
        }
        let nullable = !bound.non_null;
        if classes.iter().any(|c| self.recursive.contains(c)) {
            return match self.space.shape {
                Shape::Complete => self.complete_tree(target, &classes, nullable),
                Shape::Any => self.any_tree(target, &classes, nullable),
            };
        }
        let slot = self.slot(target);
        let mut objects = Vec::new();
        for class in classes {
            let id = self.object(class, Presence::AtSlot(slot))?;
            objects.push(id);
        }
        self.space.slots[slot.0 as usize].objects.clone_from(&objects);
        self.set(target, Domain::Slot { slot, nullable, objects });
        Ok(())
    }

    /// Every class that a tree starting with these may hold.
    fn group(&self, classes: &[ClassId]) -> Vec<ClassId> {
        let mut group: Vec<ClassId> = classes.to_vec();
        let mut next = 0;
        while next < group.len() {
            for field in self.program.instance_fields(group[next]) {
                let field = self.program.field(field);
                if let (true, Ty::Class(target)) = (field.bound.tree, field.ty) {
                    for c in self.fitting(target, &field.bound) {
                        if self.recursive.contains(&c) && !group.contains(&c) {
                            group.push(c);
                        }
                    }
                }
            }
            next += 1;
        }
        group
    }

    fn tree_fields(&self, class: ClassId) -> Vec<FieldId> {
        let is_edge =
            |f: &FieldId| self.program.field(*f).bound.tree && matches!(self.program.field(*f).ty, Ty::Class(_));
        self.program.instance_fields(class).into_iter().filter(is_edge).collect()
    }

    /// n places in breadth-first order: field j of place p leads to place p*k + j + 1.
    fn complete_tree(&mut self, target: Target, roots: &[ClassId], nullable: bool) -> Result<(), Diagnostic> {
        let group = self.group(roots);
        let fan_out = group.iter().map(|&c| self.tree_fields(c).len()).max().unwrap_or(0).max(1);
        let places = usize::try_from(self.space.n).unwrap_or(0);
        let tree = self.space.trees.len() as u32;
        let field = match target {
            Target::At(at) => match self.space.object(at.object).ty {
                Ty::Class(class) => self.program.instance_fields(class)[at.slot as usize],
                _ => FieldId(0),
            },
            Target::Argument(_) => FieldId(0),
        };
        self.space.trees.push(Tree { field, places: places as u32, fan_out: fan_out as u32 });
        if places == 0 {
            self.set(target, Domain::Fixed(Value::Null));
            return Ok(());
        }
        let slots: Vec<SlotId> = (0..places)
            .map(|_| {
                self.space.slots.push(Slot::default());
                SlotId(self.space.slots.len() as u32 - 1)
            })
            .collect();
        for (place, &slot) in slots.iter().enumerate() {
            for &class in &group {
                let id = self.bare(Ty::Class(class), Presence::AtSlot(slot));
                self.space.objects[id.index()].place = Some((tree, place as u32));
                self.space.slots[slot.0 as usize].objects.push(id);
            }
        }
        for (place, &slot) in slots.iter().enumerate() {
            for (which, &class) in group.iter().enumerate() {
                let id = self.space.slots[slot.0 as usize].objects[which];
                let fields = self.tree_fields(class);
                let all_fields = self.program.instance_fields(class);
                let mut owners = Vec::new();
                let edges: Vec<Domain> = (fields.iter().enumerate())
                    .map(|(j, &field)| {
                        let child = place * fan_out + j + 1;
                        let Some(&child) = slots.get(child) else { return Domain::Fixed(Value::Null) };
                        let field_slot = all_fields.iter().position(|&f| f == field).unwrap_or(0);
                        owners.push((child, Location { object: id, slot: field_slot as u32 }));
                        self.edge(child, field)
                    })
                    .collect();
                for (child, at) in owners {
                    self.space.slots[child.0 as usize].owners.push(at);
                }
                self.fill(id, class, |_, number| edges.get(number as usize).cloned())?;
            }
        }
        if let Target::At(at) = target {
            self.space.slots[slots[0].0 as usize].owners.push(at);
        }
        let objects = self.space.slots[slots[0].0 as usize].objects.clone();
        let fits = |o: &ObjId| matches!(self.space.object(*o).ty, Ty::Class(c) if roots.contains(&c));
        let objects = objects.into_iter().filter(fits).collect();
        self.set(target, Domain::Slot { slot: slots[0], nullable, objects });
        Ok(())
    }

    fn edge(&self, slot: SlotId, field: FieldId) -> Domain {
        let field = self.program.field(field);
        let Ty::Class(class) = field.ty else { return Domain::Fixed(Value::Null) };
        let classes = self.fitting(class, &field.bound);
        let fits = |o: &ObjId| matches!(self.space.object(*o).ty, Ty::Class(c) if classes.contains(&c));
        let objects = self.space.slots[slot.0 as usize].objects.iter().copied().filter(fits).collect();
        Domain::Slot { slot, nullable: !field.bound.non_null, objects }
    }

    fn any_tree(&mut self, target: Target, roots: &[ClassId], nullable: bool) -> Result<(), Diagnostic> {
        let ranks = self.any_ranks(roots)?;
        let domain = self.grow(&ranks[..ranks.len().min(1)], roots, nullable);
        self.set(target, domain);
        Ok(())
    }

    /// n objects, each of which any earlier one may have as a child: every tree, numbered from the root downwards.
    fn any_ranks(&mut self, roots: &[ClassId]) -> Result<Vec<Vec<ObjId>>, Diagnostic> {
        let group = self.group(roots);
        let fan_out = group.iter().map(|&c| self.tree_fields(c).len()).max().unwrap_or(0).max(1);
        let tree = self.space.trees.len() as u32;
        let count = usize::try_from(self.space.n).unwrap_or(0);
        self.space.trees.push(Tree { field: FieldId(0), places: count as u32, fan_out: fan_out as u32 });
        let mut ranks: Vec<Vec<ObjId>> = Vec::new();
        for place in 0..count {
            let rank = group.iter().map(|&class| {
                let id = self.bare(Ty::Class(class), Presence::Grown);
                self.space.objects[id.index()].place = Some((tree, place as u32));
                id
            });
            ranks.push(rank.collect());
        }
        for place in 0..count {
            for (which, &class) in group.iter().enumerate() {
                let id = ranks[place][which];
                let edges: Vec<Domain> = (self.tree_fields(class).into_iter())
                    .map(|field| {
                        let field = self.program.field(field);
                        let Ty::Class(target) = field.ty else { return Domain::Fixed(Value::Null) };
                        let classes = self.fitting(target, &field.bound);
                        self.grow(&ranks[place + 1..], &classes, !field.bound.non_null)
                    })
                    .collect();
                self.fill(id, class, |_, number| edges.get(number as usize).cloned())?;
            }
        }
        Ok(ranks)
    }

    fn grow(&self, ranks: &[Vec<ObjId>], classes: &[ClassId], nullable: bool) -> Domain {
        let fits = |o: &ObjId| matches!(self.space.object(*o).ty, Ty::Class(c) if classes.contains(&c));
        let objects: Vec<ObjId> = ranks.iter().flatten().copied().filter(fits).collect();
        if objects.is_empty() { Domain::Fixed(Value::Null) } else { Domain::Grow { nullable, objects } }
    }

    fn finish(mut self) -> Result<Space, Diagnostic> {
        for (target, classes, nullable) in std::mem::take(&mut self.pending) {
            let objects: Vec<ObjId> = (self.space.statics as u32..self.space.objects.len() as u32)
                .map(ObjId)
                .filter(|&o| matches!(self.space.object(o).ty, Ty::Class(c) if classes.contains(&c)))
                .collect();
            self.set(target, Domain::Ref { nullable, objects });
        }
        Ok(self.space)
    }
}

/// Where the tree fields of a class lead: its concrete target classes.
fn tree_targets(program: &Program, class: ClassId) -> Vec<ClassId> {
    let mut targets = Vec::new();
    for field in program.instance_fields(class) {
        let field = program.field(field);
        let target = match field.ty {
            Ty::Class(c) => Some(c),
            Ty::Array(a) => match program.element_ty(a) {
                Ty::Class(c) => Some(c),
                _ => None,
            },
            _ => None,
        };
        if let (true, Some(target)) = (field.bound.tree, target) {
            match &field.bound.one_of {
                Some(classes) => targets.extend(classes.iter().flat_map(|&c| program.concrete_subclasses(c))),
                None => targets.extend(program.state_subclasses(target)),
            }
        }
    }
    targets
}

/// Classes reachable from a class over tree fields, itself not counted unless on a cycle.
fn tree_classes(program: &Program, from: ClassId) -> FxHashSet<ClassId> {
    closure(tree_targets(program, from), |class| tree_targets(program, class))
}

fn closure(start: Vec<ClassId>, next: impl Fn(ClassId) -> Vec<ClassId>) -> FxHashSet<ClassId> {
    let mut seen = FxHashSet::default();
    let mut stack = start;
    while let Some(class) = stack.pop() {
        if seen.insert(class) {
            stack.extend(next(class));
        }
    }
    seen
}

/// The classes that a state may hold objects of: what fields of any kind lead to, from the checked class and the parameters.
fn state_classes(program: &Program, checked: ClassId, operation: &Operation) -> FxHashSet<ClassId> {
    let of_ty = |mut ty: Ty| {
        while let Ty::Array(array) = ty {
            ty = program.element_ty(array);
        }
        match ty {
            Ty::Class(class) => program.state_subclasses(class).collect(),
            _ => Vec::new(),
        }
    };
    let mut start = vec![checked];
    for parameter in &program.method(operation.method).parameters {
        start.extend(of_ty(parameter.ty));
    }
    closure(start, |class| {
        program.instance_fields(class).into_iter().flat_map(|f| of_ty(program.field(f).ty)).collect()
    })
}
