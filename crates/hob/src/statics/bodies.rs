//! Bodies of procedures: statements with names resolved and types checked.
//!
//! Each declaration is a local of its own. Formals and the result's name are never assigned. A procedure with a result does not fall
//! off its end (docs/hob.md, "Exits").

use super::abstractions::Plugin;
use super::expressions::as_bool;
use super::formulas::{Place, Purpose, Role, Visible};
use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{Expr, ExprKind, Formula, FormulaKind, Local, LocalId, ModuleId, ProcId, Stmt, StmtKind, Type};
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
            let text = &proc.body;
            let (scopes, early) = (Scopes::default(), FxHashMap::default());
            let mut body = Body { resolver: self, module, id, naming, formals, result, locals, scopes, text, early };
            for (k, local) in body.locals.iter().enumerate() {
                body.scopes.add(&local.name, LocalId(k as u32));
            }
            let statements = body.block(&proc.body);
            let locals = std::mem::take(&mut body.locals);
            let mut hoisted: Vec<LocalId> = body.early.values().map(|(_, id)| *id).collect();
            hoisted.sort_unstable();
            if result.is_some() && statements.as_ref().is_some_and(|s| falls_through(s)) {
                let message = format!("procedure `{}` can end without a result", proc.name.text);
                let end = self.program.proc(id).end;
                self.error("missing-return", end, message, "add a `return` to every way through the procedure");
            }
            let proc = &mut self.program.procs[k];
            proc.locals = locals;
            proc.hoisted = hoisted;
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

/// The names without a module in a formula.
fn names_in<'f>(formula: &'f ast::Formula, found: &mut Vec<&'f str>) {
    match &formula.kind {
        ast::FormulaKind::Name { name, .. } if name.module.is_none() => found.push(&name.name.text),
        ast::FormulaKind::Binary(_, a, b) => {
            names_in(a, found);
            names_in(b, found);
        }
        ast::FormulaKind::Not(a) | ast::FormulaKind::Card(a, ..) | ast::FormulaKind::Quantified { body: a, .. } => {
            names_in(a, found);
        }
        ast::FormulaKind::Disjoint(parts) | ast::FormulaKind::Predicate { arguments: parts, .. } => {
            parts.iter().for_each(|p| names_in(p, found));
        }
        _ => {}
    }
}

