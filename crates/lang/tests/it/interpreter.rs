//! The interpreter on single terms: typings, steps, derivations, nearest misses.

use lang::interp::{Args, Interp, Reading, Reason};
use lang::term::TermId;
use lang::{JudgId, Lang, SortKind, print};
use source::{FileId, Severity};
use std::fmt::Write;

const ARITH: &str = include_str!("../definitions/arith.lang");
const STLC: &str = include_str!("../definitions/stlc.lang");
const SUB: &str = include_str!("../definitions/sub.lang");
const IMP: &str = include_str!("../definitions/imp.lang");
const REFS: &str = include_str!("../definitions/refs.lang");

fn language(text: &str) -> Lang {
    let file = lang::syntax::parse(text, FileId(0));
    let errors: Vec<_> = file.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    file.langs().last().expect("a language").clone()
}

fn judgment(lang: &Lang, reduction: bool) -> JudgId {
    let at =
        lang.judgments.iter().position(|j| j.reduction.is_some() == reduction && (reduction || j.subject.is_some()));
    JudgId(at.expect("a judgment") as u32)
}

fn read(interp: &mut Interp, text: &str) -> TermId {
    lang::syntax::read_term(&mut interp.terms, text, FileId(0), &[]).unwrap_or_else(|d| panic!("{text}: {d:?}")).1
}

/// The types of a closed term, and the rules of a lowest derivation of the first.
fn typing(text: &str, term: &str) -> String {
    let lang = language(text);
    let mut interp = Interp::new(&lang, None, Reading::Open).expect("an interpreter");
    let subject = read(&mut interp, term);
    let typed = judgment(&lang, false);
    let declared = lang.judgment(typed);
    let args: Vec<Option<TermId>> = declared
        .args
        .iter()
        .enumerate()
        .map(|(i, sort)| match lang.sort(*sort).kind {
            _ if declared.subject == Some(i) => Some(subject),
            SortKind::Env { empty, .. } | SortKind::Store { empty, .. } => Some(interp.terms.make(empty, [])),
            _ => None,
        })
        .collect();
    let mut out = String::new();
    let answers = interp.solve(typed, &args).expect("answers");
    let types: Vec<String> = answers.iter().map(|a| print::term(&interp.terms, *a.last().expect("a type"))).collect();
    write!(out, "{}", types.join(" | ")).unwrap();
    if let Some(first) = answers.first() {
        let derivation = interp.derivation(typed, first).expect("no fault").expect("a derivation");
        let mut rules = Vec::new();
        derivation.rules(&mut rules);
        let names: Vec<&str> = rules.iter().map(|r| lang.rule(*r).name.as_str()).collect();
        write!(out, " by {} (height {})", names.join(" "), derivation.height()).unwrap();
    } else if let Some(miss) = nearest(&mut interp, typed, &args) {
        write!(out, "ill typed: {miss}").unwrap();
    }
    out
}

fn nearest(interp: &mut Interp, typed: JudgId, args: &[Option<TermId>]) -> Option<String> {
    let args: Args = args.iter().map(|a| a.unwrap_or(lang::interp::OPEN)).collect();
    let miss = interp.nearest_judgment(typed, &args).expect("no fault")?;
    let rule = miss.rule.map_or("-", |r| interp.lang.rule(r).name.as_str());
    let subject = interp.lang.judgment(miss.judgment).subject.map(|s| print::term(&interp.terms, miss.args[s]));
    let reason = match miss.reason {
        Reason::Premise { premise, found, .. } => {
            let found: Vec<String> =
                found.iter().map(|a| print::term(&interp.terms, *a.last().expect("a type"))).collect();
            format!("premise {premise} fails, found [{}]", found.join(", "))
        }
        Reason::Shape { found, .. } => format!("found {}", print::term(&interp.terms, found)),
        Reason::Other(given) => format!("other: {}", given.len()),
        Reason::Undefined { .. } => "undefined".into(),
    };
    Some(format!("{rule} for {} {reason}", subject.unwrap_or_default()))
}

/// The rules from a term on until there is no step or a choice, with their places; and the last state, without spaces and parentheses.
fn steps(text: &str, term: &str) -> String {
    let lang = language(text);
    let mut interp = Interp::new(&lang, None, Reading::Open).expect("an interpreter");
    let mut term = read(&mut interp, term);
    let reduction = judgment(&lang, true);
    let mut out = String::new();
    for _ in 0..20 {
        let steps = interp.steps(reduction, term).expect("steps");
        for step in &steps {
            write!(out, "{} {:?} ", lang.rule(step.rule).name, step.path).unwrap();
        }
        let [step] = &steps[..] else { break };
        term = step.result;
    }
    out + &print::term(&interp.terms, term).replace(['(', ')', ' '], "")
}

/// The rule that nearly applied, where, and what was found instead.
fn stuck(text: &str, term: &str) -> String {
    let lang = language(text);
    let mut interp = Interp::new(&lang, None, Reading::Open).expect("an interpreter");
    let term = read(&mut interp, term);
    let reduction = judgment(&lang, true);
    assert!(interp.steps(reduction, term).expect("steps").is_empty());
    let miss = interp.nearest_step(reduction, term).expect("no fault").expect("a miss");
    let rule = miss.rule.map_or("-", |r| lang.rule(r).name.as_str());
    match miss.reason {
        Reason::Shape { found, .. } => {
            format!("{rule} at {:?}: found {}", miss.path, print::term(&interp.terms, found))
        }
        Reason::Premise { premise, .. } => format!("{rule} at {:?}: premise {premise}", miss.path),
        reason => format!("{rule} at {:?}: {reason:?}", miss.path),
    }
}

