//! Pieces of drawings. Colours are classes of the page's style sheet, so that drawings follow light and dark.

use super::text::{columns, esc};
use std::fmt::Write;

/// Of a character of the font in drawings, and of a line of it.
pub const COLUMN: f64 = 7.3;
pub const LINE: f64 = 17.0;
const MARGIN: f64 = 8.0;

/// How wide a text is drawn.
pub fn width(text: &str) -> f64 {
    columns(text) as f64 * COLUMN
}

/// A drawing under way.
#[derive(Default)]
pub struct Svg {
    body: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Svg {
    pub fn reach(&mut self, x: f64, y: f64) {
        self.left = self.left.min(x);
        self.top = self.top.min(y);
        self.right = self.right.max(x);
        self.bottom = self.bottom.max(y);
    }

    pub fn rect(&mut self, class: &str, [x, y, w, h]: [f64; 4], radius: f64) {
        self.reach(x + w, y + h);
        let _ = write!(
            self.body,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="{radius}"/>"#
        );
    }

    pub fn circle(&mut self, class: &str, x: f64, y: f64, r: f64) {
        self.reach(x + r, y + r);
        let _ = write!(self.body, r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{r}"/>"#);
    }

    pub fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        self.reach(x1.max(x2), y1.max(y2));
        let _ = write!(self.body, r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#);
    }

    pub fn path(&mut self, class: &str, d: &str) {
        let _ = write!(self.body, r#"<path class="{class}" d="{d}"/>"#);
    }

    /// From its left end; `full` is what it was before it was cut.
    pub fn text(&mut self, class: &str, x: f64, y: f64, text: &str, full: &str) {
        self.reach(x + width(text), y + 4.0);
        self.any_text(class, x, y, text, full);
    }

    /// Around its middle.
    pub fn middle(&mut self, class: &str, x: f64, y: f64, text: &str, full: &str) {
        self.reach(x + width(text) / 2.0, y + 4.0);
        self.any_text(&format!("{class} middle"), x, y, text, full);
    }

    fn any_text(&mut self, class: &str, x: f64, y: f64, text: &str, full: &str) {
        let title = if text == full { String::new() } else { format!("<title>{}</title>", esc(full)) };
        let class = class.trim();
        let _ = write!(self.body, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{title}{}</text>"#, esc(text));
    }

    /// Several pieces that belong together, such as an object with its fields.
    pub fn group(&mut self, class: &str, name: &str, draw: impl FnOnce(&mut Svg)) {
        let _ = write!(self.body, r#"<g class="{class}" data-name="{}">"#, esc(name));
        draw(self);
        self.body.push_str("</g>");
    }

    /// `label` is what a screen reader says.
    pub fn finish(self, label: &str) -> String {
        let (x, y) = ((self.left - MARGIN).floor(), (self.top - MARGIN).floor());
        let (w, h) = ((self.right + MARGIN - x).ceil(), (self.bottom + MARGIN - y).ceil());
        format!(
            r#"<div class="drawing" tabindex="0" role="img" aria-label="{}"><svg aria-hidden="true" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}">{}</svg></div>"#,
            esc(label),
            self.body,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_as_large_as_what_is_in_it() {
        let mut svg = Svg::default();
        svg.rect("box", [0.0, 0.0, 100.0, 40.0], 4.0);
        svg.text("", 90.0, 60.0, "<12>", "<12>");
        let drawn = svg.finish("a");
        assert!(drawn.contains("width=\"136\" height=\"80\" viewBox=\"-8 -8 136 80\""), "{drawn}");
        assert!(drawn.contains("&lt;12&gt;"), "{drawn}");
    }
}
