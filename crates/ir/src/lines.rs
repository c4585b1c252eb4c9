//! The code that a check runs: the statements of an operation and of all methods it may call, in files the user named.
//! Declarative code is left out: a glass box translates it as a whole and runs none of it.

use crate::program::*;
use crate::task::Operation;
use crate::walk::{self, Node};
use rustc_hash::FxHashSet;
use source::Span;

/// Notes which statements a run reaches, as long as nobody knows that one does.
#[derive(Clone, Default, Debug)]
pub struct Reached {
    open: FxHashSet<Span>,
    run: Vec<Span>,
}

impl Reached {
    pub fn new(statements: impl IntoIterator<Item = Span>) -> Reached {
        Reached { open: statements.into_iter().collect(), run: Vec::new() }
    }

    #[inline]
    pub fn note(&mut self, statement: Span) {
        if !self.open.is_empty() && self.open.remove(&statement) {
            self.run.push(statement);
        }
    }

    /// What the run reached so far.
    pub fn so_far(&self) -> &[Span] {
        &self.run
    }

    /// What the run reached; it counts, so nobody need note it again.
    pub fn count(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.run)
    }

    /// What the run reached, to be noted again if a later one does.
    pub fn reopen(&mut self) -> Vec<Span> {
        self.open.extend(&self.run);
        std::mem::take(&mut self.run)
    }

    /// Some run reaches it.
    pub fn close(&mut self, statement: Span) {
        self.open.remove(&statement);
    }
}

/// Each statement once, with its method, in the order of the program.
pub fn statements(program: &Program, operation: &Operation) -> Vec<(MethodId, Span)> {
    let mut methods: Vec<MethodId> = vec![operation.method];
    let mut seen: FxHashSet<MethodId> = methods.iter().copied().collect();
    // The checked object may be of a subclass.
    let selector = program.method(operation.method).selector;
    let is_virtual = !program.method(operation.method).is_static && !program.method(operation.method).is_constructor;
    let mut next = 0;
    let mut add = |methods: &mut Vec<MethodId>, method: MethodId| {
        if seen.insert(method) {
            methods.push(method);
        }
    };
    if is_virtual {
        program.implementations(selector).for_each(|m| add(&mut methods, m));
    }
    while let Some(&method) = methods.get(next) {
        next += 1;
        let Some(body) = &program.method(method).body else { continue };
        walk::block(body, &mut |e| match &e.kind {
            ExprKind::Call(target, _) | ExprKind::New(_, target, _) => add(&mut methods, *target),
            ExprKind::CallVirtual(selector, _) => program.implementations(*selector).for_each(|m| add(&mut methods, m)),
            _ => {}
        });
    }
    // Of a library class that is not checked itself, nobody asks.
    let is_of_library = |m: MethodId| program.class(program.method(m).class).is_of_library;
    methods.retain(|m| is_of_library(operation.method) || !is_of_library(*m));
    methods.sort_unstable();
    let mut all = Vec::new();
    let mut spans: FxHashSet<Span> = FxHashSet::default();
    for method in methods.into_iter().filter(|&m| is_run(program, m)) {
        let Some(body) = &program.method(method).body else { continue };
        walk::nodes(body, &mut |node| {
            if let Node::Stmt(stmt) = node
                && !matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Labelled { .. })
                && spans.insert(stmt.span)
            {
                all.push((method, stmt.span));
            }
            true
        });
    }
    all
}

/// Whether every engine runs it statement by statement: not what is `@Declarative`, nor one `return` of a pure expression.
fn is_run(program: &Program, method: MethodId) -> bool {
    let method = program.method(method);
    let is_translated = match method.body.as_deref() {
        Some([Stmt { kind: StmtKind::Return(Some(value)), .. }]) => value.pure && !method.is_constructor,
        _ => false,
    };
    program.class(method.class).is_input && !method.is_declarative && !is_translated
}
