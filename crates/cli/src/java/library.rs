//! Sources of library classes, found by name in folders and archives (`--source-path`).

use source::Diagnostic;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zip::ZipArchive;

/// One `--source-path`.
enum Root {
    Folder(PathBuf),
    Archive { name: String, archive: Mutex<ZipArchive<BufReader<File>>> },
}

/// Where library classes are looked up, in the order given.
#[derive(Default)]
pub struct Library {
    roots: Vec<Root>,
}

impl Library {
    pub fn open(paths: &[PathBuf]) -> Result<Library, Vec<Diagnostic>> {
        let (mut roots, mut problems) = (Vec::new(), Vec::new());
        for path in paths {
            match Root::open(path) {
                Ok(root) => roots.push(root),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(Library { roots }) } else { Err(problems) }
    }

    /// File name and text of a top-level class.
    pub fn find(&self, class: &str) -> Option<(String, String)> {
        let path = format!("{}.java", class.replace('.', "/"));
        self.roots.iter().find_map(|root| root.find(&path))
    }
}

impl Root {
    fn open(path: &Path) -> Result<Root, Diagnostic> {
        let name = path.display().to_string();
        let problem = |what: String| {
            Diagnostic::error("bad-source-path", None, format!("--source-path `{name}`: {what}"))
                .help("give a folder, or a .jar or .zip of sources")
        };
        if path.is_dir() {
            return Ok(Root::Folder(path.to_path_buf()));
        }
        let file = File::open(path).map_err(|e| problem(e.to_string()))?;
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|e| problem(e.to_string()))?;
        Ok(Root::Archive { name, archive: Mutex::new(archive) })
    }

    fn find(&self, path: &str) -> Option<(String, String)> {
        match self {
            Root::Folder(folder) => {
                let file = folder.join(path);
                Some((file.display().to_string(), std::fs::read_to_string(&file).ok()?))
            }
            Root::Archive { name, archive } => {
                let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                // A JDK's src.zip has a folder per module.
                let in_module = format!("/{path}");
                let is_it = |entry: &str| {
                    entry == path || entry.strip_suffix(&in_module).is_some_and(|module| !module.contains('/'))
                };
                let names = archive.file_names().filter_map(Result::ok);
                let entry = names.map(|name| name.to_string()).find(|name| is_it(name))?;
                let mut text = String::new();
                archive.by_name(&entry).ok()?.read_to_string(&mut text).ok()?;
                Some((format!("{name}!/{entry}"), text))
            }
        }
    }
}
