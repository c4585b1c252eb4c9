//! A class that keeps objects of library classes: as these made them, they are valid. So the invariant of a class that is checked says of each
//! that its own invariant holds, which a specification beside the library class has; and so do preconditions of arguments.

use super::Lowering;
use super::body::{expr, set_local, stmt};
use ir::generics::InstanceId;
use ir::{
    BinaryOp, Checked, ClassId, CompareOp, Expr, ExprKind, FieldId, Local, LocalId, MethodId, Parameter, Spec,
    SpecArgument, Stmt, StmtKind, Ty, Width,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

/// A class with its type arguments.
type Node = (ClassId, Option<InstanceId>);

impl Lowering<'_> {
    /// Reads the invariants of library classes.
    pub(super) fn read_library_invariants(&mut self) {
        for class in 0.. {
            if class == self.program.classes.len() {
                return;
            }
            let class = ClassId(class as u32);
            // Its own, or what a class of the inputs inherits.
            let above = std::iter::successors(Some(class), |c| self.program.class(*c).superclass);
            if !above.into_iter().any(|c| self.program.class(c).is_of_library) {
                continue;
            }
            let ty = self.table.self_type(self.class_ix(class));
            let found = self.table.find_methods(&ty, "repOk");
            let declared = found.iter().find(|c| c.params.is_empty()).map(|c| c.method);
            if let Some(method) = declared.filter(|m| self.is_declarative(*m)) {
                let method = self.method_id(method);
                if self.program.class(self.program.method(method).class).is_of_library {
                    self.invariants.insert(class, method);
                }
                self.run();
            }
        }
    }

    pub(super) fn assume_valid_library(&mut self, checked: &mut [Checked]) {
        for checked in checked {
            if self.invariants.is_empty() || self.program.class(checked.class).is_of_library {
                continue;
            }
            let invariant = checked.invariant;
            let class = checked.class;
            let mut walk = Walk::new(self, invariant);
            if let Some(parts) = walk.parts((class, None)) {
                checked.invariant = self.with_parts(class, invariant, parts);
            }
            for operation in &mut checked.operations {
                let parameters = self.program.method(operation.method).parameters.clone();
                for (index, parameter) in parameters.iter().enumerate() {
                    let held = ir::space::held(&self.program, parameter.ty, &parameter.bound);
                    let mut walk = Walk::new(self, invariant);
                    if let Some(method) = walk.argument(parameter.ty, &held) {
                        let spec = Spec { method, arguments: vec![SpecArgument::Parameter(index)] };
                        operation.preconditions.push(spec.clone());
                        operation.postconditions.push(spec);
                    }
                }
            }
        }
    }

    /// `boolean repOk() { return parts(this) && repOk(); }`
    fn with_parts(&mut self, class: ClassId, invariant: MethodId, parts: MethodId) -> MethodId {
        let method = self.program.method(invariant).clone();
        let span = method.name_span;
        let this = || expr(ExprKind::Local(LocalId(0)), Ty::Class(class), span);
        let call = |id: MethodId| Box::new(expr(ExprKind::Call(id, vec![this()]), Ty::Bool, span));
        let value = expr(ExprKind::AndThen(call(parts), call(invariant)), Ty::Bool, span);
        let selector = self.selector_of("its library objects are valid".into(), Vec::new());
        let body = Some(vec![stmt(StmtKind::Return(Some(value)), span)]);
        let locals = vec![Local { name: "this".into(), ty: Ty::Class(class) }];
        self.add_synthetic(ir::Method { selector, body, locals, ..method })
    }
}

struct Walk<'l, 'a> {
    low: &'l mut Lowering<'a>,
    /// What the methods look like.
    like: MethodId,
    span: Span,
    /// Nodes from which a library object with an invariant is reached.
    relevant: FxHashSet<Node>,
    made: FxHashMap<Node, MethodId>,
    /// The nodes that are being made.
    within: Vec<Node>,
}

/// A method that is being made: of one parameter.
struct Body {
    locals: Vec<Local>,
    loops: Vec<Stmt>,
    holds: Vec<Expr>,
    labels: u32,
}

