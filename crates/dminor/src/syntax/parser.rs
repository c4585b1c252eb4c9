//! Tokens to modules and declarations, by recursive descent (docs/dminor.md, "Grammar"). After a mistake reading goes on at what looks like
//! the next declaration: `type N :`, `module M {`, or `f(x :` at the beginning of a line.

use super::ast::{Decl, Ident, Module, Type};
use super::expected::Expected;
use super::lexer::{Kind, Token};
use source::{Cursor, Diagnostic};
use std::collections::HashSet;
use std::ops::{Deref, DerefMut};
use work::Stop;

/// The mistake has been reported.
pub(super) struct Mistake;

pub(super) type Parsed<T> = Result<T, Mistake>;

/// How deep braces, parentheses and the like may nest.
const DEEPEST: usize = 250;

/// How many operators one declaration may have: they nest as well.
const MOST_LINKS: usize = 10_000;

/// So many tokens between two looks at the limit of the run. When that is due, the text ends.
const LOOK: usize = 1 << 10;

pub(super) struct Parser<'a> {
    cursor: Cursor<Token>,
    /// By opening brace: its closing one, or 0.
    closing: Vec<usize>,
    /// In the initialiser of a `let` an `in` outside of parentheses ends it (docs/dminor.md, "Programs").
    pub(super) in_initial: bool,
    /// Names in declarations that were left out: they may be known after all.
    doubtful: HashSet<String>,
    stop: Stop,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

impl Deref for Parser<'_> {
    type Target = Cursor<Token>;

    fn deref(&self) -> &Cursor<Token> {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Cursor<Token> {
        &mut self.cursor
    }
}

/// The modules, and the names in declarations that had to be left out.
pub(super) fn modules(
    tokens: Vec<Token>,
    stop: &Stop,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Module>, HashSet<String>) {
    let mut parser = Parser::new(tokens, stop.clone(), diagnostics);
    let mut modules = Vec::new();
    while *parser.kind() != Kind::End {
        if parser.is_keyword("module") {
            parser.module(&mut modules);
        } else {
            let decls = parser.decls(false);
            if !decls.is_empty() {
                modules.push(Module { name: None, decls });
            }
        }
    }
    (modules, parser.doubtful)
}

