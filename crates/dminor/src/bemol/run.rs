//! The big-step semantics of Bemol (section 3.2 of the paper). The state is a total map from variables to values. Only an assert that does
//! not hold ends in Error; an expression that is bottom makes its command diverge.

use super::formula::Formulas;
use super::operators::{apply, remove};
use super::{Assertion, Command, Expr, Formula, Program};
use crate::interp::Chooser;
use crate::program::{FunId, VarId};
use crate::value::{Fields, Value};
use source::Span;
use std::sync::Arc;

/// How a run ends without a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The assertion at this place does not hold.
    Error { span: Span, otherwise: &'static str },
    /// An expression was bottom. What comes out of the translation asserts enough that this never happens.
    Diverges,
    /// Nothing can be concluded.
    Limit,
}

pub struct Machine<'p> {
    program: &'p Program<'p>,
    chooser: &'p mut dyn Chooser,
    /// Commands, and steps of formulas, before the run is given up.
    fuel: u64,
    depth: usize,
    state: Vec<Value>,
    /// What variables were before they were assigned: what `backup` restores.
    undo: Vec<(VarId, Value)>,
}

type Run<T> = Result<T, Ended>;

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program<'p>, chooser: &'p mut dyn Chooser, fuel: u64) -> Machine<'p> {
        let variables = program.source.variables.len() + program.fresh as usize;
        let depth = crate::stack::deepest() / 4;
        Machine { program, chooser, fuel, depth, state: vec![Value::Null; variables], undo: Vec::new() }
    }

    /// The result of a procedure, its preconditions asserted. There must be an argument for each parameter.
    pub fn call(&mut self, function: FunId, arguments: &[Value]) -> Run<Value> {
        let procedure = &self.program.procedures[function.0 as usize];
        let span = procedure.function.name_span;
        if procedure.requires.len() != arguments.len() {
            return Err(Ended::Diverges);
        }
        self.apply(function, arguments.to_vec(), span)
    }

    fn apply(&mut self, function: FunId, arguments: Vec<Value>, span: Span) -> Run<Value> {
        let program = self.program;
        let procedure = &program.procedures[function.0 as usize];
        let mark = self.undo.len();
        for (((variable, _), requires), value) in
            procedure.function.parameters.iter().zip(&procedure.requires).zip(arguments)
        {
            self.assign(*variable, value);
            for assertion in requires {
                self.assert(&assertion.formula, span, assertion.otherwise)?;
            }
        }
        self.run(&procedure.body)?;
        for Assertion { formula, span, otherwise } in &procedure.ensures {
            self.assert(formula, *span, otherwise)?;
        }
        let result = self.value(program.result());
        self.restore(mark);
        Ok(result)
    }

    fn value(&self, variable: VarId) -> Value {
        self.state.get(variable.0 as usize).cloned().unwrap_or(Value::Null)
    }

    fn assign(&mut self, variable: VarId, value: Value) {
        if let Some(slot) = self.state.get_mut(variable.0 as usize) {
            let before = std::mem::replace(slot, value);
            self.undo.push((variable, before));
        }
    }

    fn restore(&mut self, mark: usize) {
        while self.undo.len() > mark
            && let Some((variable, before)) = self.undo.pop()
        {
            self.state[variable.0 as usize] = before;
        }
    }

    fn holds(&mut self, formula: &Formula<'_>) -> Run<bool> {
        let program = self.program;
        let mut formulas = Formulas {
            program: program.source,
            reading: program.reading,
            state: &self.state,
            bound: Vec::new(),
            fuel: self.fuel,
            depth: self.depth,
        };
        let said = formulas.holds(formula);
        self.fuel = formulas.fuel;
        said
    }

    fn assert(&mut self, formula: &Formula<'_>, span: Span, otherwise: &'static str) -> Run<()> {
        if self.holds(formula)? { Ok(()) } else { Err(Ended::Error { span, otherwise }) }
    }

    fn run(&mut self, command: &Command<'_>) -> Run<()> {
        if self.fuel == 0 || self.depth == 0 {
            return Err(Ended::Limit);
        }
        self.fuel -= 1;
        self.depth -= 1;
        let ended = self.step(command);
        self.depth += 1;
        ended
    }

    fn step(&mut self, command: &Command<'_>) -> Run<()> {
        match command {
            Command::Skip => Ok(()),
            Command::Seq(commands) => commands.iter().try_for_each(|c| self.run(c)),
            Command::Assign(variable, expr) => {
                let value = self.eval(expr)?;
                if value.extent().is_too_large() {
                    return Err(Ended::Limit);
                }
                self.assign(*variable, value);
                Ok(())
            }
            Command::If(condition, then, other) => {
                if self.truth(condition)? {
                    self.run(then)
                } else {
                    self.run(other)
                }
            }
            // The invariant is for the verifier.
            Command::While { condition, body, .. } => {
                while self.truth(condition)? {
                    self.run(body)?;
                }
                Ok(())
            }
            Command::Assert(Assertion { formula, span, otherwise }) => self.assert(formula, *span, otherwise),
            Command::Pick { item, from, is_seen } => {
                let Value::Collection(bag) = self.value(*from) else { return Err(Ended::Diverges) };
                let kinds = bag.kinds();
                let choice = if *is_seen && kinds > 1 { self.chooser.choose(kinds) } else { 0 };
                let member = bag.distinct().nth(choice).map(|(v, _)| v.clone()).ok_or(Ended::Diverges)?;
                self.assign(*item, member);
                Ok(())
            }
            Command::Call { out, function, arguments, span } => {
                let arguments = arguments.iter().map(|z| self.value(*z)).collect();
                let result = self.apply(*function, arguments, *span)?;
                self.assign(*out, result);
                Ok(())
            }
            Command::Backup(variable, inner) => {
                let mark = self.undo.len();
                self.run(inner)?;
                let value = self.value(*variable);
                self.restore(mark);
                self.assign(*variable, value);
                Ok(())
            }
        }
    }

    fn truth(&mut self, condition: &Expr<'_>) -> Run<bool> {
        match self.eval(condition)? {
            Value::Logical(b) => Ok(b),
            _ => Err(Ended::Diverges),
        }
    }

    fn eval(&mut self, expr: &Expr<'_>) -> Run<Value> {
        match expr {
            Expr::Var(variable) => Ok(self.value(*variable)),
            Expr::Value(value) => Ok(value.clone()),
            Expr::Op(op, parts) => {
                let values = parts.iter().map(|e| self.eval(e)).collect::<Run<Vec<Value>>>()?;
                apply(*op, &values).ok_or(Ended::Diverges)
            }
            Expr::Select(base, label) => match self.eval(base)? {
                Value::Entity(fields) => fields.get(label).cloned().ok_or(Ended::Diverges),
                _ => Err(Ended::Diverges),
            },
            Expr::Update(base, label, part) => match (self.eval(base)?, self.eval(part)?) {
                (Value::Entity(fields), part) => {
                    let mut fields = Fields::clone(&fields);
                    fields.insert(Arc::clone(label), part);
                    Ok(Value::Entity(Arc::new(fields)))
                }
                _ => Err(Ended::Diverges),
            },
            Expr::Remove(base, member) => match (self.eval(base)?, self.eval(member)?) {
                (Value::Collection(bag), member) => {
                    let rest = remove(&bag, &member).ok_or(Ended::Diverges)?;
                    Ok(Value::Collection(Arc::new(rest)))
                }
                _ => Err(Ended::Diverges),
            },
            Expr::IsEmpty(base) => match self.eval(base)? {
                Value::Collection(bag) => Ok(Value::Logical(bag.is_empty())),
                _ => Err(Ended::Diverges),
            },
            Expr::Formula(formula) => Ok(Value::Logical(self.holds(formula)?)),
        }
    }
}
