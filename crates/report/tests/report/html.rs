//! The page as text: well-formed, complete in itself, and never markup where a user's text is.

use crate::build::{Kit, Texts};
use roxmltree::{Document, Node};
use verdict::heap::{Snapshot, SnapshotField, SnapshotObject, SnapshotValue};
use verdict::program::{Derivation, ProgramStep};
use verdict::{Change, Example, Reason, Report, Subject, Verdict};

fn render(kit: &Kit, report: &Report) -> String {
    report::html::render(&kit.sources, report, "1.2.3", &kit.text("glassbox check Tree.java"))
}

/// The page as XML, without what is not: the document type, styles, scripts.
fn markup(page: &str) -> String {
    let mut out = page.strip_prefix("<!DOCTYPE html>\n").expect("a document type").to_string();
    for tag in ["style", "script"] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        assert_eq!((out.matches(&open).count(), out.matches(&close).count()), (1, 1), "one {tag}");
        let (start, end) = (out.find(&open).expect("it"), out.find(&close).expect("it"));
        out.replace_range(start + open.len()..end, "");
    }
    out
}

fn classes<'a>(node: Node<'a, '_>) -> Vec<&'a str> {
    node.attribute("class").unwrap_or("").split(' ').collect()
}

fn with_class<'a, 'i>(root: Node<'a, 'i>, class: &'a str) -> Vec<Node<'a, 'i>> {
    root.descendants().filter(|n| classes(*n).contains(&class)).collect()
}

fn text(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect()
}

#[test]
fn no_text_of_a_user_is_markup() {
    let elements = |texts: Texts| {
        let mut kit = Kit::new(texts);
        let report = kit.report();
        let page = render(&kit, &report);
        let xml = markup(&page);
        let document = Document::parse(&xml).unwrap_or_else(|e| panic!("{e}\n{xml}"));
        // What is cut short has a title with all of it.
        let names = document.descendants().filter(|n| n.is_element() && !n.has_tag_name("title"));
        names.map(|n| format!("{} {}", n.tag_name().name(), n.attribute("class").unwrap_or(""))).collect::<Vec<_>>()
    };
    let (plain, harmful) = (elements(Texts::Plain), elements(Texts::Markup));
    assert!(plain.len() > 300, "{}", plain.len());
    let differ = plain.iter().zip(&harmful).position(|(a, b)| a != b);
    assert_eq!((differ, plain.len()), (None, harmful.len()), "{:?}", differ.map(|k| (&plain[k], &harmful[k])));
}

#[test]
fn the_page_is_complete_in_itself() {
    let mut kit = Kit::new(Texts::Plain);
    let report = kit.report();
    let page = render(&kit, &report);
    for load in
        ["src=", "@import", "url(", "http://", "https://", "<link", "<img", "fetch(", "innerHTML", "XMLHttpRequest"]
    {
        assert!(!page.contains(load), "{load}");
    }
    assert!(page.contains("default-src &#39;none&#39;"));
    let xml = markup(&page);
    let document = Document::parse(&xml).expect("markup");
    let mut ids: Vec<&str> = document.descendants().filter_map(|n| n.attribute("id")).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(all, ids.len(), "ids are unique");
    for copy in document.descendants().filter_map(|n| n.attribute("data-copy")) {
        assert!(ids.binary_search(&copy).is_ok(), "{copy}");
    }
    for label in document.descendants().filter(|n| n.has_tag_name("svg")).filter_map(|n| n.parent_element()) {
        assert_eq!((label.attribute("role"), label.attribute("tabindex")), (Some("img"), Some("0")));
        assert!(label.attribute("aria-label").is_some_and(|l| !l.is_empty()));
    }
}

#[test]
fn items_say_what_they_cover_and_rest_on() {
    let mut kit = Kit::new(Texts::Plain);
    let report = kit.report();
    let page = render(&kit, &report);
    let xml = markup(&page);
    let document = Document::parse(&xml).expect("markup");
    let items = with_class(document.root(), "item");
    let said: Vec<String> = items
        .iter()
        .map(|i| {
            format!("{} {}", i.attribute("data-verdict").unwrap_or(""), i.attribute("open").map_or("", |_| "open"))
        })
        .collect();
    let expected = [
        "violated open",
        "verified ",
        "unknown open",
        "violated open",
        "violated ",
        "verified ",
        "violated open",
        "unknown open",
        "violated open",
    ];
    assert_eq!(said, expected);
    let contains = text(items[1]);
    for part in [
        "every tree within 3 places",
        "12,345 states",
        "9 of 9 checked by an LRAT checker",
        "states with more keys are left out",
        "Tree.java:5",
    ] {
        assert!(contains.contains(part), "{part}: {contains}");
    }
    let preservation = text(items[5]);
    for part in ["rests on 1 assumption", "its code was not checked here", "T: depth 3", "below size 5"] {
        assert!(preservation.contains(part), "{part}: {preservation}");
    }
    assert!(text(items[4]).contains("as expected"));
}

