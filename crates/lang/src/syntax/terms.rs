//! Concrete terms and bounds from a command line, read with the grammar of a definition.

use super::forms::{Ast, MOST_TOKENS, Mode, Reader};
use super::grammar::Grammar;
use super::items;
use super::lexer::{self, stem};
use crate::definition::*;
use crate::term::{Term, TermId, Terms};
use source::{Diagnostic, FileId, Span};

/// A closed term of any sort of programs (the first that reads, in the order they are defined, after `sorts`).
pub fn read_term(
    terms: &mut Terms,
    text: &str,
    file: FileId,
    sorts: &[SortId],
) -> Result<(SortId, TermId), Diagnostic> {
    let lang = terms.lang;
    let grammar = Grammar::of(lang);
    let lines = lexer::lines(text, file);
    let raw: Vec<lexer::Token> = lines.into_iter().flat_map(|l| l.tokens).collect();
    let tokens = grammar.split(&raw);
    let whole = Span::new(file, 0, text.len());
    if tokens.len() > MOST_TOKENS {
        let message = format!("this term is too long to be read: {} tokens, at most {MOST_TOKENS}", tokens.len());
        return Err(Diagnostic::error("S1", whole, message).help("a smaller term shows the same"));
    }
    let is_program = |s: &SortId| lang.sort(*s).is_tree && matches!(lang.sort(*s).kind, SortKind::Grammar { .. });
    let all: Vec<SortId> = sorts.iter().copied().chain(lang.sort_ids().filter(is_program)).collect();
    for sort in all {
        grammar.refuel();
        let mut reader = Reader::new(&grammar, &tokens, Mode::Rule);
        let readings = reader.sort(sort, 0, tokens.len());
        if grammar.fuel.get() == 0 {
            let message = "this term is too long to be read, or can be read in too many ways";
            return Err(Diagnostic::error("S1", whole, message).help("write parentheses"));
        }
        if readings.len() > 1 {
            let (a, b) = (grammar.show(&readings[0]), grammar.show(&readings[1]));
            return Err(Diagnostic::error("G1", whole, format!("two readings: {a} and {b}")).help("write parentheses"));
        }
        if let Some(ast) = readings.first() {
            let mut builder = Builder { terms, bound: Vec::new() };
            return Ok((sort, builder.build(ast)?));
        }
    }
    let words = grammar.words();
    let unknown = tokens.iter().find(|t| {
        t.kind == lexer::Kind::Name && !grammar.is_terminal(t) && grammar.sort_of(&t.text).is_none() && !t.is("error")
    });
    if let Some(token) = unknown {
        let diagnostic = Diagnostic::error(
            "N1",
            token.span,
            format!("'{}' is not a terminal or name of the language {}", token.text, lang.name),
        );
        return Err(match source::nearest(&token.text, words.iter().copied()) {
            Some(near) => diagnostic.help(format!("did you mean '{near}'?")),
            None => diagnostic,
        });
    }
    Err(Diagnostic::error("S1", whole, format!("this is not a program of the language {}", lang.name))
        .help("check the spelling and the parentheses"))
}

struct Builder<'a, 'l> {
    terms: &'a mut Terms<'l>,
    /// Names of the binders above, innermost last.
    bound: Vec<(SortId, String)>,
}

impl Builder<'_, '_> {
    fn build(&mut self, ast: &Ast) -> Result<TermId, Diagnostic> {
        let lang = self.terms.lang;
        match ast {
            Ast::Paren(inner) => self.build(inner),
            Ast::Int(n) => Ok(self.terms.intern(Term::Int(*n))),
            Ast::Atom(sort, k) => Ok(self.terms.intern(Term::Atom(*sort, *k))),
            Ast::Error => Ok(self.terms.intern(Term::Error)),
            Ast::Meta { name, sort, span, .. } => {
                let number = name[stem(name).len()..].trim_end_matches('\'').parse().unwrap_or(0);
                match lang.sort(*sort).kind {
                    SortKind::Atom => Ok(self.terms.intern(Term::Atom(*sort, number))),
                    SortKind::Loc => Ok(self.terms.intern(Term::Loc(*sort, number))),
                    SortKind::Var => {
                        let index = self.bound.iter().rev().filter(|(s, _)| s == sort).position(|(_, n)| n == name);
                        match index {
                            Some(k) => Ok(self.terms.intern(Term::Bound(*sort, k as u32))),
                            None => Err(Diagnostic::error("B1", *span, format!("{name} is not bound here"))
                                .help("programs are closed: bind it, or take it away")),
                        }
                    }
                    _ => Err(Diagnostic::error("S1", *span, format!("{name} is a metavariable; a program has none"))
                        .help("write out what it stands for")),
                }
            }
            Ast::Node(prod, args) => {
                let production = lang.prod(*prod);
                let mut built = Vec::new();
                for (k, arg) in args.iter().enumerate() {
                    if production.is_binder(k) {
                        built.push(self.terms.intern(Term::Binder(production.args[k])));
                        continue;
                    }
                    let depth = self.bound.len();
                    for binder in production.binders_over(k) {
                        if let Ast::Meta { name, sort, .. } = strip(&args[binder.var]) {
                            self.bound.push((*sort, name.clone()));
                        }
                    }
                    let result = self.build(arg);
                    self.bound.truncate(depth);
                    built.push(result?);
                }
                Ok(self.terms.assemble(*prod, built))
            }
            _ => Err(Diagnostic::error("S1", None, "a program has no substitutions, lookups or functions in it")),
        }
    }
}

fn strip(ast: &Ast) -> &Ast {
    match ast {
        Ast::Paren(inner) => strip(inner),
        other => other,
    }
}

/// `t: size 12   T: depth 2` as given on a command line.
pub fn read_bounds(lang: &Lang, text: &str, file: FileId) -> Result<Vec<(SortId, Bound)>, Diagnostic> {
    let grammar = Grammar::of(lang);
    let raw: Vec<lexer::Token> = lexer::lines(text, file).into_iter().flat_map(|l| l.tokens).collect();
    let mut diagnostics = Vec::new();
    let mut bounds = Vec::new();
    for bound in items::bounds_of(&raw, &mut diagnostics) {
        match grammar.sort_of(&bound.sort.text) {
            Some(sort) => {
                diagnostics.extend(grammar.misplaced_bound(sort, &bound));
                bounds.push((sort, bound.bound));
            }
            None => diagnostics.push(grammar.no_sort(&bound.sort)),
        }
    }
    match diagnostics.into_iter().next() {
        Some(diagnostic) => Err(diagnostic),
        None => Ok(bounds),
    }
}
