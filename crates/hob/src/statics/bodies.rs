//! Bodies of procedures: statements with names resolved and types checked.
//!
//! Each declaration is a local of its own. Formals and the result's name are never assigned. A procedure with a result does not fall
//! off its end (docs/hob.md, "Exits").

use super::formulas::{Place, Purpose, Role, Visible};
use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{Expr, ExprKind, Formula, Local, LocalId, ModuleId, ProcId, Stmt, StmtKind, Type};
use crate::syntax::ast::{self, Ident, Quoted};
use crate::syntax::parse_formula;
use rustc_hash::FxHashMap;
use source::Span;
use std::rc::Rc;

impl<'a> Resolver<'a, '_> {
    pub(super) fn bodies(&mut self) {
        for k in 0..self.program.procs.len() {
            let id = ProcId(k as u32);
            let Some(proc) = self.texts[k].implementation else { continue };
            let module = self.program.proc(id).module;
            let Some(section) = &self.units[module.index()].implementation else { continue };
            let naming = section.naming.clone();
            let locals = self.program.proc(id).locals.clone();
            let (formals, result) = (self.program.proc(id).formals, self.program.proc(id).result);
            let mut body =
                Body { resolver: self, module, id, naming, formals, result, locals, scopes: Scopes::default() };
            for (k, local) in body.locals.iter().enumerate() {
                body.scopes.add(&local.name, LocalId(k as u32));
            }
            let statements = body.block(&proc.body);
            let locals = std::mem::take(&mut body.locals);
            if result.is_some() && statements.as_ref().is_some_and(|s| falls_through(s)) {
                let message = format!("procedure `{}` can end without a result", proc.name.text);
                let end = self.program.proc(id).end;
                self.error("missing-return", end, message, "add a `return` to every way through the procedure");
            }
            let proc = &mut self.program.procs[k];
            proc.locals = locals;
            proc.body = statements;
        }
    }
}

/// Whether control can get after the statements. `while (true)` is never left: there is no `break`.
fn falls_through(statements: &[Stmt]) -> bool {
    statements.iter().all(|statement| match &statement.kind {
        StmtKind::Return(_) => false,
        StmtKind::Block(inner) => falls_through(inner),
        StmtKind::If { then, otherwise, .. } => falls_through(then) || falls_through(otherwise),
        StmtKind::Choice(first, second) => falls_through(first) || falls_through(second),
        StmtKind::While { condition, .. } => !matches!(condition.kind, ExprKind::Bool(true)),
        _ => true,
    })
}

/// Which local a name is, with blocks inside of blocks.
#[derive(Default)]
pub(super) struct Scopes {
    /// The local, and the number of its declaration.
    by_name: FxHashMap<String, Vec<(LocalId, usize)>>,
    /// Names in the order of their declarations.
    declared: Vec<String>,
    /// How many of them each block that is open began with.
    starts: Vec<usize>,
}

impl Scopes {
    fn add(&mut self, name: &str, id: LocalId) {
        self.by_name.entry(name.to_string()).or_default().push((id, self.declared.len()));
        self.declared.push(name.to_string());
    }

    fn open(&mut self) {
        self.starts.push(self.declared.len());
    }

    fn close(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        for name in self.declared.drain(start..) {
            if let Some(ids) = self.by_name.get_mut(&name) {
                ids.pop();
            }
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<LocalId> {
        self.by_name.get(name).and_then(|ids| ids.last()).map(|(id, _)| *id)
    }

    /// Declared in the innermost block that is open.
    fn in_this_block(&self, name: &str) -> bool {
        let start = self.starts.last().copied().unwrap_or(0);
        self.by_name.get(name).and_then(|ids| ids.last()).is_some_and(|(_, number)| *number >= start)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.by_name.iter().filter(|(_, ids)| !ids.is_empty()).map(|(name, _)| name.clone()).collect()
    }
}

pub(super) struct Body<'r, 'a, 'd> {
    pub resolver: &'r mut Resolver<'a, 'd>,
    pub module: ModuleId,
    pub id: ProcId,
    pub naming: Rc<Naming<'a>>,
    pub formals: u32,
    pub result: Option<LocalId>,
    pub locals: Vec<Local>,
    pub scopes: Scopes,
}

impl<'a> Body<'_, 'a, '_> {
    /// None if something in it is wrong; all of it is looked at.
    fn block(&mut self, statements: &[ast::Stmt]) -> Option<Vec<Stmt>> {
        self.scopes.open();
        let mut all = Some(Vec::with_capacity(statements.len()));
        for statement in statements {
            let resolved = self.stmt(statement);
            match (&mut all, resolved) {
                (Some(all), Some(resolved)) => all.extend(resolved),
                _ => all = None,
            }
        }
        self.scopes.close();
        all
    }

