//! Properties of terms: each is there once, has the sort that its text has, and reads back as itself.

use proptest::prelude::*;
use smt::term::{Op, Seen, Sort, Store, Symbol, Term};
use smt::{Sexpr, parse};
use std::collections::HashMap;

/// A store with some symbols.
struct World {
    store: Store,
    thing: Sort,
    array: Sort,
    symbols: Vec<(&'static str, Symbol, Vec<Sort>, Sort)>,
}

impl World {
    fn new() -> World {
        let store = Store::default();
        let thing = store.sort("Thing");
        let array = store.array(thing, Sort::INT);
        let (int, text, bool) = (Sort::INT, Sort::TEXT, Sort::BOOL);
        let declared = [
            ("a", vec![], thing),
            ("n", vec![], int),
            ("s", vec![], text),
            ("p", vec![], bool),
            ("all", vec![], array),
            ("Made", vec![int], thing),
            ("size", vec![thing], int),
            ("f", vec![thing, text], thing),
            ("holds", vec![int, thing], bool),
            ("spell", vec![int], text),
            ("put", vec![array, thing], array),
        ];
        let symbols = declared.map(|(name, from, to)| (name, store.declare(name, &from, to), from, to)).to_vec();
        World { store, thing, array, symbols }
    }

    fn symbol(&self, name: &str) -> Option<(Symbol, Sort)> {
        self.symbols.iter().find(|s| s.0 == name).map(|s| (s.1, s.3))
    }

    /// A term of this sort, by choices; leaves when they are used up.
    fn term(&self, sort: Sort, choices: &mut std::slice::Iter<u8>, bound: &[Term]) -> Term {
        let t = &self.store;
        let Some(choice) = choices.next().copied() else { return self.leaf(sort, 0, bound) };
        let mut part = |sort: Sort| self.term(sort, choices, bound);
        match (choice % 16, sort) {
            (0..4, _) => self.leaf(sort, choice / 16, bound),
            (4, _) => t.ite(part(Sort::BOOL), part(sort), part(sort)),
            (5, _) => {
                let of = [Sort::INT, self.thing][usize::from(choice / 16) % 2];
                let value = part(of);
                let variable = t.variable(&format!("l{}", bound.len()), of);
                let inner = [bound, &[variable]].concat();
                t.let_in(variable, value, self.term(sort, choices, &inner))
            }
            (6..8, Sort::INT) => {
                let op = [Op::Add, Op::Subtract, Op::Multiply, Op::Divide][usize::from(choice / 16) % 4];
                t.op(op, &[part(Sort::INT), part(Sort::INT)])
            }
            (8, Sort::INT) => t.op(Op::Negate, &[part(Sort::INT)]),
            (9, Sort::INT) => t.op(Op::Select, &[part(self.array), part(self.thing)]),
            (6, Sort::BOOL) => t.and([part(Sort::BOOL), part(Sort::BOOL), part(Sort::BOOL)]),
            (7, Sort::BOOL) => t.or([part(Sort::BOOL), part(Sort::BOOL)]),
            (8, Sort::BOOL) => t.not(part(Sort::BOOL)),
            (9, Sort::BOOL) => t.implies(part(Sort::BOOL), part(Sort::BOOL)),
            (10, Sort::BOOL) => {
                let of = [Sort::INT, Sort::TEXT, Sort::BOOL, self.thing, self.array][usize::from(choice / 16) % 5];
                t.eq(part(of), part(of))
            }
            (11, Sort::BOOL) => {
                let op = [Op::Less, Op::Greater, Op::AtMost, Op::AtLeast][usize::from(choice / 16) % 4];
                t.op(op, &[part(Sort::INT), part(Sort::INT)])
            }
            (12, Sort::BOOL) => {
                let made = self.symbols[5].1;
                t.is_made_by(made, part(self.thing))
            }
            (13, Sort::BOOL) => {
                let variable =
                    t.variable(&format!("q{}", bound.len()), [Sort::INT, self.thing][usize::from(choice / 16) % 2]);
                let inner = [bound, &[variable]].concat();
                let pattern = [self.term(Sort::BOOL, choices, &inner), variable];
                t.forall(&[variable], &pattern[usize::from(choice / 32) % 2..], self.term(Sort::BOOL, choices, &inner))
            }
            _ => {
                let fit: Vec<_> = self.symbols.iter().filter(|s| s.3 == sort && !s.2.is_empty()).collect();
                let (_, symbol, from, _) = fit[usize::from(choice / 16) % fit.len()];
                let parts: Vec<Term> = from.iter().map(|sort| part(*sort)).collect();
                t.apply(*symbol, &parts)
            }
        }
    }

