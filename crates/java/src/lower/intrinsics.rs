//! Methods that the IR knows itself, and those whose class is never looked into.

use super::Lowering;
use super::body::{Body, Val, expr, stmt};
use crate::resolve::*;
use crate::syntax::ast::{self, Ident};
use ir::{ExprKind, Intrinsic, Stmt, StmtKind, Ty};
use rustc_hash::FxHashSet;
use source::Span;

impl Body<'_, '_> {
    pub fn intrinsic(
        &mut self,
        method: MethodIx,
        receiver: &Option<Val>,
        arguments: &[ir::Expr],
        span: Span,
    ) -> Option<Val> {
        let info = &self.low.table.method(method).clone();
        let class = self.low.table.class(info.class);
        if class.unit.origin != Origin::Prelude {
            return None;
        }
        let call = |intrinsic, ty: Type, ir_ty| {
            Some(Val { expr: expr(ExprKind::Intrinsic(intrinsic, arguments.to_vec()), ir_ty, span), ty })
        };
        match (class.name.as_str(), &*info.name) {
            ("GlassBox", "assume") => {
                let condition = arguments.first()?.clone();
                let block = vec![stmt(StmtKind::Assume(condition), span)];
                let done = expr(ExprKind::Bool(true), Ty::Bool, span);
                Some(Val { expr: super::body::sequence(block, done), ty: Type::Void })
            }
            ("GlassBox", "size") => call(Intrinsic::Size, INT, Ty::Int),
            ("GlassBox", "isSameObject") => call(Intrinsic::IsSameObject, BOOL, Ty::Bool),
            ("GlassBox", "surely") => call(Intrinsic::Surely, BOOL, Ty::Bool),
            ("Math", "ceil" | "floor") => Some(self.rounded(&*info.name == "ceil", arguments.first()?.clone(), span)),
            ("System", "identityHashCode") => call(Intrinsic::IdentityHash, INT, Ty::Int),
            ("System", "arraycopy") => call(Intrinsic::ArrayCopy, Type::Void, Ty::Void),
            ("Object", "getClass") => Some(self.class_of(receiver.clone(), span)),
            ("Object", "equals" | "hashCode") => self.array_method(info, receiver.as_ref()?, span),
            (class, name) if info.decl.as_ref().is_some_and(|d| d.modifiers.is_native) && !has_body(class, name) => {
                let what = format!("`{class}.{name}`");
                let ty = info.ret.clone();
                let help = self.low.way_round(info.class);
                let (is_string, is_stream) = (class == "String", class == "PrintStream");
                let is_format = matches!(name, "format" | "formatted" | "printf") && (is_string || is_stream);
                let built = is_format.then(|| self.formatted(info, receiver, arguments, span)).flatten();
                let otherwise = built.unwrap_or_else(|| self.unsupported(span, &what, help, ty));
                if !is_string {
                    // Of null it is an exception.
                    let mut before = Vec::new();
                    if let (Some(object), []) = (receiver, arguments) {
                        let object = self.receiver(object.clone());
                        self.require(object, &mut before);
                    }
                    return Some(Val { expr: super::body::sequence(before, otherwise.expr), ty: otherwise.ty });
                }
                let texts = if is_format { self.with_texts(arguments) } else { arguments.to_vec() };
                Some(self.where_shown(method, receiver, &texts, otherwise))
            }
            _ => None,
        }
    }

    /// What a method of `String` gives in runs that show a state; unsupported in all others.
    fn where_shown(&mut self, method: MethodIx, receiver: &Option<Val>, given: &[ir::Expr], otherwise: Val) -> Val {
        let Val { expr: otherwise, ty } = otherwise;
        let (span, ir_ty) = (otherwise.span, otherwise.ty);
        let mut arguments: Vec<ir::Expr> = receiver.iter().map(|object| object.expr.clone()).collect();
        arguments.extend_from_slice(given);
        let call = expr(ExprKind::Call(self.low.method_id(method), arguments), ir_ty, span);
        let is_shown = expr(ExprKind::Intrinsic(Intrinsic::ShowsTexts, Vec::new()), Ty::Bool, span);
        let either = ExprKind::Conditional(Box::new(is_shown), Box::new(call), Box::new(otherwise));
        Val { expr: expr(either, ir_ty, span), ty }
    }

