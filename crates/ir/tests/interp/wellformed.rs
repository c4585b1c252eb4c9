//! Programs that no front-end may make, and how they are reported.

use crate::build::*;
use ir::*;

fn check(ty: Ty, body: Block, expected: &[&str]) {
    let mut program = program();
    add(&mut program, None, &[], ty, &[Ty::Int, Ty::Long], body);
    let problems = wellformed::problems(&program);
    let found: Vec<&str> = problems.iter().map(|p| p.split_once(": ").map_or(p.as_str(), |(_, what)| what)).collect();
    assert_eq!(found, expected, "{}", print::program(&program));
}

#[test]
fn statements() {
    let break_0 = || stmt(StmtKind::Break(LabelId(0)));
    check(Ty::Void, vec![stmt(StmtKind::Return(None))], &[]);
    check(Ty::Void, vec![ret(int(1))], &["returns a value", "int where void is expected"]);
    check(Ty::Int, vec![], &["may end without returning a value"]);
    check(Ty::Int, vec![while_loop(0, truth(true), vec![])], &[]);
    check(Ty::Int, vec![while_loop(0, truth(true), vec![break_0()])], &["may end without returning a value"]);
    check(Ty::Int, vec![try_finally(vec![], vec![ret(int(1))])], &[]);
    check(Ty::Void, vec![break_0()], &["break of L0, which is not around"]);
    let labelled = stmt(StmtKind::Labelled { label: LabelId(0), body: vec![stmt(StmtKind::Continue(LabelId(0)))] });
    check(Ty::Void, vec![labelled], &["continue of L0, which is not a loop around"]);
    check(Ty::Void, vec![when(int(1), vec![])], &["int where boolean is expected"]);
    check(Ty::Void, vec![stmt(StmtKind::Throw(int(1)))], &["int where Throwable is expected"]);
}

#[test]
fn expressions() {
    let long = || local(1, Ty::Long);
    let cases = [
        (set(7, int(1)), "local 7 does not exist"),
        (plus(long(), int(1)), "long where int is expected"),
        (set(1, int(1)), "int where long is expected"),
        (expr(Ty::Byte, ExprKind::Int(128)), "128 is no Byte"),
        (less(long(), int(1)), "a comparison of an int and a long"),
        (field(new_array(INTS, vec![int(1)]), VALUE, Ty::Int), "int[] where Node is expected"),
        (field(null(), COUNTER, Ty::Int), "field 6 does not exist"),
        (element(int(1), int(1), Ty::Int), "Int where an array is expected"),
        (call(MethodId(99), Ty::Int, vec![]), "method 99 does not exist"),
        (call(MethodId(0), Ty::Void, vec![int(1)]), "1 arguments where 0 are expected"),
        (new_array(INTS, vec![int(1), int(2)]), "a new array with too many lengths"),
    ];
    for (e, expected) in cases {
        check(Ty::Void, vec![run(e)], &[expected]);
    }
    // The right operand of a shift may be of any width.
    check(Ty::Void, vec![run(binary(BinaryOp::Shl, int(1), long()))], &[]);
}
