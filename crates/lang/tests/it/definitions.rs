//! Definitions are read as they are meant: sorts, subsets, contexts, binders, rules, functions, checks, extensions, layout.

use expect_test::{Expect, expect};
use lang::{Assoc, Lang, Piece, SortKind};
use source::FileId;

fn parse(text: &str) -> lang::syntax::File {
    let file = lang::syntax::parse(text, FileId(0));
    assert!(!file.has_errors(), "{}\n{text}", crate::corpus::messages(&file));
    file
}

fn file(name: &str) -> lang::syntax::File {
    let (_, text) = crate::corpus::definitions()
        .into_iter()
        .find(|(n, _)| *n == format!("definitions/{name}"))
        .expect("this definition");
    parse(&text)
}

fn the(file: &lang::syntax::File) -> &Lang {
    file.langs().next().expect("a language")
}

/// All of a definition, one line per fact.
fn describe(lang: &Lang) -> String {
    let mut out = format!("language {}", lang.name);
    if let Some(base) = lang.extends {
        out.push_str(&format!(" extends {base}{}", if lang.assumes_base { " assumed sound" } else { "" }));
    }
    out.push('\n');
    let sort_name = |id: lang::SortId| lang.sort(id).name.as_str();
    for sort in &lang.sorts {
        let kind = match &sort.kind {
            SortKind::Var => "variables".to_string(),
            SortKind::Atom => "atoms".to_string(),
            SortKind::Loc => "locations".to_string(),
            SortKind::Int => "integers".to_string(),
            SortKind::Grammar { prods } => format!("grammar of {}", prods.len()),
            SortKind::Sub { base, alts } => format!("subset of {} by {}", sort_name(*base), alts.len()),
            SortKind::Context { base, alts } => format!("contexts in {} by {}", sort_name(*base), alts.len()),
            SortKind::Env { extensions, .. } => format!("environment of {}", extensions.len()),
            SortKind::Store { .. } => "store".to_string(),
        };
        let tree = if sort.is_tree { ", tree" } else { "" };
        out.push_str(&format!("  {}: {kind}{tree}\n", sort.aliases.join(", ")));
    }
    for prod in &lang.prods {
        let mut facts = Vec::new();
        for binder in &prod.binders {
            facts.push(format!("{} bound in {:?}", binder.var, binder.scope));
        }
        if prod.assoc != Assoc::None {
            facts.push(format!("{:?}", prod.assoc).to_lowercase());
        }
        if prod.weight != 1 {
            facts.push(format!("weight {}", prod.weight));
        }
        if prod.infer {
            facts.push("infer".to_string());
        }
        if !facts.is_empty() {
            out.push_str(&format!("  {} ::= {}: {}\n", sort_name(prod.sort), prod.text, facts.join(", ")));
        }
    }
    for (k, judgment) in lang.judgments.iter().enumerate() {
        let id = lang::JudgId(k as u32);
        let subject = judgment.subject.map_or("none".to_string(), |s| sort_name(judgment.args[s]).to_string());
        let contexts =
            judgment.reduction.and_then(|r| r.contexts).map_or(String::new(), |c| format!(" in {}", sort_name(c)));
        out.push_str(&format!(
            "  {}: {} rules, subject {subject}{contexts}\n",
            judgment.text,
            lang.rules_of(id).count()
        ));
    }
    for check in &lang.checks {
        let list = |located: &[lang::Located]| -> String {
            let texts: Vec<String> =
                located.iter().map(|p| lang::print::premise(lang, &check.metas, &p.premise)).collect();
            texts.join(", ")
        };
        let meta = |m: &lang::MetaId| check.metas[m.index()].name.clone();
        let mut text = String::new();
        for m in &check.total {
            text.push_str(&format!("total {}, ", meta(m)));
        }
        text.push_str(&format!("{} => ", list(&check.premises)));
        for (m, within) in &check.exists {
            let within = within.as_ref().map_or(String::new(), |w| format!(" ⊇ {}", meta(w)));
            text.push_str(&format!("exists {}{within}. ", meta(m)));
        }
        let conclusions: Vec<String> = check.conclusions.iter().map(|c| list(c)).collect();
        text.push_str(&conclusions.join(" or "));
        let bounds: Vec<String> = check.bounds.iter().map(|(s, b)| format!(" [{} {b:?}]", sort_name(*s))).collect();
        out.push_str(&format!("  check {}{}: {text}\n", check.name, bounds.concat()));
    }
    for (sort, bound) in &lang.bounds {
        out.push_str(&format!("  bound {}: {bound:?}\n", sort_name(*sort)));
    }
    for expect in &lang.expects {
        out.push_str(&format!("  expect {}: {:?}\n", expect.check, expect.outcome));
    }
    out
}

