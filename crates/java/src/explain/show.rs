//! A state as its class shows it (docs/java.md, "Showing states").

use super::names::Names;
use ir::heap::Heap;
use ir::interp::{Interp, NoChoice, Outcome, Stop};
use ir::{MethodId, ObjId, Ty, Value};
use rustc_hash::FxHashMap;

/// Of longer texts, the start.
const LONGEST: usize = 4_000;

impl Names<'_> {
    /// None if there is no method for it, or it did not end well: then a note says why. Objects that have names by now go by them.
    pub fn shown(&self, heap: &Heap, object: Option<ObjId>, notes: &mut Vec<String>) -> Option<String> {
        let (show, object) = (self.scene.checked.show?, object?);
        let mut interp = Interp::new(self.scene.linked, heap.clone(), NoChoice, self.scene.space.n);
        interp.limits = self.scene.limits;
        interp.texts = Some(self.texts(heap));
        let text = match interp.run_virtual(show, &[Value::Obj(object)]) {
            Outcome::Normal(Some(Value::Obj(text))) => text,
            outcome => {
                notes.extend(self.why_not(show, &outcome, &interp.heap).filter(|why| !notes.contains(why)));
                return None;
            }
        };
        let text = interp.texts?.remove(&text)?;
        let text = text.trim_end();
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => Some(format!("{}…", &text[..end])),
            None => Some(text.to_string()).filter(|t| !t.is_empty()),
        }
    }

    /// Only of a method that the user wrote: what is inherited from the library was not meant for this.
    fn why_not(&self, show: MethodId, outcome: &Outcome, heap: &Heap) -> Option<String> {
        let method = self.program.method(show);
        let why = match outcome {
            Outcome::Stop(Stop::Unsupported(problem)) => problem.message.clone(),
            Outcome::Threw(exception) => format!("it throws {}", self.program.ty_name(heap.ty(*exception))),
            Outcome::Stop(Stop::Steps { .. }) => "it takes too many steps".to_string(),
            _ => return None,
        };
        let is_own = self.program.class(method.class).is_input;
        is_own.then(|| format!("`{}` does not show this state: {why}", method.name))
    }

    /// What objects are called within strings.
    fn texts(&self, heap: &Heap) -> FxHashMap<ObjId, String> {
        let known = &self.program.known;
        let is_opaque =
            |object: &ObjId| heap.ty(*object) == Ty::Class(known.object) || heap.ty(*object) == Ty::Class(known.string);
        let named = self.named().filter(|(object, _)| is_opaque(object));
        let constants = self.program.strings.iter().enumerate().map(|(i, text)| (ObjId(i as u32), text.clone()));
        named.chain(self.enum_constants()).chain(constants).collect()
    }
}
