//! Loads a module and asks the engine about its operations.

use hob::bounded::{Task, space, translate, witness};
use hob::{FileKind, Input, Program};
use ir::interp::{Linked, run_statics, snapshot};
use search::{GlassBox, Options, Outcome};
use source::SourceMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use work::with_room;

/// The texts of a module: `.fl`, `.sl`, `.al`.
pub fn texts(module: &str) -> [String; 3] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    ["fl", "sl", "al"].map(|end| {
        let path = folder.join(format!("{module}.{end}"));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    })
}

/// Whether there is nothing wrong with the texts.
pub fn loads(texts: &[String; 3]) -> bool {
    try_load(texts).is_ok()
}

pub fn load(texts: &[String; 3]) -> Program {
    try_load(texts).unwrap_or_else(|told| panic!("{told}"))
}

fn try_load(texts: &[String; 3]) -> Result<Program, String> {
    let mut sources = SourceMap::default();
    let kinds = [FileKind::Implementation, FileKind::Specification, FileKind::Abstraction];
    let names = ["module.fl", "module.sl", "module.al"];
    let files: Vec<_> = names.iter().zip(texts).map(|(name, text)| sources.add(*name, text.clone())).collect();
    let inputs: Vec<Input> = files
        .iter()
        .zip(kinds)
        .zip(texts)
        .map(|((&file, kind), text)| Input { file, kind, text: text.as_str() })
        .collect();
    let loaded = hob::load(&inputs);
    let told: Vec<String> = loaded
        .diagnostics
        .iter()
        .map(|d| format!("{:?} {}", d.span.map(|s| (names[s.file.0 as usize], sources.start(s))), d.message))
        .collect();
    loaded.program.ok_or_else(|| told.join("\n"))
}

#[derive(Debug)]
pub enum Answer {
    Verified,
    Refuted(Box<witness::Confirmed>),
    NoState,
    Other(String),
}

pub struct Subject {
    pub program: Program,
    pub task: Task,
}

impl Subject {
    pub fn new(texts: &[String; 3]) -> Subject {
        let program = load(texts);
        let task = {
            let (module, plugin_use) = program
                .modules
                .iter()
                .enumerate()
                .find_map(|(i, m)| Some((i, m.plugins.iter().find(|p| p.checker == hob::program::Checker::Bounded)?)))
                .expect("a module with the plugin");
            translate(&program, hob::program::ModuleId(module as u32), plugin_use).unwrap_or_else(|e| panic!("{e:?}"))
        };
        Subject { program, task }
    }

    pub fn operations(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        (0..self.task.subjects.len()).map(|i| (i, self.task.name(&self.program, i)))
    }

    /// The answer and the number of states run.
    pub fn ask(&self, operation: usize, n: i64) -> (Answer, u64) {
        ask(&self.program, &self.task, operation, n, None)
    }
}

/// The answer and the number of states run, within some time.
pub fn ask(hob: &Program, task: &Task, operation: usize, n: i64, time: Option<Duration>) -> (Answer, u64) {
    let deadline = time.map(|time| Instant::now() + time);
    with_room(|| ask_here(hob, task, operation, n, deadline)).expect("a thread")
}

fn ask_here(hob: &Program, task: &Task, operation: usize, n: i64, deadline: Option<Instant>) -> (Answer, u64) {
    let (program, checked) = (&task.program, &task.checked);
    let linked = Linked::new(program);
    let heap = run_statics(&linked, n).expect("no initialisers");
    let statics = Arc::new(snapshot(&linked, &heap));
    let space = Arc::new(space::space(hob, task, operation, n));
    let options = Options {
        size: n,
        shape: ir::space::Shape::Complete,
        strategy: search::Strategy::Execution,
        certify: false,
        limits: symex::Limits { steps: 20_000, depth: 500, ..Default::default() },
        stop: work::Stop::default().until(deadline),
        beside: Arc::default(),
        progress: Arc::default(),
        rein: None,
        observe: None,
    };
    let described = &checked.operations[operation];
    let mut glass_box = GlassBox::new(program, &space, &statics, checked, described, &options);
    let outcome = glass_box.search();
    let answer = match outcome {
        Outcome::Verified => Answer::Verified,
        Outcome::Violated(found) => match witness::confirm(hob, task, operation, &space, &found) {
            Ok(found) => Answer::Refuted(Box::new(found)),
            Err(why) => Answer::Other(format!("{why:?} {found:?}")),
        },
        Outcome::NoState => Answer::NoState,
        other => Answer::Other(format!("{other:?}")),
    };
    (answer, glass_box.counts.states_run)
}
