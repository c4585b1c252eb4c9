//! What a comparison with an abstraction does not see (docs/java.md, "Abstractions"): an operation that changes what it was given, or a
//! static field. Both would run on the same argument, one after the other, and a client could tell.

use crate::lower::Lowering;
use ir::{Checked, ClassId, Expr, ExprKind, Intrinsic, LocalId, MethodId, OperationKind, Program, SelectorId, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

pub fn check(low: &mut Lowering, checked: &[Checked]) {
    let mut found = Vec::new();
    for operation in checked.iter().flat_map(|c| &c.operations).filter(|o| o.kind == OperationKind::Method) {
        let Some(compared) = &operation.compared else { continue };
        let program = &low.program;
        let effects = Effects::of(program, operation.method);
        let name = &program.method(compared.operation).name;
        let help = format!("let it return what it finds, or leave `{name}` out of `{}`", compared.abstraction);
        for (span, what) in effects.found {
            let message =
                format!("`{name}` changes {what}: that is not compared with what `{}` does", compared.abstraction);
            found.push(Diagnostic::error("bad-abstraction", span, message).help(help.clone()));
        }
    }
    // The same place once.
    let mut seen: FxHashSet<Option<Span>> = FxHashSet::default();
    found.retain(|d| seen.insert(d.span));
    found.into_iter().for_each(|d| low.error(d));
}

struct Effects<'p> {
    program: &'p Program,
    /// By method: the locals that may hold an argument of the operation, or something that it leads to.
    given: FxHashMap<MethodId, FxHashSet<LocalId>>,
    found: Vec<(Span, String)>,
}

impl<'p> Effects<'p> {
    fn of(program: &'p Program, operation: MethodId) -> Effects<'p> {
        let mut effects = Effects { program, given: FxHashMap::default(), found: Vec::new() };
        let parameters = program.method(operation).parameters.len() as u32;
        let arguments = (1..=parameters).map(LocalId).collect();
        let mut todo = vec![(operation, arguments)];
        while let Some((method, locals)) = todo.pop() {
            let is_new = !effects.given.contains_key(&method);
            let given = effects.given.entry(method).or_default();
            let before = given.len();
            given.extend::<FxHashSet<LocalId>>(locals);
            if is_new || given.len() > before {
                todo.extend(effects.look(method));
            }
        }
        effects
    }

    /// Notes what a method changes; says what it calls, with the parameters that get an argument.
    fn look(&mut self, method: MethodId) -> Vec<(MethodId, FxHashSet<LocalId>)> {
        let Some(body) = &self.program.method(method).body else { return Vec::new() };
        let mut given = self.given.get(&method).cloned().unwrap_or_default();
        let mut before = usize::MAX;
        while before != given.len() {
            before = given.len();
            ir::walk::nodes(body, &mut |node| {
                match node {
                    ir::walk::Node::Expr(Expr { kind: ExprKind::SetLocal(local, value), .. })
                        if is_of(value, &given) =>
                    {
                        given.insert(*local);
                    }
                    _ => {}
                }
                true
            });
        }
        let mut calls = Vec::new();
        let mut found = Vec::new();
        ir::walk::block(body, &mut |e| match &e.kind {
            ExprKind::SetField(object, ..) if self.is_static_state(object.ty) => {
                found.push((e.span, "a static field".to_string()));
            }
            ExprKind::SetStatic(..) => found.push((e.span, "a static field".to_string())),
            ExprKind::SetField(object, ..) | ExprKind::SetElement(object, ..) if is_of(object, &given) => {
                found.push((e.span, "its argument".to_string()));
            }
            ExprKind::Intrinsic(Intrinsic::ArrayCopy, args) if args.get(2).is_some_and(|a| is_of(a, &given)) => {
                found.push((e.span, "its argument".to_string()));
            }
            ExprKind::Call(callee, args) => calls.push((*callee, passed(args, 0, &given))),
            ExprKind::New(_, callee, args) => calls.push((*callee, passed(args, 1, &given))),
            ExprKind::CallVirtual(selector, args) => {
                let given = passed(args, 0, &given);
                let of = args.first().map_or(Ty::Null, |a| a.ty);
                calls.extend(self.targets(*selector, of).map(|m| (m, given.clone())));
            }
            _ => {}
        });
        self.found.extend(found);
        calls
    }

    fn targets(&self, selector: SelectorId, of: Ty) -> impl Iterator<Item = MethodId> {
        let program = self.program;
        let classes = (0..program.classes.len() as u32).map(ClassId);
        let is_fit = move |c: &ClassId| matches!(of, Ty::Class(of) if program.is_subclass(*c, of));
        classes.filter(is_fit).filter_map(move |c| program.class(c).dispatch.get(&selector).copied())
    }

    /// Static fields that vary are in an object for them.
    fn is_static_state(&self, ty: Ty) -> bool {
        self.program.static_state.iter().any(|s| ty == Ty::Class(s.class))
    }
}

/// The parameters that get an argument of the operation.
fn passed(args: &[Expr], first: u32, given: &FxHashSet<LocalId>) -> FxHashSet<LocalId> {
    (first..).map(LocalId).zip(args).filter(|(_, a)| is_of(a, given)).map(|(local, _)| local).collect()
}

/// Whether it is an object that an argument is or leads to.
fn is_of(e: &Expr, given: &FxHashSet<LocalId>) -> bool {
    if !e.ty.is_reference() {
        return false;
    }
    match &e.kind {
        ExprKind::Local(local) => given.contains(local),
        ExprKind::Field(of, _) | ExprKind::Element(of, _) | ExprKind::Cast(of, _) | ExprKind::SetLocal(_, of) => {
            is_of(of, given)
        }
        ExprKind::Conditional(_, a, b) => is_of(a, given) || is_of(b, given),
        _ => false,
    }
}
