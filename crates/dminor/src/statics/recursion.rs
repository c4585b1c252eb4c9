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
    let cycles = Cycles::new(&uses, |_| true);
    let cycles_by_same = Cycles::new(&uses, |u| u.relation == Relation::Same);
    for (n, own) in uses.iter().enumerate() {
        let is_around = |cycles: &Cycles, u: &Use| cycles.has(n, u.of.0 as usize);
        program.types[n].is_recursive = own.iter().any(|u| is_around(&cycles, u));
        let name = &program.types[n].name;
        let wrong = own.iter().find(|u| match u.relation {
            Relation::Smaller => false,
            Relation::Same => is_around(&cycles_by_same, u),
            Relation::Other => is_around(&cycles, u),
        });
        let Some(wrong) = wrong else { continue };
        let through = &program.types[wrong.of.0 as usize].name;
        let way = if through == name { String::new() } else { format!(" through `{through}`") };
        let problem = if wrong.relation == Relation::Same {
            let message = format!("`{name}` is defined by itself{way}, for the same value");
            Diagnostic::error("unguarded-type", wrong.span, message).label("about the same value again")
        } else {
            let message = format!("`{name}` is defined by itself{way}, for a value that is not a part of its own");
            Diagnostic::error("unguarded-type", wrong.span, message).label("about a value that need not be smaller")
        };
        diagnostics.push(
            problem
                .related(program.types[n].name_span, "this type")
                .help("a recursive type may use itself below a field or for members: {next: N;}, N*"),
        );
    }
}

/// Which types lead to each other: their strongly connected components, by Tarjan's algorithm with a stack of its own.
struct Cycles {
    /// By type: the number of its component.
    component: Vec<usize>,
}

impl Cycles {
    /// Whether a use of `m` by `n` is on a cycle.
    fn has(&self, n: usize, m: usize) -> bool {
        self.component[n] == self.component[m]
    }

    fn new(uses: &[Vec<Use>], counts: impl Fn(&Use) -> bool) -> Cycles {
        const OPEN: usize = usize::MAX;
        let mut component = vec![OPEN; uses.len()];
        // When it was reached, and the first of those on the stack that it leads to.
        let (mut order, mut low) = (vec![OPEN; uses.len()], vec![OPEN; uses.len()]);
        let (mut reached, mut components, mut stack) = (0, 0, Vec::new());
        for start in 0..uses.len() {
            let mut walk = vec![(start, 0usize)];
            while let Some((n, next)) = walk.pop() {
                if next == 0 {
                    if order[n] != OPEN {
                        continue;
                    }
                    (order[n], low[n]) = (reached, reached);
                    reached += 1;
                    stack.push(n);
                }
                // The last use that was followed has come to its end.
                if let Some(m) = next.checked_sub(1).and_then(|k| uses[n].get(k)).map(|u| u.of.0 as usize)
                    && component[m] == OPEN
                {
                    low[n] = low[n].min(low[m]);
                }
                if let Some(k) = (next..uses[n].len()).find(|k| counts(&uses[n][*k])) {
                    walk.push((n, k + 1));
                    walk.push((uses[n][k].of.0 as usize, 0));
                } else if low[n] == order[n] {
                    while let Some(m) = stack.pop() {
                        component[m] = components;
                        if m == n {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        Cycles { component }
    }
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
    /// The type, asked of a value in this relation.
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
