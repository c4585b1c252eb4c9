//! The folders of `examples/hob`, and their seeded bugs: a file of a bug replaces the one of the same name.

use hob::{FileKind, Input, Program};
use source::SourceMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    all.sort();
    all
}

pub fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hob");
    let all: Vec<PathBuf> = listed(&root).into_iter().filter(|p| p.is_dir()).collect();
    assert!(all.len() >= 6, "{all:?}");
    all
}

pub struct Bug {
    pub folder: PathBuf,
    pub module: String,
    pub proc: String,
    pub clause: String,
}

impl Bug {
    /// Whether another plugin than `flags` is to find it: the abstraction of the module says.
    pub fn is_bounded(&self) -> bool {
        let parent = self.folder.parent().and_then(Path::parent).expect("a program");
        listed(parent).iter().filter(|p| p.extension().is_some_and(|e| e == "al")).any(|path| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            text.contains(&format!("abst module {} ", self.module)) && !text.contains("\"flags\"")
        })
    }
}

pub fn bugs(program: &Path) -> Vec<Bug> {
    let folders = listed(&program.join("bugs")).into_iter().filter(|p| p.is_dir());
    let read = |folder: PathBuf| {
        let text =
            std::fs::read_to_string(folder.join("bug.txt")).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let field = |name: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{}: no {name}", folder.display())).trim().to_owned()
        };
        let (module, proc, clause) = (field("module:"), field("proc:"), field("clause:"));
        assert!(!field("why:").is_empty());
        Bug { folder, module, proc, clause }
    };
    folders.map(read).collect()
}

pub fn load(program: &Path, bug: Option<&Path>) -> Program {
    let mut texts = BTreeMap::new();
    for path in listed(program).into_iter().chain(bug.map(listed).unwrap_or_default()) {
        let name = path.file_name().expect("a name").to_string_lossy().to_string();
        if let Some(kind) = FileKind::of(&name) {
            texts.insert(name, (kind, std::fs::read_to_string(&path).expect("text")));
        }
    }
    let mut sources = SourceMap::default();
    let files: Vec<_> =
        texts.iter().map(|(name, (kind, text))| (sources.add(name.clone(), text.clone()), *kind, text)).collect();
    let inputs: Vec<Input> = files.iter().map(|(file, kind, text)| Input { file: *file, kind: *kind, text }).collect();
    let loaded = hob::load(&inputs);
    let shown: Vec<String> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
    loaded.program.unwrap_or_else(|| panic!("{}: {shown:#?}", program.display()))
}
