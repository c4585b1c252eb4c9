//! Conditional and `switch` expressions, as far as their type depends on where they stand (JLS 15.25, 15.28.1, in the
//! reading of `javac`). Where a type is expected, each result expression is converted to it by itself, unless the whole
//! is of a primitive type or a box anyway: then, and where nothing is expected, it has a type of its own.
//!
//! To find out, the result expressions are lowered once only for their types, and again when it is decided.

use super::body::{Body, JumpKind, Returns, Val};
use super::calls::functional_argument;
use super::prim_ty;
use super::switch::has_patterns;
use crate::resolve::overload::Argument;
use crate::resolve::*;
use crate::syntax::ast::{self, ArmBody, Prim, Switch};
use ir::{ExprKind, LocalId};
use std::rc::Rc;

/// The result expressions of an expression, by how they are nested.
#[derive(Debug)]
pub enum Poly {
    One(Leaf),
    /// With the value of its condition, if that is a constant.
    Conditional(Option<bool>, Rc<Poly>, Rc<Poly>),
    Switch(Vec<Rc<Poly>>),
    /// An arm that names a variable of a pattern in the condition: `javac` asks for its type before that is known.
    Early(Rc<Poly>),
}

/// One result expression, without regard to where it stands.
#[derive(Debug)]
pub struct Leaf {
    pub argument: Argument,
    constant: Option<i64>,
    /// Of a primitive type or a box. What a generic method gives is not, whatever stands for its type parameter.
    is_settled: bool,
}

/// A static type, and the value of a constant expression of an integral type.
pub type Typed = (Type, Option<i64>);

pub fn typed(val: &Val) -> Typed {
    let constant = match (&val.expr.kind, &val.ty) {
        (ExprKind::Int(v), Type::Prim(p)) if !matches!(p, Prim::Float | Prim::Double) => Some(*v),
        _ => None,
    };
    (val.ty.clone(), constant)
}

impl Body<'_, '_> {
    /// The result expressions of any expression. Nothing of the lowering remains, and problems are reported the second time.
    pub fn poly(&mut self, e: &ast::Expr) -> Rc<Poly> {
        if let Some(known) = self.polys.get(&e.span) {
            return known.clone();
        }
        let poly = Rc::new(self.tried(e, |body| body.result_expressions(e)));
        if matches!(e.kind, ast::ExprKind::Conditional(..) | ast::ExprKind::Switch(_)) {
            self.polys.insert(e.span, poly.clone());
        }
        poly
    }

    /// Lowers something only to learn of it.
    fn tried<T>(&mut self, e: &ast::Expr, look: impl FnOnce(&mut Self) -> T) -> T {
        let (vars, locals, classes) = (self.vars.len(), self.locals.len(), self.types.classes.len());
        let problems = self.low.table.diagnostics.len();
        let found = look(self);
        self.vars.truncate(vars);
        self.locals.truncate(locals);
        self.types.classes.truncate(classes);
        // What was found out about other code meanwhile is reported once only.
        let told = self.low.table.diagnostics.split_off(problems);
        let is_within = |at: source::Span| at.file == e.span.file && at.start >= e.span.start && at.end <= e.span.end;
        self.low.table.diagnostics.extend(told.into_iter().filter(|d| !d.span.is_some_and(is_within)));
        found
    }

    /// A lambda or method reference as an argument of a method that is overloaded: with the types of its results, if its
    /// parameters have theirs.
    pub fn typed_function(&mut self, e: &ast::Expr) -> Argument {
        let untyped = functional_argument(e);
        if let ast::ExprKind::MethodRef(ast::RefTarget::Expr(of), Some(name)) = &e.kind {
            return Argument::MethodRef(self.arities(of, name));
        }
        let (ast::ExprKind::Lambda(lambda), Argument::Lambda { arity, value, .. }) = (&e.kind, &untyped) else {
            return untyped;
        };
        if lambda.params.iter().any(|(_, ty)| ty.is_none()) {
            return untyped;
        }
        let results: Vec<Argument> = self.tried(e, |body| body.returned_by(lambda));
        let is_void = results.iter().any(|r| matches!(r, Argument::Typed(Type::Void)));
        let value = if is_void { Some(false) } else { *value };
        Argument::Lambda { arity: *arity, value, results: Some(results) }
    }

