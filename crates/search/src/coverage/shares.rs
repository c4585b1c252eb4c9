//! In what proportions a [sample](super::sample) takes the options of a decision: by how many states each leaves, as far as
//! that is known, as logarithms. By the space alone at first, then as samples find.

use crate::amount::sum;
use crate::described::Described;
use crate::exhaustive::Subject;
use formula::TermId;
use ir::space::{Domain, Space};
use ir::{Location, ObjId, Ty, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use symex::Sym;

pub fn domain(space: &Space, subject: Subject) -> &Domain {
    match subject {
        Subject::At(at) => &space.object(at.object).slots[at.slot as usize],
        Subject::Argument(index) => &space.arguments[index],
    }
}

pub struct Sizes {
    /// By object.
    of_space: Vec<f64>,
    /// How many places hang on an object, itself included: objects of a class with as many are alike.
    pub places: Vec<u32>,
    pub learned: FxHashMap<Choice, Learned>,
    /// Of objects that are alike, what hangs on them.
    pub totals: FxHashMap<(Ty, u32), Learned>,
}

/// An option of a slot of all objects that are alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    pub ty: Ty,
    pub places: u32,
    pub slot: u32,
    pub option: i64,
    /// What a sibling, or else the object it hangs on, has in the same slot.
    pub of_relative: i64,
}

/// No option.
pub const UNRELATED: i64 = -1;
/// Integers up to here are options to learn about.
const FEW: i64 = 8;

/// An option as a number, if it is one of few.
pub fn few(space: &Space, value: Value, length: Option<u32>) -> Option<i64> {
    match value {
        Value::Null => Some(FEW),
        Value::Bool(value) => Some(value.into()),
        Value::Int(value) => (0..FEW).contains(&value).then_some(value),
        Value::Obj(object) => Some(match (length, space.object(object).ty) {
            (Some(length), _) => FEW + 1 + i64::from(length),
            (None, Ty::Class(class)) => FEW + 1 + i64::from(class.0),
            (None, _) => FEW + 1,
        }),
    }
}

#[derive(Clone, Copy, Default)]
pub struct Learned {
    mean: f64,
    samples: u32,
    pub dead_ends: u32,
}

impl Learned {
    pub fn learn(&mut self, ln: f64) {
        self.samples += 1;
        // The logarithm of the mean, not the mean of the logarithms, is right whatever the shares were.
        let samples = f64::from(self.samples);
        let before = if self.samples > 1 { self.mean + (samples - 1.0).ln() } else { f64::NEG_INFINITY };
        self.mean = sum(&[before, ln]) - samples.ln();
    }
}

/// How far the space alone may favour an option that no sample tried over one that did, and the other way round.
const FAVOURED: f64 = 2.0;
const SLIGHTED: f64 = -12.0;

impl Sizes {
    pub fn new(space: &Space, described: &Described<'_>, compared: &FxHashSet<TermId>) -> Sizes {
        let mut sizes = Sizes {
            of_space: vec![f64::NAN; space.objects.len()],
            places: vec![0; space.objects.len()],
            learned: FxHashMap::default(),
            totals: FxHashMap::default(),
        };
        for object in 0..space.objects.len() as u32 {
            sizes.measure(space, described, compared, ObjId(object));
        }
        sizes
    }

    fn measure(&mut self, space: &Space, described: &Described<'_>, compared: &FxHashSet<TermId>, object: ObjId) {
        if !self.of_space[object.index()].is_nan() {
            return;
        }
        self.of_space[object.index()] = 0.0;
        let (mut ln, mut places) = (0.0, 1);
        for (slot, domain) in space.object(object).slots.iter().enumerate() {
            let symbol = described.symbol(Subject::At(Location { object, slot: slot as u32 }));
            ln += match (domain, symbol) {
                (Domain::Slot { nullable, objects, .. }, _) => {
                    let mut lns = if *nullable { vec![0.0] } else { Vec::new() };
                    for &target in objects {
                        self.measure(space, described, compared, target);
                        lns.push(self.of_space[target.index()]);
                        places += self.places[target.index()];
                    }
                    sum(&lns).max(0.0)
                }
                (Domain::Int { lo, hi }, None) => (hi.abs_diff(*lo) as f64 + 1.0).ln(),
                // A guess: half of it is taken by the order.
                (Domain::Int { lo, hi }, Some(Sym::Int(term))) if compared.contains(&term) => {
                    (hi.abs_diff(*lo) as f64 + 1.0).ln() / 2.0
                }
                (Domain::Ints(values), None) => (values.len() as f64).ln(),
                (Domain::Bool, None) => 2f64.ln(),
                (Domain::Ref { nullable, objects }, None) => {
                    ((objects.len() + usize::from(*nullable)).max(1) as f64).ln()
                }
                _ => 0.0,
            };
        }
        self.of_space[object.index()] = ln;
        self.places[object.index()] = places;
    }

    /// Without what is learned about the option itself.
    pub fn unlearned(&self, space: &Space, subject: Subject, value: Value, length: Option<u32>) -> f64 {
        match (domain(space, subject), value, length) {
            // Its elements are alike.
            (Domain::Slot { .. }, Value::Obj(array), Some(length)) => {
                let longest = space.object(array).slots.len().max(1) as f64;
                self.of_space[array.index()] * f64::from(length) / longest
            }
            (Domain::Slot { .. }, Value::Obj(object), None) => {
                let total = self.totals.get(&(space.object(object).ty, self.places[object.index()]));
                total.map_or(self.of_space[object.index()], |total| total.mean)
            }
            _ => 0.0,
        }
    }

    /// The logarithms of the shares of some options.
    pub fn shares(&self, unlearned: Vec<f64>, choices: &[Option<Choice>]) -> Vec<f64> {
        let learned = |choice: &Option<Choice>| choice.and_then(|c| self.learned.get(&c)).copied().unwrap_or_default();
        let learned: Vec<Learned> = choices.iter().map(learned).collect();
        let tried = (0..choices.len()).filter(|&i| learned[i].samples > 0);
        let Some(best) = tried.max_by(|&a, &b| learned[a].mean.total_cmp(&learned[b].mean)) else { return unlearned };
        let share = |i: usize| {
            if learned[i].samples > 0 {
                return learned[i].mean;
            }
            let guess = (unlearned[i] - unlearned[best]).clamp(SLIGHTED, FAVOURED);
            learned[best].mean + guess - f64::from(learned[i].dead_ends)
        };
        (0..choices.len()).map(share).collect()
    }
}
