//! The page in a browser: one counterexample of each input, stepped through by keys and buttons, filtered, and looked at.

use crate::build::{Kit, Texts};
use serde_json::{Value, json};
use test_kit::browser::{STEP, see};

#[test]
fn paths_are_stepped_through() {
    let mut kit = Kit::new(Texts::Plain);
    let report = kit.report();
    let page = report::html::render(&kit.sources, &report, "1.2.3", "glassbox check");
    let Some(seen) = see(&page, STEP) else { return };
    let all = seen.as_array().expect("failures");
    // What the definition expects to fail is closed, and has a path of one step.
    let of = |kind: &str| all.iter().find(|f| f["kind"] == kind).unwrap_or_else(|| panic!("{kind}: {seen:#}"));
    assert_eq!(of("heap")["lines"], json!([[6], [7], [7], [6], [10], [3]]));
    assert_eq!(
        of("heap")["marks"],
        json!(["at != null", "key < at.key", "at = at.left", "at != null", "new Node(key)", "isOrdered(root)"])
    );
    assert_eq!(of("program")["lines"], json!([[4], [3], [5]]));
    assert_eq!(of("input")["lines"], json!([[2], [2]]));
    assert_eq!(of("input")["marks"], json!(["total", "o.price / 0"]));
    assert_eq!(of("sets")["lines"], json!([[5], [4]]));
    let drawn = |kind: &str| {
        let failure = of(kind);
        assert_eq!(failure["nodes"], failure["visible"], "{kind}");
        assert_eq!((&failure["focus"], &failure["first"]), (&json!(true), &failure["lines"][0]), "{kind}");
        [&failure["drawings"], &failure["nodes"]].map(Value::as_u64).map(|n| n.expect("a number"))
    };
    assert_eq!(["heap", "program", "input", "sets"].map(drawn), [[2, 7], [2, 6], [2, 2], [2, 17]]);
    assert_eq!(of("heap")["status"], "Step 1 of 6, line 6");
}

#[test]
fn filters_links_and_copies_work_and_nothing_breaks_out() {
    let mut kit = Kit::new(Texts::Markup);
    let report = kit.report();
    let page = report::html::render(&kit.sources, &report, "1.2.3", &kit.text("glassbox check"));
    let script = r#"
        const shown = () => Array.from(document.querySelectorAll('.item')).filter(i => i.offsetParent !== null).length;
        const counts = [shown()];
        for (const verdict of ['violated', 'unknown', 'verified', '']) {
          document.querySelector('[data-show="' + verdict + '"]').click();
          counts.push(shown());
        }
        const search = document.getElementById('search');
        const type = text => { search.value = text; search.dispatchEvent(new Event('input')); return shown(); };
        counts.push(type('PROGRESS'), type('no such name'));
        const none = !document.getElementById('none-left').hidden;
        type('');
        document.querySelector('[data-fold=close]').click();
        const closed = document.querySelectorAll('.item[open]').length;
        document.querySelector('[data-copy=command]').click();
        // A frame has to be opened by a link.
        location.hash = '#f1-1.4';
        dispatchEvent(new HashChangeEvent('hashchange'));
        const opened = document.querySelectorAll('.item[open]').length;
        const scripts = document.querySelectorAll('script').length, images = document.querySelectorAll('img').length;
        const wide = document.documentElement.scrollWidth > innerWidth;
        return { counts, none, closed, opened, at: document.getElementById('f1-1-walk').dataset.at, broken: 'broken' in window, scripts, images, wide };
    "#;
    let Some(seen) = see(&page, script) else { return };
    let expected = json!({
        "counts": [9, 5, 2, 2, 9, 1, 0], "none": true, "closed": 0, "opened": 1, "at": "4", "broken": false,
        "scripts": 2, "images": 0, "wide": false,
    });
    assert_eq!(seen, expected);
}
