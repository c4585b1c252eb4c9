//! Small class hierarchies and random histories of calls: what goes wrong in a history, on a state within the bounds, is
//! found by the check of that operation, or the check says that it left something out.
//!
//! The histories call whatever Java lets another class of the package call, whether the front-end takes it for an
//! operation or not; they are methods of a class `Driver` that the interpreter runs. It is told which call failed by a
//! static field. The engines are compared with each other on the way.

mod make;

use crate::java::{Subject, load};
use crate::{Apart, Found, Kind, found};
use ir::Value;
use ir::interp::{Interp, Linked, NoChoice, Outcome, run_statics};
use make::{Callee, Made};
use std::collections::BTreeMap;
use work::with_room;

/// The size of every check: classes have up to three objects, integers are 0 to 2.
const SIZE: i64 = 3;

pub fn kind() -> Kind {
    Kind {
        name: "java-histories",
        about: "class hierarchies with inner classes, static state, methods for the package, exceptions; histories of calls against the checks",
        ci: 20,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    let made = make::make(seed);
    let text = format!("{}{}\n{}", made.class, make::MARK, made.driver);
    found(&text, |text| match text.split_once(make::MARK) {
        Some((class, driver)) => compare(class, driver, &made),
        None => Err(Apart::Skipped("no driver".to_string())),
    })
}

/// What the checks say of an operation, and what they leave out.
struct Answer {
    said: String,
    left_out: Vec<&'static str>,
}

fn compare(class: &str, driver: &str, made: &Made) -> Result<&'static str, Apart> {
    let failures = run_histories(class, driver).map_err(Apart::Skipped)?;
    let loaded = load(class, None).map_err(Apart::Skipped)?;
    let linked = Linked::new(&loaded.program);
    let subject = Subject::new(&linked, SIZE).map_err(Apart::Skipped)?;
    let mut answers: BTreeMap<(String, String), Answer> = BTreeMap::new();
    for checked in &loaded.checked {
        for operation in &checked.operations {
            let class = loaded.program.class(checked.class).name.clone();
            match subject.answer(checked, operation) {
                Ok(said) => {
                    let left_out = operation.left_out.iter().map(|l| l.id).collect();
                    answers.insert((class, operation.name.clone()), Answer { said, left_out });
                }
                Err((glass_box, exhaustive)) => {
                    let of = |engine: &str| format!("{engine} on {class}.{}", operation.name);
                    return Err(Apart::Disagreed(vec![(of("glass box"), glass_box), (of("exhaustive"), exhaustive)]));
                }
            }
        }
    }
    for &failed in &failures {
        let Some(Callee { class, name }) = made.callees.get(failed) else { continue };
        let said = match answers.get(&(class.clone(), name.clone())) {
            Some(answer) if answer.said != "verified" || !answer.left_out.is_empty() => continue,
            Some(_) => "verified, nothing left out",
            // What is no operation is at least spoken of.
            None if answers.values().any(|a| !a.left_out.is_empty()) => continue,
            None => "no operation, nothing left out",
        };
        let history = ("a history".to_string(), format!("{class}.{name} goes wrong"));
        return Err(Apart::Disagreed(vec![history, ("the check".to_string(), said.to_string())]));
    }
    Ok(if failures.is_empty() { "fine" } else { "wrong" })
}

/// The calls that go wrong, by their numbers in the driver.
fn run_histories(class: &str, driver: &str) -> Result<Vec<usize>, String> {
    // Here static fields have the values that calls give them.
    let class = class.replace("@Varies ", "");
    let loaded = load(&format!("{class}\n{driver}"), Some("Driver"))?;
    let linked = Linked::new(&loaded.program);
    let statics = run_statics(&linked, SIZE).map_err(|stop| format!("static initialisers: {stop:?}"))?;
    let at = loaded.program.fields.iter().position(|f| f.name == "at").ok_or("a driver without `at`")?;
    let at = ir::FieldId(at as u32);
    let mut failures = Vec::new();
    for operation in loaded.checked.iter().flat_map(|c| &c.operations) {
        let outcome = with_room(|| {
            let mut interp = Interp::new(&linked, statics.clone(), NoChoice, SIZE);
            let outcome = interp.run_virtual(operation.method, &[]);
            (outcome, interp.heap.get_static(&linked.layout, at))
        });
        match outcome.map_err(|e| e.to_string())? {
            (Outcome::Threw(_), Some(Value::Int(at))) => failures.push(at as usize),
            (Outcome::Normal(_), _) => {}
            (outcome, _) => return Err(format!("a history ends in {outcome:?}")),
        }
    }
    failures.sort_unstable();
    failures.dedup();
    Ok(failures)
}
