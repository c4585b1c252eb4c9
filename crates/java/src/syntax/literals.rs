//! Literals: numbers, characters, strings. A number that does not fit its type is a diagnostic.

use super::ast::*;
use super::{Reader, children};
use source::Diagnostic;
use tree_sitter::Node;

impl Reader<'_> {
    /// `negative`: the literal stands directly after a minus sign, where 2147483648 is allowed. The value is then
    /// already negated.
    pub(super) fn integer(&mut self, node: Node, negative: bool) -> Literal {
        let text: String = self.text(node).chars().filter(|c| *c != '_').collect();
        let is_long = text.ends_with(['l', 'L']);
        let digits = text.trim_end_matches(['l', 'L']);
        let (radix, digits) = match node.kind() {
            "hex_integer_literal" => (16, &digits[2.min(digits.len())..]),
            "binary_integer_literal" => (2, &digits[2.min(digits.len())..]),
            "octal_integer_literal" if digits.len() > 1 => (8, &digits[1..]),
            _ => (10, digits),
        };
        let bits = if is_long { 64 } else { 32 };
        let value = u64::from_str_radix(digits, radix).ok().and_then(|v| {
            if radix != 10 {
                // All bits may be set: 0xffffffff is -1.
                return match bits {
                    64 => Some(v as i64),
                    _ => u32::try_from(v).ok().map(|v| i64::from(v as i32)),
                };
            }
            let limit = 1u64 << (bits - 1);
            if v < limit || (negative && v == limit) { Some(v as i64) } else { None }
        });
        let Some(value) = value else {
            let kind = if is_long { "a `long`" } else { "an `int`" };
            self.diagnostics.push(
                Diagnostic::error("bad-literal", self.span(node), format!("the number does not fit {kind}"))
                    .help("write a smaller number, or a `long` with `L` at its end"),
            );
            return Literal::Int(0);
        };
        let value = if negative { value.wrapping_neg() } else { value };
        if is_long { Literal::Long(value) } else { Literal::Int(i64::from(value as i32)) }
    }

    pub(super) fn character(&mut self, node: Node) -> Literal {
        let text = self.text(node);
        let inner = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or("");
        match units(inner).as_slice() {
            [unit] => Literal::Char(*unit),
            _ => {
                let message = "a character literal holds exactly one character";
                self.diagnostics.push(Diagnostic::error("bad-literal", self.span(node), message));
                Literal::Char(0)
            }
        }
    }

    pub(super) fn string(&mut self, node: Node) -> Literal {
        if children(node).iter().any(|c| c.kind() == "string_interpolation") {
            self.unexpected(node);
        }
        let text = self.text(node);
        match text.strip_prefix("\"\"\"").and_then(|t| t.strip_suffix("\"\"\"")) {
            Some(block) => Literal::String(unescape(&strip_indent(block))),
            None => {
                let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or("");
                Literal::String(unescape(inner))
            }
        }
    }
}

/// A lone surrogate, which no `String` of ours can hold, is shown as unknown.
fn unescape(text: &str) -> String {
    String::from_utf16_lossy(&units(text))
}

/// As Java counts them: what lies beyond the first 65,536 characters is written as two escapes, and is two units.
fn units(text: &str) -> Vec<u16> {
    let mut out: Vec<u16> = Vec::new();
    let push = |out: &mut Vec<u16>, c: char| out.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push(&mut out, c);
            continue;
        }
        match chars.next() {
            Some('n') => push(&mut out, '\n'),
            Some('t') => push(&mut out, '\t'),
            Some('r') => push(&mut out, '\r'),
            Some('b') => push(&mut out, '\u{8}'),
            Some('f') => push(&mut out, '\u{c}'),
            Some('s') => push(&mut out, ' '),
            Some('\n') | None => {}
            Some('u') => {
                while chars.peek() == Some(&'u') {
                    chars.next();
                }
                let digits: String = std::iter::from_fn(|| chars.next_if(|c| c.is_ascii_hexdigit())).take(4).collect();
                out.extend(u16::from_str_radix(&digits, 16).ok());
            }
            Some(d @ '0'..='7') => {
                let most = if d <= '3' { 2 } else { 1 };
                let mut value = d as u32 - '0' as u32;
                for _ in 0..most {
                    if let Some(d) = chars.next_if(|c| ('0'..='7').contains(c)) {
                        value = value * 8 + (d as u32 - '0' as u32);
                    }
                }
                out.extend(u16::try_from(value).ok());
            }
            Some(other) => push(&mut out, other),
        }
    }
    out
}

/// A text block loses its first line break and the indentation all its lines share.
fn strip_indent(block: &str) -> String {
    let body = block.split_once('\n').map_or("", |(_, rest)| rest);
    let lines: Vec<&str> = body.split('\n').collect();
    let last = lines.len() - 1;
    let indent = lines
        .iter()
        .enumerate()
        .filter(|(i, l)| *i == last || !l.trim().is_empty())
        .map(|(_, l)| l.len() - l.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = lines.iter().map(|l| l.get(indent..).unwrap_or("").trim_end()).collect();
    lines.join("\n")
}
