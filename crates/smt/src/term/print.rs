//! Terms as text of SMT-LIB. How long that gets is known before: it decides which terms are given a name.

use super::{Declared, Inner, Node, Op, Store, Symbol, Term};
use crate::string_literal;

impl Op {
    fn symbol(self) -> &'static str {
        match self {
            Op::And => "and",
            Op::Or => "or",
            Op::Not => "not",
            Op::Implies => "=>",
            Op::Ite => "ite",
            Op::Equal => "=",
            Op::Less => "<",
            Op::Greater => ">",
            Op::AtMost => "<=",
            Op::AtLeast => ">=",
            Op::Add => "+",
            Op::Subtract | Op::Negate => "-",
            Op::Multiply => "*",
            Op::Divide => "div",
            Op::Select => "select",
        }
    }
}

/// What is still to be written.
enum Piece<'s> {
    Term(Term),
    Text(&'s str),
}

impl Inner {
    fn print(&self, term: Term, out: &mut String) {
        let mut todo = vec![Piece::Term(term)];
        while let Some(piece) = todo.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Term(term) => {
                    let from = todo.len();
                    self.pieces(self.node(term), out, &mut |piece| todo.push(piece));
                    todo[from..].reverse();
                }
            }
        }
    }

    /// Writes how a term begins, and gives the pieces that follow.
    fn pieces<'s>(&'s self, node: &'s Node, out: &mut String, then: &mut dyn FnMut(Piece<'s>)) {
        let mut list = |parts: &[Term]| {
            for part in parts {
                then(Piece::Text(" "));
                then(Piece::Term(*part));
            }
            then(Piece::Text(")"));
        };
        match node {
            Node::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Node::Numeral(digits) => out.push_str(digits),
            Node::Text(text) => out.push_str(&string_literal(text)),
            Node::Variable(name, _) => out.push_str(name),
            Node::Apply(symbol, parts) if parts.is_empty() => out.push_str(&self.symbol(*symbol).name),
            Node::Op(op, parts) => {
                out.push('(');
                out.push_str(op.symbol());
                list(parts);
            }
            Node::Apply(symbol, parts) => {
                out.push('(');
                out.push_str(&self.symbol(*symbol).name);
                list(parts);
            }
            Node::Is(symbol, term) => {
                out.push_str("((_ is ");
                out.push_str(&self.symbol(*symbol).name);
                out.push(')');
                list(&[*term]);
            }
            Node::Let(variable, value, body) => {
                out.push_str("(let ((");
                then(Piece::Term(*variable));
                then(Piece::Text(" "));
                then(Piece::Term(*value));
                then(Piece::Text(")) "));
                then(Piece::Term(*body));
                then(Piece::Text(")"));
            }
            Node::Forall(variables, pattern, body) => {
                out.push_str("(forall (");
                for (k, variable) in variables.iter().enumerate() {
                    then(Piece::Text(if k == 0 { "(" } else { " (" }));
                    then(Piece::Term(*variable));
                    then(Piece::Text(" "));
                    then(Piece::Text(&self.sort(self.sort_of(*variable)).name));
                    then(Piece::Text(")"));
                }
                then(Piece::Text(") (! "));
                then(Piece::Term(*body));
                then(Piece::Text(" :pattern ("));
                for (k, part) in pattern.iter().enumerate() {
                    then(Piece::Text(if k == 0 { "" } else { " " }));
                    then(Piece::Term(*part));
                }
                then(Piece::Text(")))"));
            }
        }
    }

    /// Bytes of the text.
    pub(super) fn length(&self, node: &Node) -> usize {
        let mut out = String::new();
        let mut length = 0usize;
        self.pieces(node, &mut out, &mut |piece| {
            length = length.saturating_add(match piece {
                Piece::Text(text) => text.len(),
                Piece::Term(term) => self.info(term).len,
            });
        });
        length.saturating_add(out.len())
    }
}

impl Store {
    pub fn print(&self, term: Term, out: &mut String) {
        self.0.borrow().print(term, out);
    }

    pub fn printed(&self, term: Term) -> String {
        let mut out = String::with_capacity(self.len(term));
        self.print(term, &mut out);
        out
    }

    /// `(assert f)`. Its text is kept: questions about one thing share most of what they assert.
    pub fn assert(&self, formula: Term, out: &mut String) {
        let inner = &mut *self.0.borrow_mut();
        if let Some(text) = inner.asserted.get(&formula) {
            return out.push_str(text);
        }
        let start = out.len();
        out.push_str("(assert ");
        inner.print(formula, out);
        out.push_str(")\n");
        inner.asserted.insert(formula, out[start..].into());
    }

    /// `(declare-fun f (Int) Bool)` or `(declare-const c Int)`
    pub fn declaration(&self, symbol: Symbol, out: &mut String) {
        let inner = self.0.borrow();
        let Declared { name, parameters, result } = inner.symbol(symbol);
        let sort = |s| inner.sort(s).name.as_str();
        let parameters: Vec<&str> = parameters.iter().map(|s| sort(*s)).collect();
        out.push_str(&match &parameters[..] {
            [] => format!("(declare-const {name} {})\n", sort(*result)),
            _ => format!("(declare-fun {name} ({}) {})\n", parameters.join(" "), sort(*result)),
        });
    }
}