/// The declarations of variables of that name.
fn declarations<'s>(body: &'s [ast::Stmt], name: &str, found: &mut Vec<(&'s ast::TypeName, &'s Ident)>) {
    for statement in body {
        match &statement.kind {
            ast::StmtKind::Block(inner) => declarations(inner, name, found),
            ast::StmtKind::Locals(ty, variables) => {
                found.extend(variables.iter().filter(|(v, _)| v.text == name).map(|(v, _)| (ty, v)));
            }
            ast::StmtKind::If(_, then, otherwise) => {
                declarations(std::slice::from_ref(then), name, found);
                otherwise.iter().for_each(|s| declarations(std::slice::from_ref(s), name, found));
            }
            ast::StmtKind::While { body, .. } => declarations(std::slice::from_ref(body), name, found),
            ast::StmtKind::For { init, body, .. } => {
                init.iter().for_each(|s| declarations(std::slice::from_ref(s), name, found));
                declarations(std::slice::from_ref(body), name, found);
            }
            ast::StmtKind::Choice(a, b) => {
                declarations(std::slice::from_ref(a), name, found);
                declarations(std::slice::from_ref(b), name, found);
            }
            _ => {}
        }
    }
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
    text: &'a [ast::Stmt],
    /// By name: variables that a formula mentions before their declaration, and where that is.
    early: FxHashMap<String, (Span, LocalId)>,
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
                let ((place, ty), mut value) = (place?, value?);
                if let Some(truth) = as_bool(&value, &ty).filter(|_| value.ty == Type::Int) {
                    self.bool_as_number(value.span);
                    value = truth;
                }
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
            let early = self.early.get(&name.text).filter(|(at, _)| *at == name.span).map(|(_, id)| *id);
            let known = self.scopes.find(&name.text);
            let is_fixed = known.is_some_and(|id| id.0 < self.formals || Some(id) == self.result);
            if let Some(first) = known.filter(|_| is_fixed || self.scopes.in_this_block(&name.text)) {
                let first = self.locals[first.index()].span;
                self.resolver.duplicate("variable", name, first);
                all = None;
                continue;
            }
            let id = early.unwrap_or_else(|| self.add_local(name, ty.clone()));
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

    fn add_local(&mut self, name: &Ident, ty: Option<Type>) -> LocalId {
        self.locals.push(Local { name: name.text.clone(), ty: ty.unwrap_or(Type::Nothing), span: name.span });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Makes those variables that a formula mentions and that are declared only later: the original moves all declarations to the
    /// top of the procedure.
    fn hoist(&mut self, formula: &ast::Formula) {
        let mut names = Vec::new();
        names_in(formula, &mut names);
        for name in names {
            let is_set = self.resolver.names[self.module.index()].spec_vars.contains_key(name);
            if is_set || self.scopes.find(name).is_some() || self.early.contains_key(name) {
                continue;
            }
            let mut found = Vec::new();
            declarations(self.text, name, &mut found);
            let Some((ty, ident)) = found.into_iter().find(|(_, ident)| ident.span.start > formula.span.start) else {
                continue;
            };
            let naming = self.naming.clone();
            let ty = self.resolver.type_of(&naming, ty);
            let id = self.add_local(ident, ty);
            self.early.insert(name.to_string(), (ident.span, id));
        }
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

    /// Over the spec variables and all variables that are in scope. What a plugin that is not ours, or nobody, reads may be of another
    /// language: then it is kept as a text.
    fn formula(&mut self, quoted: &Quoted) -> Option<Formula> {
        let name = self.resolver.program.proc(self.id).name.clone();
        let section = self.resolver.plugin_of(self.module, &name);
        let plugin = section.map(|u| Plugin::of(&u.plugin.text));
        if matches!(plugin, Some(Plugin::Flags | Plugin::Bounded)) {
            return self.set_formula(quoted);
        }
        if let Some(Plugin::Language(language)) = plugin {
            let (scopes, locals, naming) = (&self.scopes, &self.locals, self.naming.clone());
            let shape = section.map_or(&[][..], |s| &s.invariants);
            let visible = |name: &str| scopes.find(name).map(|id| (id, locals[id.index()].ty.clone()));
            let read = self.resolver.foreign_formula(language, self.module, &naming, (shape, quoted), &visible);
            if let Some(read) = read {
                return Some(Formula { kind: FormulaKind::Heap(Box::new(read)), span: quoted.span });
            }
        }
        let (known, reason) = (self.resolver.diagnostics.len(), self.resolver.unread.take());
        if let Some(formula) = self.set_formula(quoted) {
            return Some(formula);
        }
        self.resolver.diagnostics.truncate(known);
        if let Some(Plugin::Language(_)) = plugin {
            let (span, because) = super::foreign::told(reason, quoted.span);
            let message = format!("this formula is not read, and not checked{because}");
            let problem = source::Diagnostic::warning("unread-formula", span, message);
            self.resolver.diagnostics.push(problem.help("what runs do is checked without it"));
        }
        Some(Formula { kind: FormulaKind::Uninterpreted(quoted.clone()), span: quoted.span })
    }

    fn set_formula(&mut self, quoted: &Quoted) -> Option<Formula> {
        let formula = parse_formula(quoted, self.resolver.diagnostics)?;
        self.hoist(&formula);
        let early = &self.early;
        let (scopes, locals) = (&self.scopes, &self.locals);
        let (formals, result) = (self.formals, self.result);
        let visible = |name: &str| {
            let id = scopes.find(name).or_else(|| early.get(name).map(|(_, id)| *id))?;
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
            clause: None,
        };
        self.resolver.formula(&formula, &place)
    }
}
