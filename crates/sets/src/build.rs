//! Constructors. With `smart_constructors` they are the peephole transformations of section 4; without, they build what they are reported
//! (nodes are still shared, which is not seen from outside). Factoring is its own option.
//!
//! Kept: every constructor's result is equivalent to the plain node. The operands of a commutative node are in the order of their
//! handles, which is about the order they were first written in.

use crate::store::{Compare, Formula, Node, Store, Term, TermNode, Var};

impl Store {
    fn is_smart(&self) -> bool {
        self.options.smart_constructors
    }

    pub fn empty(&mut self) -> Term {
        self.intern_term(TermNode::Empty)
    }

    pub fn set(&mut self, var: Var) -> Term {
        self.intern_term(TermNode::Var(var))
    }

    /// The empty set, of nothing.
    pub fn union(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        let mut parts: Vec<Term> = parts.into_iter().collect();
        if self.is_smart() {
            let mut flat = Vec::with_capacity(parts.len());
            for part in parts {
                match self.term(part) {
                    TermNode::Empty => {}
                    TermNode::Union(inner) => flat.extend_from_slice(inner),
                    _ => flat.push(part),
                }
            }
            flat.sort_unstable();
            flat.dedup();
            parts = flat;
        }
        match parts[..] {
            [] => self.empty(),
            [only] => only,
            _ => self.intern_term(TermNode::Union(parts.into())),
        }
    }

    /// The empty set, of nothing: there is no universal set.
    pub fn inter(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        let mut parts: Vec<Term> = parts.into_iter().collect();
        if self.is_smart() {
            let mut flat = Vec::with_capacity(parts.len());
            for part in parts {
                match self.term(part) {
                    TermNode::Empty => return part,
                    TermNode::Inter(inner) => flat.extend_from_slice(inner),
                    _ => flat.push(part),
                }
            }
            flat.sort_unstable();
            flat.dedup();
            parts = flat;
        }
        match parts[..] {
            [] => self.empty(),
            [only] => only,
            _ => self.intern_term(TermNode::Inter(parts.into())),
        }
    }

    pub fn diff(&mut self, a: Term, b: Term) -> Term {
        if self.is_smart() {
            if self.is_below(a, b) {
                return self.empty();
            }
            if *self.term(b) == TermNode::Empty {
                return a;
            }
        }
        self.intern_term(TermNode::Diff(a, b))
    }

    /// Whether `a` is a subset of `b` whatever the variables are; found by looking, so `false` says nothing.
    fn is_below(&self, a: Term, b: Term) -> bool {
        a == b
            || *self.term(a) == TermNode::Empty
            || matches!(self.term(b), TermNode::Union(parts) if parts.contains(&a))
            || matches!(self.term(a), TermNode::Inter(parts) if parts.contains(&b))
            || matches!(self.term(a), TermNode::Diff(whole, _) if *whole == b)
    }

    pub fn truth(&mut self, value: bool) -> Formula {
        self.intern(if value { Node::True } else { Node::False })
    }

    pub fn boolean(&mut self, var: Var) -> Formula {
        self.intern(Node::Bool(var))
    }

    pub fn equal(&mut self, a: Term, b: Term) -> Formula {
        if !self.is_smart() {
            return self.intern(Node::Equal(a, b));
        }
        if a == b {
            return self.truth(true);
        }
        // A variable first, the empty set last.
        let rank = |t: Term| match self.term(t) {
            TermNode::Var(_) => 0,
            TermNode::Empty => 2,
            _ => 1,
        };
        let (a, b) = if (rank(a), a) <= (rank(b), b) { (a, b) } else { (b, a) };
        self.intern(Node::Equal(a, b))
    }

