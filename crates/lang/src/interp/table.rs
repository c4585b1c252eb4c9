//! Tabled search: the least relations closed under the rules.
//!
//! In: a judgment and its known arguments. Out: all derivable tuples. A call that comes upon itself takes what is known so far; the
//! outermost call of such a cycle is run again until a whole round finds nothing new. Only then is anything in the cycle complete:
//! what ended earlier inside it may have missed answers, and is run again in the next round.

use super::clause::*;
use super::{Args, Bindings, Fault, Interp, OPEN, Reading, mask_of};
use crate::definition::*;
use crate::term::TermId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Answers of one call.
const MOST_ANSWERS: usize = 100_000;
/// Up to so many answers are compared one by one.
const FEW: usize = 12;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub args: Args,
    /// Every derivation found guesses a type.
    pub guessed: bool,
}

type Answers = Rc<Vec<Answer>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// On the stack, at this depth.
    Active(usize),
    /// Ended inside a cycle that began at depth `low`, in this round.
    Partial {
        low: usize,
        round: u64,
    },
    Complete,
}

struct Table {
    key: (JudgId, Args),
    answers: Answers,
    /// Positions, once there are many.
    seen: FxHashMap<Args, usize>,
    state: State,
}

#[derive(Clone, Copy)]
struct Frame {
    /// The round it is in.
    round: u64,
    /// The outermost call it depends on.
    low: usize,
}

const INDEPENDENT: usize = usize::MAX;

#[derive(Default)]
pub(crate) struct Tables {
    index: FxHashMap<(JudgId, Args), usize>,
    tables: Vec<Table>,
    stack: Vec<Frame>,
    /// Partial tables, in the order they ended.
    partial: Vec<usize>,
    rounds: u64,
    /// Answers added so far, in all tables.
    added: u64,
    /// Callers that need to know there is no further answer.
    settling: usize,
}

