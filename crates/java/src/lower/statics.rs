//! Static initialisers: one method per class that has any, and the order to run them in.
//!
//! Java runs them at the first use of a class; here all run before an operation (docs/java.md, "Static fields"), but for those of the
//! inputs where that makes a difference.

use super::body::{Body, expr, stmt};
use super::{Lowering, Work};
use crate::resolve::*;
use crate::syntax::ast::Member;
use ir::interp::{Linked, Stop, failing_initialiser};
use ir::{ClassId, ExprKind, FieldId, MethodId, Program, StmtKind, Ty};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Span};

/// In an initialiser that runs late, the first statement after what says that it has begun.
const AFTER_MARK: usize = 2;

impl Lowering<'_> {
    /// Notes that a class is used in a way that initialises it.
    pub fn static_initialiser(&mut self, class: ClassIx) {
        if self.statics.contains_key(&class) {
            return;
        }
        self.statics.insert(class, None);
        if let Some(Type::Class(parent, _)) = self.table.header(class).superclass {
            self.static_initialiser(parent);
        }
        self.work.push(Work::Statics(class));
    }

    pub(super) fn fill_statics(&mut self, class: ClassIx) {
        let decl = self.table.class(class).decl.clone();
        let span = decl.name.span;
        let types = self.table.scope_of(class);
        let members = self.table.members(class);
        let is_library = self.is_library(class);
        let mut body = Body::new(self, class, false, types);
        let mut out = Vec::new();
        for (i, constant) in decl.constants.iter().enumerate() {
            let (mark, mut own) = (body.low.table.diagnostics.len(), Vec::new());
            body.enum_constant(class, i, constant.span, &mut own);
            match body.low.library_problem(is_library, mark) {
                Some(_) => body.low.initialised.extend(members.fields.get(i).map(|f| (*f, false))),
                None => out.extend(unit(own)),
            }
        }
        for member in &decl.members {
            match member {
                Member::Field(field) if field.modifiers.is_static => {
                    let Some(init) = &field.init else { continue };
                    let found = members.fields.iter().find(|f| body.low.table.field(**f).name == field.name.name);
                    let Some(&fx) = found else { continue };
                    if body.low.constant(fx).is_none() && body.low.is_initialised(fx) {
                        let mut own = Vec::new();
                        body.initialise_field(fx, init, field.span, &mut own);
                        out.extend(unit(own));
                    }
                }
                Member::Initialiser { is_static: true, body: block } => {
                    let (mark, mut own) = (body.low.table.diagnostics.len(), Vec::new());
                    body.block_stmt(block, &mut own);
                    // What it would have set up is missing: only library code is taken so, see `is_initialised`.
                    if body.low.library_problem(is_library, mark).is_none() {
                        out.extend(unit(own));
                    }
                }
                _ => {}
            }
        }
        if out.is_empty() {
            return;
        }
        let locals = std::mem::take(&mut body.locals);
        self.add_static_initialiser(class, locals, out, span);
    }

    pub(super) fn add_static_initialiser(
        &mut self,
        class: ClassIx,
        locals: Vec<ir::Local>,
        body: ir::Block,
        span: Span,
    ) {
        let id = self.class_id(class);
        let selector = self.selector_of(name("<clinit>"), Vec::new());
        let method = self.add_synthetic(ir::Method {
            name: "<clinit>".into(),
            class: id,
            selector,
            is_static: true,
            is_constructor: false,
            is_declarative: false,
            is_implicit: false,
            return_ty: Ty::Void,
            parameters: Vec::new(),
            locals,
            body: Some(body),
            span,
            name_span: span,
        });
        self.statics.insert(class, Some(method));
    }

    /// Whether the initialiser of a static field could be lowered. In library code one that cannot is left out, and
    /// every use of the field is unsupported.
    pub fn is_initialised(&mut self, fx: FieldIx) -> bool {
        if let Some(&known) = self.initialised.get(&fx) {
            return known;
        }
        self.initialised.insert(fx, true);
        let info = self.table.field(fx).clone();
        let FieldOrigin::Declared(decl) = &info.origin else { return true };
        if !self.is_library(info.class) {
            return true;
        }
        let mut fine = info.problems.is_empty();
        if let (Some(init), true) = (&decl.init, fine) {
            let types = self.table.scope_of(info.class);
            let mark = self.table.diagnostics.len();
            let mut out = Vec::new();
            Body::new(self, info.class, false, types).initialise_field(fx, init, decl.span, &mut out);
            fine = self.library_problem(true, mark).is_none();
            ir::walk::block(&out, &mut |e| fine &= !matches!(e.kind, ExprKind::Unsupported(_)));
        }
        self.initialised.insert(fx, fine);
        fine
    }

    /// The classes to check come first, as they do in a run; then as the text has them.
    pub(super) fn order_statics(&mut self, checked: &[ir::Checked]) {
        let is_used_first =
            |low: &Self, class: ClassId| checked.iter().any(|c| low.program.is_subclass(c.class, class));
        let mut initialisers: Vec<(ClassIx, MethodId)> =
            self.statics.iter().filter_map(|(class, method)| Some((*class, (*method)?))).collect();
        initialisers.sort_by_key(|(class, _)| (!is_used_first(self, self.class_ids[class]), *class));
        self.program.static_initialisers = initialisers.iter().map(|(_, method)| *method).collect();
        let is_open = |(class, _): &&(ClassIx, MethodId)| {
            self.table.class(*class).is_input() && !is_used_first(self, self.class_ids[class])
        };
        let open: Vec<(ClassIx, MethodId)> = initialisers.iter().filter(is_open).copied().collect();
        let mut late: Vec<(ClassId, MethodId)> = Vec::new();
        for (class, method) in open {
            let Some(problem) = self.depends_on_first_use(class, method) else { continue };
            match self.is_used_late(self.class_ids[&class]) {
                true => late.push((self.class_ids[&class], method)),
                false => self.error(problem),
            }
        }
        late.iter().for_each(|(class, method)| self.initialise_late(*class, *method));
        // A superclass first.
        for (class, method) in &late {
            let mut above = self.program.class(*class).superclass;
            while let Some(superclass) = above {
                above = self.program.class(superclass).superclass;
                let Some((_, first)) = late.iter().find(|(c, _)| *c == superclass) else { continue };
                let span = self.program.method(*method).name_span;
                let run = stmt(StmtKind::Expr(expr(ExprKind::Call(*first, Vec::new()), Ty::Void, span)), span);
                if let Some(body) = &mut self.program.methods[method.index()].body {
                    body.insert(AFTER_MARK, run);
                }
            }
        }
    }

    /// Java runs an initialiser when its class is first used. One of the library that does what is not supported (threads, class loaders)
    /// does not matter to a run that never uses the class: it is left out, and what would have it run is unsupported.
    pub(super) fn leave_out_initialisers(&mut self) {
        let is_of_library = |m: &MethodId| self.is_library(self.class_ix(self.program.method(*m).class));
        if !self.program.static_initialisers.iter().any(is_of_library) {
            return;
        }
        while let Some((class, stop)) = failing_initialiser(&Linked::new(&self.program), 1) {
            let program = &self.program;
            // Those below a class need it; a class does not need its interfaces (JLS 12.4.1).
            let is_class = program.class(class).kind != ir::ClassKind::Interface;
            let is_below = |c: &ClassId| *c == class || is_class && program.is_subclass(*c, class);
            let below: Vec<ClassId> = (0..program.classes.len() as u32).map(ClassId).filter(is_below).collect();
            // What is in states was initialised before.
            let is_left_out = |c: &ClassId| {
                let ix = self.class_ix(*c);
                self.is_library(ix) && !self.table.class(ix).is_specified && !self.is_in_states(*c)
            };
            let Stop::Unsupported(problem) = stop else { return };
            if !below.iter().all(is_left_out) {
                match self.leave_out_statement(class, &problem) {
                    true => continue,
                    false => return,
                }
            }
            if !self.is_whole_known(class) || !self.leave_out_statement(class, &problem) {
                below.into_iter().for_each(|c| self.leave_out_class(c, &problem));
            }
        }
    }

    /// Whether all that an initialiser may do can be told: no method that it may call is one that could not be read.
    fn is_whole_known(&self, class: ClassId) -> bool {
        let is_own = |m: &&MethodId| self.program.method(**m).class == class;
        let Some(&initialiser) = self.program.static_initialisers.iter().find(is_own) else { return false };
        let body = self.program.method(initialiser).body.as_deref().unwrap_or_default();
        let mut is_known = true;
        self.each_reached(body, &mut |e| {
            if let ExprKind::Call(callee, _) | ExprKind::New(_, callee, _) = e.kind {
                let body = self.program.method(callee).body.as_deref();
                let stops =
                    |s: &ir::Stmt| matches!(&s.kind, StmtKind::Expr(e) if matches!(e.kind, ExprKind::Unsupported(_)));
                is_known &= !body.is_some_and(|b| b.len() == 1 && stops(&b[0]));
            }
        });
        is_known
    }

    /// In a class of the library that is part of states, the field or the block whose initialiser is not supported: as if it could not be lowered.
    fn leave_out_statement(&mut self, class: ClassId, problem: &Diagnostic) -> bool {
        let is_own = |m: &&MethodId| self.program.method(**m).class == class;
        let Some(&initialiser) = self.program.static_initialisers.iter().find(is_own) else { return false };
        let whole = self.program.methods[initialiser.index()].body.clone().unwrap_or_default();
        if !self.is_library(self.class_ix(class)) {
            return false;
        }
        // The first statement after which it fails.
        for end in 1..=whole.len() {
            self.program.methods[initialiser.index()].body = Some(whole[..end].to_vec());
            let fails = failing_initialiser(&Linked::new(&self.program), 1).is_some_and(|(c, _)| c == class);
            if fails {
                // What it sets, or changes where a static field leads, is missing.
                let mut missing = FxHashSet::default();
                self.each_reached(&whole[end - 1..end], &mut |e| match e.kind {
                    ExprKind::SetStatic(f, _) => drop(missing.insert(f)),
                    ExprKind::Static(f) if e.ty.is_reference() => drop(missing.insert(f)),
                    _ => {}
                });
                let rest = whole[..end - 1].iter().chain(&whole[end..]).cloned().collect();
                self.program.methods[initialiser.index()].body = Some(rest);
                self.leave_out_uses(|e| matches!(e, ExprKind::Static(f) if missing.contains(f)), problem);
                return true;
            }
        }
        self.program.methods[initialiser.index()].body = Some(whole);
        false
    }

    /// Whether a field or parameter of start states is of this very enum: its initialiser makes the constants that are there. Of other classes of
    /// the library no start state has an object.
    fn is_in_states(&self, class: ClassId) -> bool {
        let program = &self.program;
        if program.class(class).kind != ir::ClassKind::Enum {
            return false;
        }
        let is_of = |ty: Ty| ty == Ty::Class(class);
        let is_part = |c: ClassId| {
            let ix = self.class_ix(c);
            !self.is_library(ix) || self.table.class(ix).is_specified
        };
        program.fields.iter().any(|f| !f.is_static && is_of(f.ty) && is_part(f.class))
            || self.operations.iter().any(|m| program.method(*m).parameters.iter().any(|p| is_of(p.ty)))
    }

    /// Static methods, constructors and static fields are what a first use of a class is.
    fn leave_out_class(&mut self, class: ClassId, problem: &Diagnostic) {
        let Program { static_initialisers, methods, .. } = &mut self.program;
        static_initialisers.retain(|m| methods[m.index()].class != class);
        for method in methods.iter_mut().filter(|m| m.class == class && (m.is_static || m.is_constructor)) {
            let stop = expr(ExprKind::Unsupported(Box::new(problem.clone())), Ty::Void, method.span);
            method.body = method.body.is_some().then(|| vec![stmt(StmtKind::Expr(stop), method.span)]);
        }
        let of: Vec<ClassId> = self.program.fields.iter().map(|f| f.class).collect();
        self.leave_out_uses(
            |e| matches!(e, ExprKind::Static(f) | ExprKind::SetStatic(f, _) if of[f.index()] == class),
            problem,
        );
    }

    /// Reads and writes of static fields.
    fn leave_out_uses(&mut self, is_left_out: impl Fn(&ExprKind) -> bool, problem: &Diagnostic) {
        for body in self.program.methods.iter_mut().filter_map(|m| m.body.as_mut()) {
            ir::walk::rewrite(body, &mut |e| {
                if is_left_out(&e.kind) {
                    *e = expr(ExprKind::Unsupported(Box::new(problem.clone())), e.ty, e.span);
                }
            });
        }
    }

    /// Java runs an initialiser at the first use of its class, which may be in the middle of an operation. What it does then may be
    /// something else than before if it writes a static field of another class, or reads one that is written elsewhere or
    /// leads to objects.
    fn depends_on_first_use(&self, class: ClassIx, initialiser: MethodId) -> Option<Diagnostic> {
        let of = self.class_ids[&class];
        let is_written = |field: FieldId| {
            let mut found = false;
            let methods = self.program.methods.iter().enumerate();
            let others =
                methods.filter(|(i, m)| m.class != self.program.field(field).class || !self.is_initialiser(*i));
            for body in others.filter_map(|(_, m)| m.body.as_ref()) {
                ir::walk::block(body, &mut |e| found |= matches!(e.kind, ExprKind::SetStatic(f, _) if f == field));
            }
            found
        };
        let mut told: Option<(Span, &str, FieldId)> = None;
        let body = self.program.method(initialiser).body.as_deref().unwrap_or_default();
        self.each_reached(body, &mut |e| match &e.kind {
            ExprKind::SetStatic(f, _) if self.program.field(*f).class != of => {
                told = told.or(Some((e.span, "changes", *f)));
            }
            ExprKind::Static(f)
                if self.program.field(*f).class != of && (is_written(*f) || self.leads_to_objects(*f)) =>
            {
                told = told.or(Some((e.span, "reads", *f)));
            }
            _ => {}
        });
        let (span, what, field) = told?;
        let (field, class) = (self.program.field(field), &self.program.class(of).name);
        let owner = &self.program.class(field.class).name;
        let message = format!("the static initialiser of `{class}` {what} `{owner}.{}`", field.name);
        let d = Diagnostic::error("unsupported", span, message + ": what it does depends on when it runs")
            .related(self.program.method(initialiser).name_span, "runs when this class is first used")
            .help(format!("initialise `{class}` from constants, or in a constructor"));
        Some(d)
    }

    /// Whether a static field of the inputs may hold what operations change.
    fn leads_to_objects(&self, field: FieldId) -> bool {
        let field = self.program.field(field);
        let is_value = |ty: Ty| match ty {
            Ty::Class(c) => {
                c == self.program.known.string
                    || matches!(self.program.class(c).kind, ir::ClassKind::Box | ir::ClassKind::Enum)
            }
            ty => !ty.is_reference(),
        };
        self.program.class(field.class).is_input && !is_value(field.ty)
    }

    /// Whether an operation may be the first to use a class: no start state has objects of it, and no declarative code, which changes
    /// nothing, has it initialised.
    fn is_used_late(&self, class: ClassId) -> bool {
        let program = &self.program;
        let may_hold = |mut ty: Ty| {
            while let Ty::Array(array) = ty {
                ty = program.element_ty(array);
            }
            matches!(ty, Ty::Class(c) if program.is_subclass(class, c) || program.is_subclass(c, class))
        };
        let is_part = |c: ClassId| program.class(c).is_input;
        let is_held = program.fields.iter().any(|f| !f.is_static && may_hold(f.ty) && is_part(f.class))
            || self.operations.iter().any(|m| program.method(*m).parameters.iter().any(|p| may_hold(p.ty)));
        let mut is_asked = false;
        for method in program.methods.iter().filter(|m| m.is_declarative && m.class != class) {
            ir::walk::block(method.body.as_deref().unwrap_or_default(), &mut |e| is_asked |= self.uses(e, class));
        }
        !is_held && !is_asked
    }

    /// What has a class initialised (JLS 12.4.1).
    fn uses(&self, e: &ir::Expr, class: ClassId) -> bool {
        let program = &self.program;
        match &e.kind {
            ExprKind::Static(f) | ExprKind::SetStatic(f, _) => program.field(*f).class == class,
            ExprKind::Call(m, _) => program.method(*m).is_static && program.method(*m).class == class,
            ExprKind::New(c, ..) => program.is_subclass(*c, class),
            _ => false,
        }
    }

    /// Takes an initialiser out of those that run before: it runs at the first use, which is marked by a static field of its own.
    fn initialise_late(&mut self, class: ClassId, initialiser: MethodId) {
        let span = self.program.method(initialiser).name_span;
        let used = FieldId(self.program.fields.len() as u32);
        self.program.fields.push(ir::Field {
            name: ir::USED.to_string(),
            class,
            ty: Ty::Bool,
            is_static: true,
            is_final: false,
            enum_constant: false,
            is_synthetic: true,
            bound: ir::Bound::default(),
            span,
        });
        self.program.static_initialisers.retain(|m| *m != initialiser);
        let run = |ty| expr(ExprKind::Call(initialiser, Vec::new()), ty, span);
        let run_stmt = || stmt(StmtKind::Expr(run(Ty::Void)), span);
        for index in 0..self.program.methods.len() {
            let Some(mut body) = self.program.methods[index].body.take() else { continue };
            let mut locals = std::mem::take(&mut self.program.methods[index].locals);
            ir::walk::rewrite_inside_out(&mut body, &mut |e| {
                if !self.uses(e, class) {
                    return;
                }
                match &mut e.kind {
                    // A static method sees to it itself, after its arguments.
                    ExprKind::Call(..) => {}
                    ExprKind::SetStatic(_, value) => {
                        let local = ir::LocalId(locals.len() as u32);
                        locals.push(ir::Local { name: "value".into(), ty: value.ty });
                        let (ty, span) = (value.ty, value.span);
                        let read = expr(ExprKind::Local(local), ty, span);
                        let given = std::mem::replace(&mut **value, read.clone());
                        let keep = expr(ExprKind::SetLocal(local, Box::new(given)), ty, span);
                        **value = super::body::sequence(vec![stmt(StmtKind::Expr(keep), span), run_stmt()], read);
                    }
                    _ => {
                        let used = e.clone();
                        *e = super::body::sequence(vec![run_stmt()], used);
                    }
                }
            });
            let method = &self.program.methods[index];
            if MethodId(index as u32) == initialiser {
                let mark = ExprKind::SetStatic(used, Box::new(expr(ExprKind::Bool(true), Ty::Bool, span)));
                let is_used = expr(ExprKind::Static(used), Ty::Bool, span);
                let local = ir::LocalId(locals.len() as u32);
                let throwable = self.program.known.throwable;
                locals.push(ir::Local { name: "e".into(), ty: Ty::Class(throwable) });
                let what = "an exception of a static initialiser in the middle of an operation";
                let d = super::unsupported(span, what, "catch it in the initialiser");
                let stop = expr(ExprKind::Unsupported(Box::new(d)), Ty::Void, span);
                let stop = vec![stmt(StmtKind::Expr(stop), span)];
                let catch = ir::Catch { classes: vec![throwable], local, body: stop };
                body = vec![
                    stmt(
                        StmtKind::If {
                            condition: is_used,
                            then: vec![stmt(StmtKind::Return(None), span)],
                            otherwise: Vec::new(),
                        },
                        span,
                    ),
                    stmt(StmtKind::Expr(expr(mark, Ty::Bool, span)), span),
                    stmt(StmtKind::Try { body, catches: vec![catch], finally: Vec::new() }, span),
                ];
            } else if method.class == class && method.is_static {
                body.insert(0, run_stmt());
            }
            let method = &mut self.program.methods[index];
            method.body = Some(body);
            method.locals = locals;
        }
    }

    /// The expressions of some code, and of all that it may call.
    fn each_reached(&self, code: &[ir::Stmt], visit: &mut impl FnMut(&ir::Expr)) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![code];
        while let Some(code) = todo.pop() {
            let mut called: Vec<MethodId> = Vec::new();
            ir::walk::block(code, &mut |e| {
                visit(e);
                match &e.kind {
                    ExprKind::Call(callee, _) | ExprKind::New(_, callee, _) => called.push(*callee),
                    ExprKind::CallVirtual(selector, _) => {
                        called.extend(self.program.classes.iter().filter_map(|c| c.dispatch.get(selector)));
                    }
                    _ => {}
                }
            });
            let new = called.into_iter().filter(|m| seen.insert(*m));
            todo.extend(new.filter_map(|m| self.program.method(m).body.as_deref()));
        }
    }

    fn is_initialiser(&self, method: usize) -> bool {
        self.program.static_initialisers.contains(&MethodId(method as u32))
    }
}

