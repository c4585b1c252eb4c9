//! Patterns (JLS 14.11, 14.30, of Java 21): in `switch`, of records, with guards. Each operation throws where the answer by patterns is
//! not the one by `instanceof` and casts. (The `javac` that CI has is older.)

use crate::{items, object, run};
use std::collections::BTreeMap;

const SHAPES: &str = r#"public class Shapes {
    sealed interface Shape permits Circle, Square, Pair, Empty {}
    record Circle(@Range("0..3") int r) implements Shape {}
    record Square(@Range("0..2") int side, boolean filled) implements Shape {}
    record Pair(@Tree Shape left, @Tree Shape right) implements Shape {}
    enum Empty implements Shape { NONE, SOME }
    sealed interface Nest<T> {}
    record Leaf<T>(T value) implements Nest<T> {}
    record Fork<T>(@Tree Nest<T> a, @Tree Nest<T> b) implements Nest<T> {}
    enum Colour { RED, GREEN, BLUE }

    @Tree Shape shape;
    @Tree Nest<@Range("0..2") Integer> tree;
    Colour colour;
    @OneOf({String.class, Integer.class}) Object any;

    // By patterns.
    static int area(Shape s) {
        return switch (s) {
            case null -> -1;
            case Circle c when c.r() == 0 -> 0;
            case Circle(int r) -> 3 * r * r;
            case Square(var side, boolean filled) when filled -> side * side;
            case Square q -> q.side();
            case Pair(Circle(var a), Circle(int b)) -> 3 * (a + b);
            case Pair(Pair p, var other) -> area(p) + area(other);
            case Pair(Shape left, Shape right) -> area(left) + area(right);
            case Empty e -> e == Empty.NONE ? 7 : 8;
        };
    }
    static int byIf(Shape s) {
        if (s == null) return -1;
        if (s instanceof Circle c) return c.r() == 0 ? 0 : 3 * c.r() * c.r();
        if (s instanceof Square q) return q.filled() ? q.side() * q.side() : q.side();
        if (s instanceof Pair p) {
            if (p.left() instanceof Circle a && p.right() instanceof Circle b) return 3 * (a.r() + b.r());
            return byIf(p.left()) + byIf(p.right());
        }
        return s == Empty.NONE ? 7 : 8;
    }
    static int sum(Nest<Integer> t) {
        switch (t) {
            case null: return 0;
            case Leaf<Integer>(Integer v) when v == null: return 100;
            case Leaf<Integer>(var v): return v;
            case Fork(var a, var b): {
                int left = sum(a);
                return left + sum(b);
            }
        }
    }
    static int sumByIf(Nest<Integer> t) {
        if (t == null) return 0;
        if (t instanceof Leaf<Integer> l) return l.value() == null ? 100 : l.value();
        Fork<Integer> f = (Fork<Integer>) t;
        return sumByIf(f.a()) + sumByIf(f.b());
    }
    static int raw(Nest<Integer> t) {
        int found = 0;
        switch (t) {
            case Leaf(var v) -> { if (v != null) found = v + 1; }
            case Fork(Leaf(var v), Leaf(var w)) when v != null && w != null && v > w -> found = v - w;
            case Fork<Integer> f -> found = 50;
            case null, default -> found = 9;
        }
        return found;
    }
    static int rawByIf(Nest<Integer> t) {
        if (t instanceof Leaf<Integer> l) return l.value() == null ? 0 : l.value() + 1;
        if (t instanceof Fork<Integer> f) {
            if (f.a() instanceof Leaf<Integer> a && f.b() instanceof Leaf<Integer> b && a.value() != null && b.value() != null && a.value() > b.value())
                return a.value() - b.value();
            return 50;
        }
        return 9;
    }
    static String name(Colour c) {
        return switch (c) {
            case null -> "none";
            case RED -> "red";
            case GREEN, BLUE -> "other";
        };
    }
    static int kind(Object o) {
        return switch (o) {
            case String s when s.equals("x") -> 1;
            case String s -> 2;
            case Integer i when i > 1 -> 3;
            case Integer i -> 4;
            case null -> 5;
            default -> 6;
        };
    }
    static int kindByIf(Object o) {
        if (o == null) return 5;
        if (o instanceof String s) return s.equals("x") ? 1 : 2;
        if (o instanceof Integer i) return i > 1 ? 3 : 4;
        return 6;
    }
    static boolean isPairOfZeros(Shape s) {
        return s instanceof Pair(Circle(var a), Circle(var b)) && a == 0 && b == 0;
    }

    void areas() { if (area(shape) != byIf(shape)) throw new IllegalStateException(); }
    void sums() { if (sum(tree) != sumByIf(tree)) throw new IllegalStateException(); }
    void raws() { if (raw(tree) != rawByIf(tree)) throw new IllegalStateException(); }
    void names() { if (!name(colour).equals(colour == null ? "none" : colour == Colour.RED ? "red" : "other")) throw new IllegalStateException(); }
    void kinds() { if (kind(any) != kindByIf(any)) throw new IllegalStateException(); }
    void zeros() {
        boolean is = shape instanceof Pair p && p.left() instanceof Circle a && p.right() instanceof Circle b && a.r() == 0 && b.r() == 0;
        if (is != isPairOfZeros(shape)) throw new IllegalStateException();
    }

    @Declarative static boolean isSmall(Shape s) {
        return switch (s) {
            case null -> true;
            case Circle(int r) -> r < 3;
            case Pair(var a, Shape b) -> isSmall(a) && isSmall(b);
            case Square(int side, _) -> side != 1;
            case Empty e -> true;
        };
    }
    @Declarative boolean repOk() { return isSmall(shape); }
}
"#;

