//! Calls in declarative code (dissertation, 2.9): translated once for their arguments, then taken from the cache.
//!
//! Recursion ends where the guards say that it does, or where the arguments must repeat: then it never ends, which is an
//! error (2.9.1): there are more calls within each other than values of their arguments, and nothing else changes meanwhile. A
//! translation in which something was so cut off is right at the outermost call of the method only; it is cached for just
//! that many calls within each other. What makes objects is made anew by each caller: it is cut off at once where it comes up within
//! itself, and is not cached then.

use crate::cache::{Cache, EntryId, Key, Translation};
use crate::makers::Made;
use crate::oracle::Stop;
use crate::statements::Locals;
use crate::symbolic::Symbolic;
use crate::tails::one_call;
use crate::translate::Translated;
use crate::value::{Obj, RefId, Refs, Sym};
use formula::{Lit, TermId};
use ir::*;
use std::sync::Arc;

/// From this depth on it is asked now and then whether the guards of all callers exclude each other.
const DEEP: u32 = 64;

/// A counter with more values is taken as it is.
const MOST_VALUES: u64 = 64;

/// Calls of one method within each other.
#[derive(Clone)]
pub struct Nest {
    /// How many there were with arguments that are counted: not with an object made since the outermost declarative call.
    calls: u64,
    /// How many values the arguments have that are references or Booleans; not counted before there is a second call.
    ways: Option<u64>,
    /// From where to where each argument that is an integer went in all of them.
    ranges: Vec<(i64, i64)>,
}

impl Nest {
    /// How many more calls there can be before the arguments repeat.
    fn left(&self) -> u64 {
        let width = |&(lo, hi): &(i64, i64)| hi.abs_diff(lo).saturating_add(1);
        let most = self.ranges.iter().map(width).fold(self.ways.unwrap_or(1), u64::saturating_mul);
        most.saturating_add(1).saturating_sub(self.calls)
    }
}

