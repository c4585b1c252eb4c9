//! The one executable intermediate representation of the bounded engines: a typed, structured, object-oriented
//! program with Java's semantics and none of Java's syntax.
//!
//! What goes in: what a front-end lowered. What comes out: nothing; it is plain data that the interpreter, the symbolic
//! executor and the declarative translation read. Invariants (checked by [`crate::wellformed`]):
//! - every index is in range; operands have the types the operator asks for; conversions are explicit;
//! - evaluation order is the order of the operands; an operand evaluated once but used twice is bound to a local first;
//! - `this` is local 0 of an instance method or constructor, the parameters follow, then everything else.

use crate::generics::{Generics, InstanceId, Narrow};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

source::index_newtype!(
    /// Into [`Program::classes`].
    ClassId,
    /// Into [`Program::fields`]; instance and static fields alike.
    FieldId,
    /// Into [`Program::methods`].
    MethodId,
    /// Into [`Program::arrays`]: an array type.
    ArrayId,
    /// Into [`Program::strings`]: a string constant.
    StringId,
    /// A name and an erased signature; methods that override each other share it.
    SelectorId,
    /// Into [`Method::locals`].
    LocalId,
    /// What `break` and `continue` name; unique within a method.
    LabelId
);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    Void,
    Bool,
    Byte,
    Short,
    Char,
    Int,
    Long,
    /// The type of `null`.
    Null,
    Class(ClassId),
    Array(ArrayId),
}

impl Ty {
    pub fn is_reference(self) -> bool {
        matches!(self, Ty::Null | Ty::Class(_) | Ty::Array(_))
    }

    /// `byte`, `short`, `char`, `int` or `long`.
    pub fn is_integral(self) -> bool {
        matches!(self, Ty::Byte | Ty::Short | Ty::Char | Ty::Int | Ty::Long)
    }

    /// The least and the greatest value of an integral type.
    pub fn range(self) -> (i64, i64) {
        match self {
            Ty::Byte => (i8::MIN.into(), i8::MAX.into()),
            Ty::Short => (i16::MIN.into(), i16::MAX.into()),
            Ty::Char => (0, u16::MAX.into()),
            Ty::Long => (i64::MIN, i64::MAX),
            _ => (i32::MIN.into(), i32::MAX.into()),
        }
    }
}

/// A whole program, as far as it was reached.
#[derive(Clone, Debug)]
pub struct Program {
    pub classes: Vec<Class>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    /// The element type of each array type; each appears once, but for the bits of numbers with a fraction.
    pub arrays: Vec<Ty>,
    /// Array types whose elements are such bits: other types than arrays of integers.
    pub float_arrays: FxHashMap<ArrayId, crate::float::Format>,
    pub strings: Vec<String>,
    /// So many of the last strings are in no state: only what shows one has them.
    pub strings_of_shows: usize,
    /// Run in this order, once, before every operation (docs/java.md, "Static fields"); one whose class another uses runs by then.
    pub static_initialisers: Vec<MethodId>,
    /// Static fields whose values vary from state to state are instance fields of an object per class that declares any.
    pub static_state: Vec<StaticState>,
    pub known: KnownClasses,
    /// What stands for type parameters, where start states depend on it.
    pub generics: Generics,
    /// Set by [`crate::seen`], not by a front-end.
    pub identity: Identity,
    /// Types, and the static fields with the objects that stand for them: all that an object may be of, if [`Intrinsic::ClassOf`] is used.
    pub class_objects: Vec<(Ty, FieldId)>,
    /// So many of the first are named by the code.
    pub named_classes: usize,
}

/// What the code compares by `==`, so that two equal ones that are not the same matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    pub boxes: bool,
    /// Boxes whose static type is wider (`Object`, a type variable), in code that runs.
    pub wide_boxes: bool,
    pub strings: bool,
    /// Also those whose elements it writes.
    pub arrays: FxHashSet<ArrayId>,
    /// Classes that code of the inputs, and not only of the library, asks an object for.
    pub asked: FxHashSet<ClassId>,
    /// Classes whose objects never change and are never compared: one in two places is as good as two.
    pub values: FxHashSet<ClassId>,
}

