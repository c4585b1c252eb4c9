//! Finite sets of objects as bits. Two sets are equal whatever the number of words they are kept in.

use super::value::ObjId;

#[derive(Clone, Debug, Default)]
pub struct ObjSet {
    words: Vec<u64>,
}

impl ObjSet {
    pub fn insert(&mut self, object: ObjId) -> bool {
        let (word, bit) = (object.index() / 64, 1 << (object.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    pub fn contains(&self, object: ObjId) -> bool {
        self.words.get(object.index() / 64).is_some_and(|word| word >> (object.index() % 64) & 1 == 1)
    }

    fn word(&self, i: usize) -> u64 {
        self.words.get(i).copied().unwrap_or(0)
    }

    pub fn union(&self, other: &ObjSet) -> ObjSet {
        let length = self.words.len().max(other.words.len());
        ObjSet { words: (0..length).map(|i| self.word(i) | other.word(i)).collect() }
    }

    pub fn inter(&self, other: &ObjSet) -> ObjSet {
        ObjSet { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    pub fn diff(&self, other: &ObjSet) -> ObjSet {
        ObjSet { words: self.words.iter().enumerate().map(|(i, a)| a & !other.word(i)).collect() }
    }

    pub fn is_subset(&self, other: &ObjSet) -> bool {
        self.words.iter().enumerate().all(|(i, a)| a & !other.word(i) == 0)
    }

    pub fn is_disjoint(&self, other: &ObjSet) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| ObjId(i as u32 * 64 + bit))
        })
    }
}

impl PartialEq for ObjSet {
    fn eq(&self, other: &ObjSet) -> bool {
        let length = self.words.len().max(other.words.len());
        (0..length).all(|i| self.word(i) == other.word(i))
    }
}

impl Eq for ObjSet {}

impl FromIterator<ObjId> for ObjSet {
    fn from_iter<I: IntoIterator<Item = ObjId>>(objects: I) -> ObjSet {
        let mut set = ObjSet::default();
        for object in objects {
            set.insert(object);
        }
        set
    }
}
