//! The interpreter on programs built by hand: one table per group of constructs.

use crate::build::*;
use ir::interp::*;
use ir::*;

/// What a static method without parameters does, as a text.
fn result(program: &Program, method: MethodId) -> String {
    let problems = wellformed::problems(program);
    assert!(problems.is_empty(), "{problems:?}\n{}", print::program(program));
    let linked = Linked::new(program);
    let heap = run_statics(&linked, 3).expect("static initialisers run");
    let mut interp = Interp::new(&linked, heap, NoChoice, 3);
    interp.limits.steps = 10_000;
    interp.limits.depth = 100;
    match interp.run(method, &[]) {
        Outcome::Normal(None) => "void".into(),
        Outcome::Normal(Some(Value::Int(i))) => i.to_string(),
        Outcome::Normal(Some(Value::Bool(b))) => b.to_string(),
        Outcome::Normal(Some(Value::Null)) => "null".into(),
        Outcome::Normal(Some(Value::Obj(o))) => program.ty_name(interp.heap.ty(o)),
        Outcome::Threw(o) => format!("throws {}", program.ty_name(interp.heap.ty(o))),
        Outcome::Stop(stop) => format!("{stop:?}"),
    }
}

fn check(locals: &[Ty], ret: Ty, body: Block, expected: &str) {
    check_in(program(), locals, ret, body, expected);
}

fn check_in(mut program: Program, locals: &[Ty], ret: Ty, body: Block, expected: &str) {
    let method = add(&mut program, None, &[], ret, locals, body);
    assert_eq!(result(&program, method), expected, "{}", print::method(&program, method));
}

fn value(e: Expr, expected: &str) {
    let ty = e.ty;
    check(&[Ty::Int; 4], ty, vec![ret(e)], expected);
}

#[test]
fn operands_are_evaluated_before_anything_is_checked() {
    // Each operand notes that it ran: 1, 2, 4 are added up in local 0, which the handler returns.
    let note = |bit: i64| set(0, plus(var(0), int(bit)));
    let noted = |bit: i64, e: Expr| {
        let ty = e.ty;
        expr(ty, ExprKind::Sequence(vec![run(note(bit))], Box::new(e)))
    };
    let null_ints = || expr(INTS, ExprKind::Null);
    let cases = [
        (set_element(noted(1, null_ints()), noted(2, int(9)), noted(4, int(0))), 3, "7"),
        (element(noted(1, null_ints()), noted(2, int(9)), Ty::Int), 3, "3"),
        (set_element(noted(1, new_array(INTS, vec![int(1)])), noted(2, int(1)), noted(4, int(0))), 4, "7"),
        (set_field(noted(1, expr(Ty::Class(NODE), ExprKind::Null)), VALUE, noted(2, int(0))), 3, "3"),
        (new_array(INT_TABLE, vec![noted(1, int(-1)), noted(2, int(0))]), 7, "3"),
        (new_array(INT_TABLE, vec![noted(1, int(0)), noted(2, int(-1))]), 7, "3"),
        (binary(BinaryOp::Div, noted(1, int(1)), noted(2, int(0))), 5, "3"),
        (binary(BinaryOp::Rem, noted(1, int(1)), noted(2, int(0))), 5, "3"),
    ];
    for (e, class, expected) in cases {
        let text = format!("{e:?}");
        let body = vec![try_catch(vec![run(e)], ClassId(class), 1, vec![ret(var(0))]), ret(int(-1))];
        let mut program = program();
        let method = add(&mut program, None, &[], Ty::Int, &[Ty::Int, Ty::Class(ClassId(2))], body);
        assert_eq!(result(&program, method), expected, "{text}");
    }
}

