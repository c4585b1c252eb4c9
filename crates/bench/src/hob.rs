//! Hob modules: Table 2 of the paper on our programs. Sizes of formulas with and without each transformation, our decision procedure beside
//! MONA on the same obligations in the same run. One thread.

use hob::flags::{self, Effects, Finding, Verdict};
use hob::program::{Checker, ModuleId};
use hob::{FileKind, Input, Program};
use source::SourceMap;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use work::with_room;

/// MONA's limits for one obligation: the paper's machine had two gigabytes.
const MONA_SECONDS: u64 = 20;
const MONA_KILOBYTES: u64 = 2_000_000;

/// Objects of each type, for plugins that check up to a bound.
const BOUND: i64 = 4;

/// Obligations of a module that MONA may lose before the others are not tried.
const MONA_LOSSES: usize = 2;

/// Each transformation off, and all of them.
const CONFIGURATIONS: [(&str, sets::Options); 6] = [
    ("all on", options(true, true, true, true)),
    ("no smart", options(false, true, true, true)),
    ("no factoring", options(true, false, true, true)),
    ("no one-point", options(true, true, false, true)),
    ("no nesting", options(true, true, true, false)),
    ("all off", options(false, false, false, false)),
];

const fn options(smart_constructors: bool, factoring: bool, one_point: bool, nesting: bool) -> sets::Options {
    sets::Options { smart_constructors, factoring, one_point, nesting }
}

struct Row {
    name: String,
    procs: usize,
    verified: usize,
    obligations: usize,
    /// By configuration.
    nodes: [u64; 6],
    /// With all on, and with all off: analysis in all, and of it deciding the obligations.
    seconds: [f64; 2],
    deciding: [f64; 2],
    /// With all on and with all off.
    mona: [Option<Mona>; 2],
}

#[derive(Clone, Copy, Default)]
struct Mona {
    /// On the obligations that it survives.
    seconds: f64,
    lost: usize,
    /// After too many losses.
    not_tried: usize,
}

pub fn table(is_quick: bool) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hob");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .map_err(|e| e.to_string())?
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    folders.sort();
    if is_quick {
        folders.retain(|f| !f.ends_with("water") && !f.ends_with("minesweeper"));
    }
    let has_mona = Command::new("mona").arg("-h").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !has_mona {
        println!("mona is not installed: its columns are empty (apt-get install mona)");
    }
    let mut rows = Vec::new();
    let mut by_plugin = Vec::new();
    for folder in &folders {
        let program = load(folder)?;
        let effects = Effects::of(&program);
        let name = folder.file_name().map(|n| n.to_string_lossy().to_string()).unwrap_or_default();
        by_plugin.push((name, plugins(&program, &effects)?));
        for module in (0..program.modules.len() as u32).map(ModuleId) {
            if !flags::procs(&program, module).is_empty() {
                let mut row = measured(&program, &effects, module, has_mona);
                let folder = folder.file_name().map(|n| n.to_string_lossy().to_string()).unwrap_or_default();
                row.name = format!("{folder}/{}", row.name);
                eprintln!("measured {}", row.name);
                rows.push(row);
            }
        }
    }
    print_nodes(&rows);
    print_times(&rows);
    print_plugins(&by_plugin);
    Ok(())
}

/// By plugin of a program: procedures, and seconds for all of them.
type Plugins = BTreeMap<String, (usize, f64)>;

fn plugins(program: &Program, effects: &Effects) -> Result<Plugins, String> {
    let mut found = Plugins::new();
    for (module, declared) in (0..).map(ModuleId).zip(&program.modules) {
        for section in &declared.plugins {
            let start = Instant::now();
            match section.checker {
                Checker::Flags => {
                    let options = flags::Options::default();
                    let procs = section.procs.iter().filter(|p| program.proc(**p).body.is_some());
                    procs.for_each(|p| drop(flags::analyse(program, effects, *p, &options)));
                }
                Checker::Nobody(_) => continue,
                _ => {
                    let task = hob::bounded::translate(program, module, section).map_err(|e| format!("{e:?}"))?;
                    with_room(|| crate::bounded::seconds(program, &task, BOUND)).map_err(|e| e.to_string())??;
                }
            }
            let sum = found.entry(section.plugin.clone()).or_default();
            sum.0 += section.procs.len();
            sum.1 += start.elapsed().as_secs_f64();
        }
    }
    Ok(found)
}

