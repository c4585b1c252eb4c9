//! What the tests of this crate share: a Java source in, what each engine answers about each operation out.

use ir::check::Judgement;
use ir::heap::Heap;
use ir::interp::{Limits, Linked, run_statics, snapshot};
use ir::space::{Concrete, Shape, Space, Statics};
use ir::{Checked, Operation, OperationKind};
use search::{Counts, GlassBox, Observed, Observer, Options, Outcome, Strategy, exhaustive, search_models};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verdict::heap::Kind;
use work::with_room;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    GlassBox,
    Models,
    Exhaustive,
}

impl Engine {
    pub const ALL: [Engine; 3] = [Engine::GlassBox, Engine::Exhaustive, Engine::Models];
}

/// An answer, as far as engines must agree on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Verified,
    /// With the kinds that the replay finds.
    Violated(Vec<Kind>),
    NoState,
    AllDropped,
    /// A limit was hit, or the run never ends.
    Endless,
    Unsupported(String),
    Other(String),
}

impl Answer {
    /// Engines may find different violations, never disagree on whether there is one.
    pub fn agrees(&self, other: &Answer) -> bool {
        match (self, other) {
            (Answer::Violated(_), Answer::Violated(_)) => true,
            (Answer::Unsupported(_), Answer::Unsupported(_)) => true,
            _ => self == other,
        }
    }
}

/// A loaded program at one size.
pub struct Subject<'p> {
    pub linked: &'p Linked<'p>,
    pub heap: Heap,
    pub statics: Arc<Statics>,
    pub size: i64,
    pub shape: Shape,
    pub steps: u64,
    /// Until an engine is told to give up, which fails the test.
    pub seconds: u64,
    /// Threads beside the search.
    pub beside: usize,
}

/// Loads a class; None if it is refused. What is made to check an abstraction by itself is left out: there are very many pairs and triples.
pub fn load(text: &str) -> Result<java::Loaded, String> {
    let mut loaded = load_all(text)?;
    loaded.checked.retain(|c| !loaded.modules.iter().any(|m| m.made.contains(&c.class)));
    Ok(loaded)
}

pub fn load_all(text: &str) -> Result<java::Loaded, String> {
    let mut sources = source::SourceMap::default();
    let file = sources.add("Subject.java", text);
    let inputs = java::Inputs::new(&mut sources, vec![file]);
    java::load(inputs).map_err(|problems| {
        problems
            .iter()
            .map(|p| format!("{:?} {}", p.span.map(|s| sources.start(s)), p.message))
            .collect::<Vec<_>>()
            .join("\n")
    })
}