#[test]
fn arrays() {
    let array = || local(0, NODES);
    let make = |len| run(set(0, new_array(NODES, vec![int(len)])));
    let sub = || run(set(0, expr(NODES, ExprKind::Cast(Box::new(new_array(SUBNODES, vec![int(2)])), NODES))));
    let mut p = program();
    let node = constructor(&mut p, NODE);
    let subnode = constructor(&mut p, SUBNODE);
    let cases = [
        (vec![make(3), ret(expr(Ty::Int, ExprKind::Length(Box::new(array()))))], Ty::Int, "3"),
        (vec![make(3), ret(element(array(), int(2), Ty::Class(NODE)))], Ty::Class(NODE), "null"),
        (vec![make(3), ret(element(array(), int(3), Ty::Class(NODE)))], Ty::Class(NODE), "throws Index"),
        (vec![make(3), ret(element(array(), int(-1), Ty::Class(NODE)))], Ty::Class(NODE), "throws Index"),
        (vec![ret(element(array(), int(0), Ty::Class(NODE)))], Ty::Class(NODE), "throws NPE"),
        (vec![make(-2), ret(null())], Ty::Class(NODE), "throws NegativeSize"),
        (vec![sub(), ret(set_element(array(), int(1), new(NODE, node)))], Ty::Class(NODE), "throws ArrayStore"),
        (vec![sub(), ret(set_element(array(), int(2), new(NODE, node)))], Ty::Class(NODE), "throws Index"),
        (vec![sub(), ret(set_element(array(), int(1), new(SUBNODE, subnode)))], Ty::Class(NODE), "SubNode"),
        (vec![sub(), ret(set_element(array(), int(1), null()))], Ty::Class(NODE), "null"),
        (vec![sub(), ret(expr(Ty::Bool, ExprKind::InstanceOf(Box::new(array()), SUBNODES)))], Ty::Bool, "true"),
        (vec![make(1), ret(expr(Ty::Bool, ExprKind::InstanceOf(Box::new(array()), SUBNODES)))], Ty::Bool, "false"),
        (vec![make(1), ret(expr(SUBNODES, ExprKind::Cast(Box::new(array()), SUBNODES)))], SUBNODES, "throws ClassCast"),
        (vec![ret(new_array(INT_TABLE, vec![int(2)]))], INT_TABLE, "int[][]"),
        (
            vec![ret(element(element(new_array(INT_TABLE, vec![int(2), int(3)]), int(1), INTS), int(2), Ty::Int))],
            Ty::Int,
            "0",
        ),
        (vec![ret(new_array(INTS, vec![int(2_000_000_000)]))], INTS, "Memory"),
    ];
    for (body, ty, expected) in cases {
        check_in(p.clone(), &[NODES], ty, body, expected);
    }
}

#[test]
fn array_copy_as_the_system_does_it() {
    let ints = |values: &[i64]| expr(INTS, ExprKind::ArrayLiteral(values.iter().map(|&i| int(i)).collect()));
    let digits = |array: u32| {
        (0..4).fold(int(0), |sum, i| {
            plus(binary(BinaryOp::Mul, sum, int(10)), element(local(array, INTS), int(i), Ty::Int))
        })
    };
    let copy = |source: Expr, from: i64, target: Expr, to: i64, count: i64| {
        run(intrinsic(Intrinsic::ArrayCopy, Ty::Void, vec![source, int(from), target, int(to), int(count)]))
    };
    let a = || local(0, INTS);
    let cases = [
        (copy(a(), 0, a(), 1, 3), "1123"),
        (copy(a(), 1, a(), 0, 3), "2344"),
        (copy(a(), 4, a(), 4, 0), "1234"),
        (copy(a(), 5, a(), 4, 0), "throws Index"),
        (copy(a(), 2, a(), 0, 3), "throws Index"),
        (copy(a(), 0, a(), 0, -1), "throws Index"),
        (copy(null(), 0, a(), 0, 1), "throws NPE"),
        (copy(new_array(NODES, vec![int(4)]), 9, a(), 0, 1), "throws ArrayStore"),
    ];
    for (statement, expected) in cases {
        check(&[INTS], Ty::Int, vec![run(set(0, ints(&[1, 2, 3, 4]))), statement, ret(digits(0))], expected);
    }
    let clone = intrinsic(Intrinsic::Clone, INTS, vec![a()]);
    let body = vec![
        run(set(0, ints(&[1, 2, 3, 4]))),
        run(set(1, clone)),
        run(set_element(local(1, INTS), int(0), int(9))),
        ret(plus(digits(0), binary(BinaryOp::Mul, int(10_000), digits(1)))),
    ];
    check(&[INTS, INTS], Ty::Int, body, "92341234");
}

