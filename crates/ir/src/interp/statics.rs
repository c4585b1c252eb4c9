//! The heap that every state starts from: string constants, then what the static initialisers make (JAVA.md, point 4).

use super::{Interp, Linked, NoChoice, Outcome, Stop};
use crate::heap::Heap;
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
