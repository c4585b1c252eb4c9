//! Static checks of a definition that could be read (LANG.md, section 2).

use crate::definition::*;
use source::Diagnostic;

pub fn check(_lang: &Lang, _diagnostics: &mut Vec<Diagnostic>) {}
