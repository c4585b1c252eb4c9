//! Random things that shrink: proptest makes lists of numbers, and a generator reads its choices from them. The shorter the list and the
//! smaller its numbers, the smaller the thing, so that what fails becomes something a person can read.

use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

/// Numbers that decide what comes next; 0, the simplest, once they are used up.
pub struct Choices<'a> {
    numbers: &'a [u32],
    at: usize,
}

impl<'a> Choices<'a> {
    pub fn new(numbers: &'a [u32]) -> Choices<'a> {
        Choices { numbers, at: 0 }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.at += 1;
        self.numbers.get(self.at - 1).map_or(0, |number| *number as usize % limit)
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 1
    }
}

/// Tries so many lists of choices, always the same ones; what fails is made small before it is shown.
#[track_caller]
pub fn for_all(cases: u32, test: impl Fn(&[u32])) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let lists = proptest::collection::vec(0u32..5040, 0..400);
    let result = runner.run(&lists, |numbers| {
        test(&numbers);
        Ok(())
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, numbers)) => panic!("{reason}\nby the choices {numbers:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}
