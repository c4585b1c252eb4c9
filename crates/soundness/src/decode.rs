//! Models back to terms: the other direction of `slots`. Also the literals that make a tree what it is, to ask for another one.

use crate::encoder::{BinderKey, Encoder, EnvVal, Ov, Row, Stored, Val};
use crate::query::{Model, Reader};
use crate::shape::SlotId;
use crate::tables::is_finite;
use formula::Lit;
use lang::term::{Term, TermId, Terms};
use lang::*;

/// A decoded tree.
#[derive(Default)]
pub struct Decoded {
    /// Literals that are true and together pick this very tree.
    pub choices: Vec<Lit>,
    /// It reaches below the horizon: what is there is not known.
    pub is_partial: bool,
}

impl Encoder<'_, '_> {
    pub fn decode(
        &mut self,
        terms: &mut Terms,
        model: &Model,
        value: &Val,
        sort: SortId,
        seen: &mut Decoded,
    ) -> Option<TermId> {
        match value {
            Val::Tree(id) => {
                let cases = self.cases(*id);
                let node = cases.iter().find(|(l, _)| self.is_true(model, *l)).map(|(_, n)| *n)?;
                match self.get(node).clone() {
                    Ov::Slot(slot) => self.decode_slot(terms, model, slot, self.lang.base(sort), &mut Vec::new(), seen),
                    _ => None,
                }
            }
            Val::Fin(row) => self.decode_row(model, row, sort, seen),
            Val::Env(id) => {
                let lang = self.lang;
                let plan = self.plan.rules.envs.get(&sort)?;
                let mut map = terms.make(plan.empty, Vec::new());
                let EnvVal::Array { entries, .. } = self.envs[id.0 as usize].clone() else { return Some(map) };
                for (key, (present, row)) in entries.iter().enumerate() {
                    let holds = self.is_true(model, *present);
                    seen.choices.push(present.flip(!holds));
                    if !holds {
                        continue;
                    }
                    let mut index = row.iter().position(|l| self.is_true(model, *l))?;
                    seen.choices.push(row[index]);
                    let mut fields = Vec::new();
                    for sort in plan.fields.iter().rev() {
                        let domain = self.plan.finite.of(lang, *sort);
                        fields.push(domain.members[index % domain.len()]);
                        index /= domain.len();
                    }
                    fields.reverse();
                    let key = self.plan.finite.of(lang, plan.key).members[key];
                    map = terms.extend(plan.extension, map, key, &fields);
                }
                Some(map)
            }
            Val::Store(id) => {
                let SortKind::Store { empty, extension } = self.lang.sort(sort).kind else { return None };
                let args = self.lang.prod(extension).args.clone();
                let mut map = terms.make(empty, Vec::new());
                for (key, (present, stored)) in self.stores[id.0 as usize].entries.clone().iter().enumerate() {
                    let holds = self.is_true(model, *present);
                    seen.choices.push(present.flip(!holds));
                    if !holds {
                        continue;
                    }
                    let value = match stored {
                        Stored::Tree(tree) => self.decode(terms, model, &Val::Tree(*tree), args[2], seen)?,
                        Stored::Fin(row) => self.decode_row(model, row, args[2], seen)?,
                    };
                    let key = self.plan.finite.of(self.lang, args[1]).members[key];
                    map = terms.extend(extension, map, key, &[value]);
                }
                Some(map)
            }
            Val::Error => Some(terms.intern(Term::Error)),
            Val::Refs(_) | Val::Binder(_) => None,
        }
    }

    fn is_true(&self, model: &Model, lit: Lit) -> bool {
        // Cones of productions and fields are small: no need to keep what was read.
        SmallReader { model, graph: &self.graph }.value(lit)
    }

    fn decode_row(&mut self, model: &Model, row: &Row, sort: SortId, seen: &mut Decoded) -> Option<TermId> {
        let index = row.iter().position(|l| self.is_true(model, *l))?;
        seen.choices.push(row[index]);
        Some(self.plan.finite.of(self.lang, sort).members[index])
    }

    pub fn decode_slot(
        &mut self,
        terms: &mut Terms,
        model: &Model,
        slot: SlotId,
        sort: SortId,
        scope: &mut Vec<(SortId, BinderKey)>,
        seen: &mut Decoded,
    ) -> Option<TermId> {
        if self.shape.get(slot).is_abstract {
            seen.is_partial = true;
        }
        let kinds = self.kinds(slot, sort);
        let &(prod, lit) = kinds.iter().find(|(_, l)| self.is_true(model, *l))?;
        seen.choices.push(lit);
        let production = self.lang.prod(prod);
        if self.shape.get(slot).is_abstract {
            // Anything would do; the least that is there.
            if !production.args.is_empty() {
                return None;
            }
        }
        let mut args = Vec::with_capacity(production.args.len());
        for (i, &arg_sort) in production.args.iter().enumerate() {
            if production.is_binder(i) {
                args.push(terms.intern(Term::Binder(arg_sort)));
            } else if self.lang.sort(arg_sort).kind == SortKind::Var {
                let refs = self.slot_refs(slot, prod, i);
                let &(key, lit) = refs.iter().find(|(_, l)| self.is_true(model, *l))?;
                seen.choices.push(lit);
                let index = scope.iter().rev().filter(|(s, _)| *s == arg_sort).position(|(_, k)| *k == key)?;
                args.push(terms.intern(Term::Bound(arg_sort, index as u32)));
            } else if is_finite(self.lang, arg_sort) {
                let (_, row) = self.slot_field(slot, prod, i);
                args.push(self.decode_row(model, &row, arg_sort, seen)?);
            } else {
                let position = self.plan.grammar.position[prod.index()][i]?;
                let kid = self.slot_kid(slot, position)?;
                let before = scope.len();
                for bound in production.binders_over(i).map(|b| b.var).collect::<Vec<_>>() {
                    let key = self.binder(crate::encoder::BinderAt::Slot(slot, prod, bound));
                    scope.push((production.args[bound], key));
                }
                let arg = self.decode_slot(terms, model, kid, self.lang.base(arg_sort), scope, seen);
                scope.truncate(before);
                args.push(arg?);
            }
        }
        Some(terms.make(prod, args))
    }
}

/// Reads a literal of a small cone.
struct SmallReader<'a> {
    graph: &'a formula::Graph,
    model: &'a Model,
}

impl SmallReader<'_> {
    fn value(&self, lit: Lit) -> bool {
        let mut known = rustc_hash::FxHashMap::default();
        self.read(lit, &mut known)
    }

    fn read(&self, lit: Lit, known: &mut rustc_hash::FxHashMap<formula::NodeId, bool>) -> bool {
        let node = lit.node();
        let value = match known.get(&node) {
            Some(&value) => value,
            None => {
                let value = match self.graph.node(node) {
                    formula::Node::And(a, b) => self.read(a, known) && self.read(b, known),
                    formula::Node::True => true,
                    _ => self.model.value(node),
                };
                known.insert(node, value);
                value
            }
        };
        value ^ lit.is_negated()
    }
}

/// Whether a model, evaluated, makes all of these true: the solver's word is not taken for it.
pub fn confirms(graph: &formula::Graph, model: &Model, all: &[Lit]) -> bool {
    let mut reader = Reader::new(graph, model);
    all.iter().all(|l| reader.is_true(*l))
}
