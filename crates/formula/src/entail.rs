//! What is in the state hangs on something that is in the state: implications between literals that hold in every state, as a forest,
//! so that a conjunction over the places of a tree becomes the condition of the lowest of them.

use crate::graph::Lit;
use rustc_hash::FxHashMap;

#[derive(Clone, Default)]
pub(crate) struct Entailments {
    /// For a node whose literal implies others or is implied: when a walk through the forest enters and leaves it; it implies those
    /// whose time includes its own. Others have no time.
    times: Vec<(u32, u32)>,
}

impl Entailments {
    /// Of literals that are not negated; the first one of each pair has one second.
    pub fn new(implications: &[(Lit, Lit)]) -> Entailments {
        let mut below: FxHashMap<Lit, Vec<Lit>> = FxHashMap::default();
        let mut above: FxHashMap<Lit, Lit> = FxHashMap::default();
        for &(lit, implied) in implications {
            let is_plain = |l: Lit| !l.is_negated() && !l.is_constant();
            if is_plain(lit) && is_plain(implied) && lit != implied && !above.contains_key(&lit) {
                above.insert(lit, implied);
                below.entry(implied).or_default().push(lit);
            }
        }
        let mut times = Vec::new();
        let mut clock = 0;
        // A circle has no root, and gets no time.
        let mut roots: Vec<Lit> = below.keys().copied().filter(|lit| !above.contains_key(lit)).collect();
        roots.sort_unstable();
        let mut stack: Vec<(Lit, bool)> = roots.into_iter().map(|lit| (lit, false)).collect();
        while let Some((lit, is_leaving)) = stack.pop() {
            clock += 1;
            let index = lit.node().index();
            if times.len() <= index {
                times.resize(index + 1, (0, 0));
            }
            if is_leaving {
                times[index].1 = clock;
            } else {
                times[index].0 = clock;
                stack.push((lit, true));
                stack.extend(below.get(&lit).into_iter().flatten().map(|&lit| (lit, false)));
            }
        }
        Entailments { times }
    }

    /// Whether one literal is known to imply another.
    #[inline]
    pub fn hold(&self, a: Lit, b: Lit) -> bool {
        // not q implies not p iff p implies q.
        let (a, b) = match (a.is_negated(), b.is_negated()) {
            (false, false) => (a, b),
            (true, true) => (!b, !a),
            _ => return false,
        };
        let (Some(&below), Some(&above)) = (self.times.get(a.node().index()), self.times.get(b.node().index())) else {
            return false;
        };
        above.0 > 0 && above.0 <= below.0 && below.1 <= above.1
    }
}
