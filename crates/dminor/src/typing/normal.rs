//! Types in disjunctive normal form (docs/dminor.md, "The type system"), and the types of members and fields that it gives.

use super::checker::{Checker, Typed};
use super::copy::*;
use crate::program::*;
use crate::value::Label;
use crate::verify::Why;
use crate::verify::term::*;
use source::Span;

/// Everything about one value: it is in each of these types, and each of these conditions holds.
#[derive(Clone, Default)]
struct Disjunct {
    atoms: Vec<Type>,
    conditions: Vec<Expr>,
}

/// Beyond this many, a type is taken as it is.
const MOST: usize = 48;

/// Named types inside of each other.
const DEEPEST: usize = 40;

fn times(left: Vec<Disjunct>, right: Vec<Disjunct>) -> Option<Vec<Disjunct>> {
    if left.len() * right.len() > MOST {
        return None;
    }
    let both = |a: &Disjunct, b: &Disjunct| Disjunct {
        atoms: [&a.atoms[..], &b.atoms].concat(),
        conditions: [&a.conditions[..], &b.conditions].concat(),
    };
    Some(left.iter().flat_map(|a| right.iter().map(move |b| both(a, b))).collect())
}

fn atom(ty: Type) -> Vec<Disjunct> {
    vec![Disjunct { atoms: vec![ty], conditions: Vec::new() }]
}

impl Checker<'_, '_> {
    /// The normal form of a type, of the value of a pure expression.
    fn normal(&mut self, of: &Type, value: &Expr, depth: usize) -> Vec<Disjunct> {
        let whole = || atom(of.clone());
        if depth > DEEPEST {
            return whole();
        }
        match &of.kind {
            TypeKind::Any => vec![Disjunct::default()],
            TypeKind::Empty => Vec::new(),
            TypeKind::Named(id) => {
                let definition = &self.walker.logic.program.named(*id).definition;
                let definition = self.fresh.ty(definition, &Map::new());
                self.normal(&definition, value, depth + 1)
            }
            TypeKind::Refinement(variable, base, condition) => {
                let base = self.normal(base, value, depth);
                let condition = self.normal_of_condition(condition, *variable, value, depth);
                times(base, condition).unwrap_or_else(whole)
            }
            TypeKind::And(a, b) => {
                let (a, b) = (self.normal(a, value, depth), self.normal(b, value, depth));
                times(a, b).unwrap_or_else(whole)
            }
            TypeKind::Or(a, b) => {
                let mut all = self.normal(a, value, depth);
                all.extend(self.normal(b, value, depth));
                if all.len() > MOST { whole() } else { all }
            }
            TypeKind::Nullable(a) => {
                let mut all = self.normal(a, value, depth);
                all.extend(atom(null(of.span)));
                all
            }
            _ => whole(),
        }
    }

    fn normal_of_condition(&mut self, of: &Expr, variable: VarId, value: &Expr, depth: usize) -> Vec<Disjunct> {
        let map = Map::from([(variable, value.clone())]);
        let split = match &of.kind {
            ExprKind::Op(Op::And, parts) if parts.len() == 2 => {
                let a = self.normal_of_condition(&parts[0], variable, value, depth);
                let b = self.normal_of_condition(&parts[1], variable, value, depth);
                times(a, b)
            }
            ExprKind::Op(Op::Or, parts) if parts.len() == 2 => {
                let mut all = self.normal_of_condition(&parts[0], variable, value, depth);
                all.extend(self.normal_of_condition(&parts[1], variable, value, depth));
                Some(all).filter(|all| all.len() <= MOST)
            }
            ExprKind::Test(tested, ty) if matches!(tested.kind, ExprKind::Var(id) if id == variable) => {
                let ty = self.fresh.ty(ty, &map);
                Some(self.normal(&ty, value, depth + 1))
            }
            _ => None,
        };
        split.unwrap_or_else(|| {
            let condition = self.fresh.expr(of, &map);
            vec![Disjunct { atoms: Vec::new(), conditions: vec![condition] }]
        })
    }

    /// What a disjunct says of a value that is known to be in the type, together with a goal that should follow.
    fn follows(&mut self, disjunct: &Disjunct, value: Val, goal: Formula) -> Result<(), Why> {
        self.scope(|checker| {
            for ty in &disjunct.atoms {
                let fact = checker.is_in(ty, value);
                checker.walker.know(fact);
            }
            for condition in &disjunct.conditions {
                let fact = checker.val(condition).truth(checker.walker.logic.terms);
                checker.walker.know(fact);
            }
            checker.prove(goal)
        })
    }

