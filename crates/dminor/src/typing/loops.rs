//! The rules for accumulates and queries.

use super::checker::{Checker, Typed};
use super::copy::*;
use crate::program::*;
use crate::verify::Why;
use crate::verify::walk::Kind;
use source::Span;

impl Checker<'_, '_> {
    /// The type of the accumulator is that of the initial value, as ascribed; every round keeps it.
    pub fn accumulate(&mut self, accumulate: &Accumulate, span: Span) -> Typed {
        let source = self.synth(&accumulate.source);
        let members = self.members(&source, Kind::Collection, accumulate.source.span);
        let (kept, initial) = match &accumulate.annotation {
            Some(annotation) => {
                self.well_formed(annotation);
                let initial = self.check(&accumulate.initial, annotation, &Kind::AccumulatorInitial);
                (annotation.clone(), initial)
            }
            None => {
                let initial = self.synth(&accumulate.initial);
                (initial.ty, initial.pure)
            }
        };
        let kept = self.with_invariant(accumulate, kept, &initial);
        let (impure, bound) = (self.impure, self.bound.len());
        let body = self.scope(|checker| {
            checker.bind(accumulate.item, members, None);
            checker.bind(accumulate.accumulator, kept.clone(), None);
            checker.check(&accumulate.body, &kept, &Kind::Accumulator)
        });
        let is_pure = self.impure == impure;
        self.bound.truncate(bound);
        if !is_pure {
            return self.opaque(kept, span);
        }
        let (item, accumulator) = (accumulate.item, accumulate.accumulator);
        let alone =
            Accumulate { item, source: source.pure, accumulator, initial, annotation: None, invariant: None, body };
        // Only a refinement can say the same of a loop.
        if !self.walker.logic.knows_loop(&alone) || !self.is_ordered(&alone, span) {
            return self.opaque(kept, span);
        }
        self.known(Typed { ty: kept, pure: expr(ExprKind::Accumulate(Box::new(alone)), span) })
    }

    fn is_ordered(&mut self, accumulate: &Accumulate, span: Span) -> bool {
        match self.ordered.get(&span) {
            Some(told) => *told,
            None => {
                let told = self.order(accumulate).is_ok();
                self.ordered.insert(span, told);
                told
            }
        }
    }

    /// An invariant of the accumulator alone is part of its type; one about the members to come cannot be.
    fn with_invariant(&mut self, accumulate: &Accumulate, kept: Type, initial: &Expr) -> Type {
        let Some((rest, invariant)) = &accumulate.invariant else { return kept };
        if expr_mentions(invariant, &[*rest]) {
            let why = Why::Rule("a type cannot say what holds of the members to come");
            self.reject(Kind::Invariant, invariant.span, why);
            return kept;
        }
        let variable = accumulate.accumulator;
        let refined = TypeKind::Refinement(variable, Box::new(kept.clone()), Box::new(invariant.clone()));
        let refined = self.fresh.ty(&ty(refined, invariant.span), &Map::new());
        self.well_formed(&refined);
        let initial = Typed { ty: kept, pure: initial.clone() };
        self.subtype(&initial, &refined, &Kind::InvariantInitial, invariant.span);
        refined
    }

    /// The members of the result have the type of what is selected, without the member it is selected from.
    pub fn query(&mut self, query: &Query, span: Span) -> Typed {
        let source = self.synth(&query.source);
        let members = self.members(&source, Kind::Collection, query.source.span);
        let (impure, bound) = (self.impure, self.bound.len());
        let logical = ty(TypeKind::Logical, span);
        let (filter, selected) = self.scope(|checker| {
            checker.bind(query.item, members, None);
            match &query.filter {
                None => (None, checker.synth(&query.select)),
                Some(filter) => {
                    let filter = checker.check(filter, &logical, &Kind::Condition);
                    let guard = checker.guard(&filter);
                    let selected = checker.under(&filter, guard, true, |inner| inner.synth(&query.select));
                    (Some(filter), selected)
                }
            }
        });
        let hidden = self.bound.split_off(bound);
        let selected_type = match &selected.pure.kind {
            // The member itself: what the filter says of it holds of the result.
            ExprKind::Var(id) if *id == query.item => {
                let member = self.fresh.make();
                let map = Map::from([(query.item, var(member, span))]);
                let base = self.fresh.ty(&selected.ty, &map);
                match filter.as_ref().map(|e| self.fresh.expr(e, &map)) {
                    // The type may not mention the value that it is the type of.
                    _ if mentions(&base, &[member]) => selected.ty.clone(),
                    None => base,
                    Some(e) => ty(TypeKind::Refinement(member, Box::new(base), Box::new(e)), span),
                }
            }
            _ => selected.ty.clone(),
        };
        let selected_type = forget(&selected_type, &hidden, &self.types, 0);
        let result = bounded(ty(TypeKind::Collection(Box::new(selected_type)), span));
        if self.impure != impure {
            return self.opaque(result, span);
        }
        let alone = Query { item: query.item, source: source.pure, filter, select: selected.pure };
        self.known(Typed { ty: result, pure: expr(ExprKind::Query(Box::new(alone)), span) })
    }
}