impl<'l, 'a> Walk<'l, 'a> {
    fn new(low: &'l mut Lowering<'a>, like: MethodId) -> Walk<'l, 'a> {
        let span = low.program.method(like).name_span;
        Walk { low, like, span, relevant: FxHashSet::default(), made: FxHashMap::default(), within: Vec::new() }
    }

    /// The method that says of an object that what it holds is valid; none if there is nothing to say.
    fn parts(&mut self, node: Node) -> Option<MethodId> {
        self.find_relevant(&[node]);
        self.is_relevant_within(node).then(|| self.of_node(node))
    }

    fn argument(&mut self, ty: Ty, held: &[Node]) -> Option<MethodId> {
        self.find_relevant(held);
        if !held.iter().any(|n| self.relevant.contains(n)) {
            return None;
        }
        let mut body = self.body(ty);
        let argument = self.local(0, ty);
        self.check(&mut body, argument, ty, held, false, false);
        let id = self.add(ty);
        self.finish(id, body);
        Some(id)
    }

    fn fields(&self, node: Node) -> Vec<(FieldId, Vec<Node>)> {
        let program = &self.low.program;
        let own = program.instance_fields(node.0).into_iter().filter(|f| !program.field(*f).is_synthetic);
        own.map(|f| (f, ir::space::held_in(program, node, f))).collect()
    }

    /// Looked at as part of another library class, only that of a class by itself counts: of a node or a view, the class around it says it.
    fn invariant_of(&self, class: ClassId, is_within_library: bool) -> Option<MethodId> {
        let is_nested = self.low.table.class(self.low.class_ix(class)).outer.is_some();
        self.low.invariants.get(&class).copied().filter(|_| !is_within_library || !is_nested)
    }

    fn find_relevant(&mut self, roots: &[Node]) {
        let mut from: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
        let (mut seen, mut todo) = (FxHashSet::default(), roots.to_vec());
        while let Some(node) = todo.pop() {
            if !seen.insert(node) {
                continue;
            }
            for to in self.fields(node).into_iter().flat_map(|(_, held)| held) {
                from.entry(to).or_default().push(node);
                todo.push(to);
            }
        }
        let mut todo: Vec<Node> = seen.into_iter().filter(|n| self.low.invariants.contains_key(&n.0)).collect();
        while let Some(node) = todo.pop() {
            if self.relevant.insert(node) {
                todo.extend(from.get(&node).into_iter().flatten());
            }
        }
    }

    /// Whether there is something to say of what it holds.
    fn is_relevant_within(&self, node: Node) -> bool {
        self.fields(node).iter().any(|(_, held)| held.iter().any(|n| self.relevant.contains(n)))
    }

    fn of_node(&mut self, node: Node) -> MethodId {
        if let Some(&id) = self.made.get(&node) {
            return id;
        }
        let ty = Ty::Class(node.0);
        let id = self.add(ty);
        self.made.insert(node, id);
        self.within.push(node);
        let mut body = self.body(ty);
        let is_library = self.low.program.class(node.0).is_of_library;
        for (field, held) in self.fields(node) {
            let info = self.low.program.field(field);
            let (field_ty, is_tree) = (info.ty, info.bound.tree);
            let value = expr(ExprKind::Field(Box::new(self.local(0, ty)), field), field_ty, self.span);
            self.check(&mut body, value, field_ty, &held, is_library, is_tree);
        }
        self.within.pop();
        self.finish(id, body);
        id
    }

