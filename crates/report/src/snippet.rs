//! Diagnostics, and the broken clause of a violation, under the source they point at.

use crate::paint::Paint;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use source::{Diagnostic, Severity, SourceMap, Span};
use std::ops::Range;
use verdict::Violation;

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
    for snippet in snippets(sources, diagnostic) {
        group = group.element(snippet);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer(paint).render(&[group])
}

/// One per file, the main one first.
fn snippets<'a>(
    sources: &'a SourceMap,
    diagnostic: &'a Diagnostic,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let main = diagnostic.span.map(|span| (span, diagnostic.label.as_str(), AnnotationKind::Primary));
    let related = diagnostic.related.iter().map(|(span, text)| (*span, text.as_str(), AnnotationKind::Context));
    let mut places: Vec<(Span, &str, AnnotationKind)> = main.into_iter().chain(related).collect();
    let mut found = Vec::new();
    while let Some(&(first, ..)) = places.first() {
        let file = sources.file(first.file);
        let mut snippet = Snippet::source(file.text.as_str()).path(file.name.as_str());
        let (here, elsewhere): (Vec<_>, Vec<_>) = places.into_iter().partition(|(s, ..)| s.file == first.file);
        for (span, label, kind) in here {
            let mark = kind.span(range(sources, span));
            snippet = snippet.annotation(if label.is_empty() { mark } else { mark.label(label) });
        }
        found.push(snippet);
        places = elsewhere;
    }
    found
}

pub fn violation(sources: &SourceMap, violation: &Violation, paint: Paint) -> String {
    let level = Level::ERROR.with_name(violation.kind.name());
    let mut group = Group::with_title(level.primary_title(violation.message.as_str()));
    if let Some(span) = violation.span {
        let file = sources.file(span.file);
        let mark = AnnotationKind::Primary.span(range(sources, bare(sources, span))).label(violation.label.as_str());
        group = group.element(Snippet::source(file.text.as_str()).path(file.name.as_str()).annotation(mark));
    }
    renderer(paint).render(&[group])
}

/// A place without a message of its own.
pub fn place(sources: &SourceMap, span: Span, title: &str, label: &str, paint: Paint) -> String {
    let file = sources.file(span.file);
    let mark = AnnotationKind::Primary.span(range(sources, span)).label(label);
    let group = Group::with_title(Level::NOTE.primary_title(title))
        .element(Snippet::source(file.text.as_str()).path(file.name.as_str()).annotation(mark));
    renderer(paint).render(&[group])
}
