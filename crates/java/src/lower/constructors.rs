//! Bodies of methods and constructors. A constructor first stores what it was given besides its parameters, then calls
//! another one, then runs the field initialisers and initialiser blocks in textual order (JLS 12.5).

use super::Lowering;
use super::body::{Body, Returns, expr, stmt};
use crate::resolve::*;
use crate::syntax::ast::{self, Ident, Member};
use ir::{Expr, ExprKind, LocalId, Stmt, StmtKind, Ty};
use source::{Diagnostic, Span};

impl Lowering<'_> {
    pub(super) fn fill_method(&mut self, mx: MethodIx) {
        let id = self.method_ids[&mx];
        let info = self.table.method(mx).clone();
        if info.is_abstract {
            return;
        }
        let span = info.span;
        if info.decl.as_ref().is_some_and(|d| d.modifiers.is_native || (d.body.is_none() && !info.is_abstract)) {
            let body = self.native_body(mx, span);
            self.program.methods[id.index()].body = Some(body);
            return;
        }
        let types = self.table.method_scope(mx);
        let problems = self.table.diagnostics.len();
        let locals = std::mem::take(&mut self.program.methods[id.index()].locals);
        let declarative = self.program.methods[id.index()].is_declarative;
        let hidden = if info.is_constructor { self.hidden_params(info.class) } else { Vec::new() };
        if self.program.method(id).parameters.len() != hidden.len() + info.params.len() {
            // Its class extends itself or the like: that was reported.
            return;
        }
        let is_library = self.is_library_method(mx);
        let mut body = Body::new(self, info.class, !info.is_static, types);
        body.is_library = is_library;
        body.locals = locals;
        body.declarative = declarative;
        body.returns = Returns::Type(info.ret.clone());
        let first = u32::from(!info.is_static) + hidden.len() as u32;
        let mut out = Vec::new();
        if let Some(decl) = &info.decl {
            for (i, (param, ty)) in decl.params.iter().zip(&info.params).enumerate() {
                body.declare_param(param.name.name.clone(), LocalId(first + i as u32), ty.clone());
            }
            let statements = decl.body.as_deref().unwrap_or(&[]);
            if info.is_constructor {
                body.constructor(mx, &hidden, statements, span, &mut out);
            } else {
                body.block(statements, &mut out);
            }
        } else {
            body.constructor(mx, &hidden, &[], span, &mut out);
        }
        let locals = std::mem::take(&mut body.locals);
        let method = &mut self.program.methods[id.index()];
        method.locals = locals;
        method.body = Some(out);
        if self.is_library_method(mx) {
            // Types that are not known make the method unusable as well.
            self.table.diagnostics.extend(info.problems.first().cloned());
        }
        let problem = match is_library {
            true => self.library_problem(true, problems),
            // What is declarative is a formula as a whole, also for runs that do not get to what is not supported.
            false if declarative => None,
            false => self.unsupported_problem(problems),
        };
        if let Some(problem) = problem {
            let method = &mut self.program.methods[id.index()];
            let stop = expr(ExprKind::Unsupported(problem), Ty::Void, span);
            method.body = Some(vec![stmt(StmtKind::Expr(stop), span)]);
        }
        if self.table.diagnostics.len() == problems {
            self.check_return(id);
        }
    }

    /// A method of the library that is too far away: an error if a run gets there.
    pub(super) fn leave_out(&mut self, mx: MethodIx) {
        let info = self.table.method(mx).clone();
        if info.is_abstract {
            return;
        }
        let class = &self.table.class(info.class).name;
        let message = format!(
            "library code that is not supported: `{class}.{}`, which is further away from the operations than {} other methods of the library: so many are read for all operations of a run",
            info.name,
            super::MOST_OF_LIBRARY
        );
        let help = "check this operation by itself (`--method`), so that others take no part of the limit, or put a `@Model` in a specification of a class on the way";
        let problem = Box::new(Diagnostic::error("unsupported", info.span, message).help(help));
        let stop = expr(ExprKind::Unsupported(problem), Ty::Void, info.span);
        let id = self.method_ids[&mx];
        self.program.methods[id.index()].body = Some(vec![stmt(StmtKind::Expr(stop), info.span)]);
    }

    /// A method with a result must not run off its end.
    pub(super) fn check_return(&mut self, id: ir::MethodId) {
        let method = self.program.method(id);
        let runs_off = method.body.as_ref().is_some_and(|b| ir::wellformed::completion::may_complete(b));
        if method.return_ty != Ty::Void && runs_off {
            let message = format!("`{}` may end without returning a value", method.name);
            let d = Diagnostic::error("missing-return", method.name_span, message);
            self.error(d);
        }
    }
}

