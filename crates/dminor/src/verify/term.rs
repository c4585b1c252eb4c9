//! The terms that conditions are made of: those of SMT-LIB over the symbols of `prelude.smt2`, and values of which the sort is known.
//!
//! A [`Val`] is a term of sort Value together with what is known of its sort, so that an operation on a number that was just computed
//! needs no test at all.

use smt::term::{Op, Store, Symbol};
use std::ops::Deref;

pub use smt::term::Term;

/// A term of sort Bool.
pub type Formula = Term;

/// Terms over the prelude.
pub struct Terms {
    store: Store,
    pub value: smt::term::Sort,
    pub bag: smt::term::Sort,
    /// The value null.
    pub null: Term,
    /// The empty bag, and the empty entity.
    pub bempty: Term,
    pub eempty: Term,
    /// By [`Sort`].
    constructors: [Symbol; 5],
    selectors: [Symbol; 5],
    has: Symbol,
    dot: Symbol,
    upd: Symbol,
    add: Symbol,
    rem: Symbol,
    union: Symbol,
    card: Symbol,
    mem: Symbol,
    arr: Symbol,
}

impl Deref for Terms {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Default for Terms {
    fn default() -> Terms {
        let store = Store::default();
        let (int, bool) = (smt::term::Sort::INT, smt::term::Sort::BOOL);
        let [value, bag, ent] = ["Value", "Bag", "Ent"].map(|name| store.sort(name));
        let payloads = [int, bool, smt::term::Sort::TEXT, bag, ent];
        let constructors = ["VInt", "VBool", "VText", "VColl", "VEnt"];
        let selectors = ["ival", "bval", "tval", "cval", "eval"];
        let constant = |name: &str, sort| store.apply(store.declare(name, &[], sort), &[]);
        Terms {
            value,
            bag,
            null: constant("VNull", value),
            bempty: constant("bempty", bag),
            eempty: constant("eempty", ent),
            constructors: std::array::from_fn(|k| store.declare(constructors[k], &[payloads[k]], value)),
            selectors: std::array::from_fn(|k| store.declare(selectors[k], &[value], payloads[k])),
            has: store.declare("has", &[ent, int], bool),
            dot: store.declare("dot", &[ent, int], value),
            upd: store.declare("upd", &[ent, int, value], ent),
            add: store.declare("add", &[value, bag], bag),
            rem: store.declare("rem", &[bag, value], bag),
            union: store.declare("bunion", &[bag, bag], bag),
            card: store.declare("card", &[bag], int),
            mem: store.declare("mem", &[value, bag], bool),
            arr: store.declare("arr", &[bag], store.array(value, int)),
            store,
        }
    }
}

impl Terms {
    pub fn number(&self, n: usize) -> Term {
        self.numeral(&n.to_string())
    }

    /// Whether an entity has a field, by the number of its label.
    pub fn has(&self, ent: Term, label: Term) -> Formula {
        self.apply(self.has, &[ent, label])
    }

    /// The field of an entity.
    pub fn dot(&self, ent: Term, label: Term) -> Term {
        self.apply(self.dot, &[ent, label])
    }

    /// The entity with a field.
    pub fn upd(&self, ent: Term, label: Term, value: Term) -> Term {
        self.apply(self.upd, &[ent, label, value])
    }

    /// The bag with one more member.
    pub fn add(&self, value: Term, bag: Term) -> Term {
        self.apply(self.add, &[value, bag])
    }

    /// The bag without an occurrence of a member.
    pub fn rem(&self, bag: Term, value: Term) -> Term {
        self.apply(self.rem, &[bag, value])
    }

    pub fn union(&self, a: Term, b: Term) -> Term {
        self.apply(self.union, &[a, b])
    }

    /// How many members there are.
    pub fn card(&self, bag: Term) -> Term {
        self.apply(self.card, &[bag])
    }

    /// A member of a bag.
    pub fn mem(&self, value: Term, bag: Term) -> Formula {
        self.apply(self.mem, &[value, bag])
    }

    /// How often a value is in a bag, as it is in patterns.
    pub fn count(&self, bag: Term, value: Term) -> Term {
        self.op(Op::Select, &[self.apply(self.arr, &[bag]), value])
    }

