//! A language definition after parsing and resolution: what every later stage reads. Extensions are already flattened, names are
//! indices, sub-grammars and contexts are recognised, and every form has its sort (docs/lang.md, "A file").
//!
//! Invariants, kept by `syntax` and relied upon everywhere else:
//! - A [`Form::Node`] has exactly the arguments of its production, each of the argument's sort or of a subset of it.
//! - A binder argument (see [`Production::binders`]) is always a [`Form::Meta`] of a `var` sort.
//! - The conclusion of a rule has no [`Form::Subst`], [`Form::Lookup`], [`Form::Update`], [`Form::Call`] or [`Form::Arith`] among the
//!   inputs it is matched against (the left side of a reduction, the subject of a judgment).

use source::Span;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

index!(
    /// A sort: a non-terminal of the grammar, or a kind of name.
    SortId,
    /// An alternative of a grammar sort, an environment or a store.
    ProdId,
    /// A judgment or a reduction relation.
    JudgId,
    RuleId,
    FunId,
    /// A metavariable of one rule, equation or check.
    MetaId
);

/// One language of a file, flattened.
#[derive(Clone, Debug, Default)]
pub struct Lang {
    pub name: String,
    /// The header.
    pub span: Span,
    /// The language it extends, as an index into the file's languages.
    pub extends: Option<usize>,
    /// `assuming A sound`
    pub assumes_base: bool,
    pub sorts: Vec<Sort>,
    pub prods: Vec<Production>,
    pub judgments: Vec<Judgment>,
    pub rules: Vec<Rule>,
    pub funs: Vec<Fun>,
    pub checks: Vec<Check>,
    pub bounds: Vec<(SortId, Bound)>,
    pub expects: Vec<Expect>,
}

/// What a sort is made of.
#[derive(Clone, PartialEq, Debug)]
pub enum SortKind {
    /// Bound variables: trees are equal modulo their names.
    Var,
    /// Raw names.
    Atom,
    /// Locations of a heap.
    Loc,
    /// Integers.
    Int,
    /// A grammar of its own.
    Grammar { prods: Vec<ProdId> },
    /// A subset of `base` (a [`SortKind::Grammar`] sort), such as the values `v` of the terms `t`: what matches one of these forms,
    /// whose leaves are [`Form::Any`] of a sort. `Any` of a further subset is possible, also of this one.
    Sub { base: SortId, alts: Vec<Alternative> },
    /// Evaluation contexts of trees of `base`. Each alternative is [`Form::Hole`], or has exactly one leaf that is
    /// [`Form::Any`] of a context sort: there the context goes on.
    Context { base: SortId, alts: Vec<Alternative> },
    /// `Γ ::= · | Γ, x:T`. Every extension's arguments are: the environment itself, the key, the fields.
    /// Keys of a `var` sort are always new; over atoms and locations an extension overwrites.
    Env { empty: ProdId, extensions: Vec<ProdId> },
    /// `σ ::= · | σ, x ↦ v`, likewise, over atoms or locations: a finite map.
    Store { empty: ProdId, extension: ProdId },
}

#[derive(Clone, Debug)]
pub struct Sort {
    pub name: String,
    /// All names of metavariables, the first is `name`.
    pub aliases: Vec<String>,
    pub kind: SortKind,
    pub span: Span,
    /// Programs and what they are made of (docs/lang.md, "What a verdict means"), in contrast to types: reduced, or containing what is
    /// reduced.
    pub is_tree: bool,
}

