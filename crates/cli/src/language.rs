//! `glassbox check` on language definitions: reads, decides every check of every language on a few threads, prints in the order of the
//! file. Neither verdicts nor counts depend on the number of threads.

use crate::args::Check;
use crate::check::{no_thread, print, tell, wants_color};
use crate::halt::Halt;
use crate::halt::reason;
use crate::inputs;
use crate::judge::{Task, is_inherited, mutants, same_programs};
use crate::progress::Progress;
use crate::run::COLUMNS;
use lang::syntax::{self, read_bounds};
use lang::{JudgId, Lang, extension};
use report::{LanguageTerminal, Paint};
use source::{Diagnostic, Severity, SourceMap};
use std::io::IsTerminal;
use verdict::Verdict;
use verdict::language::{Engine, LanguageAnswer, LanguageReport, Witness, WitnessKind};
use work::{Event, in_order, threads};

/// Whether the arguments name definitions of languages.
pub fn is_for(arguments: &Check) -> bool {
    arguments.files.iter().any(|f| f.extension().is_some_and(|e| e == "lang"))
}

/// A language to be checked.
pub struct Item {
    pub lang: Lang,
    /// What it extends, if it assumes that to be sound.
    pub base: Option<Lang>,
    /// Its file, as the user named it.
    pub file: String,
}

pub fn check(arguments: &'static Check) -> u8 {
    let mut sources = SourceMap::default();
    let mut report = LanguageReport::default();
    let items = load(arguments, &mut sources, &mut report);
    if !arguments.is_json() {
        tell(arguments.color, arguments.quiet, &sources, &shown(&report.warnings));
    }
    if arguments.latex && report.errors.is_empty() {
        print(&items.iter().map(|i| lang::latex::definition(&i.lang)).collect::<Vec<_>>().join("\n"));
        return 0;
    }
    let told = report.warnings.len();
    if report.errors.is_empty() {
        run(arguments, &sources, Box::leak(Box::new(items)), &mut report);
    }
    if arguments.is_json() {
        let json = report::json::languages(&sources, &report, env!("CARGO_PKG_VERSION"));
        print(&format!("{json:#}\n"));
    } else {
        tell(arguments.color, arguments.quiet, &sources, &shown(&report.warnings[told..]));
        tell(arguments.color, arguments.quiet, &sources, &report.errors);
    }
    report.exit_status()
}

/// Notes are for programs, and for who asks.
fn shown(warnings: &[Diagnostic]) -> Vec<Diagnostic> {
    warnings.iter().filter(|d| d.severity != Severity::Note).cloned().collect()
}

