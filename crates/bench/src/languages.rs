//! Type soundness of language definitions: time per language and bound, beside the papers' (000, Figure 9), and time to each seeded bug of
//! STLC with lists, for the command as a user runs it.

use lang::syntax::{parse, read_bounds};
use lang::term::Terms;
use lang::{Expected, Lang};
use soundness::{Options, Outcome};
use source::FileId;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

struct Row {
    file: &'static str,
    bounds: &'static str,
    /// States and seconds of the paper.
    paper: Option<(u64, f64)>,
    /// Seconds that we aim at.
    target: Option<f64>,
}

const fn row(file: &'static str, bounds: &'static str, paper: Option<(u64, f64)>, target: Option<f64>) -> Row {
    Row { file, bounds, paper, target }
}

const ROWS: &[Row] = &[
    row("arith", "t: 121 nodes", Some((23, 1.376)), None),
    row("arith", "t: 1093 nodes", Some((35, 10.833)), None),
    row("arith", "t: 3280 nodes", Some((41, 38.543)), Some(0.2)),
    row("arith", "t: 29524 nodes", None, None),
    row("imp", "c: 127 nodes", None, None),
    row("imp", "c: 511 nodes", Some((652, 331.138)), Some(1.0)),
    row("imp", "c: 1023 nodes", None, None),
    row("stlc", "t: 127 nodes", None, None),
    row("stlc", "t: 511 nodes", None, Some(1.0)),
    row("stlc", "t: 1023 nodes", None, Some(5.0)),
    row("sub", "t: 511 nodes", None, None),
    row("sub", "t: 1023 nodes", None, None),
    row("refs", "t: 63 nodes", None, None),
    row("refs", "t: 255 nodes", None, Some(5.0)),
];

/// Rows above this many nodes are left out of a quick run.
const QUICK: usize = 150;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lang")
}

fn load(file: &str) -> Result<Vec<Lang>, String> {
    let path = examples().join(format!("{file}.lang"));
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let file = parse(&text, FileId(0));
    if file.has_errors() {
        return Err(file.diagnostics.first().map_or(String::new(), |d| d.message.clone()));
    }
    Ok(file.languages.into_iter().flatten().collect())
}

pub fn table(is_quick: bool) -> Result<(), String> {
    println!("                                  paper                glassbox, one thread, progress and preservation");
    println!(
        "language  bound               states    seconds      states    verdict   with counts  target  queries    clauses"
    );
    for row in ROWS {
        let nodes: usize = row.bounds.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
        if is_quick && nodes > QUICK {
            continue;
        }
        let mut lang = load(row.file)?.remove(0);
        let bounds = read_bounds(&lang, row.bounds, FileId(1)).map_err(|d| d.message)?;
        lang.bounds.extend(bounds);
        let (verdict, _, _, _) = measure(&lang, true)?;
        let (counted, states, queries, clauses) = measure(&lang, false)?;
        let paper = match row.paper {
            Some((states, seconds)) => format!("{states:>8} {seconds:>10.3}"),
            None => format!("{:>8} {:>10}", "-", "-"),
        };
        let target = row.target.map_or("-".to_string(), |t| format!("{t}"));
        println!(
            "{:9} {:16} {paper}    {states:>8} {verdict:>10.3} {counted:>13.3}  {target:>6} {queries:>8} {clauses:>10}",
            row.file, row.bounds
        );
    }
    println!();
    extensions(is_quick)?;
    println!();
    bugs()
}

/// Extensions that assume their base sound, so that progress is inherited, beside the full check (001, Figure 10).
fn extensions(is_quick: bool) -> Result<(), String> {
    println!("                                    full                            assuming base sound");
    println!("extension bound                     seconds  queries    clauses     seconds  queries    clauses");
    let languages = load("nonnull-tainted")?;
    for bounds in ["t: 31 nodes T: depth 4", "t: 63 nodes T: depth 5", "t: 255 nodes T: depth 4"] {
        if is_quick && bounds.contains("255") {
            continue;
        }
        for lang in languages.iter().filter(|l| l.assumes_base) {
            let mut lang = lang.clone();
            lang.bounds.extend(read_bounds(&lang, bounds, FileId(1)).map_err(|d| d.message)?);
            print!("{:9} {bounds:24}", lang.name);
            for checks in [&["progress", "preservation"][..], &["preservation"]] {
                let start = Instant::now();
                let (_, queries, clauses) = measure_checks(&lang, checks, false)?;
                print!(" {:>9.3} {queries:>8} {clauses:>10}  ", start.elapsed().as_secs_f64());
            }
            println!();
        }
    }
    Ok(())
}

/// Seconds, states, queries and clauses of progress and preservation together.
fn measure(lang: &Lang, verdict_only: bool) -> Result<(f64, usize, u64, u64), String> {
    let start = Instant::now();
    let (states, queries, clauses) = measure_checks(lang, &["progress", "preservation"], verdict_only)?;
    Ok((start.elapsed().as_secs_f64(), states, queries, clauses))
}

/// States, queries and clauses of these checks, of which the last counts.
fn measure_checks(lang: &Lang, checks: &[&str], verdict_only: bool) -> Result<(usize, u64, u64), String> {
    let (mut states, mut queries, mut clauses) = (0, 0, 0);
    for &name in checks {
        let check = lang.checks.iter().find(|c| c.name == name).ok_or(format!("{} has no {name}", lang.name))?;
        let mut terms = Terms::new(lang);
        // What both count is counted once, as the command does it.
        let options = Options { verdict_only: verdict_only || checks.last() != Some(&name), ..Options::default() };
        match soundness::check(&mut terms, check, &options) {
            Outcome::Holds(held) => {
                states = states.max(held.states());
                queries += held.work.queries;
                clauses += held.work.clauses;
            }
            other => return Err(format!("{}, {name}: {other:?}", lang.name)),
        }
    }
    Ok((states, queries, clauses))
}

/// The seeded bugs of STLC, each by the command itself.
fn bugs() -> Result<(), String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let command = own.with_file_name("glassbox");
    if !command.exists() {
        println!("seeded bugs of stlc: not measured, build the command first (cargo build --release)");
        return Ok(());
    }
    let file = examples().join("stlc.lang");
    println!("seeded bug   check          size   seconds with start-up (target 0.2)");
    for lang in load("stlc")?.iter().filter(|l| l.extends.is_some()) {
        for expect in &lang.expects {
            let Expected::Fails { size } = expect.outcome else { continue };
            let start = Instant::now();
            let output = Command::new(&command)
                .arg("check")
                .arg(&file)
                .args(["--quiet", "--language", &lang.name, "--check", &expect.check])
                .output()
                .map_err(|e| e.to_string())?;
            let seconds = start.elapsed().as_secs_f64();
            if !output.status.success() {
                return Err(format!("{}: {} is not found as expected", lang.name, expect.check));
            }
            let size = size.map_or("-".to_string(), |s| s.to_string());
            println!("{:12} {:14} {size:>4} {seconds:>10.3}", lang.name, expect.check);
        }
    }
    Ok(())
}