/// The verdicts by operation.
fn verdicts(text: &str, arguments: &str) -> BTreeMap<String, String> {
    let ran = run(&format!("{} {arguments} --json", crate::java_file("Shapes", text)));
    let verdict =
        |i: serde_json::Value| (i["name"].as_str().map(str::to_string), i["verdict"].as_str().map(str::to_string));
    items(&object(&ran)).into_iter().map(verdict).map(|(n, v)| (n.unwrap_or_default(), v.unwrap_or_default())).collect()
}

#[test]
fn patterns_say_what_instanceof_says() {
    for arguments in ["--size 3 --engine glassbox", "--size 1 --engine exhaustive"] {
        let found = verdicts(SHAPES, arguments);
        assert_eq!(found.len(), 7, "{found:?}");
        assert!(found.values().all(|verdict| verdict == "verified"), "{arguments}: {found:?}");
    }
}

/// One wrong case at a time: it is seen in the operation that compares it, and in no other.
#[test]
fn a_wrong_case_is_seen() {
    for (right, wrong, operation) in [
        ("case Circle c when c.r() == 0 -> 0;", "case Circle c when c.r() == 0 -> 1;", "areas()"),
        ("boolean filled) when filled ->", "boolean filled) when !filled ->", "areas()"),
        ("-> 3 * (a + b);", "-> 3 * (a + a);", "areas()"),
        ("            case Square q -> q.side();\n", "", "areas()"),
        ("case null: return 0;", "case null: return 1;", "sums()"),
        ("            case null: return 0;\n", "", "sums()"),
        ("case Leaf<Integer>(Integer v) when v == null: return 100;", "", "sums()"),
        ("case null, default -> found = 9;", "default -> found = 9;", "raws()"),
        ("&& v > w -> found", "&& w > v -> found", "raws()"),
        ("case GREEN, BLUE ->", "case BLUE ->", "names()"),
        ("case Integer i when i > 1 -> 3;", "case Integer i when i > 0 -> 3;", "kinds()"),
        (
            "s instanceof Pair(Circle(var a), Circle(var b)) && a == 0",
            "s instanceof Pair(Circle(var a), Circle(var b)) && a >= 0",
            "zeros()",
        ),
    ] {
        assert_eq!(SHAPES.matches(right).count(), 1, "{right}");
        let found = verdicts(&SHAPES.replace(right, wrong), "--size 3 --engine glassbox");
        let violated: Vec<&str> = found.iter().filter(|(_, v)| *v == "violated").map(|(n, _)| &**n).collect();
        assert_eq!(violated, [operation], "{wrong}: {found:?}");
    }
}

/// What matches nothing is an error of the invariant there: such states are none.
#[test]
fn a_case_that_is_missing_in_an_invariant() {
    let text = SHAPES.replace("            case Empty e -> true;\n", "");
    let covered = |text: &str| {
        let ran =
            run(&format!("{} --method zeros --size 1 --engine exhaustive --json", crate::java_file("Shapes", text)));
        items(&object(&ran))[0]["work"]["states_run"].as_u64().expect("a number")
    };
    let (all, without) = (covered(SHAPES), covered(&text));
    assert!(without > 0 && all > without, "{all} {without}");
}

#[test]
fn patterns_that_javac_would_not_take() {
    for (right, wrong, message) in [
        ("case Pair(Shape left, Shape right) ->", "case Pair(Shape left) ->", "`Pair` has 2 parts, not 1"),
        ("case Circle(int r) -> 3 * r * r;", "case Shape(int r) -> 3;", "`Shape` is not a record"),
        ("case Circle(int r) -> 3 * r * r;", "case Leaf(var r) -> 3;", "a `Shapes.Shape` is never a `Shapes.Leaf"),
        ("case null: return 0;", "case null: t = null;", "a case that goes on into the next one"),
    ] {
        assert_eq!(SHAPES.matches(right).count(), 1, "{right}");
        let ran = run(&format!("{} --size 1", crate::java_file("Shapes", &SHAPES.replace(right, wrong))));
        assert!(ran.status == 2 && ran.stderr.contains(message), "{wrong}: {} {}", ran.stdout, ran.stderr);
    }
}

/// The way to it tells the cases that were tried.
#[test]
fn the_cases_on_the_way() {
    let text = SHAPES.replace("-> 3 * (a + b);", "-> 3 * (a + a);");
    let ran = run(&format!("{} --size 3 --method areas --engine glassbox", crate::java_file("Shapes", &text)));
    let way = ran.stdout.lines().skip_while(|l| l.trim() != "path").skip(1).take(7);
    let way: Vec<String> = way.map(|l| l.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "area(shape)",
        "null false",
        "Circle c when c.r() == 0 false",
        "Circle(int r) false",
        "Square(var side, boolean filled) when filled false",
        "Square q false",
        "Pair(Circle(var a), Circle(int b)) true",
    ];
    assert_eq!(way, expected);
}
