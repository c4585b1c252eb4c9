//! Conditions as questions to a solver, each by itself: declarations, the axioms that it can reach, the facts, the negated goal.

use super::condition::Condition;
use super::logic::Logic;
use super::{Options, Why};
use smt::{Answer, Counts, Kind, Program, Session};
use std::time::Duration;
use work::Stop;

/// A question whose answer `unsat` proves the goal.
pub struct Query {
    pub text: String,
    /// The same with further axioms, if there are some.
    pub further: Option<String>,
}

impl Query {
    pub fn new(logic: &Logic, condition: &Condition) -> Query {
        let t = logic.terms;
        let Condition { declared, facts, goal, .. } = condition;
        let text = |further: bool| {
            let mentioned = facts.iter().chain([goal]).copied();
            let mut text = logic.items.reached(mentioned, further, t)?;
            logic.declared[..*declared].iter().for_each(|symbol| t.declaration(*symbol, &mut text));
            facts.iter().for_each(|fact| t.assert(*fact, &mut text));
            t.assert(t.not(*goal), &mut text);
            Some(text)
        };
        Query { text: text(false).unwrap_or_default(), further: text(true) }
    }
}

pub trait Prover {
    /// Whether it is proved; if not, why.
    fn prove(&mut self, query: &Query) -> Result<(), Why>;

    /// The same for what need not be proved: with little patience.
    fn guess(&mut self, query: &Query) -> bool;
}

pub struct Solver {
    session: Session,
    /// For one question.
    pub patience: Duration,
    stop: Stop,
}

/// A second solver, which shares nothing with the first but the questions: it repeats proofs.
pub struct Certifier {
    /// The same solver with other strategies: what one does not find another may.
    sessions: Vec<Session>,
    patience: Duration,
    stop: Stop,
}

/// Why a proof is not certified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The second solver has a model where the first has a proof: one of them is wrong.
    Contradicted,
    /// It does not decide the question.
    Open(smt::Why),
}

impl Certifier {
    pub fn new(program: &Program, options: &Options) -> Certifier {
        // Instances that lead to a conflict first decide 880 of the 882 proofs of the suite; one more is decided without.
        let strategies: &[&[&str]] = match program.kind {
            Kind::Z3 => &[&[]],
            Kind::Cvc5 => &[&[], &["--no-cbqi"]],
        };
        let session = |strategy: &&[&str]| {
            let mut program = program.clone();
            program.arguments.extend(strategy.iter().map(|a| a.to_string()));
            Session::new(program.clone(), prelude(program.kind))
        };
        let sessions = strategies.iter().map(session).collect();
        Certifier { sessions, patience: options.patience, stop: options.stop.clone() }
    }

    pub fn repeat(&mut self, query: &Query) -> Result<(), Doubt> {
        let mut open = smt::Why::GaveUp("it has no strategy".to_string());
        for session in &mut self.sessions {
            for text in [&query.text].into_iter().chain(&query.further) {
                match session.check(text, self.patience, &self.stop) {
                    Answer::Unsat => return Ok(()),
                    // A model of fewer axioms contradicts nothing.
                    Answer::Sat if query.further.as_ref().is_some_and(|further| further != text) => {}
                    Answer::Sat => return Err(Doubt::Contradicted),
                    Answer::Unknown(why) => open = why,
                }
            }
        }
        Err(Doubt::Open(open))
    }
}

/// For guesses, and for the first attempt.
pub const SHORT: Duration = Duration::from_millis(400);

impl Solver {
    pub fn new(options: &Options) -> Solver {
        let program = options.solver.clone();
        let prelude = prelude(program.kind);
        Solver { session: Session::new(program, prelude), patience: options.patience, stop: options.stop.clone() }
    }

    /// Forgets all questions so far, so that answers about one subject do not depend on which others this process was asked about.
    pub fn begin(&mut self, options: &Options) {
        (self.patience, self.stop) = (options.patience, options.stop.clone());
        self.session.reset();
    }

    /// What these terms are in a model of a question, or in what the solver takes for one.
    pub fn values(&mut self, query: &Query, terms: &[String]) -> Vec<String> {
        self.session.values(&query.text, terms, SHORT.min(self.patience), &self.stop).1
    }

    pub fn counts(&self) -> Counts {
        self.session.counts
    }

    fn ask(&mut self, text: &str) -> Result<(), Why> {
        match self.session.check(text, self.patience, &self.stop) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Why::Model),
            Answer::Unknown(why) => Err(Why::Unknown(why)),
        }
    }
}

impl Prover for Solver {
    fn prove(&mut self, query: &Query) -> Result<(), Why> {
        match (self.ask(&query.text), &query.further) {
            (Err(_), Some(further)) => self.ask(further),
            (answer, _) => answer,
        }
    }

    fn guess(&mut self, query: &Query) -> bool {
        self.session.check(&query.text, SHORT.min(self.patience), &self.stop) == Answer::Unsat
    }
}

/// What is sent first.
pub fn prelude(kind: Kind) -> String {
    let options = match kind {
        Kind::Z3 => {
            "(set-option :auto_config false)\n(set-option :smt.mbqi false)\n(set-option :smt.qi.eager_threshold 100)\n"
        }
        Kind::Cvc5 => "",
    };
    format!("{options}{}", include_str!("prelude.smt2"))
}
