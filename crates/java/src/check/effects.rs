//! What a comparison with an abstraction does not see (docs/java.md, "Abstractions"): an operation that changes what it was given, or a
//! static field, since both would run on the same argument, one after the other, and a client could tell; and an object of the module that
//! its abstraction has as well, if one of the two operations changes it: then the state before is lost, and both sides change together. And
//! an array that one of them keeps and returns, where the other returns a new one: a client may write to it. What else results share is
//! reported as left out. Both orders of two calls (`commute.rs`) get the same arguments: an operation that changes them cannot be run so.

use crate::lower::Lowering;
use ir::walk::Node;
use ir::{
    ArrayId, Checked, Compared, Expr, ExprKind, FieldId, Intrinsic, LocalId, MethodId, Operation, OperationKind,
    Program, Stmt, StmtKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};
use verdict::LeftOut;

pub fn check(low: &mut Lowering, checked: &mut [Checked]) {
    let mut found = Vec::new();
    for operation in checked.iter_mut().flat_map(|c| &mut c.operations).filter(|o| o.kind == OperationKind::Method) {
        let Some(compared) = &operation.compared else { continue };
        found.extend(changes(&low.program, operation.method, compared));
        found.extend(shared(&low.program, operation.method, compared));
        found.extend(kept(&low.program, operation.method, compared));
        found.extend(assumed(&low.program, operation.method, compared));
        operation.left_out.extend(sharing(&low.program, operation.method, compared));
    }
    for class in checked {
        found.extend(in_both_orders(&low.program, &mut class.operations));
    }
    // The same place once.
    let mut seen: FxHashSet<Option<Span>> = FxHashSet::default();
    found.retain(|d| seen.insert(d.span));
    found.into_iter().for_each(|d| low.error(d));
}

/// Where an operation changes its arguments or a static field.
fn changes(program: &Program, driver: MethodId, compared: &Compared) -> Vec<Diagnostic> {
    let name = &program.method(compared.operation).name;
    let help = format!("let it return what it finds, or leave `{name}` out of `{}`", compared.abstraction);
    let problem = |(span, what)| {
        let message =
            format!("`{name}` changes {what}: that is not compared with what `{}` does", compared.abstraction);
        Diagnostic::error("bad-abstraction", span, message).help(help.clone())
    };
    let other = compared.other.map(|other| other + 1);
    written(program, driver, other).into_iter().map(problem).collect()
}

/// What is not the operation's own is written to: its arguments, but for one of them, or a static field.
fn written(program: &Program, method: MethodId, but: Option<usize>) -> Vec<(Span, &'static str)> {
    let parameters = program.method(method).parameters.iter().zip(1..);
    let given = parameters
        .filter(|(_, local)| but != Some(*local as usize))
        .flat_map(|(p, local)| held_by(p.ty, &p.bound).into_iter().map(move |ty| (LocalId(local), ty)));
    let flow = Flow::of(program, method, given);
    let mut found = Vec::new();
    for (&method, held) in &flow.held {
        let Some(body) = &program.method(method).body else { continue };
        let is_given = |e: &Expr| !flow.types(e, held).is_empty();
        let fixed = kept_from_static(body);
        let is_static = |e: &Expr| match &e.kind {
            ExprKind::Static(_) => true,
            ExprKind::Local(local) => fixed.contains(local),
            _ => is_static_state(program, e.ty),
        };
        ir::walk::block(body, &mut |e| match &e.kind {
            ExprKind::SetField(object, ..) | ExprKind::SetElement(object, ..) if is_static(object) => {
                found.push((e.span, STATIC));
            }
            ExprKind::SetStatic(..) => found.push((e.span, STATIC)),
            ExprKind::SetField(object, ..) | ExprKind::SetElement(object, ..) if is_given(object) => {
                found.push((e.span, ARGUMENT));
            }
            ExprKind::Intrinsic(Intrinsic::ArrayCopy, args) if args.get(2).is_some_and(is_given) => {
                found.push((e.span, ARGUMENT));
            }
            _ => {}
        });
    }
    found.sort();
    found
}

/// Locals that hold what static fields do and nothing else, such as the array of `seen[i] += 1`.
fn kept_from_static(body: &[Stmt]) -> FxHashSet<LocalId> {
    let (mut all, mut others) = (FxHashSet::default(), FxHashSet::default());
    ir::walk::block(body, &mut |e| {
        if let ExprKind::SetLocal(local, value) = &e.kind {
            match value.kind {
                ExprKind::Static(_) => all.insert(*local),
                _ => others.insert(*local),
            };
        }
    });
    all.retain(|local| !others.contains(local));
    all
}

