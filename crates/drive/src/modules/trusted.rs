//! Contracts that are taken for granted: the code behind them was not checked.

use super::{Choice, Target};
use hob::Program;
use hob::program::{Checker, ExprKind, ModuleId, ProcId};
use std::collections::BTreeSet;
use verdict::{Assumption, AssumptionKind};

/// Procedures that the checked ones call, what other plugins should check in the modules asked for, and, if all modules are asked for,
/// those without an abstraction.
pub fn trusted(program: &Program, checked: &[ProcId], choice: &Choice, targets: &[Target]) -> Vec<Assumption> {
    let mut called = BTreeSet::new();
    for proc in checked {
        hob::visit::exprs(program.proc(*proc).body.as_deref().unwrap_or_default(), &mut |e| {
            if let ExprKind::Call(callee, _) = &e.kind {
                called.insert(*callee);
            }
        });
    }
    let asked = |module: ModuleId| match choice.is_all() {
        true => choice.given.contains(&program.module(module).name),
        false => targets.iter().any(|(target, _)| *target == module),
    };
    let mut found = Vec::new();
    for (i, module) in program.modules.iter().enumerate() {
        let id = ModuleId(i as u32);
        let mut add = |why: Option<&str>, procs: &[ProcId], is_asked: bool| {
            if is_asked || procs.iter().any(|p| called.contains(p)) {
                found.push(assumption(program, id, why, procs));
            }
        };
        for section in &module.plugins {
            if let Checker::Nobody(why) = &section.checker {
                add(Some(why), &section.procs, asked(id));
            }
        }
        if module.plugins.is_empty() {
            add(None, &module.procs, module.has_implementation && asked(id));
        }
    }
    found
}

fn assumption(program: &Program, module: ModuleId, why: Option<&str>, procs: &[ProcId]) -> Assumption {
    let declared = program.module(module);
    // Of a module with several plugins, a part.
    let name = if procs.len() < declared.procs.len() && !procs.is_empty() {
        procs.iter().map(|p| program.proc_name(*p)).collect::<Vec<_>>().join(", ")
    } else {
        declared.name.clone()
    };
    let why = match why {
        Some(why) => format!("its code is not checked: {why}"),
        None => "its code is not checked here".to_owned(),
    };
    let message = format!("the specification of {name}: {why}");
    Assumption { kind: AssumptionKind::Trusted, name, message, span: Some(declared.span) }
}
