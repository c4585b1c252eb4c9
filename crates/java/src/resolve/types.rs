//! Static types, with type arguments: what erasure forgets is needed to insert the casts and unboxings that Java
//! inserts. Subtyping of class types is that of their erasures: a program that `javac` accepts needs no more.

use crate::syntax::ast::{Name, Prim};
use std::rc::Rc;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index!(
    /// Into the class table.
    ClassIx,
    /// Into the methods of the class table.
    MethodIx,
    /// Into the fields of the class table.
    FieldIx,
    /// A type parameter of a class or method.
    VarIx
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Prim(Prim),
    Null,
    /// No arguments: not generic, or raw.
    Class(ClassIx, Rc<[Type]>),
    Array(Rc<Type>),
    Var(VarIx),
    /// As a type argument only: `? extends T` (false), `? super T` (true), `?`.
    Wild(Option<(bool, Rc<Type>)>),
    /// All of them at once: what two types have in common. A class comes first; none is a supertype of another.
    Both(Rc<[Type]>),
    /// A diagnostic was already given: fits everywhere.
    Error,
}

pub const INT: Type = Type::Prim(Prim::Int);
pub const BOOL: Type = Type::Prim(Prim::Bool);

impl Type {
    pub fn class(ix: ClassIx) -> Type {
        Type::Class(ix, Rc::from([]))
    }

    pub fn array(element: Type) -> Type {
        Type::Array(Rc::new(element))
    }

    pub fn is_reference(&self) -> bool {
        !matches!(self, Type::Void | Type::Prim(_))
    }

    pub fn is_error(&self) -> bool {
        matches!(self, Type::Error)
    }

    pub fn prim(&self) -> Option<Prim> {
        match self {
            Type::Prim(p) => Some(*p),
            _ => None,
        }
    }

    pub fn is_floating(&self) -> bool {
        matches!(self, Type::Prim(Prim::Float | Prim::Double))
    }

    /// Replaces type variables; one that is bound to a wildcard becomes what a read through it gives.
    pub fn substitute(&self, map: &Substitution) -> Type {
        match self {
            Type::Var(v) => match map.get(*v) {
                Some(t) => t.clone(),
                None => self.clone(),
            },
            Type::Class(c, args) if !args.is_empty() => {
                Type::Class(*c, args.iter().map(|a| a.substitute(map)).collect())
            }
            Type::Array(e) => Type::array(e.substitute(map)),
            Type::Both(parts) => Type::Both(parts.iter().map(|p| p.substitute(map)).collect()),
            Type::Wild(Some((sup, t))) => match t.substitute(map) {
                Type::Wild(inner) => Type::Wild(inner),
                t => Type::Wild(Some((*sup, Rc::new(t)))),
            },
            _ => self.clone(),
        }
    }

    pub fn mentions(&self, vars: &[VarIx]) -> bool {
        match self {
            Type::Var(v) => vars.contains(v),
            Type::Class(_, args) => args.iter().any(|a| a.mentions(vars)),
            Type::Array(e) => e.mentions(vars),
            Type::Both(parts) => parts.iter().any(|p| p.mentions(vars)),
            Type::Wild(Some((_, t))) => t.mentions(vars),
            _ => false,
        }
    }
}

/// From type variables to types; small, so a list.
#[derive(Clone, Default, Debug)]
pub struct Substitution(pub Vec<(VarIx, Type)>);

impl Substitution {
    pub fn new(vars: &[VarIx], types: &[Type]) -> Substitution {
        Substitution(vars.iter().copied().zip(types.iter().cloned()).collect())
    }

    pub fn get(&self, var: VarIx) -> Option<&Type> {
        self.0.iter().find(|(v, _)| *v == var).map(|(_, t)| t)
    }

    pub fn set(&mut self, var: VarIx, ty: Type) {
        match self.0.iter_mut().find(|(v, _)| *v == var) {
            Some(entry) => entry.1 = ty,
            None => self.0.push((var, ty)),
        }
    }
}

pub fn prim_name(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "boolean",
        Prim::Byte => "byte",
        Prim::Short => "short",
        Prim::Char => "char",
        Prim::Int => "int",
        Prim::Long => "long",
        Prim::Float => "float",
        Prim::Double => "double",
    }
}

/// Whether a primitive widens to another (or is the same).
pub fn prim_widens(from: Prim, to: Prim) -> bool {
    let rank = |p| match p {
        Prim::Bool => 0,
        Prim::Byte => 1,
        Prim::Short => 2,
        Prim::Char => 2,
        Prim::Int => 3,
        Prim::Long => 4,
        Prim::Float => 5,
        Prim::Double => 6,
    };
    from == to || (from != Prim::Bool && to != Prim::Bool && to != Prim::Char && rank(from) < rank(to))
}

/// The box class of a primitive, by its simple name.
pub fn box_name(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "Boolean",
        Prim::Byte => "Byte",
        Prim::Short => "Short",
        Prim::Char => "Character",
        Prim::Int => "Integer",
        Prim::Long => "Long",
        Prim::Float => "Float",
        Prim::Double => "Double",
    }
}

pub fn name(text: &str) -> Name {
    Rc::from(text)
}
