//! What the documents show as input is accepted when it is pasted into a file: classes, languages, programs and modules, each verified.

use crate::{glassbox, root};
use std::fs;
use std::path::PathBuf;

/// Blocks of code of a page that are marked as `language` and contain a text.
fn blocks(page: &str, language: &str, containing: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).expect(page);
    let blocks = text.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap_or((block, "")));
    let wanted = blocks.filter(|(mark, block)| *mark == language && block.contains(containing));
    wanted.map(|(_, block)| block.to_string()).collect()
}

/// A folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("glassbox-documents-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// `glassbox check` of these files, each a name and a text, is to end with status 0.
fn verified(test: &str, files: &[(&str, &str)]) {
    let folder = folder(test);
    let write = |(name, text): &(&str, &str)| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let paths: Vec<String> = files.iter().map(write).collect();
    let mut arguments: Vec<&str> = std::iter::once("check").chain(paths.iter().map(String::as_str)).collect();
    if files.iter().any(|(_, text)| text.contains("new ArrayList<>()")) {
        arguments.extend(["--spec", "java.util.ArrayList", "--class", test]);
    }
    let ran = glassbox(&arguments);
    fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!(ran.status, 0, "{files:?}\n{}{}", ran.stdout, ran.stderr);
}

/// The name of the class that a file is named after.
fn class(text: &str) -> &str {
    let after = text.split_once("public class ").expect("a public class").1;
    after.split(|c: char| !c.is_alphanumeric()).next().expect("a name")
}

#[test]
fn classes_are_verified() {
    let shown = [blocks("README.md", "java", "class"), blocks("docs/java.md", "java", "class")].concat();
    assert!(shown.len() >= 7, "{}", shown.len());
    for text in &shown {
        verified(class(text), &[(&format!("{}.java", class(text)), text)]);
    }
}

#[test]
fn languages_are_verified() {
    for page in ["README.md", "docs/lang.md"] {
        let shown = blocks(page, "", "\nreduction ");
        assert_eq!(shown.len(), 1, "{page}");
        // What extends the language is shown further down.
        let variants = blocks(page, "", " extends ").concat();
        verified("language", &[("shown.lang", &format!("{}\n{variants}", shown[0]))]);
    }
}

#[test]
fn programs_are_verified() {
    for (page, programs) in [("README.md", 1), ("docs/dminor.md", 2)] {
        let shown = [blocks(page, "", "type Cents :"), blocks(page, "", "\n  from x in c let")].concat();
        assert_eq!(shown.len(), programs, "{page}");
        for text in &shown {
            verified("program", &[("shown.dm", text)]);
        }
    }
}

#[test]
fn modules_are_verified() {
    let shown = blocks("docs/hob.md", "", "spec module Scheduler");
    let [text] = &shown[..] else { panic!("{shown:?}") };
    let sections: Vec<&str> = text.split("\n\n").collect();
    let [code, specification, abstraction] = sections[..] else { panic!("{sections:?}") };
    verified("modules", &[("S.fl", code), ("S.sl", specification), ("S.al", abstraction)]);
}