/// By token; parentheses that do not match are left out.
fn closing(tokens: &[Token]) -> Vec<usize> {
    let mut closing = vec![0; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (k, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Symbol(s @ ("{" | "(")) => open.push((k, s)),
            Kind::Symbol(")") if open.last().is_some_and(|(_, s)| *s == "(") => {
                open.pop();
            }
            Kind::Symbol("}") => {
                while let Some((start, s)) = open.pop() {
                    if s == "{" {
                        closing[start] = k;
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    closing
}

/// Nothing but a type.
pub(super) fn only_type(tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Option<Type> {
    let mut parser = Parser::new(tokens, Stop::default(), diagnostics);
    let parsed = parser.type_().ok()?;
    if *parser.kind() == Kind::End {
        return Some(parsed);
    }
    parser.unexpected(Expected::EndOfType);
    None
}

fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Name(name) => format!("`{name}`"),
        Kind::Number(n) if n.bits() < 100 => format!("`{n}`"),
        Kind::Number(_) => "a number".to_string(),
        Kind::Text(_) => "a text".to_string(),
        Kind::Keyword(word) => format!("`{word}`"),
        Kind::Symbol(symbol) => format!("`{symbol}`"),
        Kind::End => "the end of the file".to_string(),
    }
}

impl<'a> Parser<'a> {
    fn new(tokens: Vec<Token>, stop: Stop, diagnostics: &'a mut Vec<Diagnostic>) -> Parser<'a> {
        let closing = closing(&tokens);
        let doubtful = HashSet::new();
        Parser { cursor: Cursor::new(tokens), closing, in_initial: false, doubtful, stop, diagnostics }
    }

    /// After an opening brace: whether the braces end in `*}`, as no expression does.
    pub(super) fn ends_in_star(&self) -> bool {
        let at = self.position();
        let end = at.checked_sub(1).and_then(|k| self.closing.get(k)).copied().unwrap_or(0);
        end > at && self.tokens()[end - 1].kind == Kind::Symbol("*")
    }

    pub(super) fn kind(&self) -> &Kind {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, k: usize) -> &Kind {
        self.token(k).map_or(&Kind::End, |t| &t.kind)
    }

    pub(super) fn advance(&mut self) {
        if self.position().is_multiple_of(LOOK) && self.stop.is_due() {
            self.cursor.finish();
        } else {
            self.cursor.advance();
        }
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind(), Kind::Symbol(s) if *s == symbol)
    }

    pub(super) fn is_keyword(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Keyword(w) if *w == word)
    }

    pub(super) fn symbol_ahead(&self, k: usize, symbol: &str) -> bool {
        matches!(self.ahead(k), Kind::Symbol(s) if *s == symbol)
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let is_there = self.is_symbol(symbol);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(super) fn accept_keyword(&mut self, word: &str) -> bool {
        let is_there = self.is_keyword(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(super) fn expect(&mut self, expected: Expected) -> Parsed<()> {
        match (self.kind(), expected.token()) {
            (Kind::Symbol(found) | Kind::Keyword(found), Some(token)) if *found == token => {
                self.advance();
                Ok(())
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    pub(super) fn name(&mut self, what: Expected) -> Parsed<Ident> {
        let span = self.span();
        if let Kind::Name(name) = self.kind() {
            let text = name.clone();
            self.advance();
            return Ok(Ident { text, span });
        }
        if let Kind::Keyword(word) = self.kind() {
            let message = format!("expected {}, but `{word}` is a word of the language", what.text());
            self.diagnostics.push(Diagnostic::error("syntax-error", span, message).help("take another name"));
            return Err(Mistake);
        }
        Err(self.unexpected(what))
    }

    /// Labels may also be words of the language, or any text in quotes.
    pub(super) fn label(&mut self) -> Parsed<Ident> {
        let span = self.span();
        match label_of(self.kind()) {
            Some(text) => {
                self.advance();
                Ok(Ident { text, span })
            }
            None => Err(self.unexpected(Expected::Label)),
        }
    }

    /// Says what was expected here, and what to do if it can be guessed.
    pub(super) fn unexpected(&mut self, expected: Expected) -> Mistake {
        let before = self.last().map(|t| &t.kind);
        let help = expected.advice(self.kind(), before);
        self.unexpected_with(expected, help)
    }

    pub(super) fn unexpected_with(&mut self, expected: Expected, help: &str) -> Mistake {
        let message = format!("expected {}, but found {}", expected.text(), describe(self.kind()));
        self.diagnostics.push(Diagnostic::error("syntax-error", self.span(), message).help(help));
        Mistake
    }

    /// Goes one level deeper; the twin is [`Cursor::leave`].
    pub(super) fn enter(&mut self) -> Parsed<()> {
        if self.cursor.enter() <= DEEPEST {
            return Ok(());
        }
        let message = format!("more than {DEEPEST} levels are nested here");
        self.diagnostics.push(
            Diagnostic::error("too-deep", self.span(), message)
                .help("name some of them, by `let`, a type or a function"),
        );
        Err(Mistake)
    }

    /// One more operator.
    pub(super) fn link(&mut self) -> Parsed<()> {
        if self.cursor.link() <= MOST_LINKS {
            return Ok(());
        }
        let message = format!("this declaration has more than {MOST_LINKS} operators");
        self.diagnostics
            .push(Diagnostic::error("too-deep", self.span(), message).help("split it into several declarations"));
        Err(Mistake)
    }

    fn module(&mut self, modules: &mut Vec<Module>) {
        let start = self.span();
        self.advance();
        let head = self.name(Expected::ModuleName).and_then(|name| {
            self.expect(Expected::ModuleOpen)?;
            Ok(name)
        });
        let name = match head {
            Ok(name) => Some(name),
            Err(Mistake) => {
                self.skip_to_decl(false);
                None
            }
        };
        let told = self.diagnostics.len();
        let decls = self.decls(true);
        modules.push(Module { name, decls });
        if !self.accept("}") && told == self.diagnostics.len() {
            let problem = Diagnostic::error("syntax-error", start, "this module does not end");
            self.diagnostics.push(problem.help("close it with `}`"));
        }
    }

    /// Up to the end of the module, or a new one.
    fn decls(&mut self, in_module: bool) -> Vec<Decl> {
        let mut decls = Vec::new();
        while *self.kind() != Kind::End && !self.is_keyword("module") && !(in_module && self.is_symbol("}")) {
            self.set_depth(0);
            self.fresh_links();
            self.in_initial = false;
            let start = self.position();
            match self.decl() {
                Ok(decl) => decls.push(decl),
                Err(Mistake) => {
                    self.skip_to_decl(in_module);
                    for token in &self.cursor.tokens()[start..self.cursor.position()] {
                        if let Kind::Name(name) = &token.kind {
                            self.doubtful.insert(name.clone());
                        }
                    }
                }
            }
        }
        decls
    }

    fn decl(&mut self) -> Parsed<Decl> {
        if self.is_keyword("type") {
            let notes = self.token_mut().map(|t| std::mem::take(&mut t.notes)).unwrap_or_default();
            self.advance();
            let name = self.name(Expected::TypeName)?;
            self.expect(Expected::TypeColon)?;
            let definition = self.type_()?;
            self.expect(Expected::TypeEnd)?;
            return Ok(Decl::Type { name, definition, notes });
        }
        let is_name = matches!(self.kind(), Kind::Name(_));
        if !is_name || !self.symbol_ahead(1, "(") {
            return Err(self.unexpected(Expected::Declaration));
        }
        let name = self.name(Expected::FunctionName)?;
        self.expect(Expected::ParametersOpen)?;
        let mut parameters = Vec::new();
        if !self.is_symbol(")") {
            loop {
                let parameter = self.name(Expected::Parameter)?;
                self.expect(Expected::ParameterColon)?;
                parameters.push((parameter, self.type_()?));
                if !self.accept(",") {
                    break;
                }
            }
        }
        self.expect(Expected::ParametersClose)?;
        self.expect(Expected::ResultColon)?;
        let result = self.type_()?;
        self.expect(Expected::BodyOpen)?;
        let body = self.ascribed()?;
        self.expect(Expected::BodyClose)?;
        Ok(Decl::Function { name, parameters, result, body })
    }

    fn skip_to_decl(&mut self, in_module: bool) {
        let mut first = true;
        while *self.kind() != Kind::End {
            let is_decl = match self.kind() {
                Kind::Keyword("type") => matches!(self.ahead(1), Kind::Name(_)) && self.symbol_ahead(2, ":"),
                Kind::Keyword("module") => matches!(self.ahead(1), Kind::Name(_)) && self.symbol_ahead(2, "{"),
                Kind::Name(_) => {
                    let begins = self.token(0).is_some_and(|t| t.starts_line) && self.symbol_ahead(1, "(");
                    let one = matches!(self.ahead(2), Kind::Name(_)) && self.symbol_ahead(3, ":");
                    begins && (one || self.symbol_ahead(2, ")") && self.symbol_ahead(3, ":"))
                }
                _ => false,
            };
            // The last brace of the file is taken for the end of the module.
            let is_end = in_module && self.is_symbol("}") && *self.ahead(1) == Kind::End;
            if is_decl && !first || is_end {
                return;
            }
            first = false;
            self.advance();
        }
    }
}

pub(super) fn label_of(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Name(name) => Some(name.clone()),
        Kind::Keyword(word) => Some(word.to_string()),
        Kind::Text(text) => Some(text.clone()),
        _ => None,
    }
}
