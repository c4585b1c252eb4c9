//! Constructors, substitution and simplification keep the meaning, under every combination of options; and each option does what it
//! is for, on an example of the paper.

use crate::formulas::{Shape, chosen_formula, every_option, models};
use rustc_hash::FxHashMap;
use sets::{Compare, Formula, Options, Replacement, Sort, Store, Term, Var, evaluate};
use test_kit::choices::for_all;

const SHAPE: Shape = Shape { sets: 3, bools: 2, depth: 4, count: 1, set_quantifiers: 2, bool_quantifiers: 2 };

/// On all models with few elements, as far as they can be evaluated.
fn same_meaning(a: (&Store, Formula), b: (&Store, Formula), context: &str) {
    let mut vars = a.0.free(a.1).to_vec();
    vars.extend(b.0.free(b.1));
    vars.sort_unstable();
    vars.dedup();
    for elements in 0..=2 {
        for model in models(a.0, &vars, elements) {
            if let (Some(left), Some(right)) = (evaluate(a.0, a.1, &model), evaluate(b.0, b.1, &model)) {
                assert_eq!(left, right, "{context}: {}\n{}\n{model:?}", a.0.show(a.1), b.0.show(b.1));
            }
        }
    }
}

#[test]
fn the_meaning_is_kept_under_every_option() {
    for options in every_option() {
        for_all(120, |choices| {
            let mut plain = Store::new(Options::all(false));
            let told = chosen_formula(&mut plain, choices, SHAPE);
            let mut store = Store::new(options);
            let built = chosen_formula(&mut store, choices, SHAPE);
            same_meaning((&plain, told), (&store, built), &format!("built, {options:?}"));
            let simple = store.simplify(built);
            same_meaning((&plain, told), (&store, simple), &format!("simplified, {options:?}"));
            assert!(store.free(simple).iter().all(|var| plain.free(told).contains(var)), "no new free variables");
        });
    }
}

#[test]
fn substitution_is_what_the_variable_stands_for() {
    for_all(1500, |choices| {
        let mut store = Store::new(Options::default());
        let f = chosen_formula(&mut store, choices, SHAPE);
        let [a, b, c] = ["A", "B", "C"].map(|name| store.variable(name, Sort::Set));
        let [p, q] = ["p", "q"].map(|name| store.variable(name, Sort::Bool));
        let [tb, tc] = [b, c].map(|var| store.set(var));
        let (by_set, by_bool) = (store.diff(tb, tc), store.equal(tb, tc));
        // Simultaneously: A becomes B - C while B becomes A.
        let ta = store.set(a);
        let by = move |var: Var| match var {
            _ if var == a => Some(Replacement::Set(by_set)),
            _ if var == b => Some(Replacement::Set(ta)),
            _ if var == p => Some(Replacement::Bool(by_bool)),
            _ => None,
        };
        let substituted = store.substitute(f, &by);
        for model in models(&store, &[a, b, c, p, q], 1) {
            let mut shifted = model.clone();
            let difference: Vec<usize> = model.set(b).iter().filter(|e| !model.set(c).contains(e)).copied().collect();
            shifted.put_set(a, difference);
            shifted.put_set(b, model.set(a).to_vec());
            shifted.put_bool(p, model.set(b) == model.set(c));
            if let (Some(left), Some(right)) = (evaluate(&store, substituted, &model), evaluate(&store, f, &shifted)) {
                assert_eq!(left, right, "{}", store.show(f));
            }
        }
    });
}

struct Names {
    store: Store,
}

impl Names {
    fn new(options: Options) -> Names {
        Names { store: Store::new(options) }
    }

    fn var(&mut self, name: &str) -> Var {
        self.store.variable(name, Sort::Set)
    }

    fn set(&mut self, name: &str) -> Term {
        let var = self.var(name);
        self.store.set(var)
    }

    /// An atom over one set, as the paper's `f(x)`.
    fn of(&mut self, name: &str, count: u32) -> Formula {
        let t = self.set(name);
        self.store.card(t, Compare::AtLeast, count)
    }

