//! Small changes of the modules' code, made by the dozen: on each the engine and the enumeration of all heaps say the same.

use super::agreement::differences;
use super::engine::{Subject, loads, texts};

/// One of these for the other, at one place.
const CHANGES: &[(&str, &str)] = &[
    ("== ", "!= "),
    ("!= ", "== "),
    (" < ", " <= "),
    (" < ", " > "),
    (">= 0", "> 0"),
    ("+ 1;", "+ 2;"),
    ("i++", "i--"),
    ("return true", "return false"),
    ("return false", "return true"),
    (" = root;", " = null;"),
    (" = first;", " = last;"),
    ("= 0;", "= 1;"),
    (".next", ".prev"),
    (".prev", ".next"),
    (".left", ".right"),
    (".right", ".left"),
    ("e.next", "e"),
    ("[b]", "[0]"),
    ("[size]", "[0]"),
    ("size - 1", "size"),
    ("2 * size", "size"),
    ("null;", "root;"),
];

/// Each statement left out, each change at each place.
pub fn mutants(code: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let statement = line.trim();
        if line.starts_with("        ") && statement.ends_with(';') {
            all.push(format!("{}{}", &code[..start], &code[start + line.len()..]));
        }
        start += line.len();
    }
    for (text, instead) in CHANGES {
        for (at, _) in code.match_indices(text) {
            all.push(format!("{}{instead}{}", &code[..at], &code[at + text.len()..]));
        }
    }
    all
}

fn agrees(module: &str, most: i64, at_least: usize) {
    let [code, specification, abstraction] = texts(module);
    let (mut wrong, mut tried) = (String::new(), 0);
    for mutant in mutants(&code) {
        let texts = [mutant, specification.clone(), abstraction.clone()];
        if !loads(&texts) {
            continue;
        }
        tried += 1;
        let subject = Subject::new(&texts);
        for n in 1..=most {
            let told = differences(&subject, n, &|_| true);
            if !told.is_empty() {
                wrong += &format!("{}\n{told}", texts[0]);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(tried >= at_least, "{tried} mutants of {module}");
}

#[test]
fn mutants_of_the_list() {
    agrees("list", 2, 20);
}

#[test]
fn mutants_of_the_doubly_linked_list() {
    agrees("dlist", 2, 20);
}

#[test]
fn mutants_of_the_array() {
    agrees("arrayset", 2, 20);
}

#[test]
fn mutants_of_the_tree() {
    agrees("tree", 1, 20);
}

#[test]
fn mutants_of_the_hash_table() {
    agrees("hashtable", 1, 20);
}
