//! Isomorphism pruning (dissertation, 2.8): of objects that no run has met yet, one stands for all of its class
//! (and its type arguments).

use crate::execute::Executor;
use crate::oracle::{Flow, Oracle, Restriction, Stop};
use crate::value::{Obj, RefId};
use formula::Lit;
use ir::generics::InstanceId;
use ir::{ClassId, Ty};

/// Alternatives of a reference that are one as good as the other: one object, or those of a class that no run has met.
struct Kind {
    class: Option<(ClassId, Option<InstanceId>)>,
    objects: Vec<(Obj, Lit)>,
}

impl<O: Oracle> Executor<'_, '_, O> {
    /// The one object that a reference is on this path (Φ(v) = α), which is not null.
    pub(crate) fn object(&mut self, id: RefId) -> Result<Obj, Flow> {
        self.non_null(id)?;
        // An object met before is one of a kind; those of a class that nobody has met yet are one as good as the other, and are
        // taken or left together, so that none of them stands in for another that a decision left out.
        let mut kinds: Vec<Kind> = Vec::new();
        for (obj, guard) in self.symbolic.alternatives(id) {
            if obj == Obj::NULL {
                continue;
            }
            let class = self.unmet_class(obj);
            match kinds.iter_mut().find(|kind| class.is_some() && kind.class == class) {
                Some(kind) => kind.objects.push((obj, guard)),
                None => kinds.push(Kind { class, objects: vec![(obj, guard)] }),
            }
        }
        let count = kinds.len();
        for (i, Kind { objects, .. }) in kinds.into_iter().enumerate() {
            let any = self.symbolic.graph.or_all(objects.iter().map(|(_, guard)| *guard));
            if i + 1 < count && !self.branch(any)? {
                continue;
            }
            for &(_, guard) in &objects[1..] {
                self.oracle.restrict(&mut self.symbolic.graph, !guard, Restriction::Isomorphic)?;
            }
            let (obj, guard) = objects[0];
            if self.symbolic.graph.value(guard) == Some(false) {
                return Err(Stop::Infeasible.into());
            }
            self.met.insert(obj);
            return Ok(obj);
        }
        Err(Stop::Infeasible.into())
    }

    fn unmet_class(&self, obj: Obj) -> Option<(ClassId, Option<InstanceId>)> {
        if !self.isomorphism || self.met.contains(&obj) || self.symbolic.heap.is_fresh(obj) {
            return None;
        }
        let object = &self.symbolic.space.objects[obj.index()];
        match object.ty {
            Ty::Class(class) if object.interchangeable => Some((class, object.instance)),
            _ => None,
        }
    }
}
