//! What is to be checked: a class with its invariant, and its operations with their specifications.

use crate::heap::Heap;
use crate::interp::Linked;
use crate::program::{ClassId, FieldId, MethodId, Program, Ty};
use crate::value::{ObjId, Value};
use source::Span;

/// A class to be checked (docs/java.md, "What is checked").
#[derive(Clone, Debug)]
pub struct Checked {
    pub class: ClassId,
    pub kind: CheckedKind,
    /// `repOk` or `wellTyped`: an instance method without parameters.
    pub invariant: MethodId,
    pub operations: Vec<Operation>,
    /// Gives a state as text: an instance method without parameters. Nothing but that is done with it.
    pub show: Option<MethodId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedKind {
    /// The invariant is `repOk`.
    DataStructure,
    /// The invariant is `wellTyped`; `smallStep` runs on states that are not final (dissertation, Figure 4.4).
    Language { is_final_state: MethodId },
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub method: MethodId,
    /// As the user knows it: `insert(int, Object)`.
    pub name: String,
    pub kind: OperationKind,
    pub preconditions: Vec<Spec>,
    pub postconditions: Vec<Spec>,
    /// What may escape: `@MayThrow` and declared `throws`.
    pub may_throw: Vec<MayThrow>,
    pub span: Span,
    /// If it is run on the object and on its abstraction (dissertation, chapter III): the method is a driver of both then.
    pub compared: Option<Compared>,
    /// Of a driver that runs two operations in both orders, on two objects that are equal.
    pub orders: Option<Orders>,
    /// Of a block that is checked by itself: its label. Its parameters are the variables that it uses.
    pub block: Option<String>,
    /// What must hold of an argument that may be another object of the checked class: it is valid (before, too), and has no array of the
    /// checked object. They are among the postconditions.
    pub others: Vec<Spec>,
    /// Where its result is, if that may be an object of the checked class: it must be valid, too.
    pub made: Option<Made>,
    /// What the choice of operations and their start states leave out, as far as it matters here.
    pub left_out: Vec<verdict::LeftOut>,
}

/// Where a result is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Made {
    Returned,
    /// In this field of what a driver returns.
    In(FieldId),
}

impl Checked {
    /// Whether something of that type is an object of the class.
    pub fn has(&self, program: &Program, ty: Ty) -> bool {
        matches!(ty, Ty::Class(class) if program.is_subclass(class, self.class))
    }
}

impl Operation {
    /// Whether an exception of exactly this class may escape.
    pub fn may_escape(&self, program: &Program, thrown: ClassId) -> bool {
        let is_named = |may: &MayThrow| {
            let is_below = |of: ClassId| program.is_subclass(thrown, of);
            thrown == may.class || is_below(may.class) && !may.except.iter().any(|&c| is_below(c))
        };
        self.may_throw.iter().any(is_named)
    }

    /// The parameters that may be other objects of the checked class.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        self.others.iter().filter_map(|spec| match spec.arguments[..] {
            [SpecArgument::Parameter(index)] => Some(index),
            _ => None,
        })
    }

    /// The checked object, these others, and what the operation made: no two of them have anything of their trees in common.
    pub fn roots(
        &self,
        program: &Program,
        checked: &Checked,
        heap: &Heap,
        object: Option<ObjId>,
        given: &[Value],
        made: Option<ObjId>,
    ) -> Vec<ObjId> {
        let others = self.others().filter_map(|index| match given.get(index) {
            Some(&Value::Obj(other)) => checked.has(program, heap.ty(other)).then_some(other),
            _ => None,
        });
        object.into_iter().chain(others).chain(made).collect()
    }

    /// The result, if it is an object of the checked class.
    pub fn made(&self, linked: &Linked<'_>, checked: &Checked, heap: &Heap, returned: Value) -> Option<ObjId> {
        let result = match (self.made?, returned) {
            (Made::Returned, returned) => returned,
            (Made::In(field), Value::Obj(both)) => heap.get(both, linked.layout.slot(field))?,
            (Made::In(_), _) => return None,
        };
        match result {
            Value::Obj(made) => checked.has(linked.program, heap.ty(made)).then_some(made),
            _ => None,
        }
    }
}

/// An operation beside that of an abstraction. The driver returns an object with a field `a`, the abstraction after the abstract operation;
/// `r` and `s`, the results of the operation and the abstract one, if there are any; and `t` and `u`, what they threw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The name of the abstraction.
    pub abstraction: String,
    /// The operation itself.
    pub operation: MethodId,
    /// The abstraction function.
    pub function: MethodId,
    /// The postconditions that compare results, and abstractions.
    pub same_result: MethodId,
    pub same_state: MethodId,
    /// The parameter that is another object of the class: the abstraction gets its abstraction, and both are compared afterwards.
    pub other: Option<usize>,
}

impl Compared {
    /// Whether this postcondition compares the two.
    pub fn compares(&self, method: MethodId) -> bool {
        method == self.same_result || method == self.same_state
    }
}

/// Two operations in both orders (dissertation, 8.1), on the fields `a` and `b` of an object. The driver returns an object with fields `r1` and
/// `t1` (what the first one returned and threw on `a`), `r2` and `t2` (on `b`), `s1`, `u1`, `s2` and `u2` (of the second one).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orders {
    pub names: [String; 2],
    /// How many of the driver's arguments are for the first.
    pub arguments: usize,
    /// Whether there are two: else one operation runs on both objects.
    pub is_pair: bool,
    /// Whether the objects are abstractions: those of modules count as different if these are.
    pub is_abstraction: bool,
    /// The postconditions that compare results, and states.
    pub same_result: MethodId,
    pub same_state: MethodId,
}

/// An exception that may escape, with all that are below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MayThrow {
    pub class: ClassId,
    /// But for what is below these: `throws Exception` names no `NullPointerException`.
    pub except: Vec<ClassId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationKind {
    Method,
    Constructor,
    Static,
}

/// A declarative Boolean method that specifies an operation, and what it is given (after `this`, if it has one).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    pub method: MethodId,
    pub arguments: Vec<SpecArgument>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecArgument {
    /// The checked object as it was (null for a constructor).
    PreState,
    /// The operation's parameter of that number: as it was for a precondition, as it is afterwards for a postcondition.
    Parameter(usize),
    /// The parameter of that number as it was, for a postcondition.
    Before(usize),
    Result,
}
