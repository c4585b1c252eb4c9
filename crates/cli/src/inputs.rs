//! Reads the files that the user named.

use source::{Diagnostic, FileId, SourceMap};
use std::path::{Path, PathBuf};

/// All that can be read, or what is wrong with each that cannot.
pub fn read(sources: &mut SourceMap, paths: &[PathBuf]) -> Result<Vec<FileId>, Vec<Diagnostic>> {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        match read_one(path) {
            Ok(text) => files.push(sources.add(path.display().to_string(), text)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(problems) }
}

fn read_one(path: &Path) -> Result<String, Diagnostic> {
    let name = path.display();
    if path.is_dir() {
        let message = format!("`{name}` is a folder");
        return Err(Diagnostic::error("not-a-file", None, message).help("name a file"));
    }
    let bytes = std::fs::read(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Diagnostic::error("missing-file", None, format!("there is no file `{name}`"))
            .help("paths are relative to the current folder"),
        _ => Diagnostic::error("unreadable-file", None, format!("`{name}` cannot be read: {e}")),
    })?;
    if bytes.len() > u32::MAX as usize {
        return Err(Diagnostic::error("unreadable-file", None, format!("`{name}` is too large")));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let message = format!("`{name}` is not UTF-8 text: byte {at} is not part of a character");
        Diagnostic::error("not-utf-8", None, message).help("save the file as UTF-8")
    })
}
