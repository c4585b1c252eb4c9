//! Trees, rules and their parts as text that the tool reads again: the productions' own tokens, spaced as their author wrote them, with
//! parentheses where precedence asks for them (`syntax::precedence`), and names for variables, chosen so that nothing is captured.

mod write;

use crate::definition::*;
use crate::syntax::forms::Ast;
use crate::syntax::precedence::{absorbs_next, parenthesised};
use crate::term::{Term, TermId, Terms};
use source::Span;
use std::rc::Rc;

pub(crate) use write::{Item, Writer, spelling, text};

/// Variables bound above, innermost last, with their names.
type Names = Vec<(SortId, String)>;

/// A tree on one line.
pub fn term(terms: &Terms, id: TermId) -> String {
    let ast = Printer { terms }.term(id, &mut Names::new());
    let mut writer = Writer::new(terms.lang);
    writer.form(&parenthesised(terms.lang, &ast));
    write::text(&writer.items)
}

/// A judgment with these arguments.
pub fn judgment(terms: &Terms, judgment: JudgId, args: &[TermId]) -> String {
    let args: Vec<Option<TermId>> = args.iter().copied().map(Some).collect();
    open_judgment(terms, judgment, &args)
}

/// A judgment with the arguments that are known.
pub fn open_judgment(terms: &Terms, judgment: JudgId, args: &[Option<TermId>]) -> String {
    let sorts = &terms.lang.judgment(judgment).args;
    let asts: Vec<Rc<Ast>> = args
        .iter()
        .zip(sorts)
        .map(|(arg, sort)| match arg {
            Some(arg) => Printer { terms }.term(*arg, &mut Names::new()),
            None => Rc::new(Ast::Any(*sort)),
        })
        .collect();
    let mut writer = Writer::new(terms.lang);
    write_judgment(&mut writer, terms.lang, judgment, &asts);
    write::text(&writer.items)
}

/// A form of a rule, an equation or a check with these metavariables.
pub fn form(lang: &Lang, metas: &[Meta], form: &Form) -> String {
    let mut writer = Writer::new(lang);
    writer.form(&parenthesised(lang, &ast_of(Metas::named(metas), form)));
    write::text(&writer.items)
}

/// The metavariables of a rule or a check, and what is known of them.
#[derive(Clone, Copy)]
pub struct Metas<'a> {
    pub metas: &'a [Meta],
    /// Filled in where there is a value.
    pub values: Option<(&'a Terms<'a>, &'a [Option<TermId>])>,
}

