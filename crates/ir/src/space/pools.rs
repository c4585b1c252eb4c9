//! References outside trees: to pools of n objects of a class, opaque objects, constants of enums, boxes.

use super::build::{Builder, Target};
use super::{Domain, Presence};
use crate::generics::{InstanceId, Narrow};
use crate::program::*;
use crate::seen::{Kind, Seen};
use crate::value::{ObjId, Value};
use source::{Diagnostic, Span};
use std::collections::BTreeSet;

/// A reference whose candidates are known only when all objects are: these, and all objects of some classes and arrays.
pub(super) struct Pending {
    pub target: Target,
    pub base: Vec<ObjId>,
    pub classes: Vec<ClassId>,
    pub arrays: Vec<ArrayId>,
    pub nullable: bool,
    /// With which type arguments those of a generic class fit.
    pub of: Vec<(ClassId, Option<InstanceId>)>,
}

/// So many values of boxes are objects of their own.
const BOXES: u64 = 64;
/// And so many where a reference of a wider type could hold no box otherwise.
const MORE_BOXES: u64 = 4096;
/// The least integer that Java keeps no box of: two boxes of it are two objects.
const UNCACHED: i64 = 128;

impl Builder<'_> {
    pub(super) fn reference(
        &mut self,
        target: Target,
        class: ClassId,
        bound: &Bound,
        nullable: bool,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if let Some(made) = &bound.made {
            let message =
                format!("{} holds a new `{made}` from the beginning, but no state has one", self.name(target));
            let is_built_in = |c: &Class| c.name == *made && c.is_built_in;
            let help = match self.program.classes.iter().any(is_built_in) {
                true => format!("`{made}` is built in, and part of no state: make it where it is used"),
                false => format!(
                    "a specification of `{made}` brings them in: `--spec {made}`, if one comes with the command, or one of your own (`@SpecFor`); \
                     `--class` checks your class alone"
                ),
            };
            self.refuse(target, message, help, made, span);
            return Ok(());
        }
        let known = &self.program.known;
        let is_free = bound.one_of.is_none();
        let (class, of) = match bound.narrow.as_ref().filter(|_| is_free) {
            Some(Narrow { ty: Ty::Array(array), .. }) => {
                let bound = Bound { narrow: None, ..bound.clone() };
                return self.array(target, *array, &bound, 0, span);
            }
            Some(Narrow { ty: Ty::Class(narrow), of, .. }) => (*narrow, of.clone()),
            _ => (class, Vec::new()),
        };
        let info = self.program.class(class);
        if is_free && class == known.string {
            let objects = self.strings(span);
            self.set(target, Domain::Ref { nullable, objects });
            return Ok(());
        }
        if info.kind == ClassKind::Box {
            return self.boxed(target, class, bound, nullable, span);
        }
        if info.kind == ClassKind::Enum {
            let mut objects = self.enum_constants(class);
            if !of.is_empty() {
                // The objects of classes are made in this order.
                let fits = |(ty, _): &(Ty, FieldId)| of.iter().any(|(c, _)| *ty == Ty::Class(*c));
                let fitting: Vec<bool> = self.program.class_objects.iter().map(fits).collect();
                let mut fits = fitting.into_iter();
                objects.retain(|_| fits.next().unwrap_or(true));
            }
            self.set(target, Domain::Ref { nullable, objects });
            return Ok(());
        }
        let mut pending = Pending { target, base: Vec::new(), classes: Vec::new(), arrays: Vec::new(), nullable, of };
        if is_free && class == known.object {
            pending.base = self.without_contents();
        } else {
            let classes = self.fitting(class, bound);
            if let [only] = classes[..]
                && self.program.class(only).kind == ClassKind::Box
            {
                return self.boxed(target, only, bound, nullable, span);
            }
            for c in classes {
                let objects = match self.program.class(c).kind {
                    ClassKind::Enum => {
                        let constants = self.enum_constants(c);
                        if constants.is_empty() && !self.program.class(c).is_abstract {
                            let name = &self.program.class(c).name;
                            let message = format!("{} is never a constant of `{name}`", self.name(target));
                            let remedy = format!(
                                "what the initialiser of `{name}` does is not supported: a `@Model` brings it in"
                            );
                            self.leave_out("asked-for", message, remedy, span, false);
                        }
                        constants
                    }
                    ClassKind::Box => self.boxes(c, target, span)?,
                    _ if c == self.program.known.string => self.strings(span),
                    _ if c == self.program.known.object => self.without_contents(),
                    _ => {
                        self.pool(c, bound.instance(c))?;
                        pending.classes.push(c);
                        continue;
                    }
                };
                pending.base.extend(objects);
            }
        }
        // Type arguments say all that fits.
        if is_free && !info.is_input && pending.of.is_empty() {
            self.asked(class, &bound.seen, &mut pending, span)?;
        }
        let is_nothing = pending.base.is_empty() && pending.classes.is_empty() && pending.arrays.is_empty();
        if info.name == "Comparable" && pending.arrays.is_empty() {
            let all = (0..self.program.classes.len() as u32).map(ClassId);
            let integer = all.into_iter().find(|&c| self.program.class(c).name == "Integer");
            let is_it = |o: &ObjId| integer.is_some_and(|c| self.space.object(*o).ty == Ty::Class(c));
            match integer.filter(|_| pending.base.iter().all(is_it)) {
                // Any order will do: integers in boxes.
                Some(integer) if pending.classes.is_empty() => {
                    return self.boxed(target, integer, bound, nullable, span);
                }
                // Objects of two classes cannot be compared.
                Some(_) => pending.base.clear(),
                None => {}
            }
        }
        if is_nothing && nullable && !info.is_input {
            let name = self.name(target);
            let class = info.name.clone();
            self.never.push((name, class, span));
            self.set(target, Domain::Fixed(Value::Null));
            return Ok(());
        }
        if is_nothing {
            let is_local = self.program.concrete_subclasses(class).any(|c| self.program.class(c).is_local);
            let (what, help) = match is_local {
                true => (
                    "no nested or other class with a name",
                    "make a nested class of the lambda or the anonymous or local class: states hold no objects of such",
                ),
                false => ("no class", "give the file of an implementation too, or say @OneOf({Some.class})"),
            };
            let message = format!("no object can be here: {what} among the inputs implements {}", info.name);
            self.refuse(target, message, help.to_string(), &info.name, span);
            return Ok(());
        }
        self.pending.push(pending);
        Ok(())
    }

    /// Nothing can be here, not even null: the operation has no states, if it looks at it.
    fn refuse(&mut self, target: Target, message: String, help: String, class: &str, span: Span) {
        self.set(target, Domain::Fixed(Value::Null));
        if let Target::At(at) = target
            && let Ty::Class(owner) = self.space.object(at.object).ty
            && let Some(field) = self.program.instance_fields(owner).get(at.slot as usize)
            && !self.read.contains(field)
        {
            return;
        }
        let problem = Diagnostic::error("no-implementation", span, message);
        let problem = problem.label(format!("needs objects of {class}")).help(help);
        self.space.refused.get_or_insert(Box::new(problem));
    }

    /// Objects of class `Object`: opaque ones, and what a static field holds as a mark (`PRESENT`, `NULL_KEY`), which the code can compare with.
    fn without_contents(&mut self) -> Vec<ObjId> {
        let mut objects = self.opaque_objects();
        let marks = (0..self.space.statics as u32).map(ObjId);
        objects.extend(marks.filter(|o| self.space.object(*o).ty == Ty::Class(self.program.known.object)));
        objects
    }

    /// What the code asks a reference of a wide type for: objects of these classes may be there too.
    fn asked(&mut self, wide: ClassId, seen: &Seen, pending: &mut Pending, span: Span) -> Result<(), Diagnostic> {
        let mut missing = Vec::new();
        let is_of_ours = !self.program.class(self.checked).is_of_library;
        for &kind in &seen.types {
            let class = match kind {
                Kind::Array(array) => {
                    if wide == self.program.known.object && !pending.arrays.contains(&array) {
                        pending.arrays.push(array);
                    }
                    continue;
                }
                Kind::Class(class) => class,
            };
            let concrete = self.program.concrete_subclasses(class).filter(|&c| self.program.is_subclass(c, wide));
            let concrete: Vec<ClassId> = concrete.collect();
            // Nothing of one's own is an object of the library (a node of a map) because the library would ask for it.
            let is_asked_by_library = is_of_ours && !self.program.identity.asked.contains(&class);
            if is_asked_by_library && concrete.iter().any(|c| self.program.class(*c).is_of_library) {
                missing.push(class);
                continue;
            }
            let is_there = |c: &ClassId| {
                let info = self.program.class(*c);
                match info.kind {
                    ClassKind::Class => info.is_input || *c == self.program.known.string,
                    // The initialiser of one of the library may do what is not supported.
                    ClassKind::Enum => !self.enum_constants(*c).is_empty(),
                    _ => true,
                }
            };
            // Nothing can be a string, or a box, and of another class too.
            let is_final = class == self.program.known.string || self.program.class(class).kind == ClassKind::Box;
            let is_never = is_final && !self.program.is_subclass(class, wide);
            if !concrete.iter().any(is_there) && class != self.program.known.object && !is_never {
                missing.push(class);
            }
            for c in concrete {
                let info = self.program.class(c);
                // Any order will do: integers have one.
                let is_order = self.program.class(class).is_built_in && self.program.class(class).name == "Comparable";
                let objects = match info.kind {
                    _ if c == self.program.known.object => continue,
                    _ if is_order && c == self.program.known.string => continue,
                    // Of the numbers, those that the code names, and integers for all others.
                    ClassKind::Box if c == class || info.name == "Integer" => self.boxes(c, pending.target, span)?,
                    // Objects of classes, only where they are asked for.
                    ClassKind::Enum if info.is_built_in && c != class => continue,
                    ClassKind::Enum => self.enum_constants(c),
                    ClassKind::Class if c == self.program.known.string => self.strings(span),
                    ClassKind::Class if info.is_input && !info.is_local && !(info.is_apart && c != class) => {
                        if !pending.classes.contains(&c) {
                            pending.classes.push(c);
                        }
                        continue;
                    }
                    _ => continue,
                };
                let new = objects.into_iter().filter(|o| !pending.base.contains(o)).collect::<Vec<_>>();
                pending.base.extend(new);
            }
        }
        // Of any class at once (`isInstance`): what Java throws is the least of them.
        let is_built_in = |c: &ClassId| self.program.class(*c).is_built_in;
        if !missing.iter().all(is_built_in) {
            missing.retain(|c| !is_built_in(c));
        }
        if !missing.is_empty() {
            let names: Vec<String> =
                missing.iter().take(3).map(|c| format!("a `{}`", self.program.class(*c).name)).collect();
            let (target, names) = (self.name(pending.target), names.join(" or "));
            let message = format!("{target} is never {names}, which the code asks for");
            let remedy = format!("the file of a class that is {names}, given too, brings it in");
            // What the library asks of what it is given, it asks of all.
            let is_asked_by_us = missing.iter().any(|c| self.program.identity.asked.contains(c));
            let only_json = !is_asked_by_us && is_of_ours;
            self.leave_out("asked-for", message, remedy, span, only_json);
        }
        Ok(())
    }

    /// The concrete classes that may stand at a field or parameter.
    pub(super) fn fitting(&self, class: ClassId, bound: &Bound) -> Vec<ClassId> {
        super::classes::fitting(self.program, class, bound)
    }

    /// A box of its own: `==` on boxes of small values compares these. Where the code compares boxes by `==` and values are
    /// large, the same box may be at two places, or an equal one.
    fn boxed(
        &mut self,
        target: Target,
        class: ClassId,
        bound: &Bound,
        nullable: bool,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let fields = self.program.instance_fields(class);
        let mut domains = Vec::new();
        for field in fields {
            let field = self.program.field(field);
            domains.push(match field.ty {
                Ty::Bool => Domain::Bool,
                ty => self.integers(ty, bound, &field.bound.seen, target, span)?,
            });
        }
        // What may hold only boxes, though its type is wider, is compared as an object is. With a @Range, each has a box of its own: shared
        // ones made HashMap ten times as slow, and equal ones that are not the same are among the others too, above 127.
        let identity = &self.program.identity;
        let is_wide = identity.wide_boxes && bound.one_of.is_some();
        if (identity.boxes || is_wide) && !matches!(domains[..], [Domain::Bool]) {
            let is_shared = identity.boxes || bound.range.is_none();
            let shared = is_shared.then(|| self.shared_boxes(class, &domains[0], bound.range.is_none(), BOXES));
            if let Some(objects) = shared.flatten() {
                self.set(target, Domain::Ref { nullable, objects });
                return Ok(());
            }
            let message = format!("{} and another field never hold the same box", self.name(target));
            let remedy = match is_shared {
                true => format!("a @Range of less than {BOXES} numbers brings it in"),
                false => "leaving out the @Range brings it in".to_string(),
            };
            self.leave_out("shared-box", message, remedy, span, true);
        }
        let id = self.bare(Ty::Class(class), Presence::Always);
        self.space.objects[id.index()].slots = domains;
        self.own(target, id, nullable);
        Ok(())
    }

    /// Boxes for a reference of a wider type.
    fn boxes(&mut self, class: ClassId, target: Target, span: Span) -> Result<Vec<ObjId>, Diagnostic> {
        let Some(&field) = self.program.instance_fields(class).first() else { return Ok(Vec::new()) };
        let field = self.program.field(field);
        let domain = match field.ty {
            Ty::Bool => Domain::Bool,
            ty => self.integers(ty, &Bound::default(), &field.bound.seen, target, span)?,
        };
        if let Some(objects) = self.shared_boxes(class, &domain, true, MORE_BOXES) {
            return Ok(objects);
        }
        let name = &self.program.class(class).name;
        let message = format!("{} never holds a box of {name}: there are too many numbers", self.name(target));
        // A @Range is for numbers and boxes, and this is neither.
        let remedy = "a smaller size brings them in".to_string();
        self.leave_out("boxes", message, remedy, span, false);
        Ok(Vec::new())
    }

    /// One box per value, and two of those that Java keeps none of. None if there are too many.
    fn shared_boxes(&mut self, class: ClassId, domain: &Domain, is_default: bool, most: u64) -> Option<Vec<ObjId>> {
        let range = self.program.instance_fields(class).first().map(|&f| self.program.field(f).ty.range())?;
        let mut values: Vec<Value> = match domain {
            Domain::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Domain::Int { lo, hi } if hi.abs_diff(*lo) < most => (*lo..=*hi).map(Value::Int).collect(),
            Domain::Ints(values) => values.iter().copied().map(Value::Int).collect(),
            _ => return None,
        };
        let is_uncached = |v: &Value| matches!(v, Value::Int(i) if !(-UNCACHED..UNCACHED).contains(i));
        let is_integral = !matches!(domain, Domain::Bool);
        if is_integral && is_default && !values.iter().any(is_uncached) && (range.0..=range.1).contains(&UNCACHED) {
            values.push(Value::Int(UNCACHED));
        }
        // Consecutive numbers one after the other, and then their copies.
        let mut objects = Vec::new();
        for copy in 0..2 {
            for &value in values.iter().filter(|v| copy == 0 || is_uncached(v)) {
                let key = (class, value, copy);
                let id = match self.boxes.get(&key) {
                    Some(&id) => id,
                    None => {
                        let id = self.bare(Ty::Class(class), Presence::Always);
                        self.space.objects[id.index()].slots = vec![Domain::Fixed(value)];
                        self.boxes.insert(key, id);
                        id
                    }
                };
                objects.push(id);
            }
        }
        Some(objects)
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
    fn pool(&mut self, class: ClassId, instance: Option<InstanceId>) -> Result<(), Diagnostic> {
        let is_there = match instance {
            Some(instance) => self.pooled_instances.contains(&instance),
            None => self.pooled.contains(&class),
        };
        let is_of_tree = |f: &Field| f.bound.tree && f.bound.instance(class) == instance;
        let is_elsewhere = instance.is_some() && !self.program.fields.iter().any(is_of_tree);
        if is_there || self.tree_classes.contains(&class) && !is_elsewhere {
            return Ok(());
        }
        let max = self.program.class(class).max.as_ref().map_or(Some(self.space.n), |m| m.eval(self.space.n));
        let max = max.filter(|m| (0..=1 << 16).contains(m)).ok_or_else(|| {
            Diagnostic::error("bad-bound", self.program.class(class).span, "@Max has no sensible value at this size")
        })?;
        // The checked object is one of its class.
        let is_main = self.space.main.is_some_and(|m| self.space.object(m).ty == Ty::Class(class));
        let count = match is_main {
            true => max - 1,
            false => self.enough(class, max),
        };
        self.some(class, instance, count)
    }

    /// As many objects as `@Max` says, and of a class of the library that a client holds as many as it has places for. That some are left out
    /// is said.
    fn enough(&mut self, class: ClassId, max: i64) -> i64 {
        let info = self.program.class(class);
        if !info.max.as_ref().is_some_and(|m| m.is_constant()) {
            return max;
        }
        let is_client = {
            let checked = self.program.class(self.checked);
            !checked.is_of_library && !checked.is_apart
        };
        if !is_client {
            return max;
        }
        let places = self.places(class);
        if info.is_of_library && max > 0 {
            return max.max(places);
        }
        if max < places {
            let name = &info.name;
            let message = match max {
                0 => format!("no start state has any `{name}`, as `@Max` says"),
                1 => format!(
                    "no start state has more than one `{name}`, as `@Max` says: what refers to one always refers to the same"
                ),
                _ => format!("no start state has more than {max} objects of `{name}`, as `@Max` says"),
            };
            let span = info.span;
            let remedy = match info.is_of_library {
                true => format!("a specification that says what a `{name}` holds brings them in"),
                false => format!("a larger `@Max` on `{name}`, or none, brings in those with more"),
            };
            self.leave_out("few-objects", message, remedy, span, false);
        }
        max
    }

    /// How many references to objects of a class a state has outside of its own objects, for what is not of the library: parameters and fields.
    /// Of fields of which there may be many, and of arrays, there are n.
    fn places(&self, class: ClassId) -> i64 {
        let n = self.space.n.max(1);
        let parameters = || self.program.method(self.operation.method).parameters.iter();
        let mut places: i64 = parameters().map(|p| self.held(p.ty, &p.bound, class)).sum();
        let objects_of = |owner: ClassId| {
            let is_state = self.program.static_state.iter().any(|s| s.class == owner);
            let others: i64 = parameters().map(|p| self.held(p.ty, &p.bound, owner)).sum();
            let holds_one = |f: FieldId| self.held(self.program.field(f).ty, &self.program.field(f).bound, owner) > 0;
            let is_held =
                || self.state_classes.iter().any(|c| self.program.instance_fields(*c).into_iter().any(holds_one));
            match owner == self.checked && !is_held() {
                true => 1 + others,
                false if is_state => 1,
                false => n,
            }
        };
        let statics = self.program.static_state.iter().map(|s| s.class);
        for owner in self.state_classes.iter().copied().chain(statics).collect::<BTreeSet<ClassId>>() {
            if owner == class || self.program.class(owner).is_of_library {
                continue;
            }
            let fields = self.program.instance_fields(owner).into_iter().map(|f| self.program.field(f));
            let held: i64 = fields.map(|f| self.held(f.ty, &f.bound, class)).sum();
            if held > 0 {
                places += held * objects_of(owner);
            }
        }
        // What type arguments put into the library: values of maps, elements of lists.
        for (field, narrow) in self.program.generics.instances.iter().flat_map(|i| &i.fields) {
            let Field { class: owner, ty, .. } = self.program.field(*field);
            let element = if let Ty::Array(array) = *ty { self.program.element_ty(array) } else { *ty };
            let is_argument = element == Ty::Class(self.program.known.object);
            if is_argument && self.program.class(*owner).is_of_library && narrow.of.iter().any(|(c, _)| *c == class) {
                places += n;
            }
        }
        places
    }

    /// How many objects of a class a field or parameter may hold.
    fn held(&self, mut ty: Ty, bound: &Bound, class: ClassId) -> i64 {
        let mut places = 1;
        while let Ty::Array(array) = ty {
            ty = self.program.element_ty(array);
            places = self.space.n.max(1);
        }
        let declared = match (&bound.narrow, ty) {
            (Some(Narrow { ty: Ty::Class(narrow), .. }), _) if bound.one_of.is_none() => *narrow,
            (_, Ty::Class(declared)) => declared,
            _ => return 0,
        };
        let is_any = declared == self.program.known.object && bound.one_of.is_none();
        if !is_any && self.fitting(declared, bound).contains(&class) { places } else { 0 }
    }

    /// So many objects of a class.
    fn some(&mut self, class: ClassId, instance: Option<InstanceId>, count: i64) -> Result<(), Diagnostic> {
        let mut objects = Vec::new();
        for _ in 0..count {
            let id = self.bare(Ty::Class(class), Presence::Always);
            self.space.objects[id.index()].interchangeable = true;
            self.space.objects[id.index()].instance = instance;
            objects.push(id);
        }
        match instance {
            Some(instance) => self.pooled_instances.insert(instance),
            None => self.pooled.insert(class),
        };
        for id in objects {
            self.fill(id, class, &[])?;
        }
        Ok(())
    }

    /// Of classes that only a wider reference may hold: two objects, so that one may equal another. Of the checked class one
    /// more, for arguments.
    pub(super) fn few_of_all(&mut self) -> Result<(), Diagnostic> {
        let mut next = 0;
        while let Some(pending) = self.pending.get(next) {
            next += 1;
            let is_argument = matches!(pending.target, Target::Argument(_));
            let of = pending.of.clone();
            for class in pending.classes.clone() {
                if of.iter().any(|(c, instance)| *c == class && instance.is_some()) {
                    continue;
                }
                let is_checked = class == self.checked;
                // A field may hold the checked object and no other (`@Max("1")`): an argument still may be one.
                let is_alone = is_checked && self.space.main.is_some() && {
                    let all = (self.space.statics as u32..self.space.objects.len() as u32).map(ObjId);
                    self.of_classes(all, &[class]).len() == 1
                };
                if self.pooled.contains(&class) && !is_alone
                    || self.tree_classes.contains(&class)
                    || is_checked && !is_argument
                {
                    continue;
                }
                let before = self.space.objects.len();
                let most = if is_checked && self.space.main.is_some() { 1 } else { 2 };
                self.some(class, None, most)?;
                if is_checked {
                    let new = (before as u32..self.space.objects.len() as u32).map(ObjId);
                    let others = self.of_classes(new, &[class]);
                    self.others.extend(others);
                }
            }
        }
        Ok(())
    }
}
