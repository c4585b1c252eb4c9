//! An SMT solver (Z3, or cvc5) as a process of its own, spoken to in SMT-LIB over a pipe; and the terms that it is asked about ([`term`]).
//!
//! In: a prelude, and queries: declarations, assumptions, a goal to be refuted. Out: an [`Answer`] to each. `unsat` is the only answer that
//! proves anything. A solver that is missing, too old, crashes, hangs or talks nonsense gives [`Answer::Unknown`] for the query at
//! hand and is started anew for the next; it never gives a wrong answer on our account, and never takes the run down.

mod find;
mod session;
mod sexpr;
pub mod term;

pub use find::{Kind, Missing, Program, another, find};
pub use session::{Answer, Counts, Session, Why};
pub use sexpr::{Sexpr, parse};

/// A text as a string literal of SMT-LIB 2.6. Characters outside of printable ASCII are escaped.
pub fn string_literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\"\""),
            // A backslash would begin an escape.
            '\\' => out.push_str("\\u{5c}"),
            ' '..='~' => out.push(c),
            _ => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
        }
    }
    out.push('"');
    out
}