/// An alternative of a sub-grammar or of contexts.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative {
    pub form: Form,
    pub span: Span,
    /// As written, for reports.
    pub text: String,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Piece {
    Token(String),
    /// An argument, by number.
    Arg(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assoc {
    None,
    Left,
    Right,
}

/// `λ x:T. t {bind x in t, weight 4}`
#[derive(Clone, Debug)]
pub struct Production {
    pub sort: SortId,
    pub pieces: Vec<Piece>,
    pub args: Vec<SortId>,
    pub binders: Vec<Binder>,
    pub assoc: Assoc,
    pub weight: u32,
    /// `{infer}`: no premise determines the type of the binder.
    pub infer: bool,
    pub span: Span,
    /// As written, for reports.
    pub text: String,
}

/// The variable at argument `var` is bound in the arguments `scope`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    pub var: usize,
    pub scope: Vec<usize>,
}

impl Production {
    /// The binders whose scope argument `arg` is in, outermost first: the last one has the index 0 of its sort.
    pub fn binders_over(&self, arg: usize) -> impl Iterator<Item = &Binder> {
        self.binders.iter().filter(move |b| b.scope.contains(&arg))
    }

    pub fn is_binder(&self, arg: usize) -> bool {
        self.binders.iter().any(|b| b.var == arg)
    }
}

/// A form of a rule: a pattern where it is matched, a template where it is built.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    Meta(MetaId),
    Node(ProdId, Vec<Form>),
    /// A member of a sort, in an alternative. `_` in a rule is a metavariable of that name, which occurs once.
    Any(SortId),
    /// `[]` in an alternative of contexts: something of this sort.
    Hole(SortId),
    /// `t[v1/x1, v2/x2]`, simultaneously.
    Subst {
        body: Box<Form>,
        pairs: Vec<(Form, Form)>,
    },
    /// `σ(x)`
    Lookup {
        store: Box<Form>,
        key: Box<Form>,
    },
    /// `σ[x ↦ v]`
    Update {
        store: Box<Form>,
        key: Box<Form>,
        value: Box<Form>,
    },
    Call(FunId, Vec<Form>),
    Int(i64),
    Arith(Op, Box<Form>, Box<Form>),
    /// A quoted name, `'x0'`, of an `atom` sort.
    Atom(SortId, u32),
    /// The final state of a declared error.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// `Γ ⊢ t : T`, or a reduction `t --> t'`.
#[derive(Clone, Debug)]
pub struct Judgment {
    /// As written.
    pub text: String,
    pub pieces: Vec<Piece>,
    pub args: Vec<SortId>,
    /// A reduction has two arguments of one sort, before and after.
    pub reduction: Option<Reduction>,
    /// The argument that is a tree, on which the rules recurse. None for a judgment over interned sorts only, or with more than one.
    pub subject: Option<usize>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// `in E`
    pub contexts: Option<SortId>,
}

#[derive(Clone, Debug)]
pub struct Meta {
    pub name: String,
    pub sort: SortId,
    /// Where it occurs first.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub span: Span,
    pub judgment: JudgId,
    pub metas: Vec<Meta>,
    pub premises: Vec<Located>,
    pub conclusion: Vec<Form>,
    pub conclusion_span: Span,
    pub marks: Marks,
}

/// What is said of a rule after its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// `{unused ok}`
    pub unused_ok: bool,
    /// `{escape ok}`: a variable may leave the scope of its binder, in a type for instance.
    pub escape_ok: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    pub premise: Premise,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Premise {
    /// A judgment or a step.
    Judgment(JudgId, Vec<Form>),
    /// `x:T ∈ Γ`: this extension of the environment is the (innermost) entry of the key. `fields` are those after the key.
    Entry {
        prod: ProdId,
        key: Form,
        fields: Vec<Form>,
        env: Form,
    },
    /// `x ∈ dom Γ`, `x ∉ dom Γ`
    InDomain {
        key: Form,
        map: Form,
        holds: bool,
    },
    /// `A = B`, which may bind metavariables on one side; `A ≠ B`, which may not.
    Equal {
        left: Form,
        right: Form,
        holds: bool,
    },
    /// `t is v`, `t is not v`
    Is {
        form: Form,
        sort: SortId,
        holds: bool,
    },
    /// `dom A = dom B`
    SameDomain(Form, Form),
    /// `fresh l`: a location outside the domain of every store of the rule's left side.
    Fresh(MetaId),
    /// `where n = n1 + n2` is `Equal`; this is `where n1 <= n2`.
    Compare(Compare, Form, Form),
    /// `forall x:T ∈ Γ. premise`: `key` and `fields` are metavariables of their own, bound here.
    Forall {
        prod: ProdId,
        key: MetaId,
        fields: Vec<MetaId>,
        env: Form,
        body: Box<Premise>,
    },
    Not(Box<Premise>),
    /// `t steps`, of this reduction.
    Steps(JudgId, Form),
}

/// `fun f(sorts) : sort` with its equations, of which the first that matches counts.
#[derive(Clone, Debug)]
pub struct Fun {
    pub name: String,
    pub params: Vec<SortId>,
    pub result: SortId,
    pub equations: Vec<Equation>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Equation {
    pub metas: Vec<Meta>,
    pub left: Vec<Form>,
    pub right: Form,
    /// `if n < c`
    pub conditions: Vec<Located>,
    pub span: Span,
}

/// `check preservation : · ⊢ t : T, t --> t' => · ⊢ t' : T`
#[derive(Clone, Debug)]
pub struct Check {
    pub name: String,
    pub span: Span,
    pub metas: Vec<Meta>,
    pub premises: Vec<Located>,
    /// `exists Σ' ⊇ Σ.`: existentially quantified in the conclusions; the second contains the first, if given.
    pub exists: Vec<(MetaId, Option<MetaId>)>,
    /// One of them must hold, wholly.
    pub conclusions: Vec<Vec<Located>>,
    /// Of this check alone; they come before those of the language.
    pub bounds: Vec<(SortId, Bound)>,
    /// `total Γ`: environments and stores that have an entry for every name.
    pub total: Vec<MetaId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The first N slots of the complete tree, breadth first.
    Nodes(u32),
    /// Sum of the weights.
    Size(u32),
    /// Height of a tree; a leaf has height 1.
    Height(u32),
    /// Depth of a type; a constant has depth 1.
    Depth(u32),
    /// So many names, locations, or entries.
    Count(u32),
    /// Integers.
    Range(i64, i64),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expect {
    pub check: String,
    pub outcome: Expected,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    Holds,
    Fails { size: Option<u32> },
}

impl Lang {
    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id.index()]
    }

    pub fn prod(&self, id: ProdId) -> &Production {
        &self.prods[id.index()]
    }

    pub fn judgment(&self, id: JudgId) -> &Judgment {
        &self.judgments[id.index()]
    }

    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    pub fn fun(&self, id: FunId) -> &Fun {
        &self.funs[id.index()]
    }

    pub fn sort_ids(&self) -> impl Iterator<Item = SortId> + use<> {
        (0..self.sorts.len() as u32).map(SortId)
    }

    pub fn rule_ids(&self) -> impl Iterator<Item = RuleId> + use<> {
        (0..self.rules.len() as u32).map(RuleId)
    }

    /// The rules of one judgment, in order.
    pub fn rules_of(&self, judgment: JudgId) -> impl Iterator<Item = (RuleId, &Rule)> {
        self.rule_ids().map(|id| (id, self.rule(id))).filter(move |(_, rule)| rule.judgment == judgment)
    }

    /// The grammar a sort's members are trees of: itself, or what it is a subset of.
    pub fn base(&self, id: SortId) -> SortId {
        match self.sort(id).kind {
            SortKind::Sub { base, .. } | SortKind::Context { base, .. } => base,
            _ => id,
        }
    }

    /// Environments and stores.
    pub fn is_map(&self, id: SortId) -> bool {
        matches!(self.sort(id).kind, SortKind::Env { .. } | SortKind::Store { .. })
    }

    /// The productions of a grammar sort, an environment or a store (of the base, for a subset).
    pub fn prods_of(&self, id: SortId) -> Vec<ProdId> {
        match &self.sort(self.base(id)).kind {
            SortKind::Grammar { prods } => prods.clone(),
            SortKind::Env { empty, extensions } => std::iter::once(*empty).chain(extensions.iter().copied()).collect(),
            SortKind::Store { empty, extension } => vec![*empty, *extension],
            _ => Vec::new(),
        }
    }

    /// The bound of a sort for a check: the check's own, the language's, or that of the sort it is a subset of.
    pub fn bound(&self, check: Option<&Check>, sort: SortId) -> Option<Bound> {
        let own = check.map_or(&[][..], |c| &c.bounds);
        let of = |id| own.iter().rev().chain(self.bounds.iter().rev()).find(|(s, _)| *s == id).map(|(_, b)| *b);
        of(sort)
    }
}

impl Form {
    /// Every metavariable, in order of occurrence, with repetitions.
    pub fn metas(&self, out: &mut Vec<MetaId>) {
        if let Form::Meta(m) = self {
            out.push(*m);
        }
        self.each_child(&mut |child| child.metas(out));
    }

    pub fn each_child_mut(&mut self, f: &mut dyn FnMut(&mut Form)) {
        match self {
            Form::Meta(_) | Form::Any(_) | Form::Hole(_) | Form::Int(_) | Form::Atom(..) | Form::Error => {}
            Form::Node(_, args) | Form::Call(_, args) => args.iter_mut().for_each(f),
            Form::Subst { body, pairs } => {
                f(body);
                for (by, var) in pairs {
                    f(by);
                    f(var);
                }
            }
            Form::Lookup { store, key } => {
                f(store);
                f(key);
            }
            Form::Update { store, key, value } => {
                f(store);
                f(key);
                f(value);
            }
            Form::Arith(_, a, b) => {
                f(a);
                f(b);
            }
        }
    }

    pub fn each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Form)) {
        match self {
            Form::Meta(_) | Form::Any(_) | Form::Hole(_) | Form::Int(_) | Form::Atom(..) | Form::Error => {}
            Form::Node(_, args) | Form::Call(_, args) => args.iter().for_each(f),
            Form::Subst { body, pairs } => {
                f(body);
                for (by, var) in pairs {
                    f(by);
                    f(var);
                }
            }
            Form::Lookup { store, key } => {
                f(store);
                f(key);
            }
            Form::Update { store, key, value } => {
                f(store);
                f(key);
                f(value);
            }
            Form::Arith(_, a, b) => {
                f(a);
                f(b);
            }
        }
    }
}