/// The rules, functions and alternatives, written out again.
fn written(lang: &Lang) -> String {
    let mut out = String::new();
    for rule in &lang.rules {
        let premises: Vec<String> =
            rule.premises.iter().map(|p| lang::print::premise(lang, &rule.metas, &p.premise)).collect();
        let bar = if premises.is_empty() { String::new() } else { format!("{} / ", premises.join("   ")) };
        let mark = if rule.marks.unused_ok { " {unused ok}" } else { "" };
        out.push_str(&format!("{}{mark}: {bar}{}\n", rule.name, lang::print::conclusion(lang, rule)));
    }
    for fun in &lang.funs {
        for equation in &fun.equations {
            let form = |f: &lang::Form| lang::print::form(lang, &equation.metas, f);
            let left: Vec<String> = equation.left.iter().map(form).collect();
            let conditions: Vec<String> = equation
                .conditions
                .iter()
                .map(|c| lang::print::premise(lang, &equation.metas, &c.premise))
                .map(|c| format!(" if {}", c.trim_start_matches("where ")))
                .collect();
            out.push_str(&format!(
                "{}({}) = {}{}\n",
                fun.name,
                left.join(", "),
                form(&equation.right),
                conditions.concat()
            ));
        }
    }
    out
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let file = parse(text);
    let out: String = file.langs().map(|l| format!("{}{}", describe(l), written(l))).collect();
    expected.assert_eq(&out);
}

#[track_caller]
fn check_file(name: &str, expected: Expect) {
    let file = file(name);
    expected.assert_eq(&describe(the(&file)));
}

// ---- the five definitions of `tests/definitions` ----

