//! A conversation with one solver process.
//!
//! Every query is sent between `push` and `pop` after the prelude, so that none depends on another. A marker is echoed after each, so
//! that answers and queries cannot get out of step.
//!
//! How hard a solver may try is counted in its own units of work, not in seconds, so that its answers do not depend on the load of the
//! machine. The clock is a safety net only, by processor time first: a process that takes very long is killed, and the answer says so.

use crate::find::{Kind, Program};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use work::{Cause, Stop, start_bound};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The assumptions contradict each other: what was asked is proved.
    Unsat,
    /// There is a model, or the solver believes so.
    Sat,
    Unknown(Why),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The solver gave up by itself, for this reason.
    GaveUp(String),
    /// It did as much work as it may.
    Work,
    /// It was stopped by the clock, after this time: on another machine it may answer.
    Clock(Duration),
    /// It was stopped because the whole run has to end.
    Stopped(Cause),
    /// It crashed, complained, talked nonsense, or proves what is not true.
    Broken(String),
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::GaveUp(reason) => write!(f, "the solver gave up: {reason}"),
            Why::Work => write!(f, "the solver reached its limit of work; a longer --solver-timeout raises it"),
            Why::Clock(time) => {
                let seconds = time.as_secs_f32();
                write!(f, "the solver was stopped by the clock after {seconds:.0} s; another run may decide it")
            }
            Why::Stopped(Cause::Timeout) => write!(f, "the time limit was reached"),
            Why::Stopped(Cause::Memory) => write!(f, "the memory limit was reached"),
            Why::Stopped(Cause::Interrupted) => write!(f, "interrupted"),
            Why::Broken(what) => write!(f, "{what}"),
        }
    }
}

/// Work of a session.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    pub queries: u64,
    pub starts: u64,
    pub micros: u64,
    /// Queries that were stopped by the clock.
    pub late: u64,
}

/// Units of work that a calm machine of today does in a second: measured on the suite of `dminor`, where the hardest proof takes
/// 350,000 of Z3.
fn units(kind: Kind, effort: Duration) -> u64 {
    let per_second = match kind {
        Kind::Z3 => 350_000.0,
        Kind::Cvc5 => 40_000.0,
    };
    ((effort.as_secs_f64() * per_second) as u64).max(1_000)
}

/// When a query is stopped. The clock is for what the limit of work does not end: some work is not counted by the solver, and it may hang.
#[derive(Clone, Copy)]
struct Limit<'s> {
    effort: Duration,
    units: u64,
    /// Time of a processor, which does not depend on the load either, where the system reports it.
    processor: Duration,
    /// Time on the wall: for a machine that is busy with much else.
    wall: Duration,
    /// Of the whole run.
    stop: &'s Stop,
}

impl Limit<'_> {
    fn new(kind: Kind, effort: Duration, stop: &Stop) -> Limit<'_> {
        let processor = 5 * effort + Duration::from_secs(1);
        let wall = 20 * effort + Duration::from_secs(2);
        Limit { effort, units: units(kind, effort), processor, wall, stop }
    }

    fn heed(&self) -> Result<(), Why> {
        self.stop.cause().map_or(Ok(()), |cause| Err(Why::Stopped(cause)))
    }
}

/// How long a process has been running on a processor, in the hundredths of a second that Linux counts in.
fn processor_time(process: u32) -> Option<Duration> {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the name of the command, which may hold anything: the 12th and 13th word.
    let mut words = told.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || words.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}

/// How often the clock and the limit of the run are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Output beyond that is not what was asked for.
const MOST_OUTPUT: u64 = 16 << 20;

const MARK: &str = "glassbox-mark";

pub struct Session {
    program: Program,
    prelude: String,
    process: Option<Process>,
    pub counts: Counts,
}

