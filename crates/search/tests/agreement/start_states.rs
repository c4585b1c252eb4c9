//! What start states hold by default: everything that the code can tell apart. Each class has operations whose names say
//! what must come out: `bad…` is violated, `good…` is verified, by every engine.

use crate::engines::{Answer, Engine, Subject, load};
use ir::interp::Linked;

#[track_caller]
fn check(size: i64, members: &str) {
    let text = format!("import glassbox.*; public class C {{ {members} }}");
    let loaded = load(&text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let subject = Subject::new(&linked, size);
    for operation in &loaded.checked[0].operations {
        for engine in Engine::ALL {
            if operation.kind == ir::OperationKind::Constructor {
                // One that nobody wrote: what it makes is not the matter here.
                continue;
            }
            let answer = subject.ask(engine, &loaded.checked[0], operation);
            let is_right = match operation.name.starts_with("bad") {
                true => matches!(answer, Answer::Violated(_)),
                false => answer == Answer::Verified,
            };
            assert!(is_right, "{}, {engine:?}: {answer:?}\n{text}", operation.name);
        }
    }
}

const ANY: &str = "@Declarative boolean repOk() { return true; }";

#[test]
fn an_object_is_what_the_code_asks_for() {
    check(
        3,
        &format!(
            "static class P {{ int v; }} static class Q {{ }} interface I {{ }} static class R implements I {{ }} Object o; {ANY}
             public void bad1() {{ assert !(o instanceof P); }}
             public void bad2() {{ if (o instanceof P) {{ P p = (P) o; assert p.v == 0; }} }}
             public void bad3(Object x) {{ assert !(x instanceof I); }}
             public void bad4(Object x) {{ assert !(x instanceof Integer); }}
             public void bad5(Object x) {{ assert !(x instanceof String); }}
             public void bad6(Object x) {{ assert x != this; }}
             public void bad7(Object x) {{ if (x instanceof Integer i) assert i < 2; }}
             public void bad8(Object x, Object y) {{ if (x instanceof P p && y instanceof P q && p != q) assert p.v != q.v; }}
             public void bad9(Object x) {{ Object y = x; assert keep(y) == null || !(keep(y) instanceof Q); }}
             public void bad10() {{ String s = (String) o; }}
             private Object keep(Object z) {{ return z; }}
             public void good1(Object x) {{ if (x instanceof P) assert !(x instanceof Q); }}
             public void good2(Object x) {{ if (x instanceof P p) assert p == x; }}
             public void good3(Object x) {{ if (x instanceof Integer i) assert x.equals(i); }}"
        ),
    );
}

/// What is compared by `==` where its type is `Object`, came there from a narrower one.
#[test]
fn an_object_is_what_it_is_compared_with() {
    check(
        2,
        &format!(
            "static class P {{ int v; }} static class B<T> {{ T it; }} Object o; @NonNull B<P> b = new B<>(); {ANY}
             static boolean same(Object x, Object y) {{ return x == y; }}
             public void bad1(@NonNull P p) {{ assert !same(o, p); o = p; }}
             public void bad2(@NonNull P p) {{ assert !java.util.Objects.equals(o, p); }}
             public void bad3(@NonNull P p) {{ assert !p.equals(o); }}
             public void bad4(@NonNull String s) {{ assert !same(s, o); }}
             public void bad5(@NonNull Integer i) {{ assert !same(o, i); }}
             public void bad6(boolean c, P p) {{ Object x = c ? p : null; assert o == null || !same(x, o); }}
             public void bad7() {{ assert o == null || !same(b.it, o); }}
             public void good1(@NonNull P p) {{ assert !same(o, p) || o instanceof P; }}"
        ),
    );
}

/// A final field that starts with an anonymous object of the inputs is not null, whatever it is declared as.
#[test]
fn final_fields_with_anonymous_objects() {
    check(
        3,
        &format!(
            "static class P implements Runnable {{ int v; public void run() {{ v++; }} }}
             final Runnable r = new P() {{ public void run() {{ v += 2; }} }}; {ANY}
             public void good1() {{ r.run(); }}
             public void good2() {{ assert r != null; }}
             public void bad1() {{ assert r == null; }}"
        ),
    );
}

/// What one of two is asked for, the other may be too: else they would never be the same.
#[test]
fn what_is_compared_with_what_is_asked() {
    check(
        3,
        &format!(
            "static class P {{ int v; }} Object o; {ANY}
             public void bad1(Object x) {{ if (o == x) assert !(\"k\".equals(o)); }}
             public void bad2(Object x) {{ if (o == x && o instanceof P p) assert p.v != 1; }}
             public void bad3(Object x, Object y) {{ if (x == y && y == o) assert !(x instanceof Integer); }}
             public void good1(Object x) {{ if (o == x && o instanceof P) assert x instanceof P; }}"
        ),
    );
}

#[test]
fn an_enum_is_its_constants_behind_an_interface_too() {
    check(
        2,
        &format!(
            "interface I {{ int f(); }} enum E implements I {{ A, B; public int f() {{ return 1; }} }} I i; Object o; {ANY}
             public void good1() {{ if (i != null) assert i == E.A || i == E.B; }}
             public void good2() {{ if (o instanceof E) assert o == E.A || o == E.B; }}
             public void bad1() {{ assert i != E.B; }}
             public void bad2() {{ assert o != E.B; }}"
        ),
    );
}

#[test]
fn another_object_of_the_checked_class_is_valid() {
    check(
        3,
        "int[] a; int x; @Declarative boolean repOk() { return a != null; }
         public boolean good(Object o) { return o instanceof C c && c.a.length == a.length; }
         public boolean good2(Object o) { if (!(o instanceof C)) return false; C c = (C) o; return c.x == x; }
         public void bad1(Object o) { if (o instanceof C c) assert c.x == x; }
         public void bad2(Object o) { assert !(o instanceof C) || o == this; }
         public void bad3(Object o) { if (o instanceof C c && c != this) assert c.a.length != a.length; }",
    );
}

#[test]
fn equals_of_what_the_inputs_override() {
    check(
        1,
        &format!(
            "static class P {{ int v; @Declarative public boolean equals(Object o) {{ return o instanceof P && ((P) o).v == v; }} }}
             Object[] items; {ANY}
             public void bad1(Object x) {{ if (items != null && items.length > 0 && items[0] != null && items[0].equals(x)) assert items[0] == x; }}
             public void bad2(Object x, Object y) {{ if (x instanceof P && x.equals(y)) assert x == y; }}
             public void good(Object x) {{ if (x != null) assert x.equals(x); }}"
        ),
    );
}

#[test]
fn equal_strings_that_are_not_the_same() {
    check(
        2,
        &format!(
            "String a, b; {ANY}
             public void bad1() {{ if (a != null && a.equals(b)) assert a == b; }}
             public void bad2() {{ if (\"abc\".equals(a)) assert a == \"abc\"; }}
             public void bad3() {{ assert a == null || !a.equals(b); }}
             public void good1() {{ if (a != null && a == b) assert a.equals(b); }}
             public void good2() {{ assert a == null || b == null || a.equals(b) == b.equals(a); }}
             public void good3() {{ if (\"abc\".equals(a) && \"abc\".equals(b)) assert a.equals(b); }}
             public void good4() {{ if (\"abc\".equals(a)) assert !\"xyz\".equals(a); }}
             public void good5() {{ if (\"abc\".equals(a)) assert a.hashCode() == \"abc\".hashCode(); }}"
        ),
    );
}

#[test]
fn boxes_that_java_does_not_cache() {
    check(
        2,
        &format!(
            "Integer a, b; Object o; {ANY}
             public void bad1() {{ if (a != null && a.equals(b)) assert a == b; }}
             public void bad2() {{ if (a != null && b != null && a > 127) assert a != b; }}
             public void bad3() {{ if (a != null && a.equals(o)) assert a == o; }}
             public void good1() {{ if (a != null && a == b) assert a.equals(b); }}
             public void good2() {{ if (a != null && b != null && a < 100 && a.intValue() == b.intValue()) assert a == b; }}"
        ),
    );
}

#[test]
fn arrays_that_are_the_same() {
    check(
        2,
        "int[] a, b; @Declarative boolean repOk() { return a != null && b != null && a.length > 0 && b.length > 0; }
         public void bad1() { a[0] = 1; b[0] = 2; assert a[0] == 1; }
         public void bad2(int[] p) { if (p != null && p.length > 0) { a[0] = 1; p[0] = 2; assert a[0] == 1; } }
         public void bad3(int[] p, int[] q) { if (p != null && p.length > 1 && q != null) { q[0] = 1; assert p.length != q.length || p[0] == 0; } }
         public void bad4() { assert a != b; }
         public void bad5() { if (a != b) assert a.length != b.length; }
         public void good1() { a[0] = 1; assert a[0] == 1; }
         public void good2() { if (a == b) { a[0] = 1; assert b[0] == 1; } }",
    );
}

#[test]
fn arrays_that_no_code_shares() {
    let fresh = "private int[] a = new int[2]; private int[] b = {0, 0};";
    let operations = "@Declarative boolean repOk() { return a != null && b != null && a.length > 0 && b.length > 0; }
         public void good1() { a[0] = 1; b[0] = 2; assert a[0] == 1; }
         public void good2(int[] p) { if (p != null && p.length > 0) { a[0] = 1; p[0] = 2; assert a[0] == 1; } }
         public void good3() { int[] c = new int[a.length + 1]; System.arraycopy(a, 0, c, 0, a.length); a = c; }";
    check(2, &format!("{fresh} {operations}"));
    check(2, &format!("@Owned int[] a; @Owned int[] b; {operations}"));
    // One method that keeps an array, or gives it away, makes the difference.
    let leaky = operations.replace("good2", "bad2");
    check(2, &format!("{fresh} {leaky} public int[] goodGet() {{ return a; }}"));
    check(2, &format!("{fresh} {leaky} public void goodSet(int[] p) {{ if (p != null && p.length > 0) a = p; }}"));
    let shared = leaky.replace("good1", "bad1");
    check(
        2,
        &format!(
            "{fresh} {shared} public void goodSet(int[] p) {{ if (p != null && p.length > 0) {{ a = p; b = p; }} }}"
        ),
    );
    check(2, &format!("{fresh} {} public void goodTie() {{ b = a; }}", operations.replace("good1", "bad1")));
}

#[test]
fn rows_and_objects_with_the_same_array() {
    check(
        2,
        &format!(
            "int[][] m; {ANY}
             public void bad1() {{ if (m != null && m.length == 2 && m[0] != null && m[1] != null && m[0].length > 0 && m[1].length > 0) {{ m[0][0] = 1; m[1][0] = 2; assert m[0][0] == 1; }} }}
             public void good1() {{ if (m != null && m.length == 2) assert m[0] == m[0]; }}"
        ),
    );
    check(
        2,
        &format!(
            "static class P {{ int[] d; }} P x, y; {ANY}
             public void bad1() {{ if (x != null && y != null && x != y && x.d != null) assert x.d != y.d; }}
             public void bad2() {{ if (x != null && y != null && x.d != null && x.d.length > 0 && y.d != null && y.d.length > 0 && x != y) {{ x.d[0] = 1; y.d[0] = 2; assert x.d[0] == 1; }} }}"
        ),
    );
    check(
        2,
        &format!(
            "Object[] a; {ANY}
             public void bad1() {{ if (a != null && a.length > 0) assert a[0] != a; }}
             public void bad2() {{ if (a != null && a.length > 0 && a[0] instanceof Object[] b) assert b.length == 0; }}
             public void good1() {{ if (a != null && a.length > 0 && a[0] == a) assert ((Object[]) a[0]).length == a.length; }}"
        ),
    );
}

#[test]
fn integers_that_the_code_compares_with() {
    check(
        3,
        &format!(
            "int x; short h; long l; int[] a; {ANY}
             public void bad1(int k) {{ assert k % 3 >= 0; }}
             public void bad2(int k) {{ assert k != 100; }}
             public void bad3(int k) {{ int m = k; if (m > 7) assert m <= 7; }}
             public void bad4(int k) {{ assert k <= Integer.MAX_VALUE - 1; }}
             public void bad5(int k) {{ assert Math.abs(k) == k; }}
             public void bad6(int k) {{ assert k >> 1 >= 0; }}
             public void bad7() {{ switch (x) {{ case 9: assert false; }} }}
             public void bad8(int k) {{ int limit = 40; assert far(k, limit); }}
             private boolean far(int k, int limit) {{ return k + 1 <= limit; }}
             public void bad9(int k) {{ assert (byte) k == k; }}
             public void bad10(int[] p, int i) {{ if (p != null && i < p.length) p[i] = 0; }}
             public void bad11(int[] p, int i) {{ if (p != null && i >= 0) assert p[i] == p[i]; }}
             public void bad12(long k) {{ assert k < 5000000000L; }}
             public void bad13(char c) {{ assert c != 'x'; }}
             public void bad14(Integer b) {{ assert b == null || b != 77; }}
             public void bad15() {{ if (a != null && a.length > 0) assert a[0] != -5; }}
             public void bad16() {{ h = 300; }} public void bad17() {{ assert h != 300; }}
             public void good1(int k) {{ if (k > 7) assert k > 6; }}
             public void good2(int k) {{ if (k > -3 && k < 3) assert Math.abs(k) < 3; }}"
        )
        .replace("public void bad16() { h = 300; }", "public void good16() { h = 300; }"),
    );
}

#[test]
fn a_full_array_is_among_the_states() {
    let ring = |guard: &str, name: &str| {
        format!(
            "int[] a = new int[4]; int n; @Declarative boolean repOk() {{ return a != null && a.length == 4 && 0 <= n && n <= 4; }}
             public void {name}(int x) {{ {guard} a[n++] = x; }}"
        )
    };
    check(4, &ring("", "bad"));
    check(4, &ring("if (n < 4)", "good"));
    check(4, &ring("if (n <= 4)", "bad"));
}

/// Strings and boxes that only a method for any objects compares, and classes that are compared with each other.
#[test]
fn what_is_the_same_behind_a_wider_type() {
    check(
        2,
        &format!(
            "String a, b; {ANY}
             static boolean same(Object x, Object y) {{ return x == y; }}
             public void bad1() {{ if (a != null && a.equals(b)) assert same(a, b); }}
             public void good1() {{ if (a != null && same(a, b)) assert a.equals(b); }}"
        ),
    );
    check(
        2,
        &format!(
            "Integer a, b; {ANY}
             static boolean same(Object x, Object y) {{ return x == y; }}
             public void bad1() {{ if (a != null && a.equals(b)) assert same(a, b); }}
             public void bad2() {{ if (a != null && b != null && a > 127) assert !same(a, b); }}
             public void good1() {{ if (a != null && same(a, b)) assert a.equals(b); }}"
        ),
    );
    check(
        2,
        &format!(
            "{ANY} public void bad1(Object x, Object y) {{ if (x instanceof String && y instanceof String && x.equals(y)) assert x == y; }}
             public void good1(Object x, Object y) {{ if (x instanceof String && x == y) assert x.equals(y); }}"
        ),
    );
    check(
        2,
        &format!(
            "{ANY} public void bad1(Object x, Object y) {{ if (x != null && y != null) assert x.getClass() == y.getClass(); }}
             public void good1(Object x) {{ if (x != null) assert x.getClass() == x.getClass(); }}"
        ),
    );
}

#[test]
fn equal_strings_have_one_hash_code() {
    check(
        2,
        &format!(
            "String a, b; {ANY}
             public void bad1() {{ if (a != null && a.equals(b) && a != \"abc\" && b != \"abc\") assert a == b; }}
             public void good1() {{ if (a != null && a.equals(b)) assert a.hashCode() == b.hashCode(); }}
             public void good2() {{ if (a != null && b != null && a.hashCode() != b.hashCode()) assert !a.equals(b); }}"
        ),
    );
}

#[test]
fn arrays_that_change_places() {
    let swaps = [
        "int[] t = a; a = b; b = t;",
        "int[] t = b; b = a; a = t;",
        "int[] t = a; a = b; b = c; c = t;",
        "if (n > 0) { var t = a; a = b; b = t; }",
        "for (int i = 0; i < n; i++) { int[] t = a; a = b; b = t; }",
    ];
    let class = |swap: &str, name: &str| {
        format!(
            "private int[] a = new int[2], b = new int[2], c = new int[2]; int n;
             @Declarative boolean repOk() {{ return a != null && b != null && c != null && a.length > 0 && b.length > 0; }}
             public void goodSwap() {{ {swap} }}
             public void {name}() {{ a[0] = 1; b[0] = 2; assert a[0] == 1; }}"
        )
    };
    for swap in swaps {
        check(2, &class(swap, "good1").replace("return a", "return n >= 0 && n < 3 && c.length > 0 && a"));
    }
    // What looks like one, and keeps an array twice.
    let copies = [
        "int[] t = a; a = b; c = t;",
        "int[] t = a; a = b;",
        "int[] t = a; if (n > 0) a = b; b = t;",
        "int[] t = a; b = t;",
        "int[] t = c; a = b; b = t;",
        "int[] t = a; a = b; b = t; a = b;",
    ];
    for copy in copies {
        check(2, &class(copy, "bad1").replace("return a", "return c.length > 0 && a"));
    }
}

#[test]
fn rows_that_change_places() {
    let class = |swap: &str, name: &str| {
        format!(
            "private int[][] m = {{ {{0}}, {{0}} }};
             @Declarative boolean repOk() {{ return m != null && m.length == 2 && m[0] != null && m[1] != null && m[0].length == 1 && m[1].length == 1; }}
             public void goodSwap(@Range(\"0..1\") int i, @Range(\"0..1\") int j) {{ {swap} }}
             public void {name}() {{ m[0][0] = 1; m[1][0] = 2; assert m[0][0] == 1; }}"
        )
    };
    check(2, &class("int[] t = m[i]; m[i] = m[j]; m[j] = t;", "good1"));
    check(2, &class("m[i] = m[j];", "bad1"));
    check(2, &class("int[] t = m[i]; m[i] = m[j]; m[i] = t; m[j] = t;", "bad1"));
}

#[test]
fn arrays_of_type_parameters_that_are_the_same() {
    check(
        2,
        &format!(
            "static class Box<T> {{ T[] a; }} Box<Integer> x, y; {ANY}
             public void bad1() {{ if (x != null && y != null && x != y && x.a != null) assert (Object) x.a != y.a; }}
             public void good1() {{ if (x != null && x == y) assert (Object) x.a == y.a; }}"
        ),
    );
    check(
        2,
        &format!(
            "static class Box<T> {{ T v; }} Box<int[]> x; int[] a; {ANY}
             public void bad1() {{ if (x != null && a != null) assert x.v != a; }}
             public void bad2() {{ if (x != null && a != null && a.length > 0 && x.v != null && x.v.length > 0) {{ a[0] = 0; x.v[0] = 1; assert a[0] == 0; }} }}
             public void good1() {{ if (x != null && x.v != null && x.v == a) assert a.length == x.v.length; }}"
        ),
    );
}

/// Constants that an argument is compared with are among the numbers of a field that keeps it.
#[test]
fn integers_that_are_kept() {
    check(
        2,
        &format!(
            "int kept; int[] all; Integer boxed; @Range(\"-20..20\") int limit; {ANY}
             public void goodSet(int x) {{ if (x > 70) kept = x; }}
             public void goodPut(int x) {{ if (x < -60 && all != null && all.length > 0) all[0] = x; }}
             public void goodBox(int x) {{ if (x == 50) boxed = x; }}
             public void bad1() {{ assert kept <= limit; }}
             public void bad2() {{ assert all == null || all.length == 0 || limit <= all[0]; }}
             public void bad3() {{ if (limit == 20) assert boxed == null || boxed <= limit; }}"
        ),
    );
}
