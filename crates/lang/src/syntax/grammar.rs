//! Sorts, productions, judgments and functions of a sketch: everything that forms are read with. Sub-grammars and contexts are inferred
//! here, binders and weights read, and precedence decided (docs/lang.md, "Tokens and layout" and "Precedence").

use super::forms::{Ast, MOST_STEPS, MOST_TOKENS, Mode, Reader};
use super::lexer::{Kind, Token, normal, split, stem};
use super::lower::Lowering;
use super::sketch::*;
use crate::definition::*;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};
use std::cell::Cell;
use std::rc::Rc;

/// A language whose grammar is known, and nothing else yet.
#[derive(Default)]
pub struct Grammar {
    pub lang: Lang,
    names: FxHashMap<String, SortId>,
    /// Symbols of the object language, as written.
    pub known: Vec<String>,
    /// Object syntax, in the one spelling.
    terminals: FxHashSet<String>,
    /// Steps that reading one form may still take: some grammars make every text a riddle.
    pub fuel: Cell<u32>,
    /// Sorts that would be subsets of a base if it were not for these alternatives (G3).
    pub nearly: Vec<(SortId, SortId, Span, String)>,
}

impl Grammar {
    pub fn build(sketch: &Sketch, diagnostics: &mut Vec<Diagnostic>) -> Grammar {
        let mut grammar = Grammar::default();
        grammar.lang.name.clone_from(&sketch.name);
        grammar.lang.span = sketch.span;
        grammar.lang.extends = sketch.extends;
        grammar.lang.assumes_base = sketch.assumes_base;
        grammar.declare(sketch, diagnostics);
        grammar.symbols(sketch);
        grammar.stated_subsets(sketch);
        for (k, sort) in sketch.sorts.iter().enumerate() {
            let id = SortId((sketch.names.len() + k) as u32);
            match sort.keyword {
                Keyword::Syntax => grammar.syntax(id, sort, diagnostics),
                Keyword::Env | Keyword::Store => grammar.map(id, sort, diagnostics),
            }
        }
        grammar.productive(diagnostics);
        for judgment in &sketch.judgments {
            grammar.judgment(judgment, diagnostics);
        }
        for fun in &sketch.funs {
            grammar.fun(fun, diagnostics);
        }
        grammar.mark_trees(sketch);
        grammar.find_subjects();
        grammar
    }

    /// The grammar of a finished definition, to read terms with.
    pub fn of(lang: &Lang) -> Grammar {
        let mut grammar = Grammar { lang: lang.clone(), ..Grammar::default() };
        for id in lang.sort_ids() {
            for alias in &lang.sort(id).aliases {
                grammar.names.insert(alias.clone(), id);
            }
        }
        let pieces = lang.prods.iter().map(|p| &p.pieces).chain(lang.judgments.iter().map(|j| &j.pieces));
        for piece in pieces.flatten() {
            if let Piece::Token(text) = piece {
                grammar.known.push(text.clone());
                grammar.known.push(normal(text).to_string());
                grammar.terminals.insert(normal(text).to_string());
            }
        }
        for word in ["[]", "(", ")", ","] {
            grammar.terminals.remove(word);
        }
        grammar
    }

    // ---- questions ----

    /// The sort of a metavariable's name.
    pub fn sort_of(&self, name: &str) -> Option<SortId> {
        self.names.get(name).or_else(|| self.names.get(stem(name))).copied()
    }

