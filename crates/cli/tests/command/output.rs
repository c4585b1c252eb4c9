//! What a person sees.

use crate::{check, redacted, run};
use expect_test::expect;

const SEARCH_TREE: &str = "examples/java/search-tree/SearchTree.java";
const BUG: &str = "examples/java/search-tree/bugs/02-equal-key-inserted-again/SearchTree.java";

#[test]
fn a_verified_class() {
    check(
        &format!("{SEARCH_TREE} --size 7 --certify"),
        expect![[r#"
            SearchTree, size 7: every tree within 7 places, height at most 3
              ✓ get(int)             verified, certified, 22 states run, covering about 6.9e8 states  [time]
              ✓ insert(int, Object)  verified, certified, 22 states run, covering about 3.4e9 states  [time]
              ✓ SearchTree()         verified, certified, 1 state run, covering 1 state  [time]

            3 operations verified on every tree within 7 places, height at most 3
            50 of 50 proofs checked by an LRAT checker
            exit 0
        "#]],
    );
}

#[test]
fn a_violated_class() {
    check(
        &format!("{BUG} --size 1"),
        expect![[r#"
            SearchTree, size 1: every tree within 1 place, height at most 1
              ✓ get(int)             verified, 4 states run, covering 21 states  [time]
              ✗ insert(int, Object)  violated, 2 states run  [time]

              before
                  this: SearchTree
                  └─ root: n0  key=0 value=null

                insert(0, null)  → returned

              after
                  this: SearchTree
                ~ └─ root: n0  key=0 value=null right→new1 (was null)
                +    └─ right: new1  key=0 value=null

              path
                  SearchTree.java:36  n != null             true
                  SearchTree.java:37  key < n.key           false
                  SearchTree.java:36  n != null             false
                  SearchTree.java:46  new Node(key, value)
                  SearchTree.java:47  parent == null        false
                  SearchTree.java:49  key < parent.key      false

            error[invariant]: the invariant `repOk` does not hold afterwards
              --> examples/java/search-tree/bugs/02-equal-key-inserted-again/SearchTree.java:63:13
               |
            63 |         if (low != null && low.key >= n.key) return false;
               |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this is the clause that broke

              ✓ SearchTree()         verified, 1 state run, covering 1 state  [time]

            1 operation violated, 2 verified
            exit 1
        "#]],
    );
}

#[test]
fn several_sizes_stop_at_the_smallest_violation() {
    check(
        "examples/java/search-tree/bugs/05-sibling-shared/SearchTree.java --size 1..8 --method insert",
        expect![[r#"
            SearchTree, size 1: every tree within 1 place, height at most 1
              ✓ insert(int, Object)  verified, 4 states run, covering 51 states  [time]

            SearchTree, size 2: every tree within 2 places, height at most 2
              ✓ insert(int, Object)  verified, 7 states run, covering 885 states  [time]

            SearchTree, size 3: every tree within 3 places, height at most 2
              ✗ insert(int, Object)  violated, 5 states run  [time]

              before
                  this: SearchTree
                  └─ root: n0  key=1 value=null
                     └─ right: n2  key=4 value=null

                insert(0, null)  → returned

              after
                  this: SearchTree
                ~ └─ root: n0  key=1 value=null left→new1 (was null)
                +    ├─ left:  new1  key=0 value=null
                     │  └─ right: n2  key=4 value=null
                     └─ right: ↺ n2 again

              path
                  SearchTree.java:36  n != null             true
                  SearchTree.java:37  n.key == key          false
                  SearchTree.java:40  key < n.key           true
                  SearchTree.java:36  n != null             false
                  SearchTree.java:49  new Node(key, value)
                  SearchTree.java:50  parent == null        false
                  SearchTree.java:52  key < parent.key      true

            error[invariant]: not a tree any more: n0.right and new1.right both lead to n2
              --> examples/java/search-tree/bugs/05-sibling-shared/SearchTree.java:10:20
               |
            10 |         @Tree Node right;
               |                    ^^^^^ part of the tree

            1 check violated, 2 verified
            exit 1
        "#]],
    );
}

#[test]
fn quiet_says_only_what_is_wrong() {
    check(
        &format!("{SEARCH_TREE} --size 3 --quiet"),
        expect![[r#"
        exit 0
    "#]],
    );
    check(
        &format!("{BUG} --size 1 --quiet"),
        expect![[r#"
            SearchTree.insert(int, Object), size 1: violated by insert(0, null): the invariant `repOk` does not hold afterwards
            exit 1
        "#]],
    );
}

#[test]
fn bounds_are_shown() {
    check(
        "examples/java/hash-map/HashMap.java --size 2 --method get --show-bounds",
        expect![[r#"
            bounds of HashMap.get(int) at size 2: every state with at most 2 nodes in its lists
              HashMap.table        an array of 16 elements: null or an object of its own
              HashMap.size         0..2
              class HashMap.Entry  at 32 places in trees                                  default
              HashMap.Entry.key    0..1
              HashMap.Entry.value  null or any of 8 opaque objects                        default
              HashMap.Entry.next   a tree edge
              get: key             0..1
              raw space: 7.6e50 assignments

            HashMap, size 2: every state with at most 2 nodes in its lists
              ✓ get(int)  verified, 4 states run, covering 20 states  [time]

            1 operation verified on every state with at most 2 nodes in its lists
            exit 0
        "#]],
    );
}

#[test]
fn nothing_is_verified_vacuously() {
    check(
        "crates/cli/tests/bad/NoState.java --method increment",
        expect![[r#"
            NoState, size 4: every state within the bounds of size 4
              ? increment()  unknown, 0 states run  [time]
                no state within the bounds satisfies the invariant and the precondition: nothing was checked

            1 operation unknown
            exit 3
        "#]],
    );
    check(
        "crates/cli/tests/bad/AllDropped.java",
        expect![[r#"
            AllDropped, size 4: every state within the bounds of size 4
              ? increment()   unknown, 0 states run  [time]
                every run was dropped by a precondition, an `assume` or a final state: nothing was checked
              ✓ AllDropped()  verified, 1 state run, covering 1 state  [time]

            1 operation unknown, 1 verified
            2 lines of `increment` were never reached; --coverage shows which
            exit 3
        "#]],
    );
}

#[test]
fn a_parameter_that_is_only_null() {
    check(
        "crates/cli/tests/bad/OnlyNull.java",
        expect![[r#"
            OnlyNull, size 4: every argument within the bounds of size 4
              ✓ OnlyNull(OnlyNull.Node)  verified, 1 state run, covering 1 state  [time]

            1 operation verified on every argument within the bounds of size 4
            warning[only-null]: `first` is only ever null here: its class has objects in trees alone
              --> crates/cli/tests/bad/OnlyNull.java:10:12
               |
            10 |     public OnlyNull(Node first) {
               |            ^^^^^^^^ there is no tree yet to take an argument from
               |
               = help: let it take what the nodes are made of, or check what it does in a method

            exit 0
        "#]],
    );
}

#[test]
fn a_size_without_work_is_no_matter_if_there_is_one_with() {
    let ran = run("examples/java/expression-language/ExpressionLanguage.java --size 1");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    let ran = run("examples/java/expression-language/ExpressionLanguage.java --size 1..4");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn a_run_without_end_is_unknown() {
    let ran = run("crates/cli/tests/bad/Endless.java --size 2 --max-steps 1000");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("Endless.java:8:9"), "{}", ran.stdout);
}

#[test]
fn time_that_runs_out_is_unknown() {
    let ran = run("examples/java/tree-map/TreeMap.java --size 127 --timeout 0.05");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("the time limit was reached"), "{}", ran.stdout);
}

#[test]
fn memory_that_runs_out_is_unknown() {
    let ran = run("examples/java/tree-map/TreeMap.java --size 127 --memory 1");
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("the memory limit was reached"), "{}", ran.stdout);
}

#[test]
fn colours_only_when_asked_for() {
    let ran = run(&format!("{BUG} --size 1"));
    assert!(!ran.stdout.contains('\u{1b}'));
    let colored = run(&format!("{BUG} --size 1 --color always")).stdout;
    assert!(colored.contains('\u{1b}'));
    let mut plain = String::new();
    let mut rest = colored.as_str();
    while let Some((before, escape)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = escape.split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let squeezed = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(squeezed(&redacted(&plain)), squeezed(&redacted(&ran.stdout)));
}
