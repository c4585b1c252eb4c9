//! `glassbox check`: reads, runs every size in order with the operations spread over threads, prints in the order of
//! declaration. Threads without an operation do the checks of the others (dissertation, 8.1). Neither the verdicts nor the
//! counts depend on the number of threads.

use crate::answer::{Shared, Task, shape};
use crate::args::{Check, Color};
use crate::bounds::bounds;
use crate::engine::Ground;
use crate::halt::Halt;
use crate::halt::reason;
use crate::inputs::{self, Library};
use crate::progress::Progress;
use ir::interp::{Linked, Stop, run_statics, snapshot};
use ir::space::{Domain, Space};
use ir::{Checked, Operation, OperationKind};
use java::{Inputs, Loaded};
use report::{Paint, Terminal, render_bounds, render_diagnostic};
use source::{Diagnostic, Severity, SourceMap};
use std::io::{IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use verdict::{Bounds, OperationReport, Reason, Report, Verdict};
use work::with_room;
use work::{Event, Turn, in_order, threads};

/// One operation of one class.
type Item = (&'static Checked, &'static Operation);

pub fn check(arguments: &'static Check) -> u8 {
    let mut sources = SourceMap::default();
    let mut report = Report::default();
    let mut shown = Vec::new();
    match load(arguments, &mut sources) {
        Ok(mut loaded) => {
            report.warnings = std::mem::take(&mut loaded.warnings);
            if !arguments.is_json() {
                complain(arguments, &sources, &report.warnings);
            }
            run(arguments, &sources, keep(loaded), &mut report, &mut shown);
        }
        Err(errors) => report.errors = errors,
    }
    if arguments.is_json() {
        let json = report::json::report(&sources, &report, &shown, env!("CARGO_PKG_VERSION"));
        print(&format!("{json:#}\n"));
    } else {
        complain(arguments, &sources, &report.errors);
    }
    report.exit_status()
}

fn load(arguments: &Check, sources: &mut SourceMap) -> Result<Loaded, Vec<Diagnostic>> {
    if arguments.files.is_empty() {
        let problem = Diagnostic::error("no-file", None, "there is nothing to check");
        return Err(vec![problem.help("name a file: glassbox check FILE.java, or FILE.lang")]);
    }
    let files = inputs::read(sources, &arguments.files)?;
    let library = Library::open(&arguments.source_path)?;
    let find = |class: &str| library.find(class);
    let (class, method) = (arguments.class.clone(), arguments.method.clone());
    java::load(Inputs { sources, files, library: &find, class, method })
}

/// For as long as the process.
fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn run(
    arguments: &'static Check,
    sources: &SourceMap,
    loaded: &'static Loaded,
    report: &mut Report,
    shown: &mut Vec<Bounds>,
) {
    let halt = keep(Halt::watch(arguments.timeout, arguments.memory));
    let linked = keep(Linked::new(&loaded.program));
    let items: &Vec<Item> =
        keep(loaded.checked.iter().flat_map(|c| c.operations.iter().map(move |o| (c, o))).collect());
    let width = items.iter().map(|(_, o)| o.name.chars().count()).max().unwrap_or(0);
    let paint = Paint { color: wants_color(arguments.color, std::io::stdout().is_terminal()) };
    let mut terminal = Terminal::new(sources, paint, arguments.quiet, width);
    terminal.coverage = arguments.coverage;
    let mut progress = Progress::new(!arguments.quiet);
    for n in arguments.size.first..=arguments.size.last {
        let size = Size { arguments, linked, items, halt, n };
        let spaces = match size.spaces() {
            Ok(spaces) => spaces,
            Err(errors) => {
                report.errors.extend(errors);
                break;
            }
        };
        if n == arguments.size.first {
            let warnings = size.warnings(&spaces);
            if !arguments.is_json() {
                complain(arguments, sources, &warnings);
            }
            report.warnings.extend(warnings);
        }
        if arguments.bounds.is_some() {
            for ((checked, operation), space) in items.iter().zip(&spaces.spaces) {
                let lines = bounds(&loaded.program, checked, operation, space);
                if !arguments.is_json() {
                    print(&format!("{}\n", render_bounds(&lines, paint)));
                }
                shown.push(lines);
            }
        }
        size.run(spaces, &mut progress, |progress, answer| match answer {
            Ok(answer) => {
                if !arguments.is_json() {
                    let text = terminal.operation(&answer);
                    progress.aside(|| print(&text));
                }
                report.operations.push(answer);
            }
            Err(problem) => report.errors.push(*problem),
        });
        let is_over = !report.errors.is_empty() || halt.reason().is_some();
        if is_over || report.operations.iter().any(|o| o.verdict == Verdict::Violated) {
            break;
        }
    }
    halt.end();
    progress.finish();
    if !arguments.is_json() && !report.operations.is_empty() {
        print(&terminal.summary(report));
    }
}

/// All operations at one size. What it refers to lives as long as the process, since workers may.
#[derive(Clone, Copy)]
struct Size {
    arguments: &'static Check,
    linked: &'static Linked<'static>,
    items: &'static [Item],
    halt: &'static Halt,
    n: i64,
}

/// What the operations of one size start from.
struct Spaces {
    heap: ir::heap::Heap,
    statics: ir::space::Statics,
    /// By item.
    spaces: Vec<Space>,
    /// By item: of a constructor, the space that the class's operations start from.
    states: Vec<Option<Arc<Space>>>,
}

impl Size {
    fn spaces(&self) -> Result<Spaces, Vec<Diagnostic>> {
        let program = self.linked.program;
        let heap = with_room(|| run_statics(self.linked, self.n))
            .map_err(|e| vec![Diagnostic::error("internal", None, format!("no thread could be started: {e}"))])?
            .map_err(|stop| vec![self.bad_statics(stop)])?;
        let statics = snapshot(self.linked, &heap);
        let (mut spaces, mut problems) = (Vec::new(), Vec::new());
        for (checked, operation) in self.items {
            match Space::new(program, checked, operation, self.n, shape(self.arguments), &statics.objects) {
                Ok(space) => spaces.push(space),
                Err(problem) if problems.contains(&problem) => {}
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let states = self.items.iter().map(|(checked, operation)| {
            let of_class =
                |(other, o): &(&Checked, &Operation)| std::ptr::eq(*other, *checked) && o.kind == OperationKind::Method;
            let method = self.items.iter().position(|(c, o)| of_class(&(c, o)))?;
            (operation.kind == OperationKind::Constructor).then(|| Arc::new(spaces[method].clone()))
        });
        Ok(Spaces { states: states.collect(), heap, statics, spaces })
    }

    /// A parameter that nothing but null can be passed for is as good as not checked.
    fn warnings(&self, spaces: &Spaces) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        for ((_, operation), space) in self.items.iter().zip(&spaces.spaces) {
            let parameters = &self.linked.program.method(operation.method).parameters;
            for (parameter, domain) in parameters.iter().zip(&space.arguments) {
                if matches!(domain, Domain::Ref { objects, nullable: true } if objects.is_empty()) {
                    let message =
                        format!("`{}` is only ever null here: its class has objects in trees alone", parameter.name);
                    let warning = Diagnostic::warning("only-null", operation.span, message)
                        .label("there is no tree yet to take an argument from")
                        .help("let it take what the nodes are made of, or check what it does in a method");
                    warnings.push(warning);
                }
            }
        }
        warnings
    }

    fn bad_statics(&self, stop: Stop) -> Diagnostic {
        let program = self.linked.program;
        match stop {
            Stop::Unsupported(problem) => *problem,
            Stop::Initialiser { method, exception, span } => {
                let class = &program.class(program.method(method).class).name;
                let exception = &program.class(exception).name;
                let message = format!("the static initialiser of `{class}` throws {exception}");
                Diagnostic::error("static-initialiser", span, message).label("thrown here")
            }
            stop => {
                let message = format!("the static initialisers do not come to an end: {stop:?}");
                Diagnostic::error("static-initialiser", None, message)
            }
        }
    }

    /// Calls back in the order of the items.
    fn run(
        self,
        spaces: Spaces,
        progress: &mut Progress,
        mut done: impl FnMut(&Progress, Result<OperationReport, Box<Diagnostic>>),
    ) {
        let threads = threads(self.arguments.threads);
        let workers = threads.min(self.items.len());
        let beside = Arc::new(AtomicUsize::new(threads - workers));
        let shared = Arc::new(Shared { states: progress.states.clone(), beside, ..Shared::default() });
        let spaces = Arc::new(spaces);
        let work = {
            let (spaces, shared) = (spaces.clone(), shared.clone());
            move |index, turn| self.answer(&spaces, index, &shared, turn)
        };
        let leave = {
            let shared = shared.clone();
            move || {
                shared.beside.fetch_add(1, Ordering::Relaxed);
            }
        };
        in_order(self.items.len(), workers, &self.halt.stop, work, leave, |event| match event {
            Event::Waiting(index) => {
                let (checked, operation) = self.items[index];
                let class = &self.linked.program.class(checked.class).name;
                progress.tick(&format!("{class}.{}, size {}", operation.name, self.n));
            }
            Event::Done(_, answer) => done(progress, answer),
            Event::Late(index, cause) => {
                let turn = Turn { until: None, is_last: true };
                done(progress, Ok(self.task(&spaces, index, &shared, turn, |task| task.unknown(reason(cause)))));
            }
            Event::NoThread => done(progress, Err(Box::new(no_thread()))),
        });
    }

    /// None if its turn was over before there was an answer, and another one comes.
    fn answer(
        &self,
        spaces: &Spaces,
        index: usize,
        shared: &Shared,
        turn: Turn,
    ) -> Option<Result<OperationReport, Box<Diagnostic>>> {
        self.task(spaces, index, shared, turn, |task| {
            catch_unwind(AssertUnwindSafe(|| task.answer()))
                .unwrap_or_else(|_| Some(Ok(task.unknown(Reason::Internal("the search panicked".to_string())))))
        })
    }

    fn task<T>(&self, spaces: &Spaces, index: usize, shared: &Shared, turn: Turn, f: impl FnOnce(&Task<'_>) -> T) -> T {
        let (checked, operation) = self.items[index];
        f(&Task {
            arguments: self.arguments,
            ground: &Ground { linked: self.linked, heap: &spaces.heap, statics: &spaces.statics },
            space: &spaces.spaces[index],
            states: spaces.states[index].clone(),
            checked,
            operation,
            halt: self.halt,
            shared,
            turn,
        })
    }
}

/// Why nothing was checked.
pub fn no_thread() -> Diagnostic {
    Diagnostic::error("internal", None, "no thread could be started: is the memory of the process limited?")
}

fn complain(arguments: &Check, sources: &SourceMap, diagnostics: &[Diagnostic]) {
    tell(arguments.color, arguments.quiet, sources, diagnostics);
}

/// Errors and warnings that are printed, at most: what follows from a first mistake helps nobody.
const MOST_DIAGNOSTICS: usize = 50;

/// Diagnostics on standard error.
pub fn tell(color: Color, quiet: bool, sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let paint = Paint { color: wants_color(color, std::io::stderr().is_terminal()) };
    let wanted = |d: &&Diagnostic| d.severity == Severity::Error || !quiet;
    for diagnostic in diagnostics.iter().filter(wanted).take(MOST_DIAGNOSTICS) {
        eprintln!("{}\n", render_diagnostic(sources, diagnostic, paint));
    }
    match diagnostics.iter().filter(wanted).count().saturating_sub(MOST_DIAGNOSTICS) {
        0 => {}
        more => eprintln!("and {more} more like these\n"),
    }
}

/// Bad usage or bad input: all that is wrong with it, and the status for that.
pub fn refused(sources: &SourceMap, problems: &[Diagnostic], is_json: bool, color: Color) -> u8 {
    if is_json {
        let object = report::json::outcome(sources, "error", 2, problems, env!("CARGO_PKG_VERSION"));
        print(&format!("{object:#}\n"));
    } else {
        tell(color, false, sources, problems);
    }
    2
}

pub fn wants_color(color: Color, is_terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}

/// Set if an answer could not be written.
static UNWRITTEN: OnceLock<std::io::Error> = OnceLock::new();

/// Whoever closed the pipe does not want to hear more; whatever else keeps us from writing is told in the end.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(problem) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && problem.kind() != std::io::ErrorKind::BrokenPipe
    {
        let _ = UNWRITTEN.set(problem);
    }
}

/// The status of the process, after everything is printed: nobody got an answer that could not be written.
pub fn status_if_written(status: u8) -> u8 {
    match UNWRITTEN.get() {
        None => status,
        Some(problem) => {
            eprintln!("error: the answer could not be written: {problem}");
            if status == 0 { 3 } else { status }
        }
    }
}
