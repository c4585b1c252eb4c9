//! Declarative code is free of side effects (docs/java.md, "Declarative code"): a breach is an error that points at the construct.
//!
//! Works on lowered code, where nothing is implicit any more. The built-in classes are trusted.

use crate::lower::Lowering;
use crate::resolve::Origin;
use ir::walk::Node;
use ir::{Expr, ExprKind, Intrinsic, LocalId, Method, MethodId, Program, Stmt, StmtKind, Ty};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Span};

pub fn check(low: &mut Lowering) {
    let is_ours = |low: &Lowering, id: MethodId| {
        let class = low.class_ix(low.program.method(id).class);
        low.table.class(class).unit.origin == Origin::Prelude
    };
    // What is built in without a body changes nothing: where a run gets there, that is an error of its own.
    let native = |low: &Lowering, index: usize| {
        let decl = low.method_of[index].map(|m| low.table.method(m).decl.as_ref());
        // Or a bridge to one.
        let is_native = decl.is_none_or(|decl| decl.is_some_and(|d| d.modifiers.is_native));
        is_native && is_ours(low, MethodId(index as u32))
    };
    let natives: FxHashSet<MethodId> =
        (0..low.program.methods.len()).filter(|i| native(low, *i)).map(|i| MethodId(i as u32)).collect();
    // A default constructor claims to be declarative; it is held to that only if declarative code calls it.
    let mut todo: Vec<MethodId> = Vec::new();
    for index in 0..low.program.methods.len() {
        let id = MethodId(index as u32);
        let method = low.program.method(id);
        let implicit = low.method_of[index].is_none_or(|m| low.table.method(m).decl.is_none());
        if method.is_declarative && !(implicit && method.is_constructor) {
            todo.push(id);
        }
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(id) = todo.pop() {
        if !seen.insert(id) || is_ours(low, id) {
            continue;
        }
        let method = low.program.method(id);
        if let Some(body) = &method.body {
            let mut checker = Checker {
                program: &low.program,
                method,
                fresh: fresh_arrays(method),
                natives: &natives,
                found: &mut found,
                calls: &mut todo,
            };
            ir::walk::nodes(body, &mut |node| match node {
                Node::Stmt(s) => checker.stmt(s),
                Node::Expr(e) => {
                    checker.expr(e);
                    true
                }
            });
        }
    }
    for diagnostic in found {
        low.error(diagnostic);
    }
}

struct Checker<'c> {
    program: &'c Program,
    method: &'c Method,
    /// Locals that only ever hold arrays made in this method.
    fresh: Vec<bool>,
    natives: &'c FxHashSet<MethodId>,
    found: &'c mut Vec<Diagnostic>,
    calls: &'c mut Vec<MethodId>,
}

