//! Options that do not apply to what is given are refused, with the inputs that they are for.

use crate::kinds::Kind;
use Kind::{Dminor, Hob, Java, Language};
use clap::ArgMatches;
use clap::parser::ValueSource;
use source::Diagnostic;

/// Options that are not for all inputs.
const OPTIONS: &[(&str, &[Kind])] = &[
    ("size", &[Java, Hob]),
    ("class", &[Java]),
    ("method", &[Java]),
    ("source_path", &[Java]),
    ("spec", &[Java]),
    ("search", &[Java]),
    ("no_abstraction", &[Java]),
    ("replace", &[Java]),
    ("commute", &[Java]),
    ("block", &[Java]),
    ("shape", &[Java]),
    ("coverage", &[Java]),
    ("show_bounds", &[Java]),
    ("engine", &[Java, Language]),
    ("language", &[Language]),
    ("check", &[Language]),
    ("bounds", &[Language]),
    ("mutate", &[Language]),
    ("latex", &[Language]),
    ("by", &[Dminor]),
    ("strict_type_tests", &[Dminor]),
    ("strict_ops", &[Dminor]),
    ("lenient_types", &[Dminor]),
    ("solver", &[Dminor]),
    ("solver_timeout", &[Dminor]),
    ("emit", &[Dminor, Hob]),
    ("module", &[Hob]),
    ("proc", &[Hob]),
    ("check_null", &[Hob]),
    ("graph", &[Hob]),
    // Of `run`.
    ("contracts", &[Dminor, Hob]),
    ("seed", &[Dminor, Hob]),
    ("order", &[Dminor]),
];

/// `--max-steps` of `check` is of classes, that of `run` of all.
const OF_CHECK: &[(&str, &[Kind])] = &[("max_steps", &[Java])];
/// Of `check`, this is what is given itself.
const OF_OTHERS: &[(&str, &[Kind])] = &[("files", &[Hob])];

/// What the user wrote on the command line, by the names of clap.
pub struct Given {
    names: Vec<String>,
    is_check: bool,
}

pub fn given(matches: &ArgMatches) -> Given {
    let Some((command, matches)) = matches.subcommand() else {
        return Given { names: Vec::new(), is_check: false };
    };
    let is_written = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let names = matches.ids().filter(is_written).map(|id| id.to_string()).collect();
    Given { names, is_check: command == "check" }
}

/// What does not apply to any of the kinds.
pub fn misused(given: &Given, kinds: &[Kind]) -> Vec<Diagnostic> {
    let of_check = if given.is_check { OF_CHECK } else { OF_OTHERS };
    let options = OPTIONS.iter().chain(of_check).filter(|(name, _)| given.names.iter().any(|n| n == name));
    let wrong = options.filter(|(_, of)| !of.iter().any(|k| kinds.contains(k)));
    wrong.map(|(name, of)| refused(name, of, kinds)).collect()
}

fn refused(name: &str, of: &[Kind], kinds: &[Kind]) -> Diagnostic {
    let names = |kinds: &[Kind]| kinds.iter().map(|k| k.name()).collect::<Vec<_>>().join(" and ");
    let option = format!("--{}", name.replace('_', "-"));
    let message = format!("{option} is for {}, and {} are given", names(of), names(kinds));
    Diagnostic::error("bad-usage", None, message).help(match (name, kinds) {
        ("method", [Dminor]) => "`--by conditions` or `--by types` says how a Dminor program is checked".to_string(),
        ("bounds", [Java]) => "`--show-bounds` shows the bounds in force".to_string(),
        _ => format!("leave out {option}"),
    })
}
