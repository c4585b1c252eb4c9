//! Expressions and conditions (docs/hob.md, "Statements" and "Conditions").

use super::indexes::Variable;
use super::numbers::{is_comparison, sum};
use super::reading::Value;
use super::vocabulary::Tracked;
use super::walk::{Walk, constant};
use crate::depends::Touch;
use crate::program::*;
use sets::{Compare, Formula as Fact, Sort, Term, Var};

impl<'p> Walk<'_, 'p> {
    /// Evaluates an expression: its effects on the fact, and its value over values now.
    pub fn eval(&mut self, fact: Fact, e: &'p Expr) -> (Fact, Value) {
        match &e.kind {
            ExprKind::Null => (fact, Value::Set(self.v.store.empty())),
            ExprKind::Bool(b) => (fact, Value::Bool(self.v.store.truth(*b))),
            ExprKind::Local(local) => match self.v.now(Tracked::Local(*local)) {
                Some(var) => (fact, self.value_of(var)),
                None => (fact, self.number_of(*local)),
            },
            ExprKind::Global(global) => match self.v.global(*global).and_then(|what| self.v.now(what)) {
                // Bound to a name: what follows in the same statement may change the variable.
                Some(var) => {
                    let b = self.v.store.boolean(var);
                    self.bind_bool(fact, b)
                }
                None => match self.read_spot(fact, e) {
                    Some(read) => read,
                    None => self.unknown(fact, &e.ty),
                },
            },
            ExprKind::Field(object, field) => {
                let (fact, value) = self.eval(fact, object);
                let fact = self.dereference(fact, value, object.span);
                match self.read_spot(fact, e) {
                    Some(read) => read,
                    None => self.read_field(fact, value, *field, &e.ty),
                }
            }
            ExprKind::Call(callee, arguments) => {
                let mut fact = fact;
                let mut values = Vec::new();
                for argument in arguments {
                    let (after, value) = self.eval(fact, argument);
                    fact = after;
                    values.push(value);
                }
                self.call(fact, *callee, values, e.span)
            }
            ExprKind::New(ty) => self.allocate(fact, *ty),
            ExprKind::Intrinsic(Intrinsic::Accept, parts) => {
                let mut fact = fact;
                for part in parts {
                    fact = self.eval(fact, part).0;
                }
                match e.ty {
                    Type::Object(ty) => self.allocate(fact, ty),
                    _ => (fact, Value::Other),
                }
            }
            // The program ends: no run goes on.
            ExprKind::Intrinsic(Intrinsic::Exit, parts) => {
                let mut fact = fact;
                for part in parts {
                    fact = self.eval(fact, part).0;
                }
                (self.v.store.truth(false), Value::Other)
            }
            _ if matches!(e.ty, Type::Int | Type::Char) && constant(e).is_some() => match constant(e) {
                Some(Constant::Int(n)) => (fact, Value::Int(n)),
                _ => (fact, Value::Other),
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b) if e.ty == Type::Int => {
                let (fact, left) = self.eval(fact, a);
                let (fact, right) = self.eval(fact, b);
                let value = match (op, left, right) {
                    (BinaryOp::Add, left, Value::Int(n)) => self.plus(left, n),
                    (BinaryOp::Subtract, left, Value::Int(n)) => self.plus(left, -n),
                    (BinaryOp::Add, Value::Int(n), right) => self.plus(right, n),
                    _ => Value::Other,
                };
                (fact, value)
            }
            ExprKind::Step { place, up, prefix } if let Place::Local(local) = **place => {
                let by = if *up { 1 } else { -1 };
                let before = self.number_of(local);
                let after = self.plus(before, by);
                let fact = self.assign_local(fact, local, after, Some(&stepped(ExprKind::Local(local), by, e)));
                let after = self.number_of(local);
                (fact, if *prefix { after } else { self.plus(after, -by) })
            }
            ExprKind::Step { place, up, prefix } if let Place::Field(object, field) = &**place => {
                let by = if *up { 1 } else { -1 };
                let (fact, object_value) = self.eval(fact, object);
                let fact = self.dereference(fact, object_value, object.span);
                let (fact, before) = self.read_field(fact, object_value, *field, &e.ty);
                let after = self.plus(before, by);
                let fact = self.write_field(fact, object_value, *field, None, after);
                let (fact, after) = self.read_field(fact, object_value, *field, &e.ty);
                (fact, if *prefix { after } else { self.plus(after, -by) })
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let (fact, value) = self.eval(fact, inner);
                match value {
                    Value::Bool(b) => (fact, Value::Bool(self.v.store.not(b))),
                    other => (fact, other),
                }
            }
            ExprKind::Binary(..) if e.ty == Type::Bool => {
                let (yes, no) = self.branch(fact, e);
                let var = self.v.temp_bool();
                self.temps.push(var);
                let b = self.v.store.boolean(var);
                let not_b = self.v.store.not(b);
                let (yes, no) = (self.v.store.and([yes, b]), self.v.store.and([no, not_b]));
                (self.v.store.or([yes, no]), Value::Bool(b))
            }
            _ => {
                let fact = self.effects_of(fact, e);
                match self.read_spot(fact, e) {
                    Some(read) => read,
                    None => self.unknown(fact, &e.ty),
                }
            }
        }
    }

    fn number_of(&mut self, local: LocalId) -> Value {
        let whats = self.v.numbers_of(local);
        if whats.is_empty() {
            return Value::Other;
        }
        let mut known = Vec::new();
        for what in whats {
            if let (Tracked::Number(_, constant), Some(now)) = (what, self.v.now(what)) {
                known.push((constant, self.v.store.boolean(now)));
            }
        }
        self.numbers.push(known);
        Value::Number(self.numbers.len() - 1)
    }

    /// Ints wrap, so that different ones stay different.
    fn plus(&mut self, value: Value, by: i64) -> Value {
        match value {
            Value::Int(n) => Value::Int(sum(n, by)),
            Value::Number(at) => {
                let known = self.numbers[at].iter().map(|(n, is)| (sum(*n, by), *is)).collect();
                self.numbers.push(known);
                Value::Number(self.numbers.len() - 1)
            }
            _ => Value::Other,
        }
    }

    fn value_of(&mut self, var: Var) -> Value {
        if self.v.store.sort(var) == Sort::Set {
            Value::Set(self.v.store.set(var))
        } else {
            Value::Bool(self.v.store.boolean(var))
        }
    }

    fn bind_bool(&mut self, fact: Fact, value: Fact) -> (Fact, Value) {
        let var = self.v.temp_bool();
        self.temps.push(var);
        let b = self.v.store.boolean(var);
        let same = self.v.store.iff(b, value);
        (self.v.store.and([fact, same]), Value::Bool(b))
    }

    /// Any value of the type.
    pub fn unknown(&mut self, fact: Fact, ty: &Type) -> (Fact, Value) {
        match ty {
            Type::Object(_) => {
                let var = self.v.temp_object(ty);
                self.temps.push(var);
                let set = self.v.store.set(var);
                let at_most_one = self.v.store.card(set, Compare::AtMost, 1);
                (self.v.store.and([fact, at_most_one]), Value::Set(set))
            }
            Type::Bool => {
                let var = self.v.temp_bool();
                self.temps.push(var);
                (fact, Value::Bool(self.v.store.boolean(var)))
            }
            _ => (fact, Value::Other),
        }
    }

    /// The effects of the parts of an expression whose own value is not followed.
    fn effects_of(&mut self, mut fact: Fact, e: &'p Expr) -> Fact {
        match &e.kind {
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                fact = self.eval(fact, a).0;
                self.eval(fact, b).0
            }
            ExprKind::NewArray(parts) => {
                for part in parts {
                    fact = self.eval(fact, part).0;
                }
                // Integers range over the indexes of arrays.
                self.touch(fact, &Touch::Element)
            }
            ExprKind::Length(inner) | ExprKind::Unary(_, inner) | ExprKind::ToFloat(inner) => self.eval(fact, inner).0,
            ExprKind::Intrinsic(_, parts) => {
                for part in parts {
                    fact = self.eval(fact, part).0;
                }
                fact
            }
            ExprKind::Step { place, up, .. } => match &**place {
                Place::Index(array, index) => {
                    fact = self.eval(fact, array).0;
                    fact = self.eval(fact, index).0;
                    self.touch(fact, &Touch::Element)
                }
                Place::Global(global) => {
                    let fact = self.touch(fact, &Touch::Global(*global));
                    let value = stepped(ExprKind::Global(*global), if *up { 1 } else { -1 }, e);
                    self.lead_elsewhere(fact, Variable::Global(*global), Some(&value))
                }
                // Their values are followed.
                Place::Local(_) | Place::Field(..) => self.eval(fact, e).0,
            },
            _ => fact,
        }
    }

    /// `b = x.f` and `k = x.f`. The object is there: the run has not stopped.
    fn read_field(&mut self, fact: Fact, object: Value, field: FieldId, ty: &Type) -> (Fact, Value) {
        let over = self.v.over_field(field);
        if let (Value::Set(object), Type::Int | Type::Char, false) = (object, ty, over.is_empty()) {
            let mut known = Vec::new();
            for (what, constant) in over {
                if let Constant::Int(n) = constant {
                    let set = self.now_set(what);
                    known.push((n, self.v.store.subset(object, set)));
                }
            }
            self.numbers.push(known);
            return (fact, Value::Number(self.numbers.len() - 1));
        }
        let (fact, value) = self.unknown(fact, ty);
        let (Value::Set(object), Value::Bool(b)) = (object, value) else { return (fact, value) };
        let mut parts = vec![fact];
        for (what, constant) in self.v.over_field(field) {
            let set = self.now_set(what);
            let inside = self.v.store.subset(object, set);
            let side = if constant == Constant::Bool(true) { b } else { self.v.store.not(b) };
            parts.push(self.v.store.iff(side, inside));
        }
        (self.v.store.and(parts), value)
    }

    fn now_set(&mut self, what: Tracked) -> Term {
        match self.v.now(what) {
            Some(var) => self.v.store.set(var),
            None => self.v.store.empty(),
        }
    }

    /// A new object is in no set but those that its default values put it in; it was nowhere at entry either.
    fn allocate(&mut self, fact: Fact, ty: TypeId) -> (Fact, Value) {
        let fact = self.touch(fact, &Touch::New);
        let var = self.v.temp_object(&Type::Object(ty));
        self.temps.push(var);
        let object = self.v.store.set(var);
        let grows: Vec<Tracked> = self.default_bases(Some(ty));
        let mut relation = vec![self.v.store.card(object, Compare::Equal, 1)];
        let pairs: Vec<_> = self.v.tracked.iter().map(|(what, pair)| (*what, *pair)).collect();
        for (what, pair) in pairs {
            if self.v.store.sort(pair.now) != Sort::Set {
                continue;
            }
            for side in [pair.entry, pair.now] {
                if side == pair.now && grows.contains(&what) || side == pair.entry && !self.v.store.is_free(side, fact)
                {
                    continue;
                }
                let set = self.v.store.set(side);
                relation.push(self.v.store.disjoint([object, set]));
            }
        }
        let step = self.step(fact, grows.iter().copied());
        for what in grows {
            let (old, new) = (step.before[&what], self.v.tracked[&what].now);
            let (old, new) = (self.v.store.set(old), self.v.store.set(new));
            relation.push(self.v.store.disjoint([object, old]));
            let grown = self.v.store.union([old, object]);
            relation.push(self.v.store.equal(new, grown));
        }
        (self.end_step(step, relation), Value::Set(object))
    }

    /// Base sets that a new object is in.
    pub fn default_bases(&self, ty: Option<TypeId>) -> Vec<Tracked> {
        let is_default = |what: &Tracked| match what {
            Tracked::Base(field, Constant::Int(0) | Constant::Bool(false)) => {
                ty.is_none_or(|ty| self.v.program.field(*field).object == ty)
            }
            _ => false,
        };
        self.v.tracked.keys().filter(|what| is_default(what)).copied().collect()
    }

    /// What is known where a condition holds, and where it does not.
    pub fn branch(&mut self, fact: Fact, e: &'p Expr) -> (Fact, Fact) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let (yes, no) = self.branch(fact, inner);
                (no, yes)
            }
            ExprKind::Binary(BinaryOp::AndThen, a, b) => {
                let (yes, no) = self.branch(fact, a);
                let (yes, later) = self.branch(yes, b);
                self.ask_points();
                (yes, self.v.store.or([no, later]))
            }
            ExprKind::Binary(BinaryOp::OrElse, a, b) => {
                let (yes, no) = self.branch(fact, a);
                let (later, no) = self.branch(no, b);
                self.ask_points();
                (self.v.store.or([yes, later]), no)
            }
            ExprKind::Binary(BinaryOp::NotEqual, a, b) => {
                let (yes, no) = self.branch_equal(fact, a, b);
                (no, yes)
            }
            ExprKind::Binary(BinaryOp::Equal, a, b) => self.branch_equal(fact, a, b),
            ExprKind::Field(object, field) => {
                let (fact, value) = self.eval(fact, object);
                let fact = self.dereference(fact, value, object.span);
                self.branch_flag(fact, value, *field, Constant::Bool(true))
            }
            ExprKind::Binary(op @ (BinaryOp::Xor | BinaryOp::And | BinaryOp::Or), a, b) => {
                let (fact, left) = self.eval(fact, a);
                let (fact, right) = self.eval(fact, b);
                let (Value::Bool(left), Value::Bool(right)) = (left, right) else { return (fact, fact) };
                let holds = match op {
                    BinaryOp::And => self.v.store.and([left, right]),
                    BinaryOp::Or => self.v.store.or([left, right]),
                    _ => {
                        let same = self.v.store.iff(left, right);
                        self.v.store.not(same)
                    }
                };
                let fails = self.v.store.not(holds);
                (self.v.store.and([fact, holds]), self.v.store.and([fact, fails]))
            }
            ExprKind::Binary(op, a, b) if is_comparison(*op) => self.branch_numbers(fact, *op, a, b),
            ExprKind::Binary(..) => {
                let fact = self.effects_of(fact, e);
                (fact, fact)
            }
            _ => {
                let (fact, value) = self.eval(fact, e);
                let Value::Bool(b) = value else { return (fact, fact) };
                let not_b = self.v.store.not(b);
                (self.v.store.and([fact, b]), self.v.store.and([fact, not_b]))
            }
        }
    }

    fn branch_equal(&mut self, fact: Fact, a: &'p Expr, b: &'p Expr) -> (Fact, Fact) {
        for (read, other) in [(a, b), (b, a)] {
            if let (ExprKind::Field(object, field), Some(constant)) = (&read.kind, constant(other)) {
                let (fact, value) = self.eval(fact, object);
                let fact = self.dereference(fact, value, object.span);
                return self.branch_flag(fact, value, *field, constant);
            }
        }
        // A string is never null.
        if a.ty == Type::String && (matches!(a.kind, ExprKind::Null) || matches!(b.kind, ExprKind::Null)) {
            let (fact, _) = self.eval(fact, a);
            let (fact, _) = self.eval(fact, b);
            return (self.v.store.truth(false), fact);
        }
        if matches!(a.ty, Type::Int | Type::Char) {
            return self.branch_numbers(fact, BinaryOp::Equal, a, b);
        }
        let (fact, left) = self.eval(fact, a);
        let (fact, right) = self.eval(fact, b);
        let same = match (left, right) {
            (Value::Set(left), Value::Set(right)) => self.v.store.equal(left, right),
            (Value::Bool(left), Value::Bool(right)) => self.v.store.iff(left, right),
            _ => return self.compared_indexes((fact, fact), BinaryOp::Equal, a, b),
        };
        let differ = self.v.store.not(same);
        (self.v.store.and([fact, same]), self.v.store.and([fact, differ]))
    }

    /// A comparison of ints, as far as constants are followed.
    fn branch_numbers(&mut self, fact: Fact, op: BinaryOp, a: &'p Expr, b: &'p Expr) -> (Fact, Fact) {
        let (fact, left) = self.eval(fact, a);
        let (fact, right) = self.eval(fact, b);
        // What is known of the left side must not be of a state before the right side ran.
        if !is_plain(b) {
            return (fact, fact);
        }
        let (left, right) = (self.known_values(left), self.known_values(right));
        let known = if constant(a).is_some() { &right } else { &left };
        let (mut yes, mut no) = (vec![fact], vec![fact]);
        for &(c, is_c) in &left {
            for &(d, is_d) in &right {
                let holds = op.compares(&c, &d);
                let both = self.v.store.and([is_c, is_d]);
                let not_both = self.v.store.not(both);
                if holds {
                    no.push(not_both)
                } else {
                    yes.push(not_both)
                }
                // Equal values are both or neither.
                if c == d && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
                    let same = self.v.store.iff(is_c, is_d);
                    if op == BinaryOp::Equal { yes.push(same) } else { no.push(same) }
                }
            }
        }
        let sides = (self.v.store.and(yes), self.v.store.and(no));
        let sides = self.compared_indexes(sides, op, a, b);
        self.within(sides, op, a, b, known)
    }

    fn known_values(&mut self, value: Value) -> Vec<(i64, Fact)> {
        match value {
            Value::Int(n) => vec![(n, self.v.store.truth(true))],
            Value::Number(at) => self.numbers[at].clone(),
            _ => Vec::new(),
        }
    }

    /// `x.f == c`: in the set of c and in no other of the field, or not in it. Vacuous for null.
    fn branch_flag(&mut self, fact: Fact, object: Value, field: FieldId, wanted: Constant) -> (Fact, Fact) {
        let Value::Set(object) = object else { return (fact, fact) };
        let (mut yes, mut no) = (vec![fact], vec![fact]);
        let opposite = if let Constant::Bool(b) = wanted { Some(Constant::Bool(!b)) } else { None };
        for (what, constant) in self.v.over_field(field) {
            let set = self.now_set(what);
            let inside = self.v.store.subset(object, set);
            let outside = self.v.store.disjoint([object, set]);
            if constant == wanted {
                yes.push(inside);
                no.push(outside);
            } else {
                yes.push(outside);
                if Some(constant) == opposite {
                    no.push(inside);
                }
            }
        }
        (self.v.store.and(yes), self.v.store.and(no))
    }
}

/// What `e++` or `e--` makes of an int variable.
fn stepped(variable: ExprKind, by: i64, e: &Expr) -> Expr {
    let part = |kind| Box::new(Expr { kind, ty: Type::Int, span: e.span });
    let kind = ExprKind::Binary(BinaryOp::Add, part(variable), part(ExprKind::Int(by)));
    Expr { kind, ty: e.ty.clone(), span: e.span }
}

/// Whether an int expression has no effects and is of the state now.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Field(object, _) => matches!(object.kind, ExprKind::Local(_)),
        ExprKind::Local(_) => true,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b) => is_plain(a) && is_plain(b),
        _ => constant(e).is_some(),
    }
}
