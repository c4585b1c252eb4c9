//! A program at one size, with what all searches of it start from: the statics, initialised. Whoever runs searches has one.

use crate::outcome::{Counts, Options, Outcome, Strategy};
use crate::start::Starts;
use crate::{Described, GlassBox, exhaustive, race, search_models};
use ir::heap::Heap;
use ir::interp::{Linked, Stop, run_statics, snapshot};
use ir::space::{Shape, Space, Statics};
use ir::{Checked, Operation};
use source::Diagnostic;
use std::sync::Arc;
use std::time::Duration;

pub struct Session<'p> {
    pub linked: &'p Linked<'p>,
    pub heap: Heap,
    pub statics: Arc<Statics>,
    pub size: i64,
    pub(crate) starts: Starts<'p>,
}

impl<'p> Session<'p> {
    /// Runs the static initialisers, on a large stack. An error if there is no thread for that, or if one of them does not end as it should.
    pub fn new(linked: &'p Linked<'p>, size: i64) -> Result<Session<'p>, Stop> {
        let heap = work::with_room(|| run_statics(linked, size));
        let heap = heap.unwrap_or(Err(Stop::Internal("no thread could be started")))?;
        let statics = Arc::new(snapshot(linked, &heap));
        Ok(Session { linked, starts: Starts::new(linked.program, statics.clone()), statics, heap, size })
    }

    /// The states that an operation starts from. What operations that were asked for have in common is translated once.
    pub fn space(&self, checked: &Checked, operation: &Operation, shape: Shape) -> Result<Arc<Space>, Diagnostic> {
        let space = Space::new(self.linked.program, checked, operation, self.size, shape, &self.statics.objects)?;
        let space = Arc::new(space);
        self.starts.announce(&space, checked);
        Ok(space)
    }

    /// S by itself.
    pub fn described(
        &self,
        space: &Arc<Space>,
        checked: &Checked,
        operation: &Operation,
        limits: symex::Limits,
    ) -> Result<Described<'p>, symex::Stop> {
        Described::of(self.starts.valid_states(space, checked, limits, None)?, operation)
    }

    /// By the strategy of the options. Must run on a large stack.
    pub fn search(
        &self,
        space: &Arc<Space>,
        checked: &Checked,
        operation: &Operation,
        options: &Options,
    ) -> (Outcome, Counts) {
        let program = self.linked.program;
        match options.strategy {
            Strategy::Execution => {
                let mut glass_box = GlassBox::new(program, space, &self.statics, checked, operation, options);
                (glass_box.search_from(Some(&self.starts)), glass_box.counts)
            }
            Strategy::Models => search_models(program, space, &self.statics, checked, operation, options),
            Strategy::Exhaustive => exhaustive::search(self.linked, &self.heap, space, checked, operation, options),
        }
    }

    /// By the glass box, and after a while by running states one by one as well: the first answer counts.
    pub fn race(
        &self,
        space: &Arc<Space>,
        checked: &Checked,
        operation: &Operation,
        options: &Options,
        alone: Duration,
    ) -> (Outcome, Counts, Strategy) {
        race(self, space, checked, operation, options, alone)
    }
}
