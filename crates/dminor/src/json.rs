//! JSON to values and back: arrays are collections, objects entities. Integers keep every digit; other numbers are reported, since Dminor
//! has none. [`Data`] remembers how it was written, for messages that point into it; [`Value`]'s `Display` writes JSON. Only a schema
//! may hold other numbers, as bounds: [`parse_schema`].

use crate::syntax::lexer::{MOST_DIGITS, escape};
use crate::value::{DEEPEST_VALUE, Label, Value};
use num_bigint::BigInt;
use source::{Diagnostic, FileId, Span};
use std::collections::HashMap;

/// A value with the order in which it was written.
#[derive(Clone, Debug)]
pub struct Data {
    pub value: Value,
    pub parts: Parts,
    /// Where it is written, if it is.
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub enum Parts {
    None,
    Members(Vec<Data>),
    Fields(Vec<(Label, Data)>),
    /// A number that is not an integer, in a schema: the value is null in its place.
    Decimal(Decimal),
}

/// `digits / 10^scale`, which is not an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    pub digits: BigInt,
    pub scale: u32,
}

/// Numbers of a schema that are not written as integers have no more digits, and no larger exponent.
const MOST_DECIMALS: usize = 1_000;

impl Data {
    /// In canonical order.
    pub fn of(value: &Value) -> Data {
        let parts = match value {
            Value::Collection(bag) => Parts::Members(bag.iter().map(Data::of).collect()),
            Value::Entity(fields) => Parts::Fields(fields.iter().map(|(l, v)| (l.clone(), Data::of(v))).collect()),
            _ => Parts::None,
        };
        Data { value: value.clone(), parts, span: None }
    }
}

/// Reads one JSON document.
pub fn parse(text: &str, file: FileId) -> Result<Data, Diagnostic> {
    read(text, file, false)
}

/// Reads one JSON document with any numbers: 1.0 is the integer 1, 1.5 a [`Parts::Decimal`].
pub(crate) fn parse_schema(text: &str, file: FileId) -> Result<Data, Diagnostic> {
    read(text, file, true)
}