impl Symbolic<'_> {
    pub(crate) fn translate_call(&mut self, method: MethodId, args: &[Expr], env: &mut Locals, ty: Ty) -> Translated {
        let (args, error) = self.translate_all(args, env)?;
        let mut missing = Lit::FALSE;
        if !self.program.method(method).is_static
            && let Some(&Sym::Ref(this)) = args.first()
        {
            missing = self.is_null(this);
        }
        let (value, late) = self.call(method, args)?;
        let value = value.unwrap_or_else(|| self.default_of(ty));
        Ok((self.narrow(value), self.graph.or_all([error, missing, late])))
    }

    /// RD-CALL: every receiver there may be runs its own method.
    pub(crate) fn translate_virtual(
        &mut self,
        selector: SelectorId,
        args: &[Expr],
        env: &mut Locals,
        e: &Expr,
    ) -> Translated {
        let (args, mut error) = self.translate_all(args, env)?;
        let Some(&Sym::Ref(this)) = args.first() else { return Ok((self.default_of(e.ty), Lit::TRUE)) };
        let mut parts = Vec::new();
        for (obj, guard) in self.alternatives(this) {
            if obj == Obj::NULL {
                error = self.graph.or(error, guard);
                continue;
            }
            let Some(method) = self.method_of(obj, selector) else { continue };
            if !self.program.method(method).is_declarative && !e.pure {
                return Err(Stop::unsupported(e, "a call of a method that is not declarative, in declarative code"));
            }
            let mut args = args.clone();
            args[0] = self.single(obj);
            let (value, late) = self.call(method, args)?;
            let late = self.graph.and(guard, late);
            error = self.graph.or(error, late);
            let value = value.unwrap_or_else(|| self.default_of(e.ty));
            parts.push((guard, value));
        }
        match self.select(parts) {
            Some(value) => Ok((self.narrow(value), error)),
            None => Ok((self.default_of(e.ty), Lit::TRUE)),
        }
    }

    /// What a call of a selector on an object runs.
    pub fn method_of(&self, obj: Obj, selector: SelectorId) -> Option<MethodId> {
        let class = match self.ty_of(obj) {
            Ty::Class(class) => class,
            _ => self.program.known.object,
        };
        self.program.class(class).dispatch.get(&selector).copied()
    }

    /// A declarative call: from the cache, or translated and put there.
    pub fn call(&mut self, method: MethodId, args: Vec<Sym>) -> Result<Translation, Stop> {
        let args: Vec<Sym> = args.into_iter().map(|a| self.narrow(a)).collect();
        // It fills the object that it is given, once.
        if self.program.method(method).is_constructor {
            return self.body_apart(method, args);
        }
        if self.methods.is_small(self.program, method) {
            return self.body_apart(method, args);
        }
        let mut key: Key = (method, args.iter().map(|a| a.code()).collect());
        let is_root = !self.program.method(method).return_ty.is_reference();
        let makes = self.methods.makes(self.program, method);
        let nth = if makes && !is_root { self.makers.count(method) } else { 0 };
        let mut found = self.found(&key, &args)?;
        if found.is_none()
            && makes
            && !is_root
            && let Some(key) = self.makers.key_within(&key)
        {
            found = self.found(&key, &args)?;
        }
        if let Some(found) = found {
            return Ok((found.0, self.graph.known(found.1)));
        }
        let outer = self.nests.get(&method).cloned();
        if let Some(outer) = &outer
            && let Some(several) = args.iter().position(|&a| self.is_one_of_several(a))
        {
            let several = self.counter(&args, outer).unwrap_or(several);
            return self.call_each(method, args, several);
        }
        if self.nests.is_empty() {
            self.made_before = self.heap.fresh.len();
        }
        let is_counted = !args.iter().any(|&arg| self.is_newer(Some(arg), self.made_before));
        let nest = self.nested(method, &args, is_counted, outer.as_ref());
        // What makes objects is made anew by each caller, so there would be a translation for each way through as many calls.
        let is_within_itself = makes && is_counted && self.making.contains(&key);
        if outer.is_some() && (nest.left() == 0 || is_within_itself) {
            self.cut.insert(method);
            self.is_within_itself |= is_within_itself;
            return Ok((None, Lit::TRUE));
        }
        if self.has_cut
            && let Some(found) = self.within(&key).and_then(|key| self.cache.find(&key))
        {
            self.cut.extend(self.nests.keys());
            let found = self.cache.take(found);
            return Ok((found.0, self.graph.known(found.1)));
        }
        let cut_before = std::mem::take(&mut self.cut);
        let made = self.heap.fresh.len();
        self.nests.insert(method, nest);
        let making = (makes && is_counted).then(|| key.clone());
        self.making.extend(making.clone());
        self.cache.begin();
        if makes {
            self.makers.begin(key.clone(), is_root, nth);
        }
        let taken = self.makers.taken();
        let result = self.body_apart(method, args);
        match outer {
            Some(nest) => self.nests.insert(method, nest),
            None => {
                self.cut.remove(&method);
                self.nests.remove(&method)
            }
        };
        if let Some(making) = making {
            self.making.remove(&making);
        }
        // It is not the same for other callers.
        let is_guarded = self.is_guarded || self.is_within_itself && !self.nests.is_empty();
        if self.nests.is_empty() {
            self.cut.clear();
            self.is_guarded = false;
            self.is_within_itself = false;
        } else if !self.cut.is_empty() {
            self.has_cut = true;
            key = self.within(&key).unwrap_or(key);
        }
        match &result {
            Ok(_) if is_guarded => self.cache.abandon(),
            Ok(translation) => match self.made_by(translation.0, made, taken) {
                Made::Nothing => self.cache.end(key, *translation, None),
                Made::Kept if self.cut.is_empty() => match (self.makers.present(), self.makers.key_within(&key)) {
                    (Some(maker), Some(key)) => self.cache.end(key, *translation, Some(maker)),
                    _ => self.cache.abandon(),
                },
                _ => self.cache.abandon(),
            },
            Err(_) => self.cache.abandon(),
        }
        if makes {
            self.makers.end();
        }
        self.cut.extend(cut_before);
        result
    }

    /// The translation of a call, if it is in the cache, or was disabled by a write and all that it used comes out as before.
    fn found(&mut self, key: &Key, args: &[Sym]) -> Result<Option<Translation>, Stop> {
        if let Some(id) = self.cache.find(key).or_else(|| self.by_edge(key, args, Cache::find))
            && self.claims(id)
        {
            return Ok(Some(self.cache.take(id)));
        }
        if let Some(id) = self.by_choice(key)
            && self.cache.is_enabled(id)
        {
            return Ok(Some(self.cache.take(id)));
        }
        let Some(id) = self.cache.stale(key).or_else(|| self.by_edge(key, args, Cache::stale)) else {
            return Ok(None);
        };
        if !self.apart(|s| s.renew(id))? {
            return Ok(None);
        }
        Ok(Some(self.cache.take(id)))
    }

    /// Whether all that a disabled entry used comes out as before on this path: asked in the order in which it was used, so that
    /// nothing is translated that the call would not ask for. Then it holds as it stands.
    fn renew(&mut self, id: EntryId) -> Result<bool, Stop> {
        let method = self.cache.key(id).0;
        let makes = self.methods.makes(self.program, method);
        let maker = self.cache.maker(id);
        let taken = self.makers.taken();
        if let Some(maker) = maker {
            if self.makers.is_taken(maker) {
                return Ok(false);
            }
            self.makers.take(maker);
        }
        if makes {
            let is_root = !self.program.method(method).return_ty.is_reference();
            self.makers.begin_renewal(self.cache.key(id).clone(), is_root, maker);
        }
        self.cache.set_busy(id, true);
        let done = self.is_all_as_before(id);
        self.cache.set_busy(id, false);
        if makes {
            self.makers.end();
        }
        match done {
            Ok(true) => self.cache.enable(id),
            _ => self.makers.release(taken),
        }
        done
    }

    fn is_all_as_before(&mut self, id: EntryId) -> Result<bool, Stop> {
        let mut nth = 0;
        while let Some(used) = self.cache.used_by(id, nth) {
            let method = self.cache.key(used).0;
            let makes = self.methods.makes(self.program, method);
            let count = if makes { self.makers.count(method) } else { 0 };
            if makes {
                self.makers.set_count(method, count);
            }
            if !self.is_as_before(used)? {
                return Ok(false);
            }
            if makes {
                self.makers.set_count(method, count + 1);
            }
            nth += 1;
        }
        // What was made again may have other contents.
        let is_enabled = |&used: &EntryId| self.cache.is_enabled(used);
        Ok(!self.cache.is_changed(id) && self.cache.calls(id).iter().all(is_enabled))
    }

    fn is_as_before(&mut self, id: EntryId) -> Result<bool, Stop> {
        let maker = self.cache.maker(id);
        let is_own = maker.is_some() && self.makers.is_within(self.cache.key(id));
        if self.cache.is_enabled(id) {
            return Ok(!is_own || self.claims(id));
        }
        if self.cache.is_busy(id) || maker.is_some() && !is_own {
            return Ok(false);
        }
        if !self.cache.is_changed(id) && self.renew(id)? {
            return Ok(true);
        }
        let (method, mut codes) = self.cache.key(id).clone();
        if is_own {
            codes.pop();
        }
        // One that holds only within other calls.
        let declared = self.program.method(method);
        if codes.len() > declared.parameters.len() + usize::from(!declared.is_static) {
            return Ok(false);
        }
        self.cache.begin();
        let now = self.call(method, codes.iter().map(|&code| Sym::of_code(code)).collect());
        let before = self.cache.translation(id);
        let is_same = match &now {
            Ok(now) => self.is_same(*now, before),
            Err(_) => false,
        };
        if is_same {
            self.cache.confirm(id);
        } else {
            self.cache.forget();
        }
        now?;
        Ok(is_same)
    }

    /// Whether two translations are the same on this path.
    fn is_same(&mut self, a: Translation, b: Translation) -> bool {
        let values = match (a.0, b.0) {
            (Some(a), Some(b)) => self.narrow(a) == self.narrow(b),
            (a, b) => a == b,
        };
        values && self.graph.known(a.1) == self.graph.known(b.1)
    }

    /// Whether a value may be an object that was made when there were so many already.
    fn is_newer(&self, value: Option<Sym>, made: usize) -> bool {
        let Some(Sym::Ref(id)) = value else { return false };
        let first = self.heap.space_objects + made;
        match self.refs.get(id) {
            Refs::Guarded(list) => list.iter().any(|&(obj, _)| obj != Obj::NULL && obj.index() >= first),
            Refs::Choice { .. } => false,
        }
    }

    /// The calls of a method within each other, with one more.
    fn nested(&mut self, method: MethodId, args: &[Sym], is_counted: bool, outer: Option<&Nest>) -> Nest {
        let ranges = args.iter().filter_map(|&arg| match arg {
            Sym::Int(term) => Some(self.graph.bounds(term)),
            _ => None,
        });
        let Some(outer) = outer else {
            return Nest { calls: is_counted.into(), ways: None, ranges: ranges.collect() };
        };
        let ranges = outer.ranges.iter().zip(ranges).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))).collect();
        let ways = outer.ways.or_else(|| Some(self.ways_once(method, args)));
        Nest { calls: outer.calls + u64::from(is_counted), ways, ranges }
    }

    /// The same for all calls of a method within an outermost one.
    fn ways_once(&mut self, method: MethodId, args: &[Sym]) -> u64 {
        match self.ways.get(&method) {
            Some(&(made, ways)) if made == self.made_before => ways,
            _ => {
                let ways = self.ways(method, args);
                self.ways.insert(method, (self.made_before, ways));
                ways
            }
        }
    }

    /// In how many ways the references and Booleans among the arguments of a method can be chosen from what was there before the
    /// outermost declarative call.
    fn ways(&self, method: MethodId, args: &[Sym]) -> u64 {
        let program = self.program;
        let mut ways: u64 = 1;
        for (local, &arg) in program.method(method).locals.iter().zip(args) {
            let objects = (0..self.heap.space_objects + self.made_before).map(|i| self.ty_of(Obj(i as u32)));
            ways = ways.saturating_mul(match arg {
                Sym::Bool(_) => 2,
                Sym::Int(_) => 1,
                // As they are, as they were before, and null.
                Sym::Ref(_) => 2 * objects.filter(|&ty| program.is_subtype(ty, local.ty)).count() as u64 + 1,
            });
        }
        ways
    }

    /// The key of a translation that holds only here: some call within it was cut off.
    fn within(&self, key: &Key) -> Option<Key> {
        if self.nests.is_empty() {
            return None;
        }
        let mut nests: Vec<_> = self.nests.iter().collect();
        nests.sort_unstable_by_key(|(method, _)| **method);
        let mut codes = key.1.to_vec();
        for (method, nest) in nests {
            codes.extend([u64::from(method.0), nest.left()]);
            codes.extend(nest.ranges.iter().flat_map(|&(lo, hi)| [lo as u64, hi as u64]));
        }
        Some((key.0, codes.into()))
    }

    fn is_one_of_several(&self, value: Sym) -> bool {
        match value {
            Sym::Ref(id) => match self.refs.get(id) {
                Refs::Guarded(list) => list.iter().filter(|(obj, _)| *obj != Obj::NULL).count() > 1,
                Refs::Choice { .. } => true,
            },
            _ => false,
        }
    }

    /// An argument that counts the calls within each other, and so leaves the range that it had in the outer ones: nothing but its
    /// value tells where the recursion ends.
    fn counter(&self, args: &[Sym], outer: &Nest) -> Option<usize> {
        let integers = args.iter().enumerate().filter_map(|(i, arg)| match *arg {
            Sym::Int(term) => Some((i, term)),
            _ => None,
        });
        let is_counter = |term: TermId, (least, most): (i64, i64)| {
            let ((lo, hi), (from, to)) = (self.graph.interval(term), self.graph.bounds(term));
            (lo < least || hi > most) && from < to && to.abs_diff(from) < MOST_VALUES
        };
        integers.zip(&outer.ranges).find(|&((_, term), &range)| is_counter(term, range)).map(|((i, _), _)| i)
    }

    /// A recursive call object by object, and value by value of a counter: there are few, and no end of ways to combine their conditions.
    fn call_each(&mut self, method: MethodId, args: Vec<Sym>, several: usize) -> Result<Translation, Stop> {
        let each: Vec<(Sym, Lit)> = match args[several] {
            Sym::Ref(id) => {
                let each = self.alternatives(id);
                each.into_iter().map(|(obj, guard)| (self.single(obj), guard)).collect()
            }
            Sym::Int(term) => {
                let (from, to) = self.graph.bounds(term);
                let value = |v| (Sym::Int(self.graph.constant(v)), self.graph.eq_constant(term, v));
                (from..=to).map(value).collect()
            }
            Sym::Bool(_) => return Ok((None, Lit::TRUE)),
        };
        let (mut parts, mut error) = (Vec::new(), Lit::FALSE);
        for (arg, guard) in each {
            if self.graph.known(guard) == Lit::FALSE {
                continue;
            }
            let mut args = args.clone();
            args[several] = arg;
            let (value, late) = self.call(method, args)?;
            let late = self.graph.and(guard, late);
            error = self.graph.or(error, late);
            parts.extend(value.map(|value| (guard, value)));
        }
        Ok((self.select(parts), error))
    }

    /// An object that is known to be at its slot is what the tree edge holds: the translation for the edge will do, and is
    /// the one that the initial formula was built from.
    fn by_edge<T>(&mut self, key: &Key, args: &[Sym], find: fn(&mut Cache, &Key) -> Option<T>) -> Option<T> {
        for (i, &arg) in args.iter().enumerate() {
            let Sym::Ref(id) = arg else { continue };
            let Some(edge) = self.edge_to(id) else { continue };
            let mut key = key.clone();
            key.1[i] = Sym::Ref(edge).code();
            if let Some(found) = find(&mut self.cache, &key) {
                return Some(found);
            }
        }
        None
    }

    /// The value {present -> object, absent -> null} for a single object at a slot.
    fn edge_to(&mut self, id: RefId) -> Option<RefId> {
        let Refs::Guarded(list) = self.refs.get(id) else { return None };
        let &[(obj, _)] = &list[..] else { return None };
        if obj == Obj::NULL || obj.is_before() || self.heap.is_fresh(obj) {
            return None;
        }
        let before = self.graph.hide(true);
        let present = self.present(obj);
        self.graph.hide(before);
        if present.is_constant() || self.graph.value(present) != Some(true) {
            return None;
        }
        Some(self.refs.intern(Refs::Guarded(vec![(obj, present), (Obj::NULL, !present)])))
    }

    pub(crate) fn body_apart(&mut self, method: MethodId, args: Vec<Sym>) -> Result<Translation, Stop> {
        let (program, id) = (self.program, method);
        let method = program.method(method);
        let one_call = self.one_call.entry(id).or_insert_with(|| one_call(program, id).map(Arc::new)).clone();
        let (body, locals) = match (one_call.as_deref(), &method.body) {
            (Some(one), _) => (&one.body, one.locals),
            (None, Some(body)) => (body, method.locals.len()),
            (None, None) => return Ok((None, Lit::TRUE)),
        };
        // Where a number runs past the end that it is compared with, no guard of the method itself says so: `i == count ? 0 : f(i + 1)`.
        if self.depth >= DEEP && self.depth.is_power_of_two() && self.is_unreached() {
            self.is_guarded = true;
            return Ok((None, Lit::TRUE));
        }
        if self.depth >= self.limits.declarative_depth {
            self.beyond.get_or_insert(method.name_span);
            return Ok((None, Lit::TRUE));
        }
        self.tick(method.name_span)?;
        let mut env: Locals = vec![None; locals];
        for (local, value) in env.iter_mut().zip(args) {
            *local = Some(value);
        }
        self.depth += 1;
        let own = std::mem::replace(&mut self.own, self.heap.fresh.len());
        let done = self.apart(|s| s.translate_block(body, &mut env));
        self.own = own;
        self.depth -= 1;
        let done = done?;
        Ok((done.value, done.error))
    }
}
