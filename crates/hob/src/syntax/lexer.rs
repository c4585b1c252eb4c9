//! Characters to tokens (docs/hob.md, "Tokens"), for all four kinds of files and for the formulas that stand in string literals.
//!
//! What goes in: a text and where it begins in its file. What comes out: tokens whose spans lie in the file, the last one
//! [`Kind::End`]. Words are not told apart from keywords here: each language has its own. What is no token is reported and left out.

use source::{Diagnostic, FileId, Span};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind<'a> {
    Word(&'a str),
    Int(i64),
    Float(f64),
    Char(char),
    /// What stands between the double quotes, verbatim.
    Text(&'a str),
    Symbol(&'static str),
    End,
}

/// What is not part of the language, which the lexer has reported.
pub const STRANGE: Kind<'static> = Kind::Word("?");

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Token<'a> {
    pub kind: Kind<'a>,
    pub span: Span,
}

impl source::Token for Token<'_> {
    fn span(&self) -> Span {
        self.span
    }
}

/// What a single quote and a leading point mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// `'a'` is a character, `.5` a number.
    Code,
    /// `S'` is the set at the exit, and `int.0 <= i` three tokens and more.
    Formula,
}

/// Longer ones first.
const SYMBOLS: [&str; 40] = [
    ">>>", "<=>", "<<", ">>", "=>", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "(", ")", "{", "}", "[", "]", ":",
    ";", ",", ".", "?", "*", "/", "%", "+", "-", "<", ">", "!", "=", "&", "|", "^", "@", "'", "\\", "~",
];

/// What is meant by characters of the papers that no keyboard has.
fn in_ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '≤' | '⊆' => "`<=`",
        '≥' => "`>=`",
        '≠' => "`!=`",
        '∧' => "`&`",
        '∨' => "`|`",
        '¬' => "`not`",
        '∈' => "`in`",
        '∅' => "`{}`",
        '∪' => "`+`",
        '∩' => "`inter` in a specification, `cap` in an abstraction",
        '∖' | '−' | '–' | '—' => "`-`",
        '∃' => "`exists`",
        '∀' => "`forall`",
        '⇒' | '→' => "`=>`",
        '⇔' | '↔' => "`<=>`",
        '←' => "`<-`",
        '′' | '’' => "a straight quote `'`",
        '“' | '”' => "straight quotes `\"`",
        '#' => "`//` for a comment",
        _ => return None,
    })
}

/// What to read in its place, so that one mistake is reported once.
fn meant(c: char) -> Kind<'static> {
    match c {
        '≤' | '⊆' => Kind::Symbol("<="),
        '≥' => Kind::Symbol(">="),
        '≠' => Kind::Symbol("!="),
        '∧' => Kind::Symbol("&"),
        '∨' => Kind::Symbol("|"),
        '¬' => Kind::Word("not"),
        '∈' => Kind::Word("in"),
        '∪' => Kind::Symbol("+"),
        '∩' => Kind::Word("inter"),
        '∖' | '−' | '–' | '—' => Kind::Symbol("-"),
        '∃' => Kind::Word("exists"),
        '∀' => Kind::Word("forall"),
        '⇒' | '→' => Kind::Symbol("=>"),
        '⇔' | '↔' => Kind::Symbol("<=>"),
        '′' | '’' => Kind::Symbol("'"),
        // Some name.
        _ => STRANGE,
    }
}

fn starts_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

fn symbol(rest: &str) -> Option<&'static str> {
    let rest = rest.as_bytes();
    // The first byte alone rules out nearly all of them.
    SYMBOLS.iter().find(|s| s.as_bytes()[0] == rest[0] && rest.starts_with(s.as_bytes())).copied()
}

/// `start` is where the text begins in the file.
pub fn tokens<'a>(
    text: &'a str,
    file: FileId,
    start: usize,
    mode: Mode,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token<'a>> {
    let mut lexer = Lexer { text, file, offset: start, at: 0, mode, tokens: Vec::new(), diagnostics };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.run();
    lexer.tokens
}

