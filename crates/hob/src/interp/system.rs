//! The original's library: `System` and `String` (docs/hob.md, "Library"). The terminal and the files are the [world](super::World)'s;
//! sockets, graphics, checksums and compression are not performed.
//!
//! A file is held in memory while it is open. What is written reaches the world when it is flushed or closed, and at the end of the run.

use super::library::{Given, part};
use super::machine::{Machine, Step};
use super::stop::{Fault, Stop};
use super::value::{ObjId, Value};
use super::world::Refused;
use crate::program::Intrinsic;
use source::Span;
use std::rc::Rc;
use work::Chance;

/// A file that was opened, shared by its descriptor and its channels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opened {
    name: String,
    bytes: Vec<u8>,
    /// Where reading and writing go on.
    at: usize,
    is_changed: bool,
    opened_at: Span,
}

/// The bits of `System.openfile` that matter here.
const WRITES: i32 = 1 | 2;
const CREATES: i32 = 64;
const EMPTIES: i32 = 512;
const APPENDS: i32 = 1024;

/// A text longer than that is a slip.
const LONGEST: i32 = 1 << 24;

impl Machine<'_, '_> {
    pub(crate) fn system(&mut self, intrinsic: Intrinsic, given: &Given, span: Span) -> Step<Value> {
        if let Some(value) = intrinsic.constant() {
            return Ok(Value::Int(value));
        }
        Ok(match intrinsic {
            Intrinsic::ReadInt => {
                let (ask, line) = (self.is_at_end().then_some("System.eof"), self.input());
                match line.trim().parse::<i32>() {
                    Ok(n) => Value::Int(n),
                    Err(_) => return Err(self.not_a_number(&line, "an int", ask, span)),
                }
            }
            Intrinsic::ReadFloat => {
                let (ask, line) = (self.is_at_end().then_some("System.eof"), self.input());
                match line.trim().parse::<f64>() {
                    Ok(n) => Value::Float(n),
                    Err(_) => return Err(self.not_a_number(&line, "a float", ask, span)),
                }
            }
            Intrinsic::Errno => Value::Int(0),
            Intrinsic::Time => Value::Float(self.world.now()),
            Intrinsic::Eof => Value::Bool(self.is_at_end()),
            Intrinsic::PrintInt => self.print(&given.int(0).to_string()),
            Intrinsic::PrintFloat => self.print(&format!("{:?}", given.float(0))),
            Intrinsic::PrintString => self.print(&given.text(0)),
            Intrinsic::PrintStringbuffer => {
                let shown = String::from_utf8_lossy(self.buffer(&given.0[0], span)?).into_owned();
                self.print(&shown)
            }
            Intrinsic::OutputString => self.write_to(&given.0[0], given.text(1).as_bytes(), span)?,
            Intrinsic::Output => {
                let bytes = self.bytes_of(&given.0[1], given.int(2), given.int(3), span)?;
                self.write_to(&given.0[0], &bytes, span)?
            }
            Intrinsic::InChannelOf | Intrinsic::OutChannelOf => {
                let file = self.opened(&given.0[0], span)?;
                self.handle(intrinsic, file, span)?
            }
            Intrinsic::FloatOfInt => Value::Float(f64::from(given.int(0))),
            Intrinsic::IntOfFloat => Value::Int(given.float(0) as i32),
            Intrinsic::CharOfInt => {
                Value::Char(char::from_u32(given.int(0) as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            Intrinsic::ByteOfInt => Value::Byte(given.int(0) as i8),
            Intrinsic::StringOfInt => Value::text(&given.int(0).to_string()),
            Intrinsic::BytesOfString => {
                let text = given.text(0);
                let made = self.heap.allocate_array(text.len(), &Value::Byte(0));
                let Ok(array) = made else { return Err(self.fault(Fault::OutOfMemory, span)) };
                for (i, byte) in text.bytes().enumerate() {
                    self.heap.set_element(array, i as i64, Value::Byte(byte as i8));
                }
                Value::Array(array)
            }
            Intrinsic::StringOfStringbuffer => Value::text(&String::from_utf8_lossy(self.buffer(&given.0[0], span)?)),
            Intrinsic::IntOfString => match given.text(0).trim().parse::<i32>() {
                Ok(n) => Value::Int(n),
                Err(_) => return Err(self.not_a_number(&given.text(0), "an int", Some("Strings.isInt"), span)),
            },
            Intrinsic::FloatOfString => match given.text(0).trim().parse::<f64>() {
                Ok(n) => Value::Float(n),
                Err(_) => return Err(self.not_a_number(&given.text(0), "a float", Some("Strings.isFloat"), span)),
            },
            Intrinsic::OpenIn => {
                let file = self.open(&given.text(0), 0, span)?;
                self.handle(intrinsic, file, span)?
            }
            Intrinsic::OpenFile => {
                let file = self.open(&given.text(0), given.int(1), span)?;
                self.handle(intrinsic, file, span)?
            }
            Intrinsic::InputLine => {
                let file = self.opened(&given.0[0], span)?;
                let file = &mut self.open_files[file];
                let rest = &file.bytes[file.at.min(file.bytes.len())..];
                let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                let line = String::from_utf8_lossy(&rest[..end]).trim_end_matches('\r').to_owned();
                file.at = (file.at + end + 1).min(file.bytes.len());
                Value::text(&line)
            }
            Intrinsic::CloseIn | Intrinsic::CloseOut | Intrinsic::Flush | Intrinsic::Close => {
                let file = self.opened(&given.0[0], span)?;
                self.save(file, span)?;
                if intrinsic != Intrinsic::Flush {
                    self.handles.retain(|_, at| *at != file);
                }
                Value::Null
            }
            Intrinsic::Exit => return Err(Box::new(Stop::Exit(given.int(0)))),
            Intrinsic::MimeTime => Value::text(&mime_time(given.float(0))),
            Intrinsic::UnmimeTime => Value::Float(unmime_time(&given.text(0)).unwrap_or(0.0)),
            Intrinsic::FileRead => {
                let (from, most) = (given.int(2), given.int(3));
                let file = self.opened(&given.0[0], span)?;
                let file = &mut self.open_files[file];
                let start = file.at.min(file.bytes.len());
                let end = file.bytes.len().min(start + usize::try_from(most).unwrap_or(0));
                let read = file.bytes[start..end].to_vec();
                file.at = end;
                let count = read.len();
                let Ok(from) = usize::try_from(from) else { return Err(self.text_bounds("", from, from, span)) };
                let buffer = self.buffer(&given.0[1], span)?;
                buffer.resize(buffer.len().max(from + count), b' ');
                buffer[from..from + count].copy_from_slice(&read);
                Value::Int(count as i32)
            }
            Intrinsic::FileWrite => {
                let (whole, from, count) = (given.text(1), given.int(2), given.int(3));
                let Some(part) = part(&whole, from, from.wrapping_add(count)) else {
                    return Err(self.text_bounds(&whole, from, from.wrapping_add(count), span));
                };
                self.write_to(&given.0[0], part.as_bytes(), span)?;
                Value::Int(part.len() as i32)
            }
            Intrinsic::Fstat => {
                let file = self.opened(&given.0[0], span)?;
                self.handle(intrinsic, file, span)?
            }
            Intrinsic::StSize => {
                let file = self.opened(&given.0[0], span)?;
                Value::Int(self.open_files[file].bytes.len() as i32)
            }
            // Only files are opened.
            Intrinsic::StKind => Value::Int(Intrinsic::SReg.constant().unwrap_or(0)),
            Intrinsic::StMtime => Value::Float(0.0),
            Intrinsic::SystemRandom => match usize::try_from(given.int(0)) {
                Ok(end) if end > 0 => Value::Int(self.chance.below(end) as i32),
                _ => return Err(self.fault(Fault::EmptyRange(given.int(0)), span)),
            },
            Intrinsic::Srand => {
                self.chance = Chance::new(given.int(0) as u32 as u64);
                Value::Null
            }
            Intrinsic::ArrayCopy => {
                let bytes = self.bytes_of(&given.0[0], given.int(1), given.int(4), span)?;
                let to = given.int(3);
                self.bytes_of(&given.0[2], to, given.int(4), span)?;
                if let Some(array) = given.0[2].array() {
                    for (i, byte) in bytes.into_iter().enumerate() {
                        self.heap.set_element(array, i64::from(to) + i as i64, Value::Byte(byte as i8));
                    }
                }
                Value::Null
            }
            Intrinsic::Get => match usize::try_from(given.int(1)).ok().and_then(|at| given.text(0).chars().nth(at)) {
                Some(c) => Value::Char(c),
                None => return Err(self.text_bounds(&given.text(0), given.int(1), given.int(1).wrapping_add(1), span)),
            },
            Intrinsic::StringAfter | Intrinsic::StringBefore => {
                let (whole, at) = (given.text(0), given.int(1));
                let length = whole.chars().count() as i32;
                let (from, to) = if intrinsic == Intrinsic::StringAfter { (at, length) } else { (0, at) };
                match part(&whole, from, to) {
                    Some(part) => Value::text(part),
                    None => return Err(self.text_bounds(&whole, from, to, span)),
                }
            }
            Intrinsic::Index => {
                Value::Int(given.text(0).chars().position(|c| c == given.letter(1)).map_or(-1, |at| at as i32))
            }
            Intrinsic::Rindex => {
                let at = given.text(0).chars().enumerate().filter(|(_, c)| *c == given.letter(1)).last();
                Value::Int(at.map_or(-1, |(at, _)| at as i32))
            }
            Intrinsic::Contains => Value::Bool(given.text(0).contains(given.letter(1))),
            Intrinsic::StringLength => Value::Int(given.text(0).chars().count() as i32),
            Intrinsic::Make => {
                let count = usize::try_from(given.int(0).min(LONGEST)).unwrap_or(0);
                Value::text(&given.letter(1).to_string().repeat(count))
            }
            Intrinsic::Chr => {
                Value::text(&char::from_u32(given.int(0) as u32).unwrap_or(char::REPLACEMENT_CHARACTER).to_string())
            }
            other => return Err(self.fault(Fault::NotPerformed(other), span)),
        })
    }

    fn print(&mut self, text: &str) -> Value {
        self.world.print(text);
        Value::Null
    }

    /// The next line; "" at the end.
    fn input(&mut self) -> String {
        self.ahead.take().unwrap_or_else(|| self.world.read_line()).unwrap_or_default()
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        let line = self.ahead.take().unwrap_or_else(|| self.world.read_line());
        self.ahead.insert(line).is_none()
    }

    fn open(&mut self, name: &str, flags: i32, span: Span) -> Step<usize> {
        let is_written = flags & WRITES != 0;
        let bytes = match self.world.file(name) {
            Ok(_) if flags & EMPTIES != 0 => Vec::new(),
            Ok(bytes) => bytes,
            // It is made now, so that who opens it learns that it cannot be.
            Err(Refused::Missing) if is_written && flags & CREATES != 0 => {
                self.world.save(name, &[]).map_err(|why| self.refused(name, why, span))?;
                Vec::new()
            }
            Err(why) => return Err(self.refused(name, why, span)),
        };
        let at = if flags & APPENDS != 0 { bytes.len() } else { 0 };
        let is_changed = is_written && flags & (EMPTIES | CREATES) != 0;
        self.open_files.push(Opened { name: name.to_owned(), bytes, at, is_changed, opened_at: span });
        Ok(self.open_files.len() - 1)
    }

    /// A new object for a file that is open.
    fn handle(&mut self, made: Intrinsic, file: usize, span: Span) -> Step<Value> {
        let name = made.result().object().unwrap_or_default();
        let ty = self.program.types.iter().position(|t| t.name == name).unwrap_or_default();
        let Ok(object) = self.heap.allocate(crate::program::TypeId(ty as u32)) else {
            return Err(self.fault(Fault::OutOfMemory, span));
        };
        self.handles.insert(object, file);
        Ok(Value::Object(object))
    }

    fn opened(&self, value: &Value, span: Span) -> Step<usize> {
        let object = self.library_object(value, span)?;
        self.handles.get(&object).copied().ok_or_else(|| self.fault(Fault::NotOpen, span))
    }

    fn library_object(&self, value: &Value, span: Span) -> Step<ObjId> {
        value.object().ok_or_else(|| self.fault(Fault::NullDereference("a library call".into()), span))
    }

    fn buffer(&mut self, value: &Value, span: Span) -> Step<&mut Vec<u8>> {
        let object = self.library_object(value, span)?;
        Ok(self.buffers.entry(object).or_default())
    }

    fn write_to(&mut self, value: &Value, bytes: &[u8], span: Span) -> Step<Value> {
        let file = self.opened(value, span)?;
        let file = &mut self.open_files[file];
        let end = file.at + bytes.len();
        file.bytes.resize(file.bytes.len().max(end), 0);
        file.bytes[file.at..end].copy_from_slice(bytes);
        file.at = end;
        file.is_changed = true;
        Ok(Value::Null)
    }

    fn save(&mut self, file: usize, span: Span) -> Step<()> {
        let file = &mut self.open_files[file];
        if !std::mem::take(&mut file.is_changed) {
            return Ok(());
        }
        let (name, saved) = (file.name.clone(), self.world.save(&file.name, &file.bytes));
        saved.map_err(|why| self.refused(&name, why, span))
    }

    /// What was written and neither flushed nor closed. The first that cannot be saved is the error.
    pub(crate) fn save_all(&mut self) -> Step<()> {
        let mut saved = Ok(());
        for at in 0..self.open_files.len() {
            let opened_at = self.open_files[at].opened_at;
            saved = saved.and(self.save(at, opened_at));
        }
        self.open_files.clear();
        saved
    }

    #[cold]
    pub(crate) fn refused(&self, name: &str, why: Refused, span: Span) -> Box<Stop> {
        self.fault(Fault::File { name: name.to_owned(), why }, span)
    }

    fn bytes_of(&self, value: &Value, from: i32, count: i32, span: Span) -> Step<Vec<u8>> {
        let Some(array) = value.array() else {
            return Err(self.fault(Fault::NullDereference("`[]`".into()), span));
        };
        let length = self.heap.length(array);
        (i64::from(from)..i64::from(from) + i64::from(count.max(0)))
            .map(|i| {
                let byte = self.heap.element(array, i).and_then(Value::integer);
                byte.map(|b| b as u8)
                    .ok_or_else(|| self.fault(Fault::IndexOutOfBounds { index: i as i32, length }, span))
            })
            .collect()
    }

    /// A file is read once; what changes later is not seen.
    pub(crate) fn lines_of(&mut self, name: &str, span: Span) -> Step<Option<Rc<Vec<String>>>> {
        if let Some(known) = self.files.get(name) {
            return Ok(known.clone());
        }
        let lines = match self.world.file(name) {
            Ok(bytes) => Some(Rc::new(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())),
            Err(Refused::Missing) => None,
            Err(why) => return Err(self.refused(name, why, span)),
        };
        self.files.insert(name.to_string(), lines.clone());
        Ok(lines)
    }
}

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of_month(year: i64, month: usize) -> i64 {
    [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
}

/// Seconds since 1970 as `Sun, 06 Nov 1994 08:49:37 GMT`.
fn mime_time(seconds: f64) -> String {
    // Beyond these years the date is of no use, and counting them would take long.
    let seconds = seconds.clamp(0.0, 253_402_300_799.0) as i64;
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let day_name = DAYS[(days % 7) as usize];
    let (mut year, mut month) = (1970, 0);
    while days >= if is_leap(year) { 366 } else { 365 } {
        days -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    while days >= days_of_month(year, month) {
        days -= days_of_month(year, month);
        month += 1;
    }
    let (hours, minutes, seconds) = (time / 3600, time / 60 % 60, time % 60);
    let month = MONTHS[month];
    format!("{day_name}, {:02} {month} {year:04} {hours:02}:{minutes:02}:{seconds:02} GMT", days + 1)
}

fn unmime_time(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let [_, day, month, year, time, ..] = parts[..] else { return None };
    let (day, year) = (day.parse::<i64>().ok()?, year.parse::<i64>().ok().filter(|y| (1970..10_000).contains(y))?);
    let month = MONTHS.iter().position(|m| *m == month)?;
    let clock: Vec<i64> = time.split(':').filter_map(|part| part.parse().ok()).collect();
    let [hours, minutes, seconds] = clock[..] else { return None };
    let of_years: i64 = (1970..year).map(|y| if is_leap(y) { 366 } else { 365 }).sum();
    let of_months: i64 = (0..month).map(|m| days_of_month(year, m)).sum();
    Some(((((of_years + of_months + day - 1) * 24 + hours) * 60 + minutes) * 60 + seconds) as f64)
}
