//! Looking for an input that fails: what the solver hints at, and random ones of the parameter types, judged by the interpreter over the orders of members, and made
//! as small as it gets. What is found here is a fact, whatever the solver says.

use super::{Options, Subject};
use crate::bemol::Reading;
use crate::generate::Generator;
use crate::interp::{self, Failure, First, Interp, Stop, find_failure};
use crate::program::*;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cell::Cell;
use std::sync::Arc;

/// Arguments within the types of the parameters (of a type: a value that is tested), and how they fail.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub subject: Subject,
    pub arguments: Vec<Value>,
    pub failure: Failure,
}

impl Counterexample {
    /// `total([{"price": 3}])`, or of a type `{"a": 1} in Order`.
    pub fn call(&self, program: &Program) -> String {
        let values: Vec<String> = self.arguments.iter().map(Value::to_string).collect();
        let (name, values) = (self.subject.name(program), values.join(", "));
        match self.subject {
            Subject::Function(_) => format!("{name}({values})"),
            Subject::Type(_) => format!("{values} in {name}"),
        }
    }

    /// The command that makes the function fail in the same way, in this file, for a shell. There is none for a type.
    pub fn replay(&self, program: &Program, file: &str, reading: Reading) -> Option<String> {
        let Subject::Function(id) = self.subject else { return None };
        let mut command = "glassbox run --contracts".to_string();
        for (is_on, flag) in
            [(reading.strict_type_tests, " --strict-type-tests"), (reading.strict_ops, " --strict-ops")]
        {
            command.push_str(if is_on { flag } else { "" });
        }
        if !self.failure.order.is_empty() {
            let order: Vec<String> = self.failure.order.iter().map(usize::to_string).collect();
            command.push_str(&format!(" --order {}", order.join(",")));
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
        let file = if file.starts_with('-') { format!("./{file}") } else { file.to_string() };
        let file = if !file.is_empty() && file.chars().all(is_plain) { file } else { quoted(&file) };
        command.push_str(&format!(" {file} {}", program.function(id).name));
        for value in &self.arguments {
            command.push_str(&format!(" {}", quoted(&value.to_string())));
        }
        Some(command)
    }
}

/// For a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Orders of members that are tried for one input.
const MOST_ORDERS: usize = 12;

/// Steps of the interpreter for one second of patience.
const STEPS_PER_SECOND: f64 = 20e6;

/// Attempts at making an input smaller.
const MOST_SHRINKING: usize = 1_500;

pub fn refute(
    program: &Program,
    subject: Subject,
    options: &Options,
    hints: &[Vec<Value>],
    tries: usize,
) -> Option<Counterexample> {
    if options.stop.is_due() {
        return None;
    }
    let judge = Judge { program, subject, options: judging(options), steps: Cell::new(0) };
    for arguments in hints {
        if let Some(failure) = judge.fails(arguments) {
            return Some(judge.shrink(arguments.clone(), failure));
        }
    }
    let mut generator = Generator::new(program, 0x5eed).until(&options.stop);
    // A function that does not end would be tried for very long. Steps, not seconds: the verdict must not depend on the load.
    let most = (options.patience.as_secs_f64() * STEPS_PER_SECOND) as u64;
    for _ in 0..tries {
        if judge.steps.get() + generator.steps.get() > most || options.stop.is_due() {
            break;
        }
        let Some(arguments) = judge.draw(&mut generator) else { continue };
        if let Some(failure) = judge.fails(&arguments) {
            return Some(judge.shrink(arguments, failure));
        }
    }
    None
}

fn judging(options: &Options) -> interp::Options {
    interp::Options {
        strict_type_tests: options.reading.strict_type_tests,
        strict_ops: options.reading.strict_ops,
        contracts: true,
        fuel: Some(200_000),
        stop: options.stop.clone(),
    }
}

struct Judge<'a> {
    program: &'a Program,
    subject: Subject,
    options: interp::Options,
    /// Spent so far.
    steps: Cell<u64>,
}