    /// The statement of an `if` or a loop: a block of its own.
    fn nested(&mut self, statement: &ast::Stmt) -> Option<Vec<Stmt>> {
        match &statement.kind {
            ast::StmtKind::Block(statements) => self.block(statements),
            _ => self.block(std::slice::from_ref(statement)),
        }
    }

    fn stmt(&mut self, statement: &ast::Stmt) -> Option<Vec<Stmt>> {
        let span = statement.span;
        let one = |kind| Some(vec![Stmt { kind, span }]);
        match &statement.kind {
            ast::StmtKind::Empty => Some(Vec::new()),
            ast::StmtKind::Block(inner) => one(StmtKind::Block(self.block(inner)?)),
            ast::StmtKind::Locals(ty, variables) => self.declaration(ty, variables, span),
            ast::StmtKind::Assign(place, value) => {
                let (place, value) = (self.place(place), self.expr(value));
                let ((place, ty), value) = (place?, value?);
                one(StmtKind::Assign(place, self.fit(value, &ty, "what is assigned")?))
            }
            ast::StmtKind::Expr(expr) => one(StmtKind::Expr(self.effect(expr)?)),
            ast::StmtKind::Return(value) => one(StmtKind::Return(self.returned(value.as_ref(), span)?)),
            ast::StmtKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let then = self.nested(then);
                let otherwise = otherwise.as_ref().map_or(Some(Vec::new()), |s| self.nested(s));
                one(StmtKind::If { condition: condition?, then: then?, otherwise: otherwise? })
            }
            ast::StmtKind::While { invariant, condition, body } => {
                let invariant = self.optional_formula(invariant.as_ref());
                let condition = self.condition(condition);
                let body = self.nested(body);
                one(StmtKind::While { invariant: invariant?, condition: condition?, body: body?, step: None })
            }
            ast::StmtKind::For { .. } => self.for_loop(statement),
            ast::StmtKind::Assert { label, formula } => {
                let label = label.as_ref().map(|l| l.text.clone());
                one(StmtKind::Assert { label, formula: self.formula(formula)? })
            }
            ast::StmtKind::Assume { label, formula } => {
                let label = label.as_ref().map(|l| l.text.clone());
                one(StmtKind::Assume { label, formula: self.formula(formula)? })
            }
            ast::StmtKind::Pragma(text) => one(StmtKind::Pragma(text.text.clone())),
            ast::StmtKind::Havoc(names) => {
                let locals: Vec<Option<LocalId>> = names.iter().map(|n| self.havocked(n)).collect();
                one(StmtKind::Havoc(locals.into_iter().collect::<Option<_>>()?))
            }
            ast::StmtKind::Choice(first, second) => {
                let (first, second) = (self.nested(first), self.nested(second));
                one(StmtKind::Choice(first?, second?))
            }
        }
    }

    /// `for (init; condition; step) body` is `{ init; while (condition) { body; step } }`.
    fn for_loop(&mut self, statement: &ast::Stmt) -> Option<Vec<Stmt>> {
        let ast::StmtKind::For { invariant, init, condition, step, body } = &statement.kind else { return None };
        let span = statement.span;
        self.scopes.open();
        let init = init.as_ref().map_or(Some(Vec::new()), |s| self.stmt(s));
        let invariant = self.optional_formula(invariant.as_ref());
        let condition = match condition {
            Some(condition) => self.condition(condition),
            None => Some(Expr { kind: ExprKind::Bool(true), ty: Type::Bool, span }),
        };
        let body = self.nested(body);
        // One statement, as the grammar has it.
        let step = match step {
            Some(step) => self.stmt(step).map(|mut s| s.pop().map(Box::new)),
            None => Some(None),
        };
        self.scopes.close();
        let mut all = init?;
        let kind = StmtKind::While { invariant: invariant?, condition: condition?, body: body?, step: step? };
        all.push(Stmt { kind, span });
        Some(vec![Stmt { kind: StmtKind::Block(all), span }])
    }

