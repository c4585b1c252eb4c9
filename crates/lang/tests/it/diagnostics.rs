//! What a user got wrong is reported with its place, what is wrong and what to do: one case per kind of mistake (docs/lang.md, "Messages").

use expect_test::{Expect, expect};
use source::{Diagnostic, FileId, SourceMap};

fn render(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    test_kit::messages::render(map, diagnostics, false)
}

/// All messages about a file, and which of its languages are fit for use.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let mut map = SourceMap::default();
    let id = map.add("test.lang", text);
    let file = lang::syntax::parse(text, id);
    let mut out = render(&map, &file.diagnostics);
    let names: Vec<&str> = file.langs().map(|l| l.name.as_str()).collect();
    let names = if names.is_empty() { "none".to_string() } else { names.join(", ") };
    out.push_str(&format!("usable: {names}\n"));
    assert!(
        file.has_errors() || file.languages.iter().all(Option::is_some),
        "a language is missing, and nothing says why"
    );
    expected.assert_eq(&out);
}

/// A small language, to be spoilt: terms with numbers, functions and pairs.
const BASE: &str = "language small
var x
syntax
  t ::= x | 0 | succ t | λ x:T. t {bind x in t} | t t {left}
  T ::= Nat | T -> T {right}
  v ::= 0 | succ v | λ x:T. t
  E ::= [] | succ E | E t | v E
env Γ ::= · | Γ, x:T
";

const TYPING: &str = "judgment Γ ⊢ t : T
  Γ ⊢ 0 : Nat  [T-Zero]

  x:T ∈ Γ            Γ, x:T1 ⊢ t : T2                  Γ ⊢ t1 : T1 -> T2   Γ ⊢ t2 : T1        Γ ⊢ t : Nat
  --------- T-Var    ------------------------ T-Abs    ------------------------------- T-App  -------------- T-Succ
  Γ ⊢ x : T          Γ ⊢ λ x:T1. t : T1 -> T2          Γ ⊢ t1 t2 : T2                         Γ ⊢ succ t : Nat
";

const STEPS: &str = "reduction t --> t'  in E
  (λ x:T. t) v --> t[v/x]  [beta]
";

/// The small language with its typing rules and steps, then this; lines of it count from 19.
#[track_caller]
fn check_after(text: &str, expected: Expect) {
    check(&format!("{BASE}{TYPING}{STEPS}{text}"), expected);
}

/// Typing rules of one's own after the grammar of the small language; lines count from 9.
#[track_caller]
fn check_rules(text: &str, expected: Expect) {
    check(&format!("{BASE}{text}"), expected);
}

/// Steps of one's own after the typing rules of the small language; lines count from 16.
#[track_caller]
fn check_steps(text: &str, expected: Expect) {
    check(&format!("{BASE}{TYPING}reduction t --> t'  in E\n{text}"), expected);
}

/// A grammar of one's own.
#[track_caller]
fn check_syntax(text: &str, expected: Expect) {
    check(&format!("language g\nvar x\natom a\nloc l\nint n\nsyntax\n{text}"), expected);
}

