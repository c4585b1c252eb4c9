//! Calls in declarative code (dissertation, 2.9): translated once for their arguments, then taken from the cache.
//!
//! Recursion ends where the guards say that it does, or where the arguments must repeat: then it never ends, which is an
//! error (2.9.1). A translation in which something was so cut off is right at the outermost call of the method only; it is
//! cached for just that many calls within each other.

use crate::cache::{Key, Translation};
use crate::oracle::Stop;
use crate::statements::Locals;
use crate::symbolic::Symbolic;
use crate::translate::Translated;
use crate::value::{Obj, RefId, Refs, Sym};
use formula::Lit;
use ir::*;

/// Calls of one method within each other.
#[derive(Clone, Copy)]
pub struct Nest {
    /// How many more there can be before the arguments repeat; not counted before there is a second one.
    left: Option<u32>,
    /// Fresh objects then: a later one is an argument that was not counted.
    fresh: usize,
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
        let mut key: Key = (method, args.iter().map(|a| a.code()).collect());
        if let Some(found) = self.cache.find(&key).or_else(|| self.find_by_edge(&key, &args)) {
            return Ok((found.0, self.graph.known(found.1)));
        }
        let outer = self.nests.get(&method).copied();
        if outer.is_some()
            && let Some(several) = args.iter().position(|&a| self.is_one_of_several(a))
        {
            return self.call_each(method, args, several);
        }
        let fresh = self.heap.fresh.len();
        let left = outer.map(|nest| match nest.left {
            _ if nest.fresh != fresh => u32::MAX - self.depth,
            Some(left) => left - 1,
            None => self.most_nested(method, &args),
        });
        let never_ends = left == Some(0);
        if never_ends || self.depth >= self.limits.declarative_depth {
            if !never_ends {
                self.beyond.get_or_insert(self.program.method(method).name_span);
            }
            self.cut.insert(method);
            return Ok((None, Lit::TRUE));
        }
        let within = self.within(&key);
        if let Some(found) = within.as_ref().and_then(|key| self.cache.find(key)) {
            self.cut.extend(self.nests.keys());
            return Ok((found.0, self.graph.known(found.1)));
        }
        let cut_before = std::mem::take(&mut self.cut);
        self.nests.insert(method, Nest { left, fresh });
        self.cache.begin();
        let result = self.body_apart(method, args);
        match outer {
            Some(nest) => self.nests.insert(method, nest),
            None => {
                self.cut.remove(&method);
                self.nests.remove(&method)
            }
        };
        match within {
            Some(within) if !self.cut.is_empty() => key = within,
            Some(_) => {}
            None => self.cut.clear(),
        }
        self.cut.extend(cut_before);
        match &result {
            Ok(translation) => self.cache.end(key, *translation),
            Err(_) => self.cache.abandon(),
        }
        result
    }

    /// How often a method may be called within itself: in a call that ends, no two of them have the same arguments.
    fn most_nested(&self, method: MethodId, args: &[Sym]) -> u32 {
        let program = self.program;
        let mut most: usize = 1;
        for (local, &arg) in program.method(method).locals.iter().zip(args) {
            let objects = (0..self.heap.space_objects + self.heap.fresh.len()).map(|i| self.ty_of(Obj(i as u32)));
            let values = match arg {
                Sym::Bool(_) => 2,
                Sym::Int(_) => usize::MAX,
                // As they are, as they were before, and null.
                Sym::Ref(_) => 2 * objects.filter(|&ty| program.is_subtype(ty, local.ty)).count() + 1,
            };
            most = most.saturating_mul(values);
        }
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    /// The key of a translation that holds only here: some call within it was cut off.
    fn within(&self, key: &Key) -> Option<Key> {
        if self.nests.is_empty() {
            return None;
        }
        let mut nests: Vec<_> =
            self.nests.iter().map(|(m, nest)| u64::from(m.0) << 32 | u64::from(nest.left.unwrap_or(0))).collect();
        nests.sort_unstable();
        Some((key.0, key.1.iter().copied().chain(nests).collect()))
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

    /// A recursive call object by object: there are few objects, and no end of ways to combine their conditions.
    fn call_each(&mut self, method: MethodId, args: Vec<Sym>, several: usize) -> Result<Translation, Stop> {
        let Sym::Ref(id) = args[several] else { return Ok((None, Lit::TRUE)) };
        let (mut parts, mut error) = (Vec::new(), Lit::FALSE);
        for (obj, guard) in self.alternatives(id) {
            let mut args = args.clone();
            args[several] = self.single(obj);
            let (value, late) = self.call(method, args)?;
            let late = self.graph.and(guard, late);
            error = self.graph.or(error, late);
            parts.extend(value.map(|value| (guard, value)));
        }
        Ok((self.select(parts), error))
    }

    /// An object that is known to be at its slot is what the tree edge holds: the translation for the edge will do, and is
    /// the one that the initial formula was built from.
    fn find_by_edge(&mut self, key: &Key, args: &[Sym]) -> Option<Translation> {
        for (i, &arg) in args.iter().enumerate() {
            let Sym::Ref(id) = arg else { continue };
            let Some(edge) = self.edge_to(id) else { continue };
            let mut key = key.clone();
            key.1[i] = Sym::Ref(edge).code();
            if let Some(found) = self.cache.find(&key) {
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
        let program = self.program;
        let method = program.method(method);
        let Some(body) = &method.body else { return Ok((None, Lit::TRUE)) };
        let mut env: Locals = vec![None; method.locals.len()];
        for (local, value) in env.iter_mut().zip(args) {
            *local = Some(value);
        }
        self.depth += 1;
        let done = self.apart(|s| s.translate_block(body, &mut env));
        self.depth -= 1;
        let done = done?;
        Ok((done.value, done.error))
    }
}
