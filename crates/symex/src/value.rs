//! Symbolic values (dissertation, 5.1): a set of elements c -> α whose conditions exclude each other and cover everything.
//! Booleans are one literal, integers one term; references are such sets, interned.

use formula::{Lit, TermId};
use ir::{CACHED, ClassId};
use rustc_hash::FxHashMap;

/// An object of the symbolic heap, null, or an object as it was before the operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Obj(pub u32);

const BEFORE: u32 = 1 << 31;

impl Obj {
    pub const NULL: Obj = Obj(BEFORE - 1);

    pub fn index(self) -> usize {
        (self.0 & !BEFORE) as usize
    }

    /// Whether it is an object of the pre-state (2.11): never `==` to one of the state.
    pub fn is_before(self) -> bool {
        self.0 & BEFORE != 0
    }

    pub fn before(self) -> Obj {
        Obj(self.0 | BEFORE)
    }

    pub fn now(self) -> Obj {
        Obj(self.0 & !BEFORE)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RefId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sym {
    Bool(Lit),
    Int(TermId),
    Ref(RefId),
}

impl Sym {
    /// A number that tells values apart, for keys of caches.
    pub fn code(self) -> u64 {
        match self {
            Sym::Bool(lit) => u64::from(lit.code()),
            Sym::Int(term) => 1 << 32 | u64::from(term.0),
            Sym::Ref(id) => 2 << 32 | u64::from(id.0),
        }
    }

    /// The value with a code.
    pub fn of_code(code: u64) -> Sym {
        let number = code as u32;
        match code >> 32 {
            0 => Sym::Bool(Lit::of_code(number)),
            1 => Sym::Int(TermId(number)),
            _ => Sym::Ref(RefId(number)),
        }
    }
}

/// What a reference may be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Refs {
    /// Ascending by object; at least one.
    Guarded(Vec<(Obj, Lit)>),
    /// One of many, not written out until someone asks: the table's entry at the index; null if that object is not in the state.
    Choice { index: TermId, table: u32 },
}

/// What the index of a choice chooses from.
#[derive(Clone, PartialEq, Eq)]
pub struct Table {
    pub objects: Vec<Obj>,
    /// Whether equal references have equal indices: all objects are in every state, and null is the first entry.
    pub is_exact: bool,
    /// The boxes of integers among the objects of an exact table, by place.
    pub boxes: Vec<Boxes>,
}

/// Boxes of consecutive integers at consecutive places: there the number in the box is an index but for a constant.
#[derive(Clone, PartialEq, Eq)]
pub struct Boxes {
    pub class: ClassId,
    pub first: i64,
    pub last: i64,
    /// The number in the box at the first place.
    pub value: i64,
}

impl Table {
    /// Where boxes of a class keep a number that `==` on boxes compares.
    pub fn boxes_within(&self, class: ClassId, (lo, hi): (i64, i64)) -> Option<&Boxes> {
        let holds = |b: &&Boxes| b.class == class && b.value <= lo && hi <= b.value + (b.last - b.first);
        self.boxes.iter().find(holds).filter(|_| CACHED.contains(&lo) && CACHED.contains(&hi))
    }
}

/// All references ever made, and the tables of choices.
#[derive(Clone, Default)]
pub struct RefStore {
    refs: Vec<Refs>,
    table: FxHashMap<Refs, RefId>,
    /// The references to just one object, by object: now, and before.
    singles: [Vec<Option<RefId>>; 2],
    null: Option<RefId>,
    pub tables: Vec<Table>,
}

impl RefStore {
    pub fn intern(&mut self, refs: Refs) -> RefId {
        if let Refs::Guarded(list) = &refs
            && let [(obj, Lit::TRUE)] = list[..]
        {
            return self.single(obj);
        }
        if let Some(&id) = self.table.get(&refs) {
            return id;
        }
        let id = self.add(refs.clone());
        self.table.insert(refs, id);
        id
    }

    fn add(&mut self, refs: Refs) -> RefId {
        self.refs.push(refs);
        RefId(self.refs.len() as u32 - 1)
    }

    pub fn get(&self, id: RefId) -> &Refs {
        &self.refs[id.0 as usize]
    }

    /// The entry of a table.
    pub fn chosen(&self, table: u32, index: i64) -> Obj {
        self.tables[table as usize].objects[index as usize]
    }

    /// Where an object is in a table.
    pub fn place(&self, table: u32, obj: Obj) -> Option<i64> {
        self.tables[table as usize].objects.iter().position(|&o| o == obj).map(|place| place as i64)
    }

    /// The object that a reference is in every state.
    pub fn only(&self, id: RefId) -> Option<Obj> {
        match self.get(id) {
            Refs::Guarded(list) if list.len() == 1 => Some(list[0].0),
            _ => None,
        }
    }

    pub fn single(&mut self, obj: Obj) -> RefId {
        let known = match obj {
            Obj::NULL => &mut self.null,
            _ => {
                let singles = &mut self.singles[usize::from(obj.is_before())];
                if singles.len() <= obj.index() {
                    singles.resize(obj.index() + 1, None);
                }
                &mut singles[obj.index()]
            }
        };
        match *known {
            Some(id) => id,
            None => {
                let id = RefId(self.refs.len() as u32);
                *known = Some(id);
                self.add(Refs::Guarded(vec![(obj, Lit::TRUE)]))
            }
        }
    }
}
