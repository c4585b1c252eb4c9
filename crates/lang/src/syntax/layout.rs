//! Rules in two dimensions: axioms with their names in brackets, and premises over bars, side by side (docs/lang.md, "Tokens and layout").
//!
//! Bar k owns the columns from its first dash to the next bar's first dash; the first one also what is left of it. Premises are the lines
//! above the bar up to a blank line or to the end of another rule; the conclusion is the line below.

use super::lexer::{Kind, Line, Token, is_bar};
use super::sketch::RuleText;
use crate::definition::Marks;
use source::{Diagnostic, Span};

/// All rules of a block of lines.
pub fn rules(lines: &[Line], home: Option<usize>, diagnostics: &mut Vec<Diagnostic>) -> Vec<RuleText> {
    let mut rules = Vec::new();
    // Lines not yet given to a rule.
    let mut above: Vec<&Line> = Vec::new();
    let mut i = 0;
    while i < lines.len() {
        let line = &lines[i];
        i += 1;
        if line.tokens.is_empty() {
            stray(&above, diagnostics);
            above.clear();
        } else if line.tokens.iter().any(is_bar) {
            let below = lines.get(i).filter(|l| !l.tokens.is_empty() && !l.tokens.iter().any(is_bar));
            let Some(below) = below else {
                let span = line.tokens.iter().find(|t| is_bar(t)).map_or(line.span, |t| t.span);
                diagnostics.push(
                    Diagnostic::error("L2", span, "there is no conclusion below this bar")
                        .help("write the conclusion on the line right below the bar"),
                );
                above.clear();
                continue;
            };
            i += 1;
            boxes(&above, line, below, home, &mut rules, diagnostics);
            above.clear();
        } else if axiom_names(&line.tokens).is_empty() {
            above.push(line);
        } else {
            stray(&above, diagnostics);
            above.clear();
            axioms(line, home, &mut rules, diagnostics);
        }
    }
    stray(&above, diagnostics);
    rules
}

fn stray(lines: &[&Line], diagnostics: &mut Vec<Diagnostic>) {
    for line in lines {
        diagnostics.push(
            Diagnostic::error("L1", tokens_span(&line.tokens, line.span), "this line belongs to no rule")
                .help("an axiom ends in '  [NAME]', at least two spaces before it; other rules have a bar '---- NAME' below their premises"),
        );
    }
}

/// Adjacent tokens from `i` on, as one name, and the index after it.
pub fn name_at(tokens: &[Token], mut i: usize) -> Option<(String, Span, usize)> {
    let first = tokens.get(i)?;
    let (mut name, mut span, mut end) = (String::new(), first.span, first.column);
    while let Some(token) = tokens.get(i) {
        let fits = match token.kind {
            Kind::Name | Kind::Number => true,
            Kind::Symbol => {
                token.text.chars().all(|c| matches!(c, '-' | '+' | '*' | '/' | '.' | '_' | '∀' | '→' | 'λ' | 'Λ'))
            }
            Kind::Quoted => false,
        };
        if !fits || token.column != end {
            break;
        }
        name.push_str(&token.text);
        span = span.to(token.span);
        end = token.end_column;
        i += 1;
    }
    (!name.is_empty()).then_some((name, span, i))
}

/// `{unused ok}`, `{escape ok}` or both with a comma, at `i`: what it says, and the index after it.
fn marks(tokens: &[Token], i: usize) -> Option<(Marks, usize)> {
    let mut marks = Marks::default();
    let (mut at, mut expected) = (i, "{");
    loop {
        let texts: Vec<&str> = tokens.get(at..at + 4)?.iter().map(|t| t.text.as_str()).collect();
        let [open, what, "ok", close] = texts[..] else { return None };
        match what {
            _ if open != expected => return None,
            "unused" => marks.unused_ok = true,
            "escape" => marks.escape_ok = true,
            _ => return None,
        }
        if close == "}" {
            return Some((marks, at + 4));
        }
        (at, expected) = (at + 3, ",");
    }
}

struct AxiomName {
    /// The index of `[`.
    at: usize,
    name: String,
    span: Span,
    marks: Marks,
    /// The index after it all.
    end: usize,
}

/// The names in brackets on a line: two spaces before, and two spaces, an attribute or nothing after.
fn axiom_names(tokens: &[Token]) -> Vec<AxiomName> {
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !(token.kind == Kind::Symbol && token.text == "[") || at == 0 || tokens[at - 1].end_column + 2 > token.column
        {
            continue;
        }
        let Some((name, span, close)) = name_at(tokens, at + 1) else { continue };
        let Some(bracket) = tokens.get(close).filter(|t| t.text == "]") else { continue };
        let attribute = marks(tokens, close + 1);
        let (marks, end) = attribute.unwrap_or((Marks::default(), close + 1));
        let after = tokens.get(end);
        if attribute.is_some() || after.is_none_or(|t| t.column >= bracket.end_column + 2) {
            names.push(AxiomName { at, name, span, marks, end });
        }
    }
    names
}

