//! A derivation as a drawing: premises above a line, the conclusion below it, the rule beside it.
//!
//! At most [`MOST_NODES`] conclusions are drawn, those near the root first; dots are where more would be.

use super::svg::{LINE, Svg, width};
use super::text::brief;
use verdict::program::Derivation;

const MOST_NODES: usize = 70;
const WIDEST: usize = 90;
const BESIDE: f64 = 26.0;
const LEVEL: f64 = LINE + 14.0;

pub fn draw(derivation: &Derivation) -> String {
    let mut left = MOST_NODES;
    let tree = Tree::of(derivation, &mut left);
    let mut svg = Svg::default();
    let height = tree.height as f64 * LEVEL;
    tree.draw(&mut svg, 0.0, height);
    svg.finish(&format!("derivation of {}", derivation.conclusion))
}

struct Tree<'a> {
    derived: &'a Derivation,
    text: String,
    premises: Vec<Tree<'a>>,
    /// Premises that are not drawn.
    is_cut: bool,
    /// Of all of it; `above` is that of the premises alone.
    width: f64,
    above: f64,
    /// Levels above its conclusion.
    height: usize,
}

impl<'a> Tree<'a> {
    fn of(derived: &'a Derivation, left: &mut usize) -> Tree<'a> {
        *left = left.saturating_sub(1);
        let text = brief(&derived.conclusion, WIDEST);
        // Premises side by side share what is left, so that a deep one does not hide the others.
        let room = derived.premises.len() <= *left;
        let mut premises = Vec::new();
        for (k, premise) in derived.premises.iter().enumerate().filter(|_| room) {
            let mut share = *left / (derived.premises.len() - k);
            let before = share;
            premises.push(Tree::of(premise, &mut share));
            *left -= before - share;
        }
        let is_cut = !room && !derived.premises.is_empty();
        let mut above: f64 = premises.iter().map(|p| p.width + BESIDE).sum();
        above = (above - BESIDE).max(0.0);
        let height = premises.iter().map(|p| p.height + 1).max().unwrap_or(usize::from(is_cut));
        let rule = width(&derived.rule) + 8.0;
        let width = above.max(width(&text)) + rule;
        Tree { derived, text, premises, is_cut, width, above, height }
    }

    /// `y` is the base line of its conclusion.
    fn draw(&self, svg: &mut Svg, x: f64, y: f64) {
        let bar = self.width - width(&self.derived.rule) - 8.0;
        let own = width(&self.text);
        svg.group("judgment", &self.text, |svg| {
            svg.middle("conclusion", x + bar / 2.0, y, &self.text, &self.derived.conclusion);
        });
        let long = own.max(self.above).min(bar);
        let over = y - LINE;
        let start = x + (bar - long) / 2.0;
        svg.line("bar", [start, over, start + long, over]);
        svg.text("rule-name", start + long + 6.0, over + 4.0, &self.derived.rule, &self.derived.rule);
        if self.is_cut {
            svg.middle("conclusion", x + bar / 2.0, y - LEVEL, "⋮", "more premises, not drawn");
        }
        let mut at = x + (bar - self.above) / 2.0;
        for premise in &self.premises {
            premise.draw(svg, at, y - LEVEL);
            at += premise.width + BESIDE;
        }
    }
}
