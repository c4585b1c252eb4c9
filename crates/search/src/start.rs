//! Where searches start: the valid states (dissertation, 2.5), translated once for all operations that start from the same ones.
//!
//! What goes in: the space of an operation and the invariant. What comes out: a copy of the formulas, so that no search depends on
//! another, and the conjuncts of S that do not speak of arguments. Kept: only what more than one operation was announced for. How many
//! states there are is kept beside.

use crate::Coverage;
use formula::Lit;
use ir::space::{Domain, Space, Statics};
use ir::{Checked, MethodId, Program};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use symex::{Interrupted, Limits, Stop, Symbolic};

/// The formulas of valid states, and the conjuncts.
pub(crate) type Valid<'p> = (Symbolic<'p>, Vec<Lit>);

/// What the searches of a program at one size start from.
pub struct Starts<'p> {
    program: &'p Program,
    statics: Arc<Statics>,
    all: Mutex<Vec<Announced<'p>>>,
}

struct Announced<'p> {
    space: Arc<Space>,
    invariant: MethodId,
    operations: usize,
    /// With the limits that it was translated under.
    valid: Arc<Mutex<Option<(Limits, Valid<'p>)>>>,
    /// By arguments: how many states operations without preconditions have.
    counted: Vec<(Vec<Domain>, Counted)>,
}

/// Whoever comes first counts, others wait.
type Counted = Arc<OnceLock<Coverage>>;

impl Announced<'_> {
    fn is_for(&self, space: &Space, checked: &Checked) -> bool {
        self.invariant == checked.invariant && self.space.has_the_states_of(space)
    }
}

impl<'p> Starts<'p> {
    pub fn new(program: &'p Program, statics: Arc<Statics>) -> Starts<'p> {
        Starts { program, statics, all: Mutex::default() }
    }

    /// An operation will start from the states of a space.
    pub fn announce(&self, space: &Arc<Space>, checked: &Checked) {
        let mut all = self.all();
        match all.iter_mut().find(|a| a.is_for(space, checked)) {
            Some(announced) => announced.operations += 1,
            None => all.push(Announced {
                space: space.clone(),
                invariant: checked.invariant,
                operations: 1,
                valid: Arc::default(),
                counted: Vec::new(),
            }),
        }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Announced<'p>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many states there are, with such arguments. None if no operation was announced for them.
    pub fn counted(&self, space: &Space, checked: &Checked) -> Option<Counted> {
        let mut all = self.all();
        let announced = all.iter_mut().find(|a| a.is_for(space, checked))?;
        if let Some((_, known)) = announced.counted.iter().find(|(arguments, _)| *arguments == space.arguments) {
            return Some(known.clone());
        }
        let counted = Counted::default();
        announced.counted.push((space.arguments.clone(), counted.clone()));
        Some(counted)
    }

    /// The formulas of the valid states of a space: a copy, if other operations start there too. Whoever comes first translates them, others
    /// wait.
    pub fn valid_states(
        &self,
        space: &Arc<Space>,
        checked: &Checked,
        limits: Limits,
        interrupted: Option<Interrupted>,
    ) -> Result<Valid<'p>, Stop> {
        let mut symbolic = Symbolic::new(self.program, space, &self.statics, limits);
        symbolic.interrupted = interrupted;
        let valid = {
            let is_it = |a: &&Announced<'_>| a.operations > 1 && a.is_for(space, checked);
            self.all().iter().find(is_it).map(|a| a.valid.clone())
        };
        let mut valid = valid.as_ref().map(|valid| valid.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(Some((under, (shared, conditions)))) = valid.as_deref()
            && *under == limits
        {
            let mut copy = shared.clone();
            (copy.space, copy.interrupted) = (symbolic.space, symbolic.interrupted);
            return Ok((copy, conditions.clone()));
        }
        let conditions = symbolic.valid_states(checked)?;
        if let Some(none @ None) = valid.as_deref_mut() {
            *none = Some((limits, (symbolic.clone(), conditions.clone())));
        }
        Ok((symbolic, conditions))
    }
}
