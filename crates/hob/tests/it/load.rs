//! What programs come out: contracts with all that is joined to them, frames, instances, definitions of sets, locals.

use crate::corpus::{SAMPLES, load, render, split};
use expect_test::{Expect, expect};
use hob::program::*;
use hob::{FileKind, Input, outline};
use source::FileId;

fn program(text: &str) -> Program {
    let files = split(text);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (map, loaded) = load(&files);
    assert_eq!(render(&map, &loaded.diagnostics), "");
    loaded.program.expect("a program")
}

/// The contracts of all procedures.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let program = program(text);
    let mut out = String::new();
    for (k, proc) in program.procs.iter().enumerate() {
        out += &format!("{}\n", program.proc_name(ProcId(k as u32)));
        for (word, clauses) in [("requires", &proc.contract.requires), ("ensures", &proc.contract.ensures)] {
            for clause in clauses {
                let reason = match &clause.reason {
                    Reason::Written => String::new(),
                    Reason::Default(name) => format!(" (default {name})"),
                    Reason::Invariant(scope) => format!(" (invariant of {})", program.scopes[scope.index()].name),
                };
                out += &format!("    {word} {}{reason}\n", formula(&program, proc, &clause.formula));
            }
        }
        let names = |ids: &[SpecVarId]| ids.iter().map(|v| spec_var(&program, *v)).collect::<Vec<_>>().join(" ");
        out += &format!("    modifies {} | frame {}\n", names(&proc.contract.modifies), names(&proc.contract.frame));
    }
    expected.assert_eq(&out);
}

fn spec_var(program: &Program, id: SpecVarId) -> String {
    let variable = program.spec_var(id);
    format!("{}.{}", program.module(variable.module).name, variable.name)
}

fn name(program: &Program, proc: &Proc, name: &NameRef) -> String {
    let text = match name.subject {
        Subject::SpecVar(id) => spec_var(program, id),
        Subject::Local(id) => proc.locals[id.index()].name.clone(),
        Subject::Bound(number) => format!("#{number}"),
    };
    format!("{text}{}", if name.primed { "'" } else { "" })
}

fn set(program: &Program, proc: &Proc, expr: &SetExpr) -> String {
    let both =
        |a: &SetExpr, op: &str, b: &SetExpr| format!("({} {op} {})", set(program, proc, a), set(program, proc, b));
    match expr {
        SetExpr::Empty => "{}".to_string(),
        SetExpr::Name(n) => name(program, proc, n),
        SetExpr::Union(a, b) => both(a, "+", b),
        SetExpr::Inter(a, b) => both(a, "inter", b),
        SetExpr::Diff(a, b) => both(a, "-", b),
    }
}

fn formula(program: &Program, proc: &Proc, f: &Formula) -> String {
    let sets = |a: &SetExpr, op: &str, b: &SetExpr| format!("{} {op} {}", set(program, proc, a), set(program, proc, b));
    let sub = |f: &Formula| format!("({})", formula(program, proc, f));
    let all = |parts: &[Formula], op: &str| parts.iter().map(sub).collect::<Vec<_>>().join(op);
    match &f.kind {
        FormulaKind::True => "true".to_string(),
        FormulaKind::False => "false".to_string(),
        FormulaKind::Bool(n) => name(program, proc, n),
        FormulaKind::Equal(a, b) => sets(a, "=", b),
        FormulaKind::NotEqual(a, b) => sets(a, "!=", b),
        FormulaKind::Subset(a, b) => sets(a, "<=", b),
        FormulaKind::Card(a, op, n) => format!("card({}) {op:?} {n}", set(program, proc, a)),
        FormulaKind::Disjoint(sets) => {
            format!("disjoint({})", sets.iter().map(|s| set(program, proc, s)).collect::<Vec<_>>().join(", "))
        }
        FormulaKind::Not(inner) => format!("not {}", sub(inner)),
        FormulaKind::And(parts) => all(parts, " & "),
        FormulaKind::Or(parts) => all(parts, " | "),
        FormulaKind::Implies(a, b) => format!("{} => {}", sub(a), sub(b)),
        FormulaKind::Iff(a, b) => format!("{} <=> {}", sub(a), sub(b)),
        FormulaKind::Quantified { exists, variable, set, body, .. } => {
            let (word, kind) = (if *exists { "exists" } else { "forall" }, if *set { " set" } else { "" });
            format!("{word}{kind} #{variable}. {}", sub(body))
        }
        FormulaKind::Uninterpreted(quoted) => format!("{:?}", quoted.text),
        FormulaKind::OverRelation(id) => format!("about {}", program.spec_var(*id).name),
        FormulaKind::Heap(heap) => format!("{heap:?}"),
    }
}

