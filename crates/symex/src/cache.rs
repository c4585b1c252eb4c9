//! The cache of translated declarative calls (dissertation, 2.9): the formula of a call by method and arguments, and which
//! places of the heap it read. A write disables what depends on it until the run is over; what is translated during a
//! run lives in the same table and is dropped with it.
//!
//! Of what a write disables, most comes out as before: an entry that read nothing that changed, and whose calls come out
//! as before, is enabled again (`calls.rs`, `renew`).
//!
//! Of a call whose result refers to an object that it made, every call makes another one: it is shared only as far as nobody can
//! tell (`makers.rs`). Objects that do not get out make no difference between two calls.

use crate::heap::Place;
use crate::makers::MakerId;
use crate::value::Sym;
use formula::Lit;
use ir::MethodId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EntryId(u32);

/// Value and error condition of a call; no value for a constructor.
pub type Translation = (Option<Sym>, Lit);
/// A method and its arguments.
pub type Key = (MethodId, SmallVec<[u64; 4]>);

#[derive(Clone)]
struct Entry {
    translation: Translation,
    key: Key,
    /// If its value refers to objects that the call made: the maker.
    maker: Option<MakerId>,
    /// Those that it used, in order.
    calls: Box<[EntryId]>,
    /// Calls that used this one.
    callers: Vec<EntryId>,
    disabled: bool,
    /// Whether it must be translated again to know how it comes out: it read what changed, or its calls do not tell.
    changed: bool,
    /// Whether it is being renewed.
    busy: bool,
    /// An entry of the main cache that this one stands before, for this run.
    shadows: Option<EntryId>,
}

/// What a call that is being translated depends on.
#[derive(Clone, Default)]
pub struct Recorder {
    places: Vec<Place>,
    calls: Vec<EntryId>,
    /// How many there were when each was last made to be there once.
    once: usize,
}

impl Recorder {
    /// Takes over what another one recorded.
    fn append(&mut self, other: &mut Recorder) {
        self.places.append(&mut other.places);
        self.calls.append(&mut other.calls);
        // Calls that are not shared may be many, and all depend on the same.
        const MANY: usize = 1 << 16;
        if self.places.len() + self.calls.len() > 2 * self.once + MANY {
            self.places.sort_unstable();
            self.places.dedup();
            let mut met = FxHashSet::default();
            self.calls.retain(|&call| met.insert(call));
            self.once = self.places.len() + self.calls.len();
        }
    }
}

#[derive(Clone, Default)]
pub struct Cache {
    entries: Vec<Entry>,
    table: FxHashMap<Key, EntryId>,
    readers: FxHashMap<Place, Vec<EntryId>>,
    /// Entries below this number form the main cache.
    main: usize,
    disabled: Vec<EntryId>,
    /// Lists that got an element during the run, for taking it off again.
    touched_readers: Vec<Place>,
    touched_callers: Vec<EntryId>,
    recorders: Vec<Recorder>,
    /// Those of calls that ended, to be used again.
    spare: Vec<Recorder>,
}

impl Cache {
    pub fn find(&mut self, key: &Key) -> Option<EntryId> {
        let id = *self.table.get(key)?;
        self.is_enabled(id).then_some(id)
    }

    /// The translation of an entry, for a call that is being translated.
    pub fn take(&mut self, id: EntryId) -> Translation {
        if let Some(recorder) = self.recorders.last_mut() {
            recorder.calls.push(id);
        }
        self.get(id).translation
    }

    /// A call begins to be translated.
    pub fn begin(&mut self) {
        let recorder = self.spare.pop().unwrap_or_default();
        self.recorders.push(recorder);
    }

    /// It ended without a translation that others may use; what it read, its caller depends on.
    pub fn abandon(&mut self) {
        let Some(mut recorder) = self.recorders.pop() else { return };
        if let Some(outer) = self.recorders.last_mut() {
            outer.append(&mut recorder);
        }
        self.put_by(recorder);
    }

    fn put_by(&mut self, mut recorder: Recorder) {
        recorder.places.clear();
        recorder.calls.clear();
        recorder.once = 0;
        self.spare.push(recorder);
    }

    pub fn read(&mut self, place: Place) {
        if let Some(recorder) = self.recorders.last_mut() {
            recorder.places.push(place);
        }
    }

    pub fn end(&mut self, key: Key, translation: Translation, maker: Option<MakerId>) {
        let Some(recorder) = self.recorders.pop() else { return };
        let id = EntryId(self.entries.len() as u32);
        let shadows = self.table.insert(key.clone(), id);
        let calls = recorder.calls.clone().into_boxed_slice();
        let entry = Entry {
            translation,
            key,
            maker,
            calls,
            callers: Vec::new(),
            disabled: false,
            changed: false,
            busy: false,
            shadows,
        };
        self.entries.push(entry);
        self.depends(id, &recorder);
        if let Some(outer) = self.recorders.last_mut() {
            outer.calls.push(id);
        }
        self.put_by(recorder);
    }

