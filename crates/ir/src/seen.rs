//! What the code can tell about the values of a field, a parameter or the elements of an array. By it the default domains
//! of a [space](crate::space) are widened: to the constants that an integer is compared with, to the classes that an
//! `Object` is asked for, to arrays that two fields share (docs/java.md, "What a field or parameter holds").
//!
//! What goes in: a lowered program and what may be called. What comes out: the same with [`Bound::seen`] and
//! [`Program::identity`] set. Values are followed over assignments, calls and returns, through every object alike: a field is
//! one place, so are all elements of one array type. Whatever is not understood makes a domain wider, never narrower.

mod arrays;
mod rotations;
mod values;

use crate::program::*;
use crate::values::value_classes;
use crate::walk::{self, Node as Visited};
use rustc_hash::FxHashSet;
use source::Span;
use std::collections::BTreeSet;
use values::{Places, Value};

/// What the code can tell about the values at one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Integers that a domain should hold: constants that the code assigns, compares with (and one beyond on each side),
    /// or divides by; -1 where the sign matters.
    pub integers: BTreeSet<i64>,
    /// Compared with the length of an array, or an index: it should go beyond the greatest length.
    pub beyond_length: bool,
    /// Types that the code asks a reference for, by `instanceof`, a cast, `==` or a method that they override.
    pub types: BTreeSet<Kind>,
    /// Of an array, and of the arrays in it, by depth: another field, parameter or element with the same number may hold the
    /// same one, and the code can tell.
    pub may_be_shared: Vec<Option<u32>>,
    /// Of an integer, or those in an array or a box: some code compares it, indexes with it, divides by it or makes an array
    /// of that length. The others (modification counts, numbers that are only handed on) may take any value.
    pub decides: bool,
    /// Compared by `==` with something that may be the same string or box.
    by_identity: bool,
}

/// A type that a reference is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Class(ClassId),
    Array(ArrayId),
}

impl Kind {
    pub fn ty(self) -> Ty {
        match self {
            Kind::Class(class) => Ty::Class(class),
            Kind::Array(array) => Ty::Array(array),
        }
    }
}

/// Sets [`Bound::seen`] of every field and parameter; `operations` are what may be called from outside.
///
/// What is built in takes an object of its own class, by a bridge to the method that does: that `String` is `Comparable` is no question of the
/// program's.
pub fn mark(program: &mut Program, operations: &[MethodId], bridges: &FxHashSet<MethodId>) {
    let mut scan = Scan::new(program);
    scan.bridges = bridges.iter().copied().filter(|m| program.class(program.method(*m).class).is_built_in).collect();
    for (index, method) in program.methods.iter().enumerate() {
        if let Some(body) = &method.body {
            scan.rotations = rotations::of(program, method, body);
            scan.block(MethodId(index as u32), body, false);
        }
    }
    scan.widen_arrays();
    let shared = arrays::shared(&scan, operations);
    let seen = scan.finish();
    let identity = seen.identity.clone();
    let of = |place: u32, ty: Ty| {
        let mut found = seen.at(place).clone();
        found.may_be_shared.push(shared.get(&place).copied());
        if let Ty::Array(_) = ty {
            // What it is given are lengths.
            found.integers.clear();
        }
        // The bound of an array speaks of its elements.
        let mut ty = ty;
        while let Ty::Array(array) = ty {
            let elements = seen.at(seen.places.elements(array));
            found.integers.extend(&elements.integers);
            found.beyond_length |= elements.beyond_length;
            found.types.extend(&elements.types);
            found.may_be_shared.push(shared.get(&seen.places.elements(array)).copied());
            found.decides = elements.decides;
            ty = program.element_ty(array);
        }
        if let Ty::Class(class) = ty {
            let boxes = program.concrete_subclasses(class).filter(|&c| program.class(c).kind == ClassKind::Box);
            let mut numbers = boxes.flat_map(|c| program.instance_fields(c));
            found.decides = numbers.any(|f| seen.at(seen.places.field(f)).decides);
        }
        found
    };
    // A type parameter may stand for an array.
    let array_for = |field: FieldId| {
        let narrow = program.generics.instances.iter().filter_map(|i| i.fields.get(&field).map(|n| n.ty));
        narrow.into_iter().find(|ty| matches!(ty, Ty::Array(_)))
    };
    let all = (0..program.fields.len() as u32).map(FieldId);
    let fields: Vec<Seen> =
        all.map(|f| of(seen.places.field(f), array_for(f).unwrap_or(program.field(f).ty))).collect();
    let parameter = |m: usize, method: &Method, i: usize| {
        let local = LocalId(i as u32 + u32::from(!method.is_static));
        of(seen.places.local(MethodId(m as u32), local), method.parameters[i].ty)
    };
    let parameters: Vec<Vec<Seen>> = program
        .methods
        .iter()
        .enumerate()
        .map(|(m, method)| (0..method.parameters.len()).map(|i| parameter(m, method, i)).collect())
        .collect();
    for (field, seen) in program.fields.iter_mut().zip(fields) {
        field.bound.seen = seen;
    }
    for (method, seen) in program.methods.iter_mut().zip(parameters) {
        for (parameter, seen) in method.parameters.iter_mut().zip(seen) {
            parameter.bound.seen = seen;
        }
    }
    program.identity = identity;
    program.identity.values = value_classes(program);
}

