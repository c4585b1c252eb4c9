//! Tabled search: the least relations closed under the rules.
//!
//! In: a judgment and its known arguments. Out: all derivable tuples. A call that comes upon an unfinished one takes what is known so far
//! and is noted there. The outermost call of such a cycle runs those noted again, whenever there is something new for them, until there
//! is nothing more; only then is anything in the cycle complete. Running whole rounds again instead took three to ten times as long on
//! dense relations.

use super::clause::*;
use super::{Args, Bindings, Fault, Interp, Limit, OPEN, Reading, mask_of};
use crate::definition::*;
use crate::term::TermId;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
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

pub(super) type Answers = Rc<Vec<Answer>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// On the stack, at this depth.
    Active(usize),
    /// Run inside a cycle that began at depth `low`; at this place among the unfinished.
    Partial {
        low: usize,
        place: usize,
    },
    Complete,
}

struct Table {
    key: (JudgId, Args),
    answers: Answers,
    /// Positions, once there are many.
    seen: FxHashMap<Args, usize>,
    state: State,
    /// Those that took answers before it was complete.
    readers: Vec<usize>,
    /// To be run again.
    is_stale: bool,
}

#[derive(Clone, Copy)]
struct Frame {
    table: usize,
    /// The outermost call it depends on.
    low: usize,
    /// The rule that is being run.
    rule: Option<RuleId>,
}

const INDEPENDENT: usize = usize::MAX;

#[derive(Default)]
pub(crate) struct Tables {
    index: FxHashMap<(JudgId, Args), usize>,
    tables: Vec<Table>,
    stack: Vec<Frame>,
    /// Those inside cycles, in the order they were first run.
    partial: Vec<usize>,
    /// Stale ones, in the order they became so.
    stale: VecDeque<usize>,
    /// Callers that need to know there is no further answer.
    settling: usize,
}

impl Tables {
    /// Notes that the running call depends on an unfinished one.
    fn depend(&mut self, on: usize, low: usize) -> Result<(), Fault> {
        if self.settling > 0 {
            return Err(Fault::Unstratified(self.tables[on].key.0));
        }
        if let Some(caller) = self.stack.last_mut() {
            caller.low = caller.low.min(low);
            let (reader, readers) = (caller.table, &mut self.tables[on].readers);
            if !readers.contains(&reader) {
                readers.push(reader);
            }
        }
        Ok(())
    }

    /// Something new for those that took answers.
    fn changed(&mut self, at: usize) {
        for i in 0..self.tables[at].readers.len() {
            let reader = self.tables[at].readers[i];
            if !self.tables[reader].is_stale {
                self.tables[reader].is_stale = true;
                self.stale.push_back(reader);
            }
        }
    }

    /// The next stale table of a cycle whose tables are the outermost one and those unfinished from `began` on.
    fn next_stale(&mut self, outermost: usize, began: usize) -> Option<usize> {
        let is_inside = |table: &usize| {
            *table == outermost || matches!(self.tables[*table].state, State::Partial { place, .. } if place >= began)
        };
        let at = self.stale.iter().position(is_inside)?;
        let table = self.stale.remove(at)?;
        self.tables[table].is_stale = false;
        Some(table)
    }
}

