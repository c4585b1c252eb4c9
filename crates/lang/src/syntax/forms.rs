//! Forms of the user's own grammar, read by spans (CYK): every sort over every stretch of tokens, memoised, all readings kept until the
//! filters have spoken (docs/lang.md, "Precedence"). What is left with more than one reading is the user's to settle (G1).

use super::grammar::Grammar;
use super::lexer::{Kind, Token, normal, stem};
use super::precedence::{Stands, stands};
use crate::definition::*;
use rustc_hash::FxHashMap;
use source::Span;
use std::rc::Rc;

/// A form as read: names are not yet metavariables of a rule.
#[derive(PartialEq, Debug)]
pub enum Ast {
    Meta { name: String, sort: SortId, expected: SortId, span: Span },
    Node(ProdId, Vec<Rc<Ast>>),
    Paren(Rc<Ast>),
    Any(SortId),
    Hole(SortId),
    Error,
    Int(i64),
    Atom(SortId, u32),
    Subst { body: Rc<Ast>, pairs: Vec<(Rc<Ast>, Rc<Ast>)> },
    Lookup { store: Rc<Ast>, key: Rc<Ast> },
    Update { store: Rc<Ast>, key: Rc<Ast>, value: Rc<Ast> },
    Call(FunId, Vec<Rc<Ast>>),
    Arith(Op, Rc<Ast>, Rc<Ast>),
}

/// Where a form stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// In a rule, a check or a function.
    Rule,
    /// In an alternative of a sub-grammar or of contexts: names stand for members of their sorts.
    Alternative,
    /// As `Rule`, but a metavariable fits everywhere: to find out which one does not fit.
    Relaxed,
}

type Readings = Rc<Vec<Rc<Ast>>>;

/// More readings than this are as bad as two.
const MOST_READINGS: usize = 8;

/// Longer forms would take too long to read.
pub const MOST_TOKENS: usize = 400;

/// Reading one form takes at most so many steps: about a second.
pub const MOST_STEPS: u32 = 4_000_000;

/// Forms nested deeper than this would need too much of the stack.
const MOST_DEPTH: u32 = 500;

pub struct Reader<'g> {
    depth: u32,
    grammar: &'g Grammar,
    pub tokens: &'g [Token],
    /// For every opening bracket the one that closes it.
    closing: Vec<Option<usize>>,
    has_integers: bool,
    mode: Mode,
    memo: FxHashMap<(SortId, usize, usize, bool), Readings>,
    /// Readings that the order of alternatives dropped, for G4.
    pub dropped: Vec<(Rc<Ast>, usize, usize)>,
}

