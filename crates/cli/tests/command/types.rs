//! Static types of expressions: what `javac` makes of them decides the verdict. Each faulty class has a correct twin.
//! Thousands more are compared with a JVM by `hunt java-types`.

use crate::{Ran, glassbox};

fn class(members: &str) -> String {
    format!("import glassbox.*;\npublic class C {{\n@Declarative boolean repOk() {{ return true; }}\n{members}\n}}\n")
}

/// Runs `check` on a class with these members, with each of the engines: they have to say the same.
fn by_engines(name: &str, members: &str, engines: &[&str]) -> Ran {
    let folder = std::env::temp_dir().join(format!("glassbox-types-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("C.java");
    std::fs::write(&file, class(members)).expect("a file");
    let file = file.to_str().expect("a plain name");
    let mut runs = engines.iter().map(|engine| glassbox(&["check", file, "--size", "2", "--engine", engine]));
    let ran = runs.next().expect("an engine");
    for other in runs {
        assert_eq!(ran.status, other.status, "{name}: {}{}{}", ran.stdout, ran.stderr, other.stdout);
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    ran
}

fn checked(name: &str, members: &str) -> Ran {
    by_engines(name, members, &["glassbox", "exhaustive"])
}

fn verified(name: &str, members: &str) {
    let ran = checked(name, members);
    assert_eq!(ran.status, 0, "{name}: {}{}", ran.stdout, ran.stderr);
}

fn violated(name: &str, members: &str, by: &str) {
    let ran = checked(name, members);
    assert_eq!(ran.status, 1, "{name}: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(by), "{name}: {}", ran.stdout);
}

fn refused(name: &str, members: &str, message: &str) {
    let ran = checked(name, members);
    assert_eq!(ran.status, 2, "{name}: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(message), "{name}: {}", ran.stderr);
}

#[test]
fn a_switch_in_a_cast_stands_alone() {
    let promoted = "public void op(@Range(\"0..1\") int x) {
        Object o = (Object) switch (x) { case 0 -> 1; default -> 2L; };";
    violated("cast", &format!("{promoted} assert x != 0 || o instanceof Integer; }}"), "AssertionError");
    verified("cast", &format!("{promoted} assert o instanceof Long; }}"));
}

#[test]
fn a_switch_as_an_argument_does_not() {
    let is_int = "static boolean isInt(Object o) { return o instanceof Integer; }
        public void op(@Range(\"0..1\") int x) { boolean b = isInt(switch (x) { case 0 -> 1; default -> 2L; });";
    verified("argument", &format!("{is_int} assert b == (x == 0); }}"));
    violated("argument", &format!("{is_int} assert !b; }}"), "AssertionError");
    let overloads = "static int f(int x) { return 1; } static int f(short x) { return 2; } short h;
        public void op(@Range(\"0..1\") int x) { int f = f(switch (x) { case 0 -> h; default -> 5; });";
    verified("overload", &format!("{overloads} assert f == 1; }}"));
    violated("overload", &format!("{overloads} assert f == 2; }}"), "AssertionError");
}

#[test]
fn a_switch_in_a_conditional() {
    let mixed = "public void op(@Range(\"0..1\") int x, boolean b) {
        Object o = b ? switch (x) { case 0 -> 1; default -> 2L; } : 3;";
    verified("operand", &format!("{mixed} assert o instanceof Long; }}"));
    violated("operand", &format!("{mixed} assert o instanceof Integer; }}"), "AssertionError");
}

#[test]
fn a_constant_stands_for_its_arm_only() {
    verified(
        "constant",
        "char c; public void op(@Range(\"0..1\") int x) {
             char d = switch (x) { case 0 -> 5; default -> c; };
             Object o = (Object) switch (x) { case 0 -> 5; default -> c; };
             assert o instanceof Character && (x != 0 || d == 5);
         }",
    );
}

#[test]
fn what_a_generic_method_gives_is_no_number() {
    let id = "static <T> T id(T v) { return v; } Integer n; Character c;";
    verified("generic", &format!("{id} public void op(boolean b) {{ Integer r = b ? id(n) : 0; }}"));
    violated(
        "generic",
        &format!("{id} public void op(boolean b) {{ Integer r = b ? n : 0; }}"),
        "NullPointerException",
    );
    let kept = "public void op(boolean b) { Object r = b ? id(c) : 98;";
    violated("kept", &format!("{id} {kept} assert r == null || r instanceof Character; }}"), "AssertionError");
    verified("kept", &format!("{id} {kept} assert b ? r == c : r instanceof Integer; }}"));
}

/// `javac` asks whether a conditional is a number before the variable of the pattern is known: each arm stays what it is.
#[test]
fn a_variable_of_a_pattern_is_no_number_yet() {
    let op = "Integer n; public void op(Object o) { Object r = o instanceof Character c ? c : n; if (o instanceof Character)";
    verified("pattern", &format!("{op} assert r instanceof Character; }}"));
    violated("pattern", &format!("{op} assert r instanceof Integer; }}"), "AssertionError");
    let op = "Integer n; Character c; public void op(boolean b) { Object r = b ? c : n; if (b)";
    verified(
        "known",
        &format!("{op} assert r instanceof Integer; }}")
            .replace("Object r", "if (c == null || n == null) return; Object r"),
    );
}

/// Calls that only their context gives a type, within others of that kind.
#[test]
fn what_is_expected_decides_calls_within_calls() {
    let make = "static <A> A make() { return null; } static <A> A first(A... v) { return v[0]; }
        interface Fn<A, R> { R ap(A a); } static <A, R> R ap(Fn<A, R> f, A a) { return f.ap(a); }
        static int m(long x) { return 1; } static int m(Integer x) { return 2; } static int m(Number x) { return 3; } long l;";
    violated("nested", &format!("{make} public void op() {{ l = first(make()); }}"), "NullPointerException");
    verified("nested", &format!("{make} public void op() {{ l = first(3L, 4L); assert l == 3; }}"));
    verified("lambda", &format!("{make} public void op() {{ assert m(ap((Number x) -> make(), 5)) == 2; }}"));
    violated(
        "lambda",
        &format!("{make} public void op() {{ assert m(ap((Number x) -> x, 5)) == 2; }}"),
        "AssertionError",
    );
}

/// By the language a Byte, by `javac` an Integer.
#[test]
fn a_number_is_not_boxed_in_two_ways() {
    let byte = "static class Box<V> { V v; V[] all; } Box<Byte> b = new Box<>();";
    refused("boxed", &format!("{byte} public void op() {{ b = new Box<>(); b.v = 3; }}"), "another kind of box");
    verified(
        "cast",
        &format!("{byte} public void op() {{ b = new Box<>(); b.v = (byte) 3; Byte x = b.v; assert x == 3; }}"),
    );
    verified("local", &format!("{byte} public void op() {{ Byte x = 3; b = new Box<>(); b.v = x; assert b.v == 3; }}"));
}

#[test]
fn nothing_that_is_not_supported_is_dropped() {
    refused("literal", "public void op() { if (C.class.isArray()) assert false; }", "`Class.isArray` is not");
    refused("class", "public void op() { if (getClass().isArray()) assert false; }", "`Class.isArray` is not");
    refused(
        "loop",
        "public void op() { for (Object o : C.class.getInterfaces()) assert false; }",
        "`Class.getInterfaces` is not",
    );
    refused(
        "switch",
        "public void op() { switch (C.class.getModifiers()) { default: assert false; } }",
        "`Class.getModifiers` is not",
    );
    refused("float", "public void op() { Object o = float[].class; assert false; }", "a floating-point type is not");
    refused("print", "public void op(int i) { System.out.printf(\"%,d\", i); }", "`PrintStream.printf` is not");
}

/// Each has one object, which may be kept, passed and compared; a field may hold any.
#[test]
fn classes_are_values() {
    let classes = "static class A { } static class B extends A { } Class<?> kept; A a;";
    let op = |text: &str| format!("{classes} public void op(Object o) {{ {text} }}");
    verified("kept", &op("if (a != null) { kept = a.getClass(); assert kept == A.class || kept == B.class; }"));
    violated("kept", &op("if (a != null) { kept = a.getClass(); assert kept == A.class; }"), "AssertionError");
    verified("start", &op("if (kept == A.class) assert kept != B.class;"));
    violated("start", &op("assert kept != B.class;"), "AssertionError");
    // The code names no other class: there are others.
    violated("other", &op("assert kept == null || kept == A.class;"), "AssertionError");
    violated("any", &op("if (o != null) { Class<?> c = o.getClass(); assert c != B.class; }"), "AssertionError");
    verified("any", &op("if (o != null) { Class<?> c = o.getClass(); assert c != B.class || o instanceof A; }"));
    violated("equal", &op("if (a != null) assert !a.getClass().equals(A.class);"), "AssertionError");
    verified("equal", &op("if (a != null) assert a.getClass().equals(A.class) == !(a instanceof B);"));
    verified("types", &op("Object c = int.class; assert c != Integer.class && c != long.class && c == int.class;"));
    violated("types", &op("Object c = int[].class; assert c != new int[1].getClass();"), "AssertionError");
    violated("null", &op("Class<?> c = a.getClass();"), "NullPointer");
    let body = "enum E { X, Y { } } E e; public void op() { if (e != null) assert ";
    verified("body", &format!("{body} (e.getClass() == E.class) == (e == E.X); }}"));
    violated("body", &format!("{body} e.getClass() == E.class; }}"), "AssertionError");
    let field = "static final Class<?> K = C.class; public void op() { assert K";
    verified("static", &format!("{field} == getClass(); }}"));
    violated("static", &format!("{field} != getClass(); }}"), "AssertionError");
}

#[test]
fn an_array_of_floats_is_none_of_integers() {
    let op = |e: &str| format!("float[] f; public void op() {{ Object o = f; assert {e}; }}");
    verified("array", &op("!(o instanceof int[])"));
    violated("array", &op("!(o instanceof float[])"), "AssertionError");
}

/// The bytes go nowhere; a text is asked for, which may do something.
#[test]
fn what_is_printed_goes_nowhere() {
    let prints = "String s, t; public void op(int i) { System.out.println(\"i is \" + i); System.err.print(i);";
    verified("print", &format!("{prints} if (s != null && s.equals(t)) assert t.equals(s); }}"));
    violated("print", &format!("{prints} assert s == null || !s.equals(t); }}"), "AssertionError");
    let asks = "static class T { int asked; public String toString() { asked = 7; return \"t\"; } } T x;
        public void op() { if (x != null) { System.out.println(x); assert x.asked";
    verified("asked", &format!("{asks} == 7; }} }}"));
    violated("asked", &format!("{asks} != 7; }} }}"), "AssertionError");
    violated("array", "public void op() { char[] c = null; System.out.print(c); }", "NullPointerException");
}

/// Not by the exhaustive engine: there are two billion of them.
#[test]
fn a_machine_has_any_number_of_processors() {
    let op =
        |e: &str| format!("public void op() {{ int p = Runtime.getRuntime().availableProcessors(); assert {e}; }}");
    let ran = by_engines("processors", &op("p > 0"), &["glassbox"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    for few in ["p != 4", "p < 1000"] {
        let ran = by_engines("processors", &op(few), &["glassbox"]);
        assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_class_is_compared_with_a_class_literal() {
    let classes = "static class A { A() { assert false; } } static class B extends A {} A a; ";
    let op = |e: &str| format!("{classes} public void op() {{ if (a != null) assert {e}; }}");
    verified("exact", &op("(a.getClass() == A.class) == !(a instanceof B)"));
    violated("exact", &op("a.getClass() == A.class"), "AssertionError");
    violated("exact", &op("B.class != a.getClass()"), "AssertionError");
    let any = |e: &str| format!("{classes} public void op(Object o) {{ if (o != null) assert {e}; }}");
    violated("any", &any("o.getClass() != B.class"), "AssertionError");
    violated("any", &any("o.getClass() != String.class"), "AssertionError");
    verified("any", &any("o.getClass() != Comparable.class"));
    violated("null", &format!("{classes} public void op() {{ if (a.getClass() == A.class) return; }}"), "NullPointer");
}

#[test]
fn floats_are_passed_on() {
    let two = "int a; float f; double d = next(); static int count; static int next() { return ++count; }
        C(int a, float f) { this.a = a; this.f = f; } C(int a, double d) { this.a = -a; }
        public C() { this(1, 0.75f);";
    verified("float", &format!("{two} assert a == 1 && count == 1; }}"));
    violated("float", &format!("{two} assert a == -1; }}"), "AssertionError");
    refused(
        "look",
        "float f; public void op() { assert f == 1.5f; }",
        "floating-point arithmetic on a number that is not known",
    );
    refused("text", "public void op() { assert (\"a\" + 1.5f) == \"a1.5\"; }", "floating-point arithmetic is not");
}

#[test]
fn the_least_long_is_a_bound() {
    // Too many for the exhaustive engine.
    let range = "@Range(\"-9223372036854775808..0\") long l; public void op() {";
    let status = |test: &str| by_engines("range", &format!("{range} {test} }}"), &["glassbox"]).status;
    assert_eq!(status("assert l <= 0;"), 0);
    assert_eq!(status("assert l > Long.MIN_VALUE;"), 1);
    let few = "@Range(\"-9223372036854775808..-9223372036854775806\") long l; public void op() {";
    verified("few", &format!("{few} assert l < 0; }}"));
    violated("few", &format!("{few} assert l > Long.MIN_VALUE; }}"), "AssertionError");
}

#[test]
fn type_arguments_say_what_start_states_hold() {
    let one = "static class Box<T> { T v; } Box<Integer> b;";
    verified("box", &format!("{one} public int op() {{ return b == null || b.v == null ? 0 : b.v; }}"));
    violated("box", &format!("{one} public void op() {{ assert b == null || b.v == null || b.v == 0; }}"), "Assertion");
    let two = "static class Box<T> { T v; } Box<Integer> a; Box<String> s; Box<Box<Integer>> n; Box<?> any;";
    verified(
        "boxes",
        &format!(
            "{two} public void op() {{
                 if (a != null) {{ Integer i = a.v; }} if (s != null) {{ String t = s.v; }}
                 if (n != null && n.v != null) {{ Integer i = n.v.v; }} if (any != null) {{ Object o = any.v; }}
             }}"
        ),
    );
    violated(
        "nested",
        &format!("{two} public void op() {{ assert n == null || n.v == null || n.v.v == null; }}"),
        "n.v",
    );
    // Each may be the same object as another whose type allows it.
    violated("alias", &format!("{two} public void op() {{ assert a == null || a != any; }}"), "Assertion");
    violated("inner", &format!("{two} public void op() {{ assert a == null || n == null || n.v != a; }}"), "Assertion");
}

#[test]
fn type_arguments_go_on_to_what_is_inherited_and_to_trees_and_arrays() {
    let pair = "static class Pair<A, B> { A a; B b; } static class P extends Pair<Integer, Character> { }
        static class S<T extends Comparable<T>> { T[] items;
        T first() { return items == null || items.length == 0 ? null : items[0]; } }
        Pair<Integer, Character> p; P q; S<Integer> s;";
    verified(
        "pair",
        &format!(
            "{pair} public void op() {{
                 if (p != null) {{ Integer i = p.a; Character c = p.b; }} if (q != null) {{ Integer i = q.a; }}
                 if (s != null) {{ Integer i = s.first(); }}
             }}"
        ),
    );
    violated("heir", &format!("{pair} public void op() {{ assert p == null || p != q; }}"), "Assertion");
    let tree = "static class Node<T> { T v; @Tree Node<T> next; } @Tree Node<Integer> head;";
    let sum = "public int op() { int sum = 0;
        for (Node<Integer> n = head; n != null; n = n.next) if (n.v != null) sum += n.v;";
    verified("tree", &format!("{tree} {sum} return sum; }}"));
    violated("tree", &format!("{tree} {sum} assert sum < 2; return sum; }}"), "Assertion");
}

#[test]
fn type_arguments_do_not_bind_the_code() {
    violated(
        "pollution",
        "static class Box<T> { T v; } Box<Integer> b;
         public void op() { Box raw = b; if (raw != null) { raw.v = \"s\"; Integer i = b.v; } }",
        "ClassCastException",
    );
    violated(
        "raw",
        "static class Box<T> { T v; } Box b; public void op() { if (b != null) { Integer i = (Integer) b.v; } }",
        "ClassCast",
    );
}

/// However large the size, an `Object` may be a box of any number in range, or the answer says that it was left out.
#[test]
fn boxes_at_large_sizes() {
    let folder = std::env::temp_dir().join(format!("glassbox-large-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("C.java");
    for (asserted, status) in [
        ("!(o instanceof Integer)", 1),
        ("!(o instanceof Integer) || (Integer) o != 70", 1),
        ("!(o instanceof Integer) || o.equals((Integer) o + 0)", 0),
    ] {
        std::fs::write(&file, class(&format!("Object o; public void f() {{ assert {asserted}; }}"))).expect("a file");
        for size in ["4", "100", "2000"] {
            let file = file.to_str().expect("a plain name");
            let ran = glassbox(&["check", file, "--size", size, "--method", "f"]);
            let says = format!("{}{}", ran.stdout, ran.stderr).contains("boxes");
            assert!(ran.status == status || says, "{asserted} at {size}: {}{}", ran.stdout, ran.stderr);
            assert!(size == "2000" || !says, "{asserted} at {size}: {}{}", ran.stdout, ran.stderr);
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}
