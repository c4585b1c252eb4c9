//! Characters to tokens (docs/dminor.md, "Grammar"). A minus is always a token of its own, so that `n-1` is a difference. What is not a
//! token is reported and left out; the tokens end with [`Kind::End`].

use super::ast::{Differs, Note};
use num_bigint::BigInt;
use source::{Diagnostic, FileId, Span};
use work::Stop;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Name(String),
    Number(BigInt),
    /// In double quotes, with the escapes of JSON.
    Text(String),
    Keyword(&'static str),
    Symbol(&'static str),
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Whether it is the first of its line.
    pub starts_line: bool,
    /// Comments before it that say something to `check`.
    pub notes: Vec<Note>,
}

impl source::Token for Token {
    fn span(&self) -> Span {
        self.span
    }
}

pub const KEYWORDS: [&str; 12] =
    ["module", "type", "where", "let", "in", "from", "select", "accumulate", "true", "false", "null", "invariant"];

/// Longer ones first.
const SYMBOLS: [&str; 26] = [
    "=>", "==", "!=", "<=", ">=", "&&", "||", "::", "++", "(", ")", "{", "}", ":", ";", ",", ".", "?", "*", "/", "+",
    "-", "<", ">", "!", "=",
];

/// `&` and `|` occur in types only.
const TYPE_SYMBOLS: [&str; 2] = ["&", "|"];

/// A number of more digits is a mistake, and slow to read.
pub const MOST_DIGITS: usize = 100_000;

/// A line ends with \n, \r\n, or \r alone.
fn is_line_end(c: char) -> bool {
    c == '\n' || c == '\r'
}

/// `//# wider: …`; other comments say nothing.
fn note(comment: &str) -> Option<Note> {
    let (word, text) = comment.strip_prefix("//#")?.split_once(':')?;
    let differs = [Differs::Wider, Differs::Narrower, Differs::Either].into_iter().find(|d| d.word() == word.trim())?;
    Some(Note { differs, text: text.trim().to_string() })
}

pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What is meant by characters of the papers that no keyboard has.
fn in_ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '≤' => "`<=`",
        '≥' => "`>=`",
        '≠' => "`!=`",
        '∧' => "`&&`, or `&` of types",
        '∨' => "`||`, or `|` of types",
        '¬' => "`!`",
        '∈' => "`in`",
        '⇒' | '→' => "`=>`",
        '\'' | '“' | '”' | '‘' | '’' | '`' => "texts in double quotes: \"a text\"",
        '[' | ']' => "braces: a collection is `{1, 2}`, its type `Integer*`",
        '%' => "`a - a / b * b` for a remainder",
        '#' => "`//` for a comment",
        _ => return None,
    })
}

/// What to read in its place, so that one mistake is reported once.
fn meant(c: char) -> Option<&'static str> {
    Some(match c {
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '¬' => "!",
        '⇒' | '→' => "=>",
        '%' => "/",
        _ => return None,
    })
}

