//! A conversation with one solver process.
//!
//! Every query is sent between `push` and `pop` after the prelude, so that none depends on another. A marker is echoed behind each, so
//! that answers and queries cannot get out of step. The time-out of the solver is a matter of politeness: a process that
//! does not answer in time is killed.

use crate::find::{Kind, Program};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The assumptions contradict each other: what was asked is proved.
    Unsat,
    /// There is a model, or the solver believes so.
    Sat,
    /// Why: what the solver says, or what became of it.
    Unknown(String),
}

/// Work of a session.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    pub queries: u64,
    pub starts: u64,
    pub micros: u64,
}

/// How long a process may be late.
const GRACE: Duration = Duration::from_millis(1_500);

/// Output beyond that is not what was asked for.
const MOST_OUTPUT: usize = 16 << 20;

const MARK: &str = "glassbox-mark";

pub struct Session {
    program: Program,
    prelude: String,
    process: Option<Process>,
    pub counts: Counts,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    marks: u64,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What became of a conversation.
enum Broken {
    Late,
    Gone(String),
}

impl Session {
    /// The process is started with the first query. `prelude` is sent before anything else.
    pub fn new(program: Program, prelude: String) -> Session {
        Session { program, prelude, process: None, counts: Counts::default() }
    }

    pub fn kind(&self) -> Kind {
        self.program.kind
    }

    /// Whether `text` (declarations and assertions) is satisfiable.
    pub fn check(&mut self, text: &str, timeout: Duration) -> Answer {
        self.query(text, "", timeout).0
    }

    /// The same; then, unless it is unsatisfiable, the values of these terms, one answer each, as the solver prints them.
    pub fn values(&mut self, text: &str, terms: &[String], timeout: Duration) -> (Answer, Vec<String>) {
        let asked: String = terms.iter().map(|term| format!("(get-value ({term}))\n")).collect();
        let (answer, rest) = self.query(text, &asked, timeout);
        (answer, rest)
    }

    fn query(&mut self, text: &str, after: &str, timeout: Duration) -> (Answer, Vec<String>) {
        self.counts.queries += 1;
        let start = Instant::now();
        let told = self.ask(text, after, timeout);
        self.counts.micros += start.elapsed().as_micros() as u64;
        match told {
            Ok(found) => found,
            Err(broken) => {
                self.process = None;
                let why = match broken {
                    Broken::Late => format!("the solver did not answer within {} s", timeout.as_secs_f32()),
                    Broken::Gone(why) => why,
                };
                (Answer::Unknown(why), Vec::new())
            }
        }
    }

    fn ask(&mut self, text: &str, after: &str, timeout: Duration) -> Result<(Answer, Vec<String>), Broken> {
        if self.process.is_none() {
            self.counts.starts += 1;
            let mut process = Process::start(&self.program)?;
            process.send(&options(self.program.kind))?;
            process.send(&self.prelude)?;
            self.process = Some(process);
        }
        let Some(process) = &mut self.process else { return Err(Broken::Gone("no solver".to_string())) };
        let millis = timeout.as_millis();
        let limit = match self.program.kind {
            Kind::Z3 => format!("(set-option :timeout {millis})\n"),
            Kind::Cvc5 => String::new(),
        };
        process.send(&format!("(push 1)\n{limit}{text}\n(check-sat)\n"))?;
        let first = process.reply(timeout + GRACE)?;
        let answer = match first.last().map(String::as_str) {
            // An error before the answer means that the question was not the one we asked.
            _ if first.iter().any(|line| line.starts_with("(error")) => {
                let said = first.iter().find(|line| line.starts_with("(error")).cloned().unwrap_or_default();
                Answer::Unknown(said)
            }
            Some("unsat") => Answer::Unsat,
            Some("sat") => Answer::Sat,
            Some("timeout") => Answer::Unknown("timeout".to_string()),
            Some("unknown") => Answer::Unknown("incomplete".to_string()),
            Some(other) => Answer::Unknown(other.to_string()),
            None => Answer::Unknown("the solver said nothing".to_string()),
        };
        let mut values = Vec::new();
        if answer != Answer::Unsat && !after.is_empty() {
            process.send(after)?;
            values = process.reply(timeout + GRACE)?;
        }
        process.send("(pop 1)\n")?;
        Ok((answer, values))
    }
}

fn options(kind: Kind) -> String {
    match kind {
        Kind::Z3 => "(set-option :print-success false)\n(set-option :produce-models true)\n".to_string(),
        Kind::Cvc5 => {
            "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)\n".to_string()
        }
    }
}

impl Process {
    fn start(program: &Program) -> Result<Process, Broken> {
        let mut command = Command::new(&program.path);
        match program.kind {
            Kind::Z3 => command.args(["-smt2", "-in"]),
            Kind::Cvc5 => command.args(["--lang=smt2.6", "--incremental", "--tlimit-per=3000", "--strings-exp"]),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let gone = |error: std::io::Error| Broken::Gone(format!("the solver cannot be run: {error}"));
        let mut child = command.spawn().map_err(gone)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Broken::Gone("the solver has no pipes".to_string()));
        };
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let mut total = 0;
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                total += line.len();
                if total > MOST_OUTPUT || send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, input, lines, marks: 0 })
    }

    fn send(&mut self, text: &str) -> Result<(), Broken> {
        let sent = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| Broken::Gone("the solver ended unexpectedly".to_string()))
    }

    /// Everything it says up to a mark of its own.
    fn reply(&mut self, timeout: Duration) -> Result<Vec<String>, Broken> {
        self.marks += 1;
        let mark = format!("{MARK}-{}", self.marks);
        self.send(&format!("(echo \"{mark}\")\n"))?;
        let until = Instant::now() + timeout;
        let mut lines = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.trim().trim_matches('"') == mark => return Ok(lines),
                Ok(line) => lines.push(line.trim().to_string()),
                Err(RecvTimeoutError::Timeout) => return Err(Broken::Late),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Broken::Gone("the solver ended unexpectedly".to_string()));
                }
            }
        }
    }
}
