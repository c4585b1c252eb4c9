//! Supertypes, subtyping on erasures, members with inheritance and hiding.

use super::*;

/// A method as it is seen through a type: with the type that declares it.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub method: MethodIx,
    /// Parameters and result with the class's type variables replaced.
    pub params: Vec<Type>,
    pub ret: Type,
}

impl Table<'_> {
    /// A class with its own type parameters as arguments: the type of `this`.
    pub fn self_type(&self, ix: ClassIx) -> Type {
        Type::Class(ix, self.class(ix).type_params.iter().map(|v| Type::Var(*v)).collect())
    }

    /// What stands for the type parameters of a class in a type of it; erased bounds if it is raw.
    pub fn substitution(&mut self, ty: &Type) -> Substitution {
        let Type::Class(c, args) = ty else { return Substitution::default() };
        let params = self.class(*c).type_params.clone();
        if args.len() == params.len() {
            return Substitution::new(&params, args);
        }
        let erased: Vec<Type> = params.iter().map(|v| self.erasure(&Type::Var(*v))).collect();
        Substitution::new(&params, &erased)
    }

    /// A type variable or wildcard as the type that a value of it may be used as.
    pub fn upper(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Wild(Some((false, t))) => self.upper(&t.clone()),
            Type::Wild(_) => self.object(),
            _ => ty.clone(),
        }
    }

    /// As [`Table::upper`], for a value that is put in: `? super T` takes a T.
    pub fn lower(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Wild(Some((_, t))) => self.lower(&t.clone()),
            Type::Wild(None) => self.object(),
            _ => ty.clone(),
        }
    }

    /// Where members are looked up: class types only; a type variable has those of all its bounds.
    pub fn bounds(&mut self, ty: &Type) -> Vec<Type> {
        match ty {
            Type::Class(..) | Type::Array(_) => vec![ty.clone()],
            Type::Var(v) => {
                let bounds = self.vars[v.index()].bounds.clone();
                if bounds.is_empty() {
                    return vec![self.object()];
                }
                bounds
                    .iter()
                    .filter(|b| *b != ty)
                    .flat_map(|b| if let Type::Var(_) = b { self.bounds_once(b) } else { self.bounds(b) })
                    .collect()
            }
            Type::Both(parts) => parts.to_vec(),
            Type::Wild(_) => {
                let upper = self.upper(ty);
                self.bounds(&upper)
            }
            _ => Vec::new(),
        }
    }

    /// A variable bounded by a variable: followed a few steps, since `<A extends B, B extends A>` may be written.
    fn bounds_once(&mut self, ty: &Type) -> Vec<Type> {
        let mut ty = ty.clone();
        for _ in 0..8 {
            let Type::Var(v) = ty else { return vec![ty] };
            match self.vars[v.index()].bounds.first() {
                Some(b) => ty = b.clone(),
                None => return vec![self.object()],
            }
        }
        vec![self.object()]
    }

    pub fn erasure(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Class(c, _) => Type::class(*c),
            Type::Array(e) => Type::array(self.erasure(&e.clone())),
            Type::Var(_) => match self.bounds_once(ty).first() {
                Some(Type::Class(c, _)) => Type::class(*c),
                Some(other) => other.clone(),
                None => self.object(),
            },
            Type::Both(parts) => parts.first().cloned().map_or(self.object(), |p| self.erasure(&p)),
            Type::Wild(_) => {
                let upper = self.upper(ty);
                self.erasure(&upper)
            }
            _ => ty.clone(),
        }
    }

    /// Direct supertypes of a class type, with its arguments put in.
    pub fn supertypes(&mut self, ty: &Type) -> Vec<Type> {
        let Type::Class(c, _) = ty else { return Vec::new() };
        let header = self.header(*c);
        let map = self.substitution(ty);
        header.superclass.iter().chain(&header.interfaces).map(|t| t.substitute(&map)).collect()
    }

    /// The type seen as one of its superclasses or interfaces.
    pub fn as_super(&mut self, ty: &Type, class: ClassIx) -> Option<Type> {
        for bound in self.bounds(ty) {
            let Type::Class(c, _) = &bound else { continue };
            if *c == class {
                return Some(bound);
            }
            for parent in self.supertypes(&bound) {
                if let Some(found) = self.as_super(&parent, class) {
                    return Some(found);
                }
            }
        }
        None
    }

    pub fn is_subclass(&mut self, class: ClassIx, of: ClassIx) -> bool {
        if class == of || of == ClassIx(0) {
            return true;
        }
        let header = self.header(class);
        header.superclass.iter().chain(&header.interfaces).any(|t| match t {
            Type::Class(c, _) => self.is_subclass(*c, of),
            _ => false,
        })
    }

    /// Whether a reference of the first type may stand where the second is expected, by erasure.
    pub fn is_subtype(&mut self, ty: &Type, of: &Type) -> bool {
        if ty == of || ty.is_error() || of.is_error() {
            return true;
        }
        match (ty, of) {
            (Type::Null, _) => of.is_reference(),
            (_, Type::Both(parts)) => parts.iter().all(|p| self.is_subtype(ty, p)),
            (Type::Both(parts), _) => parts.iter().any(|p| self.is_subtype(p, of)),
            (Type::Var(_) | Type::Wild(_), _) => {
                let of = self.erasure(of);
                self.bounds(ty).iter().any(|b| self.is_subtype(b, &of))
            }
            (_, Type::Var(_) | Type::Wild(_)) => {
                let of = self.erasure(of);
                self.is_subtype(ty, &of)
            }
            (Type::Class(a, _), Type::Class(b, _)) => self.is_subclass(*a, *b),
            (Type::Array(_), Type::Class(b, _)) => {
                *b == ClassIx(0) || matches!(self.class(*b).name.as_str(), "Cloneable" | "Serializable")
            }
            (Type::Array(a), Type::Array(b)) => {
                if a.is_reference() && b.is_reference() {
                    self.is_subtype(&a.clone(), &b.clone())
                } else {
                    a == b
                }
            }
            _ => false,
        }
    }

    pub fn boxed(&mut self, prim: Prim) -> Type {
        let qualified = format!("java.lang.{}", box_name(prim));
        self.known_type(&qualified)
    }

    /// A type as that of an object.
    pub fn box_of(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Prim(p) => self.boxed(*p),
            _ => ty.clone(),
        }
    }

    /// The primitive a box class holds.
    pub fn unboxed(&mut self, ty: &Type) -> Option<Prim> {
        let [Type::Class(c, _)] = self.bounds(ty)[..] else { return None };
        let info = self.class(c);
        if info.unit.package != "java.lang" || info.unit.origin != Origin::Prelude {
            return None;
        }
        let prims = [Prim::Int, Prim::Bool, Prim::Long, Prim::Char, Prim::Byte, Prim::Short, Prim::Float, Prim::Double];
        prims.into_iter().find(|p| box_name(*p) == info.name)
    }

    /// The primitive type itself or the one it unboxes to.
    pub fn as_prim(&mut self, ty: &Type) -> Option<Prim> {
        ty.prim().or_else(|| self.unboxed(ty))
    }

    /// The least type both are subtypes of (JLS 4.10.4): one of the two, else all that they have in common.
    pub fn join(&mut self, a: &Type, b: &Type) -> Type {
        if self.is_subtype(a, b) {
            return b.clone();
        }
        if self.is_subtype(b, a) {
            return a.clone();
        }
        if matches!(a, Type::Array(_)) || matches!(b, Type::Array(_)) {
            // What they share with classes, `Serializable`, is not told of arrays at run time here.
            return self.object();
        }
        let mut shared: Vec<(ClassIx, Type)> = Vec::new();
        let mut todo = self.bounds(a);
        while let Some(ty) = todo.pop() {
            let Type::Class(c, _) = &ty else { continue };
            if let Some(other) = self.as_super(b, *c) {
                // Where they differ in type arguments, it is what both are without.
                let common = if other == ty { ty.clone() } else { Type::class(*c) };
                shared.push((*c, common));
            } else {
                todo.extend(self.supertypes(&ty));
            }
        }
        let mut least: Vec<Type> = Vec::new();
        for (i, (c, ty)) in shared.iter().enumerate() {
            let is_above = |table: &mut Self, (j, (d, _)): (usize, &(ClassIx, Type))| {
                if c == d { j < i } else { table.is_subclass(*d, *c) }
            };
            if *c != ClassIx(0) && !shared.iter().enumerate().any(|other| is_above(self, other)) {
                least.push(ty.clone());
            }
        }
        least.sort_by_key(|ty| matches!(ty, Type::Class(c, _) if self.class(*c).is_interface()));
        match &least[..] {
            [] => self.object(),
            [only] => only.clone(),
            _ => Type::Both(least.into()),
        }
    }

    /// A field by name, the nearest one: its own, then the interfaces', then the superclass's.
    pub fn find_field(&mut self, ty: &Type, name: &str) -> Option<(FieldIx, Type)> {
        for bound in self.bounds(ty) {
            let Type::Class(c, _) = &bound else { continue };
            let members = self.members(*c);
            if let Some(&f) = members.fields.iter().find(|f| &*self.field(**f).name == name) {
                let map = self.substitution(&bound);
                let seen = self.field(f).ty.substitute(&map);
                return Some((f, self.upper(&seen)));
            }
            for parent in self.supertypes(&bound).into_iter().rev() {
                if let Some(found) = self.find_field(&parent, name) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// All methods of that name, inherited ones included unless overridden, as seen through the type.
    pub fn find_methods(&mut self, ty: &Type, name: &str) -> Vec<Candidate> {
        let mut found = Vec::new();
        for bound in self.bounds(ty) {
            self.collect_methods(&bound, name, &mut found);
        }
        // An interface has the methods of Object too.
        let object = self.object();
        self.collect_methods(&object, name, &mut found);
        found
    }

    fn collect_methods(&mut self, ty: &Type, name: &str, found: &mut Vec<Candidate>) {
        let Type::Class(c, _) = ty else { return };
        let members = self.members(*c);
        let map = self.substitution(ty);
        for &m in &members.methods {
            let info = self.method(m);
            if &*info.name != name || info.is_constructor {
                continue;
            }
            let params: Vec<Type> = info.params.iter().map(|p| p.substitute(&map)).collect();
            let ret = info.ret.substitute(&map);
            let erased: Vec<Type> = params.iter().map(|p| self.erasure(p)).collect();
            let overridden = found.iter().any(|f| {
                f.method == m
                    || (f.params.len() == params.len()
                        && f.params.clone().iter().map(|p| self.erasure(p)).collect::<Vec<Type>>() == erased)
            });
            if !overridden {
                found.push(Candidate { method: m, params, ret });
            }
        }
        for parent in self.supertypes(ty) {
            self.collect_methods(&parent, name, found);
        }
    }

    pub fn constructors(&mut self, ty: &Type) -> Vec<Candidate> {
        let Type::Class(c, _) = ty else { return Vec::new() };
        let members = self.members(*c);
        let map = self.substitution(ty);
        let constructors = members.methods.iter().filter(|m| self.method(**m).is_constructor);
        constructors
            .map(|&m| {
                let info = self.method(m);
                let params = info.params.iter().map(|p| p.substitute(&map)).collect();
                Candidate { method: m, params, ret: ty.clone() }
            })
            .collect()
    }

    /// The one abstract method of a functional interface, as seen through the type.
    pub fn functional_method(&mut self, ty: &Type) -> Option<Candidate> {
        let bounds = self.bounds(ty);
        let Some(Type::Class(c, _)) = bounds.first() else { return None };
        if !self.class(*c).is_interface() {
            return None;
        }
        let mut found = Vec::new();
        self.abstract_methods(&bounds[0], &mut found);
        let [only] = found.as_slice() else { return None };
        Some(only.clone())
    }

    fn abstract_methods(&mut self, ty: &Type, found: &mut Vec<Candidate>) {
        let Type::Class(c, _) = ty else { return };
        let names: Vec<Name> = {
            let members = self.members(*c);
            members.methods.iter().map(|m| self.method(*m).name.clone()).collect()
        };
        for name in names {
            let mut all = Vec::new();
            self.collect_methods(ty, &name, &mut all);
            for candidate in all {
                let info = self.method(candidate.method);
                let is_objects = matches!((&*name, info.params.len()), ("equals", 1) | ("hashCode" | "toString", 0));
                if info.is_abstract && !is_objects && !found.iter().any(|f| f.method == candidate.method) {
                    found.push(candidate);
                }
            }
        }
        for parent in self.supertypes(ty) {
            let mut inherited = Vec::new();
            self.abstract_methods(&parent, &mut inherited);
            for candidate in inherited {
                let name = self.method(candidate.method).name.clone();
                let mut seen = Vec::new();
                self.collect_methods(ty, &name, &mut seen);
                let still = seen.iter().any(|s| s.method == candidate.method);
                if still && !found.iter().any(|f| f.method == candidate.method) {
                    found.push(candidate);
                }
            }
        }
    }
}
