//! The definitions that tests read: those of LANG.md, corners, and the examples.

use std::path::Path;

/// Name and text of each file.
pub fn definitions() -> Vec<(String, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [here.join("tests/definitions"), here.join("../../examples/lang")] {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "lang") {
                let text = std::fs::read_to_string(&path).expect("a text file");
                files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text));
            }
        }
    }
    files.sort();
    files
}

/// Messages, one per line.
pub fn messages(file: &lang::syntax::File) -> String {
    file.diagnostics
        .iter()
        .map(|d| format!("{:?} {}: {}\n", d.span.map(|s| (s.start, s.end)), d.id, d.message))
        .collect()
}
