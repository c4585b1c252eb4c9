//! Which modules a text declares, and which it speaks of: for finding the files that belong together.
//!
//! It looks at tokens only, so that a text with mistakes has an outline as well. A name too many is harmless: the caller looks for a
//! file of that name.

use super::lexer::{self, Kind, Mode, Token};
use crate::{FileKind, Input};
use rustc_hash::FxHashSet;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// In the order of the text, each once.
    pub declares: Vec<String>,
    /// Without those that the text declares: modules of calls, instances, qualified names, `calls` and scopes.
    pub mentions: Vec<String>,
}

pub fn outline(input: &Input) -> Outline {
    let mut finder = Finder { outline: Outline::default(), seen: FxHashSet::default() };
    let mode = if input.kind == FileKind::Implementation { Mode::Code } else { Mode::Formula };
    let tokens = lexer::tokens(input.text, input.file, 0, mode, &mut Vec::new());
    let declared: Vec<&str> = (0..tokens.len())
        .filter_map(|k| match window(&tokens, k) {
            [Kind::Word("impl" | "spec" | "abst"), Kind::Word("module"), Kind::Word(name)] => Some(name),
            _ => None,
        })
        .collect();
    for name in declared {
        if finder.seen.insert(name.to_string()) {
            finder.outline.declares.push(name.to_string());
        }
    }
    match input.kind {
        FileKind::Implementation => finder.code(&tokens),
        FileKind::Specification | FileKind::Scopes => finder.names(&tokens),
        FileKind::Abstraction => {}
    }
    finder.instances(&tokens);
    finder.outline
}

fn window<'a>(tokens: &[Token<'a>], k: usize) -> [Kind<'a>; 3] {
    let at = |i: usize| tokens.get(k + i).map_or(Kind::End, |t| t.kind);
    [at(0), at(1), at(2)]
}

struct Finder {
    outline: Outline,
    seen: FxHashSet<String>,
}

impl Finder {
    fn mention(&mut self, name: &str) {
        if self.seen.insert(name.to_string()) {
            self.outline.mentions.push(name.to_string());
        }
    }

    /// `module M = N`.
    fn instances(&mut self, tokens: &[Token]) {
        for k in 0..tokens.len() {
            if let [Kind::Word("module"), Kind::Word(_), Kind::Symbol("=")] = window(tokens, k)
                && let [Kind::Word(of), ..] = window(tokens, k + 3)
            {
                self.mention(of);
            }
        }
    }

    /// `M.p(`, and qualified names in formulas in quotes.
    fn code(&mut self, tokens: &[Token]) {
        for k in 0..tokens.len() {
            match window(tokens, k) {
                [Kind::Word(module), Kind::Symbol("."), Kind::Word(_)]
                    if matches!(window(tokens, k + 3)[0], Kind::Symbol("(")) =>
                {
                    self.mention(module);
                }
                [Kind::Word("while" | "for" | "assert" | "assume" | "requires" | "ensures"), Kind::Text(text), _]
                | [Kind::Text(_), Kind::Symbol(":"), Kind::Text(text)] => {
                    let span = tokens[k].span;
                    let inner = lexer::tokens(text, span.file, 0, Mode::Formula, &mut Vec::new());
                    self.names(&inner);
                }
                [Kind::Word("modifies"), ..] => {
                    let end = tokens[k..].iter().position(|t| t.kind == Kind::Symbol("{")).unwrap_or(0);
                    self.names(&tokens[k..k + end.min(MOST_MODIFIED)]);
                }
                _ => {}
            }
        }
    }

    /// `M.S`, where what stands before is no quantifier's `x : T`; the lists of `calls`, `modules` and `exports`.
    fn names(&mut self, tokens: &[Token]) {
        for k in 0..tokens.len() {
            let [first, second, third] = window(tokens, k);
            let before = k.checked_sub(1).map_or(Kind::End, |k| tokens[k].kind);
            match (first, second, third) {
                (Kind::Word("set"), Kind::Symbol("."), _) => {}
                (Kind::Word(module), Kind::Symbol("."), Kind::Word(_))
                    if before != Kind::Symbol(":") && !begins_paper_quantifier(tokens, k) =>
                {
                    self.mention(module);
                }
                (Kind::Word("calls" | "modules" | "exports"), Kind::Word(_), _) => {
                    let mut at = k + 1;
                    while let [Kind::Word(module), next, _] = window(tokens, at) {
                        self.mention(module);
                        if next != Kind::Symbol(",") {
                            break;
                        }
                        at += 2;
                    }
                }
                _ => {}
            }
        }
    }
}

/// A list of modified sets longer than this is cut: it must not make long files slow.
const MOST_MODIFIED: usize = 10_000;

/// `exists S. B`, which is no qualified name.
fn begins_paper_quantifier(tokens: &[Token], k: usize) -> bool {
    k > 0 && matches!(tokens[k - 1].kind, Kind::Word("exists" | "forall"))
}
