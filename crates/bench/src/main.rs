//! The benchmark: the tables of the dissertation beside what glassbox does on the same subjects.
//!
//! `cargo run --release -p bench -- table-6.1`. Every figure is taken on one thread, and is the sum over all operations of
//! a subject. States run are the same on every machine; seconds are not.

mod bounded;
mod dminor;
mod hob;
mod jdk;
mod languages;
mod measure;
mod modular;
mod paper;
mod programs;
mod small_scope;
mod table;

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::{Parser, Subcommand};
use measure::{Engine, Subject};
use paper::{FIGURE_10, Row, TABLE_6_1, TABLE_6_4};
use std::process::ExitCode;
use table::Table;

#[derive(Parser)]
#[command(name = "bench", about = "The tables of the dissertation, measured again")]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Data structures: Stack, Queue, TreeMap, HashMap, and the search tree of Figure 1.2
    #[command(name = "table-6.1")]
    Table61(Options),
    /// Modules against their abstractions: TreeMap, TreeSet, HashMap, HashSet
    #[command(name = "table-6.2")]
    Table62(Options),
    /// Clients with their modules, and with abstractions in their places: TreeSet, HashSet, IntCounter, DualCache
    #[command(name = "table-6.3")]
    Table63(Options),
    /// Type soundness: expressions, IMP, Featherweight Java, Mini Java, Ownership Java
    #[command(name = "table-6.4")]
    Table64(Options),
    /// Extensions of Mini Java, with Mini Java assumed: non-null types and tainted data (Figure 10 of the paper before)
    #[command(name = "figure-10")]
    Figure10(Options),
    /// The small scope hypothesis: seeded errors of these languages that show up by size 1, 2, …
    #[command(name = "table-6.5")]
    Table65(Options),
    /// Type soundness of language definitions (.lang), and the seeded bugs of STLC with lists
    Languages(Options),
    /// Dminor programs: conditions, queries and seconds, beside Boogie
    Dminor(Options),
    /// Hob modules: sizes of formulas and times, beside MONA (Table 2 of the paper)
    Hob(Options),
    /// Classes of the JDK as shipped, and TreeMap beside our own
    Jdk(Options),
    /// Only the ratios at the end of Table 6.1
    Ratios(Options),
}

#[derive(clap::Args, Clone, Copy)]
struct Options {
    /// Seconds that the exhaustive engine gets for a row
    #[arg(long, default_value_t = 10.0)]
    limit: f64,
    /// Only rows of at most 16 nodes, and no ratios
    #[arg(long)]
    quick: bool,
    /// Only this subject
    #[arg(long)]
    only: Option<Name>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Name {
    Stack,
    Queue,
    TreeMap,
    HashMap,
    TreeSet,
    HashSet,
    IntCounter,
    DualCache,
    SearchTree,
    Expression,
    Imp,
    FeatherweightJava,
    MiniJava,
    OwnershipJava,
    NonNullJava,
    TaintedJava,
}

fn main() -> ExitCode {
    let work = || match Cli::parse().what {
        What::Table61(options) => {
            let subjects = TABLE_6_1;
            tables(subjects, options)?;
            if options.quick || options.only.is_some() { Ok(()) } else { ratios(options) }
        }
        What::Table62(options) => modular::table_6_2(options.quick, options.only, options.limit),
        What::Table63(options) => modular::table_6_3(options.quick, options.only, options.limit),
        What::Table64(options) => tables(TABLE_6_4, options),
        What::Figure10(options) => tables(FIGURE_10, options),
        What::Table65(options) => small_scope::table_6_5(options.quick, options.only, options.limit),
        What::Languages(options) => languages::table(options.quick),
        What::Dminor(options) => dminor::table(options.quick),
        What::Hob(options) => hob::table(options.quick).and_then(|()| bounded::table(options.quick)),
        What::Jdk(options) => jdk::table(options.quick, options.only),
        What::Ratios(options) => ratios(options),
    };
    match work::on_large_stack(work) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// A row that takes longer is given up, and no larger one is tried.
const SECONDS: f64 = 300.0;

fn tables(subjects: &[paper::Subject], options: Options) -> Result<(), String> {
    let mut table = Table::begin(options.limit);
    for subject in subjects.iter().filter(|s| options.only.is_none_or(|o| o == s.name)) {
        let loaded = Subject::load(subject.path)?;
        let mut is_hopeless = false;
        for row in subject.rows.iter().filter(|r| !options.quick || r.n <= 16) {
            let ours = loaded.measure(row.n, Engine::GlassBox, Some(options.limit.max(SECONDS)))?;
            let exhaustive = match is_hopeless {
                true => None,
                false => Some(loaded.measure(row.n, Engine::Exhaustive, Some(options.limit))?),
            };
            is_hopeless = exhaustive.as_ref().is_none_or(|e| !e.is_over);
            table.row(subject, row, &ours, exhaustive.as_ref());
            if !ours.is_over {
                break;
            }
        }
        table.end_subject(subject);
    }
    table.end();
    Ok(())
}

/// How many times the default's seconds the loop as printed gets: it would take hours.
const ENOUGH: f64 = 40.0;

/// How much the default gains over the loop as printed, and over visiting every state.
fn ratios(options: Options) -> Result<(), String> {
    let tree_map = Subject::load("tree-map/TreeMap.java")?;
    println!("ratios");
    for n in [15, 31, 63, 127] {
        let ours = tree_map.measure(n, Engine::GlassBox, None)?;
        let limit = options.limit.max(ENOUGH * ours.seconds);
        let models = tree_map.measure(n, Engine::Models, Some(limit))?;
        let (not, least) = if models.is_over { ("", "") } else { ("does not end within ", "at least ") };
        println!(
            "  TreeMap {n}: --search models {not}{:.2} s, default {:.3} s: {least}{:.0} times slower; states run {} and {}",
            models.seconds,
            ours.seconds,
            models.seconds / ours.seconds,
            models.states,
            ours.states
        );
    }
    let ours = tree_map.measure(7, Engine::GlassBox, None)?;
    let all = tree_map.measure(7, Engine::Exhaustive, Some(options.limit.max(60.0)))?;
    println!(
        "  TreeMap 7: --engine exhaustive {}{:.2} s, default {:.4} s: {:.0} times slower; {} states run and {}: {:.0} times as many",
        if all.is_over { "" } else { "did not end within " },
        all.seconds,
        ours.seconds,
        all.seconds / ours.seconds,
        all.states,
        ours.states,
        all.states as f64 / ours.states as f64
    );
    Ok(())
}

impl Row {
    const fn new(n: i64, transitions: u64, seconds: f64) -> Row {
        Row { n, paper: Some((transitions, seconds)) }
    }

    const fn ours(n: i64) -> Row {
        Row { n, paper: None }
    }
}
