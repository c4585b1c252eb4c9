//! Formulas of specifications: names are resolved, sets told apart from conditions, predicates expanded.
//!
//! What goes in: the untyped tree. What comes out: a [`Formula`] over spec variables, locals and bound variables; each quantifier has
//! a number of its own. `@p'(a)` is the primed `@p(a)`: all of the spec variables in it, the arguments' too, are primed.

use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{Formula, FormulaKind, LocalId, ModuleId, SetExpr, SpecVarId, SpecVarKind, Type};
use crate::syntax::ast::{self, FormulaOp, Ident, Name};
use source::{Diagnostic, Span};

/// What a formula is for: it decides which names it may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Requires,
    Ensures,
    /// An invariant of a module or scope, or a default.
    State,
    /// An assertion, an assumption or the invariant of a loop.
    Assertion,
}

/// A variable of a procedure, as a formula sees it.
#[derive(Clone, Debug)]
pub(super) struct Visible {
    pub id: LocalId,
    pub ty: Type,
    pub role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Formal,
    Result,
    Variable,
}

/// Where a formula stands.
pub(super) struct Place<'s, 'a> {
    /// Whose names need no module before them.
    pub module: Option<ModuleId>,
    pub naming: &'s Naming<'a>,
    /// Further modules whose names need none if only one of them has it: those of a scope.
    pub among: &'s [ModuleId],
    pub locals: &'s dyn Fn(&str) -> Option<Visible>,
    /// For advice.
    pub local_names: &'s dyn Fn() -> Vec<String>,
    pub purpose: Purpose,
    /// In a default: the name that stands for the clause it applies to.
    pub clause: Option<&'s str>,
}

/// The bound variable that stands for the clause which a default applies to, until the clause is put there.
pub(super) const CLAUSE: u32 = u32::MAX;

/// What an argument of a predicate, or a name, is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Set(SetExpr),
    Bool(Formula),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Set,
    Bool,
    Unknown,
}

/// Predicates that use each other may grow without end.
const MOST_NODES: usize = 100_000;
const DEEPEST: usize = 1_500;

const PARENTHESES: &str =
    "`&` and `|` bind tighter than `=`, `<=` and `in`: put each comparison in parentheses, as in `(a = b) & (c in d)`";

impl<'a> Resolver<'a, '_> {
    /// None: what is wrong has been reported.
    pub(super) fn formula(&mut self, formula: &ast::Formula, place: &Place<'_, 'a>) -> Option<Formula> {
        let mut walker = Walker {
            resolver: self,
            place,
            bound: Vec::new(),
            frames: Vec::new(),
            nodes: 0,
            depth: 0,
            is_too_large: false,
        };
        walker.boolean(formula)
    }
}

/// One predicate that is being expanded.
pub(super) struct Frame<'a> {
    pub name: &'a str,
    pub parameters: Vec<(&'a str, Value)>,
    pub primed: bool,
    /// Variables bound outside are not seen inside.
    pub bound_from: usize,
}

pub(super) struct Walker<'w, 's, 'a, 'd> {
    pub resolver: &'w mut Resolver<'a, 'd>,
    pub place: &'w Place<'s, 'a>,
    pub bound: Vec<(String, u32)>,
    pub frames: Vec<Frame<'a>>,
    pub nodes: usize,
    depth: usize,
    is_too_large: bool,
}

