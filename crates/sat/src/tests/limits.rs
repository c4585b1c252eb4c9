//! A raised flag, a passed deadline and a conflict limit give `Unknown`, and the solver can go on afterwards.

use std::thread;
use std::time::Duration;

use super::pigeons;
use crate::cadical::{Cadical, Preset};
use crate::certify::Certified;
use crate::second::Batsat;
use crate::solver::{Answer, Certificate, Limits, Solver};
use work::{Cause, Stop};

fn solvers() -> [Box<dyn Solver>; 4] {
    [
        Box::new(Cadical::new(Preset::Search)),
        Box::new(Cadical::new(Preset::Check)),
        Box::new(Certified::new(Preset::Check)),
        Box::new(Batsat::new()),
    ]
}

#[test]
fn a_flag_raised_from_another_thread_stops_the_search() {
    for mut solver in solvers() {
        // Hours of work without special reasoning.
        let guard = solver.new_var();
        pigeons(&mut *solver, 14, Some(guard));
        let stop = Stop::default();
        solver.set_limits(Limits::until(&stop));
        let raiser = thread::spawn({
            let stop = stop.clone();
            move || {
                thread::sleep(Duration::from_millis(30));
                stop.raise(Cause::Interrupted);
            }
        });
        solver.assume(!guard);
        assert_eq!(solver.solve(), Answer::Unknown);
        assert!(raiser.join().is_ok());
        assert_eq!(solver.value(guard), None);
        assert!(!solver.failed(!guard));
        assert_eq!(solver.certificate(), Certificate::Absent);
        // A flag that is up already stops before anything is done, and the assumptions are still dropped.
        solver.assume(!guard);
        assert_eq!(solver.solve(), Answer::Unknown);
        solver.set_limits(Limits::default());
        // Would clash with the assumption above; left free, saved phases lead back into the hard half.
        solver.assume(guard);
        assert_eq!(solver.solve(), Answer::Sat);
        assert_eq!(solver.value(guard), Some(true));
    }
}

#[test]
fn a_deadline_stops_the_search() {
    for mut solver in solvers() {
        pigeons(&mut *solver, 14, None);
        solver.set_limits(Limits::until(&Stop::after(Duration::from_millis(30))));
        assert_eq!(solver.solve(), Answer::Unknown);
    }
}

#[test]
fn a_conflict_limit_holds_for_each_call_until_it_is_lifted() {
    for mut solver in solvers() {
        pigeons(&mut *solver, 6, None);
        solver.set_limits(Limits { conflicts: Some(5), ..Limits::default() });
        assert_eq!(solver.solve(), Answer::Unknown);
        assert_eq!(solver.solve(), Answer::Unknown);
        solver.set_limits(Limits::default());
        assert_eq!(solver.solve(), Answer::Unsat);
    }
}
