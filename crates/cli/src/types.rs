//! `glassbox inhabit` and `glassbox subtype`: questions about types of a Dminor program, answered by a value or by a proof.

use crate::args::{Asking, Inhabit, Subtype};
use crate::check::{print, refused};
use crate::verify::options_of;
use dminor::Program;
use dminor::verify::{self, Options};
use source::SourceMap;
use std::path::PathBuf;

/// What was found out about a type.
struct Told {
    word: &'static str,
    status: u8,
    text: String,
    value: Option<dminor::Value>,
}

pub fn inhabit(arguments: &Inhabit) -> u8 {
    let ask = |program: &Program, types: &[verify::Closed], options: &Options| {
        let (word, status, text, value) = match verify::inhabit(program, &types[0], options) {
            verify::Inhabited::By(value) => ("inhabited", 0, value.to_string(), Some(value)),
            verify::Inhabited::Never => ("empty", 1, "empty: no value is in it".to_string(), None),
            verify::Inhabited::Unknown(why) => return unknown(&why),
        };
        Told { word, status, text, value }
    };
    asked(&arguments.asking, &arguments.file, &[&arguments.type_text], ask)
}

pub fn subtype(arguments: &Subtype) -> u8 {
    let ask = |program: &Program, types: &[verify::Closed], options: &Options| {
        let (word, status, text, value) = match verify::subtype(program, &types[0], &types[1], options) {
            verify::Subtype::Always => ("subtype", 0, "a subtype: every value of it is in the other".to_string(), None),
            verify::Subtype::Except(value) => {
                ("not-subtype", 1, format!("not a subtype: {value} is in it, and not in the other"), Some(value))
            }
            verify::Subtype::Unknown(why) => return unknown(&why),
        };
        Told { word, status, text, value }
    };
    asked(&arguments.asking, &arguments.file, &[&arguments.type_text, &arguments.of], ask)
}

fn unknown(why: &str) -> Told {
    Told { word: "unknown", status: 3, text: format!("unknown: neither proved nor refuted ({why})"), value: None }
}

/// Reads types over a program, and asks.
fn asked(
    asking: &Asking,
    file: &PathBuf,
    texts: &[&String],
    ask: impl Fn(&Program, &[verify::Closed], &Options) -> Told + Sync,
) -> u8 {
    let mut sources = SourceMap::default();
    let told = crate::dminor::load(file, &mut sources).and_then(|mut program| {
        let mut types = Vec::new();
        for (k, text) in texts.iter().enumerate() {
            let id = sources.add(if k == 0 { "the type" } else { "the other type" }, text.to_string());
            types.push(dminor::read_type(&mut program, text, id)?);
        }
        let options = options_of(asking.reading, asking.solver.as_deref())?;
        let (program, types, options) = (&program, &types[..], &options);
        Ok(work::on_large_stack(|| ask(program, types, options)))
    });
    match told {
        Ok(told) if asking.output.json => {
            let mut object = report::json::outcome(&sources, told.word, told.status, &[], env!("CARGO_PKG_VERSION"));
            // As a text: integers of any size must not pass through machine numbers.
            object["value"] = told.value.map(|v| v.to_string()).into();
            print(&format!("{object:#}\n"));
            told.status
        }
        Ok(told) => {
            print(&format!("{}\n", told.text));
            told.status
        }
        Err(problems) => refused(&sources, &problems, asking.output.json, asking.output.color),
    }
}
