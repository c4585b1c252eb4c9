//! What is wrong with a definition, found while it ran.

use super::limits;
use lang::interp::{Fault, Limit};
use lang::{JudgId, Lang};
use source::Diagnostic;

pub fn fault(lang: &Lang, fault: &Fault) -> Diagnostic {
    let judgment = |j: &JudgId| (lang.judgment(*j).text.clone(), lang.judgment(*j).span);
    match fault {
        Fault::Undetermined { rule, meta } => {
            let span = rule.map(|r| lang.rule(r).span);
            Diagnostic::error("X1", span, format!("nothing determines {meta} here"))
                .help("it must occur in what is given, or in a premise that yields it")
        }
        Fault::NotRunnable(j) => {
            let (text, span) = judgment(j);
            Diagnostic::error("M1", span, format!("{text} is asked for with too little known"))
        }
        Fault::Limit(limit) => {
            let (code, span) = match limit {
                Limit::Depth { judgment, rule, .. } | Limit::Answers { judgment, rule, .. } => {
                    ("M2", Some(rule.map_or(lang.judgment(*judgment).span, |r| lang.rule(r).span)))
                }
                Limit::Instances { rule, .. } | Limit::Height { rule, .. } => ("M2", rule.map(|r| lang.rule(r).span)),
                Limit::Calls { fun, .. } => ("X1", Some(lang.fun(*fun).span)),
                Limit::Members { sort, .. } => ("V1", Some(lang.sort(*sort).span)),
                Limit::Universe(explosion) => ("V1", Some(lang.sort(explosion.sort).span)),
            };
            let told = Diagnostic::error(code, span, format!("no end was found: {}", limits::what(lang, limit)));
            match limits::knob(lang, None, limit) {
                Some(help) => told.help(help),
                None => told,
            }
        }
        Fault::Unstratified(j) => {
            let (text, span) = judgment(j);
            Diagnostic::error("M3", span, format!("{text} is negated in its own definition"))
        }
        Fault::Endless(f) => {
            let fun = lang.fun(*f);
            Diagnostic::error(
                "X1",
                fun.span,
                format!("the function {} does not end: it calls itself on the same", fun.name),
            )
            .help("each call must be on a smaller argument")
        }
        Fault::NoConfiguration { reduction, hole } => {
            let (text, span) = judgment(reduction);
            let hole = &lang.sort(*hole).name;
            Diagnostic::error("S1", span, format!("{text} has no state for what is in a hole of sort {hole}"))
                .help(format!("add an alternative of the state with a {hole} in it"))
        }
        Fault::NotEnumerable(s) => {
            let sort = lang.sort(*s);
            Diagnostic::error("V1", sort.span, format!("members of {} cannot be enumerated by size", sort.name))
                .help("give its alternatives weights above 0, or a bound")
        }
        Fault::Stopped => Diagnostic::error("V1", None, "stopped"),
    }
}
