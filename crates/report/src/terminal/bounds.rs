//! The bounds in force, which of them are defaults, and how large a space they span.

use crate::numbers::power;
use crate::paint::Paint;
use std::fmt::Write;
use verdict::Bounds;

pub fn render(bounds: &Bounds, paint: Paint) -> String {
    let mut text = String::new();
    let title = format!("bounds of {}.{} at size {}", bounds.class, bounds.operation, bounds.size);
    let _ = writeln!(text, "{}: {}", paint.strong(&title), bounds.space);
    let width =
        |f: fn(&verdict::BoundLine) -> &str| bounds.lines.iter().map(|l| f(l).chars().count()).max().unwrap_or(0);
    let (what, bound) = (width(|l| &l.what), width(|l| &l.bound));
    for line in &bounds.lines {
        let note = if line.is_default { paint.faint("default") } else { String::new() };
        let row = format!("  {:what$}  {:bound$}  {note}", line.what, line.bound);
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let _ = writeln!(text, "  raw space: {} assignments", power(bounds.log10));
    text
}