#[test]
fn nothing_is_wrong() {
    check_after(
        "check progress : · ⊢ t : T  =>  t is v  or  t steps\n",
        expect![[r#"
            usable: small
        "#]],
    );
}

// ---- names ----

#[test]
fn n1_unknown_name_with_a_suggestion() {
    check_steps(
        "  (λ x:T. t) v --> z  [beta]\n",
        expect![[r#"
            16:20: N1: 'z' is not a terminal, sort or metavariable
                help: declare it: var, atom, loc and int name sorts; syntax gives terminals
            usable: none
        "#]],
    );
    check_steps(
        "  succ 0 --> sucd 0  [s]\n",
        expect![[r#"
            16:14: N1: 'sucd' is not a terminal, sort or metavariable
                4:17: 'succ' is introduced here
                help: did you mean 'succ'?
            usable: none
        "#]],
    );
    check_steps(
        "  succ 0 --> (lambda x. x) 17  [s]\n",
        expect![[r#"
            16:15: N1: 'lambda' is not a terminal, sort or metavariable
                help: declare it: var, atom, loc and int name sorts; syntax gives terminals
            16:28: N1: '17' is not a terminal, sort or metavariable
                help: declare it: var, atom, loc and int name sorts; syntax gives terminals
            usable: none
        "#]],
    );
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ ⊢ 0 ∷ Nat  [T-Zero]\n",
        expect![[r#"
            10:9: N1: '∷' is not a symbol of this language
                help: symbols are those of the grammar and of the judgments
            usable: none
        "#]],
    );
}

#[test]
fn n1_elsewhere() {
    check_after(
        "bounds u: size 3\n",
        expect![[r#"
            17:8: N1: 'u' is not a sort of small
                help: the sorts are: x, t, T, v, E, Γ
            usable: none
        "#]],
    );
    check_after(
        "check p : total Δ, Γ ⊢ t : T => t is v\n",
        expect![[r#"
            17:17: N1: 'Δ' is not a sort of small
                help: the sorts are: x, t, T, v, E, Γ
            usable: none
        "#]],
    );
    check_after(
        "check p : total t, · ⊢ t : T => t is v\n",
        expect![[r#"
            17:17: S1: 't' is not an environment or store
                help: total Γ: every name has an entry in Γ
            usable: none
        "#]],
    );
    check_after(
        "fun size(u) : k\n  size(t) = t\n",
        expect![[r#"
            17:10: N1: 'u' is not a sort
                help: parameters and result of a function are named by their sorts: fun shift(d, c, t) : t
            17:15: N1: 'k' is not a sort
                help: parameters and result of a function are named by their sorts: fun shift(d, c, t) : t
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0\n  v ⊆ q ::= 0\n",
        expect![[r#"
            8:7: N1: there is no sort q
                help: v ⊆ t ::= … states that every v is a t
            usable: none
        "#]],
    );
    check_after(
        "check progress : · ⊢ t : T => t is v\nexpect progres holds\nexpect soundness fails size 3\n",
        expect![[r#"
            18:8: N1: there is no check named progres
                help: the checks of small are: progress
            19:8: N1: there is no check named soundness
                help: the checks of small are: progress
            usable: none
        "#]],
    );
    check(
        "language a\nsyntax\n  t ::= 0\nexpect p holds\n",
        expect![[r#"
            4:8: N1: there is no check named p
                help: a has no checks
            usable: none
        "#]],
    );
}

#[test]
fn n2_occurs_once() {
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ ⊢ t1 : T1 -> T2   Γ ⊢ t2 : T\n  ------------------------------ T-App\n  Γ ⊢ t1 t2 : T2\n",
        expect![[r#"
            10:12: N2 (warning): T1 occurs once in T-App
                help: write _ if that is meant
            10:32: N2 (warning): T occurs once in T-App
                help: write _ if that is meant
            usable: small
        "#]],
    );
}

#[test]
fn n3_occurs_twice_on_the_left() {
    check_steps(
        "  v v --> v  [same]    v1 v2 --> v1  [other]\n",
        expect![[r#"
            16:3: N3 (warning): v occurs twice in the left side of same: the rule only fires on equal values
                help: use v1, v2 if they may differ
            usable: small
        "#]],
    );
}

// ---- grammars ----

#[test]
fn g1_two_readings() {
    check_syntax(
        "  t ::= 0 | t + t\nreduction t --> t'\n  0 + 0 + 0 --> 0  [r]\n",
        expect![[r#"
            9:3: G1: two readings of '0 + 0 + 0': (0 + (0 + 0)) and ((0 + 0) + 0)
                help: write parentheses, or add {left} or {right} to the alternative
            usable: none
        "#]],
    );
    // Also where a subset, a context, a function or an argument is ambiguous.
    check_syntax(
        "  t ::= 0 | t + t\n  v ::= 0 + 0 + v | 0\n  E ::= [] | E + t + t\n",
        expect![[r#"
            8:9: G1: two readings of '0 + 0 + v': (0 + (0 + _)) and ((0 + 0) + _)
                help: write parentheses, or add {left} or {right} to the alternative
            9:14: G1: two readings of 'E + t + t': (_ + (_ + _)) and ((_ + _) + _)
                help: write parentheses, or add {left} or {right} to the alternative
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | t + t\nfun f(t) : t\n  f(t + t + t) = t\n",
        expect![[r#"
            9:3: G1: two readings of 'f(t + t + t)': f((t + (t + t))) and f(((t + t) + t))
                help: write parentheses, or add {left} or {right} to the alternative
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | t + t\nfun f(t) : t\n  f(t) = t\nreduction t --> t'\n  0 --> f(0 + 0 + 0)  [r]\n",
        expect![[r#"
            11:9: G1: two readings of 'f(0 + 0 + 0)': f((0 + (0 + 0))) and f(((0 + 0) + 0))
                help: write parentheses, or add {left} or {right} to the alternative
            usable: none
        "#]],
    );
    // Of two judgments.
    check_syntax(
        "  t ::= 0\n  T ::= 0\njudgment t ok\njudgment T ok\n  0 ok  [a]\njudgment t good\n  0 ok\n  ------ b\n  t good\n",
        expect![[r#"
            10:10: R1: there are two judgments of this shape
                9:10: the first one
                help: give one of them another symbol
            13:3: G1: two readings of '0 ok': as t ok and as T ok
                help: give the two judgments different shapes
            15:3: N2 (warning): t occurs once in b
                help: write _ if that is meant
            usable: none
        "#]],
    );
}

#[test]
fn g2_grammars_that_say_nothing() {
    check_syntax(
        "  t ::= t | 0\n",
        expect![[r#"
            7:9: G2: the alternative t ::= t says nothing
                help: remove it
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= succ t\n  T ::= Ref S\n  S ::= T -> T\n",
        expect![[r#"
            7:3: G2: sort t has no finite member
                help: add an alternative that does not need another member of the sort
            8:3: G2: sort T has no finite member
                help: add an alternative that does not need another member of the sort
            9:3: G2: sort S has no finite member
                help: add an alternative that does not need another member of the sort
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | 1\n  v ::= v | 0\n",
        expect![[r#"
            8:9: G2: the alternative v ::= v says nothing
                help: remove it
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | 1\n  v ⊆ t ::= w\n  w ⊆ t ::= v\n",
        expect![[r#"
            8:3: G2: the subset v is defined by itself
                help: an alternative that is only the name of a subset must not lead back to it
            9:3: G2: the subset w is defined by itself
                help: an alternative that is only the name of a subset must not lead back to it
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= e | 0\n  e ::= t | 1\n",
        expect![[r#"
            7:3: G2: alternatives lead from t back to t
                help: alternatives that are only the name of another sort must not lead back to the first
            8:3: G2: alternatives lead from e back to e
                help: alternatives that are only the name of another sort must not lead back to the first
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | t + t {left}\n  E ::= [] | E + E | t + t | [] + [] + t\n",
        expect![[r#"
            8:14: G2: an alternative of the contexts E has 2 holes, not one
                help: write [] or a metavariable such as E exactly once
            8:22: G2: an alternative of the contexts E has 0 holes, not one
                help: write [] or a metavariable such as E exactly once
            8:30: G2: an alternative of the contexts E has 2 holes, not one
                help: write [] or a metavariable such as E exactly once
            usable: none
        "#]],
    );
    check_syntax(
        "  E ::= [] | E + E\n",
        expect![[r#"
            7:3: G2: E has contexts of no sort defined above
                help: define the sort of what is put into the holes before its contexts
            usable: none
        "#]],
    );
}

#[test]
fn g3_nearly_a_subset() {
    check_syntax(
        "  t ::= 0 | succ t | pred t\n  nv ::= 0 | sucd nv\nreduction t --> t'\n  pred (succ nv) --> nv  [r]\n",
        expect![[r#"
            8:14: G3: nv is used where t is expected, but the alternative 'sucd nv' is not a t
                10:14: used as a t here
                help: the nearest is 'succ t'
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | succ t\n  v ::= 0 | sucd v\njudgment t ok\n  t ok  [r]\ncheck p : t ok => t is v\n",
        expect![[r#"
            8:13: G3: v is used where t is expected, but the alternative 'sucd v' is not a t
                11:24: used as a t here
                help: the nearest is 'succ t'
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | succ t\n  v ⊆ t ::= 0 | one two three\n",
        expect![[r#"
            8:17: G3: the alternative 'one two three' is not a t
                help: every alternative of a subset of t must be a t
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | succ t\n  E ::= [] | pred E\n",
        expect![[r#"
            8:14: G3: the alternative 'pred E' is not a t
                help: every alternative of a subset of t must be a t
            usable: none
        "#]],
    );
}

#[test]
fn g4_the_order_of_alternatives_decides() {
    check_syntax(
        "  t ::= 0\n  T ::= Nat | List T | T -> T {right}\njudgment t : T\n  0 : List Nat -> Nat  [a]    0 : List (Nat -> Nat)  [b]\n",
        expect![[r#"
            10:7: G4 (warning): 'List Nat -> Nat' is read as ((List Nat) -> Nat), not as (List (Nat -> Nat))
                help: alternatives listed earlier bind tighter; write parentheses to say which is meant
            usable: g
        "#]],
    );
    check_syntax(
        "  t ::= 0\n  T ::= Nat | T -> T {right} | List T\njudgment t : T\n  0 : List Nat -> Nat  [a]    0 : (List Nat) -> Nat  [b]\n",
        expect![[r#"
            10:7: G4 (warning): 'List Nat -> Nat' is read as (List (Nat -> Nat)), not as ((List Nat) -> Nat)
                help: alternatives listed earlier bind tighter; write parentheses to say which is meant
            usable: g
        "#]],
    );
}

// ---- sorts ----

#[test]
fn s1_a_sort_does_not_fit() {
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ ⊢ t1 : T1 -> T2   Γ ⊢ T1 : T1\n  ------------------------------ T-App\n  Γ ⊢ t1 t2 : T2\n",
        expect![[r#"
            10:27: S1: premise 2 of T-App: 'T1' is a T, a t is expected here
                help: metavariables of t are named t
            usable: none
        "#]],
    );
    check_steps(
        "  (λ x:T. t) v --> T  [beta]\n",
        expect![[r#"
            16:20: S1: the conclusion of beta: 'T' is a T, a t is expected here
                help: metavariables of t are named t
            usable: none
        "#]],
    );
    check_steps(
        "  (λ x:T. t) v --> t[v/x  [beta]\n",
        expect![[r#"
            16:21: S1: the conclusion of beta: this bracket is not closed
                help: every '[' needs a ']'
            usable: none
        "#]],
    );
    check_steps(
        "  (λ x:T. t v --> t  [beta]    t) v --> t  [gamma]\n",
        expect![[r#"
            16:3: S1: the conclusion of beta: this bracket is not closed
                help: every '(' needs a ')'
            16:33: S1: the conclusion of gamma: this bracket is not opened
                help: every '(' needs a ')'
            usable: none
        "#]],
    );
    check_steps(
        "  t v  [beta]\n",
        expect![[r#"
            16:3: S1: the conclusion of beta: 't v' cannot be read as t --> t'
                help: check the spelling, the parentheses and the order of its parts
            usable: none
        "#]],
    );
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ t : T\n  --------- r\n  Γ ⊢ t : T\n",
        expect![[r#"
            10:3: S1: premise 1 of r: 'Γ t : T' is not a premise
                help: a premise is a judgment, x:T ∈ Γ, x ∈ dom Γ, A = B, A ≠ B, t is v, fresh l, where …, forall …; separate premises by three spaces
            usable: none
        "#]],
    );
    check_after(
        "check progress : · ⊢ t : T => v is t or steps\n",
        expect![[r#"
            17:41: S1: check progress: 'steps' is not a premise
                help: a premise is a judgment, x:T ∈ Γ, x ∈ dom Γ, A = B, A ≠ B, t is v, fresh l, where …, forall …; separate premises by three spaces
            usable: none
        "#]],
    );
}

#[test]
fn s1_shapes_and_maps() {
    check_syntax(
        "  t ::= 0\njudgment ⊢ ok\nreduction t\nreduction t --> n\nreduction --> \nreduction t --> t' in t\n",
        expect![[r#"
            8:10: S1: this shape mentions no sort
                help: a shape is made of tokens and names of sorts, as in: Γ ⊢ t : T
            9:11: S1: a reduction relates two forms of one sort
                help: for instance: reduction t --> t'; a state of several parts has a sort of its own: W ::= ⟨t, μ⟩ and reduction W --> W'
            10:11: S1: a reduction relates two forms of one sort
                help: for instance: reduction t --> t'; a state of several parts has a sort of its own: W ::= ⟨t, μ⟩ and reduction W --> W'
            11:11: S1: this shape mentions no sort
                help: a shape is made of tokens and names of sorts, as in: Γ ⊢ t : T
            11:11: S1: a reduction relates two forms of one sort
                help: for instance: reduction t --> t'; a state of several parts has a sort of its own: W ::= ⟨t, μ⟩ and reduction W --> W'
            12:23: S1: 't' is not a sort of contexts
                help: contexts have one hole in each alternative: E ::= [] | E t | v E
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0\nenv Γ ::= · | x, t\nenv Δ ::= ·\nstore σ ::= · | σ, a ↦ t | σ, l ↦ t\n",
        expect![[r#"
            8:5: S1: Γ needs an empty alternative and one that adds an entry
                help: for instance: Γ ::= · | Γ, x:T
            8:15: S1: this is not an entry of Γ
                help: an entry has the form 'Γ, x:T': the map itself, a key declared with var, atom or loc, and what it maps to
            9:5: S1: Δ needs an empty alternative and one that adds an entry
                help: for instance: Δ ::= · | Δ, x:T
            10:7: S1: the store σ has more than one kind of entry
                help: declare it with 'env', or make two stores of it
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0\njudgment t ok\n  t ok  [a]\njudgment t ok\n",
        expect![[r#"
            10:10: R1: there are two judgments of this shape
                8:10: the first one
                help: give one of them another symbol
            usable: none
        "#]],
    );
}

// ---- binding ----

#[test]
fn b1_binders_of_alternatives() {
    check_syntax(
        "  t ::= x | λ x. t {bind y in t} | μ x. t {bind x in u} | ν x x. t {bind x in t} | π n. t {bind n in t}\n",
        expect![[r#"
            7:21: B1: 'y' is not part of this alternative
                help: its parts are: x, t
            7:44: B1: 'u' is not part of this alternative
                help: its parts are: x, t
            7:69: B1: x is bound in two places
                help: number them: x1, x2
            7:92: B1: n is bound here but is not declared with 'var'
                help: write 'var n' above
            usable: none
        "#]],
    );
}

/// Also in equations and checks.
#[test]
fn b1_elsewhere() {
    check_after(
        "fun strip(t) : t\n  strip(λ x:T. t) = strip(t)\n  strip(t1 t2) = t1\n",
        expect![[r#"
        18:3: B1: t is under the binder x on the left of an equation of strip but not on the right
            help: write t[v/x], or keep the binder
        usable: none
    "#]],
    );
    check_after(
        "fun bare(t) : t\n  bare(λ x:T. t) = x\n  bare(t) = t\n",
        expect![[r#"
        18:3: B1: x is free on the right of an equation of bare
            help: keep it under its binder, or substitute for it
        usable: none
    "#]],
    );
    check_after(
        "fun under(t) : t\n  under(λ x:T. t) = λ x:T. under(t)\n  under(t) = t\n",
        expect![[r#"
        usable: small
    "#]],
    );
    check_after(
        "fun of(t) : T\n  of(λ x:T. t) = of(t)\n  of(t) = Nat\n",
        expect![[r#"
        usable: small
    "#]],
    );
    check_after(
        "check body : · ⊢ λ x:T1. t : T2  =>  t is v  or  t steps\n",
        expect![[r#"
        17:7: B1: t is under the binder x in the premises of body but not in its conclusion
            help: write t[v/x], or keep the binder
        usable: none
    "#]],
    );
    check_after(
        "check body : Γ ⊢ λ x:T1. t : T2  =>  exists T. Γ, x:T1 ⊢ t : T\n",
        expect![[r#"
        usable: small
    "#]],
    );
    check_after(
        "check lemma : ·, x:T1 ⊢ t : T2,  · ⊢ v : T1  =>  · ⊢ t[v/x] : T2\n",
        expect![[r#"
        usable: small
    "#]],
    );
}

#[test]
fn x1_recursion() {
    check_after(
        "fun f(t) : t\n  f(succ t) = f(succ t)\n  f(t) = t\n",
        expect![[r#"
        18:3: X1 (warning): f does not recurse on a part of one argument: nothing shows that it ends
            help: let the same argument of each call be a part of the one on the left
        usable: small
    "#]],
    );
    check_after(
        "fun f(t, t) : t\n  f(succ t1, t2) = f(t1, t2)\n  f(t1, succ t2) = f(t1, t2)\n  f(t1, t2) = t1\n",
        expect![[r#"
            18:3: X1 (warning): f does not recurse on a part of one argument: nothing shows that it ends
                help: let the same argument of each call be a part of the one on the left
            usable: small
        "#]],
    );
    check_after(
        "fun f(t) : t\n  f(succ t) = g(t, t)\n  f(t) = t\nfun g(t, t) : t\n  g(t1, t2) = f(t2)\n",
        expect![[r#"
            21:3: X1 (warning): g does not recurse on a part of one argument: nothing shows that it ends
                help: let the same argument of each call be a part of the one on the left
            usable: small
        "#]],
    );
    check_after(
        "fun f(t) : t\n  f(succ t) = g(t, t)\n  f(t) = t\nfun g(t, t) : t\n  g(t1, succ t2) = f(t2)\n  g(t1, t2) = t1\n",
        expect![[r#"
            usable: small
        "#]],
    );
}

#[test]
fn b1_rules() {
    check_steps(
        "  (λ x:T. t) v --> t  [beta]\n",
        expect![[r#"
            16:3: B1: t is under the binder x on the left of beta but not on the right
                help: write t[v/x], or keep the binder
            usable: none
        "#]],
    );
    check_steps(
        "  (λ x:T. t) v --> x  [beta]\n",
        expect![[r#"
            16:3: B1: x is free on the right of beta
                help: keep it under its binder, or substitute for it
            usable: none
        "#]],
    );
    check_steps(
        "  t v --> (λ x:Nat. t) x  [beta]\n",
        expect![[r#"
            16:3: B1: x is free on the right of beta
                help: keep it under its binder, or substitute for it
            usable: none
        "#]],
    );
    check_steps(
        "  (λ x:T1. λ x:T2. t) v --> λ x:T2. t  [beta]\n",
        expect![[r#"
            16:3: B1: x is bound in two places in beta
                help: name them x1 and x2
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= a | 0 | let a = t in t\nreduction t --> t'\n  let a = t1 in t2 --> t2[t1/a]  [r]\n",
        expect![[r#"
            9:3: B1: a in r is not a variable: nothing can be put for it
                help: declare it with 'var' if terms bind it, or write a 'fun' that puts something for an atom
            usable: none
        "#]],
    );
    // A binder without a name is fine.
    check_steps(
        "  (λ _:T. 0) v --> λ _:T. 0  [const]\n",
        expect![[r#"
            usable: small
        "#]],
    );
}

// ---- modes ----

#[test]
fn x1_not_determined() {
    check_steps(
        "  v1 0 --> v2  [r]\n",
        expect![[r#"
            16:12: X1: v2 on the right of r is not determined
                help: it must occur on the left, or be determined by a premise: where …, A = B, σ(x)
            usable: none
        "#]],
    );
    check_steps(
        "  v1 0 --> _  [r]\n",
        expect![[r#"
            16:3: X1: _ on the right of r is not determined
                help: say what it is
            usable: none
        "#]],
    );
    check_steps(
        "  v1 ≠ v2\n  ----------- r\n  v1 0 --> v2\n",
        expect![[r#"
            18:12: X1: v2 on the right of r is not determined
                help: it must occur on the left, or be determined by a premise: where …, A = B, σ(x)
            usable: none
        "#]],
    );
    check_steps(
        "  v2 = succ v1\n  ----------- r\n  v1 0 --> v2\n",
        expect![[r#"
            usable: small
        "#]],
    );
    check_steps(
        "  t1 --> t3\n  ----------- r\n  t1 0 --> t3\n",
        expect![[r#"
            usable: small
        "#]],
    );
    check_steps(
        "  (λ x:T. t)[v/x] --> v  [r]\n",
        expect![[r#"
            16:3: X1: the left side of r is to be computed, but it is what the rule is matched against
                help: put a metavariable there, and say in a premise what it is: A = B, where n = n1 + n2
            usable: none
        "#]],
    );
    check_after(
        "check p : · ⊢ t : T => · ⊢ t : T'\n",
        expect![[r#"
            17:32: X1: T' in the conclusion of p is not determined
                help: use it in a premise, or write 'exists T'.' before the conclusion
            usable: none
        "#]],
    );
    check_after(
        "fun f(t) : t\n  f(t1) = t2\n  f(succ t) = _\n  f(f(t)) = t\n",
        expect![[r#"
            18:11: X1: t2 on the right of an equation of f is not determined
                help: it must occur on the left, or be determined after 'if'
            19:3: X1: _ on the right of an equation of f is not determined
                help: say what it is
            20:3: X1: the left side of an equation of f is to be computed, but it is matched against
                help: put a metavariable there, and compare it after 'if'
            usable: none
        "#]],
    );
}

#[test]
fn x2_a_step_depends_on_a_judgment() {
    check_steps(
        "  · ⊢ v : Nat\n  ----------- r\n  v 0 --> 0\n",
        expect![[r#"
            16:3: X2 (note): the step r depends on Γ ⊢ t : T: it is part of when the rule applies
            usable: small
        "#]],
    );
}

#[test]
fn m1_not_a_part_of_the_subject() {
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ ⊢ t9 : T\n  -------------- T-Fst\n  Γ ⊢ succ t : T\n",
        expect![[r#"
            10:3: M1: t9 in premise 1 of T-Fst is not a part of the subject
                help: a premise speaks of parts of the conclusion's program, or of what another premise determines
            usable: none
        "#]],
    );
}

#[test]
fn m2_layers() {
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ ⊢ t : T1   Γ ⊢ t : T2\n  ----------------------- T-And\n  Γ ⊢ t : T1 -> T2\n",
        expect![[r#"
            12:3: M2 (note): T-And is about the same program as its premises: it is applied in layers until nothing new follows
            usable: small
        "#]],
    );
}

#[test]
fn m3_negation_and_quantifiers() {
    check_rules(
        "judgment T odd\n  not T odd\n  ------------- Odd\n  T -> Nat odd\n",
        expect![[r#"
            10:3: M3: T odd is negated in its own definition
                help: a negated judgment must be defined without the one that negates it
            usable: none
        "#]],
    );
    check_rules(
        "judgment T odd\n  T even\n  ------------- Odd\n  T -> Nat odd\njudgment T even\n  not T odd\n  --------- Even\n  T even\n",
        expect![[r#"
            14:3: M3: T odd is negated in its own definition
                help: a negated judgment must be defined without the one that negates it
            usable: none
        "#]],
    );
    check_after(
        "check p : · ⊢ t : T => exists t'. · ⊢ t' : T\n",
        expect![[r#"
            17:31: M3: t' quantifies over programs: only types, names and environments may be sought
                help: say what the program is, with a step or an equation
            usable: none
        "#]],
    );
}

#[test]
fn c1_a_rule_looks_into_its_environment() {
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ, x:T ⊢ x : T  [T-Last]    · ⊢ 0 : Nat  [T-Zero]\n",
        expect![[r#"
            10:3: C1 (note): T-Last looks into Γ: programs are enumerated, and bounds are smaller
            10:31: C1 (note): T-Zero looks into Γ: programs are enumerated, and bounds are smaller
            usable: small
        "#]],
    );
}

#[test]
fn v1_a_check_without_premises() {
    check_after(
        "check p : => 0 is v\n",
        expect![[r#"
            17:7: V1: the check p has no premise: it speaks of nothing
                help: for instance: · ⊢ t : T => …
            usable: none
        "#]],
    );
}

// ---- repetition ----

#[test]
fn r1_said_twice() {
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ ⊢ 0 : Nat  [T-Zero]    Γ ⊢ 0 : Nat  [T-Nil]\n  Γ ⊢ 0 : T  [T-Zero]\n",
        expect![[r#"
            10:42: R1 (warning): T-Nil says the same as T-Zero
                10:17: the same rule
                help: remove one of them
            11:15: R1: there are two rules named T-Zero
                10:17: the first one
                help: give one of them another name: reports and extensions name rules
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 | succ t | succ t\n  v ::= 0 | 0\n  t ::= 1\n  n ::= 1\n",
        expect![[r#"
            7:22: R1: this alternative of t was given before
                help: remove it
            8:13: R1 (warning): this alternative of v has no effect: it was given before
                help: remove it
            9:3: R1: the sort t is already defined
                7:3: here
                help: in an extension write 'add t ::= …'
            10:3: R1: the sort n is already defined
                5:5: here
                help: give it another name
            usable: none
        "#]],
    );
    check(
        "language a\nsyntax t ::= 0\nlanguage a\nsyntax t ::= 0\n",
        expect![[r#"
            3:10: R1: there are two languages named a
                1:10: the first one
                help: give one of them another name
            usable: a
        "#]],
    );
    check_after(
        "check p : · ⊢ t : T => t is v\ncheck p : · ⊢ t : T => t is v\nfun f(t) : t\n  f(t) = t\nfun f(t) : t\n  f(t) = t\n",
        expect![[r#"
            18:7: R1: there are two checks named p
                17:7: the first one
                help: give one of them another name
            21:5: R1: there are two functions named f
                19:5: the first one
                help: write the equations below one head
            usable: none
        "#]],
    );
}

// ---- layout ----

#[test]
fn l1_lines_that_belong_nowhere() {
    check(
        "",
        expect![[r#"
            1:1: L1: there is no language in this file
                help: begin with 'language NAME'
            usable: none
        "#]],
    );
    check(
        "-- only a comment\n",
        expect![[r#"
            1:1: L1: there is no language in this file
                help: begin with 'language NAME'
            usable: none
        "#]],
    );
    check(
        "syntax\n  t ::= 0\n",
        expect![[r#"
            1:1: L1: a definition begins with 'language NAME'
                help: for instance: language arith
            usable: none
        "#]],
    );
    check(
        "language\n",
        expect![[r#"
            1:1: L1: this language has no name
                help: write 'language NAME'
            usable: none
        "#]],
    );
    check(
        "language a extends\n",
        expect![[r#"
            1:12: L1: 'extends' needs the name of a language
                help: for instance: language stlc-1 extends stlc
            usable: none
        "#]],
    );
    check(
        "language a\nsyntax\n  t ::= 0 | {a = t} | {left}\n",
        expect![[r#"
        3:13: L1: an alternative cannot begin with attributes
            help: quote '{' and '}' if they are object syntax
        3:23: L1: an alternative cannot begin with attributes
            help: quote '{' and '}' if they are object syntax
        usable: none
    "#]],
    );
    check(
        "language a\nsyntax\n  t ::= 0 | 1\n  m ::= 2\nreduction <<t, m>> --> <<t', m'>>\n  <<0, m>> --> <<1, m>>  [E]\n",
        expect![[r#"
            5:11: S1: a reduction relates two forms of one sort
                help: for instance: reduction t --> t'; a state of several parts has a sort of its own: W ::= ⟨t, μ⟩ and reduction W --> W'
            usable: none
        "#]],
    );
    check(
        "language a\n  0 --> 0\nvar\nvar 1 x2\nsyntax\nsyntax\n  0 | 1\n  t1 ::= 0\n  t ::= 0 | | 1 {left | 2 {loud}\n",
        expect![[r#"
            2:3: L1: this is not an item of a language
                help: items begin with one of: var, atom, loc, int, syntax, env, store, judgment, reduction, fun, bounds, check, replace, add, remove, expect
            3:1: L1: 'var' needs at least one name
                help: for instance: var x
            4:5: L1: '1' is not the name of a sort
                help: a name is made of letters; digits and primes make further metavariables of it
            4:7: L1: 'x2' is not the name of a sort
                help: a name is made of letters; digits and primes make further metavariables of it
            5:1: L1: 'syntax' without a production
                help: for instance: t ::= x | t t
            7:3: L1: a production is expected here
                help: for instance: t ::= x | t t
            8:3: L1: 't1' is not the name of a sort
                help: digits and primes make metavariables of a sort; name the sort without them
            9:11: L1: an alternative is empty
                help: remove the extra '|'
            9:17: L1: this brace is not closed at the end of the alternative
                help: attributes are written {…} after an alternative; quote '{' and '}' if they are object syntax
            9:28: L1: 'loud' is not an attribute
                help: attributes are: bind x in t, left, right, weight N, infer
            usable: none
        "#]],
    );
    check_rules(
        "judgment Γ ⊢ t : T\n  Γ ⊢ 0 : Nat\n\n  Γ ⊢ 0 : Nat  [T-Zero]  Γ ⊢ x : Nat\njudgment\n",
        expect![[r#"
            10:3: L1: this line belongs to no rule
                help: an axiom ends in '  [NAME]', at least two spaces before it; other rules have a bar '---- NAME' below their premises
            12:26: L1: a rule without a name
                help: write its name in brackets after it, two spaces apart: '  [NAME]'
            13:1: L1: 'judgment' needs a shape
                help: for instance: judgment Γ ⊢ t : T
            usable: none
        "#]],
    );
    check_after(
        "fun\nfun f(t) : t\nfun g(t)\n  g(t) = t\nfun h(t) : t\n  nonsense\n  h(t) ~ t\n  h(t) = t if\n",
        expect![[r#"
            17:1: L1: a function needs a name and parameters
                help: for instance: fun shift(d, c, t) : t
            18:5: L1: the function f has no equation
                help: write the equations below the head, each on a line of its own: f(…) = …
            19:5: L1: the function g has no result sort
                help: for instance: fun shift(d, c, t) : t
            22:1: L1: an equation is expected here
                help: for instance: h(…) = …
            23:8: N1: '~' is not a symbol of this language
                help: symbols are those of the grammar and of the judgments
            24:12: L1: a condition is expected after 'if'
                help: for instance: if n < c
            usable: none
        "#]],
    );
}

#[test]
fn l1_checks_bounds_and_expectations() {
    check_after(
        "bounds t: many\nbounds t 5\nbounds t: 0..3   x: size 3   Γ: depth 2\nbounds t: 99999999999999 nodes\nbounds t:\n",
        expect![[r#"
            17:11: L1: this is not a bound
                help: for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)
            18:8: L1: this is not a bound
                help: for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)
            19:8: S1: this bound does not fit the sort t
                help: members of t are trees, bounded by size, nodes, height or depth
            19:18: S1: this bound does not fit the sort x
                help: members of x are names, bounded by how many there are
            19:30: S1: this bound does not fit the sort Γ
                help: members of Γ are maps, bounded by their number of entries
            20:11: L1: this is not a bound
                help: for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)
            21:9: L1: this is not a bound
                help: for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)
            usable: none
        "#]],
    );
    check_after(
        "check\ncheck p · ⊢ t : T\ncheck q : · ⊢ t : T\ncheck r : · ⊢ t : T => \ncheck s : · ⊢ t : T => exists T' ⊇ . · ⊢ t : T\ncheck u : · ⊢ t : T => exists T' · ⊢ t : T'\n",
        expect![[r#"
            17:1: L1: a check needs a name
                help: for instance: check progress : · ⊢ t : T => t is v or t steps
            18:7: L1: ':' is expected after the name of check p
                help: for instance: check progress : · ⊢ t : T => t is v or t steps
            19:7: L1: the check q has no '=>'
                help: a check says: premises => conclusion
            20:7: L1: a conclusion of r is empty
                help: a check says: premises => conclusion or conclusion
            21:24: L1: this quantifier cannot be read
                help: for instance: exists Σ' ⊇ Σ.  or: exists T1, T2.
            22:24: L1: this quantifier cannot be read
                help: for instance: exists Σ' ⊇ Σ.  or: exists T1, T2.
            usable: none
        "#]],
    );
    check_after(
        "check p : · ⊢ t : T => t is v\nexpect\nexpect p\nexpect p perhaps\nexpect p fails size ?\nexpect p fails size 3\n",
        expect![[r#"
            18:1: L1: this is not an expectation
                help: for instance: expect progress holds, or: expect preservation fails size 7
            19:8: L1: this is not an expectation
                help: for instance: expect progress holds, or: expect preservation fails size 7
            20:8: L1: this is not an expectation
                help: for instance: expect progress holds, or: expect preservation fails size 7
            21:21: L1: this is not an expectation
                help: for instance: expect progress holds, or: expect preservation fails size 7
            usable: none
        "#]],
    );
    check_syntax(
        "  t ::= 0 {weight heavy} | 1 {weight 100000} | t + t {left, weight 2, sideways}\n",
        expect![[r#"
            7:12: L1: 'heavy' is not a weight
                help: a small number, at least 0
            7:31: L1: '100000' is not a weight
                help: a small number, at least 0
            7:71: L1: 'sideways' is not an attribute
                help: attributes are: bind x in t, left, right, weight N, infer
            usable: none
        "#]],
    );
}

#[test]
fn l2_bars() {
    check_rules(
        "judgment Γ ⊢ t : T\n  x:T ∈ Γ\n  --------- T-Var\n\n  x:T ∈ Γ\n  ---------\n  Γ ⊢ x : T\n\n  ------ a     ------ b\n  Γ ⊢ 0 : Nat\n",
        expect![[r#"
            11:3: L2: there is no conclusion below this bar
                help: write the conclusion on the line right below the bar
            14:3: L2: this bar has no name after it
                help: write '---- NAME'
            17:16: L2: there is no conclusion below this bar
                help: the conclusion begins at or right of the first dash of its bar
            usable: none
        "#]],
    );
}

#[test]
fn l3_text_across_a_boundary() {
    check_rules(
        "judgment Γ ⊢ t : T\n  x:T ∈ Γ     Γ ⊢ t1 : Nat\n  --------- T-Var  --------- T-Succ\n  Γ ⊢ x : T        Γ ⊢ succ t1 : Nat\n",
        expect![[r#"
            10:19: L3: this text crosses the boundary between two rules
                help: the columns of a rule begin at the first dash of its bar: move the rules apart, or write them below each other
            usable: none
        "#]],
    );
    check_rules(
        "judgment Γ ⊢ t : T\n  x:T ∈ Γ          Γ ⊢ t : Nat\n  --------- A  --------- B\n  Γ ⊢ x : T          Γ ⊢ succ t : Nat\n",
        expect![[r#"
            usable: small
        "#]],
    );
}

// ---- extensions ----

#[test]
fn extensions() {
    check_after(
        "language more extends smal\n",
        expect![[r#"
            17:23: N1: there is no language smal above
                help: did you mean small?
            usable: small
        "#]],
    );
    check_after(
        "language more extends tiny\n",
        expect![[r#"
            17:23: N1: there is no language tiny above
                help: a language extends one that is defined before it, in the same file
            usable: small
        "#]],
    );
    check_after(
        "language more extends small assuming other sound\n",
        expect![[r#"
            17:29: L1: what may be assumed is that the extended language is sound
                help: write 'assuming small sound'
            usable: small
        "#]],
    );
    check_after(
        "language more extends small assuming small\n",
        expect![[r#"
            17:29: L1: what may be assumed is that the extended language is sound
                help: write 'assuming small sound'
            usable: small
        "#]],
    );
    check_after(
        "language more extends small\n  replace\n  Γ ⊢ 0 : Nat  [T-Zeroo]    Γ ⊢ 0 : Nat  [Quite-Different]\n",
        expect![[r#"
            19:17: N1: there is no rule T-Zeroo to replace
                help: did you mean T-Zero? A new rule is given with 'add'
            19:43: N1: there is no rule Quite-Different to replace
                help: a new rule is given with 'add'
            usable: small
        "#]],
    );
    check_after(
        "language more extends small\n  add\n  Γ ⊢ 0 : Nat  [T-Zero]\n",
        expect![[r#"
            19:17: R1: the rule T-Zero already exists
                10:17: here
                help: give it another name, or write 'replace'
            usable: small
        "#]],
    );
    check_after(
        "language more extends small\n  remove T-Zeroo, beta, nonsense-name\n  remove v ::= pred v\n  remove q ::= 0\n  remove\n  remove +\n",
        expect![[r#"
            18:10: N1: there is no rule T-Zeroo to remove
                help: did you mean T-Zero?
            18:25: N1: there is no rule nonsense-name to remove
                help: what is removed is a rule or a check, by its name, or an alternative: remove v ::= …
            19:16: N1: there is no such alternative to remove
                help: the alternatives are: 0 | succ v | λ x:T. t
            20:10: N1: there is no such sort to remove from
                help: write 'remove v ::= alternative'
            21:3: L1: what is to be removed?
                help: write 'remove NAME' or 'remove v ::= alternative'
            22:10: N1: there is no rule + to remove
                help: what is removed is a rule or a check, by its name, or an alternative: remove v ::= …
            usable: small
        "#]],
    );
    check_after(
        "language more extends small\n  add q ::= 0\n  syntax t ::= 1\n  replace\n  add\n",
        expect![[r#"
            18:7: N1: there is no such sort to add to
                help: a new sort is given with 'syntax'
            19:10: R1: the sort t is already defined
                4:3: here
                help: in an extension write 'add t ::= …'
            20:3: L1: 'replace' without a rule
                help: rules begin on the next line
            21:3: L1: 'add' without a rule
                help: rules begin on the next line
            usable: small
        "#]],
    );
    check_after(
        "replace\n  Γ ⊢ 0 : Nat  [T-Zero]\nadd t ::= 1\nremove beta\n",
        expect![[r#"
            17:1: L1: 'replace' only makes sense in a language that extends another
                help: write 'language NAME extends OTHER'
            19:1: L1: 'add' only makes sense in a language that extends another
                help: write 'language NAME extends OTHER'
            20:1: L1: 'remove' only makes sense in a language that extends another
                help: write 'language NAME extends OTHER'
            usable: none
        "#]],
    );
    // What is wrong in a language is reported once, not again for each of its extensions.
    check_steps(
        "  (λ x:T. t) v --> z  [beta]\nlanguage more extends small\nlanguage fine extends small\n  replace\n  (λ x:T. t) v --> t[v/x]  [beta]\n",
        expect![[r#"
            16:20: N1: 'z' is not a terminal, sort or metavariable
                help: declare it: var, atom, loc and int name sorts; syntax gives terminals
            usable: fine
        "#]],
    );
    check_after(
        "language more extends small\n  fun f(t) : t\n  f(t) = t\n  check p : · ⊢ t : T => t is v\nlanguage most extends more\n  fun f(t) : t\n  f(t) = 0\n  check p : · ⊢ t : T => t steps\n",
        expect![[r#"
            usable: small, more, most
        "#]],
    );
}

// ---- more than one ----

#[test]
fn several_errors_in_one_run() {
    check(
        "language many
var x
syntax
  t ::= x | 0 | succ t | λ x. t {bind y in t} | t t
  T ::= Nat
  L ::= cons L
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ zero : Nat  [T-Zero]    Γ ⊢ t t t : T  [T-App]

  Γ ⊢ t9 : Nat
  -------------- T-Succ
  Γ ⊢ succ t : Nat

  this belongs nowhere
check p : · ⊢ t : T => t is v
expect q holds
",
        expect![[r#"
            4:34: B1: 'y' is not part of this alternative
                help: its parts are: x, t
            6:3: G2: sort L has no finite member
                help: add an alternative that does not need another member of the sort
            9:7: N1: 'zero' is not a terminal, sort or metavariable
                help: declare it: var, atom, loc and int name sorts; syntax gives terminals
            9:35: G1: two readings of 't t t': (t (t t)) and ((t t) t)
                help: write parentheses, or add {left} or {right} to the alternative
            11:3: M1: t9 in premise 1 of T-Succ is not a part of the subject
                help: a premise speaks of parts of the conclusion's program, or of what another premise determines
            15:3: L1: this line belongs to no rule
                help: an axiom ends in '  [NAME]', at least two spaces before it; other rules have a bar '---- NAME' below their premises
            16:29: N1: 'v' is not a terminal, sort or metavariable
                help: declare it: var, atom, loc and int name sorts; syntax gives terminals
            17:8: N1: there is no check named q
                help: the checks of many are: p
            usable: none
        "#]],
    );
}

#[test]
fn warnings_do_not_stop_anything() {
    let text = format!("{BASE}{TYPING}{STEPS}  v v --> v  [same]\n");
    let file = lang::syntax::parse(&text, FileId(0));
    assert!(!file.has_errors());
    assert_eq!(file.diagnostics.len(), 1);
    assert_eq!(file.langs().count(), 1);
}

// ---- terms and bounds of a command line ----

#[track_caller]
fn check_term(text: &str, expected: Expect) {
    let definition = format!("{BASE}{TYPING}{STEPS}");
    let file = lang::syntax::parse(&definition, FileId(0));
    let lang = file.langs().next().expect("the small language is fine");
    let mut terms = lang::term::Terms::new(lang);
    let mut map = SourceMap::default();
    let id = map.add("term", text);
    let out = match lang::syntax::read_term(&mut terms, text, id, &[]) {
        Ok((sort, term)) => format!("{} : {}\n", lang::print::term(&terms, term), lang.sort(sort).name),
        Err(diagnostic) => render(&map, &[diagnostic]),
    };
    expected.assert_eq(&out);
}

#[test]
fn terms() {
    check_term(
        "(λ x:Nat. x) (succ 0)",
        expect![[r#"
        (λ x:Nat. x) (succ 0) : t
    "#]],
    );
    check_term(
        "(\\ x1 : Nat. \\ x:Nat -> Nat. x1) 0",
        expect![[r#"
        (λ x:Nat. λ x1:Nat -> Nat. x) 0 : t
    "#]],
    );
    check_term(
        "λ x:Nat. x1",
        expect![[r#"
        1:10: B1: x1 is not bound here
            help: programs are closed: bind it, or take it away
    "#]],
    );
    check_term(
        "succ t",
        expect![[r#"
            1:6: S1: t is a metavariable; a program has none
                help: write out what it stands for
        "#]],
    );
    check_term(
        "sucd 0",
        expect![[r#"
        1:1: N1: 'sucd' is not a terminal or name of the language small
            help: did you mean 'succ'?
    "#]],
    );
    check_term(
        "succ",
        expect![[r#"
        1:1: S1: this is not a program of the language small
            help: check the spelling and the parentheses
    "#]],
    );
    check_term(
        "",
        expect![[r#"
        1:1: S1: this is not a program of the language small
            help: check the spelling and the parentheses
    "#]],
    );
    check_term(
        "Nat",
        expect![[r#"
        1:1: S1: this is not a program of the language small
            help: check the spelling and the parentheses
    "#]],
    );
    check_term(
        "0[0/x]",
        expect![[r#"
        1:1: S1: this is not a program of the language small
            help: check the spelling and the parentheses
    "#]],
    );
    check_term(
        &"0 ".repeat(500),
        expect![[r#"
            1:1: S1: this term is too long to be read: 500 tokens, at most 400
                help: a smaller term shows the same
        "#]],
    );
    check_term(
        &format!("{}0{}", "(".repeat(150), ")".repeat(150)),
        expect![[r#"
        0 : t
    "#]],
    );
}

#[test]
fn bounds() {
    let definition = format!("{BASE}{TYPING}{STEPS}");
    let file = lang::syntax::parse(&definition, FileId(0));
    let lang = file.langs().next().expect("the small language is fine");
    let read = |text: &str| {
        let mut map = SourceMap::default();
        let id = map.add("bounds", text);
        match lang::syntax::read_bounds(lang, text, id) {
            Ok(bounds) => bounds.iter().map(|(s, b)| format!("{} {b:?}\n", lang.sort(*s).name)).collect(),
            Err(diagnostic) => render(&map, &[diagnostic]),
        }
    };
    let mut out = String::new();
    for text in ["t: size 12   T: depth 2, x: 3", "t: 12 nodes", "q: 3", "t: size", "t 5", "t: 0..3", "t: size 5 6", ""]
    {
        out.push_str(&format!("{text}\n{}", read(text)));
    }
    expect![[r#"
        t: size 12   T: depth 2, x: 3
        t Size(12)
        T Depth(2)
        x Count(3)
        t: 12 nodes
        t Nodes(12)
        q: 3
        1:1: N1: 'q' is not a sort of small
            help: the sorts are: x, t, T, v, E, Γ
        t: size
        1:4: L1: this is not a bound
            help: for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)
        t 5
        1:1: L1: this is not a bound
            help: for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)
        t: 0..3
        1:1: S1: this bound does not fit the sort t
            help: members of t are trees, bounded by size, nodes, height or depth
        t: size 5 6
        1:11: L1: this is not a bound
            help: for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)

    "#]].assert_eq(&out);
}
