//! Patterns, and the scope of the variables that they bind (JLS 6.3.1): where the match is certain, and nowhere else. Elsewhere
//! their name may mean a field.
//!
//! A record pattern is an `instanceof`, and one for each component, asked of its accessor; where every value of the component
//! matches, also null, it is given its name without a question (JLS 14.30).
//!
//! Every pattern variable starts out of scope. Each construct that has a part which is reached on a certain outcome only
//! brings them into scope for that part, and takes them out again.

use super::body::{Body, Val, expr, sequence, set_local};
use crate::resolve::*;
use crate::syntax::ast::{
    BinaryOp, DeclKind, Expr, ExprKind, Ident, Member, Pattern, PatternKind, TypeRef, TypeRefKind, UnaryOp,
};
use ir::{LocalId, Ty};
use source::{Diagnostic, Span};

impl Body<'_, '_> {
    /// Whether an object matches, and is not null.
    pub fn matches(&mut self, value: Val, pattern: &Pattern, span: Span) -> Val {
        match &pattern.kind {
            PatternKind::Any => {
                self.failed(Diagnostic::error("syntax-error", span, "`_` stands for a part of a record only"))
            }
            PatternKind::Type(ty, name) => self.instance_of(value, ty, Some(name).filter(|n| &*n.name != "_"), span),
            PatternKind::Record(ty, parts) => self.record(value, ty, parts, span),
        }
    }

    fn record(&mut self, value: Val, written: &TypeRef, parts: &[Pattern], span: Span) -> Val {
        let of = value.ty.clone();
        let object = Ident { name: format!("$record{}", written.span.start).into(), span: written.span };
        let at = self.vars.len();
        let test = self.instance_of(value, written, Some(&object), span);
        let Some(Type::Class(class, _)) = self.vars.get(at).map(|v| v.ty.clone()) else { return test };
        let decl = self.low.table.class(class).decl.clone();
        if decl.kind != DeclKind::Record {
            let message = format!("`{}` is not a record", decl.name.name);
            let error = Diagnostic::error("type-mismatch", written.span, message);
            return self.failed(error.help("name the whole object, and use its methods"));
        }
        let components: Vec<Ident> = decl
            .members
            .iter()
            .filter_map(|member| match member {
                Member::Field(field) if !field.modifiers.is_static => Some(field.name.clone()),
                _ => None,
            })
            .collect();
        if components.len() != parts.len() {
            let message = format!("`{}` has {} parts, not {}", decl.name.name, components.len(), parts.len());
            return self.failed(Diagnostic::error("type-mismatch", written.span, message));
        }
        let is_raw = matches!(&written.kind, TypeRefKind::Named(names) if names.iter().all(|(_, args)| args.is_none()));
        if is_raw {
            self.vars[at].ty = self.type_within(class, &of);
        }
        self.vars[at].in_scope = true;
        let mut all = test.expr;
        for (component, part) in components.into_iter().zip(parts) {
            let target = Expr { kind: ExprKind::Name(object.name.clone()), span };
            let accessor = ExprKind::Call {
                target: Some(Box::new(target)),
                type_args: Vec::new(),
                name: Ident { span, ..component },
                arguments: Vec::new(),
            };
            let component = self.expr(&Expr { kind: accessor, span }, None);
            let holds = self.component(component, part, span);
            all = expr(ir::ExprKind::AndThen(Box::new(all), Box::new(holds)), Ty::Bool, span);
        }
        self.vars[at].in_scope = false;
        Val { expr: all, ty: BOOL }
    }

    /// A generic class without type arguments, as a part of a type that has some: `Leaf` within a `Tree<Integer>`.
    fn type_within(&mut self, class: ClassIx, of: &Type) -> Type {
        let own = self.low.table.self_type(class);
        let (Type::Class(above, given), Type::Class(_, own_args)) = (of, &own) else { return own };
        let mut map = self.low.table.substitution(&Type::Class(class, Vec::new().into()));
        if own_args.is_empty() || given.is_empty() {
            return own.substitute(&map);
        }
        if let Some(Type::Class(_, there)) = self.low.table.as_super(&own, *above) {
            for (parameter, argument) in there.iter().zip(given.iter()) {
                if let Type::Var(var) = parameter {
                    map.set(*var, argument.clone());
                }
            }
        }
        own.substitute(&map)
    }

    /// A part of a record.
    fn component(&mut self, part: Val, pattern: &Pattern, span: Span) -> ir::Expr {
        let yes = expr(ir::ExprKind::Bool(true), Ty::Bool, span);
        match &pattern.kind {
            PatternKind::Any => yes,
            PatternKind::Record(..) => self.matches(part, pattern, span).expr,
            PatternKind::Type(written, name) => {
                let ty = match written.kind {
                    TypeRefKind::Var => part.ty.clone(),
                    _ => self.resolve(written),
                };
                let is_every = part.ty == ty
                    || part.ty.is_reference() && ty.is_reference() && self.low.table.is_subtype(&part.ty, &ty);
                if !is_every {
                    return self.matches(part, pattern, span).expr;
                }
                let value = self.assign_to(part, &ty);
                if &*name.name == "_" {
                    return yes;
                }
                let local = self.declare_pattern(name, ty);
                sequence(vec![set_local(local, value, span)], yes)
            }
        }
    }

    /// A variable that a pattern binds.
    pub fn declare_pattern(&mut self, name: &Ident, ty: Type) -> LocalId {
        let local = self.declare(name.name.clone(), ty);
        if let Some(var) = self.vars.last_mut() {
            (var.pattern, var.in_scope) = (Some(name.span), false);
        }
        local
    }

    /// For what is reached only if a condition, lowered when there were `mark` variables, has the given outcome.
    pub fn in_scope_when(&mut self, mark: usize, condition: &Expr, outcome: bool) {
        let mut bound = Vec::new();
        introduced(condition, outcome, &mut bound);
        for var in &mut self.vars[mark..] {
            var.in_scope = var.pattern.is_none_or(|at| bound.contains(&at));
        }
    }

    pub fn out_of_scope(&mut self, mark: usize) {
        self.vars[mark..].iter_mut().for_each(|v| v.in_scope = v.pattern.is_none());
    }

    /// At the end of a statement: what is still in scope is so for the rest of the block.
    pub fn drop_patterns(&mut self, mark: usize) {
        let declared = self.vars.split_off(mark);
        self.vars.extend(declared.into_iter().filter(|v| v.in_scope));
    }
}

fn named(pattern: &Pattern, out: &mut Vec<Span>) {
    match &pattern.kind {
        PatternKind::Type(_, name) => out.push(name.span),
        PatternKind::Record(_, parts) => parts.iter().for_each(|part| named(part, out)),
        PatternKind::Any => {}
    }
}

/// The places of the pattern variables that an expression introduces when it is `outcome`.
fn introduced(e: &Expr, outcome: bool, out: &mut Vec<Span>) {
    match &e.kind {
        ExprKind::InstanceOf(_, _, Some(name)) if outcome => out.push(name.span),
        ExprKind::Matches(_, pattern) if outcome => named(pattern, out),
        ExprKind::Unary(UnaryOp::Not, operand) => introduced(operand, !outcome, out),
        ExprKind::Binary(op @ (BinaryOp::AndThen | BinaryOp::OrElse), a, b)
            if outcome == (*op == BinaryOp::AndThen) =>
        {
            introduced(a, outcome, out);
            introduced(b, outcome, out);
        }
        _ => {}
    }
}
