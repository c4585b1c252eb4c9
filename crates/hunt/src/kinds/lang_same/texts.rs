//! The same text with other names or spellings, where columns stay, for rules that stand side by side; or in another layout, where they do not.

use lang::{Lang, Piece};
use std::collections::BTreeMap;
use work::Chance;

/// Words that mean something in the format.
const KEYWORDS: [&str; 38] = [
    "language",
    "extends",
    "assuming",
    "sound",
    "syntax",
    "var",
    "atom",
    "loc",
    "int",
    "env",
    "store",
    "judgment",
    "reduction",
    "in",
    "fun",
    "if",
    "bounds",
    "check",
    "expect",
    "holds",
    "fails",
    "size",
    "nodes",
    "height",
    "depth",
    "exists",
    "sup",
    "empty",
    "dom",
    "fresh",
    "forall",
    "where",
    "not",
    "is",
    "steps",
    "error",
    "or",
    "bind",
];

/// Names of sorts, words of productions, and the numbers of metavariables, all other ones.
pub fn other_names(text: &str, language: &Lang, chance: &mut Chance) -> (&'static str, String) {
    let mut used: Vec<String> = names(text).into_iter().map(|(_, name)| stem(name).to_string()).collect();
    let mut fresh = |old: &str, chance: &mut Chance| {
        let is_upper = old.chars().next().is_some_and(char::is_uppercase);
        for _ in 0..200 {
            let letter = |chance: &mut Chance| {
                let letter = *chance.pick(&['q', 'w', 'y', 'j', 'o', 'm', 'r', 'p', 'd', 'ξ', 'ζ', 'δ', 'φ', 'ψ', 'ж']);
                if is_upper { letter.to_uppercase().next().unwrap_or(letter) } else { letter }
            };
            let new: String = old.chars().map(|_| letter(chance)).collect();
            if !used.contains(&new) && !KEYWORDS.contains(&&new[..]) {
                used.push(new.clone());
                return Some(new);
            }
        }
        None
    };
    let mut sorts = BTreeMap::new();
    for alias in language.sorts.iter().flat_map(|s| &s.aliases) {
        if let Some(new) = fresh(alias, chance) {
            sorts.insert(alias.clone(), new);
        }
    }
    let mut words = BTreeMap::new();
    for piece in language.prods.iter().flat_map(|p| &p.pieces) {
        if let Piece::Token(word) = piece
            && word.chars().all(|c| c.is_alphabetic())
            && !word.contains(['λ', 'Λ'])
            && !KEYWORDS.contains(&&word[..])
            && !words.contains_key(word)
            && let Some(new) = fresh(word, chance)
        {
            words.insert(word.clone(), new);
        }
    }
    let by = 1 + chance.below(8) as u32;
    let is_sort_name = |name: &str| language.sorts.iter().any(|s| s.aliases.iter().any(|a| a == name));
    let renamed = replaced(text, |name| {
        // A word of a production is that word, whatever sort it looks like.
        if let Some(new) = words.get(name) {
            return Some(new.clone());
        }
        let old = stem(name);
        let suffix: String = name[old.len()..]
            .chars()
            .map(|c| c.to_digit(10).map_or(c, |d| char::from_digit((d + by) % 10, 10).unwrap_or(c)))
            .collect();
        is_sort_name(old).then(|| format!("{}{suffix}", sorts.get(old).map_or(old, |new| new)))
    });
    ("other names", renamed)
}

