//! Java classes as the comparisons take them: loaded, and each operation asked for at a small size.

use ir::interp::Linked;
use ir::space::Shape;
use ir::{Checked, Operation};
use search::{Options, Outcome, Session, Strategy};
use std::time::Duration;
use work::with_room;

/// None if the text is refused, with the first reason.
pub fn load(text: &str, class: Option<&str>) -> Result<java::Loaded, String> {
    let mut sources = source::SourceMap::default();
    let file = sources.add("A.java", text);
    let class = class.map(str::to_string);
    let inputs = java::Inputs { class, ..java::Inputs::new(&mut sources, vec![file]) };
    java::load(inputs).map_err(|problems| problems.first().map_or(String::new(), |p| p.message.clone()))
}

/// A program at one size.
pub struct Subject<'p>(Session<'p>);

impl<'p> Subject<'p> {
    pub fn new(linked: &'p Linked<'p>, size: i64) -> Result<Subject<'p>, String> {
        Session::new(linked, size).map(Subject).map_err(|stop| format!("static initialisers: {stop:?}"))
    }

    /// `verified`, `violated`, or what else both engines say; an error if they do not say the same.
    pub fn answer(&self, checked: &Checked, operation: &Operation) -> Result<String, (String, String)> {
        let session = &self.0;
        let space = match session.space(checked, operation, Shape::Complete) {
            Ok(space) => space,
            Err(problem) => return Ok(problem.message),
        };
        let options = Options {
            size: session.size,
            shape: Shape::Complete,
            strategy: Strategy::Execution,
            limits: symex::Limits::default(),
            stop: work::Stop::after(Duration::from_secs(20)),
            ..Default::default()
        };
        let glass_box = with_room(|| session.search(&space, checked, operation, &options).0);
        let one_by_one = Options { strategy: Strategy::Exhaustive, ..options };
        let exhaustive = session.search(&space, checked, operation, &one_by_one).0;
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
