//! Why a value is not in a type: which parts of it miss which clauses, all of them at once. Of a union, the nearest alternative is shown; of
//! a condition, each conjunct that does not hold. Nothing is shown if and only if the value is in the type.

use crate::interp::{First, Frame, Interp, Options, Run, Stop};
use crate::json::{Data, Parts};
use crate::program::{Expr, ExprKind, FunId, Op, Program, Type, TypeKind, VarId};
use crate::syntax::label;
use crate::value::{Label, Value};
use source::{Diagnostic, Span};
use std::fmt::Write;
use std::ops::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Field(Label),
    /// In the order in which the collection was written.
    Member(usize),
}

/// One part of a value that does not fit.
#[derive(Clone, Debug)]
pub struct Misfit {
    pub path: Vec<Step>,
    pub value: Value,
    /// Where the part is written, if it is.
    pub at: Option<Span>,
    /// What it does not fit.
    pub clause: Span,
    pub why: Why,
    /// Of how many alternatives this is the nearest one, and where the union is.
    pub alternatives: Option<(usize, Span)>,
}

#[derive(Clone, Debug)]
pub enum Why {
    /// It is of another sort than this.
    Sort(String),
    NoField(Label),
    /// The clause is a condition that does not hold.
    Condition,
    /// Testing it goes wrong.
    Error(String),
    /// It is in a type that it must not be in.
    Forbidden,
    /// It must be this value.
    Other(Value),
    /// Nothing is in the type.
    Empty,
}

/// More are not looked for.
pub const MOST: usize = 20;

/// What is left to say where not all misfits are shown.
pub fn and_more(misfits: &[Misfit]) -> Option<Diagnostic> {
    let message = || format!("the first {} parts that do not fit are shown; there may be more", misfits.len());
    (misfits.len() >= MOST).then(|| Diagnostic::note("more-misfits", None, message()))
}

/// Why the value is not in a closed type, whose variables are these.
pub fn misfits(
    program: &Program,
    options: &Options,
    data: &Data,
    ty: &Type,
    variables: &Range<u32>,
) -> Run<Vec<Misfit>> {
    let mut first = First;
    let mut explainer = Explainer { interp: Interp::new(program, options, &mut first) };
    explainer.misfits(data, ty, &mut Frame::new(variables), &[])
}

/// Why the k-th argument is not in the type of its parameter.
pub fn of_argument(
    program: &Program,
    options: &Options,
    function: FunId,
    arguments: &[Data],
    k: usize,
) -> Run<Vec<Misfit>> {
    let values: Vec<Value> = arguments.iter().map(|a| a.value.clone()).collect();
    let mut first = First;
    let mut explainer = Explainer { interp: Interp::new(program, options, &mut first) };
    let function = program.function(function);
    let mut frame = explainer.interp.frame(function, &values);
    explainer.misfits(&arguments[k], &function.parameters[k].1, &mut frame, &[])
}

/// Why a result is not in the declared type.
pub fn of_result(
    program: &Program,
    options: &Options,
    function: FunId,
    arguments: &[Value],
    result: &Value,
) -> Run<Vec<Misfit>> {
    let mut first = First;
    let mut explainer = Explainer { interp: Interp::new(program, options, &mut first) };
    let function = program.function(function);
    let mut frame = explainer.interp.frame(function, arguments);
    explainer.misfits(&Data::of(result), &function.result, &mut frame, &[])
}

/// Steps for the explanation of a broken contract: it takes nothing from the run.
const MOST_STEPS: u64 = 1_000_000;

/// Why a value is not in a type of a run, whose variables are as in the frame; nothing if that takes too long.
pub(crate) fn of_contract(
    program: &Program,
    options: &Options,
    value: &Value,
    ty: &Type,
    frame: &mut Frame,
) -> Vec<Misfit> {
    let mut first = First;
    let options = Options { fuel: Some(MOST_STEPS), ..options.clone() };
    let mut explainer = Explainer { interp: Interp::new(program, &options, &mut first) };
    explainer.misfits(&Data::of(value), ty, frame, &[]).unwrap_or_default()
}

struct Explainer<'a> {
    interp: Interp<'a>,
}