const ARGUMENT: &str = "its argument";
const STATIC: &str = "a static field";

/// What two calls in both orders would get, or look at, is what the first of them left. One operation on equal states is not run then.
fn in_both_orders(program: &Program, operations: &mut Vec<Operation>) -> Vec<Diagnostic> {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    operations.retain(|operation| {
        let Some(orders) = operation.orders.as_ref().filter(|o| !o.is_abstraction) else { return true };
        let writes = written(program, operation.method, None);
        let Some((span, what)) = writes.into_iter().next() else { return true };
        let [name, _] = &orders.names;
        if orders.is_pair {
            let names = if orders.names[0] == orders.names[1] { name.clone() } else { orders.names.join("` and `") };
            let (changed, help) = match what {
                ARGUMENT => ("an argument", "leave it out, or let it work on a copy, such as `items.clone()`"),
                _ => ("a static field", "leave it out, or make that a field of the object"),
            };
            let message = format!("both orders of `{names}` cannot be compared: {changed} is changed here");
            found.push(Diagnostic::error("commute", span, message).help(help));
        } else {
            left_out.push(LeftOut {
                id: "changed-argument",
                message: format!(
                    "whether `{name}`, which changes {what}, does the same on equal states was not checked"
                ),
                remedy: String::new(),
                span: Some(operation.span),
                example: None,
                only_json: false,
            });
        }
        orders.is_pair
    });
    if let Some(first) = operations.first_mut() {
        first.left_out.extend(left_out);
    }
    found
}

/// An operation of an abstraction that drops runs: the states in which it does are not compared, and clients that get it in the module's place
/// would not be checked there.
fn assumed(program: &Program, driver: MethodId, compared: &Compared) -> Option<Diagnostic> {
    let theirs = counterpart(program, driver, compared)?;
    let mut place = None;
    for (_, body) in run_by(program, vec![theirs]) {
        ir::walk::nodes(body, &mut |node| {
            if let Node::Stmt(Stmt { kind: StmtKind::Assume(e), .. }) = node {
                place.get_or_insert(e.span);
            }
            true
        });
    }
    let name = &program.method(compared.operation).name;
    let message =
        format!("`{name}` of `{}` drops runs: what happens in such states is not compared", compared.abstraction);
    let help = format!(
        "let it do what the operation does there, such as throw the same exception; or say when it may be called by a `@Pre(\"{name}\")`"
    );
    place.map(|span| Diagnostic::error("bad-abstraction", span, message).help(help))
}

/// Results that are compared by what they hold may be shared with the object, or with each other, on one side only.
fn sharing(program: &Program, driver: MethodId, compared: &Compared) -> Option<LeftOut> {
    let operation = program.method(compared.operation);
    let theirs = counterpart(program, driver, compared)?;
    let may_share = match operation.return_ty {
        Ty::Array(array) => matches!(program.element_ty(array), Ty::Array(_)),
        Ty::Class(class) => {
            let own = program.method(compared.function).class;
            let is_own = program.is_subclass(own, class) || program.is_subclass(class, own);
            let has_equal_to =
                program.methods.iter().any(|m| m.name == "equalTo" && program.is_subclass(class, m.class));
            let keeps = |method: MethodId| {
                let flow = Flow::of_object(program, method);
                !flow.kept.is_empty() || flow.returned.get(&method).is_some_and(|types| !types.is_empty())
            };
            !is_own && has_equal_to && (keeps(compared.operation) || keeps(theirs))
        }
        _ => false,
    };
    may_share.then(|| LeftOut {
        id: "sharing",
        message: format!(
            "whether what `{}` returns is shared, with the object or with other results, was not compared with `{}`",
            operation.name, compared.abstraction
        ),
        remedy: "return copies".to_string(),
        span: Some(operation.name_span),
        example: None,
        only_json: false,
    })
}

/// The operation of the abstraction.
fn counterpart(program: &Program, driver: MethodId, compared: &Compared) -> Option<MethodId> {
    let body = program.method(driver).body.as_ref()?;
    let name = &program.method(compared.operation).name;
    let is_counterpart = |m: &MethodId| *m != compared.operation && program.method(*m).name == *name;
    calls(program, body).into_iter().find(is_counterpart)
}

/// What a field or parameter holds: objects of its type, or of the classes that its annotations name.
fn held_by(ty: Ty, bound: &ir::Bound) -> Vec<Ty> {
    let classes = bound.one_of.as_ref().map(|classes| classes.iter().map(|c| Ty::Class(*c)).collect());
    classes.unwrap_or_else(|| vec![ty])
}

