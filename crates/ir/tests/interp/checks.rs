//! One operation on one state, and what is said about it.

use crate::build::*;
use ir::check::*;
use ir::heap::Heap;
use ir::interp::*;
use ir::*;
use source::Span;

const LIST_TY: Ty = Ty::Class(LIST);
const NODE_TY: Ty = Ty::Class(NODE);

fn this() -> Expr {
    local(0, LIST_TY)
}

fn head() -> Expr {
    field(this(), HEAD, NODE_TY)
}

fn length() -> Expr {
    field(this(), LENGTH, Ty::Int)
}

fn value_of(node: Expr) -> Expr {
    field(node, VALUE, Ty::Int)
}

/// A `List` whose invariant is `lengthOk() && headOk()`, with the spans of its clauses.
struct Subject {
    program: Program,
    checked: Checked,
    /// `0 <= length`, in `lengthOk`.
    length_clause: Span,
    /// `head.value < 10`, the condition of an `if` in `headOk`.
    head_clause: Span,
}

fn subject() -> Subject {
    let mut program = program();
    let clause = compare(CompareOp::Le, int(0), length());
    let length_clause = clause.span;
    let length_ok = add(&mut program, Some(LIST), &[], Ty::Bool, &[], vec![ret(clause)]);
    // if (head != null && !(head.value < 10)) return false; return true;
    let clause = and(not(same(head(), null())), not(less(value_of(head()), int(10))));
    let head_clause = clause.span;
    let body = vec![when(clause, vec![ret(truth(false))]), ret(truth(true))];
    let head_ok = add(&mut program, Some(LIST), &[], Ty::Bool, &[], body);
    let both = and(call(length_ok, Ty::Bool, vec![this()]), call(head_ok, Ty::Bool, vec![this()]));
    let invariant = add(&mut program, Some(LIST), &[], Ty::Bool, &[], vec![ret(both)]);
    let checked = Checked { class: LIST, kind: CheckedKind::DataStructure, invariant, operations: vec![], show: None };
    Subject { program, checked, length_clause, head_clause }
}

fn operation(program: &mut Program, params: &[Ty], ty: Ty, locals: &[Ty], body: Block) -> Operation {
    let method = add(program, Some(LIST), params, ty, locals, body);
    Operation {
        method,
        name: "op".into(),
        kind: OperationKind::Method,
        preconditions: vec![],
        postconditions: vec![],
        may_throw: vec![],
        left_out: vec![],
        compared: None,
        others: Vec::new(),
        made: None,
        orders: None,
        block: None,
        span: Span::default(),
    }
}

/// A list with `head` holding each value in turn, and length 1.
fn list(linked: &Linked<'_>, heap: &mut Heap, values: &[i64]) -> ObjId {
    let list = heap.allocate(&linked.layout, LIST);
    heap.set(list, 1, Value::Int(1));
    let mut next = Value::Null;
    for &value in values.iter().rev() {
        let node = heap.allocate(&linked.layout, NODE);
        heap.set(node, 0, Value::Int(value));
        heap.set(node, 1, next);
        next = Value::Obj(node);
    }
    heap.set(list, 0, next);
    list
}

fn judge(subject: &Subject, operation: &Operation, values: &[i64], arguments: &[Value]) -> Judgement {
    let problems = wellformed::problems(&subject.program);
    assert!(problems.is_empty(), "{problems:?}");
    let linked = Linked::new(&subject.program);
    let mut heap = run_statics(&linked, 3).expect("no initialisers");
    let receiver = list(&linked, &mut heap, values);
    let mut interp = Interp::new(&linked, heap, NoChoice, 3);
    interp.limits.steps = 10_000;
    let mark = interp.heap.mark();
    let judgement = check_state(&mut interp, &subject.checked, operation, Some(receiver), arguments);
    interp.heap.reset(mark);
    let again = check_state(&mut interp, &subject.checked, operation, Some(receiver), arguments);
    assert_eq!(judgement, again, "a reset heap is as good as new");
    judgement
}

