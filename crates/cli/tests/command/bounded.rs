//! Modules with the plugin `bounded`: what is verified up to the bound, what is refuted with an example, what is left open.

use crate::{glassbox, redacted, root};
use expect_test::{Expect, expect};

/// One of the modules that the tests of `hob` use, with something replaced in one of its files.
fn check(module: &str, (text, instead): (&str, &str), more: &[&str], expected: Expect) {
    let from = root().join("crates/hob/tests/bounded/modules");
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
            HashTable  bounded, all heaps with at most 3 objects of each type, arrays of at most 3 elements, integers from -1 to 3
              ✓ the start of HashTable  verified, 1 state  [time]
              ✓ a new Entry             verified, 1 state  [time]
              ✓ bucketOf                verified, at its calls  [time]
              ✓ add                     verified, 18 states  [time]
              ✓ remove                  verified, 16 states  [time]
              ✓ contains                verified, 31 states  [time]
              ✓ clear                   verified, 1 state  [time]

            7 verified up to the bound
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
        List  bounded, all heaps with at most 4 objects of each type, arrays of at most 4 elements, integers from -1 to 4
          ✗ remove  violated, 2 states  [time]

        error[ensures-violated]: List.remove does not ensure what it promises
          --> FOLDER/list.sl:13:17
           |
        13 |         ensures Content' = Content - e;
           |                 ^^^^^^^^^^^^^^^^^^^^^^ Content = {Entry#1, Entry#2, Entry#3}, Content' = {Entry#1}, e = {Entry#2}
           |
           = help: change the body, or the `ensures` clause

                  List: module  root=Entry#1 Content={Entry#1, Entry#2, Entry#3}
                  Entry#1  next=Entry#2
                  Entry#2  next=Entry#3
                  Entry#3  next=null

              remove(Entry#2)  → broke its contract

                ~ List: module  root=Entry#1 Content={Entry#1} (was {Entry#1, Entry#2, Entry#3})
                ~ Entry#1  next=null (was Entry#2)
                ~ Entry#2  next=null (was Entry#3)
                  Entry#3  next=null

        1 violated
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
        ArraySet  bounded, all heaps with at most 2 objects of each type, arrays of at most 2 elements, integers from -2 to 3
          ✓ the start of ArraySet  verified, 1 state  [time]
          ✓ a new Cell             verified, 1 state  [time]
          ✓ add                    verified, 5 states  [time]
          ? indexOf                unknown, at its calls  [time]

        warning[hob-unknown]: not decided: it is checked at its calls, and ArraySet.remove is not verified
          --> FOLDER/arrayset.fl:23:18
           |
        23 |     private proc indexOf(c : Cell) returns index : int {
           |                  ^^^^^^^

          ✗ remove                 violated, 1 state  [time]

        error[index-out-of-bounds]: index 1 is outside of the array, whose length is 1
          --> FOLDER/arrayset.fl:26:19
           |
        26 |             if (d[i + 1] == c) {
           |                   ^^^^^
        ...
        35 |         int i = indexOf(c);
           |                 ---------- ArraySet.indexOf was called here

                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

              remove(Cell#1)  → stopped by an error

                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

          ✗ contains               violated, 1 state  [time]

        error[index-out-of-bounds]: index 1 is outside of the array, whose length is 1
          --> FOLDER/arrayset.fl:26:19
           |
        26 |             if (d[i + 1] == c) {
           |                   ^^^^^
        ...
        42 |         return indexOf(c) >= 0;
           |                ---------- ArraySet.indexOf was called here

                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

              contains(Cell#1)  → stopped by an error

                  ArraySet: module  d=[Cell#1] size=1 Content={Cell#1}
                  Cell#1

          ✓ clear                  verified, 1 state  [time]

        4 verified up to the bound, 2 violated, 1 unknown
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
        List  bounded, all heaps with at most 1 object of each type, arrays of at most 1 element, integers from -1 to 1
          ✓ the start of List  verified, 1 state  [time]
          ✗ a new Entry        violated, 1 state  [time]

        error[hob-new-object]: a new Entry is in `Content` from the beginning, whoever makes it
         --> FOLDER/list.al:3:5
          |
        3 |     Content = { x : Entry | "root<next*>x | (root != null & x.next = null)" };
          |     ^^^^^^^ depends on objects whose fields are 0, false and null
          |
          = help: other modules make objects at any time: only what this module did to one may put it into a set

                  List: module  root=Entry#1 Content={Entry#1}
                  Entry#1  next=null

              new Entry()

                ~ List: module  root=Entry#1 Content={Entry#1, Entry#2} (was {Entry#1})
                  Entry#1  next=null
                + Entry#2  next=null

          ✓ add                verified, 1 state  [time]
          ✓ remove             verified, 1 state  [time]
          ✓ contains           verified, 2 states  [time]
          ✓ isEmpty            verified, 1 state  [time]
          ✓ getFirst           verified, 1 state  [time]
          ✓ removeFirst        verified, 1 state  [time]
          ✓ clear              verified, 1 state  [time]

        8 verified up to the bound, 1 violated
        exit 1
    "#]],
    );
}
