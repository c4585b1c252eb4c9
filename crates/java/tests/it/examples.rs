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
    let read = |path: &Path| std::fs::read_to_string(path).expect("a readable example");
    for path in &files {
        let name = path.display().to_string();
        let mut sources = SourceMap::default();
        let mut given = vec![sources.add(name.clone(), read(path))];
        // Clients need their modules.
        if name.contains("/clients/") {
            let module = if name.contains("-hash/") { "map-hash/HashMap.java" } else { "map-tree/TreeMap.java" };
            let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java").join(module);
            given.push(sources.add(module.display().to_string(), read(&module)));
        }
        // What a language extends is in the folder above.
        if name.contains("/whole/") {
            let extended = path.to_string_lossy().replace("whole/Whole", "");
            given.push(sources.add(extended.clone(), read(Path::new(&extended))));
        }
        let class = path.file_stem().map(|s| s.to_string_lossy().to_string());
        let class = class.filter(|_| given.len() > 1);
        let inputs = java::Inputs { class, ..java::Inputs::new(&mut sources, given) };
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
