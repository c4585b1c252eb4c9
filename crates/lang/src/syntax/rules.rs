//! Rules, functions and checks of a sketch, read with its grammar.

use super::forms::{Ast, MOST_TOKENS, Mode, Reader};
use super::grammar::{Grammar, text_of, two_readings};
use super::layout::tokens_span;
use super::lexer::{Kind, Token};
use super::lower::Lowering;
use super::sketch::*;
use crate::definition::*;
use rustc_hash::FxHashSet;
use source::{Diagnostic, Span};
use std::rc::Rc;
use work::Stop;

/// Words of premises, which are no names.
const WORDS: &[&str] =
    &["where", "forall", "fresh", "is", "not", "dom", "steps", "error", "exists", "or", "if", "in", "total"];

/// Symbols that forms and premises may have whatever the grammar is.
const PUNCTUATION: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ".", ";", "/", ":", "=", "≠", "<", ">", "≤", "≥", "+", "-", "*", "_", "∈", "∉",
    "⊇", "∀", "∃", "∨", "·", "↦", "⇒", "[]",
];

pub struct Rules<'g> {
    grammar: &'g Grammar,
    diagnostics: Vec<Diagnostic>,
    /// What is being read, for messages: `premise 2 of T-App`.
    place: String,
}

/// What a definition is made of beyond its grammar.
#[derive(Default)]
pub struct Parts {
    pub rules: Vec<Rule>,
    pub equations: Vec<Vec<Equation>>,
    pub checks: Vec<Check>,
    pub bounds: Vec<(SortId, Bound)>,
}

/// Reads everything that is written with the grammar.
/// What is left once there is no time is not read.
pub fn read(grammar: &Grammar, sketch: &Sketch, stop: &Stop, diagnostics: &mut Vec<Diagnostic>) -> Parts {
    let mut rules = Rules { grammar, diagnostics: Vec::new(), place: String::new() };
    let mut parts = Parts::default();
    for text in sketch.rules.iter().take_while(|_| !stop.is_due()) {
        parts.rules.extend(rules.rule(text));
    }
    for fun in &grammar.lang.funs {
        let text = sketch.funs.iter().find(|f| f.name.text == fun.name);
        let texts = text.map_or(&[][..], |t| &t.equations);
        if texts.is_empty() {
            let message = format!("the function {} has no equation", fun.name);
            let help = format!("write the equations below the head, each on a line of its own: {}(…) = …", fun.name);
            rules.diagnostics.push(Diagnostic::error("L1", fun.span, message).help(help));
        }
        let equations = texts.iter().filter_map(|e| rules.equation(fun, e)).collect();
        parts.equations.push(equations);
    }
    for text in &sketch.checks {
        parts.checks.extend(rules.check(text));
    }
    parts.bounds = rules.bounds(&sketch.bounds);
    diagnostics.append(&mut rules.diagnostics);
    parts
}

