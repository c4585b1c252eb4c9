//! Formulas as text, in the syntax of specifications.
//!
//! Four levels, as in the original's grammar: comparisons, `=>` and `<=>` (which do not associate); `|`, `+`, `-` (to the left); `&`,
//! `inter`; and single atoms, which is all that `not` and a quantifier take. So every comparison below a connective has parentheses.

use crate::stack::with_stack;
use crate::store::{Compare, Formula, Node, Sort, Store, Term, TermNode, Var};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Comparison,
    Sum,
    Product,
    Atom,
}

impl Store {
    pub fn show(&self, f: Formula) -> String {
        with_stack(self.depth(f), || {
            let mut out = String::new();
            self.write(f, Level::Comparison, &mut out);
            out
        })
    }

    pub fn show_term(&self, t: Term) -> String {
        let mut out = String::new();
        self.write_term(t, Level::Comparison, &mut out);
        out
    }

    fn write(&self, f: Formula, least: Level, out: &mut String) {
        let own = match self.node(f) {
            Node::Equal(..) | Node::Subset(..) | Node::Card(..) | Node::Implies(..) | Node::Iff(..) => {
                Level::Comparison
            }
            Node::Or(parts) if parts.len() > 1 => Level::Sum,
            Node::And(parts) if parts.len() > 1 => Level::Product,
            Node::Not(g) if matches!(self.node(*g), Node::Equal(..)) => Level::Comparison,
            _ => Level::Atom,
        };
        within(own, least, out, |out| self.write_bare(f, out));
    }

    fn write_bare(&self, f: Formula, out: &mut String) {
        match self.node(f) {
            Node::True => out.push_str("true"),
            Node::False => out.push_str("false"),
            Node::Bool(var) => out.push_str(self.name(*var)),
            Node::Equal(a, b) => self.write_terms(*a, " = ", *b, out),
            Node::Subset(a, b) => self.write_terms(*a, " <= ", *b, out),
            Node::Card(t, compare, count) => {
                let compare = match compare {
                    Compare::Equal => "=",
                    Compare::AtMost => "<=",
                    Compare::AtLeast => ">=",
                };
                out.push_str("card(");
                self.write_term(*t, Level::Comparison, out);
                _ = write!(out, "){compare}{count}");
            }
            Node::Disjoint(parts) => {
                out.push_str("disjoint(");
                for (i, &part) in parts.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    self.write_term(part, Level::Comparison, out);
                }
                out.push(')');
            }
            Node::Not(g) => match *self.node(*g) {
                Node::Equal(a, b) => self.write_terms(a, " != ", b, out),
                _ => {
                    out.push_str("not ");
                    self.write(*g, Level::Atom, out);
                }
            },
            Node::And(parts) if parts.is_empty() => out.push_str("true"),
            Node::Or(parts) if parts.is_empty() => out.push_str("false"),
            Node::And(parts) => self.write_list(parts, " & ", Level::Product, Level::Atom, out),
            Node::Or(parts) => self.write_list(parts, " | ", Level::Sum, Level::Product, out),
            Node::Implies(a, b) => self.write_two(*a, " => ", *b, out),
            Node::Iff(a, b) => self.write_two(*a, " <=> ", *b, out),
            Node::Exists(vars, g) => self.write_quantifier("exists", vars, *g, out),
            Node::Forall(vars, g) => self.write_quantifier("forall", vars, *g, out),
        }
    }

    fn write_terms(&self, a: Term, sign: &str, b: Term, out: &mut String) {
        self.write_term(a, Level::Sum, out);
        out.push_str(sign);
        self.write_term(b, Level::Sum, out);
    }

    fn write_two(&self, a: Formula, sign: &str, b: Formula, out: &mut String) {
        self.write(a, Level::Sum, out);
        out.push_str(sign);
        self.write(b, Level::Sum, out);
    }

    fn write_list(&self, parts: &[Formula], sign: &str, first: Level, others: Level, out: &mut String) {
        for (i, &part) in parts.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { sign });
            self.write(part, if i == 0 { first } else { others }, out);
        }
    }

    fn write_quantifier(&self, word: &str, vars: &[Var], body: Formula, out: &mut String) {
        for &var in vars {
            let sort = match self.sort(var) {
                Sort::Set => "set",
                Sort::Bool => "bool",
            };
            _ = write!(out, "{word} {} : {sort}. ", self.name(var));
        }
        self.write(body, Level::Atom, out);
    }

    fn write_term(&self, t: Term, least: Level, out: &mut String) {
        let own = match self.term(t) {
            TermNode::Empty | TermNode::Var(_) => Level::Atom,
            TermNode::Union(_) | TermNode::Diff(..) => Level::Sum,
            TermNode::Inter(_) => Level::Product,
        };
        within(own, least, out, |out| match self.term(t) {
            TermNode::Empty => out.push_str("{}"),
            TermNode::Var(var) => out.push_str(self.name(*var)),
            TermNode::Union(parts) => self.write_term_list(parts, " + ", Level::Sum, Level::Product, out),
            TermNode::Inter(parts) => self.write_term_list(parts, " inter ", Level::Product, Level::Atom, out),
            TermNode::Diff(a, b) => self.write_term_list(&[*a, *b], " - ", Level::Sum, Level::Product, out),
        });
    }

    fn write_term_list(&self, parts: &[Term], sign: &str, first: Level, others: Level, out: &mut String) {
        for (i, &part) in parts.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { sign });
            self.write_term(part, if i == 0 { first } else { others }, out);
        }
    }
}

/// In parentheses if what is written binds weaker than its place needs.
fn within(own: Level, least: Level, out: &mut String, write: impl FnOnce(&mut String)) {
    if own < least {
        out.push('(');
        write(out);
        out.push(')');
    } else {
        write(out);
    }
}