/// Whether an object may be of both types.
fn may_be_both(program: &Program, a: Ty, b: Ty) -> bool {
    match (a, b) {
        _ if program.is_subtype(a, b) || program.is_subtype(b, a) => true,
        (Ty::Class(a), Ty::Class(b)) => program.concrete_subclasses(a).any(|c| program.is_subclass(c, b)),
        _ => false,
    }
}

/// Static fields that vary are in an object for them.
fn is_static_state(program: &Program, ty: Ty) -> bool {
    program.static_state.iter().any(|s| ty == Ty::Class(s.class))
}

/// Objects of the module that its abstraction has, and that an operation of either changes where the other looks.
fn shared(program: &Program, driver: MethodId, compared: &Compared) -> Vec<Diagnostic> {
    let called_by = |method: MethodId| program.method(method).body.as_ref().map_or(Vec::new(), |b| calls(program, b));
    let is_abstract = |m: &MethodId| *m != compared.operation && *m != compared.function;
    let ours = Touched::by(program, vec![compared.operation]);
    let theirs = Touched::by(program, called_by(driver).into_iter().filter(is_abstract).collect());
    let equal_to = Touched::by(program, called_by(compared.same_state).into_iter().filter(is_abstract).collect());
    let function = Touched::by(program, vec![compared.function]);
    let changed_by_us = ours.written.iter().filter(|p| theirs.read.contains(p) || equal_to.read.contains(p));
    let looked_at = |p: &&Part| [&ours, &function, &equal_to].iter().any(|t| t.read.contains(p));
    let changed_by_them = theirs.written.iter().filter(looked_at);
    let changed: FxHashSet<Part> = changed_by_us.chain(changed_by_them).copied().collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let flow = Flow::of_object(program, compared.function);
    let returned = flow.returned.get(&compared.function).into_iter().flatten();
    let kept = flow.kept.values().flatten().chain(returned);
    let name = &program.method(compared.operation).name;
    let mut found: Vec<(Span, Part)> = Vec::new();
    for (&ty, &span) in kept {
        found.extend(changed.iter().filter(|part| part.may_be_of(program, ty)).map(|part| (span, *part)));
    }
    found.sort();
    let problem = |(span, part): (Span, Part)| {
        let (what, of) = match part {
            Part::Field(field) => (format!("its `{}`", program.field(field).name), ""),
            Part::Elements(_) => ("its elements".to_string(), " with the same elements"),
        };
        let abstraction = &compared.abstraction;
        let message = format!(
            "`{abstraction}` gets what the class itself has, and `{name}` changes {what}: both would change at once, and nothing be compared"
        );
        Diagnostic::error("bad-abstraction", span, message).help(format!("give the abstraction a new one{of}"))
    };
    found.into_iter().map(problem).collect()
}

/// An array that one side returns and keeps: results are compared by what is in them, which says nothing of what is written there later.
fn kept(program: &Program, driver: MethodId, compared: &Compared) -> Option<Diagnostic> {
    let operation = program.method(compared.operation);
    let Ty::Array(_) = operation.return_ty else { return None };
    let theirs = counterpart(program, driver, compared)?;
    let may_keep = |method: MethodId| {
        let flow = Flow::of_object(program, method);
        flow.returned.get(&method).is_some_and(|types| !types.is_empty())
    };
    let abstraction = &compared.abstraction;
    let (span, keeps, copies) = match (may_keep(compared.operation), may_keep(theirs)) {
        (true, false) => (operation.name_span, "the class", abstraction.as_str()),
        (false, true) => (program.method(theirs).name_span, abstraction.as_str(), "the class"),
        _ => return None,
    };
    let name = &operation.name;
    let message = format!(
        "`{name}` may return an array that {keeps} keeps, where {copies} returns a new one: what a client writes to it is not compared"
    );
    Some(Diagnostic::error("bad-abstraction", span, message).help("return a copy, such as `items.clone()`"))
}

/// A part of an object that can change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Part {
    Field(FieldId),
    Elements(ArrayId),
}

impl Part {
    /// Whether something of that type may have it.
    fn may_be_of(self, program: &Program, ty: Ty) -> bool {
        match (self, ty) {
            (Part::Field(field), Ty::Class(class)) => {
                let owner = program.field(field).class;
                // What is just an `Object` is an element, and has no parts for those who keep it.
                program.is_subclass(class, owner) || class != program.known.object && program.is_subclass(owner, class)
            }
            (Part::Elements(elements), Ty::Array(array)) => elements == array,
            _ => false,
        }
    }
}

/// What methods, and those that they call, read and write.
#[derive(Default)]
struct Touched {
    read: FxHashSet<Part>,
    written: FxHashSet<Part>,
}

