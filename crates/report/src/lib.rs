//! Shows answers and diagnostics: one file per format. Everything comes back as text; nothing here prints.

pub mod graph;
pub mod html;
pub mod json;
mod lines;
mod numbers;
mod paint;
pub mod sarif;
mod snippet;
mod terminal;

pub use paint::Paint;
pub use snippet::diagnostic as render_diagnostic;
pub use terminal::{Terminal, fold, to_ascii};