    pub fn not_equal(&mut self, a: Term, b: Term) -> Formula {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    pub fn subset(&mut self, a: Term, b: Term) -> Formula {
        if self.is_smart() {
            if self.is_below(a, b) {
                return self.truth(true);
            }
            if *self.term(b) == TermNode::Empty {
                return self.equal(a, b);
            }
        }
        self.intern(Node::Subset(a, b))
    }

    pub fn card(&mut self, t: Term, compare: Compare, count: u32) -> Formula {
        if self.is_smart() {
            if *self.term(t) == TermNode::Empty {
                return self.truth(compare == Compare::AtMost || count == 0);
            }
            match (compare, count) {
                (Compare::AtLeast, 0) => return self.truth(true),
                (Compare::AtLeast, 1) => {
                    let empty = self.empty();
                    return self.not_equal(t, empty);
                }
                (_, 0) => {
                    let empty = self.empty();
                    return self.equal(t, empty);
                }
                _ => {}
            }
        }
        self.intern(Node::Card(t, compare, count))
    }

    /// Pairwise.
    pub fn disjoint(&mut self, parts: impl IntoIterator<Item = Term>) -> Formula {
        let mut parts: Vec<Term> = parts.into_iter().collect();
        if !self.is_smart() {
            return self.intern(Node::Disjoint(parts.into()));
        }
        parts.retain(|&part| *self.term(part) != TermNode::Empty);
        parts.sort_unstable();
        let twice: Vec<Term> = parts.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        if !twice.is_empty() {
            let empty = self.empty();
            parts.retain(|part| !twice.contains(part));
            let mut all: Vec<Formula> = twice.into_iter().map(|part| self.equal(part, empty)).collect();
            all.push(self.disjoint(parts));
            return self.and(all);
        }
        if parts.len() < 2 {
            return self.truth(true);
        }
        self.intern(Node::Disjoint(parts.into()))
    }

    pub fn not(&mut self, f: Formula) -> Formula {
        if self.is_smart() {
            match *self.node(f) {
                Node::True => return self.truth(false),
                Node::False => return self.truth(true),
                Node::Not(inner) => return inner,
                _ => {}
            }
        }
        self.intern(Node::Not(f))
    }

    pub fn and(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut parts: Vec<Formula> = parts.into_iter().collect();
        if self.is_smart() {
            match self.flat(&parts, true) {
                Some(flat) => parts = flat,
                None => return self.truth(false),
            }
        }
        match parts[..] {
            [] => self.truth(true),
            [only] => only,
            _ => self.intern(Node::And(parts.into())),
        }
    }

    pub fn or(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut parts: Vec<Formula> = parts.into_iter().collect();
        if self.is_smart() {
            match self.flat(&parts, false) {
                Some(flat) => parts = flat,
                None => return self.truth(true),
            }
        }
        match parts[..] {
            [] => return self.truth(false),
            [only] => return only,
            _ => {}
        }
        if self.options.factoring
            && let Some(factored) = self.factored(&parts)
        {
            return factored;
        }
        self.intern(Node::Or(parts.into()))
    }

    /// The operands of a conjunction (or disjunction), flat, in order, each once; `None` if one of them settles it.
    fn flat(&self, parts: &[Formula], is_and: bool) -> Option<Vec<Formula>> {
        let mut flat = Vec::with_capacity(parts.len());
        for &part in parts {
            match (self.node(part), is_and) {
                (Node::True, true) | (Node::False, false) => {}
                (Node::False, true) | (Node::True, false) => return None,
                (Node::And(inner), true) | (Node::Or(inner), false) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradicts = |f: &Formula| matches!(self.node(*f), Node::Not(g) if flat.binary_search(g).is_ok());
        (!flat.iter().any(contradicts)).then_some(flat)
    }

    /// The conjuncts all disjuncts share, outside of the disjunction of the rests; `None` if they share none.
    fn factored(&mut self, parts: &[Formula]) -> Option<Formula> {
        let mut lists: Vec<Vec<Formula>> = parts.iter().map(|&part| self.conjuncts(part)).collect();
        lists.iter_mut().for_each(|list| list.sort_unstable());
        let (first, others) = lists.split_first()?;
        let is_shared = |f: &Formula| others.iter().all(|list| list.binary_search(f).is_ok());
        let mut shared: Vec<Formula> = first.iter().copied().filter(is_shared).collect();
        shared.dedup();
        if shared.is_empty() {
            return None;
        }
        let mut rests = Vec::with_capacity(lists.len());
        for mut list in lists {
            list.retain(|f| shared.binary_search(f).is_err());
            if list.is_empty() {
                // A disjunct that is no more than what is shared: the others say nothing beyond it.
                return Some(self.and(shared));
            }
            rests.push(self.and(list));
        }
        let rest = self.or(rests);
        Some(self.and(shared.into_iter().chain([rest])))
    }

    pub fn implies(&mut self, a: Formula, b: Formula) -> Formula {
        if self.is_smart() {
            match (self.node(a), self.node(b)) {
                (Node::True, _) => return b,
                (Node::False, _) | (_, Node::True) => return self.truth(true),
                (_, Node::False) => return self.not(a),
                _ if a == b => return self.truth(true),
                _ => {}
            }
        }
        self.intern(Node::Implies(a, b))
    }

    pub fn iff(&mut self, a: Formula, b: Formula) -> Formula {
        if !self.is_smart() {
            return self.intern(Node::Iff(a, b));
        }
        if a == b {
            return self.truth(true);
        }
        match (self.node(a), self.node(b)) {
            (Node::True, _) => return b,
            (_, Node::True) => return a,
            (Node::False, _) => return self.not(b),
            (_, Node::False) => return self.not(a),
            (Node::Not(inner), _) if *inner == b => return self.truth(false),
            (_, Node::Not(inner)) if *inner == a => return self.truth(false),
            _ => {}
        }
        let rank = |f: Formula| !matches!(self.node(f), Node::Bool(_));
        let (a, b) = if (rank(a), a) <= (rank(b), b) { (a, b) } else { (b, a) };
        self.intern(Node::Iff(a, b))
    }

    pub fn exists(&mut self, vars: &[Var], f: Formula) -> Formula {
        self.quantifier(vars, f, true)
    }

    pub fn forall(&mut self, vars: &[Var], f: Formula) -> Formula {
        self.quantifier(vars, f, false)
    }

    pub(crate) fn quantifier(&mut self, vars: &[Var], f: Formula, is_exists: bool) -> Formula {
        let (mut vars, mut body) = (vars.to_vec(), f);
        if self.is_smart() {
            vars.retain(|&var| self.is_free(var, f));
            match (self.node(f), is_exists) {
                (Node::Exists(inner, below), true) | (Node::Forall(inner, below), false) if !vars.is_empty() => {
                    vars.extend_from_slice(inner);
                    body = *below;
                }
                _ => {}
            }
            vars.sort_unstable();
            vars.dedup();
        }
        match (vars.is_empty(), is_exists) {
            (true, _) => body,
            (false, true) => self.intern(Node::Exists(vars.into(), body)),
            (false, false) => self.intern(Node::Forall(vars.into(), body)),
        }
    }

    /// The top-level conjuncts, in the order they are written.
    pub fn conjuncts(&self, f: Formula) -> Vec<Formula> {
        let mut out = Vec::new();
        let mut stack = vec![f];
        while let Some(f) = stack.pop() {
            match self.node(f) {
                Node::And(parts) => stack.extend(parts.iter().rev()),
                _ => out.push(f),
            }
        }
        out
    }
}