#[test]
fn exceptions_and_finally() {
    let boom = || run(binary(BinaryOp::Div, int(1), int(0)));
    let arithmetic = ClassId(5);
    let exception = Ty::Class(ClassId(2));
    let cases: Vec<(Block, &str)> = vec![
        (vec![try_finally(vec![ret(int(1))], vec![ret(int(2))])], "2"),
        (vec![try_finally(vec![boom()], vec![ret(int(2))])], "2"),
        (vec![try_finally(vec![ret(int(1))], vec![boom()])], "throws Arithmetic"),
        // The value is computed before `finally` changes the local.
        (vec![try_finally(vec![ret(var(0))], vec![run(set(0, int(7)))])], "0"),
        // A call in `finally` does not disturb the value on its way out.
        (vec![try_finally(vec![ret(int(1))], vec![try_finally(vec![], vec![run(set(0, int(3)))])])], "1"),
        (vec![try_catch(vec![boom()], arithmetic, 1, vec![ret(int(5))]), ret(int(0))], "5"),
        (vec![try_catch(vec![boom()], ClassId(2), 1, vec![ret(int(5))]), ret(int(0))], "5"),
        (vec![try_catch(vec![boom()], ClassId(3), 1, vec![ret(int(5))]), ret(int(0))], "throws Arithmetic"),
        (vec![stmt(StmtKind::Throw(expr(exception, ExprKind::Null)))], "throws NPE"),
        (vec![stmt(StmtKind::Assert { condition: truth(false), message: None }), ret(int(0))], "throws AssertionError"),
        (vec![stmt(StmtKind::Assume(truth(false))), ret(int(0))], "Dropped"),
        (vec![try_finally(vec![stmt(StmtKind::Assume(truth(false)))], vec![ret(int(2))])], "Dropped"),
        // `break` out of `finally` swallows the exception.
        (
            vec![
                while_loop(0, truth(true), vec![try_finally(vec![boom()], vec![stmt(StmtKind::Break(LabelId(0)))])]),
                ret(int(8)),
            ],
            "8",
        ),
        // An exception amid the arguments of a call leaves no trace on the stack of locals.
        (
            vec![
                try_catch(
                    vec![run(expr(
                        Ty::Class(ClassId(1)),
                        ExprKind::Concat(vec![int(1), binary(BinaryOp::Div, int(1), int(0))]),
                    ))],
                    arithmetic,
                    1,
                    vec![run(set(0, int(4)))],
                ),
                ret(var(0)),
            ],
            "4",
        ),
    ];
    for (body, expected) in cases {
        check(&[Ty::Int, exception], Ty::Int, body, expected);
    }
}

#[test]
fn loops_and_switches() {
    let loop_stmt = |label, test_first, condition, body, update| {
        stmt(StmtKind::Loop { label: LabelId(label), test_first, condition, body, update })
    };
    let increment = |id| set(id, plus(var(id), int(1)));
    let continue_to = |l| stmt(StmtKind::Continue(LabelId(l)));
    let break_to = |l| stmt(StmtKind::Break(LabelId(l)));
    let case = |values: &[i64], is_default, body| Case { values: values.to_vec(), is_default, body };
    let digit = |d| run(set(0, plus(binary(BinaryOp::Mul, var(0), int(10)), int(d))));
    let switch = |on: i64, broken: bool| {
        let mut cases = vec![
            case(&[1], false, vec![digit(1)]),
            case(&[], true, vec![digit(2)]),
            case(&[3, 4], false, vec![digit(3)]),
        ];
        if broken {
            cases[1].body.push(break_to(0));
        }
        vec![stmt(StmtKind::Switch { label: LabelId(0), on: int(on), cases }), ret(var(0))]
    };
    let cases: Vec<(Block, &str)> = vec![
        // do { i++; if (i < 5) continue; j++; } while (i < 7)
        (
            vec![
                loop_stmt(
                    0,
                    false,
                    less(var(0), int(7)),
                    vec![run(increment(0)), when(less(var(0), int(5)), vec![continue_to(0)]), run(increment(1))],
                    vec![],
                ),
                ret(plus(binary(BinaryOp::Mul, var(0), int(10)), var(1))),
            ],
            "73",
        ),
        // outer: for (; i < 3; i++) for (j = 0; ; j++) { if (j == 2) continue outer; s++; }
        (
            vec![
                loop_stmt(
                    0,
                    true,
                    less(var(0), int(3)),
                    vec![
                        run(set(1, int(0))),
                        loop_stmt(
                            1,
                            true,
                            truth(true),
                            vec![when(compare(CompareOp::Eq, var(1), int(2)), vec![continue_to(0)]), run(increment(2))],
                            vec![increment(1)],
                        ),
                    ],
                    vec![increment(0)],
                ),
                ret(var(2)),
            ],
            "6",
        ),
        (vec![loop_stmt(0, false, truth(false), vec![run(increment(0))], vec![]), ret(var(0))], "1"),
        (vec![stmt(StmtKind::Labelled { label: LabelId(0), body: vec![break_to(0), digit(1)] }), ret(var(0))], "0"),
        (switch(1, false), "123"),
        (switch(2, false), "23"),
        (switch(4, false), "3"),
        (switch(1, true), "12"),
        (switch(9, true), "2"),
    ];
    for (body, expected) in cases {
        check(&[Ty::Int; 3], Ty::Int, body, expected);
    }
}

