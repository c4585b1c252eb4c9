//! What tests of several crates share.

pub mod browser;
pub mod schema;
