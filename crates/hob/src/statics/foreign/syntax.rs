//! What formulas of other plugins say, before names are resolved: one tree for all three languages, and the reader of Isabelle's (Bohne,
//! vcgen).
//!
//! From loose to tight: `<->`, `-->` (to the right), `|`, `&`, `~`, comparisons, `+ -`, `* div mod`, application `next x`. The body of a quantifier
//! extends as far as possible.

use super::tokens::{Token, Tokens, Unread};
use crate::program::BinaryOp;

#[derive(Clone, Debug)]
pub enum Said {
    Constant(bool),
    Not(Box<Said>),
    And(Vec<Said>),
    Or(Vec<Said>),
    Implies(Box<Said>, Box<Said>),
    Iff(Box<Said>, Box<Said>),
    /// Over all values of what the variable turns out to be; of objects, null too unless the language has only positions.
    Quantified {
        exists: bool,
        variable: String,
        ty: Option<String>,
        body: Box<Said>,
    },
    Compare(BinaryOp, Term, Term),
    /// Of two sets of objects: they are the same, or the first is part of the second.
    SameSet(Set, Set),
    Subset(Set, Set),
    Member(Term, Set),
    /// `rtrancl (lambda a b. f a = b) x y`: the fields that lead from a to b; with at least one step if strict.
    Closure {
        fields: Vec<String>,
        strict: bool,
        from: Term,
        to: Term,
    },
    /// `a<R>b`.
    Reach(Term, Way, Term),
    Holds(Term),
}

#[derive(Clone, Debug)]
pub enum Term {
    Null,
    Int(i64),
    Name(String),
    Field(Box<Term>, String),
    Index(Box<Term>, Box<Term>),
    Length(Box<Term>),
    /// `+`, `-`, `*`, and `div` and `mod`, which round down.
    Arithmetic(BinaryOp, Box<Term>, Box<Term>),
}

#[derive(Clone, Debug)]
pub enum Set {
    /// `{a, b}`, without those that are null.
    Of(Vec<Term>),
    /// `x^T.f`: the objects of T whose f is x.
    Inverse(Term, String, String),
    Union(Box<Set>, Box<Set>),
    Inter(Box<Set>, Box<Set>),
    Minus(Box<Set>, Box<Set>),
}

/// A route of PALE.
#[derive(Clone, Debug)]
pub enum Way {
    Field(String),
    /// `^T.f`, backwards.
    Inverse(String),
    Sequence(Vec<Way>),
    Either(Vec<Way>),
    Star(Box<Way>),
}

/// A formula of Isabelle's kind, if it is one that we read. The names of fields tell applications.
pub fn isabelle(text: &str, is_field: &dyn Fn(&str) -> bool) -> Result<Said, Unread> {
    let mut reader = Isabelle { tokens: Tokens::of(text)?, is_field };
    let said = reader.formula().filter(|_| reader.tokens.at_end());
    said.ok_or(reader.tokens.unread())
}

struct Isabelle<'t, 'f> {
    tokens: Tokens<'t>,
    is_field: &'f dyn Fn(&str) -> bool,
}

impl Isabelle<'_, '_> {
    fn formula(&mut self) -> Option<Said> {
        self.tokens.enter()?;
        let mut left = self.implication()?;
        while self.tokens.accept("<->") || self.tokens.accept("<-->") || self.tokens.accept("<=>") {
            left = Said::Iff(Box::new(left), Box::new(self.implication()?));
        }
        self.tokens.leave();
        Some(left)
    }

    fn implication(&mut self) -> Option<Said> {
        self.tokens.enter()?;
        let left = self.either()?;
        let is_implication = self.tokens.accept("-->") || self.tokens.accept("=>") || self.tokens.accept("==>");
        let said = if is_implication { Said::Implies(Box::new(left), Box::new(self.implication()?)) } else { left };
        self.tokens.leave();
        Some(said)
    }

    fn either(&mut self) -> Option<Said> {
        let mut parts = vec![self.both()?];
        while self.tokens.accept("|") || self.tokens.accept("||") {
            parts.push(self.both()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Said::Or(parts) })
    }

    fn both(&mut self) -> Option<Said> {
        let mut parts = vec![self.unary()?];
        while self.tokens.accept("&") || self.tokens.accept("&&") {
            parts.push(self.unary()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Said::And(parts) })
    }