    /// An entry depends on what was recorded.
    fn depends(&mut self, id: EntryId, recorder: &Recorder) {
        for &place in &recorder.places {
            let readers = self.readers.entry(place).or_default();
            if readers.last() != Some(&id) {
                readers.push(id);
                self.touched_readers.push(place);
            }
        }
        for &call in &recorder.calls {
            let callers = &mut self.entries[call.0 as usize].callers;
            if callers.last() != Some(&id) {
                callers.push(id);
                self.touched_callers.push(call);
            }
        }
    }

    /// The entry of a call that is disabled, but read nothing that changed.
    pub fn stale(&mut self, key: &Key) -> Option<EntryId> {
        let id = *self.table.get(key)?;
        let entry = self.get(id);
        (entry.disabled && !entry.changed && !entry.busy).then_some(id)
    }

    fn get(&self, id: EntryId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    fn get_mut(&mut self, id: EntryId) -> &mut Entry {
        &mut self.entries[id.0 as usize]
    }

    /// Entries that are not in the main cache yet and make no objects, and their keys.
    pub fn not_kept(&self) -> impl Iterator<Item = (EntryId, &Key)> {
        let ids = (self.main as u32..).map(EntryId);
        ids.zip(&self.entries[self.main..])
            .filter(|(_, entry)| entry.maker.is_none())
            .map(|(id, entry)| (id, &entry.key))
    }

    pub fn is_enabled(&self, id: EntryId) -> bool {
        !self.get(id).disabled
    }

    pub fn is_changed(&self, id: EntryId) -> bool {
        self.get(id).changed
    }

    pub fn is_busy(&self, id: EntryId) -> bool {
        self.get(id).busy
    }

    pub fn set_busy(&mut self, id: EntryId, busy: bool) {
        self.get_mut(id).busy = busy;
    }

    pub fn key(&self, id: EntryId) -> &Key {
        &self.get(id).key
    }

    pub fn translation(&self, id: EntryId) -> Translation {
        self.get(id).translation
    }

    pub fn maker(&self, id: EntryId) -> Option<MakerId> {
        self.get(id).maker
    }

    /// The calls that an entry used.
    pub fn calls(&self, id: EntryId) -> &[EntryId] {
        &self.get(id).calls
    }

    /// One of them.
    pub fn used_by(&self, id: EntryId, nth: usize) -> Option<EntryId> {
        self.get(id).calls.get(nth).copied()
    }

    /// All that it used came out as before.
    pub fn enable(&mut self, id: EntryId) {
        self.get_mut(id).disabled = false;
    }

    /// It was translated again since [`Self::begin`], with the same outcome: it holds as long as what that depended on.
    pub fn confirm(&mut self, id: EntryId) {
        let Some(recorder) = self.recorders.pop() else { return };
        self.depends(id, &recorder);
        self.put_by(recorder);
        let entry = self.get_mut(id);
        entry.disabled = false;
        entry.changed = true;
    }

    /// What was recorded since [`Self::begin`] is of no use.
    pub fn forget(&mut self) {
        if let Some(recorder) = self.recorders.pop() {
            self.put_by(recorder);
        }
    }

    /// A place changes: whatever read it must be translated again.
    pub fn invalidate(&mut self, place: Place) {
        let Some(readers) = self.readers.get(&place) else { return };
        let mut stack = readers.clone();
        for id in readers {
            self.entries[id.0 as usize].changed = true;
        }
        while let Some(id) = stack.pop() {
            let entry = &mut self.entries[id.0 as usize];
            if !entry.disabled {
                entry.disabled = true;
                self.disabled.push(id);
                stack.extend(&entry.callers);
            }
        }
    }

    /// Whether nothing is disabled.
    pub fn is_whole(&self) -> bool {
        self.disabled.is_empty()
    }

    /// What is there now is the main cache.
    pub fn keep(&mut self) {
        self.main = self.entries.len();
        self.touched_readers.clear();
        self.touched_callers.clear();
    }

    /// Drops what the run added and enables the main cache again.
    pub fn reset(&mut self) {
        self.recorders.clear();
        for place in self.touched_readers.drain(..).rev() {
            if let Some(readers) = self.readers.get_mut(&place) {
                readers.pop();
            }
        }
        for call in self.touched_callers.drain(..).rev() {
            self.entries[call.0 as usize].callers.pop();
        }
        while self.entries.len() > self.main {
            if let Some(entry) = self.entries.pop() {
                match entry.shadows {
                    Some(before) => self.table.insert(entry.key, before),
                    None => self.table.remove(&entry.key),
                };
            }
        }
        for id in self.disabled.drain(..) {
            if let Some(entry) = self.entries.get_mut(id.0 as usize) {
                (entry.disabled, entry.changed, entry.busy) = (false, false, false);
            }
        }
    }
}
