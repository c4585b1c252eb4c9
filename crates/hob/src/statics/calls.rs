//! Calls: of the module's own procedures, of other modules' public ones, of the library's.

use super::bodies::Body;
use crate::program::{Expr, ExprKind, Intrinsic, ProcId, Type};
use crate::syntax::ast::{self, Ident};
use source::{Diagnostic, Span};

impl Body<'_, '_, '_> {
    /// A statement: a call, whose result may be dropped, or a step.
    pub(super) fn effect(&mut self, expr: &ast::Expr) -> Option<Expr> {
        match &expr.kind {
            ast::ExprKind::Call(..) => self.call(expr),
            _ => self.expr(expr),
        }
    }

    /// Its type is [`Type::Nothing`] if it has no result.
    pub(super) fn call(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let ast::ExprKind::Call(name, arguments) = &expr.kind else { return None };
        let resolved: Vec<Option<Expr>> = arguments.iter().map(|a| self.expr(a)).collect();
        let arguments: Option<Vec<Expr>> = resolved.into_iter().collect();
        let module = match &name.module {
            None => self.module,
            Some(qualifier) => match self.resolver.module_called(Some(self.module), &self.naming, &qualifier.text) {
                Some(module) => module,
                None if Intrinsic::is_module(&qualifier.text) => {
                    return self.library(qualifier, &name.name, arguments?, expr.span);
                }
                None => return self.unknown_module(qualifier),
            },
        };
        let Some(id) = self.resolver.names[module.index()].procs.get(name.name.text.as_str()).copied() else {
            let message =
                format!("module `{}` has no procedure `{}`", self.resolver.module_name(module), name.name.text);
            let known = self.resolver.names[module.index()].procs.keys().copied();
            let help = self.resolver.suggest(&name.name.text, known, "look at its specification");
            return self.fail("unknown-procedure", name.name.span, message, &help);
        };
        let proc = self.resolver.program.proc(id);
        if proc.private && module != self.module {
            let message = format!("procedure `{}` is private", self.resolver.program.proc_name(id));
            let help = "only its own module can call it: call one of its public procedures, or make it public";
            return self.fail("private-procedure", name.name.span, message, help);
        }
        self.resolver.calls[self.id.index()].push((id, expr.span));
        self.arguments(id, arguments?, expr.span)
    }

    fn arguments(&mut self, id: ProcId, arguments: Vec<Expr>, span: Span) -> Option<Expr> {
        let proc = self.resolver.program.proc(id);
        // Locals of this procedure may have been added to it; the formals come first.
        let formals: Vec<(String, Type)> =
            proc.locals.iter().take(proc.formals as usize).map(|l| (l.name.clone(), l.ty.clone())).collect();
        let declared = proc.span;
        let result = proc.result.and_then(|r| proc.locals.get(r.index())).map(|l| l.ty.clone());
        let name = self.resolver.program.proc_name(id);
        if formals.len() != arguments.len() {
            let problem = wrong_count(&name, formals.len(), arguments.len(), span);
            self.resolver.diagnostics.push(problem.related(declared, "it is declared here"));
            return None;
        }
        let mut fitted = Vec::with_capacity(arguments.len());
        for (argument, (formal, ty)) in arguments.into_iter().zip(&formals) {
            fitted.push(self.fit(argument, ty, &format!("argument `{formal}`")));
        }
        let fitted = fitted.into_iter().collect::<Option<Vec<Expr>>>()?;
        // The type of a result that is not known has been reported.
        if result == Some(Type::Nothing) {
            return None;
        }
        Some(Expr { kind: ExprKind::Call(id, fitted), ty: result.unwrap_or(Type::Nothing), span })
    }

    fn library(&mut self, module: &Ident, name: &Ident, arguments: Vec<Expr>, span: Span) -> Option<Expr> {
        let Some(intrinsic) = Intrinsic::find(&module.text, &name.text) else {
            let message = format!("`{}.{}` is not part of the library", module.text, name.text);
            let known = || Intrinsic::of_module(&module.text);
            let otherwise = match begins_alike(&name.text, known()) {
                Some(near) => format!("the nearest name is `{near}`; see the documentation"),
                None => "see the documentation".to_string(),
            };
            let help = self.resolver.suggest(&name.text, known(), &otherwise);
            return self.fail("unknown-procedure", name.span, message, &help);
        };
        let formals = intrinsic.formals();
        if formals.len() != arguments.len() {
            let name = format!("{}.{}", module.text, name.text);
            self.resolver.diagnostics.push(wrong_count(&name, formals.len(), arguments.len(), span));
            return None;
        }
        let mut fitted = Vec::with_capacity(arguments.len());
        for (k, (argument, shape)) in arguments.into_iter().zip(formals).enumerate() {
            let ty = self.resolver.shape(*shape);
            fitted.push(self.fit(argument, &ty, &format!("argument {}", k + 1)));
        }
        let fitted = fitted.into_iter().collect::<Option<Vec<Expr>>>()?;
        let ty = self.resolver.shape(intrinsic.result());
        Some(Expr { kind: ExprKind::Intrinsic(intrinsic, fitted), ty, span })
    }

    fn unknown_module<T>(&mut self, name: &Ident) -> Option<T> {
        let is_variable = self.scopes.find(&name.text).is_some()
            || self.resolver.names[self.module.index()].globals.contains_key(name.text.as_str());
        let message = format!("there is no module `{}`", name.text);
        let help = if is_variable {
            "objects have no procedures: write `M.p(x)` with the module's name".to_string()
        } else {
            let known = self.resolver.modules.keys().copied().chain(Intrinsic::modules());
            self.resolver.suggest(&name.text, known, "load the files that declare it: its specification is enough")
        };
        self.fail("unknown-module", name.span, message, &help)
    }
}

fn wrong_count(name: &str, takes: usize, has: usize, span: Span) -> Diagnostic {
    let plural = if takes == 1 { "argument" } else { "arguments" };
    let message = format!("procedure `{name}` takes {takes} {plural}, but has {has} here");
    Diagnostic::error("wrong-arguments", span, message).help("give one argument for each formal, separated by commas")
}

/// The shortest of the names that have most letters in common with this one at the beginning.
fn begins_alike<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let common = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let found = known.max_by_key(|other| (common(other), std::cmp::Reverse(other.len())));
    found.filter(|other| common(other) > 0)
}