/// A value, or what is made of it, goes from one place to another.
struct Flow {
    from: u32,
    to: u32,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    AsItIs,
    /// Something is added to it.
    InSum,
    /// By another operator.
    Computed,
}

/// A value is kept somewhere: a field, an element, or with the caller.
struct Store {
    place: u32,
    value: Value,
    /// It may be done again with the same value.
    in_loop: bool,
}

/// A comparison, one way round.
struct Comparison {
    of: Vec<u32>,
    with: Value,
}

struct Scan<'p> {
    program: &'p Program,
    places: Places,
    flows: Vec<Flow>,
    /// Constants that a place is given.
    given: Vec<(u32, i64)>,
    stores: Vec<Store>,
    comparisons: Vec<Comparison>,
    /// References of wide types that are compared by `==`.
    same: Vec<[Vec<u32>; 2]>,
    /// Classes of what a place of a wider type is given.
    hidden: Vec<(u32, ClassId)>,
    /// What is reported about a place right there.
    seen: Vec<Seen>,
    identity: Identity,
    /// Stores that move arrays around and keep none twice.
    rotations: FxHashSet<Span>,
    /// What a selector may run.
    targets: Vec<Vec<MethodId>>,
    /// Classes of the inputs, and `Integer` for the others, whose objects run something else for a selector than `Object`.
    overriding: Vec<Vec<ClassId>>,
    /// Arrays that a place is given as they are made.
    made: Vec<(u32, u64)>,
    /// What the class of an object may be compared with: those that the code names, those of other objects that it asks, and a string's.
    classes: Vec<Kind>,
    /// Of classes that are built in.
    bridges: FxHashSet<MethodId>,
}

