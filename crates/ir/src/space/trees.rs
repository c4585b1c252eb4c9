//! Trees (dissertation, 2.2 and 2.10): the places that tree edges lead to. Either a complete tree of n places, each with one
//! object per class, or n objects that form any tree.

use super::build::{Builder, Target};
use super::classes::{Node, edge_targets, field_of};
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
            let roots: Vec<Node> = classes.iter().map(|&c| (c, bound.instance(c))).collect();
            return match self.space.shape {
                Shape::Complete => self.complete_tree(target, &roots, bound),
                Shape::Any => self.any_tree(target, &roots, nullable),
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
    fn group(&self, roots: &[Node]) -> Vec<Node> {
        let mut group: Vec<Node> = roots.to_vec();
        let mut next = 0;
        while next < group.len() {
            for field in self.tree_fields(group[next]) {
                for target in self.led(&field_of(self.program, group[next], field), roots) {
                    if !group.contains(&target) {
                        group.push(target);
                    }
                }
            }
            next += 1;
        }
        group
    }

    /// Where an edge leads within a tree; a raw type means what the tree holds.
    fn led(&self, field: &Field, roots: &[Node]) -> Vec<Node> {
        let targets = edge_targets(self.program, field).into_iter();
        let known = |node: Node| roots.iter().copied().find(|r| node.1.is_none() && r.0 == node.0).unwrap_or(node);
        targets.map(known).collect()
    }

    fn tree_fields(&self, node: Node) -> Vec<FieldId> {
        let is_edge = |f: &FieldId| self.is_edge(&field_of(self.program, node, *f));
        self.program.instance_fields(node.0).into_iter().filter(is_edge).collect()
    }

    /// One more tree of these classes: its number, how many places it has, and its fan-out.
    fn new_tree(&mut self, group: &[Node]) -> (u32, usize, usize) {
        let fan_out = group.iter().map(|&c| self.tree_fields(c).len()).max().unwrap_or(0).max(1);
        let places = usize::try_from(self.space.n).unwrap_or(0);
        let tree = self.space.trees.len() as u32;
        self.space.trees.push(Tree { places: places as u32, fan_out: fan_out as u32 });
        (tree, places, fan_out)
    }

    /// n places in breadth-first order: field j of place p leads to place p*k + j + 1.
    fn complete_tree(&mut self, target: Target, roots: &[Node], bound: &Bound) -> Result<(), Diagnostic> {
        let group = self.group(roots);
        let (tree, places, fan_out) = self.new_tree(&group);
        if places == 0 {
            self.set(target, Domain::Fixed(Value::Null));
            return Ok(());
        }
        // From the last place on: what leads to no place, and may not be null, cannot be there.
        let mut fitting: Vec<Vec<Node>> = vec![Vec::new(); places];
        for place in (0..places).rev() {
            let is_possible = |node: &&Node| {
                let edges = self.tree_fields(**node).into_iter().enumerate();
                edges.map(|(j, f)| (j, field_of(self.program, **node, f))).all(|(j, field)| {
                    let has_room = |at: &Vec<Node>| self.led(&field, roots).iter().any(|t| at.contains(t));
                    !field.bound.non_null || fitting.get(place * fan_out + j + 1).is_some_and(has_room)
                })
            };
            fitting[place] = group.iter().filter(is_possible).copied().collect();
        }
        let slots: Vec<Option<SlotId>> = (fitting.iter())
            .map(|nodes| {
                let slot = SlotId(self.space.slots.len() as u32);
                let is_used = !nodes.is_empty();
                self.space.slots.extend(is_used.then(|| Slot { is_padded: bound.padded, ..Slot::default() }));
                is_used.then_some(slot)
            })
            .collect();
        for (place, slot) in slots.iter().enumerate() {
            let Some(slot) = *slot else { continue };
            for &(class, instance) in &fitting[place] {
                let id = self.bare(Ty::Class(class), Presence::AtSlot(slot));
                self.space.objects[id.index()].place = Some((tree, place as u32));
                self.space.objects[id.index()].instance = instance;
                self.space.slots[slot.0 as usize].objects.push(id);
            }
        }
        for (place, slot) in slots.iter().enumerate() {
            let Some(slot) = *slot else { continue };
            for (which, &node) in fitting[place].iter().enumerate() {
                let id = self.space.slots[slot.0 as usize].objects[which];
                let fields = self.tree_fields(node);
                let all_fields = self.program.instance_fields(node.0);
                let mut owners = Vec::new();
                let edges: Vec<Domain> = (fields.iter().enumerate())
                    .map(|(j, &field)| {
                        let child = place * fan_out + j + 1;
                        let Some(Some(child)) = slots.get(child).copied() else { return Domain::Fixed(Value::Null) };
                        let field_slot = all_fields.iter().position(|&f| f == field).unwrap_or(0);
                        owners.push((child, Location { object: id, slot: field_slot as u32 }));
                        self.edge(child, &field_of(self.program, node, field), roots)
                    })
                    .collect();
                for (child, at) in owners {
                    self.space.slots[child.0 as usize].owners.push(at);
                }
                self.fill(id, node.0, &edges)?;
            }
        }
        let Some(Some(root)) = slots.first().copied() else {
            self.set(target, Domain::Fixed(Value::Null));
            return Ok(());
        };
        if let Target::At(at) = target {
            self.space.slots[root.0 as usize].owners.push(at);
        }
        let objects = self.of_nodes(self.space.slots[root.0 as usize].objects.iter().copied(), roots);
        self.set(target, Domain::Slot { slot: root, nullable: !bound.non_null, objects });
        Ok(())
    }

    fn edge(&self, slot: SlotId, field: &Field, roots: &[Node]) -> Domain {
        let targets = self.led(field, roots);
        let objects = self.of_nodes(self.space.slots[slot.0 as usize].objects.iter().copied(), &targets);
        Domain::Slot { slot, nullable: !field.bound.non_null, objects }
    }

    fn any_tree(&mut self, target: Target, roots: &[Node], nullable: bool) -> Result<(), Diagnostic> {
        let ranks = self.any_ranks(roots)?;
        let domain = self.grow(&ranks[..ranks.len().min(1)], roots, nullable);
        self.set(target, domain);
        Ok(())
    }

    /// n objects, each of which any earlier one may have as a child: every tree, numbered from the root downwards.
    pub(super) fn any_ranks(&mut self, roots: &[Node]) -> Result<Vec<Vec<ObjId>>, Diagnostic> {
        let group = self.group(roots);
        let (tree, places, _) = self.new_tree(&group);
        // As in a complete tree.
        let mut fitting: Vec<Vec<Node>> = vec![Vec::new(); places];
        for place in (0..places).rev() {
            let is_possible = |node: &&Node| {
                let edges = self.tree_fields(**node).into_iter().map(|f| field_of(self.program, **node, f));
                edges.filter(|field| field.bound.non_null).all(|field| {
                    let later = || fitting[place + 1..].iter().flatten();
                    self.led(&field, roots).iter().any(|t| later().any(|l| l == t))
                })
            };
            fitting[place] = group.iter().filter(is_possible).copied().collect();
        }
        let mut ranks: Vec<Vec<ObjId>> = Vec::new();
        for (place, nodes) in fitting.iter().enumerate() {
            let rank = nodes.iter().map(|&(class, instance)| {
                let id = self.bare(Ty::Class(class), Presence::Grown);
                self.space.objects[id.index()].place = Some((tree, place as u32));
                self.space.objects[id.index()].instance = instance;
                id
            });
            ranks.push(rank.collect());
        }
        for (place, nodes) in fitting.iter().enumerate() {
            for (which, &node) in nodes.iter().enumerate() {
                let id = ranks[place][which];
                let edges: Vec<Domain> = (self.tree_fields(node).into_iter())
                    .map(|field| {
                        let field = field_of(self.program, node, field);
                        let targets = self.led(&field, roots);
                        self.grow(&ranks[place + 1..], &targets, !field.bound.non_null)
                    })
                    .collect();
                self.fill(id, node.0, &edges)?;
            }
        }
        Ok(ranks)
    }

    pub(super) fn grow(&self, ranks: &[Vec<ObjId>], nodes: &[Node], nullable: bool) -> Domain {
        let objects = self.of_nodes(ranks.iter().flatten().copied(), nodes);
        if objects.is_empty() { Domain::Fixed(Value::Null) } else { Domain::Grow { nullable, objects } }
    }
}
