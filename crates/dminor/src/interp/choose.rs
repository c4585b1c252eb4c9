//! Which member an accumulate takes next. The semantics allows any (docs/dminor.md, "Semantics"): the first in canonical order, a random
//! one, one that is given, or all of them one run after another.

use work::Chance;

/// Asked whenever there are several distinct members left.
pub trait Chooser {
    /// Less than `count`, which is at least 2.
    fn choose(&mut self, count: usize) -> usize;
}

/// Canonical order.
pub struct First;

impl Chooser for First {
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// Any order, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Random(Chance);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Chance::new(seed.wrapping_mul(2).wrapping_add(1)))
    }

    pub fn draw(&mut self) -> u64 {
        self.0.draw()
    }

    /// Less than `count`; 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }
}

impl Chooser for Random {
    fn choose(&mut self, count: usize) -> usize {
        self.below(count)
    }
}

/// The order that is given, by numbers in canonical order; canonical order after its end.
#[derive(Clone, Debug)]
pub struct Given {
    order: std::vec::IntoIter<usize>,
    /// Whether a number was too large: there were not as many members.
    pub is_beyond: bool,
}

impl Given {
    pub fn new(order: Vec<usize>) -> Given {
        Given { order: order.into_iter(), is_beyond: false }
    }

    /// Whether there were fewer choices than numbers.
    pub fn is_longer(&self) -> bool {
        self.order.len() > 0
    }
}

impl Chooser for Given {
    fn choose(&mut self, count: usize) -> usize {
        let choice = self.order.next().unwrap_or(0);
        self.is_beyond |= choice >= count;
        choice.min(count - 1)
    }
}

/// Every order: run, then [`Everywhere::advance`], as long as that says that there is another one.
#[derive(Clone, Debug, Default)]
pub struct Everywhere {
    /// Choices made, of how many.
    path: Vec<(usize, usize)>,
    at: usize,
}

impl Everywhere {
    /// The choices of the last run, for [`Given`].
    pub fn order(&self) -> Vec<usize> {
        let made = &self.path[..self.at];
        let last = made.iter().rposition(|(choice, _)| *choice > 0).map_or(0, |k| k + 1);
        made[..last].iter().map(|(choice, _)| *choice).collect()
    }

    /// To the next run: the last choice that can be made otherwise is.
    pub fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((choice, count)) = self.path.pop() {
            if choice + 1 < count {
                self.path.push((choice + 1, count));
                return true;
            }
        }
        false
    }
}

impl Chooser for Everywhere {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.path.len() {
            self.path.push((0, count));
        }
        let (choice, _) = self.path[self.at];
        self.at += 1;
        choice
    }
}
