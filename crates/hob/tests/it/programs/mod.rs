//! The paper's programs in `examples/hob`: what the flag analysis says of them and of their seeded bugs, what MONA says of every obligation,
//! and what random runs do.

mod folder;

use folder::{bugs, load, programs};
use hob::Program;
use hob::flags::{self, Effects, Finding, Options, Verdict, explain};
use hob::interp::random::{Trials, drive, open_modules};
use hob::interp::{self, Script, ViolationKind};
use hob::program::ModuleId;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use work::Chance;
use work::on_large_stack;

fn analysed(program: &Program, options: &Options) -> Vec<Finding> {
    analysed_of(program, options, |_| true)
}

/// Of the procedures with such names.
fn analysed_of(program: &Program, options: &Options, is_wanted: impl Fn(&str) -> bool) -> Vec<Finding> {
    let effects = Effects::of(program);
    let modules = (0..program.modules.len() as u32).map(ModuleId);
    let procs = modules.flat_map(|m| flags::procs(program, m)).filter(|p| is_wanted(&program.proc_name(*p)));
    procs.map(|p| flags::analyse(program, &effects, p, options)).collect()
}

/// `View.drawFieldEnd: message` of each failure.
fn failures(program: &Program, findings: &[Finding]) -> Vec<String> {
    let mut all = Vec::new();
    for finding in findings {
        let name = program.proc_name(finding.proc);
        match &finding.verdict {
            Verdict::Verified => {}
            Verdict::Fails(found) => {
                all.extend(
                    found.iter().map(|f| format!("{name}: {}", explain::diagnostic(program, finding.proc, f).message)),
                );
            }
            Verdict::Unknown(why) => all.extend(why.iter().map(|(_, why)| format!("{name}: unknown: {why}"))),
        }
    }
    all
}

#[test]
fn correct_programs_are_verified() {
    for folder in programs() {
        let program = load(&folder, None);
        let findings = analysed(&program, &Options::default());
        assert!(findings.len() > 5, "{}: {} procedures", folder.display(), findings.len());
        assert_eq!(failures(&program, &findings), Vec::<String>::new(), "{}", folder.display());
        let warnings: Vec<_> = findings.iter().flat_map(|f| &f.warnings).map(|w| &w.message).collect();
        assert!(warnings.is_empty(), "{}: {warnings:?}", folder.display());
        for scope in (0..program.scopes.len() as u32).map(hob::program::ScopeId) {
            assert!(flags::broken_initially(&program, scope, &sets::Limits::default()).is_empty());
        }
    }
}

/// Each in the procedure that its `bug.txt` names and with that clause.
#[test]
fn seeded_bugs_are_found() {
    for folder in programs() {
        let all = bugs(&folder);
        assert!(all.len() >= 3, "{} has {} bugs", folder.display(), all.len());
        for bug in all.iter().filter(|bug| !bug.is_bounded()) {
            let program = load(&folder, Some(&bug.folder));
            let is_concerned = |name: &str| name == format!("{}.{}", bug.module, bug.proc);
            let found = failures(&program, &analysed_of(&program, &Options::default(), is_concerned));
            let wanted = |text: &&String| {
                text.starts_with(&format!("{}.{}: ", bug.module, bug.proc)) && text.contains(&bug.clause)
            };
            assert!(found.iter().any(|f| wanted(&f)), "{}: {} in {found:#?}", bug.folder.display(), bug.clause);
        }
    }
}

pub fn has_mona() -> bool {
    let is_missing = Command::new("mona").output().is_err();
    if is_missing {
        assert!(std::env::var_os("CI").is_none(), "mona is missing, and CI may not do without");
        eprintln!("skipped: mona is not installed");
    }
    !is_missing
}

