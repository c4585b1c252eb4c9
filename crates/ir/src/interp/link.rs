//! What the interpreter looks up at every step, worked out once per program.
//!
//! What goes in: a well-formed program. What comes out: the same with tables for field slots, virtual dispatch, subclass
//! tests and fresh frames. It is read-only, so that threads share it.

use crate::heap::{Layout, default_value};
use crate::program::*;
use crate::value::*;

pub struct Linked<'p> {
    pub program: &'p Program,
    pub layout: Layout,
    /// Per class, by selector; `u32::MAX` if there is none.
    dispatch: Vec<Box<[u32]>>,
    /// A bit per pair of classes.
    subclasses: Vec<u64>,
    words_per_class: usize,
    /// Per method, what its locals hold at first, arguments included.
    frames: Vec<Box<[Value]>>,
    is_box: Vec<bool>,
    tree_fields: Vec<Box<[FieldId]>>,
}

const NO_METHOD: u32 = u32::MAX;

impl<'p> Linked<'p> {
    pub fn new(program: &'p Program) -> Linked<'p> {
        let dispatch = program.classes.iter().map(|class| {
            let length = class.dispatch.keys().map(|s| s.index() + 1).max().unwrap_or(0);
            let mut table = vec![NO_METHOD; length];
            for (selector, method) in &class.dispatch {
                table[selector.index()] = method.0;
            }
            table.into_boxed_slice()
        });
        let words_per_class = program.classes.len().div_ceil(64);
        let mut subclasses = vec![0; words_per_class * program.classes.len()];
        for class in 0..program.classes.len() as u32 {
            for of in 0..program.classes.len() as u32 {
                if program.is_subclass(ClassId(class), ClassId(of)) {
                    subclasses[class as usize * words_per_class + of as usize / 64] |= 1u64 << (of % 64);
                }
            }
        }
        let frames = program.methods.iter().map(|m| m.locals.iter().map(|l| default_value(l.ty)).collect());
        Linked {
            program,
            layout: Layout::new(program),
            dispatch: dispatch.collect(),
            subclasses,
            words_per_class,
            frames: frames.collect(),
            is_box: program.classes.iter().map(|c| c.kind == ClassKind::Box).collect(),
            tree_fields: (0..program.classes.len() as u32).map(|c| tree_fields(program, ClassId(c))).collect(),
        }
    }

    #[inline]
    pub fn dispatch(&self, class: ClassId, selector: SelectorId) -> Option<MethodId> {
        let method = *self.dispatch[class.index()].get(selector.index())?;
        (method != NO_METHOD).then_some(MethodId(method))
    }

    #[inline]
    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        self.subclasses[class.index() * self.words_per_class + of.index() / 64] >> (of.index() % 64) & 1 == 1
    }

    /// Whether an object of exactly this type is an instance of that one.
    #[inline]
    pub fn is_instance(&self, ty: Ty, of: Ty) -> bool {
        match (ty, of) {
            (Ty::Class(class), Ty::Class(of)) => self.is_subclass(class, of),
            _ => self.program.is_subtype(ty, of),
        }
    }

    /// The instance fields of a class that are `@Tree`, inherited ones first.
    pub fn tree_fields(&self, class: ClassId) -> &[FieldId] {
        &self.tree_fields[class.index()]
    }

    #[inline]
    pub(crate) fn frame(&self, method: MethodId) -> &[Value] {
        &self.frames[method.index()]
    }

    #[inline]
    pub(crate) fn is_box(&self, ty: Ty) -> bool {
        matches!(ty, Ty::Class(class) if self.is_box[class.index()])
    }
}

fn tree_fields(program: &Program, class: ClassId) -> Box<[FieldId]> {
    program.instance_fields(class).into_iter().filter(|&field| program.field(field).bound.tree).collect()
}
