//! The flag analysis against every small heap: random modules, a procedure run by the interpreter on all heaps of up to three objects.
//!
//! What is verified never breaks its contract there. What fails without breaking it on any heap is a false alarm: in code whose every
//! value is followed that is a disagreement, elsewhere it is counted, by what the code has.

mod heaps;
mod module;

use crate::{Disagreement, Found, Kind, shrink};
use heaps::Runs;
use hob::flags::{self, Effects, Options, Verdict};
use hob::program::ProcId;
use hob::{FileKind, Input, Program};
use module::{Features, Random};
use source::SourceMap;
use work::on_large_stack;

pub fn kind() -> Kind {
    Kind {
        name: "hob-flags",
        about: "sets by fields: the verdict against runs on all heaps of up to three objects; false alarms are counted",
        ci: 28,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    on_large_stack(|| examine(seed))
}

/// Objects of the largest heaps that are tried.
const MOST: u64 = 3;

fn examine(seed: u64) -> Found {
    let random = Random::new(seed);
    // What the callee was shown to ensure.
    let ensured = if random.features.calls {
        let program = match load(&random.callees()) {
            Ok(program) => program,
            Err(why) => return Found::Skipped(why),
        };
        let effects = Effects::of(&program);
        let clauses = random.clauses.iter().zip((0..).map(ProcId));
        let shown = clauses.filter(|(_, proc)| is_verified(&program, &effects, *proc));
        let shown = shown.take(4).map(|(clause, _)| clause.as_str());
        shown.chain(["true"]).collect::<Vec<_>>().join(" & ")
    } else {
        String::new()
    };
    let clause = &random.clauses[0];
    let text = random.caller(&ensured, clause);
    if crate::SHOW.load(std::sync::atomic::Ordering::Relaxed) {
        println!("{text}");
    }
    match compare(&text) {
        Err(why) => Found::Skipped(why),
        Ok(Compared::Verified) => Found::Agreed("verified"),
        Ok(Compared::Violated) => Found::Agreed("violated"),
        Ok(Compared::TooFew) => Found::Skipped("more or larger heaps than were tried are needed".into()),
        Ok(Compared::Alarm) if random.features.is_exact() => disagreement(&text, seed, &Compared::Alarm),
        // The contract of the callee allows more than its code does.
        Ok(Compared::Alarm) if random.features.calls && !is_alarm(&random.inlined(clause)) => {
            Found::Agreed("violated, by the callee's contract")
        }
        Ok(Compared::Alarm) => Found::Agreed(alarm(random.features)),
        Ok(wrong @ Compared::Wrong(_)) => disagreement(&text, seed, &wrong),
    }
}

/// A false alarm, by the first of these that the code has.
fn alarm(features: Features) -> &'static str {
    match features {
        Features { loops: true, lists: true, .. } => "false alarm (loops and lists)",
        Features { loops: true, .. } => "false alarm (loops)",
        Features { arrays: true, .. } => "false alarm (arrays)",
        Features { lists: true, .. } => "false alarm (lists)",
        Features { numbers: true, .. } => "false alarm (numbers)",
        _ => "false alarm (calls)",
    }
}

#[derive(Debug)]
enum Compared {
    Verified,
    Violated,
    /// It fails, and breaks nothing on any small heap.
    Alarm,
    /// It fails with an example that is too large to be tried.
    TooFew,
    /// It is verified, and breaks this.
    Wrong(String),
}

fn compare(text: &str) -> Result<Compared, String> {
    let program = load(text)?;
    let effects = Effects::of(&program);
    let proc = ProcId(program.procs.len() as u32 - 1);
    let finding = flags::analyse(&program, &effects, proc, &Options::default());
    // Facts set aside before every branch lose nothing.
    let aside = flags::analyse(&program, &effects, proc, &Options { set_aside: 0, ..Options::default() });
    let found = matches!(finding.verdict, Verdict::Verified);
    if matches!(aside.verdict, Verdict::Verified) != found {
        return Ok(Compared::Wrong(format!("with facts set aside: {:?}", aside.verdict)));
    }
    let most_runs = if found { 20_000 } else { 3_000_000 };
    let mut tried = Runs::Fine;
    for objects in 1..=MOST {
        tried = heaps::all(&program, text, proc, objects, most_runs);
        if tried != Runs::Fine {
            break;
        }
    }
    match (finding.verdict, tried) {
        (Verdict::Verified, Runs::Broken(what)) => Ok(Compared::Wrong(what)),
        (Verdict::Verified, _) => Ok(Compared::Verified),
        (Verdict::Fails(_), Runs::Broken(_)) => Ok(Compared::Violated),
        (Verdict::Fails(failures), Runs::Fine) if failures.iter().any(|f| f.example.objects <= MOST as usize) => {
            Ok(Compared::Alarm)
        }
        (Verdict::Fails(_), _) => Ok(Compared::TooFew),
        (Verdict::Unknown(why), _) => Err(format!("unknown: {}", why.first().map_or("", |(_, why)| why))),
    }
}

fn is_verified(program: &Program, effects: &Effects, proc: ProcId) -> bool {
    matches!(flags::analyse(program, effects, proc, &Options::default()).verdict, Verdict::Verified)
}

fn is_alarm(text: &str) -> bool {
    matches!(compare(text).expect("code of a callee in the place of its call"), Compared::Alarm)
}

/// Sections of a text, one after the other.
fn load(text: &str) -> Result<Program, String> {
    let (fl, rest) = text.split_once("spec module").ok_or("no specification")?;
    let (sl, al) = rest.split_once("abst module").ok_or("no abstraction")?;
    let (sl, al) = (format!("spec module{sl}"), format!("abst module{al}"));
    let mut sources = SourceMap::default();
    let texts = [(FileKind::Implementation, fl), (FileKind::Specification, &sl), (FileKind::Abstraction, &al)];
    let inputs = texts.map(|(kind, text)| Input { file: sources.add("m", text.to_string()), kind, text });
    let loaded = hob::load(&inputs);
    loaded.program.ok_or_else(|| loaded.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

fn disagreement(text: &str, seed: u64, found: &Compared) -> Found {
    let is_same = |less: &Compared| std::mem::discriminant(less) == std::mem::discriminant(found);
    let input = shrink::lines(text, |less| compare(less).is_ok_and(|less| is_same(&less)));
    let said = match found {
        Compared::Wrong(what) => format!("verified, but {what}"),
        other => format!("{other:?}"),
    };
    let answers = vec![("the analysis and the runs".into(), format!("{said}, seed {seed}"))];
    Found::Disagreed(Box::new(Disagreement { input, answers }))
}