    /// Takes a step of reading, if one is left.
    pub fn step(&self) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left > 0
    }

    /// Makes ready to read the next form.
    pub fn refuel(&self) {
        self.fuel.set(MOST_STEPS);
    }

    pub fn is_terminal(&self, token: &Token) -> bool {
        self.terminals.contains(token.norm())
    }

    pub fn split(&self, tokens: &[Token]) -> Vec<Token> {
        split(tokens, &self.known)
    }

    /// Whether a metavariable of sort `own` may stand where `expected` is expected: they are trees of one grammar. A metavariable of
    /// contexts only fits in alternatives of contexts. All integers are of one kind.
    pub fn fits(&self, own: SortId, expected: SortId, contexts: bool) -> bool {
        if self.lang.sort(own).kind == SortKind::Int && self.lang.sort(expected).kind == SortKind::Int {
            return true;
        }
        let is_context = matches!(self.lang.sort(own).kind, SortKind::Context { .. });
        self.lang.base(own) == self.lang.base(expected) && (contexts || !is_context)
    }

    /// The sorts that have an alternative that is only a name of this sort.
    pub fn sorts_named_by(&self, name: SortId) -> Vec<SortId> {
        let is_name = |p: &&Production| p.pieces.len() == 1 && p.args[..] == [name];
        let mut sorts: Vec<SortId> = self.lang.prods.iter().filter(is_name).map(|p| p.sort).collect();
        sorts.dedup();
        sorts
    }

    /// Every word that may be meant by a misspelt one.
    pub fn words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.terminals.iter().map(String::as_str).collect();
        words.extend(self.names.keys().map(String::as_str));
        words.retain(|w| w.starts_with(char::is_alphanumeric));
        words.sort_unstable();
        words
    }

    /// Where a word comes into the language: its sort, or the first alternative that has it.
    pub fn place_of(&self, word: &str) -> Option<Span> {
        if let Some(sort) = self.names.get(word) {
            return Some(self.lang.sort(*sort).span);
        }
        let has = |p: &&Production| p.pieces.iter().any(|piece| matches!(piece, Piece::Token(t) if normal(t) == word));
        self.lang.prods.iter().find(has).map(|p| p.span)
    }

    /// N1 where only the name of a sort can stand.
    pub fn no_sort(&self, token: &Token) -> Diagnostic {
        let names: Vec<&str> = self.lang.sorts.iter().flat_map(|s| &s.aliases).map(String::as_str).collect();
        Diagnostic::error("N1", token.span, format!("'{}' is not a sort of {}", token.text, self.lang.name))
            .help(format!("the sorts are: {}", names.join(", ")))
    }

    /// A bound that means nothing for its sort.
    pub fn misplaced_bound(&self, sort: SortId, text: &BoundText) -> Option<Diagnostic> {
        let name = &text.sort.text;
        let is_count = matches!(text.bound, Bound::Count(_));
        let help = match self.lang.sort(self.lang.base(sort)).kind {
            SortKind::Int if !is_count && !matches!(text.bound, Bound::Range(..)) => "integers, bounded by lo..hi",
            SortKind::Var | SortKind::Atom | SortKind::Loc if !is_count => "names, bounded by how many there are",
            SortKind::Grammar { .. } if matches!(text.bound, Bound::Range(..)) => {
                "trees, bounded by size, nodes, height or depth"
            }
            SortKind::Env { .. } | SortKind::Store { .. } if !is_count => "maps, bounded by their number of entries",
            _ => return None,
        };
        Some(
            Diagnostic::error("S1", text.span, format!("this bound does not fit the sort {name}"))
                .help(format!("members of {name} are {help}")),
        )
    }

    // ---- building ----

    fn declare(&mut self, sketch: &Sketch, diagnostics: &mut Vec<Diagnostic>) {
        for name in &sketch.names {
            let kind = match name.keyword {
                "var" => SortKind::Var,
                "atom" => SortKind::Atom,
                "loc" => SortKind::Loc,
                _ => SortKind::Int,
            };
            self.add_sort(std::slice::from_ref(&name.token), kind, diagnostics);
        }
        for sort in &sketch.sorts {
            self.add_sort(&sort.names, SortKind::Grammar { prods: Vec::new() }, diagnostics);
        }
    }

    fn add_sort(&mut self, names: &[Token], kind: SortKind, diagnostics: &mut Vec<Diagnostic>) {
        let id = SortId(self.lang.sorts.len() as u32);
        for name in names {
            if let Some(other) = self.names.insert(name.text.clone(), id)
                && other != id
            {
                let first = self.lang.sort(other).span;
                diagnostics.push(
                    Diagnostic::error("R1", name.span, format!("the sort {} is already defined", name.text))
                        .related(first, "here")
                        .help("give it another name"),
                );
            }
        }
        let aliases: Vec<String> = names.iter().map(|n| n.text.clone()).collect();
        self.lang.sorts.push(Sort { name: aliases[0].clone(), aliases, kind, span: names[0].span, is_tree: false });
    }

    /// `v ⊆ t ::= …` holds from the start, so that subsets may mention each other.
    fn stated_subsets(&mut self, sketch: &Sketch) {
        let stated: Vec<(SortId, SortId)> = sketch
            .sorts
            .iter()
            .enumerate()
            .filter(|(_, s)| s.keyword == Keyword::Syntax)
            .filter_map(|(k, s)| {
                let base = self.sort_of(&s.subset_of.as_ref()?.text)?;
                let own = SortId((sketch.names.len() + k) as u32);
                let is_whole = sketch.sorts.get(base.index().checked_sub(sketch.names.len())?)?.subset_of.is_none();
                (is_whole && base != own).then_some((own, base))
            })
            .collect();
        for (own, base) in stated {
            self.lang.sorts[own.index()].kind = SortKind::Sub { base, alts: Vec::new() };
        }
    }

    /// What is object syntax: every token of an alternative or a shape that is not the name of a sort.
    fn symbols(&mut self, sketch: &Sketch) {
        let alts = sketch.sorts.iter().flat_map(|s| &s.alts).map(|a| &a.tokens);
        for tokens in alts.chain(sketch.judgments.iter().map(|j| &j.shape)) {
            for token in tokens {
                if token.kind == Kind::Symbol || token.kind == Kind::Quoted {
                    self.known.push(token.text.clone());
                    // ASCII and Unicode are the same, whichever the grammar uses.
                    self.known.push(normal(&token.text).to_string());
                }
                if token.kind == Kind::Quoted || !self.is_argument(token) {
                    self.terminals.insert(token.norm().to_string());
                }
            }
        }
        self.known.sort_unstable();
        self.known.dedup();
        for word in ["[]", "(", ")", ","] {
            self.terminals.remove(word);
        }
    }

    fn is_argument(&self, token: &Token) -> bool {
        token.kind == Kind::Name && self.sort_of(&token.text).is_some()
    }

    fn syntax(&mut self, id: SortId, text: &SortText, diagnostics: &mut Vec<Diagnostic>) {
        let is_context_name = |grammar: &Grammar, t: &Token| {
            t.kind == Kind::Name
                && grammar
                    .sort_of(&t.text)
                    .is_some_and(|s| matches!(grammar.lang.sort(s).kind, SortKind::Context { .. }))
        };
        let has_hole = |grammar: &Grammar, alt: &AltText| {
            alt.tokens.iter().any(|t| t.text == "[]" && t.kind == Kind::Symbol)
                || alt.tokens.iter().any(|t| is_context_name(grammar, t))
        };
        let with_hole = text.alts.iter().filter(|a| has_hole(self, a)).count();
        if with_hole > 0 {
            self.contexts(id, text, diagnostics);
            return;
        }
        if let Some(base) = self.subset_base(id, text, diagnostics) {
            self.subset(id, base, text, diagnostics);
            return;
        }
        let mut prods = Vec::new();
        for alt in &text.alts {
            let prod = ProdId(self.lang.prods.len() as u32);
            let production = self.production(id, alt, diagnostics);
            if let [Piece::Arg(0)] = production.pieces[..]
                && production.args[0] == id
            {
                diagnostics.push(
                    Diagnostic::error(
                        "G2",
                        alt.span,
                        format!("the alternative {0} ::= {0} says nothing", self.lang.sort(id).name),
                    )
                    .help("remove it"),
                );
                continue;
            }
            self.lang.prods.push(production);
            prods.push(prod);
        }
        self.lang.sorts[id.index()].kind = SortKind::Grammar { prods };
    }

    fn production(&mut self, sort: SortId, alt: &AltText, diagnostics: &mut Vec<Diagnostic>) -> Production {
        let (mut pieces, mut args, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for token in &split(&alt.tokens, &self.known) {
            match self.sort_of(&token.text) {
                Some(arg) if token.kind == Kind::Name => {
                    pieces.push(Piece::Arg(args.len()));
                    args.push(arg);
                    names.push(token.text.clone());
                }
                _ => pieces.push(Piece::Token(token.text.clone())),
            }
        }
        let text = text_of(&alt.tokens);
        let mut production = Production {
            sort,
            pieces,
            args,
            binders: Vec::new(),
            assoc: Assoc::None,
            weight: 1,
            infer: false,
            span: alt.span,
            text,
        };
        self.attributes(&mut production, &names, alt, diagnostics);
        production
    }

    fn attributes(
        &self,
        production: &mut Production,
        names: &[String],
        alt: &AltText,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for attribute in alt.attributes.split(|t| t.text == ",") {
            let words: Vec<&str> = attribute.iter().map(|t| t.text.as_str()).collect();
            let span = attribute.first().map_or(alt.span, |t| t.span);
            match &words[..] {
                [] => {}
                ["left"] => production.assoc = Assoc::Left,
                ["right"] => production.assoc = Assoc::Right,
                ["infer"] => production.infer = true,
                ["weight", n] => match n.parse() {
                    Ok(n) if n <= 1000 => production.weight = n,
                    _ => diagnostics.push(
                        Diagnostic::error("L1", span, format!("'{n}' is not a weight"))
                            .help("a small number, at least 0"),
                    ),
                },
                ["bind", var, "in", scope @ ..] if !scope.is_empty() => {
                    let places = |name: &str| -> Vec<usize> {
                        names.iter().enumerate().filter(|(_, n)| *n == name).map(|(i, _)| i).collect()
                    };
                    let var_places = places(var);
                    let scopes: Vec<usize> = scope.iter().flat_map(|s| places(s)).collect();
                    for word in scope.iter().chain([var]) {
                        if places(word).is_empty() {
                            diagnostics.push(
                                Diagnostic::error("B1", span, format!("'{word}' is not part of this alternative"))
                                    .help(format!("its parts are: {}", names.join(", "))),
                            );
                        }
                    }
                    match var_places[..] {
                        [var] if self.lang.sort(production.args[var]).kind == SortKind::Var => {
                            production.binders.push(Binder { var, scope: scopes });
                        }
                        [] => {}
                        [_] => diagnostics.push(
                            Diagnostic::error(
                                "B1",
                                span,
                                format!("{var} is bound here but is not declared with 'var'"),
                            )
                            .help(format!("write 'var {}' above", stem(var))),
                        ),
                        _ => diagnostics.push(
                            Diagnostic::error("B1", span, format!("{var} is bound in two places"))
                                .help("number them: x1, x2"),
                        ),
                    }
                }
                _ => diagnostics.push(
                    Diagnostic::error("L1", span, format!("'{}' is not an attribute", words.join(" ")))
                        .help("attributes are: bind x in t, left, right, weight N, infer"),
                ),
            }
        }
    }

    /// Reads an alternative as a form of `base`.
    fn alternative(&self, base: SortId, alt: &AltText) -> Option<Alternative> {
        let first = self.alternative_readings(base, alt).into_iter().next()?;
        Some(Alternative { form: Lowering::closed(&first), span: alt.span, text: text_of(&alt.tokens) })
    }

    fn alternative_readings(&self, base: SortId, alt: &AltText) -> Vec<Rc<Ast>> {
        let tokens = split(&alt.tokens, &self.known);
        if tokens.len() > MOST_TOKENS {
            return Vec::new();
        }
        self.refuel();
        Reader::new(self, &tokens, Mode::Alternative).sort(base, 0, tokens.len()).to_vec()
    }

    /// G1 for the alternatives of a subset or of contexts.
    fn ambiguous(&self, base: SortId, text: &SortText, diagnostics: &mut Vec<Diagnostic>) {
        for alt in &text.alts {
            if let [a, b, ..] = &self.alternative_readings(base, alt)[..] {
                diagnostics.push(two_readings(alt.span, &text_of(&alt.tokens), &self.show(a), &self.show(b)));
            }
        }
    }

    /// The earlier grammar that all alternatives are trees of, or the one that was stated.
    fn subset_base(&mut self, id: SortId, text: &SortText, diagnostics: &mut Vec<Diagnostic>) -> Option<SortId> {
        let stated = text.subset_of.as_ref().and_then(|t| {
            let base = self.sort_of(&t.text).map(|s| self.lang.base(s));
            if base.is_none() {
                diagnostics.push(
                    Diagnostic::error("N1", t.span, format!("there is no sort {}", t.text))
                        .help("v ⊆ t ::= … states that every v is a t"),
                );
            }
            base
        });
        let earlier: Vec<SortId> = self
            .lang
            .sort_ids()
            .take(id.index())
            .filter(|s| matches!(&self.lang.sort(*s).kind, SortKind::Grammar { prods } if !prods.is_empty()))
            .collect();
        let own = self.lang.sort(id).kind.clone();
        for base in stated.map_or(earlier, |s| vec![s]) {
            self.lang.sorts[id.index()].kind = SortKind::Sub { base, alts: Vec::new() };
            let failing: Vec<&AltText> = text.alts.iter().filter(|a| self.alternative(base, a).is_none()).collect();
            self.lang.sorts[id.index()].kind = own.clone();
            if failing.is_empty() && !text.alts.is_empty() {
                return Some(base);
            }
            if failing.len() < text.alts.len() || stated.is_some() {
                for alt in failing {
                    self.nearly.push((id, base, alt.span, text_of(&alt.tokens)));
                }
            }
            if stated.is_some() {
                for (_, _, span, text) in self.nearly.iter().filter(|(s, ..)| *s == id) {
                    diagnostics.push(self.not_a(base, *span, text));
                }
                return Some(base);
            }
        }
        None
    }

    /// G3: an alternative is not a tree of the base.
    pub fn not_a(&self, base: SortId, span: Span, text: &str) -> Diagnostic {
        let texts: Vec<&str> = self.lang.prods_of(base).into_iter().map(|p| self.lang.prod(p).text.as_str()).collect();
        let name = &self.lang.sort(base).name;
        // Names of sorts do not count: `sucd nv` is near `succ t`.
        let plain = |text: &str| -> String {
            let words = text.split(' ').map(|w| if self.names.contains_key(stem(w)) { "_" } else { w });
            words.collect::<Vec<_>>().join(" ")
        };
        let plains: Vec<String> = texts.iter().map(|t| plain(t)).collect();
        let near = source::nearest(&plain(text), plains.iter().map(String::as_str))
            .and_then(|near| plains.iter().position(|p| p == near))
            .map(|at| texts[at]);
        let diagnostic = Diagnostic::error("G3", span, format!("the alternative '{text}' is not a {name}"));
        match near {
            Some(near) => diagnostic.help(format!("the nearest is '{near}'")),
            None => diagnostic.help(format!("every alternative of a subset of {name} must be a {name}")),
        }
    }

    fn subset(&mut self, id: SortId, base: SortId, text: &SortText, diagnostics: &mut Vec<Diagnostic>) {
        self.lang.sorts[id.index()].kind = SortKind::Sub { base, alts: Vec::new() };
        let alts: Vec<Alternative> = text.alts.iter().filter_map(|a| self.alternative(base, a)).collect();
        for alt in &alts {
            if alt.form == Form::Any(id) {
                let name = &self.lang.sort(id).name;
                diagnostics.push(
                    Diagnostic::error("G2", alt.span, format!("the alternative {name} ::= {name} says nothing"))
                        .help("remove it"),
                );
            }
        }
        self.lang.sorts[id.index()].kind = SortKind::Sub { base, alts };
        self.ambiguous(base, text, diagnostics);
    }

    fn contexts(&mut self, id: SortId, text: &SortText, diagnostics: &mut Vec<Diagnostic>) {
        let name = self.lang.sort(id).name.clone();
        let earlier: Vec<SortId> = self
            .lang
            .sort_ids()
            .take(id.index())
            .filter(|s| matches!(&self.lang.sort(*s).kind, SortKind::Grammar { prods } if !prods.is_empty()))
            .collect();
        let mut best: Option<(usize, SortId, Vec<Option<Alternative>>)> = None;
        for base in earlier {
            self.lang.sorts[id.index()].kind = SortKind::Context { base, alts: Vec::new() };
            let alts: Vec<Option<Alternative>> = text.alts.iter().map(|a| self.alternative(base, a)).collect();
            // A hole alone reads as anything: it does not speak for this base.
            let score = alts.iter().flatten().filter(|a| !matches!(a.form, Form::Hole(_))).count();
            if best.as_ref().is_none_or(|(s, ..)| score > *s) {
                best = Some((score, base, alts));
            }
        }
        let Some((_, base, alts)) = best else {
            diagnostics.push(
                Diagnostic::error("G2", text.names[0].span, format!("{name} has contexts of no sort defined above"))
                    .help("define the sort of what is put into the holes before its contexts"),
            );
            return;
        };
        self.lang.sorts[id.index()].kind = SortKind::Context { base, alts: Vec::new() };
        let mut good = Vec::new();
        for (alt, read) in text.alts.iter().zip(alts) {
            let Some(read) = read else {
                diagnostics.push(self.not_a(base, alt.span, &text_of(&alt.tokens)));
                continue;
            };
            let holes = count_holes(&self.lang, &read.form);
            if holes != 1 {
                diagnostics.push(
                    Diagnostic::error(
                        "G2",
                        alt.span,
                        format!("an alternative of the contexts {name} has {holes} holes, not one"),
                    )
                    .help(format!("write [] or a metavariable such as {name} exactly once")),
                );
                continue;
            }
            good.push(read);
        }
        self.lang.sorts[id.index()].kind = SortKind::Context { base, alts: good };
        self.ambiguous(base, text, diagnostics);
    }

    /// `env Γ ::= · | Γ, x:T`, `store σ ::= · | σ, x ↦ v`
    fn map(&mut self, id: SortId, text: &SortText, diagnostics: &mut Vec<Diagnostic>) {
        let name = self.lang.sort(id).name.clone();
        let mut empty = None;
        let mut extensions = Vec::new();
        for alt in &text.alts {
            let prod = ProdId(self.lang.prods.len() as u32);
            let production = self.production(id, alt, diagnostics);
            let is_key = |s: SortId| {
                matches!(self.lang.sort(s).kind, SortKind::Var | SortKind::Atom | SortKind::Loc)
                    || matches!(self.lang.sort(s).kind, SortKind::Grammar { .. })
            };
            if production.args.is_empty() && empty.is_none() {
                empty = Some(prod);
            } else if production.args.len() >= 2 && production.args[0] == id && is_key(production.args[1]) {
                extensions.push(prod);
            } else {
                diagnostics.push(
                    Diagnostic::error("S1", alt.span, format!("this is not an entry of {name}"))
                        .help(format!("an entry has the form '{name}, x:T': the map itself, a key declared with var, atom or loc, and what it maps to")),
                );
                continue;
            }
            self.lang.prods.push(production);
        }
        let span = text.names[0].span;
        let (Some(empty), false) = (empty, extensions.is_empty()) else {
            diagnostics.push(
                Diagnostic::error("S1", span, format!("{name} needs an empty alternative and one that adds an entry"))
                    .help(format!("for instance: {name} ::= · | {name}, x:T")),
            );
            // Something that later stages can stand on.
            let prod = ProdId(self.lang.prods.len() as u32);
            let dot = vec![Piece::Token("·".to_string())];
            let production = Production {
                sort: id,
                pieces: dot,
                args: Vec::new(),
                binders: Vec::new(),
                assoc: Assoc::None,
                weight: 0,
                infer: false,
                span,
                text: "·".to_string(),
            };
            self.lang.prods.push(production);
            self.lang.sorts[id.index()].kind = SortKind::Env { empty: prod, extensions: Vec::new() };
            return;
        };
        self.lang.sorts[id.index()].kind = match text.keyword {
            Keyword::Store => {
                if extensions.len() > 1 {
                    diagnostics.push(
                        Diagnostic::error("S1", span, format!("the store {name} has more than one kind of entry"))
                            .help("declare it with 'env', or make two stores of it"),
                    );
                }
                SortKind::Store { empty, extension: extensions[0] }
            }
            _ => SortKind::Env { empty, extensions },
        };
    }

    /// G2: every grammar sort has a finite member.
    fn productive(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut productive: Vec<bool> =
            self.lang.sorts.iter().map(|s| !matches!(s.kind, SortKind::Grammar { .. })).collect();
        loop {
            let mut changed = false;
            for id in self.lang.sort_ids() {
                if !productive[id.index()]
                    && self
                        .lang
                        .prods_of(id)
                        .iter()
                        .any(|p| self.lang.prod(*p).args.iter().all(|a| productive[self.lang.base(*a).index()]))
                {
                    productive[id.index()] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for id in self.lang.sort_ids() {
            let sort = self.lang.sort(id);
            // One without alternatives was reported about before.
            let is_empty = self.lang.prods_of(id).is_empty();
            if !productive[id.index()] && !is_empty {
                diagnostics.push(
                    Diagnostic::error("G2", sort.span, format!("sort {} has no finite member", sort.name))
                        .help("add an alternative that does not need another member of the sort"),
                );
            }
            // `v ::= w`, `w ::= v`: a subset that only goes round.
            if let SortKind::Sub { alts, .. } = &sort.kind
                && !alts.iter().any(|a| a.form == Form::Any(id))
                && self.goes_round(id, id, &mut Vec::new())
            {
                diagnostics.push(
                    Diagnostic::error("G2", sort.span, format!("the subset {} is defined by itself", sort.name))
                        .help("an alternative that is only the name of a subset must not lead back to it"),
                );
            }
            if matches!(sort.kind, SortKind::Grammar { .. }) && self.is_renamed(id, id, &mut Vec::new()) {
                diagnostics.push(
                    Diagnostic::error("G2", sort.span, format!("alternatives lead from {0} back to {0}", sort.name))
                        .help("alternatives that are only the name of another sort must not lead back to the first"),
                );
            }
        }
    }

    /// Whether alternatives that are only a sort lead from one sort to another: `A ::= B`, `B ::= A`.
    fn is_renamed(&self, from: SortId, target: SortId, seen: &mut Vec<SortId>) -> bool {
        if seen.contains(&from) {
            return false;
        }
        seen.push(from);
        self.lang.prods_of(from).into_iter().any(|p| {
            match (&self.lang.prod(p).pieces[..], &self.lang.prod(p).args[..]) {
                ([Piece::Arg(_)], [arg]) => {
                    let to = self.lang.base(*arg);
                    to == target || self.is_renamed(to, target, seen)
                }
                _ => false,
            }
        })
    }

    fn goes_round(&self, from: SortId, target: SortId, seen: &mut Vec<SortId>) -> bool {
        if seen.contains(&from) {
            return false;
        }
        seen.push(from);
        let SortKind::Sub { alts, .. } = &self.lang.sort(from).kind else { return false };
        alts.iter().any(|a| matches!(a.form, Form::Any(s) if s == target || self.goes_round(s, target, seen)))
    }

    fn judgment(&mut self, text: &JudgmentText, diagnostics: &mut Vec<Diagnostic>) {
        let (mut pieces, mut args) = (Vec::new(), Vec::new());
        for token in &split(&text.shape, &self.known) {
            match self.sort_of(&token.text) {
                Some(arg) if token.kind == Kind::Name && !self.is_terminal(token) => {
                    pieces.push(Piece::Arg(args.len()));
                    args.push(arg);
                }
                _ => pieces.push(Piece::Token(token.text.clone())),
            }
        }
        if args.is_empty() {
            diagnostics.push(
                Diagnostic::error("S1", text.span, "this shape mentions no sort")
                    .help("a shape is made of tokens and names of sorts, as in: Γ ⊢ t : T"),
            );
        }
        let same = |j: &&Judgment| {
            same_shape(&j.pieces, &pieces)
                && j.args.len() == args.len()
                && (0..args.len()).all(|k| self.lang.base(j.args[k]) == self.lang.base(args[k]))
        };
        if let Some(other) = self.lang.judgments.iter().find(same) {
            diagnostics.push(
                Diagnostic::error("R1", text.span, "there are two judgments of this shape")
                    .related(other.span, "the first one")
                    .help("give one of them another symbol"),
            );
        }
        let mut reduction = None;
        if text.is_reduction {
            if args.len() != 2 || self.lang.base(args[0]) != self.lang.base(args[1]) {
                diagnostics.push(
                    Diagnostic::error("S1", text.span, "a reduction relates two forms of one sort")
                        .help("for instance: reduction t --> t'; a state of several parts has a sort of its own: W ::= ⟨t, μ⟩ and reduction W --> W'"),
                );
            }
            let contexts = text.contexts.as_ref().and_then(|t| {
                let sort =
                    self.sort_of(&t.text).filter(|s| matches!(self.lang.sort(*s).kind, SortKind::Context { .. }));
                if sort.is_none() {
                    diagnostics.push(
                        Diagnostic::error("S1", t.span, format!("'{}' is not a sort of contexts", t.text))
                            .help("contexts have one hole in each alternative: E ::= [] | E t | v E"),
                    );
                }
                sort
            });
            reduction = Some(Reduction { contexts });
        }
        self.lang.judgments.push(Judgment {
            text: text_of(&text.shape),
            pieces,
            args,
            reduction,
            subject: None,
            span: text.span,
        });
    }

    fn fun(&mut self, text: &FunText, diagnostics: &mut Vec<Diagnostic>) {
        let mut sort = |token: &Token| {
            let sort = self.sort_of(&token.text);
            if sort.is_none() {
                diagnostics.push(
                    Diagnostic::error("N1", token.span, format!("'{}' is not a sort", token.text))
                        .help("parameters and result of a function are named by their sorts: fun shift(d, c, t) : t"),
                );
            }
            sort
        };
        let params: Vec<Option<SortId>> = text.params.iter().map(&mut sort).collect();
        let result = text.result.as_ref().and_then(&mut sort);
        if text.result.is_none() {
            diagnostics.push(
                Diagnostic::error("L1", text.name.span, format!("the function {} has no result sort", text.name.text))
                    .help("for instance: fun shift(d, c, t) : t"),
            );
        }
        if let (Some(params), Some(result)) = (params.into_iter().collect::<Option<Vec<SortId>>>(), result) {
            let (name, span) = (text.name.text.clone(), text.name.span);
            self.lang.funs.push(Fun { name, params, result, equations: Vec::new(), span });
        }
    }

    /// As docs/lang.md, "What a verdict means", says: programs are what is reduced, what stands in a state beside a store, what contexts
    /// have holes in, what is bounded by nodes, what a judgment relates to one of its own subsets (`e ⇓ v`), and whatever contains such a
    /// thing. Where nothing is reduced, also what a judgment is about: its first argument of a grammar that is not the type of a variable.
    fn mark_trees(&mut self, sketch: &Sketch) {
        let lang = &self.lang;
        let mut trees: FxHashSet<SortId> = FxHashSet::default();
        let is_grammar = |s: SortId| matches!(lang.sort(s).kind, SortKind::Grammar { .. });
        for judgment in lang.judgments.iter().filter(|j| j.reduction.is_some()) {
            let Some(&subject) = judgment.args.first() else { continue };
            let subject = lang.base(subject);
            trees.insert(subject);
            let is_map = |s: &SortId| lang.is_map(*s);
            for prod in lang.prods_of(subject) {
                let args = &lang.prod(prod).args;
                if args.iter().any(is_map) {
                    trees.extend(args.iter().map(|a| lang.base(*a)).filter(|a| is_grammar(*a)));
                }
            }
        }
        let is_reduced = !trees.is_empty();
        let types = types_of_variables(lang);
        for judgment in lang.judgments.iter().filter(|j| j.reduction.is_none()) {
            let grammars = || judgment.args.iter().filter(|s| is_grammar(lang.base(**s)));
            let evaluates = |s: &&SortId| grammars().any(|v| v != *s && lang.base(*v) == **s);
            trees.extend(grammars().find(evaluates).copied());
            let is_about = |s: &&SortId| !types.contains(&lang.base(**s));
            let has_map = judgment.args.iter().any(|s| lang.is_map(*s));
            let is_typing = matches!(judgment.pieces.first(), Some(Piece::Token(token)) if normal(token) == "⊢");
            if !is_reduced && (has_map || is_typing) {
                trees.extend(grammars().find(is_about).map(|s| lang.base(*s)));
            }
        }
        for sort in &lang.sorts {
            if let SortKind::Context { base, alts } = &sort.kind {
                trees.insert(*base);
                for alt in alts {
                    holes(lang, &alt.form, &mut trees);
                }
            }
        }
        for bound in sketch.bounds.iter().chain(sketch.checks.iter().flat_map(|c| &c.bounds)) {
            if let (Some(sort), Bound::Nodes(_)) = (self.sort_of(&bound.sort.text), bound.bound)
                && is_grammar(lang.base(sort))
            {
                trees.insert(lang.base(sort));
            }
        }
        loop {
            let more: Vec<SortId> = lang
                .sort_ids()
                .filter(|s| is_grammar(*s) && !trees.contains(s))
                .filter(|s| {
                    lang.prods_of(*s).iter().any(|p| lang.prod(*p).args.iter().any(|a| trees.contains(&lang.base(*a))))
                })
                .collect();
            if more.is_empty() {
                break;
            }
            trees.extend(more);
        }
        for id in self.lang.sort_ids() {
            self.lang.sorts[id.index()].is_tree = trees.contains(&self.lang.base(id));
        }
    }

    fn find_subjects(&mut self) {
        for k in 0..self.lang.judgments.len() {
            let args = &self.lang.judgments[k].args;
            let trees: Vec<usize> = (0..args.len()).filter(|i| self.lang.sort(args[*i]).is_tree).collect();
            self.lang.judgments[k].subject = match trees[..] {
                [only] => Some(only),
                _ => None,
            };
        }
    }
}

/// The grammars that entries of environments are made of.
fn types_of_variables(lang: &Lang) -> Vec<SortId> {
    let is_env = |p: &&Production| matches!(lang.sort(p.sort).kind, SortKind::Env { .. });
    let fields = lang.prods.iter().filter(is_env).flat_map(|p| p.args.iter().skip(2));
    let mut types: Vec<SortId> = fields.map(|s| lang.base(*s)).collect();
    let mut at = 0;
    while at < types.len() {
        for prod in lang.prods_of(types[at]) {
            for sort in &lang.prod(prod).args {
                if !types.contains(&lang.base(*sort)) {
                    types.push(lang.base(*sort));
                }
            }
        }
        at += 1;
    }
    types
}

fn holes(lang: &Lang, form: &Form, out: &mut FxHashSet<SortId>) {
    if let Form::Hole(sort) = form {
        out.insert(lang.base(*sort));
    }
    form.each_child(&mut |child| holes(lang, child, out));
}

fn count_holes(lang: &Lang, form: &Form) -> usize {
    let own = match form {
        Form::Hole(_) => 1,
        Form::Any(sort) if matches!(lang.sort(*sort).kind, SortKind::Context { .. }) => 1,
        _ => 0,
    };
    let mut below = 0;
    form.each_child(&mut |child| below += count_holes(lang, child));
    own + below
}

fn same_shape(a: &[Piece], b: &[Piece]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| match pair {
            (Piece::Token(a), Piece::Token(b)) => normal(a) == normal(b),
            (a, b) => a == b,
        })
}

pub fn two_readings(span: Span, text: &str, a: &str, b: &str) -> Diagnostic {
    Diagnostic::error("G1", span, format!("two readings of '{text}': {a} and {b}"))
        .help("write parentheses, or add {left} or {right} to the alternative")
}

/// As written, with single spaces where there were any.
pub fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut end = None;
    for token in tokens {
        if end.is_some_and(|e: usize| token.column != e) {
            text.push(' ');
        }
        match token.kind {
            Kind::Quoted => text.push_str(&format!("'{}'", token.text)),
            _ => text.push_str(&token.text),
        }
        end = Some(token.end_column);
    }
    text
}
