//! What a run starts from, and how it ends: initialisers that run late, classes as arguments, operations that never return.

use crate::glassbox;

/// Java initialises a class where it is first used. Both engines.
#[test]
fn a_class_is_initialised_when_it_is_first_used() {
    let check = |late: &str, result: &str| {
        let text = format!(
            "import glassbox.*; public class C {{ int x; static int g; static int[] all = new int[1]; static class Late {{ {late} }}
                @Check public int f(@Range(\"0..3\") int a) {{ g = a; all[0] = a + 1; return Late.get() * 10 + g; }}
                @Post(\"f\") @Declarative boolean is(C before, int a, int result) {{ return result == {result}; }}
                @Declarative boolean repOk() {{ return true; }} }}"
        );
        let file = crate::java_file("C", &text);
        ["glassbox", "exhaustive"].map(|engine| glassbox(&["check", &file, "--engine", engine]))
    };
    let holds = |late: &str, result: &str, wrong: &str| {
        for ran in check(late, result) {
            assert_eq!(ran.status, 0, "{late}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stdout.contains("every operation starts before `C.Late` is first used"), "{}", ran.stdout);
        }
        check(late, wrong).iter().for_each(|ran| assert_eq!(ran.status, 1, "{late}: {}{}", ran.stdout, ran.stderr));
    };
    holds("static int copy = g; static int get() { return copy; }", "a * 11", "a");
    holds("static int next = ++g; static int get() { return next; }", "(a + 1) * 11", "(a + 1) * 10 + a");
    // What a static field leads to may have changed by then, too.
    holds("static int seen = all[0]; static int get() { return seen; }", "(a + 1) * 10 + a", "a");
    let throws = "static int bad = 1 / (g - g); static int get() { return bad; }";
    for ran in check(throws, "0") {
        assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("an exception of a static initialiser"), "{}", ran.stderr);
    }
}

/// Postconditions say nothing about a run that throws.
#[test]
fn an_operation_that_never_returns_is_told() {
    let check = |when: &str, engine: &str| {
        let text = format!(
            "class C {{ int x; @Declarative boolean repOk() {{ return true; }}
                @MayThrow(IllegalStateException.class) public int f() {{ if ({when}) throw new IllegalStateException(); return 1; }} }}"
        );
        glassbox(&["check", &crate::java_file("C", &text), "--method", "f", "--engine", engine])
    };
    for engine in ["glassbox", "exhaustive"] {
        let told = |when: &str| {
            let ran = check(when, engine);
            assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
            ran.stdout.contains("every run of `f()` ends with an exception")
        };
        assert!(told("x == x") && !told("x > 0"), "{engine}");
    }
}

/// A `Class<? extends I>` holds classes that are an I.
#[test]
fn classes_that_fit_a_type_argument() {
    let check = |parameter: &str, engine: &str| {
        let text = format!(
            "class C {{ interface I {{}} static class A implements I {{}} static class B {{}} static class D extends A {{}} int x;
                @Check public boolean f(@NonNull {parameter} c) {{ return new B() != null && new D() != null && (Object) c == (Object) B.class; }}
                @Check public boolean g(@NonNull {parameter} c) {{ return (Object) c == (Object) D.class; }}
                @Post @Declarative boolean no(C before, Class<?> c, boolean result) {{ return !result; }}
                @Declarative boolean repOk() {{ return true; }} }}"
        );
        let file = crate::java_file("C", &text);
        ["f", "g"].map(|method| glassbox(&["check", &file, "--method", method, "--engine", engine]).status)
    };
    for engine in ["glassbox", "exhaustive"] {
        assert_eq!(check("Class<? extends I>", engine), [0, 1], "{engine}");
        assert_eq!(check("Class<A>", engine), [0, 0], "{engine}");
        assert_eq!(check("Class<?>", engine), [1, 1], "{engine}");
    }
}