/// Every obligation of every program, and every one that fails of those with a bug, decided again by MONA; and by CaDiCaL with every proof
/// checked.
#[test]
fn mona_decides_every_obligation_alike() {
    if !has_mona() {
        return;
    }
    let options = Options { emit_mona: true, ..Options::default() };
    let certified = Options { limits: sets::Limits { certify: true, ..sets::Limits::default() }, ..Options::default() };
    let (mut agreed, mut failed) = (0, 0);
    for folder in programs() {
        // Of a variant only the procedure that fails: the others are as in the program itself.
        let variants = std::iter::once(None).chain(bugs(&folder).into_iter().map(Some));
        for variant in variants {
            let program = load(&folder, variant.as_ref().map(|bug| bug.folder.as_path()));
            let is_concerned = |name: &str| variant.as_ref().is_none_or(|b| name == format!("{}.{}", b.module, b.proc));
            let findings = analysed_of(&program, &options, is_concerned);
            for finding in &findings {
                // Every tenth, and of a variant what fails: MONA takes its time.
                let others = finding.obligations.iter().filter(|o| variant.is_none() || !o.holds);
                for obligation in others.step_by(10) {
                    let text = obligation.mona.as_deref().expect("asked for");
                    let said = sets::mona::satisfiable(
                        Path::new("mona"),
                        text,
                        &work::Stop::default(),
                        &mut Duration::from_secs(60),
                    );
                    let name = program.proc_name(finding.proc);
                    assert_eq!(
                        said,
                        Ok(!obligation.holds),
                        "{name} of {} {:?}\n{text}",
                        folder.display(),
                        variant.map(|b| b.folder)
                    );
                    agreed += 1;
                    failed += usize::from(!obligation.holds);
                }
            }
            let again = if variant.is_none() { analysed(&program, &certified) } else { Vec::new() };
            for (finding, again) in findings.iter().zip(&again) {
                assert_eq!(finding.obligations.len(), again.obligations.len());
                for (obligation, proved) in finding.obligations.iter().zip(&again.obligations) {
                    let name = program.proc_name(finding.proc);
                    assert_eq!(proved.holds, obligation.holds, "{name}");
                    let needs_proof = proved.holds && proved.decision.method != sets::Method::Trivial;
                    assert_eq!(proved.decision.certified, needs_proof, "{name}: no proof");
                }
            }
        }
    }
    assert!(agreed > 120 && failed > 10, "{agreed} obligations, {failed} of them fail");
}

/// Random calls from outside, with every contract checked on the concrete heap: what is verified holds.
#[test]
fn random_runs_keep_verified_contracts() {
    let mut calls = 0;
    for folder in programs() {
        let program = load(&folder, None);
        // Those that get to sockets, graphics or packing end there.
        let trials = Trials { runs: 30, calls: 60, ..Trials::default() };
        let report = on_large_stack(|| drive(&program, &open_modules(&program), &trials));
        let broken: Vec<String> =
            report.violations.iter().map(|found| format!("{:?} after {:?}", found.stop, found.calls)).collect();
        assert!(broken.is_empty(), "{}: {broken:#?}", folder.display());
        assert!(report.calls > 50 && report.checks.evaluated > 250, "{}: {report:?}", folder.display());
        calls += report.calls;
    }
    assert!(calls > 1_000, "{calls} calls");
}

/// Whole runs from `main` with every contract checked: random games of minesweeper, and each program as it is.
#[test]
fn whole_runs_keep_verified_contracts() {
    for folder in programs() {
        let program = load(&folder, None);
        let is_game = folder.ends_with("minesweeper");
        for seed in 0..if is_game { 150 } else { 1 } {
            let mut chance = Chance::new(seed);
            let mut lines = vec![format!("{} {seed}", 4 + chance.below(3))];
            for _ in 0..30 {
                let command = ["e", "e", "m", "o", "c", "h", "?"][chance.below(7)];
                lines.push(format!("{command} {} {}", chance.below(7), chance.below(7)));
            }
            lines.push("q".to_owned());
            let mut world = Script { input: lines.into(), ..Script::default() };
            // Few steps of few molecules.
            let few = ["nside 2", "nstep 3", "nequil 1", "nprint 1"].map(str::to_owned).to_vec();
            world.files.push(("parameters.txt".to_owned(), few));
            let options = interp::Options { check_contracts: true, steps: 20_000_000, ..interp::Options::default() };
            let entry = interp::entry_point(&program).expect("a main");
            let outcome = interp::run(&program, entry, &[], &mut world, &options);
            let problem = outcome.diagnostic(&program).map(|d| d.message);
            assert_eq!(problem, None, "{} {seed}\n{}", folder.display(), world.output);
            assert!(outcome.checks.evaluated > 20 && !world.output.is_empty(), "{}", folder.display());
        }
    }
}

/// The same runs of a program with a bug break something, of some bugs at least.
#[test]
fn random_runs_of_bugs_break_contracts() {
    let (mut broken, mut all) = (0, 0);
    for folder in programs() {
        for bug in bugs(&folder).into_iter().step_by(2) {
            let program = load(&folder, Some(&bug.folder));
            let trials = Trials { runs: 4, calls: 60, ..Trials::default() };
            let report = on_large_stack(|| drive(&program, &open_modules(&program), &trials));
            let blamed = |found: &hob::interp::random::Found| match &found.stop {
                hob::interp::Stop::Violation(violation) => !matches!(violation.kind, ViolationKind::Assertion(_)),
                _ => true,
            };
            broken += usize::from(report.violations.iter().any(blamed) || !report.faults.is_empty());
            all += 1;
        }
    }
    assert!(broken * 3 > all, "{broken} of {all} bugs show in random runs");
}
