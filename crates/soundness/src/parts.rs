//! What is in the pattern of a rule's subject: fields, binders, variables, and the scopes of the trees below.

use crate::tables::is_finite;
use lang::*;
use rustc_hash::FxHashMap;

/// The finite fields and the binders of a subject's pattern: number of the node, production, argument.
pub struct Parts<'a> {
    pub fields: Vec<(usize, ProdId, usize, &'a Form)>,
    pub binders: Vec<(usize, ProdId, usize, MetaId)>,
    /// Variables that occur, binders aside.
    pub vars: Vec<MetaId>,
    /// Variables bound above each tree metavariable.
    pub scopes: FxHashMap<MetaId, Vec<MetaId>>,
    nodes: usize,
    /// Only metavariables of full sorts below the top.
    pub is_flat: bool,
}

impl<'a> Parts<'a> {
    pub fn of(lang: &Lang, rule: &Rule, subject: &'a Form) -> Parts<'a> {
        let mut parts = Parts {
            fields: Vec::new(),
            binders: Vec::new(),
            vars: Vec::new(),
            scopes: FxHashMap::default(),
            nodes: 0,
            is_flat: true,
        };
        collect(lang, rule, subject, 0, &mut Vec::new(), &mut parts);
        parts
    }

    /// The arguments of a node of the pattern that these forms are; none if one of them is not.
    pub fn fields_of(&self, node: usize, forms: &[Form]) -> Option<Vec<usize>> {
        let field = |form: &Form| self.fields.iter().find(|(n, _, _, f)| *n == node && *f == form).map(|f| f.2);
        forms.iter().map(field).collect()
    }
}

fn collect<'a>(lang: &Lang, rule: &Rule, form: &'a Form, depth: u32, scope: &mut Vec<MetaId>, parts: &mut Parts<'a>) {
    match form {
        Form::Meta(m) => {
            // The second occurrence is an equality of trees.
            parts.is_flat &= parts.scopes.insert(*m, scope.clone()).is_none();
            parts.is_flat &= lang.base(rule.metas[m.index()].sort) == rule.metas[m.index()].sort;
        }
        Form::Node(prod, args) => {
            parts.is_flat &= depth == 0;
            let node = parts.nodes;
            parts.nodes += 1;
            let production = lang.prod(*prod);
            for binder in &production.binders {
                if let Form::Meta(m) = &args[binder.var] {
                    parts.binders.push((node, *prod, binder.var, *m));
                }
            }
            for (i, arg) in args.iter().enumerate() {
                let sort = production.args[i];
                if production.is_binder(i) {
                    continue;
                }
                if lang.sort(sort).kind == SortKind::Var {
                    if let Form::Meta(m) = arg {
                        parts.vars.push(*m);
                    }
                    continue;
                }
                if is_finite(lang, sort) {
                    parts.fields.push((node, *prod, i, arg));
                    continue;
                }
                let depth_before = scope.len();
                for binder in production.binders_over(i) {
                    if let Form::Meta(m) = &args[binder.var] {
                        scope.push(*m);
                    }
                }
                collect(lang, rule, arg, depth + 1, scope, parts);
                scope.truncate(depth_before);
            }
        }
        Form::Any(sort) => parts.is_flat &= lang.base(*sort) == *sort,
        _ => parts.is_flat = false,
    }
}