    fn unary(&mut self) -> Option<Said> {
        self.tokens.enter()?;
        let said = match self.tokens.peek()? {
            Token::Symbol("~" | "!") => {
                self.tokens.advance();
                Said::Not(Box::new(self.unary()?))
            }
            Token::Word("not") => {
                self.tokens.advance();
                Said::Not(Box::new(self.unary()?))
            }
            Token::Word(word @ ("ALL" | "EX" | "forall" | "exists")) => {
                self.tokens.advance();
                self.quantified(matches!(word, "EX" | "exists"))?
            }
            Token::Word("True" | "true") => {
                self.tokens.advance();
                Said::Constant(true)
            }
            Token::Word("False" | "false") => {
                self.tokens.advance();
                Said::Constant(false)
            }
            Token::Word(word @ ("rtrancl" | "trancl" | "rtrancl_pt" | "trancl_pt")) => {
                self.tokens.advance();
                self.closure(word.starts_with('t'))?
            }
            // A formula in parentheses, or a comparison that begins with a term in them.
            Token::Symbol("(") => {
                let place = self.tokens.place();
                self.tokens.advance();
                match self.formula().filter(|_| self.tokens.accept(")")) {
                    Some(said) if !self.continues_term() => said,
                    Some(said) if !matches!(said, Said::Holds(_)) => self.equivalent(said)?,
                    _ => {
                        self.tokens.back_to(place);
                        self.comparison()?
                    }
                }
            }
            _ => self.comparison()?,
        };
        self.tokens.leave();
        Some(said)
    }

    /// `=` after a formula: between formulas it is "if and only if", as in Isabelle.
    fn equivalent(&mut self, left: Said) -> Option<Said> {
        let is_same = self.tokens.accept("=");
        if !is_same && !self.tokens.accept("~=") && !self.tokens.accept("!=") {
            return None;
        }
        let said = Said::Iff(Box::new(left), Box::new(self.unary()?));
        Some(if is_same { said } else { Said::Not(Box::new(said)) })
    }

    /// Whether what follows makes what was in parentheses a term.
    fn continues_term(&self) -> bool {
        let is_symbol = |s: &str| self.tokens.is(s);
        let is_operator = matches!(self.tokens.peek(), Some(Token::Word("div" | "mod")));
        is_operator
            || ["=", "~=", "!=", "<", "<=", ">", ">=", ":", "~:", "+", "-", "*", "[", "."].into_iter().any(is_symbol)
    }

    fn quantified(&mut self, exists: bool) -> Option<Said> {
        let mut variables = Vec::new();
        while !self.tokens.is(".") {
            let is_enclosed = self.tokens.accept("(");
            let name = self.tokens.word()?.to_string();
            let has_type = self.tokens.accept("::") || self.tokens.accept(":");
            let ty = if has_type { Some(self.tokens.word()?.to_string()) } else { None };
            if is_enclosed {
                self.tokens.expect(")")?;
            }
            variables.push((name, ty));
            self.tokens.accept(",");
        }
        self.tokens.expect(".")?;
        let body = self.formula()?;
        Some(variables.into_iter().rev().fold(body, |body, (variable, ty)| Said::Quantified {
            exists,
            variable,
            ty,
            body: Box::new(body),
        }))
    }

    /// `(lambda a b. next a = b) x y`.
    fn closure(&mut self, strict: bool) -> Option<Said> {
        self.tokens.expect("(")?;
        if !self.tokens.accept_word("lambda") {
            self.tokens.expect("%")?;
        }
        let (a, b) = (self.tokens.word()?.to_string(), self.tokens.word()?.to_string());
        self.tokens.expect(".")?;
        let body = self.formula()?;
        self.tokens.expect(")")?;
        let mut fields = Vec::new();
        steps(&body, &a, &b, &mut fields)?;
        let (from, to) = (self.atom()?, self.atom()?);
        Some(Said::Closure { fields, strict, from, to })
    }

    fn comparison(&mut self) -> Option<Said> {
        let left = self.sum()?;
        let Some(Token::Symbol(symbol)) = self.tokens.peek() else { return Some(Said::Holds(left)) };
        let op = match symbol {
            "=" => BinaryOp::Equal,
            "~=" | "!=" => BinaryOp::NotEqual,
            "<" => BinaryOp::Less,
            "<=" => BinaryOp::AtMost,
            ">" => BinaryOp::Greater,
            ">=" => BinaryOp::AtLeast,
            ":" | "~:" => {
                self.tokens.advance();
                let set = Set::Of(if self.tokens.accept("{") {
                    let mut parts = vec![self.sum()?];
                    while self.tokens.accept(",") {
                        parts.push(self.sum()?);
                    }
                    self.tokens.expect("}")?;
                    parts
                } else {
                    vec![self.sum()?]
                });
                let member = Said::Member(left, set);
                return Some(if symbol == ":" { member } else { Said::Not(Box::new(member)) });
            }
            _ => return Some(Said::Holds(left)),
        };
        let place = self.tokens.place();
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
            && matches!(self.tokens.ahead(1), Some(Token::Symbol("(")))
        {
            let said = self.equivalent(Said::Holds(left.clone()));
            // A term in parentheses is no formula.
            let is_formula = |said: &Said| match said {
                Said::Iff(_, right) => !matches!(**right, Said::Holds(_)),
                Said::Not(said) => matches!(&**said, Said::Iff(_, right) if !matches!(**right, Said::Holds(_))),
                _ => false,
            };
            if said.as_ref().is_some_and(is_formula) {
                return said;
            }
            self.tokens.back_to(place);
        }
        self.tokens.advance();
        Some(Said::Compare(op, left, self.sum()?))
    }

