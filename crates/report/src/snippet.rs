//! Diagnostics, and the broken clause of a violation, under the source they point at.

use crate::paint::Paint;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use source::{Diagnostic, FileId, Severity, SourceMap, Span};
use std::ops::Range;

/// Of a line that nobody wrote by hand, so many bytes around what is marked: the time to show it is that of its length.
const LONGEST_LINE: usize = 4_000;

fn renderer(paint: Paint) -> Renderer {
    let renderer = if paint.color { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).term_width(120)
}

/// A range that the file has, at the borders of characters.
fn range(sources: &SourceMap, span: Span) -> Range<usize> {
    let text = &sources.file(span.file).text;
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start as usize);
    start..floor(span.end as usize).max(start)
}

/// Without the parentheses around a condition.
pub fn bare(sources: &SourceMap, span: Span) -> Span {
    let text = sources.text(span);
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return span };
    let mut depth = 0i32;
    for c in inner.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return span;
        }
    }
    Span { start: span.start + 1, end: span.end - 1, ..span }
}

pub fn diagnostic(sources: &SourceMap, diagnostic: &Diagnostic, paint: Paint) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.id));
    let main = diagnostic.span.map(|span| Mark {
        span: bare(sources, span),
        label: &diagnostic.label,
        kind: AnnotationKind::Primary,
    });
    let related = diagnostic.related.iter();
    let related = related.map(|(span, text)| Mark { span: *span, label: text, kind: AnnotationKind::Context });
    let mut marks: Vec<Mark> = main.into_iter().chain(related).collect();
    // One snippet per file, the main one first.
    while let Some(file) = marks.first().map(|m| m.span.file) {
        let (here, elsewhere) = marks.into_iter().partition(|m| m.span.file == file);
        group = with_snippet(group, sources, file, here);
        marks = elsewhere;
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer(paint).render(&[group])
}

/// Something to show in a file.
struct Mark<'a> {
    span: Span,
    label: &'a str,
    kind: AnnotationKind,
}

impl<'a> Mark<'a> {
    fn annotation(&self, range: Range<usize>) -> Annotation<'a> {
        let mark = self.kind.span(range);
        if self.label.is_empty() { mark } else { mark.label(self.label) }
    }
}

/// Adds the lines that are marked.
fn with_snippet<'a>(group: Group<'a>, sources: &'a SourceMap, file: FileId, marks: Vec<Mark<'a>>) -> Group<'a> {
    let (name, text) = (&sources.file(file).name, sources.file(file).text.as_str());
    let ranges: Vec<Range<usize>> = marks.iter().map(|m| range(sources, m.span)).collect();
    let start = ranges.iter().map(|r| r.start).min().unwrap_or(0);
    let end = ranges.iter().map(|r| r.end).max().unwrap_or(0);
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let is_long = text[from..to].lines().any(|line| line.len() > LONGEST_LINE);
    let first = sources.line_column(file, from as u32).line;
    if !is_long {
        let moved = |r: &Range<usize>| r.start - from..r.end - from;
        let annotations = marks.iter().zip(&ranges).map(|(mark, r)| mark.annotation(moved(r)));
        let snippet = Snippet::source(&text[from..to]).line_start(first).path(name.as_str());
        return group.element(snippet.annotations(annotations));
    }
    // A part of the line of each mark, and where it is, since columns are not what they are there.
    let mut group = group;
    for (mark, marked) in marks.iter().zip(&ranges) {
        let border = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let place = sources.line_column(file, marked.start as u32);
        let line = text[..marked.start].rfind('\n').map_or(0, |at| at + 1);
        let from = border(marked.start.saturating_sub(LONGEST_LINE / 2)).max(line);
        let until = text[marked.start..].find('\n').map_or(text.len(), |at| marked.start + at);
        let until = border((marked.start + LONGEST_LINE / 2).min(until));
        let here = marked.start - from..marked.end.min(until).max(marked.start) - from;
        let snippet = Snippet::source(&text[from..until]).line_start(place.line);
        group = group
            .element(Origin::path(name.as_str()).line(place.line).char_column(place.column))
            .element(snippet.annotation(mark.annotation(here)));
    }
    group
}

/// A place without a message of its own.
pub fn place(sources: &SourceMap, span: Span, title: &str, label: &str, paint: Paint) -> String {
    let mark = Mark { span, label, kind: AnnotationKind::Primary };
    let group = Group::with_title(Level::NOTE.primary_title(title));
    renderer(paint).render(&[with_snippet(group, sources, span.file, vec![mark])])
}
