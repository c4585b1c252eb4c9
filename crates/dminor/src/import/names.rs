//! Names of types: made of the words of a title, a definition or a path, none of the language, each once.

use crate::statics::BUILT_IN;
use crate::syntax::lexer::KEYWORDS;
use std::collections::HashSet;

/// The type of all entities: it is not a word of the language, but modules with objects need it.
pub(super) const OBJECT: &str = "Object";

/// Longer names are cut.
const LONGEST: usize = 60;

#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// A new name, as near to the wish as can be.
    pub(super) fn fresh(&mut self, wish: &str) -> String {
        let wish = identifier(wish);
        let is_word = |name: &str| BUILT_IN.contains(&name) || KEYWORDS.contains(&name) || name == OBJECT;
        let base = if is_word(&wish) { format!("{wish}Type") } else { wish };
        let mut name = base.clone();
        let mut k = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}{k}");
            k += 1;
        }
        name
    }
}

/// `line-item` and `line_item` are `LineItem`; `ORDER_ITEM` stays as it is.
fn identifier(wish: &str) -> String {
    let mut out = String::new();
    let mut chars = wish.chars().peekable();
    let mut begins = true;
    while let Some(c) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(|n| n.is_ascii_lowercase());
        if c.is_ascii_alphanumeric() || c == '_' && !next_is_lower && !begins {
            out.push(if begins { c.to_ascii_uppercase() } else { c });
            begins = false;
        } else {
            begins = true;
        }
        if out.len() >= LONGEST {
            break;
        }
    }
    if out.is_empty() {
        return "Schema".to_string();
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) { format!("T{out}") } else { out }
}

/// What a schema at this place may be called, after the words of its path.
pub(super) fn of_path(path: &str) -> String {
    const KEYS: [&str; 20] = [
        "properties",
        "$defs",
        "definitions",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "dependentSchemas",
        "dependencies",
        "contains",
        "items",
        "additionalItems",
        "propertyNames",
        "#",
    ];
    let parts: Vec<&str> = path.split('/').collect();
    let is_word = |part: &&&str| !KEYS.contains(*part) && !part.bytes().all(|b| b.is_ascii_digit());
    let word = parts.iter().rev().find(is_word).copied().unwrap_or("Part");
    let word = word.replace("~1", "/").replace("~0", "~");
    if parts.last() == Some(&"items") { format!("{word} item") } else { word }
}
