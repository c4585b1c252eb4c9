//! Bemol as text, one command to a line:
//!
//! ```text
//! procedure f(x, y)
//!   requires y in (v: Integer where v >= x)   // what callers assert; so do `ensures` and the end of the body
//! {
//!   backup ret in {                           // runs the block, then restores every variable but ret
//!     z1 := x
//!     assert z1 in Integer                    // line 3: what would be wrong
//!     ret := z1 + z1
//!   }
//! }
//! ```
//!
//! `x in T` is F\[T](x), `x testable as T` is not W\[T](x), `holds e` is R\[e] = Return(true). Loops carry one `inv` to a line; `free inv`
//! holds by the way the loop was made. Variables of the program keep their names, with a number after those that are used again;
//! fresh ones are z1, z2, …

use super::{Assertion, Command, Expr, Formula, Program, Sort};
use crate::program::{self, ExprKind, Op, Type, TypeKind, VarId};
use crate::syntax::{label, quote};
use crate::value::Value;
use source::{SourceMap, Span};
use std::collections::HashMap;
use std::fmt::Write;

/// Deeper blocks are not indented further, or n of them would take n² blanks.
pub(super) const DEEPEST_INDENT: usize = 40;

pub(super) fn print(program: &Program<'_>, map: &SourceMap) -> String {
    let mut printer = Printer { program, map, names: names(program), out: String::new() };
    for named in &program.source.types {
        let definition = printer.type_(&named.definition);
        let _ = writeln!(printer.out, "type {} : {definition}", named.name);
    }
    for procedure in &program.procedures {
        let function = procedure.function;
        let parameters: Vec<String> = function.parameters.iter().map(|(v, _)| printer.name(*v)).collect();
        if !printer.out.is_empty() {
            printer.out.push('\n');
        }
        let _ = writeln!(printer.out, "procedure {}({})", function.name, parameters.join(", "));
        for assertion in procedure.requires.iter().flatten() {
            let formula = printer.formula(&assertion.formula);
            let _ = writeln!(printer.out, "  requires {formula}");
        }
        for assertion in &procedure.ensures {
            let formula = printer.formula(&assertion.formula);
            let _ = writeln!(printer.out, "  ensures {formula}");
        }
        printer.out.push_str("{\n");
        printer.command(&procedure.body, 1);
        printer.out.push_str("}\n");
    }
    printer.out
}

/// Unique ones.
fn names(program: &Program<'_>) -> Vec<String> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    for variable in &program.source.variables {
        let count = seen.entry(&variable.name).or_insert(0);
        *count += 1;
        names.push(if *count == 1 { variable.name.clone() } else { format!("{}'{count}", variable.name) });
    }
    let fresh = (0..program.fresh).map(|k| {
        let mut name = if k == 0 { "ret".to_string() } else { format!("z{k}") };
        while seen.contains_key(name.as_str()) {
            name.push('_');
        }
        name
    });
    names.extend(fresh);
    names
}

struct Printer<'p, 'a> {
    program: &'p Program<'a>,
    map: &'p SourceMap,
    names: Vec<String>,
    out: String,
}

