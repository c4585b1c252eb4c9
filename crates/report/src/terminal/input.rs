//! An input that fails, and how to see it fail again.

use crate::paint::Paint;
use std::fmt::Write;
use verdict::Failure;

pub fn replay(text: &mut String, failure: &Failure, paint: Paint) {
    if let Some(command) = &failure.replay {
        let _ = writeln!(text, "    {}", paint.faint(&format!("replay:  {command}")));
    }
}
