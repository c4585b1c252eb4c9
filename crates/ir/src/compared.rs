//! Which fields hold numbers that decide anything: some code compares them, indexes with them, divides by them or makes an
//! array of that length. The others (modification counts, numbers that are only handed on) may take any value.
//!
//! What goes in: a program. What comes out: a set of fields, too large rather than too small: where a number flows is told by
//! names alone, and all arrays of a type are one.

use crate::program::*;
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a number is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kept {
    Field(FieldId),
    Local(MethodId, LocalId),
    Result(MethodId),
    Elements(ArrayId),
}

/// What flows where.
#[derive(Default)]
struct Flows {
    /// By where it goes, where it comes from.
    into: FxHashMap<Kept, Vec<Kept>>,
    decides: Vec<Kept>,
    /// By selector, what a call may run.
    targets: FxHashMap<SelectorId, FxHashSet<MethodId>>,
}

/// The fields whose numbers decide something; of an array, its elements.
pub fn compared_fields(program: &Program) -> FxHashSet<FieldId> {
    let mut flows = Flows::default();
    for (&selector, &method) in program.classes.iter().flat_map(|c| &c.dispatch) {
        flows.targets.entry(selector).or_default().insert(method);
    }
    for (index, method) in program.methods.iter().enumerate() {
        let Some(body) = &method.body else { continue };
        let id = MethodId(index as u32);
        walk::nodes(body, &mut |node| {
            match node {
                walk::Node::Stmt(stmt) => flows.stmt(id, stmt),
                walk::Node::Expr(e) => flows.expr(program, id, e),
            }
            true
        });
    }
    let mut seen: FxHashSet<Kept> = FxHashSet::default();
    let mut queue = std::mem::take(&mut flows.decides);
    while let Some(kept) = queue.pop() {
        if seen.insert(kept) {
            queue.extend(flows.into.get(&kept).into_iter().flatten());
        }
    }
    let elements = |f: &FieldId| match program.field(*f).ty {
        Ty::Array(array) => {
            let mut inner = array;
            while let Ty::Array(deeper) = program.element_ty(inner) {
                inner = deeper;
            }
            match program.element_ty(inner) {
                Ty::Class(class) => holds_compared(program, class, &seen),
                _ => seen.contains(&Kept::Elements(inner)),
            }
        }
        Ty::Class(class) => holds_compared(program, class, &seen),
        _ => seen.contains(&Kept::Field(*f)),
    };
    (0..program.fields.len() as u32).map(FieldId).filter(elements).collect()
}

/// Whether the number in a box decides something.
fn holds_compared(program: &Program, class: ClassId, seen: &FxHashSet<Kept>) -> bool {
    let is_box = program.class(class).kind == ClassKind::Box;
    is_box && program.instance_fields(class).iter().any(|f| seen.contains(&Kept::Field(*f)))
}

impl Flows {
    fn stmt(&mut self, method: MethodId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) => self.flow(method, e, Kept::Result(method)),
            StmtKind::Switch { on, .. } => self.decides(method, on),
            _ => {}
        }
    }

    fn expr(&mut self, program: &Program, method: MethodId, e: &Expr) {
        match &e.kind {
            ExprKind::SetLocal(local, value) => self.flow(method, value, Kept::Local(method, *local)),
            ExprKind::SetField(_, field, value) | ExprKind::SetStatic(field, value) => {
                self.flow(method, value, Kept::Field(*field));
            }
            ExprKind::SetElement(array, index, value) => {
                self.decides(method, index);
                if let Ty::Array(ty) = array.ty {
                    self.flow(method, value, Kept::Elements(ty));
                }
            }
            ExprKind::Element(_, index) => self.decides(method, index),
            ExprKind::Compare(_, a, b) => {
                self.decides(method, a);
                self.decides(method, b);
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, _, divisor) => self.decides(method, divisor),
            ExprKind::NewArray(lengths) => lengths.iter().for_each(|l| self.decides(method, l)),
            ExprKind::Intrinsic(Intrinsic::ArrayCopy, args) => args.iter().for_each(|a| self.decides(method, a)),
            ExprKind::ArrayLiteral(values) => {
                if let Ty::Array(ty) = e.ty {
                    values.iter().for_each(|v| self.flow(method, v, Kept::Elements(ty)));
                }
            }
            ExprKind::Call(target, args) => self.pass(program, method, *target, args, 0),
            // The new object is the first local of its constructor.
            ExprKind::New(_, target, args) => self.pass(program, method, *target, args, 1),
            ExprKind::CallVirtual(selector, args) => {
                let targets: Vec<MethodId> = self.targets.get(selector).into_iter().flatten().copied().collect();
                for target in targets {
                    self.pass(program, method, target, args, 0);
                }
            }
            _ => {}
        }
    }

    fn pass(&mut self, program: &Program, method: MethodId, target: MethodId, args: &[Expr], first: u32) {
        let locals = program.method(target).locals.len() as u32;
        for (local, arg) in (first..locals).zip(args) {
            self.flow(method, arg, Kept::Local(target, LocalId(local)));
        }
    }

    fn flow(&mut self, method: MethodId, from: &Expr, to: Kept) {
        let mut sources = Vec::new();
        self.sources(method, from, &mut sources);
        self.into.entry(to).or_default().extend(sources);
    }

    fn decides(&mut self, method: MethodId, e: &Expr) {
        let mut sources = Vec::new();
        self.sources(method, e, &mut sources);
        self.decides.extend(sources);
    }

    /// Where the number that an expression gives may come from.
    fn sources(&self, method: MethodId, e: &Expr, all: &mut Vec<Kept>) {
        match &e.kind {
            ExprKind::Local(local) => all.push(Kept::Local(method, *local)),
            ExprKind::Field(_, field) | ExprKind::Static(field) => all.push(Kept::Field(*field)),
            ExprKind::Element(array, _) => {
                if let Ty::Array(ty) = array.ty {
                    all.push(Kept::Elements(ty));
                }
            }
            ExprKind::SetLocal(_, a)
            | ExprKind::SetField(_, _, a)
            | ExprKind::SetStatic(_, a)
            | ExprKind::SetElement(_, _, a)
            | ExprKind::Negate(_, a)
            | ExprKind::Complement(_, a)
            | ExprKind::Convert(a)
            | ExprKind::Cast(a, _)
            | ExprKind::Sequence(_, a) => self.sources(method, a, all),
            ExprKind::Binary(_, _, a, b) | ExprKind::Conditional(_, a, b) => {
                self.sources(method, a, all);
                self.sources(method, b, all);
            }
            ExprKind::Call(target, _) => all.push(Kept::Result(*target)),
            ExprKind::CallVirtual(selector, _) => {
                all.extend(self.targets.get(selector).into_iter().flatten().map(|&m| Kept::Result(m)));
            }
            _ => {}
        }
    }
}