impl Printer<'_, '_> {
    fn name(&self, variable: VarId) -> String {
        self.names.get(variable.0 as usize).cloned().unwrap_or_default()
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = 2 * depth.min(DEEPEST_INDENT));
    }

    fn place(&self, span: Span) -> String {
        format!("line {}", self.map.start(span).line)
    }

    fn command(&mut self, command: &Command<'_>, depth: usize) {
        match command {
            Command::Skip => self.line(depth, "skip"),
            Command::Seq(commands) => commands.iter().for_each(|c| self.command(c, depth)),
            Command::Assign(variable, expr) => {
                let text = format!("{} := {}", self.name(*variable), self.expr(expr));
                self.line(depth, &text);
            }
            Command::If(condition, then, other) => {
                let text = format!("if {} then {{", self.expr(condition));
                self.line(depth, &text);
                self.command(then, depth + 1);
                if !matches!(**other, Command::Skip) {
                    self.line(depth, "} else {");
                    self.command(other, depth + 1);
                }
                self.line(depth, "}");
            }
            Command::While { condition, invariants, body } => {
                let text = format!("while {}", self.expr(condition));
                self.line(depth, &text);
                for invariant in invariants {
                    let free = if invariant.is_free { "free " } else { "" };
                    let text = format!("{free}inv {}", self.formula(&invariant.formula));
                    self.line(depth + 1, &text);
                }
                self.line(depth, "do {");
                self.command(body, depth + 1);
                self.line(depth, "}");
            }
            Command::Assert(Assertion { formula, span, otherwise }) => {
                let text = format!("assert {} // {}: {otherwise}", self.formula(formula), self.place(*span));
                self.line(depth, &text);
            }
            Command::Pick { item, from, .. } => {
                let text = format!("{} := pick {}", self.name(*item), self.name(*from));
                self.line(depth, &text);
            }
            Command::Call { out, function, arguments, span } => {
                let arguments: Vec<String> = arguments.iter().map(|z| self.name(*z)).collect();
                let function = &self.program.source.function(*function).name;
                let (out, arguments) = (self.name(*out), arguments.join(", "));
                let text = format!("{out} := call {function}({arguments}) // {}", self.place(*span));
                self.line(depth, &text);
            }
            Command::Backup(variable, inner) => {
                let text = format!("backup {} in {{", self.name(*variable));
                self.line(depth, &text);
                self.command(inner, depth + 1);
                self.line(depth, "}");
            }
        }
    }

    fn expr(&self, expr: &Expr<'_>) -> String {
        match expr {
            Expr::Var(variable) => self.name(*variable),
            Expr::Value(value) => constant(value),
            Expr::Op(op, parts) => operation(*op, parts.iter().map(|e| self.expr(e)).collect()),
            Expr::Select(base, field) => format!("{}.{}", self.expr(base), label(field)),
            Expr::Update(base, field, part) => {
                format!("{}[{} := {}]", self.expr(base), label(field), self.expr(part))
            }
            Expr::Remove(base, member) => format!("{} \\ {{{}}}", self.expr(base), self.expr(member)),
            Expr::IsEmpty(base) => format!("is_empty {}", self.expr(base)),
            Expr::Formula(formula) => format!("formula {}", self.formula(formula)),
        }
    }

    fn formula(&self, formula: &Formula<'_>) -> String {
        match formula {
            Formula::Sort(Sort::Integer, x) => format!("{} in Integer", self.name(*x)),
            Formula::Sort(Sort::Logical, x) => format!("{} in Logical", self.name(*x)),
            Formula::Sort(Sort::Collection, x) => format!("{} in Any*", self.name(*x)),
            Formula::HasField(x, field) => format!("{} in {{{}: Any}}", self.name(*x), label(field)),
            Formula::NotZero(x) => format!("{} != 0", self.name(*x)),
            Formula::In(ty, x) => format!("{} in {}", self.name(*x), self.type_(ty)),
            Formula::Testable(ty, x) => format!("{} testable as {}", self.name(*x), self.type_(ty)),
            Formula::Holds(e) => format!("holds {}", self.term(e)),
            Formula::Within(a, b) => format!("{} within {}", self.name(*a), self.name(*b)),
            Formula::Counts { parts: [a, b], whole, is_exact } => {
                let relation = if *is_exact { "==" } else { "<=" };
                let (a, b, whole) = (self.name(*a), self.name(*b), self.name(*whole));
                format!("{a}.Count + {b}.Count {relation} {whole}.Count")
            }
            Formula::Selected { query, selected, source } => {
                let filter = query.filter.as_ref().map_or(String::new(), |e| format!(" where {}", self.term(e)));
                let (item, source) = (self.name(query.item), self.name(*source));
                let select = self.term(&query.select);
                format!("{} comes from (from {item} in {source}{filter} select {select})", self.name(*selected))
            }
        }
    }

    fn type_(&self, ty: &Type) -> String {
        match &ty.kind {
            TypeKind::Any => "Any".to_string(),
            TypeKind::Empty => "Empty".to_string(),
            TypeKind::Integer => "Integer".to_string(),
            TypeKind::Text => "Text".to_string(),
            TypeKind::Logical => "Logical".to_string(),
            TypeKind::Collection(inner) => format!("{}*", self.type_(inner)),
            TypeKind::Entity(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|f| format!("{}: {};", label(&f.label), self.type_(&f.ty))).collect();
                format!("{{{}}}", fields.join(" "))
            }
            TypeKind::Refinement(x, base, e) => {
                format!("({}: {} where {})", self.name(*x), self.type_(base), self.term(e))
            }
            TypeKind::And(a, b) => format!("({} & {})", self.type_(a), self.type_(b)),
            TypeKind::Or(a, b) => format!("({} | {})", self.type_(a), self.type_(b)),
            TypeKind::Not(inner) => format!("!{}", self.type_(inner)),
            TypeKind::Nullable(inner) => format!("({}?)", self.type_(inner)),
            TypeKind::Singleton(e) => format!("{{{}}}", self.term(e)),
            TypeKind::Named(id) => self.program.source.named(*id).name.clone(),
        }
    }

    /// An expression inside of a formula.
    fn term(&self, expr: &program::Expr) -> String {
        let list = |parts: &[program::Expr]| parts.iter().map(|e| self.term(e)).collect::<Vec<_>>().join(", ");
        match &expr.kind {
            ExprKind::Constant(value) => constant(value),
            ExprKind::Var(x) => self.name(*x),
            ExprKind::Op(op, parts) => format!("({})", operation(*op, parts.iter().map(|e| self.term(e)).collect())),
            ExprKind::Cond(a, b, c) => format!("({} ? {} : {})", self.term(a), self.term(b), self.term(c)),
            ExprKind::Let(x, value, body) => {
                format!("(let {} = {} in {})", self.name(*x), self.term(value), self.term(body))
            }
            ExprKind::Test(e, ty) => format!("({} in ({}))", self.term(e), self.type_(ty)),
            ExprKind::Ascribe(e, ty) => format!("({} : {})", self.term(e), self.type_(ty)),
            ExprKind::Entity(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(l, e)| format!("{} => {}", label(l), self.term(e))).collect();
                format!("{{{}}}", fields.join(", "))
            }
            ExprKind::Collection(items) => format!("{{{}}}", list(items)),
            ExprKind::Select(base, field) => format!("{}.{}", self.term(base), label(field)),
            ExprKind::Call(id, arguments) => {
                format!("{}({})", self.program.source.function(*id).name, list(arguments))
            }
            ExprKind::Accumulate(a) => format!(
                "(from {} in {} let {} = {} accumulate {})",
                self.name(a.item),
                self.term(&a.source),
                self.name(a.accumulator),
                self.term(&a.initial),
                self.term(&a.body)
            ),
            ExprKind::Query(q) => {
                let filter = q.filter.as_ref().map_or(String::new(), |e| format!(" where {}", self.term(e)));
                let (item, source) = (self.name(q.item), self.term(&q.source));
                format!("(from {item} in {source}{filter} select {})", self.term(&q.select))
            }
        }
    }
}

fn operation(op: Op, parts: Vec<String>) -> String {
    match (op, &parts[..]) {
        (Op::Count, [a]) => format!("{a}.Count"),
        (op, [a]) => format!("{}{a}", op.symbol()),
        (op, parts) => parts.join(&format!(" {} ", op.symbol())),
    }
}

fn constant(value: &Value) -> String {
    match value {
        Value::Text(text) => quote(text),
        Value::Collection(_) | Value::Entity(_) => "{}".to_string(),
        scalar => scalar.to_string(),
    }
}
