//! `glassbox run`: a program's typing derivations, and its steps with their rules, by the interpreter.

use crate::args::Run;
use crate::check::{print, tell, wants_color};
use crate::dminor;
use crate::inputs;
use crate::limits;
use crate::modules;
use lang::enumerate::Enumerator;
use lang::interp::{Fault, Interp, Limit, OPEN, Reading};
use lang::syntax::{self, read_term};
use lang::term::{Term, TermId, Terms};
use lang::{JudgId, Lang, Premise, SortId, SortKind, explain};
use report::{Paint, draw_derivation};
use source::{Diagnostic, SourceMap};
use std::fmt::Write;
use std::io::IsTerminal;
use work::on_large_stack;

/// Columns for drawings where nobody says how many there are.
pub const COLUMNS: usize = 120;

/// Steps of a program unless the user says otherwise.
const MOST_STEPS: u64 = 100;

pub fn run(arguments: &Run) -> u8 {
    if dminor::is_for(&arguments.file) {
        return dminor::run(arguments);
    }
    if modules::is_for(&arguments.file) {
        return modules::run(arguments);
    }
    let mut sources = SourceMap::default();
    let misuse = match arguments.arguments.first() {
        Some(extra) => Some((
            format!("a program of a language is one argument, but `{extra}` follows"),
            "quote it: glassbox run FILE.lang 'TERM'",
        )),
        None if arguments.term.is_none() => {
            Some(("there is no program to run".to_string(), "name it: glassbox run FILE.lang 'TERM'"))
        }
        None if arguments.output.json => {
            Some(("derivations are not printed as JSON".to_string(), "`glassbox check --json` prints counterexamples"))
        }
        None => None,
    };
    if let Some((message, help)) = misuse {
        let problem = Diagnostic::error("bad-usage", None, message).help(help);
        tell(arguments.output.color, false, &sources, &[problem]);
        return 2;
    }
    match on_large_stack(|| text(arguments, &mut sources)) {
        Ok(text) => {
            print(&text);
            0
        }
        Err(problems) => {
            tell(arguments.output.color, false, &sources, &problems);
            2
        }
    }
}

/// The language that was asked for, or the first.
pub fn choose<'a>(languages: &'a [Option<Lang>], name: Option<&str>) -> Result<&'a Lang, Diagnostic> {
    let all: Vec<&Lang> = languages.iter().flatten().collect();
    let chosen = match name {
        Some(name) => all.iter().find(|l| l.name == name).copied(),
        None => all.first().copied(),
    };
    chosen.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|l| l.name.as_str()).collect();
        let message = format!("there is no language {} in this file", name.unwrap_or_default());
        Diagnostic::error("N1", None, message).help(format!("there are: {}", names.join(", ")))
    })
}

fn text(arguments: &Run, sources: &mut SourceMap) -> Result<String, Vec<Diagnostic>> {
    let files = inputs::read(sources, std::slice::from_ref(&arguments.file))?;
    let file = syntax::parse(&sources.file(files[0]).text, files[0]);
    if file.has_errors() {
        return Err(file.diagnostics);
    }
    let lang = choose(&file.languages, arguments.language.as_deref()).map_err(|d| vec![d])?;
    let written = arguments.term.as_deref().unwrap_or_default();
    let id = sources.add("the command line", written);
    let interp = Interp::new(lang, None, Reading::Open).map_err(|f| vec![fault(lang, &f)])?;
    let mut enumerator = Enumerator::new(interp, None);
    let reduced: Vec<SortId> = reductions(lang).map(|j| lang.judgment(j).args[0]).collect();
    let (sort, term) = read_term(&mut enumerator.interp.terms, written, id, &[]).map_err(|d| vec![d])?;
    let paint = Paint { color: wants_color(arguments.output.color, std::io::stdout().is_terminal()) };
    let mut out = String::new();
    let terms = &enumerator.interp.terms;
    let _ = writeln!(out, "{}, size {}", paint.strong(&lang::print::term(terms, term)), terms.size(term));
    typings(&mut enumerator, sort, term, paint, &mut out).map_err(|f| vec![fault(lang, &f)])?;
    let interp = &mut enumerator.interp;
    let start = if reduced.contains(&sort) { Some(term) } else { state(interp, &reduced, sort, term) };
    if let Some(start) = start {
        trace(interp, start, arguments.max_steps.unwrap_or(MOST_STEPS), paint, &mut out)
            .map_err(|f| vec![fault(lang, &f)])?;
    }
    Ok(out)
}

