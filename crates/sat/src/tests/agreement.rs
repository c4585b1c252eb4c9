//! CaDiCaL plain, CaDiCaL certified, batsat and brute force give the same answers, models that are models, and cores
//! that are cores, over incremental scenarios with assumptions and constraints.

use super::{Random, lit, lits, pigeons};
use crate::cadical::{Cadical, Preset};
use crate::certify::Certified;
use crate::second::Batsat;
use crate::solver::{Answer, Certificate, SatLit, Solver};

/// All assignments that satisfy the clauses so far; an assignment is a bit per variable.
#[derive(Clone)]
struct BruteForce(Vec<u32>);

impl BruteForce {
    fn new(vars: u32) -> BruteForce {
        BruteForce((0..1 << vars).collect())
    }

    fn holds(assignment: u32, lit: i32) -> bool {
        (assignment >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0)
    }

    fn add(&mut self, clause: &[i32]) {
        self.0.retain(|&assignment| clause.iter().any(|&lit| BruteForce::holds(assignment, lit)));
    }

    fn under(&self, assumptions: &[i32], constraint: Option<&[i32]>) -> BruteForce {
        let mut all = self.clone();
        assumptions.iter().for_each(|&lit| all.add(&[lit]));
        constraint.iter().for_each(|clause| all.add(clause));
        all
    }
}

struct Query {
    assumptions: Vec<i32>,
    constraint: Option<Vec<i32>>,
}

/// Asks one solver and holds its answer, model or core against brute force.
fn ask(solver: &mut dyn Solver, vars: u32, query: &Query, truth: &BruteForce, label: &str) {
    query.assumptions.iter().for_each(|&number| solver.assume(lit(number)));
    query.constraint.iter().for_each(|clause| solver.constrain(&lits(clause)));
    let models = truth.under(&query.assumptions, query.constraint.as_deref());
    match solver.solve() {
        Answer::Sat => {
            let value = |v: u32| solver.value(lit(v.cast_signed())).expect("a model after Sat");
            let model = (1..=vars).map(|v| u32::from(value(v)) << (v - 1)).sum();
            assert!(models.0.contains(&model), "{label}: not a model");
            assert_eq!(solver.value(lit(-1)), Some(model & 1 == 0), "{label}: sign of the literal");
        }
        Answer::Unsat => {
            assert!(models.0.is_empty(), "{label}: Unsat, but there is a model");
            let core: Vec<i32> = query.assumptions.iter().copied().filter(|&a| solver.failed(lit(a))).collect();
            let constraint = query.constraint.as_deref().filter(|_| solver.constraint_failed());
            assert!(truth.under(&core, constraint).0.is_empty(), "{label}: the core is satisfiable");
        }
        Answer::Unknown => panic!("{label}: Unknown, certificate {:?}", solver.certificate()),
    }
}

/// One incremental life of a formula; gives the number of certified answers.
fn scenario(seed: u64, preset: Preset) -> u64 {
    let mut random = Random::new(seed);
    let vars = 3 + random.below(7);
    let mut certified = Certified::new(preset);
    let mut plain = Cadical::new(preset);
    let mut second = Batsat::new();
    let mut truth = BruteForce::new(vars);
    for _ in 0..vars {
        certified.new_var();
        plain.new_var();
        second.new_var();
    }
    for round in 0..2 + random.below(10) {
        for _ in 0..random.below(2 * vars) {
            let length = if random.below(12) == 0 { 1 } else { 2 + random.below(3) };
            let clause = random.clause(vars, length);
            truth.add(&clause);
            let clause: Vec<SatLit> = lits(&clause);
            certified.add_clause(&clause);
            plain.add_clause(&clause);
            second.add_clause(&clause);
        }
        let assumed = random.below(4);
        let query = Query {
            assumptions: random.clause(vars, assumed),
            constraint: (random.below(2) == 0).then(|| {
                let length = random.below(5);
                random.clause(vars, length)
            }),
        };
        let label = format!("seed {seed}, round {round}, {preset:?}");
        let unsat = truth.under(&query.assumptions, query.constraint.as_deref()).0.is_empty();
        ask(&mut certified, vars, &query, &truth, &format!("certified, {label}"));
        let expected = if unsat { Certificate::Checked } else { Certificate::Absent };
        assert_eq!(certified.certificate(), expected, "{label}");
        ask(&mut plain, vars, &query, &truth, &format!("plain, {label}"));
        ask(&mut second, vars, &query, &truth, &format!("batsat, {label}"));
    }
    certified.stats().certified
}

