//! Prints rows as they are measured, with how time grows.

use crate::measure::Measured;
use crate::paper::{Row, Subject};
use crate::programs;

pub struct Table {
    /// n and seconds of the first row of some size that took measurable time.
    first: Option<(i64, f64)>,
    last: Growth,
    /// Rows in which we run more states than the dissertation.
    worse: Vec<String>,
    /// Sizes at which the states of a subject are more than 30 % off.
    off: Vec<String>,
}

/// Below that, a time says nothing about growth; nor does a small step of n.
const MEASURABLE: f64 = 0.01;

/// How seconds grow from row to row.
#[derive(Default)]
pub struct Growth {
    /// n and seconds of the row before.
    last: Option<(i64, f64)>,
}

impl Growth {
    /// Since the row before, as a power of n; empty if that says nothing, or the row was given up.
    pub fn row(&mut self, n: i64, ours: &Measured) -> String {
        let growth = match self.last {
            Some((last, seconds)) if ours.is_over && seconds.min(ours.seconds) >= MEASURABLE && n * 2 >= last * 3 => {
                format!("n^{:.1}", (ours.seconds / seconds).ln() / (n as f64 / last as f64).ln())
            }
            _ => String::new(),
        };
        self.last = Some((n, ours.seconds));
        growth
    }
}

/// Of a row that may have been given up.
pub fn seconds(ours: &Measured) -> String {
    if ours.is_over { format!("{:.3}", ours.seconds) } else { format!("> {:.0}", ours.seconds) }
}

impl Table {
    pub fn begin(limit: f64) -> Table {
        println!(
            "                         dissertation              glassbox, one thread          exhaustive (limit {limit} s)"
        );
        println!(
            "subject           n      states    seconds      states    seconds  growth          states    seconds   programs"
        );
        Table { first: None, last: Growth::default(), worse: Vec::new(), off: Vec::new() }
    }

    pub fn row(&mut self, subject: &Subject, row: &Row, ours: &Measured, exhaustive: Option<&Measured>) {
        let title = subject.title;
        let paper = match row.paper {
            Some((states, seconds)) => format!("{states:>9} {seconds:>10.3}"),
            None => format!("{:>9} {:>10}", "-", "-"),
        };
        let growth = self.last.row(row.n, ours);
        let all = match exhaustive {
            Some(e) if e.is_over => format!("{:>12} {:>10.3}", e.states, e.seconds),
            _ => String::new(),
        };
        let programs = programs::count(subject.name, row.n).map_or(String::new(), |c| programs::text(&c));
        let seconds = seconds(ours);
        let line = format!(
            "{title:13} {:>5}   {paper}   {:>9} {seconds:>10}  {growth:>6}    {all:23}   {programs}",
            row.n, ours.states
        );
        println!("{}", line.trim_end());
        if row.paper.is_some_and(|(states, _)| ours.states > states) {
            self.worse.push(format!("{title} {}", row.n));
        }
        if row.paper.is_some_and(|(states, _)| ours.is_over && 10 * ours.states.abs_diff(states) > 3 * states) {
            self.off.push(row.n.to_string());
        }
        if ours.seconds >= MEASURABLE && row.n >= 8 {
            self.first.get_or_insert((row.n, ours.seconds));
        }
    }

    pub fn end_subject(&mut self, subject: &Subject) {
        if let (Some((n, seconds)), Some((last, most))) = (self.first, self.last.last)
            && last >= 4 * n
        {
            let exponent = (most / seconds).ln() / (last as f64 / n as f64).ln();
            println!("           seconds grow as n^{exponent:.1} from n = {n} to {last}");
        }
        let off = std::mem::take(&mut self.off);
        if let (false, Some(why)) = (off.is_empty(), subject.differs) {
            println!("           states differ by more than 30 % at n = {}: {why}", off.join(", "));
        }
        println!();
        (self.first, self.last) = (None, Growth::default());
    }

    pub fn end(&self) {
        if self.worse.is_empty() {
            println!("states run: at most those of the dissertation in every row");
        } else {
            println!("more states run than in the dissertation: {}", self.worse.join(", "));
        }
    }
}
