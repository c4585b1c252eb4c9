//! One declaration with its names resolved. Every binder makes a new variable. In refinements, singleton types and invariants only
//! pure expressions may stand (docs/dminor.md, "Purity"): no calls; accumulates become obligations.

use super::{Scope, built_in, elsewhere, nearest, suggestion};
use crate::program::{
    Accumulate, Expr, ExprKind, Field, Obligation, Op, Program, Query, Type, TypeKind, VarId, Variable,
};
use crate::syntax::ast::{self, BinaryOp, Ident, UnaryOp};
use crate::value::{Label, Value};
use source::{Diagnostic, Span};
use std::collections::HashMap;

pub(super) struct Resolver<'a> {
    scope: &'a Scope,
    program: &'a mut Program,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Innermost last.
    variables: Vec<(String, VarId)>,
    /// What asks for purity, if anything does.
    pure: Option<&'static str>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(scope: &'a Scope, program: &'a mut Program, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Resolver { scope, program, diagnostics, variables: Vec::new(), pure: None }
    }

    /// Each in scope of the types after it, and from now on.
    pub(super) fn parameters(&mut self, parameters: &[(Ident, ast::Type)]) -> Vec<(VarId, Type)> {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut resolved = Vec::new();
        for (name, ty) in parameters {
            if let Some(first) = seen.insert(&name.text, name.span) {
                let message = format!("there are two parameters called `{}`", name.text);
                let problem = Diagnostic::error("duplicate-name", name.span, message);
                self.diagnostics.push(problem.related(first, "the first one").help("give one of them another name"));
            }
            let ty = self.type_(ty);
            resolved.push((self.bind(name), ty));
        }
        resolved
    }

    fn bind(&mut self, name: &Ident) -> VarId {
        let id = VarId(self.program.variables.len() as u32);
        self.program.variables.push(Variable { name: name.text.clone(), span: name.span });
        self.variables.push((name.text.clone(), id));
        id
    }

    /// The variables that were bound inside are gone afterwards.
    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.variables.len();
        let result = inner(self);
        self.variables.truncate(known);
        result
    }

    fn purely<T>(&mut self, what: &'static str, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.pure.replace(what);
        let result = inner(self);
        self.pure = before;
        result
    }

    pub(super) fn type_(&mut self, ty: &ast::Type) -> Type {
        let inner = |r: &mut Self, t: &ast::Type| Box::new(r.type_(t));
        let kind = match &ty.kind {
            ast::TypeKind::Name(name) => self.type_name(name, ty.span),
            ast::TypeKind::Collection(t) => TypeKind::Collection(inner(self, t)),
            ast::TypeKind::Nullable(t) => TypeKind::Nullable(inner(self, t)),
            ast::TypeKind::Not(t) => TypeKind::Not(inner(self, t)),
            ast::TypeKind::And(a, b) => TypeKind::And(inner(self, a), inner(self, b)),
            ast::TypeKind::Or(a, b) => TypeKind::Or(inner(self, a), inner(self, b)),
            ast::TypeKind::Entity(fields) => {
                self.distinct(fields.iter().map(|(l, _)| l));
                let field = |(label, ty): &(Ident, ast::Type)| Field {
                    label: Label::from(label.text.as_str()),
                    label_span: label.span,
                    ty: self.type_(ty),
                };
                TypeKind::Entity(fields.iter().map(field).collect())
            }
            ast::TypeKind::Refinement(name, base, condition) => {
                let base = inner(self, base);
                let implicit = Ident { text: "value".to_string(), span: base.span };
                let (variable, condition) = self.scoped(|r| {
                    let variable = r.bind(name.as_ref().unwrap_or(&implicit));
                    (variable, r.purely("a refinement", |r| r.expr(condition)))
                });
                TypeKind::Refinement(variable, base, Box::new(condition))
            }
            ast::TypeKind::Singleton(value) => {
                TypeKind::Singleton(Box::new(self.purely("a singleton type", |r| r.expr(value))))
            }
        };
        Type { kind, span: ty.span }
    }

    fn type_name(&mut self, name: &str, span: Span) -> TypeKind {
        if let Some(kind) = built_in(name) {
            return kind;
        }
        if let Some(id) = self.scope.types.get(name) {
            return TypeKind::Named(*id);
        }
        if !self.scope.doubtful.contains(name) || elsewhere(name).is_some() {
            let known = self.scope.types.keys().map(String::as_str).chain(super::BUILT_IN);
            let help = match elsewhere(name) {
                Some(ours) => format!("it is called `{ours}` here"),
                None if self.variables.iter().any(|(n, _)| n == name) => {
                    format!("the type of the value of `{name}` alone is {{{name}}}")
                }
                None => suggestion(name, known, "declare it: type Name : T;"),
            };
            let message = format!("there is no type `{name}`");
            self.diagnostics.push(Diagnostic::error("unknown-type", span, message).help(help));
        }
        TypeKind::Any
    }

    fn distinct<'b>(&mut self, labels: impl Iterator<Item = &'b Ident>) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for label in labels {
            if let Some(first) = seen.insert(&label.text, label.span) {
                let message = format!("the label `{}` occurs twice", label.text);
                let problem = Diagnostic::error("duplicate-label", label.span, message).related(first, "the first one");
                self.diagnostics.push(problem.help("remove one; both conditions on a field are written `T & U`"));
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let inner = |r: &mut Self, e: &ast::Expr| Box::new(r.expr(e));
        let kind = match &expr.kind {
            _ if self.scope.stop.is_due() => ExprKind::Constant(Value::Null),
            ast::ExprKind::Null => ExprKind::Constant(Value::Null),
            ast::ExprKind::Logical(b) => ExprKind::Constant(Value::Logical(*b)),
            ast::ExprKind::Integer(n) => ExprKind::Constant(Value::Integer(n.clone())),
            ast::ExprKind::Text(text) => ExprKind::Constant(Value::text(text)),
            ast::ExprKind::Var(name) => self.variable(name, expr.span),
            ast::ExprKind::Call(name, arguments) => self.call(name, arguments, expr.span),
            ast::ExprKind::Unary(op, operand) => {
                let op = if *op == UnaryOp::Neg { Op::Neg } else { Op::Not };
                ExprKind::Op(op, vec![self.expr(operand)])
            }
            ast::ExprKind::Binary(op, a, b) => ExprKind::Op(operator(*op), vec![self.expr(a), self.expr(b)]),
            ast::ExprKind::Cond(a, b, c) => ExprKind::Cond(inner(self, a), inner(self, b), inner(self, c)),
            ast::ExprKind::Let(name, value, body) => {
                let value = inner(self, value);
                self.scoped(|r| {
                    let variable = r.bind(name);
                    ExprKind::Let(variable, value, inner(r, body))
                })
            }
            ast::ExprKind::Test(value, ty) => ExprKind::Test(inner(self, value), Box::new(self.type_(ty))),
            ast::ExprKind::Ascribe(value, ty) => ExprKind::Ascribe(inner(self, value), Box::new(self.type_(ty))),
            ast::ExprKind::Entity(fields) => {
                self.distinct(fields.iter().map(|(l, _)| l));
                let field = |(l, e): &(Ident, ast::Expr)| (Label::from(l.text.as_str()), self.expr(e));
                ExprKind::Entity(fields.iter().map(field).collect())
            }
            ast::ExprKind::Collection(items) => ExprKind::Collection(items.iter().map(|i| self.expr(i)).collect()),
            ast::ExprKind::Select(base, label) => ExprKind::Select(inner(self, base), Label::from(label.text.as_str())),
            ast::ExprKind::Count(base) => ExprKind::Op(Op::Count, vec![self.expr(base)]),
            ast::ExprKind::Accumulate(accumulate) => {
                let accumulate = self.accumulate(accumulate);
                if self.pure.is_some() {
                    let obligation = Obligation { accumulate: accumulate.clone(), span: expr.span };
                    self.program.obligations.push(obligation);
                }
                ExprKind::Accumulate(Box::new(accumulate))
            }
            ast::ExprKind::Query(query) => {
                let source = self.expr(&query.source);
                self.scoped(|r| {
                    let item = r.bind(&query.item);
                    let filter = query.filter.as_ref().map(|f| r.expr(f));
                    let select = r.expr(&query.select);
                    ExprKind::Query(Box::new(Query { item, source, filter, select }))
                })
            }
        };
        Expr { kind, span: expr.span }
    }

    fn accumulate(&mut self, written: &ast::Accumulate) -> Accumulate {
        if written.item == written.accumulator {
            let message = format!("`{}` is both the member and the accumulator", written.item.text);
            let problem = Diagnostic::error("duplicate-name", written.accumulator.span, message);
            self.diagnostics.push(problem.related(written.item.span, "the member").help("give one another name"));
        }
        let source = self.expr(&written.source);
        let (initial, annotation) = match &written.initial.kind {
            ast::ExprKind::Ascribe(value, ty) => (self.expr(value), Some(self.type_(ty))),
            _ => (self.expr(&written.initial), None),
        };
        self.scoped(|r| {
            let accumulator = r.bind(&written.accumulator);
            let invariant = written.invariant.as_ref().map(|invariant| {
                r.scoped(|r| {
                    let rest = r.bind(&Ident { text: "rest".to_string(), span: invariant.span });
                    (rest, r.purely("an invariant", |r| r.expr(invariant)))
                })
            });
            let item = r.bind(&written.item);
            let body = r.expr(&written.body);
            Accumulate { item, source, accumulator, initial, annotation, invariant, body }
        })
    }

    fn variable(&mut self, name: &str, span: Span) -> ExprKind {
        if let Some((_, id)) = self.variables.iter().rev().find(|(n, _)| n == name) {
            return ExprKind::Var(*id);
        }
        let is_type = built_in(name).is_some() || self.scope.types.contains_key(name);
        let help = if is_type {
            format!(
                "`{name}` is a type: write it after `in`, and after `let x =` put such a test in parentheses; \
                 a collection type is `{name}*`"
            )
        } else if self.scope.functions.contains_key(name) {
            format!("`{name}` is a function: write {name}(…)")
        } else if name == "rest" {
            "`rest`, the members not yet taken, is known in an `invariant` only".to_string()
        } else if name == "value" {
            "`value` is known in `T where e` only, and not if the variable has a name: (x: T where e)".to_string()
        } else {
            let known = self.variables.iter().map(|(n, _)| n.as_str());
            suggestion(name, known, "bind it by `let`, or make it a parameter")
        };
        let message = format!("there is no variable `{name}` here");
        self.diagnostics.push(Diagnostic::error("unknown-variable", span, message).help(help));
        ExprKind::Constant(Value::Null)
    }

    fn call(&mut self, name: &Ident, arguments: &[ast::Expr], span: Span) -> ExprKind {
        let resolved: Vec<Expr> = arguments.iter().map(|a| self.expr(a)).collect();
        let Some(id) = self.scope.functions.get(&name.text) else {
            if !self.scope.doubtful.contains(&name.text) {
                let known = self.scope.functions.keys().map(String::as_str);
                let help = match name.text.as_str() {
                    "if" => "a condition is written `c ? a : b`".to_string(),
                    text if self.variables.iter().any(|(n, _)| n == text) => {
                        format!("`{text}` is a variable; functions cannot be passed on")
                    }
                    text => match nearest(text, known.clone()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => suggestion(text, known, "declare it: name(x: T) : U { e }"),
                    },
                };
                let message = format!("there is no function `{}`", name.text);
                self.diagnostics.push(Diagnostic::error("unknown-function", name.span, message).help(help));
            }
            return ExprKind::Constant(Value::Null);
        };
        let (arity, declared) = self.scope.arities[id.0 as usize];
        if arity != arguments.len() {
            let message = format!("`{}` takes {}, but gets {}", name.text, counted(arity), arguments.len());
            let problem = Diagnostic::error("wrong-arity", span, message).related(declared, "it is declared here");
            self.diagnostics.push(problem.help("pass one argument for each parameter"));
        }
        if let Some(what) = self.pure {
            let message = format!("{what} may not call a function");
            let problem = Diagnostic::error("impure", span, message).label("a call may not end");
            self.diagnostics.push(problem.help("write the condition out, or name it as a type and test `x in T`"));
        }
        ExprKind::Call(*id, resolved)
    }
}

fn counted(n: usize) -> String {
    if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") }
}

fn operator(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Or => Op::Or,
        BinaryOp::And => Op::And,
        BinaryOp::Eq => Op::Eq,
        BinaryOp::Ne => Op::Ne,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::Gt => Op::Gt,
        BinaryOp::Le => Op::Le,
        BinaryOp::Ge => Op::Ge,
        BinaryOp::Cons => Op::Cons,
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Concat => Op::Concat,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::Div,
    }
}