    fn flag(&mut self, name: &str) -> Formula {
        let var = self.store.variable(name, Sort::Bool);
        self.store.boolean(var)
    }
}

const OFF: Options = Options { smart_constructors: false, factoring: false, one_point: false, nesting: false };
const SMART: Options = Options { smart_constructors: true, ..OFF };

/// The text of what is built with these options, and of its simplification.
fn check(options: Options, build: impl Fn(&mut Names) -> Formula, built: &str, simple: &str) {
    let mut names = Names::new(options);
    let f = build(&mut names);
    let g = names.store.simplify(f);
    assert_eq!((names.store.show(f).as_str(), names.store.show(g).as_str()), (built, simple), "{options:?}");
}

#[test]
fn smart_constructors() {
    let with_truth = |n: &mut Names| {
        let (b, truth) = (n.flag("b"), n.store.truth(true));
        n.store.and([b, truth])
    };
    check(OFF, with_truth, "b & true", "b & true");
    check(SMART, with_truth, "b", "b");
    let unused = |n: &mut Names| {
        let (b, x) = (n.flag("b"), n.var("x"));
        n.store.exists(&[x], b)
    };
    check(OFF, unused, "exists x : set. b", "exists x : set. b");
    check(SMART, unused, "b", "b");
    let reflexive = |n: &mut Names| {
        let (a, b) = (n.set("A"), n.flag("b"));
        let same = n.store.equal(a, a);
        n.store.implies(same, b)
    };
    check(OFF, reflexive, "(A = A) => b", "(A = A) => b");
    check(SMART, reflexive, "b", "b");
}

#[test]
fn factoring() {
    let merge = |n: &mut Names| {
        let [a, b, c] = ["a", "b", "c"].map(|name| n.flag(name));
        let (left, right) = (n.store.and([a, b]), n.store.and([a, c]));
        n.store.or([left, right])
    };
    check(SMART, merge, "a & b | a & c", "a & b | a & c");
    let on = Options { factoring: true, ..SMART };
    check(on, merge, "a & (b | c)", "a & (b | c)");
    let absorbed = |n: &mut Names| {
        let [a, b] = ["a", "b"].map(|name| n.flag(name));
        let both = n.store.and([a, b]);
        n.store.or([a, both])
    };
    check(on, absorbed, "a", "a");
}

#[test]
fn one_point() {
    let set = |n: &mut Names| {
        let [x, a, b] = ["x", "A", "B"].map(|name| n.set(name));
        let ab = n.store.union([a, b]);
        let (is, rest, bound) = (n.store.equal(x, ab), n.of("x", 2), n.var("x"));
        let both = n.store.and([is, rest]);
        n.store.exists(&[bound], both)
    };
    let built = "exists x : set. ((x = A + B) & (card(x)>=2))";
    check(SMART, set, built, built);
    let on = Options { one_point: true, ..SMART };
    check(on, set, built, "card(A + B)>=2");
    let boolean = |n: &mut Names| {
        let [h, b] = ["h", "b"].map(|name| n.flag(name));
        let var = n.store.variable("h", Sort::Bool);
        let rest = n.of("A", 2);
        let rest = n.store.and([b, rest]);
        let (is, use_it) = (n.store.iff(h, rest), n.store.not(h));
        let both = n.store.and([is, use_it]);
        n.store.exists(&[var], both)
    };
    check(on, boolean, "exists h : bool. ((h <=> b & (card(A)>=2)) & not h)", "not (b & (card(A)>=2))");
    // The frame condition of an assignment vanishes: exists ^S. (S' = ^S) & (^S = S + x).
    let incorporation = |n: &mut Names| {
        let [new, hat, old, x] = ["S'", "^S", "S", "x"].map(|name| n.set(name));
        let sum = n.store.union([old, x]);
        let (frame, step, bound) = (n.store.equal(new, hat), n.store.equal(hat, sum), n.var("^S"));
        let both = n.store.and([frame, step]);
        n.store.exists(&[bound], both)
    };
    check(on, incorporation, "exists ^S : set. ((S' = ^S) & (^S = S + x))", "S' = S + x");
    let universal = |n: &mut Names| {
        let [x, a] = ["x", "A"].map(|name| n.set(name));
        let (is, then, bound) = (n.store.equal(x, a), n.of("x", 2), n.var("x"));
        let body = n.store.implies(is, then);
        n.store.forall(&[bound], body)
    };
    check(on, universal, "forall x : set. ((x = A) => (card(x)>=2))", "card(A)>=2");
}

