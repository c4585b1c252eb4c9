//! `glassbox check`: finds out what each file is, has it checked as that, and writes the report in every format asked for.

use crate::args::Check;
use crate::kinds::{Job, Kind, jobs};
use crate::misuse::{Given, misused};
use crate::session::{self, Ended};
use crate::{dminor, hob, java, lang, output, signals};
use drive::keep;
use source::{Diagnostic, SourceMap};
use verdict::{Outcome, Report};

pub fn check(arguments: Check, given: &Given) -> u8 {
    let arguments: &'static Check = keep(arguments);
    let jobs = match jobs(&arguments.files, &arguments.spec) {
        Ok(jobs) => jobs,
        Err(problems) => return refused(arguments, problems),
    };
    let mut kinds: Vec<Kind> = jobs.iter().map(|j| j.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut wrong = misused(given, &kinds);
    let is_text = arguments.emit.is_some() || arguments.latex;
    if is_text && (arguments.sarif.is_some() || arguments.html.is_some()) {
        let message = "--emit and --latex check nothing, so that there is no report for --sarif or --html";
        wrong.push(Diagnostic::error("bad-usage", None, message).help("leave out one of them"));
    }
    if !wrong.is_empty() {
        return refused(arguments, wrong);
    }
    let stop = signals::watch(arguments.timeout, arguments.memory);
    let at_work = stop.clone();
    let ended = session::run(arguments, &stop, jobs.len() > 1, move |teller| {
        let mut sources = SourceMap::default();
        for Job { kind, files, title, alone } in &jobs {
            teller.job(title);
            match kind {
                Kind::Java => java::check(arguments, files, &mut sources, &at_work, teller),
                Kind::Language => lang::check(arguments, files, &mut sources, &at_work, teller),
                Kind::Dminor => dminor::check(arguments, files, &mut sources, &at_work, teller),
                Kind::Hob => hob::check(arguments, (files, alone), &mut sources, &at_work, teller),
            }
        }
    });
    finish(arguments, &ended)
}

fn refused(arguments: &Check, problems: Vec<Diagnostic>) -> u8 {
    let report = Report { errors: problems.clone(), ..Report::default() };
    write_files(arguments, &SourceMap::default(), &report);
    let refused = Outcome::refused(problems);
    output::outcome(&SourceMap::default(), "check", &refused, arguments.is_json(), arguments.color)
}

fn finish(arguments: &Check, ended: &Ended) -> u8 {
    match &ended.emitted {
        Some((what, text)) if ended.report.errors.is_empty() => {
            let (sources, warnings) = (&ended.sources, &ended.report.warnings);
            output::emitted(sources, what, text, warnings, arguments.is_json(), arguments.color);
        }
        _ if arguments.is_json() => session::print_json(ended),
        _ => {}
    }
    // Where a text was asked for instead, nothing was checked.
    let is_written = ended.emitted.is_some() || write_files(arguments, &ended.sources, &ended.report);
    // Asked for a file that cannot be made: what is wrong with the program is worse.
    if is_written { ended.status } else { session::worse(ended.status, 2) }
}

/// Whether all files that were asked for are written.
fn write_files(arguments: &Check, sources: &SourceMap, report: &Report) -> bool {
    let version = env!("CARGO_PKG_VERSION");
    let sarif = arguments.sarif.as_ref().map(|path| (path, report::sarif::render(sources, report, version)));
    let html =
        arguments.html.as_ref().map(|path| (path, report::html::render(sources, report, version, &command_line())));
    // One that fails does not keep the other from being written.
    let drawn = report.overviews.first().cloned().unwrap_or_default();
    let drawn = arguments.graph.as_ref().map(|path| (path, report::graph::svg(&drawn)));
    let written: Vec<bool> =
        sarif.into_iter().chain(html).chain(drawn).map(|(path, text)| output::write_file(path, &text)).collect();
    written.into_iter().all(|is| is)
}

/// As somebody would type it again.
fn command_line() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./-=,:+@%".contains(c);
    let word = |word: String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    let given = std::env::args_os().skip(1).map(|w| word(w.to_string_lossy().into_owned()));
    std::iter::once("glassbox".to_string()).chain(given).collect::<Vec<_>>().join(" ")
}
