//! Which member an accumulate takes next. The semantics allows any (DMINOR.md, section 4): the first in canonical order, a random one,
//! or all of them one run after another.

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
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// SplitMix64.
    #[allow(clippy::should_implement_trait)] // It never ends, so it is no iterator that one would loop over.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `count`; 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}

impl Chooser for Random {
    fn choose(&mut self, count: usize) -> usize {
        self.below(count)
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