/// Another object of the class that an operation gets is valid, and must be afterwards. A node of the object itself need not be.
#[test]
fn arguments_of_the_class_are_valid() {
    let ask = |operation: &str| {
        let text = format!(
            "public class C {{ @Range(\"-1..2\") int x; {operation}
                @Declarative boolean repOk() {{ return x >= 0; }} }}"
        );
        let file = crate::java_file("C", &text);
        let [first, second] = ["glassbox", "exhaustive"].map(|e| crate::run(&format!("{file} --size 2 --engine {e}")));
        assert_eq!(first.status, second.status, "{operation}: {}{}", first.stdout, second.stdout);
        (first.status, first.stdout)
    };
    let (status, said) = ask("public void f(@NonNull C other) { assert other.x >= 0; }");
    assert_eq!(status, 0, "{said}");
    let (status, said) = ask(
        "interface I { } public void f(Object other) { if (other instanceof C) { C c = (C) other; assert c.x >= 0; } }",
    );
    assert_eq!(status, 0, "{said}");
    let (status, said) = ask("C() { } C(@NonNull C other) { x = 2 / (other.x + 1); }");
    assert_eq!(status, 0, "{said}");
    let (status, said) = ask("public void f(@NonNull C other) { if (other != this) other.x = -1; }");
    assert!(status == 1 && said.contains("the invariant `repOk` of an argument does not hold afterwards"), "{said}");
    let (status, said) = ask("public void f(@NonNull C other) { if (other != this) other.x = 1; }");
    assert_eq!(status, 0, "{said}");
    // Both would have the same node then.
    let lists = |after: &str| {
        let text = format!(
            "public class L {{ static class N {{ @Tree N next; }} @Tree N first; L() {{ }} L(@NonNull L other) {{ this(); take(other); }}
                @Declarative boolean repOk() {{ return true; }}
                public void take(@NonNull L other) {{ if (other == this || other.first == null) return; N all = other.first; {after}
                    N last = all; while (last.next != null) last = last.next; last.next = first; first = all; }} }}"
        );
        let file = crate::java_file("L", &text);
        let [first, second] = ["glassbox", "exhaustive"].map(|e| crate::run(&format!("{file} --size 2 --engine {e}")));
        assert_eq!(first.status, second.status, "{}{}", first.stdout, second.stdout);
        (first.status, first.stdout)
    };
    let (status, said) = lists("");
    assert!(status == 1 && said.contains("not a tree any more: this.first and l1.first both lead to"), "{said}");
    let (status, said) = lists("other.first = null;");
    assert_eq!(status, 0, "{said}");
    let (status, said) = lists("other.first = all.next;");
    assert!(status == 1 && said.contains("not a tree any more"), "{said}");
    let arrays = |taken: &str, owned: &str| {
        let text = format!(
            "public class V {{ @NonNull {owned} @Length(\"n\") @Range(\"0..1\") int[] items = new int[GlassBox.size()];
                public void take(@NonNull V other) {{ {taken} }} public void set() {{ items[0] = 1; }}
                @Declarative boolean repOk() {{ return items != null && items.length == GlassBox.size(); }} }}"
        );
        let file = crate::java_file("V", &text);
        let [first, second] = ["glassbox", "exhaustive"].map(|e| crate::run(&format!("{file} --size 2 --engine {e}")));
        assert_eq!(first.status, second.status, "{}{}", first.stdout, second.stdout);
        (first.status, first.stdout)
    };
    let (status, said) = arrays("items = other.items;", "@Owned");
    let words = "`@Owned items` does not hold afterwards: another object has an array of the checked one";
    assert!(status == 1 && said.contains(words), "{said}");
    assert_eq!(arrays("items = other.items.clone();", "@Owned").0, 0);
    assert_eq!(arrays("int[] own = items; items = other.items; other.items = own;", "@Owned").0, 0);
    // Of a wider type, and where the invariant is one of several methods of its name.
    let cells = |taken: &str| {
        let text = format!(
            "public class Cells implements Cells.Valid {{ interface Valid {{ @Declarative boolean repOk(); }} @Owned int[] items = new int[2];
                @Declarative public boolean repOk() {{ return items != null && isFine(this); }}
                @Declarative boolean isFine(Valid v) {{ return v == this || v.repOk(); }}
                public boolean equals(Object o) {{ if (!(o instanceof Cells)) return false; Cells c = (Cells) o; {taken} return true; }}
                public int hashCode() {{ return 0; }} }}"
        );
        let file = crate::java_file("Cells", &text);
        ["glassbox", "exhaustive"].map(|e| crate::run(&format!("{file} --size 1 --engine {e}")).status)
    };
    assert_eq!([cells("c.items = items;"), cells("c.items = items.clone();")], [[1, 1], [0, 0]]);
    // They may have the same one from the start.
    assert_eq!(arrays("items = other.items;", "").0, 0);
    // What `next` leads to has a `previous`, which the first one has not.
    let nodes = "public class Node { @Tree Node next; Node previous;
        public void cut(@NonNull Node at) { assert at.previous == null; }
        @Declarative boolean repOk() { return previous == null && isLinked(); }
        @Declarative boolean isLinked() { return next == null || next.previous == this && next.isLinked(); } }";
    let ran = crate::run(&format!("{} --size 2", crate::java_file("Node", nodes)));
    assert_eq!(ran.status, 1, "{}", ran.stdout);
}

