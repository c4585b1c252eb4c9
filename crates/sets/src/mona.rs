//! Formulas as MONA programs (weak monadic second-order logic of one successor), and MONA as a decision procedure.
//!
//! A finite set of naturals is a finite subset of an infinite universe: WS1S has exactly our domain, and of its successor we use
//! nothing but the order, to say that elements are different. In: a formula. Out: a program's text, or an [`Answer`].

use crate::model::{Answer, Model};
use crate::stack::with_stack;
use crate::store::{Compare, Formula, Node, Sort, Store, Term, TermNode, Var};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use work::{Stop, start_bound};

/// The program whose satisfying examples are the models of `f`.
pub fn text(store: &Store, f: Formula) -> String {
    with_stack(store.depth(f), || {
        let mut out = String::from("ws1s;\n");
        for &var in store.free(f) {
            let order = if store.sort(var) == Sort::Set { 2 } else { 0 };
            _ = writeln!(out, "var{order} {};", name(store, var));
        }
        let mut writer = Writer { store, out, elements: 0 };
        writer.formula(f);
        writer.out.push_str(";\n");
        writer.out
    })
}

/// MONA has keywords and no hats: a letter for the sort, the variable's number, and what is left of its name.
fn name(store: &Store, var: Var) -> String {
    let sort = if store.sort(var) == Sort::Set { 'S' } else { 'b' };
    let kept: String = store.name(var).chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    format!("{sort}{}_{kept}", var.0)
}

struct Writer<'a> {
    store: &'a Store,
    out: String,
    /// Names given to elements.
    elements: u32,
}

impl Writer<'_> {
    fn list(&mut self, parts: &[Formula], sign: &str, none: &str) {
        if parts.is_empty() {
            self.out.push_str(none);
        }
        for (i, &part) in parts.iter().enumerate() {
            self.out.push_str(if i == 0 { "(" } else { sign });
            self.formula(part);
        }
        self.out.push_str(if parts.is_empty() { "" } else { ")" });
    }

    fn formula(&mut self, f: Formula) {
        let store = self.store;
        match store.node(f) {
            Node::True => self.out.push_str("true"),
            Node::False => self.out.push_str("false"),
            Node::Bool(var) => self.out.push_str(&name(store, *var)),
            Node::Equal(a, b) => self.equal(*a, *b),
            Node::Subset(a, b) => self.terms(*a, " sub ", *b),
            Node::Card(t, compare, count) => self.card(*t, *compare, *count),
            Node::Disjoint(parts) => self.disjoint(parts),
            Node::Not(g) => {
                self.out.push_str("~(");
                self.formula(*g);
                self.out.push(')');
            }
            Node::And(parts) => self.list(parts, " & ", "true"),
            Node::Or(parts) => self.list(parts, " | ", "false"),
            Node::Implies(a, b) => self.list(&[*a, *b], " => ", ""),
            Node::Iff(a, b) => self.list(&[*a, *b], " <=> ", ""),
            Node::Exists(vars, g) => self.quantifier("ex", vars, *g),
            Node::Forall(vars, g) => self.quantifier("all", vars, *g),
        }
    }

    fn quantifier(&mut self, word: &str, vars: &[Var], body: Formula) {
        for &var in vars {
            let order = if self.store.sort(var) == Sort::Set { 2 } else { 0 };
            _ = write!(self.out, "({word}{order} {}: ", name(self.store, var));
        }
        self.formula(body);
        self.out.push_str(&")".repeat(vars.len()));
    }

    /// MONA 1.4-18 is wrong about `X = t \ X`, which holds of empty sets alone: it takes it to hold whenever X is empty. Two inclusions are
    /// decided as they should be.
    fn equal(&mut self, a: Term, b: Term) {
        let takes_away =
            |whole: Term, other: Term| matches!(self.store.term(whole), TermNode::Diff(_, s) if *s == other);
        if !takes_away(a, b) && !takes_away(b, a) {
            return self.terms(a, " = ", b);
        }
        self.out.push('(');
        self.terms(a, " sub ", b);
        self.out.push_str(" & ");
        self.terms(b, " sub ", a);
        self.out.push(')');
    }

    fn terms(&mut self, a: Term, sign: &str, b: Term) {
        self.out.push('(');
        self.term(a);
        self.out.push_str(sign);
        self.term(b);
        self.out.push(')');
    }

    fn term(&mut self, t: Term) {
        let store = self.store;
        let (parts, sign): (&[Term], &str) = match store.term(t) {
            TermNode::Empty => return self.out.push_str("empty"),
            TermNode::Var(var) => return self.out.push_str(&name(store, *var)),
            TermNode::Union(parts) => (parts, " union "),
            TermNode::Inter(parts) => (parts, " inter "),
            TermNode::Diff(a, b) => (&[*a, *b], " \\ "),
        };
        if parts.is_empty() {
            return self.out.push_str("empty");
        }
        for (i, &part) in parts.iter().enumerate() {
            self.out.push_str(if i == 0 { "(" } else { sign });
            self.term(part);
        }
        self.out.push(')');
    }

    fn disjoint(&mut self, parts: &[Term]) {
        self.out.push_str("(true");
        for (i, &a) in parts.iter().enumerate() {
            for &b in &parts[i + 1..] {
                self.out.push_str(" & ");
                self.term(a);
                self.out.push_str(" inter ");
                self.term(b);
                self.out.push_str(" = empty");
            }
        }
        self.out.push(')');
    }

    fn card(&mut self, t: Term, compare: Compare, count: u32) {
        self.out.push('(');
        match compare {
            Compare::AtLeast => self.at_least(t, u64::from(count)),
            Compare::AtMost => {
                self.out.push('~');
                self.at_least(t, u64::from(count) + 1);
            }
            Compare::Equal => {
                self.at_least(t, u64::from(count));
                self.out.push_str(" & ~");
                self.at_least(t, u64::from(count) + 1);
            }
        }
        self.out.push(')');
    }

    /// There are `count` elements, one larger than the other.
    fn at_least(&mut self, t: Term, count: u64) {
        if count == 0 {
            return self.out.push_str("true");
        }
        self.out.push('(');
        let mut last = None;
        for _ in 0..count {
            self.elements += 1;
            let element = self.elements;
            _ = write!(self.out, "ex1 e{element}: e{element} in ");
            self.term(t);
            self.out.push_str(" & ");
            if let Some(last) = last {
                _ = write!(self.out, "e{last} < e{element} & ");
            }
            last = Some(element);
        }
        self.out.push_str("true)");
    }
}