fn load(arguments: &Check, sources: &mut SourceMap, report: &mut LanguageReport) -> Vec<Item> {
    let mut items = Vec::new();
    if let Some(other) = arguments.files.iter().find(|f| f.extension().is_none_or(|e| e != "lang")) {
        let message = format!("`{}` is no language definition", other.display());
        report.errors.push(
            Diagnostic::error("mixed-input", None, message).help("check .lang and .java files one after the other"),
        );
        return items;
    }
    let files = match inputs::read(sources, &arguments.files) {
        Ok(files) => files,
        Err(problems) => {
            report.errors = problems;
            return items;
        }
    };
    for id in files {
        let file = syntax::parse(&sources.file(id).text, id);
        for diagnostic in file.diagnostics {
            let is_error = diagnostic.severity == Severity::Error;
            if is_error { &mut report.errors } else { &mut report.warnings }.push(diagnostic);
        }
        let name = sources.file(id).name.clone();
        for lang in file.languages.iter().flatten() {
            if arguments.language.as_ref().is_some_and(|n| *n != lang.name) {
                continue;
            }
            let mut base = lang.extends.filter(|_| lang.assumes_base).and_then(|k| file.languages[k].clone());
            if let Some(assumed) = &base
                && let Err(problem) = extension::inherits(assumed, lang)
            {
                report.errors.push(problem);
                base = None;
            }
            items.push(Item { lang: lang.clone(), base, file: name.clone() });
        }
    }
    if !report.errors.is_empty() {
        return items;
    }
    if let Some(name) = arguments.language.as_ref().filter(|_| items.is_empty()) {
        let message = format!("there is no language {name} here");
        report.errors.push(Diagnostic::error("N1", None, message).help("names stand behind 'language' in the file"));
    }
    if let Some(name) = &arguments.check
        && !items.iter().any(|i| i.lang.checks.iter().any(|c| c.name == *name))
    {
        let mut names: Vec<&str> = items.iter().flat_map(|i| &i.lang.checks).map(|c| c.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let message = format!("there is no check {name} here");
        report.errors.push(Diagnostic::error("N1", None, message).help(format!("there are: {}", names.join(", "))));
    }
    for item in &items {
        if item.lang.checks.is_empty() {
            let message = format!("the language {} has no check: nothing would be checked", item.lang.name);
            report.errors.push(
                Diagnostic::error("V1", item.lang.span, message)
                    .help("for instance: check progress : · ⊢ t : T => t is v or t steps"),
            );
        }
    }
    if let Some(text) = arguments.bounds.as_ref().filter(|t| !t.is_empty()) {
        let id = sources.add("--bounds", text.clone());
        for item in &mut items {
            match read_bounds(&item.lang, text, id) {
                Ok(bounds) => {
                    // Before those of the file and of a check.
                    item.lang.bounds.extend(bounds.iter().copied());
                    item.lang.checks.iter_mut().for_each(|c| c.bounds.extend(bounds.iter().copied()));
                }
                // The same text is wrong for every language, most likely: once is enough.
                Err(problem) => {
                    report.errors.push(problem);
                    break;
                }
            }
        }
    }
    items
}

fn run(arguments: &'static Check, sources: &SourceMap, items: &'static [Item], report: &mut LanguageReport) {
    let halt: &'static Halt = Box::leak(Box::new(Halt::watch(arguments.timeout, arguments.memory)));
    let wanted = |name: &str| arguments.check.as_ref().is_none_or(|n| n == name);
    let tasks: &'static [Task] = Box::leak(
        items
            .iter()
            .flat_map(|item| {
                let checks: Vec<&'static lang::Check> = item.lang.checks.iter().filter(|c| wanted(&c.name)).collect();
                let earlier = |k: usize| {
                    // What is inherited counts nothing.
                    let mut decided = checks[..k].iter().filter(|c| !is_inherited(item, c));
                    let twin = decided.find(|c| same_programs(&item.lang, c, checks[k]));
                    twin.map(|c| c.name.as_str())
                };
                let task = |k: usize| Task { arguments, item, check: checks[k], halt, counted_by: earlier(k) };
                (0..checks.len()).map(task).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
            .into_boxed_slice(),
    );
    let paint = Paint { color: wants_color(arguments.color, std::io::stdout().is_terminal()) };
    let mut terminal = LanguageTerminal::new(sources, paint, arguments.quiet, COLUMNS);
    // Who asks for one language wants to see all of it.
    terminal.full = arguments.language.is_some();
    let mut progress = Progress::new(!arguments.quiet && !arguments.is_json());
    let mut seen: Vec<LanguageAnswer> = Vec::new();
    each(tasks, arguments, halt, &mut progress, |progress, index, answer| match answer {
        Ok(mut answer) => {
            let twin = tasks[index].counted_by.and_then(|name| seen.iter().find(|a| a.check == name));
            if let Some(twin) = twin.filter(|_| answer.engine == Engine::Classes && answer.verdict == Verdict::Verified)
            {
                answer.classes.clone_from(&twin.classes);
            }
            let mut text = String::new();
            if !arguments.is_json() {
                text = terminal.answer(&answer);
            }
            seen.push(answer);
            let is_last = tasks.get(index + 1).is_none_or(|next| !std::ptr::eq(next.item, tasks[index].item));
            if is_last {
                let answers = std::mem::take(&mut seen);
                let problems = unused(tasks[index].item, &answers);
                if !arguments.is_json()
                    && arguments.check.is_none()
                    && answers.iter().all(|a| a.verdict == Verdict::Verified)
                {
                    let (witnesses, clipped) = exercised(&answers);
                    text.push_str(&terminal.witnesses(&witnesses, &clipped));
                }
                for problem in problems {
                    if problem.severity == Severity::Error {
                        report.errors.push(problem);
                    } else {
                        report.warnings.push(problem);
                    }
                }
                report.answers.extend(answers);
            }
            progress.aside(|| print(&text));
        }
        Err(problem) => report.errors.push(*problem),
    });
    if arguments.mutate {
        for item in items {
            for answer in mutants(arguments, item, halt) {
                if !arguments.is_json() {
                    progress.aside(|| print(&terminal.mutant(&answer)));
                }
                report.mutants.push(answer);
            }
        }
    }
    halt.end();
    progress.finish();
    if !arguments.is_json() {
        print(&terminal.summary(report));
    }
}

/// Decides every task on some threads, and hands over the answers in order.
fn each(
    tasks: &'static [Task],
    arguments: &Check,
    halt: &Halt,
    progress: &mut Progress,
    mut done: impl FnMut(&mut Progress, usize, Result<LanguageAnswer, Box<Diagnostic>>),
) {
    let workers = threads(arguments.threads).min(tasks.len());
    in_order(
        tasks.len(),
        workers,
        &halt.stop,
        |index, _| Some(tasks[index].answer()),
        || {},
        |event| match event {
            Event::Waiting(index) => {
                let task = &tasks[index];
                progress.tick(&format!("{}, {}", task.item.lang.name, task.check.name));
            }
            Event::Done(index, answer) => done(progress, index, answer),
            Event::Late(index, cause) => done(progress, index, Ok(tasks[index].unknown(reason(cause)))),
            Event::NoThread => done(progress, 0, Err(Box::new(no_thread()))),
        },
    );
}

/// The smallest witness of each rule and alternative in any of a language's answers.
fn exercised(answers: &[LanguageAnswer]) -> (Vec<Witness>, Vec<(String, u64)>) {
    let mut witnesses: Vec<Witness> = Vec::new();
    let mut clipped: Vec<(String, u64)> = Vec::new();
    for answer in answers {
        for witness in &answer.witnesses {
            let shorter = |a: &Option<String>, b: &Option<String>| match (a, b) {
                (Some(a), Some(b)) => a.chars().count() < b.chars().count(),
                (Some(_), None) => true,
                _ => false,
            };
            match witnesses.iter_mut().find(|w| w.kind == witness.kind && w.name == witness.name) {
                Some(known) if shorter(&witness.example, &known.example) => known.example.clone_from(&witness.example),
                // Never is more than not so far.
                Some(known) => known.asked_up_to = known.asked_up_to.and(witness.asked_up_to),
                None => witnesses.push(witness.clone()),
            }
        }
        for (rule, n) in &answer.clipped {
            match clipped.iter_mut().find(|(r, _)| r == rule) {
                Some((_, known)) => *known = (*known).max(*n),
                None => clipped.push((rule.clone(), *n)),
            }
        }
    }
    (witnesses, clipped)
}

/// V1: what no program within the bounds uses: of rules an error, whatever is expected; of alternatives a warning. And checks about steps
/// that no program takes.
fn unused(item: &Item, answers: &[LanguageAnswer]) -> Vec<Diagnostic> {
    let all_hold = answers.iter().all(|a| a.verdict == Verdict::Verified);
    if !all_hold || answers.len() < item.lang.checks.len() {
        return Vec::new();
    }
    let (witnesses, _) = exercised(answers);
    let mut problems = Vec::new();
    for witness in witnesses.iter().filter(|w| w.example.is_none() && !w.may_be_unused) {
        let is_rule = witness.kind != WitnessKind::Alternative;
        let what = format!("{} {}", if is_rule { "the rule" } else { "the alternative" }, witness.name);
        let message = match witness.asked_up_to {
            None => format!("{what} is never used by any program within the bounds"),
            Some(size) => format!("{what} is not used by any program up to size {size}; larger ones were not asked"),
        };
        let diagnostic = if is_rule && witness.asked_up_to.is_none() {
            Diagnostic::error("V1", witness.span, message)
        } else {
            Diagnostic::warning("V1", witness.span, message)
        };
        problems.push(diagnostic.help(if is_rule {
            "raise the bounds, fix the rule, or mark it {unused ok}"
        } else {
            "raise the bounds, or remove it"
        }));
    }
    let is_told = witnesses.iter().any(|w| w.kind == WitnessKind::Step && w.example.is_none() && !w.may_be_unused);
    for (answer, check) in answers.iter().zip(&item.lang.checks).filter(|_| !is_told) {
        let mut speaks_of_steps = false;
        for located in check.premises.iter().chain(check.conclusions.iter().flatten()) {
            let is_step = |j: JudgId| item.lang.judgment(j).reduction.is_some();
            located.premise.each_judgment(&mut |j, _| speaks_of_steps |= is_step(j));
        }
        let mut steps = answer.witnesses.iter().filter(|w| w.kind == WitnessKind::Step).peekable();
        let is_shown = steps.peek().is_none() || steps.any(|w| w.example.is_some() || w.asked_up_to.is_some());
        let is_empty = answer.classes.as_ref().is_some_and(|c| c.all > 0 && c.non_empty == Some(0));
        if is_empty || (speaks_of_steps && !is_shown) {
            let message =
                format!("no program that {} is about takes a step: nothing about steps was checked", check.name);
            problems.push(Diagnostic::error("V1", check.span, message).help("raise the bounds, or fix the rules"));
        }
    }
    problems
}