/// What an operation returns is valid if it is an object of the class: calls go on with it, as with what a constructor made.
#[test]
fn results_of_the_class_are_valid() {
    let ask = |members: &str| {
        let text = format!(
            "public class C {{ final @Range(\"0..3\") int low, high; @Check C() {{ this(0, 3); }}
                private C(int low, int high) {{ this.low = low; this.high = high; }}
                interface Part {{ }} static final C ODD = new C(2, 1);
                @Declarative boolean repOk() {{ return low <= high; }} {members} }}"
        );
        let file = crate::java_file("C", &text);
        let ran = |e: &str| crate::run(&format!("{file} --size 2 --engine {e}"));
        let [first, second] = ["glassbox", "exhaustive"].map(ran);
        assert_eq!(first.status, second.status, "{members}: {}{}", first.stdout, second.stdout);
        (first.status, first.stdout)
    };
    let says = "the invariant `repOk` does not hold of the result";
    for (good, bad) in [
        (
            "@Check C half() { return new C(low / 2, high / 2); }",
            "@Check C half() { return new C(low / 2 + 1, high / 2); }",
        ),
        ("@Check C itself() { return this; }", "@Check C other() { return low == 1 ? ODD : this; }"),
        ("@Check Object any() { return new C(high, high); }", "@Check Object any() { return new C(high, low); }"),
        (
            "@Check C first(@NonNull C a, C b) { return b == null ? a : b; }",
            "@Check C join(@NonNull C a) { return new C(low, a.high); }",
        ),
        (
            "@Check static C of(@Range(\"0..3\") int x) { return new C(0, x); }",
            "@Check static C of(@Range(\"0..3\") int x) { return new C(x, 2); }",
        ),
        (
            "@Check C maybe() { return low == 2 ? null : this; }",
            "@Check C maybe() { return low == 2 ? new C(3, 0) : null; }",
        ),
    ] {
        let (status, said) = ask(good);
        assert_eq!(status, 0, "{good}: {said}");
        let (status, said) = ask(bad);
        assert!(status == 1 && said.contains(says), "{bad}: {said}");
    }
    // Beyond where states start.
    let text = "public class E { final int x; E() { this(0); } private E(int x) { this.x = x; } public E next() { return new E(x + 2); }
        @Declarative boolean repOk() { return x >= 0; } }";
    for engine in ["glassbox", "exhaustive"] {
        let ran = crate::run(&format!("{} --size 2 --engine {engine}", crate::java_file("E", text)));
        assert!(
            ran.status == 0 && ran.stdout.contains("`next` makes x = 2, which no start state has"),
            "{}",
            ran.stdout
        );
    }
    // The report names a static method that makes objects and is not checked.
    let text = "public final class D { private final int x; private D(int x) { this.x = x; } public static D of() { return new D(-7); }
        public int x() { return x; } @Declarative boolean repOk() { return x >= 0; } }";
    let ran = crate::run(&crate::java_file("D", text));
    assert!(
        ran.status == 0 && ran.stdout.contains("`of` was not checked: static methods are operations only with"),
        "{}",
        ran.stdout
    );
    // Both would have the same node, unless nodes never change.
    let lists = |more: &str, copied: &str| {
        let text = format!(
            "public class L {{ {more} static class N {{ @Tree N next; N(N next) {{ this.next = next; }} }} @Tree N first;
                static N all(N n) {{ return n == null ? null : new N(all(n.next)); }} @Declarative boolean repOk() {{ return true; }}
                public L copy() {{ L l = new L(); l.first = {copied}; return l; }} public void add() {{ first = new N(first); }} }}"
        );
        let file = crate::java_file("L", &text);
        let [first, second] = ["glassbox", "exhaustive"].map(|e| crate::run(&format!("{file} --size 2 --engine {e}")));
        assert_eq!(first.status, second.status, "{}{}", first.stdout, second.stdout);
        (first.status, first.stdout)
    };
    let changes = "public void cut() { if (first != null) first.next = null; }";
    let (status, said) = lists(changes, "first");
    assert!(status == 1 && said.contains("not a tree any more: this.first and new1.first both lead to n0"), "{said}");
    assert_eq!([lists(changes, "all(first)").0, lists("", "first").0], [0, 0]);
    // Nor may both have an array that belongs to one: a copy that is not deep, by whatever way it is made.
    let owned = |made: &str| {
        let text = format!(
            "public class O implements Cloneable {{ @NonNull @Owned @Length(\"0..1\") @Range(\"0..1\") int[] items = {{ }}; int[] more;
                @Declarative boolean repOk() {{ return items != null; }} public void set() {{ if (items.length > 0) items[0] = 1; }}
                public Object copy() {{ try {{ O o = (O) super.clone(); {made} return o; }}
                    catch (CloneNotSupportedException e) {{ throw new AssertionError(e); }} }} }}"
        );
        let file = crate::java_file("O", &text);
        ["glassbox", "exhaustive"].map(|e| crate::run(&format!("{file} --size 1 --engine {e}")).status)
    };
    assert_eq!([owned(""), owned("o.items = o.more;")], [[1, 1], [1, 1]]);
    assert_eq!([owned("o.items = items.clone();"), owned("if (items.length > 0) o.items = new int[1];")], [[0, 0]; 2]);
    // Nor may a static method leave two with the same one.
    let shared = |body: &str| {
        let text = format!(
            "public class S {{ static class N {{ @Tree N next; }} @Tree N first; @Check S() {{ }} @Declarative boolean repOk() {{ return true; }}
                @Check void cut() {{ if (first != null) first.next = null; }} @Check static void both(@NonNull S a, @NonNull S b) {{ {body} }} }}"
        );
        let file = crate::java_file("S", &text);
        ["glassbox", "exhaustive"].map(|e| crate::run(&format!("{file} --size 2 --engine {e}")).status)
    };
    assert_eq!(shared("if (a != b) b.first = a.first;"), [1, 1]);
    assert_eq!(shared("N n = a.first; a.first = b.first; b.first = n;"), [0, 0]);
    // Nodes of a list need not be lists.
    let nodes = "public class Node { @Tree Node next; Node previous; public Node next() { return next; }
        @Declarative boolean repOk() { return previous == null && isLinked(); }
        @Declarative boolean isLinked() { return next == null || next.previous == this && next.isLinked(); } }";
    let ran = crate::run(&format!("{} --size 2", crate::java_file("Node", nodes)));
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