impl Touched {
    fn by(program: &Program, methods: Vec<MethodId>) -> Touched {
        let mut touched = Touched::default();
        for (method, body) in run_by(program, methods) {
            // What a constructor gives its object was not there before.
            let is_new = |object: &Expr| {
                program.method(method).is_constructor && matches!(object.kind, ExprKind::Local(LocalId(0)))
            };
            ir::walk::block(body, &mut |e| touched.note(e, &is_new));
        }
        touched
    }

    fn note(&mut self, e: &Expr, is_new: &impl Fn(&Expr) -> bool) {
        let elements = |array: &Expr| if let Ty::Array(array) = array.ty { Some(Part::Elements(array)) } else { None };
        match &e.kind {
            ExprKind::Field(_, field) => {
                self.read.insert(Part::Field(*field));
            }
            ExprKind::SetField(object, field, _) if !is_new(object) => {
                self.written.insert(Part::Field(*field));
            }
            ExprKind::Element(array, _) => self.read.extend(elements(array)),
            ExprKind::SetElement(array, ..) => self.written.extend(elements(array)),
            ExprKind::Intrinsic(Intrinsic::ArrayCopy, args) => {
                self.read.extend(args.first().and_then(elements));
                self.written.extend(args.get(2).and_then(elements));
            }
            _ => {}
        }
    }
}

/// Everything with a body that these run, themselves first.
fn run_by(program: &Program, mut todo: Vec<MethodId>) -> Vec<(MethodId, &[Stmt])> {
    let mut seen: FxHashSet<MethodId> = FxHashSet::default();
    let mut all: Vec<(MethodId, &[Stmt])> = Vec::new();
    while let Some(method) = todo.pop() {
        let Some(body) = program.method(method).body.as_ref().filter(|_| seen.insert(method)) else { continue };
        all.push((method, body));
        todo.extend(calls(program, body));
    }
    all
}

fn calls(program: &Program, body: &[ir::Stmt]) -> Vec<MethodId> {
    let mut found = Vec::new();
    ir::walk::block(body, &mut |e| found.extend(callees(program, e).into_iter().map(|(method, ..)| method)));
    found
}

/// What an expression calls: the method, the first parameter that gets an argument, and the arguments.
fn callees<'e>(program: &Program, e: &'e Expr) -> Vec<(MethodId, u32, &'e [Expr])> {
    match &e.kind {
        ExprKind::Call(callee, args) => vec![(*callee, 0, args)],
        ExprKind::New(_, callee, args) => vec![(*callee, 1, args)],
        ExprKind::CallVirtual(selector, args) => {
            let Some(Ty::Class(of)) = args.first().map(|a| a.ty) else { return Vec::new() };
            program.targets(*selector, of).map(|m| (m, 0, &args[..])).collect()
        }
        _ => Vec::new(),
    }
}

/// By what type something is known, and where it was read.
type Types = FxHashMap<Ty, Span>;

/// Where objects may go that a method is given, and what they lead to.
struct Flow<'p> {
    program: &'p Program,
    /// By method that is reached: its locals that may hold one.
    held: FxHashMap<MethodId, FxHashMap<LocalId, Types>>,
    returned: FxHashMap<MethodId, Types>,
    /// Fields and arrays that one was stored into.
    kept: FxHashMap<Part, Types>,
}