struct Lexer<'a, 'd> {
    text: &'a str,
    file: FileId,
    offset: usize,
    at: usize,
    mode: Mode,
    tokens: Vec<Token<'a>>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a> Lexer<'a, '_> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, self.offset + start, self.offset + self.at)
    }

    fn push(&mut self, start: usize, kind: Kind<'a>) {
        let span = self.span(start);
        self.tokens.push(Token { kind, span });
    }

    fn error(&mut self, id: &'static str, start: usize, message: String, help: &str) {
        let problem = Diagnostic::error(id, self.span(start), message).help(help);
        self.diagnostics.push(problem);
    }

    fn skip(&mut self, holds: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !holds(c)).unwrap_or(rest.len());
    }

    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            let start = self.at;
            let second = self.rest()[c.len_utf8()..].chars().next();
            if c.is_whitespace() {
                self.skip(char::is_whitespace);
            } else if self.rest().starts_with("//") {
                self.skip(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                self.comment();
            } else if starts_word(c) {
                self.skip(in_word);
                self.push(start, Kind::Word(&self.text[start..self.at]));
            } else if c.is_ascii_digit()
                || (c == '.' && self.mode == Mode::Code && second.is_some_and(|d| d.is_ascii_digit()))
            {
                self.number();
            } else if c == '"' {
                self.quoted();
            } else if c == '\'' && self.mode == Mode::Code {
                self.character();
            } else if let Some(symbol) = symbol(self.rest()) {
                self.at += symbol.len();
                self.push(start, Kind::Symbol(symbol));
            } else {
                self.strange();
            }
        }
        self.push(self.at, Kind::End);
    }

    /// A run of characters without meaning: reported once.
    fn strange(&mut self) {
        let start = self.at;
        let c = self.rest().chars().next().unwrap_or(' ');
        match in_ascii(c) {
            Some(help) => {
                self.at += c.len_utf8();
                self.error(
                    "bad-character",
                    start,
                    format!("`{c}` is not part of the language"),
                    &format!("write {help}"),
                );
                self.push(start, meant(c));
            }
            None => {
                self.skip(|c| !c.is_ascii() && in_ascii(c).is_none() && !c.is_whitespace() || c == '`');
                if self.at == start {
                    self.at += c.len_utf8();
                }
                let shown: String = self.text[start..self.at].chars().take(20).flat_map(char::escape_debug).collect();
                let help =
                    "names are made of the letters a to z, digits, `_` and `$`; other text goes in double quotes";
                self.error("bad-character", start, format!("`{shown}` is not part of the language"), help);
                self.push(start, STRANGE);
            }
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        match self.rest().find("*/") {
            Some(end) => self.at += end + 2,
            None => {
                self.at += 2;
                self.error("open-comment", start, "this comment is not closed".to_string(), "close it by `*/`");
                self.at = self.text.len();
            }
        }
    }

    /// Decimal, `0x` hexadecimal, octal with a leading 0, or a float.
    fn number(&mut self) {
        let start = self.at;
        if self.rest().starts_with("0x") || self.rest().starts_with("0X") {
            self.skip(in_word);
            let digits = &self.text[start + 2..self.at];
            return match i64::from_str_radix(digits, 16) {
                Ok(value) if !digits.starts_with(['+', '-']) => self.push(start, Kind::Int(value)),
                _ => self
                    .bad_number(start, "digits of hexadecimal numbers are 0 to 9 and a to f, at most 7fffffffffffffff"),
            };
        }
        self.skip(|c| c.is_ascii_digit());
        let mut is_float = false;
        let digit_behind_point = self.rest()[..].strip_prefix('.').and_then(|r| r.chars().next());
        if self.rest().starts_with('.')
            && (digit_behind_point.is_some_and(|d| d.is_ascii_digit())
                || self.mode == Mode::Code && !digit_behind_point.is_some_and(|d| starts_word(d) || d == '.'))
        {
            is_float = true;
            self.at += 1;
            self.skip(|c| c.is_ascii_digit());
        }
        let exponent = self.rest().strip_prefix(['e', 'E']).map(|r| r.strip_prefix(['+', '-']).unwrap_or(r));
        if exponent.is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit())) {
            is_float = true;
            self.at += 1;
            if self.rest().starts_with(['+', '-']) {
                self.at += 1;
            }
            self.skip(|c| c.is_ascii_digit());
        }
        let digits = &self.text[start..self.at];
        let suffix = self.rest().chars().next().filter(|c| matches!(c, 'f' | 'F' | 'd' | 'D'));
        let after = self.rest().chars().nth(1);
        if suffix.is_some() && !after.is_some_and(in_word) {
            is_float = true;
            self.at += 1;
        }
        if self.rest().starts_with(in_word) {
            self.skip(in_word);
            return self.bad_number(start, "names do not begin with a digit; a number ends before the next letter");
        }
        if is_float {
            return match digits.parse::<f64>() {
                Ok(value) if value.is_finite() => self.push(start, Kind::Float(value)),
                _ => self.bad_number(start, "this number is too large for a float"),
            };
        }
        let value = match digits.strip_prefix('0').filter(|rest| !rest.is_empty()) {
            Some(octal) => i64::from_str_radix(octal, 8),
            None => digits.parse(),
        };
        match value {
            Ok(value) => self.push(start, Kind::Int(value)),
            Err(_) if digits.starts_with('0') => {
                self.bad_number(start, "a number with a leading 0 is octal: its digits are 0 to 7")
            }
            Err(_) => self.bad_number(start, "the largest number is 9223372036854775807"),
        }
    }

    /// Reported, and read as 0, so that one mistake is reported once.
    fn bad_number(&mut self, start: usize, help: &str) {
        let text: String = self.text[start..self.at].chars().take(40).collect();
        self.error("bad-number", start, format!("`{text}` is not a number"), help);
        self.push(start, Kind::Int(0));
    }

    /// A string literal may go over several lines, as loop invariants do.
    fn quoted(&mut self) {
        let start = self.at;
        let mut escaped = false;
        for (k, c) in self.rest().char_indices().skip(1) {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == '"' {
                let inside = &self.text[start + 1..start + k];
                self.at = start + k + 1;
                self.push(start, Kind::Text(inside));
                return;
            }
        }
        self.at += 1;
        self.error("open-string", start, "this text is not closed".to_string(), "close it by a double quote");
        // The statement's end was probably not meant to be in the text.
        let line = self.rest().split('\n').next().unwrap_or("");
        self.at += line.trim_end().trim_end_matches([';', ')', '}', ' ']).len();
        self.push(start, Kind::Text(&self.text[start + 1..self.at]));
    }

    fn character(&mut self) {
        let start = self.at;
        self.at += 1;
        let read = match self.rest().chars().next() {
            Some('\\') => escape(self.rest()),
            Some(c) if c != '\'' && c != '\n' => Some((c, c.len_utf8())),
            _ => None,
        };
        if let Some((c, length)) = read
            && self.rest()[length..].starts_with('\'')
        {
            self.at += length + 1;
            return self.push(start, Kind::Char(c));
        }
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        if let Some(end) = self.rest()[..line].find('\'').filter(|end| *end < 12) {
            self.at += end + 1;
        }
        self.error(
            "bad-character",
            start,
            "a single quote begins a character such as 'a'".to_string(),
            "write one character between single quotes; texts go in double quotes",
        );
        self.push(start, Kind::Char(' '));
    }
}

/// The character that the escape at the beginning of the text stands for, and how many bytes it takes.
fn escape(text: &str) -> Option<(char, usize)> {
    let c = match text.as_bytes().get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'0' => '\0',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'u' => {
            let digits = text.get(2..6).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
            return Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, 6));
        }
        _ => return None,
    };
    Some((c, 2))
}

/// The value of a string literal of the implementation language; a bad escape is reported.
pub fn unescaped(text: &str, inside: Span, diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(k) = rest.find('\\') {
        out.push_str(&rest[..k]);
        rest = &rest[k..];
        match escape(rest) {
            Some((c, length)) => {
                out.push(c);
                rest = &rest[length..];
            }
            None => {
                let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                let at = inside.start as usize + (text.len() - rest.len());
                let span = Span::new(inside.file, at, at + length);
                let message =
                    format!("`{}` does not stand for a character", rest[..length].replace(char::is_control, "?"));
                diagnostics.push(
                    Diagnostic::error("bad-escape", span, message)
                        .help("write `\\n`, `\\t`, `\\r`, `\\\"`, `\\'`, `\\\\` or a code such as `\\u00e4`"),
                );
                rest = &rest[length..];
            }
        }
    }
    out.push_str(rest);
    out
}