    /// Of a value, or the elements of an array.
    fn check(&mut self, body: &mut Body, value: Expr, ty: Ty, held: &[Node], in_library: bool, is_tree: bool) {
        if !held.iter().any(|n| self.relevant.contains(n)) {
            return;
        }
        let span = self.span;
        let truth = |kind: ExprKind| expr(kind, Ty::Bool, span);
        if let Ty::Array(array) = ty {
            let element_ty = self.low.program.element_ty(array);
            let index = LocalId(body.locals.len() as u32);
            body.locals.push(Local { name: String::new(), ty: Ty::Int });
            let label = ir::LabelId(body.labels);
            body.labels += 1;
            let number = |kind: ExprKind| expr(kind, Ty::Int, span);
            let at = || Box::new(number(ExprKind::Local(index)));
            let array = || Box::new(value.clone());
            let element = expr(ExprKind::Element(array(), at()), element_ty, span);
            let (loops, holds) = (std::mem::take(&mut body.loops), std::mem::take(&mut body.holds));
            self.check(body, element, element_ty, held, in_library, is_tree);
            let mut each = std::mem::replace(&mut body.loops, loops);
            for holds in std::mem::replace(&mut body.holds, holds) {
                let no = stmt(StmtKind::Return(Some(truth(ExprKind::Bool(false)))), span);
                let condition = truth(ExprKind::Not(Box::new(holds)));
                each.push(stmt(StmtKind::If { condition, then: vec![no], otherwise: Vec::new() }, span));
            }
            let length = Box::new(number(ExprKind::Length(array())));
            let condition = truth(ExprKind::Compare(CompareOp::Lt, at(), length));
            let one = Box::new(number(ExprKind::Int(1)));
            let next = number(ExprKind::Binary(BinaryOp::Add, Width::W32, at(), one));
            let update = vec![number(ExprKind::SetLocal(index, Box::new(next)))];
            let each = StmtKind::Loop { label, test_first: true, condition, body: each, update };
            let null = Box::new(expr(ExprKind::Null, Ty::Null, span));
            let is_there = truth(ExprKind::Not(Box::new(truth(ExprKind::Same(array(), null)))));
            let first = set_local(index, number(ExprKind::Int(0)), span);
            let then = vec![first, stmt(each, span)];
            body.loops.push(stmt(StmtKind::If { condition: is_there, then, otherwise: Vec::new() }, span));
            return;
        }
        for &node in held {
            // Around a ring of fields that are no trees, an object would be asked about again and again.
            let is_again = self.within.contains(&node) && !is_tree;
            let parts = (self.is_relevant_within(node) && !is_again).then(|| self.of_node(node));
            let methods: Vec<MethodId> = self.invariant_of(node.0, in_library).into_iter().chain(parts).collect();
            let this = Ty::Class(node.0);
            let of = || expr(ExprKind::Cast(Box::new(value.clone()), this), this, span);
            let calls = methods.into_iter().map(|m| truth(ExprKind::Call(m, vec![of()])));
            let Some(all) = calls.reduce(|a, b| truth(ExprKind::AndThen(Box::new(a), Box::new(b)))) else { continue };
            let is_one = truth(ExprKind::InstanceOf(Box::new(value.clone()), this));
            let is_none = truth(ExprKind::Not(Box::new(is_one)));
            body.holds.push(truth(ExprKind::OrElse(Box::new(is_none), Box::new(all))));
        }
    }

    fn local(&self, index: u32, ty: Ty) -> Expr {
        expr(ExprKind::Local(LocalId(index)), ty, self.span)
    }

    fn body(&self, ty: Ty) -> Body {
        Body { locals: vec![Local { name: "held".into(), ty }], loops: Vec::new(), holds: Vec::new(), labels: 0 }
    }

    fn add(&mut self, ty: Ty) -> MethodId {
        self.low.add_synthetic(ir::Method {
            is_static: true,
            is_declarative: true,
            return_ty: Ty::Bool,
            parameters: vec![Parameter { name: "held".into(), ty, bound: ir::Bound::default() }],
            ..self.low.program.method(self.like).clone()
        })
    }

    fn finish(&mut self, id: MethodId, body: Body) {
        let (span, truth) = (self.span, |kind: ExprKind| expr(kind, Ty::Bool, self.span));
        let all = body.holds.into_iter().reduce(|a, b| truth(ExprKind::AndThen(Box::new(a), Box::new(b))));
        let mut statements = body.loops;
        statements.push(stmt(StmtKind::Return(Some(all.unwrap_or(truth(ExprKind::Bool(true))))), span));
        let method = &mut self.low.program.methods[id.index()];
        (method.locals, method.body) = (body.locals, Some(statements));
    }
}
