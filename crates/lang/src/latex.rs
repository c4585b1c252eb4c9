//! A definition as a figure for a paper: its grammar, then the rules of each judgment. The fragment needs amsmath and amssymb, nothing
//! else; the two commands it draws rules with can be defined otherwise by the document (`mathpartir`, say) before it is included.

use crate::definition::*;
use crate::print::{self, Item, Metas, Writer, spelling};
use crate::syntax::forms::Ast;
use crate::syntax::lexer::{normal, stem};
use crate::syntax::precedence::parenthesised;
use std::rc::Rc;

/// So many characters go side by side, as the tool would print them.
const WIDTH: usize = 88;

/// Grammar and rules of a language.
pub fn definition(lang: &Lang) -> String {
    let mut out = format!("% The language {}. Needs the packages amsmath and amssymb.\n", comment(&lang.name));
    out.push_str("\\providecommand{\\langrule}[3]{\\dfrac{#2}{#3}\\;\\textsc{#1}}\n");
    out.push_str("\\providecommand{\\langaxiom}[2]{#2\\;\\;\\textsc{#1}}\n");
    out.push_str("\\begin{figure}\n\\small\n");
    grammar(lang, &mut out);
    for k in 0..lang.judgments.len() {
        judgment(lang, JudgId(k as u32), &mut out);
    }
    out.push_str(&format!("\\caption{{The language {}}}\n\\end{{figure}}\n", text_mode(&lang.name)));
    out
}

fn comment(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

// ---- grammar ----

fn grammar(lang: &Lang, out: &mut String) {
    let mut rows = Vec::new();
    for id in lang.sort_ids() {
        let sort = lang.sort(id);
        let names: Vec<String> = sort.aliases.iter().map(|a| name(a)).collect();
        let head = names.join(", ");
        let kind = match sort.kind {
            SortKind::Var => "variables",
            SortKind::Atom => "names",
            SortKind::Loc => "locations",
            SortKind::Int => "integers",
            _ => {
                alternatives(&head, &alternatives_of(lang, id), &mut rows);
                continue;
            }
        };
        rows.push(format!("{head} & & \\text{{{kind}}}"));
    }
    if !rows.is_empty() {
        out.push_str(&format!("\\[\n\\begin{{array}}{{rcl}}\n{}\n\\end{{array}}\n\\]\n", rows.join(" \\\\\n")));
    }
}

/// Each alternative of a sort, written out.
fn alternatives_of(lang: &Lang, id: SortId) -> Vec<Vec<Item>> {
    match &lang.sort(id).kind {
        SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } => alts
            .iter()
            .map(|alt| {
                let mut writer = Writer::new(lang);
                writer.form(&parenthesised(lang, &named(lang, &alt.form)));
                writer.items
            })
            .collect(),
        _ => lang
            .prods_of(id)
            .into_iter()
            .map(|prod| {
                let production = lang.prod(prod);
                shape(&production.text, &production.pieces)
            })
            .collect(),
    }
}

/// The pieces of an alternative or a judgment, with arguments named as their author named them.
fn shape(text: &str, pieces: &[Piece]) -> Vec<Item> {
    let mut items = Vec::new();
    for (piece, (gap, spelt)) in pieces.iter().zip(spelling(text, pieces)) {
        if gap {
            items.push(Item::Space);
        }
        items.push(match piece {
            Piece::Token(token) => Item::Token(token.clone()),
            Piece::Arg(_) => Item::Name(spelt.to_string()),
        });
    }
    items
}

/// An alternative of a subset, whose leaves are sorts.
fn named(lang: &Lang, form: &Form) -> Rc<Ast> {
    match form {
        Form::Any(sort) => Rc::new(Ast::Meta {
            name: lang.sort(*sort).name.clone(),
            sort: *sort,
            expected: *sort,
            span: source::Span::default(),
        }),
        Form::Node(prod, args) => Rc::new(Ast::Node(*prod, args.iter().map(|a| named(lang, a)).collect())),
        other => print::ast_of(Metas::named(&[]), other),
    }
}

fn alternatives(head: &str, alts: &[Vec<Item>], rows: &mut Vec<String>) {
    let mut line: Vec<String> = Vec::new();
    let mut width = 0;
    let mut start = format!("{head} & ::= &");
    for alt in alts {
        let own = print::text(alt).chars().count() + 3;
        if width + own > WIDTH * 3 / 4 && !line.is_empty() {
            rows.push(format!("{start} {}", line.join(" \\mid ")));
            start = " & \\mid &".to_string();
            line.clear();
            width = 0;
        }
        width += own;
        line.push(math(alt));
    }
    rows.push(format!("{start} {}", line.join(" \\mid ")));
}

// ---- rules ----

