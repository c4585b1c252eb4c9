//! Every page and section that the sources cite exists, and so does every page, section and file that the documents link to.
//!
//! A citation is the path of a page from the root, then `, "HEADING"`, or `, "HEADING" and "HEADING"`; it may run over several comment
//! lines. A page that is named without a heading must exist too.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder, in order, without what is built.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path));
        } else if path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Sources and tests of all crates that are text.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = fs::read_dir(root().join("crates")).expect("crates").map(|entry| entry.expect("a folder").path());
    let below = crates.flat_map(|folder| ["src", "tests"].map(|part| folder.join(part))).flat_map(|part| files(&part));
    below.filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text))).collect()
}

/// Pages for readers: those of the root, of `docs/` and of the examples.
fn pages() -> Vec<(PathBuf, String)> {
    let all = files(&root()).into_iter().filter(|path| path.extension().is_some_and(|e| e == "md"));
    all.map(|path| (path.clone(), fs::read_to_string(&path).expect("a page"))).collect()
}

/// The text of its headings, without the marks for code.
fn headings(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) {
            found.push(heading.trim_start_matches('#').trim().replace('`', ""));
        }
    }
    found
}

/// As one line, without the marks of comments, so that a citation may run over several lines.
fn flowing(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim();
        let marks = ["//!", "///", "//", ";"];
        marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim().to_string()
    };
    text.lines().map(line).collect::<Vec<_>>().join(" ")
}

/// The pages that a text names, each with what follows the name.
fn named(text: &str) -> Vec<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let mut found = Vec::new();
    for (end, _) in text.match_indices(".md") {
        let after = &text[end + 3..];
        let start =
            text[..end].rfind(|c| !is_part(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        if start < end && !after.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            found.push((&text[start..end + 3], after));
        }
    }
    found
}

/// The headings cited after the name of a page: `, "A", "B" and "C"`.
fn cited(mut after: &str) -> Vec<&str> {
    let mut found = Vec::new();
    while let Some(rest) =
        after.strip_prefix(", \"").or_else(|| after.strip_prefix(" and \"").filter(|_| !found.is_empty()))
    {
        let Some((heading, rest)) = rest.split_once('"') else { break };
        found.push(heading);
        after = rest;
    }
    found
}

/// What is wrong with the citations of a text: pages and headings that do not exist.
fn broken(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (page, after) in named(&flowing(text)) {
        match fs::read_to_string(root().join(page)) {
            Err(_) => wrong.push(format!("there is no {page}")),
            Ok(text) => {
                let known = headings(&text);
                let missing = cited(after).into_iter().filter(|heading| !known.iter().any(|k| k == heading));
                wrong.extend(missing.map(|heading| format!("{page} has no heading {heading:?}")));
            }
        }
    }
    wrong
}

/// As a page of a forge names the place of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

/// Targets of `[text](target)` outside of code.
fn links(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2).flat_map(|text| text.split('`').step_by(2));
    prose
        .flat_map(|text| text.split("](").skip(1))
        .filter_map(|rest| rest.split_once(')'))
        .map(|(link, _)| link)
        .collect()
}

/// Nothing is wrong, or all of it is shown.
fn expect_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_sources_cite_exists() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        wrong.extend(broken(&text).into_iter().map(|what| format!("{}: {what}", path.display())));
    }
    expect_none(&wrong);
}

#[test]
fn what_documents_link_to_exists() {
    let mut wrong = Vec::new();
    for (path, text) in pages() {
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            let has_place = |page: String| headings(&page).iter().any(|heading| anchor(heading) == place);
            let is_there = target.exists() && (place.is_empty() || fs::read_to_string(&target).is_ok_and(has_place));
            if !is_there {
                wrong.push(format!("{}: nothing is at {link}", path.display()));
            }
        }
    }
    expect_none(&wrong);
}

/// The map of the code names files that exist: whoever moves one changes the map.
#[test]
fn what_the_architecture_names_exists() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let names = page.split('`').skip(1).step_by(2).filter(|name| name.contains("/src/") || name.contains("/tests/"));
    let missing = names.filter(|name| !root().join("crates").join(name).exists() && !root().join(name).exists());
    expect_none(&missing.map(|name| format!("ARCHITECTURE.md: there is no {name}")).collect::<Vec<_>>());
}

#[test]
fn a_citation_that_leads_nowhere_is_found() {
    let page = concat!("docs/no-such-page", ".md");
    assert_eq!(broken(&format!("// see {page}, \"A\"")), [format!("there is no {page}")]);
    let page = concat!("docs/lang", ".md");
    assert_eq!(broken(&format!("//! ({page}, \"Limits\" and \"A\n//! file\")")), Vec::<String>::new());
    assert_eq!(
        broken(&format!("/// {page}, \"Limits\" and \"Nowhere\".")),
        [format!("{page} has no heading \"Nowhere\"")]
    );
}
