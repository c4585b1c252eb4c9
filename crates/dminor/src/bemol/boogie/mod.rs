//! Bemol as a Boogie 2 program (section 5 of the paper): the axioms of values, a predicate for each named type, a procedure for each
//! function with its contract, and one for each accumulate in a type whose order must not be seen.
//!
//! `backup x in c` needs no code: no two steps of a translation share a variable, so nothing that is restored is read again; and
//! a procedure of Boogie has its own variables. Names of the program get a prefix or a number, so they cannot be words of Boogie.

mod code;
mod loops;
mod terms;
mod types;

use super::print::DEEPEST_INDENT;
use super::{Assertion, Command, Expr, Formula, Procedure, Program, Reading};
use crate::program::{self, VarId};
use crate::syntax::quote;
use crate::value::Label;
use code::{Code, Sort, Val, and, call, extend, list, not};
use source::{SourceMap, Span};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Verify,
    /// `assert false` under each precondition, and at the end of a copy of each body.
    Smoke,
}

pub(super) fn procedure_name(name: &str) -> String {
    format!("f.{name}")
}

/// What a function was made of: one of them may have the address of another, which is its first part.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    Type,
    Expr,
    Accumulate,
    Query,
}

/// What formulas are written with, and the declarations that they need.
struct Logic<'a> {
    program: &'a program::Program,
    reading: Reading,
    /// By variable.
    names: Vec<String>,
    /// Variables that stand for terms.
    known: HashMap<VarId, Val>,
    labels: Vec<Label>,
    texts: Vec<Arc<str>>,
    declarations: String,
    /// Functions made of a type, an expression or a loop, by its address.
    made: HashMap<(Origin, usize), String>,
    /// Those of types whose test cannot fail.
    harmless: BTreeSet<String>,
    /// Whether testing a named type may fail, as far as can be seen.
    may_fail: Vec<bool>,
    has_choice: bool,
    /// How deep in a type.
    depth: usize,
    count: u32,
}

/// Letters, digits and `_`.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// `x: Value, b: Bag`
fn params(values: &[String], more: &[(&str, &str)]) -> String {
    let values = values.iter().map(|v| format!("{v}: Value"));
    values.chain(more.iter().map(|(name, ty)| format!("{name}: {ty}"))).collect::<Vec<_>>().join(", ")
}

impl<'a> Logic<'a> {
    fn new(program: &Program<'a>, may_fail: Vec<bool>) -> Logic<'a> {
        let variables = program.source.variables.iter().enumerate();
        let mut names: Vec<String> = variables.map(|(k, v)| format!("{}#{k}", plain(&v.name))).collect();
        names.push("ret".to_string());
        names.extend((1..program.fresh).map(|k| format!("z${k}")));
        Logic {
            program: program.source,
            reading: program.reading,
            names,
            known: HashMap::new(),
            labels: Vec::new(),
            texts: Vec::new(),
            declarations: String::new(),
            made: HashMap::new(),
            harmless: BTreeSet::new(),
            may_fail,
            has_choice: false,
            depth: 0,
            count: 0,
        }
    }

    fn variable(&self, variable: VarId) -> Val {
        let named = || self.names.get(variable.0 as usize).map(|name| Val::name(name));
        self.known.get(&variable).cloned().or_else(named).unwrap_or(Val::Null)
    }

    fn names_of(&self, variables: &[VarId]) -> Vec<String> {
        variables.iter().map(|v| self.names[v.0 as usize].clone()).collect()
    }

    fn arguments(&self, variables: &[VarId], more: &[Code]) -> Vec<Code> {
        variables.iter().map(|v| self.variable(*v).code()).chain(more.iter().cloned()).collect()
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}${}", self.count)
    }

    fn declare(&mut self, declaration: &str) {
        self.declarations.push_str(declaration);
        self.declarations.push('\n');
    }

    fn label(&mut self, label: &Label) -> Code {
        let k = self.labels.iter().position(|l| l == label).unwrap_or_else(|| {
            self.labels.push(label.clone());
            self.labels.len() - 1
        });
        Code::Plain(format!("label.{k}.{}", plain(label)))
    }

    fn text(&mut self, text: &Arc<str>) -> String {
        let k = self.texts.iter().position(|t| t == text).unwrap_or_else(|| {
            self.texts.push(text.clone());
            self.texts.len() - 1
        });
        format!("text.{k}")
    }

    /// Predicates of the named types, and which of them may fail.
    fn named_types(&mut self) -> Vec<bool> {
        let mut may_fail = Vec::new();
        for named in &self.program.types {
            let v = Val::name("v");
            let (is_in, wrong) = (self.inside(&named.definition, &v), self.wrong(&named.definition, &v));
            self.declare(&format!("function in.{}(v: Value): bool {{ {} }}", named.name, and(&is_in)));
            if wrong != Code::False {
                self.declare(&format!("function wrong.{}(v: Value): bool {{ {wrong} }}", named.name));
            }
            may_fail.push(wrong != Code::False);
        }
        may_fail
    }

