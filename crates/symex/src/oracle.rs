//! Who drives a run, and how a run ends early. The driver may hold a solver; execution sees its answers only.

use crate::value::Obj;
use formula::{Graph, Lit};
use ir::Expr;
use source::{Diagnostic, Span};

/// Answers the branches of a run.
pub trait Oracle {
    /// Which way to go; the literal is not known yet, and is afterwards.
    fn branch(&mut self, graph: &mut Graph, lit: Lit) -> Result<bool, Stop>;
    /// The same of a test that has a number within the run: all runs that went the same way so far ask the same there, whatever
    /// formula it comes out as.
    fn decide(&mut self, graph: &mut Graph, lit: Lit, _nth: u64) -> Result<bool, Stop> {
        self.branch(graph, lit)
    }
    /// The literal holds from here on; the states on which it does not are dropped by `assume`, or are isomorphic to others.
    fn restrict(&mut self, graph: &mut Graph, lit: Lit, why: Restriction) -> Result<(), Stop>;
    /// The run has taken so many steps, a multiple of [`LONG`]: a loop need not ask for anything.
    fn goes_on(&mut self, _graph: &Graph, _steps: u64) -> Result<(), Stop> {
        Ok(())
    }
}

/// Steps after which a run is looked at.
pub const LONG: u64 = 1 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restriction {
    /// `GlassBox.assume` (2.11).
    Assumed,
    /// The other states are isomorphic to states on this side (2.8).
    Isomorphic,
}

/// Why a run ended early.
#[derive(Clone, Debug)]
pub enum Stop {
    /// A false `assume`.
    Dropped,
    /// No state takes this path.
    Infeasible,
    /// The step limit, in this loop or call.
    Steps(Span),
    Unsupported(Box<Diagnostic>),
    /// Time, memory or the user.
    Interrupted,
    /// The oracle's answer did not stand up to proof checking: our bug.
    Rejected(String),
}

impl Stop {
    pub fn unsupported(e: &Expr, what: &str) -> Stop {
        Stop::unsupported_at(e.span, what)
    }

    pub fn unsupported_at(span: Span, what: &str) -> Stop {
        let diagnostic = Diagnostic::error("unsupported", span, format!("{what} is not supported"))
            .label("a run gets here")
            .help("write it another way, or leave the operation out with --method");
        Stop::Unsupported(Box::new(diagnostic))
    }
}

/// Why an expression or statement did not end normally.
pub enum Flow {
    Throw(Obj),
    Stop(Stop),
}

impl From<Stop> for Flow {
    fn from(stop: Stop) -> Flow {
        Flow::Stop(stop)
    }
}