impl Premise {
    /// Every metavariable, those that `forall` and `fresh` bind included, with repetitions.
    pub fn metas(&self, out: &mut Vec<MetaId>) {
        match self {
            Premise::Fresh(m) => out.push(*m),
            Premise::Forall { key, fields, env, body, .. } => {
                out.push(*key);
                out.extend(fields);
                env.metas(out);
                body.metas(out);
            }
            Premise::Not(inner) => inner.metas(out),
            _ => self.each_form(&mut |form| form.metas(out)),
        }
    }

    /// Every form it mentions, in order. Metavariables that a `forall` or `fresh` binds are not forms.
    /// The judgments and reductions that it asks for; and whether under `forall` or `not`.
    pub fn each_judgment(&self, f: &mut dyn FnMut(JudgId, bool)) {
        match self {
            Premise::Judgment(judgment, _) | Premise::Steps(judgment, _) => f(*judgment, false),
            Premise::Forall { body: inner, .. } | Premise::Not(inner) => inner.each_judgment(&mut |j, _| f(j, true)),
            _ => {}
        }
    }

    pub fn each_form<'a>(&'a self, f: &mut dyn FnMut(&'a Form)) {
        match self {
            Premise::Judgment(_, args) => args.iter().for_each(f),
            Premise::Entry { key, fields, env, .. } => {
                f(key);
                fields.iter().for_each(&mut *f);
                f(env);
            }
            Premise::InDomain { key, map, .. } => {
                f(key);
                f(map);
            }
            Premise::Equal { left, right, .. }
            | Premise::SameDomain(left, right)
            | Premise::Compare(_, left, right) => {
                f(left);
                f(right);
            }
            Premise::Is { form, .. } | Premise::Steps(_, form) => f(form),
            Premise::Fresh(_) => {}
            Premise::Forall { env, body, .. } => {
                f(env);
                body.each_form(f);
            }
            Premise::Not(inner) => inner.each_form(f),
        }
    }
}
