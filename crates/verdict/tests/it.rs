//! The one exit status, and the small judgements behind it.

use source::{Diagnostic, Span};
use test_kit::choices::{Choices, for_all};
use verdict::program::Mutant;
use verdict::{Engine, Expected, Failure, Item, ItemKind, LeftOut, Reason, Report, Subject, SubjectKind, Verdict};

fn problem(message: &str) -> Diagnostic {
    Diagnostic::error("test", None, message)
}

fn item(name: &str, verdict: Verdict) -> Item {
    Item::new(ItemKind::Operation, name, verdict, Engine::Glassbox)
}

fn unknown(name: &str, reason: Reason) -> Item {
    Item { reasons: vec![reason], ..item(name, Verdict::Unknown) }
}

fn violated(size: i64) -> Item {
    let failure = Failure { size: Some(size), ..Failure::of(problem("wrong")) };
    Item { failures: vec![failure], ..item("op", Verdict::Violated) }
}

fn report(items: Vec<Item>) -> Report {
    Report { subjects: vec![Subject { items, ..Subject::new(SubjectKind::Class, "C") }], ..Report::default() }
}

#[track_caller]
fn check(report: &Report, status: u8, word: &str) {
    assert_eq!((report.exit_status(), report.verdict_name()), (status, word));
}

#[test]
fn the_worst_item_decides() {
    let (good, bad) = (|| item("a", Verdict::Verified), || item("b", Verdict::Violated));
    let open = || unknown("c", Reason::Timeout);
    check(&report(vec![good()]), 0, "verified");
    check(&report(vec![good(), open()]), 3, "unknown");
    check(&report(vec![good(), open(), bad()]), 1, "violated");
    let mut with_error = report(vec![good(), open()]);
    with_error.errors.push(problem("no such class"));
    check(&with_error, 2, "error");
    with_error.subjects[0].items.push(bad());
    check(&with_error, 1, "violated");
}

#[test]
fn nothing_checked_is_not_verified() {
    check(&Report::default(), 3, "unknown");
    check(&report(Vec::new()), 3, "unknown");
}

/// At size 1 there may be no full queue; at size 2 there is one.
#[test]
fn a_size_with_nothing_to_do_does_not_spoil_another() {
    let of_size = |size: i64, item: Item| Subject {
        size: Some(size),
        items: vec![item],
        ..Subject::new(SubjectKind::Class, "C")
    };
    let with = |subjects: Vec<Subject>| Report { subjects, ..Report::default() };
    let (nothing, fine) = (|| unknown("op", Reason::NoState), || item("op", Verdict::Verified));
    check(&with(vec![of_size(1, nothing()), of_size(2, fine())]), 0, "verified");
    check(&with(vec![of_size(1, nothing()), of_size(2, nothing())]), 3, "unknown");
    check(&with(vec![of_size(1, nothing()), of_size(2, item("other", Verdict::Verified))]), 3, "unknown");
    check(&with(vec![of_size(1, unknown("op", Reason::Timeout)), of_size(2, fine())]), 3, "unknown");
    let both = Item { reasons: vec![Reason::NoState, Reason::Memory], ..item("op", Verdict::Unknown) };
    check(&with(vec![of_size(1, both), of_size(2, fine())]), 3, "unknown");
}

#[test]
fn expectations_turn_the_answer_round() {
    let expecting = |item: Item, holds: bool, size: Option<u32>| {
        report(vec![Item { expected: Some(Expected { holds, size }), ..item }])
    };
    let holds = || item("op", Verdict::Verified);
    check(&expecting(holds(), true, None), 0, "verified");
    check(&expecting(holds(), false, None), 1, "violated");
    check(&expecting(violated(4), false, None), 0, "verified");
    check(&expecting(violated(4), false, Some(4)), 0, "verified");
    check(&expecting(violated(4), false, Some(3)), 1, "violated");
    check(&expecting(violated(4), true, None), 1, "violated");
    // What is not known is neither.
    check(&expecting(unknown("op", Reason::Timeout), false, None), 3, "unknown");
}