#[test]
fn calls_objects_and_dispatch() {
    let mut p = program();
    let node = constructor(&mut p, NODE);
    let subnode = constructor(&mut p, SUBNODE);
    let base = add(&mut p, Some(NODE), &[], Ty::Int, &[], vec![ret(int(1))]);
    let over =
        add(&mut p, Some(SUBNODE), &[], Ty::Int, &[], vec![ret(field(local(0, Ty::Class(SUBNODE)), EXTRA, Ty::Int))]);
    for (class, method) in [(NODE, base), (SUBNODE, over)] {
        p.methods[method.index()].selector = A;
        p.classes[class.index()].dispatch.insert(A, method);
    }
    let forever = MethodId(p.methods.len() as u32);
    add(&mut p, None, &[], Ty::Int, &[], vec![ret(call(forever, Ty::Int, vec![]))]);
    let virtual_call = |receiver| expr(Ty::Int, ExprKind::CallVirtual(A, vec![receiver]));
    let no_node = || expr(Ty::Class(NODE), ExprKind::Null);
    let cases = [
        (virtual_call(new(NODE, node)), "1"),
        (virtual_call(new(SUBNODE, subnode)), "0"),
        (call(base, Ty::Int, vec![new(SUBNODE, subnode)]), "1"),
        (virtual_call(no_node()), "throws NPE"),
        (call(base, Ty::Int, vec![no_node()]), "throws NPE"),
        (call(forever, Ty::Int, vec![]), "throws StackOverflow"),
        (field(new(SUBNODE, subnode), VALUE, Ty::Int), "0"),
        (set_field(new(SUBNODE, subnode), EXTRA, int(4)), "4"),
    ];
    for (e, expected) in cases {
        check_in(p.clone(), &[], Ty::Int, vec![ret(e)], expected);
    }
    let same_class = |a, b| intrinsic(Intrinsic::SameClass, Ty::Bool, vec![a, b]);
    let cases = [
        (same_class(new(NODE, node), new(SUBNODE, subnode)), "false"),
        (same_class(new(NODE, node), new(NODE, node)), "true"),
        (same(new(NODE, node), new(NODE, node)), "false"),
    ];
    for (e, expected) in cases {
        check_in(p.clone(), &[], Ty::Bool, vec![ret(e)], expected);
    }
}

#[test]
fn strings_and_boxes() {
    let string = |id| expr(Ty::Class(ClassId(1)), ExprKind::String(StringId(id)));
    let concat = || expr(Ty::Class(ClassId(1)), ExprKind::Concat(vec![string(0), string(1)]));
    value(same(string(0), string(0)), "true");
    value(same(string(0), string(1)), "false");
    value(same(concat(), concat()), "false");
    value(intrinsic(Intrinsic::Size, Ty::Int, vec![]), "3");
    for (number, expected) in [(127, "true"), (-128, "true"), (128, "false"), (-129, "false")] {
        let mut p = program();
        let boxed = constructor(&mut p, INTEGER);
        let fill = |local_id| {
            [
                run(set(local_id, new(INTEGER, boxed))),
                run(set_field(local(local_id, Ty::Class(INTEGER)), BOXED, int(number))),
            ]
        };
        let mut body: Block = fill(0).into_iter().chain(fill(1)).collect();
        body.push(ret(same(local(0, Ty::Class(INTEGER)), local(1, Ty::Class(INTEGER)))));
        check_in(p, &[Ty::Class(INTEGER); 2], Ty::Bool, body, expected);
    }
}

