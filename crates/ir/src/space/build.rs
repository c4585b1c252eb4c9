//! The building of a space: the static objects, the checked object and the arguments, each with all that it owns.
//!
//! What goes in: a program, an operation, n. What comes out: the space, or what is wrong with a bound. Objects are numbered
//! in the order in which fields are met, so the same program gives the same space everywhere.

use super::classes::{Node, edge_targets, field_of, recursive, state_classes, tree_targets};
use super::pools::Pending;
use super::{Domain, Presence, Shape, Slot, SlotId, Space, SpaceObject, StaticObject};
use crate::generics::{InstanceId, Narrow};
use crate::heap::default_value;
use crate::program::*;
use crate::reach::fields_read;
use crate::task::{Checked, Operation, OperationKind};
use crate::value::{Location, ObjId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};
use std::collections::BTreeSet;

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
                static_state: Vec::new(),
                arguments: Vec::new(),
                slots: Vec::new(),
                budgets: Vec::new(),
                trees: Vec::new(),
                refused: None,
                left_out: operation.left_out.clone(),
            },
            recursive: recursive(program, &classes),
            checked: checked.class,
            read: fields_read(program, checked, operation),
            state_classes: classes.iter().map(|(class, _)| *class).collect(),
            operation,
            longest: longest(program, n),
            pooled: FxHashSet::default(),
            pooled_instances: FxHashSet::default(),
            others: Vec::new(),
            shareable: Vec::new(),
            groups: Vec::new(),
            pending: Vec::new(),
            opaque: FxHashMap::default(),
            owner: None,
            outer: Vec::new(),
            never: Vec::new(),
            boxes: FxHashMap::default(),
            tree_classes: classes.iter().flat_map(|&c| tree_targets(program, c)).map(|(c, _)| c).collect(),
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
                group: 0,
                instance: None,
            });
        }
        for state in &program.static_state {
            let object = builder.bare(Ty::Class(state.class), Presence::Always);
            builder.space.static_state.push(object);
        }
        if operation.kind == OperationKind::Method {
            // Known before it is filled: it is the outer instance of what it reaches.
            let main = builder.bare(Ty::Class(checked.class), Presence::Always);
            builder.space.main = Some(main);
            builder.fill(main, checked.class, &[])?;
        }
        for (number, state) in program.static_state.iter().enumerate() {
            let object = builder.space.static_state[number];
            builder.fill(object, state.class, &[])?;
        }
        for parameter in &program.method(operation.method).parameters {
            let span = program.method(operation.method).name_span;
            let argument = builder.space.arguments.len();
            builder.space.arguments.push(Domain::Bool);
            builder.domain(Target::Argument(argument), parameter.ty, &parameter.bound, 0, span)?;
        }
        builder.outer_objects()?;
        builder.finish()
    }
}

/// The greatest length of any array at the beginning.
fn longest(program: &Program, n: i64) -> i64 {
    let parameters = program.methods.iter().flat_map(|m| &m.parameters).map(|p| &p.bound);
    let lengths = program.fields.iter().map(|f| &f.bound).chain(parameters).flat_map(|b| &b.lengths);
    lengths.filter_map(|range| range.hi.eval(n)).fold(n, i64::max)
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
    pub(super) checked: ClassId,
    /// Fields that the operation or its specification looks at.
    pub(super) read: FxHashSet<FieldId>,
    /// The classes that the state may hold objects of.
    pub(super) state_classes: BTreeSet<ClassId>,
    pub(super) operation: &'a Operation,
    /// The greatest length of any array at the beginning.
    pub(super) longest: i64,
    /// Classes whose objects outside trees are there.
    pub(super) pooled: FxHashSet<ClassId>,
    pub(super) pooled_instances: FxHashSet<InstanceId>,
    /// Further objects of the checked class, for arguments only: nothing says that they are valid where they are kept.
    pub(super) others: Vec<ObjId>,
    /// Arrays that may be at more than one place, with the place they were made for.
    pub(super) shareable: Vec<(Target, ObjId, bool)>,
    /// What may share an array, and what its elements are.
    pub(super) groups: Vec<(u32, Option<Narrow>)>,
    /// References whose candidates are known only when all objects are.
    pub(super) pending: Vec<Pending>,
    pub(super) opaque: FxHashMap<ClassId, Vec<ObjId>>,
    /// The object outside trees that is being filled.
    pub(super) owner: Option<ObjId>,
    /// Classes of outer instances that may be other objects than the checked one.
    pub(super) outer: Vec<ClassId>,
    /// What is null in every start state, since no class implements its type.
    pub(super) never: Vec<(String, String, Span)>,
    /// Boxes that references share, by value; of some there are two.
    pub(super) boxes: FxHashMap<(ClassId, Value, u32), ObjId>,
}