    fn declaration(
        &mut self,
        ty: &ast::TypeName,
        variables: &[(Ident, Option<ast::Expr>)],
        span: Span,
    ) -> Option<Vec<Stmt>> {
        let naming = self.naming.clone();
        let ty = self.resolver.type_of(&naming, ty);
        let mut all = Some(Vec::new());
        for (name, value) in variables {
            // The value does not see the variable that it is for.
            let value = match value {
                Some(value) => self.expr(value).map(Some),
                None => Some(None),
            };
            let known = self.scopes.find(&name.text);
            let is_fixed = known.is_some_and(|id| id.0 < self.formals || Some(id) == self.result);
            if let Some(first) = known.filter(|_| is_fixed || self.scopes.in_this_block(&name.text)) {
                let first = self.locals[first.index()].span;
                self.resolver.duplicate("variable", name, first);
                all = None;
                continue;
            }
            let id = LocalId(self.locals.len() as u32);
            let local_ty = ty.clone().unwrap_or(Type::Nothing);
            self.locals.push(Local { name: name.text.clone(), ty: local_ty, span: name.span });
            self.scopes.add(&name.text, id);
            let fitted = match (value, &ty) {
                (Some(Some(value)), Some(ty)) => self.fit(value, ty, "what is assigned").map(Some),
                (Some(None), Some(_)) => Some(None),
                _ => None,
            };
            let span = if variables.len() == 1 { span } else { name.span };
            match (&mut all, fitted) {
                (Some(all), Some(value)) => all.push(Stmt { kind: StmtKind::Declare(id, value), span }),
                _ => all = None,
            }
        }
        all
    }

    fn condition(&mut self, condition: &ast::Expr) -> Option<Expr> {
        let condition = self.expr(condition)?;
        self.fit(condition, &Type::Bool, "a condition")
    }

    fn returned(&mut self, value: Option<&ast::Expr>, span: Span) -> Option<Option<Expr>> {
        let name = self.resolver.program.proc(self.id).name.clone();
        match (value, self.result) {
            (None, None) => Some(None),
            (Some(value), Some(result)) => {
                let value = self.expr(value)?;
                let ty = self.locals[result.index()].ty.clone();
                self.fit(value, &ty, "the result").map(Some)
            }
            (None, Some(_)) => {
                let message = format!("procedure `{name}` has a result, but none is returned here");
                self.resolver.error("type-mismatch", span, message, "write `return e;`");
                None
            }
            (Some(value), None) => {
                self.expr(value);
                let message = format!("procedure `{name}` has no result, but one is returned here");
                let help = "write `return;`, or declare the result: `returns r : T`";
                self.resolver.error("type-mismatch", value.span, message, help);
                None
            }
        }
    }

    fn havocked(&mut self, name: &Ident) -> Option<LocalId> {
        let expr = ast::Expr { kind: ast::ExprKind::Name(name.text.clone()), span: name.span };
        match self.place(&expr)?.0 {
            crate::program::Place::Local(id) => Some(id),
            _ => {
                let message = format!("`{}` is a variable of the module", name.text);
                self.resolver.error("bad-havoc", name.span, message, "`havoc` is for variables of the procedure");
                None
            }
        }
    }

    fn optional_formula(&mut self, quoted: Option<&Quoted>) -> Option<Option<Formula>> {
        match quoted {
            Some(quoted) => self.formula(quoted).map(Some),
            None => Some(None),
        }
    }

    /// Over the spec variables and all variables that are in scope.
    fn formula(&mut self, quoted: &Quoted) -> Option<Formula> {
        let formula = parse_formula(quoted, self.resolver.diagnostics)?;
        let (scopes, locals) = (&self.scopes, &self.locals);
        let (formals, result) = (self.formals, self.result);
        let visible = |name: &str| {
            let id = scopes.find(name)?;
            let role = if id.0 < formals {
                Role::Formal
            } else if Some(id) == result {
                Role::Result
            } else {
                Role::Variable
            };
            Some(Visible { id, ty: locals[id.index()].ty.clone(), role })
        };
        let place = Place {
            module: Some(self.module),
            naming: &self.naming,
            among: &[],
            locals: &visible,
            local_names: &|| scopes.names(),
            purpose: Purpose::Assertion,
        };
        self.resolver.formula(&formula, &place)
    }
}