/// The object that has the varying static fields of a class.
#[derive(Clone, Copy, Debug)]
pub struct StaticState {
    /// The static field that holds it.
    pub field: FieldId,
    /// A class for it alone: abstract, not of the inputs.
    pub class: ClassId,
}

/// Classes that the semantics itself mentions.
#[derive(Clone, Copy, Debug)]
pub struct KnownClasses {
    pub object: ClassId,
    pub string: ClassId,
    pub throwable: ClassId,
    pub null_pointer: ClassId,
    pub index_out_of_bounds: ClassId,
    pub arithmetic: ClassId,
    pub class_cast: ClassId,
    pub negative_array_size: ClassId,
    pub array_store: ClassId,
    pub stack_overflow: ClassId,
    pub assertion: ClassId,
    /// `glassbox.StuckException`.
    pub stuck: ClassId,
}

#[derive(Clone, Debug)]
pub struct Class {
    pub name: String,
    pub superclass: Option<ClassId>,
    pub interfaces: Vec<ClassId>,
    pub kind: ClassKind,
    pub is_abstract: bool,
    /// Whether it stands in a file the user named, not in the library.
    pub is_input: bool,
    /// Whether it stands within a method: its objects hold copies of variables that no bound limits, so a state that was
    /// made up of them would be one that no program can make.
    pub is_local: bool,
    /// Whether another class has its place (dissertation, 3.3), or it was made to check something: a state holds no object of it but where
    /// it is named itself.
    pub is_apart: bool,
    /// Part of the language: an `==` in its `equals` only hurries the comparison.
    pub is_built_in: bool,
    /// One of the ready-made abstractions: an input, but with code that nobody has to read.
    pub is_ready_made: bool,
    /// Of the library, with a specification beside it: its `@Max` is about checks of the library's own classes.
    pub is_of_library: bool,
    /// Instance fields it declares itself, in order.
    pub fields: Vec<FieldId>,
    /// What a call of a selector on an object of exactly this class runs; inherited entries included. Empty for abstract ones.
    pub dispatch: FxHashMap<SelectorId, MethodId>,
    /// `@Max`.
    pub max: Option<SizeExpr>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassKind {
    Class,
    Interface,
    /// Its constants are the static fields of its own type that are marked [`Field::enum_constant`].
    Enum,
    /// `Integer` and its kin: one integral or Boolean instance field. `==` on two of them compares as Java's caches make it:
    /// equal values from -128 to 127 (and both Booleans) are one object, others are only if they are the same allocation.
    Box,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub class: ClassId,
    pub ty: Ty,
    pub is_static: bool,
    pub is_final: bool,
    pub enum_constant: bool,
    /// Not part of a state that a user wrote: the outer instance of an inner class, a captured local.
    pub is_synthetic: bool,
    pub bound: Bound,
    pub span: Span,
}

/// The static field that says whether the initialiser of its class has run, of a class that operations initialise.
pub const USED: &str = "<used>";

#[derive(Clone, Debug)]
pub struct Method {
    pub name: String,
    pub class: ClassId,
    pub selector: SelectorId,
    pub is_static: bool,
    pub is_constructor: bool,
    pub is_declarative: bool,
    /// Nobody marked it: a constructor that nobody wrote, a method of the library that changes nothing. Declarative where declarative code calls it,
    /// and executed elsewhere.
    pub is_implicit: bool,
    pub return_ty: Ty,
    /// How many parameters, `this` not counted; they are the first locals (after `this`).
    pub parameters: Vec<Parameter>,
    pub locals: Vec<Local>,
    /// None if abstract.
    pub body: Option<Block>,
    /// The whole declaration.
    pub span: Span,
    /// Its name only.
    pub name_span: Span,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: Ty,
    pub bound: Bound,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// Empty for a temporary.
    pub name: String,
    pub ty: Ty,
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Expr(Expr),
    If {
        condition: Expr,
        then: Block,
        otherwise: Block,
    },
    /// `while`, `do` and `for` in one: `init` runs before, outside. `continue` of its label goes to `update`, `break` after it.
    Loop {
        label: LabelId,
        test_first: bool,
        condition: Expr,
        body: Block,
        update: Vec<Expr>,
    },
    /// `break` of its label goes after it.
    Labelled {
        label: LabelId,
        body: Block,
    },
    /// Cases fall through; `break` of its label goes after it. `on` is an int.
    Switch {
        label: LabelId,
        on: Expr,
        cases: Vec<Case>,
    },
    Break(LabelId),
    Continue(LabelId),
    Return(Option<Expr>),
    Throw(Expr),
    Try {
        body: Block,
        catches: Vec<Catch>,
        finally: Block,
    },
    Assert {
        condition: Expr,
        message: Option<Expr>,
    },
    /// `GlassBox.assume`: a run on which it is false is dropped (dissertation, 2.11).
    Assume(Expr),
    Block(Block),
}

#[derive(Clone, Debug)]
pub struct Case {
    /// Empty and `is_default` for `default:` alone.
    pub values: Vec<i64>,
    pub is_default: bool,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Catch {
    pub classes: Vec<ClassId>,
    pub local: LocalId,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
    /// No side effect and no branch that matters: it may be translated instead of executed (dissertation, 5.4).
    /// Set by [`crate::purity`], not by a front-end.
    pub pure: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    W32,
    W64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Throws on a zero divisor; `MIN / -1` wraps.
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// The right operand is taken modulo the width of the left; it may be an int beside a long.
    Shl,
    Shr,
    UShr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Non-short-circuit Boolean operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LogicOp {
    And,
    Or,
    /// Also `!=` on Booleans.
    Xor,
    /// `==` on Booleans.
    Eq,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    /// Of the integral type of the expression.
    Int(i64),
    Null,
    String(StringId),
    Local(LocalId),
    SetLocal(LocalId, Box<Expr>),
    /// Throws if the object is null.
    Field(Box<Expr>, FieldId),
    SetField(Box<Expr>, FieldId, Box<Expr>),
    Static(FieldId),
    SetStatic(FieldId, Box<Expr>),
    /// Array, index. Throws if null or out of bounds.
    Element(Box<Expr>, Box<Expr>),
    /// Array, index, value; all three are evaluated before anything is checked.
    SetElement(Box<Expr>, Box<Expr>, Box<Expr>),
    Length(Box<Expr>),
    Not(Box<Expr>),
    Negate(Width, Box<Expr>),
    /// `~`
    Complement(Width, Box<Expr>),
    Binary(BinaryOp, Width, Box<Expr>, Box<Expr>),
    /// Of integers of one width.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    Logic(LogicOp, Box<Expr>, Box<Expr>),
    /// `&&`
    AndThen(Box<Expr>, Box<Expr>),
    /// `||`
    OrElse(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `==` of references.
    Same(Box<Expr>, Box<Expr>),
    /// To the integral type of the expression, as Java narrows and widens.
    Convert(Box<Expr>),
    /// False for null.
    InstanceOf(Box<Expr>, Ty),
    /// Throws `ClassCastException`.
    Cast(Box<Expr>, Ty),
    /// Of a static method, or exactly this constructor, `super` or private method (then the receiver is the first argument,
    /// and a null one throws).
    Call(MethodId, Vec<Expr>),
    /// The receiver is the first argument; its class decides.
    CallVirtual(SelectorId, Vec<Expr>),
    /// A new object with default values, then the constructor with it as receiver; the value is the object.
    New(ClassId, MethodId, Vec<Expr>),
    /// Lengths of the first dimensions; the elements have their default value. The array type is the type of the expression.
    NewArray(Vec<Expr>),
    ArrayLiteral(Vec<Expr>),
    /// Statements, then a value: for a compound assignment, `++`, a `switch` expression.
    Sequence(Block, Box<Expr>),
    /// A new string whose contents are not modelled; the parts are evaluated.
    Concat(Vec<Expr>),
    Intrinsic(Intrinsic, Vec<Expr>),
    /// Something that is not supported: an error if a run gets here, and only then (docs/java.md, "Which Java").
    Unsupported(Box<Diagnostic>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intrinsic {
    /// `GlassBox.size()`: n.
    Size,
    /// Whether the run is one that shows a state, where strings have contents.
    ShowsTexts,
    /// `GlassBox.isSameObject(x, y)`: `==` across pre-state and state.
    IsSameObject,
    /// `GlassBox.surely(b)`: b where it is seen to hold in all states at hand; it may be false anywhere else.
    Surely,
    /// `System.identityHashCode` and `Object.hashCode`: a fixed number per object.
    IdentityHash,
    /// Whether two objects, neither null, are of the same class: `a.getClass() == b.getClass()`.
    SameClass,
    /// The object that stands for the class of an object, which must not be null: `a.getClass()`.
    ClassOf,
    /// Source, position, destination, position, count.
    ArrayCopy,
    /// A shallow copy of an array or of an object.
    Clone,
    /// An operation on numbers with a fraction, by their bits.
    Float(crate::float::FloatOp, crate::float::Format),
}

/// An integer expression over n, in a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SizeExpr {
    Const(i64),
    N,
    Add(Box<SizeExpr>, Box<SizeExpr>),
    Sub(Box<SizeExpr>, Box<SizeExpr>),
    Mul(Box<SizeExpr>, Box<SizeExpr>),
    Div(Box<SizeExpr>, Box<SizeExpr>),
}

impl SizeExpr {
    /// None on overflow and division by zero.
    pub fn eval(&self, n: i64) -> Option<i64> {
        match self {
            SizeExpr::Const(c) => Some(*c),
            SizeExpr::N => Some(n),
            SizeExpr::Add(a, b) => a.eval(n)?.checked_add(b.eval(n)?),
            SizeExpr::Sub(a, b) => a.eval(n)?.checked_sub(b.eval(n)?),
            SizeExpr::Mul(a, b) => a.eval(n)?.checked_mul(b.eval(n)?),
            SizeExpr::Div(a, b) => a.eval(n)?.checked_div(b.eval(n)?),
        }
    }

    /// Whether it is the same at all sizes, by how it is written.
    pub fn is_constant(&self) -> bool {
        match self {
            SizeExpr::Const(_) => true,
            SizeExpr::N => false,
            SizeExpr::Add(a, b) | SizeExpr::Sub(a, b) | SizeExpr::Mul(a, b) | SizeExpr::Div(a, b) => {
                a.is_constant() && b.is_constant()
            }
        }
    }
}

/// `lo..hi`, both ends included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeExpr {
    pub lo: SizeExpr,
    pub hi: SizeExpr,
    /// The annotation.
    pub span: Span,
}

/// What the annotations beside a field or parameter say about its initial values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bound {
    /// `@Tree`
    pub tree: bool,
    /// `@Range`: of the value, or of the elements of an array.
    pub range: Option<RangeExpr>,
    /// `@Length`, outermost dimension first.
    pub lengths: Vec<RangeExpr>,
    /// `@OneOf`
    pub one_of: Option<Vec<ClassId>>,
    /// `@NonNull`
    pub non_null: bool,
    /// Every place of the tree is taken.
    pub padded: bool,
    /// What type arguments say beyond the erased type.
    pub narrow: Option<Narrow>,
    /// `@Owned`: no other field or parameter holds the same array.
    pub owned: bool,
    /// The integer is the bits of a number with a fraction.
    pub format: Option<crate::float::Format>,
    /// A final field that holds a new object from the beginning, of a class of which no state has objects, by name: nothing can be made up
    /// for it.
    pub made: Option<String>,
    /// Set by [`crate::seen`], not by a front-end.
    pub seen: crate::seen::Seen,
}

impl Bound {
    /// With which type arguments objects of a class fit.
    pub fn instance(&self, class: ClassId) -> Option<InstanceId> {
        let narrow = self.narrow.as_ref().filter(|_| self.one_of.is_none())?;
        narrow.of.iter().find(|(c, _)| *c == class).and_then(|(_, instance)| *instance)
    }
}

impl Program {
    /// The strings that states may hold.
    pub fn constants(&self) -> &[String] {
        &self.strings[..self.strings.len() - self.strings_of_shows]
    }

    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    pub fn element_ty(&self, id: ArrayId) -> Ty {
        self.arrays[id.index()]
    }

    /// Instance fields of a class, inherited ones first.
    pub fn instance_fields(&self, class: ClassId) -> Vec<FieldId> {
        let mut fields = match self.class(class).superclass {
            Some(superclass) => self.instance_fields(superclass),
            None => Vec::new(),
        };
        fields.extend(&self.class(class).fields);
        fields
    }

    /// Whether an `==` in a method only hurries a comparison: in `equals` of what is part of the language.
    pub fn hurries(&self, method: &Method) -> bool {
        method.name == "equals" && self.class(method.class).is_built_in
    }

    /// Whether identity hashes are looked at: then objects of one class are not interchangeable.
    pub fn looks_at_identity(&self) -> bool {
        let mut found = false;
        let mut visit = |e: &Expr| found |= matches!(e.kind, ExprKind::Intrinsic(Intrinsic::IdentityHash, _));
        self.methods.iter().filter_map(|m| m.body.as_ref()).for_each(|body| crate::walk::block(body, &mut visit));
        found
    }

    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        let c = self.class(class);
        class == of
            || of == self.known.object
            || c.superclass.is_some_and(|s| self.is_subclass(s, of))
            || c.interfaces.iter().any(|&i| self.is_subclass(i, of))
    }

    /// What a call of a selector may run, whatever the object is.
    pub fn implementations(&self, selector: SelectorId) -> impl Iterator<Item = MethodId> + '_ {
        self.classes.iter().filter_map(move |c| c.dispatch.get(&selector).copied())
    }

