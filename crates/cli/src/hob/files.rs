//! Which files make up the program: those named, and of those beside them only what declares a section of a module that is used and not
//! given. What else is there is not read further than its names.

use crate::inputs;
use hob::{FileKind, Input, Program};
use source::{Diagnostic, FileId, Severity, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn kind(path: &Path) -> Option<FileKind> {
    FileKind::of(path.file_name()?.to_str()?)
}

/// Files of a folder itself, in the order of their names.
fn listed(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && kind(&path).is_some() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Of the files, some were named alone: what belongs to them is looked for beside them. The program, the names of the modules that the
/// named files declare, and warnings. To run, the code of all modules is needed.
pub fn load(
    paths: &[PathBuf],
    alone: &[PathBuf],
    needs_code: bool,
    sources: &mut SourceMap,
) -> Result<(Program, BTreeSet<String>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut named = paths.to_vec();
    let mut beside = BTreeSet::new();
    for path in alone {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        beside.extend(listed(folder).unwrap_or_default());
    }
    let mut seen = BTreeSet::new();
    named.retain(|path| seen.insert(same_name(path)));
    let files = inputs::read(sources, &named)?;
    let all: Vec<(FileId, FileKind)> =
        files.into_iter().zip(&named).filter_map(|(file, path)| Some((file, kind(path)?))).collect();
    let given: BTreeSet<String> = all.iter().flat_map(|&(file, kind)| outline(sources, file, kind).declares).collect();
    let others: Vec<PathBuf> = beside.into_iter().filter(|path| !seen.contains(&same_name(path))).collect();
    let found = dependencies(&all, &others, sources);
    let loaded = {
        let input = |&(file, kind): &(FileId, FileKind)| Input { file, kind, text: &sources.file(file).text };
        let named: Vec<Input> = all.iter().map(input).collect();
        let beside: Vec<Input> = found.iter().map(input).collect();
        hob::load_beside(&named, &beside, needs_code)
    };
    let (errors, warnings): (Vec<_>, Vec<_>) =
        loaded.diagnostics.into_iter().partition(|d| d.severity == Severity::Error);
    match loaded.program {
        Some(program) if errors.is_empty() => Ok((program, given, warnings)),
        _ => Err(errors),
    }
}

/// `./a.fl` and `a.fl` are one file.
fn same_name(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn outline(sources: &SourceMap, file: FileId, kind: FileKind) -> hob::Outline {
    hob::outline(&Input { file, kind, text: &sources.file(file).text })
}

/// Files beside the named ones that declare what is missing of a module which is mentioned, and so on. What cannot be read is not there.
fn dependencies(all: &[(FileId, FileKind)], others: &[PathBuf], sources: &mut SourceMap) -> Vec<(FileId, FileKind)> {
    let outlines = all.iter().map(|&(file, kind)| outline(sources, file, kind));
    // A module is in up to three files: naming one of them brings the others.
    let mut open: Vec<String> = outlines.flat_map(|o| o.mentions.into_iter().chain(o.declares)).collect();
    let mut given: BTreeSet<(FileKind, String)> = BTreeSet::new();
    for &(file, kind) in all {
        given.extend(outline(sources, file, kind).declares.into_iter().map(|module| (kind, module)));
    }
    let mut declaring: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut read = Vec::new();
    for path in others {
        let Some((text, kind)) = std::fs::read_to_string(path).ok().zip(kind(path)) else { continue };
        let outline = hob::outline(&Input { file: FileId::default(), kind, text: &text });
        for module in outline.declares {
            declaring.entry(module).or_default().push(read.len());
        }
        read.push(Some((path, kind, text, outline.mentions)));
    }
    let mut found = Vec::new();
    while let Some(module) = open.pop() {
        let mut candidates = declaring.remove(&module).unwrap_or_default();
        // Of several files with the same section the one that is called as the module comes first.
        candidates.sort_by_key(|at| {
            let stem = read[*at].as_ref().and_then(|(path, ..)| path.file_stem()?.to_str());
            !stem.is_some_and(|stem| stem.eq_ignore_ascii_case(&module))
        });
        for at in candidates {
            let is_needed = |kind: &FileKind| !given.contains(&(*kind, module.clone()));
            if read[at].as_ref().is_some_and(|(_, kind, ..)| !is_needed(kind)) {
                continue;
            }
            if let Some((path, kind, text, mentions)) = read[at].take() {
                given.insert((kind, module.clone()));
                found.push((sources.add(path.display().to_string(), text), kind));
                open.extend(mentions);
            }
        }
    }
    found
}
