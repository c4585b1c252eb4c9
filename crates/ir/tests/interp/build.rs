//! A small builder of programs, so that tests read almost like the Java they stand for.
//!
//! Every expression and statement gets a span of its own, so that a test can tell which one is meant.

use ir::*;
use source::Span;
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(1);

fn fresh() -> Span {
    let start = NEXT.fetch_add(1, Ordering::Relaxed);
    Span { start, end: start + 1, ..Span::default() }
}

pub const NODE: ClassId = ClassId(12);
pub const SUBNODE: ClassId = ClassId(13);
pub const INTEGER: ClassId = ClassId(14);
pub const LIST: ClassId = ClassId(15);

pub const VALUE: FieldId = FieldId(0);
pub const NEXT_NODE: FieldId = FieldId(1);
pub const EXTRA: FieldId = FieldId(2);
pub const BOXED: FieldId = FieldId(3);
pub const HEAD: FieldId = FieldId(4);
pub const LENGTH: FieldId = FieldId(5);
pub const COUNTER: FieldId = FieldId(6);

pub const INTS: Ty = Ty::Array(ArrayId(0));
pub const NODES: Ty = Ty::Array(ArrayId(1));
pub const INT_TABLE: Ty = Ty::Array(ArrayId(2));
pub const SUBNODES: Ty = Ty::Array(ArrayId(3));

pub const A: SelectorId = SelectorId(0);

/// `Object`, `String`, the exceptions; `class Node { int value; @Tree Node next; }`, `class SubNode extends Node { int extra; }`,
/// `Integer`, and `class List { @Tree Node head; int length; static int counter; }`.
pub fn program() -> Program {
    let names = ["Object", "String", "Throwable", "NPE", "Index", "Arithmetic", "ClassCast", "NegativeSize"];
    let more = ["ArrayStore", "StackOverflow", "AssertionError", "Stuck", "Node", "SubNode", "Integer", "List"];
    let classes = names.iter().chain(&more).enumerate().map(|(index, name)| Class {
        name: (*name).into(),
        superclass: match index {
            0 => None,
            3..=11 => Some(ClassId(2)),
            13 => Some(NODE),
            _ => Some(ClassId(0)),
        },
        interfaces: vec![],
        kind: if index == 14 { ClassKind::Box } else { ClassKind::Class },
        is_abstract: false,
        is_input: index > 11,
        is_local: false,
        is_apart: false,
        is_built_in: false,
        is_ready_made: false,
        is_of_library: false,
        fields: vec![],
        dispatch: Default::default(),
        max: None,
        span: fresh(),
    });
    let id = ClassId;
    let mut program = Program {
        classes: classes.collect(),
        fields: vec![],
        methods: vec![],
        arrays: vec![Ty::Int, Ty::Class(NODE), INTS, Ty::Class(SUBNODE)],
        strings: vec!["a".into(), "b".into()],
        static_initialisers: vec![],
        static_state: vec![],
        strings_of_shows: 0,
        float_arrays: Default::default(),
        class_objects: Vec::new(),
        named_classes: 0,
        identity: Identity::default(),
        generics: Default::default(),
        known: KnownClasses {
            object: id(0),
            string: id(1),
            throwable: id(2),
            null_pointer: id(3),
            index_out_of_bounds: id(4),
            arithmetic: id(5),
            class_cast: id(6),
            negative_array_size: id(7),
            array_store: id(8),
            stack_overflow: id(9),
            assertion: id(10),
            stuck: id(11),
        },
    };
    let fields = [
        ("value", NODE, Ty::Int),
        ("next", NODE, Ty::Class(NODE)),
        ("extra", SUBNODE, Ty::Int),
        ("boxed", INTEGER, Ty::Int),
        ("head", LIST, Ty::Class(NODE)),
        ("length", LIST, Ty::Int),
        ("counter", LIST, Ty::Int),
    ];
    for (index, (name, class, ty)) in fields.into_iter().enumerate() {
        let is_static = name == "counter";
        if !is_static {
            program.classes[class.index()].fields.push(FieldId(index as u32));
        }
        program.fields.push(Field {
            name: name.into(),
            class,
            ty,
            is_static,
            is_final: false,
            enum_constant: false,
            is_synthetic: false,
            bound: Bound { tree: ty == Ty::Class(NODE), ..Bound::default() },
            span: fresh(),
        });
    }
    program
}

/// Adds a method; an instance method if `this` says of which class, else static in `List`.
pub fn add(
    program: &mut Program,
    this: Option<ClassId>,
    params: &[Ty],
    ret: Ty,
    locals: &[Ty],
    body: Block,
) -> MethodId {
    let id = MethodId(program.methods.len() as u32);
    let all = this.map(Ty::Class).into_iter().chain(params.iter().copied()).chain(locals.iter().copied());
    program.methods.push(Method {
        name: format!("m{}", id.0),
        class: this.unwrap_or(LIST),
        selector: SelectorId(1000 + id.0),
        is_static: this.is_none(),
        is_constructor: false,
        is_declarative: false,
        is_implicit: false,
        return_ty: ret,
        parameters: params.iter().map(|&ty| Parameter { name: "p".into(), ty, bound: Bound::default() }).collect(),
        locals: all.map(|ty| Local { name: String::new(), ty }).collect(),
        body: Some(body),
        span: fresh(),
        name_span: fresh(),
    });
    id
}