/// What is `Comparable` is an Integer, unless there are others: an invariant may ask which is greater. That there are strings, which cannot be
/// asked, does not matter.
#[test]
fn elements_that_are_comparable() {
    let ask = |compares: &str, more: &str| {
        let text = format!(
            "public class Sorted<K extends Comparable<K>> {{
                static class Node<K> {{ K key; @Tree Node<K> next; Node(K key, Node<K> next) {{ this.key = key; this.next = next; }} }}
                @Tree Node<K> first;
                @Declarative boolean repOk() {{ return isSorted(first); }}
                @Declarative boolean isSorted(Node<K> n) {{ return n == null || n.key != null && (n.next == null
                    || n.next.key != null && n.key.compareTo(n.next.key) < 0) && isSorted(n.next); }}
                public boolean add(@NonNull K key) {{
                    Node<K> before = null, n = first;
                    while (n != null && n.key.compareTo(key) {compares}) {{ before = n; n = n.next; }}
                    if (n != null && n.key.compareTo(key) == 0) return false;
                    Node<K> made = new Node<>(key, n);
                    if (before == null) first = made; else before.next = made;
                    return true; }} }} {more}"
        );
        let file = crate::java_file("Sorted", &text);
        ["glassbox", "exhaustive"].map(|e| {
            let ran = crate::run(&format!("{file} --class Sorted --size 3 --engine {e} --method add"));
            (ran.status, ran.stdout.contains("covering 24 states"))
        })
    };
    assert_eq!(ask("< 0", ""), [(0, true); 2]);
    assert_eq!(ask("> 0", "").map(|r| r.0), [1, 1]);
    let other = "class Money implements Comparable<Money> { @Range(\"0..2\") int cents;
        @Declarative public int compareTo(Money other) { return cents - other.cents; } }";
    assert_eq!(ask("< 0", other).map(|r| r.0), [0, 0]);
    assert_eq!(ask("<= 0", other).map(|r| r.0), [1, 1]);
}

