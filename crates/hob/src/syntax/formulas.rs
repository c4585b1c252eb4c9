//! Formulas of the specification language, with the original's precedences (docs/hob.md, "Specification").
//!
//! One operator of `= != <= in => <=>` per pair of parentheses, on top; below it `| + -` from the left; below those `& inter` from
//! the left; then atoms. `not` and a quantifier hold one atom: `exists x : T. (x in S) & b` is `(exists x : T. (x in S)) & b`, where
//! an atom is a name, a constant, `card(..) = n`, `disjoint(..)`, `@p(..)`, a formula in parentheses, or again a `not` or a
//! quantifier. Sets and Booleans are told apart later. A formula in parentheses has a span that covers them.

use super::ast::{CardOp, Formula, FormulaKind, FormulaOp};
use super::lexer::Kind;
use super::parser::{Parsed, Parser};
use source::Span;

impl Parser<'_, '_> {
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        self.fresh_links();
        self.nested_formula()
    }

    fn nested_formula(&mut self) -> Parsed<Formula> {
        self.enter()?;
        let start = self.span();
        let mut formula = self.sums()?;
        if let Some(op) = self.top_operator() {
            self.link()?;
            self.advance();
            let right = self.sums()?;
            formula = self.combined(start, op, formula, right);
            if self.top_operator().is_some() {
                let help = "put each comparison and each implication in parentheses: `(a = b) & (c <= d)`";
                let message = "this is a second comparison, without parentheses to say which comes first";
                return Err(self.error_here(message.to_string(), help));
            }
        }
        self.leave();
        Ok(formula)
    }

    fn combined(&self, start: Span, op: FormulaOp, left: Formula, right: Formula) -> Formula {
        Formula { kind: FormulaKind::Binary(op, Box::new(left), Box::new(right)), span: self.since(start) }
    }

    fn top_operator(&self) -> Option<FormulaOp> {
        Some(match self.kind() {
            Kind::Symbol("=") => FormulaOp::Equal,
            Kind::Symbol("!=") => FormulaOp::NotEqual,
            Kind::Symbol("<=") | Kind::Word("in") => FormulaOp::Subset,
            Kind::Symbol("=>") => FormulaOp::Implies,
            Kind::Symbol("<=>") => FormulaOp::Iff,
            _ => return None,
        })
    }

    fn sums(&mut self) -> Parsed<Formula> {
        let start = self.span();
        let mut left = self.products()?;
        loop {
            let op = match self.kind() {
                Kind::Symbol("|") => FormulaOp::Or,
                Kind::Symbol("+") => FormulaOp::Union,
                Kind::Symbol("-") => FormulaOp::Difference,
                Kind::Symbol("||") => return Err(self.unexpected("an operator", "in formulas `or` is written `|`")),
                Kind::Symbol("==") => return Err(self.unexpected("an operator", "sets are compared by `=`")),
                Kind::Symbol("/") => {
                    return Err(self.unexpected("an operator", "in formulas `not equal` is written `!=`"));
                }
                Kind::Symbol("\\") => {
                    return Err(self.unexpected("an operator", "in formulas the difference is written `-`"));
                }
                Kind::Word("union") => {
                    return Err(self.unexpected("an operator", "in formulas the union is written `+`"));
                }
                Kind::Symbol("<" | ">" | ">=") => {
                    let help = "sets are compared by `=`, `!=` and `<=`, numbers of elements by `card(S) >= 2`";
                    return Err(self.unexpected("an operator", help));
                }
                _ => return Ok(left),
            };
            self.link()?;
            self.advance();
            let right = self.products()?;
            left = self.combined(start, op, left, right);
        }
    }

    fn products(&mut self) -> Parsed<Formula> {
        let start = self.span();
        let mut left = self.atom()?;
        loop {
            let op = match self.kind() {
                Kind::Symbol("&") => FormulaOp::And,
                Kind::Word("inter") => FormulaOp::Intersection,
                Kind::Symbol("*") => FormulaOp::Product,
                Kind::Symbol("&&") => return Err(self.unexpected("an operator", "in formulas `and` is written `&`")),
                Kind::Word("cap") => {
                    return Err(self.unexpected("an operator", "in formulas the intersection is written `inter`"));
                }
                _ => return Ok(left),
            };
            self.link()?;
            self.advance();
            let right = self.atom()?;
            left = self.combined(start, op, left, right);
        }
    }

    fn atom(&mut self) -> Parsed<Formula> {
        self.enter()?;
        let start = self.span();
        let kind = self.atom_kind()?;
        self.leave();
        Ok(Formula { kind, span: self.since(start) })
    }

    fn atom_kind(&mut self) -> Parsed<FormulaKind> {
        let help =
            "a formula is made of sets, `{}`, `true`, `card(S) = 1`, `disjoint(S, T)`, `not`, `exists` and `forall`";
        match self.kind() {
            Kind::Symbol("(") => {
                let start = self.span();
                self.advance();
                let mut inner = self.nested_formula()?;
                // `(x, y)` is `x * y`.
                while self.accept(",") {
                    let right = self.nested_formula()?;
                    inner = self.combined(start, FormulaOp::Product, inner, right);
                }
                self.expect(")", "after the formula", "a parenthesis is not closed, or an operator is missing")?;
                Ok(inner.kind)
            }
            Kind::Symbol("{") => {
                self.advance();
                let help = "the empty set is `{}`; an object stands for the set of itself: write `x` for `{x}`";
                self.expect("}", "after `{`", help)?;
                Ok(FormulaKind::Empty)
            }
            Kind::Word("true") => self.constant(FormulaKind::True),
            Kind::Word("false") => self.constant(FormulaKind::False),
            Kind::Word("not") => {
                self.advance();
                self.link()?;
                Ok(FormulaKind::Not(Box::new(self.atom()?)))
            }
            Kind::Symbol("!") => Err(self.unexpected("a formula", "in formulas `not` is written out")),
            Kind::Word("card") => self.card(),
            Kind::Word("disjoint") => {
                self.advance();
                self.expect("(", "after `disjoint`", "write `disjoint(S, T)`")?;
                Ok(FormulaKind::Disjoint(self.formulas("the sets")?))
            }
            Kind::Word("exists" | "forall") => self.quantified(),
            Kind::Text(_) => Ok(FormulaKind::Uninterpreted(self.quoted("a text", "")?)),
            Kind::Symbol("@") => {
                self.advance();
                let name = self.ident("the name of a predicate", "a predicate is used as `@p(S, x)`")?;
                let primed = self.accept("'");
                self.expect("(", "after the name of the predicate", "a predicate is used as `@p(S, x)`")?;
                let arguments = if self.accept(")") { Vec::new() } else { self.formulas("the arguments")? };
                Ok(FormulaKind::Predicate { name, primed, arguments })
            }
            Kind::Word(_) => {
                let name = self.name("a set or Boolean", help)?;
                Ok(FormulaKind::Name { name, primed: self.accept("'") })
            }
            _ => Err(self.unexpected("a formula", help)),
        }
    }

    fn constant(&mut self, kind: FormulaKind) -> Parsed<FormulaKind> {
        self.advance();
        Ok(kind)
    }

    /// Behind `(`: some, separated by commas, and `)`.
    fn formulas(&mut self, what: &str) -> Parsed<Vec<Formula>> {
        let mut all = vec![self.nested_formula()?];
        while self.accept(",") {
            all.push(self.nested_formula()?);
        }
        self.expect(")", &format!("after {what}"), "they are separated by commas")?;
        Ok(all)
    }

    fn card(&mut self) -> Parsed<FormulaKind> {
        let help = "the number of elements is compared with a number: `card(S) = 1`, `card(S) <= 1` or `card(S) >= 1`";
        self.advance();
        self.expect("(", "after `card`", help)?;
        let set = self.nested_formula()?;
        self.expect(")", "after the set", help)?;
        let op = match self.kind() {
            Kind::Symbol("=") => CardOp::Equal,
            Kind::Symbol("<=") => CardOp::AtMost,
            Kind::Symbol(">=") => CardOp::AtLeast,
            _ => return Err(self.unexpected("`=`, `<=` or `>=` after `card(..)`", help)),
        };
        self.advance();
        let Kind::Int(number) = self.kind() else { return Err(self.unexpected("a number", help)) };
        // Whoever decides such a formula makes as many elements.
        let Some(number) = u32::try_from(number).ok().filter(|n| *n <= MOST_ELEMENTS) else {
            let message = format!("`{number}` elements are too many");
            return Err(self.error_here(message, &format!("numbers up to {MOST_ELEMENTS} can be told apart")));
        };
        self.advance();
        Ok(FormulaKind::Card(Box::new(set), op, number))
    }

    /// `exists x, y : T. F`, `forall S : T set. F`; the paper's `exists S. F` ranges over sets.
    fn quantified(&mut self) -> Parsed<FormulaKind> {
        let help = "write `exists x : T. (…)`, or `exists S : T set. (…)` for sets";
        let exists = self.is_word("exists");
        self.advance();
        self.link()?;
        let variables = self.idents("a variable", help)?;
        let (mut elements, mut set) = (None, true);
        if self.accept(":") {
            elements = Some(self.ident("the type of the variable", help)?);
            set = self.accept_word("set");
        }
        self.expect(".", "before the body of the quantifier", help)?;
        let body = Box::new(self.atom()?);
        Ok(FormulaKind::Quantified { exists, variables, elements, set, body })
    }
}

const MOST_ELEMENTS: u32 = 1_000;
