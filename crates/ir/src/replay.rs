//! Replays an element of a space from scratch: builds its heap, checks that it is a valid state, runs the operation and
//! judges it. No counterexample is shown that does not replay.

use crate::check::{Judgement, run_state};
use crate::choices::{CutOff, Known};
use crate::heap::Heap;
use crate::interp::{Interp, Limits, Linked, NoChoice};
use crate::program::Ty;
use crate::space::{Concrete, Space};
use crate::task::{Checked, Operation};
use crate::value::ObjId;

pub struct Replay {
    pub before: Heap,
    pub judgement: Judgement,
    pub after: Heap,
    /// The checked object afterwards, if there is one, and another that the operation made.
    pub states: Vec<ObjId>,
}

/// The heap of an element; objects have their numbers in the space.
pub fn heap_of(linked: &Linked<'_>, statics: &Heap, space: &Space, concrete: &Concrete) -> Heap {
    let mut heap = statics.clone();
    for (object, values) in space.objects.iter().zip(&concrete.objects).skip(space.statics) {
        let id = match object.ty {
            Ty::Class(class) => heap.allocate(&linked.layout, class),
            ty => heap.allocate_filled(ty, values.len() as u32, None),
        };
        for (slot, &value) in values.iter().enumerate() {
            heap.set(id, slot as u32, value);
        }
    }
    heap
}

/// Must run [with enough stack](crate::interp::with_stack).
pub fn replay(
    linked: &Linked<'_>,
    statics: &Heap,
    space: &Space,
    concrete: &Concrete,
    checked: &Checked,
    operation: &Operation,
    limits: Limits,
) -> Replay {
    let before = heap_of(linked, statics, space, concrete);
    let mut interp = Interp::new(linked, before.clone(), NoChoice, space.n);
    interp.limits = limits;
    let (mut judgement, states) = run_state(&mut interp, checked, operation, space.main, &concrete.arguments);
    if judgement == Judgement::Dropped
        && interp.cut_off != CutOff::Nothing
        && let Known::All(choices) = Known::of(linked.program, checked, operation, space)
    {
        let mut again = Interp::new(linked, before.clone(), NoChoice, space.n);
        again.limits = limits;
        if choices.hold(&mut again, checked, space.main) && choices.are_cut_off(&mut again, checked, space.main) {
            judgement = Judgement::Violated(vec![choices.violation(operation)]);
        }
    }
    Replay { before, judgement, after: interp.heap, states }
}