impl Checker<'_> {
    fn breach(&mut self, span: Span, what: &str, help: &str) {
        let name = if self.method.name.is_empty() { "this code" } else { &self.method.name };
        let d = Diagnostic::error("not-declarative", span, format!("{what} in declarative code"))
            .related(self.method.name_span, format!("`{name}` is declarative"))
            .help(help);
        self.found.push(d);
    }

    /// Whether to look into it.
    fn stmt(&mut self, s: &Stmt) -> bool {
        let (what, help) = match &s.kind {
            StmtKind::Throw(_) => {
                ("`throw`", "return a value instead: `false`, `null`, or one that no other case returns, such as -1")
            }
            StmtKind::Try { .. } => ("`try`", "test for the condition before"),
            StmtKind::Assume(_) => ("`assume`", "make it a `@Pre`"),
            _ => return true,
        };
        self.breach(s.span, what, help);
        false
    }

    fn expr(&mut self, e: &Expr) {
        let help = "declarative code computes a value and changes nothing but its own variables";
        match &e.kind {
            ExprKind::SetField(object, field, _) => {
                let own = self.method.is_constructor && matches!(object.kind, ExprKind::Local(LocalId(0)));
                if !own {
                    let what = format!("an assignment to the field `{}`", self.program.field(*field).name);
                    self.breach(e.span, &what, help);
                }
            }
            ExprKind::SetStatic(field, _) => {
                let what = format!("an assignment to the static field `{}`", self.program.field(*field).name);
                self.breach(e.span, &what, help);
            }
            ExprKind::SetElement(array, _, _) if !self.is_fresh(array) => {
                self.breach(e.span, "an assignment to an array that was not made here", help);
            }
            ExprKind::Intrinsic(Intrinsic::ArrayCopy, args) if !args.get(2).is_some_and(|a| self.is_fresh(a)) => {
                self.breach(e.span, "a copy into an array that was not made here", help);
            }
            ExprKind::Call(callee, _) | ExprKind::New(_, callee, _) => self.call(*callee, e.span),
            ExprKind::CallVirtual(selector, args) => {
                let receiver = args.first().map(|a| a.ty);
                let mut targets: Vec<MethodId> = Vec::new();
                for (i, class) in self.program.classes.iter().enumerate() {
                    let fits = match receiver {
                        Some(Ty::Class(c)) => self.program.is_subclass(ir::ClassId(i as u32), c),
                        _ => true,
                    };
                    targets.extend(class.dispatch.get(selector).filter(|m| fits && !targets.contains(m)));
                }
                // One that is not declarative is enough to say it.
                let is_bad = |m: &&MethodId| !self.program.method(**m).is_declarative && !self.natives.contains(m);
                let bad = targets.iter().find(is_bad);
                match bad {
                    Some(&bad) => self.call(bad, e.span),
                    None => self.calls.extend(targets),
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, callee: MethodId, span: Span) {
        let method = self.program.method(callee);
        if method.is_declarative {
            self.calls.push(callee);
            return;
        }
        let what = if method.is_constructor { "constructor" } else { "method" };
        let name = format!("{}.{}", self.program.class(method.class).name, method.name);
        let d = Diagnostic::error(
            "not-declarative",
            span,
            format!("a call of the {what} `{name}`, which is not declarative, in declarative code"),
        )
        .related(method.name_span, "declared here");
        let class = self.program.class(method.class);
        let is_of_library = class.is_of_library || !class.is_input && !class.is_built_in;
        let d = d.help(match is_of_library {
            false => format!("mark the {what} `@Declarative`"),
            true => format!(
                "mark the {what} in a specification beside `{0}`: `@SpecFor` on a class with `@Declarative native …` for it; or use a list, a tree or a record of your own",
                class.name
            ),
        });
        self.found.push(d);
    }

    fn is_fresh(&self, array: &Expr) -> bool {
        match &array.kind {
            ExprKind::Local(l) => self.fresh.get(l.index()).copied().unwrap_or(false),
            ExprKind::Element(inner, _) => self.is_fresh(inner),
            ExprKind::Sequence(_, value) => self.is_fresh(value),
            _ => false,
        }
    }
}

/// A local is fresh if all that is ever assigned to it is a new array or a fresh local.
fn fresh_arrays(method: &Method) -> Vec<bool> {
    let parameters = method.argument_locals();
    let mut fresh: Vec<bool> = (0..method.locals.len() as u32).map(|i| !parameters.contains(&i)).collect();
    let Some(body) = &method.body else { return fresh };
    loop {
        let mut changed = false;
        let mut assigned = vec![false; fresh.len()];
        ir::walk::block(body, &mut |e| {
            if let ExprKind::SetLocal(local, value) = &e.kind {
                assigned[local.index()] = true;
                let keeps = makes_fresh(value, &fresh);
                if !keeps && fresh[local.index()] {
                    fresh[local.index()] = false;
                    changed = true;
                }
            }
        });
        for (f, a) in fresh.iter_mut().zip(&assigned) {
            // Never assigned: bound by a `catch`, which declarative code has not.
            changed |= *f && !a;
            *f &= *a;
        }
        if !changed {
            return fresh;
        }
    }
}

fn makes_fresh(value: &Expr, fresh: &[bool]) -> bool {
    match &value.kind {
        ExprKind::NewArray(_) | ExprKind::ArrayLiteral(_) | ExprKind::Intrinsic(Intrinsic::Clone, _) => true,
        ExprKind::Null => true,
        ExprKind::Local(from) => fresh[from.index()],
        ExprKind::Element(array, _) => makes_fresh(array, fresh),
        _ => false,
    }
}
