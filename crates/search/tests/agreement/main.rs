//! Nothing trusted alone: the engines agree with each other, and the exhaustive one with known numbers.

mod circles;
mod corners;
mod counts;
mod covered;
mod cross;
mod engines;
mod magnitudes;
mod mutants;
mod mutate;
mod operations;
mod random;
mod runs;
mod start_states;

// For its allocator.
use test_kit as _;