impl<'p> Scan<'p> {
    fn new(program: &'p Program) -> Scan<'p> {
        let selectors =
            program.classes.iter().flat_map(|c| c.dispatch.keys()).map(|s| s.index() + 1).max().unwrap_or(0);
        let mut targets: Vec<Vec<MethodId>> = vec![Vec::new(); selectors];
        let mut overriding: Vec<Vec<ClassId>> = vec![Vec::new(); selectors];
        for (index, class) in program.classes.iter().enumerate() {
            for (selector, &method) in &class.dispatch {
                if !targets[selector.index()].contains(&method) {
                    targets[selector.index()].push(method);
                }
                let stands_for_all = class.is_input || class.name == "Integer";
                if stands_for_all && program.method(method).class != program.known.object {
                    overriding[selector.index()].push(ClassId(index as u32));
                }
            }
        }
        let places = Places::new(program);
        let seen = vec![Seen::default(); places.count()];
        Scan {
            program,
            places,
            flows: Vec::new(),
            given: Vec::new(),
            stores: Vec::new(),
            comparisons: Vec::new(),
            same: Vec::new(),
            hidden: Vec::new(),
            seen,
            identity: Identity::default(),
            rotations: FxHashSet::default(),
            targets,
            overriding,
            made: Vec::new(),
            classes: classes(program),
            bridges: FxHashSet::default(),
        }
    }

    fn block(&mut self, method: MethodId, body: &[Stmt], in_loop: bool) {
        walk::nodes(body, &mut |node| self.visit(method, node, in_loop));
    }

    fn visit(&mut self, method: MethodId, node: Visited<'_>, in_loop: bool) -> bool {
        match node {
            Visited::Expr(e) => self.expression(method, e, in_loop),
            Visited::Stmt(stmt) => match &stmt.kind {
                StmtKind::Return(Some(e)) => {
                    let (place, value) = (self.places.result(method), self.value(method, e));
                    self.hide(place, e);
                    self.assign(place, value);
                }
                StmtKind::Switch { on, cases, .. } => {
                    self.decides(method, on);
                    let of = self.value(method, on).places;
                    let constants = cases.iter().flat_map(|c| c.values.iter().copied()).collect();
                    let with = Value { constants, ..Value::default() };
                    self.comparisons.push(Comparison { of, with });
                }
                StmtKind::Loop { condition, body, update, .. } if !in_loop => {
                    walk::expr(condition, &mut |node| self.visit(method, node, true));
                    self.block(method, body, true);
                    update.iter().for_each(|e| walk::expr(e, &mut |node| self.visit(method, node, true)));
                    return false;
                }
                _ => {}
            },
        }
        true
    }

    fn expression(&mut self, method: MethodId, e: &Expr, in_loop: bool) {
        match &e.kind {
            ExprKind::SetLocal(local, v) => {
                let (place, value) = (self.places.local(method, *local), self.value(method, v));
                self.hide(place, v);
                self.assign(place, value);
            }
            ExprKind::SetField(_, field, v) | ExprKind::SetStatic(field, v) => {
                let place = self.places.field(*field);
                self.store(method, place, v, in_loop, e.span);
            }
            ExprKind::SetElement(a, i, v) => {
                self.index(method, a, i);
                if let Ty::Array(array) = a.ty {
                    self.identity.arrays.insert(array);
                    let place = self.places.elements(array);
                    self.store(method, place, v, in_loop, e.span);
                }
            }
            ExprKind::Element(a, i) => self.index(method, a, i),
            ExprKind::ArrayLiteral(elements) => {
                if let Ty::Array(array) = e.ty {
                    let place = self.places.elements(array);
                    elements.iter().for_each(|v| self.store(method, place, v, in_loop, v.span));
                }
            }
            ExprKind::NewArray(lengths) => lengths.iter().for_each(|l| {
                self.decides(method, l);
                self.sign_matters(method, l);
            }),
            ExprKind::Call(callee, arguments) => self.pass(method, &[*callee], 0, arguments),
            ExprKind::New(_, constructor, arguments) => self.pass(method, &[*constructor], 1, arguments),
            ExprKind::CallVirtual(selector, arguments) => {
                let targets = self.targets.get(selector.index()).cloned().unwrap_or_default();
                self.pass(method, &targets, 0, arguments);
                if let Some(receiver) = arguments.first() {
                    let classes = self.overriding.get(selector.index()).cloned().unwrap_or_default();
                    self.asked(method, receiver, classes.into_iter().map(Kind::Class));
                }
            }
            ExprKind::Intrinsic(Intrinsic::ArrayCopy, arguments) => self.copy(method, arguments),
            ExprKind::Intrinsic(intrinsic, arguments) => match (intrinsic, &arguments[..]) {
                (Intrinsic::IsSameObject, [a, b]) => self.same(method, a, b),
                (Intrinsic::SameClass, [a, b]) => self.same_class(method, a, b),
                (Intrinsic::ClassOf, [a]) => {
                    let kinds = self.classes.clone();
                    self.asked_by_name(method, a, kinds);
                }
                _ => {}
            },
            ExprKind::Compare(_, a, b) => {
                for (of, with) in [(a, b), (b, a)] {
                    self.decides(method, of);
                    let (of, with) = (self.value(method, of).places, self.value(method, with));
                    self.comparisons.push(Comparison { of, with });
                }
            }
            ExprKind::Binary(op, _, a, b) => match op {
                BinaryOp::Rem | BinaryOp::Div => {
                    self.decides(method, b);
                    self.sign_matters(method, a);
                    // Only then does it wrap around.
                    let divisor = self.value(method, b).constants;
                    for place in self.value(method, a).places {
                        self.seen[place as usize].integers.extend(&divisor);
                    }
                }
                BinaryOp::Shl | BinaryOp::Shr | BinaryOp::UShr => {
                    self.sign_matters(method, a);
                    self.sign_matters(method, b);
                }
                _ => {}
            },
            ExprKind::Convert(a) => {
                let ((from_lo, from_hi), (lo, hi)) = (a.ty.range(), e.ty.range());
                if lo > from_lo || hi < from_hi {
                    let with = Value { constants: vec![lo, hi], ..Value::default() };
                    let of = self.value(method, a).places;
                    self.comparisons.push(Comparison { of, with });
                }
            }
            ExprKind::Cast(..) if self.bridges.contains(&method) => {}
            ExprKind::InstanceOf(a, ty) | ExprKind::Cast(a, ty) => self.asked_by_name(method, a, kind(*ty)),
            ExprKind::Same(a, b) => self.same(method, a, b),
            _ => {}
        }
    }

    fn same(&mut self, method: MethodId, a: &Expr, b: &Expr) {
        for (x, y) in [(a, b), (b, a)] {
            self.asked_by_name(method, x, kind(y.ty));
            if let (Ty::Array(array), true) = (x.ty, y.ty != Ty::Null) {
                self.identity.arrays.insert(array);
            }
        }
        // There `==` decides nothing for strings and boxes: it only hurries the comparison.
        let within = self.program.method(method);
        let is_shortcut = self.program.hurries(within);
        let may_be_either = |ty: Ty| matches!(ty, Ty::Class(class) if !self.program.class(class).is_input);
        if !may_be_either(a.ty) || !may_be_either(b.ty) {
            return;
        }
        let (of_a, of_b) = (self.value(method, a).places, self.value(method, b).places);
        self.same.push([of_a.clone(), of_b.clone()]);
        if is_shortcut {
            return;
        }
        // A collection, say, is neither a string nor a box.
        if self.may_be_value(a.ty) && self.may_be_value(b.ty) {
            self.identity.wide_boxes |= !within.is_declarative;
            for (e, places) in [(a, &of_a), (b, &of_b)] {
                self.identity.tell(self.program, e.ty, &BTreeSet::new());
                for &place in places {
                    self.seen[place as usize].by_identity = true;
                }
            }
        }
        // Where they are the same, what one is asked for the other has to be as well.
        for (&from, &to) in of_a.iter().flat_map(|x| of_b.iter().map(move |y| (x, y))) {
            self.flows.extend([Flow { from, to, how: How::AsItIs }, Flow { from: to, to: from, how: How::AsItIs }]);
        }
    }

    /// Whether a string or a box may be there.
    fn may_be_value(&self, ty: Ty) -> bool {
        let Ty::Class(of) = ty else { return false };
        let all = (0..self.program.classes.len() as u32).map(ClassId);
        let is_value = |c: &ClassId| *c == self.program.known.string || self.program.class(*c).kind == ClassKind::Box;
        all.filter(is_value).any(|c| self.program.is_subclass(c, of))
    }

    /// `a.getClass() == b.getClass()`: if nothing says which class that may be, a string is of another one than most.
    fn same_class(&mut self, method: MethodId, a: &Expr, b: &Expr) {
        for (x, y) in [(a, b), (b, a)] {
            let is_made = matches!(y.kind, ExprKind::New(..));
            let is_wide = !is_made && matches!(y.ty, Ty::Class(class) if !self.program.class(class).is_input);
            let other = if is_wide { Some(Kind::Class(self.program.known.string)) } else { kind(y.ty) };
            self.asked_by_name(method, x, other);
        }
    }

    /// A reference of a wider type is asked whether it is one of these.
    fn asked(&mut self, method: MethodId, of: &Expr, kinds: impl IntoIterator<Item = Kind>) {
        let Ty::Class(class) = of.ty else { return };
        if self.program.class(class).is_input {
            return;
        }
        // That an object is of a class above its type is no question.
        let is_open = |kind: &Kind| !matches!(*kind, Kind::Class(asked) if self.program.is_subclass(class, asked));
        let kinds: Vec<Kind> = kinds.into_iter().filter(is_open).collect();
        for place in self.value(method, of).places {
            self.seen[place as usize].types.extend(&kinds);
        }
    }

    /// The same, by the names of classes, and not by a method that they override.
    fn asked_by_name(&mut self, method: MethodId, of: &Expr, kinds: impl IntoIterator<Item = Kind>) {
        let kinds: Vec<Kind> = kinds.into_iter().collect();
        let by = self.program.class(self.program.method(method).class);
        // What is built in asks for those that call it (`isInstance`).
        if (by.is_input || by.is_built_in) && !by.is_of_library {
            self.identity.asked.extend(kinds.iter().filter_map(|kind| match kind {
                Kind::Class(class) => Some(*class),
                Kind::Array(_) => None,
            }));
        }
        self.asked(method, of, kinds);
    }

    fn sign_matters(&mut self, method: MethodId, of: &Expr) {
        for place in self.value(method, of).places {
            self.seen[place as usize].integers.insert(-1);
        }
    }

    fn decides(&mut self, method: MethodId, e: &Expr) {
        let value = self.value(method, e);
        for place in value.places.into_iter().chain(value.computed_from) {
            self.seen[place as usize].decides = true;
        }
    }

    fn index(&mut self, method: MethodId, array: &Expr, index: &Expr) {
        self.decides(method, index);
        self.sign_matters(method, index);
        let of = self.value(method, index).places;
        let with = Value { lengths_of: self.value(method, array).places, is_length: true, ..Value::default() };
        self.comparisons.push(Comparison { of, with });
    }

    fn copy(&mut self, method: MethodId, arguments: &[Expr]) {
        let [from, at, to, index, count] = arguments else { return };
        if let (Ty::Array(a), Ty::Array(b)) = (from.ty, to.ty) {
            let (from, to) = (self.places.elements(a), self.places.elements(b));
            self.flows.push(Flow { from, to, how: How::AsItIs });
        }
        match to.ty {
            Ty::Array(array) => _ = self.identity.arrays.insert(array),
            // `Object` hides which.
            _ => self.identity.arrays.extend((0..self.program.arrays.len() as u32).map(ArrayId)),
        }
        self.index(method, from, at);
        self.index(method, to, index);
        self.index(method, from, count);
    }

    /// Arguments become parameters; a new object's constructor has `this` before them.
    fn pass(&mut self, method: MethodId, callees: &[MethodId], first: u32, arguments: &[Expr]) {
        for (i, argument) in arguments.iter().enumerate() {
            let value = self.value(method, argument);
            for &callee in callees {
                if (i as u32 + first) < self.program.method(callee).locals.len() as u32 {
                    let place = self.places.local(callee, LocalId(i as u32 + first));
                    self.hide(place, argument);
                    self.assign(place, value.clone());
                }
            }
        }
    }

    fn store(&mut self, method: MethodId, place: u32, v: &Expr, in_loop: bool, at: Span) {
        let value = self.value(method, v);
        if v.ty.is_reference() && !self.rotations.contains(&at) {
            self.stores.push(Store { place, value: value.clone(), in_loop });
        }
        self.hide(place, v);
        self.assign(place, value);
    }

    fn assign(&mut self, place: u32, value: Value) {
        let how = if value.is_sum { How::InSum } else { How::AsItIs };
        self.flows.extend(value.places.iter().map(|&from| Flow { from, to: place, how }));
        self.flows.extend(value.computed_from.iter().map(|&from| Flow { from, to: place, how: How::Computed }));
        self.given.extend(value.constants.iter().map(|&c| (place, c)));
        self.made.extend(value.allocations.iter().map(|&made| (place, made)));
    }

    /// From a place to another, where what is at the second is what was at the first, or that with something added.
    fn moves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.flows.iter().filter(|f| f.how != How::Computed && f.from != f.to).map(|f| (f.from, f.to))
    }

