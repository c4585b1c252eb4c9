//! Diagnostics as tests compare them: the place, the id, the message, further places, and what to do.

use source::{Diagnostic, Severity, SourceMap, Span};

/// A line for each, and one for each further place and for the help. Places have the file's name if there are several files.
pub fn render(map: &SourceMap, diagnostics: &[Diagnostic], with_files: bool) -> String {
    let place = |span: Span| {
        let (at, file) = (map.start(span), &map.file(span.file).name);
        let file = if with_files { format!("{file}:") } else { String::new() };
        format!("{file}{}:{}", at.line, at.column)
    };
    let mut out = String::new();
    for d in diagnostics {
        let at = d.span.map_or("-".to_string(), place);
        let severity = match d.severity {
            Severity::Error => "",
            Severity::Warning => " (warning)",
            Severity::Note => " (note)",
        };
        out.push_str(&format!("{at}: {}{severity}: {}\n", d.id, d.message));
        for (span, text) in &d.related {
            out.push_str(&format!("    {}: {text}\n", place(*span)));
        }
        if let Some(help) = &d.help {
            out.push_str(&format!("    help: {help}\n"));
        }
    }
    out
}