/// Reading ends early when `stop` is due.
pub fn tokens(text: &str, file: FileId, stop: &Stop, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer { text, file, at: 0, starts_line: true, notes: Vec::new(), tokens: Vec::new(), diagnostics };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.run(stop);
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    starts_line: bool,
    notes: Vec<Note>,
    tokens: Vec<Token>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let span = self.span(start);
        let notes = std::mem::take(&mut self.notes);
        self.tokens.push(Token { kind, span, starts_line: self.starts_line, notes });
        self.starts_line = false;
    }

    fn skip(&mut self, holds: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !holds(c)).unwrap_or(rest.len());
    }

    fn run(&mut self, stop: &Stop) {
        while let Some(c) = self.rest().chars().next()
            && !stop.is_due()
        {
            let start = self.at;
            if c.is_whitespace() {
                self.starts_line |= is_line_end(c);
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") {
                self.skip(|c| !is_line_end(c));
                self.notes.extend(note(&self.text[start..self.at]));
            } else if self.rest().starts_with("/*") {
                self.comment(start);
            } else if c.is_ascii_alphabetic() || c == '_' {
                self.skip(|c| c.is_ascii_alphanumeric() || c == '_');
                let word = &self.text[start..self.at];
                let kind = match KEYWORDS.iter().find(|k| **k == word) {
                    Some(keyword) => Kind::Keyword(keyword),
                    None => Kind::Name(word.to_string()),
                };
                self.push(start, kind);
            } else if c.is_ascii_digit() {
                self.number(start);
            } else if c == '"' {
                self.quoted(start);
            } else if let Some(symbol) = SYMBOLS.iter().chain(&TYPE_SYMBOLS).find(|s| self.rest().starts_with(**s)) {
                self.at += symbol.len();
                self.push(start, Kind::Symbol(symbol));
            } else {
                self.at += c.len_utf8();
                let problem =
                    Diagnostic::error("bad-character", self.span(start), format!("unexpected character `{c}`"));
                self.diagnostics.push(
                    problem.help(match in_ascii(c) {
                        Some(meant) => format!("write {meant}"),
                        None => "names are made of the letters a to z, digits and `_`; put other text in double quotes"
                            .to_string(),
                    }),
                );
                if let Some(symbol) = meant(c) {
                    self.push(start, Kind::Symbol(symbol));
                }
            }
        }
        let end = self.text.len();
        self.push(end, Kind::End);
    }

    fn comment(&mut self, start: usize) {
        match self.rest()[2..].find("*/") {
            Some(length) => {
                self.starts_line |= self.rest()[..length + 2].contains(is_line_end);
                self.at += length + 4;
            }
            None => {
                self.at = self.text.len();
                let span = Span::new(self.file, start, start + 2);
                let problem = Diagnostic::error("endless-comment", span, "this comment does not end");
                self.diagnostics.push(problem.help("end it with `*/`; comments do not nest"));
            }
        }
    }

    fn number(&mut self, start: usize) {
        self.skip(|c| c.is_ascii_digit());
        let digits = &self.text[start..self.at];
        let number = if digits.len() > MOST_DIGITS { None } else { digits.parse::<BigInt>().ok() };
        if number.is_none() {
            let message = format!("a number of more than {MOST_DIGITS} digits");
            let problem = Diagnostic::error("bad-number", self.span(start), message);
            self.diagnostics.push(problem.help("compute it from smaller ones"));
        }
        let digits_end = self.at;
        if self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            self.skip(|c| c.is_ascii_alphanumeric() || c == '_');
            let message = format!("`{}` is neither a number nor a name", &self.text[start..self.at]);
            let problem = Diagnostic::error("bad-number", self.span(start), message);
            self.diagnostics.push(problem.help("names do not begin with a digit; numbers are decimal, such as 42"));
        } else if self.rest().starts_with('.') && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 1;
            self.skip(|c| c.is_ascii_digit());
            let message = format!("`{}` is not an integer", &self.text[start..self.at]);
            let problem = Diagnostic::error("bad-number", self.span(start), message);
            self.diagnostics.push(problem.help("numbers are integers of any size: count in cents, say"));
        }
        let end = std::mem::replace(&mut self.at, digits_end);
        self.push(start, Kind::Number(number.unwrap_or_default()));
        self.at = end;
    }

    fn quoted(&mut self, start: usize) {
        let mut value = String::new();
        self.at += 1;
        loop {
            let here = self.at;
            match self.rest().chars().next() {
                None | Some('\n' | '\r') => {
                    let problem = Diagnostic::error("endless-text", self.span(start), "this text does not end");
                    self.diagnostics.push(problem.help("end it with `\"` on the same line; a new line in it is `\\n`"));
                    break;
                }
                Some('"') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => match escape(self.rest()) {
                    Some((c, length)) => {
                        value.push(c);
                        self.at += length;
                    }
                    None => {
                        self.at += 1;
                        if let Some(c) = self.rest().chars().next().filter(|c| !is_line_end(*c)) {
                            self.at += c.len_utf8();
                        }
                        let message = format!("`{}` is not an escape of any character", &self.text[here..self.at]);
                        let problem = Diagnostic::error("bad-escape", self.span(here), message);
                        self.diagnostics
                            .push(problem.help(
                                "write `\\\"`, `\\\\`, `\\n`, `\\t`, or a code of four digits such as `\\u00e4`",
                            ));
                    }
                },
                Some(c) => {
                    value.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        self.push(start, Kind::Text(value));
    }
}

/// The character that the escape at the beginning of the text stands for, as in JSON, and how many bytes it takes.
pub(crate) fn escape(text: &str) -> Option<(char, usize)> {
    let code = |at: usize| {
        let digits = text.get(at..at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let c = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let high = code(2)?;
            if !(0xd800..0xdc00).contains(&high) {
                return Some((char::from_u32(high)?, 6));
            }
            let low = text.get(6..8).filter(|u| *u == "\\u").and_then(|_| code(8))?;
            let low = low.checked_sub(0xdc00).filter(|l| *l < 0x400)?;
            return Some((char::from_u32(0x10000 + ((high - 0xd800) << 10) + low)?, 12));
        }
        _ => return None,
    };
    Some((c, 2))
}

/// In double quotes, with the escapes of JSON.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