impl Interp<'_> {
    /// All derivable tuples that extend the arguments.
    pub(crate) fn answers(&mut self, judgment: JudgId, args: &Args) -> Result<Answers, Fault> {
        let free = self.freed(judgment, args);
        let mut key = args.clone();
        free.iter().for_each(|i| key[*i] = OPEN);
        let is_outermost = self.world().tables.stack.is_empty();
        let found = self.table(judgment, key);
        if found.is_err() && is_outermost {
            self.forget_unfinished();
        }
        let found = found?;
        if free.is_none() {
            return Ok(found);
        }
        let is_same = |answer: &&Answer| free.iter().all(|i| answer.args[*i] == args[*i]);
        Ok(Rc::new(found.iter().filter(is_same).cloned().collect()))
    }

    /// Arguments that are known but asked for all the same, since one table then serves many questions: the state after a step, and the
    /// last type if no answer is lost that way.
    fn freed(&self, judgment: JudgId, args: &Args) -> Option<usize> {
        let lang = self.lang;
        let declared = lang.judgment(judgment);
        if declared.reduction.is_some() {
            return (args[1] != OPEN).then_some(1);
        }
        if args.len() < 2 || args.contains(&OPEN) {
            return None;
        }
        let last = (0..args.len()).rev().find(|i| is_type(lang, declared.args[*i]))?;
        let mask = mask_of(args) & !(1 << last);
        let modes = &self.code.modes;
        let exact = !modes.guesses(judgment, mask)
            || (self.worlds[self.current].reading == Reading::Strict
                && self.in_domain(declared.args[last], args[last]));
        (modes.runs(judgment, mask) && exact).then_some(last)
    }

    /// Runs a question whose answer must not change any more.
    pub(crate) fn settled<R>(&mut self, ask: impl FnOnce(&mut Self) -> Result<R, Fault>) -> Result<R, Fault> {
        self.world().tables.settling += 1;
        let answer = ask(self);
        let tables = &mut self.world().tables;
        tables.settling = tables.settling.saturating_sub(1);
        answer
    }

    /// After a fault: what was under way is as if never asked.
    fn forget_unfinished(&mut self) {
        let tables = &mut self.world().tables;
        tables.stack.clear();
        tables.partial.clear();
        tables.settling = 0;
        for table in &mut tables.tables {
            if table.state != State::Complete {
                tables.index.remove(&table.key);
            }
        }
        self.nested = 0;
    }

    fn table(&mut self, judgment: JudgId, args: Args) -> Result<Answers, Fault> {
        self.tick()?;
        let key = (judgment, args);
        let tables = &mut self.worlds[self.current].tables;
        let at = match tables.index.get(&key) {
            Some(&at) => {
                let table = &tables.tables[at];
                let low = match table.state {
                    State::Complete => return Ok(table.answers.clone()),
                    State::Active(depth) => Some(depth),
                    State::Partial { low, round } => (round >= tables.stack[low].round).then_some(low),
                };
                if let Some(low) = low {
                    let answers = table.answers.clone();
                    if tables.settling > 0 {
                        return Err(Fault::Unstratified(judgment));
                    }
                    if let Some(caller) = tables.stack.last_mut() {
                        caller.low = caller.low.min(low);
                    }
                    return Ok(answers);
                }
                at
            }
            None => {
                let at = tables.tables.len();
                tables.index.insert(key.clone(), at);
                tables.tables.push(Table {
                    key: key.clone(),
                    answers: Rc::default(),
                    seen: FxHashMap::default(),
                    state: State::Complete,
                });
                at
            }
        };
        let low = self.fill(at, judgment, &key.1)?;
        let tables = &mut self.worlds[self.current].tables;
        if low != INDEPENDENT {
            if tables.settling > 0 {
                return Err(Fault::Unstratified(judgment));
            }
            if let Some(caller) = tables.stack.last_mut() {
                caller.low = caller.low.min(low);
            }
        }
        Ok(tables.tables[at].answers.clone())
    }

    /// Runs all rules for a table, again and again if it is the outermost of a cycle. Returns what it depends on.
    fn fill(&mut self, at: usize, judgment: JudgId, args: &Args) -> Result<usize, Fault> {
        let current = self.current;
        let tables = &mut self.worlds[current].tables;
        let depth = tables.stack.len();
        if depth >= self.deepest.0 {
            return Err(Fault::TooDeep(judgment));
        }
        let began = tables.partial.len();
        // What is settled inside is a matter of its own.
        let settling = std::mem::take(&mut tables.settling);
        tables.tables[at].state = State::Active(depth);
        tables.stack.push(Frame { round: 0, low: INDEPENDENT });
        loop {
            let tables = &mut self.worlds[current].tables;
            tables.rounds += 1;
            let added = tables.added;
            tables.stack[depth].round = tables.rounds;
            self.run_rules(at, judgment, args)?;
            let tables = &mut self.worlds[current].tables;
            let low = tables.stack[depth].low;
            if low == depth && tables.added > added {
                continue;
            }
            let round = tables.rounds;
            tables.stack.pop();
            tables.settling = settling;
            if low < depth {
                tables.tables[at].state = State::Partial { low, round };
                for k in began..tables.partial.len() {
                    let inner = tables.partial[k];
                    if let State::Partial { low: inner_low, .. } = &mut tables.tables[inner].state {
                        *inner_low = low.min(*inner_low);
                    }
                }
                tables.partial.push(at);
                return Ok(low);
            }
            tables.tables[at].state = State::Complete;
            for inner in tables.partial.split_off(began) {
                tables.tables[inner].state = State::Complete;
            }
            return Ok(INDEPENDENT);
        }
    }

    fn run_rules(&mut self, at: usize, judgment: JudgId, args: &Args) -> Result<(), Fault> {
        if self.lang.judgment(judgment).reduction.is_some() {
            for step in self.one_step(judgment, args[0])? {
                self.add(at, Answer { args: Args::from_slice(&[args[0], step.result]), guessed: false })?;
            }
            return Ok(());
        }
        let code = self.code.clone();
        let mask = mask_of(args);
        let Some(mode) = code.modes.get(judgment, mask).filter(|mode| mode.runs) else {
            return Err(self.not_runnable(judgment, mask));
        };
        for (rule, plan) in &mode.plans {
            let clause = &code.rules[rule.index()];
            if !self.may_apply(clause, args) {
                continue;
            }
            let start = Bindings::new(clause.metas.len(), self.fresh_levels(args));
            let levels = start.fresh.clone();
            for mut row in self.run(clause, plan, args, start)? {
                if let Some(answer) = self.conclude(clause, args, &mut row, &levels)? {
                    let world = self.world();
                    if world.first[rule.index()].is_none() {
                        world.first[rule.index()] = Some(answer.args.clone());
                    }
                    self.add(at, answer)?;
                }
            }
        }
        Ok(())
    }

    fn not_runnable(&self, judgment: JudgId, mask: u32) -> Fault {
        match self.code.modes.get(judgment, mask).and_then(|mode| mode.open.clone()) {
            Some((rule, meta)) => Fault::Undetermined { rule: Some(rule), meta },
            None => Fault::NotRunnable(judgment),
        }
    }

    /// The heads that are known start with the productions of the rule.
    pub(crate) fn may_apply(&self, clause: &Clause, args: &[TermId]) -> bool {
        clause.heads.iter().zip(args).all(|(head, arg)| match head {
            Form::Node(prod, _) if *arg != OPEN && !is_map(self.lang, self.lang.prod(*prod).sort) => {
                self.terms.node(*arg).is_some_and(|(p, _)| p == *prod)
            }
            _ => true,
        })
    }

    /// The conclusion of an instance, unless it leaves the domain or a variable its scope.
    pub(crate) fn conclude(
        &mut self,
        clause: &Clause,
        args: &[TermId],
        row: &mut Bindings,
        levels: &[u32],
    ) -> Result<Option<Answer>, Fault> {
        let judgment = clause.rule.map(|rule| self.lang.rule(rule).judgment);
        let mut concluded = Args::from_slice(args);
        for (i, head) in clause.heads.iter().enumerate() {
            if args[i] != OPEN {
                continue;
            }
            let Some(term) = self.build(clause, head, row)? else { return Ok(None) };
            let escapes =
                self.code.vars.iter().zip(levels).any(|(sort, level)| self.terms.free_level(term, *sort) > *level);
            if escapes {
                return Ok(None);
            }
            if let Some(judgment) = judgment
                && (row.guessed || self.worlds[self.current].reading == Reading::Strict)
                && !self.is_within(clause, self.lang.judgment(judgment).args[i], term)
            {
                return Ok(None);
            }
            concluded[i] = term;
        }
        Ok(Some(Answer { args: concluded, guessed: row.guessed }))
    }

    fn add(&mut self, at: usize, answer: Answer) -> Result<(), Fault> {
        let tables = &mut self.worlds[self.current].tables;
        let table = &mut tables.tables[at];
        let known = if table.answers.len() <= FEW {
            table.answers.iter().position(|a| a.args == answer.args)
        } else {
            if table.seen.is_empty() {
                table.seen = table.answers.iter().enumerate().map(|(i, a)| (a.args.clone(), i)).collect();
            }
            table.seen.get(&answer.args).copied()
        };
        match known {
            Some(i) => {
                if table.answers[i].guessed && !answer.guessed {
                    Rc::make_mut(&mut table.answers)[i].guessed = false;
                    tables.added += 1;
                }
            }
            None => {
                if table.answers.len() >= MOST_ANSWERS {
                    return Err(Fault::TooMany(table.key.0));
                }
                if !table.seen.is_empty() {
                    table.seen.insert(answer.args.clone(), table.answers.len());
                }
                Rc::make_mut(&mut table.answers).push(answer);
                tables.added += 1;
            }
        }
        Ok(())
    }

    /// For tests: how many calls were ever asked.
    pub fn calls(&self) -> usize {
        self.worlds[self.current].tables.tables.len()
    }
}