impl Explainer<'_> {
    fn misfits(&mut self, data: &Data, ty: &Type, frame: &mut Frame, path: &[Step]) -> Run<Vec<Misfit>> {
        // The test decides; what follows only looks for the reason.
        match self.interp.test(&data.value, ty, frame) {
            Ok(true) => return Ok(Vec::new()),
            Err(stop) => match *stop {
                Stop::Error(failure) => return Ok(vec![miss(data, failure.span, Why::Error(failure.message()), path)]),
                limit => return Err(Box::new(limit)),
            },
            Ok(false) => {}
        }
        let mut found = self.reasons(data, ty, frame, path)?;
        if found.is_empty() {
            found.push(miss(data, ty.span, Why::Condition, path));
        }
        // `A & A` is missed once.
        let mut seen = Vec::new();
        found.retain(|m| {
            let is_new = !seen.contains(&(m.path.clone(), m.clause));
            seen.push((m.path.clone(), m.clause));
            is_new
        });
        found.truncate(MOST);
        Ok(found)
    }

    fn reasons(&mut self, data: &Data, ty: &Type, frame: &mut Frame, path: &[Step]) -> Run<Vec<Misfit>> {
        let one = |why: Why| Ok(vec![miss(data, ty.span, why, path)]);
        match &ty.kind {
            TypeKind::Any => Ok(Vec::new()),
            TypeKind::Empty => one(Why::Empty),
            TypeKind::Integer => one(Why::Sort("an integer".to_string())),
            TypeKind::Text => one(Why::Sort("a text".to_string())),
            TypeKind::Logical => one(Why::Sort("true or false".to_string())),
            TypeKind::Collection(inner) => {
                let Parts::Members(members) = &data.parts else { return one(Why::Sort("a collection".to_string())) };
                let mut found = Vec::new();
                for (k, member) in members.iter().enumerate() {
                    found.extend(self.misfits(member, inner, frame, &extended(path, Step::Member(k)))?);
                    if found.len() >= MOST {
                        break;
                    }
                }
                Ok(found)
            }
            TypeKind::Entity(fields) => {
                let Parts::Fields(parts) = &data.parts else {
                    let labels: Vec<String> = fields.iter().map(|f| format!("`{}`", f.label)).collect();
                    return one(Why::Sort(format!("an entity with {}", labels.join(", "))));
                };
                let mut found = Vec::new();
                for field in fields {
                    match parts.iter().find(|(l, _)| *l == field.label) {
                        Some((l, part)) => {
                            let path = extended(path, Step::Field(l.clone()));
                            found.extend(self.misfits(part, &field.ty, frame, &path)?);
                        }
                        None => found.push(miss(data, field.label_span, Why::NoField(field.label.clone()), path)),
                    }
                }
                Ok(found)
            }
            TypeKind::Refinement(variable, base, condition) => {
                let mut found = self.misfits(data, base, frame, path)?;
                if found.iter().any(|m| m.path == path) {
                    return Ok(found);
                }
                frame.set(*variable, data.value.clone());
                for conjunct in conjuncts(condition) {
                    match self.interp.eval(conjunct, frame) {
                        Ok(Value::Logical(true)) => continue,
                        Ok(_) => {}
                        // What does not hold before it, or in the parts, is the reason.
                        Err(stop) if !found.is_empty() && matches!(*stop, Stop::Error(_)) => continue,
                        Err(stop) => return Err(stop),
                    }
                    let tested = match &conjunct.kind {
                        ExprKind::Test(tested, inner) => part(tested, *variable, data, path).map(|at| (at, inner)),
                        _ => None,
                    };
                    match tested {
                        Some(((part, steps), inner)) => found.extend(self.misfits(part, inner, frame, &steps)?),
                        None => found.push(miss(data, conjunct.span, Why::Condition, path)),
                    }
                }
                Ok(found)
            }
            TypeKind::And(a, b) => {
                let mut found = self.misfits(data, a, frame, path)?;
                found.extend(self.misfits(data, b, frame, path)?);
                Ok(found)
            }
            TypeKind::Or(..) => self.nearest(data, ty, frame, path),
            TypeKind::Not(_) => one(Why::Forbidden),
            TypeKind::Nullable(inner) => {
                let mut found = self.misfits(data, inner, frame, path)?;
                for misfit in found.iter_mut().filter(|m| m.path == path) {
                    if let Why::Sort(wanted) = &mut misfit.why {
                        wanted.push_str(" or null");
                    }
                }
                Ok(found)
            }
            TypeKind::Singleton(only) => {
                let wanted = self.interp.eval(only, frame)?;
                one(Why::Other(wanted))
            }
            TypeKind::Named(id) => {
                let named = self.interp.program.named(*id);
                self.misfits(data, &named.definition, &mut Frame::new(&named.variables), path)
            }
        }
    }

    /// The alternative that the value misses least.
    fn nearest(&mut self, data: &Data, ty: &Type, frame: &mut Frame, path: &[Step]) -> Run<Vec<Misfit>> {
        let mut alternatives = Vec::new();
        self.alternatives(ty, &mut alternatives);
        let mut best: Option<(u64, Vec<Misfit>)> = None;
        for alternative in &alternatives {
            let found = self.misfits(data, alternative, frame, path)?;
            let cost = found.iter().map(|m| m.cost(path.len())).sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, found));
            }
        }
        let mut found = best.map(|(_, found)| found).unwrap_or_default();
        for misfit in &mut found {
            misfit.alternatives.get_or_insert((alternatives.len(), ty.span));
        }
        Ok(found)
    }

    /// A named union of one's own is the union of its alternatives, if nothing is bound in it.
    fn alternatives<'t>(&self, ty: &'t Type, out: &mut Vec<&'t Type>) {
        match &ty.kind {
            TypeKind::Or(a, b) => {
                self.alternatives(a, out);
                self.alternatives(b, out);
            }
            _ => out.push(ty),
        }
    }
}