/// ASCII for symbols and symbols for ASCII, comments, spaces at the ends of lines.
pub fn other_spellings(text: &str, chance: &mut Chance) -> (&'static str, String) {
    let pairs: [(&str, &str); 9] = [
        ("λ ", "\\ "),
        ("Λ ", "/\\"),
        ("⊢ ", "|-"),
        (" ↦ ", "|->"),
        ("⟨ ", "<<"),
        (" ⟩", ">>"),
        (" --> ", "  ⟶  "),
        (" -> ", " →  "),
        (" <= ", " ≤  "),
    ];
    let mut text = text.to_string();
    for (from, to) in pairs {
        if chance.one_in(2) && !text.contains(to.trim()) {
            text = text.replace(from, to);
        }
    }
    if chance.one_in(2) {
        // Digits below the line, and real primes.
        text = replaced(&text, |name| {
            let old = stem(name);
            let other = |c: char| match c {
                '\'' => '′',
                c => c.to_digit(10).and_then(|d| char::from_u32('₀' as u32 + d)).unwrap_or(c),
            };
            (old.len() < name.len() && !old.is_empty())
                .then(|| format!("{old}{}", name[old.len()..].chars().map(other).collect::<String>()))
        });
    }
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let is_bar = line.contains("---") || line.contains("──");
        let end = match chance.below(8) {
            0 if !is_bar && !line.is_empty() => "  -- note: t ::= x",
            1 => "   ",
            2 => "\r",
            _ => "",
        };
        lines.push(format!("{line}{end}"));
    }
    ("other spellings", lines.join("\n") + "\n")
}

/// Every name of a text, with where it begins. Rule names and words in comments are names as well: all are replaced alike.
fn names(text: &str) -> Vec<(usize, &str)> {
    let is_letter = |c: char| c.is_alphabetic() && !matches!(c, 'λ' | 'Λ');
    let mut found = Vec::new();
    let mut from = None;
    let mut in_suffix = false;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if let Some(start) = from {
            let goes_on = match in_suffix {
                false => is_letter(c) || c == '_' || c.is_ascii_digit() || c == '\'',
                true => c.is_ascii_digit() || c == '\'',
            };
            if goes_on {
                in_suffix |= c.is_ascii_digit() || c == '\'';
                continue;
            }
            found.push((start, &text[start..at]));
            from = None;
        }
        if is_letter(c) {
            from = Some(at);
            in_suffix = false;
        }
    }
    found
}

/// Premises on lines of their own or after semicolons, axioms side by side, more empty lines: of rules that stand alone.
pub fn other_layout(text: &str, chance: &mut Chance) -> (&'static str, String) {
    let lines: Vec<&str> = text.lines().collect();
    let is_bar = |line: &&str| {
        let bar = line.trim_start();
        bar.starts_with("---") && !bar.trim_start_matches('-').contains("--")
    };
    let is_axiom = |line: &&str| line.starts_with("  ") && line.ends_with(']') && line.matches("  [").count() == 1;
    let mut out: Vec<String> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let is_blank = |line: Option<&&str>| line.is_none_or(|l| l.trim().is_empty());
        if lines.get(i + 1).is_some_and(is_bar) && is_blank(i.checked_sub(1).and_then(|i| lines.get(i))) {
            let indent = " ".repeat(lines[i + 1].len() - lines[i + 1].trim_start().len());
            let premises: Vec<&str> = line.split("   ").map(str::trim).filter(|p| !p.is_empty()).collect();
            match chance.below(3) {
                0 => out.push(format!("{indent}{}", premises.join(" ; "))),
                1 => out.extend(premises.iter().map(|p| format!("{indent}{p}"))),
                _ => out.push(line.to_string()),
            }
        } else if is_axiom(line) && out.last().is_some_and(|last| is_axiom(&last.as_str())) && chance.one_in(2) {
            let last = out.pop().unwrap_or_default();
            out.push(format!("{last}    {}", line.trim_start()));
        } else if line.is_empty() && chance.one_in(2) {
            out.extend([String::new(), String::new()]);
        } else {
            out.push(line.to_string());
        }
    }
    ("another layout", out.join("\n") + "\n")
}

fn replaced(text: &str, new: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut from = 0;
    for (at, name) in names(text) {
        out.push_str(&text[from..at]);
        out.push_str(&new(name).unwrap_or_else(|| name.to_string()));
        from = at + name.len();
    }
    out.push_str(&text[from..]);
    out
}

fn stem(name: &str) -> &str {
    name.trim_end_matches('\'').trim_end_matches(|c: char| c.is_ascii_digit())
}
