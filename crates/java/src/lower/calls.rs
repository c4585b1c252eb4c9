//! Method calls: which method, with which receiver, how it is dispatched; arguments and their conversions.

use super::body::{Body, Val, expr};
use super::poly::{CallResult, Poly};
use crate::resolve::hierarchy::Candidate;
use crate::resolve::overload::{Argument, Phase, Selection, formal};
use crate::resolve::*;
use crate::syntax::ast::{self, Ident, TypeRef};
use ir::{Expr, ExprKind, Intrinsic, Ty};
use source::{Diagnostic, Span};
use std::rc::Rc;

/// An argument before the method is known: what depends on its parameter waits for it.
pub enum Pending<'e> {
    Done(Val),
    Lambda(&'e ast::Expr),
    Poly(&'e ast::Expr, Rc<Poly>),
}

/// Arguments as the method takes them.
pub struct Passed {
    pub arguments: Vec<Expr>,
    /// The result type as seen.
    pub ret: Type,
    result: CallResult,
}

/// The method that is meant, how its arguments are passed, and the type parameters to infer.
pub struct Chosen {
    pub candidate: Candidate,
    pub phase: Phase,
    pub vars: Vec<VarIx>,
}

/// Where a call goes.
enum Receiver {
    /// A static method, or one found by its simple name: the object is decided when the method is known.
    Type(Type),
    Lexical(ClassIx),
    Object(Val),
    /// Exactly the superclass's (or interface's) method.
    Super(Val),
}

impl Body<'_, '_> {
    pub fn call(
        &mut self,
        target: Option<&ast::Expr>,
        type_args: &[TypeRef],
        name: &Ident,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> Val {
        self.call_result(target, type_args, name, arguments, expected, span).0
    }

    /// A call, and what decides its type.
    pub fn call_result(
        &mut self,
        target: Option<&ast::Expr>,
        type_args: &[TypeRef],
        name: &Ident,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> (Val, CallResult) {
        let is_asked = self.asked.take() == Some(span);
        let (receiver, candidates) = match self.call_receiver(target, name, span) {
            Ok(found) => found,
            Err(val) => {
                // Its arguments may have problems of their own.
                for argument in arguments.iter().filter(|a| !is_functional(a)) {
                    self.expr(argument, None);
                }
                return (val, CallResult::Declared);
            }
        };
        if let Receiver::Object(object) = &receiver
            && let Type::Array(_) = object.ty
            && arguments.is_empty()
            && &*name.name == "clone"
        {
            let ty = object.ty.clone();
            let array = self.receiver(object.clone());
            let ir_ty = array.ty;
            let copy = expr(ExprKind::Intrinsic(Intrinsic::Clone, vec![array]), ir_ty, span);
            return (Val { expr: copy, ty }, CallResult::Declared);
        }
        if let Some(val) = self.enum_statics(&receiver_class(&receiver), name, arguments, span) {
            return (val, CallResult::Declared);
        }
        let pending = self.pending(arguments);
        let Some(chosen) = self.choose(&candidates, &pending, name, span) else {
            return (self.evaluated(pending, span), CallResult::Declared);
        };
        let of = match &receiver {
            Receiver::Object(object) => Some(object.ty.clone()),
            // A default method may run on an abstraction.
            Receiver::Lexical(class) if self.low.table.class(*class).is_interface() => Some(Type::class(*class)),
            _ => None,
        };
        if let Some(of) = of
            && let Some(problem) = self.not_compared(&of, name, &chosen.candidate)
        {
            return (self.failed(problem), CallResult::Declared);
        }
        if let Some(problem) = self.kept_abstraction(&receiver, target, &chosen.candidate, name, (span, is_asked)) {
            return (self.failed(problem), CallResult::Declared);
        }
        let explicit: Vec<Type> = type_args.iter().map(|t| self.resolve(t)).collect();
        let passed = self.arguments(&chosen, pending, &explicit, expected, span);
        (self.invoke(receiver, chosen.candidate.method, passed.arguments, passed.ret, span), passed.result)
    }

    fn call_receiver(
        &mut self,
        target: Option<&ast::Expr>,
        name: &Ident,
        span: Span,
    ) -> Result<(Receiver, Vec<Candidate>), Val> {
        let Some(target) = target else { return self.lexical_receiver(name) };
        if let ast::ExprKind::Super(qualifier) = &target.kind {
            let (this, parent) = self.super_receiver(qualifier.as_deref(), span)?;
            let candidates = self.low.table.find_methods(&parent, &name.name);
            return Ok((Receiver::Super(this), candidates));
        }
        if let Some(ty) = self.as_type(target) {
            let candidates = self.low.table.find_methods(&ty, &name.name);
            if candidates.is_empty()
                && let Some(problem) = self.not_built_in(&ty, name)
            {
                return Err(self.failed(problem));
            }
            return Ok((Receiver::Type(ty), candidates));
        }
        self.asked = Some(target.span);
        let object = self.expr(target, None);
        match &object.ty {
            Type::Error => return Err(object),
            Type::Prim(_) | Type::Void | Type::Null => {
                let message = format!("a `{}` has no methods", self.low.table.type_name(&object.ty));
                return Err(self.failed(Diagnostic::error("type-mismatch", target.span, message)));
            }
            _ => {}
        }
        let candidates = self.low.table.find_methods(&object.ty, &name.name);
        if candidates.is_empty()
            && let Some(problem) = self.not_built_in(&object.ty, name)
        {
            return Err(self.failed(problem));
        }
        if candidates.is_empty() {
            return Err(self.unknown_method(&object.ty, name));
        }
        Ok((Receiver::Object(object), candidates))
    }

    /// The innermost class around that has a method of the name; else a static import.
    fn lexical_receiver(&mut self, name: &Ident) -> Result<(Receiver, Vec<Candidate>), Val> {
        let mut class = Some(self.lexical_class());
        while let Some(c) = class {
            let is_lambda = self.low.table.class(c).local.as_ref().is_some_and(|l| l.is_lambda);
            if !is_lambda {
                let ty = self.low.table.self_type(c);
                let mut candidates = self.low.table.find_methods(&ty, &name.name);
                candidates.retain(|found| !self.is_added_to(found, name.span));
                let is_implicit = self.low.table.class(c).is_enum() && matches!(&*name.name, "values" | "valueOf");
                if !candidates.is_empty() || is_implicit {
                    return Ok((Receiver::Lexical(c), candidates));
                }
            }
            class = self.low.table.class(c).outer;
        }
        let imported = self.static_import(&name.name, |table, ty| {
            let found = table.find_methods(ty, &name.name);
            if found.is_empty() { None } else { Some((ty.clone(), found)) }
        });
        match imported {
            Some((ty, candidates)) => Ok((Receiver::Type(ty), candidates)),
            None => {
                let ty = self.low.table.self_type(self.lexical_class());
                Err(self.unknown_method(&ty, name))
            }
        }
    }

    /// A method that a specification adds to a class whose own code stands here: that means one of a class around.
    fn is_added_to(&self, found: &Candidate, span: Span) -> bool {
        let method = self.low.table.method(found.method);
        let table = &self.low.table;
        let is_added = table.spec_files.contains(&method.name_span.file) && !table.models.contains(&method.name_span);
        is_added && span.file == table.class(method.class).decl.name.span.file && span.file != method.name_span.file
    }

    /// `super`, `Interface.super` or `Outer.super`: the object, and the type to look in.
    fn super_receiver(&mut self, qualifier: Option<&ast::Expr>, span: Span) -> Result<(Val, Type), Val> {
        let this = self.this_value(span);
        let Some(qualifier) = qualifier else {
            let parent = self.superclass_type(&this.ty);
            return Ok((this, parent));
        };
        let Some(Type::Class(c, _)) = self.as_type(qualifier) else {
            return Err(self.failed(Diagnostic::error(
                "unknown-type",
                qualifier.span,
                "this is not the name of a type",
            )));
        };
        if self.low.table.class(c).is_interface() {
            let parent = self.low.table.as_super(&this.ty, c).unwrap_or(Type::class(c));
            return Ok((this, parent));
        }
        match self.outer_instance(c, span) {
            Ok(object) => {
                let ty = self.low.table.self_type(c);
                let parent = self.superclass_type(&ty);
                Ok((Val { expr: object, ty }, parent))
            }
            Err(()) => Err(self.failed(Diagnostic::error("unknown-name", span, "no such object encloses this place"))),
        }
    }

    /// A member of a class that is built in, which is none of ours but one of the JDK's: it is not unknown.
    pub fn not_built_in(&mut self, ty: &Type, name: &Ident) -> Option<Diagnostic> {
        let mut todo = self.low.table.bounds(ty);
        // What every enum has is declared nowhere.
        todo.retain(|ty| !matches!(ty, Type::Class(c, _) if self.low.table.class(*c).is_enum()));
        while let Some(ty) = todo.pop() {
            if let Type::Class(c, _) = ty
                && self.low.table.is_in_jdk(c, &name.name)
            {
                let class = &self.low.table.class(c).name;
                let message = format!("`{class}.{}` is not supported", name.name);
                let help = format!("`{class}` is built in, without this member: write what it does here yourself");
                return Some(Diagnostic::error("unsupported", name.span, message).help(help));
            }
            todo.extend(self.low.table.supertypes(&ty));
        }
        None
    }

    pub fn unknown_method(&mut self, ty: &Type, name: &Ident) -> Val {
        let mut names = Vec::new();
        let mut todo = self.low.table.bounds(ty);
        while let Some(ty) = todo.pop() {
            if let Type::Class(c, _) = &ty {
                let members = self.low.table.members(*c);
                let methods = members.methods.iter().map(|m| self.low.table.method(*m));
                names.extend(methods.filter(|m| !m.is_constructor).map(|m| m.name.clone()));
            }
            todo.extend(self.low.table.supertypes(&ty));
        }
        let erased = self.low.table.erasure(ty);
        let owner = self.low.table.type_name(&erased);
        let mut d = Diagnostic::error("unknown-method", name.span, format!("`{owner}` has no method `{}`", name.name));
        d.help = self.stands_for(ty).or_else(|| did_you_mean(&name.name, names.iter().map(|n| &**n)));
        self.failed(d)
    }

    /// A call that goes to an abstraction, though the module was not compared with it wherever the call may be.
    pub fn not_compared(&mut self, ty: &Type, name: &Ident, called: &Candidate) -> Option<Diagnostic> {
        let code = self.lexical_class();
        let table = &mut self.low.table;
        let bounds = table.bounds(ty);
        let classes = bounds.iter().filter_map(|b| if let Type::Class(class, _) = b { Some(*class) } else { None });
        let modules: Vec<ClassIx> = classes.flat_map(|class| table.places_of(class, code)).collect();
        modules.into_iter().find_map(|module| crate::check::not_compared(table, module, name, called))
    }

    /// `map.abstraction()` where the abstraction has the place of the map: that is the map itself, and no copy of its state. Only a
    /// specification, or a question at once, cannot tell.
    fn kept_abstraction(
        &mut self,
        receiver: &Receiver,
        target: Option<&ast::Expr>,
        called: &Candidate,
        name: &Ident,
        (span, is_asked): (Span, bool),
    ) -> Option<Diagnostic> {
        if self.declarative || self.low.table.replaced.is_empty() {
            return None;
        }
        let Receiver::Object(object) = receiver else { return None };
        if target.is_some_and(|t| self.is_abstraction == Some(t.span)) && !self.low.is_declarative(called.method) {
            let message = format!("`{}` may change the object whose abstraction this is, which is replaced", name.name);
            let help = "ask an abstraction only by declarative methods";
            return Some(Diagnostic::error("replaced-class", name.span, message).help(help));
        }
        let Type::Class(class, _) = object.ty else { return None };
        let code = self.lexical_class();
        let table = &mut self.low.table;
        let is_function = table.places_of(class, code).into_iter().any(|module| {
            let own = table.self_type(module);
            let found = table.find_methods(&own, &name.name);
            let is_one =
                |c: &Candidate| table.method(c.method).decl.as_ref().is_some_and(|d| d.modifiers.has("Abstraction"));
            found.iter().any(is_one)
        });
        if !is_function || !called.params.is_empty() {
            return None;
        }
        self.is_abstraction = Some(span);
        if is_asked {
            return None;
        }
        let message =
            format!("`{}` is the object itself where its class is replaced, and no copy of its state", name.name);
        let help = format!("ask at once, as `map.{}().size()`, or in a declarative method", name.name);
        Some(Diagnostic::error("replaced-class", name.span, message).help(help))
    }

    /// What to say where an abstraction has the place of a class and lacks something.
    pub fn stands_for(&self, ty: &Type) -> Option<String> {
        match ty {
            Type::Class(class, _) => self.low.table.stands_for(*class),
            _ => None,
        }
    }

    /// Lowers the arguments that need no target type.
    pub fn pending<'e>(&mut self, arguments: &'e [ast::Expr]) -> Vec<Pending<'e>> {
        arguments.iter().map(|a| self.pending_argument(a)).collect()
    }

    fn pending_argument<'e>(&mut self, e: &'e ast::Expr) -> Pending<'e> {
        match &e.kind {
            ast::ExprKind::Lambda(_) | ast::ExprKind::MethodRef(..) => return Pending::Lambda(e),
            ast::ExprKind::Switch(_) => return Pending::Poly(e, self.poly(e)),
            ast::ExprKind::Conditional(..) => {
                let poly = self.poly(e);
                if !self.is_settled(&poly) {
                    return Pending::Poly(e, poly);
                }
            }
            ast::ExprKind::Call { target, type_args, name, arguments } => {
                let problems = self.low.table.diagnostics.len();
                let (val, result) = self.call_result(target.as_deref(), type_args, name, arguments, None, e.span);
                let CallResult::Open(ty) = result else { return Pending::Done(val) };
                // It comes again, with what is expected of it: only then the parameters of its lambdas have their types.
                self.low.table.diagnostics.truncate(problems);
                return Pending::Poly(e, Rc::new(Poly::open(ty)));
            }
            _ => {}
        }
        Pending::Done(self.expr(e, None))
    }

    /// Where no method was found: what is not supported in the arguments is still reached.
    pub fn evaluated(&mut self, pending: Vec<Pending>, span: Span) -> Val {
        let mut done = Vec::new();
        for pending in pending {
            let val = match pending {
                Pending::Done(val) => val,
                Pending::Poly(e, _) => self.expr(e, None),
                Pending::Lambda(_) => continue,
            };
            done.push(super::body::stmt(ir::StmtKind::Expr(val.expr), span));
        }
        let nothing = expr(ExprKind::Null, Ty::Null, span);
        Val { expr: super::body::sequence(done, nothing), ty: Type::Error }
    }

    /// Picks the overload, or says why there is none.
    pub fn choose(
        &mut self,
        candidates: &[Candidate],
        pending: &[Pending],
        name: &Ident,
        span: Span,
    ) -> Option<Chosen> {
        let from = self.low.table.outermost(self.class);
        let is_made = self.low.table.made_files.contains(&name.span.file);
        let visible: Vec<Candidate> = candidates
            .iter()
            .filter(|c| {
                let m = self.low.table.method(c.method);
                is_made || !m.is_private || self.low.table.outermost(m.class) == from
            })
            .cloned()
            .collect();
        // What a lambda returns matters only where there is a choice.
        let choices = visible.iter().filter(|c| c.params.len() == pending.len()).count();
        let arguments: Vec<Argument> = pending
            .iter()
            .map(|p| match p {
                Pending::Lambda(e) if choices > 1 => self.typed_function(e),
                _ => argument(p),
            })
            .collect();
        match self.low.table.select(&visible, &arguments) {
            Selection::Found(candidate, phase) => {
                let vars = self.low.table.method(candidate.method).type_params.clone();
                Some(Chosen { candidate, phase, vars })
            }
            // What is not supported in an argument is reported where it stands.
            Selection::Ambiguous(..) if self.is_any_unknown(pending) => None,
            Selection::Ambiguous(a, b) => {
                let (a, b) = (self.low.table.method(a.method).name_span, self.low.table.method(b.method).name_span);
                let d = Diagnostic::error(
                    "ambiguous-call",
                    span,
                    format!("more than one `{}` fits these arguments", name.name),
                );
                self.error(d.related(a, "this one").related(b, "and this one").help("cast an argument"));
                None
            }
            Selection::None => {
                self.no_overload(&visible, pending, name);
                None
            }
        }
    }

    fn is_any_unknown(&mut self, pending: &[Pending]) -> bool {
        pending.iter().any(|p| match p {
            Pending::Done(val) => val.ty.is_error(),
            Pending::Poly(_, poly) => self.standalone(poly).0.is_error(),
            Pending::Lambda(_) => false,
        })
    }

    fn no_overload(&mut self, candidates: &[Candidate], pending: &[Pending], name: &Ident) {
        let mut given = Vec::new();
        for p in pending {
            given.push(match p {
                Pending::Done(val) if val.ty.is_error() => return,
                Pending::Done(val) => self.low.table.type_name(&val.ty),
                Pending::Lambda(_) => "a lambda".to_string(),
                Pending::Poly(_, poly) => {
                    let (ty, _) = self.standalone(poly);
                    if ty.is_error() {
                        return;
                    }
                    self.low.table.type_name(&ty)
                }
            });
        }
        let given = if given.is_empty() { "no arguments".to_string() } else { format!("({})", given.join(", ")) };
        // The JDK may have more of the name than is built in.
        if let Some(first) = candidates.first() {
            let class = self.low.table.method(first.method).class;
            if self.low.table.declared_in_jdk(class, &name.name) > candidates.len() {
                let class = &self.low.table.class(class).name;
                let message = format!("`{class}.{}` of {given} is not supported", name.name);
                let help = format!("`{class}` is built in, without this member: write what it does here yourself");
                return self.error(Diagnostic::error("unsupported", name.span, message).help(help));
            }
        }
        let d = match candidates {
            [] => Diagnostic::error("unknown-method", name.span, format!("there is no method `{}` here", name.name)),
            [only] => {
                let takes: Vec<String> = only.params.iter().map(|p| self.low.table.type_name(p)).collect();
                let message = format!("`{}` takes ({}), but is given {given}", name.name, takes.join(", "));
                let at = self.low.table.method(only.method).name_span;
                Diagnostic::error("unknown-method", name.span, message).related(at, "declared here")
            }
            _ => Diagnostic::error("unknown-method", name.span, format!("no `{}` takes {given}", name.name)),
        };
        self.error(d);
    }

    /// Infers type arguments, lowers what waited, converts everything.
    pub fn arguments(
        &mut self,
        chosen: &Chosen,
        pending: Vec<Pending>,
        explicit: &[Type],
        expected: Option<&Type>,
        span: Span,
    ) -> Passed {
        let Chosen { candidate: chosen, phase, vars } = chosen;
        let phase = *phase;
        let mut map = Substitution::default();
        if explicit.len() == vars.len() {
            map = Substitution::new(vars, explicit);
        } else if !vars.is_empty() {
            for (i, p) in pending.iter().enumerate() {
                let formal = formal(&chosen.params, i, phase);
                let given = match p {
                    Pending::Done(val) => vec![Argument::Typed(val.ty.clone())],
                    Pending::Poly(_, poly) => poly.arguments(),
                    Pending::Lambda(_) => Vec::new(),
                };
                for argument in given {
                    if let Argument::Typed(ty) = argument {
                        self.low.table.unify(&formal, &ty, vars, &mut map);
                    }
                }
            }
            let waits = pending.iter().any(|p| !matches!(p, Pending::Done(_)));
            // A primitive type decides only what is left in the end.
            if let Some(expected) = expected
                && waits
                && expected.is_reference()
            {
                self.low.table.unify_result(&chosen.ret, expected, vars, &mut map);
            }
        }
        let mut lowered = Vec::new();
        // Declarative code calls only what is declarative: so is what it is given to call.
        let around = self.declarative;
        self.declarative |= self.low.is_declarative(chosen.method);
        for (i, p) in pending.into_iter().enumerate() {
            let param = formal(&chosen.params, i, phase);
            lowered.push(match p {
                Pending::Done(val) => val,
                Pending::Lambda(e) => self.functional(e, &param, vars, &mut map),
                Pending::Poly(e, _) => {
                    self.learn_from_arms(e, &param, vars, &mut map);
                    let mut decided = map.clone();
                    if let Some(expected) = expected {
                        self.low.table.unify_result(&chosen.ret, expected, vars, &mut decided);
                    }
                    self.low.table.close(vars, &mut decided);
                    let param = param.substitute(&decided);
                    let param = self.low.table.lower(&param);
                    self.expr(e, Some(&param))
                }
            });
        }
        self.declarative = around;
        let open: Vec<VarIx> = vars.iter().copied().filter(|v| map.get(*v).is_none()).collect();
        let result = match &chosen.ret {
            ret if ret.mentions(&open) => CallResult::Open(ret.clone()),
            Type::Var(v) if vars.contains(v) => CallResult::Inferred,
            _ => CallResult::Declared,
        };
        if let Some(expected) = expected {
            self.low.table.unify_result(&chosen.ret, expected, vars, &mut map);
        }
        self.low.table.close(vars, &mut map);
        let mut converted = Vec::new();
        for (i, val) in lowered.into_iter().enumerate() {
            let param = formal(&chosen.params, i, phase).substitute(&map);
            // Erasure decides what the callee takes; the static type only matters for boxing.
            let e = self.invoke_to(val, &param);
            let declared = formal(&self.low.table.method(chosen.method).params.clone(), i, phase);
            converted.push(self.coerce(e, &declared));
        }
        if phase == Phase::Varargs {
            let fixed = chosen.params.len().saturating_sub(1);
            let rest = converted.split_off(fixed.min(converted.len()));
            let declared = self.low.table.method(chosen.method).params.last().cloned().unwrap_or(Type::Error);
            let ty = self.low.ir_type(&declared);
            converted.push(expr(ExprKind::ArrayLiteral(rest), ty, span));
        }
        let ret = chosen.ret.substitute(&map);
        Passed { arguments: converted, ret: self.low.table.upper(&ret), result }
    }

    /// A lambda or method reference as an argument; it may decide type arguments that are still open.
    pub fn functional(&mut self, e: &ast::Expr, param: &Type, vars: &[VarIx], map: &mut Substitution) -> Val {
        let open: Vec<VarIx> = vars.iter().copied().filter(|v| map.get(*v).is_none()).collect();
        let target = param.substitute(map);
        match &e.kind {
            ast::ExprKind::Lambda(lambda) => self.lambda(lambda, &target, &open, map, e.span),
            ast::ExprKind::MethodRef(to, name) => self.method_ref(to, name.as_ref(), &target, &open, map, e.span),
            _ => self.expr(e, Some(&target)),
        }
    }

    fn invoke(&mut self, receiver: Receiver, method: MethodIx, mut arguments: Vec<Expr>, ret: Type, span: Span) -> Val {
        let info = self.low.table.method(method).clone();
        if let Some(val) = self.intrinsic(method, &receiver_val(&receiver), &arguments, span) {
            return val;
        }
        let ir_ret = self.low.ir_type(&info.ret);
        if info.is_static {
            let effects = match receiver {
                // `object.staticMethod()`: the object is evaluated and forgotten.
                Receiver::Object(val) if !matches!(val.expr.kind, ExprKind::Local(_)) => {
                    vec![super::body::stmt(ir::StmtKind::Expr(val.expr), span)]
                }
                _ => Vec::new(),
            };
            self.low.static_initialiser(info.class);
            let id = self.low.method_id(method);
            let call = expr(ExprKind::Call(id, arguments), ir_ret, span);
            return Val { expr: super::body::sequence(effects, call), ty: ret };
        }
        let (object, exact) = match receiver {
            Receiver::Object(val) => (self.receiver(val), false),
            Receiver::Super(val) => (val.expr, true),
            Receiver::Lexical(class) => match self.outer_instance(class, span) {
                Ok(object) => (object, false),
                Err(()) => return self.no_object(&info, span),
            },
            Receiver::Type(_) => return self.no_object(&info, span),
        };
        // Of a type variable with several bounds only the first survives erasure.
        let object = self.coerce(object, &Type::class(info.class));
        arguments.insert(0, object);
        if exact && info.is_abstract {
            let message = format!("`{}` is abstract and cannot be called through `super`", info.name);
            return self.failed(Diagnostic::error("unknown-method", span, message));
        }
        let is_final = info.is_final || info.is_private || self.low.table.class(info.class).is_final();
        let kind = if exact || (is_final && !info.is_abstract) {
            ExprKind::Call(self.low.method_id(method), arguments)
        } else {
            ExprKind::CallVirtual(self.low.virtual_call(method), arguments)
        };
        Val { expr: expr(kind, ir_ret, span), ty: ret }
    }

    fn no_object(&mut self, info: &MethodInfo, span: Span) -> Val {
        let message = format!("`{}` needs an object, but there is none in this static context", info.name);
        self.failed(Diagnostic::error("unknown-method", span, message).related(info.name_span, "declared here"))
    }

    /// A call of a method without arguments on an object at hand: `iterator()`, `next()`.
    pub fn call_simple(&mut self, object: Val, name: &str, span: Span) -> Val {
        self.call_with(object, name, None, span)
    }

    /// The same of a method that takes an `int`, if there is one.
    pub fn call_with(&mut self, object: Val, name: &str, number: Option<Expr>, span: Span) -> Val {
        let candidates = self.low.table.find_methods(&object.ty, name);
        let wanted: &[Type] = if number.is_some() { &[INT] } else { &[] };
        let Some(chosen) = candidates.into_iter().find(|c| c.params == *wanted) else {
            let ident = Ident { name: name.into(), span };
            return self.unknown_method(&object.ty, &ident);
        };
        let ret = self.low.table.upper(&chosen.ret);
        self.invoke(Receiver::Object(object), chosen.method, number.into_iter().collect(), ret, span)
    }
}

