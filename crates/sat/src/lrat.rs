//! An independent checker of LRAT proofs, fed step by step while the solver works.
//!
//! In: original clauses, derived clauses with the ids of their antecedents, deletions, and for each query the clauses
//! the solver concludes with. Out: `Ok` only if every derived clause follows from the clauses present by reverse unit
//! propagation along the antecedents, in their order, and the concluding clauses contradict the query.
//!
//! Invariant: every stored clause is implied by the original clauses. So deletions need no check of their own, and
//! original clauses may be added at any time. A step that only keeps satisfiability (RAT, as bounded variable addition
//! gives) has no place here and is an error.
//!
//! Nothing is shared with any solver, and this file knows literals only as DIMACS numbers.

use std::fmt;

/// Why a proof is not one. `step` is the id the solver gave to the derived clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// The solver named a clause as original that we did not add at that moment.
    ForeignOriginal {
        id: i64,
    },
    /// A clause of ours never reached the proof.
    OriginalMissing,
    /// Two clauses with one id, or an id that is not positive.
    BadId {
        id: i64,
    },
    /// The step rests on a witness or on negative antecedents: satisfiability is kept, implication is not.
    NotImplied {
        step: i64,
    },
    UnknownAntecedent {
        step: i64,
        antecedent: i64,
    },
    /// Two literals of the antecedent are not false.
    AntecedentNotUnit {
        step: i64,
        antecedent: i64,
    },
    /// The antecedents are used up without a conflict.
    NoConflict {
        step: i64,
    },
    DeletionOfUnknown {
        id: i64,
    },
    /// What was derived does not contradict the assumptions and the constraint of the query.
    NoContradiction,
    /// A clause holds 0 or a number without negation.
    BadLiteral,
    /// More than 2^32 ids, or words of literals.
    TooLarge,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::ForeignOriginal { id } => write!(f, "clause {id} is called original but was not added"),
            ProofError::OriginalMissing => write!(f, "an added clause is missing from the proof"),
            ProofError::BadId { id } => write!(f, "clause id {id} is not positive or used twice"),
            ProofError::NotImplied { step } => write!(f, "step {step} is not an implication (RAT)"),
            ProofError::UnknownAntecedent { step, antecedent } => {
                write!(f, "step {step} names clause {antecedent}, which is not there")
            }
            ProofError::AntecedentNotUnit { step, antecedent } => {
                write!(f, "step {step} names clause {antecedent}, which is not unit at that point")
            }
            ProofError::NoConflict { step } => write!(f, "the antecedents of step {step} give no conflict"),
            ProofError::DeletionOfUnknown { id } => write!(f, "clause {id} is deleted but not there"),
            ProofError::NoContradiction => write!(f, "the conclusion does not contradict the assumptions"),
            ProofError::BadLiteral => write!(f, "a clause holds a number that is not a literal"),
            ProofError::TooLarge => write!(f, "the proof is too large for the checker"),
        }
    }
}

impl std::error::Error for ProofError {}

/// A literal as an index: twice the variable, plus one if negated. The negation is `code ^ 1`.
pub(crate) fn code(lit: i32) -> u32 {
    lit.unsigned_abs() << 1 | u32::from(lit < 0)
}

fn dimacs(code: u32) -> i32 {
    let variable = (code >> 1).cast_signed();
    if code & 1 == 0 { variable } else { -variable }
}

/// Words before the literals of a clause in the arena: its length, and its id or 0 once deleted.
const HEADER: usize = 2;

/// Compaction below this many words is not worth the walk.
const MIN_GARBAGE: usize = 1 << 12;

#[derive(Default)]
pub struct Checker {
    /// Clauses one after the other, each after its header; one unused word in front, so that no clause starts at 0.
    arena: Vec<u32>,
    /// Start of the clause in `arena` by id; 0 if there is none. Ids are dense, as CaDiCaL numbers clauses in order.
    start: Vec<u32>,
    /// Words of `arena` that belong to deleted clauses.
    garbage: usize,
    /// `truth[l] == stamp` says that literal `l` is true in the current check; a new stamp forgets all.
    truth: Vec<u32>,
    stamp: u32,
    /// Whether the empty clause is among the clauses derived so far.
    refuted: bool,
    /// Checked concluding clauses of this query, each after its length.
    conclusions: Vec<u32>,
    live: usize,
    steps: u64,
}

