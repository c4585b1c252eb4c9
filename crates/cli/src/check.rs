//! `glassbox check`: finds out what each file is, has it checked as that, and writes the report in every format asked for.

use crate::args::Check;
use crate::kinds::{Job, Kind, jobs};
use crate::misuse::{Given, misused};
use crate::session::{self, Ended};
use crate::{dminor, hob, java, lang, output, signals};
use drive::keep;
use source::{Diagnostic, SourceMap};
use verdict::Outcome;

pub fn check(arguments: Check, given: &Given) -> u8 {
    let arguments: &'static Check = keep(arguments);
    let jobs = match jobs(&arguments.files) {
        Ok(jobs) => jobs,
        Err(problems) => return refused(arguments, problems),
    };
    let mut kinds: Vec<Kind> = jobs.iter().map(|j| j.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let wrong = misused(given, &kinds);
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
    let version = env!("CARGO_PKG_VERSION");
    let mut is_written = true;
    if let Some(path) = &arguments.sarif {
        is_written &= output::write_file(path, &report::sarif::render(&ended.sources, &ended.report, version));
    }
    if let Some(path) = &arguments.html {
        let command: Vec<String> = std::env::args().collect();
        let page = report::html::render(&ended.sources, &ended.report, version, &command.join(" "));
        is_written &= output::write_file(path, &page);
    }
    if is_written || ended.status != 0 { ended.status } else { 3 }
}
