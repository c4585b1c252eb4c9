//! Every example of the repository, seeded bugs too, is read without complaint and lowered to a well-formed program.

use source::SourceMap;
use std::path::{Path, PathBuf};

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            java_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "java") {
            found.push(path);
        }
    }
}

#[test]
fn examples_are_read_and_well_formed() {
    let mut files = Vec::new();
    java_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java"), &mut files);
    for path in &files {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).expect("a readable example");
        let mut sources = SourceMap::default();
        let file = sources.add(name.clone(), text);
        let inputs = java::Inputs::new(&mut sources, vec![file]);
        match java::load(inputs) {
            Ok(loaded) => {
                let problems = ir::wellformed::problems(&loaded.program);
                assert!(problems.is_empty(), "{name}: {problems:#?}");
            }
            Err(problems) => panic!("{name}: {problems:#?}"),
        }
    }
    assert!(!files.is_empty());
}