impl Checker {
    pub fn new() -> Checker {
        Checker { arena: vec![0], ..Checker::default() }
    }

    /// Clauses present.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Derived and concluding clauses accepted so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Words held for clauses, deleted but not yet compacted ones included.
    pub fn words(&self) -> usize {
        self.arena.len()
    }

    /// Whether the clauses alone were shown unsatisfiable.
    pub fn refuted(&self) -> bool {
        self.refuted
    }

    pub fn add_original(&mut self, id: i64, clause: &[i32]) -> Result<(), ProofError> {
        self.make_room(clause)?;
        self.store(id, clause)
    }

    /// Checks the clause against its antecedents and keeps it.
    pub fn add_derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) -> Result<(), ProofError> {
        self.check(id, clause, antecedents)?;
        self.store(id, clause)
    }

    /// Forgets the clause. The proof that the originals are unsatisfiable, once found, stays.
    pub fn delete(&mut self, id: i64) -> Result<(), ProofError> {
        let Some(at) = self.find(id) else { return Err(ProofError::DeletionOfUnknown { id }) };
        self.start[id as usize] = 0;
        self.arena[at + 1] = 0;
        self.garbage += HEADER + self.arena[at] as usize;
        self.live -= 1;
        if self.garbage > MIN_GARBAGE && 2 * self.garbage > self.arena.len() {
            self.compact();
        }
        Ok(())
    }

    /// Checks a clause that the solver concludes the present query with; it is not kept as an antecedent.
    pub fn add_conclusion(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) -> Result<(), ProofError> {
        self.check(id, clause, antecedents)?;
        self.conclusions.push(clause.len() as u32);
        self.conclusions.extend(clause.iter().map(|&lit| code(lit)));
        Ok(())
    }

    /// Ends a query that the solver calls unsatisfiable: the assumptions `a` and the constraint `c1 ∨ … ∨ ck` contradict
    /// the clauses. That is shown by the empty clause, by a concluding clause of negated assumptions only, or by one
    /// concluding clause for each `ci` of `¬ci` and negated assumptions. Gives the core those clauses show.
    pub fn conclude(&mut self, assumptions: &[i32], constraint: Option<&[i32]>) -> Result<Core, ProofError> {
        let conclusions = std::mem::take(&mut self.conclusions);
        if self.refuted {
            return Ok(Core::default());
        }
        self.make_room(assumptions)?;
        let assumed = self.next_stamp();
        for &lit in assumptions {
            self.truth[code(lit) as usize] = assumed;
        }
        let mut covered = Vec::new();
        let mut by_constraint = Core { constraint: true, ..Core::default() };
        let mut rest = conclusions.as_slice();
        while let Some((&length, tail)) = rest.split_first() {
            let (clause, tail) = tail.split_at(length as usize);
            rest = tail;
            let is_assumed = |lit: u32| self.truth[(lit ^ 1) as usize] == assumed;
            let mut others = clause.iter().copied().filter(|&lit| !is_assumed(lit));
            let failed = clause.iter().filter(|&&lit| is_assumed(lit)).map(|&lit| dimacs(lit ^ 1));
            match (others.next(), others.next()) {
                (None, _) => return Ok(Core::of(failed.collect(), false)),
                (Some(lit), None) => {
                    covered.push(lit ^ 1);
                    by_constraint.assumptions.extend(failed);
                }
                _ => {}
            }
        }
        covered.sort_unstable();
        match constraint {
            Some(clause) if clause.iter().all(|&lit| covered.binary_search(&code(lit)).is_ok()) => {
                Ok(Core::of(by_constraint.assumptions, true))
            }
            _ => Err(ProofError::NoContradiction),
        }
    }

    /// The literal codes of each present clause.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = &[u32]> {
        let mut at = 1;
        std::iter::from_fn(move || {
            while at < self.arena.len() {
                let (length, id) = (self.arena[at] as usize, self.arena[at + 1]);
                let clause = at + HEADER..at + HEADER + length;
                at = clause.end;
                if id != 0 {
                    return Some(&self.arena[clause]);
                }
            }
            None
        })
    }

    /// Reverse unit propagation: with all literals of the clause false, each antecedent in turn must be false (done) or
    /// have exactly one literal that is not false, which then becomes true.
    fn check(&mut self, step: i64, clause: &[i32], antecedents: &[i64]) -> Result<(), ProofError> {
        self.make_room(clause)?;
        let stamp = self.next_stamp();
        let mut tautology = false;
        for &lit in clause {
            let lit = code(lit);
            tautology |= self.truth[lit as usize] == stamp;
            self.truth[(lit ^ 1) as usize] = stamp;
        }
        if tautology {
            self.steps += 1;
            return Ok(());
        }
        for &antecedent in antecedents {
            if antecedent < 0 {
                return Err(ProofError::NotImplied { step });
            }
            let Some(at) = self.find(antecedent) else {
                return Err(ProofError::UnknownAntecedent { step, antecedent });
            };
            let literals = &self.arena[at + HEADER..at + HEADER + self.arena[at] as usize];
            // No literal has code 0.
            let mut unit = 0;
            for &lit in literals {
                if self.truth[(lit ^ 1) as usize] == stamp || lit == unit {
                    continue;
                }
                if unit != 0 {
                    return Err(ProofError::AntecedentNotUnit { step, antecedent });
                }
                unit = lit;
            }
            if unit == 0 {
                self.steps += 1;
                return Ok(());
            }
            self.truth[unit as usize] = stamp;
        }
        Err(ProofError::NoConflict { step })
    }

    fn find(&self, id: i64) -> Option<usize> {
        let at = *self.start.get(usize::try_from(id).ok()?)?;
        (at != 0).then_some(at as usize)
    }

    fn store(&mut self, id: i64, clause: &[i32]) -> Result<(), ProofError> {
        if id <= 0 || self.find(id).is_some() {
            return Err(ProofError::BadId { id });
        }
        let (Ok(word), Ok(at)) = (u32::try_from(id), u32::try_from(self.arena.len())) else {
            return Err(ProofError::TooLarge);
        };
        if self.start.len() <= word as usize {
            self.start.resize(word as usize + 1, 0);
        }
        self.start[word as usize] = at;
        self.arena.extend([clause.len() as u32, word]);
        self.arena.extend(clause.iter().map(|&lit| code(lit)));
        self.live += 1;
        self.refuted |= clause.is_empty();
        Ok(())
    }

    fn make_room(&mut self, clause: &[i32]) -> Result<(), ProofError> {
        let mut needed = 0;
        for &lit in clause {
            if lit == 0 || lit == i32::MIN {
                return Err(ProofError::BadLiteral);
            }
            needed = needed.max((code(lit) | 1) as usize + 1);
        }
        if self.truth.len() < needed {
            self.truth.resize(needed, 0);
        }
        Ok(())
    }

    fn next_stamp(&mut self) -> u32 {
        if self.stamp == u32::MAX {
            self.truth.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.stamp
    }

    fn compact(&mut self) {
        let (mut from, mut to) = (1, 1);
        while from < self.arena.len() {
            let size = HEADER + self.arena[from] as usize;
            let id = self.arena[from + 1];
            if id != 0 {
                self.arena.copy_within(from..from + size, to);
                self.start[id as usize] = to as u32;
                to += size;
            }
            from += size;
        }
        self.arena.truncate(to);
        self.arena.shrink_to(2 * to);
        self.garbage = 0;
    }
}

/// What a checked `Unsat` rests on, besides the clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    /// Sorted.
    pub assumptions: Vec<i32>,
    pub constraint: bool,
}

impl Core {
    fn of(mut assumptions: Vec<i32>, constraint: bool) -> Core {
        assumptions.sort_unstable();
        assumptions.dedup();
        Core { assumptions, constraint }
    }

    pub fn contains(&self, assumption: i32) -> bool {
        self.assumptions.binary_search(&assumption).is_ok()
    }
}
