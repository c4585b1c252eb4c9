//! A check from its first file to its last word, in two threads. One reads, sets up and checks, and says what it finds as [`Told`]; the
//! other, which is the main one, shows it, keeps the report, and ends the run in time, whatever the first is doing.

use crate::args::Check;
use crate::beside::{GRACE, Grace};
use crate::output::{print, show, tell, terminal};
use crate::progress::Progress;
use drive::{Audience, Event, Ledger, Place};
use report::Terminal;
use source::{Diagnostic, Severity, SourceMap};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;
use verdict::{Reason, Report};
use work::Stop;

/// How long the first thread may take to heed a limit where proofs are being checked.
const CERTIFYING_GRACE: Duration = Duration::from_millis(1500);

/// What one thread tells the other.
enum Told {
    /// What follows is about this.
    Job(String),
    Event(Event),
    /// A text that was asked for instead of a check.
    Emitted(&'static str, String),
    /// States run so far.
    Watch(Arc<AtomicU64>),
    /// Everything was said.
    Done,
}

/// The first thread's end.
pub struct Teller {
    send: Sender<Told>,
}

impl Teller {
    pub fn job(&mut self, title: &str) {
        let _ = self.send.send(Told::Job(title.to_string()));
    }

    pub fn emit(&mut self, what: &'static str, text: String) {
        let _ = self.send.send(Told::Emitted(what, text));
    }

    pub fn watch(&mut self, states: &Arc<AtomicU64>) {
        let _ = self.send.send(Told::Watch(states.clone()));
    }
}

impl Audience for Teller {
    fn tell(&mut self, event: Event) {
        // Nobody listens any more if the run was ended.
        let _ = self.send.send(Told::Event(event));
    }
}

/// What is left when all is said.
pub struct Ended {
    pub sources: Arc<SourceMap>,
    pub report: Report,
    /// Texts that were asked for instead of a check.
    pub emitted: Option<(&'static str, String)>,
    /// Of the process.
    pub status: u8,
}

/// Runs `work` beside, and shows what it says.
pub fn run(
    arguments: &'static Check,
    stop: &Stop,
    has_titles: bool,
    work: impl FnOnce(&mut Teller) + Send + 'static,
) -> Ended {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        work::on_large_stack(move || {
            let mut teller = Teller { send };
            work(&mut teller);
            let _ = teller.send.send(Told::Done);
        });
    });
    let mut shown = Shown {
        arguments,
        has_titles,
        stop: stop.clone(),
        sources: Arc::default(),
        terminal: terminal(arguments.color),
        progress: Progress::new(!arguments.quiet),
        ledger: Ledger::default(),
        title: None,
        is_titled: false,
        all: Report::default(),
        emitted: None,
        in_the_way: Vec::new(),
        status: None,
    };
    shown.terminal.quiet = arguments.quiet;
    shown.terminal.coverage = arguments.coverage;
    // Who asks for one language wants to see all of it; who asks for one check does not ask what the others exercise.
    shown.terminal.full = arguments.language.is_some();
    shown.terminal.witnesses = arguments.check.is_none();
    let is_cut = !shown.listen(&receive);
    let broken = || Reason::Internal("the check ended without an answer".to_string());
    shown.end(is_cut.then(|| stop.cause().map_or_else(broken, Reason::from)))
}

/// The main thread's end.
struct Shown {
    arguments: &'static Check,
    /// There are several jobs, each with a title.
    has_titles: bool,
    stop: Stop,
    sources: Arc<SourceMap>,
    terminal: Terminal,
    progress: Progress,
    /// Of the job at hand.
    ledger: Ledger,
    title: Option<String>,
    is_titled: bool,
    /// Why items were not analysed, as far as it was said.
    in_the_way: Vec<Diagnostic>,
    /// Of the jobs before.
    all: Report,
    emitted: Option<(&'static str, String)>,
    /// The worst of the jobs before.
    status: Option<u8>,
}

impl Shown {
    /// Whether all was said in time.
    fn listen(&mut self, receive: &Receiver<Told>) -> bool {
        let time = if self.arguments.certify { CERTIFYING_GRACE } else { GRACE };
        let mut grace = Grace::new(&self.stop, time);
        loop {
            match receive.recv_timeout(Duration::from_millis(50)) {
                Ok(Told::Done) => return true,
                Ok(told) => self.take(told),
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => self.progress.tick(),
            }
            if grace.is_over() {
                return false;
            }
        }
    }

    fn take(&mut self, told: Told) {
        match told {
            Told::Done => {}
            Told::Job(title) => {
                if self.title.is_some() {
                    self.end_job(None);
                }
                (self.title, self.is_titled) = (Some(title), false);
            }
            Told::Watch(states) => self.progress.states = states,
            Told::Emitted(what, text) => match &mut self.emitted {
                Some((_, known)) => known.push_str(&text),
                None => self.emitted = Some((what, text)),
            },
            Told::Event(event) => self.event(event),
        }
    }

