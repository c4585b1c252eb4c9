//! Checks the invariants that [`crate::program`] states: what a front-end lowered is what the engines expect.
//!
//! What goes in: a program. What comes out: a list of problems, each a bug of the front-end, empty if there is none.
//! Conversions between primitive types have to be explicit, references may widen.

pub mod completion;
mod expr;

use crate::program::*;

/// All problems, each with the method or class it is in.
pub fn problems(program: &Program) -> Vec<String> {
    let mut problems = declarations(program);
    // Types are only meaningful if declarations are.
    if problems.is_empty() {
        for (index, method) in program.methods.iter().enumerate() {
            let mut checker = Checker { program, method, labels: Vec::new(), problems: Vec::new() };
            checker.method();
            let name = &program.class(method.class).name;
            let at = |problem: String| format!("{name}.{} (m{index}): {problem}", method.name);
            problems.extend(checker.problems.into_iter().map(at));
        }
    }
    problems
}

fn declarations(program: &Program) -> Vec<String> {
    let mut problems = Vec::new();
    let (classes, methods) = (program.classes.len(), program.methods.len());
    let mut expect = |holds: bool, problem: &dyn Fn() -> String| {
        if !holds {
            problems.push(problem());
        }
        holds
    };
    let ty_exists = |ty: Ty| match ty {
        Ty::Class(class) => class.index() < classes,
        Ty::Array(array) => array.index() < program.arrays.len(),
        _ => true,
    };
    let k = &program.known;
    let known = [k.object, k.string, k.throwable, k.null_pointer, k.index_out_of_bounds, k.arithmetic, k.class_cast];
    let more = [k.negative_array_size, k.array_store, k.stack_overflow, k.assertion, k.stuck];
    for class in known.into_iter().chain(more) {
        expect(class.index() < classes, &|| format!("known class {} does not exist", class.0));
    }
    for (index, &element) in program.arrays.iter().enumerate() {
        expect(ty_exists(element) && element != Ty::Void, &|| format!("array type {index} of {element:?}"));
        expect(!holds_itself(program, element), &|| format!("array type {index} holds itself"));
        let is_float = |index: usize| program.float_arrays.contains_key(&ArrayId(index as u32));
        let is_again = |other: usize| program.arrays[other] == element && is_float(other) == is_float(index);
        expect(!(0..index).any(is_again), &|| format!("array type {index} appears twice"));
    }
    for (index, class) in program.classes.iter().enumerate() {
        let parents: Vec<ClassId> = class.superclass.into_iter().chain(class.interfaces.iter().copied()).collect();
        expect(parents.iter().all(|p| p.index() < classes), &|| format!("{}: a parent does not exist", class.name));
        expect(!is_own_ancestor(program, index), &|| format!("{}: extends itself", class.name));
        for &field in &class.fields {
            let fits = program.fields.get(field.index()).is_some_and(|f| f.class.index() == index && !f.is_static);
            expect(fits, &|| format!("{}: field {} is not its own instance field", class.name, field.0));
        }
        for method in class.dispatch.values() {
            let fits = program.methods.get(method.index()).is_some_and(|m| !m.is_static && m.body.is_some());
            expect(fits, &|| format!("{}: dispatches to method {}, which it cannot run", class.name, method.0));
        }
    }
    for (index, field) in program.fields.iter().enumerate() {
        let name = &field.name;
        if expect(field.class.index() < classes, &|| format!("field {name}: no class")) && !field.is_static {
            let listed = program.class(field.class).fields.contains(&FieldId(index as u32));
            expect(listed, &|| format!("field {name}: its class does not list it"));
        }
        expect(ty_exists(field.ty) && field.ty != Ty::Void, &|| format!("field {name}: has type {:?}", field.ty));
    }
    for method in &program.methods {
        let name = &method.name;
        expect(method.class.index() < classes, &|| format!("method {name}: no class"));
        let types = method.locals.iter().map(|l| l.ty).chain(method.parameters.iter().map(|p| p.ty));
        expect(types.chain([method.return_ty]).all(ty_exists), &|| format!("method {name}: a type does not exist"));
        let this = (!method.is_static).then_some(Ty::Class(method.class));
        let expected = this.into_iter().chain(method.parameters.iter().map(|p| p.ty));
        let count = method.argument_locals().len();
        let fits = method.locals.len() >= count && method.locals.iter().take(count).map(|l| l.ty).eq(expected);
        expect(fits, &|| format!("method {name}: its first locals are not its arguments"));
    }
    for initialiser in &program.static_initialisers {
        let fits = initialiser.index() < methods
            && program.method(*initialiser).is_static
            && program.method(*initialiser).parameters.is_empty();
        expect(fits, &|| format!("static initialiser {} is not a static method without parameters", initialiser.0));
    }
    problems
}

