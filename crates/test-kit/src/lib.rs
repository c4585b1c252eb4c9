//! What tests of several crates share.

pub mod browser;
pub mod choices;
pub mod effort;
pub mod mangle;
pub mod messages;
pub mod schema;