impl Body<'_, '_> {
    pub fn declare_param(&mut self, name: ast::Name, local: LocalId, ty: Type) {
        self.vars.push(super::body::Var { name, local, ty, constant: None, pattern: None, in_scope: true });
    }

    fn constructor(
        &mut self,
        mx: MethodIx,
        hidden: &[(ast::Name, Type)],
        statements: &[ast::Stmt],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let class = self.class;
        self.store_hidden(hidden, span, out);
        let (explicit, rest) = match statements.split_first() {
            Some((ast::Stmt { kind: ast::StmtKind::ConstructorCall { is_super, outer, arguments }, span }, rest)) => {
                (Some((*is_super, outer.as_ref(), arguments.as_slice(), *span)), rest)
            }
            _ => (None, statements),
        };
        let delegates = matches!(explicit, Some((false, ..)));
        match explicit {
            Some((false, _, arguments, span)) => {
                let ty = self.low.table.self_type(class);
                let hidden: Vec<Expr> = self.hidden_locals(hidden, span);
                self.constructor_call(&ty, hidden, arguments, span, out);
            }
            Some((true, outer, arguments, span)) => self.super_call(outer, arguments, hidden, span, out),
            None => match self.low.super_constructors.get(&mx).copied() {
                Some(parent) => self.pass_to_super(parent, hidden, span, out),
                None => self.super_call(None, &[], hidden, span, out),
            },
        }
        if !delegates {
            self.initialisers(out);
        }
        let mark = self.vars.len();
        for s in rest {
            self.stmt(s, out);
        }
        self.vars.truncate(mark);
    }

    fn hidden_locals(&mut self, hidden: &[(ast::Name, Type)], span: Span) -> Vec<Expr> {
        let locals = (1..=hidden.len() as u32).map(LocalId);
        locals.map(|l| expr(ExprKind::Local(l), self.locals[l.index()].ty, span)).collect()
    }

    /// Outer instance and captured variables go into their fields before anything else runs.
    fn store_hidden(&mut self, hidden: &[(ast::Name, Type)], span: Span, out: &mut Vec<Stmt>) {
        let fields = self.low.hidden_fields(self.class);
        let skipped = hidden.len() - fields.len().min(hidden.len());
        let values = self.hidden_locals(hidden, span);
        for (field, value) in fields.into_iter().zip(values.into_iter().skip(skipped)) {
            let Some(id) = self.low.field_id(field) else { continue };
            let this = self.this_expr(span);
            let ty = value.ty;
            let set = expr(ExprKind::SetField(Box::new(this), id, Box::new(value)), ty, span);
            out.push(stmt(StmtKind::Expr(set), span));
        }
    }

    /// The name and ordinal of an enum constant are passed up.
    fn enum_hidden(&mut self, hidden: &[(ast::Name, Type)], span: Span) -> Vec<Expr> {
        let count = hidden.iter().filter(|(n, _)| &**n == "$name" || &**n == "$ordinal").count();
        self.hidden_locals(&hidden[..count], span)
    }

    fn super_call(
        &mut self,
        outer: Option<&ast::Expr>,
        arguments: &[ast::Expr],
        hidden: &[(ast::Name, Type)],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let this = self.low.table.self_type(self.class);
        let Some(Type::Class(parent, args)) = self.low.table.supertypes(&this).into_iter().next() else { return };
        if self.low.table.class(self.class).is_interface() {
            return;
        }
        let object = self.low.program.known.object;
        if parent == self.low.class_ix(object) {
            return;
        }
        let parent_type = Type::Class(parent, args);
        let mut up = self.enum_hidden(hidden, span);
        if !self.low.is_enum_class(self.class) {
            let outer = outer.map(|o| self.required_outer(o).1);
            // `this` itself cannot be the outer instance of its own superclass part.
            let from = self.low.table.class(self.class).outer.unwrap_or(self.class);
            match self.hidden_arguments(parent, outer, from, span) {
                Ok(more) => up.extend(more),
                Err(_) => return,
            }
        }
        self.constructor_call(&parent_type, up, arguments, span, out);
    }

