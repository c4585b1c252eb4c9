//! A function run on JSON, data held against a type, and questions about types: each has an [`Outcome`].

use super::misfit;
use dminor::explain::{self, Misfit, and_more};
use dminor::interp::{Chooser, First, Given, Interp, Options, Random, Stop as Stopped};
use dminor::json::Data;
use dminor::program::FunId;
use dminor::verify::{self, Closed};
use dminor::{Program, Value};
use source::Diagnostic;
use verdict::{Outcome, Reason};
use work::Cause;

/// How a function is called.
#[derive(Clone, Debug, Default)]
pub struct Call {
    pub options: Options,
    /// Check also what is inside: parameters and results of calls, ascriptions, accumulators.
    pub contracts: bool,
    /// Members of collections in a random order.
    pub seed: Option<u64>,
    /// Which members of collections to take; the first ones beyond its end.
    pub order: Vec<usize>,
}

/// Bad usage or bad input is an error.
pub type Asked = Result<Outcome, Vec<Diagnostic>>;

/// Parts of a value do not fit.
fn unfit(word: &'static str, mut problems: Vec<Diagnostic>, misfits: &[Misfit]) -> Outcome {
    problems.extend(and_more(misfits));
    Outcome { problems, misfits: misfits.iter().map(misfit).collect(), ..Outcome::new(word, 1) }
}

fn failed(problems: Vec<Diagnostic>, misfits: &[Misfit]) -> Outcome {
    unfit("failed", problems, misfits)
}

fn stopped(stopped: &Stopped) -> Outcome {
    match stopped {
        Stopped::Error(failure) => failed(failure.diagnostics(), failure.misfits()),
        Stopped::Limit(..) => Outcome { problems: stopped.diagnostics(), ..Outcome::new("unknown", 3) },
    }
}

/// The function that was named.
pub fn function(program: &Program, name: &str) -> Result<FunId, Vec<Diagnostic>> {
    program.function_called(name).ok_or_else(|| {
        let known = program.functions.iter().map(|f| f.name.as_str());
        let help = source::suggestion(name, known, "functions are declared as name(x: T) : U { e }");
        vec![Diagnostic::error("unknown-function", None, format!("there is no function `{name}`")).help(help)]
    })
}

/// Must run on a large stack.
pub fn run(program: &Program, name: &str, data: &[Data], call: &Call) -> Asked {
    let id = function(program, name)?;
    let declared = program.function(id);
    let (wanted, given) = (declared.parameters.len(), data.len());
    if wanted != given {
        let names: Vec<&str> = declared.parameters.iter().map(|(v, _)| program.variable(*v).name.as_str()).collect();
        let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (wanted, given) = (counted(wanted, "parameter"), counted(given, "argument"));
        let message = format!("`{}` has {wanted}, but gets {given}", declared.name);
        let problem = Diagnostic::error("wrong-arity", declared.name_span, message);
        return Err(vec![problem.help(format!("pass JSON for each of: {}", names.join(", ")))]);
    }
    let values: Vec<Value> = data.iter().map(|d| d.value.clone()).collect();
    let mut options = call.options.clone();
    match Interp::new(program, &options, &mut First).ill_typed(id, &values) {
        Ok(None) => {}
        Ok(Some(k)) => {
            return match explain::of_argument(program, &options, id, data, k) {
                Ok(misfits) => {
                    let name = &program.variable(declared.parameters[k].0).name;
                    let problem = |m: &Misfit| {
                        let problem = m.diagnostic("ill-typed-argument");
                        Diagnostic { message: format!("argument `{name}`: {}", problem.message), ..problem }
                    };
                    Err(misfits.iter().map(problem).collect())
                }
                Err(stop) => Ok(stopped(&stop)),
            };
        }
        Err(stop) => return Ok(stopped(&stop)),
    }
    options.contracts = call.contracts;
    let mut given = Given::new(call.order.clone());
    let mut random;
    let chooser: &mut dyn Chooser = match call.seed {
        Some(seed) => {
            random = Random::new(seed);
            &mut random
        }
        None => &mut given,
    };
    let ended = Interp::new(program, &options, chooser).call(id, &values);
    if given.is_beyond || given.is_longer() {
        let message = "this --order does not fit the run: the run has fewer choices, or fewer members to choose from";
        let help = "leave it out for canonical order, or take the one that `glassbox check` prints";
        return Err(vec![Diagnostic::error("bad-usage", None, message).help(help)]);
    }
    let result = match ended {
        Ok(result) => result,
        Err(stop) => return Ok(stopped(&stop)),
    };
    match explain::of_result(program, &options, id, &values, &result) {
        Ok(misfits) if misfits.is_empty() => Ok(Outcome::with_value("value", result.to_string())),
        Ok(misfits) => {
            let name = &declared.name;
            let problem = |m: &Misfit| {
                let problem = m.diagnostic("ill-typed-result");
                let message = format!("the result of `{name}` is not in its type: {}", problem.message);
                Diagnostic { message, ..problem }
            };
            Ok(failed(misfits.iter().map(problem).collect(), &misfits))
        }
        Err(stop) => Ok(stopped(&stop)),
    }
}

/// Must run on a large stack.
pub fn validate(program: &Program, (ty, variables): &Closed, data: &Data, options: &Options) -> Outcome {
    match explain::misfits(program, options, data, ty, variables) {
        Ok(misfits) if misfits.is_empty() => Outcome { text: "valid".to_string(), ..Outcome::new("valid", 0) },
        Ok(misfits) => unfit("invalid", misfits.iter().map(|m| m.diagnostic("invalid")).collect(), &misfits),
        Err(stop) => stopped(&stop),
    }
}

fn unknown(why: &str) -> Outcome {
    Outcome { text: format!("unknown: neither proved nor refuted ({why})"), ..Outcome::new("unknown", 3) }
}

fn ended(cause: Cause) -> Outcome {
    unknown(Reason::from(cause).code())
}

/// Whether a type has a value. Must run on a large stack.
pub fn inhabit(program: &Program, ty: &Closed, options: &verify::Options) -> Outcome {
    match verify::inhabit(program, ty, options) {
        verify::Inhabited::By(value) => Outcome::with_value("inhabited", value.to_string()),
        verify::Inhabited::Never => {
            Outcome { text: "empty: no value is in it".to_string(), ..Outcome::new("empty", 1) }
        }
        verify::Inhabited::Unknown(why) => unknown(&why),
        verify::Inhabited::Stopped(cause) => ended(cause),
    }
}

/// Whether every value of a type is in another. Must run on a large stack.
pub fn subtype(program: &Program, ty: &Closed, of: &Closed, options: &verify::Options) -> Outcome {
    match verify::subtype(program, ty, of, options) {
        verify::Subtype::Always => {
            let text = "a subtype: every value of it is in the other".to_string();
            Outcome { text, ..Outcome::new("subtype", 0) }
        }
        verify::Subtype::Except(value) => {
            let text = format!("not a subtype: {value} is in it, and not in the other");
            Outcome { text, value: Some(value.to_string()), ..Outcome::new("not-subtype", 1) }
        }
        verify::Subtype::Unknown(why) => unknown(&why),
        verify::Subtype::Stopped(cause) => ended(cause),
    }
}
