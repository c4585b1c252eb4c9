//! Objects that declarative code makes (dissertation, 3.3: abstractions). A call that makes objects is a maker, and keeps them: translated
//! again after a write, it makes the same objects with other contents. So what was translated about them holds but for those whose
//! contents changed, and an abstraction after a run costs what the run changed.
//!
//! That is right as long as nobody can tell. Objects live no longer than the innermost call around their maker that returns no reference:
//! the root. Within one translation of its root a maker is taken at most once; a second call that would be the same maker is
//! another one.

use crate::cache::{EntryId, Key};
use crate::heap::Place;
use crate::symbolic::Symbolic;
use crate::value::{Obj, Refs, Sym};
use ir::MethodId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MakerId(u32);

/// Marks the code of a root, the last of a key.
const ROOT: u64 = 3 << 32;

#[derive(Clone)]
struct Maker {
    root: Option<MakerId>,
    key: Key,
    made: Vec<Obj>,
    /// Makers that it called, in order.
    calls: Vec<(MethodId, MakerId)>,
    /// Its place among those that are taken.
    taken: Option<usize>,
}

/// A call that is being translated or renewed.
#[derive(Clone)]
struct Frame {
    key: Key,
    /// The frame of its root; none if nothing holds it together with its caller: then what it makes is nobody's.
    root: Option<usize>,
    maker: Option<MakerId>,
    /// Whether it was looked for.
    is_sought: bool,
    /// Which of its caller's calls of the method it is.
    nth: usize,
    calls: SmallVec<[(MethodId, usize); 4]>,
    made: usize,
    /// How many were taken when it began.
    taken: usize,
}

#[derive(Clone, Copy)]
enum Change {
    Maker,
    Made(MakerId),
    Call(MakerId),
}

/// What of that which a call made its value refers to.
pub enum Made {
    Nothing,
    /// Objects that their makers keep.
    Kept,
    /// Others, which another call makes again.
    Anew,
}

#[derive(Clone, Default)]
pub struct Makers {
    all: Vec<Maker>,
    table: FxHashMap<(Option<MakerId>, Key), MakerId>,
    frames: Vec<Frame>,
    taken: Vec<MakerId>,
    /// Since [`Makers::keep`].
    changes: Vec<Change>,
}

impl Makers {
    fn get(&self, id: MakerId) -> &Maker {
        &self.all[id.0 as usize]
    }

    fn get_mut(&mut self, id: MakerId) -> &mut Maker {
        &mut self.all[id.0 as usize]
    }

    /// Counts one more call in the present one; which of those of its method it is.
    pub fn count(&mut self, method: MethodId) -> usize {
        let Some(frame) = self.frames.last_mut() else { return 0 };
        match frame.calls.iter_mut().find(|(m, _)| *m == method) {
            Some((_, count)) => {
                *count += 1;
                *count - 1
            }
            None => {
                frame.calls.push((method, 1));
                0
            }
        }
    }

