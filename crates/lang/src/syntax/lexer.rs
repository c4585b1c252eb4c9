//! Characters to tokens, line by line, with columns: layout matters (docs/lang.md, "Tokens and layout"). A run of symbol characters stays
//! whole here; which symbols a language knows is only clear once its grammar has been read, and [`split`] cuts the runs then.

use source::{FileId, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Letters, then digits, then primes.
    Name,
    Number,
    /// A run of symbol characters, or one symbol after [`split`].
    Symbol,
    /// In quotes: always object syntax.
    Quoted,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// As written, but without quotes, and with ASCII digits and primes in a name: `t₁′` is `t1'`.
    pub text: String,
    pub kind: Kind,
    pub span: Span,
    /// Columns count characters from 0; a tab goes on to the next multiple of 8.
    pub column: usize,
    pub end_column: usize,
}

impl Token {
    /// The one spelling of tokens that may be written in ASCII or otherwise.
    pub fn norm(&self) -> &str {
        if self.kind == Kind::Quoted { &self.text } else { normal(&self.text) }
    }

    pub fn is(&self, text: &str) -> bool {
        self.kind != Kind::Quoted && self.norm() == text
    }
}

/// ASCII forms and their Unicode twins.
pub fn normal(text: &str) -> &str {
    match text {
        "|-" => "⊢",
        "-->" => "⟶",
        "->" => "→",
        "\\" => "λ",
        "/\\" => "Λ",
        "|->" => "↦",
        "in" => "∈",
        "empty" | "∅" => "·",
        "<<" => "⟨",
        ">>" => "⟩",
        "<=" => "≤",
        ">=" => "≥",
        "!=" => "≠",
        "=>" => "⇒",
        "sup" => "⊇",
        other => other,
    }
}

#[derive(Clone, Debug)]
pub struct Line {
    pub tokens: Vec<Token>,
    pub span: Span,
}

impl Line {
    pub fn indent(&self) -> usize {
        self.tokens.first().map_or(0, |t| t.column)
    }

    pub fn first_is(&self, text: &str) -> bool {
        self.tokens.first().is_some_and(|t| t.kind == Kind::Name && t.text == text)
    }
}

/// Letters that are symbols all the same.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, 'λ' | 'Λ')
}

/// Symbols that are never part of a longer one.
fn stands_alone(c: char) -> bool {
    matches!(c, 'λ' | 'Λ' | '(' | ')' | '[' | ']' | '{' | '}' | ',')
}

/// One spelling of digits and primes.
fn plain_name(name: &str) -> String {
    let plain = |c: char| match c {
        '₀'..='₉' => char::from(b'0' + (c as u32 - '₀' as u32) as u8),
        '′' => '\'',
        other => other,
    };
    name.chars().map(plain).collect()
}

pub fn lines(text: &str, file: FileId) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    // A byte order mark is not part of the text.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    start += text.len() - body.len();
    for line in body.split('\n') {
        lines.push(Line { tokens: tokens(line, start, file), span: Span::new(file, start, start + line.len()) });
        start += line.len() + 1;
    }
    lines
}

/// The tokens of one line, which starts at byte `offset` of the file.
pub fn tokens(line: &str, offset: usize, file: FileId) -> Vec<Token> {
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let at = |i: usize| chars.get(i).map_or('\n', |(_, c)| *c);
    let byte = |i: usize| chars.get(i).map_or(line.len(), |(b, _)| *b);
    let mut columns = Vec::with_capacity(chars.len() + 1);
    let mut column = 0;
    for (_, c) in &chars {
        columns.push(column);
        column = if *c == '\t' { (column / 8 + 1) * 8 } else { column + 1 };
    }
    columns.push(column);
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = at(i);
        if c.is_whitespace() {
            i += 1;
            continue;
        }
        let start = i;
        // A comment has a space on both sides.
        if c == '-' && at(i + 1) == '-' && at(i + 2).is_whitespace() && (i == 0 || at(i - 1).is_whitespace()) {
            break;
        }
        let mut text = None;
        let kind = if is_letter(c) {
            while is_letter(at(i)) || at(i) == '_' {
                i += 1;
            }
            while at(i).is_ascii_digit() || ('₀'..='₉').contains(&at(i)) {
                i += 1;
            }
            while matches!(at(i), '\'' | '′') {
                i += 1;
            }
            text = Some(plain_name(&line[byte(start)..byte(i)]));
            Kind::Name
        } else if c.is_ascii_digit() {
            while at(i).is_ascii_digit() {
                i += 1;
            }
            Kind::Number
        } else if c == '\'' && (i + 2..chars.len()).any(|k| at(k) == '\'') && at(i + 1) != '\'' {
            i += 1;
            while at(i) != '\'' {
                i += 1;
            }
            i += 1;
            text = Some(line[byte(start + 1)..byte(i - 1)].to_string());
            Kind::Quoted
        } else if c == '[' && at(i + 1) == ']' {
            i += 2;
            Kind::Symbol
        } else if stands_alone(c) {
            i += 1;
            Kind::Symbol
        } else {
            i += 1;
            while i < chars.len() && {
                let d = at(i);
                !(d.is_whitespace() || is_letter(d) || d.is_ascii_digit() || stands_alone(d) || d == '\'')
            } {
                i += 1;
            }
            Kind::Symbol
        };
        tokens.push(Token {
            text: text.unwrap_or_else(|| line[byte(start)..byte(i)].to_string()),
            kind,
            span: Span::new(file, offset + byte(start), offset + byte(i)),
            column: columns[start],
            end_column: columns[i],
        });
    }
    tokens
}

/// Symbols that every definition may use.
const SYMBOLS: &[&str] =
    &["::=", "|->", "-->", "|-", "->", "=>", "<=", ">=", "!=", "<<", ">>", "..", "/\\", "[]", "⊢", "⟶", "→", "↦", "⇒"];

/// Cuts the runs of symbols greedily by the symbols known; a character that starts none stands alone.
pub fn split(tokens: &[Token], known: &[String]) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        if token.kind != Kind::Symbol {
            out.push(token.clone());
            continue;
        }
        let mut rest = token.text.as_str();
        let (mut start, mut column) = (token.span.start as usize, token.column);
        while let Some(first) = rest.chars().next() {
            let longest = known
                .iter()
                .map(String::as_str)
                .chain(SYMBOLS.iter().copied())
                .filter(|s| rest.starts_with(s) && !s.is_empty())
                .map(str::len)
                .max()
                .unwrap_or(first.len_utf8());
            let text = &rest[..longest];
            let width = text.chars().count();
            out.push(Token {
                text: text.to_string(),
                kind: Kind::Symbol,
                span: Span::new(token.span.file, start, start + longest),
                column,
                end_column: column + width,
            });
            start += longest;
            column += width;
            rest = &rest[longest..];
        }
    }
    out
}

/// Whether a token is a bar over a conclusion.
pub fn is_bar(token: &Token) -> bool {
    token.kind == Kind::Symbol
        && token.text.chars().count() >= 3
        && token.text.chars().all(|c| matches!(c, '-' | '─' | '—' | '–'))
}

/// The sort name that a metavariable's name begins with: without digits and primes.
pub fn stem(name: &str) -> &str {
    name.trim_end_matches('\'').trim_end_matches(|c: char| c.is_ascii_digit())
}
