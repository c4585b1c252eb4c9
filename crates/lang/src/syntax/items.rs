//! A file's lines to sketches of its languages: finds headers and items, reads their frames, leaves forms as tokens.

use super::layout::{self, name_at, tokens_span};
use super::lexer::{Kind, Line, Token, stem};
use super::sketch::*;
use crate::definition::{Bound, Expect, Expected};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Severity, Span};
use work::Stop;

const KEYWORDS: &[&str] = &[
    "var",
    "atom",
    "loc",
    "int",
    "syntax",
    "env",
    "store",
    "judgment",
    "reduction",
    "fun",
    "bounds",
    "check",
    "replace",
    "add",
    "remove",
    "expect",
];

/// One item: its keyword, and what follows, line by line.
struct Item {
    keyword: Token,
    lines: Vec<Line>,
}

impl Item {
    fn tokens(&self) -> Vec<Token> {
        self.lines.iter().flat_map(|l| l.tokens.iter().cloned()).collect()
    }

    fn span(&self) -> Span {
        self.keyword.span
    }
}

/// The languages of a file, each flat: what it extends is already part of it.
pub fn sketches(lines: &[Line], stop: &Stop, diagnostics: &mut Vec<Diagnostic>) -> Vec<Sketch> {
    let mut sketches: Vec<Sketch> = Vec::new();
    let is_header = |line: &Line| line.first_is("language") && line.indent() == 0;
    let first = lines.iter().position(is_header);
    let before = &lines[..first.unwrap_or(lines.len())];
    if let Some(line) = before.iter().find(|l| !l.tokens.is_empty()) {
        diagnostics.push(
            Diagnostic::error("L1", tokens_span(&line.tokens, line.span), "a definition begins with 'language NAME'")
                .help("for instance: language arith"),
        );
    }
    let Some(first) = first else {
        if before.iter().all(|l| l.tokens.is_empty()) {
            let span = lines.first().map(|l| l.span);
            diagnostics.push(
                Diagnostic::error("L1", span, "there is no language in this file").help("begin with 'language NAME'"),
            );
        }
        return sketches;
    };
    let mut start = first;
    while start < lines.len() && !stop.is_due() {
        let end = (start + 1..lines.len()).find(|&k| is_header(&lines[k])).unwrap_or(lines.len());
        let before = diagnostics.len();
        if let Some(mut sketch) = language(&lines[start], &lines[start + 1..end], &sketches, diagnostics) {
            sketch.is_broken |= diagnostics[before..].iter().any(|d| d.severity == Severity::Error);
            sketches.push(sketch);
        }
        start = end;
    }
    sketches
}

fn language(header: &Line, body: &[Line], known: &[Sketch], diagnostics: &mut Vec<Diagnostic>) -> Option<Sketch> {
    let tokens = &header.tokens;
    let Some((name, span, mut at)) = name_at(tokens, 1) else {
        diagnostics
            .push(Diagnostic::error("L1", header.span, "this language has no name").help("write 'language NAME'"));
        return None;
    };
    if let Some(other) = known.iter().find(|s| s.name == name) {
        diagnostics.push(
            Diagnostic::error("R1", span, format!("there are two languages named {name}"))
                .related(other.span, "the first one")
                .help("give one of them another name"),
        );
    }
    let mut sketch = Sketch::default();
    let word = |at: usize, text: &str| tokens.get(at).is_some_and(|t| t.text == text);
    if word(at, "extends") {
        let Some((base, base_span, next)) = name_at(tokens, at + 1) else {
            diagnostics.push(
                Diagnostic::error("L1", tokens[at].span, "'extends' needs the name of a language")
                    .help("for instance: language stlc-1 extends stlc"),
            );
            return None;
        };
        at = next;
        let Some(index) = known.iter().position(|s| s.name == base) else {
            let names: Vec<&str> = known.iter().map(|s| s.name.as_str()).collect();
            let mut diagnostic = Diagnostic::error("N1", base_span, format!("there is no language {base} above"));
            diagnostic = diagnostic.help(match source::nearest(&base, names.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => "a language extends one that is defined before it, in the same file".to_string(),
            });
            diagnostics.push(diagnostic);
            return None;
        };
        sketch = known[index].clone();
        sketch.extends = Some(index);
        sketch.expects.clear();
        sketch.assumes_base = false;
        if word(at, "assuming") {
            let assumed = name_at(tokens, at + 1);
            match assumed {
                Some((a, _, next)) if a == base && word(next, "sound") => {
                    sketch.assumes_base = true;
                    at = next + 1;
                }
                _ => {
                    diagnostics.push(
                        Diagnostic::error(
                            "L1",
                            tokens[at].span,
                            "what may be assumed is that the extended language is sound",
                        )
                        .help(format!("write 'assuming {base} sound'")),
                    );
                    at = tokens.len();
                }
            }
        }
    }
    sketch.name = name;
    sketch.span = span;
    let extends = sketch.extends.is_some();
    let mut lines = Vec::new();
    if at < tokens.len() {
        lines.push(Line { tokens: tokens[at..].to_vec(), span: header.span });
    }
    let on_header = lines.len();
    lines.extend(body.iter().cloned());
    for item in items(&lines, on_header, extends, diagnostics) {
        read(&mut sketch, &item, extends, diagnostics);
    }
    Some(sketch)
}

