//! Random Dminor functions: types with conditions, tests, entities, collections, queries, loops whose order may matter, calls. What the
//! verifier says is compared with the interpreter on random inputs and orders, with the type system, with a second solver, and with Z3
//! under another seed; every counterexample must replay from what is printed; and the interpreter is compared with the translation to Bemol.

#[path = "dminor_functions/maker.rs"]
mod maker;

use crate::{Apart, Found, Kind, found};
use dminor::bemol::{self, Ended, Machine, Reading};
use dminor::generate::Generator;
use dminor::interp::{self, Failure, First, Given, Interp, Random, Stop as Stopped, find_failure};
use dminor::program::FunId;
use dminor::verify::{Answer, Counterexample, Options, Subject, Verdict};
use dminor::{Program, Value};
use drive::programs::{Method, answers};
use source::FileId;
use std::sync::Arc;
use std::time::Duration;
use work::Stop;

pub fn kind() -> Kind {
    Kind {
        name: "dminor-functions",
        about: "Dminor functions: verifier, interpreter, Bemol, type system, two solvers, another seed, replays",
        ci: 16,
        attempt,
    }
}

/// Inputs of each function that is said to be fine, and orders of each input.
const INPUTS: usize = 60;
const ORDERS: usize = 8;

/// Steps for all inputs of a function: one that does not end would take very long.
const STEPS: u64 = 1_000_000;

fn attempt(seed: u64) -> Found {
    let text = maker::program(seed);
    match found(&text, |text| work::on_large_stack(|| compare(text, seed))) {
        Found::Skipped(why) => Found::Skipped(format!("{why}\n{text}")),
        other => other,
    }
}

fn compare(text: &str, seed: u64) -> Result<&'static str, Apart> {
    let loaded = dminor::load(text, FileId(0));
    let Some(program) = loaded.program.map(Arc::new) else {
        return Err(Apart::Skipped(loaded.diagnostics.first().map_or(String::new(), |d| d.message.clone())));
    };
    let solver = smt::find(None, &Stop::default()).map_err(|missing| Apart::Skipped(missing.message))?;
    let options = Options {
        reading: Reading::default(),
        lenient_types: false,
        solver,
        patience: Duration::from_millis(300),
        threads: 1,
        tries: 300,
        certifier: None,
        stop: Stop::default(),
    };
    let found = answers(&program, Method::Conditions, &options);
    for answer in &found {
        match (&answer.verdict, answer.subject) {
            (Verdict::Verified, Subject::Function(id)) if answer.assuming.is_empty() => {
                survives(&program, id, seed, "verifier: verified")?;
            }
            (Verdict::Violated(found), Subject::Function(id)) => replays(&program, id, found)?,
            _ => {}
        }
    }
    in_bemol(&program, seed)?;
    // Each of these costs as much as the verdict: they take turns.
    match seed % 3 {
        0 => {
            let mut other = options.clone();
            other.solver.arguments.push(format!("smt.random_seed={}", seed % 1_000 + 1));
            same(&program, ("Z3", &found), ("Z3 with another seed", &answers(&program, Method::Conditions, &other)))?;
        }
        1 => {
            let certifier =
                smt::another(&options.solver, &Stop::default()).map_err(|missing| Apart::Skipped(missing.message))?;
            let certified = answers(&program, Method::Conditions, &Options { certifier: Some(certifier), ..options });
            same(&program, ("Z3", &found), ("Z3 and cvc5", &certified))?;
        }
        _ => {
            for answer in answers(&program, Method::Types, &options) {
                if let (Verdict::Verified, Subject::Function(id)) = (&answer.verdict, answer.subject)
                    && answer.assuming.is_empty()
                {
                    survives(&program, id, seed + 1, "type system: accepted")?;
                }
            }
        }
    }
    let is = |wanted: fn(&Verdict) -> bool| move |a: &Answer| wanted(&a.verdict);
    Ok(if found.iter().any(is(|v| matches!(v, Verdict::Violated(_)))) {
        "violated"
    } else if found.iter().all(is(|v| matches!(v, Verdict::Verified))) {
        "verified"
    } else {
        "not proved"
    })
}

fn judge() -> interp::Options {
    interp::Options { contracts: true, fuel: Some(20_000), ..interp::Options::default() }
}

fn name(program: &Program, id: FunId) -> &str {
    &program.function(id).name
}

