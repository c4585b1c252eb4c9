//! Concrete-guided symbolic execution (dissertation, Figures 5.5 and 5.6). One run follows one path: wherever a rule asks
//! for Φ, the [`Oracle`] answers, and what it answered is the path constraint P.
//!
//! Rules that add to P: a branch of a statement, a receiver whose class decides what runs, the target of a write, an
//! index, an error condition. Declarative expressions and calls add their error condition only (5.4). One departure from
//! the figure: RS-CALL keeps the receiver symbolic when all its alternatives run the same method.

use crate::heap::Place;
use crate::operate::Run;
use crate::oracle::{Flow, LONG, Oracle, Restriction, Stop};
use crate::statements::Locals;
use crate::symbolic::Symbolic;
use crate::value::{Obj, RefId, Sym};
use formula::{Lit, TermId};
use ir::*;
use rustc_hash::FxHashSet;
use source::Span;

pub(crate) enum Completion {
    Normal,
    Break(LabelId),
    Continue(LabelId),
    Return(Option<Sym>),
}

pub struct Executor<'e, 'p, O> {
    pub symbolic: &'e mut Symbolic<'p>,
    pub oracle: &'e mut O,
    pub steps: u64,
    depth: u32,
    /// Tests made so far.
    tests: u64,
    /// Interchangeable objects that the run has met (2.8).
    pub(crate) met: FxHashSet<Obj>,
    /// Whether objects are interchangeable at all: not if their identity hashes are looked at.
    pub(crate) isomorphism: bool,
}

type Evaluated = Result<Sym, Flow>;

impl<'e, 'p, O: Oracle> Executor<'e, 'p, O> {
    pub fn new(symbolic: &'e mut Symbolic<'p>, oracle: &'e mut O, isomorphism: bool) -> Self {
        Executor { symbolic, oracle, steps: 0, depth: 0, tests: 0, met: FxHashSet::default(), isomorphism }
    }

    pub fn branch(&mut self, lit: Lit) -> Result<bool, Stop> {
        match self.symbolic.graph.value(lit) {
            Some(value) => Ok(value),
            None => self.oracle.branch(&mut self.symbolic.graph, lit),
        }
    }

    /// The same of a test that each run makes here which went the same way so far.
    pub(crate) fn test(&mut self, lit: Lit) -> Result<bool, Stop> {
        self.tests += 1;
        match self.symbolic.graph.value(lit) {
            Some(value) => Ok(value),
            None => self.oracle.decide(&mut self.symbolic.graph, lit, self.tests),
        }
    }

