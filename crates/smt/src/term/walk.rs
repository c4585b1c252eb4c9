//! Looking into terms: every part once, however often it occurs.

use super::{Inner, Node, Op, Store, Symbol, Term};
use std::collections::HashMap;

/// Terms that were looked at.
#[derive(Default)]
pub struct Seen(Vec<bool>);

impl Seen {
    /// Whether it is looked at for the first time.
    fn enter(&mut self, term: Term) -> bool {
        let at = term.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, false);
        }
        !std::mem::replace(&mut self.0[at], true)
    }
}

impl Inner {
    /// The parts of a term; variables where they are bound are not parts.
    fn parts(&self, term: Term) -> impl DoubleEndedIterator<Item = Term> + '_ {
        let (first, rest): (&[Term], &[Term]) = match self.node(term) {
            Node::Bool(_) | Node::Numeral(_) | Node::Text(_) | Node::Variable(..) => (&[], &[]),
            Node::Op(_, parts) | Node::Apply(_, parts) => (parts, &[]),
            Node::Is(_, inner) => (std::slice::from_ref(inner), &[]),
            Node::Let(_, value, body) => (std::slice::from_ref(value), std::slice::from_ref(body)),
            Node::Forall(_, pattern, body) => (std::slice::from_ref(body), pattern),
        };
        first.iter().chain(rest).copied()
    }

    /// Every part of a term that was not seen, in the order of the text.
    fn each(&self, root: Term, seen: &mut Seen, mut visit: impl FnMut(Term, &Node)) {
        let mut todo = vec![root];
        while let Some(term) = todo.pop() {
            if seen.enter(term) {
                visit(term, self.node(term));
                todo.extend(self.parts(term).rev());
            }
        }
    }
}

impl Store {
    /// The symbols in a term, in the order of the text, but for what was seen.
    pub fn symbols(&self, term: Term, seen: &mut Seen, out: &mut Vec<Symbol>) {
        self.0.borrow().each(term, seen, |_, node| {
            if let Node::Apply(symbol, _) | Node::Is(symbol, _) = node {
                out.push(*symbol);
            }
        });
    }

    /// Whether a variable occurs in a term. A variable is never bound inside of where it is bound already.
    pub fn occurs(&self, variable: Term, term: Term) -> bool {
        let mut found = false;
        self.0.borrow().each(term, &mut Seen::default(), |part, _| found |= part == variable);
        found
    }

    /// The parts of a conjunction, or the term itself.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        match self.0.borrow().node(term) {
            Node::Op(Op::And, parts) => parts.to_vec(),
            _ => vec![term],
        }
    }

    pub fn is_numeral(&self, term: Term) -> bool {
        matches!(self.0.borrow().node(term), Node::Numeral(_))
    }

    /// The term with other terms in the place of constants. A variable in one of them must not be bound in the term.
    pub fn replace(&self, term: Term, constants: &HashMap<Symbol, Term>) -> Term {
        let mut parts = Vec::new();
        self.0.borrow().each(term, &mut Seen::default(), |part, _| parts.push(part));
        // Parts come before what they are part of.
        parts.sort_unstable();
        let mut made: HashMap<Term, Term> = HashMap::new();
        for part in parts {
            let of = |t: &Term| made.get(t).copied().unwrap_or(*t);
            let all = |parts: &[Term]| parts.iter().map(of).collect::<Box<[Term]>>();
            let node = match self.0.borrow().node(part) {
                Node::Apply(symbol, parts) if parts.is_empty() && constants.contains_key(symbol) => {
                    made.insert(part, constants[symbol]);
                    continue;
                }
                Node::Op(op, parts) => Node::Op(*op, all(parts)),
                Node::Apply(symbol, parts) => Node::Apply(*symbol, all(parts)),
                Node::Is(symbol, inner) => Node::Is(*symbol, of(inner)),
                Node::Let(variable, value, body) => Node::Let(*variable, of(value), of(body)),
                Node::Forall(variables, pattern, body) => Node::Forall(variables.clone(), all(pattern), of(body)),
                Node::Bool(_) | Node::Numeral(_) | Node::Text(_) | Node::Variable(..) => continue,
            };
            made.insert(part, self.make(node));
        }
        made.get(&term).copied().unwrap_or(term)
    }
}
