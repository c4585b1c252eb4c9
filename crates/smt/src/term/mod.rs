//! Terms and formulas of SMT-LIB: typed, and each there only once.
//!
//! A [`Store`] holds terms; equal terms are the same [`Term`], so that comparing is comparing numbers. Parts come before what they are part of,
//! so nothing here recurses, however deep a term is. `build` has the constructors that simplify, `walk` looks into terms, `print` writes them.
//!
//! Every term has a sort, and its parts fit: what does not is a mistake of ours, caught by a debug assertion.

mod build;
mod print;
mod walk;

pub use walk::Seen;

use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Of one store; it means nothing in another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    pub const TRUE: Term = Term(0);
    pub const FALSE: Term = Term(1);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sort(u32);

impl Sort {
    pub const BOOL: Sort = Sort(0);
    pub const INT: Sort = Sort(1);
    pub const TEXT: Sort = Sort(2);
}

/// A function or a constant that is declared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(u32);

/// What SMT-LIB has by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    And,
    Or,
    Not,
    Implies,
    Ite,
    Equal,
    Less,
    Greater,
    AtMost,
    AtLeast,
    Add,
    Subtract,
    Negate,
    Multiply,
    Divide,
    Select,
}

/// A term by its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Bool(bool),
    /// Decimal digits.
    Numeral(Box<str>),
    Text(Box<str>),
    /// To be bound by a quantifier or a `let`. Its name and its sort tell it from others.
    Variable(Box<str>, Sort),
    Op(Op, Box<[Term]>),
    Apply(Symbol, Box<[Term]>),
    /// Whether a value of a datatype was made by this constructor.
    Is(Symbol, Term),
    /// A variable, its value, and where it is bound.
    Let(Term, Term, Term),
    /// Variables, the pattern that makes instances, and the formula.
    Forall(Box<[Term]>, Box<[Term]>, Term),
}

struct Declared {
    name: String,
    parameters: Vec<Sort>,
    result: Sort,
}

struct SortInfo {
    name: String,
    /// Of an array: index and element.
    array: Option<(Sort, Sort)>,
}

/// What is known of a term beside its parts.
#[derive(Clone, Copy)]
struct Info {
    sort: Sort,
    /// Bytes of its text.
    len: usize,
}

#[derive(Default)]
struct Inner {
    nodes: Vec<Node>,
    infos: Vec<Info>,
    terms: FxHashMap<Node, Term>,
    symbols: Vec<Declared>,
    by_name: FxHashMap<String, Symbol>,
    sorts: Vec<SortInfo>,
    /// Texts of what was asserted.
    asserted: FxHashMap<Term, Box<str>>,
}

/// Many terms. It grows through a shared reference, so that one term may be built while another is.
pub struct Store(RefCell<Inner>);

impl Default for Store {
    fn default() -> Store {
        let store = Store(RefCell::default());
        for name in ["Bool", "Int", "String"] {
            store.sort(name);
        }
        for truth in [true, false] {
            store.make(Node::Bool(truth));
        }
        store
    }
}

impl Inner {
    fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    fn info(&self, term: Term) -> Info {
        self.infos[term.0 as usize]
    }

    fn symbol(&self, symbol: Symbol) -> &Declared {
        &self.symbols[symbol.0 as usize]
    }

    fn sort(&self, sort: Sort) -> &SortInfo {
        &self.sorts[sort.0 as usize]
    }

    fn sort_of(&self, term: Term) -> Sort {
        self.info(term).sort
    }

