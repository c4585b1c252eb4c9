//! Recursive types whose recursion ends (docs/dminor.md, "Recursive types"): from one use of a name to the next the tested value must get
//! strictly smaller. Then the type is the only one that satisfies its definition, negation or not: values are finite.
//!
//! A use of M in the definition of N, asked of a value, is about a strictly smaller part of it (below a field or a member), about the
//! value itself, or about some other value. Wrong are: a cycle of uses about the value itself, and a use about some other value that
//! leads back.

use crate::program::{Accumulate, Expr, ExprKind, Program, Query, Type, TypeId, TypeKind, VarId};
use source::{Diagnostic, Span};
use std::collections::HashMap;

/// What a value is to the one that the definition is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Relation {
    Smaller,
    Same,
    Other,
}

struct Use {
    of: TypeId,
    relation: Relation,
    span: Span,
}

pub(super) fn check(program: &mut Program, diagnostics: &mut Vec<Diagnostic>) {
    let uses: Vec<Vec<Use>> = program
        .types
        .iter()
        .map(|named| {
            let mut walk = Walk { variables: HashMap::new(), uses: Vec::new() };
            walk.type_(&named.definition, Relation::Same);
            walk.uses
        })
        .collect();
    let leads = reachable(&uses, |_| true);
    let leads_by_same = reachable(&uses, |u| u.relation == Relation::Same);
    for (n, own) in uses.iter().enumerate() {
        program.types[n].is_recursive = leads[n][n];
        let name = &program.types[n].name;
        let wrong = own.iter().find(|u| {
            let m = u.of.0 as usize;
            match u.relation {
                Relation::Smaller => false,
                Relation::Same => m == n || leads_by_same[m][n],
                Relation::Other => m == n || leads[m][n],
            }
        });
        let Some(wrong) = wrong else { continue };
        let through = &program.types[wrong.of.0 as usize].name;
        let way = if through == name { String::new() } else { format!(" through `{through}`") };
        let problem = if wrong.relation == Relation::Same {
            let message = format!("`{name}` is defined by itself{way}, for the same value");
            Diagnostic::error("unguarded-type", wrong.span, message).label("about the same value again")
        } else {
            let message = format!("`{name}` is defined by itself{way}, for a value that is no part of its own");
            Diagnostic::error("unguarded-type", wrong.span, message).label("about a value that need not be smaller")
        };
        diagnostics.push(
            problem
                .related(program.types[n].name_span, "this type")
                .help("a recursive type may use itself below a field or for members: {next: N;}, N*"),
        );
    }
}

/// Which types lead to which, by one use or more.
fn reachable(uses: &[Vec<Use>], counts: impl Fn(&Use) -> bool) -> Vec<Vec<bool>> {
    let mut all = Vec::with_capacity(uses.len());
    for start in 0..uses.len() {
        let mut found = vec![false; uses.len()];
        let mut todo = vec![start];
        while let Some(n) = todo.pop() {
            for used in uses[n].iter().filter(|u| counts(u)) {
                let m = used.of.0 as usize;
                if !std::mem::replace(&mut found[m], true) {
                    todo.push(m);
                }
            }
        }
        all.push(found);
    }
    all
}

struct Walk {
    variables: HashMap<VarId, Relation>,
    uses: Vec<Use>,
}

/// What a part of such a value is.
fn part(relation: Relation) -> Relation {
    if relation == Relation::Other { Relation::Other } else { Relation::Smaller }
}

impl Walk {
    /// The type, asked of a value that stands in this relation.
    fn type_(&mut self, ty: &Type, relation: Relation) {
        match &ty.kind {
            TypeKind::Any | TypeKind::Empty | TypeKind::Integer | TypeKind::Text | TypeKind::Logical => {}
            TypeKind::Collection(inner) => self.type_(inner, part(relation)),
            TypeKind::Entity(fields) => fields.iter().for_each(|f| self.type_(&f.ty, part(relation))),
            TypeKind::Refinement(variable, base, condition) => {
                self.type_(base, relation);
                self.variables.insert(*variable, relation);
                self.expr(condition);
            }
            TypeKind::And(a, b) | TypeKind::Or(a, b) => {
                self.type_(a, relation);
                self.type_(b, relation);
            }
            TypeKind::Not(inner) | TypeKind::Nullable(inner) => self.type_(inner, relation),
            TypeKind::Singleton(value) => {
                self.expr(value);
            }
            TypeKind::Named(id) => self.uses.push(Use { of: *id, relation, span: ty.span }),
        }
    }

    /// What the value of the expression is.
    fn expr(&mut self, expr: &Expr) -> Relation {
        match &expr.kind {
            ExprKind::Constant(_) => Relation::Other,
            ExprKind::Var(id) => self.variables.get(id).copied().unwrap_or(Relation::Other),
            ExprKind::Op(_, operands) | ExprKind::Collection(operands) | ExprKind::Call(_, operands) => {
                operands.iter().for_each(|o| {
                    self.expr(o);
                });
                Relation::Other
            }
            ExprKind::Cond(condition, then, other) => {
                self.expr(condition);
                self.expr(then).max(self.expr(other))
            }
            ExprKind::Let(variable, value, body) => {
                let relation = self.expr(value);
                self.variables.insert(*variable, relation);
                self.expr(body)
            }
            ExprKind::Test(value, ty) => {
                let relation = self.expr(value);
                self.type_(ty, relation);
                Relation::Other
            }
            ExprKind::Ascribe(value, ty) => {
                let relation = self.expr(value);
                self.type_(ty, relation);
                relation
            }
            ExprKind::Entity(fields) => {
                fields.iter().for_each(|(_, e)| {
                    self.expr(e);
                });
                Relation::Other
            }
            ExprKind::Select(base, _) => part(self.expr(base)),
            ExprKind::Accumulate(accumulate) => self.accumulate(accumulate),
            ExprKind::Query(query) => {
                let Query { item, source, filter, select } = &**query;
                let relation = part(self.expr(source));
                self.variables.insert(*item, relation);
                if let Some(filter) = filter {
                    self.expr(filter);
                }
                self.expr(select);
                Relation::Other
            }
        }
    }

    fn accumulate(&mut self, accumulate: &Accumulate) -> Relation {
        let source = self.expr(&accumulate.source);
        self.expr(&accumulate.initial);
        self.variables.insert(accumulate.item, part(source));
        if let Some(annotation) = &accumulate.annotation {
            self.type_(annotation, Relation::Other);
        }
        if let Some((_, invariant)) = &accumulate.invariant {
            self.expr(invariant);
        }
        self.expr(&accumulate.body);
        Relation::Other
    }
}
