//! The command: takes kinds in turn until the time is over, writes down what disagrees.

use clap::Parser;
use hunt::{Found, Kind, kinds};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Hunts for inputs on which two ways to the answer disagree.
#[derive(Parser)]
struct Arguments {
    /// Which kinds of input, all if none is named
    kinds: Vec<String>,
    /// For how long in all, shared among the kinds
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// The first seed; CI tries small ones
    #[arg(long, default_value_t = 1_000_000)]
    seed: u64,
    /// Only the first seed, and print the input and the comparison
    #[arg(long)]
    once: bool,
    /// Where disagreements are written
    #[arg(long, default_value = "hunt-found")]
    found: PathBuf,
}

/// How the seeds of one kind came out.
#[derive(Default)]
struct Tally {
    tried: u64,
    /// How often, and the first seed.
    by_answer: BTreeMap<&'static str, (u64, u64)>,
    skipped: u64,
    /// Why, by the first words: how often, and the first seed.
    reasons: BTreeMap<String, (u64, u64)>,
    disagreed: Vec<u64>,
    spent: Duration,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    hunt::SHOW.store(arguments.once, Ordering::Relaxed);
    let mut chosen = kinds::all();
    if let Some(unknown) = arguments.kinds.iter().find(|name| chosen.iter().all(|k| k.name != **name)) {
        eprintln!("there is no kind `{unknown}`; kinds are:");
        for kind in &chosen {
            eprintln!("  {:<20} {}", kind.name, kind.about);
        }
        return ExitCode::from(2);
    }
    chosen.retain(|k| arguments.kinds.is_empty() || arguments.kinds.iter().any(|name| name == k.name));
    let mut tallies: Vec<Tally> = chosen.iter().map(|_| Tally::default()).collect();
    let end = Instant::now() + Duration::from_secs_f64(arguments.minutes * 60.0);
    // Whoever has had the least time is next.
    while let Some(next) = (0..chosen.len()).min_by_key(|&i| tallies[i].spent) {
        if Instant::now() >= end || arguments.once && tallies[next].tried > 0 {
            break;
        }
        one(&chosen[next], arguments.seed + tallies[next].tried, &mut tallies[next], &arguments);
    }
    println!("{:<20} {:>8} {:>8} {:>9} {:>8}  agreed on", "kind", "tried", "skipped", "disagreed", "seconds");
    for (kind, tally) in chosen.iter().zip(&tallies) {
        let answers: Vec<String> =
            tally.by_answer.iter().map(|(answer, (n, seed))| format!("{n} {answer} (first seed {seed})")).collect();
        let (tried, skipped, seconds) = (tally.tried, tally.skipped, tally.spent.as_secs());
        println!(
            "{:<20} {tried:>8} {skipped:>8} {:>9} {seconds:>8}  {}",
            kind.name,
            tally.disagreed.len(),
            answers.join(", ")
        );
        let mut reasons: Vec<(&String, &(u64, u64))> = tally.reasons.iter().collect();
        reasons.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
        reasons.iter().take(12).for_each(|(why, (n, seed))| println!("{n:>29} skipped, first seed {seed}: {why}"));
    }
    if tallies.iter().all(|t| t.disagreed.is_empty()) { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn one(kind: &Kind, seed: u64, tally: &mut Tally, arguments: &Arguments) {
    let start = Instant::now();
    let found = (kind.attempt)(seed);
    tally.spent += start.elapsed();
    tally.tried += 1;
    if arguments.once {
        println!("{} seed {seed}: {found:?}", kind.name);
    }
    match found {
        Found::Agreed(answer) => tally.by_answer.entry(answer).or_insert((0, seed)).0 += 1,
        Found::Skipped(why) => {
            tally.skipped += 1;
            tally.reasons.entry(why.chars().take(60).collect()).or_insert((0, seed)).0 += 1;
        }
        Found::Disagreed(disagreement) => {
            tally.disagreed.push(seed);
            println!("{} seed {seed}\n{disagreement}", kind.name);
            let file = arguments.found.join(format!("{}-{seed}.txt", kind.name));
            let written = std::fs::create_dir_all(&arguments.found)
                .and_then(|()| std::fs::write(&file, disagreement.to_string()));
            if let Err(problem) = written {
                eprintln!("{}: {problem}", file.display());
            }
        }
    }
}
