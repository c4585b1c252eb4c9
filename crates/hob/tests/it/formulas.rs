//! Formulas about the concrete heap, on a small heap that is written down here; formulas about sets, as a run evaluates them; the
//! sets themselves.

use hob::interp::heap_formula::{HeapValue, HeapView, holds, members};
use hob::interp::{self, ObjId, ObjSet, Options, Script};
use hob::program::*;
use hob::{FileKind, Input};
use source::SourceMap;

/// A tree of objects 0 to 4 (fields 0 and 1), whose leaves have data (field 2), objects 5 and 6 of type 1; and an array [4, null].
///
/// ```text
///       0          0.data = null
///     1   2        1.data = 5
///    3            3.data = 6, 4 is alone
/// ```
struct Tree;

impl HeapView for Tree {
    fn objects(&self, ty: TypeId) -> Vec<ObjId> {
        let of = if ty.0 == 0 { 0..5 } else { 5..7 };
        of.map(ObjId).collect()
    }

    fn field(&self, object: ObjId, field: FieldId) -> Option<HeapValue> {
        if object.0 > 4 {
            return None;
        }
        let to = match (object.0, field.0) {
            (0, 0) => 1,
            (0, 1) => 2,
            (1, 0) => 3,
            (1, 2) => 5,
            (3, 2) => 6,
            _ => return Some(HeapValue::Null),
        };
        Some(HeapValue::Object(ObjId(to)))
    }

    fn global(&self, global: GlobalId) -> Option<HeapValue> {
        Some(if global.0 == 0 { HeapValue::Object(ObjId(0)) } else { HeapValue::Array(0) })
    }

    fn element(&self, _: u32, index: i64) -> Option<HeapValue> {
        match index {
            0 => Some(HeapValue::Object(ObjId(4))),
            1 => Some(HeapValue::Null),
            _ => None,
        }
    }

    fn length(&self, _: u32) -> i64 {
        2
    }
}

const X: HeapTerm = HeapTerm::Bound(0);
const ROOT: HeapTerm = HeapTerm::Global(GlobalId(0));
const TABLE: HeapTerm = HeapTerm::Global(GlobalId(1));

fn defines(ty: u32, formula: HeapFormula, expected: &[u32]) {
    let definition = Definition::Heap { object: TypeId(ty), formula };
    let found = members(&Program::default(), &Tree, &definition).unwrap();
    assert_eq!(found.iter().map(|o| o.0).collect::<Vec<_>>(), expected, "{definition:?}");
}

fn field(n: u32) -> Route {
    Route::Field(FieldId(n))
}

#[test]
fn routes() {
    let down = || Route::Either(vec![field(0), field(1)]);
    let star = || Route::Star(Box::new(down()));
    let from_root = |route| HeapFormula::Reach(ROOT, route, X);
    defines(0, from_root(star()), &[0, 1, 2, 3]);
    defines(0, from_root(Route::Plus(Box::new(down()))), &[1, 2, 3]);
    defines(0, from_root(Route::Optional(Box::new(down()))), &[0, 1, 2]);
    defines(0, from_root(Route::Star(Box::new(field(0)))), &[0, 1, 3]);
    defines(0, from_root(Route::Sequence(vec![field(0), field(0)])), &[3]);
    defines(1, from_root(Route::Sequence(vec![star(), field(2)])), &[5, 6]);
    defines(0, HeapFormula::Reach(X, star(), ROOT), &[0]);
    // Nothing leads from or to null.
    defines(0, HeapFormula::Reach(HeapTerm::Null, star(), X), &[]);
    let null = HeapTerm::Field(Box::new(X), FieldId(0));
    defines(0, HeapFormula::Reach(X, star(), null), &[0, 1]);
}