fn print_plugins(rows: &[(String, Plugins)]) {
    let names: BTreeSet<&String> = rows.iter().flat_map(|(_, plugins)| plugins.keys()).collect();
    println!(
        "\nmilliseconds by plugin, procedures in parentheses; all but `flags` with at most {BOUND} objects of each type\n"
    );
    let heads: String = names.iter().map(|name| format!(" {name:>14}")).collect();
    println!("{:<24}{heads}", "program");
    for (program, plugins) in rows {
        let cell = |name: &String| plugins.get(name).map_or(String::new(), |(n, s)| format!("{:.1} ({n})", s * 1e3));
        let cells: String = names.iter().map(|name| format!(" {:>14}", cell(name))).collect();
        println!("{program:<24}{cells}");
    }
}

fn load(folder: &Path) -> Result<Program, String> {
    let mut sources = SourceMap::default();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| e.to_string())?.flatten() {
        let path = entry.path();
        let name = path.file_name().map(|n| n.to_string_lossy().to_string()).unwrap_or_default();
        if let Some(kind) = FileKind::of(&name) {
            let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
            files.push((sources.add(name, text.clone()), kind, text));
        }
    }
    let inputs: Vec<Input> = files.iter().map(|(file, kind, text)| Input { file: *file, kind: *kind, text }).collect();
    let loaded = hob::load(&inputs);
    loaded.program.ok_or_else(|| format!("{}: {:?}", folder.display(), loaded.diagnostics.first()))
}

fn analysed(program: &Program, effects: &Effects, module: ModuleId, options: &flags::Options) -> (Vec<Finding>, f64) {
    let start = Instant::now();
    let procs = flags::procs(program, module);
    let findings = procs.into_iter().map(|p| flags::analyse(program, effects, p, options)).collect();
    (findings, start.elapsed().as_secs_f64())
}

fn measured(program: &Program, effects: &Effects, module: ModuleId, has_mona: bool) -> Row {
    let mut row = Row {
        name: program.module(module).name.clone(),
        procs: 0,
        verified: 0,
        obligations: 0,
        nodes: [0; 6],
        seconds: [0.0; 2],
        deciding: [0.0; 2],
        mona: [None; 2],
    };
    for (k, (_, formulas)) in CONFIGURATIONS.iter().enumerate() {
        let options = flags::Options { formulas: *formulas, ..flags::Options::default() };
        let (findings, seconds) = analysed(program, effects, module, &options);
        let obligations = || findings.iter().flat_map(|f| &f.obligations);
        row.nodes[k] = obligations().fold(0, |sum, o| sum.saturating_add(o.nodes));
        let Some(side) = [Some(0), None, None, None, None, Some(1)][k] else { continue };
        row.seconds[side] = seconds;
        row.deciding[side] = obligations().map(|o| o.decision.time).sum::<Duration>().as_secs_f64();
        if side == 0 {
            row.procs = findings.len();
            row.verified = findings.iter().filter(|f| matches!(f.verdict, Verdict::Verified)).count();
            row.obligations = obligations().count();
        }
        if has_mona {
            let emitting = flags::Options { emit_mona: true, ..options };
            let (findings, _) = analysed(program, effects, module, &emitting);
            let mut sum = Mona::default();
            for text in findings.iter().flat_map(|f| &f.obligations).filter_map(|o| o.mona.as_deref()) {
                if sum.lost >= MONA_LOSSES {
                    sum.not_tried += 1;
                    continue;
                }
                match by_mona(text) {
                    Some(seconds) => sum.seconds += seconds,
                    None => sum.lost += 1,
                }
            }
            row.mona[side] = Some(sum);
        }
    }
    row
}