impl<'g> Rules<'g> {
    fn lang(&self) -> &'g Lang {
        &self.grammar.lang
    }

    pub fn bounds(&mut self, texts: &[BoundText]) -> Vec<(SortId, Bound)> {
        let mut bounds = Vec::new();
        for text in texts {
            match self.grammar.sort_of(&text.sort.text) {
                Some(sort) => {
                    self.diagnostics.extend(self.grammar.misplaced_bound(sort, text));
                    bounds.push((sort, text.bound));
                }
                None => self.diagnostics.push(self.grammar.no_sort(&text.sort)),
            }
        }
        bounds
    }

    fn rule(&mut self, text: &RuleText) -> Option<Rule> {
        let mut scope = Lowering::new();
        self.place = format!("the conclusion of {}", text.name);
        let conclusion_span = tokens_span(&text.conclusion, text.span);
        let tokens = self.split(&text.conclusion)?;
        let Some((judgment, asts)) = self.judgment_form(&tokens, text.home) else {
            self.unreadable(&tokens, conclusion_span, Wanted::Judgment(text.home));
            return None;
        };
        let conclusion: Vec<Form> = asts.iter().map(|a| scope.form(a)).collect();
        let mut premises = Vec::new();
        let mut good = true;
        for chunk in &text.premises {
            self.place = format!("premise {} of {}", premises.len() + 1, text.name);
            match self.premise_list(chunk, &mut scope) {
                Some(list) => premises.extend(list),
                None => good = false,
            }
        }
        let (name, span, marks) = (text.name.clone(), text.span, text.marks);
        good.then_some(Rule { name, span, judgment, metas: scope.metas, premises, conclusion, conclusion_span, marks })
    }

    /// The tokens of the next form that is read.
    fn split(&mut self, tokens: &[Token]) -> Option<Vec<Token>> {
        let tokens = self.grammar.split(tokens);
        self.grammar.refuel();
        if tokens.len() > MOST_TOKENS {
            let span = tokens_span(&tokens, tokens[0].span);
            self.diagnostics.push(too_long(span));
            return None;
        }
        Some(tokens)
    }

    /// What a reading that comes to nothing said or named is forgotten.
    fn attempt<T>(
        &mut self,
        scope: &mut Lowering,
        read: impl FnOnce(&mut Self, &mut Lowering) -> Option<T>,
    ) -> Option<T> {
        let (said, named) = (self.diagnostics.len(), scope.mark());
        let result = read(self, scope);
        if result.is_none() {
            self.diagnostics.truncate(said);
            scope.reset(named);
        }
        result
    }

    /// The one reading, or the first of several with G1.
    fn settle(&mut self, readings: Vec<Vec<Rc<Ast>>>, reader: &Reader) -> Option<Vec<Rc<Ast>>> {
        if let [one, other, ..] = &readings[..] {
            let (mut a, mut b) = one.iter().zip(other).find(|(a, b)| a != b).unwrap_or((&one[0], &other[0]));
            // The innermost part in which they differ.
            while let (Ast::Node(p, left), Ast::Node(q, right)) = (&**a, &**b)
                && p == q
                && let [(x, y)] = &left.iter().zip(right).filter(|(x, y)| x != y).collect::<Vec<_>>()[..]
                && reader.place_of(x).is_some_and(|place| Some(place) == reader.place_of(y))
            {
                (a, b) = (x, y);
            }
            let (i, j) = reader.place_of(a).unwrap_or((0, reader.tokens.len()));
            let tokens = &reader.tokens[i..j];
            let span = tokens_span(tokens, tokens[0].span);
            let (a, b) = (self.grammar.show(a), self.grammar.show(b));
            self.diagnostics.push(two_readings(span, &text_of(tokens), &a, &b));
        }
        readings.into_iter().next()
    }

    /// A judgment or step. The one it stands under comes first; elsewhere only one may fit.
    fn judgment_form(&mut self, tokens: &[Token], home: Option<usize>) -> Option<(JudgId, Vec<Rc<Ast>>)> {
        let lang = self.lang();
        let mut reader = Reader::new(self.grammar, tokens, Mode::Rule);
        let order = home.into_iter().chain((0..lang.judgments.len()).filter(|k| Some(*k) != home));
        let mut found: Option<(usize, Vec<Rc<Ast>>)> = None;
        for k in order {
            let judgment = lang.judgments.get(k)?;
            let readings = reader.pieces(&judgment.pieces, &judgment.args, 0, tokens.len());
            if readings.is_empty() {
                continue;
            }
            if let Some((first, _)) = found {
                let span = tokens_span(tokens, tokens[0].span);
                let (text, a, b) = (text_of(tokens), &lang.judgments[first].text, &judgment.text);
                self.diagnostics.push(
                    Diagnostic::error("G1", span, format!("two readings of '{text}': as {a} and as {b}"))
                        .help("give the two judgments different shapes"),
                );
                break;
            }
            let asts = self.settle(readings, &reader)?;
            self.order_matters(&reader, &asts, tokens);
            let is_home = home == Some(k);
            found = Some((k, asts));
            if is_home {
                break;
            }
        }
        found.map(|(k, asts)| (JudgId(k as u32), asts))
    }

    /// G4: another reading was dropped only because of the order of alternatives.
    fn order_matters(&mut self, reader: &Reader, taken: &[Rc<Ast>], tokens: &[Token]) {
        if reader.dropped.is_empty() {
            return;
        }
        let mut parts = FxHashSet::default();
        taken.iter().for_each(|t| parts_of(t, &mut parts));
        for (ast, i, j) in &reader.dropped {
            let Ast::Node(prod, _) = &**ast else { continue };
            let readings = reader.known(self.lang().prod(*prod).sort, *i, *j);
            let Some(instead) = readings.iter().find(|r| parts.contains(&Rc::as_ptr(r))) else { continue };
            let span = tokens_span(&tokens[*i..*j], tokens[*i].span);
            let text = text_of(&tokens[*i..*j]);
            let (read, other) = (self.grammar.show(instead), self.grammar.show(ast));
            let warning = Diagnostic::warning("G4", span, format!("'{text}' is read as {read}, not as {other}"))
                .help("alternatives listed earlier bind tighter; write parentheses to say which is meant");
            if !self.diagnostics.contains(&warning) {
                self.diagnostics.push(warning);
            }
            return;
        }
    }

    /// One or more premises between commas or semicolons, split where both sides can be read.
    fn premise_list(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Vec<Located>> {
        let tokens = self.split(tokens)?;
        self.premises(&tokens, scope, true)
    }

    fn premises(&mut self, tokens: &[Token], scope: &mut Lowering, complain: bool) -> Option<Vec<Located>> {
        let read = self.premises_from(tokens, 0, scope, &mut FxHashSet::default());
        if let (None, true, Some(first)) = (&read, complain, tokens.first()) {
            self.unreadable(tokens, tokens_span(tokens, first.span), Wanted::Premise);
        }
        read
    }

    /// `failed`: from there on no way of splitting leads anywhere.
    fn premises_from(
        &mut self,
        tokens: &[Token],
        from: usize,
        scope: &mut Lowering,
        failed: &mut FxHashSet<usize>,
    ) -> Option<Vec<Located>> {
        let Some(first) = tokens.get(from) else { return Some(Vec::new()) };
        if failed.contains(&from) {
            return None;
        }
        let is_split = |t: &Token| t.kind == Kind::Symbol && matches!(t.text.as_str(), "," | ";");
        let ends: Vec<usize> =
            std::iter::once(tokens.len()).chain((from + 1..tokens.len()).filter(|&k| is_split(&tokens[k]))).collect();
        for at in ends {
            let list = self.attempt(scope, |rules, scope| {
                let premise = rules.premise(&tokens[from..at], scope)?;
                let rest = rules.premises_from(tokens, at + 1, scope, failed)?;
                let span = tokens_span(&tokens[from..at], first.span);
                Some(std::iter::once(Located { premise, span }).chain(rest).collect())
            });
            if list.is_some() {
                return list;
            }
        }
        failed.insert(from);
        None
    }

    /// A premise, if these tokens are one.
    fn premise(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Premise> {
        if let Some((judgment, asts)) = self.judgment_form(tokens, None) {
            return Some(Premise::Judgment(judgment, asts.iter().map(|a| scope.form(a)).collect()));
        }
        let first = tokens.first()?;
        match first.text.as_str() {
            "where" if first.kind == Kind::Name => return self.comparison(&tokens[1..], scope),
            "fresh" if tokens.len() == 2 => {
                let sort = self.grammar.sort_of(&tokens[1].text)?;
                let is_loc = matches!(self.lang().sort(sort).kind, SortKind::Loc | SortKind::Atom);
                return is_loc.then(|| Premise::Fresh(scope.meta(&tokens[1].text, sort, tokens[1].span)));
            }
            "forall" | "∀" => return self.forall(&tokens[1..], scope),
            _ => {}
        }
        self.attempt(scope, |rules, scope| rules.domains(tokens, scope))
            .or_else(|| self.attempt(scope, |rules, scope| rules.entry(tokens, scope)))
            .or_else(|| self.attempt(scope, |rules, scope| rules.is_or_steps(tokens, scope)))
            .or_else(|| self.attempt(scope, |rules, scope| rules.equality(tokens, scope)))
            .or_else(|| {
                if first.is("not") && tokens.len() > 1 {
                    Some(Premise::Not(Box::new(self.premise(&tokens[1..], scope)?)))
                } else {
                    None
                }
            })
    }

    /// `where n = n1 + n2`, `n1 <= n2`
    fn comparison(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Premise> {
        const COMPARISONS: [(&str, Compare); 6] = [
            ("=", Compare::Eq),
            ("≠", Compare::Ne),
            ("≤", Compare::Le),
            ("<", Compare::Lt),
            ("≥", Compare::Ge),
            (">", Compare::Gt),
        ];
        for at in 1..tokens.len().saturating_sub(1) {
            let Some((_, compare)) = COMPARISONS.iter().find(|(s, _)| tokens[at].is(s)) else { continue };
            let mut reader = Reader::new(self.grammar, tokens, Mode::Rule);
            if let (Some(left), Some(right)) = (reader.sum(0, at), reader.sum(at + 1, tokens.len())) {
                let (left, right) = (scope.form(&left), scope.form(&right));
                return Some(match compare {
                    Compare::Eq => Premise::Equal { left, right, holds: true },
                    Compare::Ne => Premise::Equal { left, right, holds: false },
                    other => Premise::Compare(*other, left, right),
                });
            }
        }
        // `where t = f(t')`: a form of any sort.
        self.equality(tokens, scope)
    }

    /// A form of any of these sorts: the first that reads.
    fn form_of(&mut self, tokens: &[Token], sorts: impl IntoIterator<Item = SortId>) -> Option<(SortId, Rc<Ast>)> {
        for sort in sorts {
            let mut reader = Reader::new(self.grammar, tokens, Mode::Rule);
            let readings: Vec<Vec<Rc<Ast>>> =
                reader.sort(sort, 0, tokens.len()).iter().map(|a| vec![a.clone()]).collect();
            if !readings.is_empty() {
                return Some((sort, self.settle(readings, &reader)?.remove(0)));
            }
        }
        None
    }

    fn maps(&self) -> Vec<SortId> {
        let is_map = |s: &SortId| self.lang().is_map(*s);
        self.lang().sort_ids().filter(is_map).collect()
    }

    /// `x ∈ dom Γ`, `x ∉ dom Γ`, `dom A = dom B`
    fn domains(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Premise> {
        let dom = tokens.iter().position(|t| t.is("dom"))?;
        let maps = self.maps();
        if dom == 0 {
            let equals = tokens.iter().position(|t| t.is("="))?;
            if !tokens.get(equals + 1)?.is("dom") {
                return None;
            }
            let (_, a) = self.form_of(&tokens[1..equals], maps.clone())?;
            let (_, b) = self.form_of(&tokens[equals + 2..], maps)?;
            return Some(Premise::SameDomain(scope.form(&a), scope.form(&b)));
        }
        let (holds, end) = match &tokens[..dom] {
            [.., t] if t.is("∈") && !tokens[..dom - 1].last().is_some_and(|t| t.is("not")) => (true, dom - 1),
            [.., t] if t.is("∉") => (false, dom - 1),
            [.., n, t] if n.is("not") && t.is("∈") => (false, dom - 2),
            _ => return None,
        };
        let (map_sort, map) = self.form_of(&tokens[dom + 1..], maps)?;
        let keys: Vec<SortId> =
            self.lang().prods_of(map_sort).iter().filter_map(|p| self.lang().prod(*p).args.get(1).copied()).collect();
        let (_, key) = self.form_of(&tokens[..end], keys)?;
        Some(Premise::InDomain { key: scope.form(&key), map: scope.form(&map), holds })
    }

    /// The pieces of an entry: those of its production from the key on.
    fn entry_pieces(&self, prod: ProdId) -> Vec<Piece> {
        let pieces = &self.lang().prod(prod).pieces;
        let from = pieces.iter().position(|p| *p == Piece::Arg(1)).unwrap_or(0);
        pieces[from..].iter().map(|p| if let Piece::Arg(k) = p { Piece::Arg(k - 1) } else { p.clone() }).collect()
    }

    /// `x:T ∈ Γ`
    fn entry(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Premise> {
        let at = tokens.iter().rposition(|t| t.is("∈"))?;
        let (prod, args, env) = self.entry_parts(&tokens[..at], &tokens[at + 1..])?;
        let key = scope.form(&args[0]);
        let fields = args[1..].iter().map(|a| scope.form(a)).collect();
        Some(Premise::Entry { prod, key, fields, env: scope.form(&env) })
    }

    fn entry_parts(&mut self, entry: &[Token], map: &[Token]) -> Option<(ProdId, Vec<Rc<Ast>>, Rc<Ast>)> {
        let maps = self.maps();
        let (sort, env) = self.form_of(map, maps)?;
        for prod in self.lang().prods_of(sort).into_iter().skip(1) {
            let pieces = self.entry_pieces(prod);
            let sorts = &self.lang().prod(prod).args[1..];
            let mut reader = Reader::new(self.grammar, entry, Mode::Rule);
            if let Some(args) = reader.pieces(&pieces, sorts, 0, entry.len()).into_iter().next() {
                return Some((prod, args, env));
            }
        }
        None
    }

    /// `forall x:T ∈ Γ. premise`
    fn forall(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Premise> {
        let at = tokens.iter().position(|t| t.is("∈"))?;
        for dot in (at + 2..tokens.len()).filter(|&k| tokens[k].is(".")) {
            let Some((prod, args, env)) = self.entry_parts(&tokens[..at], &tokens[at + 1..dot]) else { continue };
            let mut ids = Vec::new();
            for arg in &args {
                let Ast::Meta { name, sort, span, .. } = &**arg else { return None };
                ids.push(scope.meta(name, *sort, *span));
            }
            let env = scope.form(&env);
            if let Some(body) = self.attempt(scope, |rules, scope| rules.premise(&tokens[dot + 1..], scope)) {
                return Some(Premise::Forall {
                    prod,
                    key: ids[0],
                    fields: ids[1..].to_vec(),
                    env,
                    body: Box::new(body),
                });
            }
        }
        None
    }

    /// Sorts that forms of premises may have: programs first.
    fn all_sorts(&self) -> Vec<SortId> {
        let mut sorts: Vec<SortId> = self
            .lang()
            .sort_ids()
            .filter(|s| !matches!(self.lang().sort(*s).kind, SortKind::Context { .. } | SortKind::Sub { .. }))
            .collect();
        sorts.sort_by_key(|s| !self.lang().sort(*s).is_tree);
        sorts
    }

    /// `t is v`, `t is not v`, `t steps`
    fn is_or_steps(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Premise> {
        let last = tokens.last()?;
        if last.is("steps") {
            let reductions: Vec<JudgId> = (0..self.lang().judgments.len() as u32)
                .map(JudgId)
                .filter(|j| self.lang().judgment(*j).reduction.is_some())
                .collect();
            for reduction in reductions {
                let sort = self.lang().judgment(reduction).args.first().copied()?;
                if let Some((_, ast)) = self.form_of(&tokens[..tokens.len() - 1], [sort]) {
                    return Some(Premise::Steps(reduction, scope.form(&ast)));
                }
            }
            return None;
        }
        let (form, holds) = match tokens {
            [form @ .., is, not, _] if is.is("is") && not.is("not") => (form, false),
            [form @ .., is, _] if is.is("is") => (form, true),
            _ => return None,
        };
        let sort = self.grammar.sort_of(&last.text)?;
        let (_, ast) = self.form_of(form, [self.lang().base(sort)])?;
        Some(Premise::Is { form: scope.form(&ast), sort, holds })
    }

    /// `A = B`, `A ≠ B`
    fn equality(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Premise> {
        for at in (1..tokens.len().saturating_sub(1)).filter(|&k| tokens[k].is("=") || tokens[k].is("≠")) {
            for sort in self.all_sorts() {
                let before = self.diagnostics.len();
                if let (Some((_, a)), Some((_, b))) =
                    (self.form_of(&tokens[..at], [sort]), self.form_of(&tokens[at + 1..], [sort]))
                {
                    return Some(Premise::Equal {
                        left: scope.form(&a),
                        right: scope.form(&b),
                        holds: tokens[at].is("="),
                    });
                }
                self.diagnostics.truncate(before);
            }
        }
        None
    }

    fn equation(&mut self, fun: &'g Fun, tokens: &[Token]) -> Option<Equation> {
        let tokens = self.split(tokens)?;
        self.place = format!("an equation of {}", fun.name);
        let span = tokens_span(&tokens, fun.span);
        for at in (3..tokens.len()).filter(|&k| tokens[k].is("=")) {
            let Some((_, left)) = self.form_of(&tokens[..at], [fun.result]) else { continue };
            let Ast::Call(called, args) = &*left else { continue };
            if self.lang().fun(*called).name != fun.name {
                continue;
            }
            let ends =
                std::iter::once(tokens.len()).chain((at + 2..tokens.len()).rev().filter(|&k| tokens[k].is("if")));
            for end in ends {
                let Some((_, right)) = self.form_of_sum(&tokens[at + 1..end], fun.result) else { continue };
                let mut scope = Lowering::new();
                let left: Vec<Form> = args.iter().map(|a| scope.form(a)).collect();
                let right = scope.form(&right);
                let mut conditions = Vec::new();
                if end + 1 == tokens.len() {
                    let message = "a condition is expected after 'if'";
                    let help = "for instance: if n < c";
                    self.diagnostics.push(Diagnostic::error("L1", tokens[end].span, message).help(help));
                    return None;
                }
                if end < tokens.len() {
                    let condition = &tokens[end + 1..];
                    let premise =
                        self.comparison(condition, &mut scope).or_else(|| self.premise(condition, &mut scope));
                    let Some(premise) = premise else {
                        self.unreadable(condition, tokens_span(condition, tokens[end].span), Wanted::Premise);
                        return None;
                    };
                    conditions.push(Located { premise, span: tokens_span(condition, span) });
                }
                return Some(Equation { metas: scope.metas, left, right, conditions, span });
            }
        }
        self.unreadable(&tokens, span, Wanted::Equation(fun.name.clone()));
        None
    }

    /// A form of this sort; a sum, if these are integers.
    fn form_of_sum(&mut self, tokens: &[Token], sort: SortId) -> Option<(SortId, Rc<Ast>)> {
        if self.lang().sort(sort).kind != SortKind::Int {
            return self.form_of(tokens, [sort]);
        }
        let sum = Reader::new(self.grammar, tokens, Mode::Rule).sum(0, tokens.len())?;
        Some((sort, sum))
    }

    fn check(&mut self, text: &CheckText) -> Option<Check> {
        let tokens = self.split(&text.tokens)?;
        self.place = format!("check {}", text.name);
        let arrows: Vec<usize> = (0..tokens.len()).filter(|&k| tokens[k].is("⇒")).collect();
        let Some(&first) = arrows.first() else {
            self.diagnostics.push(
                Diagnostic::error("L1", text.span, format!("the check {} has no '=>'", text.name))
                    .help("a check says: premises => conclusion"),
            );
            return None;
        };
        let mut scope = Lowering::new();
        let mut arrow = first;
        if arrows.len() > 1 {
            // `=>` is object syntax as well: the first one with premises before it and conclusions after it counts.
            let said = self.diagnostics.len();
            let reads = |at: &usize| {
                let (before, _) = self.without_total(&tokens[..*at]);
                let scope = &mut Lowering::new();
                self.premises(&before, scope, false).is_some()
                    && self
                        .quantifiers(&tokens[*at + 1..], text.span, scope)
                        .is_some_and(|(_, after)| self.conclusions(after, text, scope).is_some())
            };
            arrow = arrows.into_iter().find(reads).unwrap_or(first);
            self.diagnostics.truncate(said);
            self.grammar.refuel();
        }
        let (before, totals) = self.without_total(&tokens[..arrow]);
        let total: Vec<MetaId> = totals.iter().filter_map(|t| self.total(t, &mut scope)).collect();
        let premises = self.premises(&before, &mut scope, true);
        let (exists, after) = self.quantifiers(&tokens[arrow + 1..], text.span, &mut scope)?;
        let conclusions = self.conclusions(after, text, &mut scope);
        let bounds = self.bounds(&text.bounds);
        let (name, span) = (text.name.clone(), text.span);
        let (premises, conclusions) = (premises?, conclusions?);
        Some(Check { name, span, metas: scope.metas, premises, exists, conclusions, bounds, total })
    }

    /// `exists Σ' ⊇ Σ, T.` before the conclusions, and what follows.
    #[allow(clippy::type_complexity)]
    fn quantifiers<'t>(
        &mut self,
        mut after: &'t [Token],
        otherwise: Span,
        scope: &mut Lowering,
    ) -> Option<(Vec<(MetaId, Option<MetaId>)>, &'t [Token])> {
        let mut exists = Vec::new();
        while after.first().is_some_and(|t| t.is("exists") || t.is("∃")) {
            let dot = after.iter().position(|t| t.is(".")).unwrap_or(after.len());
            let mut meta = |t: &Token| Some(scope.meta(&t.text, self.grammar.sort_of(&t.text)?, t.span));
            let mut one = |tokens: &[Token]| match tokens {
                [a] => Some((meta(a)?, None)),
                [a, sup, b] if sup.is("⊇") => Some((meta(a)?, Some(meta(b)?))),
                _ => None,
            };
            let read: Option<Vec<_>> = after[1..dot].split(|t| t.is(",")).map(&mut one).collect();
            let (Some(read), true) = (read, dot < after.len()) else {
                let end = if dot < after.len() { dot } else { 1 };
                let span = tokens_span(&after[..end], otherwise);
                self.diagnostics.push(
                    Diagnostic::error("L1", span, "this quantifier cannot be read")
                        .help("for instance: exists Σ' ⊇ Σ.  or: exists T1, T2."),
                );
                return None;
            };
            exists.extend(read);
            after = &after[dot + 1..];
        }
        Some((exists, after))
    }

    /// The alternatives of a check's conclusion, between `or`.
    fn conclusions(&mut self, tokens: &[Token], text: &CheckText, scope: &mut Lowering) -> Option<Vec<Vec<Located>>> {
        let is_or = |t: &Token| t.is("or") || t.is("∨");
        // Where `or` is object syntax as well, it separates only what can be read apart.
        let is_object = tokens.iter().any(|t| is_or(t) && self.grammar.is_terminal(t));
        if is_object && let Some(list) = self.attempt(scope, |rules, scope| rules.conclusions_apart(tokens, scope)) {
            return Some(list);
        }
        let mut conclusions = Vec::new();
        let mut good = true;
        for part in tokens.split(is_or) {
            match self.premises(part, scope, true) {
                Some(list) if !list.is_empty() => conclusions.push(list),
                Some(_) => {
                    let message = format!("a conclusion of {} is empty", text.name);
                    let help = "a check says: premises => conclusion or conclusion";
                    self.diagnostics.push(Diagnostic::error("L1", text.span, message).help(help));
                    good = false;
                }
                None => good = false,
            }
        }
        good.then_some(conclusions)
    }

    fn conclusions_apart(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Vec<Vec<Located>>> {
        let ors = (1..tokens.len()).filter(|&k| tokens[k].is("or") || tokens[k].is("∨"));
        for at in std::iter::once(tokens.len()).chain(ors) {
            let list = self.attempt(scope, |rules, scope| {
                let first = rules.premises(&tokens[..at], scope, false).filter(|list| !list.is_empty())?;
                let rest = match tokens.get(at + 1..) {
                    Some(rest) => rules.conclusions_apart(rest, scope)?,
                    None => Vec::new(),
                };
                Some(std::iter::once(first).chain(rest).collect())
            });
            if list.is_some() {
                return list;
            }
        }
        None
    }

    /// `total Γ`: a metavariable of an environment or a store.
    fn total(&mut self, token: &Token, scope: &mut Lowering) -> Option<MetaId> {
        let Some(sort) = self.grammar.sort_of(&token.text) else {
            self.diagnostics.push(self.grammar.no_sort(token));
            return None;
        };
        if !self.maps().contains(&sort) {
            self.diagnostics.push(
                Diagnostic::error("S1", token.span, format!("'{}' is not an environment or store", token.text))
                    .help("total Γ: every name has an entry in Γ"),
            );
            return None;
        }
        Some(scope.meta(&token.text, sort, token.span))
    }

    /// `total Γ` anywhere among the premises: the premises without it, and what is total.
    fn without_total(&self, tokens: &[Token]) -> (Vec<Token>, Vec<Token>) {
        let (mut rest, mut totals): (Vec<Token>, Vec<Token>) = (Vec::new(), Vec::new());
        let mut i = 0;
        while i < tokens.len() {
            let starts = i == 0 || tokens[i - 1].is(",");
            if starts && tokens[i].is("total") && tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Name) {
                totals.push(tokens[i + 1].clone());
                i += 2;
                if tokens.get(i).is_some_and(|t| t.is(",")) {
                    i += 1;
                } else if rest.last().is_some_and(|t| t.is(",")) {
                    rest.pop();
                }
                continue;
            }
            rest.push(tokens[i].clone());
            i += 1;
        }
        (rest, totals)
    }

    // ---- what is wrong ----

    /// N1, with what may have been meant.
    fn unknown(&self, token: &Token) -> Diagnostic {
        let what =
            if token.kind == Kind::Symbol { "symbol of this language" } else { "terminal, sort or metavariable" };
        let diagnostic = Diagnostic::error("N1", token.span, format!("'{}' is not a {what}", token.text));
        let words = self.grammar.words();
        match source::nearest(&token.text, words.iter().copied()).filter(|_| token.kind != Kind::Symbol) {
            Some(near) => {
                let diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
                match self.grammar.place_of(near) {
                    Some(span) => diagnostic.related(span, format!("'{near}' is introduced here")),
                    None => diagnostic,
                }
            }
            None if token.kind == Kind::Symbol => {
                diagnostic.help("symbols are those of the grammar and of the judgments")
            }
            None => diagnostic.help("declare it: var, atom, loc and int name sorts; syntax gives terminals"),
        }
    }

    fn is_known(&self, token: &Token) -> bool {
        let lang = self.lang();
        if self.grammar.is_terminal(token) {
            return true;
        }
        match token.kind {
            Kind::Name => {
                self.grammar.sort_of(&token.text).is_some()
                    || lang.funs.iter().any(|f| f.name == token.text)
                    || WORDS.contains(&token.text.as_str())
                    || token.is("·")
            }
            Kind::Number => lang.sorts.iter().any(|s| s.kind == SortKind::Int),
            Kind::Symbol => PUNCTUATION.contains(&token.norm()),
            Kind::Quoted => true,
        }
    }

    /// Says why these tokens cannot be read: unknown names first, brackets, then sorts that do not fit, then the shape as a whole.
    fn unreadable(&mut self, tokens: &[Token], span: Span, wanted: Wanted) {
        let lang = self.lang();
        if self.grammar.fuel.get() == 0 {
            self.diagnostics.push(too_long(span));
            return;
        }
        let unknown: Vec<Diagnostic> = tokens.iter().filter(|t| !self.is_known(t)).map(|t| self.unknown(t)).collect();
        if !unknown.is_empty() {
            self.diagnostics.extend(unknown);
            return;
        }
        let found = self.unbalanced(tokens).or_else(|| self.no_subset(tokens)).or_else(|| self.misfit(tokens, &wanted));
        if let Some(diagnostic) = found {
            self.diagnostics.push(diagnostic);
            return;
        }
        let text = text_of(tokens);
        let place = &self.place;
        let (message, help) = match wanted {
            Wanted::Judgment(home) => {
                let shapes: Vec<&str> = match home.and_then(|h| lang.judgments.get(h)) {
                    Some(judgment) => vec![judgment.text.as_str()],
                    None => lang.judgments.iter().map(|j| j.text.as_str()).collect(),
                };
                let shapes =
                    if shapes.is_empty() { "a judgment: there is none".to_string() } else { shapes.join(" or ") };
                (
                    format!("{place}: '{text}' cannot be read as {shapes}"),
                    "check the spelling, the parentheses and the order of its parts",
                )
            }
            Wanted::Premise => (
                format!("{place}: '{text}' is not a premise"),
                "a premise is a judgment, x:T ∈ Γ, x ∈ dom Γ, A = B, A ≠ B, t is v, fresh l, where …, forall …; separate premises by three spaces",
            ),
            Wanted::Equation(name) => (
                format!("'{text}' is not an equation of {name}"),
                "an equation is f(patterns) = form, perhaps with 'if n < m' after it",
            ),
        };
        self.diagnostics.push(Diagnostic::error("S1", span, message).help(help));
    }

    /// A bracket without its twin, unless it is object syntax.
    fn unbalanced(&self, tokens: &[Token]) -> Option<Diagnostic> {
        for (left, right) in [("(", ")"), ("[", "]")] {
            let mut open: Vec<&Token> = Vec::new();
            let tell = |token: &Token, what: &str| {
                Diagnostic::error("S1", token.span, format!("{}: this bracket is not {what}", self.place))
                    .help(format!("every '{left}' needs a '{right}'"))
            };
            for token in tokens.iter().filter(|t| t.kind == Kind::Symbol && !self.grammar.is_terminal(t)) {
                if token.text == left {
                    open.push(token);
                } else if token.text == right && open.pop().is_none() {
                    return Some(tell(token, "opened"));
                }
            }
            if let Some(token) = open.first() {
                return Some(tell(token, "closed"));
            }
        }
        None
    }

    /// G3: `t is v` where v is nearly a subset.
    fn no_subset(&self, tokens: &[Token]) -> Option<Diagnostic> {
        let at = tokens.iter().rposition(|t| t.is("is"))?;
        let name = tokens[at + 1..].iter().find(|t| !t.is("not"))?;
        let sort = self.grammar.sort_of(&name.text)?;
        let (_, base, alt, text) = self.grammar.nearly.iter().find(|(s, ..)| *s == sort)?;
        Some(self.nearly_a(sort, *base, *alt, text, name.span))
    }

    /// G3: the alternative because of which a sort is no subset of another.
    fn nearly_a(&self, sort: SortId, base: SortId, alt: Span, text: &str, used: Span) -> Diagnostic {
        let lang = self.lang();
        let (name, base_name) = (&lang.sort(sort).name, &lang.sort(base).name);
        let message =
            format!("{name} is used where {base_name} is expected, but the alternative '{text}' is not a {base_name}");
        Diagnostic { message, ..self.grammar.not_a(base, alt, text) }
            .related(used, format!("used as a {base_name} here"))
    }

    /// S1 or G3: the form reads if a metavariable may stand anywhere; then the one that does not fit is to blame.
    fn misfit(&self, tokens: &[Token], wanted: &Wanted) -> Option<Diagnostic> {
        let lang = self.lang();
        if tokens.len() > 60 {
            return None;
        }
        let home = if let Wanted::Judgment(Some(home)) = wanted { Some(*home) } else { None };
        let mut reader = Reader::new(self.grammar, tokens, Mode::Relaxed);
        let judgments: Vec<&Judgment> = match home.and_then(|h| lang.judgments.get(h)) {
            Some(judgment) => vec![judgment],
            None => lang.judgments.iter().collect(),
        };
        let mut best: Vec<(SortId, SortId, Span)> = Vec::new();
        for judgment in judgments {
            for args in reader.pieces(&judgment.pieces, &judgment.args, 0, tokens.len()) {
                let mut misfits = Vec::new();
                args.iter().for_each(|a| self.misfits(a, &mut misfits));
                if !misfits.is_empty() && (best.is_empty() || misfits.len() < best.len()) {
                    best = misfits;
                }
            }
        }
        let (own, expected, span) = *best.first()?;
        let token = tokens.iter().find(|t| t.span == span)?;
        if let Some((_, base, alt, text)) =
            self.grammar.nearly.iter().find(|(s, b, ..)| *s == own && *b == lang.base(expected))
        {
            return Some(self.nearly_a(own, *base, *alt, text, span));
        }
        let (own, expected) = (lang.sort(own), lang.sort(expected));
        let message =
            format!("{}: '{}' is a {}, a {} is expected here", self.place, token.text, own.name, expected.name);
        let help = format!("metavariables of {} are named {}", expected.name, expected.aliases.join(", "));
        Some(Diagnostic::error("S1", span, message).help(help))
    }

    fn misfits(&self, ast: &Ast, out: &mut Vec<(SortId, SortId, Span)>) {
        match ast {
            Ast::Meta { sort, expected, span, .. } if !self.grammar.fits(*sort, *expected, false) => {
                out.push((*sort, *expected, *span));
            }
            Ast::Node(_, args) | Ast::Call(_, args) => args.iter().for_each(|a| self.misfits(a, out)),
            Ast::Paren(inner) => self.misfits(inner, out),
            Ast::Subst { body, pairs } => {
                self.misfits(body, out);
                pairs.iter().for_each(|(a, b)| {
                    self.misfits(a, out);
                    self.misfits(b, out);
                });
            }
            Ast::Lookup { store, key } => {
                self.misfits(store, out);
                self.misfits(key, out);
            }
            Ast::Update { store, key, value } => [store, key, value].iter().for_each(|a| self.misfits(a, out)),
            _ => {}
        }
    }
}

/// What was expected where nothing could be read.
enum Wanted {
    Judgment(Option<usize>),
    Premise,
    Equation(String),
}

/// Every node of a form, by address.
fn parts_of(ast: &Rc<Ast>, out: &mut FxHashSet<*const Ast>) {
    out.insert(Rc::as_ptr(ast));
    match &**ast {
        Ast::Node(_, args) | Ast::Call(_, args) => args.iter().for_each(|a| parts_of(a, out)),
        Ast::Paren(inner) => parts_of(inner, out),
        _ => {}
    }
}

fn too_long(span: Span) -> Diagnostic {
    Diagnostic::error("L1", span, "this form is too long to be read, or can be read in too many ways")
        .help("write parentheses, or split it into premises")
}
