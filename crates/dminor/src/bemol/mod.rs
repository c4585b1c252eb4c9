//! Bemol, the while language between Dminor and a verifier (section 3 of the paper; docs/dminor.md, "Bemol"): here are its commands and
//! formulas. `translate` makes a Bemol program of a Dminor program (section 4.1 of the paper), `run` is its big-step semantics, `formula`
//! evaluates formulas on values, `print` shows it, and `boogie` writes it as a Boogie 2 program, which is what the paper's DVerify does.
//!
//! Kept by the translation (Theorem 2, which `tests/bemol.rs` tests): a function ends with a value in Dminor, contracts checked, if and
//! only if its procedure ends with that value, and with Error if and only if its procedure does.

mod boogie;
mod formula;
mod operators;
mod print;
mod run;
mod translate;

use crate::interp::Options;
use crate::program::{self, FunId, Op, Query, Type, VarId};
use crate::value::{Label, Value};
use source::{SourceMap, Span};

pub use run::{Ended, Machine};
pub use translate::translate;

/// The two readings that the papers leave open (docs/dminor.md, "Type tests").
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The condition of a refinement runs also on what is not in the refined type.
    pub strict_type_tests: bool,
    /// Both operands of `&&` and `||` are evaluated.
    pub strict_ops: bool,
}

impl From<&Options> for Reading {
    fn from(options: &Options) -> Reading {
        Reading { strict_type_tests: options.strict_type_tests, strict_ops: options.strict_ops }
    }
}

/// The Bemol program of a Dminor program, as text. The files of the program must be in the map.
pub fn print(program: &program::Program, reading: Reading, map: &SourceMap) -> String {
    work::on_large_stack(|| print::print(&translate(program, reading), map))
}

/// The Boogie program of a Dminor program: `boogie FILE.bpl` verifies it. The files of the program must be in the map.
pub fn boogie(program: &program::Program, reading: Reading, map: &SourceMap) -> String {
    work::on_large_stack(|| boogie::write(&translate(program, reading), map, boogie::Mode::Verify))
}

/// A smoke test of it: under the precondition of each procedure there is `assert false`, and a copy of it, called `end.`, has that at
/// its end. If Boogie proves one, then axioms, contracts and free invariants contradict each other, unless the function never returns.
pub fn boogie_smoke(program: &program::Program, reading: Reading, map: &SourceMap) -> String {
    work::on_large_stack(|| boogie::write(&translate(program, reading), map, boogie::Mode::Smoke))
}

/// The name of the procedure that [`boogie`] writes for a function.
pub fn boogie_name(program: &program::Program, function: FunId) -> String {
    boogie::procedure_name(&program.function(function).name)
}

/// One procedure for each function, in the same order.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    pub source: &'a program::Program,
    pub reading: Reading,
    pub procedures: Vec<Procedure<'a>>,
    /// How many fresh variables there are. Their ids follow those of the program; none is used in two places.
    pub fresh: u32,
}

/// Where a procedure leaves its result, as in the paper's encoding of calls; the first of the fresh variables.
impl Program<'_> {
    pub fn result(&self) -> VarId {
        VarId(self.source.variables.len() as u32)
    }

    pub fn procedure(&self, id: FunId) -> &Procedure<'_> {
        &self.procedures[id.0 as usize]
    }
}

/// Preconditions are asserted by who calls, postconditions at the end of the body (docs/dminor.md, "Conditions").
#[derive(Clone, Debug)]
pub struct Procedure<'a> {
    pub function: &'a program::Function,
    /// Of each parameter, in order: they may speak of the parameters before it.
    pub requires: Vec<Vec<Assertion<'a>>>,
    pub body: Command<'a>,
    pub ensures: Vec<Assertion<'a>>,
}

/// Without side effects; bottom if ill-typed.
#[derive(Clone, Debug)]
pub enum Expr<'a> {
    Var(VarId),
    Value(Value),
    /// With `e :: e'` among them.
    Op(Op, Vec<Expr<'a>>),
    /// `e.l`
    Select(Box<Expr<'a>>, &'a Label),
    /// `e[l := e']`
    Update(Box<Expr<'a>>, &'a Label, Box<Expr<'a>>),
    /// `e \ {e'}`: one occurrence less.
    Remove(Box<Expr<'a>>, Box<Expr<'a>>),
    IsEmpty(Box<Expr<'a>>),
    /// `formula f`
    Formula(Formula<'a>),
}

#[derive(Clone, Debug)]
pub enum Command<'a> {
    Skip,
    Seq(Vec<Command<'a>>),
    Assign(VarId, Expr<'a>),
    If(Expr<'a>, Box<Command<'a>>, Box<Command<'a>>),
    While {
        condition: Expr<'a>,
        invariants: Vec<Invariant<'a>>,
        body: Box<Command<'a>>,
    },
    Assert(Assertion<'a>),
    Pick {
        item: VarId,
        from: VarId,
        /// Whether the order in which members are taken can be seen: not in a query. Where it cannot, it is canonical.
        is_seen: bool,
    },
    /// `x := call P(z1, …, zn)`, as the paper encodes it: all variables but x are restored.
    Call {
        out: VarId,
        function: FunId,
        arguments: Vec<VarId>,
        span: Span,
    },
    /// Runs the command, then restores every variable but this one.
    Backup(VarId, Box<Command<'a>>),
}

/// The only thing that can go wrong.
#[derive(Clone, Debug)]
pub struct Assertion<'a> {
    pub formula: Formula<'a>,
    pub span: Span,
    /// What would be wrong, in a few words.
    pub otherwise: &'static str,
}

#[derive(Clone, Debug)]
pub struct Invariant<'a> {
    pub formula: Formula<'a>,
    pub span: Span,
    /// Holds by the way the loop was made: need not be shown.
    pub is_free: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Integer,
    Logical,
    Collection,
}

/// Formulas of the logical semantics (docs/dminor.md, "The logical semantics") about variables of the state.
#[derive(Clone, Debug)]
pub enum Formula<'a> {
    /// F\[Integer](x), F\[Logical](x), F\[Any*](x)
    Sort(Sort, VarId),
    /// F\[{l: Any}](x)
    HasField(VarId, &'a Label),
    NotZero(VarId),
    /// F\[T](x)
    In(&'a Type, VarId),
    /// not W\[T](x)
    Testable(&'a Type, VarId),
    /// R\[e] = Return(true)
    Holds(&'a program::Expr),
    /// Of two collections: each member of the first is in the second as often.
    Within(VarId, VarId),
    /// Of collections: a and b have together as many members as c, or at most as many.
    Counts {
        parts: [VarId; 2],
        whole: VarId,
        is_exact: bool,
    },
    /// Each member of `selected` is what the query makes of a member of `source`.
    Selected {
        query: &'a Query,
        selected: VarId,
        source: VarId,
    },
}
