//! Default ranges that are too narrow: the objects of a valid state fit into the bound, but the invariant wants a number of a field that its
//! default range does not have. A full tree whose `size` is n is such a state, since the range ends at n-1. Nothing runs from there, and no
//! operation need lead there either.
//!
//! What is asked of the exact solver, per field: is there a valid state with a number outside of the range, and is there none that differs
//! from it in this field alone and stays inside? Keys are not reported, since other keys would do.

use crate::exact::{Exact, Found};
use crate::outcome::Options;
use crate::session::Session;
use formula::Lit;
use ir::space::{Concrete, Domain, Space};
use ir::{Checked, ClassKind, FieldId, Location, ObjId, Ty};
use sat::Preset;
use std::collections::BTreeMap;
use std::sync::Arc;
use symex::{Sym, Symbolic};

/// A state that is left out for the range of one field.
pub struct Narrow {
    pub field: FieldId,
    /// Where it has a number outside of the range.
    pub at: Location,
    pub range: (i64, i64),
    /// A space that has the state.
    pub space: Space,
    pub state: Concrete,
}

/// So many states are tried per field: in some the field is free, and in others it is not.
const TRIES: usize = 6;
const CONFLICTS: u32 = 10_000;

/// Must run on a large stack.
pub fn too_narrow(session: &Session<'_>, space: &Space, checked: &Checked, options: &Options) -> Vec<Narrow> {
    let program = session.linked.program;
    let mut places: BTreeMap<FieldId, Vec<Location>> = BTreeMap::new();
    for (object, id) in space.objects.iter().zip((0u32..).map(ObjId)).skip(space.statics) {
        let Ty::Class(class) = object.ty else { continue };
        // What a box may hold is said where the box is, and is another range elsewhere.
        if program.class(class).kind == ClassKind::Box {
            continue;
        }
        for (field, slot) in program.instance_fields(class).into_iter().zip(0u32..) {
            let declared = program.field(field);
            if declared.ty.is_integral() && declared.bound.range.is_none() && !declared.is_synthetic {
                places.entry(field).or_default().push(Location { object: id, slot });
            }
        }
    }
    let asked = |(field, places): (FieldId, Vec<Location>)| narrow(session, space, checked, options, field, &places);
    places.into_iter().filter_map(asked).collect()
}

fn narrow(
    session: &Session<'_>,
    space: &Space,
    checked: &Checked,
    options: &Options,
    field: FieldId,
    places: &[Location],
) -> Option<Narrow> {
    let program = session.linked.program;
    let (least, most) = program.field(field).ty.range();
    let numbers: Vec<i64> = match &space.objects[places[0].object.index()].slots[places[0].slot as usize] {
        Domain::Int { lo, hi } => (*lo..=*hi).collect(),
        Domain::Ints(numbers) => numbers.clone(),
        _ => return None,
    };
    let range = (*numbers.first()?, *numbers.last()?);
    let wide =
        Domain::Int { lo: range.0.saturating_sub(8).max(least), hi: range.1.saturating_add(2 * space.n + 8).min(most) };
    let mut with_more = space.clone();
    for at in places {
        with_more.objects[at.object.index()].slots[at.slot as usize] = wide.clone();
    }
    let with_more = Arc::new(with_more);
    let mut symbolic = Symbolic::new(program, &with_more, &session.statics, options.limits);
    symbolic.interrupted = Some(options.interrupted());
    with_more.main?;
    let conditions = symbolic.valid_states(checked).ok()?;
    let mut outside: Vec<(Location, Lit)> = Vec::new();
    for &at in places {
        // A field that the invariant does not look at is free.
        let Some(Sym::Int(term)) = symbolic.asked(at) else { continue };
        let is_one: Vec<Lit> = numbers.iter().map(|&n| symbolic.graph.eq_constant(term, n)).collect();
        let inside = symbolic.graph.or_all(is_one);
        let object = symbolic.obj(at.object);
        let present = symbolic.present(object);
        outside.push((at, symbolic.graph.and(present, !inside)));
    }
    if outside.is_empty() || symbolic.cut_off().is_some() {
        return None;
    }
    let lits: Vec<Lit> = outside.iter().map(|(_, lit)| *lit).collect();
    let limits = sat::Limits { conflicts: Some(CONFLICTS), ..options.solver_limits() };
    let mut exact = Exact::new(&conditions, Preset::Search, false, limits);
    for _ in 0..TRIES {
        let Found::Model(model) = exact.find(&mut symbolic.graph, &[], &lits) else { return None };
        let state = symbolic.concretize(&model, &[]);
        let at =
            outside.iter().map(|(at, _)| *at).find(|at| match state.objects[at.object.index()][at.slot as usize] {
                ir::Value::Int(value) => !numbers.contains(&value),
                _ => false,
            })?;
        let mut others = symbolic.is_state(&state, |at| !places.contains(&at));
        let inside = lits.iter().map(|lit| !*lit);
        let path: Vec<Lit> = others.iter().copied().chain(inside).collect();
        match exact.find(&mut symbolic.graph, &path, &[]) {
            Found::Nothing => return Some(Narrow { field, at, range, space: Space::clone(&with_more), state }),
            Found::Model(_) => {
                others.iter_mut().for_each(|lit| *lit = !*lit);
                exact.add_clause(&mut symbolic.graph, &others);
            }
            _ => return None,
        }
    }
    None
}