    fn leaf(&self, sort: Sort, choice: u8, bound: &[Term]) -> Term {
        let t = &self.store;
        let near: Vec<Term> = bound.iter().copied().filter(|v| t.sort_of(*v) == sort).collect();
        match sort {
            _ if choice % 2 == 1 && !near.is_empty() => near[usize::from(choice) % near.len()],
            Sort::INT if choice.is_multiple_of(4) => t.numeral(&(u64::from(choice) * 12_345_678_901).to_string()),
            Sort::TEXT if choice.is_multiple_of(4) => {
                t.text(["", "(a b)", "a\"b", "\\u{41}", "é\n|;"][usize::from(choice) % 5])
            }
            Sort::BOOL if choice.is_multiple_of(4) => t.truth(choice.is_multiple_of(8)),
            _ => {
                let fit = self.symbols.iter().find(|s| s.3 == sort && s.2.is_empty());
                t.apply(fit.expect("a constant of each sort").1, &[])
            }
        }
    }

    /// The sort of this name.
    fn sort(&self, text: &Sexpr) -> Sort {
        match text {
            Sexpr::Atom(name) => self.store.sort(name),
            _ => self.array,
        }
    }

    /// Reads a term, without simplification; gives the sort by the signatures alone.
    fn read(&self, text: &Sexpr, bound: &mut HashMap<String, Sort>) -> (Term, Sort) {
        let t = &self.store;
        match text {
            Sexpr::Text(text) => (t.text(text), Sort::TEXT),
            Sexpr::Atom(atom) if atom == "true" || atom == "false" => (t.truth(atom == "true"), Sort::BOOL),
            Sexpr::Atom(atom) if atom.starts_with(|c: char| c.is_ascii_digit()) => (t.numeral(atom), Sort::INT),
            Sexpr::Atom(atom) => match bound.get(atom) {
                Some(sort) => (t.variable(atom, *sort), *sort),
                None => {
                    let (symbol, sort) = self.symbol(atom).expect("a declared constant");
                    (t.apply(symbol, &[]), sort)
                }
            },
            Sexpr::List(list) => self.read_list(list, bound),
        }
    }