fn items(lines: &[Line], on_header: usize, extends: bool, diagnostics: &mut Vec<Diagnostic>) -> Vec<Item> {
    let starts_item = |line: &Line| {
        line.tokens.first().is_some_and(|t| t.kind == Kind::Name && KEYWORDS.contains(&t.text.as_str()))
            && !layout::is_rule_line(line)
    };
    let indent =
        if extends { lines.iter().skip(on_header).find(|l| starts_item(l)).map_or(0, Line::indent) } else { 0 };
    let mut items: Vec<Item> = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        if starts_item(line) && (k < on_header || line.indent() == indent || line.indent() == 0) {
            let rest = Line { tokens: line.tokens[1..].to_vec(), span: line.span };
            items.push(Item { keyword: line.tokens[0].clone(), lines: vec![rest] });
        } else if let Some(item) = items.last_mut() {
            item.lines.push(line.clone());
        } else if !line.tokens.is_empty() {
            diagnostics.push(
                Diagnostic::error("L1", tokens_span(&line.tokens, line.span), "this is not an item of a language")
                    .help(format!("items begin with one of: {}", KEYWORDS.join(", "))),
            );
        }
    }
    items
}

fn read(sketch: &mut Sketch, item: &Item, extends: bool, diagnostics: &mut Vec<Diagnostic>) {
    let tokens = item.tokens();
    if !extends && matches!(item.keyword.text.as_str(), "replace" | "add" | "remove") {
        let message = format!("'{}' only makes sense in a language that extends another", item.keyword.text);
        diagnostics.push(Diagnostic::error("L1", item.span(), message).help("write 'language NAME extends OTHER'"));
        return;
    }
    match item.keyword.text.as_str() {
        "var" => names(sketch, "var", item, diagnostics),
        "atom" => names(sketch, "atom", item, diagnostics),
        "loc" => names(sketch, "loc", item, diagnostics),
        "int" => names(sketch, "int", item, diagnostics),
        "syntax" => productions(sketch, Keyword::Syntax, item, diagnostics),
        "env" => productions(sketch, Keyword::Env, item, diagnostics),
        "store" => productions(sketch, Keyword::Store, item, diagnostics),
        "judgment" => judgment(sketch, item, false, diagnostics),
        "reduction" => judgment(sketch, item, true, diagnostics),
        "fun" => fun(sketch, item, diagnostics),
        "bounds" => {
            let mut at = 0;
            let read = bounds(&tokens, &mut at, diagnostics);
            if let Some(token) = tokens.get(at) {
                diagnostics.push(bad_bound(token));
            }
            sketch.bounds.extend(read);
        }
        "check" => check(sketch, item, &tokens, diagnostics),
        "replace" => change(sketch, item, true, diagnostics),
        "add" if is_production(&tokens) => add_production(sketch, &tokens, item, diagnostics),
        "add" => change(sketch, item, false, diagnostics),
        "remove" => remove(sketch, &tokens, item, diagnostics),
        "expect" => expect(sketch, &tokens, item, diagnostics),
        _ => {}
    }
}