#[test]
fn what_is_undefined_is_false() {
    use BinaryOp::{Equal, NotEqual};
    let left = |of: HeapTerm| HeapTerm::Field(Box::new(of), FieldId(0));
    let compare = HeapFormula::Compare;
    defines(0, compare(Equal, left(X), HeapTerm::Null), &[2, 3, 4]);
    defines(0, compare(NotEqual, left(X), HeapTerm::Null), &[0, 1]);
    // Of null there is no field: neither equal nor different.
    defines(0, compare(Equal, left(left(X)), HeapTerm::Null), &[1]);
    defines(0, compare(NotEqual, left(left(X)), HeapTerm::Null), &[0]);
    defines(0, compare(NotEqual, X, HeapTerm::Int(3)), &[]);
    let at = |index| HeapTerm::Index(Box::new(TABLE), Box::new(HeapTerm::Int(index)));
    defines(0, compare(Equal, at(0), X), &[4]);
    defines(0, compare(NotEqual, at(2), X), &[]);
}

#[test]
fn quantifiers() {
    let bound = |n| HeapTerm::Bound(n);
    let quantified = |exists, variable, ty, body| HeapFormula::Quantified {
        exists,
        variable,
        name: String::new(),
        ty,
        body: Box::new(body),
    };
    let at = HeapTerm::Index(Box::new(TABLE), Box::new(bound(1)));
    let equal = |a, b| HeapFormula::Compare(BinaryOp::Equal, a, b);
    defines(0, quantified(true, 1, Type::Int, equal(at, X)), &[4]);
    // Nobody's left child.
    let child = equal(HeapTerm::Field(Box::new(bound(1)), FieldId(0)), X);
    let none = quantified(false, 1, Type::Object(TypeId(0)), HeapFormula::Not(Box::new(child)));
    defines(0, none, &[0, 2, 4]);
    let last = HeapTerm::Arithmetic(
        BinaryOp::Subtract,
        Box::new(HeapTerm::Length(Box::new(TABLE))),
        Box::new(HeapTerm::Int(1)),
    );
    let below = HeapFormula::Compare(BinaryOp::AtMost, bound(1), last);
    // Every index of the table, but not every integer.
    let element = HeapTerm::Index(Box::new(TABLE), Box::new(bound(1)));
    let is_index = HeapFormula::Compare(BinaryOp::Equal, element.clone(), element);
    let index = HeapFormula::Implies(Box::new(is_index), Box::new(below.clone()));
    assert_eq!(holds(&Program::default(), &Tree, &quantified(false, 1, Type::Int, index)), Some(true));
    assert_eq!(holds(&Program::default(), &Tree, &quantified(false, 1, Type::Int, below)), Some(false));
    let texts = quantified(true, 1, Type::String, HeapFormula::True);
    assert_eq!(holds(&Program::default(), &Tree, &texts), None);
}