#[test]
fn arith() {
    check_file(
        "arith.lang",
        expect![[r#"
            language arith
              t: grammar of 7, tree
              nv: subset of t by 2, tree
              v: subset of t by 3, tree
              T: grammar of 2
              E: contexts in t by 5, tree
              ⊢ t : T: 7 rules, subject t
              t --> t': 6 rules, subject none in E
              check progress: ⊢ t : T => t is v or t steps
              check preservation: ⊢ t : T, t --> t' => ⊢ t' : T
              check determinism: ⊢ t : T, t --> t1, t --> t2 => t1 = t2
              bound t: Nodes(3280)
        "#]],
    );
}

#[test]
fn imp() {
    check_file(
        "imp.lang",
        expect![[r#"
            language imp
              x: atoms
              n: integers
              e: grammar of 7, tree
              c: grammar of 5, tree
              T: grammar of 2
              v: subset of e by 3, tree
              E: contexts in e by 6, tree
              C: contexts in c by 4, tree
              s: grammar of 2, tree
              W: contexts in s by 1, tree
              Γ: environment of 1
              σ: store
              e ::= e + e: left
              c ::= c ; c: right
              Γ ⊢ e : T: 7 rules, subject e
              Γ ⊢ c ok: 5 rules, subject c
              Γ ⊢ σ: 1 rules, subject none
              s --> s': 11 rules, subject none in W
              check progress: Γ ⊢ c ok, Γ ⊢ σ => c = skip or ⟨ c, σ ⟩ steps
              check preservation: Γ ⊢ c ok, Γ ⊢ σ, ⟨ c, σ ⟩ --> ⟨ c', σ' ⟩ => Γ ⊢ c' ok, Γ ⊢ σ'
              bound c: Nodes(511)
              bound x: Count(4)
              bound n: Range(0, 1)
        "#]],
    );
    let file = file("imp.lang");
    expect![[r#"
        T-Num: Γ ⊢ n : Int
        T-True: Γ ⊢ true : Bool
        T-False: Γ ⊢ false : Bool
        T-Var: x:T ∈ Γ / Γ ⊢ x : T
        T-Plus: Γ ⊢ e1 : Int   Γ ⊢ e2 : Int / Γ ⊢ e1 + e2 : Int
        T-Le: Γ ⊢ e1 : Int   Γ ⊢ e2 : Int / Γ ⊢ e1 <= e2 : Bool
        T-Not: Γ ⊢ e : Bool / Γ ⊢ not e : Bool
        C-Skip: Γ ⊢ skip ok
        C-Assign: x:T ∈ Γ   Γ ⊢ e : T / Γ ⊢ x := e ok
        C-Seq: Γ ⊢ c1 ok   Γ ⊢ c2 ok / Γ ⊢ c1 ; c2 ok
        C-If: Γ ⊢ e : Bool   Γ ⊢ c1 ok   Γ ⊢ c2 ok / Γ ⊢ if e then c1 else c2 ok
        C-While: Γ ⊢ e : Bool   Γ ⊢ c ok / Γ ⊢ while e do c ok
        Store: forall x:T ∈ Γ. Γ ⊢ σ(x) : T / Γ ⊢ σ
        var: ⟨ x, σ ⟩ --> ⟨ σ(x), σ ⟩
        assign: ⟨ x := v, σ ⟩ --> ⟨ skip, σ[x ↦ v] ⟩
        not-true: ⟨ not true, σ ⟩ --> ⟨ false, σ ⟩
        not-false: ⟨ not false, σ ⟩ --> ⟨ true, σ ⟩
        if-true: ⟨ if true then c1 else c2, σ ⟩ --> ⟨ c1, σ ⟩
        seq: ⟨ skip ; c, σ ⟩ --> ⟨ c, σ ⟩
        if-false: ⟨ if false then c1 else c2, σ ⟩ --> ⟨ c2, σ ⟩
        while: ⟨ while e do c, σ ⟩ --> ⟨ if e then c ; while e do c else skip, σ ⟩
        plus: where n = n1 + n2 / ⟨ n1 + n2, σ ⟩ --> ⟨ n, σ ⟩
        le-true: where n1 <= n2 / ⟨ n1 <= n2, σ ⟩ --> ⟨ true, σ ⟩
        le-false: where n1 > n2 / ⟨ n1 <= n2, σ ⟩ --> ⟨ false, σ ⟩
    "#]]
    .assert_eq(&written(the(&file)));
}

#[test]
fn stlc() {
    check_file(
        "stlc.lang",
        expect![[r#"
            language stlc
              x: variables
              n: integers
              t: grammar of 9, tree
              T: grammar of 3
              v: subset of t by 10, tree
              E: contexts in t by 3, tree
              Γ: environment of 1
              t ::= λ x:T. t: 0 bound in [2], weight 4
              t ::= t t: left
              T ::= List: weight 3
              T ::= T -> T: right, weight 2
              Γ ⊢ t : T: 9 rules, subject t
              t --> t': 6 rules, subject none in E
              check progress: · ⊢ t : T => t is v or t steps
              check preservation: · ⊢ t : T, t --> t' => · ⊢ t' : T
              bound t: Nodes(511)
              bound T: Depth(3)
              bound n: Range(0, 0)
        "#]],
    );
    let file = file("stlc.lang");
    expect![[r#"
        T-Int: Γ ⊢ n : Int
        T-Nil: Γ ⊢ nil : List
        T-Cons: Γ ⊢ cons : Int -> List -> List
        T-Hd: Γ ⊢ hd : List -> Int
        T-Tl: Γ ⊢ tl : List -> List
        T-Plus: Γ ⊢ plus : Int -> Int -> Int
        T-Var: x:T ∈ Γ / Γ ⊢ x : T
        T-Lam: Γ, x:T1 ⊢ t : T2 / Γ ⊢ λ x:T1. t : T1 -> T2
        T-App: Γ ⊢ t1 : T1 -> T2   Γ ⊢ t2 : T1 / Γ ⊢ t1 t2 : T2
        beta: (λ x:T. t) v --> t[v/x]
        hd: hd (cons v1 v2) --> v1
        tl: tl (cons v1 v2) --> v2
        hd-nil: hd nil --> error
        tl-nil: tl nil --> error
        plus: where n = n1 + n2 / plus n1 n2 --> n
    "#]]
    .assert_eq(&written(the(&file)));
}

#[test]
fn sub() {
    check_file(
        "sub.lang",
        expect![[r#"
            language sub
              x: variables
              t: grammar of 4, tree
              T, S: grammar of 3
              v: subset of t by 2, tree
              E: contexts in t by 3, tree
              Γ: environment of 1
              t ::= λ x:T. t: 0 bound in [2]
              t ::= t t: left
              T ::= T -> T: right
              T <: T': 4 rules, subject none
              Γ ⊢ t : T: 5 rules, subject t
              t --> t': 1 rules, subject none in E
              check progress: · ⊢ t : T => t is v or t steps
              check preservation: · ⊢ t : T, t --> t' => · ⊢ t' : T
              bound t: Nodes(511)
              bound T: Depth(3)
        "#]],
    );
}

#[test]
fn refs() {
    check_file(
        "refs.lang",
        expect![[r#"
            language refs
              x: variables
              l: locations
              t: grammar of 8, tree
              T: grammar of 3
              v: subset of t by 3, tree
              E: contexts in t by 7, tree
              s: grammar of 1, tree
              W: contexts in s by 1, tree
              Γ: environment of 1
              Σ: environment of 1
              μ: store
              t ::= λ x:T. t: 0 bound in [2]
              t ::= t t: left
              T ::= T -> T: right
              Γ | Σ ⊢ t : T: 8 rules, subject t
              Σ ⊢ μ: 1 rules, subject none
              s --> s': 4 rules, subject none in W
              check progress: · | Σ ⊢ t : T, Σ ⊢ μ => t is v or ⟨ t, μ ⟩ steps
              check preservation: · | Σ ⊢ t : T, Σ ⊢ μ, ⟨ t, μ ⟩ --> ⟨ t', μ' ⟩ => exists Σ' ⊇ Σ. · | Σ' ⊢ t' : T, Σ' ⊢ μ'
              bound t: Nodes(255)
              bound T: Size(3)
              bound l: Count(2)
        "#]],
    );
}

#[test]
fn every_definition_is_read_without_errors() {
    for (name, text) in crate::corpus::definitions() {
        let file = lang::syntax::parse(&text, FileId(0));
        assert!(!file.has_errors(), "{name}:\n{}", crate::corpus::messages(&file));
        let headers = text.lines().filter(|l| l.starts_with("language ")).count();
        assert_eq!(file.langs().count(), headers, "{name}");
        for lang in file.langs() {
            assert!(!lang.judgments.is_empty(), "{name}: {}", lang.name);
            for prod in &lang.prods {
                let args = prod.pieces.iter().filter(|p| matches!(p, Piece::Arg(_))).count();
                assert_eq!(args, prod.args.len(), "{name}: {}", prod.text);
            }
        }
    }
}

/// A rule written out again is read as the same rule.
#[test]
fn rules_are_read_back() {
    for (name, text) in crate::corpus::definitions() {
        let file = parse(&text);
        for lang in file.langs().filter(|l| l.extends.is_none()) {
            // The grammar as it stands, the rules as they are printed.
            let start = lang.judgments.iter().map(|j| j.span.start as usize).min().unwrap_or(0);
            let begin = text[..lang.span.start as usize].rfind("language").unwrap_or(0);
            let head = text[..start].rfind('\n').unwrap_or(0);
            let mut copy = text[begin..head].to_string();
            if !lang.funs.is_empty() {
                continue;
            }
            for (k, judgment) in lang.judgments.iter().enumerate() {
                let keyword = if judgment.reduction.is_some() { "reduction" } else { "judgment" };
                let contexts = judgment.reduction.and_then(|r| r.contexts);
                let contexts = contexts.map_or(String::new(), |c| format!("  in {}", lang.sort(c).name));
                copy.push_str(&format!("\n{keyword} {}{contexts}\n", judgment.text));
                for (_, rule) in lang.rules_of(lang::JudgId(k as u32)) {
                    let conclusion = lang::print::conclusion(lang, rule);
                    if rule.premises.is_empty() {
                        copy.push_str(&format!("  {conclusion}  [{}]\n", rule.name));
                        continue;
                    }
                    let premises: Vec<String> =
                        rule.premises.iter().map(|p| lang::print::premise(lang, &rule.metas, &p.premise)).collect();
                    copy.push_str(&format!("\n  {}\n  ---- {}\n  {conclusion}\n", premises.join("   "), rule.name));
                }
            }
            let again = lang::syntax::parse(&copy, FileId(0));
            assert!(!again.has_errors(), "{name}: {}\n{copy}", crate::corpus::messages(&again));
            assert_eq!(written(the(&again)), written(lang), "{name}");
            let rules = the(&again).rules.iter();
            assert!(rules.map(|r| &r.conclusion).eq(lang.rules.iter().map(|r| &r.conclusion)), "{name}:\n{copy}");
        }
    }
}

// ---- one definition, many ways to write it ----

const PLAIN: &str = "language small
var x
syntax
  t ::= x | unit | \\ x:T. t {bind x in t} | t t {left} | /\\ t
  T ::= Unit | T -> T {right}
  v ::= unit | \\ x:T. t
  s ::= << t, m >>
  E ::= [] | E t | v E
env G ::= empty | G, x:T
store m ::= empty | m, a |-> v
atom a
judgment G |- t : T
  G |- unit : Unit  [T-Unit]

  x:T in G             G, x:T1 |- t : T2
  ---------- T-Var     -------------------------- T-Abs
  G |- x : T           G |- \\ x:T1. t : T1 -> T2
reduction s --> s'
  a in dom m
  ------------------------------------------------------ beta
  << (\\ x:T. t1) v, m >> --> << t1[v/x], m[a |-> v] >>
check p : empty |- t : T, m' = empty => << t, m' >> steps or t is v
";

fn facts(text: &str) -> String {
    let file = parse(text);
    let lang = the(&file);
    format!("{}{}", describe(lang), written(lang))
}

/// Symbols in their Unicode spelling.
fn unicode(text: &str) -> String {
    let mut text = text.to_string();
    for (ascii, symbol) in [
        ("|->", "↦"),
        ("-->", "⟶"),
        ("|-", "⊢"),
        ("->", "→"),
        ("/\\", "Λ"),
        ("\\", "λ"),
        ("<<", "⟨"),
        (">>", "⟩"),
        (" in G", " ∈ G"),
        ("in dom", "∈ dom"),
        ("empty", "·"),
        ("=>", "⇒"),
        ("T1", "T₁"),
        ("T2", "T₂"),
        ("t1", "t₁"),
        ("m'", "m′"),
        ("s'", "s′"),
    ] {
        text = text.replace(ascii, symbol);
    }
    text
}

#[test]
fn ascii_and_unicode_are_the_same() {
    let (ascii, other) = (facts(&plain_below()), facts(&unicode(&plain_below())));
    assert_eq!(unicode(&ascii), unicode(&other));
    // A grammar in one spelling, rules in the other.
    let below = plain_below();
    let (head, rules) = below.split_once("judgment").expect("a judgment");
    let mixed = format!("{}judgment{rules}", unicode(head));
    assert_eq!(unicode(&facts(&mixed)), unicode(&ascii));
    let (a, b) = (parse(&below), parse(&mixed));
    assert!(the(&a).rules.iter().map(|r| &r.conclusion).eq(the(&b).rules.iter().map(|r| &r.conclusion)));
}

#[test]
fn line_ends_marks_and_comments() {
    let plain = facts(PLAIN);
    assert_eq!(facts(&PLAIN.replace('\n', "\r\n")), plain);
    assert_eq!(facts(&format!("\u{feff}{PLAIN}")), plain);
    assert_eq!(facts(&format!("-- a comment\n\n{PLAIN}\n\n")), plain);
    assert_eq!(facts(&PLAIN.replace("[T-Unit]\n", "[T-Unit]   -- as in the book\n")), plain);
    assert_eq!(facts(PLAIN.trim_end()), plain);
    // A tab goes on to the next multiple of 8.
    assert_eq!(facts(&PLAIN.replace("  x:T in G             G, x:T1", "  x:T in G\t       G, x:T1")), plain);
}

/// The rules below each other.
fn plain_below() -> String {
    let below = "  x:T in G
  ---------- T-Var
  G |- x : T

  G, x:T1 |- t : T2
  -------------------------- T-Abs
  G |- \\ x:T1. t : T1 -> T2
";
    let (before, rest) = PLAIN.split_once("  x:T in G").expect("the rules");
    let (_, after) = rest.split_once("reduction").expect("the steps");
    format!("{before}{below}reduction{after}")
}

#[test]
fn side_by_side_or_below() {
    assert_eq!(facts(&plain_below()), facts(PLAIN));
}

// ---- premises, checks, functions ----

#[test]
fn premises_of_every_kind() {
    check(
        "language premises
var x
atom a
loc l
int n m
syntax
  t ::= x | n | a | l | t ; t {right} | not t | λ x. t {bind x in t}
  T ::= Int | T × T
  v ::= n | l
  s ::= ⟨ t, σ ⟩
env Γ ::= · | Γ, x:T | Γ, a
store σ ::= · | σ, l ↦ v
judgment T same T'
  T same T  [Same]
judgment Γ ⊢ t : T
  x:T ∈ Γ; Γ ⊢ x : T          x : T in Γ   x not in dom Γ
  ------------------ P1       --------------------------- P2
  Γ ⊢ x : T                   Γ ⊢ x : T

  a ∈ Γ,  a ∉ dom Γ,  t1 is v,  t2 is not v,  T ≠ T1,  T1 = T × _     not T same Int   forall x:T1 ∈ Γ. T same T1
  ------------------------------------------------------------- P3    ------------------------------------------- P4
  Γ ⊢ t1 ; t2 : T                                                     Γ ⊢ t : T

  where n1 = n2 + 2 * m - 1   where n1 < n2   where n1 >= m   where n1 != 0   where m <= -1
  ----------------------------------------------------------------------------------------- P5 {unused ok}
  Γ ⊢ n1 ; n2 ; m : Int
reduction s --> s'
  ⟨ not l, σ ⟩ --> ⟨ σ(l), σ ⟩  [look] {unused ok}    ⟨ l ; v, σ ⟩ --> ⟨ v, σ[l ↦ v] ⟩  [put]
  ⟨ λ x. n ; t, σ ⟩ --> error  [fail]

  fresh l   dom σ = dom (σ, l ↦ 0)
  ------------------------------------- new
  ⟨ 'a0' ; v, σ ⟩ --> ⟨ l, (σ, l ↦ v) ⟩
",
        expect![[r#"
            language premises
              x: variables
              a: atoms
              l: locations
              n: integers
              m: integers
              t: grammar of 7, tree
              T: grammar of 2
              v: subset of t by 2, tree
              s: grammar of 1, tree
              Γ: environment of 2
              σ: store
              t ::= t ; t: right
              t ::= λ x. t: 0 bound in [1]
              T same T': 1 rules, subject none
              Γ ⊢ t : T: 5 rules, subject t
              s --> s': 4 rules, subject none
            Same: T same T
            P1: x:T ∈ Γ   Γ ⊢ x : T / Γ ⊢ x : T
            P2: x:T ∈ Γ   x ∉ dom Γ / Γ ⊢ x : T
            P3: a ∈ Γ   a ∉ dom Γ   t1 is v   t2 is not v   T ≠ T1   T1 = T × _ / Γ ⊢ t1 ; t2 : T
            P4: not T same Int   forall x:T1 ∈ Γ. T same T1 / Γ ⊢ t : T
            P5 {unused ok}: where n1 = n2 + 2 * m - 1   where n1 < n2   where n1 >= m   where n1 ≠ 0   where m <= -1 / Γ ⊢ n1 ; n2 ; m : Int
            look {unused ok}: ⟨ not l, σ ⟩ --> ⟨ σ(l), σ ⟩
            put: ⟨ l ; v, σ ⟩ --> ⟨ v, σ[l ↦ v] ⟩
            fail: ⟨ λ x. n ; t, σ ⟩ --> error
            new: fresh l   dom σ = dom (σ, l ↦ 0) / ⟨ 'a0' ; v, σ ⟩ --> ⟨ l, (σ, l ↦ v) ⟩
        "#]],
    );
}

#[test]
fn checks_and_bounds() {
    check(
        "language checks
atom x
int n
syntax
  t ::= n | x | t or t {left}
  T ::= Int | T => T {right}
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ n : Int  [T]
reduction t --> t'
  n or t --> t  [R]
bounds t: 7 nodes   T: depth 2,  x: 3
       n: -2..2   Γ: 2
bounds t: size 5
check one bounds t: size 3   n: 0..1 : total Γ, Γ ⊢ t : T => t steps or Γ ⊢ t : T
check two: Γ ⊢ t or t' : T => T', total Γ => exists T1, T2. T = T1 => T2, Γ ⊢ t or t : T1 or t = t'
check three : Γ ⊢ t : T =>
  exists Γ' ⊇ Γ.  exists T'.
  Γ' ⊢ t : T',
  T' = T
expect one holds
expect two fails size 3, three fails
",
        expect![[r#"
            language checks
              x: atoms
              n: integers
              t: grammar of 3, tree
              T: grammar of 2
              Γ: environment of 1
              t ::= t or t: left
              T ::= T => T: right
              Γ ⊢ t : T: 1 rules, subject t
              t --> t': 1 rules, subject none
              check one [t Size(3)] [n Range(0, 1)]: total Γ, Γ ⊢ t : T => t steps or Γ ⊢ t : T
              check two: total Γ, Γ ⊢ t or t' : T => T' => exists T1. exists T2. T = T1 => T2, Γ ⊢ t or t : T1 or t = t'
              check three: Γ ⊢ t : T => exists Γ' ⊇ Γ. exists T'. Γ' ⊢ t : T', T' = T
              bound t: Nodes(7)
              bound T: Depth(2)
              bound x: Count(3)
              bound n: Range(-2, 2)
              bound Γ: Count(2)
              bound t: Size(5)
              expect one: Holds
              expect two: Fails { size: Some(3) }
              expect three: Fails { size: None }
            T: Γ ⊢ n : Int
            R: n or t --> t
        "#]],
    );
}

#[test]
fn functions() {
    check(
        "language functions
int n d c
syntax
  t ::= '#' n | true | λ T. t | t t {left} | if t then t else t
  T ::= Bool
fun shift(d, c, t) : t
  shift(d, c, #n)     = #n                     if n < c          -- first match wins
  shift(d, c, #n)     = #(n + d)
  shift(d, c, λ T. t) = λ T. shift(d, c + 1, t)
  shift(d, c, t1 t2)  = shift(d, c, t1)
                        shift(d, c, t2)
  shift(d, c, if t1 then t2 else t3) = if true then t2 else t3 if c = 0
  shift(d, c, _)      = true
fun twice(n) : n
  twice(n) = n + n
reduction t --> t'
  (λ T. t1) t2 --> shift(twice(1), 0 - 1, t1)  [beta]
language again extends functions
  fun twice(n) : n
  twice(0) = 0
  twice(-1) = -2
",
        expect![[r#"
            language functions
              n: integers
              d: integers
              c: integers
              t: grammar of 5, tree
              T: grammar of 1
              t ::= t t: left
              t --> t': 1 rules, subject none
            beta: (λ T. t1) t2 --> shift(twice(1), 0 - 1, t1)
            shift(d, c, #n) = #n if n < c
            shift(d, c, #n) = #(n + d)
            shift(d, c, λ T. t) = λ T. shift(d, c + 1, t)
            shift(d, c, t1 t2) = shift(d, c, t1) shift(d, c, t2)
            shift(d, c, if t1 then t2 else t3) = if true then t2 else t3 if c = 0
            shift(d, c, _) = true
            twice(n) = n + n
            language again extends 0
              n: integers
              d: integers
              c: integers
              t: grammar of 5, tree
              T: grammar of 1
              t ::= t t: left
              t --> t': 1 rules, subject none
            beta: (λ T. t1) t2 --> shift(twice(1), 0 - 1, t1)
            shift(d, c, #n) = #n if n < c
            shift(d, c, #n) = #(n + d)
            shift(d, c, λ T. t) = λ T. shift(d, c + 1, t)
            shift(d, c, t1 t2) = shift(d, c, t1) shift(d, c, t2)
            shift(d, c, if t1 then t2 else t3) = if true then t2 else t3 if c = 0
            shift(d, c, _) = true
            twice(0) = 0
            twice(-1) = -2
        "#]],
    );
}

#[test]
fn numbered_children_and_binders() {
    check(
        "language binders
var x X
syntax
  t ::= x | case t of x1 . t1 else x2 . t2 {bind x1 in t1, bind x2 in t2} | fix x1 x2 . t {bind x1 in t, bind x2 in t}
      | λ x. t {bind x in t, infer, weight 0} | Λ X. t {bind X in t}
  T ::= X | μ X. T {bind X in T}
reduction t --> t'
  case (λ x. t) of x1 . t1 else x2 . t2 --> t1[λ x. t/x1]  [left]
  fix x1 x2 . t --> t[λ x. x/x1, λ x. x/x2]  [both]    case t of _ . t1 else x2 . x2 --> t  [none]
  fix x1 x2 . t --> t[λ x. x/x1][λ x. x/x2]  [one-by-one]
",
        expect![[r#"
            language binders
              x: variables
              X: variables
              t: grammar of 5, tree
              T: grammar of 2
              t ::= case t of x1 . t1 else x2 . t2: 1 bound in [2], 3 bound in [4]
              t ::= fix x1 x2 . t: 0 bound in [2], 1 bound in [2]
              t ::= λ x. t: 0 bound in [1], weight 0, infer
              t ::= Λ X. t: 0 bound in [1]
              T ::= μ X. T: 0 bound in [1]
              t --> t': 4 rules, subject none
            left: case λ x. t of x1 . t1 else x2 . t2 --> t1[λ x. t/x1]
            both: fix x1 x2 . t --> t[λ x. x/x1, λ x. x/x2]
            none: case t of _ . t1 else x2 . x2 --> t
            one-by-one: fix x1 x2 . t --> t[λ x. x/x1][λ x. x/x2]
        "#]],
    );
}

#[test]
fn extensions() {
    check(
        "language base
var x
syntax
  t ::= x | 0 | let x = t1 in t2 {bind x in t2}
  T ::= Nat
  v ::= 0
  E ::= [] | let x = E in t
env Γ ::= · | Γ, x:T
judgment Γ ⊢ t : T
  Γ ⊢ 0 : Nat  [T-Zero]
reduction t --> t'  in E
  let x = v in t --> t[v/x]  [let]
check progress : · ⊢ t : T => t is v or t steps
expect progress holds
language one extends base assuming base sound
  add t ::= 1 | succ t
  add v ::= succ v
  add E ::= succ E
  judgment T <: T'
  T <: T  [S-Refl]
  add
  Γ ⊢ t : Nat                  Γ ⊢ t : T   T <: T'
  -------------- T-Succ        ------------------- T-Sub
  Γ ⊢ succ t : Nat             Γ ⊢ t : T'
  expect progress fails size 3
language two extends one
remove E ::= let x1 = E
             in t7
remove let, T-Zero
replace
  Γ ⊢ succ 0 : Nat  [T-Succ]
check progress : · ⊢ t : T => t steps
language three extends base   add t ::= zap
",
        expect![[r#"
            language base
              x: variables
              t: grammar of 3, tree
              T: grammar of 1
              v: subset of t by 1, tree
              E: contexts in t by 2, tree
              Γ: environment of 1
              t ::= let x = t1 in t2: 0 bound in [2]
              Γ ⊢ t : T: 1 rules, subject t
              t --> t': 1 rules, subject none in E
              check progress: · ⊢ t : T => t is v or t steps
              expect progress: Holds
            T-Zero: Γ ⊢ 0 : Nat
            let: let x = v in t --> t[v/x]
            language one extends 0 assumed sound
              x: variables
              t: grammar of 5, tree
              T: grammar of 1
              v: subset of t by 2, tree
              E: contexts in t by 3, tree
              Γ: environment of 1
              t ::= let x = t1 in t2: 0 bound in [2]
              Γ ⊢ t : T: 3 rules, subject t
              t --> t': 1 rules, subject none in E
              T <: T': 1 rules, subject none
              check progress: · ⊢ t : T => t is v or t steps
              expect progress: Fails { size: Some(3) }
            T-Zero: Γ ⊢ 0 : Nat
            let: let x = v in t --> t[v/x]
            S-Refl: T <: T
            T-Succ: Γ ⊢ t : Nat / Γ ⊢ succ t : Nat
            T-Sub: Γ ⊢ t : T   T <: T' / Γ ⊢ t : T'
            language two extends 1
              x: variables
              t: grammar of 5, tree
              T: grammar of 1
              v: subset of t by 2, tree
              E: contexts in t by 2, tree
              Γ: environment of 1
              t ::= let x = t1 in t2: 0 bound in [2]
              Γ ⊢ t : T: 2 rules, subject t
              t --> t': 0 rules, subject none in E
              T <: T': 1 rules, subject none
              check progress: · ⊢ t : T => t steps
            S-Refl: T <: T
            T-Succ: Γ ⊢ succ 0 : Nat
            T-Sub: Γ ⊢ t : T   T <: T' / Γ ⊢ t : T'
            language three extends 0
              x: variables
              t: grammar of 4, tree
              T: grammar of 1
              v: subset of t by 1, tree
              E: contexts in t by 2, tree
              Γ: environment of 1
              t ::= let x = t1 in t2: 0 bound in [2]
              Γ ⊢ t : T: 1 rules, subject t
              t --> t': 1 rules, subject none in E
              check progress: · ⊢ t : T => t is v or t steps
            T-Zero: Γ ⊢ 0 : Nat
            let: let x = v in t --> t[v/x]
        "#]],
    );
}

/// A line inside a block is never an item if it has the name of a rule or a bar, whatever its first word (docs/lang.md, "Tokens and
/// layout").
#[test]
fn words_of_the_format_as_object_syntax() {
    check(
        "language words
syntax
  t ::= check t | add t t | remove | 0 | store t in t
judgment t holds
check t holds  [A]
add t1 t2 holds  [B]
remove holds  [C]

  t holds
  --------------- D
  store t in 0 holds
reduction t --> t'
  add t1 t2 --> check t1  [step]
",
        expect![[r#"
            language words
              t: grammar of 5, tree
              t holds: 4 rules, subject t
              t --> t': 1 rules, subject none
            A: check t holds
            B: add t1 t2 holds
            C: remove holds
            D: t holds / store t in 0 holds
            step: add t1 t2 --> check t1
        "#]],
    );
}
