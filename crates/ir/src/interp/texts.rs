//! Strings with contents, in runs that show a state (docs/java.md, "Showing states"): what they are made of, and what their methods give.
//! In all other runs a string is an object of which nothing is known but what it equals.

use super::{Chooser, Eval, Interp};
use crate::program::*;
use crate::value::*;

/// Longer texts are not built: they are shown nowhere.
const LONGEST: usize = 100_000;

impl<'p, C: Chooser> Interp<'p, C> {
    #[inline(never)]
    pub(super) fn concat(&mut self, parts: &'p [Expr]) -> Eval<Value> {
        let mut text = String::new();
        for part in parts {
            let value = self.eval(part)?;
            if self.texts.is_some() {
                text.push_str(&self.text(value, part.ty));
            }
        }
        self.string(text)
    }

    fn string(&mut self, text: String) -> Eval<Value> {
        self.room_for(1)?;
        let string = self.heap.allocate(&self.linked.layout, self.linked.program.known.string);
        if let Some(texts) = &mut self.texts {
            texts.insert(string, text);
        }
        Ok(Value::Obj(string))
    }

    /// A value as part of a string, as far as it is known.
    fn text(&self, value: Value, ty: Ty) -> String {
        let program = self.linked.program;
        match value {
            Value::Null => "null".to_string(),
            Value::Bool(b) => b.to_string(),
            Value::Int(code) if ty == Ty::Char => letter(code),
            Value::Int(number) => number.to_string(),
            Value::Obj(object) => match (self.texts.as_ref().and_then(|t| t.get(&object)), self.heap.ty(object)) {
                (Some(text), _) => text.clone(),
                (None, Ty::Class(class)) if program.class(class).kind == ClassKind::Box => {
                    let inner = program.instance_fields(class).first().map_or(Ty::Int, |f| program.field(*f).ty);
                    self.heap.get(object, 0).map_or(String::new(), |value| self.text(value, inner))
                }
                (None, Ty::Class(class)) if self.is_record(class) => {
                    let component = |(slot, &field): (usize, &FieldId)| {
                        let Field { name, ty, .. } = program.field(field);
                        let value = self.heap.get(object, slot as u32);
                        format!("{name}={}", value.map_or(String::new(), |value| self.text(value, *ty)))
                    };
                    let components: Vec<String> =
                        program.instance_fields(class).iter().enumerate().map(component).collect();
                    let name = program.class(class).name.rsplit('.').next().unwrap_or_default();
                    format!("{name}[{}]", components.join(", "))
                }
                (None, ty) => program.ty_name(ty),
            },
        }
    }

    fn is_record(&self, class: ClassId) -> bool {
        let program = self.linked.program;
        program.class(class).superclass.is_some_and(|above| program.class(above).name == "Record")
    }

    /// What a method of `String` gives: None if it is not one of these, or throws. Its arguments are on the stack from `base` on.
    pub(super) fn string_method(&mut self, name: &str, base: usize) -> Eval<Option<Value>> {
        let arguments = self.stack[base..].to_vec();
        let text = |at: usize| match arguments.get(at) {
            Some(Value::Obj(object)) => self.texts.as_ref()?.get(object).cloned(),
            _ => None,
        };
        let number = |at: usize| match arguments.get(at) {
            Some(Value::Int(number)) => usize::try_from(*number).ok(),
            _ => None,
        };
        let Some(own) = text(0) else { return Ok(None) };
        let other = text(1).or_else(|| number(1).map(|code| letter(code as i64)));
        let chars = || own.chars().collect::<Vec<char>>();
        let made = match (name, other) {
            ("length", _) => return Ok(Some(Value::Int(chars().len() as i64))),
            ("charAt", _) => {
                let code = number(1).and_then(|at| Some(i64::from(u32::from(*chars().get(at)?))));
                return Ok(code.map(Value::Int));
            }
            ("isEmpty", _) => return Ok(Some(Value::Bool(own.is_empty()))),
            ("isBlank", _) => return Ok(Some(Value::Bool(own.trim().is_empty()))),
            ("equals", _) => return Ok(text(1).map(|other| Value::Bool(own == other))),
            ("contains", Some(other)) => return Ok(Some(Value::Bool(own.contains(&other)))),
            ("startsWith", Some(other)) => return Ok(Some(Value::Bool(own.starts_with(&other)))),
            ("endsWith", Some(other)) => return Ok(Some(Value::Bool(own.ends_with(&other)))),
            ("indexOf", Some(other)) => {
                let at = own.find(&other).map(|at| own[..at].chars().count() as i64);
                return Ok(Some(Value::Int(at.unwrap_or(-1))));
            }
            ("substring", _) => {
                let chars = chars();
                let end = if arguments.len() > 2 { number(2) } else { Some(chars.len()) };
                number(1).zip(end).and_then(|(from, to)| Some(chars.get(from..to)?.iter().collect()))
            }
            ("repeat", _) => number(1).filter(|n| n * own.len() <= LONGEST).map(|n| own.repeat(n)),
            ("replace", Some(other)) => {
                let by = text(2).or_else(|| number(2).map(|code| letter(code as i64)));
                by.filter(|by| (own.len() + 1) * (by.len() + 1) <= LONGEST).map(|by| own.replace(&other, &by))
            }
            ("trim" | "strip", _) => Some(own.trim().to_string()),
            ("toLowerCase", _) => Some(own.to_lowercase()),
            ("toUpperCase", _) => Some(own.to_uppercase()),
            ("format" | "formatted", _) => match arguments.get(1) {
                Some(&Value::Obj(values)) => self.formatted(&own, values),
                _ => None,
            },
            _ => None,
        };
        made.map(|text| self.string(text)).transpose()
    }

    /// `%s`, `%d`, `%b`, `%c`, `%n` and `%%`, the first four with a width; None of anything else, and of objects whose text would have to be
    /// computed.
    fn formatted(&self, format: &str, values: ObjId) -> Option<String> {
        let mut out = String::new();
        let (mut rest, mut next) = (format.chars(), 0);
        while let Some(c) = rest.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut conversion = rest.next()?;
            let is_left = conversion == '-';
            if is_left {
                conversion = rest.next()?;
            }
            let mut width = 0;
            // A zero at the start is a flag of its own.
            while let Some(digit) = conversion.to_digit(10).filter(|&d| d > 0 || width > 0) {
                width = (width * 10 + digit as usize).min(LONGEST);
                conversion = rest.next()?;
            }
            match conversion {
                '%' => out.push('%'),
                'n' => out.push('\n'),
                's' | 'd' | 'b' | 'c' => {
                    let value = self.heap.get(values, next)?;
                    next += 1;
                    if let Value::Obj(object) = value {
                        let is_box = matches!(self.heap.ty(object), Ty::Class(class) if self.linked.program.class(class).kind == ClassKind::Box);
                        let is_known = self.texts.as_ref()?.contains_key(&object);
                        if !is_box && !is_known {
                            return None;
                        }
                    }
                    let text = self.text(value, Ty::Int);
                    out += &if is_left { format!("{text:<width$}") } else { format!("{text:>width$}") };
                }
                _ => return None,
            }
        }
        Some(out)
    }
}

fn letter(code: i64) -> String {
    u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('?').to_string()
}
