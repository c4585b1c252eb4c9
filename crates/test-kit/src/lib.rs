//! What tests of several crates share.

pub mod browser;
pub mod choices;
pub mod effort;
pub mod mangle;
pub mod messages;
pub mod schema;

/// As in the command: engines allocate much, and tests run them for minutes.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