    /// What every place may be given: constants, and of an array the lengths that the code makes.
    fn given_constants(&self) -> Vec<BTreeSet<i64>> {
        let mut given = vec![BTreeSet::new(); self.places.count()];
        for &(place, constant) in &self.given {
            given[place as usize].insert(constant);
        }
        spread(&mut given, || self.moves());
        given
    }

    /// Of a wide type: it is given what has a narrower one, a class of the inputs, a string or a box. Then `==` asks what it is compared with
    /// for that, wherever the code that compares stands (in a collection of one's own).
    fn hide(&mut self, place: u32, value: &Expr) {
        let program = self.program;
        if let (Ty::Class(narrow), Ty::Class(wide)) = (value.ty, self.places.ty(program, place)) {
            let class = program.class(narrow);
            let is_value = narrow == program.known.string || class.kind == ClassKind::Box;
            if (is_value || class.is_input && !class.is_of_library) && !program.is_subclass(wide, narrow) {
                self.hidden.push((place, narrow));
                return;
            }
        }
        match &value.kind {
            ExprKind::Cast(a, _) | ExprKind::Sequence(_, a) => self.hide(place, a),
            ExprKind::Conditional(_, a, b) => [a, b].into_iter().for_each(|e| self.hide(place, e)),
            _ => {}
        }
    }