/// What a run makes of a formula about A = {0, 1, 2}, B = {2, 3}, C = {} and N.U, which nobody defines. Seven objects exist. None: it
/// was not evaluated.
fn of_sets(formula: &str) -> Option<bool> {
    let made = ["a", "a", "a", "b", "", "", ""];
    let mut body = String::new();
    for (k, field) in made.iter().enumerate() {
        body += &format!("T x{k} = new T(); ");
        if !field.is_empty() {
            body += &format!("x{k}.{field} = true; ");
        }
    }
    let texts = [
        format!(
            "impl module M {{ format T {{ a : bool; b : bool; c : bool; }}
             proc main() {{ {body} x2.b = true; assert \"{formula}\"; }} }}
             impl module N {{ }}"
        ),
        "spec module M { format T; specvar A, B, C : T set; proc main() modifies A, B, N.U ensures true; }
         spec module N { specvar U : T set; }"
            .to_string(),
        "abst module M { use plugin \"flags\"; A = {x : T | \"x.a = true\"}; B = {x : T | \"x.b = true\"};
         C = {x : T | \"x.c = true\"}; }"
            .to_string(),
    ];
    let mut sources = SourceMap::default();
    let kinds = [FileKind::Implementation, FileKind::Specification, FileKind::Abstraction];
    let inputs: Vec<Input> = kinds
        .into_iter()
        .zip(&texts)
        .map(|(kind, text)| Input { file: sources.add("m", text.clone()), kind, text: text.as_str() })
        .collect();
    let loaded = hob::load(&inputs);
    let program = loaded.program.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let main = interp::entry_point(&program).expect("a main");
    let options = Options { check_contracts: true, ..Options::default() };
    let outcome = interp::run(&program, main, &[], &mut Script::default(), &options);
    let is_broken = outcome.diagnostic(&program).map(|told| assert_eq!(told.id, "assertion-violated", "{formula}"));
    match is_broken {
        Some(()) => Some(false),
        None if outcome.checks.skipped > 0 => None,
        None => Some(true),
    }
}

#[test]
fn what_is_unknown_is_never_guessed() {
    assert_eq!(of_sets("N.U' = A'"), None);
    assert_eq!(of_sets("not (N.U' = A')"), None);
    assert_eq!(of_sets("(N.U' = A') & (A' in B')"), Some(false));
    assert_eq!(of_sets("(N.U' = A') & (C' in B')"), None);
    assert_eq!(of_sets("(N.U' = A') | (C' in B')"), Some(true));
    assert_eq!(of_sets("disjoint(A', N.U', B')"), Some(false));
    assert_eq!(of_sets("disjoint(A', N.U', C')"), None);
}

#[test]
fn singletons_include_objects_that_do_not_exist_yet() {
    assert_eq!(of_sets("exists x : T. (x in B')"), Some(true));
    assert_eq!(of_sets("exists x : T. (x in C')"), Some(false));
    assert_eq!(of_sets("forall x : T. (card(x) = 1)"), Some(true));
    // Three different ones outside of a set, even if all objects were in it.
    let three = "((x != y) & (y != z) & (x != z) & disjoint(A', x) & disjoint(A', y) & disjoint(A', z))";
    assert_eq!(of_sets(&format!("exists x : T. (exists y : T. (exists z : T. {three}))")), Some(true));
    assert_eq!(of_sets(&format!("forall x : T. (exists y : T. (exists z : T. {three}))")), Some(false));
}

#[test]
fn sets_are_quantified_over_exactly() {
    // A set has a part of two elements iff it has two.
    assert_eq!(of_sets("exists x : T set. ((x in B') & (card(x) = 2))"), Some(true));
    assert_eq!(of_sets("exists x : T set. ((x in C') & (card(x) = 2))"), Some(false));
    // No set contains all others, and there are sets of any size outside of the ones we know.
    assert_eq!(of_sets("exists x : T set. (forall y : T set. (y in x))"), Some(false));
    assert_eq!(of_sets("exists x : T set. ((card(x) = 5) & disjoint(A', B', x))"), Some(false));
    assert_eq!(of_sets("exists x : T set. ((card(x) = 5) & disjoint(A', x))"), Some(true));
    // Every set is the union of two disjoint parts, the first of which is what it shares with another.
    let split = "(((y + z) = x) & disjoint(y, z) & ((x inter B') = y))";
    assert_eq!(of_sets(&format!("forall x : T set. (exists y : T set. (exists z : T set. {split}))")), Some(true));
    assert_eq!(of_sets("forall x : T set. (x != A')"), Some(false));
}

#[test]
fn sets_are_equal_whatever_they_are_kept_in() {
    let set = |of: &[u32]| of.iter().map(|&n| ObjId(n)).collect::<ObjSet>();
    let far = set(&[1, 200]).diff(&set(&[200]));
    assert_eq!(far, set(&[1]));
    assert_eq!(set(&[1]), far);
    assert!(far.is_subset(&set(&[1, 3])) && far.len() == 1);
    assert!(set(&[200]).is_disjoint(&set(&[1])) && !set(&[200]).is_subset(&set(&[1])));
    assert_eq!(set(&[1, 65]).union(&set(&[64])).iter().collect::<Vec<_>>(), [ObjId(1), ObjId(64), ObjId(65)]);
    assert!(set(&[1, 65]).inter(&set(&[64])).is_empty());
}