#[test]
fn nesting() {
    let paper = |n: &mut Names| {
        let (f, g) = (n.of("x", 2), n.of("y", 3));
        let body = n.store.implies(f, g);
        let [x, y] = ["x", "y"].map(|name| n.var(name));
        let inner = n.store.forall(&[y], body);
        n.store.forall(&[x], inner)
    };
    let built = "forall x : set. forall y : set. ((card(x)>=2) => (card(y)>=3))";
    check(SMART, paper, built, built);
    let on = Options { nesting: true, ..SMART };
    check(on, paper, built, "exists x : set. (card(x)>=2) => forall y : set. (card(y)>=3)");
    let disjuncts = |n: &mut Names| {
        let (f, g, b, x) = (n.of("x", 2), n.of("x", 3), n.flag("b"), n.var("x"));
        let some = n.store.or([f, g]);
        let both = n.store.and([some, b]);
        n.store.exists(&[x], both)
    };
    check(
        on,
        disjuncts,
        "exists x : set. (b & ((card(x)>=2) | (card(x)>=3)))",
        "b & (exists x : set. (card(x)>=2) | exists x : set. (card(x)>=3))",
    );
}

#[test]
fn bound_variables_do_not_capture() {
    let mut names = Names::new(OFF);
    let [a, b] = ["A", "B"].map(|name| names.set(name));
    let (va, vb) = (names.var("A"), names.var("B"));
    let store = &mut names.store;
    let below = store.subset(a, b);
    let f = store.exists(&[vb], below);
    let g = store.rename(f, &FxHashMap::from_iter([(va, vb)]));
    assert_eq!(store.show(g), "exists ^B1 : set. (B <= ^B1)");
    let shadowed = store.rename(f, &FxHashMap::from_iter([(vb, va)]));
    assert_eq!(shadowed, f);
    assert_eq!(store.free(g), [vb]);
}

#[test]
fn sizes_are_those_of_trees() {
    let mut names = Names::new(Options::default());
    let mut f = names.of("A", 2);
    assert_eq!(names.store.size(f), 2);
    for i in 0..80 {
        let b = names.flag(&format!("b{i}"));
        f = names.store.iff(f, b);
        let not = names.store.not(f);
        let other = names.flag("c");
        let or = names.store.or([not, other]);
        f = names.store.implies(f, or);
    }
    assert_eq!(names.store.size(f), u64::MAX, "saturates");
    let g = names.store.simplify(f);
    assert!(names.store.size(g) > 0);
}

#[test]
fn text() {
    let build = |n: &mut Names| {
        let [new, a, x, b] = ["A'", "A", "x", "B"].map(|name| n.set(name));
        let sum = n.store.union([a, x]);
        let (step, inside) = (n.store.equal(new, sum), n.store.subset(x, b));
        let outside = n.store.not(inside);
        n.store.and([step, outside])
    };
    check(SMART, build, "(A' = A + x) & not (x <= B)", "(A' = A + x) & not (x <= B)");
    let terms = |n: &mut Names| {
        let [a, b, c] = ["A", "B", "C"].map(|name| n.set(name));
        let bc = n.store.diff(b, c);
        let (ab, abc) = (n.store.diff(a, b), n.store.diff(a, bc));
        let (left, right) = (n.store.union([ab, c]), n.store.inter([abc, bc]));
        n.store.not_equal(left, right)
    };
    check(SMART, terms, "C + (A - B) != (B - C) inter (A - (B - C))", "C + (A - B) != (B - C) inter (A - (B - C))");
}