impl<'p> Subject<'p> {
    pub fn new(linked: &'p Linked<'p>, size: i64) -> Subject<'p> {
        let heap = run_statics(linked, size).expect("static initialisers that run");
        let statics = Arc::new(snapshot(linked, &heap));
        Subject { linked, heap, statics, size, shape: Shape::Complete, steps: 1_000_000, seconds: 20, beside: 0 }
    }

    pub fn space(&self, checked: &Checked, operation: &Operation) -> Arc<Space> {
        let space = Space::new(self.linked.program, checked, operation, self.size, self.shape, &self.statics.objects);
        Arc::new(space.unwrap_or_else(|d| panic!("no space: {}", d.message)))
    }

    pub fn options(&self) -> Options {
        let limits = symex::Limits { steps: self.steps, ..symex::Limits::default() };
        Options {
            size: self.size,
            shape: self.shape,
            strategy: Strategy::Execution,
            certify: true,
            limits,
            stop: work::Stop::after(std::time::Duration::from_secs(self.seconds)),
            beside: Arc::new(self.beside.into()),
            progress: Default::default(),
            rein: None,
            observe: None,
        }
    }

    pub fn search(&self, engine: Engine, checked: &Checked, operation: &Operation) -> (Outcome, Counts) {
        self.search_with(self.options(), engine, checked, operation)
    }

    fn search_with(
        &self,
        options: Options,
        engine: Engine,
        checked: &Checked,
        operation: &Operation,
    ) -> (Outcome, Counts) {
        let space = self.space(checked, operation);
        let (program, statics) = (self.linked.program, &self.statics);
        match engine {
            Engine::GlassBox => {
                let search = || {
                    let mut glass_box = GlassBox::new(program, &space, statics, checked, operation, &options);
                    (glass_box.search(), glass_box.counts)
                };
                with_room(search).expect("a thread")
            }
            Engine::Models => {
                let search = || search_models(program, &space, statics, checked, operation, &options);
                with_room(search).expect("a thread")
            }
            Engine::Exhaustive => exhaustive::search(self.linked, &self.heap, &space, checked, operation, &options),
        }
    }

    /// The engine's answer; a counterexample is replayed, and what does not replay fails the test.
    pub fn ask(&self, engine: Engine, checked: &Checked, operation: &Operation) -> Answer {
        self.observe(engine, checked, operation).0
    }

    /// With what it saw on the way.
    pub fn observe(&self, engine: Engine, checked: &Checked, operation: &Operation) -> (Answer, Observed) {
        let method = checked.operations.iter().find(|o| o.kind == OperationKind::Method);
        let states = method.filter(|_| operation.kind == OperationKind::Constructor);
        let observer = Observer::new(states.map(|m| self.space(checked, m)));
        let options = Options { observe: Some(observer.clone()), ..self.options() };
        (self.answer(options, engine, checked, operation), observer.observed())
    }

    fn answer(&self, options: Options, engine: Engine, checked: &Checked, operation: &Operation) -> Answer {
        let search = || self.search_with(options, engine, checked, operation).0;
        // A panic is an answer too, the worst one.
        let Ok(outcome) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search)) else {
            return Answer::Other(format!("{engine:?} panics"));
        };
        match outcome {
            Outcome::Verified => Answer::Verified,
            Outcome::NoState => Answer::NoState,
            Outcome::AllDropped => Answer::AllDropped,
            Outcome::Violated(concrete) => match self.replay(&concrete, checked, operation) {
                Judgement::Violated(violations) if violations[0].kind == Kind::Divergence => Answer::Endless,
                Judgement::Violated(violations) => Answer::Violated(violations.iter().map(|v| v.kind).collect()),
                Judgement::Unknown(_) => Answer::Endless,
                other => Answer::Other(format!("{engine:?}: does not replay: {other:?}: {concrete:?}")),
            },
            Outcome::Stopped(symex::Stop::Steps(_)) => Answer::Endless,
            Outcome::Stopped(symex::Stop::Unsupported(diagnostic)) => Answer::Unsupported(diagnostic.message.clone()),
            other => Answer::Other(format!("{engine:?}: {other:?}")),
        }
    }

    fn replay(&self, concrete: &Concrete, checked: &Checked, operation: &Operation) -> Judgement {
        let space = self.space(checked, operation);
        let limits = Limits { steps: self.steps, ..Limits::default() };
        let run = || {
            let replay = ir::replay::replay(self.linked, &self.heap, &space, concrete, checked, operation, limits);
            replay.judgement
        };
        with_room(run).expect("a thread")
    }
}

/// The examples of the repository; seeded bugs as well. Of those with an abstraction one is enough here: the command's tests run them all.
pub fn examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java"), &mut found);
    let more = ["clients", "languages", "map-hash", "set-tree", "set-hash", "queue-array", "heap-queue", "stack-array"];
    found.retain(|p| !p.components().any(|c| more.iter().any(|m| c.as_os_str() == *m)));
    let is_one_of_many = |p: &PathBuf| {
        let path = p.display().to_string();
        path.contains("map-tree/bugs") && !path.contains("/01-") && !path.contains("/06-")
    };
    found.retain(|p| !is_one_of_many(p));
    found.sort();
    assert!(!found.is_empty());
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "java") {
            found.push(path);
        }
    }
}
