//! The way back: an assignment of the variables becomes a concrete state and concrete arguments (Φ of the dissertation,
//! 5.1). What the assignment leaves open takes its simplest value.

use crate::heap::Place;
use crate::symbolic::Symbolic;
use crate::value::{Obj, Refs, Sym};
use formula::{Assignment, Evaluator};
use ir::space::Concrete;
use ir::{ObjId, Ty, Value};

impl Symbolic<'_> {
    pub fn concretize(&mut self, assignment: &Assignment, arguments: &[Sym]) -> Concrete {
        // The search may be on another path by now, where other objects are known to be there.
        let before = self.graph.hide(true);
        let concrete = self.concretize_outright(assignment, arguments);
        self.graph.hide(before);
        concrete
    }

    fn concretize_outright(&mut self, assignment: &Assignment, arguments: &[Sym]) -> Concrete {
        let mut evaluator = Evaluator::new(assignment);
        let space = self.space.clone();
        // Make every initial value first: making one may add nodes.
        for (index, object) in space.objects.iter().enumerate() {
            for slot in 0..object.slots.len() as u32 {
                self.initial_value(Place::Slot(Obj(index as u32), slot));
            }
        }
        let mut objects = Vec::with_capacity(space.objects.len());
        for (index, object) in space.objects.iter().enumerate() {
            let obj = Obj(index as u32);
            let count = match object.ty {
                Ty::Array(_) => {
                    let length = self.initial_length(obj);
                    evaluator.term(&self.graph, length) as usize
                }
                _ => object.slots.len(),
            };
            let values = (0..count as u32).map(|slot| {
                let value = self.initial_value(Place::Slot(obj, slot));
                self.concrete(&mut evaluator, value)
            });
            objects.push(values.collect());
        }
        let arguments = arguments.iter().map(|&a| self.concrete(&mut evaluator, a)).collect();
        Concrete { objects, arguments }
    }

    fn concrete(&mut self, evaluator: &mut Evaluator<'_>, value: Sym) -> Value {
        match value {
            Sym::Bool(lit) => Value::Bool(evaluator.lit(&self.graph, lit)),
            Sym::Int(term) => Value::Int(evaluator.term(&self.graph, term)),
            Sym::Ref(id) => {
                let obj = match self.refs.get(id).clone() {
                    Refs::Choice { index, table } => {
                        let obj = self.refs.chosen(table, evaluator.term(&self.graph, index));
                        if obj == Obj::NULL {
                            obj
                        } else {
                            let present = self.present(obj);
                            if evaluator.lit(&self.graph, present) { obj } else { Obj::NULL }
                        }
                    }
                    Refs::Guarded(list) => {
                        let chosen = list.iter().find(|(_, g)| evaluator.lit(&self.graph, *g));
                        chosen.map_or(Obj::NULL, |(o, _)| *o)
                    }
                };
                if obj == Obj::NULL { Value::Null } else { Value::Obj(ObjId(obj.0)) }
            }
        }
    }
}
