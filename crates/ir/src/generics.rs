//! Type arguments, as far as start states need them: erased code does not know them, yet the `T v` of a `Box<Integer>` holds
//! nothing but Integers as long as nobody tricks the compiler. They limit the initial state only; code may store anything.

use crate::program::{ClassId, FieldId, Ty};
use rustc_hash::FxHashMap;

source::index_newtype!(
    /// Into [`Generics::instances`].
    InstanceId
);

/// Set by a front-end whose types have arguments.
#[derive(Clone, Debug, Default)]
pub struct Generics {
    pub instances: Vec<Instance>,
    /// What the fields of a class hold that inherits them from a generic one.
    pub of_class: FxHashMap<ClassId, InstanceId>,
}

/// A class with type arguments: what its fields hold whose types depend on them.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    pub fields: FxHashMap<FieldId, Narrow>,
}

/// What a reference holds (or the innermost elements of an array) whose erased type says less; of an integral type, any number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Narrow {
    pub ty: Ty,
    /// Of a class of the inputs: the concrete classes that fit, those that are generic with their type arguments.
    pub of: Vec<(ClassId, Option<InstanceId>)>,
    /// Whether it is in the place of the bounds of the field.
    pub is_stronger: bool,
}
