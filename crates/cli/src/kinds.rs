//! What a file is, by its name; and which files a folder brings.

use source::Diagnostic;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Java,
    Language,
    Dminor,
    Hob,
}

pub const KNOWN: &str =
    ".java (Java classes), .lang (languages), .dm and .m (Dminor programs), .fl, .sl, .al and .scope (Hob modules)";

impl Kind {
    pub fn of(path: &Path) -> Option<Kind> {
        match path.extension()?.to_str()? {
            "java" => Some(Kind::Java),
            "lang" => Some(Kind::Language),
            "dm" | "m" => Some(Kind::Dminor),
            "fl" | "sl" | "al" | "scope" => Some(Kind::Hob),
            _ => None,
        }
    }

    /// As messages name it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Java => "Java classes",
            Kind::Language => "languages",
            Kind::Dminor => "Dminor programs",
            Kind::Hob => "Hob modules",
        }
    }
}

/// What is checked together, with a summary of its own.
#[derive(Clone, Debug)]
pub struct Job {
    pub kind: Kind,
    pub files: Vec<PathBuf>,
    /// As the user would name it.
    pub title: String,
    /// Files that were named by themselves, not by their folder: what belongs to them is looked for beside them.
    pub alone: Vec<PathBuf>,
}

/// Classes that are named together may refer to each other, and so may modules; every other file is by itself. A later folder of
/// modules lies over the earlier ones: a variant of a program has only the files that differ.
/// Specifications that come with the command (`--spec`) are classes too.
pub fn jobs(paths: &[PathBuf], specs: &[String]) -> Result<Vec<Job>, Vec<Diagnostic>> {
    let (mut jobs, mut problems): (Vec<Job>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            match in_folder(path) {
                Ok(found) if found.is_empty() => problems.push(nothing_in(path)),
                // What is in different folders is not one program.
                Ok(found) if found.iter().any(|job| !is_directly_in(job, path)) => jobs.extend(found),
                Ok(found) => found.into_iter().for_each(|job| add(&mut jobs, job)),
                Err(problem) => problems.push(problem),
            }
            continue;
        }
        match Kind::of(path) {
            Some(kind) => add(
                &mut jobs,
                Job { kind, files: vec![path.clone()], title: path.display().to_string(), alone: vec![path.clone()] },
            ),
            None => {
                let (name, exists) = (path.display(), path.exists());
                let (id, message) = match exists {
                    true => ("unknown-suffix", format!("it cannot be told from its name what `{name}` is")),
                    false => ("missing-file", format!("there is no file `{name}`")),
                };
                let help = format!("files that can be checked end with {KNOWN}");
                problems.push(Diagnostic::error(id, None, message).help(help));
            }
        }
    }
    for spec in specs {
        add(&mut jobs, Job { kind: Kind::Java, files: Vec::new(), title: spec.clone(), alone: Vec::new() });
    }
    if problems.is_empty() { Ok(jobs) } else { Err(problems) }
}

fn is_directly_in(job: &Job, folder: &Path) -> bool {
    job.files.iter().all(|file| file.parent() == Some(folder))
}

fn nothing_in(folder: &Path) -> Diagnostic {
    let message = format!("there is nothing to check in `{}`", folder.display());
    Diagnostic::error("no-file", None, message).help(format!("files that can be checked end with {KNOWN}"))
}

fn add(jobs: &mut Vec<Job>, job: Job) {
    let is_joint = matches!(job.kind, Kind::Java | Kind::Hob);
    let Some(known) = jobs.iter_mut().find(|j| is_joint && j.kind == job.kind) else {
        jobs.push(job);
        return;
    };
    if job.alone.is_empty() {
        known.files.retain(|earlier| !job.files.iter().any(|file| file.file_name() == earlier.file_name()));
    }
    known.files.extend(job.files);
    known.alone.extend(job.alone);
    known.title = format!("{}, {}", known.title, job.title);
}

/// The files of the folder itself; if it has none, those of the folders in it, each by itself.
fn in_folder(folder: &Path) -> Result<Vec<Job>, Diagnostic> {
    let unreadable = |e: std::io::Error| {
        Diagnostic::error("unreadable-file", None, format!("`{}` cannot be read: {e}", folder.display()))
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    let mut by_kind: BTreeMap<Kind, Vec<PathBuf>> = BTreeMap::new();
    for path in entries.iter().filter(|p| !p.is_dir()) {
        if let Some(kind) = Kind::of(path) {
            by_kind.entry(kind).or_default().push(path.clone());
        }
    }
    let mut jobs = Vec::new();
    for (kind, files) in by_kind {
        match kind {
            Kind::Java | Kind::Hob => {
                jobs.push(Job { kind, files, title: folder.display().to_string(), alone: Vec::new() });
            }
            Kind::Language | Kind::Dminor => {
                let job = |file: PathBuf| Job {
                    kind,
                    title: file.display().to_string(),
                    files: vec![file],
                    alone: Vec::new(),
                };
                jobs.extend(files.into_iter().map(job));
            }
        }
    }
    if jobs.is_empty() {
        for inner in entries.iter().filter(|p| p.is_dir() && !p.is_symlink()) {
            jobs.extend(in_folder(inner)?);
        }
    }
    Ok(jobs)
}