    /// `forall m in bag. f(m)`
    pub fn all_members(&self, bag: Term, m: Term, f: Formula) -> Formula {
        self.forall(&[m], &[self.count(bag, m)], self.op(Op::Implies, &[self.mem(m, bag), f]))
    }
}

/// A value, and what is known of its sort: the payload of each constructor, or a term of sort Value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Val {
    Null,
    Int(Term),
    Bool(Formula),
    Text(Term),
    Coll(Term),
    Ent(Term),
    Any(Term),
}

/// The sorts of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Int,
    Bool,
    Text,
    Coll,
    Ent,
}

impl Sort {
    pub fn of(self, payload: Term) -> Val {
        match self {
            Sort::Int => Val::Int(payload),
            Sort::Bool => Val::Bool(payload),
            Sort::Text => Val::Text(payload),
            Sort::Coll => Val::Coll(payload),
            Sort::Ent => Val::Ent(payload),
        }
    }
}

impl Val {
    /// What is known of the sort; none for null, and if nothing is.
    pub fn sort(self) -> Option<Sort> {
        self.known().map(|(sort, _)| sort)
    }

    /// The sort and the payload, if they are known.
    fn known(self) -> Option<(Sort, Term)> {
        match self {
            Val::Int(p) => Some((Sort::Int, p)),
            Val::Bool(p) => Some((Sort::Bool, p)),
            Val::Text(p) => Some((Sort::Text, p)),
            Val::Coll(p) => Some((Sort::Coll, p)),
            Val::Ent(p) => Some((Sort::Ent, p)),
            Val::Null | Val::Any(_) => None,
        }
    }

    /// The payload if the sort is known, a term of sort Value if not.
    pub fn bare(self, t: &Terms) -> Term {
        self.known().map_or_else(|| self.term(t), |(_, payload)| payload)
    }

    /// Another term in the place of [`Val::bare`].
    pub fn with(self, bare: Term) -> Val {
        self.sort().map_or(Val::Any(bare), |sort| sort.of(bare))
    }

    /// As a term of sort Value.
    pub fn term(self, t: &Terms) -> Term {
        match (self, self.known()) {
            (Val::Any(term), _) => term,
            (_, Some((sort, payload))) => t.apply(t.constructors[sort as usize], &[payload]),
            _ => t.null,
        }
    }

    pub fn is(self, sort: Sort, t: &Terms) -> Formula {
        match self {
            Val::Any(term) => t.is_made_by(t.constructors[sort as usize], term),
            _ => t.truth(self.sort() == Some(sort)),
        }
    }

    pub fn is_null(self, t: &Terms) -> Formula {
        match self {
            Val::Any(term) => t.eq(term, t.null),
            _ => t.truth(self == Val::Null),
        }
    }

    /// The payload, if it is of the sort; something of that type if not.
    pub fn payload(self, sort: Sort, t: &Terms) -> Term {
        match self.known() {
            Some((known, payload)) if known == sort => payload,
            _ => t.apply(t.selectors[sort as usize], &[self.term(t)]),
        }
    }

    /// Whether it is `true`.
    pub fn truth(self, t: &Terms) -> Formula {
        match self {
            Val::Bool(f) => f,
            Val::Any(term) => t.eq(term, Val::Bool(Term::TRUE).term(t)),
            _ => Term::FALSE,
        }
    }

    pub fn equals(self, other: Val, t: &Terms) -> Formula {
        match (self.known(), other.known()) {
            _ if matches!(self, Val::Any(_)) || matches!(other, Val::Any(_)) => t.eq(self.term(t), other.term(t)),
            (Some((a, x)), Some((b, y))) if a == b => t.eq(x, y),
            (a, b) => t.truth(a.is_none() && b.is_none()),
        }
    }

    /// One or the other.
    pub fn choice(c: Formula, a: Val, b: Val, t: &Terms) -> Val {
        match c {
            Term::TRUE => a,
            Term::FALSE => b,
            _ if a == b => a,
            _ if a.sort().is_some() && a.sort() == b.sort() => a.with(t.ite(c, a.bare(t), b.bare(t))),
            _ => Val::Any(t.ite(c, a.term(t), b.term(t))),
        }
    }

    /// How long its text is.
    pub fn len(self, t: &Terms) -> usize {
        t.len(self.bare(t))
    }
}