    /// Arrays have the methods of `Object`, but no class with a dispatch table.
    fn array_method(&mut self, info: &MethodInfo, receiver: &Val, span: Span) -> Option<Val> {
        let Type::Array(_) = receiver.ty else { return None };
        let what = format!("`{}` of an array", info.name);
        let ty = info.ret.clone();
        Some(self.unsupported(span, &what, "compare arrays with `==`, or element by element", ty))
    }

    /// `values()` and `valueOf` of an enum, which no source declares.
    pub fn enum_statics(
        &mut self,
        class: &Option<Type>,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Val> {
        let Some(Type::Class(c, _)) = class else { return None };
        if !self.low.table.class(*c).is_enum() {
            return None;
        }
        match (&*name.name, arguments.len()) {
            ("values", 0) => Some(self.enum_values(*c, span)),
            ("valueOf", 1) => Some(self.enum_value_of(*c, &arguments[0], span)),
            _ => None,
        }
    }

    /// `Enum.valueOf(C.class, name)`.
    fn enum_value_of(&mut self, class: ClassIx, name: &ast::Expr, span: Span) -> Val {
        self.low.static_initialiser(class);
        let (ty, string) = (Type::class(class), self.low.table.known_type("java.lang.String"));
        let name = self.expr(name, Some(&string));
        let name = self.assign_to(name, &string);
        let of_enum = self.low.table.known("java.lang.Enum");
        let members = self.low.table.members(of_enum);
        let is_it = |m: &&MethodIx| &*self.low.table.method(**m).name == "valueOf";
        let found = members.methods.iter().find(is_it).copied();
        let ir_ty = self.low.ir_type(&ty);
        let object = self.low.class_object(ir_ty);
        let (Some(found), Some(object)) = (found, object) else {
            return self.unsupported(span, "`valueOf` of an enum here", "look for the constant in `values()`", ty);
        };
        let method = self.low.method_id(found);
        let class_ty = self.low.table.known_type(super::class_objects::CLASS);
        let class_object = expr(ExprKind::Static(object), self.low.ir_type(&class_ty), span);
        let erased = self.low.program.method(method).return_ty;
        let call = expr(ExprKind::Call(method, vec![class_object, name]), erased, span);
        Val { expr: expr(ExprKind::Cast(Box::new(call), ir_ty), ir_ty, span), ty }
    }

    /// A new array of the constants each time, as Java's copy is.
    fn enum_values(&mut self, class: ClassIx, span: Span) -> Val {
        let ty = Type::array(Type::class(class));
        Val { expr: self.low.enum_array(class, span), ty }
    }
}

/// Native methods that [`Lowering::native_body`] knows.
fn has_body(class: &str, method: &str) -> bool {
    matches!((class, method), ("Object" | "String", "hashCode") | ("String", "differs"))
        || matches!((class, method), ("Object", "isCloneable" | "copy"))
        || super::by_class::is_by_class(class, method)
        || matches!((class, method), (_, "toString") | ("String", "valueOf"))
}

impl Lowering<'_> {
    pub(super) fn enum_array(&mut self, class: ClassIx, span: Span) -> ir::Expr {
        self.static_initialiser(class);
        let ir_ty = self.ir_type(&Type::array(Type::class(class)));
        let element = Ty::Class(self.class_id(class));
        let members = self.table.members(class);
        let constants =
            members.fields.iter().filter(|f| matches!(self.table.field(**f).origin, FieldOrigin::EnumConstant));
        let constants: Vec<FieldIx> = constants.copied().collect();
        let constants = constants.into_iter().filter_map(|f| self.field_id(f));
        let constants: Vec<ir::Expr> = constants.map(|f| expr(ExprKind::Static(f), element, span)).collect();
        expr(ExprKind::ArrayLiteral(constants), ir_ty, span)
    }