#[test]
fn random_incremental_scenarios_agree() {
    let certified: u64 = (0..3000).map(|seed| scenario(seed, [Preset::Search, Preset::Check][seed as usize % 2])).sum();
    assert!(certified > 5000, "only {certified} answers were Unsat");
}

/// Random 3-SAT at the threshold, too large for brute force, in slices of queries under assumptions.
#[test]
fn larger_random_instances_agree_with_the_second_opinion() {
    let mut unsat = 0;
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let vars = 80;
        let mut certified = Certified::new([Preset::Search, Preset::Check][seed as usize % 2]);
        let mut second = Batsat::new();
        for _ in 0..vars {
            certified.new_var();
            second.new_var();
        }
        for slice in 0..20 {
            for _ in 0..if slice == 0 { 250 } else { 8 } {
                let clause = lits(&random.clause(vars, 3));
                certified.add_clause(&clause);
                second.add_clause(&clause);
            }
            let assumptions = lits(&random.clause(vars, 4));
            let constraint = lits(&random.clause(vars, 6));
            for solver in [&mut certified as &mut dyn Solver, &mut second] {
                assumptions.iter().for_each(|&lit| solver.assume(lit));
                solver.constrain(&constraint);
            }
            let answer = certified.solve();
            assert_eq!(answer, second.solve(), "seed {seed}, slice {slice}: {:?}", certified.certificate());
            unsat += u64::from(answer == Answer::Unsat);
        }
    }
    assert!(unsat > 50, "only {unsat} answers were Unsat");
}

#[test]
fn pigeons_do_not_fit_and_the_proof_is_checked() {
    for preset in [Preset::Search, Preset::Check] {
        let mut solver = Certified::new(preset);
        let guard = solver.new_var();
        pigeons(&mut solver, 7, Some(guard));
        assert_eq!(solver.solve(), Answer::Sat);
        solver.assume(!guard);
        assert_eq!(solver.solve(), Answer::Unsat);
        assert_eq!(solver.certificate(), Certificate::Checked);
        assert!(solver.failed(!guard) && !solver.failed(guard));
        assert!(!solver.constraint_failed());
        // The assumption is gone, the constraint takes its place.
        assert_eq!(solver.solve(), Answer::Sat);
        assert_eq!(solver.value(guard), Some(true));
        solver.constrain(&[!guard]);
        assert_eq!(solver.solve(), Answer::Unsat);
        assert!(solver.constraint_failed());
        let stats = solver.stats();
        assert_eq!((stats.certified, stats.solves), (2, 4));
        assert!(stats.proof_steps > 100, "{stats:?}");
    }
}

#[test]
fn empty_clauses_constraints_and_clashes() {
    for mut solver in [Certified::new(Preset::Search), Certified::new(Preset::Check)] {
        let [a, b] = [solver.new_var(), solver.new_var()];
        solver.constrain(&[]);
        assert_eq!(solver.solve(), Answer::Unsat);
        assert!(solver.constraint_failed());
        solver.assume(a);
        solver.assume(!a);
        assert_eq!(solver.solve(), Answer::Unsat);
        assert!(solver.failed(a) && solver.failed(!a) && !solver.failed(b));
        solver.assume(a);
        solver.constrain(&[!a, !a]);
        assert_eq!(solver.solve(), Answer::Unsat);
        assert!(solver.failed(a) && solver.constraint_failed());
        // The second constraint replaces the first.
        solver.constrain(&[]);
        solver.constrain(&[b, !b]);
        assert_eq!(solver.solve(), Answer::Sat);
        solver.add_clause(&[]);
        assert_eq!(solver.value(a), None, "no model once a clause was added");
        assert_eq!(solver.solve(), Answer::Unsat);
        assert!(!solver.failed(a) && !solver.constraint_failed());
        assert_eq!(solver.certificate(), Certificate::Checked);
        assert_eq!(solver.stats().certified, 4);
    }
}