fn page_of(maker: fn(&mut Kit) -> Subject, change: impl FnOnce(&mut Subject)) -> String {
    let mut kit = Kit::new(Texts::Plain);
    let mut subject = maker(&mut kit);
    change(&mut subject);
    let report = Report { subjects: vec![subject], ..Report::default() };
    markup(&render(&kit, &report))
}

#[test]
fn a_heap_is_drawn_with_its_changes() {
    let xml = page_of(Kit::class, |_| {});
    let document = Document::parse(&xml).expect("markup");
    let figure = |class| with_class(document.root(), class)[0];
    let objects = |figure| {
        with_class(figure, "object")
            .iter()
            .map(|o| (o.attribute("data-name").unwrap_or(""), o.attribute("class").unwrap_or("")))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        objects(figure("before")),
        [("this", "object"), ("n0", "object lost"), ("n1", "object lost"), ("items", "object")]
    );
    assert_eq!(
        objects(figure("after")),
        [("this", "object changed"), ("n2", "object new"), ("items", "object changed")]
    );
    // root, items, left; n1's parent is not part of the tree.
    let lines = with_class(figure("before"), "edge").iter().filter(|n| n.has_tag_name("line")).count();
    assert_eq!((lines, with_class(figure("before"), "curve").len()), (3, 2));
    let after = text(figure("after"));
    assert!(after.contains("root (was n0)") && after.contains("no longer reached: n0, n1"), "{after}");
}

/// Boxes do not overlap, and everything is inside of the drawing.
#[test]
fn large_heaps_stay_readable() {
    let field =
        |name: &str, value, is_tree| SnapshotField { name: name.to_string(), value, is_tree, is_changed: false };
    let node = |k: usize| {
        let child = |c: usize| if c < 300 { SnapshotValue::Object(c) } else { SnapshotValue::Null };
        let fields = vec![
            field("left", child(2 * k + 1), true),
            field("right", child(2 * k + 2), true),
            field("up", SnapshotValue::Object(k.saturating_sub(1) / 2), false),
        ];
        SnapshotObject { name: format!("n{k}"), class: "Node".into(), fields, is_array: false, is_new: false }
    };
    let xml = page_of(Kit::class, |subject| {
        let Some(Example::Heap(heap)) = &mut subject.items[0].failures[0].example else { panic!("a heap") };
        heap.before = Snapshot { text: None, objects: (0..300).map(node).collect() };
    });
    let document = Document::parse(&xml).expect("markup");
    let before = with_class(document.root(), "before")[0];
    assert!(text(before).contains("252 more objects are not drawn"), "{}", text(before));
    assert_eq!(with_class(before, "curve").len(), 0);
    let number = |n: Node, name: &str| n.attribute(name).and_then(|v| v.parse::<f64>().ok()).expect("a number");
    let boxes: Vec<[f64; 4]> =
        with_class(before, "box").iter().map(|b| ["x", "y", "width", "height"].map(|a| number(*b, a))).collect();
    assert_eq!(boxes.len(), 48);
    let svg = before.descendants().find(|n| n.has_tag_name("svg")).expect("a drawing");
    for (i, [x, y, w, h]) in boxes.iter().enumerate() {
        assert!(*x >= 0.0 && *y >= 0.0 && x + w < number(svg, "width") && y + h < number(svg, "height"));
        for [a, b, c, d] in &boxes[..i] {
            assert!(a + c <= *x || x + w <= *a || b + d <= *y || y + h <= *b, "two boxes overlap");
        }
    }
}

#[test]
fn cycles_and_strange_heaps_are_drawn_once() {
    let object = |k: usize, to: &[usize], is_array| SnapshotObject {
        name: format!("o{k}"),
        class: "C".into(),
        fields: to
            .iter()
            .enumerate()
            .map(|(f, t)| SnapshotField {
                name: f.to_string(),
                value: SnapshotValue::Object(*t),
                is_tree: f == 0,
                is_changed: f == 1,
            })
            .collect(),
        is_array,
        is_new: false,
    };
    for shape in [
        vec![object(0, &[0, 0], false)],
        vec![object(0, &[1], false), object(1, &[0, 0, 1], true)],
        vec![object(0, &[], false), object(1, &[2], false), object(2, &[1, 0], false)],
    ] {
        let count = shape.len();
        let xml = page_of(Kit::class, |subject| {
            let Some(Example::Heap(heap)) = &mut subject.items[0].failures[0].example else { panic!("a heap") };
            heap.before = Snapshot { text: None, objects: shape };
        });
        let document = Document::parse(&xml).expect("markup");
        assert_eq!(with_class(with_class(document.root(), "before")[0], "object").len(), count);
        assert!(!xml.contains("NaN") && !xml.contains("inf"), "{xml}");
    }
}