    fn sum(&mut self) -> Option<Term> {
        let mut left = self.product()?;
        loop {
            let op = match self.tokens.peek() {
                Some(Token::Symbol("+")) => BinaryOp::Add,
                Some(Token::Symbol("-")) => BinaryOp::Subtract,
                _ => return Some(left),
            };
            self.tokens.advance();
            left = Term::Arithmetic(op, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Option<Term> {
        let mut left = self.application()?;
        loop {
            let op = match self.tokens.peek() {
                Some(Token::Symbol("*")) => BinaryOp::Multiply,
                Some(Token::Word("div")) => BinaryOp::Divide,
                Some(Token::Word("mod")) => BinaryOp::Remainder,
                _ => return Some(left),
            };
            self.tokens.advance();
            left = Term::Arithmetic(op, Box::new(left), Box::new(self.application()?));
        }
    }

    /// `next x`, `arraySize d`.
    fn application(&mut self) -> Option<Term> {
        if let Some(Token::Word(word)) = self.tokens.peek()
            && matches!(self.tokens.ahead(1), Some(Token::Word(_) | Token::Symbol("(")))
            && !matches!(self.tokens.ahead(1), Some(Token::Word("div" | "mod")))
        {
            if matches!(word, "arraySize" | "length") {
                self.tokens.advance();
                return Some(Term::Length(Box::new(self.atom()?)));
            }
            if (self.is_field)(word) {
                self.tokens.advance();
                return Some(Term::Field(Box::new(self.atom()?), word.to_string()));
            }
        }
        self.atom()
    }

    fn atom(&mut self) -> Option<Term> {
        self.tokens.enter()?;
        let mut term = match self.tokens.peek()? {
            Token::Int(n) => {
                self.tokens.advance();
                Term::Int(n)
            }
            Token::Symbol("-") => {
                self.tokens.advance();
                let Some(Token::Int(n)) = self.tokens.peek() else { return None };
                self.tokens.advance();
                Term::Int(-n)
            }
            Token::Symbol("(") => {
                self.tokens.advance();
                let inner = self.sum()?;
                self.tokens.expect(")")?;
                inner
            }
            Token::Word("null") => {
                self.tokens.advance();
                Term::Null
            }
            Token::Word(word) => {
                self.tokens.advance();
                Term::Name(word.to_string())
            }
            Token::Symbol(_) => return None,
        };
        loop {
            if self.tokens.is(".") && matches!(self.tokens.ahead(1), Some(Token::Word(w)) if (self.is_field)(w)) {
                self.tokens.advance();
                term = Term::Field(Box::new(term), self.tokens.word()?.to_string());
            } else if self.tokens.is(".") && self.tokens.ahead(1) == Some(Token::Word("length")) {
                self.tokens.advance();
                self.tokens.advance();
                term = Term::Length(Box::new(term));
            } else if self.tokens.accept("[") {
                let index = self.sum()?;
                self.tokens.expect("]")?;
                term = Term::Index(Box::new(term), Box::new(index));
            } else {
                self.tokens.leave();
                return Some(term);
            }
        }
    }
}

/// The fields of `f a = b | g a = b`.
fn steps(body: &Said, a: &str, b: &str, fields: &mut Vec<String>) -> Option<()> {
    let is = |term: &Term, name: &str| matches!(term, Term::Name(n) if n == name);
    match body {
        Said::Or(parts) => parts.iter().try_for_each(|part| steps(part, a, b, fields)),
        Said::Compare(BinaryOp::Equal, Term::Field(of, field), to)
        | Said::Compare(BinaryOp::Equal, to, Term::Field(of, field))
            if is(of, a) && is(to, b) =>
        {
            fields.push(field.clone());
            Some(())
        }
        _ => None,
    }
}
