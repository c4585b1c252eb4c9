//! Which form may stand where without parentheses (docs/lang.md, "Precedence"). The reader drops what may not; the printer puts
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

/// Puts parentheses where a form could not be read back without them, and where it could hardly be read by people: around the argument
/// of `succ`, and of a function that stands before it, unless it is one piece.
pub fn parenthesised(lang: &Lang, ast: &Rc<Ast>) -> Rc<Ast> {
    let all = |asts: &[Rc<Ast>]| -> Vec<Rc<Ast>> { asts.iter().map(|a| parenthesised(lang, a)).collect() };
    let one = |ast: &Rc<Ast>| parenthesised(lang, ast);
    Rc::new(match &**ast {
        Ast::Node(prod, args) => {
            let production = lang.prod(*prod);
            let mut args = all(args);
            for (k, arg) in args.iter_mut().enumerate() {
                let needs = stands(lang, *prod, k, arg) != Stands::Yes
                    || is_ambiguous(lang, *prod, k, arg)
                    || is_hard_to_read(lang, production, k, arg)
                    || could_go_on(lang, *prod, k, arg)
                    || absorbs_next(lang, &production.pieces, Some(*prod), k, arg);
                if needs {
                    *arg = Rc::new(Ast::Paren(arg.clone()));
                }
            }
            Ast::Node(*prod, args)
        }
        Ast::Call(fun, args) => Ast::Call(*fun, all(args)),
        Ast::Subst { body, pairs } => {
            let body = one(body);
            let is_closed = !matches!(*body, Ast::Node(..) | Ast::Arith(..) | Ast::Int(_));
            Ast::Subst {
                body: if is_closed { body } else { Rc::new(Ast::Paren(body)) },
                pairs: pairs.iter().map(|(by, var)| (one(by), one(var))).collect(),
            }
        }
        Ast::Lookup { store, key } => Ast::Lookup { store: one(store), key: one(key) },
        Ast::Update { store, key, value } => {
            let store = one(store);
            let store = if matches!(*store, Ast::Node(..)) { Rc::new(Ast::Paren(store)) } else { store };
            Ast::Update { store, key: one(key), value: one(value) }
        }
        Ast::Arith(op, a, b) => {
            // Sums bind weaker than products, both to the left.
            let weak = |op: Op| op != Op::Mul;
            let operand = |ast: &Rc<Ast>, is_right: bool| match **ast {
                Ast::Arith(inner, ..) if weak(inner) && !weak(*op) || is_right && weak(inner) == weak(*op) => {
                    Rc::new(Ast::Paren(one(ast)))
                }
                _ => one(ast),
            };
            Ast::Arith(*op, operand(a, false), operand(b, true))
        }
        Ast::Paren(inner) => Ast::Paren(one(inner)),
        Ast::Meta { name, sort, expected, span } => {
            Ast::Meta { name: name.clone(), sort: *sort, expected: *expected, span: *span }
        }
        Ast::Any(sort) => Ast::Any(*sort),
        Ast::Hole(sort) => Ast::Hole(*sort),
        Ast::Error => Ast::Error,
        Ast::Int(n) => Ast::Int(*n),
        Ast::Atom(sort, k) => Ast::Atom(*sort, *k),
    })
}

/// The production of a form of more than one piece, below names for other sorts.
fn composed<'l>(lang: &'l Lang, ast: &Ast) -> Option<(ProdId, &'l Production)> {
    let mut here = ast;
    while let Ast::Node(prod, args) = here {
        let production = lang.prod(*prod);
        match (&production.pieces[..], &args[..]) {
            ([Piece::Arg(_)], [only]) => here = only,
            ([_], _) => return None,
            _ => return Some((*prod, production)),
        }
    }
    None
}

/// Both readings would stand: an operator without {left} or {right} in itself, or an argument next to another.
fn is_ambiguous(lang: &Lang, parent: ProdId, arg: usize, child: &Ast) -> bool {
    let outer = lang.prod(parent);
    if matches!(child, Ast::Arith(..)) {
        return true;
    }
    let Some((prod, _)) = composed(lang, child) else { return false };
    let at = outer.pieces.iter().position(|p| *p == Piece::Arg(arg)).unwrap_or(0);
    let is_end = at == 0 || at + 1 == outer.pieces.len();
    if is_end && prod == parent && is_left_open(lang, parent) && is_right_open(lang, parent) {
        return outer.assoc == Assoc::None;
    }
    let is_arg = |k: Option<usize>| k.is_some_and(|k| matches!(outer.pieces.get(k), Some(Piece::Arg(_))));
    // `pair a b` before another argument: where do its own end?
    let is_row = |prod: &ProdId| {
        let pieces = &lang.prod(*prod).pieces;
        *prod != parent && pieces.windows(2).any(|w| matches!(w, [Piece::Arg(_), Piece::Arg(_)]))
    };
    if at == 0 && is_arg(Some(1)) && right_spine(lang, child).iter().any(is_row) {
        return true;
    }
    let is_beside = is_arg(at.checked_sub(1)) || is_arg(Some(at + 1));
    is_beside && (!is_end || lang.base(outer.args[arg]) != outer.sort)
}