    /// Of `Type::name`: the object that a method is called on counts as a parameter (JLS 15.12.2.1, potentially compatible).
    fn arities(&mut self, of: &ast::Expr, name: &ast::Ident) -> Option<Vec<usize>> {
        let ty = self.as_type(of)?;
        // What every enum has is declared nowhere.
        let candidates = Some(self.low.table.find_methods(&ty, &name.name)).filter(|found| !found.is_empty())?;
        let methods = candidates.iter().map(|c| self.low.table.method(c.method));
        methods.map(|m| (!m.varargs).then(|| m.params.len() + usize::from(!m.is_static))).collect()
    }

    fn returned_by(&mut self, lambda: &ast::Lambda) -> Vec<Argument> {
        let yielded = std::mem::take(&mut self.yielded);
        let returns = std::mem::replace(&mut self.returns, Returns::Collected);
        let jumps = std::mem::take(&mut self.jumps);
        for (name, ty) in &lambda.params {
            let ty = ty.as_ref().map_or(Type::Error, |ty| self.resolve(ty));
            self.declare(name.name.clone(), ty);
        }
        match &lambda.body {
            ast::LambdaBody::Block(block) => self.block(block, &mut Vec::new()),
            ast::LambdaBody::Expr(e) => {
                let poly = self.poly(e);
                self.yielded.push(poly);
            }
        }
        (self.returns, self.jumps) = (returns, jumps);
        std::mem::replace(&mut self.yielded, yielded).iter().flat_map(|p| p.arguments()).collect()
    }

    fn result_expressions(&mut self, e: &ast::Expr) -> Poly {
        let (val, is_generic) = match &e.kind {
            ast::ExprKind::Conditional(test, a, b) => {
                let mark = self.vars.len();
                let value = match self.expr(test, Some(&BOOL)).expr.kind {
                    ExprKind::Bool(value) => Some(value),
                    _ => None,
                };
                let names: Vec<_> =
                    self.vars[mark..].iter().filter(|v| v.pattern.is_some()).map(|v| v.name.clone()).collect();
                let early = |body: &Self, arm: &ast::Expr, poly: Rc<Poly>| {
                    let text = body.low.table.sources.text(arm.span);
                    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
                    match words.any(|word| names.iter().any(|n| **n == *word)) {
                        true => Rc::new(Poly::Early(poly)),
                        false => poly,
                    }
                };
                self.in_scope_when(mark, test, true);
                let first = self.poly(a);
                let first = early(self, a, first);
                self.in_scope_when(mark, test, false);
                let second = self.poly(b);
                let poly = Poly::Conditional(value, first, early(self, b, second));
                if !self.is_settled(&poly) {
                    return poly;
                }
                // One type, wherever it stands.
                let (ty, constant) = self.standalone(&poly);
                return Poly::One(Leaf { argument: Argument::Typed(ty), constant, is_settled: true });
            }
            ast::ExprKind::Switch(switch) => return Poly::Switch(self.yielded_by(switch)),
            ast::ExprKind::Lambda(_) | ast::ExprKind::MethodRef(..) => {
                let argument = functional_argument(e);
                return Poly::One(Leaf { argument, constant: None, is_settled: false });
            }
            ast::ExprKind::Call { target, type_args, name, arguments } => {
                let (val, result) = self.call_result(target.as_deref(), type_args, name, arguments, None, e.span);
                match result {
                    CallResult::Open(ty) => return Poly::open(ty),
                    _ => (val, result != CallResult::Declared),
                }
            }
            _ => (self.expr(e, None), false),
        };
        // `javac` counts the null literal, too.
        let is_settled = !is_generic && (val.ty == Type::Null || self.is_settled_type(&val.ty));
        let (ty, constant) = typed(&val);
        Poly::One(Leaf { argument: Argument::Typed(ty), constant, is_settled })
    }

