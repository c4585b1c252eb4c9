//! Dminor programs: what the verifier does on each correct program of the suite, beside Boogie on the program that `--emit boogie` writes.
//! One thread, one process of a solver at a time, both in the same run.

use dminor::bemol::{Reading, boogie};
use dminor::typing::Table;
use dminor::verify::{Options, Subject, Verdict};
use drive::programs::{Method, answers};
use source::SourceMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use work::Stop;

struct Row {
    name: String,
    functions: usize,
    verified: usize,
    conditions: usize,
    queries: u64,
    /// Ours, the solver's included.
    seconds: f64,
    solver: f64,
    /// Boogie's, start of the process included.
    boogie: Option<f64>,
}

pub fn table(is_quick: bool) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dminor/tests/suite/ok");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).map_err(|e| e.to_string())?.flatten().map(|e| e.path()).collect();
    files.sort();
    if is_quick {
        files = files.into_iter().step_by(6).collect();
    }
    let solver =
        smt::find(None, &Stop::default()).map_err(|missing| format!("{}: {}", missing.message, missing.help))?;
    let has_boogie = Command::new("boogie").arg("/version").stdout(Stdio::null()).status().is_ok();
    if !has_boogie {
        println!("boogie is not installed: its column is empty (apt-get install boogie)");
    }
    let options = Options {
        reading: Reading::default(),
        lenient_types: false,
        solver,
        patience: Duration::from_secs(5),
        threads: 1,
        tries: 1_000,
        certifier: None,
        stop: Stop::default(),
    };
    println!(
        "{:<24} {:>9} {:>9} {:>10} {:>7} {:>9} {:>9} {:>9} {:>7}",
        "program", "functions", "verified", "conditions", "queries", "seconds", "solver", "boogie", "ratio"
    );
    let mut rows = Vec::new();
    let mut each = Vec::new();
    let mut methods = Table::default();
    for file in &files {
        let row = measured(file, &options, has_boogie, &mut each, &mut methods)?;
        print(&row);
        rows.push(row);
    }
    let sum = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
    print(&Row {
        name: "all".to_string(),
        functions: rows.iter().map(|r| r.functions).sum(),
        verified: rows.iter().map(|r| r.verified).sum(),
        conditions: rows.iter().map(|r| r.conditions).sum(),
        queries: rows.iter().map(|r| r.queries).sum(),
        seconds: sum(&|r| r.seconds),
        solver: sum(&|r| r.solver),
        boogie: rows.iter().map(|r| r.boogie).sum(),
    });
    let mut ratios: Vec<f64> = rows.iter().filter_map(|r| r.boogie.map(|b| b / r.seconds.max(1e-4))).collect();
    ratios.sort_by(f64::total_cmp);
    if !ratios.is_empty() {
        println!("\nBoogie takes {:.0} times as long on the median program", ratios[ratios.len() / 2]);
    }
    each.sort_by(f64::total_cmp);
    let at = |part: f64| each.get(((each.len() as f64) * part) as usize).copied().unwrap_or(0.0) * 1e3;
    println!(
        "a function takes {:.0} ms (median), {:.0} ms (nine of ten at most), the solver included",
        at(0.5),
        at(0.9)
    );
    println!("\nthe type system of Dminor beside verification (the paper's Table 1), on the same programs:\n{methods}");
    Ok(())
}

fn measured(
    file: &Path,
    options: &Options,
    has_boogie: bool,
    each: &mut Vec<f64>,
    table: &mut Table,
) -> Result<Row, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let name = file.file_stem().map_or(String::new(), |n| n.to_string_lossy().to_string());
    let mut sources = SourceMap::default();
    let id = sources.add(name.clone(), text);
    let loaded = dminor::load(&sources.file(id).text, id);
    let program = loaded.program.ok_or_else(|| format!("{name} cannot be read"))?;
    let start = Instant::now();
    let program = Arc::new(program);
    let verified = answers(&program, Method::Conditions, options);
    let seconds = start.elapsed().as_secs_f64();
    table.add(&answers(&program, Method::Types, options), &verified);
    let functions = verified.iter().filter(|a| matches!(a.subject, Subject::Function(_)));
    each.extend(functions.clone().map(|a| a.seconds));
    let boogie = if has_boogie { Some(by_boogie(&name, &boogie(&program, options.reading, &sources))?) } else { None };
    Ok(Row {
        name,
        functions: functions.clone().count(),
        verified: functions.filter(|a| matches!(a.verdict, Verdict::Verified)).count(),
        conditions: verified.iter().map(|a| a.conditions).sum(),
        queries: verified.iter().map(|a| a.queries).sum(),
        seconds,
        solver: verified.iter().map(|a| a.solver_seconds).sum(),
        boogie,
    })
}

fn by_boogie(name: &str, text: &str) -> Result<f64, String> {
    let file = std::env::temp_dir().join(format!("glassbox-bench-{}-{name}.bpl", std::process::id()));
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let start = Instant::now();
    let ran =
        Command::new("boogie").arg("/timeLimit:10").arg(&file).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let seconds = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_file(&file);
    ran.map(|_| seconds).map_err(|e| e.to_string())
}

fn print(row: &Row) {
    let boogie = row.boogie.map_or(String::new(), |b| format!("{b:.2}"));
    let ratio = row.boogie.map_or(String::new(), |b| format!("{:.0}", b / row.seconds.max(1e-4)));
    println!(
        "{:<24} {:>9} {:>9} {:>10} {:>7} {:>9.3} {:>9.3} {:>9} {:>7}",
        row.name, row.functions, row.verified, row.conditions, row.queries, row.seconds, row.solver, boogie, ratio
    );
}