    /// The next call of the method is to be this one.
    pub fn set_count(&mut self, method: MethodId, count: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.calls.retain(|(m, _)| *m != method);
            frame.calls.push((method, count));
        }
    }

    /// A call begins to be translated.
    pub fn begin(&mut self, key: Key, is_root: bool, nth: usize) {
        let here = self.frames.len();
        let root = if is_root { Some(here) } else { self.frames.last().and_then(|f| f.root) };
        let taken = self.taken.len();
        let calls = SmallVec::new();
        self.frames.push(Frame { key, root, maker: None, is_sought: false, nth, calls, made: 0, taken });
    }

    /// An entry of the cache is being renewed: with its maker if it has one. Objects within others of that kind are nobody's.
    pub fn begin_renewal(&mut self, key: Key, is_root: bool, maker: Option<MakerId>) {
        self.begin(key, is_root, 0);
        if let Some(frame) = self.frames.last_mut() {
            (frame.maker, frame.is_sought) = (maker, maker.is_some());
            if !is_root && maker.is_none() {
                frame.root = None;
            }
        }
    }

    /// It ended.
    pub fn end(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if frame.root == Some(self.frames.len()) {
            self.release(frame.taken);
        }
    }

    /// Those taken since there were so many are not needed.
    pub fn release(&mut self, taken: usize) {
        while self.taken.len() > taken {
            if let Some(id) = self.taken.pop() {
                self.get_mut(id).taken = None;
            }
        }
    }

    pub fn taken(&self) -> usize {
        self.taken.len()
    }

    pub fn is_taken(&self, id: MakerId) -> bool {
        self.get(id).taken.is_some()
    }

    pub fn take(&mut self, id: MakerId) {
        self.get_mut(id).taken = Some(self.taken.len());
        self.taken.push(id);
    }

    /// Whether it was taken when there were so many already.
    pub fn is_since(&self, id: MakerId, taken: usize) -> bool {
        self.get(id).taken.is_some_and(|at| at >= taken)
    }

    /// The root of the present call, if it ever made something.
    pub fn root(&mut self) -> Option<MakerId> {
        let root = self.frames.last()?.root?;
        if !self.frames[root].is_sought {
            self.seek(root);
        }
        self.frames[self.frames.last()?.root?].maker
    }

    /// Takes the maker of a root, if it ever made something.
    fn seek(&mut self, root: usize) {
        self.frames[root].is_sought = true;
        match self.table.get(&(None, self.frames[root].key.clone())).copied() {
            Some(id) if self.is_taken(id) => self.give_up(root),
            Some(id) => _ = self.assign(root, id),
            None => {}
        }
    }

    /// What this root makes is nobody's: it is being translated within itself.
    fn give_up(&mut self, root: usize) {
        self.frames[root].maker = None;
        for frame in &mut self.frames[root..] {
            if frame.root == Some(root) {
                frame.root = None;
            }
        }
    }

    /// The key of what a call makes for the present root.
    pub fn key_within(&mut self, key: &Key) -> Option<Key> {
        let root = self.root()?;
        let mut key = key.clone();
        key.1.push(ROOT | u64::from(root.0));
        Some(key)
    }

    /// Whether an entry with such a key is of the present root.
    pub fn is_within(&mut self, key: &Key) -> bool {
        self.root().is_some_and(|root| key.1.last() == Some(&(ROOT | u64::from(root.0))))
    }

    /// The present call as a maker; none if what it makes is nobody's.
    pub fn present(&mut self) -> Option<MakerId> {
        self.maker(self.frames.len().checked_sub(1)?)
    }

    fn maker(&mut self, at: usize) -> Option<MakerId> {
        let root = self.frames[at].root?;
        if let Some(maker) = self.frames[at].maker {
            return Some(maker);
        }
        if root == at {
            self.seek(at);
            let is_given_up = self.frames[at].root.is_none();
            if is_given_up || self.frames[at].maker.is_some() {
                return self.frames[at].maker;
            }
            let id = self.add((None, self.frames[at].key.clone()));
            return Some(self.assign(at, id));
        }
        let above = self.maker(at - 1)?;
        let root = self.frames[root].maker;
        let key = (root, self.frames[at].key.clone());
        let (method, nth) = (key.1.0, self.frames[at].nth);
        let same_place = self.get(above).calls.iter().filter(|(m, _)| *m == method);
        let known = [self.table.get(&key).copied(), same_place.clone().nth(nth).map(|(_, id)| *id)];
        let is_next = same_place.count() == nth;
        let free = known.into_iter().flatten().find(|&id| !self.is_taken(id));
        let id = free.unwrap_or_else(|| self.add(key));
        if free.is_none() && is_next {
            self.get_mut(above).calls.push((method, id));
            self.changes.push(Change::Call(above));
        }
        Some(self.assign(at, id))
    }

    fn assign(&mut self, at: usize, id: MakerId) -> MakerId {
        self.frames[at].maker = Some(id);
        self.take(id);
        id
    }

    fn add(&mut self, (root, key): (Option<MakerId>, Key)) -> MakerId {
        let id = MakerId(self.all.len() as u32);
        self.table.entry((root, key.clone())).or_insert(id);
        self.all.push(Maker { root, key, made: Vec::new(), calls: Vec::new(), taken: None });
        self.changes.push(Change::Maker);
        id
    }

    /// The object that the present call makes next: the one that its maker made there before, or none yet.
    pub fn next(&mut self, id: MakerId) -> Option<Obj> {
        let frame = self.frames.last_mut()?;
        frame.made += 1;
        let nth = frame.made - 1;
        self.get(id).made.get(nth).copied()
    }

    pub fn made(&mut self, id: MakerId, obj: Obj) {
        self.get_mut(id).made.push(obj);
        self.changes.push(Change::Made(id));
    }

    /// What is there now stays.
    pub fn keep(&mut self) {
        self.changes.clear();
    }

    /// Drops what was added since.
    pub fn reset(&mut self) {
        self.frames.clear();
        self.release(0);
        while let Some(change) = self.changes.pop() {
            match change {
                Change::Maker => {
                    let Some(maker) = self.all.pop() else { continue };
                    let key = (maker.root, maker.key);
                    if self.table.get(&key) == Some(&MakerId(self.all.len() as u32)) {
                        self.table.remove(&key);
                    }
                }
                Change::Made(id) => {
                    self.get_mut(id).made.pop();
                }
                Change::Call(id) => {
                    self.get_mut(id).calls.pop();
                }
            }
        }
    }
}