    fn constants(&self) -> String {
        let mut out = String::new();
        for (k, label) in self.labels.iter().enumerate() {
            let _ = writeln!(out, "const unique label.{k}.{}: Label; // {}", plain(label), quote(label));
        }
        for (k, text) in self.texts.iter().enumerate() {
            let shown: String = text.chars().take(60).collect();
            let _ = writeln!(out, "const unique text.{k}: Text; // {}", quote(&shown));
        }
        out
    }
}

pub(super) fn write(program: &Program<'_>, map: &SourceMap, mode: Mode) -> String {
    // The least set of types that may fail: none at first, then those in whose tests something is left over.
    let mut may_fail = vec![false; program.source.types.len()];
    loop {
        let next = Logic::new(program, may_fail.clone()).named_types();
        if next == may_fail {
            break;
        }
        may_fail = next;
    }
    let mut logic = Logic::new(program, may_fail);
    logic.named_types();
    let mut writer = Writer { program, map, logic, out: String::new() };
    for procedure in &program.procedures {
        writer.procedure(procedure, mode);
    }
    let Writer { mut logic, out: procedures, .. } = writer;
    let mut orders = String::new();
    if mode == Mode::Verify {
        for (k, obligation) in program.source.obligations.iter().enumerate() {
            let line = map.start(obligation.span).line;
            let _ = writeln!(orders, "// line {line}: the order of this accumulate must not matter");
            orders.push_str(&logic.obligation(obligation, k));
        }
    }
    let (constants, declarations) = (logic.constants(), &logic.declarations);
    let prelude = include_str!("prelude.bpl");
    format!(
        "{prelude}\n// The labels, texts and types of the program.\n{constants}{declarations}\n{procedures}{orders}"
    )
}

struct Writer<'p, 'a> {
    program: &'p Program<'a>,
    map: &'p SourceMap,
    logic: Logic<'a>,
    out: String,
}

