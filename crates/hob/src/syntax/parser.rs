//! What the readers of the four languages share: looking, expecting, saying what is wrong, going on after a mistake.
//!
//! Invariants: every mistake has been reported before [`Mistake`] is returned; nesting deeper than [`DEEPEST`], or more than
//! [`MOST_LINKS`] operators in one statement or formula, is a mistake, so that whoever walks the tree may recurse.

use super::ast::{Ident, Instance, Name, Quoted, TypeName};
use super::lexer::{Kind, STRANGE, Token};
use source::{Cursor, Diagnostic, Span};
use std::ops::{Deref, DerefMut};

/// The mistake has been reported.
pub(crate) struct Mistake;

pub(crate) type Parsed<T> = Result<T, Mistake>;

/// How deep blocks, parentheses and the like may nest.
pub(crate) const DEEPEST: usize = 20_000;

/// How many operators, selections and the like one statement or formula may have: they nest as well.
pub(crate) const MOST_LINKS: usize = 1_000;

/// Words that no variable, set or procedure is called: a name there is a slip.
pub(super) const CODE_WORDS: [&str; 20] = [
    "if", "else", "while", "for", "return", "assert", "assume", "pragma", "havoc", "choice", "new", "null", "true",
    "false", "private", "proc", "impl", "int", "bool", "float",
];

pub(super) const FORMULA_WORDS: [&str; 20] = [
    "true",
    "false",
    "not",
    "exists",
    "forall",
    "in",
    "inter",
    "card",
    "disjoint",
    "requires",
    "modifies",
    "ensures",
    "calls",
    "suspends",
    "returns",
    "proc",
    "private",
    "invariant",
    "specvar",
    "spec",
];

pub(crate) struct Parser<'a, 'd> {
    cursor: Cursor<Token<'a>>,
    /// By token: how many braces are open before it.
    levels: Vec<u32>,
    reserved: &'static [&'static str],
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a> Deref for Parser<'a, '_> {
    type Target = Cursor<Token<'a>>;

    fn deref(&self) -> &Cursor<Token<'a>> {
        &self.cursor
    }
}

impl<'a> DerefMut for Parser<'a, '_> {
    fn deref_mut(&mut self) -> &mut Cursor<Token<'a>> {
        &mut self.cursor
    }
}

pub(super) fn describe(kind: Kind) -> String {
    match kind {
        Kind::Word(word) if word.len() <= 60 => format!("`{word}`"),
        Kind::Word(_) => "a long name".to_string(),
        Kind::Int(n) => format!("`{n}`"),
        Kind::Float(_) => "a number".to_string(),
        Kind::Char(_) => "a character".to_string(),
        Kind::Text(_) => "a text".to_string(),
        Kind::Symbol(symbol) => format!("`{symbol}`"),
        Kind::End => "the end".to_string(),
    }
}