fn axioms(line: &Line, home: Option<usize>, rules: &mut Vec<RuleText>, diagnostics: &mut Vec<Diagnostic>) {
    let mut start = 0;
    for axiom in axiom_names(&line.tokens) {
        rules.push(RuleText {
            name: axiom.name,
            span: axiom.span,
            premises: Vec::new(),
            conclusion: line.tokens[start..axiom.at].to_vec(),
            marks: axiom.marks,
            home,
        });
        start = axiom.end;
    }
    if let Some(token) = line.tokens.get(start) {
        diagnostics.push(
            Diagnostic::error("L1", token.span.to(line.tokens[line.tokens.len() - 1].span), "a rule without a name")
                .help("write its name in brackets after it, two spaces apart: '  [NAME]'"),
        );
    }
}

/// Nobody could read more.
const MOST_SIDE_BY_SIDE: usize = 40;

/// One row of rules side by side.
fn boxes(
    above: &[&Line],
    bars: &Line,
    below: &Line,
    home: Option<usize>,
    rules: &mut Vec<RuleText>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let starts: Vec<usize> = bars.tokens.iter().filter(|t| is_bar(t)).map(|t| t.column).collect();
    if starts.len() > MOST_SIDE_BY_SIDE {
        diagnostics.push(
            Diagnostic::error("L1", tokens_span(&bars.tokens, bars.span), "too many rules side by side")
                .help("write some of them below the others"),
        );
        return;
    }
    let before = diagnostics.len();
    for line in above.iter().copied().chain([below]) {
        for &boundary in &starts[1..] {
            let crosses = line.tokens.windows(2).find_map(|pair| {
                // Text that runs on across the boundary without a gap belongs to both sides.
                let runs_on = pair[0].column < boundary
                    && pair[1].end_column > boundary
                    && pair[1].column < pair[0].end_column + 2
                    && pair[0].end_column + 1 >= boundary;
                runs_on.then(|| pair[0].span.to(pair[1].span))
            });
            let inside = line.tokens.iter().find(|t| t.column < boundary && t.end_column > boundary).map(|t| t.span);
            if let Some(span) = inside.or(crosses) {
                diagnostics.push(
                    Diagnostic::error("L3", span, "this text crosses the boundary between two rules")
                        .help("the columns of a rule begin at the first dash of its bar: move the rules apart, or write them below each other"),
                );
            }
        }
    }
    if diagnostics.len() > before {
        // Which text belongs to which rule is a guess: more would only be told about that guess.
        return;
    }
    let column_of = |token: &Token| starts.iter().rposition(|&s| s <= token.column).unwrap_or(0);
    for (k, bar_column) in starts.iter().enumerate() {
        let at = bars.tokens.iter().position(|t| is_bar(t) && t.column == *bar_column).unwrap_or(0);
        let bar = &bars.tokens[at];
        let Some((name, span, end)) = name_at(&bars.tokens, at + 1).filter(|_| !is_bar_at(bars, at + 1)) else {
            diagnostics
                .push(Diagnostic::error("L2", bar.span, "this bar has no name after it").help("write '---- NAME'"));
            continue;
        };
        let (marks, next) = marks(&bars.tokens, end).unwrap_or((Marks::default(), end));
        if let Some(extra) = bars.tokens.get(next).filter(|t| !is_bar(t)) {
            diagnostics.push(
                Diagnostic::error("L1", extra.span, "unexpected text after the name of a rule")
                    .help("only {unused ok}, {escape ok} or the bar of another rule may follow"),
            );
        }
        let own = |line: &Line| -> Vec<Token> { line.tokens.iter().filter(|t| column_of(t) == k).cloned().collect() };
        let conclusion = own(below);
        if conclusion.is_empty() {
            diagnostics.push(
                Diagnostic::error("L2", bar.span, "there is no conclusion below this bar")
                    .help("the conclusion begins at or right of the first dash of its bar"),
            );
            continue;
        }
        let premises = above.iter().flat_map(|line| chunks(&own(line))).collect();
        rules.push(RuleText { name, span, premises, conclusion, marks, home });
    }
}

fn is_bar_at(line: &Line, i: usize) -> bool {
    line.tokens.get(i).is_some_and(is_bar)
}

/// Splits at three or more spaces.
pub fn chunks(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut chunks: Vec<Vec<Token>> = Vec::new();
    for token in tokens {
        match chunks.last_mut() {
            Some(chunk) if chunk.last().is_some_and(|last: &Token| token.column < last.end_column + 3) => {
                chunk.push(token.clone());
            }
            _ => chunks.push(vec![token.clone()]),
        }
    }
    chunks
}

pub fn tokens_span(tokens: &[Token], otherwise: Span) -> Span {
    match tokens {
        [] => otherwise,
        [first, .., last] => first.span.to(last.span),
        [only] => only.span,
    }
}

/// Whether the line could be part of a rule for certain: it has a bar or the name of an axiom.
pub fn is_rule_line(line: &Line) -> bool {
    line.tokens.iter().any(is_bar) || !axiom_names(&line.tokens).is_empty()
}