impl Builder<'_> {
    fn add(&mut self, object: SpaceObject) -> ObjId {
        let id = ObjId(self.space.objects.len() as u32);
        self.space.objects.push(object);
        id
    }

    pub(super) fn bare(&mut self, ty: Ty, presence: Presence) -> ObjId {
        self.add(SpaceObject {
            ty,
            presence,
            slots: Vec::new(),
            length: (0, 0),
            place: None,
            interchangeable: false,
            group: 0,
            instance: None,
        })
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
        self.space.slots.push(Slot { owners, ..Slot::default() });
        SlotId(self.space.slots.len() as u32 - 1)
    }

    /// Gives an object its fields; `edges` are the domains of its tree fields where it stands in a tree.
    pub(super) fn fill(&mut self, id: ObjId, class: ClassId, edges: &[Domain]) -> Result<(), Diagnostic> {
        let fields = self.program.instance_fields(class);
        self.space.objects[id.index()].slots = vec![Domain::Bool; fields.len()];
        let owner = self.owner;
        if self.space.objects[id.index()].presence == Presence::Always {
            self.owner = Some(id);
        }
        let mut edges = edges.iter();
        let node = (class, self.space.object(id).instance);
        for (slot, &field_id) in fields.iter().enumerate() {
            let field = field_of(self.program, node, field_id);
            let target = Target::At(Location { object: id, slot: slot as u32 });
            if field.is_synthetic {
                self.outer_instance(target, id, field_id)?;
                continue;
            }
            // What the library keeps for all, and this operation never asks for: any value will do.
            if !self.read.contains(&field_id) && self.is_state_of_library(class) && !field.ty.is_reference() {
                let value = match &field.bound.range {
                    Some(range) => range.lo.eval(self.space.n).map(Value::Int),
                    None => None,
                };
                self.set(target, Domain::Fixed(value.unwrap_or(default_value(field.ty))));
                continue;
            }
            if self.is_edge(&field)
                && let Some(domain) = edges.next()
            {
                self.set(target, domain.clone());
                continue;
            }
            if matches!(field.ty, Ty::Class(_)) && !edge_targets(self.program, &field).is_empty() {
                self.tree(target, &field)?;
                continue;
            }
            self.domain(target, field.ty, &field.bound, 0, field.span)?;
        }
        self.owner = owner;
        Ok(())
    }

    /// Whether a class is for the static state of one of the library.
    fn is_state_of_library(&self, class: ClassId) -> bool {
        let state = self.program.static_state.iter().find(|s| s.class == class);
        state.is_some_and(|s| !self.program.class(self.program.field(s.field).class).is_input)
    }

    /// Whether a tree field may lead on in a tree of any depth. What leads to other objects only gives each node one of its own.
    pub(super) fn is_edge(&self, field: &Field) -> bool {
        let is_recursive = |(class, _): &Node| self.recursive.contains(class);
        matches!(field.ty, Ty::Class(_)) && edge_targets(self.program, field).iter().any(is_recursive)
    }

    /// Whether the type arguments of an object are those wanted of its class.
    fn fits(&self, object: ObjId, of: &[(ClassId, Option<InstanceId>)]) -> bool {
        let object = self.space.object(object);
        let wanted = of.iter().find(|(class, _)| object.ty == Ty::Class(*class)).and_then(|(_, instance)| *instance);
        wanted.is_none() || object.instance == wanted
    }

    /// The objects of these classes.
    pub(super) fn of_classes(&self, objects: impl IntoIterator<Item = ObjId>, classes: &[ClassId]) -> Vec<ObjId> {
        let fits = |o: &ObjId| matches!(self.space.object(*o).ty, Ty::Class(c) if classes.contains(&c));
        objects.into_iter().filter(fits).collect()
    }

    /// The objects of these classes with these type arguments.
    pub(super) fn of_nodes(&self, objects: impl IntoIterator<Item = ObjId>, nodes: &[Node]) -> Vec<ObjId> {
        let fits = |o: &ObjId| {
            let object = self.space.object(*o);
            matches!(object.ty, Ty::Class(c) if nodes.contains(&(c, object.instance)))
        };
        objects.into_iter().filter(fits).collect()
    }

    /// Makes an array or a box the only one that may be there.
    pub(super) fn own(&mut self, target: Target, id: ObjId, nullable: bool) {
        let slot = self.slot(target);
        self.space.objects[id.index()].presence = Presence::AtSlot(slot);
        self.space.slots[slot.0 as usize].objects.push(id);
        self.set(target, Domain::Slot { slot, nullable, objects: vec![id] });
    }

    fn finish(mut self) -> Result<Space, Diagnostic> {
        self.few_of_all()?;
        for Pending { target, mut base, classes, arrays, nullable, of } in std::mem::take(&mut self.pending) {
            let all = (self.space.statics as u32..self.space.objects.len() as u32).map(ObjId);
            base.extend(self.of_classes(all.clone(), &classes));
            self.not_its_own_outer(target, &mut base);
            base.retain(|o| self.fits(*o, &of));
            if let Target::At(_) = target {
                base.retain(|o| !self.others.contains(o));
                if classes.contains(&self.checked) && (!self.pooled.contains(&self.checked) || !self.others.is_empty())
                {
                    let name = &self.program.class(self.checked).name;
                    let message = format!("{} never holds another `{name}`, only the checked one", self.name(target));
                    let remedy = format!("a field or parameter of type `{name}` brings it in");
                    self.leave_out("another", message, remedy, self.span(target), false);
                }
            }
            for array in arrays {
                let is_asked = |o: &ObjId| self.space.object(*o).ty == Ty::Array(array);
                let found: Vec<ObjId> = all.clone().filter(is_asked).collect();
                if found.is_empty() {
                    let ty = self.program.ty_name(Ty::Array(array));
                    let message = format!("{} is never a `{ty}`, which the code asks for", self.name(target));
                    let remedy = format!("a field or parameter of type `{ty}` brings it in");
                    self.leave_out("asked-for", message, remedy, self.span(target), false);
                }
                base.extend(found);
            }
            self.set(target, Domain::Ref { nullable, objects: base });
        }
        self.share_arrays();
        self.say_never();
        Ok(self.space)
    }

    /// Said once for all of them: the views of a map are many.
    fn say_never(&mut self) {
        let mut never = std::mem::take(&mut self.never);
        never.dedup_by(|a, b| a.0 == b.0);
        let Some((_, class, span)) = never.first().cloned() else { return };
        let mut names: Vec<String> = Vec::new();
        never.into_iter().for_each(|(name, ..)| {
            if !names.contains(&name) {
                names.push(name)
            }
        });
        let verb = if names.len() == 1 { "is" } else { "are" };
        let message = format!(
            "{} {verb} null in every start state: no class among the inputs implements the type",
            names.join(", ")
        );
        let remedy =
            format!("a class that is a `{class}`, or a specification of it (`@SpecFor`, `--spec`), brings more in");
        self.leave_out("no-implementation", message, remedy, span, false);
    }

    /// A field or parameter, as a sentence names it: by the names that the user gave.
    pub(super) fn name(&self, target: Target) -> String {
        let Operation { method, compared, orders, block, .. } = self.operation;
        // The parameters of two abstractions have their own names.
        match (target, orders.as_ref().filter(|o| !o.is_abstraction)) {
            (Target::Argument(i), Some(orders)) => {
                let [first, second] = &orders.names;
                format!("an argument of `{}`", if i < orders.arguments { first } else { second })
            }
            (Target::Argument(i), None) => {
                let method = self.program.method(compared.as_ref().map_or(*method, |c| c.operation));
                let parameters = &self.program.method(self.operation.method).parameters;
                format!("`{}` of `{}`", parameters[i].name, block.as_ref().unwrap_or(&method.name))
            }
            (Target::At(at), _) => match self.field(at) {
                Some(field) => format!("`{}`", field.name),
                None => "an element of an array".to_string(),
            },
        }
    }

    pub(super) fn field(&self, at: Location) -> Option<&Field> {
        let Ty::Class(class) = self.space.object(at.object).ty else { return None };
        let field = *self.program.instance_fields(class).get(at.slot as usize)?;
        Some(self.program.field(field))
    }

    fn span(&self, target: Target) -> Span {
        let field = if let Target::At(at) = target { self.field(at) } else { None };
        field.map_or(self.operation.span, |f| f.span)
    }

    /// States that matter are not there: said once per field or parameter.
    pub(super) fn leave_out(&mut self, id: &'static str, message: String, remedy: String, span: Span, only_json: bool) {
        let hole = verdict::LeftOut { id, message, remedy, span: Some(span), example: None, only_json };
        if !self.space.left_out.iter().any(|other| other.is_same(&hole)) {
            self.space.left_out.push(hole);
        }
    }

    /// Arrays of one type with the same bounds are at any of the places that they were made for.
    fn share_arrays(&mut self) {
        let mut open = std::mem::take(&mut self.shareable);
        while let Some(&(_, first, _)) = open.first() {
            let first = self.space.object(first).clone();
            let is_alike = |(_, id, _): &(Target, ObjId, bool)| first.is_array_like(self.space.object(*id));
            let (alike, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(is_alike);
            open = rest;
            if let [(target, id, nullable)] = alike[..] {
                let is_near = |o: &SpaceObject| (o.ty, o.group) == (first.ty, first.group);
                if open.iter().any(|other| is_near(self.space.object(other.1))) {
                    let message = format!("{} shares its array only with what has the same bounds", self.name(target));
                    let remedy = "the same @Length and @Range on both bring it in".to_string();
                    self.leave_out("different-bounds", message, remedy, self.span(target), true);
                }
                self.own(target, id, nullable);
                continue;
            }
            let objects: Vec<ObjId> = alike.iter().map(|a| a.1).collect();
            for (target, id, nullable) in alike {
                self.space.objects[id.index()].interchangeable = true;
                self.set(target, Domain::Ref { nullable, objects: objects.clone() });
            }
        }
    }
}