/// `f (succ 0)`, `pred (succ 0)`: not wrong without parentheses, but nobody writes it so.
fn is_hard_to_read(lang: &Lang, outer: &Production, arg: usize, child: &Ast) -> bool {
    let Some((_, inner)) = composed(lang, child) else { return false };
    // `(List T) -> T`: where the reader would warn that only the order of alternatives decides (G4).
    let is_prefix =
        |prod: ProdId| lang.prod(prod).sort == outer.sort && is_right_open(lang, prod) && !is_left_open(lang, prod);
    if outer.pieces.len() > 1
        && outer.pieces.first() == Some(&Piece::Arg(arg))
        && right_spine(lang, child).into_iter().any(is_prefix)
    {
        return true;
    }
    // `⟨ t, (μ, l ↦ v) ⟩`: commas of two kinds.
    let is_map = lang.is_map(inner.sort);
    if is_map && inner.sort != outer.sort {
        return outer.pieces.contains(&Piece::Token(",".to_string()));
    }
    if !matches!(inner.pieces.last(), Some(Piece::Arg(_))) {
        return false;
    }
    match &outer.pieces[..] {
        [Piece::Token(word), Piece::Arg(_)] => {
            word.starts_with(char::is_alphabetic) && !matches!(word.as_str(), "λ" | "Λ")
        }
        [.., Piece::Arg(_), Piece::Arg(last)] => {
            *last == arg && (inner.pieces != outer.pieces || outer.assoc == Assoc::None)
        }
        _ => false,
    }
}

/// `if a then (if b then c else d)` where there is an `if a then c` as well: the outer one could take the `else`.
fn could_go_on(lang: &Lang, parent: ProdId, arg: usize, child: &Ast) -> bool {
    let outer = lang.prod(parent);
    if outer.pieces.last() != Some(&Piece::Arg(arg)) {
        return false;
    }
    lang.prods_of(outer.sort).into_iter().any(|longer| {
        let longer = lang.prod(longer);
        match longer.pieces.get(outer.pieces.len()) {
            Some(Piece::Token(next)) if begins_like(longer, outer) => has_token(lang, child, next),
            _ => false,
        }
    })
}

/// `if b then c else c` begins like `if b then c`.
fn begins_like(longer: &Production, shorter: &Production) -> bool {
    shorter.pieces.len() > 1 && longer.pieces.starts_with(&shorter.pieces) && longer.args.starts_with(&shorter.args)
}

/// Whether a token occurs outside of parentheses.
fn has_token(lang: &Lang, ast: &Ast, token: &str) -> bool {
    let Ast::Node(prod, args) = ast else { return false };
    lang.prod(*prod).pieces.iter().any(|p| matches!(p, Piece::Token(t) if t == token))
        || args.iter().any(|a| has_token(lang, a, token))
}

/// Whether the token after an argument could be taken for a part of it: `if a then if b then c` before `else`.
pub fn absorbs_next(lang: &Lang, pieces: &[Piece], parent: Option<ProdId>, arg: usize, child: &Ast) -> bool {
    let at = pieces.iter().position(|p| *p == Piece::Arg(arg)).unwrap_or(0);
    let Some(Piece::Token(next)) = pieces.get(at + 1) else { return false };
    if composed(lang, child).is_none() {
        return false;
    }
    let goes_on = |q: &Production, from: usize| matches!(q.pieces.get(from), Some(Piece::Token(t)) if t == next);
    right_spine(lang, child).into_iter().any(|prod| {
        let production = lang.prod(prod);
        // The sorts of what ends here: the form itself, and its last argument.
        let last = match production.pieces.last() {
            Some(Piece::Arg(a)) => Some(lang.base(production.args[*a])),
            _ => None,
        };
        let is_settled = |sort: SortId| at == 0 && parent.is_some_and(|p| lang.prod(p).sort == sort);
        let sorts = [Some(production.sort), last].into_iter().flatten();
        let by_operator = sorts.filter(|s| !is_settled(*s)).any(|sort| {
            lang.prods_of(sort).into_iter().any(|q| {
                let q = lang.prod(q);
                matches!(q.pieces.first(), Some(Piece::Arg(_))) && goes_on(q, 1)
            })
        });
        let longer = || {
            lang.prods_of(production.sort).into_iter().any(|q| {
                let q = lang.prod(q);
                begins_like(q, production) && goes_on(q, production.pieces.len())
            })
        };
        by_operator || longer()
    })
}