/// None if it does not end with an answer within its limits.
fn by_mona(text: &str) -> Option<f64> {
    let file = std::env::temp_dir().join(format!("glassbox-bench-{}.mona", std::process::id()));
    std::fs::File::create(&file).and_then(|mut f| f.write_all(text.as_bytes())).ok()?;
    let start = Instant::now();
    let limited = format!("ulimit -v {MONA_KILOBYTES}; exec mona -q '{}'", file.display());
    let mut child =
        Command::new("sh").args(["-c", &limited]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut output = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = std::io::Read::read_to_string(&mut output, &mut text);
        text
    });
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.success(),
            Ok(None) if start.elapsed() < Duration::from_secs(MONA_SECONDS) => {
                std::thread::sleep(Duration::from_micros(200))
            }
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break false;
            }
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_file(&file);
    let answer = reader.join().unwrap_or_default();
    (ended && (answer.contains("unsatisfiable") || answer.contains("satisfying") || answer.contains("valid")))
        .then_some(seconds)
}

fn print_nodes(rows: &[Row]) {
    println!("nodes of the obligations' formulas, as trees (paper, Table 2), by which transformation is off\n");
    print!("{:<24} {:>5} {:>11}", "module", "procs", "obligations");
    for (name, _) in CONFIGURATIONS {
        print!(" {name:>13}");
    }
    println!(" {:>7}", "ratio");
    for row in rows {
        print!("{:<24} {:>5} {:>11}", row.name, row.procs, row.obligations);
        for nodes in row.nodes {
            print!(" {nodes:>13}");
        }
        println!(" {:>7.1}", row.nodes[5] as f64 / row.nodes[0].max(1) as f64);
    }
}

fn print_times(rows: &[Row]) {
    println!(
        "\nmilliseconds; MONA: one process per obligation, at most {MONA_SECONDS} s and {} MB each; `+n` did not survive, `(n)` were not tried then",
        MONA_KILOBYTES / 1000
    );
    println!(
        "\n{:<24} {:>9} {:>9} {:>9} {:>12} {:>7} {:>12} {:>12} {:>16}",
        "module", "verified", "analysis", "deciding", "MONA", "ratio", "off: analysis", "deciding", "MONA"
    );
    let shown = |mona: Option<Mona>| match mona {
        Some(Mona { seconds, lost: 0, .. }) => format!("{:.0}", seconds * 1e3),
        Some(Mona { seconds, lost, not_tried: 0 }) => format!("{:.0} +{lost}", seconds * 1e3),
        Some(Mona { seconds, lost, not_tried }) => format!("{:.0} +{lost} ({not_tried})", seconds * 1e3),
        None => String::new(),
    };
    let (mut ours, mut theirs) = (0.0, 0.0);
    for row in rows {
        let ratio =
            row.mona[0].map_or(String::new(), |mona| format!("{:.0}", mona.seconds / row.deciding[0].max(1e-6)));
        ours += row.deciding[0];
        theirs += row.mona[0].map_or(0.0, |mona| mona.seconds);
        println!(
            "{:<24} {:>9} {:>9.1} {:>9.2} {:>12} {:>7} {:>13.1} {:>12.2} {:>16}",
            row.name,
            format!("{}/{}", row.verified, row.procs),
            row.seconds[0] * 1e3,
            row.deciding[0] * 1e3,
            shown(row.mona[0]),
            ratio,
            row.seconds[1] * 1e3,
            row.deciding[1] * 1e3,
            shown(row.mona[1]),
        );
    }
    println!(
        "\nin all: {:.1} ms ours, {:.0} ms MONA's, {:.0} times as long",
        ours * 1e3,
        theirs * 1e3,
        theirs / ours.max(1e-6)
    );
}