fn judgment(lang: &Lang, id: JudgId, out: &mut String) {
    let judgment = lang.judgment(id);
    out.push_str(&format!("\\noindent\\fbox{{$\\strut {}$}}", math(&shape(&judgment.text, &judgment.pieces))));
    if let Some(contexts) = judgment.reduction.and_then(|r| r.contexts) {
        out.push_str(&format!("\\quad in contexts ${}$", name(&lang.sort(contexts).name)));
    }
    out.push('\n');
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut width = WIDTH + 1;
    for (_, rule) in lang.rules_of(id) {
        let (text, own) = drawn(lang, rule);
        if width + own > WIDTH {
            lines.push(Vec::new());
            width = 0;
        }
        width += own + 4;
        if let Some(line) = lines.last_mut() {
            line.push(text);
        }
    }
    if lines.is_empty() {
        out.push('\n');
        return;
    }
    let lines: Vec<String> = lines.iter().map(|line| line.join(" \\qquad\n")).collect();
    out.push_str(&format!("\\begin{{gather*}}\n{}\n\\end{{gather*}}\n", lines.join(" \\\\[1ex]\n")));
}

/// A rule and how wide it is, about.
fn drawn(lang: &Lang, rule: &Rule) -> (String, usize) {
    let mut writer = Writer::new(lang);
    print::write_conclusion(&mut writer, lang, rule);
    let conclusion = writer.items;
    let name_width = rule.name.chars().count() + 2;
    let width = |items: &[Item]| print::text(items).chars().count();
    if rule.premises.is_empty() {
        let text = format!("\\langaxiom{{{}}}{{{}}}", text_mode(&rule.name), math(&conclusion));
        return (text, width(&conclusion) + name_width);
    }
    let premises: Vec<Vec<Item>> = rule
        .premises
        .iter()
        .map(|p| {
            let mut writer = Writer::new(lang);
            print::write_premise(&mut writer, lang, Metas::named(&rule.metas), &p.premise);
            writer.items
        })
        .collect();
    let above: usize = premises.iter().map(|p| width(p) + 3).sum();
    let texts: Vec<String> = premises.iter().map(|p| math(p)).collect();
    let text =
        format!("\\langrule{{{}}}{{{}}}{{{}}}", text_mode(&rule.name), texts.join(" \\quad "), math(&conclusion));
    (text, above.max(width(&conclusion)) + name_width)
}

// ---- items ----

/// Items in math mode.
fn math(items: &[Item]) -> String {
    let mut out = String::new();
    let mut pending = false;
    let mut before: Option<&Item> = None;
    for (k, item) in items.iter().enumerate() {
        if *item == Item::Space {
            pending = true;
            continue;
        }
        if pending && let Some(before) = before {
            let is_dot = *before == Item::Mark(".");
            out.push_str(if !is_dot && (is_spaced(before) || is_spaced(item)) { " " } else { "\\;" });
        }
        let is_loose = pending || matches!(items.get(k + 1), Some(Item::Space));
        let next = one(item, is_loose);
        // A command's name ends where no letter follows.
        if ends_in_command(&out) && next.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push(' ');
        }
        out.push_str(&next);
        pending = false;
        before = Some(item);
    }
    out
}

fn ends_in_command(out: &str) -> bool {
    let letters = out.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    letters.len() < out.len() && letters.ends_with('\\')
}

/// Relations and operators have their spaces from TeX.
fn is_spaced(item: &Item) -> bool {
    let symbol = match item {
        Item::Token(token) => token.as_str(),
        Item::Word(word) => word,
        Item::Mark(mark) => return *mark == ",",
        _ => return false,
    };
    !symbol.starts_with(char::is_alphanumeric)
        && !matches!(symbol, "." | "!" | "#" | "λ" | "Λ" | "\\" | "∀" | "∃" | "]" | "}" | ")")
        || matches!(symbol, "λ" | "Λ" | "∀" | "∃" | "forall" | "in")
}

fn one(item: &Item, is_loose: bool) -> String {
    match item {
        Item::Token(token) if token == ":" && !is_loose => "{:}".to_string(),
        Item::Token(token) => symbol(token),
        Item::Word("where") => String::new(),
        Item::Word("dom") => "\\operatorname{dom}".to_string(),
        Item::Word("forall") => "\\forall".to_string(),
        Item::Word(word) if word.starts_with(char::is_alphabetic) => format!("\\text{{{word}}}"),
        Item::Word(word) => symbol(word),
        Item::Name(text) => name(text),
        Item::Number(text) => text.clone(),
        Item::Mark("_") => "\\_".to_string(),
        Item::Mark("[]") => "[\\,]".to_string(),
        Item::Mark(mark) => (*mark).to_string(),
        Item::Space => "\\;".to_string(),
    }
}

/// A metavariable or variable: `t1'` is t with an index and a prime.
fn name(text: &str) -> String {
    if let Some(atom) = text.strip_prefix('\'') {
        return format!("\\mathtt{{{}}}", text_mode(atom.trim_end_matches('\'')));
    }
    let stem = stem(text);
    let rest = &text[stem.len()..];
    let digits = rest.trim_end_matches('\'');
    let primes = &rest[digits.len()..];
    let mut chars = stem.chars();
    let base = match (chars.next(), chars.next()) {
        (Some(c), None) => command(c).unwrap_or_else(|| {
            if c.is_ascii_alphabetic() { c.to_string() } else { format!("\\text{{{}}}", text_mode(stem)) }
        }),
        _ if stem.is_ascii() => format!("\\mathit{{{}}}", text_mode(stem)),
        _ => stem.chars().map(|c| command(c).unwrap_or_else(|| c.to_string())).collect(),
    };
    if digits.is_empty() { format!("{base}{primes}") } else { format!("{base}_{{{digits}}}{primes}") }
}