fn extended(path: &[Step], step: Step) -> Vec<Step> {
    let mut path = path.to_vec();
    path.push(step);
    path
}

fn miss(data: &Data, clause: Span, why: Why, path: &[Step]) -> Misfit {
    Misfit { path: path.to_vec(), value: data.value.clone(), at: data.span, clause, why, alternatives: None }
}

fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Op(Op::And, operands) => operands.iter().flat_map(conjuncts).collect(),
        _ => vec![condition],
    }
}

/// The part of the data that `x.a.b` stands for.
fn part<'d>(expr: &Expr, variable: VarId, data: &'d Data, path: &[Step]) -> Option<(&'d Data, Vec<Step>)> {
    match &expr.kind {
        ExprKind::Var(id) if *id == variable => Some((data, path.to_vec())),
        ExprKind::Select(base, label) => {
            let (base, steps) = part(base, variable, data, path)?;
            let Parts::Fields(fields) = &base.parts else { return None };
            let (_, field) = fields.iter().find(|(l, _)| l == label)?;
            Some((field, extended(&steps, Step::Field(label.clone()))))
        }
        _ => None,
    }
}

impl Misfit {
    /// How far from fitting, as part of an alternative: less for what is deeper inside, most for what tells alternatives apart.
    fn cost(&self, from: usize) -> u64 {
        let weight: u64 = match self.why {
            Why::Other(_) => 6,
            Why::Sort(_) | Why::NoField(_) | Why::Empty => 4,
            Why::Forbidden | Why::Error(_) => 3,
            Why::Condition => 2,
        };
        // A missing field is inside of what misses it.
        let inside = usize::from(matches!(self.why, Why::NoField(_)));
        let depth = (self.path.len() + inside).saturating_sub(from).min(8);
        (weight << 8) >> depth
    }

    /// As `.items[3].price`; of the whole value `value`.
    pub fn place(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            let _ = match step {
                Step::Field(name) => write!(out, ".{}", label(name)),
                Step::Member(k) => write!(out, "[{k}]"),
            };
        }
        if out.is_empty() { "value".to_string() } else { out }
    }

    /// In a sentence.
    pub fn message(&self) -> String {
        let (place, value) = (self.place(), self.value.brief());
        let mut text = match &self.why {
            Why::Sort(wanted) => format!("{place} is {value}, but must be {wanted}"),
            Why::NoField(name) => format!("{place} has no field `{name}`"),
            Why::Condition => format!("{place} is {value}, for which a condition does not hold"),
            Why::Error(message) => format!("{place} is {value}, and testing it goes wrong: {message}"),
            Why::Forbidden => format!("{place} is {value}, which is excluded"),
            Why::Other(wanted) => format!("{place} is {value}, but must be {}", wanted.brief()),
            Why::Empty => format!("{place} is {value}, but nothing is allowed here"),
        };
        if let Some((count, _)) = self.alternatives {
            let _ = write!(text, " (nearest of {count} alternatives)");
        }
        text
    }

    pub fn diagnostic(&self, id: &'static str) -> Diagnostic {
        let label = match self.why {
            Why::Condition => "does not hold",
            Why::NoField(_) => "is missing",
            Why::Error(_) => "goes wrong",
            _ => "does not fit",
        };
        let mut problem = Diagnostic::error(id, self.clause, self.message()).label(label);
        if let Some(at) = self.at {
            problem = problem.related(at, "this value");
        }
        problem
    }
}
