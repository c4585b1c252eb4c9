//! From text to syntax: `.fl`, `.sl`, `.al` and `.scope`.

pub mod ast;