fn read(text: &str, file: FileId, decimals: bool) -> Result<Data, Diagnostic> {
    work::on_large_stack(|| {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut reader = Reader { text, file, at, depth: 0, decimals };
        let data = reader.value()?;
        reader.space();
        if reader.at < text.len() {
            return Err(reader.unexpected("the end of the document", "there is one JSON value per file or argument"));
        }
        Ok(data)
    })
}

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    depth: u32,
    decimals: bool,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn problem(&self, start: usize, message: impl Into<String>, help: &str) -> Diagnostic {
        Diagnostic::error("bad-json", self.span(start), message).help(help)
    }

    fn unexpected(&self, expected: &str, help: &str) -> Diagnostic {
        let found = match self.rest().chars().next() {
            Some(c) => format!("`{c}`"),
            None => "the end".to_string(),
        };
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        let span = Span::new(self.file, self.at, end);
        Diagnostic::error("bad-json", span, format!("expected {expected}, but found {found}")).help(help)
    }

    fn accept(&mut self, text: &str) -> bool {
        let is_there = self.rest().starts_with(text);
        if is_there {
            self.at += text.len();
        }
        is_there
    }

    fn value(&mut self) -> Result<Data, Diagnostic> {
        self.space();
        let start = self.at;
        let (value, parts) = match self.rest().chars().next() {
            Some('"') => (Value::text(&self.string()?), Parts::None),
            Some('-' | '0'..='9') => self.number()?,
            Some('[') => self.nested(Self::array)?,
            Some('{') => self.nested(Self::object)?,
            _ if self.accept("null") => (Value::Null, Parts::None),
            _ if self.accept("true") => (Value::Logical(true), Parts::None),
            _ if self.accept("false") => (Value::Logical(false), Parts::None),
            Some('\'') => return Err(self.unexpected("a JSON value", "texts are in double quotes")),
            _ => {
                return Err(
                    self.unexpected("a JSON value", "a text is in double quotes; on a command line: '\"text\"'")
                );
            }
        };
        let data = Data { value, parts, span: Some(self.span(start)) };
        if data.value.extent().is_too_large() {
            return Err(self.problem(start, "this value is too large", "values have up to 20,000,000 parts"));
        }
        Ok(data)
    }

    fn nested(
        &mut self,
        inner: fn(&mut Self) -> Result<(Value, Parts), Diagnostic>,
    ) -> Result<(Value, Parts), Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST_VALUE {
            let help = "is it generated? Its parts may be given apart";
            return Err(self.problem(self.at, format!("more than {DEEPEST_VALUE} levels are nested here"), help));
        }
        self.at += 1;
        let result = inner(self)?;
        self.depth -= 1;
        Ok(result)
    }

    fn array(&mut self) -> Result<(Value, Parts), Diagnostic> {
        let mut members = Vec::new();
        self.space();
        if !self.accept("]") {
            loop {
                members.push(self.value()?);
                self.space();
                if self.accept("]") {
                    break;
                }
                if !self.accept(",") {
                    return Err(self.unexpected("`,` or `]`", "members of an array are separated by `,`"));
                }
            }
        }
        Ok((Value::collection(members.iter().map(|m| m.value.clone())), Parts::Members(members)))
    }

    fn object(&mut self) -> Result<(Value, Parts), Diagnostic> {
        let mut fields: Vec<(Label, Data)> = Vec::new();
        let mut seen: HashMap<Label, Span> = HashMap::new();
        self.space();
        if !self.accept("}") {
            loop {
                self.space();
                let start = self.at;
                if !self.rest().starts_with('"') {
                    return Err(self.unexpected("a label", "labels are in double quotes: {\"a\": 1}"));
                }
                let label = Label::from(self.string()?.as_str());
                let span = self.span(start);
                if let Some(first) = seen.insert(label.clone(), span) {
                    let problem = self.problem(start, format!("the label `{label}` occurs twice"), "remove one");
                    return Err(Diagnostic { span: Some(span), ..problem }.related(first, "the first one"));
                }
                self.space();
                if !self.accept(":") {
                    return Err(self.unexpected("`:`", "a label is followed by `:` and its value"));
                }
                fields.push((label, self.value()?));
                self.space();
                if self.accept("}") {
                    break;
                }
                if !self.accept(",") {
                    return Err(self.unexpected("`,` or `}`", "fields are separated by `,`"));
                }
            }
        }
        let entity = fields.iter().map(|(l, d)| (l.clone(), d.value.clone())).collect();
        Ok((Value::Entity(std::sync::Arc::new(entity)), Parts::Fields(fields)))
    }

    fn digits(&mut self) -> usize {
        let rest = self.rest();
        let count = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += count;
        count
    }

    fn number(&mut self) -> Result<(Value, Parts), Diagnostic> {
        let start = self.at;
        self.accept("-");
        let first = self.at;
        let count = self.digits();
        if count == 0 {
            return Err(self.unexpected("a digit", "a minus is followed by a digit"));
        }
        let end = self.at;
        if self.rest().starts_with(['.', 'e', 'E']) {
            let rest = self.rest();
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
            self.at += length;
            if self.decimals {
                let number = decimal(&self.text[start..self.at]);
                return number.ok_or_else(|| self.problem(start, "this number is not read", "write it as 12.5"));
            }
            let message = format!("{} is not written as an integer", &self.text[start..self.at]);
            return Err(self.problem(start, message, "Dminor has integers only, of any size: count in cents, say"));
        }
        if count > 1 && self.text[first..].starts_with('0') {
            return Err(self.problem(start, "a number does not begin with 0", "remove the zeros"));
        }
        let number = if count > MOST_DIGITS { None } else { self.text[start..end].parse().ok() };
        number.map(|n| (Value::Integer(n), Parts::None)).ok_or_else(|| {
            self.problem(start, format!("a number of more than {MOST_DIGITS} digits"), "such numbers are not read")
        })
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            let here = self.at;
            match self.rest().chars().next() {
                Some('"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some('\\') => match escape(self.rest()) {
                    Some((c, length)) => {
                        text.push(c);
                        self.at += length;
                    }
                    None => {
                        self.at += 1;
                        let help = "JSON knows \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits";
                        return Err(self.problem(here, "this is not an escape of any character", help));
                    }
                },
                Some(c) if (c as u32) >= 0x20 => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
                _ => return Err(self.problem(start, "this text does not end", "end it with `\"` on the same line")),
            }
        }
    }
}

/// A JSON number with a fraction or an exponent.
fn decimal(written: &str) -> Option<(Value, Parts)> {
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let (sign, magnitude) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_number = are_digits(whole) && are_digits(fraction) && (whole == "0" || !whole.starts_with('0'));
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if !is_number || !are_digits(unsigned) || magnitude.len() > MOST_DECIMALS {
        return None;
    }
    let mut digits: BigInt = format!("{sign}{whole}{fraction}").parse().ok()?;
    let exponent: i64 = exponent.parse().ok().filter(|e: &i64| e.unsigned_abs() <= MOST_DECIMALS as u64)?;
    let mut scale = fraction.len() as i64 - exponent;
    while scale > 0 && (&digits % 10u32) == BigInt::ZERO {
        digits /= 10;
        scale -= 1;
        if digits == BigInt::ZERO {
            scale = 0;
        }
    }
    if scale > 0 {
        return Some((Value::Null, Parts::Decimal(Decimal { digits, scale: scale as u32 })));
    }
    Some((Value::Integer(digits * BigInt::from(10).pow(scale.unsigned_abs() as u32)), Parts::None))
}