    /// The sort of a term with these parts; none if they do not fit.
    fn result(&self, node: &Node) -> Option<Sort> {
        let is = |term: Term, sort: Sort| self.sort_of(term) == sort;
        match node {
            Node::Bool(_) => Some(Sort::BOOL),
            Node::Numeral(digits) => {
                (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(Sort::INT)
            }
            Node::Text(_) => Some(Sort::TEXT),
            Node::Variable(_, sort) => Some(*sort),
            Node::Op(op, parts) => self.result_of(*op, parts),
            Node::Apply(symbol, parts) => {
                let Declared { parameters, result, .. } = self.symbol(*symbol);
                let fits = parts.len() == parameters.len() && parts.iter().zip(parameters).all(|(t, s)| is(*t, *s));
                fits.then_some(*result)
            }
            Node::Is(constructor, term) => is(*term, self.symbol(*constructor).result).then_some(Sort::BOOL),
            Node::Let(variable, value, body) => {
                let fits = matches!(self.node(*variable), Node::Variable(_, sort) if is(*value, *sort));
                fits.then(|| self.sort_of(*body))
            }
            Node::Forall(variables, _, body) => {
                let are_variables = variables.iter().all(|v| matches!(self.node(*v), Node::Variable(..)));
                (are_variables && is(*body, Sort::BOOL)).then_some(Sort::BOOL)
            }
        }
    }

    fn result_of(&self, op: Op, parts: &[Term]) -> Option<Sort> {
        let all = |sort: Sort| parts.iter().all(|t| self.sort_of(*t) == sort);
        let (fits, result) = match (op, parts) {
            (Op::And | Op::Or, [_, _, ..]) | (Op::Not, [_]) | (Op::Implies, [_, _]) => (all(Sort::BOOL), Sort::BOOL),
            (Op::Ite, [c, a, b]) => {
                let sort = self.sort_of(*a);
                (self.sort_of(*c) == Sort::BOOL && self.sort_of(*b) == sort, sort)
            }
            (Op::Equal, [a, b]) => (self.sort_of(*a) == self.sort_of(*b), Sort::BOOL),
            (Op::Less | Op::Greater | Op::AtMost | Op::AtLeast, [_, _]) => (all(Sort::INT), Sort::BOOL),
            (Op::Add | Op::Subtract | Op::Multiply | Op::Divide, [_, _]) | (Op::Negate, [_]) => {
                (all(Sort::INT), Sort::INT)
            }
            (Op::Select, [array, index]) => {
                let (from, to) = self.sort(self.sort_of(*array)).array?;
                (self.sort_of(*index) == from, to)
            }
            _ => return None,
        };
        fits.then_some(result)
    }
}

impl Store {
    /// The term of these parts: an old one if there is one.
    fn make(&self, node: Node) -> Term {
        let mut inner = self.0.borrow_mut();
        if let Some(term) = inner.terms.get(&node) {
            return *term;
        }
        let sort = inner.result(&node);
        debug_assert!(sort.is_some(), "the parts do not fit: {node:?}");
        let info = Info { sort: sort.unwrap_or(Sort::BOOL), len: inner.length(&node) };
        let term = Term(inner.nodes.len() as u32);
        inner.nodes.push(node.clone());
        inner.infos.push(info);
        inner.terms.insert(node, term);
        term
    }

    /// The sort of this name.
    pub fn sort(&self, name: &str) -> Sort {
        self.0.borrow_mut().sort_called(name.to_string(), None)
    }

    pub fn array(&self, index: Sort, element: Sort) -> Sort {
        let mut inner = self.0.borrow_mut();
        let name = format!("(Array {} {})", inner.sort(index).name, inner.sort(element).name);
        inner.sort_called(name, Some((index, element)))
    }

    pub fn sort_of(&self, term: Term) -> Sort {
        self.0.borrow().sort_of(term)
    }

    /// How many bytes the text of a term has.
    pub fn len(&self, term: Term) -> usize {
        self.0.borrow().info(term).len
    }

    /// The symbol of this name, declared if there is none.
    pub fn declare(&self, name: &str, parameters: &[Sort], result: Sort) -> Symbol {
        let mut inner = self.0.borrow_mut();
        if let Some(known) = inner.by_name.get(name) {
            let Declared { parameters: of, result: to, .. } = inner.symbol(*known);
            debug_assert!(of == parameters && *to == result, "`{name}` is declared twice");
            return *known;
        }
        let symbol = Symbol(inner.symbols.len() as u32);
        inner.symbols.push(Declared { name: name.to_string(), parameters: parameters.to_vec(), result });
        inner.by_name.insert(name.to_string(), symbol);
        symbol
    }

    pub fn name(&self, symbol: Symbol) -> String {
        self.0.borrow().symbol(symbol).name.clone()
    }

    /// The sort of what a symbol gives.
    pub fn result(&self, symbol: Symbol) -> Sort {
        self.0.borrow().symbol(symbol).result
    }
}

impl Inner {
    fn sort_called(&mut self, name: String, array: Option<(Sort, Sort)>) -> Sort {
        let known = self.sorts.iter().position(|s| s.name == name);
        let at = known.unwrap_or_else(|| {
            self.sorts.push(SortInfo { name, array });
            self.sorts.len() - 1
        });
        Sort(at as u32)
    }
}
