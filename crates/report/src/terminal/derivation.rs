//! Derivations drawn as on paper: premises side by side over a bar, the rule's name after it, the conclusion below. Too wide for the
//! terminal, they become an outline.

use verdict::program::Derivation;

/// Text in two dimensions; every line has the same width, in characters.
struct Block {
    lines: Vec<String>,
    width: usize,
    /// Where the conclusion stands in the last line.
    start: usize,
    end: usize,
}

const GAP: usize = 3;

/// Lines without indentation.
pub fn draw(derivation: &Derivation, width: usize) -> Vec<String> {
    let block = tree(derivation);
    if block.width <= width {
        return block.lines.into_iter().map(|l| l.trim_end().to_string()).collect();
    }
    let mut lines = Vec::new();
    outline(derivation, 0, &mut lines);
    lines
}

fn outline(derivation: &Derivation, depth: usize, lines: &mut Vec<String>) {
    let rule = if derivation.rule.is_empty() { String::new() } else { format!("   {}", derivation.rule) };
    lines.push(format!("{}{}{rule}", "  ".repeat(depth), derivation.conclusion));
    for premise in &derivation.premises {
        outline(premise, depth + 1, lines);
    }
}

fn pad(line: &str, width: usize) -> String {
    format!("{line}{}", " ".repeat(width.saturating_sub(line.chars().count())))
}

fn tree(derivation: &Derivation) -> Block {
    let conclusion = derivation.conclusion.chars().count();
    // A side condition stands without a bar.
    if derivation.rule.is_empty() && derivation.premises.is_empty() {
        return Block { lines: vec![derivation.conclusion.clone()], width: conclusion, start: 0, end: conclusion };
    }
    let above = beside(derivation.premises.iter().map(tree).collect());
    let (from, to) = if derivation.premises.is_empty() { (0, 0) } else { (above.start, above.end) };
    // The bar covers what stands right above it and the conclusion, which is centred.
    let length = (to - from).max(conclusion);
    let centre = (from + to) / 2;
    let bar_start = centre.saturating_sub(length / 2);
    let shift = (length / 2).saturating_sub(centre);
    let start = bar_start + (length - conclusion) / 2;
    let mut lines: Vec<String> = above.lines.iter().map(|l| format!("{}{l}", " ".repeat(shift))).collect();
    let bar = format!("{}{} {}", " ".repeat(bar_start), "─".repeat(length), derivation.rule);
    lines.push(bar);
    lines.push(format!("{}{}", " ".repeat(start), derivation.conclusion));
    let width = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let lines = lines.into_iter().map(|l| pad(&l, width)).collect();
    Block { lines, width, start, end: start + conclusion }
}

/// Blocks on one ground line.
fn beside(blocks: Vec<Block>) -> Block {
    let height = blocks.iter().map(|b| b.lines.len()).max().unwrap_or(0);
    let mut lines = vec![String::new(); height];
    let (mut width, mut start, mut end) = (0, None, 0);
    for block in &blocks {
        let offset = if width == 0 { 0 } else { width + GAP };
        let missing = height - block.lines.len();
        for (k, line) in lines.iter_mut().enumerate() {
            *line = pad(line, offset);
            if k >= missing {
                line.push_str(&block.lines[k - missing]);
            }
        }
        start = start.or(Some(offset + block.start));
        end = offset + block.end;
        width = offset + block.width;
    }
    let lines = lines.into_iter().map(|l| pad(&l, width)).collect();
    Block { lines, width, start: start.unwrap_or(0), end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(conclusion: &str, rule: &str, premises: Vec<Derivation>) -> Derivation {
        Derivation { conclusion: conclusion.to_string(), rule: rule.to_string(), premises }
    }

    #[test]
    fn a_derivation_is_a_tree_or_an_outline() {
        let zero = || node("⊢ 0 : Nat", "T-Zero", vec![]);
        let iszero = node("⊢ iszero 0 : Bool", "T-IsZero", vec![zero()]);
        let all = node("⊢ if iszero 0 then 0 else 0 : Nat", "T-If", vec![iszero, zero(), zero()]);
        let lines = draw(&all, 100);
        let expected = [
            "    ───────── T-Zero",
            "    ⊢ 0 : Nat",
            "───────────────── T-IsZero   ───────── T-Zero   ───────── T-Zero",
            "⊢ iszero 0 : Bool            ⊢ 0 : Nat          ⊢ 0 : Nat",
            "───────────────────────────────────────────────────────── T-If",
            "            ⊢ if iszero 0 then 0 else 0 : Nat",
        ];
        assert_eq!(lines, expected);
        assert_eq!(draw(&all, 20)[1], "  ⊢ iszero 0 : Bool   T-IsZero");
    }
}