/// Asks MONA: `Unsat` and `Sat` are its word, a model is read off its satisfying example. A program that is missing, fails, runs out of
/// time or of nodes, or writes what we do not expect, gives `Unknown`.
pub fn decide(program: &Path, store: &Store, f: Formula, stop: &Stop) -> Answer {
    if store.size(f) > MOST_NODES {
        return Answer::Unknown(format!("{} nodes are too many for MONA", store.size(f)));
    }
    match run(program, &text(store, f), stop, &mut MOST_TIME.clone()) {
        Ok(output) => read(store, f, &output),
        Err(reason) => Answer::Unknown(reason),
    }
}

/// Whether MONA says that a [text] is satisfiable. What it takes of processor time is taken from `left`, and no more than that is given:
/// time by the clock would make answers depend on what else the machine does.
pub fn satisfiable(program: &Path, text: &str, stop: &Stop, left: &mut Duration) -> Result<bool, String> {
    let output = run(program, text, stop, left)?;
    if output.contains("Formula is unsatisfiable") {
        Ok(false)
    } else if output.contains("A satisfying example") || output.contains("Formula is valid") {
        Ok(true)
    } else {
        Err("MONA's answer was not understood".into())
    }
}

/// A text of some hundred megabytes.
const MOST_NODES: u64 = 10_000_000;

/// Bytes of an answer that are read.
const MOST_OUTPUT: u64 = 256 << 20;

/// Of the processor, for one formula.
const MOST_TIME: Duration = Duration::from_secs(60);

/// MONA 1.4-18 crashes now and then, about once in 2,000 runs, with texts that it answers when asked again.
const MOST_CRASHES: usize = 3;

fn run(program: &Path, text: &str, stop: &Stop, left: &mut Duration) -> Result<String, String> {
    let mut crashes = 0;
    loop {
        match run_once(program, text, stop, left) {
            Err(Failed::Crashed(_)) if crashes < MOST_CRASHES && !stop.is_due() => crashes += 1,
            Err(Failed::Crashed(why) | Failed::Said(why)) => return Err(why),
            Ok(output) => return Ok(output),
        }
    }
}

