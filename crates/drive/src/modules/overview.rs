//! The program as a whole: one row for each module and plugin.

use super::{Choice, Run};
use hob::Program;
use hob::program::{Checker, ExprKind, ModuleId, ProcId};
use source::Span;
use std::collections::BTreeSet;
use verdict::Verdict;
use verdict::overview::{ModuleRow, Move, Overview, Proved, ScopeBox};

pub fn overview(run: &Run<'_>, choice: &Choice) -> Overview {
    let program = run.program;
    let mut modules = Vec::new();
    let mut trusted: BTreeSet<ModuleId> = BTreeSet::new();
    for (id, module) in program.modules.iter().enumerate().map(|(k, m)| (ModuleId(k as u32), m)) {
        if choice.module.as_ref().is_some_and(|asked| *asked != module.name) {
            continue;
        }
        let row = |plugin: Option<String>, proved: Proved, procs: &[ProcId]| ModuleRow {
            name: module.name.clone(),
            plugin,
            proved,
            rests_on: callees(program, id, procs),
            sets: module.spec_vars.iter().map(|v| program.spec_var(*v).name.clone()).collect(),
            moves: moves(program, id),
        };
        if module.plugins.is_empty() {
            trusted.insert(id);
            modules.push(row(None, Proved::Trusted, &module.procs));
        }
        for section in &module.plugins {
            let proved = match (&section.checker, choice.given.contains(&module.name)) {
                (Checker::Nobody(_), _) | (_, false) => Proved::Trusted,
                (checker, true) => match run.worst(&section.procs) {
                    Some(Verdict::Verified)
                        if *checker == Checker::Flags || run.for_all_heaps.contains(&(id, section.span)) =>
                    {
                        Proved::AllHeaps
                    }
                    Some(Verdict::Verified) => Proved::UpTo(run.options.bound.clamp(1, super::bounded::MOST)),
                    Some(Verdict::Violated) => Proved::Violated,
                    Some(Verdict::Unknown) | None => Proved::Unknown,
                },
            };
            if proved == Proved::Trusted {
                trusted.insert(id);
            }
            modules.push(row(Some(section.plugin.clone()), proved, &section.procs));
        }
    }
    let mains = hob::interp::entry_points(program);
    let main = if let [only] = mains[..] { Some(program.proc(only).module) } else { None };
    let reached = main.map(|main| reached(program, main)).unwrap_or_default();
    let procs = reached.iter().flat_map(|m| &program.module(*m).procs);
    let assumed: BTreeSet<Span> =
        procs.flat_map(|p| hob::assumptions(program, *p)).map(|assumption| assumption.span).collect();
    let name = |m: &ModuleId| program.module(*m).name.clone();
    let scopes = program.scopes.iter().filter(|s| !s.implicit).map(|s| ScopeBox {
        name: s.name.clone(),
        modules: s.modules.iter().map(name).collect(),
        exports: s.exports.iter().map(name).collect(),
    });
    Overview {
        is_whole: choice.is_all(),
        modules,
        scopes: scopes.collect(),
        main: main.as_ref().map(name),
        open: reached.intersection(&trusted).map(name).collect(),
        assumed: assumed.len(),
    }
}

/// Other modules that procedures call.
fn called(program: &Program, procs: &[ProcId]) -> BTreeSet<ModuleId> {
    let mut found = BTreeSet::new();
    for proc in procs {
        hob::visit::exprs(program.proc(*proc).body.as_deref().unwrap_or_default(), &mut |e| {
            if let ExprKind::Call(callee, _) = &e.kind {
                found.insert(program.proc(*callee).module);
            }
        });
    }
    found
}

fn callees(program: &Program, module: ModuleId, procs: &[ProcId]) -> Vec<String> {
    let others = called(program, procs).into_iter().filter(|m| *m != module);
    others.map(|m| program.module(m).name.clone()).collect()
}

fn reached(program: &Program, main: ModuleId) -> BTreeSet<ModuleId> {
    let mut found = BTreeSet::from([main]);
    let mut waiting = vec![main];
    while let Some(module) = waiting.pop() {
        waiting.extend(called(program, &program.module(module).procs).into_iter().filter(|m| found.insert(*m)));
    }
    found
}

fn moves(program: &Program, module: ModuleId) -> Vec<Move> {
    let name = |set| program.name_from(module, set);
    let told = hob::lifecycle::moves(program, module).into_iter().map(|m| Move {
        from: m.from.map(name),
        to: m.to.map(name),
        procedure: program.proc(m.proc).name.clone(),
    });
    told.collect()
}