/// What is wrong with a definition, found while it ran.
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
            Diagnostic::error("S1", span, format!("{text} has no state for what stands in a hole of sort {hole}"))
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

pub fn reductions(lang: &Lang) -> impl Iterator<Item = JudgId> + '_ {
    (0..lang.judgments.len() as u32).map(JudgId).filter(|j| lang.judgment(*j).reduction.is_some())
}

/// Every judgment about programs of this sort; of the environments that name what the program names, the first that types it.
fn typings(
    enumerator: &mut Enumerator,
    sort: SortId,
    term: TermId,
    paint: Paint,
    out: &mut String,
) -> Result<(), Fault> {
    let lang = enumerator.interp.lang;
    for id in (0..lang.judgments.len() as u32).map(JudgId) {
        let judgment = lang.judgment(id);
        if judgment.reduction.is_some()
            || judgment.subject.is_none_or(|s| lang.base(judgment.args[s]) != lang.base(sort))
        {
            continue;
        }
        let mut rows: Vec<Vec<Option<TermId>>> = vec![Vec::new()];
        for (k, arg) in judgment.args.iter().enumerate() {
            let choices = if judgment.subject == Some(k) {
                vec![Some(term)]
            } else {
                environments(&mut enumerator.interp, *arg, term)
            };
            rows = rows
                .iter()
                .flat_map(|row| choices.iter().map(|c| [&row[..], &[*c]].concat()))
                .take(MOST_ENVIRONMENTS)
                .collect();
        }
        let mut answers = Vec::new();
        for row in &rows {
            enumerator.admit_types(id, row)?;
            answers = enumerator.interp.solve(id, row)?;
            if !answers.is_empty() {
                break;
            }
        }
        let interp = &mut enumerator.interp;
        if answers.is_empty() {
            let shape = lang::print::open_judgment(&interp.terms, id, &rows[0]);
            let _ = writeln!(out, "\n  {}", paint.warn(&format!("no derivation of {shape}")));
            let args: Vec<TermId> = rows[0].iter().map(|a| a.unwrap_or(OPEN)).collect();
            if let Some(miss) = interp.nearest_judgment(id, &args)? {
                let _ = writeln!(out, "  nearest: {}", explain::miss_text(interp, &miss));
            }
            continue;
        }
        for answer in answers.iter().take(3) {
            if let Some(derivation) = interp.derivation(id, answer)? {
                let _ = writeln!(out);
                for line in draw_derivation(&explain::drawn(interp, &derivation), COLUMNS - 4) {
                    let _ = writeln!(out, "    {line}");
                }
            }
        }
        if answers.len() > 3 {
            let _ = writeln!(out, "    … and {} more", answers.len() - 3);
        }
    }
    Ok(())
}

/// Environments that are tried for one program.
const MOST_ENVIRONMENTS: usize = 2_000;

/// For an environment over raw names or locations: every one whose domain is what the program names. Else the empty one, or
/// nothing where it is to be found out.
fn environments(interp: &mut Interp, sort: SortId, term: TermId) -> Vec<Option<TermId>> {
    let lang = interp.lang;
    let Some(start) = empty(interp, sort) else { return vec![None] };
    let SortKind::Env { extensions, .. } = &lang.sort(sort).kind else { return vec![Some(start)] };
    let prod = extensions[0];
    let args = lang.prod(prod).args.clone();
    let mut names = Vec::new();
    collect(&interp.terms, term, args[1], &mut names);
    let mut maps = vec![start];
    for name in names {
        let mut next = Vec::new();
        for map in maps {
            let mut rows: Vec<Vec<TermId>> = vec![Vec::new()];
            for field in &args[2..] {
                let members = interp.universe().members(*field).to_vec();
                rows = rows.iter().flat_map(|row| members.iter().map(|m| [&row[..], &[*m]].concat())).collect();
            }
            next.extend(rows.iter().take(MOST_ENVIRONMENTS).map(|row| interp.terms.extend(prod, map, name, row)));
        }
        next.truncate(MOST_ENVIRONMENTS);
        maps = next;
    }
    maps.into_iter().map(Some).collect()
}