enum Failed {
    /// A signal ended it.
    Crashed(String),
    Said(String),
}

/// The processor time that a process has taken, to a hundredth of a second; the time since it began where the system does not say.
fn processor_time(process: u32, began: Instant) -> Duration {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok();
    // After the name, in parentheses: the state, ten numbers, the time in user mode and in the kernel.
    let times = told.as_deref().and_then(|line| line.rsplit_once(')')).and_then(|(_, rest)| {
        let mut times = rest.split_whitespace().skip(11).map_while(|ticks| ticks.parse::<u64>().ok());
        Some(times.next()? + times.next()?)
    });
    times.map_or_else(|| began.elapsed(), |ticks| Duration::from_millis(ticks * 10))
}

fn run_once(program: &Path, text: &str, stop: &Stop, left: &mut Duration) -> Result<String, Failed> {
    let failed = |error: std::io::Error| Failed::Said(format!("{}: {error}", program.display()));
    let configure = |command: &mut Command| {
        command.args(["-q", "/dev/stdin"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    };
    let began = Instant::now();
    let mut child = start_bound(program.as_os_str(), configure).map_err(failed)?;
    let most = *left;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
        // Told when the output is complete, which is when MONA is about to end: it takes 3 ms, and is asked a hundred times.
        let (tell, told) = channel();
        let reader = scope.spawn(move || {
            let mut output = Vec::new();
            // Until MONA ends, or is ended; what it writes without end is not read.
            stdout.map(|stdout| stdout.take(MOST_OUTPUT).read_to_end(&mut output));
            _ = tell.send(());
            String::from_utf8_lossy(&output).into_owned()
        });
        let first = Duration::from_micros(100);
        let mut pause = first;
        let status = loop {
            // Before it is known to have ended: then there is nothing to ask any more.
            *left = most.saturating_sub(processor_time(child.id(), began));
            match child.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) if stop.is_due() => break Err(Failed::Said("MONA ran out of time".to_string())),
                Ok(None) if left.is_zero() => {
                    let why = format!("MONA takes more than {} s of processor time", most.as_secs().max(1));
                    break Err(Failed::Said(why));
                }
                Ok(None) => {
                    pause = match told.recv_timeout(pause) {
                        Ok(()) => first,
                        Err(RecvTimeoutError::Timeout) => (pause * 2).min(Duration::from_millis(20)),
                        Err(RecvTimeoutError::Disconnected) => {
                            std::thread::sleep(pause);
                            (pause * 2).min(Duration::from_millis(20))
                        }
                    };
                }
                Err(error) => break Err(failed(error)),
            }
        };
        if status.is_err() {
            _ = child.kill();
            _ = child.wait();
        }
        let output = reader.join().unwrap_or_default();
        match status? {
            status if status.success() => Ok(output),
            status => {
                let why = format!("MONA failed ({status}): {}", output.lines().last().unwrap_or(""));
                Err(if status.code().is_none() { Failed::Crashed(why) } else { Failed::Said(why) })
            }
        }
    })
}

fn read(store: &Store, f: Formula, output: &str) -> Answer {
    if output.contains("Formula is unsatisfiable") {
        return Answer::Unsat;
    }
    let Some(at) = output.find("A satisfying example of least length") else {
        // It prints no example of a formula without variables.
        return match output.contains("Formula is valid") {
            true => Answer::Sat(Model::new(0)),
            false => Answer::Unknown("MONA's answer was not understood".into()),
        };
    };
    let mut model = Model::new(0);
    let by_name: FxHashMap<String, Var> = store.free(f).iter().map(|&var| (name(store, var), var)).collect();
    // `S0_A   X 0011`: the value as a Boolean, then one character for each number. The list of numbers it prints below is not
    // always the same (it was seen to print {2,4} for X 0010), so it is not read.
    for line in output[at..].lines().skip(1).take_while(|line| !line.is_empty()) {
        let mut words = line.split_whitespace();
        let (Some(var), Some(value)) = (words.next().and_then(|word| by_name.get(word)), words.next()) else {
            continue;
        };
        match store.sort(*var) {
            Sort::Bool => model.put_bool(*var, value == "1"),
            Sort::Set => {
                let row = words.next().unwrap_or("");
                model.put_set(*var, row.bytes().enumerate().filter(|&(_, byte)| byte == b'1').map(|(i, _)| i));
            }
        }
    }
    Answer::Sat(model)
}