fn names(sketch: &mut Sketch, keyword: &'static str, item: &Item, diagnostics: &mut Vec<Diagnostic>) {
    let tokens = item.tokens();
    if tokens.is_empty() {
        diagnostics.push(
            Diagnostic::error("L1", item.span(), format!("'{keyword}' needs at least one name"))
                .help(format!("for instance: {keyword} x")),
        );
    }
    for token in &tokens {
        if token.kind != Kind::Name || stem(&token.text) != token.text {
            diagnostics.push(
                Diagnostic::error("L1", token.span, format!("'{}' is not the name of a sort", token.text))
                    .help("a name is made of letters; digits and primes make further metavariables of it"),
            );
            continue;
        }
        sketch.names.push(NameText { keyword, token: token.clone() });
    }
}

fn is_definition(token: &Token) -> bool {
    token.kind == Kind::Symbol && token.text == "::="
}

/// Whether these tokens begin with `ID, ID ::=` or `ID ⊆ ID ::=`.
fn is_production(tokens: &[Token]) -> bool {
    let Some(at) = tokens.iter().position(is_definition) else { return false };
    at >= 1 && tokens[..at].iter().all(|t| t.kind == Kind::Name || matches!(t.text.as_str(), "," | "⊆" | "<="))
}

/// `ID (, ID)* ::= alt | alt`, several, each beginning a line.
fn productions(sketch: &mut Sketch, keyword: Keyword, item: &Item, diagnostics: &mut Vec<Diagnostic>) {
    let mut groups: Vec<Vec<Token>> = Vec::new();
    for line in &item.lines {
        if is_production(&line.tokens) {
            groups.push(line.tokens.clone());
        } else if let Some(group) = groups.last_mut() {
            group.extend(line.tokens.iter().cloned());
        } else if !line.tokens.is_empty() {
            diagnostics.push(
                Diagnostic::error("L1", tokens_span(&line.tokens, line.span), "a production is expected here")
                    .help("for instance: t ::= x | t t"),
            );
        }
    }
    if groups.is_empty() {
        diagnostics.push(
            Diagnostic::error("L1", item.span(), format!("'{}' without a production", item.keyword.text))
                .help("for instance: t ::= x | t t"),
        );
    }
    for group in groups {
        let Some(sort) = production(keyword, &group, diagnostics) else { continue };
        if let Some(other) =
            sketch.sorts.iter().flat_map(|s| &s.names).find(|n| sort.names.iter().any(|m| m.text == n.text))
        {
            diagnostics.push(
                Diagnostic::error("R1", sort.names[0].span, format!("the sort {} is already defined", other.text))
                    .related(other.span, "here")
                    .help(format!("in an extension write 'add {} ::= …'", other.text)),
            );
            continue;
        }
        sketch.sorts.push(sort);
    }
}

fn production(keyword: Keyword, tokens: &[Token], diagnostics: &mut Vec<Diagnostic>) -> Option<SortText> {
    let at = tokens.iter().position(is_definition)?;
    let mut names = Vec::new();
    let mut subset_of = None;
    let mut is_subset = false;
    for token in &tokens[..at] {
        match token.text.as_str() {
            "," => {}
            "⊆" | "<=" => is_subset = true,
            _ if is_subset => subset_of = Some(token.clone()),
            _ => names.push(token.clone()),
        }
    }
    if names.is_empty() || (is_subset && subset_of.is_none()) {
        diagnostics.push(
            Diagnostic::error(
                "L1",
                tokens_span(&tokens[..at], tokens[at].span),
                "a production begins with the name of its sort",
            )
            .help("for instance: t ::= x | t t, or: v ⊆ t ::= 0"),
        );
        return None;
    }
    for name in &names {
        if stem(&name.text) != name.text {
            diagnostics.push(
                Diagnostic::error("L1", name.span, format!("'{}' is not the name of a sort", name.text))
                    .help("digits and primes make metavariables of a sort; name the sort without them"),
            );
            return None;
        }
    }
    let alts = alternatives(&tokens[at + 1..], tokens[at].span, diagnostics);
    Some(SortText { keyword, names, subset_of, alts })
}

fn is_alternative_bar(token: &Token) -> bool {
    token.kind == Kind::Symbol && token.text == "|"
}

