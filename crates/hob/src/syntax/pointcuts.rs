//! Pointcuts of defaults: which preconditions and postconditions a default is joined to (docs/hob.md, "Defaults").
//!
//! From weak to strong: `-`, `&&`, `||` (in this order, as the original has it), `not`. Parentheses may stand around each.

use super::ast::{Pattern, Pointcut, Selection, TypePattern, Visibility};
use super::lexer::Kind;
use super::parser::{Parsed, Parser};

const POINTCUT: &str = "a pointcut is `pre(S)`, `post(S)` or `prepost(S)`, or several joined by `&&`, `||`, `-`, `not`";
const SELECTION: &str = "procedures are selected by `proc M*.p*()`, `public(module M*)`, `all(scope C)` or `*`, joined by `&&`, `||`, `-`, `not`";

impl Parser<'_, '_> {
    pub(super) fn pointcut(&mut self) -> Parsed<Pointcut> {
        self.fresh_links();
        self.cut(0)
    }

    fn cut(&mut self, level: usize) -> Parsed<Pointcut> {
        let Some(symbol) = ["-", "&&", "||"].get(level) else { return self.cut_atom() };
        let mut left = self.cut(level + 1)?;
        while self.accept(symbol) {
            self.link()?;
            let right = Box::new(self.cut(level + 1)?);
            let first = Box::new(left);
            left = match level {
                0 => Pointcut::Minus(first, right),
                1 => Pointcut::Both(first, right),
                _ => Pointcut::Either(first, right),
            };
        }
        Ok(left)
    }

    fn cut_atom(&mut self) -> Parsed<Pointcut> {
        self.enter()?;
        let kind = self.kind();
        self.link()?;
        let cut = match kind {
            Kind::Word("not") => {
                self.advance();
                Pointcut::Not(Box::new(self.cut_atom()?))
            }
            Kind::Word(word @ ("pre" | "post" | "prepost")) => {
                self.advance();
                self.expect("(", "after the word", POINTCUT)?;
                let selection = self.selection(0)?;
                self.expect(")", "after the procedures", SELECTION)?;
                match word {
                    "pre" => Pointcut::Pre(selection),
                    "post" => Pointcut::Post(selection),
                    _ => Pointcut::PrePost(selection),
                }
            }
            Kind::Symbol("(") => {
                self.advance();
                let inner = self.cut(0)?;
                self.expect(")", "after the pointcut", POINTCUT)?;
                inner
            }
            _ => return Err(self.unexpected("a pointcut", POINTCUT)),
        };
        self.leave();
        Ok(cut)
    }

    fn selection(&mut self, level: usize) -> Parsed<Selection> {
        let Some(symbol) = ["-", "&&", "||"].get(level) else { return self.selection_atom() };
        let mut left = self.selection(level + 1)?;
        while self.accept(symbol) {
            self.link()?;
            let right = Box::new(self.selection(level + 1)?);
            let first = Box::new(left);
            left = match level {
                0 => Selection::Minus(first, right),
                1 => Selection::Both(first, right),
                _ => Selection::Either(first, right),
            };
        }
        Ok(left)
    }

    fn selection_atom(&mut self) -> Parsed<Selection> {
        self.enter()?;
        self.link()?;
        let selection = match self.kind() {
            Kind::Word("not") => {
                self.advance();
                Selection::Not(Box::new(self.selection_atom()?))
            }
            Kind::Symbol("*") => {
                self.advance();
                Selection::All
            }
            Kind::Symbol("(") => {
                self.advance();
                let inner = self.selection(0)?;
                self.expect(")", "after the procedures", SELECTION)?;
                inner
            }
            Kind::Word("proc") => self.proc_pattern()?,
            // The thesis spells public and private exported and local.
            Kind::Word(word @ ("public" | "private" | "all" | "exported" | "local")) => {
                let visibility = match word {
                    "public" | "exported" => Visibility::Public,
                    "private" | "local" => Visibility::Private,
                    _ => Visibility::All,
                };
                self.advance();
                self.expect("(", "after the word", SELECTION)?;
                let is_module = self.is_word("module");
                if !is_module && !self.is_word("scope") {
                    return Err(self.unexpected("`module` or `scope`", SELECTION));
                }
                self.advance();
                let pattern = self.pattern()?;
                self.expect(")", "after the name", SELECTION)?;
                if is_module { Selection::Module(visibility, pattern) } else { Selection::Scope(visibility, pattern) }
            }
            _ => return Err(self.unexpected("which procedures", SELECTION)),
        };
        self.leave();
        Ok(selection)
    }

    /// `proc M*.p*(T; U*) returns V`. Without parentheses, or with `()`, `(*)` or `(..)`, whatever the formals are.
    fn proc_pattern(&mut self) -> Parsed<Selection> {
        self.advance();
        let (mut module, mut name) = (None, self.pattern()?);
        if self.accept(".") {
            module = Some(name);
            name = self.pattern()?;
        }
        let mut formals = Vec::new();
        if self.accept("(") {
            let is_any = self.accept("*") || self.accept(".") && self.accept(".");
            if !is_any && !self.is(")") {
                formals.push(self.type_pattern("the type of a formal")?);
                while self.accept(";") || self.accept(",") {
                    formals.push(self.type_pattern("the type of a formal")?);
                }
            }
            self.expect(")", "after the types of the formals", SELECTION)?;
        }
        let returns =
            if self.accept_word("returns") { Some(self.type_pattern("the type of the result")?) } else { None };
        Ok(Selection::Proc { module, name, formals, returns })
    }

    /// `T`, `T[]` or `Begin*`.
    fn type_pattern(&mut self, what: &str) -> Parsed<TypePattern> {
        let ty = self.type_name(what)?;
        Ok(TypePattern { ty, prefix: self.accept("*") })
    }

    /// `name`, `begin*` or `*`.
    fn pattern(&mut self) -> Parsed<Pattern> {
        let span = self.span();
        if self.accept("*") {
            return Ok(Pattern { text: String::new(), prefix: true, span });
        }
        let name = self.ident("a name, perhaps followed by `*`", SELECTION)?;
        let prefix = self.accept("*");
        Ok(Pattern { text: name.text, prefix, span: self.since(span) })
    }
}
