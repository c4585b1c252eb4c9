//! Objects without contents, and strings: constants of the program, others that differ from all of them, and copies of both
//! where the code can tell an equal string from the same.

use super::build::Builder;
use super::{COPIED_TEXT, Domain, OPAQUE_OBJECTS, Presence};
use crate::heap::default_value;
use crate::program::*;
use crate::value::{ObjId, Value};
use crate::walk;
use rustc_hash::FxHashSet;
use source::Span;

/// So many constants have copies.
const COPIES: usize = 8;

impl Builder<'_> {
    pub(super) fn opaque_objects(&mut self) -> Vec<ObjId> {
        let class = self.program.known.object;
        if !self.opaque.contains_key(&class) {
            let objects = (0..OPAQUE_OBJECTS).map(|_| self.opaque_object(class, None, true)).collect();
            self.opaque.insert(class, objects);
        }
        self.opaque[&class].clone()
    }

    pub(super) fn strings(&mut self, span: Span) -> Vec<ObjId> {
        let class = self.program.known.string;
        if let Some(objects) = self.opaque.get(&class) {
            return objects.clone();
        }
        let texts = (0..OPAQUE_OBJECTS as i64).map(|number| Value::Int(COPIED_TEXT - number));
        let mut objects: Vec<ObjId> = texts.map(|text| self.opaque_object(class, Some(text), true)).collect();
        // Any text that the program knows; the others differ from all of them.
        objects.extend((0..self.program.constants().len() as u32).map(ObjId));
        let compares = self.program.methods.iter().any(|m| m.class == class && m.name == "differs");
        if self.program.identity.strings && compares {
            let constants = texts_of(self.program);
            if let Some(left_out) = constants.get(COPIES) {
                let text = &self.program.strings[left_out.index()];
                let message =
                    format!("no string equals {text:?} and is another object: too many constants have copies");
                let remedy = "comparing strings by `equals` alone makes copies needless".to_string();
                self.leave_out("equal-strings", message, remedy, span, false);
            }
            let constants = constants.into_iter().take(COPIES).map(|id| ObjId(id.0));
            for copied in constants.chain([objects[0]]).collect::<Vec<_>>() {
                let Some(Domain::Fixed(text)) = self.space.object(copied).slots.first().cloned() else { continue };
                // What has a copy is not like the others.
                self.space.objects[copied.index()].interchangeable = false;
                objects.push(self.opaque_object(class, Some(text), false));
            }
        }
        self.opaque.insert(class, objects.clone());
        objects
    }

    fn opaque_object(&mut self, class: ClassId, text: Option<Value>, interchangeable: bool) -> ObjId {
        let id = self.bare(Ty::Class(class), Presence::Always);
        let fields = self.program.instance_fields(class);
        let value = |f: &FieldId| Domain::Fixed(text.unwrap_or(default_value(self.program.field(*f).ty)));
        self.space.objects[id.index()].slots = fields.iter().map(value).collect();
        self.space.objects[id.index()].interchangeable = interchangeable;
        id
    }
}

/// The constants that are more than the message of an exception or an assertion.
fn texts_of(program: &Program) -> Vec<StringId> {
    let mut texts: Vec<(StringId, Span)> = Vec::new();
    let mut messages: FxHashSet<Span> = FxHashSet::default();
    let is_exception = |class: ClassId| program.is_subclass(class, program.known.throwable);
    let is_constructor = |m: MethodId| program.method(m).is_constructor && is_exception(program.method(m).class);
    for body in program.methods.iter().filter_map(|m| m.body.as_ref()) {
        walk::nodes(body, &mut |node| {
            match node {
                walk::Node::Stmt(Stmt { kind: StmtKind::Assert { message, .. }, .. }) => {
                    messages.extend(message.iter().map(|m| m.span));
                }
                walk::Node::Expr(Expr { kind: ExprKind::New(_, m, args) | ExprKind::Call(m, args), .. })
                    if is_constructor(*m) =>
                {
                    messages.extend(args.iter().map(|a| a.span));
                }
                walk::Node::Expr(Expr { kind: ExprKind::String(id), span, .. }) => texts.push((*id, *span)),
                _ => {}
            }
            true
        });
    }
    let mut texts: Vec<StringId> = texts.into_iter().filter(|(_, at)| !messages.contains(at)).map(|t| t.0).collect();
    texts.retain(|id| id.index() < program.constants().len());
    texts.sort_unstable();
    texts.dedup();
    texts
}
