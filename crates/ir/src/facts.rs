//! What is seen of methods without running them: which make objects, which are small, which constructors keep their object to themselves.
//! Worked out for those that are asked about.

use crate::program::*;
use crate::walk;

#[derive(Clone)]
pub struct Facts {
    makes: Vec<Option<bool>>,
    is_small: Vec<Option<bool>>,
    is_discreet: Vec<Option<bool>>,
    /// Whether the body itself makes an object, and what it calls.
    bodies: Vec<Option<(bool, Vec<MethodId>)>>,
}

impl Facts {
    pub fn new(program: &Program) -> Facts {
        let unknown = vec![None; program.methods.len()];
        let bodies = vec![None; program.methods.len()];
        Facts { makes: unknown.clone(), is_small: unknown.clone(), is_discreet: unknown, bodies }
    }

    /// Whether a method may make objects, itself or by what it calls.
    pub fn makes(&mut self, program: &Program, method: MethodId) -> bool {
        if let Some(known) = self.makes[method.index()] {
            return known;
        }
        let mut open = vec![method];
        let mut met = vec![false; program.methods.len()];
        met[method.index()] = true;
        while let Some(next) = open.pop() {
            let (makes, calls) = self.bodies[next.index()].get_or_insert_with(|| makes_and_calls(program, next));
            if *makes || self.makes[next.index()] == Some(true) {
                self.makes[method.index()] = Some(true);
                return true;
            }
            open.extend(calls.iter().filter(|m| !std::mem::replace(&mut met[m.index()], true)));
        }
        for (known, _) in self.makes.iter_mut().zip(met).filter(|(_, met)| *met) {
            *known = Some(false);
        }
        false
    }

    /// Whether a method is one `return` of a small expression without calls: to translate it costs no more than to look it up.
    pub fn is_small(&mut self, program: &Program, method: MethodId) -> bool {
        *self.is_small[method.index()].get_or_insert_with(|| {
            const NODES: usize = 20;
            let Some([Stmt { kind: StmtKind::Return(Some(value)), .. }]) = program.method(method).body.as_deref()
            else {
                return false;
            };
            let (mut nodes, mut is_plain) = (0, true);
            walk::expression(value, &mut |e| {
                nodes += 1;
                is_plain &= !matches!(
                    e.kind,
                    ExprKind::Call(..)
                        | ExprKind::CallVirtual(..)
                        | ExprKind::New(..)
                        | ExprKind::NewArray(..)
                        | ExprKind::ArrayLiteral(..)
                        | ExprKind::Sequence(..)
                        | ExprKind::Concat(..)
                );
            });
            is_plain && nodes <= NODES
        })
    }

    /// Whether a constructor uses its object for its fields only, so that nobody knows of it before it is made.
    pub fn is_discreet(&mut self, program: &Program, constructor: MethodId) -> bool {
        if let Some(known) = self.is_discreet[constructor.index()] {
            return known;
        }
        let this = |e: &Expr| matches!(e.kind, ExprKind::Local(local) if local.index() == 0);
        let (mut mentions, mut fields, mut above) = (0, 0, Vec::new());
        walk::block(program.method(constructor).body.as_deref().unwrap_or(&[]), &mut |e| {
            mentions += usize::from(this(e));
            match &e.kind {
                ExprKind::Field(object, _) | ExprKind::SetField(object, ..) => fields += usize::from(this(object)),
                ExprKind::Call(called, args)
                    if args.first().is_some_and(this)
                        && program.method(*called).is_constructor
                        && *called != constructor =>
                {
                    fields += 1;
                    above.push(*called);
                }
                _ => {}
            }
        });
        let is_discreet = mentions == fields && above.into_iter().all(|c| self.is_discreet(program, c));
        self.is_discreet[constructor.index()] = Some(is_discreet);
        is_discreet
    }
}

fn makes_and_calls(program: &Program, method: MethodId) -> (bool, Vec<MethodId>) {
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