impl<'a> Walker<'_, '_, 'a, '_> {
    fn confused<T>(&mut self, span: Span, message: &str, help: &str) -> Option<T> {
        self.resolver.error("type-mismatch", span, message, help);
        None
    }

    /// Whether there is room for one more node.
    fn enter(&mut self, span: Span) -> Option<()> {
        self.nodes += 1;
        self.depth += 1;
        if self.nodes <= MOST_NODES && self.depth <= DEEPEST {
            return Some(());
        }
        if !self.is_too_large {
            self.is_too_large = true;
            let message = "this formula is too large once its predicates are expanded";
            self.resolver.error("too-large", span, message, "let predicates use each other less, or split the formula");
        }
        None
    }

    pub(super) fn boolean(&mut self, formula: &ast::Formula) -> Option<Formula> {
        self.enter(formula.span)?;
        let kind = self.boolean_kind(formula);
        self.depth -= 1;
        kind.map(|kind| Formula { kind, span: formula.span })
    }

    fn boolean_kind(&mut self, formula: &ast::Formula) -> Option<FormulaKind> {
        let span = formula.span;
        if let Some(relation) = self.relation_in(formula) {
            return Some(FormulaKind::OverRelation(relation));
        }
        Some(match &formula.kind {
            ast::FormulaKind::True => FormulaKind::True,
            ast::FormulaKind::False => FormulaKind::False,
            ast::FormulaKind::Name { name, primed } => match self.name(name, *primed, span)? {
                Value::Bool(formula) => formula.kind,
                Value::Set(_) => {
                    let message = format!("`{}` is a set, but a condition is expected here", name.name.text);
                    return self.confused(span, &message, "compare it, as in `x in S` or `S != {}`, in parentheses");
                }
            },
            ast::FormulaKind::Binary(op, left, right) => self.binary(*op, left, right, span)?,
            ast::FormulaKind::Not(inner) => FormulaKind::Not(Box::new(self.boolean(inner)?)),
            ast::FormulaKind::Card(set, op, number) => FormulaKind::Card(self.set(set)?, *op, *number),
            ast::FormulaKind::Disjoint(sets) => {
                let sets: Vec<Option<SetExpr>> = sets.iter().map(|s| self.set(s)).collect();
                FormulaKind::Disjoint(sets.into_iter().collect::<Option<_>>()?)
            }
            ast::FormulaKind::Quantified { exists, variables, elements, set, body } => {
                return self.quantified(*exists, variables, elements.as_ref(), *set, body);
            }
            ast::FormulaKind::Predicate { name, primed, arguments } => self.expand(name, *primed, arguments, span)?,
            ast::FormulaKind::Uninterpreted(quoted) => FormulaKind::Uninterpreted(quoted.clone()),
            ast::FormulaKind::Empty => {
                return self.confused(span, "`{}` is a set, but a condition is expected here", "compare it: `S = {}`");
            }
        })
    }

    fn binary(&mut self, op: FormulaOp, left: &ast::Formula, right: &ast::Formula, span: Span) -> Option<FormulaKind> {
        Some(match op {
            FormulaOp::Equal | FormulaOp::NotEqual => {
                let kinds = (self.kind(left), self.kind(right));
                if kinds.0 == Kind::Bool && kinds.1 == Kind::Bool {
                    return self.boolean_equality(op, left, right, span);
                }
                // Both sides, so that both are reported.
                let (left, right) = (self.set(left), self.set(right));
                let (left, right) = (left?, right?);
                if op == FormulaOp::Equal {
                    FormulaKind::Equal(left, right)
                } else {
                    FormulaKind::NotEqual(left, right)
                }
            }
            FormulaOp::Subset => {
                let (left, right) = (self.set(left), self.set(right));
                FormulaKind::Subset(left?, right?)
            }
            FormulaOp::Implies | FormulaOp::Iff => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                let (left, right) = (Box::new(left?), Box::new(right?));
                if op == FormulaOp::Implies { FormulaKind::Implies(left, right) } else { FormulaKind::Iff(left, right) }
            }
            FormulaOp::And | FormulaOp::Or => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                join(op == FormulaOp::And, left?, right?)
            }
            FormulaOp::Union | FormulaOp::Difference | FormulaOp::Intersection | FormulaOp::Product => {
                let help = "compare it, as in `x in S`, in parentheses; conditions are joined by `&` and `|`";
                return self.confused(span, "this is a set, but a condition is expected here", help);
            }
        })
    }

    /// `b = c` of two conditions is `b <=> c`.
    fn boolean_equality(
        &mut self,
        op: FormulaOp,
        left: &ast::Formula,
        right: &ast::Formula,
        span: Span,
    ) -> Option<FormulaKind> {
        for side in [left, right] {
            if let ast::FormulaKind::Binary(FormulaOp::And | FormulaOp::Or, first, _) = &side.kind
                // Parentheses of its own would begin before its first part.
                && first.span.start == side.span.start
            {
                let message = "the comparison is of all that is joined by `&` and `|` here";
                let problem = Diagnostic::warning("loose-comparison", side.span, message).help(PARENTHESES);
                self.resolver.diagnostics.push(problem);
            }
        }
        let (left, right) = (self.boolean(left), self.boolean(right));
        let iff = FormulaKind::Iff(Box::new(left?), Box::new(right?));
        Some(match op {
            FormulaOp::Equal => iff,
            _ => FormulaKind::Not(Box::new(Formula { kind: iff, span })),
        })
    }

    pub(super) fn set(&mut self, formula: &ast::Formula) -> Option<SetExpr> {
        self.enter(formula.span)?;
        let set = self.set_kind(formula);
        self.depth -= 1;
        set
    }

    fn set_kind(&mut self, formula: &ast::Formula) -> Option<SetExpr> {
        let span = formula.span;
        match &formula.kind {
            ast::FormulaKind::Empty => Some(SetExpr::Empty),
            ast::FormulaKind::Name { name, primed } => match self.name(name, *primed, span)? {
                Value::Set(set) => Some(set),
                Value::Bool(_) => {
                    let message = format!("`{}` is a Boolean, but a set is expected here", name.name.text);
                    let is_clause = name.module.is_none() && self.place.clause == Some(name.name.text.as_str());
                    let help = if is_clause {
                        "the first parameter of a default stands for the clause: write `default d(f, x) = f & (x in S)`"
                    } else {
                        "sets are compared with sets; Booleans are joined by `&`, `|` and `<=>`, as in `(A = B) & b`"
                    };
                    self.confused(span, &message, help)
                }
            },
            ast::FormulaKind::Binary(op, left, right) => {
                let make: fn(Box<SetExpr>, Box<SetExpr>) -> SetExpr = match op {
                    FormulaOp::Union => SetExpr::Union,
                    FormulaOp::Difference => SetExpr::Diff,
                    FormulaOp::Intersection => SetExpr::Inter,
                    FormulaOp::Product => {
                        let help = "pairs are in relations only: `specvar r : (A * B) set;`";
                        return self.confused(span, "this is a pair, but a set is expected here", help);
                    }
                    FormulaOp::And | FormulaOp::Or => {
                        let is_and = *op == FormulaOp::And;
                        let (joins, sets) = if is_and { ("&", "inter") } else { ("|", "+") };
                        let both = self.kind(left) == Kind::Set && self.kind(right) == Kind::Set;
                        let message = format!("`{joins}` joins conditions, but a set is expected here");
                        let help = if both {
                            format!("sets are joined by `{sets}`; {PARENTHESES}")
                        } else {
                            PARENTHESES.to_string()
                        };
                        return self.confused(span, &message, &help);
                    }
                    _ => return self.confused(span, "this is a condition, but a set is expected here", PARENTHESES),
                };
                let (left, right) = (self.set(left), self.set(right));
                Some(make(Box::new(left?), Box::new(right?)))
            }
            ast::FormulaKind::Quantified { .. } => {
                let help = "the body of a quantifier is one atom: put all of it in parentheses, as in `exists x : T. (x in S)`";
                self.confused(span, "this is a condition, but a set is expected here", help)
            }
            _ => self.confused(span, "this is a condition, but a set is expected here", PARENTHESES),
        }
    }

    /// What it is, as far as its top tells; nothing is reported.
    pub(super) fn kind(&mut self, formula: &ast::Formula) -> Kind {
        match &formula.kind {
            ast::FormulaKind::Empty => Kind::Set,
            ast::FormulaKind::Binary(FormulaOp::Union | FormulaOp::Difference | FormulaOp::Intersection, ..) => {
                Kind::Set
            }
            ast::FormulaKind::Name { name, .. } => {
                let known = self.resolver.diagnostics.len();
                let value = self.name(name, false, formula.span);
                self.resolver.diagnostics.truncate(known);
                match value {
                    Some(Value::Set(_)) => Kind::Set,
                    Some(Value::Bool(_)) => Kind::Bool,
                    None if self.is_unprimed_bool_result(name) => Kind::Bool,
                    None => Kind::Unknown,
                }
            }
            _ => Kind::Bool,
        }
    }

    /// The first relation that an atom speaks of.
    fn relation_in(&mut self, formula: &ast::Formula) -> Option<SpecVarId> {
        if !self.resolver.program.spec_vars.iter().any(|v| v.kind == SpecVarKind::Relation) {
            return None;
        }
        let mut waiting = match &formula.kind {
            ast::FormulaKind::Binary(FormulaOp::Equal | FormulaOp::NotEqual | FormulaOp::Subset, a, b) => {
                vec![&**a, &**b]
            }
            ast::FormulaKind::Card(set, ..) => vec![&**set],
            ast::FormulaKind::Disjoint(sets) => sets.iter().collect(),
            _ => return None,
        };
        while let Some(part) = waiting.pop() {
            match &part.kind {
                ast::FormulaKind::Binary(_, a, b) => waiting.extend([&**a, &**b]),
                ast::FormulaKind::Name { name, .. } => {
                    let known = self.resolver.diagnostics.len();
                    let (module, naming, among) = (self.place.module, self.place.naming, self.place.among);
                    let found = self.resolver.spec_var(name, module, naming, among, &Vec::new);
                    self.resolver.diagnostics.truncate(known);
                    let kind = found.map(|id| self.resolver.program.spec_var(id).kind);
                    let is_local = name.module.is_none() && (self.place.locals)(&name.name.text).is_some();
                    if kind == Some(SpecVarKind::Relation) && !is_local {
                        return found;
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn is_unprimed_bool_result(&self, name: &Name) -> bool {
        let local = if name.module.is_none() { (self.place.locals)(&name.name.text) } else { None };
        local.is_some_and(|l| l.role == Role::Result && l.ty == Type::Bool)
    }

    fn quantified(
        &mut self,
        exists: bool,
        variables: &[Ident],
        elements: Option<&Ident>,
        set: bool,
        body: &ast::Formula,
    ) -> Option<FormulaKind> {
        if let Some(elements) = elements {
            self.resolver.object_type(self.place.naming, elements)?;
        }
        let outside = self.bound.len();
        for variable in variables {
            let number = self.resolver.bound;
            self.resolver.bound += 1;
            self.bound.push((variable.text.clone(), number));
        }
        if let ast::FormulaKind::Name { name, .. } = &body.kind
            && self.kind(body) == Kind::Set
        {
            let help =
                "the body of a quantifier is one atom: put all of it in parentheses, as in `exists x : T. (x in S)`";
            let message = format!("the body of this quantifier is the set `{}` alone", name.name.text);
            self.bound.truncate(outside);
            return self.confused(body.span, &message, help);
        }
        let inner = self.boolean(body);
        let numbers: Vec<(String, u32)> = self.bound.drain(outside..).collect();
        let mut inner = inner?;
        for (name, variable) in numbers.into_iter().rev() {
            let span = inner.span;
            let kind = FormulaKind::Quantified { exists, variable, name, set, body: Box::new(inner) };
            inner = Formula { kind, span };
        }
        Some(inner.kind)
    }
}

/// Chains are flattened, so that nobody recurses deeply into them.
fn join(is_and: bool, left: Formula, right: Formula) -> FormulaKind {
    let mut parts = match left.kind {
        FormulaKind::And(parts) if is_and => parts,
        FormulaKind::Or(parts) if !is_and => parts,
        kind => vec![Formula { kind, span: left.span }],
    };
    parts.push(right);
    if is_and { FormulaKind::And(parts) } else { FormulaKind::Or(parts) }
}
