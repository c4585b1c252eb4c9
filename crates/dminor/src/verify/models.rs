//! Inputs from what the solver takes for a model (DMINOR.md, 8.6): a hint, no more. The interpreter decides.

use super::logic::Logic;
use super::prove::{Query, Solver};
use crate::value::{Label, Value};
use num_bigint::BigInt;
use smt::{Sexpr, parse};
use std::collections::HashMap;
use std::sync::Arc;

/// Terms that are asked for at once.
const MOST_TERMS: usize = 400;

/// Entities within entities.
const DEEPEST: usize = 2;

/// A value for each of these constants, as far as the model says: members of collections it does not tell.
pub(super) fn arguments(logic: &Logic, query: &Query, constants: &[String], solver: &mut Solver) -> Option<Vec<Value>> {
    let labels = logic.labels();
    let mut terms = Vec::new();
    constants.iter().for_each(|constant| ask(constant, labels.len(), DEEPEST, &mut terms));
    terms.truncate(MOST_TERMS);
    let told = solver.values(query, &terms);
    // One answer may go over several lines.
    let told = parse(&format!("({})", told.join(" ")))?;
    let told = told.list().filter(|all| all.len() == terms.len())?;
    let value = |pair: &Sexpr| match pair.list() {
        Some([Sexpr::List(pair)]) => pair.get(1).cloned(),
        _ => None,
    };
    let pairs = terms.iter().zip(told).filter_map(|(term, told)| Some((term.as_str(), value(told)?)));
    let answers: HashMap<&str, Sexpr> = pairs.collect();
    constants.iter().map(|constant| read(constant, labels, DEEPEST, &answers)).collect()
}

fn ask(term: &str, labels: usize, depth: usize, out: &mut Vec<String>) {
    out.push(term.to_string());
    out.push(format!("(card (cval {term}))"));
    if depth > 0 {
        for label in 0..labels {
            out.push(format!("(has (eval {term}) {label})"));
            ask(&format!("(dot (eval {term}) {label})"), labels, depth - 1, out);
        }
    }
}

fn read(term: &str, labels: &[Label], depth: usize, answers: &HashMap<&str, Sexpr>) -> Option<Value> {
    let told = answers.get(term)?;
    if told.atom() == Some("VNull") {
        return Some(Value::Null);
    }
    let [Sexpr::Atom(constructor), payload] = told.list()? else { return None };
    match (constructor.as_str(), payload) {
        ("VInt", payload) => integer(payload).map(Value::Integer),
        ("VBool", Sexpr::Atom(truth)) => Some(Value::Logical(truth == "true")),
        ("VText", Sexpr::Text(text)) => Some(Value::Text(text.as_str().into())),
        ("VColl", _) => {
            let count = integer(answers.get(format!("(card (cval {term}))").as_str())?)?;
            (count == BigInt::from(0)).then(|| Value::collection(Vec::new()))
        }
        ("VEnt", _) => {
            let mut fields: Vec<(Label, Value)> = Vec::new();
            for (k, label) in labels.iter().enumerate() {
                let has = answers.get(format!("(has (eval {term}) {k})").as_str());
                if has.and_then(Sexpr::atom) == Some("true") && depth > 0 {
                    fields
                        .push((label.clone(), read(&format!("(dot (eval {term}) {k})"), labels, depth - 1, answers)?));
                }
            }
            Some(Value::Entity(Arc::new(fields.into_iter().collect())))
        }
        _ => None,
    }
}

fn integer(told: &Sexpr) -> Option<BigInt> {
    match told {
        Sexpr::Atom(digits) => digits.parse().ok(),
        Sexpr::List(parts) => match &parts[..] {
            [Sexpr::Atom(minus), inner] if minus == "-" => integer(inner).map(|n| -n),
            _ => None,
        },
        Sexpr::Text(_) => None,
    }
}
