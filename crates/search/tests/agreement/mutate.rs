//! Mutants: small faults in the imperative methods of a Java class, made by editing its tokens. Deterministic.
//!
//! What goes in: a source text. What comes out: edits of it, in the order of the text; not all of them compile.

/// A part of the text and what stands there instead.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub at: std::ops::Range<usize>,
    pub by: String,
}

impl Mutant {
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.at.start], self.by, &text[self.at.end..])
    }

    /// The line it is in, before and after.
    pub fn describe(&self, text: &str) -> String {
        let start = text[..self.at.start].rfind('\n').map_or(0, |i| i + 1);
        let end = text[self.at.end..].find('\n').map_or(text.len(), |i| self.at.end + i);
        let line = text[..start].matches('\n').count() + 1;
        let (head, tail) = (&text[start..self.at.start], &text[self.at.end..end]);
        format!("line {line}\n- {}\n+ {head}{}{tail}", &text[start..end], self.by)
    }
}

#[derive(Clone, Debug)]
struct Token<'t> {
    text: &'t str,
    start: usize,
}

const OPERATORS: [&str; 22] = [
    ">>>=", ">>>", "<<=", ">>=", "->", "++", "--", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "::",
];

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.as_bytes()[0];
        let length_while = |f: fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
        let length = if first.is_ascii_whitespace() {
            at += length_while(|c| c.is_ascii_whitespace());
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |i| i + 2);
            continue;
        } else if first == b'"' || first == b'\'' {
            rest[1..].find(char::from(first)).map_or(rest.len(), |i| i + 2)
        } else if first.is_ascii_alphanumeric() || first == b'_' {
            length_while(|c| c.is_ascii_alphanumeric() || c == '_')
        } else {
            OPERATORS.iter().find(|o| rest.starts_with(**o)).map_or_else(|| first_char(rest), |o| o.len())
        };
        found.push(Token { text: &rest[..length], start: at });
        at += length;
    }
    found
}

fn first_char(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}

/// The bodies of methods and constructors that are not declarative: ranges of tokens, braces not included.
fn bodies(tokens: &[Token<'_>]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let (mut header, mut i) = (0, 0);
    while i < tokens.len() {
        match tokens[i].text {
            "{" => {
                let words = &tokens[header..i];
                let has = |word: &str| words.iter().any(|t| t.text == word);
                let is_type = has("class") || has("interface") || has("enum");
                if is_type || !has("(") {
                    i += 1;
                    header = i;
                    continue;
                }
                let end = closing(tokens, i);
                if !has("Declarative") {
                    found.push(i + 1..end);
                }
                i = end + 1;
                header = i;
            }
            ";" | "}" => {
                i += 1;
                header = i;
            }
            _ => i += 1,
        }
    }
    found
}

/// The bracket that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    tokens.len() - 1
}

/// What may stand instead of one token.
fn swapped(token: &str) -> Vec<String> {
    let one = match token {
        "<" => "<=",
        "<=" => "<",
        ">" => ">=",
        ">=" => ">",
        "==" => "!=",
        "!=" => "==",
        "+" => "-",
        "-" => "+",
        "++" => "--",
        "--" => "++",
        "+=" => "-=",
        "-=" => "+=",
        "&&" => "||",
        "||" => "&&",
        "true" => "false",
        "false" => "true",
        "left" => "right",
        "right" => "left",
        "null" => "this",
        _ => {
            return match token.parse::<i64>() {
                Ok(number) => vec![(number + 1).to_string(), format!("({})", number - 1)],
                Err(_) => Vec::new(),
            };
        }
    };
    vec![one.to_string()]
}

/// All of them.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let span = |from: usize, to: usize| tokens[from].start..tokens[to].start + tokens[to].text.len();
    for body in bodies(&tokens) {
        let is_field = |i: &usize| i.checked_sub(1).is_some_and(|p| tokens[p].text == ".");
        let mut fields: Vec<&str> = body.clone().filter(is_field).map(|i| tokens[i].text).collect();
        fields.sort_unstable();
        fields.dedup();
        for i in body.clone() {
            for by in swapped(tokens[i].text) {
                found.push(Mutant { at: span(i, i), by });
            }
            if tokens[i].text == "if" {
                let close = closing(&tokens, i + 1);
                let at = span(i + 1, close);
                found.push(Mutant { by: format!("(!{})", &text[at.clone()]), at });
            }
            if is_field(&i) && tokens[i + 1].text == "=" {
                let others = fields.iter().filter(|f| **f != tokens[i].text);
                found.extend(others.map(|by| Mutant { at: span(i, i), by: (*by).to_string() }));
            }
            let is_first = i == body.start || matches!(tokens[i - 1].text, ";" | "{" | "}" | ")" | "else");
            let is_kept = matches!(tokens[i].text, "{" | "}" | ";" | "if" | "for" | "while" | "do" | "else");
            if is_first
                && !is_kept
                && let Some(end) = (i..body.end).find(|&j| matches!(tokens[j].text, ";" | "{" | "}"))
                && tokens[end].text == ";"
            {
                found.push(Mutant { at: span(i, end), by: ";".into() });
            }
        }
    }
    found
}

/// Which of the mutants to take: a fixed permutation.
pub fn chosen(all: Vec<Mutant>, seed: u64) -> Vec<Mutant> {
    let mut keyed: Vec<(u64, Mutant)> = (all.into_iter().enumerate())
        .map(|(i, m)| {
            (((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed).wrapping_mul(0xBF58_476D_1CE4_E5B9), m)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, m)| m).collect()
}
