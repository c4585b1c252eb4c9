//! Which form may stand where without parentheses (LANG.md, section 1 and 9.6). The reader drops what may not; the printer puts
//! parentheses around it: one decision, so that what is printed is read back.

use super::forms::Ast;
use crate::definition::*;
use std::rc::Rc;

/// Whether an argument may stand in a place of a production without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stands {
    Yes,
    No,
    /// No, because of the order of prefix forms and operators only: warning G4 if nothing else settles it.
    Order,
}

/// Begins with an argument of its own sort: more can be put to the left of it.
pub fn is_left_open(lang: &Lang, prod: ProdId) -> bool {
    is_open(lang, prod, lang.prod(prod).pieces.first())
}

/// Ends with an argument of its own sort.
pub fn is_right_open(lang: &Lang, prod: ProdId) -> bool {
    is_open(lang, prod, lang.prod(prod).pieces.last())
}

fn is_open(lang: &Lang, prod: ProdId, piece: Option<&Piece>) -> bool {
    let production = lang.prod(prod);
    production.pieces.len() > 1
        && matches!(piece, Some(Piece::Arg(a)) if lang.base(production.args[*a]) == production.sort)
}

/// λ, let and the like: they extend as far right as possible.
fn is_open_binder(lang: &Lang, prod: ProdId) -> bool {
    is_right_open(lang, prod) && !lang.prod(prod).binders.is_empty()
}

/// Whether `child` may be argument `arg` of `parent` as it stands, without parentheses.
pub fn stands(lang: &Lang, parent: ProdId, arg: usize, child: &Ast) -> Stands {
    let production = lang.prod(parent);
    if production.pieces.len() < 2 {
        return Stands::Yes;
    }
    let at = |piece: Option<&Piece>| piece == Some(&Piece::Arg(arg));
    if at(production.pieces.first()) {
        let answer = stands_left(lang, parent, child);
        if answer != Stands::Yes {
            return answer;
        }
    }
    if at(production.pieces.last()) { stands_right(lang, parent, child) } else { Stands::Yes }
}

fn stands_left(lang: &Lang, parent: ProdId, child: &Ast) -> Stands {
    if is_node_of(child, parent) && lang.prod(parent).assoc == Assoc::Right {
        return Stands::No;
    }
    // Nothing that is open to the right, and looser, may end right before the parent's first token.
    for prod in right_spine(lang, child) {
        if is_right_open(lang, prod) && prod != parent {
            if is_open_binder(lang, prod) {
                return Stands::No;
            }
            if looser(lang, prod, parent) {
                return if is_left_open(lang, prod) { Stands::No } else { Stands::Order };
            }
        }
    }
    Stands::Yes
}

fn stands_right(lang: &Lang, parent: ProdId, child: &Ast) -> Stands {
    if is_node_of(child, parent) && lang.prod(parent).assoc == Assoc::Left {
        return Stands::No;
    }
    if is_open_binder(lang, parent) {
        return Stands::Yes;
    }
    for prod in left_spine(lang, child) {
        if is_left_open(lang, prod) && prod != parent && looser(lang, prod, parent) {
            return if is_left_open(lang, parent) { Stands::No } else { Stands::Order };
        }
    }
    Stands::Yes
}

fn is_node_of(ast: &Ast, prod: ProdId) -> bool {
    matches!(ast, Ast::Node(own, _) if *own == prod)
}

/// Of one sort, the alternative listed later.
fn looser(lang: &Lang, a: ProdId, b: ProdId) -> bool {
    lang.prod(a).sort == lang.prod(b).sort && a > b
}

/// The productions that end where a form ends, outermost first.
pub fn right_spine(lang: &Lang, ast: &Ast) -> Vec<ProdId> {
    spine(ast, |prod| lang.prod(prod).pieces.last())
}

/// The productions that begin where a form begins, outermost first.
pub fn left_spine(lang: &Lang, ast: &Ast) -> Vec<ProdId> {
    spine(ast, |prod| lang.prod(prod).pieces.first())
}

fn spine<'l>(ast: &Ast, end: impl Fn(ProdId) -> Option<&'l Piece>) -> Vec<ProdId> {
    let mut out = Vec::new();
    let mut here = Some(ast);
    while let Some(Ast::Node(prod, args)) = here {
        out.push(*prod);
        here = match end(*prod) {
            Some(Piece::Arg(a)) => args.get(*a).map(|x: &Rc<Ast>| &**x),
            _ => None,
        };
    }
    out
}
