//! What the nodes of a tree hold over tree fields that do not lead on in the tree: an object of each node's own, in all engines and shapes.

use crate::{items, java_file, object, run};

/// Per operation its verdict, and how many states the answer covers. By both engines and in both shapes.
fn check(name: &str, size: u32, text: &str, expected: &[(&str, &str)]) {
    let file = java_file(name, text);
    for shape in ["complete", "any"] {
        let by = |engine: &str| {
            let report =
                object(&run(&format!("{file} --size {size} --class {name} --shape {shape} --engine {engine} --json")));
            let text = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_string();
            let all = items(&report).into_iter().map(|i| (text(&i["name"]), text(&i["verdict"]), i["covered"].clone()));
            all.collect::<Vec<_>>()
        };
        let found = by("glassbox --certify");
        assert_eq!(found, by("exhaustive"), "{name} {shape}");
        let verdicts: Vec<(&str, &str)> = found.iter().map(|(n, v, _)| (n.as_str(), v.as_str())).collect();
        assert_eq!(verdicts, expected, "{name} {shape}");
    }
}

/// It was null in every start state.
#[test]
fn an_object_of_a_node() {
    let text = "class Item { @Range(\"0..2\") int v; }
        class Node { @Tree Item held; @Tree Node next; }
        public class Items {
            @Tree Node first;
            @Declarative boolean repOk() { return true; }
            public void any() { for (Node n = first; n != null; n = n.next) if (n.held != null) n.held.v = 1; }
            public void held() { assert first == null || first.held == null; }
            public void second() { assert first == null || first.next == null || first.next.held == null || first.next.held.v != 2; }
            public void last() { assert first == null || first.next == null || first.next.next == null; }
            public void shared() { if (first != null && first.next != null) first.held = first.next.held; }
        }";
    let verdicts = [
        ("any()", "verified"),
        ("held()", "violated"),
        ("second()", "violated"),
        ("last()", "verified"),
        ("shared()", "violated"),
        ("Items()", "verified"),
    ];
    check("Items", 2, text, &verdicts);
}

/// The class that a type parameter stands for, and no other one.
#[test]
fn a_type_parameter() {
    let text = "class Item { @Range(\"0..2\") int v; @Tree Item next; }
        class Other { @Range(\"0..1\") int w; }
        class Box<T> { @Tree T held; @Tree Box<T> more; }
        public class Boxes {
            @Tree @NonNull Box<Item> items = new Box<Item>();
            @Tree Box<Other> others;
            @Declarative boolean repOk() { return true; }
            public int item() { Item i = items.held; return i == null ? 0 : i.v; }
            public int other() { Other o = others == null ? null : others.held; return o == null ? 0 : o.w; }
            public void next() { Item i = items.held; assert i == null || i.next == null; }
            public void more() { assert items.more == null; }
            public void big() { assert others == null || others.held == null || others.held.w == 0; }
        }";
    let verdicts = [
        ("item()", "verified"),
        ("other()", "verified"),
        ("next()", "violated"),
        ("more()", "violated"),
        ("big()", "violated"),
        ("Boxes()", "verified"),
    ];
    check("Boxes", 4, text, &verdicts);
    let numbers = "class Box<T> { @Tree T held; @Tree Box<T> more; }
        public class Numbers {
            @Tree Box<Integer> first;
            @Declarative boolean repOk() { return true; }
            public int get() { return first == null || first.held == null ? 0 : first.held; }
            public void one() { assert first == null || first.held == null || first.held != 1; }
        }";
    check("Numbers", 2, numbers, &[("get()", "verified"), ("one()", "violated"), ("Numbers()", "verified")]);
}

/// The root says less than the nodes below it: a leaf is below an inner node only.
#[test]
fn leaves_below_a_root_that_is_none() {
    let text = "abstract class Term { }
        class Leaf extends Term { @Range(\"0..1\") int v; }
        class Sum extends Term { @Tree Term left, right; }
        public class Terms {
            @Tree Sum root;
            @Declarative boolean repOk() { return true; }
            public void leaf() { assert root == null || !(root.left instanceof Leaf); }
            public void sum() { assert root == null || !(root.left instanceof Sum); }
            public void root() { Object o = root; assert !(o instanceof Leaf); }
        }";
    let verdicts = [("leaf()", "violated"), ("sum()", "violated"), ("root()", "verified"), ("Terms()", "verified")];
    check("Terms", 2, text, &verdicts);
}

/// With `--shape any`, too, what is not null is not null.
#[test]
fn a_root_that_is_not_null() {
    let text = "class Node { @Tree Node next; }
        public class Rooted {
            @Tree @NonNull Node first = new Node();
            @Declarative boolean repOk() { return true; }
            public void used() { first.next = first.next; }
            public void lost() { assert first.next == null; }
        }";
    check("Rooted", 2, text, &[("used()", "verified"), ("lost()", "violated"), ("Rooted()", "verified")]);
}

/// A node whose children may not be null is nowhere where there is no room for them.
#[test]
fn children_that_are_not_null() {
    let text = "abstract class Term { }
        class Leaf extends Term { @Range(\"0..1\") int v; }
        class Sum extends Term { @Tree @NonNull Term left = new Leaf(), right = new Leaf(); }
        public class Sums {
            @Tree Term root;
            @Declarative boolean repOk() { return true; }
            public void used() { if (root instanceof Sum s) assert s.left != null && s.right != null; }
            public void sum() { assert !(root instanceof Sum); }
        }";
    check("Sums", 2, text, &[("used()", "verified"), ("sum()", "verified"), ("Sums()", "verified")]);
    check("Sums", 3, text, &[("used()", "verified"), ("sum()", "violated"), ("Sums()", "verified")]);
    check("Sums", 5, text, &[("used()", "verified"), ("sum()", "violated"), ("Sums()", "verified")]);
}