    pub(crate) fn tick(&mut self, span: Span) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(LONG) {
            self.oracle.goes_on(&self.symbolic.graph, self.steps)?;
        }
        if self.steps > self.symbolic.limits.steps { Err(Stop::Steps(span)) } else { Ok(()) }
    }

    pub(crate) fn throw<T>(&mut self, class: ClassId) -> Result<T, Flow> {
        Err(Flow::Throw(self.symbolic.allocate_object(class)))
    }

    /// RS-DECL if the expression has declarative syntax; the congruence rules otherwise, and where evaluation is an error.
    pub fn eval(&mut self, e: &Expr, env: &mut Locals) -> Evaluated {
        if e.pure {
            let (value, error) = self.symbolic.translate(e, env)?;
            if !self.test(error)? {
                return Ok(self.symbolic.narrow(value));
            }
        }
        self.step(e, env)
    }

    fn eval_bool(&mut self, e: &Expr, env: &mut Locals) -> Result<Lit, Flow> {
        match self.eval(e, env)? {
            Sym::Bool(lit) => Ok(lit),
            _ => Ok(Lit::FALSE),
        }
    }

    /// A condition, decided.
    pub(crate) fn decide(&mut self, e: &Expr, env: &mut Locals) -> Result<bool, Flow> {
        let lit = self.eval_bool(e, env)?;
        Ok(self.test(lit)?)
    }

    pub(crate) fn eval_int(&mut self, e: &Expr, env: &mut Locals) -> Result<TermId, Flow> {
        match self.eval(e, env)? {
            Sym::Int(term) => Ok(term),
            _ => Ok(self.symbolic.graph.constant(0)),
        }
    }

    fn eval_ref(&mut self, e: &Expr, env: &mut Locals) -> Result<RefId, Flow> {
        match self.eval(e, env)? {
            Sym::Ref(id) => Ok(id),
            _ => Ok(self.symbolic.null),
        }
    }

    fn eval_all(&mut self, exprs: &[Expr], env: &mut Locals) -> Result<Vec<Sym>, Flow> {
        exprs.iter().map(|e| self.eval(e, env)).collect()
    }

    /// Throws if the reference is null on this path.
    pub(crate) fn non_null(&mut self, id: RefId) -> Result<(), Flow> {
        let null = self.symbolic.is_null(id);
        if self.branch(null)? { self.throw(self.symbolic.program.known.null_pointer) } else { Ok(()) }
    }

    /// The one value that an integer is on this path.
    pub(crate) fn fixed(&mut self, term: TermId, span: Span) -> Result<i64, Flow> {
        const MOST: i128 = 1 << 12;
        let (mut lo, mut hi) = self.symbolic.graph.bounds(term);
        // Among many values it is looked for by halves: what the path knows leaves few.
        while i128::from(hi) - i128::from(lo) > MOST {
            self.tick(span)?;
            let middle = lo + ((i128::from(hi) - i128::from(lo)) / 2) as i64;
            let bound = self.symbolic.graph.constant(middle);
            let is_below = self.symbolic.graph.le(term, bound);
            if self.branch(is_below)? {
                hi = middle
            } else {
                lo = middle + 1
            }
            let (least, most) = self.symbolic.graph.bounds(term);
            (lo, hi) = (lo.max(least), hi.min(most));
            if lo > hi {
                return Err(Stop::Infeasible.into());
            }
        }
        for value in lo..hi {
            let here = self.symbolic.graph.eq_constant(term, value);
            if self.branch(here)? {
                return Ok(value);
            }
        }
        // The last one left, if any.
        let here = self.symbolic.graph.eq_constant(term, hi);
        if self.symbolic.graph.value(here) == Some(false) { Err(Stop::Infeasible.into()) } else { Ok(hi) }
    }

    /// An operand of `>>`: one of few values is taken for itself. Half of a size is too hard for propagation (`get` of a linked list took a
    /// minute at 31; 0.1 s so).
    fn halved(&mut self, term: TermId, span: Span) -> Result<TermId, Flow> {
        const FEW: i128 = 64;
        let (lo, hi) = self.symbolic.graph.bounds(term);
        if lo == hi || lo < 0 || i128::from(hi) - i128::from(lo) > FEW {
            return Ok(term);
        }
        let value = self.fixed(term, span)?;
        Ok(self.symbolic.graph.constant(value))
    }

    /// The rules of Figure 5.6, for whatever is not pure or is an error.
    fn step(&mut self, e: &Expr, env: &mut Locals) -> Evaluated {
        let known = self.symbolic.program.known;
        match &e.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::Local(_)
            | ExprKind::Static(_) => Ok(self.symbolic.translate(e, env)?.0),
            ExprKind::SetLocal(local, value) => {
                let value = self.eval(value, env)?;
                env[local.index()] = Some(value);
                Ok(value)
            }
            ExprKind::Field(object, field) => {
                let object = self.eval_ref(object, env)?;
                self.non_null(object)?;
                Ok(self.symbolic.field(object, *field).0)
            }
            ExprKind::SetField(object, field, value) => {
                // RS-FIELD-WRITE
                let object = self.eval_ref(object, env)?;
                let value = self.eval(value, env)?;
                let obj = self.object(object)?;
                let slot = self.symbolic.field_slots[field.index()];
                self.symbolic.write(Place::Slot(obj, slot), value);
                Ok(value)
            }
            ExprKind::SetStatic(field, value) => {
                let value = self.eval(value, env)?;
                self.symbolic.write(Place::Static(*field), value);
                Ok(value)
            }
            ExprKind::Element(array, index) => {
                let array = self.eval_ref(array, env)?;
                let index = self.eval_int(index, env)?;
                let (obj, index) = self.element_place(array, index)?;
                let value = self.symbolic.read_slot(obj, index);
                Ok(self.symbolic.narrow(value))
            }
            ExprKind::SetElement(array, index, value) => {
                let array = self.eval_ref(array, env)?;
                let index = self.eval_int(index, env)?;
                let value = self.eval(value, env)?;
                let (obj, index) = self.element_place(array, index)?;
                self.check_store(obj, value)?;
                self.symbolic.write(Place::Slot(obj, index), value);
                Ok(value)
            }
            ExprKind::Length(array) => {
                let array = self.eval_ref(array, env)?;
                self.non_null(array)?;
                Ok(Sym::Int(self.symbolic.length_of(array).0))
            }
            ExprKind::Not(a) => Ok(Sym::Bool(!self.eval_bool(a, env)?)),
            ExprKind::Negate(width, a) => {
                let a = self.eval_int(a, env)?;
                Ok(Sym::Int(self.symbolic.negate(*width, a)))
            }
            ExprKind::Complement(width, a) => {
                let a = self.eval_int(a, env)?;
                Ok(Sym::Int(self.symbolic.complement(*width, a)))
            }
            ExprKind::Convert(a) => {
                let a = self.eval_int(a, env)?;
                Ok(Sym::Int(self.symbolic.convert(e.ty, a)))
            }
            ExprKind::Binary(op, width, a, b) => {
                let a = self.eval_int(a, env)?;
                let b = self.eval_int(b, env)?;
                let a = if *op == BinaryOp::Shr { self.halved(a, e.span)? } else { a };
                let (value, error) = self.symbolic.binary(*op, *width, a, b);
                if self.branch(error)? { self.throw(known.arithmetic) } else { Ok(Sym::Int(value)) }
            }
            ExprKind::Compare(op, a, b) => {
                let a = self.eval_int(a, env)?;
                let b = self.eval_int(b, env)?;
                Ok(Sym::Bool(self.symbolic.compare(*op, a, b)))
            }
            ExprKind::Logic(op, a, b) => {
                let a = self.eval_bool(a, env)?;
                let b = self.eval_bool(b, env)?;
                Ok(Sym::Bool(self.symbolic.logic(*op, a, b)))
            }
            // RS-AND, RS-OR and RS-IF: the operands may have side effects.
            ExprKind::AndThen(a, b) => {
                if self.decide(a, env)? {
                    self.eval(b, env)
                } else {
                    Ok(Sym::Bool(Lit::FALSE))
                }
            }
            ExprKind::OrElse(a, b) => {
                if self.decide(a, env)? {
                    Ok(Sym::Bool(Lit::TRUE))
                } else {
                    self.eval(b, env)
                }
            }
            ExprKind::Conditional(c, a, b) => {
                if self.decide(c, env)? {
                    self.eval(a, env)
                } else {
                    self.eval(b, env)
                }
            }
            ExprKind::Same(a, b) => {
                let a = self.eval_ref(a, env)?;
                let b = self.eval_ref(b, env)?;
                Ok(Sym::Bool(self.symbolic.same(a, b)))
            }
            ExprKind::InstanceOf(a, ty) => {
                let a = self.eval_ref(a, env)?;
                Ok(Sym::Bool(self.symbolic.instance_of(a, *ty)))
            }
            ExprKind::Cast(a, ty) => {
                let a = self.eval_ref(a, env)?;
                let passes = self.symbolic.fits(a, *ty);
                if self.branch(passes)? { Ok(self.symbolic.narrow(Sym::Ref(a))) } else { self.throw(known.class_cast) }
            }
            ExprKind::Call(method, args) => {
                let args = self.eval_all(args, env)?;
                if !self.symbolic.program.method(*method).is_static
                    && let Some(&Sym::Ref(this)) = args.first()
                {
                    self.non_null(this)?;
                }
                self.invoke(*method, args, e)
            }
            ExprKind::CallVirtual(selector, args) => {
                let args = self.eval_all(args, env)?;
                self.invoke_virtual(*selector, args, e)
            }
            ExprKind::New(class, constructor, args) => {
                let args = self.eval_all(args, env)?;
                let obj = self.symbolic.allocate_object(*class);
                let this = self.symbolic.single(obj);
                let args = std::iter::once(this).chain(args).collect();
                self.invoke(*constructor, args, e)?;
                Ok(this)
            }
            ExprKind::NewArray(lengths) => {
                let lengths = lengths.iter().map(|l| self.eval_int(l, env)).collect::<Result<Vec<_>, _>>()?;
                let mut fixed = Vec::new();
                for &length in &lengths {
                    let zero = self.symbolic.graph.constant(0);
                    let negative = self.symbolic.graph.lt(length, zero);
                    if self.branch(negative)? {
                        return self.throw(known.negative_array_size);
                    }
                }
                for length in lengths {
                    fixed.push(self.fixed(length, e.span)?);
                }
                if fixed.iter().any(|&l| l > 1 << 20) {
                    return Err(Stop::unsupported(e, "an array of more than a million elements").into());
                }
                let obj = self.symbolic.array_of(e.ty, &fixed);
                Ok(self.symbolic.single(obj))
            }
            ExprKind::ArrayLiteral(elements) => {
                let slots = self.eval_all(elements, env)?;
                let obj = self.symbolic.allocate(e.ty, slots);
                Ok(self.symbolic.single(obj))
            }
            ExprKind::Sequence(block, value) => {
                match self.block(block, env)? {
                    Completion::Normal => self.eval(value, env),
                    // A block inside an expression cannot jump out of it.
                    _ => Err(Stop::unsupported(e, "a jump out of an expression").into()),
                }
            }
            ExprKind::Concat(parts) => {
                self.eval_all(parts, env)?;
                let obj = self.symbolic.allocate_object(known.string);
                Ok(self.symbolic.single(obj))
            }
            ExprKind::Intrinsic(intrinsic, args) => {
                let args = self.eval_all(args, env)?;
                self.intrinsic(*intrinsic, &args, e)
            }
            ExprKind::Unsupported(diagnostic) => Err(Stop::Unsupported(diagnostic.clone()).into()),
        }
    }

    /// Array and index on this path, within bounds.
    fn element_place(&mut self, array: RefId, index: TermId) -> Result<(Obj, u32), Flow> {
        let obj = self.object(array)?;
        let length = self.symbolic.length(obj);
        let g = &mut self.symbolic.graph;
        let zero = g.constant(0);
        let (low, high) = (g.lt(index, zero), g.le(length, index));
        let outside = g.or(low, high);
        if self.branch(outside)? {
            return self.throw(self.symbolic.program.known.index_out_of_bounds);
        }
        // Only indices of existing elements are left, whatever the bounds of the term say.
        let longest = match self.symbolic.heap.is_fresh(obj) {
            true => self.symbolic.heap.fresh(obj).slots.len() as i64,
            false => self.symbolic.space.objects[obj.index()].length.1,
        };
        let (lo, hi) = self.symbolic.graph.bounds(index);
        let (lo, hi) = (lo.max(0), hi.min(longest - 1));
        for value in lo..=hi {
            let here = self.symbolic.graph.eq_constant(index, value);
            if value == hi && self.symbolic.graph.value(here) != Some(false) || self.branch(here)? {
                if value == hi && self.symbolic.graph.value(here).is_none() {
                    self.oracle.restrict(&mut self.symbolic.graph, here, Restriction::Assumed)?;
                }
                return Ok((obj, value as u32));
            }
        }
        Err(Stop::Infeasible.into())
    }

    fn check_store(&mut self, array: Obj, value: Sym) -> Result<(), Flow> {
        let (Sym::Ref(id), Ty::Array(ty)) = (value, self.symbolic.ty_of(array)) else { return Ok(()) };
        let element = self.symbolic.program.element_ty(ty);
        let passes = self.symbolic.fits(id, element);
        if self.branch(passes)? { Ok(()) } else { self.throw(self.symbolic.program.known.array_store) }
    }

    fn invoke_virtual(&mut self, selector: SelectorId, mut args: Vec<Sym>, e: &Expr) -> Evaluated {
        let Some(&Sym::Ref(this)) = args.first() else {
            return self.throw(self.symbolic.program.known.null_pointer);
        };
        self.non_null(this)?;
        let targets: Vec<Option<MethodId>> = (self.symbolic.alternatives(this).into_iter())
            .filter(|(o, _)| *o != Obj::NULL)
            .map(|(o, _)| self.symbolic.method_of(o, selector))
            .collect();
        let method = match targets[..] {
            [Some(first), ref rest @ ..] if rest.iter().all(|t| *t == Some(first)) => Some(first),
            _ => {
                let obj = self.object(this)?;
                args[0] = self.symbolic.single(obj);
                self.symbolic.method_of(obj, selector)
            }
        };
        match method {
            Some(method) => self.invoke(method, args, e),
            None => Err(Stop::unsupported(e, "a call of a method without a body").into()),
        }
    }

    /// A declarative method is translated (5.4), any other runs.
    fn invoke(&mut self, method: MethodId, args: Vec<Sym>, e: &Expr) -> Evaluated {
        let declared = self.symbolic.program.method(method);
        if declared.is_declarative && !declared.is_implicit {
            let (value, error) = self.symbolic.call(method, args.clone())?;
            if !self.branch(error)? {
                let value = value.unwrap_or_else(|| self.symbolic.default_of(e.ty));
                return Ok(self.symbolic.narrow(value));
            }
        }
        let value = self.run(method, args).map_err(|flow| match flow {
            // The chain of calls that leads there, innermost first.
            Flow::Stop(Stop::Unsupported(mut problem)) => {
                problem.related.push((e.span, format!("`{}` is called here", declared.name)));
                Flow::Stop(Stop::Unsupported(problem))
            }
            other => other,
        })?;
        Ok(value.unwrap_or_else(|| self.symbolic.default_of(e.ty)))
    }

    /// Runs a method's body.
    pub fn run(&mut self, method: MethodId, args: Vec<Sym>) -> Result<Option<Sym>, Flow> {
        let program = self.symbolic.program;
        let method = program.method(method);
        self.tick(method.name_span)?;
        let Some(body) = &method.body else {
            return Err(Stop::unsupported_at(method.span, "a call of a method without a body").into());
        };
        if self.depth >= self.symbolic.limits.depth {
            return self.throw(program.known.stack_overflow);
        }
        let mut env: Locals = vec![None; method.locals.len()];
        for (local, value) in env.iter_mut().zip(args) {
            *local = Some(value);
        }
        self.depth += 1;
        let done = self.block(body, &mut env);
        self.depth -= 1;
        match done? {
            Completion::Return(value) => Ok(value),
            _ => Ok(None),
        }
    }

    /// Runs the body of an operation after what [every run does first](crate::symbolic::Prelude).
    pub(crate) fn run_operation(
        &mut self,
        operation: &Operation,
        args: Vec<Sym>,
        run: &Run,
    ) -> Result<Option<Sym>, Flow> {
        let method = operation.method;
        let declared = self.symbolic.program.method(method);
        let Some(body) = &declared.body else { return self.run(method, args) };
        self.tick(declared.name_span)?;
        let mut done = 0;
        let mut env: Locals = args.into_iter().map(Some).collect();
        env.resize(declared.locals.len(), None);
        if let Some(prelude) = &self.symbolic.prelude {
            (done, env, self.met) = (prelude.statements, prelude.locals.clone(), prelude.met.clone());
            self.tests = prelude.tests;
            if let Some(reached) = &mut self.symbolic.reached {
                prelude.reached.iter().for_each(|&span| reached.note(span));
            }
        }
        self.depth += 1;
        let returned = body.last().and_then(|last| match &last.kind {
            StmtKind::Return(Some(Expr { kind: ExprKind::Local(local), .. })) => Some(*local),
            _ => None,
        });
        for (at, stmt) in body.iter().enumerate().skip(done) {
            match self.stmt(stmt, &mut env)? {
                Completion::Normal if self.symbolic.keep_prelude(at + 1, &env, &self.met, self.tests) => {
                    let result = returned.and_then(|local| env[local.index()]);
                    self.symbolic.foresee(operation, run, result);
                    self.symbolic.keep();
                }
                Completion::Normal => {}
                Completion::Return(value) => return Ok(value),
                Completion::Break(_) | Completion::Continue(_) => return Ok(None),
            }
        }
        Ok(None)
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, args: &[Sym], e: &Expr) -> Evaluated {
        let known = self.symbolic.program.known;
        match (intrinsic, args) {
            (Intrinsic::ArrayCopy, &[Sym::Ref(from), Sym::Int(at), Sym::Ref(to), Sym::Int(place), Sym::Int(count)]) => {
                let (from, to) = (self.object(from)?, self.object(to)?);
                let (Ty::Array(a), Ty::Array(b)) = (self.symbolic.ty_of(from), self.symbolic.ty_of(to)) else {
                    return self.throw(known.array_store);
                };
                let (a, b) = (self.symbolic.program.element_ty(a), self.symbolic.program.element_ty(b));
                if a.is_reference() != b.is_reference() || !a.is_reference() && a != b {
                    return self.throw(known.array_store);
                }
                let (from_length, to_length) = (self.symbolic.length(from), self.symbolic.length(to));
                let at = self.fixed(at, e.span)?;
                let place = self.fixed(place, e.span)?;
                let count = self.fixed(count, e.span)?;
                for (start, length) in [(at, from_length), (place, to_length)] {
                    let g = &mut self.symbolic.graph;
                    let end = g.constant(start.saturating_add(count));
                    let beyond = g.lt(length, end);
                    if start < 0 || count < 0 || self.branch(beyond)? {
                        return self.throw(known.index_out_of_bounds);
                    }
                }
                let values: Vec<Sym> = (0..count).map(|i| self.symbolic.read_slot(from, (at + i) as u32)).collect();
                for (i, value) in values.into_iter().enumerate() {
                    self.check_store(to, value)?;
                    self.symbolic.write(Place::Slot(to, (place + i as i64) as u32), value);
                }
                Ok(Sym::Ref(self.symbolic.null))
            }
            (Intrinsic::Float(..), _) => {
                let mut known = Vec::new();
                for &arg in args {
                    known.push(match arg {
                        Sym::Int(term) => {
                            let value = self.fixed(term, e.span)?;
                            Sym::Int(self.symbolic.graph.constant(value))
                        }
                        other => other,
                    });
                }
                Ok(self.symbolic.intrinsic(intrinsic, &known, e)?.0)
            }
            (Intrinsic::Clone, &[Sym::Ref(array)]) => {
                let obj = self.object(array)?;
                let length = match self.symbolic.ty_of(obj) {
                    Ty::Class(class) => self.symbolic.program.instance_fields(class).len() as i64,
                    _ => {
                        let length = self.symbolic.length(obj);
                        self.fixed(length, e.span)?
                    }
                };
                let slots = (0..length).map(|i| self.symbolic.read_slot(obj, i as u32)).collect();
                let copy = self.symbolic.allocate(self.symbolic.ty_of(obj), slots);
                Ok(self.symbolic.single(copy))
            }
            _ => {
                let (value, error) = self.symbolic.intrinsic(intrinsic, args, e)?;
                if self.branch(error)? { self.throw(known.null_pointer) } else { Ok(value) }
            }
        }
    }
}
