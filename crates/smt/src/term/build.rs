//! Making terms. Those that simplify keep the meaning: `and([a, true])` is `a`.

use super::{Node, Op, Sort, Store, Symbol, Term};
use rustc_hash::FxHashSet;

/// Parts of a conjunction that are compared one by one.
const FEW: usize = 32;

impl Store {
    /// A number that is not negative, in decimal digits.
    pub fn numeral(&self, digits: &str) -> Term {
        self.make(Node::Numeral(digits.into()))
    }

    pub fn text(&self, text: &str) -> Term {
        self.make(Node::Text(text.into()))
    }

    pub fn truth(&self, truth: bool) -> Term {
        if truth { Term::TRUE } else { Term::FALSE }
    }

    /// To be bound around a term that it occurs in.
    pub fn variable(&self, name: &str, sort: Sort) -> Term {
        self.make(Node::Variable(name.into(), sort))
    }

    pub fn apply(&self, symbol: Symbol, parts: &[Term]) -> Term {
        self.make(Node::Apply(symbol, parts.into()))
    }

    /// As it is, without simplification.
    pub fn op(&self, op: Op, parts: &[Term]) -> Term {
        self.make(Node::Op(op, parts.into()))
    }

    pub fn is_made_by(&self, constructor: Symbol, term: Term) -> Term {
        self.make(Node::Is(constructor, term))
    }

    /// The body with a variable that is this value; the body alone if that does not occur in it.
    pub fn let_in(&self, variable: Term, value: Term, body: Term) -> Term {
        if self.occurs(variable, body) { self.make(Node::Let(variable, value, body)) } else { body }
    }

    /// For all these variables, with a pattern of one or more terms; the body alone if there are no variables.
    pub fn forall(&self, variables: &[Term], pattern: &[Term], body: Term) -> Term {
        if variables.is_empty() {
            return body;
        }
        self.make(Node::Forall(variables.into(), pattern.into(), body))
    }

    pub fn and(&self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.join(Op::And, Term::TRUE, Term::FALSE, parts)
    }

    pub fn or(&self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.join(Op::Or, Term::FALSE, Term::TRUE, parts)
    }

    /// Each different part once. `none` changes nothing, `all` decides.
    fn join(&self, op: Op, none: Term, all: Term, parts: impl IntoIterator<Item = Term>) -> Term {
        let mut joined: Vec<Term> = Vec::new();
        let mut many: FxHashSet<Term> = FxHashSet::default();
        for part in parts {
            if part == all {
                return all;
            }
            // Most have two parts or three; one has as many as there are fields in a type.
            let is_new = match joined.len() {
                0..FEW => !joined.contains(&part),
                FEW => {
                    many.extend(&joined);
                    many.insert(part)
                }
                _ => many.insert(part),
            };
            if part != none && is_new {
                joined.push(part);
            }
        }
        match joined[..] {
            [] => none,
            [one] => one,
            _ => self.op(op, &joined),
        }
    }

    pub fn not(&self, f: Term) -> Term {
        match f {
            Term::TRUE => Term::FALSE,
            Term::FALSE => Term::TRUE,
            _ => self.op(Op::Not, &[f]),
        }
    }

    pub fn implies(&self, a: Term, b: Term) -> Term {
        match (a, b) {
            (Term::TRUE, _) | (_, Term::TRUE) => b,
            (Term::FALSE, _) => Term::TRUE,
            (_, Term::FALSE) => self.not(a),
            _ => self.op(Op::Implies, &[a, b]),
        }
    }

    pub fn ite(&self, c: Term, a: Term, b: Term) -> Term {
        match c {
            Term::TRUE => a,
            Term::FALSE => b,
            _ if a == b => a,
            _ => self.op(Op::Ite, &[c, a, b]),
        }
    }

    pub fn eq(&self, a: Term, b: Term) -> Term {
        if a == b { Term::TRUE } else { self.op(Op::Equal, &[a, b]) }
    }
}