fn shown(arguments: &[Value]) -> String {
    arguments.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

/// No input that is tried makes the function fail.
fn survives(program: &Program, id: FunId, seed: u64, said: &str) -> Result<(), Apart> {
    let mut generator = Generator::new(program, seed.wrapping_mul(31).wrapping_add(7));
    let mut steps = 0;
    for _ in 0..INPUTS {
        if steps + generator.steps.get() > STEPS {
            break;
        }
        let Some(arguments) = generator.arguments(id) else { continue };
        let tried = find_failure(program, &judge(), id, &arguments, ORDERS);
        steps += tried.steps;
        if let Some(failure) = tried.failure {
            let call = format!("{}({}) in order {:?}", name(program, id), shown(&arguments), failure.order);
            return Err(Apart::Disagreed(vec![
                (said.to_string(), name(program, id).to_string()),
                ("interpreter".to_string(), format!("{call}: {}", failure.message())),
            ]));
        }
    }
    Ok(())
}

/// What is printed for a counterexample fails in the same way: the arguments as JSON, the order as numbers.
fn replays(program: &Program, id: FunId, found: &Counterexample) -> Result<(), Apart> {
    let differs = |what: String| {
        let said = format!("{}({}): {}", name(program, id), shown(&found.arguments), found.failure.message());
        Err(Apart::Disagreed(vec![("verifier".to_string(), said), ("replay".to_string(), what)]))
    };
    let mut arguments = Vec::new();
    for value in &found.arguments {
        match dminor::json::parse(&value.to_string(), FileId(0)) {
            Ok(data) => arguments.push(data.value),
            Err(problem) => return differs(problem.message),
        }
    }
    let plain = interp::Options { contracts: false, fuel: None, ..judge() };
    match Interp::new(program, &plain, &mut First).ill_typed(id, &arguments) {
        Ok(None) => {}
        other => return differs(format!("the arguments are not in their types: {other:?}")),
    }
    let mut given = Given::new(found.failure.order.clone());
    let ended = Interp::new(program, &interp::Options { fuel: None, ..judge() }, &mut given).call(id, &arguments);
    if given.is_beyond || given.is_longer() {
        return differs(format!("the order {:?} is not one of the run", found.failure.order));
    }
    let key = |f: &Failure| (f.span, f.message(), f.misfits().len());
    match ended.map_err(|stop| *stop) {
        Err(Stopped::Error(failure)) if key(&failure) == key(&found.failure) => Ok(()),
        Err(Stopped::Error(failure)) => differs(failure.message()),
        Err(Stopped::Limit(limit, _)) => differs(format!("{limit:?}")),
        Ok(value) => differs(format!("the value {value}")),
    }
}

/// The same verdicts.
fn same(program: &Program, one: (&str, &[Answer]), other: (&str, &[Answer])) -> Result<(), Apart> {
    let word = |a: &Answer| match a.verdict {
        Verdict::Verified => "verified",
        Verdict::Violated(_) => "violated",
        Verdict::NotProved(_) | Verdict::Stopped(_) | Verdict::Internal(_) => "not proved",
    };
    for (a, b) in one.1.iter().zip(other.1) {
        if word(a) != word(b) {
            let of = match a.subject {
                Subject::Type(id) => format!("type {}", program.named(id).name),
                Subject::Function(id) => name(program, id).to_string(),
            };
            let said = |way: &str, a: &Answer| (way.to_string(), format!("{of} is {}: {:?}", word(a), a.verdict));
            return Err(Apart::Disagreed(vec![said(one.0, a), said(other.0, b)]));
        }
    }
    Ok(())
}

/// The translation of each function ends as the function does (Theorem 2 of the paper).
fn in_bemol(program: &Program, seed: u64) -> Result<(), Apart> {
    let translated = bemol::translate(program, Reading::default());
    for k in 0..program.functions.len() as u32 {
        let id = FunId(k);
        let mut generator = Generator::new(program, seed ^ u64::from(k) << 8);
        for input in 0..12 {
            let arguments = match input % 4 {
                3 => Some(program.function(id).parameters.iter().map(|_| generator.any(2)).collect()),
                _ => generator.arguments(id),
            };
            let Some(arguments) = arguments else { continue };
            // Loops in types are run with choices by the one and without by the other.
            let is_random = program.obligations.is_empty() && input % 2 == 1;
            let mut first = First;
            let mut random = Random::new(input);
            let here = {
                let chooser: &mut dyn interp::Chooser = if is_random { &mut random } else { &mut first };
                Interp::new(program, &judge(), chooser).call(id, &arguments)
            };
            let mut random = Random::new(input);
            let there = {
                let chooser: &mut dyn interp::Chooser = if is_random { &mut random } else { &mut first };
                Machine::new(&translated, chooser, 200_000).call(id, &arguments)
            };
            let here = match here.map_err(|stop| *stop) {
                Ok(value) => value.to_string(),
                Err(Stopped::Error(_)) => "Error".to_string(),
                Err(Stopped::Limit(..)) => break,
            };
            let there = match there {
                Ok(value) => value.to_string(),
                Err(Ended::Error { .. }) => "Error".to_string(),
                Err(Ended::Limit) => continue,
                Err(Ended::Diverges) => "an expression is bottom".to_string(),
            };
            if here != there {
                let call = format!("{}({})", name(program, id), shown(&arguments));
                return Err(Apart::Disagreed(vec![
                    (format!("interpreter on {call}"), here),
                    ("Bemol".to_string(), there),
                ]));
            }
        }
    }
    Ok(())
}