    fn constructor_call(
        &mut self,
        ty: &Type,
        mut hidden: Vec<Expr>,
        arguments: &[ast::Expr],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let Type::Class(class, _) = ty else { return };
        let is_root_enum = self.low.table.class(*class).name == "Enum";
        let pending = self.pending(arguments);
        let candidates = self.low.table.constructors(ty);
        if is_root_enum {
            // `Enum` declares its two parameters; they are hidden only below it.
            if let Some(c) = candidates.first() {
                let constructor = self.low.method_id(c.method);
                self.emit_constructor(constructor, hidden, span, out);
            }
            return;
        }
        let name = Ident { name: self.low.table.class(*class).name.as_str().into(), span };
        let Some(chosen) = self.choose(&candidates, &pending, &name, span) else {
            out.push(stmt(StmtKind::Expr(self.evaluated(pending, span).expr), span));
            return;
        };
        let passed = self.arguments(&chosen, pending, &[], None, span);
        hidden.extend(passed.arguments);
        let constructor = self.low.method_id(chosen.candidate.method);
        self.emit_constructor(constructor, hidden, span, out);
    }

    fn emit_constructor(
        &mut self,
        constructor: ir::MethodId,
        mut arguments: Vec<Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        arguments.insert(0, self.this_expr(span));
        out.push(stmt(StmtKind::Expr(expr(ExprKind::Call(constructor, arguments), Ty::Void, span)), span));
    }

    /// An anonymous class hands its parameters to its superclass.
    fn pass_to_super(&mut self, parent: MethodIx, hidden: &[(ast::Name, Type)], span: Span, out: &mut Vec<Stmt>) {
        let info = self.low.table.method(parent).clone();
        if self.low.class_id(info.class) == self.low.program.known.object {
            return;
        }
        let mut arguments = self.enum_hidden(hidden, span);
        if arguments.is_empty() {
            let from = self.low.table.class(self.class).outer.unwrap_or(self.class);
            match self.hidden_arguments(info.class, None, from, span) {
                Ok(more) => arguments.extend(more),
                Err(_) => return,
            }
        }
        let first = 1 + hidden.len();
        for i in 0..info.params.len() {
            let local = LocalId((first + i) as u32);
            arguments.push(expr(ExprKind::Local(local), self.locals[local.index()].ty, span));
        }
        let constructor = self.low.method_id(parent);
        self.emit_constructor(constructor, arguments, span, out);
    }

    /// Field initialisers and initialiser blocks. They see the class's members, not the constructor's parameters.
    fn initialisers(&mut self, out: &mut Vec<Stmt>) {
        let vars = std::mem::take(&mut self.vars);
        let type_vars = std::mem::take(&mut self.types.type_vars);
        let decl = self.low.table.class(self.class).decl.clone();
        let members = self.low.table.members(self.class);
        for member in &decl.members {
            match member {
                Member::Field(field) if !field.modifiers.is_static => {
                    let Some(init) = &field.init else { continue };
                    let found = members.fields.iter().find(|f| self.low.table.field(**f).name == field.name.name);
                    if let Some(&fx) = found {
                        self.initialise_field(fx, init, field.span, out);
                    }
                }
                Member::Initialiser { is_static: false, body } => self.block_stmt(body, out),
                _ => {}
            }
        }
        self.vars = vars;
        self.types.type_vars = type_vars;
    }

    /// `field = init`, of this object or static.
    pub fn initialise_field(&mut self, fx: FieldIx, init: &ast::Expr, span: Span, out: &mut Vec<Stmt>) {
        let info = self.low.table.field(fx).clone();
        let value = self.expr(init, Some(&info.ty));
        let value = self.assign_to(value, &info.ty);
        let Some(id) = self.low.field_id(fx) else {
            if !super::body::is_literal(&value) {
                out.push(stmt(StmtKind::Expr(value), span));
            }
            return;
        };
        let ty = self.low.program.field(id).ty;
        let owner = if info.is_static { self.static_owner(fx, span) } else { Some(self.this_expr(span)) };
        let set = match owner {
            Some(owner) => ExprKind::SetField(Box::new(owner), id, Box::new(value)),
            None => ExprKind::SetStatic(id, Box::new(value)),
        };
        out.push(stmt(StmtKind::Expr(expr(set, ty, span)), span));
    }

    /// `this(…)` or `super(…)` anywhere but first.
    pub fn misplaced_constructor_call(&mut self, span: Span) {
        let message = "`this(…)` and `super(…)` may only come first in a constructor";
        self.error(Diagnostic::error("syntax-error", span, message));
    }
}