#[test]
fn what_does_not_count_does_not_decide() {
    let aside = |item: Item| Item { counts: false, ..item };
    check(&report(vec![item("a", Verdict::Verified), aside(violated(1))]), 0, "verified");
    check(&report(vec![item("a", Verdict::Verified), aside(unknown("b", Reason::Memory))]), 0, "verified");
}

#[test]
fn mutants_that_were_cut_short_are_open() {
    let with = |reason: Option<Reason>| {
        let mut all = report(vec![item("a", Verdict::Verified)]);
        all.subjects[0].mutants.push(Mutant {
            what: "T-App: premise 2 dropped".into(),
            span: Span::default(),
            killed: None,
            reason,
        });
        all
    };
    check(&with(None), 0, "verified");
    check(&with(Some(Reason::Interrupted)), 3, "unknown");
}

#[test]
fn the_smallest_failure_gives_the_size() {
    let mut several = violated(7);
    several.failures.extend([5, 9].map(|size| Failure { size: Some(size), ..Failure::of(problem("wrong")) }));
    assert_eq!(several.smallest(), Some(5));
    assert_eq!(item("a", Verdict::Violated).smallest(), None);
}

#[test]
fn reasons_are_limits_or_vacuous_or_neither() {
    let all = [
        (Reason::Timeout, "timeout", true, false),
        (Reason::Memory, "memory", true, false),
        (Reason::Interrupted, "interrupted", true, false),
        (Reason::Steps { span: None, state: None, call: String::new() }, "steps", false, false),
        (Reason::NoState, "no-state", false, true),
        (Reason::NoProgram, "no-program", false, true),
        (Reason::AllDropped, "all-dropped", false, true),
        (Reason::Partly { below: 0, cut: "the time".into(), help: "wait".into() }, "partly", false, false),
        (Reason::Open(problem("not decided")), "test", false, false),
        (Reason::Internal("a replay".into()), "internal", false, false),
    ];
    for (reason, code, is_limit, is_vacuous) in all {
        assert_eq!((reason.code(), reason.is_limit(), reason.is_vacuous()), (code, is_limit, is_vacuous));
        assert!(!reason.message().is_empty() && !reason.message().ends_with('.'), "{}", reason.message());
    }
    let cut = |below| Reason::Partly { below, cut: "the time".into(), help: "wait".into() }.message();
    assert!(cut(0).starts_with("no program was looked at"));
    assert!(cut(5).contains("below size 5"));
}

#[test]
fn holes_with_one_cause_are_one() {
    let hole = |id, message: &str| LeftOut {
        id,
        message: message.into(),
        remedy: String::new(),
        span: None,
        example: None,
        only_json: false,
    };
    assert!(hole("a", "x").is_same(&hole("a", "x")));
    assert!(!hole("a", "x").is_same(&hole("a", "y")) && !hole("a", "x").is_same(&hole("b", "x")));
}

/// The status does not depend on the order of items, and one item more never turns a violation or an open answer into "verified", but for
/// sizes at which there was nothing to do.
#[test]
fn more_items_never_hide_a_worse_one() {
    let severity = |status: u8| [0, 3, 2, 1].iter().position(|s| *s == status);
    for_all(500, |numbers| {
        let mut c = Choices::new(numbers);
        let mut make = || match c.below(5) {
            0 | 1 => item(["a", "b"][c.below(2)], Verdict::Verified),
            2 => unknown(["a", "b"][c.below(2)], Reason::Timeout),
            3 => unknown(["a", "b"][c.below(2)], Reason::Open(problem("open"))),
            _ => violated(1 + c.below(4) as i64),
        };
        let items: Vec<Item> = (0..4).map(|_| make()).collect();
        let statuses: Vec<u8> = (1..=items.len()).map(|n| report(items[..n].to_vec()).exit_status()).collect();
        assert!(statuses.is_sorted_by_key(|status| severity(*status)), "{statuses:?}");
        let reversed: Vec<Item> = items.iter().rev().cloned().collect();
        assert_eq!(report(reversed).exit_status(), report(items).exit_status());
    });
}
