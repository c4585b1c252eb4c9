//! The cache of translated declarative calls (dissertation, 2.9): the formula of a call by method and arguments, and which
//! places of the heap it read. A write disables what depends on it until the run is over; what is translated during a
//! run lives in the same table and is dropped with it.
//!
//! A call whose result refers to an object that it made is not shared: every call of it makes another one. Objects that do
//! not get out make no difference between two calls.

use crate::heap::Place;
use crate::value::Sym;
use formula::Lit;
use ir::MethodId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryId(u32);

/// Value and error condition of a call; no value for a constructor.
pub type Translation = (Option<Sym>, Lit);
/// A method and its arguments.
pub type Key = (MethodId, SmallVec<[u64; 4]>);

#[derive(Clone)]
struct Entry {
    translation: Translation,
    key: Key,
    /// Calls that used this one.
    callers: Vec<EntryId>,
    disabled: bool,
    /// An entry of the main cache that this one stands before, for this run.
    shadows: Option<EntryId>,
}

/// What a call that is being translated depends on.
#[derive(Clone, Default)]
pub struct Recorder {
    places: Vec<Place>,
    calls: Vec<EntryId>,
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
    pub fn find(&mut self, key: &Key) -> Option<Translation> {
        let id = *self.table.get(key)?;
        let entry = &self.entries[id.0 as usize];
        if entry.disabled {
            return None;
        }
        let translation = entry.translation;
        if let Some(recorder) = self.recorders.last_mut() {
            recorder.calls.push(id);
        }
        Some(translation)
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
            outer.places.append(&mut recorder.places);
            outer.calls.append(&mut recorder.calls);
        }
        self.put_by(recorder);
    }

    fn put_by(&mut self, mut recorder: Recorder) {
        recorder.places.clear();
        recorder.calls.clear();
        self.spare.push(recorder);
    }

    pub fn read(&mut self, place: Place) {
        if let Some(recorder) = self.recorders.last_mut() {
            recorder.places.push(place);
        }
    }

    pub fn end(&mut self, key: Key, translation: Translation) {
        let Some(recorder) = self.recorders.pop() else { return };
        let id = EntryId(self.entries.len() as u32);
        let shadows = self.table.insert(key.clone(), id);
        self.entries.push(Entry { translation, key, callers: Vec::new(), disabled: false, shadows });
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
        if let Some(outer) = self.recorders.last_mut() {
            outer.calls.push(id);
        }
        self.put_by(recorder);
    }

    /// A place changes: whatever read it must be translated again.
    pub fn invalidate(&mut self, place: Place) {
        let Some(readers) = self.readers.get(&place) else { return };
        let mut stack = readers.clone();
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
                entry.disabled = false;
            }
        }
    }
}