    /// Carries what is reported about a place back to all places that its values come from, and then the integers on to all that
    /// take them as they are: what an argument may be, a field that keeps it may be too.
    fn finish(mut self) -> Marked {
        let given = self.given_constants();
        for Comparison { of, with } in &self.comparisons {
            for &place in of {
                let seen = &mut self.seen[place as usize];
                for &c in &with.constants {
                    seen.integers.extend([c.saturating_sub(1), c, c.saturating_add(1)]);
                }
                if with.is_length {
                    seen.beyond_length = true;
                }
                seen.integers.extend(with.places.iter().flat_map(|&p| &given[p as usize]));
                for &length in with.lengths_of.iter().flat_map(|&p| &given[p as usize]) {
                    seen.integers.extend([length, length.saturating_add(1)]);
                }
            }
        }
        let mut classes = vec![BTreeSet::new(); self.places.count()];
        self.hidden.iter().for_each(|&(place, class)| _ = classes[place as usize].insert(class));
        spread(&mut classes, || self.moves());
        for [a, b] in &self.same {
            for (&of, &with) in a.iter().flat_map(|a| b.iter().flat_map(move |b| [(a, b), (b, a)])) {
                let Ty::Class(class) = self.places.ty(self.program, of) else { continue };
                let is_open = |asked: &&ClassId| !self.program.is_subclass(class, **asked);
                let asked = classes[with as usize].iter().filter(is_open).map(|c| Kind::Class(*c));
                self.seen[of as usize].types.extend(asked);
            }
        }
        let seen = &mut self.seen;
        carry(seen, self.flows.iter().map(|f| (f.to, f.from, f.how)), |seen, told, how| {
            seen.decides |= told.decides;
            if how != How::Computed {
                seen.integers.extend(&told.integers);
                seen.types.extend(&told.types);
                seen.beyond_length |= told.beyond_length;
                seen.by_identity |= told.by_identity;
            }
        });
        // Not through results: all callers of a method would have their constants in common.
        let kept = self.flows.iter().filter(|f| f.how == How::AsItIs && !self.places.is_result(f.from));
        carry(seen, kept.map(|f| (f.from, f.to, f.how)), |seen, told, _| {
            seen.integers.extend(&told.integers);
            seen.beyond_length |= told.beyond_length;
        });
        for (place, (seen, given)) in self.seen.iter_mut().zip(given).enumerate() {
            seen.integers.extend(given);
            if seen.by_identity {
                self.identity.tell(self.program, self.places.ty(self.program, place as u32), &seen.types);
            }
        }
        Marked { places: self.places, seen: self.seen, identity: self.identity }
    }
}

