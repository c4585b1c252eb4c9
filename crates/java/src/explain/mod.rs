//! From a replayed state to what a person sees: names for objects, pictures of the state before and after, the call, the
//! way through the source, and a sentence for what broke.
//!
//! What goes in: an element of a space and the [`Replay`] that judged it. What comes out: a [`Counterexample`], or None if
//! the replay found no violation (then there is nothing to show, and whoever asked has a bug). The operation is run once
//! more to see what it returned: the judgement stays the replay's.

mod compared;
mod leaving;
mod messages;
mod names;
mod orders;
mod path;
mod shared;
mod show;
mod snapshot;

use crate::check::VALID;
use ir::check::{Cause, Judgement, Violation};
use ir::heap::Heap;
use ir::interp::{Interp, Limits, Linked, NoChoice, Outcome, Trace};
use ir::replay::{Replay, heap_of};
use ir::space::{Concrete, Space};
use ir::{Checked, MethodId, ObjId, Operation, OperationKind, Value};
pub use leaving::{left_out, too_narrow, undecided};
use names::Names;
use verdict::heap::{HeapExample, Kind, Snapshot};
use verdict::{Example, Failure};

/// One operation on one state.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub linked: &'a Linked<'a>,
    pub space: &'a Space,
    pub checked: &'a Checked,
    pub operation: &'a Operation,
    pub concrete: &'a Concrete,
    pub limits: Limits,
}

/// How the operation ended.
struct Ending {
    heap: Heap,
    outcome: Outcome,
    trace: Option<Box<Trace>>,
    receiver: Option<ObjId>,
}

/// Must run [with enough stack](work::with_room).
pub fn explain(scene: &Scene<'_>, replay: &Replay) -> Option<Failure> {
    let Judgement::Violated(violations) = &replay.judgement else { return None };
    let mut names = Names::new(scene, &replay.before);
    let compared = scene.operation.compared.as_ref();
    let mut before = names.snapshot(&replay.before, scene.space.main, &roots(scene), None);
    let mut notes = shared::notes(scene, &replay.before);
    before.text = names.shown(&replay.before, scene.space.main, &mut notes);
    // A specification that throws before the operation is what is shown instead of it.
    let method = match violations.first() {
        Some(Violation { kind: Kind::Exception, cause: Cause::Spec { method, .. }, .. }) => *method,
        _ => scene.operation.method,
    };
    let shown = compared.filter(|_| method == scene.operation.method).map_or(method, |c| c.operation);
    let no_choice = violations.iter().find_map(|v| match v.cause {
        Cause::NoChoice { least, most } => Some((least, most)),
        _ => None,
    });
    let call = match no_choice {
        Some((least, most)) => format!("{}({least}..{most})", scene.linked.program.method(shown).name),
        None => call(scene, &mut names, &replay.before, shown),
    };
    let ending = run_again(scene, &replay.before, method);
    let mut roots = roots(scene);
    let is_over = !matches!(ending.outcome, Outcome::Stop(_));
    let both = compared.and_then(|c| Some((c, compared::Both::of(scene, &ending)?)));
    let orders = scene.operation.orders.as_ref().and_then(|o| Some((o, compared::Both::of(scene, &ending)?)));
    if let (None, None, Outcome::Normal(Some(result))) = (&both, &orders, &ending.outcome) {
        roots.push(*result);
    }
    if let Outcome::Normal(Some(result)) = ending.outcome {
        let made = scene.operation.made(scene.linked, scene.checked, &ending.heap, result);
        roots.extend(made.map(Value::Obj).filter(|made| !roots.contains(made)).as_slice());
    }
    let after = is_over.then(|| {
        let mut after = names.snapshot(&ending.heap, ending.receiver, &roots, Some(&replay.before));
        after.text = names.shown(&ending.heap, ending.receiver, &mut notes);
        after
    });
    let outcome = match (&both, &orders) {
        (Some((compared, both)), _) => both.outcomes(&mut names, compared),
        (None, Some((orders, both))) => orders::outcomes(both, &mut names, orders),
        (None, None) if no_choice.is_some() => "no choice is enabled".to_string(),
        (None, None) => outcome(scene, &mut names, &ending),
    };
    let pictures = compared.map_or(Vec::new(), |c| compared::pictures(scene, c, &mut names, &replay.before, &ending));
    // Each choice has a path of its own.
    let (path, gap) = if no_choice.is_some() { (Vec::new(), None) } else { path::path(scene, &ending) };
    let mut problems: Vec<_> =
        violations.iter().map(|v| (v.kind, messages::violation(scene, &mut names, &ending, v))).collect();
    problems.sort_by_key(|(kind, _)| *kind != Kind::Abstraction);
    let mut problems: Vec<_> = problems.into_iter().map(|(_, problem)| problem).collect();
    problems.dedup_by(|a, b| a.message == b.message);
    let example = Example::Heap(HeapExample { before, notes, call, path, gap, after, outcome, pictures });
    Some(Failure { problems, example: Some(example), size: Some(scene.space.n), replay: None })
}

