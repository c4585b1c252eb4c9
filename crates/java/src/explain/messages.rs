//! A sentence for each violation, and what to say under the source it points at.

use super::names::{Names, simple};
use super::{Ending, Scene};
use crate::check::{ALLOWED, IS_VALID, LAW, WRAPPED};
use ir::check::{Cause, Violation};
use ir::interp::{Interp, NoChoice, Outcome};
use ir::tree::{Edge, broken_tree};
use source::Diagnostic;
use verdict::heap::Kind;

pub(super) fn violation(scene: &Scene<'_>, names: &mut Names<'_>, ending: &Ending, broken: &Violation) -> Diagnostic {
    if let Some((message, label)) = super::compared::violation(scene, names, ending, broken) {
        return Diagnostic::error(broken.kind.name(), scene.operation.span, message).label(label);
    }
    if let Some((message, label)) = super::orders::violation(scene, names, ending, broken) {
        return Diagnostic::error(broken.kind.name(), scene.operation.span, message).label(label);
    }
    let (message, label) = sentence(scene, names, ending, broken);
    let kind = if is_about_abstraction(scene, broken) { Kind::Abstraction } else { broken.kind };
    Diagnostic::error(kind.name(), broken.span, message).label(label)
}

/// Whether it is a postcondition that was made for an abstraction.
fn is_about_abstraction(scene: &Scene<'_>, broken: &Violation) -> bool {
    let Cause::Spec { method, .. } = broken.cause else { return false };
    of_abstraction(&scene.linked.program.method(method).name).is_some()
}

fn sentence(scene: &Scene<'_>, names: &mut Names<'_>, ending: &Ending, broken: &Violation) -> (String, String) {
    let program = scene.linked.program;
    match &broken.cause {
        Cause::Tree(_) => tree(scene, names, ending),
        Cause::Spec { method, clause } | Cause::Made { method, clause } => {
            let name = &program.method(*method).name;
            let name = name.split_once(WRAPPED).map_or(name.as_str(), |(written, _)| written);
            let message = of_abstraction(name).unwrap_or_else(|| match broken.kind {
                _ if matches!(broken.cause, Cause::Made { .. }) => {
                    format!("the invariant `{name}` does not hold of the result")
                }
                Kind::Postcondition => format!("the postcondition `{name}` does not hold"),
                Kind::Preservation => format!("preservation is broken: `{name}` does not hold after the step"),
                Kind::Exception => format!("`{name}` throws on a well-typed state"),
                _ if name.starts_with('@') => {
                    format!("`{name}` does not hold afterwards: another object has an array of the checked one")
                }
                _ if program.method(*method).is_static => {
                    format!("the invariant `{name}` of an argument does not hold afterwards")
                }
                _ => format!("the invariant `{name}` does not hold afterwards"),
            });
            let label = match clause {
                Some(clause) => match clause.threw {
                    Some(class) => format!("this threw {}", simple(&program.class(class).name)),
                    None => "this is the clause that broke".to_string(),
                },
                None => "this does not end".to_string(),
            };
            (message, label)
        }
        Cause::Escaped { class: thrown, .. } => {
            let class = simple(&program.class(*thrown).name);
            let above = scene.operation.may_throw.iter().find(|may| program.is_subclass(*thrown, may.class));
            match broken.kind {
                Kind::Assertion => ("an assertion fails".to_string(), "this does not hold".to_string()),
                Kind::Progress => {
                    ("progress is broken: a well-typed state is stuck".to_string(), "no step from here".to_string())
                }
                _ => {
                    let message = match above {
                        Some(may) => format!(
                            "{class} escapes, which `throws {}` does not name: if it may, say `@MayThrow({class}.class)`",
                            simple(&program.class(may.class).name)
                        ),
                        None => format!("{class} escapes, which `{}` does not allow", scene.operation.name),
                    };
                    (message, format!("{class} is thrown here"))
                }
            }
        }
        Cause::NoChoice { least, most } => (
            "progress is broken: no choice is enabled in a well-typed state that is not final".to_string(),
            match least == most {
                true => format!("the only choice, {least}, is cut off"),
                false => format!("every choice from {least} to {most} is cut off"),
            },
        ),
        Cause::Loop => (
            "the operation never ends: its state repeats".to_string(),
            "this loop comes back to the same state".to_string(),
        ),
    }
}

/// What it means that a postcondition which was made for an abstraction does not hold: the abstraction is not valid, its operation must not be
/// called, or `equalTo` is no equivalence that copies keep. None of others.
fn of_abstraction(name: &str) -> Option<String> {
    if let Some(law) = name.strip_prefix(LAW) {
        return Some(match law.trim_end_matches('_') {
            "copied" => "what a constructor makes of two abstractions that are equal is not equal".to_string(),
            law => format!("`equalTo` is not {law}"),
        });
    }
    let message = match name {
        IS_VALID => "the abstraction of a valid state is not valid: it breaks its own invariant",
        _ if name.starts_with(ALLOWED) => "the abstraction's operation has a precondition, which does not hold here",
        _ => return None,
    };
    Some(message.to_string())
}

/// Which edges meet, by the names in the picture: the tree is looked at once more, in the heap that is drawn.
fn tree(scene: &Scene<'_>, names: &mut Names<'_>, ending: &Ending) -> (String, String) {
    let label = "part of the tree".to_string();
    let mut interp = Interp::new(scene.linked, ending.heap.clone(), NoChoice, scene.space.n);
    let Scene { linked, checked, operation, concrete, .. } = scene;
    let made = match ending.outcome {
        Outcome::Normal(Some(returned)) => operation.made(linked, checked, &ending.heap, returned),
        _ => None,
    };
    let roots = operation.roots(linked.program, checked, &ending.heap, ending.receiver, &concrete.arguments, made);
    let Some(broken) = broken_tree(&mut interp, &roots).ok().flatten() else {
        return ("the tree property is broken".to_string(), label);
    };
    let mut place = |edge: Edge| {
        let object = names.name(&ending.heap, edge.object);
        let index = edge.index.map_or(String::new(), |i| format!("[{i}]"));
        format!("{object}.{}{index}", scene.linked.program.field(edge.field).name)
    };
    let edge = place(broken.edge);
    let other = broken.other.map(&mut place);
    let target = names.name(&ending.heap, broken.target);
    let message = match other {
        Some(other) => format!("not a tree any more: {other} and {edge} both lead to {target}"),
        None => format!("not a tree any more: {edge} leads back to {target}"),
    };
    (message, label)
}
