//! The definitions that tests read: five that stay as they are, corners, and the examples. Each test uses a part of this.

use std::path::Path;

/// Name and text of each file: `definitions/arith.lang` stays as it is, `examples/arith.lang` may change.
pub fn definitions() -> Vec<(String, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for (folder, path) in [("definitions", "tests/definitions"), ("examples", "../../examples/lang")] {
        let Ok(entries) = std::fs::read_dir(here.join(path)) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "lang") {
                // `size ?` stands where an example does not know its size yet.
                let text = std::fs::read_to_string(&path).expect("a text file").replace(" size ?", "");
                // Extensions alone are put after a definition by the tests that use them.
                let first = text.lines().find(|l| l.starts_with("language "));
                if first.is_none_or(|l| l.contains(" extends ")) {
                    continue;
                }
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.push((format!("{folder}/{name}"), text));
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