    /// What to do about a native method of a class.
    fn way_round(&self, class: ClassIx) -> &'static str {
        match self.is_library(class) {
            _ if *self.table.class(class).name == *"String" => {
                "what is in a string is not known: compare it with constants (`equals`, `isEmpty`), or keep a number, an enum or an array of `char`"
            }
            true => "leave out what leads there, or write its body as a `@Model` in a specification of its class",
            false => {
                "leave it out, or write it in Java; of code that is not yours, a `@Model` in a specification takes the place of a method"
            }
        }
    }

    /// The body of a `native` method of the prelude.
    pub fn native_body(&mut self, method: MethodIx, span: Span) -> ir::Block {
        let info = self.table.method(method).clone();
        let class = self.table.class(info.class).name.clone();
        let local = |i: u32, ty| expr(ExprKind::Local(ir::LocalId(i)), ty, span);
        let this = Ty::Class(self.class_id(info.class));
        let value = match (class.as_str(), &*info.name) {
            // Of a string, for now: see `finish_strings`.
            ("Object" | "String", "hashCode") => {
                expr(ExprKind::Intrinsic(Intrinsic::IdentityHash, vec![local(0, this)]), Ty::Int, span)
            }
            // The part of `String.equals` for two different objects: see `finish_strings`.
            ("String", "differs") => expr(ExprKind::Bool(true), Ty::Bool, span),
            // Of objects, exceptions, boxes, and static ones of numbers.
            (_, "toString") | ("String", "valueOf") => {
                let string = Ty::Class(self.program.known.string);
                let of = info.params.first().map_or(this, |p| self.ir_type(p));
                expr(ExprKind::Concat(vec![local(0, of)]), string, span)
            }
            ("Object", "copy") => expr(ExprKind::Intrinsic(Intrinsic::Clone, vec![local(0, this)]), this, span),
            ("Object", "isCloneable") => {
                let cloneable = self.table.known("java.lang.Cloneable");
                let cloneable = Ty::Class(self.class_id(cloneable));
                expr(ExprKind::InstanceOf(Box::new(local(0, this)), cloneable), Ty::Bool, span)
            }
            // The JDK's classes announce their native methods with it.
            (_, "registerNatives") => return Vec::new(),
            _ => {
                let what = format!("`{class}.{}`", info.name);
                let ty = self.ir_type(&info.ret);
                let d = super::unsupported(span, &what, self.way_round(info.class));
                expr(ExprKind::Unsupported(Box::new(d)), ty, span)
            }
        };
        if info.ret == Type::Void {
            return vec![stmt(StmtKind::Expr(value), span)];
        }
        vec![stmt(StmtKind::Return(Some(value)), span)]
    }

    /// String constants are interned, so two different ones differ; a string built at run time may equal another. If
    /// such strings can reach a comparison, the comparison is not supported; nor is their hash code. The strings of a
    /// state have contents that nobody knows: their hash code is any number.
    ///
    /// Only what operations run is looked at, and initialisers: no start state holds a string that is built elsewhere.
    pub fn finish_strings(&mut self, checked: &[ir::Checked]) {
        let roots = checked.iter().flat_map(|c| c.operations.iter().flat_map(move |o| ir::reach::roots(c, o)));
        let roots = roots.chain(self.program.static_initialisers.iter().copied()).collect();
        let run = ir::reach::methods_run(&self.program, roots);
        let (program, throwable) = (&self.program, self.program.known.throwable);
        let messages_escape = program.methods.iter().any(|m| m.class == throwable && m.name == "getMessage");
        // Constructors of exceptions keep what they are given to themselves, unless messages are asked for.
        let is_kept = |m: ir::MethodId| {
            let method = program.method(m);
            !messages_escape && method.is_constructor && program.is_subclass(method.class, throwable)
        };
        let is_print_stream = |ty: Ty| matches!(ty, Ty::Class(c) if program.class(c).is_built_in && program.class(c).name == "PrintStream");
        let (mut built, mut kept) = (Vec::new(), FxHashSet::default());
        let mut keep = |args: &[ir::Expr]| {
            // Where states are not shown.
            let built = |a: &ir::Expr| match &a.kind {
                ExprKind::Conditional(_, _, otherwise) => matches!(otherwise.kind, ExprKind::Concat(_)),
                kind => matches!(kind, ExprKind::Concat(_)),
            };
            kept.extend(args.iter().filter(|a| built(a)).map(|a| a.span));
        };
        for body in (0u32..)
            .zip(&program.methods)
            .filter_map(|(m, method)| method.body.as_ref().filter(|_| run.contains(&ir::MethodId(m))))
        {
            ir::walk::nodes(body, &mut |node| {
                match node {
                    ir::walk::Node::Expr(e) => match &e.kind {
                        ExprKind::Concat(_) => built.push(e.span),
                        ExprKind::New(_, m, args) | ExprKind::Call(m, args) if is_kept(*m) => keep(args),
                        // Printed to nowhere.
                        ExprKind::CallVirtual(_, args) | ExprKind::Call(_, args)
                            if args.first().is_some_and(|a| is_print_stream(a.ty)) =>
                        {
                            keep(args);
                        }
                        _ => {}
                    },
                    ir::walk::Node::Stmt(Stmt { kind: StmtKind::Expr(e), .. }) => keep(std::slice::from_ref(e)),
                    ir::walk::Node::Stmt(_) => {}
                }
                true
            });
        }
        let loose = built.into_iter().find(|span| !kept.contains(span));
        let (object, string) = (self.program.known.object, self.program.known.string);
        let Some(&text) = self.program.class(string).fields.first() else { return };
        let constants: Vec<i64> = self.program.constants().iter().map(|s| hash(s)).collect();
        for method in &mut self.program.methods {
            if method.class != string || !matches!(method.name.as_str(), "differs" | "hashCode") {
                continue;
            }
            let Some([Stmt { kind: StmtKind::Return(Some(value)), span }]) = method.body.as_deref_mut() else {
                continue;
            };
            let span = *span;
            let this = expr(ExprKind::Local(ir::LocalId(0)), Ty::Class(string), span);
            if let Some(built) = loose {
                let what = match method.name.as_str() {
                    "differs" => "comparing strings while",
                    _ => "the hash code of a string while",
                };
                let what = format!("{what} some are built at run time, as here,");
                let d = super::unsupported(built, &what, "use string constants, numbers or an enum");
                value.kind = ExprKind::Unsupported(Box::new(d));
            } else if method.name == "differs" && self.program.identity.strings {
                // Only then is there a string that equals another.
                let other = expr(ExprKind::Local(ir::LocalId(1)), Ty::Class(object), span);
                let other = expr(ExprKind::Cast(Box::new(other), Ty::Class(string)), Ty::Class(string), span);
                let of = |e| Box::new(expr(ExprKind::Field(Box::new(e), text), Ty::Int, span));
                value.kind = ExprKind::Compare(ir::CompareOp::Ne, of(this), of(other));
            } else if method.name == "hashCode" {
                // Of the strings that no constant equals, one has a copy.
                const ANY: i64 = 77;
                let copied = self.program.identity.strings.then_some((ir::space::COPIED_TEXT, ANY));
                let constants = constants.iter().enumerate().map(|(i, &hash)| (ir::interp::text_of(i), hash));
                for (constant, hash) in constants.chain(copied) {
                    let text = expr(ExprKind::Field(Box::new(this.clone()), text), Ty::Int, span);
                    let constant = expr(ExprKind::Int(constant), Ty::Int, span);
                    let is_it =
                        expr(ExprKind::Compare(ir::CompareOp::Eq, Box::new(text), Box::new(constant)), Ty::Bool, span);
                    let hash = expr(ExprKind::Int(hash), Ty::Int, span);
                    let otherwise = std::mem::replace(value, hash.clone());
                    *value = super::fold::conditional(is_it, hash, otherwise, span);
                }
            }
        }
    }
}

/// `String.hashCode`, as the library promises it.
fn hash(text: &str) -> i64 {
    text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into())).into()
}