/// Adds what the first place is given to what the second is given, until nothing changes.
fn spread<T: Copy + Ord, I: Iterator<Item = (u32, u32)>>(given: &mut [BTreeSet<T>], moves: impl Fn() -> I) {
    let mut changed = true;
    while changed {
        changed = false;
        for (from, to) in moves() {
            let new: Vec<T> = given[from as usize].difference(&given[to as usize]).copied().collect();
            changed |= !new.is_empty();
            given[to as usize].extend(new);
        }
    }
}

/// Adds what is reported about the first place to what is reported about the second, until nothing changes.
fn carry(all: &mut [Seen], along: impl Iterator<Item = (u32, u32, How)> + Clone, add: impl Fn(&mut Seen, &Seen, How)) {
    let size = |s: &Seen| (s.integers.len(), s.types.len(), s.beyond_length, s.decides, s.by_identity);
    let mut changed = true;
    while changed {
        changed = false;
        for (from, to, how) in along.clone().filter(|(from, to, _)| from != to) {
            let told = std::mem::take(&mut all[from as usize]);
            let seen = &mut all[to as usize];
            let before = size(seen);
            add(seen, &told, how);
            changed |= before != size(seen);
            all[from as usize] = told;
        }
    }
}

/// What is reported about every place, directly or over the places that its values go to.
struct Marked {
    places: Places,
    seen: Vec<Seen>,
    identity: Identity,
}