    fn yielded_by(&mut self, switch: &Switch) -> Vec<Rc<Poly>> {
        let outer = std::mem::take(&mut self.yielded);
        self.push_jump(JumpKind::Yield(LocalId(0), None, false));
        if has_patterns(switch) {
            self.case_by_case(switch, switch.on.span);
        } else {
            for arm in &switch.arms {
                self.arm(arm);
            }
        }
        self.jumps.pop();
        std::mem::replace(&mut self.yielded, outer)
    }

    /// Whether it has a primitive type or a box wherever it stands: `javac`'s `isBooleanOrNumeric`.
    pub fn is_settled(&mut self, poly: &Poly) -> bool {
        match poly {
            Poly::One(leaf) => leaf.is_settled,
            Poly::Early(_) => false,
            Poly::Conditional(_, a, b) => self.is_settled(a) && self.is_settled(b),
            Poly::Switch(_) => {
                let (ty, _) = self.standalone(poly);
                self.is_settled_type(&ty)
            }
        }
    }

    fn is_settled_type(&mut self, ty: &Type) -> bool {
        !matches!(ty, Type::Var(_)) && self.low.table.as_prim(ty).is_some()
    }

    /// The type where nothing is expected.
    pub fn standalone(&mut self, poly: &Poly) -> Typed {
        match poly {
            Poly::One(Leaf { argument: Argument::Typed(ty), constant, .. }) => (ty.clone(), *constant),
            Poly::One(Leaf { argument: Argument::Open(ty), .. }) => (self.low.table.erasure(ty), None),
            Poly::One(_) => (Type::Error, None),
            Poly::Early(poly) => self.standalone(poly),
            Poly::Conditional(test, a, b) => {
                let arms = [self.standalone(a), self.standalone(b)];
                let constant = match (test, arms[0].1, arms[1].1) {
                    (Some(test), Some(a), Some(b)) => Some(if *test { a } else { b }),
                    _ => None,
                };
                (self.common_type(&arms), constant)
            }
            Poly::Switch(arms) => {
                let arms: Vec<Typed> = arms.iter().map(|a| self.standalone(a)).collect();
                (self.common_type(&arms), None)
            }
        }
    }

    /// The type of a conditional or `switch` that stands alone. The specification says `short` for a byte, a short and a
    /// small constant; `javac`, whose answer counts, says `int`.
    pub fn common_type(&mut self, arms: &[Typed]) -> Type {
        let Some((first, _)) = arms.first() else { return Type::Error };
        if arms.iter().all(|(ty, _)| ty == first) {
            return first.clone();
        }
        if arms.iter().any(|(ty, _)| ty.is_error()) {
            return Type::Error;
        }
        let prims: Option<Vec<Prim>> = arms.iter().map(|(ty, _)| self.low.table.as_prim(ty)).collect();
        if let Some(ty) = prims.and_then(|prims| common_prim(&prims, arms)) {
            return Type::Prim(ty);
        }
        let mut boxed: Vec<Type> = Vec::new();
        for (ty, _) in arms {
            boxed.push(self.low.table.box_of(ty));
        }
        for ty in &boxed {
            if *ty != Type::Null && boxed.iter().all(|other| self.low.table.is_subtype(other, ty)) {
                return ty.clone();
            }
        }
        self.common_reference(boxed)
    }

    /// What a lambda's result type is learned from if this is returned: each result expression counts by itself.
    pub fn returned_type(&mut self, e: &ast::Expr) -> Option<Type> {
        let poly = match e.kind {
            ast::ExprKind::Conditional(..) | ast::ExprKind::Switch(_) => self.poly(e),
            _ => return None,
        };
        if matches!(e.kind, ast::ExprKind::Conditional(..)) && self.is_settled(&poly) {
            return None;
        }
        let mut results = Vec::new();
        for argument in poly.arguments() {
            if let Argument::Typed(ty) = argument {
                results.push(self.low.table.box_of(&ty));
            }
        }
        let ty = self.common_reference(results);
        (ty != Type::Null && !ty.is_error()).then_some(ty)
    }

