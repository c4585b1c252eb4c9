//! Trees as text that the tool reads again: the productions' own tokens, parentheses where precedence asks for them, and names for
//! variables, chosen so that nothing is captured.

use crate::definition::*;
use crate::term::{Term, TermId, Terms};

/// Variables bound above, innermost last, with their names.
type Names = Vec<(SortId, String)>;

/// A tree on one line.
pub fn term(terms: &Terms, id: TermId) -> String {
    let mut names = Names::new();
    Printer { terms }.term(id, &mut names)
}

/// A judgment with these arguments.
pub fn judgment(terms: &Terms, judgment: JudgId, args: &[TermId]) -> String {
    let judgment = terms.lang.judgment(judgment);
    let texts: Vec<String> = args.iter().map(|a| term(terms, *a)).collect();
    join(&judgment.pieces, &texts)
}

/// The name of the k-th variable, atom or location of a sort: x, x1, x2, …
pub fn name(lang: &Lang, sort: SortId, k: u32) -> String {
    let stem = &lang.sort(sort).name;
    if k == 0 { stem.clone() } else { format!("{stem}{k}") }
}

/// Tokens and arguments with spaces as on paper.
pub fn join(pieces: &[Piece], args: &[String]) -> String {
    let mut text = String::new();
    let mut glue = true;
    for piece in pieces {
        let (next, token) = match piece {
            Piece::Token(t) => (t.as_str(), true),
            Piece::Arg(k) => (args[*k].as_str(), false),
        };
        let tight_before =
            token && matches!(next, "," | "." | ")" | "]" | ";" | ":") && !(next == ":" && spaced_colon(pieces));
        if !glue && !tight_before {
            text.push(' ');
        }
        text.push_str(next);
        glue = token && (matches!(next, "(" | "[" | "!" | "#") || (next == ":" && !spaced_colon(pieces)));
    }
    text
}

/// `x:T` within a binder or an entry, `t : T` in a judgment.
fn spaced_colon(pieces: &[Piece]) -> bool {
    pieces.iter().any(|p| matches!(p, Piece::Token(t) if matches!(t.as_str(), "⊢" | "|-")))
        || matches!(pieces, [Piece::Arg(_), Piece::Token(_), ..])
            && !pieces.iter().any(|p| matches!(p, Piece::Token(t) if t == ","))
}

struct Printer<'a, 'l> {
    terms: &'a Terms<'l>,
}

impl Printer<'_, '_> {
    fn term(&self, id: TermId, names: &mut Names) -> String {
        let lang = self.terms.lang;
        match self.terms.get(id) {
            Term::Free(sort, k) | Term::Atom(sort, k) | Term::Loc(sort, k) => name(lang, *sort, *k),
            Term::Bound(sort, k) => {
                let bound = names.iter().rev().filter(|(s, _)| s == sort).nth(*k as usize);
                bound.map_or_else(|| format!("?{k}"), |(_, name)| name.clone())
            }
            Term::Binder(sort) => lang.sort(*sort).name.clone(),
            Term::Int(n) => n.to_string(),
            Term::Error => "error".to_string(),
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
                let texts: Vec<String> = (0..args.len())
                    .map(|k| {
                        if let Some((_, name)) = binders.iter().find(|(var, _)| *var == k) {
                            return name.clone();
                        }
                        let depth = names.len();
                        for binder in production.binders_over(k) {
                            let name = binders.iter().find(|(var, _)| *var == binder.var).map(|(_, n)| n.clone());
                            names.push((production.args[binder.var], name.unwrap_or_default()));
                        }
                        let text = self.term(args[k], names);
                        names.truncate(depth);
                        if self.needs_parentheses(*prod, k, args[k]) { format!("({text})") } else { text }
                    })
                    .collect();
                join(&production.pieces, &texts)
            }
        }
    }

    /// As the reader decides it, on the safe side: no form that is open on the side where more follows.
    fn needs_parentheses(&self, parent: ProdId, arg: usize, child: TermId) -> bool {
        let lang = self.terms.lang;
        let Some((prod, _)) = self.terms.node(child) else { return false };
        let (outer, inner) = (lang.prod(parent), lang.prod(prod));
        if inner.pieces.len() < 2 || lang.base(outer.args[arg]) != inner.sort || outer.pieces.len() < 2 {
            return false;
        }
        if matches!(lang.sort(inner.sort).kind, SortKind::Env { .. } | SortKind::Store { .. }) {
            return false;
        }
        let at_left = outer.pieces.first() == Some(&Piece::Arg(arg));
        let at_right = outer.pieces.last() == Some(&Piece::Arg(arg));
        let arg_of = |p: Option<&Piece>| matches!(p, Some(Piece::Arg(_)));
        let (open_left, open_right) = (arg_of(inner.pieces.first()), arg_of(inner.pieces.last()));
        let binds = open_right && !inner.binders.is_empty();
        match (at_left, at_right) {
            (false, false) => {
                // Between tokens nothing is needed, between two arguments everything that is open.
                let at = outer.pieces.iter().position(|p| *p == Piece::Arg(arg)).unwrap_or(0);
                let before = matches!(outer.pieces.get(at.wrapping_sub(1)), Some(Piece::Arg(_)));
                let after = matches!(outer.pieces.get(at + 1), Some(Piece::Arg(_)));
                (before && open_left) || (after && open_right) || before || after
            }
            (true, _) => {
                if prod == parent && outer.assoc == Assoc::Left {
                    // The right end of the child may still be an open binder or a looser prefix form.
                    return false;
                }
                open_right || binds || (prod == parent && outer.assoc != Assoc::Left)
            }
            (false, true) => {
                if prod == parent && outer.assoc == Assoc::Right {
                    return false;
                }
                let outer_binds = !outer.binders.is_empty();
                let outer_prefix = !arg_of(outer.pieces.first());
                if outer_binds || (outer_prefix && !open_left) {
                    return false;
                }
                open_left || (!outer_prefix && (binds || open_right))
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
