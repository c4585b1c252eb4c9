//! A definition as a figure for a paper.

use crate::definition::*;

pub fn definition(_lang: &Lang) -> String {
    String::new()
}