/// Messages of exceptions and what is printed are built by formats, too: what they show is asked for its text, and nothing else matters.
#[test]
fn formats() {
    let ask = |body: &str| {
        let text = format!(
            "public class F {{ @Range(\"0..2\") int x; F next; @Declarative boolean repOk() {{ return true; }}
                @MayThrow(IllegalStateException.class) public void f(@Range(\"0..1\") int y, String s) {{ {body} }}
                @Override public String toString() {{ assert x < 2; return \"F\"; }} }}"
        );
        crate::run(&format!("{} --size 2 --method f", crate::java_file("F", &text)))
    };
    for (body, status) in [
        ("throw new IllegalStateException(String.format(\"%d of %5d%n\", y, x));", 0),
        ("System.out.printf(\"%s: %x%%\", s, y); if (s != null && s.equals(\"a\")) x = 1;", 0),
        ("if (x < 2) System.err.println(\"%s\".formatted(this));", 0),
        // It is asked for its text, which fails.
        ("System.err.println(String.format(\"%s\", this));", 1),
        ("System.out.printf(\"%s\", next);", 1),
        // Not a number, too few arguments, a format that is not known, more than a text.
        ("System.out.printf(\"%d\", s);", 2),
        ("System.out.printf(\"%s %s\", s);", 2),
        ("System.out.printf(\"%1$s\", s);", 2),
        ("System.out.printf(\"100 %\", s);", 2),
        ("System.out.printf(s, y);", 2),
        ("System.out.printf(\"%.2f\", 0.5);", 2),
        ("String t = String.format(\"%d\", y); if (t.equals(s)) x = 1;", 2),
    ] {
        let ran = ask(body);
        assert_eq!(ran.status, status, "{body}: {}{}", ran.stdout, ran.stderr);
    }
}

/// A field that is no tree edge leads to no more nodes, whatever the size: the report says so.
#[test]
fn links_that_no_tree_follows() {
    let list = |edge: &str, first: &str| {
        let text = format!(
            "public class L {{ static class N {{ {edge} N next; N(N next) {{ this.next = next; }} }} {first}; int size;
                @Declarative boolean repOk() {{ return true; }} public void add() {{ size++; }} }}"
        );
        crate::run(&crate::java_file("L", &text)).stdout
    };
    let hole = "`L.N.next` is no tree edge: no start state has more than one `L.N` there";
    assert!(list("", "@Tree N first").contains(hole));
    for (edge, first) in [("@Tree", "@Tree N first"), ("", "N first"), ("", "@Tree N[] all")] {
        assert!(!list(edge, first).contains("no tree edge"), "{edge} {first}");
    }
}

/// One number is a range, too.
#[test]
fn a_bound_of_one_number() {
    let check = |length: &str| {
        let text = format!(
            "public class C {{ @NonNull @Owned @Length(\"n\") int[] a; C() {{ a = new int[GlassBox.size()]; }}
                public int f() {{ return a[{length}]; }}
                @Declarative boolean repOk() {{ return a != null && a.length == GlassBox.size(); }} }}"
        );
        crate::run(&format!("{} --size 3", crate::java_file("C", &text))).status
    };
    assert_eq!([check("2"), check("3")], [0, 1]);
}

/// Recursion that ends where a number is equal to a field: the guards of all calls together say that it does. Both engines.
#[test]
fn recursion_up_to_a_field() {
    let check = |count: &str, says: &str, size: u32| {
        let text = format!(
            "public class Q {{ @Range(\"0..n\") int count; public int size() {{ return count; }}
                @Declarative @Post(\"size\") boolean is(Q before, int result) {{ return {says}; }}
                @Declarative int up(int i) {{ return i == count ? 0 : 1 + up(i + 1); }}
                @Declarative int down(int i) {{ if (count == i) return i; return down(i - 1); }}
                @Declarative boolean odd(int i) {{ return i != count && even(i + 1); }}
                @Declarative boolean even(int i) {{ return i == count || odd(i + 1); }}
                @Declarative boolean repOk() {{ return {count}; }} }}"
        );
        let file = crate::java_file("Q", &text);
        let ask = |engine: &str| crate::run(&format!("{file} --size {size} --engine {engine}"));
        let [first, second] = ["glassbox", "exhaustive"].map(ask);
        assert_eq!(first.status, second.status, "{says}: {}{}{}", first.stdout, first.stderr, second.stdout);
        first.status
    };
    for size in [2, 40, 90] {
        let most = "0 <= count && count <= GlassBox.size()";
        assert_eq!(check(most, "up(0) == result && down(GlassBox.size()) == result", size), 0);
        assert_eq!(check(most, "up(0) == result && down(GlassBox.size()) != 1", size), 1);
        assert_eq!(check(most, "even(0) == (result % 2 == 0) && odd(0) != even(0)", size), 0);
        assert_eq!(check(most, "even(0) || result != 1", size), 1);
        // Asked twice, where it is reached and where it is not.
        assert_eq!(check(most, "(count == 0 || up(1) == result - 1) && (count != 0 || up(0) == 0)", size), 0);
        assert_eq!(check(most, "(count == 0 || up(1) == result - 1) && up(0) < GlassBox.size()", size), 1);
    }
}
