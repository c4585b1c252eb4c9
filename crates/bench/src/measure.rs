//! Loads a subject and takes its figures.

use ir::interp::Linked;
use ir::space::Shape;
use java::{Inputs, Loaded};
use search::{Outcome, Session, Strategy};
use source::{Diagnostic, SourceMap};
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    GlassBox,
    Models,
    Exhaustive,
}

/// Summed up over the operations.
pub struct Measured {
    pub states: u64,
    pub seconds: f64,
    /// False if a limit was hit: the figures are what was reached.
    pub is_over: bool,
}

pub struct Subject {
    loaded: Loaded,
    /// Seconds to find, parse, resolve and lower it.
    pub start_up: f64,
}

impl Subject {
    /// The path is below `examples/java`.
    pub fn load(path: &str) -> Result<Subject, String> {
        Subject::load_all(&[path])
    }

    /// Several files.
    pub fn load_all(paths: &[&str]) -> Result<Subject, String> {
        Subject::of(paths, None, &[])
    }

    /// One class of several files, with classes replaced.
    pub fn load_class(paths: &[&str], class: &str, replace: &[(String, String)]) -> Result<Subject, String> {
        Subject::of(paths, Some(class.to_string()), replace)
    }

    fn of(paths: &[&str], class: Option<String>, replace: &[(String, String)]) -> Result<Subject, String> {
        let mut sources = SourceMap::default();
        let mut files = Vec::new();
        for path in paths {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java").join(path);
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            files.push(sources.add(path.display().to_string(), text));
        }
        let start = Instant::now();
        let inputs = Inputs { class, replace: replace.to_vec(), ..Inputs::new(&mut sources, files) };
        Subject::from(java::load(inputs), start)
    }

    /// A class of an installed JDK, with the specification that comes with the command.
    pub fn load_spec(class: &str, abstraction: bool) -> Result<Subject, String> {
        let start = Instant::now();
        let (name, text) = java::specs::find(class).map_err(|d| d.message)?;
        let mut sources = SourceMap::default();
        let files = vec![sources.add(name, text)];
        let library = library::Library::default();
        let find = |class: &str| library.find(class);
        let beside = |class: &str| library.beside(class);
        let inputs = Inputs { library: &find, beside: &beside, abstraction, ..Inputs::new(&mut sources, files) };
        Subject::from(java::load(inputs), start)
    }

    fn from(loaded: Result<Loaded, Vec<Diagnostic>>, start: Instant) -> Result<Subject, String> {
        let loaded = loaded.map_err(|problems| problems.first().map_or(String::new(), |p| p.message.clone()))?;
        Ok(Subject { loaded, start_up: start.elapsed().as_secs_f64() })
    }

    /// Whether it is compared with an abstraction.
    pub fn is_module(&self) -> bool {
        !self.loaded.modules.is_empty()
    }

    pub fn operations(&self) -> usize {
        self.loaded.checked.iter().map(|c| c.operations.len()).sum()
    }

    /// The least size, of these, at which it is violated; an error if a limit (in seconds) is reached before.
    pub fn smallest(&self, sizes: std::ops::RangeInclusive<i64>, limit: f64) -> Result<Option<i64>, String> {
        let linked = Linked::new(&self.loaded.program);
        for n in sizes {
            let deadline = Some(Instant::now() + Duration::from_secs_f64(limit));
            let session = Session::new(&linked, n).map_err(|stop| format!("{stop:?}"))?;
            for (checked, operation) in
                self.loaded.checked.iter().flat_map(|c| c.operations.iter().map(move |o| (c, o)))
            {
                let space = session.space(checked, operation, Shape::Complete).map_err(|d| d.message)?;
                match session.search(&space, checked, operation, &options(n, Engine::GlassBox, deadline)).0 {
                    Outcome::Violated(_) => return Ok(Some(n)),
                    Outcome::Verified | Outcome::AllDropped | Outcome::NoState => {}
                    other => return Err(format!("at {n}: {other:?}")),
                }
            }
        }
        Ok(None)
    }

    /// An error if anything but "verified" comes out within the limit (in seconds).
    pub fn measure(&self, n: i64, engine: Engine, limit: Option<f64>) -> Result<Measured, String> {
        self.measure_some(n, engine, limit, |_| true)
    }

    /// The same of some operations, by their names.
    pub fn measure_some(
        &self,
        n: i64,
        engine: Engine,
        limit: Option<f64>,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Measured, String> {
        let start = Instant::now();
        let deadline = limit.map(|s| start + Duration::from_secs_f64(s));
        let linked = Linked::new(&self.loaded.program);
        let session = Session::new(&linked, n).map_err(|stop| format!("{stop:?}"))?;
        let mut measured = Measured { states: 0, seconds: 0.0, is_over: true };
        let alone = Session::new(&linked, n.min(drive::classes::ALONE)).map_err(|stop| format!("{stop:?}"))?;
        for checked in &self.loaded.checked {
            let is_made = self.loaded.modules.iter().any(|m| m.made.contains(&checked.class));
            let (session, n) = if is_made { (&alone, n.min(drive::classes::ALONE)) } else { (&session, n) };
            let operations: Vec<_> = checked.operations.iter().filter(|o| is_wanted(&o.name)).collect();
            // All of them first: what they have in common is translated once.
            let spaces = operations.iter().map(|operation| session.space(checked, operation, Shape::Complete));
            let spaces = spaces.collect::<Result<Vec<_>, _>>().map_err(|d| d.message)?;
            for (operation, space) in operations.into_iter().zip(spaces) {
                let (outcome, counts) = session.search(&space, checked, operation, &options(n, engine, deadline));
                measured.states += counts.states_run;
                match outcome {
                    // At size 1 every well-typed expression is a value.
                    Outcome::Verified | Outcome::AllDropped => {}
                    _ if deadline.is_some_and(|d| Instant::now() >= d) => {
                        measured.is_over = false;
                        break;
                    }
                    other => return Err(format!("{} at {n}: {other:?}", operation.name)),
                }
            }
        }
        measured.seconds = start.elapsed().as_secs_f64();
        Ok(measured)
    }
}

fn options(n: i64, engine: Engine, deadline: Option<Instant>) -> search::Options {
    let strategy = match engine {
        Engine::GlassBox => Strategy::Execution,
        Engine::Models => Strategy::Models,
        Engine::Exhaustive => Strategy::Exhaustive,
    };
    search::Options {
        size: n,
        shape: Shape::Complete,
        strategy,
        certify: false,
        limits: symex::Limits::default(),
        stop: work::Stop::default().until(deadline),
        beside: Default::default(),
        progress: Default::default(),
        rein: None,
        observe: None,
    }
}
