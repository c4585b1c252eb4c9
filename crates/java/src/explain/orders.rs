//! Two operations in both orders: what each returned and threw, on one object and on the other.

use super::compared::Both;
use super::names::Names;
use super::{Ending, Scene};
use ir::Orders;
use ir::check::{Cause, Violation};

/// `on a, put returns null, remove returns o1; on b, remove returns …`
pub(super) fn outcomes(both: &Both<'_>, names: &mut Names<'_>, orders: &Orders) -> String {
    let [first, second] = &match &orders.names {
        [first, second] if orders.is_pair && first == second => {
            [format!("the first {first}"), format!("the second {second}")]
        }
        names => names.clone(),
    };
    let of = |names: &mut Names<'_>, name: &str, [result, thrown]: [&str; 2]| {
        format!("{name} {}", both.told(names, result, thrown))
    };
    if !orders.is_pair {
        let (on_a, on_b) = (of(names, first, ["r1", "t1"]), of(names, first, ["r2", "t2"]));
        return format!("on a, {on_a}; on b, {on_b}");
    }
    let ours = [of(names, first, ["r1", "t1"]), of(names, second, ["s1", "u1"])].join(", ");
    let theirs = [of(names, second, ["s2", "u2"]), of(names, first, ["r2", "t2"])].join(", ");
    format!("on a, {ours}; on b, {theirs}")
}

/// A sentence for an order that matters, if that is what is broken.
pub(super) fn violation(
    scene: &Scene<'_>,
    names: &mut Names<'_>,
    ending: &Ending,
    broken: &Violation,
) -> Option<(String, String)> {
    let orders = scene.operation.orders.as_ref()?;
    let Cause::Spec { method, ref clause } = broken.cause else { return None };
    let [first, second] = &orders.names;
    let is_result = method == orders.same_result;
    // That they are equal is part of their invariant, too.
    let is_invariant = orders.is_abstraction && method == scene.checked.invariant;
    if !is_result && method != orders.same_state && !is_invariant {
        return None;
    }
    // Each must be valid by itself, which its own invariant says.
    let program = scene.linked.program;
    if let Some(of) = clause.as_ref().map(|c| program.method(c.method)).filter(|m| is_invariant && m.name == "repOk") {
        let class = super::names::simple(&program.class(of.class).name);
        let message = format!("`{first}` does not keep the invariant `repOk` of `{class}`");
        return Some((message, "leaves a state that is not valid".to_string()));
    }
    let subject = match orders.is_pair {
        true => format!("`{first}` and `{second}` do not commute"),
        false => format!("`{first}` does not keep equal states equal"),
    };
    let (what, label) = match (is_result, orders.is_pair) {
        (true, true) => (outcomes(&Both::of(scene, ending)?, names, orders), "other results in the other order"),
        (true, false) => (outcomes(&Both::of(scene, ending)?, names, orders), "other results on equal states"),
        (false, true) => {
            ("the states after both orders are not equal".to_string(), "leaves another state in the other order")
        }
        (false, false) => ("the states afterwards are not equal".to_string(), "leaves states that are not equal"),
    };
    Some((format!("{subject}: {what}"), label.to_string()))
}