    fn event(&mut self, event: Event) {
        let (mut item, mut complete) = (None, None);
        match &event {
            Event::Sources(sources) => self.sources = sources.clone(),
            Event::Waiting(what) => self.progress.wait_for(what),
            Event::Warnings(found) | Event::Errors(found) => self.complain(found),
            // Once, if it is in the way of several.
            Event::NotAnalysed(_, problem) => {
                if !self.in_the_way.contains(problem) {
                    self.complain(std::slice::from_ref(problem));
                    self.in_the_way.push(Diagnostic::clone(problem));
                }
            }
            Event::Bounds(bounds) => self.say(&format!("{}\n", self.terminal.bounds(bounds))),
            Event::Mutant(_, mutant) => self.say(&self.terminal.mutant(mutant)),
            Event::Item(place, _) => item = Some(*place),
            Event::Complete(subject) => complete = Some(*subject),
            Event::Planned(_) | Event::RestsOn(_) | Event::Conclusion(_) | Event::Overview(_) => {}
        }
        self.ledger.tell(event);
        // As the report has them now.
        if let Some(place) = item {
            self.show_item(place);
        }
        if let Some(subject) = complete {
            let text = self.terminal.complete(&self.ledger.report.subjects[subject]);
            self.say(&text);
        }
    }

    fn show_item(&mut self, place: Place) {
        if self.arguments.is_json() {
            return;
        }
        self.headline();
        let subject = &self.ledger.report.subjects[place.subject];
        let text = self.terminal.item(&self.sources, place.subject, subject, &subject.items[place.item]);
        self.say(&text);
    }

    /// Of a job, before its first line.
    fn headline(&mut self) {
        let is_wanted = self.has_titles && !self.arguments.quiet && !std::mem::replace(&mut self.is_titled, true);
        if let Some(title) = self.title.as_ref().filter(|_| is_wanted) {
            let text = self.terminal.title(title, self.status.is_none());
            self.say(&text);
        }
    }

    fn say(&self, text: &str) {
        if !text.is_empty() && !self.arguments.is_json() {
            self.progress.aside(|| show(text));
        }
    }

    /// Notes are for programs.
    fn complain(&self, diagnostics: &[Diagnostic]) {
        if !self.arguments.is_json() && self.emitted.is_none() {
            let shown: Vec<Diagnostic> = diagnostics.iter().filter(|d| d.severity != Severity::Note).cloned().collect();
            let (color, quiet) = (self.arguments.color, self.arguments.quiet);
            self.progress.aside(|| tell(color, quiet, &self.sources, &shown));
        }
    }

    /// The job at hand is over, or was cut short for this reason.
    fn end_job(&mut self, cut: Option<&Reason>) {
        // A driver that heeds a limit comes back early: what it planned is open.
        let is_open = self.ledger.is_pending() || self.ledger.is_blank();
        let early = self.stop.cause().filter(|_| is_open).map(Reason::from);
        let cut = cut.or(early.as_ref());
        match cut {
            None => self.ledger.end(),
            Some(reason) => {
                for place in self.ledger.cut_short(reason) {
                    self.show_item(place);
                }
                self.ledger.end();
                if self.ledger.report.items().next().is_none() {
                    let title = self.title.clone().unwrap_or_default();
                    let message =
                        format!("nothing is known of {title}, which was being read or set up: {}", reason.message());
                    self.say(&format!("{message}\n"));
                    self.ledger.report.warnings.push(Diagnostic::warning(reason.code(), None, message));
                }
            }
        }
        let report = std::mem::take(&mut self.ledger).report;
        if self.emitted.is_none() {
            if cut.is_none() && report.items().next().is_none() && report.errors.is_empty() {
                self.headline();
                let title = self.title.clone().unwrap_or_default();
                self.say(&format!("nothing to check in {title}\n"));
            }
            let text = self.terminal.summary(&self.sources, &report);
            self.say(&text);
        }
        let status = if self.emitted.is_some() && report.errors.is_empty() { 0 } else { report.exit_status() };
        self.status = Some(worse(self.status.unwrap_or(0), status));
        self.terminal.start_over();
        self.all.subjects.extend(report.subjects);
        self.all.rests_on.extend(report.rests_on);
        self.all.conclusions.extend(report.conclusions);
        self.all.overviews.extend(report.overviews);
        self.all.warnings.extend(report.warnings);
        self.all.errors.extend(report.errors);
        self.all.bounds.extend(report.bounds);
    }

    fn end(mut self, cut: Option<Reason>) -> Ended {
        if let Some(Reason::Internal(_)) = cut {
            self.all.errors.push(Diagnostic::error(
                "internal",
                None,
                "the check ended without an answer: please report this as a bug, with the input",
            ));
        }
        if self.title.is_some() {
            self.end_job(cut.as_ref());
        }
        self.progress.finish();
        let cut = if cut.is_some() { 3 } else { 0 };
        let status = worse(self.status.unwrap_or(3), cut);
        self.all.status = Some(status);
        Ended { sources: self.sources, report: self.all, emitted: self.emitted, status }
    }
}

/// A violation is worse than bad input, and that is worse than not to know.
pub fn worse(a: u8, b: u8) -> u8 {
    let rank = |status: u8| [0, 3, 2, 1][usize::from(status.min(3))];
    if rank(a) >= rank(b) { a } else { b }
}

/// The whole report as JSON on standard output.
pub fn print_json(ended: &Ended) {
    let object = report::json::report(&ended.sources, &ended.report, env!("CARGO_PKG_VERSION"));
    print(&format!("{object:#}\n"));
}
