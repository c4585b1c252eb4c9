//! Which engine answers, and that a refusal of one is not the last word.

use crate::{check, java_file, run};
use expect_test::expect;

/// The glass box cannot translate a loop whose numbers have no bound; there are six states.
#[test]
fn what_the_glass_box_refuses_is_run_one_by_one() {
    check(
        "crates/cli/tests/race/Collatz.java --method step",
        expect![[r#"
            Collatz, size 4: every state within the bounds of size 4
              ✓ step()  verified, 6 states run one by one, covering 6 states  [time]

            1 operation verified on every state within the bounds of size 4
            exit 0
        "#]],
    );
    let alone = run("crates/cli/tests/race/Collatz.java --method step --engine glassbox");
    assert_eq!(alone.status, 2, "{}", alone.stdout);
    assert!(alone.stderr.contains("more than 4096 calls or iterations deep"), "{}", alone.stderr);
    let bad = run("crates/cli/tests/race/Collatz.java --method reset --json");
    let bad = crate::object(&bad);
    assert_eq!((&crate::items(&bad)[0]["verdict"], &bad["exit_status"]), (&"violated".into(), &1.into()));
    let good = run("crates/cli/tests/race/Collatz.java --method step --json");
    assert_eq!(crate::items(&crate::object(&good))[0]["engine"], "exhaustive");
    let plain = run("examples/java/stack/Stack.java --json");
    assert_eq!(crate::items(&crate::object(&plain))[0]["engine"], "glassbox");
}

/// Code that is not supported and that a run reaches stays a refusal, whoever runs it.
#[test]
fn what_a_run_reaches_is_not_hidden() {
    let ran = run("crates/cli/tests/race/ReachedBySome.java");
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("String.length"), "{}", ran.stderr);
}

/// A violation counts, though its answer may come only after a later path got to what is not supported.
#[test]
fn a_violation_before_what_is_not_supported() {
    let file = java_file(
        "Before",
        "public class Before {
            @Range(\"0..9\") int x;
            void op() { if (x > 5) x = -1; else x = String.valueOf(x).length(); }
            @Declarative boolean repOk() { return x >= 0; }
        }",
    );
    for _ in 0..5 {
        let ran = run(&format!("{file} --size 1 --engine glassbox"));
        assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    }
}