#[test]
fn derivations_are_drawn_to_a_limit() {
    let xml = page_of(Kit::language, |_| {});
    let document = Document::parse(&xml).expect("markup");
    let judgments = |d: &Document| with_class(d.root(), "judgment").len();
    assert_eq!(judgments(&document), 3);
    let deep =
        (0..5000).fold(Derivation { conclusion: "0".into(), rule: "R".into(), premises: Vec::new() }, |below, k| {
            Derivation { conclusion: k.to_string(), rule: "R".into(), premises: vec![below] }
        });
    let xml = page_of(Kit::language, |subject| {
        let Some(Example::Program(program)) = &mut subject.items[0].failures[0].example else { panic!("a program") };
        program.derivations = vec![deep];
    });
    let document = Document::parse(&xml).expect("markup");
    assert_eq!(judgments(&document), 70);
    assert!(xml.contains('⋮'));
}

/// Two rules that lead to two programs are a fork.
#[test]
fn steps_are_drawn_from_program_to_program() {
    let xml = page_of(Kit::language, |subject| {
        let Some(Example::Program(program)) = &mut subject.items[0].failures[0].example else { panic!("a program") };
        program.derivations.clear();
        let other = ProgramStep { after: "other".into(), rule: "E-Other".into(), ..program.steps[0].clone() };
        program.steps.push(other);
    });
    let document = Document::parse(&xml).expect("markup");
    let objects: Vec<&str> =
        with_class(document.root(), "object").iter().filter_map(|o| o.attribute("data-name")).collect();
    assert_eq!(objects, ["if true then zero else true", "zero", "stuck", "other"]);
    let labels: Vec<String> = with_class(document.root(), "edge-label").iter().map(|l| text(*l)).collect();
    assert_eq!(labels, ["E-If", "E-Other", "E-If"]);
}

#[test]
fn sets_show_who_came_and_who_left() {
    let xml = page_of(Kit::module, |_| {});
    let document = Document::parse(&xml).expect("markup");
    let sets: Vec<(String, usize, usize, usize)> = with_class(document.root(), "set")
        .iter()
        .map(|s| {
            let count = |class| with_class(*s, class).iter().filter(|n| n.has_tag_name("circle")).count();
            (s.attribute("data-name").unwrap_or("").to_string(), count("member"), count("came"), count("left"))
        })
        .collect();
    let expected = [("Live", 2, 0, 0), ("Free", 1, 0, 0), ("Live", 2, 0, 1), ("Free", 2, 1, 0)];
    assert_eq!(sets, expected.map(|(n, a, b, c)| (n.to_string(), a, b, c)));
}

#[test]
fn many_sets_are_drawn_without_the_empty_ones() {
    let xml = page_of(Kit::module, |subject| {
        let Some(Example::Sets(sets)) = &mut subject.items[0].failures[0].example else { panic!("sets") };
        let empty = |k: usize| Change { name: format!("Empty{k}"), entry: Vec::new(), now: Vec::new() };
        sets.sets.extend((0..5).map(empty));
    });
    let document = Document::parse(&xml).expect("markup");
    assert_eq!(with_class(document.root(), "set").len(), 4);
    assert!(text(document.root()).contains("Empty at entry and now: Empty0 Empty1 Empty2 Empty3 Empty4"));
}

#[test]
fn what_is_wrong_is_linked_at_the_top() {
    let mut kit = Kit::new(Texts::Plain);
    let mut report = kit.report();
    // Nothing to do at one size, verified at another one.
    let mut vacuous = report.subjects[0].items[1].clone();
    (vacuous.verdict, vacuous.reasons) = (Verdict::Unknown, vec![Reason::NoState]);
    report.subjects[0].items.push(vacuous);
    let page = markup(&render(&kit, &report));
    let document = Document::parse(&page).expect("markup");
    let nav = with_class(document.root(), "troubles")[0];
    let links: Vec<&str> = nav.descendants().filter_map(|n| n.attribute("href")).collect();
    assert_eq!(links, ["#i1", "#i3", "#i5", "#i8", "#i9", "#i10"]);
}

#[test]
fn values_have_their_misfits_marked() {
    let xml = page_of(Kit::program, |_| {});
    let document = Document::parse(&xml).expect("markup");
    let marked: Vec<String> = with_class(document.root(), "misfit").iter().map(|m| text(*m)).collect();
    assert_eq!(marked, ["{2", "\"n\": null1"]);
    assert!(xml.contains("123456789012345678901234567890"));
}

#[test]
fn nothing_checked_is_said() {
    let kit = Kit::new(Texts::Plain);
    let page = render(&kit, &Report::default());
    assert!(page.contains("Nothing was checked."));
    Document::parse(&markup(&page)).expect("markup");
}
