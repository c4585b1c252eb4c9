//! Files in memory, spans into them, and diagnostics as plain values.
//!
//! What goes in: the text of files. What comes out: positions a person can read, and messages that every
//! renderer can show. Nothing here reads a disk or prints.

mod cursor;
mod nearest;

pub use cursor::{Cursor, Token};
pub use nearest::{nearest, suggestion};

use std::fmt;

/// Numbers of one thing each, that cannot be mistaken for those of another: `index_newtype!(/// Into the procs. ProcId, FieldId);`
#[macro_export]
macro_rules! index_newtype {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

/// One file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    pub fn covers(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both, which must be of one file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A file's name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: String) -> SourceFile {
        let text = with_line_ends(text);
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        SourceFile { name, text, line_starts }
    }
}

/// A line ends with \n, \r\n, or \r alone, which becomes \n here: as long, and the same for every reader and for messages.
fn with_line_ends(text: String) -> String {
    let is_alone = |i: usize| text.as_bytes()[i] == b'\r' && text.as_bytes().get(i + 1) != Some(&b'\n');
    if !(0..text.len()).any(is_alone) {
        return text;
    }
    let change = |(i, c)| if c == '\r' && is_alone(i) { '\n' } else { c };
    text.char_indices().map(change).collect()
}

/// Line and column, both counted from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    pub line: usize,
    pub column: usize,
}

/// All texts of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    pub fn line_column(&self, file: FileId, offset: u32) -> LineColumn {
        let file = self.file(file);
        let line = file.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = file.line_starts[line - 1] as usize;
        let before = file.text.get(start..offset as usize).unwrap_or("");
        LineColumn { line, column: before.chars().count() + 1 }
    }

    pub fn start(&self, span: Span) -> LineColumn {
        self.line_column(span.file, span.start)
    }

    /// The text of a line (counted from 1), without its end.
    pub fn line(&self, file: FileId, line: usize) -> &str {
        let file = self.file(file);
        let Some(&start) = file.line_starts.get(line.wrapping_sub(1)) else { return "" };
        let end = file.line_starts.get(line).map_or(file.text.len(), |&e| e as usize);
        file.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// Worth knowing; nothing needs to be done.
    Note,
}

/// A message about the user's text: what is wrong, where, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Kebab-case and stable: programs may match on it.
    pub id: &'static str,
    pub severity: Severity,
    pub message: String,
    pub span: Option<Span>,
    /// Said at `span`, under the text.
    pub label: String,
    /// Further places, each with what to see there.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(id: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            id,
            severity: Severity::Error,
            message: message.into(),
            span: span.into(),
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    pub fn warning(id: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(id, span, message) }
    }

    pub fn note(id: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(id, span, message) }
    }

    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, text.into()));
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let mut map = SourceMap::default();
        let file = map.add("a", "é // x\rb\r\nc\r");
        assert_eq!(map.file(file).text, "é // x\nb\r\nc\n");
        assert_eq!((map.line(file, 1), map.line(file, 2), map.line(file, 3)), ("é // x", "b", "c"));
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut map = SourceMap::default();
        let file = map.add("a.java", "ab\ncä d\n");
        let at = |offset| map.line_column(file, offset);
        assert_eq!(at(0), LineColumn { line: 1, column: 1 });
        assert_eq!(at(3), LineColumn { line: 2, column: 1 });
        assert_eq!(at(7), LineColumn { line: 2, column: 4 });
        assert_eq!(map.line(file, 2), "cä d");
        assert_eq!(map.line(file, 9), "");
    }
}
