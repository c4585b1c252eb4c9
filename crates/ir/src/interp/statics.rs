//! The heap that every state starts from: string constants, then what the static initialisers make (JAVA.md, point 4).

use super::{Interp, Linked, NoChoice, Outcome, Stop};
use crate::FieldId;
use crate::heap::Heap;
use crate::space::{StaticObject, Statics};
use crate::value::*;

/// String constant i is object i; what the initialisers allocate follows. `size` is n.
pub fn run_statics(linked: &Linked<'_>, size: i64) -> Result<Heap, Stop> {
    let mut heap = Heap::new(&linked.layout);
    for _ in &linked.program.strings {
        heap.allocate(&linked.layout, linked.program.known.string);
    }
    let mut interp = Interp::new(linked, heap, NoChoice, size);
    for &method in &linked.program.static_initialisers {
        match interp.run(method, &[]) {
            Outcome::Normal(_) => {}
            Outcome::Threw(object) => return Err(escaped(&interp, method, object)),
            Outcome::Stop(stop) => return Err(stop),
        }
    }
    Ok(interp.heap)
}

fn escaped(interp: &Interp<'_, NoChoice>, method: crate::MethodId, object: ObjId) -> Stop {
    let span = interp.thrown_at(object).map(|t| t.span);
    Stop::Initialiser { method, exception: interp.class_of(object), span }
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