impl Interp<'_> {
    /// All derivable tuples that extend the arguments.
    pub(crate) fn answers(&mut self, judgment: JudgId, args: &Args) -> Result<Answers, Fault> {
        if self.leaves_domain(judgment, args) {
            return Ok(Answers::default());
        }
        let free = self.freed(judgment, args);
        let mut key = args.clone();
        free.iter().for_each(|i| key[*i] = OPEN);
        let is_outermost = self.world().tables.stack.is_empty();
        let found = if self.code.is_plain[judgment.index()] {
            self.plain_steps(judgment, key[0], is_outermost)
        } else {
            self.table(judgment, key)
        };
        if found.is_err() && is_outermost {
            self.forget_unfinished();
        }
        let found = found?;
        if let Some(limit) = self.world().overgrown.filter(|_| is_outermost) {
            return Err(Fault::Limit(limit));
        }
        if free.is_none() {
            return Ok(found);
        }
        let is_same = |answer: &&Answer| free.iter().all(|i| answer.args[*i] == args[*i]);
        Ok(Rc::new(found.iter().filter(is_same).cloned().collect()))
    }

    /// Whether a known type, or one in a known environment, is outside where types are bounded: no instance of a rule has it then. Those
    /// in programs are looked at where rules match them.
    pub(crate) fn leaves_domain(&self, judgment: JudgId, args: &Args) -> bool {
        let sorts = &self.lang.judgment(judgment).args;
        !self.worlds[self.current].reading.is_open()
            && args.iter().zip(sorts).any(|(arg, sort)| *arg != OPEN && self.is_outside(*sort, *arg))
    }

    fn is_outside(&self, sort: SortId, term: TermId) -> bool {
        if is_type(self.lang, sort) {
            return !self.in_domain(sort, term);
        }
        self.lang.is_map(sort)
            && self.terms.node(term).is_some_and(|(prod, args)| {
                args.iter().zip(&self.lang.prod(prod).args).any(|(arg, sort)| self.is_outside(*sort, *arg))
            })
    }

    /// The steps of a reduction that does not come upon itself. A check asks for those of each state a few times in a row, and never again:
    /// only the last are kept.
    fn plain_steps(&mut self, judgment: JudgId, term: TermId, is_outermost: bool) -> Result<Answers, Fault> {
        if let Some((j, t, answers)) = &self.worlds[self.current].last_steps
            && (*j, *t) == (judgment, term)
        {
            return Ok(answers.clone());
        }
        self.tick()?;
        let mut answers: Vec<Answer> = Vec::new();
        for step in self.one_step(judgment, term)? {
            if !answers.iter().any(|a| a.args[1] == step.result) {
                answers.push(Answer { args: Args::from_slice(&[term, step.result]), guessed: false });
            }
        }
        let answers = Rc::new(answers);
        // What is asked for inside another question may not be complete.
        if is_outermost {
            self.world().last_steps = Some((judgment, term, answers.clone()));
        }
        Ok(answers)
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
            || (self.worlds[self.current].reading != Reading::Open && self.in_domain(declared.args[last], args[last]));
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
        tables.stale.clear();
        tables.settling = 0;
        for table in &mut tables.tables {
            if table.state != State::Complete {
                tables.index.remove(&table.key);
            }
        }
        self.calls.clear();
    }

    fn table(&mut self, judgment: JudgId, args: Args) -> Result<Answers, Fault> {
        self.tick()?;
        let key = (judgment, args);
        let tables = &mut self.worlds[self.current].tables;
        let at = match tables.index.get(&key) {
            Some(&at) => {
                match tables.tables[at].state {
                    State::Complete => {}
                    State::Active(low) | State::Partial { low, .. } => tables.depend(at, low)?,
                }
                return Ok(tables.tables[at].answers.clone());
            }
            None => {
                let at = tables.tables.len();
                tables.index.insert(key.clone(), at);
                tables.tables.push(Table {
                    key: key.clone(),
                    answers: Rc::default(),
                    seen: FxHashMap::default(),
                    state: State::Complete,
                    readers: Vec::new(),
                    is_stale: false,
                });
                at
            }
        };
        let low = self.fill(at, judgment, &key.1)?;
        let tables = &mut self.worlds[self.current].tables;
        if low != INDEPENDENT {
            tables.depend(at, low)?;
        }
        Ok(tables.tables[at].answers.clone())
    }

    /// Runs all rules for a table, and if it is the outermost of a cycle, all of that to the end. Returns what it depends on.
    fn fill(&mut self, at: usize, judgment: JudgId, args: &Args) -> Result<usize, Fault> {
        let current = self.current;
        let tables = &mut self.worlds[current].tables;
        let depth = tables.stack.len();
        if depth >= self.deepest.0 {
            let rule = tables.stack.last().and_then(|frame| frame.rule);
            return Err(Fault::Limit(Limit::Depth { judgment, rule, most: depth }));
        }
        let began = tables.partial.len();
        // What is settled inside is a matter of its own.
        let settling = std::mem::take(&mut tables.settling);
        tables.tables[at].state = State::Active(depth);
        tables.stack.push(Frame { table: at, low: INDEPENDENT, rule: None });
        self.run_rules(at, judgment, args)?;
        loop {
            let tables = &mut self.worlds[current].tables;
            let low = tables.stack[depth].low;
            if low == depth
                && let Some(stale) = tables.next_stale(at, began)
            {
                let (judgment, args) = tables.tables[stale].key.clone();
                tables.stack.push(Frame { table: stale, low: INDEPENDENT, rule: None });
                self.run_rules(stale, judgment, &args)?;
                let tables = &mut self.worlds[current].tables;
                let inner = tables.stack.pop().map_or(INDEPENDENT, |frame| frame.low);
                tables.stack[depth].low = inner.min(low);
                continue;
            }
            tables.stack.pop();
            tables.settling = settling;
            if low < depth {
                tables.tables[at].state = State::Partial { low, place: tables.partial.len() };
                for k in began..tables.partial.len() {
                    let inner = tables.partial[k];
                    if let State::Partial { low: inner_low, .. } = &mut tables.tables[inner].state {
                        *inner_low = low.min(*inner_low);
                    }
                }
                tables.partial.push(at);
                return Ok(low);
            }
            for inner in tables.partial.split_off(began).into_iter().chain([at]) {
                let table = &mut tables.tables[inner];
                table.state = State::Complete;
                table.readers = Vec::new();
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
            if let Some(frame) = self.world().tables.stack.last_mut() {
                frame.rule = Some(*rule);
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

    /// The heads that are known have the productions of the rule: a quick look before anything is bound.
    pub(crate) fn may_apply(&self, clause: &Clause, args: &[TermId]) -> bool {
        clause.heads.iter().zip(args).all(|(head, arg)| *arg == OPEN || self.may_match(head, *arg))
    }

    fn may_match(&self, form: &Form, term: TermId) -> bool {
        match form {
            Form::Node(prod, forms) if !self.lang.is_map(self.lang.prod(*prod).sort) => match self.terms.node(term) {
                Some((p, args)) => p == *prod && forms.iter().zip(args).all(|(form, arg)| self.may_match(form, *arg)),
                None => false,
            },
            _ => true,
        }
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
        row.guessed |= clause.rule.is_some_and(|rule| self.code.grows[rule.index()]);
        let mut concluded = Args::from_slice(args);
        for (i, head) in clause.heads.iter().enumerate() {
            if args[i] != OPEN {
                continue;
            }
            let Some(term) = self.build(clause, head, row)? else { return Ok(None) };
            // A variable of a binder that this rule went under; what another rule let out is not its concern.
            let escapes = self.code.vars.iter().zip(levels).zip(&row.fresh).any(|((sort, from), to)| {
                self.terms.free_level(term, *sort) > *from && (*from..*to).any(|at| self.terms.occurs(term, *sort, at))
            });
            if let (true, Some(rule)) = (escapes, clause.rule)
                && !self.lang.rule(rule).marks.escape_ok
            {
                self.world().escaped[rule.index()] = true;
                return Ok(None);
            }
            if let Some(judgment) = judgment
                && (row.guessed || !self.worlds[self.current].reading.is_open())
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
                    tables.changed(at);
                }
            }
            None => {
                if table.answers.len() >= MOST_ANSWERS {
                    let (judgment, rule) = (table.key.0, tables.stack.last().and_then(|frame| frame.rule));
                    return Err(Fault::Limit(Limit::Answers { judgment, rule, most: MOST_ANSWERS }));
                }
                if !table.seen.is_empty() {
                    table.seen.insert(answer.args.clone(), table.answers.len());
                }
                Rc::make_mut(&mut table.answers).push(answer);
                tables.changed(at);
            }
        }
        Ok(())
    }

    /// For tests: how many calls were ever asked.
    pub fn calls(&self) -> usize {
        self.worlds[self.current].tables.tables.len()
    }
}