impl<'a, 'd> Parser<'a, 'd> {
    pub(super) fn new(
        tokens: Vec<Token<'a>>,
        reserved: &'static [&'static str],
        diagnostics: &'d mut Vec<Diagnostic>,
    ) -> Parser<'a, 'd> {
        let mut open = 0u32;
        let levels = tokens
            .iter()
            .map(|token| {
                let before = open;
                match token.kind {
                    Kind::Symbol("{") => open += 1,
                    Kind::Symbol("}") => open = open.saturating_sub(1),
                    _ => {}
                }
                before
            })
            .collect();
        Parser { cursor: Cursor::new(tokens), levels, reserved, diagnostics }
    }

    pub(super) fn kind(&self) -> Kind<'a> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, k: usize) -> Kind<'a> {
        self.token(k).map_or(Kind::End, |t| t.kind)
    }

    pub(super) fn at_end(&self) -> bool {
        self.kind() == Kind::End
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        self.symbol_ahead(0, symbol)
    }

    pub(super) fn symbol_ahead(&self, k: usize, symbol: &str) -> bool {
        matches!(self.ahead(k), Kind::Symbol(s) if s == symbol)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Word(w) if w == word)
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let is_there = self.is(symbol);
        self.advance_if(is_there)
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        self.advance_if(is_there)
    }

    /// The help is for this place; the help of what was found there comes first.
    pub(super) fn expect(&mut self, symbol: &'static str, place: &str, help: &str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}` {place}"), help)) }
    }

    pub(super) fn expect_word(&mut self, word: &'static str, place: &str, help: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}` {place}"), help)) }
    }

    pub(super) fn is_reserved(&self, word: &str) -> bool {
        self.reserved.contains(&word)
    }

    pub(super) fn ident(&mut self, what: &str, help: &str) -> Parsed<Ident> {
        let span = self.span();
        match self.kind() {
            Kind::Word(word) if self.is_reserved(word) => {
                let message = format!("expected {what}, but `{word}` is a word of the language");
                self.diagnostics.push(Diagnostic::error("syntax-error", span, message).help(help));
                Err(Mistake)
            }
            _ => self.word(what, help),
        }
    }

    /// A name where no word of the language can stand: the code calls fields so (`format Car { in : bool; }`).
    pub(super) fn word(&mut self, what: &str, help: &str) -> Parsed<Ident> {
        let span = self.span();
        match self.kind() {
            Kind::Word(word) => {
                self.advance();
                Ok(Ident { text: word.to_string(), span })
            }
            _ => Err(self.unexpected(what, help)),
        }
    }

    /// `A, B, C`.
    pub(super) fn idents(&mut self, what: &str, help: &str) -> Parsed<Vec<Ident>> {
        let mut all = vec![self.ident(what, help)?];
        while self.accept(",") {
            all.push(self.ident(what, help)?);
        }
        Ok(all)
    }

    /// `[Module "."] ID`.
    pub(super) fn name(&mut self, what: &str, help: &str) -> Parsed<Name> {
        let first = self.ident(what, help)?;
        if !self.accept(".") {
            return Ok(Name { module: None, name: first });
        }
        let name = self.ident("a name after `.`", help)?;
        Ok(Name { module: Some(first), name })
    }

    pub(super) fn names(&mut self, what: &str, help: &str) -> Parsed<Vec<Name>> {
        let mut all = vec![self.name(what, help)?];
        while self.accept(",") {
            all.push(self.name(what, help)?);
        }
        Ok(all)
    }

    pub(super) fn quoted(&mut self, what: &str, help: &str) -> Parsed<Quoted> {
        let span = self.span();
        let Kind::Text(text) = self.kind() else { return Err(self.unexpected(what, help)) };
        self.advance();
        Ok(Quoted { text: text.to_string(), span: inside(span, text) })
    }

    /// `int`, `T`, `T[][]`.
    pub(super) fn type_name(&mut self, what: &str) -> Parsed<TypeName> {
        let start = self.span();
        let help = "types are int, bool, float, string, char, byte and formats, each perhaps followed by `[]`";
        let name = match self.kind() {
            Kind::Word(word) if matches!(word, "int" | "bool" | "float") => {
                self.advance();
                Ident { text: word.to_string(), span: start }
            }
            _ => self.ident(what, help)?,
        };
        let mut dimensions = 0;
        while self.is("[") && self.symbol_ahead(1, "]") {
            self.link()?;
            self.advance();
            self.advance();
            dimensions += 1;
        }
        Ok(TypeName { name, dimensions, span: self.since(start) })
    }

    /// `(x : T; y : U)`. The paper writes commas.
    pub(super) fn formals(&mut self) -> Parsed<Vec<(Ident, TypeName)>> {
        let help = "formals are written `proc p(x : T; y : int)`";
        self.expect("(", "before the formals", help)?;
        let mut formals = Vec::new();
        if self.accept(")") {
            return Ok(formals);
        }
        loop {
            let name = self.ident("the name of a formal", help)?;
            self.expect(":", "after the name of a formal", help)?;
            formals.push((name, self.type_name("the type of a formal")?));
            if !self.accept(";") && !self.accept(",") {
                break;
            }
        }
        self.expect(")", "after the formals", help)?;
        Ok(formals)
    }

    /// `returns r : T`, if it is there.
    pub(super) fn returns(&mut self) -> Parsed<Option<(Ident, TypeName)>> {
        if !self.accept_word("returns") {
            return Ok(None);
        }
        let help = "a result has a name and a type: `returns r : T`";
        let name = self.ident("the name of the result", help)?;
        self.expect(":", "after the name of the result", help)?;
        Ok(Some((name, self.type_name("the type of the result")?)))
    }

    /// Behind `module M =`: `N with A <- B, C <- D;`, where abstractions write `=`.
    pub(super) fn instance(&mut self) -> Parsed<Instance> {
        let help = "an instance is written `module M = N with A <- B;`";
        let of = self.ident("the module to make an instance of", help)?;
        let mut with = Vec::new();
        if self.accept_word("with") {
            loop {
                let from = self.ident("the type to replace", help)?;
                if !self.accept("=") {
                    self.expect("<", "after the type to replace", help)?;
                    self.expect("-", "after `<`", help)?;
                }
                with.push((from, self.ident("the type to take", help)?));
                if !self.accept(",") {
                    break;
                }
            }
        }
        self.expect(";", "after the instance", help)?;
        Ok(Instance { of, with })
    }

    pub(super) fn unexpected(&mut self, expected: &str, help: &str) -> Mistake {
        if self.kind() == STRANGE {
            return Mistake;
        }
        let found = describe(self.kind());
        self.error_here(format!("expected {expected}, but found {found}"), help)
    }

    pub(super) fn error_here(&mut self, message: String, help: &str) -> Mistake {
        let span = self.span();
        self.diagnostics.push(Diagnostic::error("syntax-error", span, message).help(help));
        Mistake
    }

    /// Reads the brace that closes the one at `open`; if it is missing, that is reported once for all braces that are open.
    pub(super) fn close(&mut self, open: Span, expected: &str) -> Parsed<()> {
        if self.accept("}") {
            return Ok(());
        }
        let (span, found) = (self.span(), describe(self.kind()));
        if self.diagnostics.last().is_none_or(|d| d.span != Some(span)) {
            let message = format!("expected {expected}, but found {found}");
            self.diagnostics.push(
                Diagnostic::error("syntax-error", span, message)
                    .related(open, "this brace is not closed")
                    .help("add the `}` that is missing, here or before; or there is a `{` too many"),
            );
        }
        Err(Mistake)
    }

    /// Goes one level deeper; the twin is [`Cursor::leave`].
    pub(super) fn enter(&mut self) -> Parsed<()> {
        if self.cursor.enter() <= DEEPEST {
            return Ok(());
        }
        let message = format!("more than {DEEPEST} levels are nested here");
        let problem = Diagnostic::error("too-deep", self.span(), message);
        self.diagnostics
            .push(problem.help("give some of it a name of its own: a variable, a procedure or a predicate"));
        Err(Mistake)
    }

    /// One more operator.
    pub(super) fn link(&mut self) -> Parsed<()> {
        if self.cursor.link() <= MOST_LINKS {
            return Ok(());
        }
        let message = format!("there are more than {MOST_LINKS} operators in one statement or formula");
        self.diagnostics.push(Diagnostic::error("too-deep", self.span(), message).help("split it into several"));
        Err(Mistake)
    }

    /// How many braces are open before the next token.
    pub(super) fn level(&self) -> u32 {
        self.levels.get(self.position()).copied().unwrap_or(0)
    }

    /// Goes on to the next of these words that may begin a member, or to the brace that closes what was open at that level, which
    /// is not read.
    pub(super) fn skip_to_member(&mut self, words: &[&str], level: u32) {
        let start = self.position();
        while !self.at_end() {
            match self.kind() {
                Kind::Symbol("}") if self.level() <= level => return,
                // At another level a brace is missing or too many: a procedure begins there all the same.
                Kind::Word(word) if words.contains(&word) => {
                    // Right at the mistake a `;` may be missing.
                    let begins = match self.last().map(|t| t.kind) {
                        Some(Kind::Symbol(";" | "{" | "}")) => true,
                        Some(Kind::Symbol("(")) => false,
                        _ => self.position() == start,
                    };
                    if begins && (self.level() == level || matches!(word, "proc" | "private")) {
                        return;
                    }
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Goes on to the next of these words.
    pub(super) fn skip_to_word(&mut self, words: &[&str]) {
        while !self.at_end() && !matches!(self.kind(), Kind::Word(word) if words.contains(&word)) {
            self.advance();
        }
    }
}

/// What is between the quotes of a literal; one that is not closed has no quote at its end.
pub(super) fn inside(literal: Span, text: &str) -> Span {
    Span::new(literal.file, literal.start as usize + 1, literal.start as usize + 1 + text.len())
}
