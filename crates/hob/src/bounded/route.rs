//! Routes of fields as automata (Glushkov's construction), as small as merging equal states makes them.
//!
//! What goes in: a [`Route`] and the type that it starts from. What comes out: states, each with the type of the objects it is
//! about, whether the route may end there, and which fields lead on. State 0 is the start. Kept: the words of the route.

use crate::program::{FieldId, Program, Route, Type, TypeId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub object: TypeId,
    pub ends: bool,
    /// Field and next state; ascending, each once.
    pub next: Vec<(FieldId, usize)>,
}

/// Which positions a part of a route may begin and end with, and whether it may be empty.
struct Part {
    first: Vec<usize>,
    last: Vec<usize>,
    empty: bool,
}

struct Positions {
    /// The field of each position.
    fields: Vec<FieldId>,
    follow: Vec<Vec<usize>>,
}

/// None if a field of the route does not hold objects.
pub fn automaton(program: &Program, route: &Route, from: TypeId) -> Option<Vec<State>> {
    let mut positions = Positions { fields: Vec::new(), follow: Vec::new() };
    let whole = positions.part(route);
    let mut states = vec![State { object: from, ends: whole.empty, next: positions.edges(&whole.first) }];
    for position in 0..positions.fields.len() {
        let Type::Object(object) = program.field(positions.fields[position]).ty else { return None };
        let next = positions.edges(&positions.follow[position]);
        states.push(State { object, ends: whole.last.contains(&position), next });
    }
    for state in &mut states {
        // A field of another type cannot be read here.
        state.next.retain(|(field, _)| program.field(*field).object == state.object);
    }
    Some(merged(states))
}

impl Positions {
    /// State of a position: one more, for the start.
    fn edges(&self, positions: &[usize]) -> Vec<(FieldId, usize)> {
        let mut edges: Vec<_> = positions.iter().map(|&p| (self.fields[p], p + 1)).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn part(&mut self, route: &Route) -> Part {
        match route {
            Route::Field(field) => {
                let position = self.fields.len();
                self.fields.push(*field);
                self.follow.push(Vec::new());
                Part { first: vec![position], last: vec![position], empty: false }
            }
            Route::Sequence(parts) => {
                let mut all = Part { first: Vec::new(), last: Vec::new(), empty: true };
                for part in parts {
                    let part = self.part(part);
                    self.link(&all.last, &part.first);
                    if all.empty {
                        all.first.extend(&part.first);
                    }
                    if !part.empty {
                        all.last.clear();
                    }
                    all.last.extend(&part.last);
                    all.empty &= part.empty;
                }
                all
            }
            Route::Either(parts) => {
                let mut all = Part { first: Vec::new(), last: Vec::new(), empty: false };
                for part in parts {
                    let part = self.part(part);
                    all.first.extend(part.first);
                    all.last.extend(part.last);
                    all.empty |= part.empty;
                }
                all
            }
            Route::Star(inner) | Route::Plus(inner) => {
                let mut part = self.part(inner);
                let (last, first) = (part.last.clone(), part.first.clone());
                self.link(&last, &first);
                part.empty |= matches!(route, Route::Star(_));
                part
            }
            Route::Optional(inner) => Part { empty: true, ..self.part(inner) },
        }
    }

    fn link(&mut self, from: &[usize], to: &[usize]) {
        for &p in from {
            for &q in to {
                if !self.follow[p].contains(&q) {
                    self.follow[p].push(q);
                }
            }
        }
    }
}

/// States that go on alike are one.
fn merged(mut states: Vec<State>) -> Vec<State> {
    loop {
        let twin = (0..states.len()).find_map(|b| (0..b).find(|&a| states[a] == states[b]).map(|a| (a, b)));
        let Some((kept, dropped)) = twin else { return states };
        states.remove(dropped);
        for state in &mut states {
            for (_, target) in &mut state.next {
                if *target == dropped {
                    *target = kept;
                }
                *target -= usize::from(*target > dropped);
            }
            state.next.sort_unstable();
            state.next.dedup();
        }
    }
}
