//! Tokens to modules and declarations, by recursive descent (docs/dminor.md, "Grammar"). After a mistake reading goes on at what looks like
//! the next declaration: `type N :`, `module M {`, or `f(x :` at the beginning of a line.

use super::ast::{Decl, Ident, Module, Type};
use super::lexer::{Kind, Token};
use source::{Diagnostic, Span};
use std::collections::HashSet;
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
    tokens: Vec<Token>,
    at: usize,
    /// By opening brace: its closing one, or 0.
    closing: Vec<usize>,
    depth: usize,
    links: usize,
    /// In the initialiser of a `let` an `in` outside of parentheses ends it (docs/dminor.md, "Programs").
    pub(super) in_initial: bool,
    /// Names in declarations that were left out: they may be known after all.
    doubtful: HashSet<String>,
    stop: Stop,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
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
    parser.unexpected("the end of the type");
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
        Parser { tokens, at: 0, closing, depth: 0, links: 0, in_initial: false, doubtful, stop, diagnostics }
    }

    /// Behind an opening brace: whether the braces end in `*}`, as no expression does.
    pub(super) fn ends_in_star(&self) -> bool {
        let end = self.at.checked_sub(1).and_then(|k| self.closing.get(k)).copied().unwrap_or(0);
        end > self.at && self.tokens[end - 1].kind == Kind::Symbol("*")
    }

    pub(super) fn kind(&self) -> &Kind {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, k: usize) -> &Kind {
        self.tokens.get(self.at + k).map_or(&Kind::End, |t| &t.kind)
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at.min(self.tokens.len() - 1)].span
    }

    /// From there to the last token that was read.
    pub(super) fn since(&self, start: Span) -> Span {
        if self.at == 0 { start } else { start.to(self.tokens[self.at - 1].span) }
    }

    pub(super) fn advance(&mut self) {
        if self.at.is_multiple_of(LOOK) && self.stop.is_due() {
            self.at = self.tokens.len() - 1;
        } else if self.at + 1 < self.tokens.len() {
            self.at += 1;
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

    pub(super) fn expect(&mut self, symbol: &'static str, place: &str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}` {place}"))) }
    }

    pub(super) fn expect_keyword(&mut self, word: &'static str, place: &str) -> Parsed<()> {
        if self.accept_keyword(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}` {place}"))) }
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<Ident> {
        let span = self.span();
        if let Kind::Name(name) = self.kind() {
            let text = name.clone();
            self.advance();
            return Ok(Ident { text, span });
        }
        if let Kind::Keyword(word) = self.kind() {
            let message = format!("expected {what}, but `{word}` is a word of the language");
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
            None => Err(self.unexpected("a label")),
        }
    }

    /// Says what was expected here, and what to do if it can be guessed.
    pub(super) fn unexpected(&mut self, expected: &str) -> Mistake {
        let found = describe(self.kind());
        let problem = Diagnostic::error("syntax-error", self.span(), format!("expected {expected}, but found {found}"));
        let help = self.advice(expected);
        self.diagnostics.push(problem.help(help));
        Mistake
    }

    fn advice(&self, expected: &str) -> String {
        let before = self.at.checked_sub(1).and_then(|k| self.tokens.get(k)).map(|t| &t.kind);
        let is_name_before = |name: &str| matches!(before, Some(Kind::Name(n)) if n == name);
        let advice = match self.kind() {
            _ if expected.contains("type of the parameter") => {
                "every parameter has a type: f(x: Integer, y: Any) : T { e }"
            }
            _ if expected.contains("type of the result") => {
                "every function has a type for its result: f(x: Integer) : T { e }"
            }
            _ if expected.contains("before the body") => "the body of a function is an expression in braces: { e }",
            _ if expected.contains("name of the module") => "a module is written `module Name { … }`",
            _ if expected.contains("name of the type") => "a type is declared as `type Name : T;`",
            _ if expected.contains("other case") => "a condition has two cases: c ? a : b",
            _ if expected.contains("behind `let`") => "write `let x = e in e'`",
            _ if expected.contains("accumulate") => {
                "write `from x in c select e`, `from x in c where p select e` or `from x in c let y = e accumulate e'`"
            }
            _ if expected.starts_with("`in` behind the variable") => "write `from x in c select e`",
            _ if expected.contains("type of the variable") => {
                "write `(x: T where e)`, or the type alone in parentheses"
            }
            Kind::Number(_) if expected == "a label" => {
                "in an entity every part has a label: {a => 1}; collections have no positions"
            }
            Kind::Symbol(")") if expected == "an expression" => "remove the comma, or write an expression behind it",
            Kind::Symbol("}") if expected == "an expression" => "an expression is missing here; there is no empty body",
            Kind::Symbol("}") if expected.starts_with("`)`") => "a parenthesis is not closed",
            Kind::Symbol("=") => "equality is written `==`; a field of an entity `label => value`",
            Kind::Symbol("&") => "in an expression, write `&&`",
            Kind::Symbol("|") => "in an expression, write `||`; a singleton type holds one expression",
            Kind::Symbol("," | "}") if expected.contains("`;`") => {
                "fields of a type are separated by `;`: {a: Integer; b: Text;}"
            }
            Kind::Symbol(",") if expected.contains("`=>`") => "either all parts of the braces have a label, or none",
            Kind::Symbol(":") if expected.contains("`}`") || expected.contains("`=>`") => {
                "a field of an entity is written `label => value`; an ascription stands in parentheses: (e : T)"
            }
            Kind::Symbol(":") => "an ascription stands in parentheses: (e : T)",
            Kind::Symbol("*" | "?") => "behind `in` put such a type in parentheses: x in (Integer*)",
            Kind::Symbol("=>") => "all parts of an entity have a label: {a => 1, b => 2}",
            Kind::Symbol("}") if expected.contains("a type") => {
                "an empty entity type is not needed: every entity is in `!(Any*) & …`"
            }
            Kind::Symbol(";") => "expressions do not end with `;`; only type declarations and fields of types do",
            Kind::Name(n) if n == "then" || n == "else" => "a condition is written `c ? a : b`",
            Kind::Name(n) if n == "and" || n == "or" || n == "not" => "write `&&`, `||` and `!`",
            Kind::Name(n) if n == "return" => "the body of a function is an expression; there is no `return`",
            _ if is_name_before("if") => "a condition is written `c ? a : b`",
            _ if is_name_before("return") => "the body of a function is an expression; there is no `return`",
            Kind::Keyword("in") => "an `in` ends the expression behind `let x =`; put a type test there in parentheses",
            Kind::Keyword("where") => "put the type before `where` in parentheses: (x: T where e)",
            Kind::End => "a bracket may not be closed",
            _ if expected.contains("`;`") => "a type declaration ends with `;`",
            _ if expected.contains("declaration") => "a type is `type Name : T;`, a function `name(x: T) : U { e }`",
            _ => "look for a bracket, comma or operator too many or too few",
        };
        advice.to_string()
    }

    /// Goes one level deeper; the twin is [`Parser::leave`].
    pub(super) fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let message = format!("more than {DEEPEST} levels are nested here");
        self.diagnostics.push(
            Diagnostic::error("too-deep", self.span(), message)
                .help("name some of them, by `let`, a type or a function"),
        );
        Err(Mistake)
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// One more operator.
    pub(super) fn link(&mut self) -> Parsed<()> {
        self.links += 1;
        if self.links <= MOST_LINKS {
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
        let head = self.name("the name of the module").and_then(|name| {
            self.expect("{", "behind the name of the module")?;
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
            (self.depth, self.links, self.in_initial) = (0, 0, false);
            let start = self.at;
            match self.decl() {
                Ok(decl) => decls.push(decl),
                Err(Mistake) => {
                    self.skip_to_decl(in_module);
                    for token in &self.tokens[start..self.at] {
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
            let notes = std::mem::take(&mut self.tokens[self.at].notes);
            self.advance();
            let name = self.name("the name of the type")?;
            if self.is_symbol("=") {
                return Err(self.unexpected_with("`:` behind the name of the type", "write `type Name : T;`"));
            }
            self.expect(":", "behind the name of the type")?;
            let definition = self.type_()?;
            self.expect(";", "behind the type")?;
            return Ok(Decl::Type { name, definition, notes });
        }
        let is_name = matches!(self.kind(), Kind::Name(_));
        if !is_name || !self.symbol_ahead(1, "(") {
            return Err(self.unexpected("a declaration"));
        }
        let name = self.name("the name of a function")?;
        self.expect("(", "behind the name of the function")?;
        let mut parameters = Vec::new();
        if !self.is_symbol(")") {
            loop {
                let parameter = self.name("a parameter")?;
                self.expect(":", "and the type of the parameter")?;
                parameters.push((parameter, self.type_()?));
                if !self.accept(",") {
                    break;
                }
            }
        }
        self.expect(")", "behind the parameters")?;
        self.expect(":", "and the type of the result")?;
        let result = self.type_()?;
        self.expect("{", "before the body of the function")?;
        let body = self.ascribed()?;
        self.expect("}", "behind the body of the function")?;
        Ok(Decl::Function { name, parameters, result, body })
    }

    pub(super) fn unexpected_with(&mut self, expected: &str, help: &str) -> Mistake {
        let mistake = self.unexpected(expected);
        if let Some(last) = self.diagnostics.last_mut() {
            last.help = Some(help.to_string());
        }
        mistake
    }

    fn skip_to_decl(&mut self, in_module: bool) {
        let mut first = true;
        while *self.kind() != Kind::End {
            let is_decl = match self.kind() {
                Kind::Keyword("type") => matches!(self.ahead(1), Kind::Name(_)) && self.symbol_ahead(2, ":"),
                Kind::Keyword("module") => matches!(self.ahead(1), Kind::Name(_)) && self.symbol_ahead(2, "{"),
                Kind::Name(_) => {
                    let begins = self.tokens[self.at].starts_line && self.symbol_ahead(1, "(");
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
