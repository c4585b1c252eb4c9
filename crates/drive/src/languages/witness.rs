//! What a check has exercised: a smallest example per rule, production and alternative.

use lang::enumerate::{Coverage, Enumerator, Witness};
use lang::term::TermId;
use lang::{Lang, ProdId, RuleId, SortId, SortKind, print};
use source::Span;
use verdict::program::{self as said, WitnessKind};

/// One line per rule, production and alternative.
pub fn witnesses(enumerator: &Enumerator, coverage: &Coverage) -> Vec<said::Witness> {
    let interp = &enumerator.interp;
    let lang = interp.lang;
    let text = |term: TermId| print::term(&interp.terms, term);
    let mut all = Vec::new();
    for (id, witness) in lang.rule_ids().zip(&coverage.rules) {
        let example = witness.as_ref().map(|w| match w {
            // The program that the check speaks of first, or all of a state that is not one.
            Witness::Assignment(values) => {
                let values = values.iter().flatten().copied();
                match values.clone().find(|t| is_program(enumerator, *t)) {
                    Some(program) => text(program),
                    None => values.map(text).collect::<Vec<_>>().join(", "),
                }
            }
            Witness::Conclusion(args) => print::judgment(&interp.terms, lang.rule(id).judgment, args),
        });
        all.push(rule_witness(lang, id, example));
    }
    for (k, witness) in coverage.prods.iter().enumerate() {
        all.extend(prod_witness(lang, ProdId(k as u32), witness.map(text)));
    }
    for (sort, k, witness) in &coverage.alternatives {
        all.extend(alternative_witness(lang, *sort, *k, witness.map(text)));
    }
    all
}

pub fn rule_witness(lang: &Lang, id: RuleId, example: Option<String>) -> said::Witness {
    let rule = lang.rule(id);
    let is_step = lang.judgment(rule.judgment).reduction.is_some();
    let kind = if is_step { WitnessKind::Step } else { WitnessKind::Rule };
    let (name, span, may_be_unused) = (rule.name.clone(), rule.span, rule.marks.unused_ok);
    said::Witness { kind, name, span, example, asked_up_to: None, may_be_unused }
}

/// Of grammars of programs only.
pub fn prod_witness(lang: &Lang, id: ProdId, example: Option<String>) -> Option<said::Witness> {
    let production = lang.prod(id);
    let sort = lang.sort(production.sort);
    // A configuration is put together by the check, not generated.
    let is_state = production.args.iter().any(|a| lang.is_map(*a));
    let is_grammar = sort.is_tree && !is_state && matches!(sort.kind, SortKind::Grammar { .. });
    is_grammar.then(|| alternative(format!("{}: {}", sort.name, production.text), production.span, example))
}

pub fn alternative_witness(lang: &Lang, sort: SortId, k: usize, example: Option<String>) -> Option<said::Witness> {
    let (SortKind::Sub { alts, .. } | SortKind::Context { alts, .. }) = &lang.sort(sort).kind else { return None };
    let alt = alts.get(k)?;
    Some(alternative(format!("{}: {}", lang.sort(sort).name, alt.text), alt.span, example))
}

fn alternative(name: String, span: Span, example: Option<String>) -> said::Witness {
    said::Witness { kind: WitnessKind::Alternative, name, span, example, asked_up_to: None, may_be_unused: false }
}

pub fn is_program(enumerator: &Enumerator, term: TermId) -> bool {
    let lang = enumerator.interp.lang;
    enumerator.interp.terms.node(term).is_some_and(|(p, _)| lang.sort(lang.prod(p).sort).is_tree)
}