fn alternatives(tokens: &[Token], definition: Span, diagnostics: &mut Vec<Diagnostic>) -> Vec<AltText> {
    let mut alts = Vec::new();
    let mut bar = definition;
    for tokens in tokens.split_inclusive(is_alternative_bar) {
        let before = bar;
        let tokens = match tokens.split_last() {
            Some((last, rest)) if is_alternative_bar(last) => {
                bar = last.span;
                rest
            }
            _ => tokens,
        };
        let brace = tokens.iter().position(|t| t.kind == Kind::Symbol && t.text == "{");
        let (form, attributes) = match brace {
            Some(at) if tokens[tokens.len() - 1].text == "}" => (&tokens[..at], &tokens[at + 1..tokens.len() - 1]),
            Some(at) => {
                diagnostics.push(
                    Diagnostic::error("L1", tokens[at].span, "this brace is not closed at the end of the alternative")
                        .help("attributes are written {…} after an alternative; quote '{' and '}' if they are object syntax"),
                );
                (&tokens[..at], &[][..])
            }
            None => (tokens, &[][..]),
        };
        if form.is_empty() {
            let span = tokens.first().map_or(before, |t| t.span);
            let (what, help) = match brace {
                Some(_) => {
                    ("an alternative cannot begin with attributes", "quote '{' and '}' if they are object syntax")
                }
                None => ("an alternative is empty", "remove the extra '|'"),
            };
            diagnostics.push(Diagnostic::error("L1", span, what).help(help));
            continue;
        }
        let span = tokens_span(form, definition);
        alts.push(AltText { tokens: form.to_vec(), attributes: attributes.to_vec(), span });
    }
    if tokens.last().is_none_or(is_alternative_bar) {
        diagnostics.push(
            Diagnostic::error("L1", bar, "an alternative is empty").help("write what it is, or remove the extra '|'"),
        );
    }
    alts
}

fn judgment(sketch: &mut Sketch, item: &Item, is_reduction: bool, diagnostics: &mut Vec<Diagnostic>) {
    let mut shape = item.lines[0].tokens.clone();
    let mut contexts = None;
    if is_reduction
        && let [.., keyword, name] = &shape[..]
        && keyword.text == "in"
    {
        contexts = Some(name.clone());
        shape.truncate(shape.len() - 2);
    }
    if shape.is_empty() {
        diagnostics.push(
            Diagnostic::error("L1", item.span(), format!("'{}' needs a shape", item.keyword.text))
                .help("for instance: judgment Γ ⊢ t : T"),
        );
    } else {
        let span = tokens_span(&shape, item.span());
        sketch.judgments.push(JudgmentText { shape, is_reduction, contexts, span });
    }
    let home = sketch.judgments.len().checked_sub(1);
    let rules = layout::rules(&item.lines[1..], home, diagnostics);
    let mut named: FxHashMap<String, Span> = sketch.rules.iter().rev().map(|r| (r.name.clone(), r.span)).collect();
    for rule in rules {
        let first = *named.entry(rule.name.clone()).or_insert(rule.span);
        if first != rule.span {
            diagnostics.push(
                Diagnostic::error("R1", rule.span, format!("there are two rules named {}", rule.name))
                    .related(first, "the first one")
                    .help("give one of them another name: reports and extensions name rules"),
            );
        }
        sketch.rules.push(rule);
    }
}

fn change(sketch: &mut Sketch, item: &Item, replace: bool, diagnostics: &mut Vec<Diagnostic>) {
    let rules = layout::rules(&item.lines, None, diagnostics);
    if rules.is_empty() {
        diagnostics.push(
            Diagnostic::error("L1", item.span(), format!("'{}' without a rule", item.keyword.text))
                .help("rules begin on the next line"),
        );
    }
    for rule in rules {
        let at = sketch.rules.iter().position(|r| r.name == rule.name);
        match (at, replace) {
            (Some(at), true) => sketch.rules[at] = RuleText { home: sketch.rules[at].home, ..rule },
            (None, false) => sketch.rules.push(rule),
            (None, true) => {
                let names: Vec<&str> = sketch.rules.iter().map(|r| r.name.as_str()).collect();
                let mut diagnostic =
                    Diagnostic::error("N1", rule.span, format!("there is no rule {} to replace", rule.name));
                diagnostic = diagnostic.help(match source::nearest(&rule.name, names.iter().copied()) {
                    Some(near) => format!("did you mean {near}? A new rule is given with 'add'"),
                    None => "a new rule is given with 'add'".to_string(),
                });
                diagnostics.push(diagnostic);
            }
            (Some(at), false) => diagnostics.push(
                Diagnostic::error("R1", rule.span, format!("the rule {} already exists", rule.name))
                    .related(sketch.rules[at].span, "here")
                    .help("give it another name, or write 'replace'"),
            ),
        }
    }
}

