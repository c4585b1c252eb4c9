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
        // Any text that the program can tell from others; those differ from all of them.
        let constants = texts_of(self.program);
        objects.extend(constants.iter().map(|id| ObjId(id.0)));
        let compares = self.program.methods.iter().any(|m| m.class == class && m.name == "differs");
        if self.program.identity.strings && compares {
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

/// The constants that code may compare: not those that are only part of a text that is built, or of the message of an exception or an assertion, if
/// nobody asks for it. The names of classes count if the inputs ask for them: what the library does with them is not supported.
fn texts_of(program: &Program) -> Vec<StringId> {
    let mut texts: Vec<(StringId, Span)> = Vec::new();
    let mut only_told: FxHashSet<Span> = FxHashSet::default();
    let is_exception = |class: ClassId| program.is_subclass(class, program.known.throwable);
    let is_constructor = |m: MethodId| program.method(m).is_constructor && is_exception(program.method(m).class);
    let is_name = |m: &Method| {
        let class = program.class(m.class);
        class.is_built_in && class.name == "Class" && matches!(m.name.as_str(), "getName" | "getSimpleName")
    };
    let tells = program.methods.iter().any(|m| m.class == program.known.throwable && m.name == "getMessage");
    let (mut names, mut has_names) = (Vec::new(), false);
    for method in &program.methods {
        let Some(body) = &method.body else { continue };
        let class = program.class(method.class);
        let is_of_inputs = class.is_input && !class.is_of_library;
        walk::nodes(body, &mut |node| {
            match node {
                walk::Node::Stmt(Stmt { kind: StmtKind::Assert { message, .. }, .. }) => {
                    only_told.extend(message.iter().map(|m| m.span));
                }
                walk::Node::Expr(Expr { kind: ExprKind::Concat(parts), .. }) => {
                    only_told.extend(parts.iter().map(|p| p.span));
                }
                walk::Node::Expr(Expr { kind: ExprKind::New(_, m, args) | ExprKind::Call(m, args), .. }) => {
                    has_names |= is_of_inputs && is_name(program.method(*m));
                    if is_constructor(*m) && !tells {
                        only_told.extend(args.iter().map(|a| a.span));
                    }
                }
                walk::Node::Expr(Expr { kind: ExprKind::String(id), span, .. }) => match is_name(method) {
                    true => names.push(*id),
                    false => texts.push((*id, *span)),
                },
                _ => {}
            }
            true
        });
    }
    let mut texts: Vec<StringId> = texts.into_iter().filter(|(_, at)| !only_told.contains(at)).map(|t| t.0).collect();
    texts.extend(names.into_iter().filter(|_| has_names));
    texts.retain(|id| id.index() < program.constants().len());
    texts.sort_unstable();
    texts.dedup();
    texts
}