/// The state and the call alone: what is shown of a run that exceeded its limits.
pub fn picture(scene: &Scene<'_>, statics: &Heap) -> (Snapshot, String) {
    let heap = heap_of(scene.linked, statics, scene.space, scene.concrete);
    let mut names = Names::new(scene, &heap);
    let mut before = names.snapshot(&heap, scene.space.main, &roots(scene), None);
    before.text = names.shown(&heap, scene.space.main, &mut Vec::new());
    let method = scene.operation.compared.as_ref().map_or(scene.operation.method, |c| c.operation);
    let call = call(scene, &mut names, &heap, method);
    (before, call)
}

/// What the picture shows beside the checked object.
fn roots(scene: &Scene<'_>) -> Vec<Value> {
    let statics = scene.space.static_state.iter().map(|&o| Value::Obj(o));
    statics.chain(scene.concrete.arguments.iter().copied()).collect()
}

fn run_again(scene: &Scene<'_>, before: &Heap, method: MethodId) -> Ending {
    let program = scene.linked.program;
    let mut interp = Interp::new(scene.linked, before.clone(), NoChoice, scene.space.n);
    interp.limits = scene.limits;
    interp.trace = Some(Box::default());
    let receiver = match scene.operation.kind {
        OperationKind::Constructor => Some(interp.heap.allocate(&scene.linked.layout, program.method(method).class)),
        OperationKind::Method => scene.space.main,
        OperationKind::Static => None,
    };
    let mut arguments: Vec<Value> = receiver.into_iter().map(Value::Obj).collect();
    let given = program.method(method).parameters.len();
    arguments.extend(scene.concrete.arguments.iter().take(given));
    let outcome = interp.run_virtual(method, &arguments);
    Ending { outcome, trace: interp.trace.take(), heap: interp.heap, receiver }
}

/// `insert(3, o1)`, `new BoundedBuffer(2)`, `Heap.merge(e1, e2)`
fn call(scene: &Scene<'_>, names: &mut Names<'_>, heap: &Heap, method: MethodId) -> String {
    let program = scene.linked.program;
    let method = program.method(method);
    let arguments = method.parameters.iter().zip(&scene.concrete.arguments);
    if let Some(label) = &scene.operation.block {
        let values = arguments.map(|(p, &value)| format!("{}={}", p.name, names.text(heap, value, p.ty)));
        return std::iter::once(format!("{label}:")).chain(values).collect::<Vec<_>>().join(" ");
    }
    let arguments: Vec<String> = arguments.map(|(p, &value)| names.text(heap, value, p.ty)).collect();
    if let Some(orders) = &scene.operation.orders {
        let (first, second) = arguments.split_at(orders.arguments.min(arguments.len()));
        let call = |name: &str, arguments: &[String]| format!("{name}({})", arguments.join(", "));
        let [a, b] = &orders.names;
        let both = [call(a, first), call(b, second)];
        return if orders.is_pair { both.join(" and ") } else { format!("{} on both", both[0]) };
    }
    let class = names::simple(&program.class(method.class).name);
    let called = match scene.operation.kind {
        OperationKind::Constructor => format!("new {class}"),
        // Made for the abstraction function, which is what stands in front of the brackets.
        OperationKind::Method if method.name == VALID => {
            scene.operation.name.split('(').next().unwrap_or_default().to_string()
        }
        OperationKind::Method => method.name.clone(),
        OperationKind::Static => format!("{class}.{}", method.name),
    };
    format!("{called}({})", arguments.join(", "))
}

fn outcome(scene: &Scene<'_>, names: &mut Names<'_>, ending: &Ending) -> String {
    let program = scene.linked.program;
    match &ending.outcome {
        Outcome::Normal(Some(value)) => {
            let ty = program.method(scene.operation.method).return_ty;
            format!("returned {}", names.text(&ending.heap, *value, ty))
        }
        Outcome::Normal(None) => "returned".to_string(),
        Outcome::Threw(exception) => format!("threw {}", names::simple(&program.ty_name(ending.heap.ty(*exception)))),
        Outcome::Stop(_) => "does not end".to_string(),
    }
}