    /// Lambdas and method references that are the arms of an argument decide type arguments together.
    pub fn learn_from_arms(&mut self, e: &ast::Expr, param: &Type, vars: &[VarIx], map: &mut Substitution) {
        let open: Vec<VarIx> = vars.iter().copied().filter(|v| map.get(*v).is_none()).collect();
        let (mut arms, mut functions) = (vec![e], Vec::new());
        while let Some(arm) = arms.pop() {
            match &arm.kind {
                ast::ExprKind::Conditional(_, a, b) => arms.extend([&**b, &**a]),
                ast::ExprKind::Switch(switch) => arms.extend(switch.arms.iter().rev().filter_map(|a| match &a.body {
                    ArmBody::Expr(e) => Some(e),
                    ArmBody::Block(_) => None,
                })),
                ast::ExprKind::Lambda(_) | ast::ExprKind::MethodRef(..) => functions.push(arm),
                _ => {}
            }
        }
        if open.is_empty() || functions.is_empty() {
            return;
        }
        let mut learned: Vec<Substitution> = Vec::new();
        for function in functions {
            // What only the context decides says nothing.
            if let ast::ExprKind::Lambda(lambda) = &function.kind
                && let (true, ast::LambdaBody::Expr(result)) = (lambda.params.is_empty(), &lambda.body)
                && let Poly::One(Leaf { argument: Argument::Open(_), .. }) = *self.poly(result)
            {
                continue;
            }
            let mut own = map.clone();
            self.tried(function, |body| body.functional(function, param, vars, &mut own));
            learned.push(own);
        }
        for var in open {
            let types: Vec<Type> = learned.iter().filter_map(|own| own.get(var).cloned()).collect();
            if !types.is_empty() {
                let ty = self.common_reference(types);
                map.set(var, ty);
            }
        }
    }

    fn common_reference(&mut self, types: Vec<Type>) -> Type {
        let mut joined = Type::Null;
        for ty in types {
            joined = match joined {
                Type::Null => ty,
                _ if ty == Type::Null => joined,
                _ => self.low.table.join(&joined, &ty),
            };
        }
        joined
    }
}

/// What decides the type of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum CallResult {
    /// The method says it.
    Declared,
    /// A type parameter of the method, which the arguments decide.
    Inferred,
    /// A type with type parameters of the method, which only the context may decide.
    Open(Type),
}

impl Poly {
    pub fn open(ty: Type) -> Poly {
        Poly::One(Leaf { argument: Argument::Open(ty), constant: None, is_settled: false })
    }

    /// All result expressions, as a method is chosen by them.
    pub fn arguments(&self) -> Vec<Argument> {
        match self {
            Poly::One(leaf) => vec![leaf.argument.clone()],
            Poly::Early(poly) => poly.arguments(),
            Poly::Conditional(_, a, b) => [a.arguments(), b.arguments()].concat(),
            Poly::Switch(arms) => arms.iter().flat_map(|a| a.arguments()).collect(),
        }
    }
}

fn common_prim(prims: &[Prim], arms: &[Typed]) -> Option<Prim> {
    // A small type, if all else are int constants that fit it. Two constants of that type are not the same to `javac`.
    for (i, &small) in prims.iter().enumerate() {
        if !matches!(small, Prim::Byte | Prim::Short | Prim::Char) {
            continue;
        }
        let (lo, hi) = prim_ty(small).range();
        let fits = |j: usize| {
            let is_same = i == j || prims[j] == small && arms[i].1.is_none() && arms[j].1.is_none();
            is_same || prims[j] == Prim::Int && arms[j].1.is_some_and(|v| lo <= v && v <= hi)
        };
        if (0..prims.len()).all(fits) {
            return Some(small);
        }
    }
    let all = [Prim::Byte, Prim::Char, Prim::Short, Prim::Int, Prim::Long, Prim::Float, Prim::Double, Prim::Bool];
    all.into_iter().find(|to| prims.iter().all(|from| prim_widens(*from, *to)))
}
