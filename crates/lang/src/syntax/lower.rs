//! Forms as read to forms of the definition: names become metavariables of the rule at hand.

use super::forms::Ast;
use crate::definition::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The metavariables of one rule, equation or check, in order of occurrence.
#[derive(Default)]
pub struct Lowering {
    pub metas: Vec<Meta>,
    /// Alternatives of sub-grammars have no metavariables.
    is_rule: bool,
    by_name: FxHashMap<String, MetaId>,
}

impl Lowering {
    /// For a rule, an equation or a check.
    pub fn new() -> Lowering {
        Lowering { is_rule: true, ..Lowering::default() }
    }

    /// A form without metavariables: an alternative.
    pub fn closed(ast: &Ast) -> Form {
        Lowering::default().form(ast)
    }

    /// How many metavariables there are, to come back to with [`Lowering::reset`].
    pub fn mark(&self) -> usize {
        self.metas.len()
    }

    /// Forgets the metavariables of a reading that came to nothing.
    pub fn reset(&mut self, mark: usize) {
        self.metas.truncate(mark);
        self.by_name.retain(|_, id| id.index() < mark);
    }

    /// `_`: a metavariable that occurs nowhere else.
    fn nameless(&mut self, sort: SortId) -> MetaId {
        let id = MetaId(self.metas.len() as u32);
        self.metas.push(Meta { name: "_".to_string(), sort, span: source::Span::default() });
        id
    }

    pub fn meta(&mut self, name: &str, sort: SortId, span: source::Span) -> MetaId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = MetaId(self.metas.len() as u32);
        self.metas.push(Meta { name: name.to_string(), sort, span });
        self.by_name.insert(name.to_string(), id);
        id
    }

    pub fn form(&mut self, ast: &Ast) -> Form {
        let is_rule = self.is_rule;
        let mut boxed = |ast: &Rc<Ast>| Box::new(self.form(ast));
        match ast {
            Ast::Paren(inner) => self.form(inner),
            Ast::Meta { name, sort, span, .. } => Form::Meta(self.meta(name, *sort, *span)),
            Ast::Node(prod, args) => Form::Node(*prod, args.iter().map(|a| self.form(a)).collect()),
            Ast::Any(sort) if is_rule => Form::Meta(self.nameless(*sort)),
            Ast::Any(sort) => Form::Any(*sort),
            Ast::Hole(sort) => Form::Hole(*sort),
            Ast::Error => Form::Error,
            Ast::Int(n) => Form::Int(*n),
            Ast::Atom(sort, k) => Form::Atom(*sort, *k),
            Ast::Lookup { store, key } => Form::Lookup { store: boxed(store), key: boxed(key) },
            Ast::Update { store, key, value } => {
                Form::Update { store: boxed(store), key: boxed(key), value: boxed(value) }
            }
            Ast::Arith(op, a, b) => Form::Arith(*op, boxed(a), boxed(b)),
            Ast::Subst { body, pairs } => {
                let body = boxed(body);
                Form::Subst { body, pairs: pairs.iter().map(|(by, var)| (self.form(by), self.form(var))).collect() }
            }
            Ast::Call(fun, args) => Form::Call(*fun, args.iter().map(|a| self.form(a)).collect()),
        }
    }
}