fn kinds(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Violated(violations) => violations.iter().map(|v| v.kind.name()).collect::<Vec<_>>().join(" "),
        Judgement::Unknown(_) => "unknown".into(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn check(body: Block, expected: &str) -> (Subject, Judgement) {
    check_on(body, &[1, 2], expected)
}

fn check_on(body: Block, values: &[i64], expected: &str) -> (Subject, Judgement) {
    let mut subject = subject();
    let operation = operation(&mut subject.program, &[], Ty::Void, &[Ty::Int], body);
    let judgement = judge(&subject, &operation, values, &[]);
    assert_eq!(kinds(&judgement), expected, "{judgement:?}");
    (subject, judgement)
}

fn first(judgement: &Judgement) -> &Violation {
    match judgement {
        Judgement::Violated(violations) => &violations[0],
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_broken_clause_is_named() {
    check(vec![run(set_field(this(), LENGTH, int(2)))], "fine");
    let (subject, judgement) = check(vec![run(set_field(this(), LENGTH, int(-1)))], "invariant");
    assert_eq!(first(&judgement).span, Some(subject.length_clause));
    let (subject, judgement) = check(vec![run(set_field(head(), VALUE, int(10)))], "invariant");
    assert_eq!(first(&judgement).span, Some(subject.head_clause));
}

#[test]
fn a_clause_kept_in_a_local_is_named_as_well() {
    let mut subject = subject();
    let clause = compare(CompareOp::Le, int(0), length());
    let span = clause.span;
    let ok = || local(1, Ty::Bool);
    // boolean ok = true; ok = ok && 0 <= length; return ok;
    let body = vec![run(set(1, truth(true))), run(set(1, and(ok(), clause))), ret(ok())];
    subject.checked.invariant = add(&mut subject.program, Some(LIST), &[], Ty::Bool, &[Ty::Bool], body);
    let spoil = vec![run(set_field(this(), LENGTH, int(-1)))];
    let operation = operation(&mut subject.program, &[], Ty::Void, &[], spoil);
    assert_eq!(first(&judge(&subject, &operation, &[], &[])).span, Some(span));
}

#[test]
fn an_invalid_state_is_dropped() {
    check_on(vec![run(set_field(this(), LENGTH, int(-1)))], &[10], "dropped");
}

#[test]
fn the_tree_property_is_part_of_the_invariant() {
    let next = || field(head(), NEXT_NODE, NODE_TY);
    let (_, judgement) = check(vec![run(set_field(next(), NEXT_NODE, head()))], "invariant");
    let Cause::Tree(broken) = &first(&judgement).cause else { panic!("{judgement:?}") };
    assert_eq!((broken.edge.field, broken.other.map(|edge| edge.field)), (NEXT_NODE, Some(HEAD)));
}

#[test]
fn what_escapes() {
    let boom = run(binary(BinaryOp::Div, int(1), int(0)));
    let span = match &boom.kind {
        StmtKind::Expr(e) => e.span,
        _ => boom.span,
    };
    let (_, judgement) = check(vec![boom], "exception");
    assert_eq!(first(&judgement).span, Some(span));
    let assertion = stmt(StmtKind::Assert { condition: truth(false), message: None });
    let span = assertion.span;
    let (_, judgement) = check(vec![assertion], "assertion");
    assert_eq!(first(&judgement).span, Some(span));
    check(vec![stmt(StmtKind::Assume(truth(false)))], "dropped");

    // What may escape is fine, as long as the invariant holds.
    for (length, expected) in [(1, "fine"), (-1, "invariant")] {
        let mut subject = subject();
        let body = vec![run(set_field(this(), LENGTH, int(length))), run(binary(BinaryOp::Div, int(1), int(0)))];
        let mut operation = operation(&mut subject.program, &[], Ty::Void, &[], body);
        operation.may_throw = vec![MayThrow { class: subject.program.known.throwable, except: vec![] }];
        assert_eq!(kinds(&judge(&subject, &operation, &[], &[])), expected);
    }
}

#[test]
fn a_loop_that_repeats_diverges_and_one_that_counts_is_unknown() {
    let again = while_loop(0, truth(true), vec![run(set(1, binary(BinaryOp::Xor, var(1), int(1))))]);
    let span = again.span;
    let (_, judgement) = check(vec![again], "divergence");
    assert_eq!(first(&judgement).span, Some(span));
    // Garbage does not hide that the state repeats.
    check(vec![while_loop(0, truth(true), vec![run(new_array(INTS, vec![int(1)]))])], "divergence");
    // Nor does what only counts, unless it decides or may throw.
    let count = || run(set(1, plus(var(1), int(1))));
    check(vec![while_loop(0, truth(true), vec![count()])], "divergence");
    check(vec![while_loop(0, compare(CompareOp::Ne, var(1), int(-1)), vec![count()])], "unknown");
    check(vec![while_loop(0, truth(true), vec![count(), run(binary(BinaryOp::Div, int(1), var(1)))])], "unknown");
    // What is returned where the loop ends does not decide how it goes on, unless it may throw.
    let quotient = binary(BinaryOp::Div, int(1), var(1));
    for (value, expected) in [(var(1), "divergence"), (quotient, "unknown")] {
        let ending = when(compare(CompareOp::Eq, length(), int(99)), vec![ret(value)]);
        let body = vec![while_loop(0, truth(true), vec![count(), ending])];
        let mut subject = subject();
        let operation = operation(&mut subject.program, &[], Ty::Int, &[Ty::Int], body);
        assert_eq!(kinds(&judge(&subject, &operation, &[1, 2], &[])), expected);
    }
    // It repeats only after a while, within a loop that ends each time.
    let inner = while_loop(1, less(var(1), int(3)), vec![run(set(1, plus(var(1), int(1))))]);
    check(vec![while_loop(0, truth(true), vec![run(set(1, int(0))), inner])], "divergence");
}

#[test]
fn specifications_get_what_they_ask_for() {
    let mut subject = subject();
    // head.value = p; return old length;
    let body = vec![run(set_field(head(), VALUE, var(1))), ret(length())];
    let mut operation = operation(&mut subject.program, &[Ty::Int], Ty::Int, &[], body);
    let program = &mut subject.program;
    let pre = add(program, Some(LIST), &[Ty::Int], Ty::Bool, &[], vec![ret(less(int(0), var(1)))]);
    // prestate.head is the same object with its old value, though not `==`; result == 1; p < 9.
    let old_head = || field(local(1, LIST_TY), HEAD, NODE_TY);
    let same_object = intrinsic(Intrinsic::IsSameObject, Ty::Bool, vec![old_head(), head()]);
    let last = less(var(2), int(9));
    let last_span = last.span;
    let unchanged = compare(CompareOp::Eq, value_of(old_head()), int(1));
    let result = compare(CompareOp::Eq, var(3), int(1));
    let hash = |e| intrinsic(Intrinsic::IdentityHash, Ty::Int, vec![e]);
    let same_hash = compare(CompareOp::Eq, hash(old_head()), hash(head()));
    let identity = and(and(same_object, same_hash), not(same(old_head(), head())));
    let clauses = and(and(and(unchanged, identity), result), last);
    let post = add(program, Some(LIST), &[LIST_TY, Ty::Int, Ty::Int], Ty::Bool, &[], vec![ret(clauses)]);
    operation.preconditions = vec![Spec { method: pre, arguments: vec![SpecArgument::Parameter(0)] }];
    operation.postconditions = vec![Spec {
        method: post,
        arguments: vec![SpecArgument::PreState, SpecArgument::Parameter(0), SpecArgument::Result],
    }];
    let judged = |p: i64| judge(&subject, &operation, &[1], &[Value::Int(p)]);
    assert_eq!(kinds(&judged(0)), "dropped");
    assert_eq!(kinds(&judged(5)), "fine");
    assert_eq!(first(&judged(9)).span, Some(last_span));
    assert_eq!(kinds(&judged(9)), "postcondition");
    assert_eq!(kinds(&judged(10)), "invariant postcondition");
    // A precondition that throws is as good as false.
    let throws = or(less(value_of(expr(NODE_TY, ExprKind::Null)), int(1)), truth(true));
    let throwing = add(&mut subject.program, Some(LIST), &[], Ty::Bool, &[], vec![ret(throws)]);
    operation.preconditions = vec![Spec { method: throwing, arguments: vec![] }];
    assert_eq!(kinds(&judge(&subject, &operation, &[1], &[Value::Int(5)])), "dropped");
}

#[test]
fn an_invariant_that_throws_names_the_place() {
    let mut subject = subject();
    let bad = value_of(field(head(), NEXT_NODE, NODE_TY));
    let span = bad.span;
    let body = vec![ret(or(same(head(), null()), less(bad, int(10))))];
    subject.checked.invariant = add(&mut subject.program, Some(LIST), &[], Ty::Bool, &[], body);
    let drop = vec![run(set_field(head(), NEXT_NODE, expr(NODE_TY, ExprKind::Null)))];
    let operation = operation(&mut subject.program, &[], Ty::Void, &[], drop);
    let judgement = judge(&subject, &operation, &[1, 2], &[]);
    let Cause::Spec { clause: Some(clause), .. } = &first(&judgement).cause else { panic!("{judgement:?}") };
    assert_eq!((clause.span, clause.threw), (span, Some(subject.program.known.null_pointer)));
}

#[test]
fn constructors_start_from_nothing() {
    for (length, fails, expected) in [(1, false, "fine"), (-1, false, "invariant"), (-1, true, "fine")] {
        let mut subject = subject();
        let mut body = vec![run(set_field(this(), LENGTH, int(length)))];
        if fails {
            body.push(run(binary(BinaryOp::Div, int(1), int(0))));
        }
        let mut operation = operation(&mut subject.program, &[], Ty::Void, &[], body);
        subject.program.methods[operation.method.index()].is_constructor = true;
        operation.kind = OperationKind::Constructor;
        operation.may_throw = vec![MayThrow { class: subject.program.known.arithmetic, except: vec![] }];
        let linked = Linked::new(&subject.program);
        let heap = run_statics(&linked, 3).expect("no initialisers");
        let mut interp = Interp::new(&linked, heap, NoChoice, 3);
        let judgement = check_operation(&mut interp, &subject.checked, &operation, None, &[]);
        assert_eq!(kinds(&judgement), expected, "{judgement:?}");
    }
}

#[test]
fn of_a_language_progress_and_preservation() {
    let is_final = |program: &mut Program| {
        let body = vec![ret(compare(CompareOp::Eq, length(), int(0)))];
        add(program, Some(LIST), &[], Ty::Bool, &[], body)
    };
    type Body = fn(MethodId) -> Block;
    let steps: [(Body, i64, &str); 4] = [
        (|_| vec![run(set_field(this(), LENGTH, int(-1)))], 1, "preservation"),
        (|stuck| vec![stmt(StmtKind::Throw(new(ClassId(11), stuck)))], 1, "progress"),
        (|stuck| vec![stmt(StmtKind::Throw(new(ClassId(11), stuck)))], 0, "dropped"),
        (|_| vec![run(set_field(this(), LENGTH, int(0)))], 1, "fine"),
    ];
    for (body, at, expected) in steps {
        let mut subject = subject();
        let is_final_state = is_final(&mut subject.program);
        subject.checked.kind = CheckedKind::Language { is_final_state };
        let stuck = constructor(&mut subject.program, ClassId(11));
        let mut operation = operation(&mut subject.program, &[], Ty::Void, &[], body(stuck));
        operation.may_throw = vec![MayThrow { class: ClassId(11), except: vec![] }];
        let linked = Linked::new(&subject.program);
        let mut heap = run_statics(&linked, 3).expect("no initialisers");
        let receiver = list(&linked, &mut heap, &[]);
        heap.set(receiver, 1, Value::Int(at));
        let mut interp = Interp::new(&linked, heap, NoChoice, 3);
        let judgement = check_state(&mut interp, &subject.checked, &operation, Some(receiver), &[]);
        assert_eq!(kinds(&judgement), expected);
    }
}

/// Answers from a table, and counts how often it is asked.
struct Table {
    answers: Vec<(Location, Value)>,
    asked: usize,
}

impl Chooser for Table {
    fn choose(&mut self, _: &mut Heap, at: Location) -> Result<Value, Stop> {
        self.asked += 1;
        self.answers.iter().find(|(location, _)| *location == at).map(|(_, value)| *value).ok_or(Stop::Backtrack)
    }
}

/// The pre-state of a slot that was overwritten before anyone asked for it.
#[test]
fn undefined_slots_are_chosen_when_read() {
    let mut subject = subject();
    let body = vec![run(set_field(head(), VALUE, int(3)))];
    let mut operation = operation(&mut subject.program, &[], Ty::Void, &[], body);
    let old = value_of(field(local(1, LIST_TY), HEAD, NODE_TY));
    let post = vec![ret(compare(CompareOp::Eq, old, int(7)))];
    let post = add(&mut subject.program, Some(LIST), &[LIST_TY], Ty::Bool, &[], post);
    operation.postconditions = vec![Spec { method: post, arguments: vec![SpecArgument::PreState] }];
    let linked = Linked::new(&subject.program);
    let mut heap = run_statics(&linked, 3).expect("no initialisers");
    let receiver = heap.allocate_undefined(&linked.layout, LIST);
    let node = heap.allocate_undefined(&linked.layout, NODE);
    let at = |object, slot| Location { object, slot };
    let answers = vec![
        (at(receiver, 0), Value::Obj(node)),
        (at(receiver, 1), Value::Int(1)),
        (at(node, 0), Value::Int(7)),
        (at(node, 1), Value::Null),
    ];
    let mut interp = Interp::new(&linked, heap, Table { answers, asked: 0 }, 3);
    let judgement = check_operation(&mut interp, &subject.checked, &operation, Some(receiver), &[]);
    assert_eq!(judgement, Judgement::Fine);
    assert_eq!(interp.chooser.asked, 5, "head twice, once for the pre-state; value, next and length once");
}