impl Identity {
    /// Something of a type is compared by `==`, and asked for these. Boxes behind a wider type are always shared.
    fn tell(&mut self, program: &Program, ty: Ty, types: &BTreeSet<Kind>) {
        let string = program.known.string;
        self.strings |= ty == Ty::Class(string) || types.contains(&Kind::Class(string));
        self.boxes |= matches!(ty, Ty::Class(class) if program.class(class).kind == ClassKind::Box);
    }
}

impl Marked {
    fn at(&self, place: u32) -> &Seen {
        &self.seen[place as usize]
    }
}

fn classes(program: &Program) -> Vec<Kind> {
    let named = program.class_objects[..program.named_classes].iter().filter_map(|o| kind(o.0));
    let mut all: Vec<Kind> = named.chain([Kind::Class(program.known.string)]).collect();
    for body in program.methods.iter().filter_map(|m| m.body.as_ref()) {
        walk::block(body, &mut |e| {
            if let ExprKind::Intrinsic(Intrinsic::ClassOf, of) = &e.kind {
                // A wide type says nothing.
                let is_wide = |ty: Ty| matches!(ty, Ty::Class(class) if !program.class(class).is_input);
                all.extend(of.iter().filter(|a| !is_wide(a.ty)).filter_map(|a| kind(a.ty)));
            }
        });
    }
    all
}

fn kind(ty: Ty) -> Option<Kind> {
    match ty {
        Ty::Class(class) => Some(Kind::Class(class)),
        Ty::Array(array) => Some(Kind::Array(array)),
        _ => None,
    }
}
