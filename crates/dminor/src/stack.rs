//! How deep recursion may go: parsing, resolving and running recurse with the nesting of a program and its calls.

/// Used at most, however much there is.
const MOST_MEGABYTES: usize = 1 << 10;

/// Nested evaluations for each megabyte of stack. Measured: less than 2 KiB for each, without optimisation as well.
const DEPTH_PER_MEGABYTE: usize = 200;

/// How many evaluations may be nested from here on.
pub(crate) fn deepest() -> usize {
    match (work::room() >> 20).min(MOST_MEGABYTES) {
        0 | 1 => DEPTH_PER_MEGABYTE / 4,
        megabytes => megabytes * DEPTH_PER_MEGABYTE,
    }
}