    fn read_list(&self, list: &[Sexpr], bound: &mut HashMap<String, Sort>) -> (Term, Sort) {
        let t = &self.store;
        match (list[0].atom(), &list[1..]) {
            (Some("let"), [Sexpr::List(bindings), body]) => {
                let [name, value] = bindings[0].list().expect("a binding") else { panic!("{bindings:?}") };
                let (value, sort) = self.read(value, bound);
                let name = name.atom().expect("a name");
                bound.insert(name.to_string(), sort);
                let (body, of) = self.read(body, bound);
                (t.let_in(t.variable(name, sort), value, body), of)
            }
            (Some("forall"), [Sexpr::List(variables), Sexpr::List(body)]) => {
                let variables: Vec<Term> = variables
                    .iter()
                    .map(|v| {
                        let [name, sort] = v.list().expect("a variable") else { panic!("{v:?}") };
                        let (name, sort) = (name.atom().expect("a name"), self.sort(sort));
                        bound.insert(name.to_string(), sort);
                        t.variable(name, sort)
                    })
                    .collect();
                let (f, sort) = self.read(&body[1], bound);
                let pattern = body[3].list().expect("a pattern");
                let pattern: Vec<Term> = pattern.iter().map(|p| self.read(p, bound).0).collect();
                assert_eq!((body[0].atom(), body[2].atom(), sort), (Some("!"), Some(":pattern"), Sort::BOOL));
                (t.forall(&variables, &pattern, f), Sort::BOOL)
            }
            (None, [of]) => {
                let [_, _, constructor] = list[0].list().expect("(_ is C)") else { panic!("{list:?}") };
                let (symbol, _) = self.symbol(constructor.atom().expect("a name")).expect("a constructor");
                (t.is_made_by(symbol, self.read(of, bound).0), Sort::BOOL)
            }
            (Some(head), parts) => {
                let (terms, sorts): (Vec<Term>, Vec<Sort>) = parts.iter().map(|p| self.read(p, bound)).unzip();
                let Some(op) = op(head, parts.len()) else {
                    let (_, symbol, from, to) = self.symbols.iter().find(|s| s.0 == head).expect("a declared function");
                    assert_eq!(*from, sorts);
                    return (t.apply(*symbol, &terms), *to);
                };
                let sort = match op {
                    Op::Ite => sorts[1],
                    Op::Select | Op::Add | Op::Subtract | Op::Negate | Op::Multiply | Op::Divide => Sort::INT,
                    _ => Sort::BOOL,
                };
                (t.op(op, &terms), sort)
            }
            (None, _) => panic!("{list:?}"),
        }
    }
}

fn op(name: &str, parts: usize) -> Option<Op> {
    Some(match name {
        "and" => Op::And,
        "or" => Op::Or,
        "not" => Op::Not,
        "=>" => Op::Implies,
        "ite" => Op::Ite,
        "=" => Op::Equal,
        "<" => Op::Less,
        ">" => Op::Greater,
        "<=" => Op::AtMost,
        ">=" => Op::AtLeast,
        "+" => Op::Add,
        "-" if parts == 1 => Op::Negate,
        "-" => Op::Subtract,
        "*" => Op::Multiply,
        "div" => Op::Divide,
        "select" => Op::Select,
        _ => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The text of a term reads back as the very same term, of the same sort, and is as long as was said before.
    #[test]
    fn terms_read_back(choices in prop::collection::vec(any::<u8>(), 0..120), sort in 0..5usize) {
        let world = World::new();
        let sort = [Sort::BOOL, Sort::INT, Sort::TEXT, world.thing, world.array][sort];
        let term = world.term(sort, &mut choices.iter(), &[]);
        let text = world.store.printed(term);
        prop_assert_eq!(world.store.len(term), text.len());
        let tree = parse(&text).expect("a tree");
        prop_assert_eq!(world.read(&tree, &mut HashMap::new()), (term, sort), "{}", text);
        prop_assert_eq!(world.store.sort_of(term), sort);
    }

    /// What is built twice is the same term, and different terms have different texts, but for the sorts of variables.
    #[test]
    fn equal_terms_are_one(a in prop::collection::vec(any::<u8>(), 0..40), b in prop::collection::vec(any::<u8>(), 0..40)) {
        let world = World::new();
        let build = |choices: &[u8]| world.term(Sort::BOOL, &mut choices.iter(), &[]);
        let (first, other) = (build(&a), build(&b));
        prop_assert_eq!(first, build(&a));
        prop_assert_eq!(first == other, world.store.printed(first) == world.store.printed(other));
    }

    /// The symbols of a term are those in its text, and a constant that is replaced is gone from everywhere.
    #[test]
    fn constants_are_replaced(choices in prop::collection::vec(any::<u8>(), 0..80)) {
        let world = World::new();
        let t = &world.store;
        let term = world.term(Sort::BOOL, &mut choices.iter(), &[]);
        let mentioned = |term: Term| {
            let mut all = Vec::new();
            t.symbols(term, &mut Seen::default(), &mut all);
            all.sort();
            all.dedup();
            all
        };
        let texts = t.printed(term).replace(['(', ')'], " ");
        let quoted = texts.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        let words: Vec<&str> = quoted.split_whitespace().collect();
        let mut named: Vec<Symbol> = world.symbols.iter().filter(|s| words.contains(&s.0)).map(|s| s.1).collect();
        named.sort();
        prop_assert_eq!(mentioned(term), named);
        let (n, _) = world.symbol("n").expect("a constant");
        let (made, _) = world.symbol("size").expect("a function");
        let (a, _) = world.symbol("a").expect("a constant");
        let size = t.apply(made, &[t.apply(a, &[])]);
        let replaced = t.replace(term, &HashMap::from([(n, size)]));
        prop_assert!(!mentioned(replaced).contains(&n));
        let back = t.printed(term).replace(" n ", " (size a) ").replace(" n ", " (size a) ").replace(" n)", " (size a))");
        prop_assert_eq!(t.printed(replaced), if back == "n" { "(size a)".to_string() } else { back });
    }
}

/// Simplifications: each keeps the meaning, and saves a query.
#[test]
fn simple_terms() {
    let t = Store::default();
    let [p, q] = ["p", "q"].map(|name| t.apply(t.declare(name, &[], Sort::BOOL), &[]));
    assert_eq!(t.and([p, Term::TRUE, p]), p);
    assert_eq!(t.and([p, Term::FALSE, q]), Term::FALSE);
    assert_eq!(t.and([]), Term::TRUE);
    assert_eq!(t.or([p, Term::FALSE]), p);
    assert_eq!(t.or([p, Term::TRUE]), Term::TRUE);
    assert_eq!(t.or([]), Term::FALSE);
    assert_eq!(t.implies(p, Term::FALSE), t.not(p));
    assert_eq!((t.implies(Term::FALSE, p), t.implies(Term::TRUE, p)), (Term::TRUE, p));
    assert_eq!((t.ite(Term::TRUE, p, q), t.ite(q, p, p), t.eq(p, p)), (p, p, Term::TRUE));
    let x = t.variable("x", Sort::BOOL);
    assert_eq!(t.let_in(x, p, q), q);
    assert_eq!(t.printed(t.let_in(x, p, t.and([x, q]))), "(let ((x p)) (and x q))");
    assert_eq!(t.conjuncts(t.and([p, q])), [p, q]);
}

/// Far deeper than any stack: nothing recurses.
#[test]
fn deep_terms() {
    let t = Store::default();
    let n = t.declare("n", &[], Sort::INT);
    let one = t.numeral("1");
    let sum = (0..200_000).fold(t.apply(n, &[]), |sum, _| t.op(Op::Add, &[sum, one]));
    assert_eq!(t.printed(sum).len(), t.len(sum));
    assert!(!t.occurs(t.variable("x", Sort::INT), sum));
    let replaced = t.replace(sum, &HashMap::from([(n, one)]));
    assert_eq!(t.len(replaced), t.len(sum));
    assert!(t.printed(replaced).ends_with(" 1) 1)"));
}