impl<'g> Reader<'g> {
    pub fn new(grammar: &'g Grammar, tokens: &'g [Token], mode: Mode) -> Reader<'g> {
        let mut closing = vec![None; tokens.len()];
        let mut open = Vec::new();
        for (k, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == Kind::Symbol) {
            match token.text.as_str() {
                "(" | "[" | "{" => open.push(k),
                ")" | "]" | "}" => {
                    if let Some(at) = open.pop() {
                        closing[at] = Some(k);
                    }
                }
                _ => {}
            }
        }
        let has_integers = grammar.lang.sorts.iter().any(|s| s.kind == SortKind::Int);
        Reader {
            depth: 0,
            has_integers,
            grammar,
            closing,
            tokens,
            mode,
            memo: FxHashMap::default(),
            dropped: Vec::new(),
        }
    }

    fn lang(&self) -> &'g Lang {
        &self.grammar.lang
    }

    /// Every reading of `tokens[i..j]` as a form of this sort.
    pub fn sort(&mut self, sort: SortId, i: usize, j: usize) -> Readings {
        self.read(sort, i, j, false)
    }

    /// The readings found before of these tokens, as a form of this grammar or a subset of it.
    pub fn known(&self, base: SortId, i: usize, j: usize) -> Vec<Rc<Ast>> {
        let lang = self.lang();
        let keys = lang.sort_ids().filter(|s| lang.base(*s) == base).flat_map(|s| [(s, i, j, false), (s, i, j, true)]);
        keys.filter_map(|key| self.memo.get(&key)).flat_map(|r| r.iter().cloned()).collect()
    }

    /// The tokens that a form was read from.
    pub fn place_of(&self, ast: &Rc<Ast>) -> Option<(usize, usize)> {
        let has = |readings: &Readings| readings.iter().any(|r| Rc::ptr_eq(r, ast));
        self.memo.iter().find(|(_, readings)| has(readings)).map(|((_, i, j, _), _)| (*i, *j))
    }

    /// `arith`: sums may stand here without parentheses.
    fn read(&mut self, sort: SortId, i: usize, j: usize, arith: bool) -> Readings {
        let key = (sort, i, j, arith);
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        if self.depth >= MOST_DEPTH {
            self.grammar.fuel.set(0);
        }
        if !self.grammar.step() {
            return Rc::default();
        }
        // In case a chain of single alternatives comes back here.
        self.memo.insert(key, Rc::default());
        let mut readings: Vec<Rc<Ast>> = Vec::new();
        self.depth += 1;
        if i < j {
            self.single(sort, i, j, &mut readings);
            self.parenthesised(sort, i, j, &mut readings);
            for prod in self.lang().prods_of(sort) {
                self.production(prod, i, j, &mut readings);
            }
            self.postfix(sort, i, j, &mut readings);
            if arith && self.lang().sort(sort).kind == SortKind::Int {
                self.arithmetic(sort, i, j, &mut readings);
            }
        }
        self.depth -= 1;
        readings.truncate(MOST_READINGS);
        let readings = Rc::new(readings);
        self.memo.insert(key, readings.clone());
        readings
    }

    /// One token: a metavariable, `_`, a number, a constant; or a negative number.
    fn single(&mut self, sort: SortId, i: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        if j == i + 2 && self.is_int(sort) {
            out.extend(self.negative(i).map(|n| Rc::new(Ast::Int(n))));
        }
        if j != i + 1 {
            return;
        }
        let token = &self.tokens[i];
        let lang = self.lang();
        match token.kind {
            Kind::Name if token.is("error") && !self.grammar.is_terminal(token) && lang.sort(sort).is_tree => {
                out.push(Rc::new(Ast::Error));
            }
            Kind::Name if !self.grammar.is_terminal(token) => {
                let Some(own) = self.grammar.sort_of(&token.text) else { return };
                if self.mode == Mode::Relaxed || self.grammar.fits(own, sort, self.mode == Mode::Alternative) {
                    out.push(Rc::new(match self.mode {
                        Mode::Alternative => Ast::Any(own),
                        _ => Ast::Meta { name: token.text.clone(), sort: own, expected: sort, span: token.span },
                    }));
                }
            }
            Kind::Number if lang.sort(sort).kind == SortKind::Int => {
                if let Ok(n) = token.text.parse() {
                    out.push(Rc::new(Ast::Int(n)));
                }
            }
            Kind::Quoted if lang.sort(sort).kind == SortKind::Atom => {
                if let Some(k) = lang.sort(sort).aliases.iter().find_map(|a| atom_number(&token.text, a)) {
                    out.push(Rc::new(Ast::Atom(sort, k)));
                }
            }
            Kind::Symbol if token.text == "_" => out.push(Rc::new(Ast::Any(sort))),
            Kind::Symbol if token.text == "[]" && self.mode == Mode::Alternative => out.push(Rc::new(Ast::Hole(sort))),
            _ => {}
        }
    }

    /// `-1`: the sign stands right before the number, and not right after another operand.
    fn negative(&self, i: usize) -> Option<i64> {
        let (sign, number) = (&self.tokens[i], self.tokens.get(i + 1)?);
        let after_operand = i > 0 && {
            let before = &self.tokens[i - 1];
            before.end_column == sign.column && (before.kind != Kind::Symbol || before.is(")") || before.is("]"))
        };
        let is_number = sign.is("-") && number.kind == Kind::Number && sign.end_column == number.column;
        if !is_number || after_operand { None } else { number.text.parse::<i64>().ok().map(|n| -n) }
    }

    fn parenthesised(&mut self, sort: SortId, i: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        if j - i < 3 || !self.tokens[i].is("(") || self.matching(i) != Some(j - 1) {
            return;
        }
        for inner in self.read(sort, i + 1, j - 1, true).iter() {
            out.push(Rc::new(Ast::Paren(inner.clone())));
        }
    }

    /// The bracket that closes the one at `i`.
    fn matching(&self, i: usize) -> Option<usize> {
        self.closing[i]
    }

    /// The indices of this symbol outside of brackets in `i..j`.
    fn top_level(&self, symbol: &str, i: usize, j: usize) -> Vec<usize> {
        let mut depth = 0i32;
        let mut found = Vec::new();
        for k in i..j {
            let token = &self.tokens[k];
            if token.kind == Kind::Symbol {
                match token.text.as_str() {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth -= 1,
                    _ => {}
                }
            }
            if depth == 0 && token.is(symbol) {
                found.push(k);
            }
        }
        found
    }

    fn production(&mut self, prod: ProdId, i: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        let lang = self.lang();
        let production = lang.prod(prod);
        if j == i + 1 && production.pieces.len() == 1 && self.stands_for_itself(i) {
            return;
        }
        for args in self.pieces(&production.pieces, &production.args, i, j) {
            if out.len() >= MOST_READINGS {
                return;
            }
            // A sum is no numeral of the object language: that is what `where` is for.
            // Parentheses around what is only a name for another sort belong to the outer one.
            let is_renamed = production.pieces.len() == 1 && args.iter().any(|a| matches!(**a, Ast::Paren(_)));
            let mut keep = !is_renamed
                && (production.pieces.len() > 1
                    || args.iter().all(|a| is_plain(a) || !self.is_int(production.args[0])));
            for (arg, ast) in args.iter().enumerate() {
                // A binder has a variable of its own, and nothing that computes one.
                if production.is_binder(arg) && !matches!(**ast, Ast::Meta { .. } | Ast::Any(_)) {
                    keep = false;
                }
                match stands(lang, prod, arg, ast) {
                    Stands::Yes => {}
                    Stands::No => keep = false,
                    Stands::Order => {
                        keep = false;
                        self.dropped.push((Rc::new(Ast::Node(prod, args.clone())), i, j));
                    }
                }
            }
            if keep {
                let node = Rc::new(Ast::Node(prod, args));
                if !out.contains(&node) {
                    out.push(node);
                }
            }
        }
    }

    /// `_`, `[]` and `error` are of every sort by themselves, not by way of another that is an alternative of it.
    fn stands_for_itself(&self, i: usize) -> bool {
        let token = &self.tokens[i];
        let is_mark = token.kind == Kind::Symbol && matches!(token.text.as_str(), "_" | "[]");
        is_mark || (token.is("error") && !self.grammar.is_terminal(token))
    }

    fn is_int(&self, sort: SortId) -> bool {
        self.lang().sort(sort).kind == SortKind::Int
    }

    /// Every way to read `tokens[i..j]` as these pieces: the arguments of each.
    pub fn pieces(&mut self, pieces: &[Piece], sorts: &[SortId], i: usize, j: usize) -> Vec<Vec<Rc<Ast>>> {
        let Some((piece, rest)) = pieces.split_first() else {
            return if i == j { vec![Vec::new()] } else { Vec::new() };
        };
        // Each piece takes at least one token.
        if j < i + pieces.len() {
            return Vec::new();
        }
        match piece {
            Piece::Token(text) => {
                // A sign right before a number belongs to it.
                let is_sign = self.has_integers && text == "-" && self.negative(i).is_some();
                if !is_sign && self.tokens[i].norm() == normal(text) {
                    self.pieces(rest, sorts, i + 1, j)
                } else {
                    Vec::new()
                }
            }
            Piece::Arg(arg) => {
                let mut all = Vec::new();
                let last = j - rest.len();
                // The next piece says where this one can end.
                let next = match rest.first() {
                    Some(Piece::Token(text)) => Some(text.as_str()),
                    _ => None,
                };
                let from = if rest.is_empty() { j } else { i + 1 };
                for k in from..=last {
                    if !self.grammar.step() {
                        return Vec::new();
                    }
                    if next.is_some_and(|text| self.tokens[k].norm() != normal(text)) {
                        continue;
                    }
                    let here = self.read(sorts[*arg], i, k, false);
                    if here.is_empty() {
                        continue;
                    }
                    let tails = self.pieces(rest, sorts, k, j);
                    for ast in here.iter() {
                        for tail in &tails {
                            if all.len() < MOST_READINGS {
                                // Arguments are numbered as they occur.
                                all.push(std::iter::once(ast.clone()).chain(tail.iter().cloned()).collect());
                            }
                        }
                    }
                }
                all
            }
        }
    }

    /// `t[v/x]`, `σ[x ↦ v]`, `σ(x)`, `f(…)`.
    fn postfix(&mut self, sort: SortId, i: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        if self.mode == Mode::Alternative || j < i + 4 || self.tokens[j - 1].kind != Kind::Symbol {
            return;
        }
        let close = self.tokens[j - 1].text.as_str();
        if close != "]" && close != ")" {
            return;
        }
        let Some(open) = (i + 1..j - 1).find(|&k| {
            matches!(self.tokens[k].text.as_str(), "(" | "[")
                && self.tokens[k].kind == Kind::Symbol
                && self.matching(k) == Some(j - 1)
        }) else {
            return;
        };
        if close == ")" {
            if open == i + 1 && self.tokens[i].kind == Kind::Name {
                self.call(sort, i, j, out);
                self.lookup(sort, i, j, out);
            }
            return;
        }
        self.substitution(sort, i, open, j, out);
        self.update(sort, i, open, j, out);
    }

    fn call(&mut self, sort: SortId, i: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        let lang = self.lang();
        let Some(at) = lang.funs.iter().position(|f| f.name == self.tokens[i].text) else { return };
        let fun = &lang.funs[at];
        if self.mode != Mode::Relaxed && !self.grammar.fits(fun.result, sort, false) {
            return;
        }
        let mut commas = self.top_level(",", i + 2, j - 1);
        commas.push(j - 1);
        if commas.len() != fun.params.len() {
            return;
        }
        let mut start = i + 2;
        let mut args = Vec::new();
        for (param, end) in fun.params.iter().zip(commas) {
            args.push(self.read(*param, start, end, true));
            start = end + 1;
        }
        out.extend(choices(&args).into_iter().map(|args| Rc::new(Ast::Call(FunId(at as u32), args))));
    }

    fn lookup(&mut self, sort: SortId, i: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        let lang = self.lang();
        let Some(map) = self.grammar.sort_of(&self.tokens[i].text) else { return };
        let Some(extension) = lang.prods_of(map).get(1).copied() else { return };
        if !lang.is_map(map) {
            return;
        }
        let args = &lang.prod(extension).args;
        let (Some(&key), Some(&value)) = (args.get(1), args.get(2)) else { return };
        if self.mode != Mode::Relaxed && !self.grammar.fits(value, sort, false) {
            return;
        }
        let maps = self.sort(map, i, i + 1);
        let keys = self.sort(key, i + 2, j - 1);
        for found in choices(&[maps, keys]) {
            out.push(Rc::new(Ast::Lookup { store: found[0].clone(), key: found[1].clone() }));
        }
    }

    fn substitution(&mut self, sort: SortId, i: usize, open: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        if !matches!(self.lang().sort(self.lang().base(sort)).kind, SortKind::Grammar { .. }) {
            return;
        }
        let bodies: Vec<Rc<Ast>> = self.sort(sort, i, open).iter().filter(|a| is_closed_form(a)).cloned().collect();
        if bodies.is_empty() {
            return;
        }
        let mut ends = self.top_level(",", open + 1, j - 1);
        ends.push(j - 1);
        let mut start = open + 1;
        let mut pairs = Vec::new();
        for end in ends {
            // The variable is the one token after the last slash.
            if end < start + 3 || !self.tokens[end - 2].is("/") {
                return;
            }
            let Some(var_sort) = self.grammar.sort_of(&self.tokens[end - 1].text) else { return };
            let vars = self.sort(var_sort, end - 1, end);
            let by = self
                .grammar
                .sorts_named_by(var_sort)
                .into_iter()
                .chain([var_sort])
                .find_map(|sort| self.sort(sort, start, end - 2).first().cloned());
            let (Some(by), Some(var)) = (by, vars.first()) else { return };
            pairs.push((by, var.clone()));
            start = end + 1;
        }
        for body in bodies {
            out.push(Rc::new(Ast::Subst { body, pairs: pairs.clone() }));
        }
    }

    fn update(&mut self, sort: SortId, i: usize, open: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        let lang = self.lang();
        if !lang.is_map(sort) {
            return;
        }
        let Some(extension) = lang.prods_of(sort).get(1).copied() else { return };
        let args = &lang.prod(extension).args;
        let (Some(&key), Some(&value)) = (args.get(1), args.get(2)) else { return };
        let Some(&arrow) = self.top_level("↦", open + 1, j - 1).first() else { return };
        let stores = Rc::new(self.sort(sort, i, open).iter().filter(|a| is_closed_form(a)).cloned().collect());
        let keys = self.sort(key, open + 1, arrow);
        let values = self.sort(value, arrow + 1, j - 1);
        for found in choices(&[stores, keys, values]) {
            let [store, key, value] = [0, 1, 2].map(|k: usize| found[k].clone());
            out.push(Rc::new(Ast::Update { store, key, value }));
        }
    }

    /// `n1 + n2 * n3`: sums bind weaker than products, both to the left.
    fn arithmetic(&mut self, sort: SortId, i: usize, j: usize, out: &mut Vec<Rc<Ast>>) {
        if !out.is_empty() {
            return;
        }
        for ops in [&[("+", Op::Add), ("-", Op::Sub)][..], &[("*", Op::Mul)]] {
            let mut places: Vec<(usize, Op)> =
                ops.iter().flat_map(|(s, op)| self.top_level(s, i, j).into_iter().map(|k| (k, *op))).collect();
            places.sort_by_key(|(k, _)| std::cmp::Reverse(*k));
            for (k, op) in places {
                if k == i || k + 1 >= j {
                    continue;
                }
                let left = self.read(sort, i, k, true);
                let right = self.read(sort, k + 1, j, true);
                if let (Some(a), Some(b)) = (left.first(), right.first()) {
                    out.push(Rc::new(Ast::Arith(op, a.clone(), b.clone())));
                    return;
                }
            }
        }
    }

    /// A sum, as `where` and `if` have them.
    pub fn sum(&mut self, i: usize, j: usize) -> Option<Rc<Ast>> {
        let lang = self.lang();
        let sorts = lang.sort_ids().filter(|s| lang.sort(*s).kind == SortKind::Int);
        sorts.into_iter().find_map(|sort| self.read(sort, i, j, true).first().cloned())
    }
}

/// One reading of each, in every combination.
fn choices(all: &[Readings]) -> Vec<Vec<Rc<Ast>>> {
    let mut rows = vec![Vec::new()];
    for readings in all {
        rows = rows
            .iter()
            .flat_map(|row| readings.iter().map(|r| row.iter().cloned().chain([r.clone()]).collect::<Vec<_>>()))
            .take(MOST_READINGS)
            .collect();
    }
    rows
}

/// The number of a quoted atom, `'x0'` of the sort x.
fn atom_number(text: &str, sort: &str) -> Option<u32> {
    let digits = text.strip_prefix(sort).filter(|_| stem(text) == sort)?;
    if digits.is_empty() { Some(0) } else { digits.parse().ok() }
}

fn is_plain(ast: &Ast) -> bool {
    matches!(ast, Ast::Meta { .. } | Ast::Int(_) | Ast::Any(_))
}

/// What a postfix may follow without parentheses.
fn is_closed_form(ast: &Ast) -> bool {
    matches!(
        ast,
        Ast::Meta { .. } | Ast::Paren(_) | Ast::Subst { .. } | Ast::Update { .. } | Ast::Lookup { .. } | Ast::Call(..)
    )
}
