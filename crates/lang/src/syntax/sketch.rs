//! A language as a list of texts: what its items say, before any name is resolved. Extensions are applied here, on the texts, so that
//! later stages see one flat language (docs/lang.md, "Mutants and extensions").

use super::lexer::Token;
use crate::definition::{Bound, Expect, Marks};
use source::Span;

#[derive(Clone, Debug, Default)]
pub struct Sketch {
    pub name: String,
    pub span: Span,
    pub extends: Option<usize>,
    pub assumes_base: bool,
    pub names: Vec<NameText>,
    pub sorts: Vec<SortText>,
    pub judgments: Vec<JudgmentText>,
    pub rules: Vec<RuleText>,
    pub funs: Vec<FunText>,
    pub bounds: Vec<BoundText>,
    pub checks: Vec<CheckText>,
    pub expects: Vec<Expect>,
    /// It has an error already, or extends a language that has.
    pub is_broken: bool,
}

/// `var x`, `int n`, …
#[derive(Clone, Debug)]
pub struct NameText {
    pub keyword: &'static str,
    pub token: Token,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyword {
    Syntax,
    Env,
    Store,
}

#[derive(Clone, Debug)]
pub struct SortText {
    pub keyword: Keyword,
    pub names: Vec<Token>,
    /// `v ⊆ t ::= …`
    pub subset_of: Option<Token>,
    pub alts: Vec<AltText>,
}

#[derive(Clone, Debug)]
pub struct AltText {
    pub tokens: Vec<Token>,
    pub attributes: Vec<Token>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct JudgmentText {
    pub shape: Vec<Token>,
    pub is_reduction: bool,
    pub contexts: Option<Token>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct RuleText {
    pub name: String,
    pub span: Span,
    /// Split by layout; `;` and commas are split by parsing.
    pub premises: Vec<Vec<Token>>,
    pub conclusion: Vec<Token>,
    pub marks: Marks,
    /// The judgment it stands under, if it does.
    pub home: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct FunText {
    pub name: Token,
    pub params: Vec<Token>,
    pub result: Option<Token>,
    pub equations: Vec<Vec<Token>>,
}

#[derive(Clone, Debug)]
pub struct BoundText {
    pub sort: Token,
    pub bound: Bound,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CheckText {
    pub name: String,
    pub span: Span,
    pub bounds: Vec<BoundText>,
    pub tokens: Vec<Token>,
}
