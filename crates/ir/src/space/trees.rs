//! Trees (dissertation, 2.2 and 2.10): the places that tree edges lead to. Either a complete tree of n places, each with one
//! object per class, or n objects that form any tree.

use super::build::{Builder, Target};
use super::{Domain, Presence, Shape, Slot, SlotId, Tree};
use crate::program::*;
use crate::value::{Location, ObjId, Value};
use source::{Diagnostic, Span};

impl Builder<'_> {
    /// A tree edge from an object outside the recursive classes.
    pub(super) fn tree(&mut self, target: Target, field: &Field) -> Result<(), Diagnostic> {
        let Ty::Class(class) = field.ty else { return Ok(()) };
        self.tree_of(target, class, &field.bound, field.span)
    }

    pub(super) fn tree_of(
        &mut self,
        target: Target,
        class: ClassId,
        bound: &Bound,
        span: Span,
    ) -> Result<(), Diagnostic> {
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
                Shape::Complete => self.complete_tree(target, &classes, nullable, bound),
                Shape::Any => self.any_tree(target, &classes, nullable, bound),
            };
        }
        let slot = self.slot(target);
        let mut objects = Vec::new();
        for class in classes {
            let id = self.bare(Ty::Class(class), Presence::AtSlot(slot));
            self.space.objects[id.index()].instance = bound.instance(class);
            self.fill(id, class, &[])?;
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

    /// One more tree of these classes: its number, how many places it has, and its fan-out.
    fn new_tree(&mut self, group: &[ClassId]) -> (u32, usize, usize) {
        let fan_out = group.iter().map(|&c| self.tree_fields(c).len()).max().unwrap_or(0).max(1);
        let places = usize::try_from(self.space.n).unwrap_or(0);
        let tree = self.space.trees.len() as u32;
        self.space.trees.push(Tree { places: places as u32, fan_out: fan_out as u32 });
        (tree, places, fan_out)
    }

    /// n places in breadth-first order: field j of place p leads to place p*k + j + 1.
    fn complete_tree(
        &mut self,
        target: Target,
        roots: &[ClassId],
        nullable: bool,
        bound: &Bound,
    ) -> Result<(), Diagnostic> {
        let group = self.group(roots);
        let (tree, places, fan_out) = self.new_tree(&group);
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
                self.space.objects[id.index()].instance = bound.instance(class);
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
                self.fill(id, class, &edges)?;
            }
        }
        if let Target::At(at) = target {
            self.space.slots[slots[0].0 as usize].owners.push(at);
        }
        let objects = self.of_classes(self.space.slots[slots[0].0 as usize].objects.iter().copied(), roots);
        self.set(target, Domain::Slot { slot: slots[0], nullable, objects });
        Ok(())
    }

    fn edge(&self, slot: SlotId, field: FieldId) -> Domain {
        let field = self.program.field(field);
        let Ty::Class(class) = field.ty else { return Domain::Fixed(Value::Null) };
        let classes = self.fitting(class, &field.bound);
        let objects = self.of_classes(self.space.slots[slot.0 as usize].objects.iter().copied(), &classes);
        Domain::Slot { slot, nullable: !field.bound.non_null, objects }
    }

    fn any_tree(&mut self, target: Target, roots: &[ClassId], nullable: bool, bound: &Bound) -> Result<(), Diagnostic> {
        let ranks = self.any_ranks(roots, bound)?;
        let domain = self.grow(&ranks[..ranks.len().min(1)], roots, nullable);
        self.set(target, domain);
        Ok(())
    }

    /// n objects, each of which any earlier one may have as a child: every tree, numbered from the root downwards.
    pub(super) fn any_ranks(&mut self, roots: &[ClassId], bound: &Bound) -> Result<Vec<Vec<ObjId>>, Diagnostic> {
        let group = self.group(roots);
        let (tree, places, _) = self.new_tree(&group);
        let mut ranks: Vec<Vec<ObjId>> = Vec::new();
        for place in 0..places {
            let rank = group.iter().map(|&class| {
                let id = self.bare(Ty::Class(class), Presence::Grown);
                self.space.objects[id.index()].place = Some((tree, place as u32));
                self.space.objects[id.index()].instance = bound.instance(class);
                id
            });
            ranks.push(rank.collect());
        }
        for place in 0..places {
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
                self.fill(id, class, &edges)?;
            }
        }
        Ok(ranks)
    }

    pub(super) fn grow(&self, ranks: &[Vec<ObjId>], classes: &[ClassId], nullable: bool) -> Domain {
        let objects = self.of_classes(ranks.iter().flatten().copied(), classes);
        if objects.is_empty() { Domain::Fixed(Value::Null) } else { Domain::Grow { nullable, objects } }
    }
}