/// Object syntax.
fn symbol(token: &str) -> String {
    let known = match normal(token) {
        "⟶" => "\\longrightarrow",
        ":=" => "\\mathrel{:=}",
        "::=" => "\\mathrel{::=}",
        "<:" => "\\mathrel{<:}",
        "||" => "\\parallel",
        "|" => "\\mid",
        ";" => "\\mathbin{;}",
        "!" => "{!}",
        "&&" => "\\mathbin{\\&\\&}",
        "=" => "=",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_string();
    }
    // Words keep their own spelling: `in` is no membership here.
    if token.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return if token.chars().all(|c| c.is_ascii_digit()) {
            token.to_string()
        } else {
            format!("\\mathsf{{{}}}", text_mode(token))
        };
    }
    let mut out = String::new();
    for c in normal(token).chars() {
        let next = command(c).unwrap_or_else(|| match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{c}"),
            '~' => "\\sim".to_string(),
            '^' => "\\mathbin{\\hat{\\ }}".to_string(),
            '\\' => "\\backslash".to_string(),
            ' ' => "\\ ".to_string(),
            c if c.is_ascii() => c.to_string(),
            c => format!("\\text{{{c}}}"),
        });
        if ends_in_command(&out) && next.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push(' ');
        }
        out.push_str(&next);
    }
    out
}

/// The command of a character.
fn command(c: char) -> Option<String> {
    let command = match c {
        'Γ' => "Gamma",
        'Δ' => "Delta",
        'Θ' => "Theta",
        'Λ' => "Lambda",
        'Ξ' => "Xi",
        'Π' => "Pi",
        'Σ' => "Sigma",
        'Φ' => "Phi",
        'Ψ' => "Psi",
        'Ω' => "Omega",
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' => "delta",
        'ε' => "varepsilon",
        'ζ' => "zeta",
        'η' => "eta",
        'θ' => "theta",
        'ι' => "iota",
        'κ' => "kappa",
        'λ' => "lambda",
        'μ' | 'µ' => "mu",
        'ν' => "nu",
        'ξ' => "xi",
        'π' => "pi",
        'ρ' => "rho",
        'σ' => "sigma",
        'τ' => "tau",
        'φ' => "varphi",
        'χ' => "chi",
        'ψ' => "psi",
        'ω' => "omega",
        '⊢' => "vdash",
        '⊣' => "dashv",
        '⊨' => "models",
        '→' => "to",
        '⟶' => "longrightarrow",
        '←' => "leftarrow",
        '↦' => "mapsto",
        '⇒' => "Rightarrow",
        '⇐' => "Leftarrow",
        '⇔' => "Leftrightarrow",
        '⟹' => "Longrightarrow",
        '⟸' => "Longleftarrow",
        '⟵' => "longleftarrow",
        '↔' => "leftrightarrow",
        '↠' => "twoheadrightarrow",
        '⇝' => "rightsquigarrow",
        '⇓' => "Downarrow",
        '⇑' => "Uparrow",
        '↓' => "downarrow",
        '↑' => "uparrow",
        '⊸' => "multimap",
        '∈' => "in",
        '∉' => "notin",
        '⊆' => "subseteq",
        '⊇' => "supseteq",
        '⊂' => "subset",
        '⊃' => "supset",
        '∪' => "cup",
        '∩' => "cap",
        '⊎' => "uplus",
        '∀' => "forall",
        '∃' => "exists",
        '∧' => "land",
        '∨' => "lor",
        '¬' => "neg",
        '⊤' => "top",
        '⊥' => "bot",
        '≤' => "leq",
        '≥' => "geq",
        '≠' => "neq",
        '≡' => "equiv",
        '≈' => "approx",
        '≺' => "prec",
        '≻' => "succ",
        '∼' => "sim",
        '≃' => "simeq",
        '≅' => "cong",
        '⊔' => "sqcup",
        '⊓' => "sqcap",
        '▷' | '⊳' => "triangleright",
        '◁' | '⊲' => "triangleleft",
        '∥' => "parallel",
        '∣' => "mid",
        '⊩' => "Vdash",
        '∅' => "varnothing",
        '⊑' => "sqsubseteq",
        '·' => "cdot",
        '•' => "bullet",
        '∘' => "circ",
        '×' => "times",
        '⊕' => "oplus",
        '⊗' => "otimes",
        '⊙' => "odot",
        '★' => "star",
        '□' => "Box",
        '◇' => "Diamond",
        '⟨' => "langle",
        '⟩' => "rangle",
        '∞' => "infty",
        _ => return None,
    };
    Some(format!("\\{command}"))
}

/// Text outside of formulas, or within \textsc and the like.
fn text_mode(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.push_str(&format!("\\{c}")),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            c => match command(c) {
                Some(command) => out.push_str(&format!("\\ensuremath{{{command}}}")),
                None => out.push(c),
            },
        }
    }
    out
}
