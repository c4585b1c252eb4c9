//! The table of crates in ARCHITECTURE.md is the truth about who uses whom.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Rows of `| crate | holds | may use |`.
fn in_the_table() -> Uses {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let header = text.lines().position(|l| l.starts_with("| crate | holds | may use |")).expect("the table");
    let rows = text.lines().skip(header + 2).take_while(|l| l.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let name = cells.first().expect("a crate").trim_matches('`').to_string();
        let uses = cells.last().expect("what it uses").split(',').map(|u| u.trim().trim_matches('`').to_string());
        (name, uses.filter(|u| u != "–").collect())
    };
    rows.map(row).collect()
}

/// Normal dependencies between crates of the workspace, by the names of their folders.
fn in_cargo() -> Uses {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let folder = |path: &Value| {
        let path = Path::new(path.as_str().expect("a path"));
        path.file_name().expect("a folder").to_str().expect("a name").to_string()
    };
    let package = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
        let normal = dependencies.filter(|d| d["kind"].is_null() && d["path"].is_string());
        let name = manifest.parent().and_then(Path::file_name).and_then(|f| f.to_str()).expect("a folder");
        (name.to_string(), normal.map(|d| folder(&d["path"])).collect())
    };
    packages.iter().map(package).collect()
}

#[test]
fn the_table_of_crates_tells_the_dependencies() {
    assert_eq!(in_the_table(), in_cargo(), "left: ARCHITECTURE.md, right: the Cargo.toml files");
}

/// A crate that is not compiled for tests has none in its sources: they would never run.
#[test]
fn no_test_is_left_out() {
    for entry in std::fs::read_dir(root().join("crates")).expect("crates") {
        let folder = entry.expect("a folder").path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("Cargo.toml");
        if manifest.contains("\ntest = false") && !folder.join("src/lib.rs").exists()
            || manifest.contains("[lib]\ntest = false")
        {
            assert_eq!(tests_below(&folder.join("src")), Vec::<std::path::PathBuf>::new());
        }
    }
}

/// The sources that hold a test.
fn tests_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            found.extend(tests_below(&path));
        } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains("#[test]")) {
            found.push(path);
        }
    }
    found
}
