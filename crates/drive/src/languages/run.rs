//! A program of a language, run: its derivations and its steps.

use super::fault::fault;
use lang::enumerate::Enumerator;
use lang::interp::{Fault, Interp, OPEN, Reading};
use lang::syntax::read_term;
use lang::term::{Term, TermId, Terms};
use lang::{JudgId, Lang, Premise, SortId, SortKind, explain};
use source::{Diagnostic, FileId};
use verdict::program::{Ran, Stepped, Trace, TraceEnd, Typing};
use work::Stop;

/// Derivations of one judgment that are shown.
const MOST_DERIVATIONS: usize = 3;

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

/// Reads a program in the syntax of the language, finds what types it has, and runs it. Must run on a large stack.
pub fn run(lang: &Lang, written: &str, id: FileId, most_steps: u64, stop: &Stop) -> Result<Ran, Vec<Diagnostic>> {
    let faulty = |f: Fault| vec![fault(lang, &f)];
    let mut interp = Interp::new(lang, None, Reading::Open).map_err(faulty)?;
    interp.stop = stop.clone();
    let mut enumerator = Enumerator::new(interp, None);
    let reduced: Vec<SortId> = reductions(lang).map(|j| lang.judgment(j).args[0]).collect();
    let (sort, term) = read_term(&mut enumerator.interp.terms, written, id, &[]).map_err(|d| vec![d])?;
    let terms = &enumerator.interp.terms;
    let (program, size) = (lang::print::term(terms, term), terms.size(term));
    let typings = typings(&mut enumerator, sort, term).map_err(faulty)?;
    let interp = &mut enumerator.interp;
    let start = if reduced.contains(&sort) { Some(term) } else { state(interp, &reduced, sort, term) };
    let trace = start.map(|start| trace(interp, start, most_steps)).transpose().map_err(faulty)?;
    Ok(Ran { program, size, typings, trace })
}

fn reductions(lang: &Lang) -> impl Iterator<Item = JudgId> + '_ {
    (0..lang.judgments.len() as u32).map(JudgId).filter(|j| lang.judgment(*j).reduction.is_some())
}

/// Every judgment about programs of this sort; of the environments that name what the program names, the first that types it.
fn typings(enumerator: &mut Enumerator, sort: SortId, term: TermId) -> Result<Vec<Typing>, Fault> {
    let lang = enumerator.interp.lang;
    let mut typings = Vec::new();
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
        let mut typing = Typing {
            judgment: lang::print::open_judgment(&interp.terms, id, &rows[0]),
            derivations: Vec::new(),
            more: answers.len().saturating_sub(MOST_DERIVATIONS),
            nearest: None,
        };
        if answers.is_empty() {
            let args: Vec<TermId> = rows[0].iter().map(|a| a.unwrap_or(OPEN)).collect();
            let miss = interp.nearest_judgment(id, &args)?;
            typing.nearest = miss.map(|miss| explain::miss_text(interp, &miss));
        }
        for answer in answers.iter().take(MOST_DERIVATIONS) {
            let derivation = interp.derivation(id, answer)?;
            typing.derivations.extend(derivation.map(|d| explain::drawn(interp, &d)));
        }
        typings.push(typing);
    }
    Ok(typings)
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

fn trace(interp: &mut Interp, start: TermId, most: u64) -> Result<Trace, Fault> {
    let lang = interp.lang;
    let mut term = start;
    let mut trace =
        Trace { start: lang::print::term(&interp.terms, term), steps: Vec::new(), end: TraceEnd::NotDone(most) };
    for _ in 0..most {
        if *interp.terms.get(term) == Term::Error {
            trace.end = TraceEnd::Error;
            return Ok(trace);
        }
        let mut steps = Vec::new();
        for reduction in reductions(lang) {
            if interp.terms.is_member(term, lang.base(lang.judgment(reduction).args[0])) {
                steps.extend(interp.steps(reduction, term)?);
            }
        }
        let Some(first) = steps.first() else {
            let sort = finals(lang).into_iter().find(|s| is_final(interp, term, *s));
            trace.end = match sort {
                Some(sort) => TraceEnd::Final(lang.sort(sort).name.clone()),
                None => {
                    let mut nearest = Vec::new();
                    for reduction in reductions(lang) {
                        let miss = interp.nearest_step(reduction, term)?;
                        nearest.extend(miss.map(|miss| explain::miss_text(interp, &miss)));
                    }
                    TraceEnd::Stuck(nearest)
                }
            };
            return Ok(trace);
        };
        let text = |term: TermId| lang::print::term(&interp.terms, term);
        let others = steps[1..].iter().filter(|s| s.result != first.result);
        let others = others.map(|s| (text(s.result), lang.rule(s.rule).name.clone())).collect();
        trace.steps.push(Stepped { after: text(first.result), rule: lang.rule(first.rule).name.clone(), others });
        term = first.result;
    }
    Ok(trace)
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