    /// What a call of a selector on an object of a class may run; a method that several classes inherit comes more than once.
    pub fn targets(&self, selector: SelectorId, of: ClassId) -> impl Iterator<Item = MethodId> {
        let classes = (0..self.classes.len() as u32).map(ClassId).filter(move |&c| self.is_subclass(c, of));
        classes.filter_map(move |c| self.class(c).dispatch.get(&selector).copied())
    }

    /// Whether a value of type `ty` may stand where `of` is expected (references only).
    pub fn is_subtype(&self, ty: Ty, of: Ty) -> bool {
        match (ty, of) {
            _ if ty == of => true,
            (Ty::Null, _) => of.is_reference(),
            (Ty::Class(a), Ty::Class(b)) => self.is_subclass(a, b),
            (Ty::Array(_), Ty::Class(b)) => b == self.known.object,
            (Ty::Array(a), Ty::Array(b)) => {
                let (a, b) = (self.element_ty(a), self.element_ty(b));
                a.is_reference() && b.is_reference() && self.is_subtype(a, b)
            }
            _ => false,
        }
    }

    /// Classes without abstract methods whose objects may stand where `of` is expected.
    pub fn concrete_subclasses(&self, of: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        (0..self.classes.len() as u32)
            .map(ClassId)
            .filter(move |&c| !self.class(c).is_abstract && self.class(c).kind != ClassKind::Interface)
            .filter(move |&c| self.is_subclass(c, of))
    }

    /// Those of them whose objects a state may hold.
    pub fn state_subclasses(&self, of: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        self.concrete_subclasses(of).filter(move |&c| {
            let class = self.class(c);
            class.is_input && !class.is_local && (!class.is_apart || c == of)
        })
    }

    /// As a Java programmer would write it.
    pub fn ty_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Void => "void".into(),
            Ty::Bool => "boolean".into(),
            Ty::Byte => "byte".into(),
            Ty::Short => "short".into(),
            Ty::Char => "char".into(),
            Ty::Int => "int".into(),
            Ty::Long => "long".into(),
            Ty::Null => "null".into(),
            Ty::Class(class) => self.class(class).name.clone(),
            Ty::Array(array) => match self.float_arrays.get(&array) {
                Some(crate::float::Format::Single) => "float[]".into(),
                Some(crate::float::Format::Double) => "double[]".into(),
                None => format!("{}[]", self.ty_name(self.element_ty(array))),
            },
        }
    }
}

impl Method {
    /// The locals that hold the arguments, `this` included.
    pub fn argument_locals(&self) -> std::ops::Range<u32> {
        0..self.parameters.len() as u32 + u32::from(!self.is_static)
    }
}
