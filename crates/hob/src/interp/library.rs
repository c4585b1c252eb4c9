//! The procedures of the library modules, see [`Intrinsic`].

use super::machine::{Machine, Step};
use super::stop::Fault;
use super::value::Value;
use crate::program::{Expr, Intrinsic, Type};
use source::Span;
use std::sync::Arc;
use work::Chance;

/// More digits than that say nothing about a float.
const DIGITS: i32 = 30;

/// What a procedure of the library was given: the type checker has seen to it that it is of the right type.
#[derive(Default)]
pub(crate) struct Given(pub [Value; 5]);

impl Given {
    pub fn text(&self, i: usize) -> Arc<str> {
        match &self.0[i] {
            Value::Text(text) => Arc::clone(text),
            _ => Arc::from(""),
        }
    }

    pub fn int(&self, i: usize) -> i32 {
        self.0[i].integer().unwrap_or(0)
    }

    pub fn float(&self, i: usize) -> f64 {
        match self.0[i].clone().stored_as(&Type::Float) {
            Value::Float(n) => n,
            _ => 0.0,
        }
    }

    pub fn letter(&self, i: usize) -> char {
        match self.0[i] {
            Value::Char(c) => c,
            _ => '\0',
        }
    }
}

impl<'p> Machine<'p, '_> {
    pub(crate) fn intrinsic(&mut self, intrinsic: Intrinsic, arguments: &'p [Expr], span: Span) -> Step<Value> {
        let mut given = Given::default();
        for (value, argument) in given.0.iter_mut().zip(arguments) {
            *value = self.eval(argument)?;
        }
        if !matches!(intrinsic.module(), "Console" | "Strings" | "Math" | "Files") {
            return self.system(intrinsic, &given, span);
        }
        Ok(match intrinsic {
            Intrinsic::Print => {
                self.world.print(&given.text(0));
                Value::Null
            }
            Intrinsic::PrintLine => {
                self.world.print(&format!("{}\n", given.text(0)));
                Value::Null
            }
            Intrinsic::ReadLine => {
                let line = self.ahead.take().unwrap_or_else(|| self.world.read_line());
                Value::text(&line.unwrap_or_default())
            }
            Intrinsic::AtEnd => Value::Bool(self.is_at_end()),
            Intrinsic::TextLength => Value::Int(given.text(0).chars().count() as i32),
            Intrinsic::CharAt => {
                let (text, at) = (given.text(0), given.int(1));
                match usize::try_from(at).ok().and_then(|at| char_at(&text, at)) {
                    Some(c) => Value::Char(c),
                    None => return Err(self.text_bounds(&text, at, at.wrapping_add(1), span)),
                }
            }
            Intrinsic::Substring => {
                let (text, from, to) = (given.text(0), given.int(1), given.int(2));
                match part(&text, from, to) {
                    Some(part) => Value::text(part),
                    None => return Err(self.text_bounds(&text, from, to, span)),
                }
            }
            Intrinsic::TextEquals => Value::Bool(given.text(0) == given.text(1)),
            Intrinsic::IndexOf => {
                let (whole, part) = (given.text(0), given.text(1));
                let at = whole.find(&*part).map(|byte| whole[..byte].chars().count());
                Value::Int(at.map_or(-1, |at| at as i32))
            }
            Intrinsic::Trim => Value::text(given.text(0).trim()),
            Intrinsic::IsInt => Value::Bool(given.text(0).trim().parse::<i32>().is_ok()),
            Intrinsic::ToInt => match given.text(0).trim().parse::<i32>() {
                Ok(n) => Value::Int(n),
                Err(_) => return Err(self.not_a_number(&given.text(0), "an int", Some("Strings.isInt"), span)),
            },
            Intrinsic::IsFloat => Value::Bool(given.text(0).trim().parse::<f64>().is_ok()),
            Intrinsic::TextToFloat => match given.text(0).trim().parse::<f64>() {
                Ok(n) => Value::Float(n),
                Err(_) => return Err(self.not_a_number(&given.text(0), "a float", Some("Strings.isFloat"), span)),
            },
            Intrinsic::FromInt => Value::text(&given.int(0).to_string()),
            Intrinsic::FromFloat => {
                Value::text(&format!("{:.*}", given.int(1).clamp(0, DIGITS) as usize, given.float(0)))
            }
            Intrinsic::FromChar => match &given.0[0] {
                Value::Char(c) => Value::text(c.encode_utf8(&mut [0; 4])),
                _ => Value::text(""),
            },
            Intrinsic::Word => {
                let n = usize::try_from(given.int(1)).ok();
                Value::text(
                    n.and_then(|n| given.text(0).split_whitespace().nth(n).map(String::from)).as_deref().unwrap_or(""),
                )
            }
            Intrinsic::Sqrt => Value::Float(given.float(0).sqrt()),
            Intrinsic::Exp => Value::Float(given.float(0).exp()),
            Intrinsic::Log => Value::Float(given.float(0).ln()),
            Intrinsic::Pow => Value::Float(given.float(0).powf(given.float(1))),
            Intrinsic::Sin => Value::Float(given.float(0).sin()),
            Intrinsic::Cos => Value::Float(given.float(0).cos()),
            Intrinsic::Abs => Value::Float(given.float(0).abs()),
            Intrinsic::Floor => Value::Float(given.float(0).floor()),
            // Beyond the range of an int: its nearest; of what is not a number: 0.
            Intrinsic::Round => Value::Int(given.float(0).round() as i32),
            Intrinsic::Truncate => Value::Int(given.float(0) as i32),
            Intrinsic::IntToFloat => Value::Float(f64::from(given.int(0))),
            Intrinsic::Seed => {
                self.chance = Chance::new(given.int(0) as u32 as u64);
                Value::Null
            }
            Intrinsic::Random => match usize::try_from(given.int(0)) {
                Ok(end) if end > 0 => Value::Int(self.chance.below(end) as i32),
                _ => return Err(self.fault(Fault::EmptyRange(given.int(0)), span)),
            },
            Intrinsic::RandomFloat => Value::Float(self.chance.fraction()),
            Intrinsic::FileExists => Value::Bool(self.lines_of(&given.text(0), span)?.is_some()),
            Intrinsic::FileLine => {
                let lines = self.lines_of(&given.text(0), span)?;
                let n = usize::try_from(given.int(1)).ok();
                let line = lines.as_ref().zip(n).and_then(|(lines, n)| lines.get(n));
                Value::text(line.map_or("", String::as_str))
            }
            Intrinsic::FileLines => {
                Value::Int(self.lines_of(&given.text(0), span)?.map_or(0, |lines| lines.len() as i32))
            }
            other => return Err(self.fault(Fault::NotPerformed(other), span)),
        })
    }

    #[cold]
    pub(crate) fn text_bounds(&self, text: &str, from: i32, to: i32, span: Span) -> Box<super::Stop> {
        self.fault(Fault::TextBounds { from, to, length: text.chars().count() }, span)
    }

    #[cold]
    pub(crate) fn not_a_number(
        &self,
        text: &str,
        wanted: &'static str,
        ask: Option<&'static str>,
        span: Span,
    ) -> Box<super::Stop> {
        self.fault(Fault::NotANumber { text: text.to_string(), wanted, ask }, span)
    }
}

fn char_at(text: &str, at: usize) -> Option<char> {
    // A text of ASCII needs no walk.
    if text.is_ascii() { text.as_bytes().get(at).map(|byte| char::from(*byte)) } else { text.chars().nth(at) }
}

/// The characters from number `from` up to, not including, number `to`.
pub(crate) fn part(text: &str, from: i32, to: i32) -> Option<&str> {
    let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
    let count = to.checked_sub(from)?;
    if text.is_ascii() {
        return text.get(from..to);
    }
    let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let start = starts.nth(from)?;
    let end = if count == 0 { start } else { starts.nth(count - 1)? };
    text.get(start..end)
}