/// What one member of a class has run, as one statement at most: it is there, or left out, with its local variables.
fn unit(mut block: ir::Block) -> Option<ir::Stmt> {
    match block.len() {
        0 | 1 => block.pop(),
        _ => {
            let span = block[0].span;
            Some(stmt(StmtKind::Block(block), span))
        }
    }
}

impl Body<'_, '_> {
    /// `NAME = new E("NAME", ordinal, arguments…)`, of a class of its own if it has a body.
    fn enum_constant(&mut self, class: ClassIx, index: usize, span: Span, out: &mut Vec<ir::Stmt>) {
        let decl = self.low.table.class(class).decl.clone();
        let constant = &decl.constants[index];
        let ty = Type::class(class);
        let pending = self.pending(&constant.arguments);
        let candidates = self.low.table.constructors(&ty);
        let Some(chosen) = self.choose(&candidates, &pending, &constant.name, span) else { return };
        let arguments = self.arguments(&chosen, pending, &[], None, span).arguments;
        let mut constructor = chosen.candidate.method;
        let mut of = class;
        if let Some(body) = &constant.body {
            of = self.declare_local(body.clone(), name(""));
            let header = Header { superclass: Some(ty.clone()), ..Header::default() };
            self.low.table.set_header(of, header);
            let params = self.low.table.method(constructor).params.clone();
            let own = self.low.table.implicit_constructor(of, params);
            self.low.table.add_member_method(of, own);
            self.low.super_constructors.insert(own, constructor);
            constructor = own;
        }
        let mut all = vec![self.string(&constant.name.name, span).expr];
        all.push(expr(ExprKind::Int(index as i64), Ty::Int, span));
        all.extend(arguments);
        let object = self.new_object(of, constructor, all, ty, span);
        let members = self.low.table.members(class);
        let field = members.fields.get(index).copied().and_then(|f| self.low.field_id(f));
        if let Some(field) = field {
            let ty = self.low.program.field(field).ty;
            let set = expr(ExprKind::SetStatic(field, Box::new(object.expr)), ty, span);
            out.push(stmt(StmtKind::Expr(set), span));
        }
    }
}