    /// The parts of a type: of each disjunct those that are found in it. If there are none, the disjunct must be empty, or the solver must
    /// know that the part is there, of which nothing else is known then. A part of which nothing is known counts only if the disjunct is
    /// not empty.
    fn parts(
        &mut self,
        typed: &Typed,
        found: impl Fn(&Disjunct) -> Vec<Type>,
        is_there: impl FnOnce(&mut Self, Val) -> Formula,
    ) -> Result<Type, Why> {
        let span = typed.ty.span;
        let disjuncts = self.normal(&typed.ty, &typed.pure, 0);
        let (mut all, mut missing) = (Vec::new(), Vec::new());
        for disjunct in disjuncts {
            let parts = found(&disjunct);
            let is_found = !parts.is_empty();
            match intersection(parts, span) {
                Type { kind: TypeKind::Any, .. } => missing.push((disjunct, is_found)),
                part => all.push(part),
            }
        }
        let is_plain = all.is_empty() && missing.iter().all(|(_, is_found)| *is_found);
        if is_plain && !missing.is_empty() {
            // Whatever is not empty among them gives no more.
            return Ok(ty(TypeKind::Any, span));
        }
        if !missing.is_empty() {
            let before = self.walker.facts.len();
            let value = self.val(&typed.pure);
            let value = self.walker.named(value, "whole");
            let goal = is_there(self, value);
            let mut told = Ok(());
            for (disjunct, is_found) in &missing {
                if self.follows(disjunct, value, Term::FALSE).is_ok() {
                    continue;
                }
                all.push(ty(TypeKind::Any, span));
                told = if *is_found { Ok(()) } else { self.follows(disjunct, value, goal) };
                if told.is_err() {
                    break;
                }
            }
            self.walker.facts.truncate(before);
            told?;
        }
        if all.iter().any(|t| matches!(t.kind, TypeKind::Any)) {
            return Ok(ty(TypeKind::Any, span));
        }
        Ok(bounded(union(all, span)))
    }

    /// The type of the members.
    pub fn items(&mut self, typed: &Typed) -> Result<Type, Why> {
        let found = |disjunct: &Disjunct| {
            let members = |t: &Type| match &t.kind {
                TypeKind::Collection(of) => Some((**of).clone()),
                _ => None,
            };
            disjunct.atoms.iter().filter_map(members).collect()
        };
        let members = self.parts(typed, found, |checker, value| value.is(Sort::Coll, checker.walker.logic.terms))?;
        Ok(match &typed.pure.kind {
            ExprKind::Query(query) => self.selected(query, members),
            _ => members,
        })
    }

    /// A member of what a pure query gives: some member of its source is selected as it.
    fn selected(&mut self, query: &Query, members: Type) -> Type {
        let span = members.span;
        let member = self.fresh.make();
        let item = self.fresh.make();
        let map = Map::from([(query.item, var(item, span))]);
        let select = self.fresh.expr(&query.select, &map);
        let made = expr(ExprKind::Op(Op::Eq, vec![var(member, span), select]), span);
        let filter = query.filter.as_ref().map(|e| self.fresh.expr(e, &map));
        let Some(made) = conjunction(filter.iter().chain([&made])) else { return members };
        let any = Box::new(ty(TypeKind::Any, span));
        let not_made = ty(TypeKind::Refinement(item, any, Box::new(negated(made))), span);
        let none = ty(TypeKind::Collection(Box::new(not_made)), span);
        let source = Box::new(self.fresh.expr(&query.source, &Map::new()));
        let some = expr(ExprKind::Test(source, Box::new(ty(TypeKind::Not(Box::new(none)), span))), span);
        bounded(ty(TypeKind::Refinement(member, Box::new(members), Box::new(some)), span))
    }

    /// The type of a field.
    pub fn fields(&mut self, typed: &Typed, label: &Label) -> Result<Type, Why> {
        let place = path(&typed.pure).map(|(id, labels)| (id, [&labels[..], std::slice::from_ref(label)].concat()));
        let found = |disjunct: &Disjunct| {
            let mut all = Vec::new();
            for atom in &disjunct.atoms {
                if let TypeKind::Entity(fields) = &atom.kind {
                    all.extend(fields.iter().filter(|f| f.label == *label).map(|f| f.ty.clone()));
                }
            }
            if !all.is_empty() {
                for condition in &disjunct.conditions {
                    if let ExprKind::Test(tested, ty) = &condition.kind
                        && place.is_some()
                        && path(tested) == place
                    {
                        all.push((**ty).clone());
                    }
                }
            }
            all
        };
        self.parts(typed, found, |checker, value| {
            let (number, t) = (checker.walker.logic.label(label), checker.walker.logic.terms);
            t.and([value.is(Sort::Ent, t), t.has(value.payload(Sort::Ent, t), number)])
        })
    }

    /// With what conditions of the environment say of it.
    pub fn as_tested(&self, ty: Type, pure: &Expr, span: Span) -> Type {
        let Some(place) = path(pure) else { return ty };
        let tests = self.tests.iter().filter(|(at, _)| *at == place).map(|(_, ty)| ty.clone());
        bounded(intersection(std::iter::once(ty).chain(tests).collect(), span))
    }
}