impl Judge<'_> {
    fn draw(&self, generator: &mut Generator) -> Option<Vec<Value>> {
        match self.subject {
            Subject::Function(id) => generator.arguments(id),
            Subject::Type(id) => {
                let named = self.program.named(id);
                let mut ty = &named.definition;
                while let TypeKind::Refinement(_, base, _) = &ty.kind {
                    ty = base;
                }
                Some(vec![generator.value(ty, &named.variables).unwrap_or_else(|| generator.any(3))])
            }
        }
    }

    /// How these arguments fail; none also if they are not within the types of the parameters.
    fn fails(&self, arguments: &[Value]) -> Option<Failure> {
        let mut first = First;
        let mut interp = Interp::new(self.program, &self.options, &mut first);
        match self.subject {
            Subject::Function(id) => {
                if !matches!(interp.ill_typed(id, arguments), Ok(None)) {
                    return None;
                }
                let tried = find_failure(self.program, &self.options, id, arguments, MOST_ORDERS);
                self.steps.set(self.steps.get() + tried.steps);
                tried.failure
            }
            Subject::Type(id) => {
                let named = self.program.named(id);
                match interp.is_in(&arguments[0], &named.definition, &named.variables) {
                    Err(stop) => match *stop {
                        Stop::Error(failure) => Some(failure),
                        Stop::Limit(..) => None,
                    },
                    Ok(_) => None,
                }
            }
        }
    }

    /// Smaller arguments that fail at the same place.
    fn shrink(&self, mut arguments: Vec<Value>, mut failure: Failure) -> Counterexample {
        let subject = self.subject;
        let mut left = MOST_SHRINKING;
        'again: loop {
            for k in 0..arguments.len() {
                for smaller in smaller(&arguments[k]) {
                    if left == 0 || self.options.stop.is_due() {
                        return Counterexample { subject, arguments, failure };
                    }
                    left -= 1;
                    let mut candidate = arguments.clone();
                    candidate[k] = smaller;
                    if let Some(found) = self.fails(&candidate)
                        && found.span == failure.span
                    {
                        (arguments, failure) = (candidate, found);
                        continue 'again;
                    }
                }
            }
            return Counterexample { subject, arguments, failure };
        }
    }
}

/// Values that are smaller by a little, or by much, the smallest first.
pub(super) fn smaller(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match value {
        Value::Null => {}
        Value::Logical(b) => {
            if *b {
                all.push(Value::Logical(false));
            }
        }
        Value::Integer(n) if n.is_zero() => {}
        Value::Integer(n) => {
            all.push(Value::Integer(BigInt::zero()));
            if n.is_negative() {
                all.push(Value::Integer(n.abs()));
            }
            let half = n / BigInt::from(2);
            let step = n - n.signum() * BigInt::one();
            all.extend([half, step].into_iter().filter(|m| m != n).map(Value::Integer));
        }
        Value::Text(text) if text.is_empty() => {}
        Value::Text(text) => {
            all.push(Value::Text("".into()));
            let mut shorter: Vec<char> = text.chars().collect();
            shorter.pop();
            all.push(Value::Text(shorter.into_iter().collect::<String>().into()));
        }
        Value::Collection(bag) => {
            let members: Vec<Value> = bag.iter().cloned().collect();
            all.push(Value::Null);
            if members.len() > 1 {
                all.push(Value::collection(Vec::new()));
                all.push(Value::collection(members[..members.len() / 2].to_vec()));
            }
            for k in 0..members.len() {
                let mut fewer = members.clone();
                fewer.remove(k);
                all.push(Value::collection(fewer));
            }
            for k in 0..members.len() {
                for part in smaller(&members[k]) {
                    let mut changed = members.clone();
                    changed[k] = part;
                    all.push(Value::collection(changed));
                }
            }
        }
        Value::Entity(fields) => {
            let fields: Vec<_> = fields.iter().map(|(l, v)| (l.clone(), v.clone())).collect();
            // A part in place of the whole: of a tree, say.
            all.push(Value::Null);
            let is_compound = |v: &&Value| matches!(v, Value::Entity(_) | Value::Collection(_));
            all.extend(fields.iter().map(|(_, v)| v).filter(is_compound).cloned());
            for k in 0..fields.len() {
                let mut fewer = fields.clone();
                fewer.remove(k);
                all.push(Value::Entity(Arc::new(fewer.into_iter().collect())));
            }
            for k in 0..fields.len() {
                for part in smaller(&fields[k].1) {
                    let mut changed = fields.clone();
                    changed[k].1 = part;
                    all.push(Value::Entity(Arc::new(changed.into_iter().collect())));
                }
            }
        }
    }
    all
}