impl Symbolic<'_> {
    /// Takes the objects that an entry made, unless some of them are in use already.
    pub(crate) fn claims(&mut self, id: EntryId) -> bool {
        if self.cache.maker(id).is_none() {
            return true;
        }
        let taken = self.makers.taken();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Some(maker) = self.cache.maker(id) else { continue };
            if self.makers.is_taken(maker) {
                self.makers.release(taken);
                return false;
            }
            self.makers.take(maker);
            open.extend(self.cache.calls(id).iter().filter(|&&used| self.cache.maker(used).is_some()));
        }
        true
    }

    /// What of that which a call made its value refers to: there were so many objects before, and so many makers taken.
    pub(crate) fn made_by(&self, value: Option<Sym>, objects: usize, taken: usize) -> Made {
        let Some(Sym::Ref(id)) = value else { return Made::Nothing };
        let Refs::Guarded(list) = self.refs.get(id) else { return Made::Nothing };
        let mut made = Made::Nothing;
        for &(obj, _) in list.iter().filter(|(obj, _)| *obj != Obj::NULL && self.heap.is_fresh(*obj)) {
            match self.heap.fresh(obj.now()).maker {
                Some(maker) if self.makers.is_since(maker, taken) => made = Made::Kept,
                None if obj.index() >= self.heap.space_objects + objects => return Made::Anew,
                _ => {}
            }
        }
        made
    }

    /// A new object that declarative code constructed. Its maker may have made it before: then that one has these contents now.
    pub(crate) fn constructed(&mut self, obj: Obj, constructor: MethodId) -> Obj {
        if !self.methods.is_discreet(self.program, constructor) {
            return obj;
        }
        let Some(maker) = self.makers.present() else { return obj };
        let slots = 0..self.heap.fresh(obj).slots.len() as u32;
        let known = match self.makers.next(maker) {
            Some(known) if self.ty_of(known) == self.ty_of(obj) => {
                for slot in slots.clone() {
                    let [was, is] = [known, obj].map(|o| self.heap.fresh(o).slots[slot as usize]);
                    if was != is && self.narrow(was) != self.narrow(is) {
                        self.write(Place::Slot(known, slot), is);
                    }
                }
                self.heap.discard(obj);
                known
            }
            Some(_) => return obj,
            None => {
                self.makers.made(maker, obj);
                self.heap.fresh_mut(obj).maker = Some(maker);
                obj
            }
        };
        // Other contents are another outcome of the call.
        for slot in slots {
            self.cache.read(Place::Slot(known, slot));
        }
        known
    }
}
