//! Inputs from what the solver takes for a model (docs/dminor.md, "Inputs that fail"): a hint, no more. The interpreter decides.

use super::logic::Logic;
use super::prove::{Query, Solver};
use super::term::{Sort, Term, Terms, Val};
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
pub(super) fn arguments(logic: &Logic, query: &Query, constants: &[Term], solver: &mut Solver) -> Option<Vec<Value>> {
    let mut model = Model { t: logic.terms, labels: logic.labels(), asked: Vec::new(), answers: HashMap::new() };
    constants.iter().for_each(|constant| model.ask(*constant, DEEPEST));
    model.asked.truncate(MOST_TERMS);
    let texts: Vec<String> = model.asked.iter().map(|term| logic.terms.printed(*term)).collect();
    // One answer may go over several lines.
    let answers = parse(&format!("({})", solver.values(query, &texts).join(" ")))?;
    let answers = answers.list().filter(|all| all.len() == texts.len())?;
    let value = |pair: &Sexpr| match pair.list() {
        Some([Sexpr::List(pair)]) => pair.get(1).cloned(),
        _ => None,
    };
    let pairs = model.asked.iter().zip(answers);
    model.answers = pairs.filter_map(|(term, answer)| Some((*term, value(answer)?))).collect();
    constants.iter().map(|constant| model.read(*constant, DEEPEST)).collect()
}

struct Model<'a> {
    t: &'a Terms,
    labels: &'a [Label],
    asked: Vec<Term>,
    answers: HashMap<Term, Sexpr>,
}

impl Model<'_> {
    fn size(&self, term: Term) -> Term {
        self.t.card(Val::Any(term).payload(Sort::Coll, self.t))
    }

    /// Whether there is a field of this label, and the field.
    fn field(&self, term: Term, label: usize) -> (Term, Term) {
        let (ent, label) = (Val::Any(term).payload(Sort::Ent, self.t), self.t.number(label));
        (self.t.has(ent, label), self.t.dot(ent, label))
    }

    fn ask(&mut self, term: Term, depth: usize) {
        self.asked.extend([term, self.size(term)]);
        if depth > 0 && self.asked.len() < MOST_TERMS {
            for label in 0..self.labels.len() {
                let (has, field) = self.field(term, label);
                self.asked.push(has);
                self.ask(field, depth - 1);
                if self.asked.len() >= MOST_TERMS {
                    break;
                }
            }
        }
    }

    fn read(&self, term: Term, depth: usize) -> Option<Value> {
        let answer = self.answers.get(&term)?;
        if answer.atom() == Some("VNull") {
            return Some(Value::Null);
        }
        let [Sexpr::Atom(constructor), payload] = answer.list()? else { return None };
        match (constructor.as_str(), payload) {
            ("VInt", payload) => integer(payload).map(Value::Integer),
            ("VBool", Sexpr::Atom(truth)) => Some(Value::Logical(truth == "true")),
            ("VText", Sexpr::Text(text)) => Some(Value::Text(text.as_str().into())),
            ("VColl", _) => {
                let count = integer(self.answers.get(&self.size(term))?)?;
                (count == BigInt::from(0)).then(|| Value::collection(Vec::new()))
            }
            ("VEnt", _) => {
                let mut fields: Vec<(Label, Value)> = Vec::new();
                for (k, label) in self.labels.iter().enumerate() {
                    let (has, field) = self.field(term, k);
                    if self.answers.get(&has).and_then(Sexpr::atom) == Some("true") && depth > 0 {
                        fields.push((label.clone(), self.read(field, depth - 1)?));
                    }
                }
                Some(Value::Entity(Arc::new(fields.into_iter().collect())))
            }
            _ => None,
        }
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