struct Process {
    child: Child,
    /// To a thread that writes: a solver that does not read keeps no one else waiting.
    input: Sender<String>,
    lines: Receiver<String>,
    marks: u64,
    /// What it was started for: cvc5 takes its limit of work only then.
    effort: Duration,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Session {
    /// The process is started with the first query. `prelude` is sent before anything else.
    pub fn new(program: Program, prelude: String) -> Session {
        Session { program, prelude, process: None, counts: Counts::default() }
    }

    /// Forgets all queries so far: what follows does not depend on them, not even on how terms are numbered.
    pub fn reset(&mut self) {
        let text = format!("(reset)\n{}{}", options(self.program.kind), self.prelude);
        let is_sent = match &mut self.process {
            Some(process) if self.program.kind == Kind::Z3 => process.send(&text).is_ok(),
            _ => false,
        };
        if !is_sent {
            self.process = None;
        }
    }

    pub fn kind(&self) -> Kind {
        self.program.kind
    }

    /// Whether `text` (declarations and assertions) is satisfiable. The solver may work as much as it does in the time `effort` on a
    /// calm machine; it is killed when `stop` is due.
    pub fn check(&mut self, text: &str, effort: Duration, stop: &Stop) -> Answer {
        self.query(text, "", effort, stop).0
    }

    /// The same; then, unless it is unsatisfiable, the values of these terms, one answer each, as the solver prints them.
    pub fn values(&mut self, text: &str, terms: &[String], effort: Duration, stop: &Stop) -> (Answer, Vec<String>) {
        let asked: String = terms.iter().map(|term| format!("(get-value ({term}))\n")).collect();
        self.query(text, &asked, effort, stop)
    }

    fn query(&mut self, text: &str, after: &str, effort: Duration, stop: &Stop) -> (Answer, Vec<String>) {
        self.counts.queries += 1;
        let start = Instant::now();
        let limit = Limit::new(self.program.kind, effort, stop);
        let told = limit.heed().and_then(|()| self.ask(text, after, limit));
        self.counts.micros += start.elapsed().as_micros() as u64;
        told.unwrap_or_else(|why| {
            self.process = None;
            self.counts.late += u64::from(matches!(why, Why::Clock(_)));
            (Answer::Unknown(why), Vec::new())
        })
    }

    fn ask(&mut self, text: &str, after: &str, limit: Limit) -> Result<(Answer, Vec<String>), Why> {
        let kind = self.program.kind;
        if self.process.as_ref().is_some_and(|process| kind == Kind::Cvc5 && process.effort < limit.effort) {
            self.process = None;
        }
        if self.process.is_none() {
            self.counts.starts += 1;
            let mut process = Process::start(&self.program, limit)?;
            let beginning = format!("{}{}", options(kind), self.prelude);
            process.send(&format!("{beginning}(push 1)\n"))?;
            // The axioms have a model: whoever proves them contradictory proves everything.
            if process.check("", kind, limit)? == Answer::Unsat {
                let name = self.program.path.display();
                return Err(Why::Broken(format!(
                    "`{name}` proves what is not true: it says `unsat` of the axioms alone"
                )));
            }
            process.send("(pop 1)\n")?;
            if kind == Kind::Z3 {
                // As after every reset.
                process.send(&format!("(reset)\n{beginning}"))?;
            }
            self.process = Some(process);
        }
        let Some(process) = &mut self.process else { return Err(Why::Broken("no solver".to_string())) };
        process.send("(push 1)\n")?;
        let answer = process.check(text, kind, limit)?;
        let mut values = Vec::new();
        if answer != Answer::Unsat && !after.is_empty() {
            process.send(after)?;
            values = process.reply(limit)?;
        }
        if kind == Kind::Z3 && matches!(answer, Answer::Unknown(Why::Work | Why::Broken(_))) {
            // What stopped it may stop all that follows as well: it refuses `pop`, and a reset is not enough.
            self.process = None;
        } else {
            process.send("(pop 1)\n")?;
        }
        Ok((answer, values))
    }
}

fn options(kind: Kind) -> String {
    let logic = match kind {
        Kind::Z3 => "",
        Kind::Cvc5 => "(set-logic ALL)\n",
    };
    format!("(set-option :print-success false)\n(set-option :produce-models true)\n{logic}")
}

/// What a solver says of an `unknown`: `(:reason-unknown "canceled")`.
fn reason(told: &[String]) -> Why {
    let text = told.join(" ");
    let reason = text.trim_start_matches("(:reason-unknown").trim_end_matches(')').trim().trim_matches('"');
    let reason = reason.trim_matches(['(', ')']);
    match reason {
        // Nothing else cancels it.
        _ if ["cancel", "resource"].iter().any(|word| reason.contains(word)) => Why::Work,
        "" => Why::GaveUp("no reason".to_string()),
        _ => Why::GaveUp(reason.to_string()),
    }
}

impl Process {
    fn start(program: &Program, limit: Limit) -> Result<Process, Why> {
        let gone = |error: std::io::Error| Why::Broken(format!("the solver cannot be run: {error}"));
        let started = start_bound(program.path.as_os_str(), |command| {
            match program.kind {
                Kind::Z3 => command.args(["-smt2", "-in"]),
                Kind::Cvc5 => command
                    .args(["--lang=smt2.6", "--incremental", "--strings-exp"])
                    .arg(format!("--rlimit-per={}", limit.units)),
            };
            command.args(&program.arguments);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        });
        let mut child = started.map_err(gone)?;
        let (Some(mut pipe), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Why::Broken("the solver has no pipes".to_string()));
        };
        let (send, lines) = channel();
        std::thread::spawn(move || {
            // An endless line is cut as well.
            for line in BufReader::new(output.take(MOST_OUTPUT)).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let (input, texts) = channel::<String>();
        std::thread::spawn(move || {
            for text in texts {
                if pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, input, lines, marks: 0, effort: limit.effort })
    }

    fn send(&mut self, text: &str) -> Result<(), Why> {
        self.input.send(text.to_string()).map_err(|_| Why::Broken("the solver ended unexpectedly".to_string()))
    }

    /// Asserts and asks; nothing is taken back.
    fn check(&mut self, text: &str, kind: Kind, limit: Limit) -> Result<Answer, Why> {
        let units = match kind {
            Kind::Z3 => format!("(set-option :rlimit {})\n", limit.units),
            Kind::Cvc5 => String::new(),
        };
        self.send(&format!("{units}{text}\n(check-sat)\n"))?;
        let told = self.reply(limit)?;
        let is_error = |line: &&String| line.starts_with("(error");
        Ok(match told.last().map(String::as_str) {
            // An error before the answer means that the question was not the one we asked.
            _ if told.iter().any(|line| is_error(&line)) => {
                Answer::Unknown(Why::Broken(told.iter().find(is_error).cloned().unwrap_or_default()))
            }
            Some("unsat") => Answer::Unsat,
            Some("sat") => Answer::Sat,
            Some("unknown") => {
                self.send("(get-info :reason-unknown)\n")?;
                Answer::Unknown(reason(&self.reply(limit)?))
            }
            Some(other) => Answer::Unknown(Why::Broken(format!("the solver answers `{other}`"))),
            None => Answer::Unknown(Why::Broken("the solver said nothing".to_string())),
        })
    }

    /// Everything it says up to a mark of its own.
    fn reply(&mut self, limit: Limit) -> Result<Vec<String>, Why> {
        self.marks += 1;
        let mark = format!("{MARK}-{}", self.marks);
        self.send(&format!("(echo \"{mark}\")\n"))?;
        let (start, before) = (Instant::now(), processor_time(self.child.id()));
        let (mut lines, mut looked) = (Vec::new(), Instant::now());
        loop {
            let said = self.lines.recv_timeout(limit.stop.left().map_or(LOOK, |left| left.min(LOOK)));
            limit.heed()?;
            // However much it has to say.
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                let spent = before.and_then(|before| processor_time(self.child.id())?.checked_sub(before));
                if spent.is_some_and(|spent| spent > limit.processor) || start.elapsed() > limit.wall {
                    return Err(Why::Clock(start.elapsed()));
                }
            }
            match said {
                Ok(line) if line.trim().trim_matches('"') == mark => return Ok(lines),
                Ok(line) => lines.push(line.trim().to_string()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Why::Broken("the solver ended unexpectedly".to_string()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_where_the_system_reports_it() {
        let own = || processor_time(std::process::id());
        let before = own();
        assert!(before.is_some() || !cfg!(target_os = "linux"), "the system does not report it");
        let start = Instant::now();
        // More than a hundredth of a second of work, however busy the machine is.
        while before.is_some() && own() == before {
            assert!(start.elapsed() < Duration::from_secs(60), "the work of this process is not counted");
        }
    }
}
