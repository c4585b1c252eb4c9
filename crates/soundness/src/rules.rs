//! The rules of tree judgments, prepared once and stamped at every slot (docs/lang.md, "Judgments at a slot").
//!
//! In: the rules of a judgment with one tree subject, finite arguments, and environments that are looked up and extended. Out: per
//! rule a list of *tests* (a field of the subject, a premise, an entry of an environment), each of which is a row of literals at a
//! given slot, and the ground instances, each a choice of one literal per test and the tuple it derives. Rules about the very
//! subject of their premise (subsumption) become a reflexive and transitive closure, and layers where one premise is not enough.
//!
//! What is not carried is said with its place: rules that look at the shape of an environment, premises about built terms.

use crate::tables::is_finite;
use lang::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How an environment sort is kept.
#[derive(Clone, Debug)]
pub struct EnvPlan {
    pub empty: ProdId,
    pub extension: ProdId,
    pub key: SortId,
    /// Keys are bound variables: the environment of a slot is the binders above it, and nothing is stored.
    pub by_pointer: bool,
    pub fields: Vec<SortId>,
    /// Tuples of fields.
    pub width: usize,
}

#[derive(Clone, Debug)]
pub struct JudgmentPlan {
    pub judgment: JudgId,
    pub subject: usize,
    pub sort: SortId,
    pub envs: Vec<usize>,
    pub outs: Vec<(usize, SortId)>,
    /// Tuples of finite arguments.
    pub width: usize,
    pub rules: Vec<RulePlan>,
    /// Per tuple those it follows from by rules about the same subject, itself included.
    pub closure: Option<Vec<Vec<u32>>>,
    /// Rules of the closure, with their edges.
    pub closure_rules: Vec<(RuleId, Vec<(u32, u32)>)>,
    /// Rules about the same subject that need more than one premise, or have other conditions.
    pub layers: Option<Layers>,
    /// Every rule sees the trees below only through judgments: one level of pattern, no membership, no equality (docs/lang.md, "Tiers").
    pub is_local: bool,
}

impl JudgmentPlan {
    /// Whether a rule only follows from what is known of its subject: by the closure, or in layers.
    pub fn is_about_same(&self, index: usize) -> bool {
        self.layered(index).is_some() || self.closure_rules.iter().any(|(r, _)| *r == self.rules[index].rule)
    }

    pub fn layered(&self, index: usize) -> Option<&Layered> {
        self.layers.iter().flat_map(|l| &l.rules).find(|l| l.index == index)
    }
}

#[derive(Clone, Debug)]
pub struct RulePlan {
    pub rule: RuleId,
    pub tests: Vec<Test>,
    pub instances: Vec<Instance>,
    /// Premises that do not depend on the instance: `t is v`, equalities of trees.
    pub fixed: Vec<usize>,
    /// Instances whose result is outside of the domains.
    pub clipped: u64,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// The so many-th finite field of the subject's pattern.
    Field(usize),
    /// A premise about a tree below, in its context.
    Premise {
        premise: usize,
        contexts: Vec<Context>,
    },
    /// An entry of the environment `env`; the key is a number, or a variable (then the premise says which).
    Entry {
        premise: usize,
        env: usize,
        key: Option<u32>,
    },
    InDomain {
        premise: usize,
        env: usize,
        key: u32,
    },
}

/// An environment of a premise: one of the conclusion's, extended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    /// Which of the conclusion's environments; None is the empty one.
    pub env: Option<usize>,
    pub extensions: Vec<Extension>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extension {
    /// The annotation of the variable's binder, as [`Rules::annotations`] has it: nothing to store for a slot.
    Annotated(MetaId),
    /// Another entry for the variable of the binder: a tuple of fields, or none at all.
    Variable(MetaId, Option<u32>),
    /// An entry for a name or location.
    Key(u32, u32),
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub out: u32,
    pub tests: SmallVec<[(u16, u32); 4]>,
}

#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub judgments: FxHashMap<JudgId, JudgmentPlan>,
    pub envs: FxHashMap<SortId, EnvPlan>,
    /// Which fields of a production are the entry of the variable bound at an argument.
    pub annotations: FxHashMap<(ProdId, usize), Vec<usize>>,
}

/// From these tuples follows that one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clause {
    pub body: SmallVec<[u32; 2]>,
    pub head: u32,
}

#[derive(Clone, Debug)]
pub struct Layers {
    pub rules: Vec<Layered>,
    /// Clauses without other conditions than their bodies, of all rules.
    pub plain: Vec<Clause>,
    /// Per layer, the tuples that it may add.
    pub news: Vec<Vec<bool>>,
}

#[derive(Clone, Debug)]
pub struct Layered {
    /// Which rule of the judgment.
    pub index: usize,
    /// Per test, whether it is the judgment itself about the same subject.
    pub own: Vec<bool>,
    /// There is nothing else to be tested.
    pub is_plain: bool,
}

pub fn tuple(values: &[u32], sizes: &[usize]) -> u32 {
    values.iter().zip(sizes).fold(0, |index, (v, n)| index * *n as u32 + v)
}

/// Whether a judgment has exactly one tree, on which its rules recurse.
pub fn tree_subject(lang: &Lang, judgment: JudgId) -> Option<usize> {
    let j = lang.judgment(judgment);
    if j.reduction.is_some() {
        return None;
    }
    let is_tree = |s: &SortId| {
        let base = lang.sort(lang.base(*s));
        matches!(base.kind, SortKind::Grammar { .. }) && base.is_tree
    };
    let mut trees = (0..j.args.len()).filter(|i| is_tree(&j.args[*i]));
    let first = trees.next()?;
    let fits = trees.next().is_none()
        && j.args
            .iter()
            .enumerate()
            .all(|(i, s)| i == first || is_finite(lang, *s) || matches!(lang.sort(*s).kind, SortKind::Env { .. }));
    fits.then_some(first)
}
