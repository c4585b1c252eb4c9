//! What came of one run, or of one question.

use super::Terminal;
use super::derivation::draw;
use std::fmt::Write;
use verdict::Outcome;
use verdict::program::{Ran, TraceEnd};

impl Terminal {
    pub fn outcome(&self, outcome: &Outcome) -> String {
        match (&outcome.ran, outcome.text.is_empty()) {
            (Some(ran), _) => self.ran(ran),
            (None, true) => String::new(),
            (None, false) => format!("{}\n", outcome.text),
        }
    }

    fn ran(&self, ran: &Ran) -> String {
        let paint = self.paint;
        let mut out = format!("{}, size {}\n", paint.strong(&ran.program), ran.size);
        for typing in &ran.typings {
            if typing.derivations.is_empty() {
                let _ = writeln!(out, "\n  {}", paint.warn(&format!("no derivation of {}", typing.judgment)));
                if let Some(nearest) = &typing.nearest {
                    let _ = writeln!(out, "  nearest: {nearest}");
                }
            }
            for derivation in &typing.derivations {
                let _ = writeln!(out);
                for line in draw(derivation, self.columns.saturating_sub(4)) {
                    let _ = writeln!(out, "    {line}");
                }
            }
            if typing.more > 0 {
                let _ = writeln!(out, "    … and {} more", typing.more);
            }
        }
        let Some(trace) = &ran.trace else { return out };
        let _ = writeln!(out, "\n    {}", trace.start);
        for step in &trace.steps {
            let _ = writeln!(out, "  ⟶ {}    {}", step.after, paint.faint(&step.rule));
            for (other, rule) in &step.others {
                let _ = writeln!(out, "{}", paint.faint(&format!("      or {other}    {rule}")));
            }
        }
        match &trace.end {
            TraceEnd::Error => {}
            TraceEnd::Final(sort) => {
                let _ = writeln!(out, "    {}", paint.good(&format!("is a {sort}")));
            }
            TraceEnd::Stuck(nearest) => {
                let _ = writeln!(out, "    {}", paint.warn("no rule applies"));
                for miss in nearest {
                    let _ = writeln!(out, "    nearest: {miss}");
                }
            }
            TraceEnd::NotDone(most) => {
                let _ = writeln!(out, "    {}", paint.warn(&format!("… not done after {most} steps (--max-steps)")));
            }
        }
        out
    }
}
