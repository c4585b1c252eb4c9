//! References outside trees: to pools of n objects of a class, opaque objects, constants of enums, boxes.

use super::build::{Builder, Target};
use super::{Domain, OPAQUE_OBJECTS, Presence};
use crate::heap::default_value;
use crate::program::*;
use crate::value::ObjId;
use source::{Diagnostic, Span};

impl Builder<'_> {
    pub(super) fn reference(
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

    /// The concrete classes that may stand at a field or parameter.
    pub(super) fn fitting(&self, class: ClassId, bound: &Bound) -> Vec<ClassId> {
        match &bound.one_of {
            Some(classes) => {
                let mut all: Vec<ClassId> = Vec::new();
                for c in classes.iter().flat_map(|&c| self.program.concrete_subclasses(c)) {
                    if !all.contains(&c) {
                        all.push(c);
                    }
                }
                all
            }
            None => self.program.state_subclasses(class).collect(),
        }
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
        if self.pooled.contains(&class) || self.tree_classes.contains(&class) {
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
        self.pooled.insert(class);
        for id in objects {
            self.fill(id, class, &[])?;
        }
        Ok(())
    }
}