fn add_production(sketch: &mut Sketch, tokens: &[Token], item: &Item, diagnostics: &mut Vec<Diagnostic>) {
    let Some(added) = production(Keyword::Syntax, tokens, diagnostics) else { return };
    let Some(sort) = added.names.first().and_then(|n| sort_named(sketch, &n.text)) else {
        let span = added.names.first().map_or(item.span(), |n| n.span);
        diagnostics.push(
            Diagnostic::error("N1", span, "there is no such sort to add to").help("a new sort is given with 'syntax'"),
        );
        return;
    };
    sketch.sorts[sort].alts.extend(added.alts);
}

fn sort_named(sketch: &Sketch, name: &str) -> Option<usize> {
    sketch.sorts.iter().position(|s| s.names.iter().any(|n| n.text == name))
}

fn remove(sketch: &mut Sketch, tokens: &[Token], item: &Item, diagnostics: &mut Vec<Diagnostic>) {
    if is_production(tokens) {
        let Some(gone) = production(Keyword::Syntax, tokens, diagnostics) else { return };
        let sort = gone.names.first().and_then(|n| sort_named(sketch, &n.text));
        for alt in &gone.alts {
            let at = sort.and_then(|s| sketch.sorts[s].alts.iter().position(|a| same_alternative(a, alt)));
            match (sort, at) {
                (Some(sort), Some(at)) => {
                    sketch.sorts[sort].alts.remove(at);
                }
                (Some(sort), None) => {
                    let alts = &sketch.sorts[sort].alts;
                    let texts: Vec<String> = alts.iter().map(|a| super::grammar::text_of(&a.tokens)).collect();
                    diagnostics.push(
                        Diagnostic::error("N1", alt.span, "there is no such alternative to remove")
                            .help(format!("the alternatives are: {}", texts.join(" | "))),
                    );
                }
                (None, _) => {
                    let span = gone.names.first().map_or(item.span(), |n| n.span);
                    diagnostics.push(
                        Diagnostic::error("N1", span, "there is no such sort to remove from")
                            .help("write 'remove v ::= alternative'"),
                    );
                }
            }
        }
        return;
    }
    let mut at = 0;
    if tokens.is_empty() {
        diagnostics.push(
            Diagnostic::error("L1", item.span(), "what is to be removed?")
                .help("write 'remove NAME' or 'remove v ::= alternative'"),
        );
    }
    while at < tokens.len() {
        if tokens[at].text == "," {
            at += 1;
            continue;
        }
        let Some((name, span, next)) = name_at(tokens, at) else {
            diagnostics.push(
                Diagnostic::error("L1", tokens[at].span, "the name of a rule is expected here")
                    .help("write 'remove NAME' or 'remove v ::= alternative'"),
            );
            return;
        };
        at = next;
        if let Some(index) = sketch.rules.iter().position(|r| r.name == name) {
            sketch.rules.remove(index);
        } else if let Some(index) = sketch.checks.iter().position(|c| c.name == name) {
            sketch.checks.remove(index);
        } else {
            let names: Vec<&str> = sketch.rules.iter().map(|r| r.name.as_str()).collect();
            let mut diagnostic = Diagnostic::error("N1", span, format!("there is no rule {name} to remove"));
            diagnostic = diagnostic.help(match source::nearest(&name, names.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => {
                    "what is removed is a rule or a check, by its name, or an alternative: remove v ::= …".to_string()
                }
            });
            diagnostics.push(diagnostic);
        }
    }
}

/// Modulo white space and numbering (docs/lang.md, "Mutants and extensions").
fn same_alternative(a: &AltText, b: &AltText) -> bool {
    let key = |alt: &AltText| -> String {
        alt.tokens.iter().map(|t| if t.kind == Kind::Name { stem(&t.text) } else { t.norm() }).collect()
    };
    key(a) == key(b)
}

