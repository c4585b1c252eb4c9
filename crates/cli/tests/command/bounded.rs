//! Modules with the plugin `bounded`: what is verified up to the bound, what is refuted with an example, what is left open.

use crate::{glassbox, redacted, root};
use expect_test::{Expect, expect};

/// One of the modules that the tests of `hob` use, with something replaced in one of its files.
fn check(module: &str, (text, instead): (&str, &str), more: &[&str], expected: Expect) {
    let from = root().join("crates/hob/tests/modules");
    let folder = std::env::temp_dir().join(format!("glassbox-bounded-{}-{module}-{}", std::process::id(), text.len()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut paths = Vec::new();
    for end in ["fl", "sl", "al"] {
        let name = format!("{module}.{end}");
        let content = std::fs::read_to_string(from.join(&name)).expect("a file");
        std::fs::write(folder.join(&name), content.replacen(text, instead, 1)).expect("a file");
        paths.push(folder.join(&name).to_str().expect("a name").to_string());
    }
    let arguments: Vec<&str> =
        ["check"].into_iter().chain(paths.iter().map(String::as_str)).chain(more.iter().copied()).collect();
    let ran = glassbox(&arguments);
    let said = format!("{}{}exit {}\n", redacted(&ran.stdout), ran.stderr, ran.status);
    let here = folder.to_str().expect("a name").to_string();
    std::fs::remove_dir_all(&folder).expect("a folder");
    expected.assert_eq(&said.replace(&here, "FOLDER"));
}

#[test]
fn a_right_module() {
    check(
        "hashtable",
        ("proc", "proc"),
        &["--size", "3"],
        expect![[r#"
            HashTable (bounded): all heaps with at most 3 objects of each type, arrays of at most 3 elements, integers from -1 to 3
              ✓ the start of HashTable  verified, 1 state run  [time]
              ✓ a new Entry             verified, 1 state run  [time]
              ✓ add                     verified, 18 states run  [time]
              ✓ remove                  verified, 16 states run  [time]
              ✓ contains                verified, 31 states run  [time]
              ✓ clear                   verified, 1 state run  [time]
              ✓ bucketOf                verified  [time]
                checked at its calls

            module     plugin   proved   rests on
            HashTable  bounded  up to 3
            no program to start: there is no main

            7 procedures verified on all heaps with at most 3 objects of each type, arrays of at most 3 elements, integers from -1 to 3
            exit 0
        "#]],
    );
}

#[test]
fn the_smallest_example() {
    check(
        "list",
        ("previous.next = e.next;", "previous.next = null;"),
        &["--proc", "remove"],
        expect![[r#"
            List (bounded): all heaps with at most 4 objects of each type, arrays of at most 4 elements, integers from -1 to 4
              ✗ remove  violated at bound 3, 2 states run  [time]

              before
                  List: module  root=Entry#1 Content={Entry#1, Entry#2, Entry#3}
                  Entry#1  next=Entry#2
                  Entry#2  next=Entry#3
                  Entry#3  next=null

                remove(Entry#2)  → broke its contract

              after
                ~ List: module  root=Entry#1 Content={Entry#1} (was {Entry#1, Entry#2, Entry#3})
                ~ Entry#1  next=null (was Entry#2)
                ~ Entry#2  next=null (was Entry#3)
                  Entry#3  next=null

            error[ensures-violated]: List.remove does not ensure what it promises
              --> FOLDER/list.sl:13:17
               |
            13 |         ensures Content' = Content - e;
               |                 ^^^^^^^^^^^^^^^^^^^^^^ Content = {Entry#1, Entry#2, Entry#3}, Content' = {Entry#1}, e = {Entry#2}
               |
               = help: change the body, or the `ensures` clause

            1 procedure violated
            exit 1
        "#]],
    );
}

#[test]
fn a_private_procedure_is_checked_at_its_calls() {
    check(
        "arrayset",
        ("if (d[i] == c)", "if (d[i + 1] == c)"),
        &["--size", "2"],
        expect![[r#"
            ArraySet (bounded): all heaps with at most 2 objects of each type, arrays of at most 2 elements, integers from -2 to 3
              ✓ the start of ArraySet  verified, 1 state run  [time]
              ✓ a new Cell             verified, 1 state run  [time]
              ✓ add                    verified, 5 states run  [time]
              ✗ remove                 violated at bound 1, 1 state run  [time]

              before
                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

                remove(Cell#1)  → stopped by an error

              after
                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

            error[index-out-of-bounds]: index 1 is outside of the array, whose length is 1
              --> FOLDER/arrayset.fl:26:19
               |
            26 |             if (d[i + 1] == c) {
               |                   ^^^^^
            ...
            35 |         int i = indexOf(c);
               |                 ---------- ArraySet.indexOf was called here

              ✗ contains               violated at bound 1, 1 state run  [time]

              before
                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

                contains(Cell#1)  → stopped by an error

              after
                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

            error[index-out-of-bounds]: index 1 is outside of the array, whose length is 1
              --> FOLDER/arrayset.fl:26:19
               |
            26 |             if (d[i + 1] == c) {
               |                   ^^^^^
            ...
            42 |         return indexOf(c) >= 0;
               |                ---------- ArraySet.indexOf was called here

              ✓ clear                  verified, 1 state run  [time]
              ? indexOf                unknown  [time]
                checked at its calls

            warning[caller-not-verified]: not decided: it is checked at its calls, and ArraySet.remove is not verified
              --> FOLDER/arrayset.fl:23:18
               |
            23 |     private proc indexOf(c : Cell) returns index : int {
               |                  ^^^^^^^

            module    plugin   proved    rests on
            ArraySet  bounded  violated
            no program to start: there is no main

            2 procedures violated, 1 unknown, 4 verified
            exit 1
        "#]],
    );
}

#[test]
fn a_set_that_new_objects_are_in() {
    let (right, wrong) = ("\"root<next*>x\"", "\"root<next*>x | (root != null & x.next = null)\"");
    check(
        "list",
        (right, wrong),
        &["--size", "1"],
        expect![[r#"
            List (bounded): all heaps with at most 1 object of each type, arrays of at most 1 element, integers from -1 to 1
              ✓ the start of List  verified, 1 state run  [time]
              ✗ a new Entry        violated at bound 1, 1 state run  [time]

              before
                  List: module  root=Entry#1 Content={Entry#1}
                  Entry#1  next=null

                new Entry()

              after
                ~ List: module  root=Entry#1 Content={Entry#1, Entry#2} (was {Entry#1})
                  Entry#1  next=null
                + Entry#2  next=null

            error[hob-new-object]: a new Entry is in `Content` from the beginning, whoever makes it
             --> FOLDER/list.al:3:5
              |
            3 |     Content = { x : Entry | "root<next*>x | (root != null & x.next = null)" };
              |     ^^^^^^^ depends on objects whose fields are 0, false and null
              |
              = help: other modules make objects at any time: only what this module did to one may put it into a set

              ✓ add                verified, 1 state run  [time]
              ✓ remove             verified, 1 state run  [time]
              ✓ contains           verified, 2 states run  [time]
              ✓ isEmpty            verified, 1 state run  [time]
              ✓ getFirst           verified, 1 state run  [time]
              ✓ removeFirst        verified, 1 state run  [time]
              ✓ clear              verified, 1 state run  [time]

            module  plugin   proved   rests on
            List    bounded  up to 1
            no program to start: there is no main

            1 procedure violated, 8 verified
            exit 1
        "#]],
    );
}
