//! What the tests share: files by name, their programs, diagnostics as lines.

use hob::{FileKind, Input, Loaded, Program};
use source::{Diagnostic, SourceMap};

/// The samples, as names and texts.
pub const SAMPLES: [(&str, &str); 8] = [
    ("process.fl", include_str!("../samples/process.fl")),
    ("process.sl", include_str!("../samples/process.sl")),
    ("process.al", include_str!("../samples/process.al")),
    ("log.sl", include_str!("../samples/log.sl")),
    ("list.fl", include_str!("../samples/list.fl")),
    ("list.sl", include_str!("../samples/list.sl")),
    ("list.al", include_str!("../samples/list.al")),
    ("parts.scope", include_str!("../samples/parts.scope")),
];

pub fn load(files: &[(&str, &str)]) -> (SourceMap, Loaded) {
    let mut map = SourceMap::default();
    let inputs: Vec<Input> = files
        .iter()
        .map(|(name, text)| Input { file: map.add(*name, *text), kind: FileKind::of(name).expect("a kind"), text })
        .collect();
    let loaded = hob::load(&inputs);
    assert_eq!(loaded.program.is_none(), loaded.has_errors());
    (map, loaded)
}

/// Of files without mistakes.
pub fn program(files: &[(&str, &str)]) -> Program {
    let (map, loaded) = load(files);
    assert!(!loaded.has_errors(), "{}", render(&map, &loaded.diagnostics));
    loaded.program.expect("a program without errors")
}

/// One text with all of a program: each line that is `--- name` begins a file.
pub fn split(text: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.trim().strip_prefix("--- ") {
            Some(name) => files.push((name.to_string(), String::new())),
            None => {
                if let Some((_, text)) = files.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    files
}

pub fn render(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    test_kit::messages::render(map, diagnostics, true)
}

/// All messages about some files, each of which begins with a line `--- name`.
pub fn messages(text: &str) -> String {
    let files = split(text);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (map, mut loaded) = load(&files);
    // Texts that are this small use little of what they declare.
    loaded.diagnostics.retain(|d| d.id != "unused-set");
    render(&map, &loaded.diagnostics)
}