impl<'p> Flow<'p> {
    /// Where parts of the object go that a method is called on.
    fn of_object(program: &'p Program, method: MethodId) -> Flow<'p> {
        let own = Ty::Class(program.method(method).class);
        Flow::of(program, method, [(LocalId(0), own)])
    }

    fn of(program: &'p Program, start: MethodId, given: impl IntoIterator<Item = (LocalId, Ty)>) -> Flow<'p> {
        let mut flow =
            Flow { program, held: FxHashMap::default(), returned: FxHashMap::default(), kept: FxHashMap::default() };
        let span = program.method(start).name_span;
        let held = flow.held.entry(start).or_default();
        for (local, ty) in given.into_iter().filter(|(_, ty)| ty.is_reference()) {
            held.entry(local).or_default().insert(ty, span);
        }
        while flow.grows() {}
        flow
    }

    /// One round over all methods that are reached.
    fn grows(&mut self) -> bool {
        let before = self.size();
        for method in self.held.keys().copied().collect::<Vec<_>>() {
            let Some(body) = &self.program.method(method).body else { continue };
            ir::walk::nodes(body, &mut |node| {
                match node {
                    ir::walk::Node::Expr(e) => self.pass(method, e),
                    ir::walk::Node::Stmt(s) => {
                        if let StmtKind::Return(Some(e)) = &s.kind {
                            let types = self.types(e, &self.held[&method]);
                            add(self.returned.entry(method).or_default(), types);
                        }
                    }
                }
                true
            });
        }
        self.size() > before
    }

    fn size(&self) -> usize {
        let locals = self.held.values().map(|held| 1 + held.values().map(Types::len).sum::<usize>());
        let others = self.returned.values().chain(self.kept.values()).map(Types::len);
        locals.chain(others).sum()
    }

    fn pass(&mut self, method: MethodId, e: &Expr) {
        let held = &self.held[&method];
        let store = |value: &Expr| self.types(value, held);
        match &e.kind {
            ExprKind::SetLocal(local, value) => {
                let types = store(value);
                add(self.held.entry(method).or_default().entry(*local).or_default(), types);
            }
            ExprKind::SetField(_, field, value) | ExprKind::SetStatic(field, value) => {
                let types = store(value);
                add(self.kept.entry(Part::Field(*field)).or_default(), types);
            }
            ExprKind::SetElement(array, _, value) => {
                let types = store(value);
                self.keep(array.ty, types);
            }
            ExprKind::ArrayLiteral(values) => {
                let stored: Vec<_> = values.iter().map(store).collect();
                stored.into_iter().for_each(|types| self.keep(e.ty, types));
            }
            _ => {
                for (callee, first, args) in callees(self.program, e) {
                    let held = &self.held[&method];
                    let passed: Vec<_> = args.iter().map(|a| self.types(a, held)).collect();
                    let (program, parameters) = (self.program, self.held.entry(callee).or_default());
                    let locals = &program.method(callee).locals;
                    for (local, mut types) in (first..).map(LocalId).zip(passed) {
                        // A method of another class is not what the call runs.
                        types.retain(|&(ty, _)| {
                            locals.get(local.index()).is_none_or(|l| may_be_both(program, ty, l.ty))
                        });
                        add(parameters.entry(local).or_default(), types);
                    }
                }
            }
        }
    }

    fn keep(&mut self, array: Ty, types: Vec<(Ty, Span)>) {
        if let Ty::Array(array) = array {
            add(self.kept.entry(Part::Elements(array)).or_default(), types);
        }
    }

    /// By what types the value of an expression is known, and where that was read, if it may be such an object; else none.
    fn types(&self, e: &Expr, held: &FxHashMap<LocalId, Types>) -> Vec<(Ty, Span)> {
        if !e.ty.is_reference() {
            return Vec::new();
        }
        let all = |types: Option<&Types>| -> Vec<(Ty, Span)> {
            types.into_iter().flatten().map(|(&ty, &span)| (ty, span)).collect()
        };
        let part_of = |of: &Expr, types: Vec<Ty>| -> Vec<(Ty, Span)> {
            let is_one = !self.types(of, held).is_empty();
            types.into_iter().filter(|_| is_one).map(|ty| (ty, e.span)).collect()
        };
        match &e.kind {
            ExprKind::Local(local) => all(held.get(local)),
            ExprKind::Field(of, field) => {
                let types = held_by(e.ty, &self.program.field(*field).bound);
                [part_of(of, types), all(self.kept.get(&Part::Field(*field)))].concat()
            }
            ExprKind::Element(of, _) => {
                let Ty::Array(array) = of.ty else { return Vec::new() };
                [part_of(of, vec![e.ty]), all(self.kept.get(&Part::Elements(array)))].concat()
            }
            ExprKind::Static(field) => all(self.kept.get(&Part::Field(*field))),
            ExprKind::Cast(of, ty) => {
                // By the narrower of both types.
                let narrow = |of: Ty| if self.program.is_subtype(of, *ty) { of } else { *ty };
                let fits = self.types(of, held).into_iter().filter(|(of, _)| may_be_both(self.program, *of, *ty));
                fits.map(|(of, span)| (narrow(of), span)).collect()
            }
            ExprKind::SetLocal(_, value)
            | ExprKind::SetField(_, _, value)
            | ExprKind::SetStatic(_, value)
            | ExprKind::SetElement(_, _, value)
            | ExprKind::Sequence(_, value) => self.types(value, held),
            ExprKind::Conditional(_, a, b) => [self.types(a, held), self.types(b, held)].concat(),
            ExprKind::Call(..) | ExprKind::CallVirtual(..) => {
                callees(self.program, e).into_iter().flat_map(|(m, ..)| all(self.returned.get(&m))).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn add(types: &mut Types, more: Vec<(Ty, Span)>) {
    for (ty, span) in more {
        types.entry(ty).or_insert(span);
    }
}
