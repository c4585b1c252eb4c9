//! The meaning of a check, word by word (docs/lang.md): every input within its bound, resolution with types unknown, steps by trying every
//! rule at every hole. No bounds on what follows, no tables, no modes; it shares the definition with the tool, and nothing else.

mod derivations;
mod forms;
mod inputs;
mod steps;
mod terms;

use lang::*;
use std::cell::Cell;
use terms::{has_unknown, resolved};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    Node(ProdId, Vec<Tree>),
    /// A variable, by a name of its own.
    Name(u32),
    Int(i64),
    /// A type that is not known.
    Unknown(u32),
    /// Entries of an environment, oldest first: production, key, fields.
    Map(Vec<(ProdId, Vec<Tree>)>),
    Error,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck(pub &'static str);

type Row = Vec<Option<Tree>>;
type Unknowns = Vec<Option<Tree>>;
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
const MOST_INPUTS: usize = 6_000;

pub struct Oracle<'l> {
    lang: &'l Lang,
    check: &'l Check,
    names: Cell<u32>,
    work: Cell<u64>,
}

impl<'l> Oracle<'l> {
    pub fn new(lang: &'l Lang, check: &'l Check) -> Oracle<'l> {
        Oracle { lang, check, names: Cell::new(1000), work: Cell::new(0) }
    }

    /// The truth about a check whose inputs are these metavariables.
    pub fn truth(&self, inputs: &[MetaId]) -> Result<Truth, Stuck> {
        let mut all: Vec<(u32, Row)> = vec![(0, vec![None; self.check.metas.len()])];
        for meta in inputs {
            let members = self.within(self.check.metas[meta.index()].sort)?;
            let mut next = Vec::new();
            for (size, row) in &all {
                for tree in &members {
                    let mut row = row.clone();
                    row[meta.index()] = Some(tree.clone());
                    next.push((size + self.size(tree), row));
                }
            }
            if next.len() > MOST_INPUTS {
                return Err(Stuck("too many inputs"));
            }
            all = next;
        }
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

    /// A row with every type that is left free taken from its bound.
    fn instances(&self, row: Row, unknowns: Unknowns) -> Ways<Row> {
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
            if !self.solve(&rest, &self.check.metas, row.clone(), unknowns.clone(), 0)?.is_empty() {
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
