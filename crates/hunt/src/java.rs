//! Java classes as the comparisons take them: loaded, and each operation asked for at a small size.

use ir::heap::Heap;
use ir::interp::{Linked, run_statics, snapshot};
use ir::space::{Shape, Space, Statics};
use ir::{Checked, Operation};
use search::{GlassBox, Options, Outcome, Strategy, exhaustive};
use std::time::Duration;
use work::with_room;

/// None if the text is refused, with the first reason.
pub fn load(text: &str, class: Option<&str>) -> Result<java::Loaded, String> {
    let mut sources = source::SourceMap::default();
    let file = sources.add("A.java", text);
    let class = class.map(str::to_string);
    let inputs =
        java::Inputs { sources: &mut sources, files: vec![file], library: &java::no_library, class, method: None };
    java::load(inputs).map_err(|problems| problems.first().map_or(String::new(), |p| p.message.clone()))
}

/// A program at one size.
pub struct Subject<'p> {
    linked: &'p Linked<'p>,
    heap: Heap,
    statics: Statics,
    size: i64,
}

impl<'p> Subject<'p> {
    pub fn new(linked: &'p Linked<'p>, size: i64) -> Result<Subject<'p>, String> {
        let heap = run_statics(linked, size).map_err(|stop| format!("static initialisers: {stop:?}"))?;
        Ok(Subject { linked, statics: snapshot(linked, &heap), heap, size })
    }

    /// `verified`, `violated`, or what else both engines say; an error if they do not say the same.
    pub fn answer(&self, checked: &Checked, operation: &Operation) -> Result<String, (String, String)> {
        let program = self.linked.program;
        let space = Space::new(program, checked, operation, self.size, Shape::Complete, &self.statics.objects);
        let space = match space {
            Ok(space) => space,
            Err(problem) => return Ok(problem.message),
        };
        let options = Options {
            size: self.size,
            shape: Shape::Complete,
            strategy: Strategy::Execution,
            limits: symex::Limits::default(),
            stop: work::Stop::after(Duration::from_secs(20)),
            ..Default::default()
        };
        let glass_box =
            with_room(|| GlassBox::new(program, &space, &self.statics, checked, operation, &options).search());
        let exhaustive = exhaustive::search(self.linked, &self.heap, &space, checked, operation, &options).0;
        let glass_box = glass_box.map_or("no thread".to_string(), |o| word(&o));
        let exhaustive = word(&exhaustive);
        if glass_box == exhaustive { Ok(glass_box) } else { Err((glass_box, exhaustive)) }
    }
}

fn word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Verified => "verified".to_string(),
        Outcome::Violated(_) => "violated".to_string(),
        other => format!("{other:?}").chars().take(60).collect(),
    }
}
