//! What the README shows is what the command prints. `UPDATE_EXPECT=1` writes it anew.

use crate::{glassbox, redacted, root};

const PROMPT: &str = "$ cargo run --release -- ";

/// As a shell splits them, with single quotes.
fn words(arguments: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (k, part) in arguments.split('\'').enumerate() {
        if k % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

#[test]
fn the_readme_shows_real_output() {
    let path = root().join("README.md");
    let text = std::fs::read_to_string(&path).expect("README.md");
    let mut fresh = String::new();
    let mut is_stale = false;
    let mut rest = text.as_str();
    while let Some((before, block)) = rest.split_once(PROMPT) {
        let (arguments, block) = block.split_once('\n').expect("a line");
        let (shown, after) = block.split_once("```").expect("the end of a block");
        let printed = glassbox(&words(arguments)).stdout;
        let is_same = redacted(shown) == redacted(&printed);
        is_stale |= !is_same;
        fresh.push_str(&format!("{before}{PROMPT}{arguments}\n{}```", if is_same { shown } else { &printed }));
        rest = after;
    }
    fresh.push_str(rest);
    if is_stale && std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, fresh).expect("README.md can be written");
    } else {
        assert!(!is_stale, "README.md is stale: UPDATE_EXPECT=1 cargo test -p glassbox; it should be\n{fresh}");
    }
}