impl Writer<'_, '_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = 2 * depth.min(DEEPEST_INDENT));
    }

    fn place(&self, span: Span) -> usize {
        self.map.start(span).line
    }

    fn procedure(&mut self, procedure: &Procedure<'_>, mode: Mode) {
        let name = procedure_name(&procedure.function.name);
        self.signature(procedure, &name);
        for assertion in &procedure.ensures {
            self.clause(1, "ensures", &assertion.formula, assertion.span, assertion.otherwise);
        }
        if mode == Mode::Verify {
            self.body(procedure, "");
            return;
        }
        self.out.push_str("{\n  assert false;\n}\n");
        self.signature(procedure, &format!("end.{name}"));
        self.body(procedure, "  assert false;\n");
    }

    fn signature(&mut self, procedure: &Procedure<'_>, name: &str) {
        let function = procedure.function;
        let parameters: Vec<VarId> = function.parameters.iter().map(|(v, _)| *v).collect();
        let given = params(&self.logic.names_of(&parameters), &[]);
        let place = self.place(function.name_span);
        let _ = writeln!(self.out, "\n// line {place}: {}", function.name);
        let _ = writeln!(self.out, "procedure {name}({given}) returns (ret: Value)");
        for assertion in procedure.requires.iter().flatten() {
            self.clause(1, "requires", &assertion.formula, assertion.span, assertion.otherwise);
        }
    }

    fn body(&mut self, procedure: &Procedure<'_>, end: &str) {
        self.out.push_str("{\n");
        let mut locals = BTreeSet::new();
        assigned(&procedure.body, &mut locals);
        locals.remove(&self.program.result());
        let locals: Vec<VarId> = locals.into_iter().collect();
        for local in self.logic.names_of(&locals) {
            self.line(1, &format!("var {local}: Value;"));
        }
        self.command(&procedure.body, 1);
        let _ = writeln!(self.out, "{end}}}");
    }

    /// Nothing, if the formula can be seen to hold.
    fn clause(&mut self, depth: usize, word: &str, formula: &Formula<'_>, span: Span, why: &str) {
        let (formula, place) = (self.formula(formula), self.place(span));
        if formula != Code::True {
            self.line(depth, &format!("{word} {formula}; // line {place}: {why}"));
        }
    }

    fn command(&mut self, command: &Command<'_>, depth: usize) {
        match command {
            Command::Skip => {}
            Command::Seq(commands) => commands.iter().for_each(|c| self.command(c, depth)),
            Command::Assign(variable, expr) => {
                let value = self.expr(expr);
                let text = format!("{} := {value};", self.logic.variable(*variable));
                self.line(depth, &text);
            }
            Command::If(condition, then, other) => {
                let condition = self.expr(condition);
                self.line(depth, &format!("if ({}) {{", condition.truth()));
                self.command(then, depth + 1);
                self.line(depth, "} else {");
                self.command(other, depth + 1);
                self.line(depth, "}");
            }
            Command::While { condition, invariants, body } => {
                let condition = self.expr(condition);
                self.line(depth, &format!("while ({})", condition.truth()));
                for invariant in invariants {
                    let (word, why) = if invariant.is_free {
                        ("free invariant", "by the way the loop is made")
                    } else {
                        ("invariant", "kept by the loop")
                    };
                    self.clause(depth + 1, word, &invariant.formula, invariant.span, why);
                }
                self.line(depth, "{");
                self.command(body, depth + 1);
                self.line(depth, "}");
            }
            Command::Assert(Assertion { formula, span, otherwise }) => {
                self.clause(depth, "assert", formula, *span, otherwise);
            }
            Command::Pick { item, from, .. } => {
                let (item, from) = (self.logic.variable(*item), self.logic.variable(*from));
                self.line(depth, &format!("havoc {item};"));
                self.line(depth, &format!("assume cnt({}, {item}) > 0;", from.payload(Sort::Coll)));
            }
            Command::Call { out, function, arguments, span } => {
                let name = procedure_name(&self.program.source.function(*function).name);
                let (out, arguments) = (self.logic.variable(*out), list(&self.logic.arguments(arguments, &[])));
                let place = self.place(*span);
                self.line(depth, &format!("call {out} := {name}({arguments}); // line {place}"));
            }
            Command::Backup(_, inner) => self.command(inner, depth),
        }
    }

    fn expr(&mut self, expr: &Expr<'_>) -> Val {
        match expr {
            Expr::Var(variable) => self.logic.variable(*variable),
            Expr::Value(value) => self.logic.constant(value),
            Expr::Op(op, parts) => {
                let parts: Vec<Val> = parts.iter().map(|e| self.expr(e)).collect();
                terms::operate(*op, &parts)
            }
            Expr::Select(base, label) => {
                let base = self.expr(base).payload(Sort::Ent);
                Val::Other(call("dot", &[base, self.logic.label(label)]))
            }
            Expr::Update(base, label, part) => {
                let (base, part) = (self.expr(base).payload(Sort::Ent), self.expr(part).code());
                Val::Made(Sort::Ent, call("upd", &[base, self.logic.label(label), part]))
            }
            Expr::Remove(base, member) => {
                let (base, member) = (self.expr(base).payload(Sort::Coll), self.expr(member).code());
                Val::Made(Sort::Coll, call("rem", &[base, member]))
            }
            Expr::IsEmpty(base) => {
                let base = self.expr(base).payload(Sort::Coll);
                Val::Made(Sort::Bool, Code::Other(format!("({base} == bempty)")))
            }
            Expr::Formula(formula) => Val::Made(Sort::Bool, self.formula(formula)),
        }
    }

    fn formula(&mut self, formula: &Formula<'_>) -> Code {
        let logic = &mut self.logic;
        match formula {
            Formula::Sort(sort, x) => {
                let sort = match sort {
                    super::Sort::Integer => Sort::Int,
                    super::Sort::Logical => Sort::Bool,
                    super::Sort::Collection => Sort::Coll,
                };
                logic.variable(*x).is(sort)
            }
            Formula::HasField(x, label) => {
                let (x, label) = (logic.variable(*x), logic.label(label));
                Code::Other(format!("IsEnt({x}) && has({}, {label})", x.payload(Sort::Ent)))
            }
            Formula::NotZero(x) => Code::Other(format!("{} != 0", logic.variable(*x).payload(Sort::Int))),
            Formula::In(ty, x) => {
                let x = logic.variable(*x);
                and(&logic.inside(ty, &x))
            }
            Formula::Testable(ty, x) => {
                let x = logic.variable(*x);
                not(&logic.wrong(ty, &x))
            }
            Formula::Holds(e) => {
                let terms::Term { mut ok, val } = logic.term(e);
                extend(&mut ok, [val.is(Sort::Bool), val.truth()]);
                and(&ok)
            }
            Formula::Within(a, b) => {
                let (a, b) = (logic.variable(*a).payload(Sort::Coll), logic.variable(*b).payload(Sort::Coll));
                let m = logic.fresh("m");
                Code::Other(format!("(forall {m}: Value :: {{cnt({a}, {m})}} cnt({a}, {m}) <= cnt({b}, {m}))"))
            }
            Formula::Counts { parts: [a, b], whole, is_exact } => {
                let relation = if *is_exact { "==" } else { "<=" };
                let card = |v: &VarId| format!("card({})", logic.variable(*v).payload(Sort::Coll));
                Code::Other(format!("{} + {} {relation} {}", card(a), card(b), card(whole)))
            }
            Formula::Selected { query, selected, source } => {
                let (selected, source) = (logic.variable(*selected), logic.variable(*source));
                logic.selected(query, &selected, &source)
            }
        }
    }
}

/// The variables that a command assigns.
fn assigned(command: &Command<'_>, found: &mut BTreeSet<VarId>) {
    match command {
        Command::Skip | Command::Assert(_) => {}
        Command::Seq(commands) => commands.iter().for_each(|c| assigned(c, found)),
        Command::Assign(variable, _) | Command::Pick { item: variable, .. } | Command::Call { out: variable, .. } => {
            found.insert(*variable);
        }
        Command::If(_, then, other) => {
            assigned(then, found);
            assigned(other, found);
        }
        Command::While { body, .. } => assigned(body, found),
        Command::Backup(_, inner) => assigned(inner, found),
    }
}
