//! Outer instances of inner classes. What stands in a tree belongs to the object that the tree hangs on. Any other inner
//! object may belong to any object of the outer class: to the checked one, or to one beside it, if there is code that can
//! tell (`@Max("1")` on the outer class says that there is none beside it).

use super::build::{Builder, Target};
use super::pools::Pending;
use super::{Domain, Presence};
use crate::program::*;
use crate::value::{ObjId, Value};
use source::Diagnostic;

impl Builder<'_> {
    pub(super) fn outer_instance(&mut self, target: Target, id: ObjId, field: FieldId) -> Result<(), Diagnostic> {
        let info = self.program.field(field);
        let fits = |object: &ObjId| *object != id && self.program.is_subtype(self.space.object(*object).ty, info.ty);
        let owner = self.owner.filter(fits).or(self.space.main.filter(fits));
        let is_free = self.space.object(id).presence == Presence::Always;
        match (owner, info.ty) {
            (Some(_), Ty::Class(class)) if is_free && self.is_read(field) => {
                if !self.outer.contains(&class) {
                    self.outer.push(class);
                }
                let classes = self.program.state_subclasses(class).collect();
                let pending =
                    Pending { target, base: Vec::new(), classes, arrays: Vec::new(), nullable: false, of: Vec::new() };
                self.pending.push(pending);
            }
            (Some(owner), _) => self.set(target, Domain::Fixed(Value::Obj(owner))),
            // Never null, whatever it is.
            (None, ty) => {
                let bound = Bound { non_null: true, ..Bound::default() };
                self.domain(target, ty, &bound, 0, info.span)?;
            }
        }
        Ok(())
    }

    /// Whether any code looks at it: a choice that nobody sees is none.
    fn is_read(&self, field: FieldId) -> bool {
        let mut found = false;
        for body in self.program.methods.iter().filter_map(|m| m.body.as_ref()) {
            crate::walk::block(body, &mut |e| found |= matches!(e.kind, ExprKind::Field(_, f) if f == field));
        }
        found
    }

    /// One more object of each class that asked for it, if the bounds have room.
    pub(super) fn outer_objects(&mut self) -> Result<(), Diagnostic> {
        let mut next = 0;
        while let Some(&class) = self.outer.get(next) {
            next += 1;
            let max = self.program.class(class).max.as_ref().map_or(Some(self.space.n), |m| m.eval(self.space.n));
            let has_room = max.is_some_and(|m| m > 1) && !self.program.class(class).is_abstract;
            if has_room && !self.tree_classes.contains(&class) && self.pooled.insert(class) {
                let id = self.bare(Ty::Class(class), Presence::Always);
                self.space.objects[id.index()].interchangeable = true;
                self.fill(id, class, &[])?;
            }
        }
        Ok(())
    }

    pub(super) fn not_its_own_outer(&self, target: Target, objects: &mut Vec<ObjId>) {
        let Target::At(at) = target else { return };
        let Ty::Class(class) = self.space.object(at.object).ty else { return };
        let field = self.program.instance_fields(class)[at.slot as usize];
        if self.program.field(field).is_synthetic {
            objects.retain(|o| *o != at.object);
        }
    }
}
