//! The heap that every state starts from: string constants, then what the static initialisers make (docs/java.md, "Static fields").
//!
//! Every initialiser runs before an operation; those that it needs run at the first use of their class, as Java says
//! (JLS 12.4.1).

use super::{Chooser, Eval, Exit, Interp, Linked, NoChoice, Stop};
use crate::heap::Heap;
use crate::space::{StaticObject, Statics};
use crate::value::*;
use crate::{ClassId, FieldId};

/// String constant i is object i; what the initialisers allocate follows. `size` is n. Varying static fields lead, from
/// then on, to the objects that every space begins with.
pub fn run_statics(linked: &Linked<'_>, size: i64) -> Result<Heap, Stop> {
    initialised(linked, size).map_err(|(_, stop)| stop)
}

/// A class whose initialiser does not come to its end, and why: of those that need each other the innermost.
pub fn failing_initialiser(linked: &Linked<'_>, size: i64) -> Option<(ClassId, Stop)> {
    let (class, stop) = initialised(linked, size).err()?;
    Some((class?, stop))
}

fn initialised(linked: &Linked<'_>, size: i64) -> Result<Heap, (Option<ClassId>, Stop)> {
    let mut heap = Heap::new(&linked.layout);
    for index in 0..linked.program.strings.len() {
        let string = heap.allocate(&linked.layout, linked.program.known.string);
        if heap.len(string) > 0 {
            heap.set(string, 0, Value::Int(text_of(index)));
        }
    }
    for state in &linked.program.static_state {
        let object = heap.allocate(&linked.layout, state.class);
        heap.set_static(&linked.layout, state.field, Value::Obj(object));
    }
    let mut interp = Interp::new(linked, heap, NoChoice, size);
    let classes = linked.program.static_initialisers.iter().map(|m| linked.program.method(*m).class);
    interp.uninitialised = classes.collect();
    while let Some(&class) = interp.uninitialised.first() {
        interp.begin();
        interp.initialise(class).map_err(|_| {
            let mut stop = interp.stopped();
            // The calls up to the innermost initialiser; those that lead to it are added by the run that gets there.
            if let (Stop::Unsupported(problem), Some(calls)) = (&mut stop, interp.calls_of_initialiser) {
                problem.related.truncate(calls);
            }
            (interp.initialising.last().copied(), stop)
        })?;
    }
    let mut heap = interp.heap;
    let first = heap.object_count() as u32;
    for (number, state) in linked.program.static_state.iter().enumerate() {
        heap.set_static(&linked.layout, state.field, Value::Obj(ObjId(first + number as u32)));
    }
    Ok(heap)
}

/// The number that stands for the contents of a string constant; opaque strings have negative ones.
pub fn text_of(constant: usize) -> i64 {
    constant as i64 + 1
}

impl<C: Chooser> Interp<'_, C> {
    #[inline]
    pub(super) fn use_class(&mut self, class: ClassId) -> Eval<()> {
        if self.uninitialised.is_empty() { Ok(()) } else { self.initialise(class) }
    }

    #[cold]
    fn initialise(&mut self, class: ClassId) -> Eval<()> {
        let program = self.linked.program;
        let before = self.uninitialised.len();
        self.uninitialised.retain(|c| *c != class);
        let begins = self.uninitialised.len() < before;
        // It has begun by now: what its superclass sees of it are default values.
        if let Some(superclass) = program.class(class).superclass {
            self.initialise(superclass)?;
        }
        if !begins {
            return Ok(());
        }
        self.initialising.push(class);
        for &method in program.static_initialisers.iter().filter(|m| program.method(**m).class == class) {
            let base = self.stack.len();
            match self.invoke(method, base, program.method(method).name_span) {
                Err(Exit::Throw(object)) => {
                    let span = self.thrown_at(object).map(|t| t.span);
                    let exception = self.class_of(object);
                    return self.halt(Stop::Initialiser { method, exception, span });
                }
                completed => completed?,
            };
        }
        self.initialising.pop();
        Ok(())
    }
}

/// The way back from a [`snapshot`].
pub fn restore(linked: &Linked<'_>, statics: &Statics) -> Heap {
    let mut heap = Heap::new(&linked.layout);
    for object in &statics.objects {
        let id = heap.allocate_filled(object.ty, object.values.len() as u32, None);
        for (slot, &value) in object.values.iter().enumerate() {
            heap.set(id, slot as u32, value);
        }
    }
    for (&field, &value) in &statics.fields {
        heap.set_static(&linked.layout, field, value);
    }
    heap
}

/// The heap of [`run_statics`] as the engines take it.
pub fn snapshot(linked: &Linked<'_>, heap: &Heap) -> Statics {
    let objects = heap.objects().map(|o| StaticObject {
        ty: heap.ty(o),
        values: heap.slots(o).iter().map(|v| v.unwrap_or(Value::Null)).collect(),
    });
    let fields = (0..linked.program.fields.len() as u32).map(FieldId).filter(|&f| linked.program.field(f).is_static);
    Statics {
        objects: objects.collect(),
        fields: fields.filter_map(|f| Some((f, heap.get_static(&linked.layout, f)?))).collect(),
        strings: (0..linked.program.strings.len() as u32).map(ObjId).collect(),
    }
}