fn receiver_class(receiver: &Receiver) -> Option<Type> {
    match receiver {
        Receiver::Type(ty) => Some(ty.clone()),
        Receiver::Lexical(class) => Some(Type::class(*class)),
        _ => None,
    }
}

fn receiver_val(receiver: &Receiver) -> Option<Val> {
    match receiver {
        Receiver::Object(val) | Receiver::Super(val) => Some(val.clone()),
        _ => None,
    }
}

pub fn is_functional(e: &ast::Expr) -> bool {
    matches!(e.kind, ast::ExprKind::Lambda(_) | ast::ExprKind::MethodRef(..))
}

fn argument(pending: &Pending) -> Argument {
    match pending {
        Pending::Done(val) => Argument::Typed(val.ty.clone()),
        Pending::Lambda(e) => functional_argument(e),
        Pending::Poly(_, poly) => Argument::Each(poly.arguments()),
    }
}

/// What is known of a lambda or method reference before its type is.
pub fn functional_argument(e: &ast::Expr) -> Argument {
    let ast::ExprKind::Lambda(lambda) = &e.kind else { return Argument::MethodRef(None) };
    let value = match &lambda.body {
        ast::LambdaBody::Block(block) => Some(super::lambda::returns_value(block)),
        // An expression that could be a statement fits both kinds.
        ast::LambdaBody::Expr(e) => match e.kind {
            ast::ExprKind::Call { .. } | ast::ExprKind::Assign(..) | ast::ExprKind::Update { .. } => None,
            ast::ExprKind::New { .. } => None,
            _ => Some(true),
        },
    };
    Argument::Lambda { arity: lambda.params.len(), value, results: None }
}
