//! The language of PALE: graph types, and formulas with routing expressions. Data fields form the backbone of a heap, a forest whose roots
//! are the data variables; pointer fields are determined by their formulas.

use super::syntax::{Said, Set, Term, Way};
use super::tokens::{Token, Tokens, Unread};
use crate::program::BinaryOp;

/// One declaration of an `invariant "…"`.
#[derive(Clone, Debug)]
pub enum Declared {
    Type {
        name: String,
        fields: Vec<Member>,
    },
    Variable(Member),
    /// What else holds.
    Formula(Said),
}

#[derive(Clone, Debug)]
pub struct Member {
    pub is_data: bool,
    pub name: String,
    pub ty: String,
    /// What determines a pointer.
    pub formula: Option<Said>,
}

/// The declarations of a text, if we read them.
pub fn declarations(text: &str) -> Result<Vec<Declared>, Unread> {
    let mut reader = Pale { tokens: Tokens::of(text)? };
    reader.declarations().ok_or(reader.tokens.unread())
}

pub fn formula(text: &str) -> Result<Said, Unread> {
    let mut reader = Pale { tokens: Tokens::of(text)? };
    let said = reader.formula().filter(|_| reader.tokens.at_end());
    said.ok_or(reader.tokens.unread())
}

struct Pale<'t> {
    tokens: Tokens<'t>,
}

