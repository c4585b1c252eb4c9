//! The building of a space: the static objects, the checked object and the arguments, each with all that it owns.
//!
//! What goes in: a program, an operation, n. What comes out: the space, or what is wrong with a bound. Objects are numbered
//! in the order in which fields are met, so the same program gives the same space everywhere.

use super::classes::{state_classes, tree_classes, tree_targets};
use super::{Domain, Presence, Shape, Slot, SlotId, Space, SpaceObject, StaticObject};
use crate::program::*;
use crate::task::{Checked, Operation, OperationKind};
use crate::value::{Location, ObjId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Diagnostic;

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
                left_out: Vec::new(),
            },
            recursive: classes.iter().copied().filter(|&c| tree_classes(program, c).contains(&c)).collect(),
            pooled: FxHashSet::default(),
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
        Ok(builder.finish())
    }
}

/// Where a domain goes.
#[derive(Clone, Copy)]
pub(super) enum Target {
    At(Location),
    Argument(usize),
}

pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) space: Space,
    /// Classes on a cycle of tree fields.
    pub(super) recursive: FxHashSet<ClassId>,
    /// Classes that some tree field reaches.
    pub(super) tree_classes: FxHashSet<ClassId>,
    /// Classes whose objects outside trees are there.
    pub(super) pooled: FxHashSet<ClassId>,
    /// References whose candidates are known only when all objects are.
    pub(super) pending: Vec<(Target, Vec<ClassId>, bool)>,
    pub(super) opaque: FxHashMap<ClassId, Vec<ObjId>>,
}

impl Builder<'_> {
    fn add(&mut self, object: SpaceObject) -> ObjId {
        let id = ObjId(self.space.objects.len() as u32);
        self.space.objects.push(object);
        id
    }

    pub(super) fn bare(&mut self, ty: Ty, presence: Presence) -> ObjId {
        self.add(SpaceObject { ty, presence, slots: Vec::new(), length: (0, 0), place: None, interchangeable: false })
    }

    pub(super) fn set(&mut self, target: Target, domain: Domain) {
        match target {
            Target::At(at) => self.space.objects[at.object.index()].slots[at.slot as usize] = domain,
            Target::Argument(i) => self.space.arguments[i] = domain,
        }
    }

    pub(super) fn slot(&mut self, owner: Target) -> SlotId {
        let owners = match owner {
            Target::At(at) => vec![at],
            Target::Argument(_) => Vec::new(),
        };
        self.space.slots.push(Slot { objects: Vec::new(), owners });
        SlotId(self.space.slots.len() as u32 - 1)
    }

    /// An object of a class outside trees, with all its fields.
    pub(super) fn object(&mut self, class: ClassId, presence: Presence) -> Result<ObjId, Diagnostic> {
        let id = self.bare(Ty::Class(class), presence);
        self.fill(id, class, &[])?;
        Ok(id)
    }

    /// Gives an object its fields; `edges` are the domains of its tree fields where it stands in a tree.
    pub(super) fn fill(&mut self, id: ObjId, class: ClassId, edges: &[Domain]) -> Result<(), Diagnostic> {
        let fields = self.program.instance_fields(class);
        self.space.objects[id.index()].slots = vec![Domain::Bool; fields.len()];
        let mut edges = edges.iter();
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
                match edges.next() {
                    Some(domain) => self.set(target, domain.clone()),
                    None => self.tree(target, field_id)?,
                }
                continue;
            }
            self.domain(target, field.ty, &field.bound, 0, field.span)?;
        }
        Ok(())
    }

    /// The objects of these classes.
    pub(super) fn of_classes(&self, objects: impl IntoIterator<Item = ObjId>, classes: &[ClassId]) -> Vec<ObjId> {
        let fits = |o: &ObjId| matches!(self.space.object(*o).ty, Ty::Class(c) if classes.contains(&c));
        objects.into_iter().filter(fits).collect()
    }

    fn finish(mut self) -> Space {
        for (target, classes, nullable) in std::mem::take(&mut self.pending) {
            let all = (self.space.statics as u32..self.space.objects.len() as u32).map(ObjId);
            let objects = self.of_classes(all, &classes);
            self.set(target, Domain::Ref { nullable, objects });
        }
        self.space
    }
}
