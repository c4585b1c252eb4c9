//! Places of formulas, against what they are by definition.

use formula::{Forest, Graph, Lit, Parent, PlaceId};
use work::Chance;

/// Two trees: 0 above 1 and 2, 1 above 3 and 4; 5 above 6. And 7 by itself.
const ABOVE: [Option<u32>; 8] = [None, Some(0), Some(0), Some(1), Some(1), None, Some(5), None];

/// The places from one upwards, itself first.
fn ups(place: u32) -> Vec<u32> {
    std::iter::successors(Some(place), |place| ABOVE[*place as usize]).collect()
}

/// The lowest place above both, or that is both.
fn meet(a: PlaceId, b: PlaceId) -> PlaceId {
    match (a, b) {
        (PlaceId::NONE, place) | (place, PlaceId::NONE) => place,
        _ if !a.is_one() || !b.is_one() => PlaceId::SEVERAL,
        _ => ups(a.0).into_iter().find(|up| ups(b.0).contains(up)).map_or(PlaceId::SEVERAL, PlaceId),
    }
}

/// Of random formulas: each is at the place of its variables, and its parents are found by their places, also those made later.
#[test]
fn formulas_are_at_the_place_of_their_variables() {
    let chance = &mut Chance::new(7);
    let mut g = Graph::new();
    g.set_forest(Forest::new(ABOVE.iter().map(|above| above.map(PlaceId)).collect()));
    let mut made: Vec<(Lit, PlaceId)> = Vec::new();
    for place in (0..8).map(PlaceId) {
        g.go_to(Some(place));
        let (bit, number) = (g.var(), g.int_var(0, 9));
        made.extend([(bit, place), (g.at_most(number, 3), place)]);
    }
    g.go_to(None);
    made.push((g.var(), PlaceId::NONE));
    for round in 0..2 {
        for _ in 0..200 {
            let (a, b) = (made[chance.below(made.len())], made[chance.below(made.len())]);
            let known = g.node_count();
            let both = g.and(a.0, b.0);
            // What is simpler, or there already, may be at a lower place.
            if both.node().index() == known && g.node_count() == known + 1 {
                made.push((both, meet(a.1, b.1)));
            }
        }
        assert!(made.len() > 60, "{}", made.len());
        for &(lit, place) in &made {
            assert_eq!(g.place(lit.node()), place, "round {round}");
        }
        let near = [PlaceId(1), PlaceId(6)];
        for &(lit, _) in &made {
            g.sort_parents(lit.node());
            let is_near = |p: &&Parent| {
                let place = g.place(p.gate.node());
                !place.is_one() || near.contains(&place)
            };
            let mut expected: Vec<Lit> = g.parents(lit.node()).iter().filter(is_near).map(|p| p.gate).collect();
            let mut found: Vec<Lit> = g.parents_at(lit.node(), &near).map(|p| p.gate).collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(expected, found);
        }
    }
}
