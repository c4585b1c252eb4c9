//! Shows verdicts and diagnostics: one file per format. Everything comes back as text; nothing here prints.

mod bounds;
mod counterexample;
mod derivation;
mod drawing;
pub mod html;
pub mod json;
mod language;
mod lines;
pub mod numbers;
mod paint;
pub mod sarif;
mod snippet;
mod terminal;

pub use bounds::render as render_bounds;
pub use counterexample::state as draw_state;
pub use derivation::draw as draw_derivation;
pub use language::LanguageTerminal;
pub use paint::Paint;
pub use snippet::diagnostic as render_diagnostic;
pub use terminal::Terminal;
