//! The meaning of a check, word by word (docs/lang.md): every input within its bound, resolution with types unknown, steps by trying every
//! rule at every hole. No bounds on what follows, no encodings, no modes; it shares the definition with the tool, and nothing else.

mod derivations;
mod forms;
mod goals;
mod inputs;
mod steps;
mod terms;

use goals::Goals;
use lang::*;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use terms::{has_unknown, resolved};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tree {
    Node(ProdId, Vec<Tree>),
    /// A bound variable, by a name of its own.
    Name(u32),
    /// An atom or a location.
    Atom(SortId, u32),
    Int(i64),
    /// A type that is not known.
    Unknown(u32),
    /// Any type, the same wherever it occurs.
    Rigid(u32),
    /// Entries of an environment, oldest first: production, key and fields. Over atoms and locations: in order of the keys, each once.
    Map(Vec<(ProdId, Vec<Tree>)>),
    Error,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck(pub &'static str);

type Row = Vec<Option<Tree>>;
type Unknowns = Vec<Option<Tree>>;
type Known<K, V> = RefCell<FxHashMap<K, V>>;
type Ways<T> = Result<Vec<(T, Unknowns)>, Stuck>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    Holds,
    Fails(u32),
    Vacuous,
}

/// Derivations within derivations, at most.
const DEEPEST: u32 = 60;
/// Inputs of one check, at most.
const MOST_INPUTS: usize = 15_000;
/// Premises looked at and trees made for one check, at most.
const MOST_WORK: u64 = 1_000_000;

pub struct Oracle<'l> {
    lang: &'l Lang,
    check: &'l Check,
    names: Cell<u32>,
    work: Cell<u64>,
    calls: Cell<u32>,
    /// Types are found by unification, also those in environments.
    unifies: Cell<bool>,
    goals: RefCell<Goals>,
    /// What was asked for already: inputs of a sort over variables, the types of a sort if they are finitely many, programs of a size.
    inputs: Known<(SortId, Vec<u32>), Rc<Vec<Tree>>>,
    finite: Known<SortId, Option<Vec<Tree>>>,
    sized: Known<(SortId, u32, Vec<u32>), Rc<Vec<Tree>>>,
}