#[test]
fn the_samples_are_programs() {
    let (map, loaded) = load(&SAMPLES);
    assert_eq!(render(&map, &loaded.diagnostics), "");
}

/// `&` binds tighter than `=`, quantifiers are numbered, formals lose their primes, `=` of conditions is `<=>`.
#[test]
fn written_contracts() {
    check(
        "--- m.sl
spec module M {
    format T;
    specvar A, B : T set;
    specvar on : bool;
    predicate @low(s, c) = (s <= A) & (on' <=> c) & (exists s : T. (s in B));
    proc p(x : T; b : bool) returns r : T
        requires (x in A + B) & not b & (card(x) = 1)
        modifies B
        ensures @low'(x + r', b) & (on = b) & (forall y, z : T. ((y in A) => (z != y)));
    proc q() ensures (exists S. (S = B)) | (exists S : T set. (S = M.B')) | @low(B, true);
}",
        expect![[r#"
            M.p
                requires (x <= (M.A + M.B)) & (not (b)) & (card(x) Equal 1)
                ensures ((x + r') <= M.A') & ((M.on') <=> (b)) & (exists #0. (#0 <= M.B')) & ((M.on) <=> (b)) & (forall #1. (forall #2. ((#1 <= M.A) => (#2 != #1))))
                modifies M.B | frame M.A M.on
            M.q
                ensures (exists set #3. (#3 = M.B)) | (exists set #4. (#4 = M.B')) | ((M.B <= M.A) & ((M.on') <=> (true)) & (exists #5. (#5 <= M.B)))
                modifies  | frame M.A M.B M.on
        "#]],
    );
}

/// A module with invariants is a scope; the invariants of a scope are for the public procedures of what it exports.
#[test]
fn invariants_and_frames() {
    check(
        "--- m.sl
spec module A { format T; specvar S : T set; invariant S = S; proc a() modifies S ensures true; private proc h() ensures true; }
spec module B { specvar R : T set; proc b() modifies R ensures true; }
spec module O { specvar Q : T set; proc o() modifies A.S ensures Q' = Q; }
scope C { modules A, B; exports A; invariant forall x : T. ((x in S) => (x in B.R)); public invariant R <= S; }
--- m.fl
impl module A { proc a() { B.b(); h(); } private proc h() { } }
",
        expect![[r#"
            A.a
                requires forall #1. ((#1 <= A.S) => (#1 <= B.R)) (invariant of C)
                requires B.R <= A.S (invariant of C)
                requires A.S = A.S (invariant of A)
                ensures true
                ensures forall #2. ((#2 <= A.S') => (#2 <= B.R')) (invariant of C)
                ensures B.R' <= A.S' (invariant of C)
                ensures A.S' = A.S' (invariant of A)
                modifies A.S | frame O.Q
            A.h
                ensures true
                modifies  | frame A.S B.R O.Q
            B.b
                ensures true
                modifies B.R | frame A.S O.Q
            O.o
                ensures O.Q' = O.Q
                modifies A.S | frame O.Q
        "#]],
    );
}

#[test]
fn defaults() {
    check(
        "--- m.sl
spec module M {
    format T; specvar A : T set; specvar on : bool;
    default everywhere = on;
    default before : pre(proc p*(T) - proc pq(..)) = (A != {});
    default after(f, x) : post(all(module *) && not private(module this)) = f & (x in A);
    default mixed : prepost(public(module M)) - pre(proc M.q()) - post(proc p*() returns T) = (A = A);
    default or : pre(proc a || proc q && proc q) = (A = {});
    proc p(x : T) ensures true;
    proc pq(x : T) returns r : T suspends everywhere, M.after ensures true;
    proc q() suspends everywhere ensures true;
    private proc h(x : T) ensures true;
}
spec module N { proc p(y : int) ensures true; }
default all : post(exported(scope C)) = M.on;
scope C { modules M; exports M; default calm = on; }
",
        expect![[r#"
            M.p
                requires M.on (default everywhere)
                requires M.A != {} (default before)
                requires M.A = M.A (default mixed)
                requires M.on (default calm)
                ensures true
                ensures M.on' (default everywhere)
                ensures x <= M.A' (default after)
                ensures M.A' = M.A' (default mixed)
                ensures M.on' (default calm)
                ensures M.on' (default all)
                modifies  | frame M.A M.on
            M.pq
                requires M.A = M.A (default mixed)
                requires M.on (default calm)
                ensures true
                ensures M.on' (default calm)
                ensures M.on' (default all)
                modifies  | frame M.A M.on
            M.q
                requires M.A = {} (default or)
                requires M.on (default calm)
                ensures true
                ensures M.A' = M.A' (default mixed)
                ensures M.on' (default calm)
                ensures M.on' (default all)
                modifies  | frame M.A M.on
            M.h
                requires M.on (default everywhere)
                requires M.on (default calm)
                ensures true
                ensures M.on' (default everywhere)
                ensures M.on' (default calm)
                modifies  | frame M.A M.on
            N.p
                requires M.on (default calm)
                ensures true
                ensures M.on' (default calm)
                modifies  | frame M.A M.on
        "#]],
    );
}

/// What an instance is made of, and what its names mean.
#[test]
fn instances() {
    let text = "--- l.fl
impl module L {
    format E { next : E; data : T; }
    reference root : E;
    proc add(d : T) { E e = new E(); e.data = d; L.add2(d); }
    private proc add2(d : T) requires \"exists t : T. (t in L.S)\" modifies L.S ensures \"S' = L.S + d\" { }
}
impl module K = L with T <- U, E <- F;
impl module J = K with U <- V;
--- l.sl
spec module L { format T; specvar S : T set; proc add(d : T) modifies S ensures S' = L.S + d; }
spec module K = L with T <- U;
spec module J = K with U <- V;
spec module Types { format U, V; }
--- l.al
abst module L { use plugin \"bounded\"; S = { x : T | \"exists e : E. root<next*>e & e.data = x\" }; }
abst module K = L with T = U, E = F;
abst module J = K with U = V;
";
    check(
        text,
        expect![[r#"
        L.add
            ensures L.S' = (L.S + d)
            modifies L.S | frame K.S J.S
        L.add2
            requires exists #0. (#0 <= L.S)
            ensures L.S' = (L.S + d)
            modifies L.S | frame K.S J.S
        K.add
            ensures K.S' = (K.S + d)
            modifies K.S | frame L.S J.S
        K.add2
            requires exists #1. (#1 <= K.S)
            ensures K.S' = (K.S + d)
            modifies K.S | frame L.S J.S
        J.add
            ensures J.S' = (J.S + d)
            modifies J.S | frame L.S K.S
        J.add2
            requires exists #2. (#2 <= J.S)
            ensures J.S' = (J.S + d)
            modifies J.S | frame L.S K.S
    "#]],
    );
    let program = program(text);
    let fields: Vec<String> = program
        .fields
        .iter()
        .map(|f| {
            let ty = match &f.ty {
                Type::Object(id) => program.types[id.index()].name.clone(),
                other => format!("{other:?}"),
            };
            format!("{} {}.{} : {ty}", program.module(f.module).name, program.types[f.object.index()].name, f.name)
        })
        .collect();
    assert_eq!(
        fields,
        ["L E.next : E", "L E.data : T", "K F.next : F", "K F.data : U", "J F.next : F", "J F.data : V"]
    );
    let origins: Vec<Option<&str>> = program.modules.iter().map(|m| m.instance_of.as_deref()).collect();
    assert_eq!(origins, [None, Some("L"), Some("K"), None]);
    for module in &program.modules[..3] {
        let [plugin] = &module.plugins[..] else { panic!("one plugin") };
        assert_eq!((plugin.sets.len(), plugin.procs.len()), (1, 2));
        let set = &plugin.sets[0];
        assert_eq!(program.spec_var(set.variable).module, program.proc(plugin.procs[0]).module);
        let Definition::Heap { formula: HeapFormula::Quantified { body, .. }, .. } = &set.definition else {
            panic!("a quantifier")
        };
        let HeapFormula::And(parts) = &**body else { panic!("a conjunction") };
        let HeapFormula::Reach(HeapTerm::Global(root), _, HeapTerm::Bound(1)) = &parts[0] else { panic!("a route") };
        assert_eq!(program.globals[root.index()].module, program.spec_var(set.variable).module);
    }
}

/// Each declaration is a local of its own; a name is the innermost one.
#[test]
fn locals() {
    let program = program(
        "--- m.fl
impl module M { proc p(x : int) returns r : int {
    int y = 1; { int y = 2; x2(y); } for (int i = 0; i < 3; i++) x2(y);
    int z = y, u = 1;
    return y;
} private proc x2(a : float) { } }",
    );
    let proc = &program.procs[0];
    let names: Vec<&str> = proc.locals.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["x", "r", "y", "y", "i", "z", "u"]);
    let body = proc.body.as_ref().expect("a body");
    let StmtKind::Block(inner) = &body[1].kind else { panic!("a block") };
    let StmtKind::Expr(call) = &inner[1].kind else { panic!("a call") };
    let ExprKind::Call(_, arguments) = &call.kind else { panic!("a call") };
    let ExprKind::ToFloat(argument) = &arguments[0].kind else { panic!("a conversion") };
    assert!(matches!(argument.kind, ExprKind::Local(LocalId(3))));
    let StmtKind::Block(loop_) = &body[2].kind else { panic!("the block of the loop") };
    assert!(matches!(&loop_[1].kind, StmtKind::While { step: Some(_), .. }));
    assert!(matches!(&body[5].kind, StmtKind::Return(Some(Expr { kind: ExprKind::Local(LocalId(2)), .. }))));
}

#[test]
fn outlines() {
    let of = |name: &str, text: &str| {
        let outline = outline(&Input { file: FileId(0), kind: FileKind::of(name).expect("a kind"), text });
        format!("{} | {}", outline.declares.join(" "), outline.mentions.join(" "))
    };
    let code = "impl module A { proc p() { x.f = N.q(y.g); assert \"M.S <= T\"; while \"exists x : T. (x in O.S)\" (b) \
        Console.print(\"a.b\"); } private proc h() modifies P.S, R { } } impl module B = C with T <- U;";
    assert_eq!(of("a.fl", code), "A B | N M O Console P C");
    let spec = "spec module A { proc p() requires (exists x : T. (M.S = x)) & (exists S . N.b) modifies O.S, S calls P, Q ensures A.S = S; }
        spec module B = C; scope S { modules A, K; exports A; invariant L.S = {}; }";
    assert_eq!(of("a.sl", spec), "A B | M N O P Q K L C");
    assert_eq!(
        of("a.al", "abst module A { use plugin \"p\"; S = { x : T | \"x.f = 1\" }; } abst module B = C;"),
        "A B | C"
    );
    assert_eq!(of("a.scope", "scope C { modules A, B; "), " | A B");
    assert_eq!(of("a.fl", "impl module A { proc p( { N.q("), "A | N");
}

/// Code that nobody named, and that is wrong, is left out; what is named must be right.
#[test]
fn broken_code_beside_is_left_out() {
    let main = ("Main.fl", "impl module Main { proc main() { Store.put(); } }");
    let spec = ("Main.sl", "spec module Main { proc main() calls Store ensures true; }");
    let abst = ("Main.al", "abst module Main { use plugin \"flags\"; }");
    let store = ("Store.sl", "spec module Store { proc put() ensures true; }");
    let broken = ("Store.fl", "impl module Store { proc put( }");
    let ill_typed = ("Store.fl", "impl module Store { proc put() { Nowhere.foo(); } }");
    let right = ("Other.fl", "impl module Other { proc other() { } }");
    let said = |named: &[(&str, &str)], beside: &[(&str, &str)], needs_code: bool| {
        let all: Vec<(FileId, FileKind, &str)> = named
            .iter()
            .chain(beside)
            .enumerate()
            .map(|(k, (name, text))| (FileId(k as u32), FileKind::of(name).expect("a kind"), *text))
            .collect();
        let inputs: Vec<Input> = all.iter().map(|&(file, kind, text)| Input { file, kind, text }).collect();
        let (named, beside) = inputs.split_at(named.len());
        hob::load_beside(named, beside, needs_code).program.map(|program| {
            let with_code = program.modules.iter().filter(|m| m.has_implementation);
            with_code.map(|m| m.name.clone()).collect::<Vec<_>>().join(" ")
        })
    };
    for wrong in [broken, ill_typed] {
        // Whichever of the specifications is named.
        assert_eq!(said(&[main, spec, abst], &[store, wrong], false).as_deref(), Some("Main"));
        assert_eq!(said(&[main, spec, abst, store], &[wrong], false).as_deref(), Some("Main"));
        assert_eq!(said(&[main, spec, abst, store], &[wrong, right], false).as_deref(), Some("Main Other"));
        assert_eq!(said(&[main, spec, abst, store, wrong], &[], false), None);
        assert_eq!(said(&[store], &[wrong], false), None);
        assert_eq!(said(&[main, spec, abst, store], &[wrong], true), None);
    }
}