impl Pale<'_> {
    fn declarations(&mut self) -> Option<Vec<Declared>> {
        let mut found = Vec::new();
        if !matches!(self.tokens.peek()?, Token::Word("type" | "data" | "pointer" | "bool")) {
            return self.formula().filter(|_| self.tokens.at_end()).map(|said| vec![Declared::Formula(said)]);
        }
        while !self.tokens.at_end() {
            if self.tokens.accept_word("type") {
                let name = self.tokens.word()?.to_string();
                self.tokens.expect("=")?;
                self.tokens.expect("{")?;
                let mut fields = Vec::new();
                while !self.tokens.accept("}") {
                    fields.extend(self.members()?);
                }
                self.tokens.accept(";");
                found.push(Declared::Type { name, fields });
            } else {
                found.extend(self.members()?.into_iter().map(Declared::Variable));
            }
        }
        Some(found)
    }

    /// `data f, g : T;`, `pointer p : T[F];`, `bool b;`.
    fn members(&mut self) -> Option<Vec<Member>> {
        let Token::Word(word @ ("data" | "pointer" | "bool")) = self.tokens.peek()? else { return None };
        self.tokens.advance();
        let mut names = vec![self.tokens.word()?.to_string()];
        while self.tokens.accept(",") {
            names.push(self.tokens.word()?.to_string());
        }
        let ty = if word == "bool" {
            word
        } else {
            self.tokens.expect(":")?;
            self.tokens.word()?
        };
        let (is_data, ty) = (word == "data", ty.to_string());
        let mut formula = None;
        if word == "pointer" && self.tokens.accept("[") {
            formula = Some(self.formula()?);
            self.tokens.expect("]")?;
        }
        if !self.tokens.accept(";") && !self.tokens.is("}") && !self.tokens.at_end() {
            return None;
        }
        Some(names.into_iter().map(|name| Member { is_data, name, ty: ty.clone(), formula: formula.clone() }).collect())
    }

    fn formula(&mut self) -> Option<Said> {
        self.tokens.enter()?;
        let mut left = self.implication()?;
        while self.tokens.accept("<=>") {
            left = Said::Iff(Box::new(left), Box::new(self.implication()?));
        }
        self.tokens.leave();
        Some(left)
    }

    fn implication(&mut self) -> Option<Said> {
        self.tokens.enter()?;
        let left = self.either()?;
        let said =
            if self.tokens.accept("=>") { Said::Implies(Box::new(left), Box::new(self.implication()?)) } else { left };
        self.tokens.leave();
        Some(said)
    }

    fn either(&mut self) -> Option<Said> {
        let mut parts = vec![self.both()?];
        while self.tokens.accept("|") {
            parts.push(self.both()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Said::Or(parts) })
    }

    fn both(&mut self) -> Option<Said> {
        let mut parts = vec![self.unary()?];
        while self.tokens.accept("&") {
            parts.push(self.unary()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Said::And(parts) })
    }

    fn unary(&mut self) -> Option<Said> {
        self.tokens.enter()?;
        let said = match self.tokens.peek()? {
            Token::Symbol("!" | "~") => {
                self.tokens.advance();
                Said::Not(Box::new(self.unary()?))
            }
            Token::Word(word @ ("allpos" | "existpos")) => {
                self.tokens.advance();
                let mut names = vec![self.tokens.word()?.to_string()];
                while self.tokens.accept(",") {
                    names.push(self.tokens.word()?.to_string());
                }
                self.tokens.accept_word("of").then_some(())?;
                let ty = self.tokens.word()?.to_string();
                self.tokens.expect(":")?;
                let body = self.formula()?;
                names.into_iter().rev().fold(body, |body, variable| Said::Quantified {
                    exists: word == "existpos",
                    variable,
                    ty: Some(ty.clone()),
                    body: Box::new(body),
                })
            }
            Token::Word("true") => {
                self.tokens.advance();
                Said::Constant(true)
            }
            Token::Word("false") => {
                self.tokens.advance();
                Said::Constant(false)
            }
            Token::Symbol("(") => {
                self.tokens.advance();
                let said = self.formula()?;
                self.tokens.expect(")")?;
                said
            }
            _ => self.atom()?,
        };
        self.tokens.leave();
        Some(said)
    }

    fn atom(&mut self) -> Option<Said> {
        if let (Some(Token::Word("empty")), Some(Token::Symbol("("))) = (self.tokens.peek(), self.tokens.ahead(1)) {
            self.tokens.advance();
            self.tokens.advance();
            let set = self.set()?;
            self.tokens.expect(")")?;
            return Some(Said::SameSet(set, Set::Of(Vec::new())));
        }
        let is_set = |tokens: &Tokens| tokens.is("{") || matches!(tokens.ahead(1), Some(Token::Symbol("^")));
        let left = if is_set(&self.tokens) { Err(self.single_set()?) } else { Ok(self.term()?) };
        match (left, self.tokens.peek()) {
            (Ok(from), Some(Token::Symbol("<"))) => {
                self.tokens.advance();
                let way = self.way()?;
                self.tokens.expect(">")?;
                Some(Said::Reach(from, way, self.term()?))
            }
            (Ok(left), Some(Token::Symbol("^"))) => {
                let set = self.inverse(left)?;
                self.same(set)
            }
            (Ok(left), Some(Token::Word("in"))) => {
                self.tokens.advance();
                Some(Said::Member(left, self.set()?))
            }
            (Ok(left), Some(Token::Symbol(symbol @ ("=" | "!=" | "~=")))) => {
                self.tokens.advance();
                let op = if symbol == "=" { BinaryOp::Equal } else { BinaryOp::NotEqual };
                Some(Said::Compare(op, left, self.term()?))
            }
            (Ok(left), _) => Some(Said::Holds(left)),
            (Err(set), _) => self.same(set),
        }
    }

    fn same(&mut self, left: Set) -> Option<Said> {
        let left = self.union(left)?;
        if self.tokens.accept_word("sub") {
            return Some(Said::Subset(left, self.set()?));
        }
        let is_equal = self.tokens.accept("=");
        if !is_equal && !self.tokens.accept("!=") && !self.tokens.accept("~=") {
            return None;
        }
        let same = Said::SameSet(left, self.set()?);
        Some(if is_equal { same } else { Said::Not(Box::new(same)) })
    }

    fn set(&mut self) -> Option<Set> {
        let first = self.single_set()?;
        self.union(first)
    }

    /// After a set: `+ S`, `union S`, `inter S`, `minus S`.
    fn union(&mut self, mut set: Set) -> Option<Set> {
        loop {
            let make: fn(Box<Set>, Box<Set>) -> Set = match self.tokens.peek() {
                Some(Token::Symbol("+") | Token::Word("union")) => Set::Union,
                Some(Token::Word("inter")) => Set::Inter,
                Some(Token::Word("minus")) => Set::Minus,
                _ => return Some(set),
            };
            self.tokens.advance();
            set = make(Box::new(set), Box::new(self.single_set()?));
        }
    }

    fn single_set(&mut self) -> Option<Set> {
        if self.tokens.accept("{") {
            let mut parts = Vec::new();
            while !self.tokens.accept("}") {
                parts.push(self.term()?);
                self.tokens.accept(",");
            }
            return Some(Set::Of(parts));
        }
        let term = self.term()?;
        self.inverse(term)
    }

    /// Behind a term: `^T.f`.
    fn inverse(&mut self, of: Term) -> Option<Set> {
        self.tokens.expect("^")?;
        let ty = self.tokens.word()?.to_string();
        self.tokens.expect(".")?;
        Some(Set::Inverse(of, ty, self.tokens.word()?.to_string()))
    }

    fn term(&mut self) -> Option<Term> {
        let mut term = match self.tokens.peek()? {
            Token::Word("null") => Term::Null,
            Token::Word(word) => Term::Name(word.to_string()),
            Token::Int(n) => Term::Int(n),
            Token::Symbol(_) => return None,
        };
        self.tokens.advance();
        while self.tokens.accept(".") {
            term = Term::Field(Box::new(term), self.tokens.word()?.to_string());
        }
        Some(term)
    }

    /// `next*`, `left+right`, `(left + right)*`, `next*.data`, `^T.next`.
    fn way(&mut self) -> Option<Way> {
        self.tokens.enter()?;
        let mut parts = vec![self.sequence()?];
        while self.tokens.accept("+") || self.tokens.accept("|") {
            parts.push(self.sequence()?);
        }
        self.tokens.leave();
        Some(if parts.len() == 1 { parts.remove(0) } else { Way::Either(parts) })
    }

    fn sequence(&mut self) -> Option<Way> {
        let mut parts = vec![self.repeated()?];
        while self.tokens.accept(".") || self.tokens.is("^") {
            parts.push(self.repeated()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Way::Sequence(parts) })
    }

    fn repeated(&mut self) -> Option<Way> {
        let mut way = if self.tokens.accept("(") {
            let inner = self.way()?;
            self.tokens.expect(")")?;
            inner
        } else if self.tokens.accept("^") {
            self.tokens.word()?;
            self.tokens.expect(".")?;
            Way::Inverse(self.tokens.word()?.to_string())
        } else {
            Way::Field(self.tokens.word()?.to_string())
        };
        while self.tokens.accept("*") {
            way = Way::Star(Box::new(way));
        }
        Some(way)
    }
}
