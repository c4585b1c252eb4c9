//! Runs of the water simulation: energies that a liquid can have, and which of the seeded bugs a run shows.

use hob::interp::{self, Ending, Options, Outcome, Script};
use hob::{FileKind, Input, Program};
use source::SourceMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn water() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hob/water")
}

/// The program, with the files of a bug instead of its own.
fn load(bug: Option<&str>) -> Program {
    let mut texts = BTreeMap::new();
    for folder in [Some(water()), bug.map(|bug| water().join("bugs").join(bug))].into_iter().flatten() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if let Some(kind) = FileKind::of(&name) {
                texts.insert(name, (kind, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut map = SourceMap::default();
    let inputs: Vec<Input> = texts
        .iter()
        .map(|(name, (kind, text))| Input { file: map.add(name, text.as_str()), kind: *kind, text })
        .collect();
    let loaded = hob::load(&inputs);
    loaded.program.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn run(program: &Program, parameters: &str, check_contracts: bool) -> (Outcome, String) {
    let lines = parameters.split("; ").map(String::from).collect();
    let mut world = Script { files: vec![("parameters.txt".to_owned(), lines)], ..Script::default() };
    let entry = interp::entry_point(program).unwrap();
    let outcome = interp::run(program, entry, &[], &mut world, &Options { check_contracts, ..Options::default() });
    (outcome, world.output)
}

/// Step, kinetic, intra, inter, total, temperature, pressure.
fn rows(output: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<f64>>>();
    output.lines().filter_map(numbers).filter(|row| row.len() == 7).collect()
}

#[test]
fn every_contract_holds_and_energy_is_conserved() {
    let program = load(None);
    let (outcome, output) = run(&program, "nside 2; nequil 10; nstep 40; nprint 10", true);
    assert!(matches!(outcome.ending, Ending::Returned(_)), "{:?}\n{output}", outcome.diagnostic(&program));
    assert_eq!(outcome.checks.skipped, 0);
    assert!(outcome.checks.evaluated > 1_000_000, "{:?}", outcome.checks);
    let rows = rows(&output);
    assert_eq!(rows.iter().map(|row| row[0] as i64).collect::<Vec<_>>(), [0, 10, 20, 30, 40], "{output}");
    for row in &rows {
        let [_, kinetic, intra, inter, total, temperature, _] = row[..] else { panic!("{row:?}") };
        assert!((kinetic + intra + inter - total).abs() < 0.002, "{output}");
        assert!(kinetic > 0.0 && (100.0..500.0).contains(&temperature), "{output}");
        // Liquid water: about -40 kJ/mol a molecule.
        assert!((-50.0..-25.0).contains(&(inter / 8.0)) && (0.0..20.0).contains(&(intra / 8.0)), "{output}");
    }
    assert!((rows[1][5] - 300.0).abs() < 0.1, "velocities are scaled in the first ten steps\n{output}");
    assert!(rows[2..].iter().all(|row| (row[4] - rows[2][4]).abs() < 0.01), "{output}");
    assert!(output.contains("momentum 0.000000"), "{output}");
}

/// After the same time the same state, nearly, whatever the order of the predictor and however long its steps.
#[test]
fn order_and_step_do_not_matter() {
    let program = load(None);
    let last = |parameters: &str| {
        let (_, output) = run(&program, &format!("nside 2; nequil 0; {parameters}"), false);
        rows(&output).pop().unwrap_or_else(|| panic!("{output}"))
    };
    let usual = last("norder 5; tstep 0.2; nstep 20; nprint 20");
    for other in [
        "norder 4; tstep 0.2; nstep 20; nprint 20",
        "norder 6; tstep 0.2; nstep 20; nprint 20",
        "norder 3; tstep 0.05; nstep 80; nprint 80",
        "norder 5; tstep 0.1; nstep 40; nprint 40",
    ] {
        let found = last(other);
        let near = usual.iter().zip(&found).skip(1).take(4).all(|(a, b)| (a - b).abs() < 0.3);
        assert!(near, "{other}: {usual:?} {found:?}");
    }
}

#[test]
fn wrong_parameters_are_said_and_become_defaults() {
    let (_, output) = run(&load(None), "nstep 0; nside 11; tstep soon; nequil 1.5; color 3", false);
    for message in [
        "line 3: tstep must be a number, not soon",
        "line 4: nequil must be a whole number, not 1.5",
        "line 5: there is no parameter color",
        "nside must be from 1 to 10, not 11; it is 3 now",
        "27 molecules in a box of 9.322 A, steps of 0.250 fs",
    ] {
        assert!(output.contains(message), "{message}\n{output}");
    }
}

/// One bug breaks no contract in a run of this program: only all heaps show it.
#[test]
fn a_run_shows_most_bugs() {
    let mut names: Vec<String> = std::fs::read_dir(water().join("bugs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let runs = |name: &String| {
        let (outcome, _) = run(&load(Some(name)), "nside 2; nstep 2; nprint 1", true);
        matches!(outcome.ending, Ending::Returned(_))
    };
    let (unseen, seen): (Vec<String>, Vec<String>) = names.into_iter().partition(runs);
    assert_eq!(unseen, ["10-no-molecule"]);
    assert_eq!(seen.len(), 16);
}