impl<'a> Metas<'a> {
    /// Under their own names.
    pub fn named(metas: &'a [Meta]) -> Metas<'a> {
        Metas { metas, values: None }
    }

    fn ast(&self, meta: MetaId) -> Rc<Ast> {
        if let Some((terms, values)) = self.values
            && let Some(value) = values.get(meta.index()).copied().flatten()
        {
            return Printer { terms }.term(value, &mut Names::new());
        }
        let meta = &self.metas[meta.index()];
        leaf(meta.name.clone(), meta.sort)
    }
}

/// A form with what is known of its metavariables filled in.
pub fn filled_form(terms: &Terms, metas: &[Meta], values: &[Option<TermId>], form: &Form) -> String {
    let mut writer = Writer::new(terms.lang);
    writer.form(&parenthesised(terms.lang, &ast_of(Metas { metas, values: Some((terms, values)) }, form)));
    write::text(&writer.items)
}

/// The same for a premise.
pub fn filled_premise(terms: &Terms, metas: &[Meta], values: &[Option<TermId>], premise: &Premise) -> String {
    let mut writer = Writer::new(terms.lang);
    write_premise(&mut writer, terms.lang, Metas { metas, values: Some((terms, values)) }, premise);
    write::text(&writer.items)
}

/// The conclusion of a rule.
pub fn conclusion(lang: &Lang, rule: &Rule) -> String {
    let mut writer = Writer::new(lang);
    write_conclusion(&mut writer, lang, rule);
    write::text(&writer.items)
}

/// A premise of a rule or a check with these metavariables.
pub fn premise(lang: &Lang, metas: &[Meta], premise: &Premise) -> String {
    let mut writer = Writer::new(lang);
    write_premise(&mut writer, lang, Metas::named(metas), premise);
    write::text(&writer.items)
}

/// The name of the k-th variable, atom or location of a sort: x, x1, x2, … A prime sets it apart from object syntax.
pub fn name(lang: &Lang, sort: SortId, k: u32) -> String {
    let stem = &lang.sort(sort).name;
    let name = if k == 0 { stem.clone() } else { format!("{stem}{k}") };
    let pieces = lang.prods.iter().map(|p| &p.pieces).chain(lang.judgments.iter().map(|j| &j.pieces));
    let is_terminal = pieces.flatten().any(|p| matches!(p, Piece::Token(t) if *t == name));
    if is_terminal { format!("{name}'") } else { name }
}

pub(crate) fn write_judgment(writer: &mut Writer, lang: &Lang, judgment: JudgId, args: &[Rc<Ast>]) {
    let judgment = lang.judgment(judgment);
    let mut args: Vec<Rc<Ast>> = args.iter().map(|a| parenthesised(lang, a)).collect();
    for (k, arg) in args.iter_mut().enumerate() {
        if absorbs_next(lang, &judgment.pieces, None, k, arg) {
            *arg = Rc::new(Ast::Paren(arg.clone()));
        }
    }
    writer.pieces(&judgment.text, &judgment.pieces, &args);
}

pub(crate) fn write_conclusion(writer: &mut Writer, lang: &Lang, rule: &Rule) {
    let args: Vec<Rc<Ast>> = rule.conclusion.iter().map(|f| ast_of(Metas::named(&rule.metas), f)).collect();
    write_judgment(writer, lang, rule.judgment, &args);
}

pub(crate) fn write_premise(writer: &mut Writer, lang: &Lang, metas: Metas, premise: &Premise) {
    let ast = |form: &Form| parenthesised(lang, &ast_of(metas, form));
    let variable = |meta: &MetaId| ast(&Form::Meta(*meta));
    // An extension has commas of its own.
    let maps = |form: &Form| {
        let map = ast(form);
        let is_extension = matches!(&*map, Ast::Node(_, args) if !args.is_empty());
        if is_extension { Rc::new(Ast::Paren(map)) } else { map }
    };
    let is_number = |form: &Form| match form {
        Form::Meta(meta) => lang.sort(metas.metas[meta.index()].sort).kind == SortKind::Int,
        other => matches!(other, Form::Int(_) | Form::Arith(..)),
    };
    match premise {
        Premise::Judgment(judgment, args) => {
            let args: Vec<Rc<Ast>> = args.iter().map(|f| ast_of(metas, f)).collect();
            write_judgment(writer, lang, *judgment, &args);
        }
        Premise::Entry { prod, key, fields, env } => {
            let args: Vec<Rc<Ast>> = std::iter::once(key).chain(fields).map(ast).collect();
            writer.entry(*prod, &args);
            writer.word("∈");
            writer.form(&maps(env));
        }
        Premise::InDomain { key, map, holds } => {
            writer.form(&ast(key));
            writer.word(if *holds { "∈" } else { "∉" });
            writer.word("dom");
            writer.form(&maps(map));
        }
        Premise::Equal { left, right, holds } => {
            if is_number(left) && is_number(right) {
                writer.word("where");
            }
            writer.form(&ast(left));
            writer.word(if *holds { "=" } else { "≠" });
            writer.form(&ast(right));
        }
        Premise::Is { form, sort, holds } => {
            writer.form(&ast(form));
            writer.word("is");
            if !holds {
                writer.word("not");
            }
            writer.name(&lang.sort(*sort).name);
        }
        Premise::SameDomain(a, b) => {
            writer.word("dom");
            writer.form(&maps(a));
            writer.word("=");
            writer.word("dom");
            writer.form(&maps(b));
        }
        Premise::Fresh(meta) => {
            writer.word("fresh");
            writer.form(&variable(meta));
        }
        Premise::Compare(compare, a, b) => {
            writer.word("where");
            writer.form(&ast(a));
            writer.word(match compare {
                Compare::Eq => "=",
                Compare::Ne => "≠",
                Compare::Lt => "<",
                Compare::Le => "<=",
                Compare::Gt => ">",
                Compare::Ge => ">=",
            });
            writer.form(&ast(b));
        }
        Premise::Forall { prod, key, fields, env, body } => {
            let args: Vec<Rc<Ast>> = std::iter::once(key).chain(fields).map(variable).collect();
            writer.word("forall");
            writer.entry(*prod, &args);
            writer.word("∈");
            writer.form(&maps(env));
            writer.mark(".");
            write_premise(writer, lang, metas, body);
        }
        Premise::Not(inner) => {
            writer.word("not");
            write_premise(writer, lang, metas, inner);
        }
        Premise::Steps(_, form) => {
            writer.form(&ast(form));
            writer.word("steps");
        }
    }
}

/// A name that stands for itself.
fn leaf(name: String, sort: SortId) -> Rc<Ast> {
    Rc::new(Ast::Meta { name, sort, expected: sort, span: Span::default() })
}

/// A form with the names of its metavariables.
pub(crate) fn ast_of(metas: Metas, form: &Form) -> Rc<Ast> {
    let one = |f: &Form| ast_of(metas, f);
    Rc::new(match form {
        Form::Meta(meta) => return metas.ast(*meta),
        Form::Node(prod, args) => Ast::Node(*prod, args.iter().map(one).collect()),
        Form::Any(sort) => Ast::Any(*sort),
        Form::Hole(sort) => Ast::Hole(*sort),
        Form::Subst { body, pairs } => {
            Ast::Subst { body: one(body), pairs: pairs.iter().map(|(by, var)| (one(by), one(var))).collect() }
        }
        Form::Lookup { store, key } => Ast::Lookup { store: one(store), key: one(key) },
        Form::Update { store, key, value } => Ast::Update { store: one(store), key: one(key), value: one(value) },
        Form::Call(fun, args) => Ast::Call(*fun, args.iter().map(one).collect()),
        Form::Int(n) => Ast::Int(*n),
        Form::Arith(op, a, b) => Ast::Arith(*op, one(a), one(b)),
        Form::Atom(sort, k) => Ast::Atom(*sort, *k),
        Form::Error => Ast::Error,
    })
}

struct Printer<'a, 'l> {
    terms: &'a Terms<'l>,
}

impl Printer<'_, '_> {
    /// A tree with names for its variables, without parentheses.
    fn term(&self, id: TermId, names: &mut Names) -> Rc<Ast> {
        let lang = self.terms.lang;
        match self.terms.get(id) {
            Term::Free(sort, k) | Term::Atom(sort, k) | Term::Loc(sort, k) => leaf(name(lang, *sort, *k), *sort),
            Term::Bound(sort, k) => {
                let bound = names.iter().rev().filter(|(s, _)| s == sort).nth(*k as usize);
                leaf(bound.map_or_else(|| format!("?{k}"), |(_, name)| name.clone()), *sort)
            }
            Term::Binder(sort) => leaf(name(lang, *sort, 0), *sort),
            Term::Int(n) => Rc::new(Ast::Int(*n)),
            Term::Error => Rc::new(Ast::Error),
            Term::Unknown(sort, _) => leaf("_".to_string(), *sort),
            Term::Node(prod, args) => {
                let production = lang.prod(*prod);
                // One new name per binder, different from all above and from what is free below.
                let mut binders: Vec<(usize, String)> = Vec::new();
                for binder in &production.binders {
                    let sort = production.args[binder.var];
                    let level = binder.scope.iter().map(|s| self.terms.free_level(args[*s], sort)).max().unwrap_or(0);
                    let above = names.iter().filter(|(s, _)| *s == sort).count() as u32;
                    let here = binders.iter().filter(|(v, _)| production.args[*v] == sort).count() as u32;
                    binders.push((binder.var, name(lang, sort, level + above + here)));
                }
                let asts = (0..args.len()).map(|k| {
                    if let Some((_, name)) = binders.iter().find(|(var, _)| *var == k) {
                        return leaf(name.clone(), production.args[k]);
                    }
                    let depth = names.len();
                    for binder in production.binders_over(k) {
                        let name = binders.iter().find(|(var, _)| *var == binder.var).map(|(_, n)| n.clone());
                        names.push((production.args[binder.var], name.unwrap_or_default()));
                    }
                    let ast = self.term(args[k], names);
                    names.truncate(depth);
                    ast
                });
                Rc::new(Ast::Node(*prod, asts.collect()))
            }
        }
    }
}

/// As in a definition.
pub fn bound(bound: Bound) -> String {
    match bound {
        Bound::Nodes(n) => format!("{n} nodes"),
        Bound::Size(n) => format!("size {n}"),
        Bound::Height(n) => format!("height {n}"),
        Bound::Depth(n) => format!("depth {n}"),
        Bound::Count(n) => n.to_string(),
        Bound::Range(lo, hi) => format!("{lo}..{hi}"),
    }
}