fn holds_itself(program: &Program, mut element: Ty) -> bool {
    for _ in 0..program.arrays.len() {
        match element {
            Ty::Array(array) if array.index() < program.arrays.len() => element = program.element_ty(array),
            _ => return false,
        }
    }
    true
}

fn is_own_ancestor(program: &Program, class: usize) -> bool {
    let mut seen = vec![false; program.classes.len()];
    let mut todo = vec![class];
    while let Some(next) = todo.pop() {
        let Some(c) = program.classes.get(next) else { continue };
        for parent in c.superclass.iter().chain(&c.interfaces) {
            if parent.index() == class {
                return true;
            }
            if parent.index() < seen.len() && !std::mem::replace(&mut seen[parent.index()], true) {
                todo.push(parent.index());
            }
        }
    }
    false
}

struct Checker<'p> {
    program: &'p Program,
    method: &'p Method,
    /// In scope, innermost last, and whether `continue` may name it.
    labels: Vec<(LabelId, bool)>,
    problems: Vec<String>,
}

impl<'p> Checker<'p> {
    fn method(&mut self) {
        let Some(body) = &self.method.body else { return };
        self.block(body);
        if self.method.return_ty != Ty::Void {
            self.expect(!completion::may_complete(body), || "may end without returning a value".into());
        }
    }

    fn expect(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(problem());
        }
    }

    fn block(&mut self, block: &'p Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::If { condition, then, otherwise } => {
                self.operand(condition, Ty::Bool);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Loop { label, condition, body, update, .. } => {
                self.operand(condition, Ty::Bool);
                self.scope(*label, true, |checker| checker.block(body));
                update.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Labelled { label, body } => self.scope(*label, false, |checker| checker.block(body)),
            StmtKind::Switch { label, on, cases } => {
                self.operand(on, Ty::Int);
                let mut values: Vec<i64> = cases.iter().flat_map(|c| c.values.iter().copied()).collect();
                let count = values.len();
                values.sort_unstable();
                values.dedup();
                self.expect(values.len() == count, || "a switch with a case twice".into());
                let defaults = cases.iter().filter(|c| c.is_default).count();
                self.expect(defaults <= 1, || "a switch with two defaults".into());
                self.scope(*label, false, |checker| cases.iter().for_each(|case| checker.block(&case.body)));
            }
            StmtKind::Break(label) => {
                let known = self.labels.iter().any(|(l, _)| l == label);
                self.expect(known, || format!("break of L{}, which is not around", label.0));
            }
            StmtKind::Continue(label) => {
                let known = self.labels.contains(&(*label, true));
                self.expect(known, || format!("continue of L{}, which is not a loop around", label.0));
            }
            StmtKind::Return(None) => {
                self.expect(self.method.return_ty == Ty::Void, || "returns no value".into());
            }
            StmtKind::Return(Some(value)) => {
                self.expect(self.method.return_ty != Ty::Void, || "returns a value".into());
                self.operand(value, self.method.return_ty);
            }
            StmtKind::Throw(e) => self.operand(e, Ty::Class(self.program.known.throwable)),
            StmtKind::Try { body, catches, finally } => {
                self.block(body);
                for catch in catches {
                    let exists = catch.local.index() < self.method.locals.len();
                    self.expect(exists, || format!("catches into local {}", catch.local.0));
                    for &class in &catch.classes {
                        let fits = class.index() < self.program.classes.len()
                            && self.program.is_subclass(class, self.program.known.throwable);
                        self.expect(fits, || format!("catches class {}, which is not an exception", class.0));
                    }
                    self.block(&catch.body);
                }
                self.block(finally);
            }
            StmtKind::Assert { condition, message } => {
                self.operand(condition, Ty::Bool);
                message.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Assume(e) => self.operand(e, Ty::Bool),
            StmtKind::Block(body) => self.block(body),
        }
    }

    fn scope(&mut self, label: LabelId, is_loop: bool, inner: impl FnOnce(&mut Self)) {
        let shadows = self.labels.iter().any(|(l, _)| *l == label);
        self.expect(!shadows, || format!("L{} within itself", label.0));
        self.labels.push((label, is_loop));
        inner(self);
        self.labels.pop();
    }
}
