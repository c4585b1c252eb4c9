//! What tests of several crates share.

pub mod browser;
pub mod messages;
pub mod schema;
