//! A look at the clock now and then, for loops whose steps are shorter than that.

use crate::stop::Stop;

/// Steps between two looks at a [`Stop`]: some ten microseconds of work.
const BETWEEN: usize = 4096;

/// Counts steps, and knows whether it is time to stop. Once it is, it stays so: whoever cuts work short asks again before an answer is given.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    stop: Stop,
    steps: usize,
    is_due: bool,
}

impl Clock {
    pub fn new(stop: &Stop) -> Clock {
        Clock { stop: stop.clone(), steps: 0, is_due: stop.is_due() }
    }

    /// Counts some steps; whether to stop.
    #[inline]
    pub fn step(&mut self, steps: usize) -> bool {
        self.steps += steps;
        if self.steps >= BETWEEN {
            self.look();
        }
        self.is_due
    }

    #[cold]
    fn look(&mut self) {
        self.steps = 0;
        self.is_due = self.is_due || self.stop.is_due();
    }

    /// Whether it was time to stop when the clock was last looked at.
    pub fn is_due(&self) -> bool {
        self.is_due
    }

    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::Cause;

    #[test]
    fn it_is_noticed_and_stays() {
        let stop = Stop::default();
        let mut clock = Clock::new(&stop);
        assert!(!clock.step(BETWEEN));
        stop.raise(Cause::Memory);
        assert!(!clock.is_due());
        assert!((0..BETWEEN).any(|_| clock.step(1)) && clock.is_due() && clock.step(0));
        assert!(Clock::new(&stop).is_due());
    }
}