#[test]
fn a_long_run_stops_and_names_its_loop() {
    let endless = while_loop(0, truth(true), vec![run(set(0, plus(var(0), int(1))))]);
    let span = endless.span;
    check(
        &[Ty::Int],
        Ty::Int,
        vec![endless, ret(int(0))][..1].to_vec(),
        &format!("{:?}", Stop::Steps { innermost_loop: Some(span) }),
    );
}

#[test]
fn deep_recursion_needs_a_deep_stack_and_says_so() {
    let mut p = program();
    let forever = MethodId(0);
    add(&mut p, None, &[], Ty::Int, &[], vec![ret(plus(int(1), call(forever, Ty::Int, vec![])))]);
    let linked = Linked::new(&p);
    let run = |depth: u32| {
        let heap = run_statics(&linked, 0).expect("no initialisers");
        let mut interp = Interp::new(&linked, heap, NoChoice, 0);
        interp.limits.depth = depth;
        matches!(interp.run(forever, &[]), Outcome::Threw(_))
    };
    assert!(!run(1_000_000));
    assert!(work::with_room(|| run(20_000)).expect("a thread"));
}

#[test]
fn static_initialisers_run_in_order() {
    let mut p = program();
    let counter = || expr(Ty::Int, ExprKind::Static(COUNTER));
    let store = |e| run(expr(Ty::Int, ExprKind::SetStatic(COUNTER, Box::new(e))));
    let first = add(&mut p, None, &[], Ty::Void, &[], vec![store(int(5))]);
    let second = add(&mut p, None, &[], Ty::Void, &[], vec![store(binary(BinaryOp::Mul, counter(), int(3)))]);
    p.static_initialisers = vec![first, second];
    check_in(p.clone(), &[], Ty::Int, vec![ret(counter())], "15");
    let third = add(&mut p, None, &[], Ty::Void, &[], vec![store(binary(BinaryOp::Div, counter(), int(0)))]);
    p.static_initialisers.push(third);
    let failed = run_statics(&Linked::new(&p), 0).err();
    assert!(matches!(failed, Some(Stop::Initialiser { exception: ClassId(5), .. })), "{failed:?}");
}

#[test]
fn the_printer_shows_what_runs() {
    let mut p = program();
    let body = vec![
        while_loop(0, less(var(0), int(3)), vec![when(truth(false), vec![stmt(StmtKind::Break(LabelId(0)))])]),
        try_catch(vec![run(set(1, plus(var(0), int(1))))], ClassId(3), 1, vec![]),
        ret(field(expr(Ty::Class(NODE), ExprKind::Null), VALUE, Ty::Int)),
    ];
    let method = add(&mut p, None, &[Ty::Int], Ty::Int, &[Ty::Int], body);
    let expected = "\
int List.m0(int p) {
  L0: while (#0 < 3)
    if false
      break L0
  try
    (#1 = (#0 + 1))
  catch NPE #1
  return null.value
}
";
    assert_eq!(print::method(&p, method), expected);
}

#[test]
fn the_trace_tells_the_path() {
    let mut p = program();
    let inner = add(&mut p, None, &[], Ty::Int, &[], vec![ret(binary(BinaryOp::Div, int(1), int(0)))]);
    let body =
        vec![when(truth(true), vec![]), try_catch(vec![run(call(inner, Ty::Int, vec![]))], ClassId(2), 0, vec![])];
    let outer = add(&mut p, None, &[], Ty::Void, &[Ty::Class(ClassId(2))], body);
    let linked = Linked::new(&p);
    let mut interp = Interp::new(&linked, run_statics(&linked, 0).expect("no initialisers"), NoChoice, 0);
    interp.trace = Some(Box::default());
    assert_eq!(interp.run(outer, &[]), Outcome::Normal(None));
    let trace = interp.trace.take().expect("recorded");
    let (steps, omitted, _) = trace.parts();
    let names: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Step::Branch { taken, .. } => format!("{taken}"),
            Step::Call { method, depth, .. } => format!("m{} at {depth}", method.0),
            other => format!("{other:?}").split(' ').next().unwrap_or("").to_string(),
        })
        .collect();
    assert_eq!((names.join(", ").as_str(), omitted), ("m1 at 1, true, m0 at 2, Throw, Catch", 0));
}