/// The names or locations of a sort that occur.
fn collect(terms: &Terms, term: TermId, sort: SortId, out: &mut Vec<TermId>) {
    match terms.get(term) {
        Term::Atom(s, _) | Term::Loc(s, _) if *s == sort && !out.contains(&term) => out.push(term),
        Term::Node(_, args) => args.iter().for_each(|a| collect(terms, *a, sort, out)),
        _ => {}
    }
}

/// The empty environment or store.
fn empty(interp: &mut Interp, sort: SortId) -> Option<TermId> {
    match interp.lang.sort(sort).kind {
        SortKind::Env { empty, .. } | SortKind::Store { empty, .. } => Some(interp.terms.make(empty, [])),
        _ => None,
    }
}

/// The program in a state with nothing else in it.
fn state(interp: &mut Interp, reduced: &[SortId], sort: SortId, term: TermId) -> Option<TermId> {
    let lang = interp.lang;
    for target in reduced {
        for prod in lang.prods_of(*target) {
            let args: Option<Vec<TermId>> = lang
                .prod(prod)
                .args
                .clone()
                .iter()
                .map(|a| if lang.base(*a) == lang.base(sort) { Some(term) } else { empty(interp, *a) })
                .collect();
            if let Some(args) = args {
                return Some(interp.terms.make(prod, args));
            }
        }
    }
    None
}

fn trace(interp: &mut Interp, start: TermId, most: u64, paint: Paint, out: &mut String) -> Result<(), Fault> {
    let lang = interp.lang;
    let mut term = start;
    let _ = writeln!(out, "\n    {}", lang::print::term(&interp.terms, term));
    for _ in 0..most {
        if *interp.terms.get(term) == Term::Error {
            return Ok(());
        }
        let mut steps = Vec::new();
        for reduction in reductions(lang) {
            if interp.terms.is_member(term, lang.base(lang.judgment(reduction).args[0])) {
                steps.extend(interp.steps(reduction, term)?);
            }
        }
        let Some(first) = steps.first() else {
            let what = finals(lang).into_iter().find(|s| is_final(interp, term, *s));
            let text = match what {
                Some(sort) => paint.good(&format!("is a {}", lang.sort(sort).name)),
                None => paint.warn("no rule applies"),
            };
            let _ = writeln!(out, "    {text}");
            if what.is_none() {
                for reduction in reductions(lang) {
                    if let Some(miss) = interp.nearest_step(reduction, term)? {
                        let _ = writeln!(out, "    nearest: {}", explain::miss_text(interp, &miss));
                    }
                }
            }
            return Ok(());
        };
        let rule = &lang.rule(first.rule).name;
        let _ = writeln!(out, "  ⟶ {}    {}", lang::print::term(&interp.terms, first.result), paint.faint(rule));
        for other in steps[1..].iter().filter(|s| s.result != first.result) {
            let rule = &lang.rule(other.rule).name;
            let text = format!("      or {}    {rule}", lang::print::term(&interp.terms, other.result));
            let _ = writeln!(out, "{}", paint.faint(&text));
        }
        term = first.result;
    }
    let _ = writeln!(out, "    {}", paint.warn(&format!("… not done after {most} steps (--max-steps)")));
    Ok(())
}

/// The sorts that checks take for final: `t is v`.
fn finals(lang: &Lang) -> Vec<SortId> {
    let mut sorts = Vec::new();
    for located in lang.checks.iter().flat_map(|c| &c.conclusions).flatten() {
        if let Premise::Is { sort, holds: true, .. } = located.premise
            && !sorts.contains(&sort)
        {
            sorts.push(sort);
        }
    }
    sorts
}

/// The program itself, or the program of a state.
fn is_final(interp: &mut Interp, term: TermId, sort: SortId) -> bool {
    if interp.terms.is_member(term, sort) {
        return true;
    }
    let args: Vec<TermId> = interp.terms.node(term).map_or(Vec::new(), |(_, args)| args.to_vec());
    let lang = interp.lang;
    lang.sort(lang.base(sort)).is_tree
        && args.iter().any(|a| interp.terms.is_member(*a, sort))
        && interp.terms.node(term).is_some_and(|(p, _)| lang.prod(p).args.iter().any(|a| lang.is_map(*a)))
}
