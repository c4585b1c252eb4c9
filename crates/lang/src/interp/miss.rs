//! Nearest misses.
pub struct Miss;
pub struct Reason;