fn fun(sketch: &mut Sketch, item: &Item, diagnostics: &mut Vec<Diagnostic>) {
    let head = &item.lines[0].tokens;
    let open = head.get(1).filter(|t| t.text.starts_with('('));
    let Some((name, _)) = head.first().filter(|t| t.kind == Kind::Name).zip(open) else {
        diagnostics.push(
            Diagnostic::error("L1", item.span(), "a function needs a name and parameters")
                .help("for instance: fun shift(d, c, t) : t"),
        );
        return;
    };
    let colon = head.iter().rposition(|t| t.text.ends_with(':'));
    let end = colon.unwrap_or(head.len());
    let params = head[1..end].iter().filter(|t| t.kind == Kind::Name).cloned().collect();
    let result = colon.and_then(|at| head.get(at + 1)).cloned();
    let mut equations: Vec<Vec<Token>> = Vec::new();
    for line in &item.lines[1..] {
        let starts = line.tokens.first().is_some_and(|t| t.text == name.text)
            && line.tokens.get(1).is_some_and(|t| t.text.starts_with('('));
        // A line that only goes on with a call has no `=` of its own.
        let has_equals = |tokens: &[Token]| tokens.iter().any(|t| t.text.contains('='));
        let starts = starts && (has_equals(&line.tokens) || !equations.last().is_some_and(|e| has_equals(e)));
        match equations.last_mut() {
            _ if line.tokens.is_empty() => {}
            _ if starts => equations.push(line.tokens.clone()),
            Some(last) => last.extend(line.tokens.iter().cloned()),
            None => diagnostics.push(
                Diagnostic::error("L1", line.span, "an equation is expected here")
                    .help(format!("for instance: {}(…) = …", name.text)),
            ),
        }
    }
    if let Some(other) = sketch.funs.iter().find(|f| f.name.text == name.text && is_own(sketch, f.name.span)) {
        diagnostics.push(
            Diagnostic::error("R1", name.span, format!("there are two functions named {}", name.text))
                .related(other.name.span, "the first one")
                .help("write the equations below one head"),
        );
    }
    sketch.funs.retain(|f| f.name.text != name.text);
    sketch.funs.push(FunText { name: name.clone(), params, result, equations });
}

/// Whether something was said in this language itself, not in the one it extends.
fn is_own(sketch: &Sketch, span: Span) -> bool {
    span.start > sketch.span.start
}

fn bad_bound(token: &Token) -> Diagnostic {
    Diagnostic::error("L1", token.span, "this is not a bound")
        .help("for instance: bounds t: 511 nodes   T: depth 3   n: 0..1   x: 4   (nodes, size, height, depth, a number, lo..hi)")
}

/// `ID: bound` as long as they come.
fn bounds(tokens: &[Token], at: &mut usize, diagnostics: &mut Vec<Diagnostic>) -> Vec<BoundText> {
    let mut out = Vec::new();
    let mut i = *at;
    while let (Some(sort), Some(colon)) = (tokens.get(i), tokens.get(i + 1)) {
        if sort.kind != Kind::Name || colon.text != ":" {
            break;
        }
        let Some((bound, next)) = bound_at(tokens, i + 2) else {
            if let Some(token) = tokens.get(i + 2) {
                diagnostics.push(bad_bound(token));
            } else {
                diagnostics.push(bad_bound(colon));
            }
            i = tokens.len();
            break;
        };
        out.push(BoundText { sort: sort.clone(), bound, span: tokens_span(&tokens[i..next], sort.span) });
        i = next;
        if tokens.get(i).is_some_and(|t| t.text == ",") {
            i += 1;
        }
    }
    *at = i;
    out
}

