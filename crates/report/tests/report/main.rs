//! Renderers on small reports, one of each kind, put together by hand.

mod build;
mod html;
mod sarif;
mod stepping;