#[test]
fn typings_have_derivations_of_least_height() {
    assert_eq!(
        typing(ARITH, "if iszero 0 then 0 else pred 0"),
        "Nat by T-If T-IsZero T-Zero T-Zero T-Pred T-Zero (height 3)"
    );
    assert_eq!(typing(STLC, "λ x:Int. plus x"), "Int -> Int -> Int by T-Lam T-App T-Plus T-Var (height 3)");
    // Deeper than any bound: what rules determine is not bounded.
    assert_eq!(
        typing(STLC, "λ x:((Int -> Int) -> Int) -> (Int -> Int) -> Int. λ x1:List. x"),
        "(((Int -> Int) -> Int) -> (Int -> Int) -> Int) -> List -> ((Int -> Int) -> Int) -> (Int -> Int) -> Int by T-Lam T-Lam T-Var (height 3)"
    );
    assert!(typing(SUB, "λ x:Top. unit").starts_with("Top -> Unit | "));
    assert_eq!(typing(REFS, "! (ref unit)"), "Unit by T-Deref T-Ref T-Unit (height 3)");
}

#[test]
fn what_is_ill_typed_has_a_nearest_miss() {
    assert_eq!(typing(STLC, "plus 0 nil"), "ill typed: T-App for plus 0 nil premise 1 fails, found [List]");
    assert_eq!(typing(STLC, "hd (λ x:Int. x x)"), "ill typed: T-App for x x premise 0 fails, found [Int]");
    assert_eq!(
        typing(ARITH, "succ (if 0 then 0 else 0)"),
        "ill typed: T-If for if 0 then 0 else 0 premise 0 fails, found [Nat]"
    );
}

#[test]
fn steps_are_in_contexts() {
    assert_eq!(steps(STLC, "(λ x:Int. plus x x) (hd (cons 0 nil))"), "hd [1] beta [] plus [] 0");
    assert_eq!(steps(STLC, "plus (hd nil)"), "hd-nil [1] error");
    assert_eq!(
        steps(ARITH, "if iszero (pred 0) then true else false"),
        "E-PredZero [0, 0] E-IsZeroZero [0] E-IfTrue [] true"
    );
}

#[test]
fn what_is_stuck_has_a_nearest_miss() {
    assert_eq!(stuck(STLC, "plus 0 nil"), "plus at []: found nil");
    assert_eq!(stuck(STLC, "plus 0 (tl (cons 0))"), "tl at [1]: found cons");
    assert_eq!(stuck(ARITH, "if succ true then 0 else 0"), "E-IfTrue at []: found succ true");
}

#[test]
fn stores_are_kept_and_changed() {
    assert_eq!(
        steps(IMP, "⟨ x := 0 + 1 ; x := x, · ⟩"),
        "plus [0, 0, 1] assign [0, 0] seq [0] var [0, 1] assign [0] ⟨skip,·,x↦1⟩"
    );
    assert_eq!(steps(IMP, "⟨ x := x1, (·, x ↦ true) ⟩"), "⟨x:=x1,·,x↦true⟩");
    // A new location is outside the bound of two.
    assert_eq!(steps(REFS, "⟨ (! (ref unit)), · ⟩"), "E-Ref [0, 0] E-Deref [0] ⟨unit,·,l2↦unit⟩");
}

/// `S <: T` on all types of depth 2 is what a direct reading of the rules says.
#[test]
fn subtyping_is_the_least_relation() {
    fn is_subtype(interp: &Interp, a: TermId, b: TermId) -> bool {
        let text = |t| print::term(&interp.terms, t);
        if a == b || text(b) == "Top" {
            return true;
        }
        match (interp.terms.node(a), interp.terms.node(b)) {
            (Some((_, &[a1, a2])), Some((_, &[b1, b2]))) => is_subtype(interp, b1, a1) && is_subtype(interp, a2, b2),
            _ => false,
        }
    }
    let lang = language(SUB);
    for reading in [Reading::Strict, Reading::Open] {
        let mut interp = Interp::new(&lang, None, reading).expect("an interpreter");
        let subtype = JudgId(0);
        let types = interp.universe().members(lang.judgment(subtype).args[0]).to_vec();
        for a in types.iter().copied().take(40) {
            let above = interp.solve(subtype, &[Some(a), None]).expect("answers");
            for b in types.iter().copied().take(40) {
                let expected = is_subtype(&interp, a, b);
                let found = interp.holds(subtype, &[a, b]).expect("an answer");
                assert_eq!(found, expected, "{}", print::judgment(&interp.terms, subtype, &[a, b]));
                assert_eq!(above.iter().any(|answer| answer[1] == b), expected);
            }
        }
    }
}

#[test]
fn several_variables_are_substituted_at_once() {
    const TWO: &str = "\
language two
var x
syntax
  t ::= x | a | b | two x1 x2 . t {bind x1 in t, bind x2 in t} | call t t t
reduction t --> t'
  call (two x1 x2 . t) t1 t2 --> t[t1/x1, t2/x2]  [E-Call]
";
    assert_eq!(steps(TWO, "call (two x1 x2 . x2) a b"), "E-Call [] b");
    assert_eq!(steps(TWO, "call (two x1 x2 . x1) a b"), "E-Call [] a");
    assert_eq!(steps(TWO, "call (two x1 x2 . call x2 x1 x2) a b"), "E-Call [] callbab");
}
