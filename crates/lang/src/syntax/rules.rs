//! Rules, functions and checks of a sketch, read with its grammar.

use super::forms::{Ast, MOST_TOKENS, Mode, Reader};
use super::grammar::{Grammar, text_of};
use super::items::nearest;
use super::layout::tokens_span;
use super::lexer::{Kind, Token};
use super::lower::Lowering;
use super::sketch::*;
use crate::definition::*;
use source::{Diagnostic, Span};
use std::rc::Rc;

/// Words of premises, which are no names.
const WORDS: &[&str] =
    &["where", "forall", "fresh", "is", "not", "dom", "steps", "error", "exists", "or", "if", "in", "total"];

pub struct Rules<'g> {
    grammar: &'g Grammar,
    diagnostics: Vec<Diagnostic>,
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
pub fn read(grammar: &Grammar, sketch: &Sketch, diagnostics: &mut Vec<Diagnostic>) -> Parts {
    let mut rules = Rules { grammar, diagnostics: Vec::new() };
    let mut parts = Parts::default();
    for text in &sketch.rules {
        parts.rules.extend(rules.rule(text));
    }
    for fun in &grammar.lang.funs {
        let text = sketch.funs.iter().find(|f| f.name.text == fun.name);
        let equations =
            text.map_or(Vec::new(), |t| t.equations.iter().filter_map(|e| rules.equation(fun, e)).collect());
        if equations.is_empty() {
            let message = format!("the function {} has no equation", fun.name);
            rules.diagnostics.push(Diagnostic::error("L1", fun.span, message));
        }
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
                Some(sort) => bounds.push((sort, text.bound)),
                None => {
                    let diagnostic = self.unknown(&text.sort);
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        bounds
    }

    fn rule(&mut self, text: &RuleText) -> Option<Rule> {
        let mut scope = Lowering::default();
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
            match self.premise_list(chunk, &mut scope) {
                Some(list) => premises.extend(list),
                None => good = false,
            }
        }
        let (name, span, unused_ok) = (text.name.clone(), text.span, text.unused_ok);
        good.then_some(Rule {
            name,
            span,
            judgment,
            metas: scope.metas,
            premises,
            conclusion,
            conclusion_span,
            unused_ok,
        })
    }

    fn split(&mut self, tokens: &[Token]) -> Option<Vec<Token>> {
        let tokens = self.grammar.split(tokens);
        if tokens.len() > MOST_TOKENS {
            let span = tokens_span(&tokens, tokens[0].span);
            self.diagnostics
                .push(Diagnostic::error("L1", span, "this form is too long to be read").help("split it into premises"));
            return None;
        }
        Some(tokens)
    }

    /// The one reading, or the first of several with G1.
    fn settle(&mut self, readings: Vec<Vec<Rc<Ast>>>, tokens: &[Token]) -> Option<Vec<Rc<Ast>>> {
        if readings.len() > 1 {
            let span = tokens_span(tokens, tokens[0].span);
            let shown: Vec<String> = readings.iter().take(2).map(|r| self.show_different(&readings, r)).collect();
            self.diagnostics.push(
                Diagnostic::error(
                    "G1",
                    span,
                    format!("two readings of '{}': {} and {}", text_of(tokens), shown[0], shown[1]),
                )
                .help("write parentheses, or add {left} or {right} to the alternative"),
            );
        }
        readings.into_iter().next()
    }

    /// The part of a reading in which it differs from the others.
    fn show_different(&self, all: &[Vec<Rc<Ast>>], one: &[Rc<Ast>]) -> String {
        let differs = (0..one.len()).find(|&k| all.iter().any(|r| r[k] != one[k])).unwrap_or(0);
        self.grammar.show(&one[differs])
    }

    /// A judgment or step; the one it stands under is tried first.
    fn judgment_form(&mut self, tokens: &[Token], home: Option<usize>) -> Option<(JudgId, Vec<Rc<Ast>>)> {
        let lang = self.lang();
        let mut reader = Reader::new(self.grammar, tokens, Mode::Rule);
        let order = home.into_iter().chain((0..lang.judgments.len()).filter(|k| Some(*k) != home));
        for k in order {
            let judgment = lang.judgments.get(k)?;
            let readings = reader.pieces(&judgment.pieces, &judgment.args, 0, tokens.len());
            if !readings.is_empty() {
                let dropped = std::mem::take(&mut reader.dropped);
                let asts = self.settle(readings, tokens)?;
                self.order_matters(&dropped, &asts, tokens);
                return Some((JudgId(k as u32), asts));
            }
        }
        None
    }

    /// G4: another reading was dropped only because of the order of alternatives.
    fn order_matters(&mut self, dropped: &[(Rc<Ast>, usize, usize)], taken: &[Rc<Ast>], tokens: &[Token]) {
        for (ast, i, j) in dropped {
            let Some(instead) = taken.iter().find_map(|t| self.reading_over(t, ast)) else { continue };
            let span = tokens_span(&tokens[*i..*j], tokens[*i].span);
            let text = text_of(&tokens[*i..*j]);
            let (read, other) = (self.grammar.show(&instead), self.grammar.show(ast));
            let warning = Diagnostic::warning("G4", span, format!("'{text}' is read as {read}, not as {other}"))
                .help("alternatives listed earlier bind tighter; write parentheses to say which is meant");
            if !self.diagnostics.contains(&warning) {
                self.diagnostics.push(warning);
            }
            return;
        }
    }

    /// The part of `taken` that has the same leaves as `other`.
    fn reading_over(&self, taken: &Rc<Ast>, other: &Rc<Ast>) -> Option<Rc<Ast>> {
        let leaves = |a: &Ast| {
            let mut out = Vec::new();
            leaves_of(a, &mut out);
            out
        };
        let wanted = leaves(other);
        let mut stack = vec![taken.clone()];
        while let Some(ast) = stack.pop() {
            if leaves(&ast) == wanted && matches!(*ast, Ast::Node(..)) {
                return Some(ast);
            }
            match &*ast {
                Ast::Node(_, args) | Ast::Call(_, args) => stack.extend(args.iter().cloned()),
                Ast::Paren(inner) => stack.push(inner.clone()),
                _ => {}
            }
        }
        None
    }

    /// One or more premises between commas or semicolons, split where both sides can be read.
    fn premise_list(&mut self, tokens: &[Token], scope: &mut Lowering) -> Option<Vec<Located>> {
        let tokens = self.split(tokens)?;
        self.premises(&tokens, scope, true)
    }

    fn premises(&mut self, tokens: &[Token], scope: &mut Lowering, complain: bool) -> Option<Vec<Located>> {
        let Some(first) = tokens.first() else { return Some(Vec::new()) };
        let whole = tokens_span(tokens, first.span);
        if let Some(premise) = self.premise(tokens, scope) {
            return Some(vec![Located { premise, span: whole }]);
        }
        let is_split = |t: &Token| t.kind == Kind::Symbol && matches!(t.text.as_str(), "," | ";");
        for at in (1..tokens.len()).filter(|&k| is_split(&tokens[k])) {
            let before = self.diagnostics.len();
            if let Some(premise) = self.premise(&tokens[..at], scope)
                && let Some(rest) = self.premises(&tokens[at + 1..], scope, false)
            {
                let span = tokens_span(&tokens[..at], first.span);
                return Some(std::iter::once(Located { premise, span }).chain(rest).collect());
            }
            self.diagnostics.truncate(before);
        }
        if complain {
            self.unreadable(tokens, whole, Wanted::Premise);
        }
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
        self.domains(tokens, scope)
            .or_else(|| self.entry(tokens, scope))
            .or_else(|| self.is_or_steps(tokens, scope))
            .or_else(|| self.equality(tokens, scope))
            .or_else(|| {
                let inner = tokens.strip_prefix(std::slice::from_ref(first))?;
                if first.text == "not" && !inner.is_empty() {
                    Some(Premise::Not(Box::new(self.premise(inner, scope)?)))
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
                return Some((sort, self.settle(readings, tokens)?.remove(0)));
            }
        }
        None
    }

    fn maps(&self) -> Vec<SortId> {
        let is_map = |s: &SortId| matches!(self.lang().sort(*s).kind, SortKind::Env { .. } | SortKind::Store { .. });
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
            if let Some(body) = self.premise(&tokens[dot + 1..], scope) {
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
        let span = tokens_span(&tokens, fun.span);
        let mut scope = Lowering::default();
        for at in (3..tokens.len()).filter(|&k| tokens[k].is("=")) {
            let mut reader = Reader::new(self.grammar, &tokens, Mode::Rule);
            let Some(left) = reader.sort(fun.result, 0, at).first().cloned() else { continue };
            let Ast::Call(_, args) = &*left else { continue };
            let ends =
                std::iter::once(tokens.len()).chain((at + 2..tokens.len()).rev().filter(|&k| tokens[k].is("if")));
            for end in ends {
                let mut reader = Reader::new(self.grammar, &tokens, Mode::Rule);
                let Some(right) = reader.sort(fun.result, at + 1, end).first().cloned() else {
                    continue;
                };
                let left: Vec<Form> = args.iter().map(|a| scope.form(a)).collect();
                let right = scope.form(&right);
                let mut conditions = Vec::new();
                if end < tokens.len() {
                    let condition = &tokens[end + 1..];
                    let premise =
                        self.comparison(condition, &mut scope).or_else(|| self.premise(condition, &mut scope));
                    let Some(premise) = premise else {
                        self.unreadable(condition, tokens_span(condition, span), Wanted::Premise);
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

    fn check(&mut self, text: &CheckText) -> Option<Check> {
        let tokens = self.split(&text.tokens)?;
        let Some(arrow) = tokens.iter().position(|t| t.is("⇒")) else {
            self.diagnostics.push(
                Diagnostic::error("L1", text.span, format!("the check {} has no '=>'", text.name))
                    .help("a check says: premises => conclusion"),
            );
            return None;
        };
        let mut scope = Lowering::default();
        let mut total = Vec::new();
        let mut before = Vec::new();
        for part in self.without_total(&tokens[..arrow]) {
            match part {
                Ok(token) => {
                    if let Some(sort) = self.grammar.sort_of(&token.text) {
                        total.push(scope.meta(&token.text, sort, token.span));
                    }
                }
                Err(rest) => before = rest,
            }
        }
        let premises = self.premises(&before, &mut scope, true);
        let mut after = &tokens[arrow + 1..];
        let mut exists = Vec::new();
        while after.first().is_some_and(|t| t.is("exists") || t.is("∃")) {
            let Some(dot) = after.iter().position(|t| t.is(".")) else { break };
            let mut names = after[1..dot].split(|t| t.is(","));
            let one = |tokens: &[Token], scope: &mut Lowering| -> Option<(MetaId, Option<MetaId>)> {
                let meta = |rules: &Rules, t: &Token, scope: &mut Lowering| {
                    Some(scope.meta(&t.text, rules.grammar.sort_of(&t.text)?, t.span))
                };
                match tokens {
                    [a] => Some((meta(self, a, scope)?, None)),
                    [a, sup, b] if sup.is("⊇") => Some((meta(self, a, scope)?, Some(meta(self, b, scope)?))),
                    _ => None,
                }
            };
            let read: Option<Vec<_>> = names.by_ref().map(|n| one(n, &mut scope)).collect();
            let Some(read) = read else {
                let span = tokens_span(&after[..dot], text.span);
                self.diagnostics.push(
                    Diagnostic::error("L1", span, "this quantifier cannot be read")
                        .help("for instance: exists Σ' ⊇ Σ.  or: exists T'."),
                );
                return None;
            };
            exists.extend(read);
            after = &after[dot + 1..];
        }
        let mut conclusions = Vec::new();
        let mut good = true;
        for part in after.split(|t| t.is("or") || t.is("∨")) {
            match self.premises(part, &mut scope, true) {
                Some(list) if !list.is_empty() => conclusions.push(list),
                Some(_) => {
                    self.diagnostics.push(Diagnostic::error(
                        "L1",
                        text.span,
                        format!("a conclusion of {} is empty", text.name),
                    ));
                    good = false;
                }
                None => good = false,
            }
        }
        let bounds = self.bounds(&text.bounds);
        let (name, span, premises) = (text.name.clone(), text.span, premises?);
        good.then_some(Check { name, span, metas: scope.metas, premises, exists, conclusions, bounds, total })
    }

    /// `total Γ` anywhere among the premises, and the premises without it.
    fn without_total(&self, tokens: &[Token]) -> Vec<Result<Token, Vec<Token>>> {
        let mut out = Vec::new();
        let mut rest = Vec::new();
        let mut i = 0;
        while i < tokens.len() {
            if tokens[i].is("total") && tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Name) {
                out.push(Ok(tokens[i + 1].clone()));
                i += 2;
                if tokens.get(i).is_some_and(|t| t.is(",")) {
                    i += 1;
                } else if rest.last().is_some_and(|t: &Token| t.is(",")) {
                    rest.pop();
                }
                continue;
            }
            rest.push(tokens[i].clone());
            i += 1;
        }
        out.push(Err(rest));
        out
    }

    // ---- what is wrong ----

    /// N1, with what may have been meant.
    fn unknown(&self, token: &Token) -> Diagnostic {
        let words = self.grammar.words();
        let diagnostic =
            Diagnostic::error("N1", token.span, format!("'{}' is no terminal, sort or metavariable", token.text));
        match nearest(&token.text, &words) {
            Some(near) => diagnostic.help(format!("did you mean '{near}'?")),
            None => diagnostic.help("declare it: var, atom, loc and int name sorts; syntax gives terminals"),
        }
    }

    /// Says why these tokens cannot be read: unknown names first, then sorts that do not fit, then the shape as a whole.
    fn unreadable(&mut self, tokens: &[Token], span: Span, wanted: Wanted) {
        let lang = self.lang();
        let is_known = |t: &Token| match t.kind {
            Kind::Name => {
                self.grammar.is_terminal(t)
                    || self.grammar.sort_of(&t.text).is_some()
                    || lang.funs.iter().any(|f| f.name == t.text)
                    || WORDS.contains(&t.text.as_str())
            }
            Kind::Number => self.grammar.is_terminal(t) || lang.sorts.iter().any(|s| s.kind == SortKind::Int),
            _ => true,
        };
        let unknown: Vec<&Token> = tokens.iter().filter(|t| !is_known(t)).collect();
        if !unknown.is_empty() {
            let found: Vec<Diagnostic> = unknown.into_iter().map(|t| self.unknown(t)).collect();
            self.diagnostics.extend(found);
            return;
        }
        if let Some(diagnostic) = self.misfit(tokens, &wanted) {
            self.diagnostics.push(diagnostic);
            return;
        }
        let text = text_of(tokens);
        let (message, help) = match wanted {
            Wanted::Judgment(home) => {
                let shapes: Vec<&str> = match home.and_then(|h| lang.judgments.get(h)) {
                    Some(judgment) => vec![judgment.text.as_str()],
                    None => lang.judgments.iter().map(|j| j.text.as_str()).collect(),
                };
                (
                    format!("'{text}' cannot be read as {}", shapes.join(" or ")),
                    "check the spelling, the parentheses and the order of its parts",
                )
            }
            Wanted::Premise => (
                format!("'{text}' is no premise"),
                "a premise is a judgment, x:T ∈ Γ, x ∈ dom Γ, A = B, A ≠ B, t is v, fresh l, where …, forall …; separate premises by three spaces",
            ),
            Wanted::Equation(name) => (
                format!("'{text}' is no equation of {name}"),
                "an equation is f(patterns) = form, perhaps with 'if n < m' behind it",
            ),
        };
        self.diagnostics.push(Diagnostic::error("S1", span, message).help(help));
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
        let mut best: Option<Vec<(&str, SortId, SortId, Span)>> = None;
        for judgment in judgments {
            for args in reader.pieces(&judgment.pieces, &judgment.args, 0, tokens.len()) {
                let mut misfits = Vec::new();
                args.iter().for_each(|a| self.misfits(a, &mut misfits));
                if !misfits.is_empty() && best.as_ref().is_none_or(|b| misfits.len() < b.len()) {
                    let owned = misfits.iter().map(|(_, own, expected, span)| (*own, *expected, *span));
                    best = Some(owned.map(|(o, e, s)| ("", o, e, s)).collect());
                }
            }
        }
        let (_, own, expected, span) = *best?.first()?;
        let token = tokens.iter().find(|t| t.span == span)?;
        if let Some((_, base, alt, text)) =
            self.grammar.nearly.iter().find(|(s, b, ..)| *s == own && *b == lang.base(expected))
        {
            let name = (&lang.sort(own).name, &lang.sort(*base).name);
            return Some(
                Diagnostic {
                    message: format!(
                        "{} is used where {} is expected, but the alternative '{text}' is not a {}",
                        name.0, name.1, name.1
                    ),
                    ..self.grammar.not_a(*base, *alt, text)
                }
                .related(span, format!("used as a {} here", name.1)),
            );
        }
        Some(
            Diagnostic::error(
                "S1",
                span,
                format!(
                    "'{}' is a {}, a {} is expected here",
                    token.text,
                    lang.sort(own).name,
                    lang.sort(expected).name
                ),
            )
            .help(format!(
                "metavariables of {} are named {}",
                lang.sort(expected).name,
                lang.sort(expected).aliases.join(", ")
            )),
        )
    }

    fn misfits<'a>(&self, ast: &'a Ast, out: &mut Vec<(&'a str, SortId, SortId, Span)>) {
        match ast {
            Ast::Meta { name, sort, expected, span } => {
                if !self.grammar.fits(*sort, *expected, false) {
                    out.push((name, *sort, *expected, *span));
                }
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

fn leaves_of(ast: &Ast, out: &mut Vec<Span>) {
    match ast {
        Ast::Meta { span, .. } => out.push(*span),
        Ast::Node(_, args) | Ast::Call(_, args) => args.iter().for_each(|a| leaves_of(a, out)),
        Ast::Paren(inner) => leaves_of(inner, out),
        _ => {}
    }
}