fn bound_at(tokens: &[Token], at: usize) -> Option<(Bound, usize)> {
    let number = |i: usize| -> Option<i64> {
        let token = tokens.get(i)?;
        (token.kind == Kind::Number).then(|| token.text.parse::<i64>().ok().filter(|n| *n < 1 << 31)).flatten()
    };
    let first = tokens.get(at)?;
    let small = |n: i64| n as u32;
    match first.text.as_str() {
        "size" => return Some((Bound::Size(small(number(at + 1)?)), at + 2)),
        "height" => return Some((Bound::Height(small(number(at + 1)?)), at + 2)),
        "depth" => return Some((Bound::Depth(small(number(at + 1)?)), at + 2)),
        "nodes" => return Some((Bound::Nodes(small(number(at + 1)?)), at + 2)),
        _ => {}
    }
    // `lo..hi`, either of which may be negative.
    let signed = |i: usize| -> Option<(i64, usize)> {
        if tokens.get(i)?.text == "-" { Some((-number(i + 1)?, i + 2)) } else { Some((number(i)?, i + 1)) }
    };
    let (low, next) = signed(at)?;
    match tokens.get(next).map(|t| t.text.as_str()) {
        Some("..") => {
            let (high, end) = signed(next + 1)?;
            (low <= high).then_some((Bound::Range(low, high), end))
        }
        Some("..-") => {
            let high = -number(next + 1)?;
            (low <= high).then_some((Bound::Range(low, high), next + 2))
        }
        Some("nodes") if low >= 0 => Some((Bound::Nodes(small(low)), next + 1)),
        _ if low >= 0 => Some((Bound::Count(small(low)), next)),
        _ => None,
    }
}

/// `'t: size 12'` as given on a command line.
pub fn bounds_of(tokens: &[Token], diagnostics: &mut Vec<Diagnostic>) -> Vec<BoundText> {
    let mut at = 0;
    let read = bounds(tokens, &mut at, diagnostics);
    if let Some(token) = tokens.get(at) {
        diagnostics.push(bad_bound(token));
    }
    read
}

fn check(sketch: &mut Sketch, item: &Item, tokens: &[Token], diagnostics: &mut Vec<Diagnostic>) {
    let Some((name, span, mut at)) = name_at(tokens, 0) else {
        diagnostics.push(
            Diagnostic::error("L1", item.span(), "a check needs a name")
                .help("for instance: check progress : · ⊢ t : T => t is v or t steps"),
        );
        return;
    };
    let mut own = Vec::new();
    if tokens.get(at).is_some_and(|t| t.text == "bounds") {
        at += 1;
        own = bounds(tokens, &mut at, diagnostics);
    }
    if !tokens.get(at).is_some_and(|t| t.text.starts_with(':')) {
        diagnostics.push(
            Diagnostic::error("L1", span, format!("':' is expected after the name of check {name}"))
                .help("for instance: check progress : · ⊢ t : T => t is v or t steps"),
        );
        return;
    }
    let mut rest = tokens[at..].to_vec();
    if rest[0].text == ":" {
        rest.remove(0);
    } else {
        // The colon was written next to another symbol.
        let token = &mut rest[0];
        token.text.remove(0);
        token.span.start += 1;
        token.column += 1;
    }
    if let Some(other) = sketch.checks.iter().find(|c| c.name == name && is_own(sketch, c.span)) {
        diagnostics.push(
            Diagnostic::error("R1", span, format!("there are two checks named {name}"))
                .related(other.span, "the first one")
                .help("give one of them another name"),
        );
    }
    sketch.checks.retain(|c| c.name != name);
    sketch.checks.push(CheckText { name, span, bounds: own, tokens: rest });
}

fn expect(sketch: &mut Sketch, tokens: &[Token], item: &Item, diagnostics: &mut Vec<Diagnostic>) {
    let bad = |span: Span| {
        Diagnostic::error("L1", span, "this is not an expectation")
            .help("for instance: expect progress holds, or: expect preservation fails size 7")
    };
    let mut at = 0;
    if tokens.is_empty() {
        diagnostics.push(bad(item.span()));
    }
    while at < tokens.len() {
        if matches!(tokens[at].text.as_str(), "," | "expect") {
            at += 1;
            continue;
        }
        let Some((check, span, next)) = name_at(tokens, at) else {
            diagnostics.push(bad(tokens[at].span));
            return;
        };
        at = next + 1;
        let outcome = match tokens.get(next).map(|t| t.text.as_str()) {
            Some("holds") => Expected::Holds,
            Some("fails") if tokens.get(next + 1).is_some_and(|t| t.text == "size") => {
                at = next + 3;
                let Some(size) = tokens.get(next + 2).and_then(|t| t.text.parse().ok()) else {
                    diagnostics.push(bad(tokens.get(next + 2).map_or(tokens[next + 1].span, |t| t.span)));
                    continue;
                };
                Expected::Fails { size: Some(size) }
            }
            Some("fails") => Expected::Fails { size: None },
            _ => {
                diagnostics.push(bad(span));
                return;
            }
        };
        sketch.expects.push(Expect { check, outcome, span });
    }
}