pub fn expr(ty: Ty, kind: ExprKind) -> Expr {
    Expr { kind, ty, span: fresh(), pure: false }
}

fn b(e: Expr) -> Box<Expr> {
    Box::new(e)
}

pub fn int(value: i64) -> Expr {
    expr(Ty::Int, ExprKind::Int(value))
}

pub fn truth(value: bool) -> Expr {
    expr(Ty::Bool, ExprKind::Bool(value))
}

pub fn null() -> Expr {
    expr(Ty::Null, ExprKind::Null)
}

pub fn local(id: u32, ty: Ty) -> Expr {
    expr(ty, ExprKind::Local(LocalId(id)))
}

/// An int local.
pub fn var(id: u32) -> Expr {
    local(id, Ty::Int)
}

pub fn set(id: u32, value: Expr) -> Expr {
    let ty = value.ty;
    expr(ty, ExprKind::SetLocal(LocalId(id), b(value)))
}

pub fn binary(op: BinaryOp, x: Expr, y: Expr) -> Expr {
    expr(Ty::Int, ExprKind::Binary(op, Width::W32, b(x), b(y)))
}

pub fn plus(x: Expr, y: Expr) -> Expr {
    binary(BinaryOp::Add, x, y)
}

pub fn compare(op: CompareOp, x: Expr, y: Expr) -> Expr {
    expr(Ty::Bool, ExprKind::Compare(op, b(x), b(y)))
}

pub fn less(x: Expr, y: Expr) -> Expr {
    compare(CompareOp::Lt, x, y)
}

pub fn same(x: Expr, y: Expr) -> Expr {
    expr(Ty::Bool, ExprKind::Same(b(x), b(y)))
}

pub fn and(x: Expr, y: Expr) -> Expr {
    expr(Ty::Bool, ExprKind::AndThen(b(x), b(y)))
}

pub fn or(x: Expr, y: Expr) -> Expr {
    expr(Ty::Bool, ExprKind::OrElse(b(x), b(y)))
}

pub fn not(x: Expr) -> Expr {
    expr(Ty::Bool, ExprKind::Not(b(x)))
}

pub fn field(object: Expr, id: FieldId, ty: Ty) -> Expr {
    expr(ty, ExprKind::Field(b(object), id))
}

pub fn set_field(object: Expr, id: FieldId, value: Expr) -> Expr {
    let ty = value.ty;
    expr(ty, ExprKind::SetField(b(object), id, b(value)))
}

pub fn element(array: Expr, index: Expr, ty: Ty) -> Expr {
    expr(ty, ExprKind::Element(b(array), b(index)))
}

pub fn set_element(array: Expr, index: Expr, value: Expr) -> Expr {
    let ty = value.ty;
    expr(ty, ExprKind::SetElement(b(array), b(index), b(value)))
}

pub fn new_array(ty: Ty, lengths: Vec<Expr>) -> Expr {
    expr(ty, ExprKind::NewArray(lengths))
}

pub fn call(method: MethodId, ty: Ty, args: Vec<Expr>) -> Expr {
    expr(ty, ExprKind::Call(method, args))
}

pub fn intrinsic(which: Intrinsic, ty: Ty, args: Vec<Expr>) -> Expr {
    expr(ty, ExprKind::Intrinsic(which, args))
}

pub fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: fresh() }
}

pub fn run(e: Expr) -> Stmt {
    stmt(StmtKind::Expr(e))
}

pub fn ret(e: Expr) -> Stmt {
    stmt(StmtKind::Return(Some(e)))
}

pub fn when(condition: Expr, then: Block) -> Stmt {
    stmt(StmtKind::If { condition, then, otherwise: vec![] })
}

pub fn while_loop(label: u32, condition: Expr, body: Block) -> Stmt {
    stmt(StmtKind::Loop { label: LabelId(label), test_first: true, condition, body, update: vec![] })
}

pub fn try_finally(body: Block, finally: Block) -> Stmt {
    stmt(StmtKind::Try { body, catches: vec![], finally })
}

pub fn try_catch(body: Block, class: ClassId, local: u32, handler: Block) -> Stmt {
    let catch = Catch { classes: vec![class], local: LocalId(local), body: handler };
    stmt(StmtKind::Try { body, catches: vec![catch], finally: vec![] })
}

/// A constructor of a class that does nothing.
pub fn constructor(program: &mut Program, class: ClassId) -> MethodId {
    let id = add(program, Some(class), &[], Ty::Void, &[], vec![]);
    program.methods[id.index()].is_constructor = true;
    id
}

pub fn new(class: ClassId, constructor: MethodId) -> Expr {
    expr(Ty::Class(class), ExprKind::New(class, constructor, vec![]))
}
