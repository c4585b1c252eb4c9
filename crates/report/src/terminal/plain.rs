//! Text for terminals that show less: without signs beyond ASCII, or within so many columns.

/// What stands for a sign where there is only ASCII.
fn ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '✓' => "+",
        '✗' => "x",
        '·' => ".",
        '→' | '⟶' => "->",
        '…' => "...",
        '–' | '—' | '─' => "-",
        '│' => "|",
        '├' => "|",
        '└' => "`",
        '↺' => "@",
        '⊢' => "|-",
        'λ' => "\\",
        'Γ' => "Gamma",
        'Σ' => "Sigma",
        'τ' => "tau",
        '∅' => "{}",
        '∈' => "in",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '∧' => "/\\",
        '∨' => "\\/",
        '¬' => "!",
        '×' => "*",
        '↦' => "|->",
        '∀' => "forall",
        '∃' => "exists",
        _ => return None,
    })
}

/// What has no sign of its own becomes a question mark.
pub fn to_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match ascii(c) {
            _ if c.is_ascii() => out.push(c),
            Some(sign) => out.push_str(sign),
            None => out.push('?'),
        }
    }
    out
}

/// Breaks lines at spaces where they are longer than that; what goes on is indented further. Drawings and source are left alone.
pub fn fold(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_drawn = line.contains(['│', '├', '└', '─', '|']);
        if is_drawn || width(line.trim_end()) <= columns || columns < 40 {
            out.push_str(line);
        } else {
            fold_line(&mut out, line, columns);
        }
    }
    out
}

fn fold_line(out: &mut String, line: &str, columns: usize) {
    let indent = line.chars().take_while(|c| *c == ' ').count() + 4;
    let mut used = 0;
    for (k, word) in line.trim_end().split_inclusive(' ').enumerate() {
        let length = width(word.trim_end());
        if k > 0 && used + length > columns && used > indent {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = indent;
        }
        out.push_str(word);
        used += width(word);
    }
    out.push('\n');
}

/// Columns that a text takes: escape sequences take none.
fn width(text: &str) -> usize {
    let (mut columns, mut is_escape) = (0, false);
    for c in text.chars() {
        match (is_escape, c) {
            (false, '\u{1b}') => is_escape = true,
            (true, 'm') => is_escape = false,
            (true, _) => {}
            (false, _) => columns += 1,
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_become_ascii() {
        assert_eq!(to_ascii("✓ a → b …ß"), "+ a -> b ...?");
    }

    #[test]
    fn long_lines_are_folded_at_spaces() {
        let text = format!("  {}\n", ["word"; 20].join(" "));
        let folded = fold(&text, 50);
        assert!(folded.lines().all(|l| l.len() <= 50), "{folded}");
        assert!(folded.lines().skip(1).all(|l| l.starts_with("      word")), "{folded}");
        assert_eq!(folded.split_whitespace().count(), 20);
        let painted = format!("\u{1b}[1m{}\u{1b}[0m\n", "x".repeat(49));
        assert_eq!(fold(&painted, 50), painted);
    }
}
