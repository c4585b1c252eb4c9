//! Which methods may make objects, themselves or by what they call.

use crate::program::*;
use crate::walk;

/// Worked out for the methods that are asked about.
#[derive(Clone, Default)]
pub struct Making {
    known: Vec<Option<bool>>,
    /// Whether the body makes one, and what it calls.
    bodies: Vec<Option<(bool, Vec<MethodId>)>>,
    small: Vec<Option<bool>>,
}

impl Making {
    pub fn new(program: &Program) -> Making {
        let methods = program.methods.len();
        Making { known: vec![None; methods], bodies: vec![None; methods], small: vec![None; methods] }
    }

    pub fn makes(&mut self, program: &Program, method: MethodId) -> bool {
        if let Some(known) = self.known[method.index()] {
            return known;
        }
        let mut open = vec![method];
        let mut met = vec![false; program.methods.len()];
        met[method.index()] = true;
        while let Some(next) = open.pop() {
            let (makes, calls) = self.bodies[next.index()].get_or_insert_with(|| body(program, next));
            if *makes || self.known[next.index()] == Some(true) {
                self.known[method.index()] = Some(true);
                return true;
            }
            open.extend(calls.iter().filter(|m| !std::mem::replace(&mut met[m.index()], true)));
        }
        for (known, _) in self.known.iter_mut().zip(met).filter(|(_, met)| *met) {
            *known = Some(false);
        }
        false
    }
}

impl Making {
    /// Whether a method is one `return` of a small expression without calls: to translate it costs no more than to look it up.
    pub fn is_small(&mut self, program: &Program, method: MethodId) -> bool {
        if let Some(small) = self.small[method.index()] {
            return small;
        }
        let is_small = match program.method(method).body.as_deref() {
            Some([Stmt { kind: StmtKind::Return(Some(value)), .. }]) => {
                let mut nodes = 0;
                walk::expression(value, &mut |e| {
                    let is_plain = !matches!(
                        e.kind,
                        ExprKind::Call(..)
                            | ExprKind::CallVirtual(..)
                            | ExprKind::New(..)
                            | ExprKind::NewArray(..)
                            | ExprKind::ArrayLiteral(..)
                            | ExprKind::Sequence(..)
                            | ExprKind::Concat(..)
                    );
                    nodes += if is_plain { 1 } else { 1000 };
                });
                nodes <= 20
            }
            _ => false,
        };
        self.small[method.index()] = Some(is_small);
        is_small
    }
}

fn body(program: &Program, method: MethodId) -> (bool, Vec<MethodId>) {
    let (mut makes, mut calls) = (false, Vec::new());
    walk::block(program.method(method).body.as_deref().unwrap_or(&[]), &mut |e| match &e.kind {
        ExprKind::New(..) => makes = true,
        ExprKind::Call(method, _) => calls.push(*method),
        ExprKind::CallVirtual(selector, _) => calls.extend(program.targets(*selector, program.known.object)),
        _ => {}
    });
    calls.sort_unstable();
    calls.dedup();
    (makes, calls)
}