impl<'l> Oracle<'l> {
    pub fn new(lang: &'l Lang, check: &'l Check) -> Oracle<'l> {
        Oracle {
            lang,
            check,
            names: Cell::new(1000),
            work: Cell::new(0),
            calls: Cell::new(0),
            unifies: Cell::new(lang.prods.iter().any(|p| p.infer)),
            goals: RefCell::default(),
            inputs: RefCell::default(),
            finite: RefCell::default(),
            sized: RefCell::default(),
        }
    }

    /// The truth about a check whose inputs are these metavariables.
    pub fn truth(&self, inputs: &[MetaId]) -> Result<Truth, Stuck> {
        let mut all = self.rows(inputs)?;
        all.sort_by_key(|(size, _)| *size);
        let mut is_vacuous = true;
        for (size, row) in all {
            match self.breaks(row)? {
                None => {}
                Some(true) => return Ok(Truth::Fails(size)),
                Some(false) => is_vacuous = false,
            }
        }
        Ok(if is_vacuous { Truth::Vacuous } else { Truth::Holds })
    }

    /// Whether inputs break the check; none if they do not satisfy its premises.
    pub fn breaks(&self, row: Row) -> Result<Option<bool>, Stuck> {
        let premises: Vec<&Premise> = self.check.premises.iter().map(|l| &l.premise).collect();
        let mut satisfied = None;
        for (row, unknowns) in self.solve(&premises, &self.check.metas, row, Vec::new(), 0)? {
            for (row, unknowns) in self.instances(row, unknowns)? {
                satisfied.get_or_insert(false);
                if !self.concludes(&row, &unknowns)? {
                    return Ok(Some(true));
                }
            }
        }
        Ok(satisfied)
    }

    /// A row with every type that is left free taken from its bound. Where types are inferred there is no bound: what is left free may be
    /// anything, and what holds of something about which nothing is known holds of all.
    fn instances(&self, row: Row, mut unknowns: Unknowns) -> Ways<Row> {
        if self.unifies.get() {
            for (u, known) in unknowns.iter_mut().enumerate() {
                if known.is_none() {
                    *known = Some(Tree::Rigid(u as u32));
                }
            }
            return Ok(vec![(row, unknowns)]);
        }
        let mut rows = vec![(row, unknowns)];
        for (i, meta) in self.check.metas.iter().enumerate() {
            if !self.is_type(meta.sort) {
                continue;
            }
            let mut next = Vec::new();
            for (row, unknowns) in rows {
                let Some(ty) = row[i].as_ref().map(|t| resolved(t, &unknowns)) else {
                    next.push((row, unknowns));
                    continue;
                };
                match ty {
                    Tree::Unknown(u) => {
                        for member in self.types(meta.sort)? {
                            let mut unknowns = unknowns.clone();
                            unknowns[u as usize] = Some(member);
                            next.push((row.clone(), unknowns));
                        }
                    }
                    ty if has_unknown(&ty) => return Err(Stuck("a type with a free part")),
                    _ => next.push((row, unknowns)),
                }
            }
            rows = next;
        }
        Ok(rows)
    }

    /// Whether one of the conclusions holds. What is said of an error holds, except that it is equal to nothing else.
    fn concludes(&self, row: &Row, unknowns: &Unknowns) -> Result<bool, Stuck> {
        for conclusion in &self.check.conclusions {
            let is_error = |m: &MetaId| row[m.index()] == Some(Tree::Error);
            let said: Vec<&Premise> = conclusion.iter().map(|l| &l.premise).collect();
            let rest = said.into_iter().filter(|p| {
                let mut metas = Vec::new();
                p.metas(&mut metas);
                matches!(p, Premise::Equal { .. }) || !metas.iter().any(is_error)
            });
            let rest: Vec<&Premise> = rest.collect();
            if self.exists(&rest, 0, row.clone(), unknowns.clone())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// With the maps that exist chosen, one after the other: what is not in the smaller one has any name that occurs, and any type.
    fn exists(&self, said: &[&Premise], at: usize, row: Row, unknowns: Unknowns) -> Result<bool, Stuck> {
        let Some((meta, over)) = self.check.exists.get(at) else {
            return Ok(!self.solve(said, &self.check.metas, row, unknowns, 0)?.is_empty());
        };
        let sort = self.check.metas[meta.index()].sort;
        let [_, prod] = self.lang.prods_of(sort)[..] else { return self.exists(said, at + 1, row, unknowns) };
        if !self.lang.is_map(sort) {
            return self.exists(said, at + 1, row, unknowns);
        }
        let [_, key, field] = self.lang.prod(prod).args[..] else { return Err(Stuck("entries of several fields")) };
        let base = match over {
            None => Vec::new(),
            Some(over) => match &row[over.index()] {
                Some(Tree::Map(entries)) => entries.clone(),
                _ => return Err(Stuck("a map over nothing")),
            },
        };
        let mut names = Vec::new();
        row.iter().flatten().for_each(|tree| atoms(tree, key, &mut names));
        names.retain(|name| base.iter().all(|(_, entry)| entry[0] != *name));
        if names.len() > 4 {
            return Err(Stuck("many names"));
        }
        for subset in 0..1u32 << names.len() {
            let (mut unknowns, mut map) = (unknowns.clone(), Tree::Map(base.clone()));
            for (i, name) in names.iter().enumerate() {
                if subset >> i & 1 == 1 {
                    unknowns.push(None);
                    let any = Tree::Unknown(unknowns.len() as u32 - 1);
                    map = self.extended(&map, prod, vec![name.clone(), any])?;
                }
            }
            let mut row = row.clone();
            row[meta.index()] = Some(map);
            let is_finite = self.all_types(field)?.is_some();
            let before = self.unifies.replace(self.unifies.get() || !is_finite);
            let found = self.exists(said, at + 1, row, unknowns);
            self.unifies.set(before);
            if found? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_type(&self, sort: SortId) -> bool {
        let base = self.lang.sort(self.lang.base(sort));
        matches!(base.kind, SortKind::Grammar { .. }) && !base.is_tree
    }

    fn is_program(&self, sort: SortId) -> bool {
        let base = self.lang.sort(self.lang.base(sort));
        matches!(base.kind, SortKind::Grammar { .. }) && base.is_tree
    }

    fn new_name(&self) -> u32 {
        self.names.set(self.names.get() + 1);
        self.names.get()
    }
}

/// Every name of a sort that occurs.
fn atoms(tree: &Tree, sort: SortId, out: &mut Vec<Tree>) {
    match tree {
        Tree::Atom(s, _) if *s == sort && !out.contains(tree) => out.push(tree.clone()),
        Tree::Node(_, args) => args.iter().for_each(|a| atoms(a, sort, out)),
        Tree::Map(entries) => entries.iter().flat_map(|(_, entry)| entry).for_each(|a| atoms(a, sort, out)),
        _ => {}
    }
}
