//! What a class's operations are, what they run on and what may escape from them: from a user's file to the answers of all
//! engines and what they leave out. Each with a fault that must be found, and a twin without it that passes.

use crate::engines::{Answer, Engine, Subject, load};
use ir::interp::Linked;

/// A line per operation: its class and name, the answer, and the ids of what is left out.
fn answers(text: &str, size: i64) -> String {
    let text = format!("import glassbox.*; {text}");
    let loaded = load(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    let problems = ir::wellformed::problems(&loaded.program);
    assert!(problems.is_empty(), "{problems:#?}\n{text}");
    let linked = Linked::new(&loaded.program);
    let subject = Subject::new(&linked, size);
    let mut out = String::new();
    for checked in &loaded.checked {
        for operation in &checked.operations {
            let [glass_box, rest @ ..] = Engine::ALL.map(|e| subject.ask(e, checked, operation));
            for other in rest {
                assert!(glass_box.agrees(&other), "{}: {glass_box:?} {other:?}\n{text}", operation.name);
            }
            let answer = match glass_box {
                Answer::Verified => "verified".to_string(),
                Answer::Violated(kinds) => format!("{:?}", kinds[0]).to_lowercase(),
                other => format!("{other:?}"),
            };
            let class = &loaded.program.class(checked.class).name;
            out.push_str(&format!("{class}.{} {answer}", operation.name));
            for hole in &operation.left_out {
                out.push_str(&format!(" -{}", hole.id));
            }
            out.push('\n');
        }
    }
    out
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(answers(text, 3).lines().collect::<Vec<_>>(), expected, "{text}");
}

const OK: &str = "@Declarative boolean repOk() { return n >= 0; }";

#[test]
fn the_constructor_that_nobody_wrote() {
    check(&format!("public class A {{ int n = -1; {OK} }}"), &["A.A() invariant"]);
    check(&format!("public class A {{ int n = 1; {OK} }}"), &["A.A() verified"]);
    check(
        &format!("public class A {{ int n = 2; int[] a = new int[n - 3]; {OK} public void op() {{ }} }}"),
        &["A.op() verified", "A.A() exception"],
    );
    check(
        &format!(
            "class A {{ int n; {{ try {{ n = 1 / n; }} catch (ArithmeticException e) {{ n = 7; }} }} {OK} void op() {{ }} }}"
        ),
        &["A.op() verified", "A.A() verified"],
    );
    // With marks, only what is marked.
    check(&format!("class A {{ int n = -1; {OK} @Check void op() {{ }} }}"), &["A.op() verified"]);
    check(&format!("class A {{ int n; private A() {{ n = -1; }} {OK} void op() {{ }} }}"), &["A.op() verified"]);
    // A record's own.
    check(
        "public record R(int lo, int hi) { @Declarative boolean repOk() { return lo <= hi; } }",
        &["R.R(int, int) invariant"],
    );
    check(
        "public record R(int lo, int hi) { @Declarative boolean repOk() { return lo <= hi; } public R { if (lo > hi) { int t = lo; lo = hi; hi = t; } } }",
        &["R.R(int, int) verified"],
    );
}

#[test]
fn declarative_constructors_make_objects_too() {
    check(
        &format!("public class A {{ int n; @Declarative public A(int x) {{ n = x - 1; }} {OK} }}"),
        &["A.A(int) invariant"],
    );
    check(
        &format!("public class A {{ int n; @Declarative public A(@Range(\"0..2\") int x) {{ n = x; }} {OK} }}"),
        &["A.A(int) verified"],
    );
}

#[test]
fn subclasses_are_receivers() {
    let with = |hook: &str| {
        format!(
            "public class A {{ int n; {OK} public void dec() {{ if (n > 0) n--; hook(); }} private void hook2() {{ }} protected void hook() {{ }}
               static class B extends A {{ protected void hook() {{ {hook} }} }} }}"
        )
    };
    let faulty = ["A.dec() verified", "A.A() verified", "A.B.B() verified -helper", "A.B.dec() invariant -helper"];
    check(&with("n--;"), &faulty);
    check(
        &with("n++;"),
        &["A.dec() verified", "A.A() verified", "A.B.B() verified -helper", "A.B.dec() verified -helper"],
    );
    // Abstract classes, interfaces: all that is checked are the classes below.
    let with = |body: &str| {
        format!(
            "abstract class A {{ int n; {OK} public void twice() {{ step(); step(); }} abstract void step(); static class B extends A {{ void step() {{ {body} }} }} }}"
        )
    };
    check(&with("n--;"), &["A.B.B() verified -helper", "A.B.twice() invariant -helper"]);
    check(&with("if (n > 0) n--;"), &["A.B.B() verified -helper", "A.B.twice() verified -helper"]);
    check(
        "interface I { @Declarative boolean repOk(); void f(); default void g() { f(); } class A implements I { int n; @Declarative public boolean repOk() { return n >= 0; } public void f() { n = 1; } } class B extends A { public void f() { n = -1; } } }",
        &[
            "I.A.f() verified",
            "I.A.A() verified",
            "I.A.g() verified",
            "I.B.f() invariant",
            "I.B.B() verified",
            "I.B.g() invariant",
        ],
    );
    // An invariant of its own; one that is private above.
    check(
        &format!(
            "public class A {{ int n; {OK} public void inc() {{ n++; }} static class B extends A {{ @Declarative boolean repOk() {{ return n >= 0 && n <= 2; }} }} }}"
        ),
        &["A.inc() verified", "A.A() verified", "A.B.B() verified", "A.B.inc() invariant"],
    );
    check(
        "public class A { int n; @Declarative private boolean repOk() { return n >= 0; } public void inc() { n++; } static class B extends A { public void dec() { n--; } } }",
        &["A.inc() verified", "A.A() verified", "A.B.dec() invariant", "A.B.B() verified", "A.B.inc() verified"],
    );
    // An inner one has an outer object, which is not itself.
    check(
        &format!(
            "public class A {{ int n; {OK} public int get() {{ return n; }} class B extends A {{ public void op() {{ assert A.this != this; }} }} }}"
        ),
        &["A.get() verified", "A.A() verified", "A.B.op() verified", "A.B.B() verified", "A.B.get() verified"],
    );
    // A class within a method cannot be made up.
    check(
        &format!(
            "public class A {{ int n; {OK} public A twin() {{ return new A() {{ public A twin() {{ n = -1; return this; }} }}; }} }}"
        ),
        &["A.twin() verified -local-receiver", "A.A() verified -local-receiver"],
    );
}

#[test]
fn inner_objects_of_other_outer_objects() {
    let with = |more: &str, test: &str| {
        format!(
            "{more} public class A {{ int n; {OK} class In {{ int get() {{ return n; }} @Declarative boolean of(A a) {{ return A.this == a; }} }} public void op(In i) {{ {test} }} {} }}",
            "@Pre(\"op\") @Declarative boolean any(In i) { return i != null; }"
        )
    };
    check(&with("", "assert i.get() == n;"), &["A.op(A.In) assertion", "A.A() verified"]);
    check(&with("", "assert !i.of(this) || i.get() == n;"), &["A.op(A.In) verified", "A.A() verified"]);
    check(&with("@Max(\"1\")", "assert i.get() == n;"), &["A.op(A.In) verified", "A.A() verified"]);
    // What a tree holds belongs to its root.
    check(
        "public class L { @Tree Node head; int n; @Declarative boolean repOk() { return n >= 0; } class Node { @Tree Node next; int outer() { return n; } }
           public void op(L other) { if (head != null) assert head.outer() == n; if (other != null && other.head != null) assert other.head.outer() == other.n; } }",
        &["L.op(L) verified", "L.L() verified"],
    );
    check(
        "public class L { @Tree Node head; int n; @Declarative boolean repOk() { return n >= 0; } class Node { @Tree Node next; int outer() { return n; } }
           public void op(L other) { if (other != null && other.head != null) assert other.head.outer() == n; } }",
        &["L.op(L) assertion", "L.L() verified"],
    );
}

#[test]
fn static_state_after_a_first_call() {
    let with = |field: &str, test: &str| {
        format!(
            "public class A {{ {field} static int next; int n; {OK} public A() {{ next++; {test} }} public void op() {{ {test} }} }}"
        )
    };
    let open = ["A.A() verified -static-state", "A.op() verified -static-state"];
    check(&with("", "assert next <= 1;"), &open);
    check(&with("@Varies", "assert next <= 1;"), &["A.A() assertion", "A.op() assertion"]);
    check(&with("@Range(\"0..2\")", "assert next <= 3;"), &["A.A() verified", "A.op() verified"]);
    // Counted, never looked at.
    check(&format!("public class A {{ static int made; int n; {OK} public A() {{ made++; }} }}"), &["A.A() verified"]);
    // The invariant may speak of it.
    check(
        "public class A { @Varies static int next; int id; @Declarative boolean repOk() { return id <= next; } public void op() { next--; } public void go() { next++; } }",
        &["A.op() invariant", "A.go() verified", "A.A() verified"],
    );
    // Arrays, references, objects behind a final field, constants of enums.
    check(
        &format!(
            "public class A {{ static final int[] used = new int[2]; int n; {OK} public void op() {{ used[0]++; assert used[0] == 1; }} }}"
        ),
        &["A.op() verified -static-state", "A.A() verified"],
    );
    check(
        &format!(
            "public class A {{ @Varies @NonNull @Length(\"2..2\") static final int[] used = new int[2]; int n; {OK} public void op() {{ used[0]++; assert used[0] == 1; }} }}"
        ),
        &["A.op() assertion", "A.A() verified"],
    );
    check(
        &format!(
            "public class A {{ @Varies static A last; int n; {OK} public void op() {{ if (last != null) assert last == this; last = this; }} }}"
        ),
        &["A.op() assertion", "A.A() verified"],
    );
    check(
        &format!(
            "public class A {{ static A last; int n; {OK} public void op() {{ assert last == null; last = this; }} }}"
        ),
        &["A.op() verified -static-state", "A.A() verified"],
    );
    check(
        &format!(
            "public class A {{ static class Box {{ int v; void up() {{ v++; }} }} static final Box box = new Box(); int n; {OK} public void op() {{ box.up(); assert box.v == 1; }} }}"
        ),
        &["A.op() verified -static-state", "A.A() verified"],
    );
    check(
        &format!(
            "public class A {{ static final int[] t = new int[2]; int n; {OK} public void op() {{ assert t[0] == 0; }} static class B extends A {{ public void op() {{ t[0] = 1; }} }} }}"
        ),
        // An operation of a subclass changes what the class looks at.
        &["A.op() verified -static-state", "A.A() verified", "A.B.op() verified -static-state", "A.B.B() verified"],
    );
    check(
        &format!(
            "enum E {{ ONE; int used; void use() {{ used++; }} }} public class A {{ E e; int n; {OK} public void op() {{ if (e != null) {{ e.use(); assert E.ONE.used == 1; }} }} }}"
        ),
        &["A.op() verified -static-state", "A.A() verified"],
    );
}

#[test]
fn methods_for_the_package() {
    check(
        &format!("public class A {{ int n; {OK} public void inc() {{ n = 1; }} void dec() {{ n--; }} }}"),
        &["A.inc() verified", "A.dec() invariant", "A.A() verified"],
    );
    check(
        &format!(
            "public class A {{ int n; {OK} public void inc() {{ n = 1; }} protected void dec() {{ if (n > 0) n--; }} }}"
        ),
        &["A.inc() verified", "A.dec() verified", "A.A() verified"],
    );
    // A helper sees a state that is under repair.
    check(
        &format!(
            "public class A {{ int n; {OK} public void op() {{ n = -1; fix(); }} void fix() {{ assert n == -1; n = 0; }} }}"
        ),
        &["A.op() verified -helper", "A.A() verified -helper"],
    );
    check(
        &format!(
            "public class A {{ int n; {OK} public void op() {{ n = -1; fix(); }} private void fix() {{ assert n == -1; n = 0; }} }}"
        ),
        &["A.op() verified", "A.A() verified"],
    );
    // One of a circle is an operation; a call on another object makes no helper.
    check(
        &format!(
            "public class A {{ int n; {OK} public void op() {{ n = 0; }} void a(int k) {{ if (k > 0) b(k - 1); }} void b(int k) {{ n = k - 1; if (k > 0) a(k - 1); }} }}"
        ),
        &["A.op() verified -helper", "A.a(int) invariant -helper", "A.A() verified -helper"],
    );
    check(
        &format!(
            "public class A {{ int n; {OK} public void op(A other) {{ if (other != null && other != this) other.dec(); }} void dec() {{ n--; }} }}"
        ),
        &["A.op(A) invariant", "A.dec() invariant", "A.A() verified"],
    );
    // Members of an interface are public without saying so.
    check(
        "interface I { int get(); void set(int v); default void dec() { set(get() - 1); } } public class A implements I { int n; @Declarative boolean repOk() { return n >= 0; } public int get() { return n; } public void set(int v) { if (v >= -1) n = v; } @Pre(\"set\") @Declarative boolean p(int v) { return v >= 0; } }",
        &["A.get() verified", "A.set(int) verified", "A.A() verified", "A.dec() invariant"],
    );
    // Static methods and inner classes are said, not checked.
    check(
        &format!(
            "public class A {{ int n; {OK} public void op() {{ }} public static void spoil(A a) {{ a.n = -1; }} class It {{ public void remove() {{ n--; }} }} }}"
        ),
        &["A.op() verified -static-method -inner-class", "A.A() verified -static-method -inner-class"],
    );
    // Inner objects of a superclass belong to objects of this class too.
    check(
        &format!(
            "public class A extends B {{ {OK} public void op() {{ }} }} abstract class B {{ int n; class It {{ public void remove() {{ n--; }} }} }}"
        ),
        &["A.op() verified -inner-class", "A.A() verified -inner-class"],
    );
    // Hash codes that nobody chose are not all of them; those of a class of its own are.
    check(
        "public class A { Object k, l; @Declarative boolean repOk() { return true; } public void op() { if (k != null && l != null && k != l) assert k.hashCode() != l.hashCode(); } }",
        &["A.op() verified -identity-hash", "A.A() verified"],
    );
    check(
        "public class A { K k, l; @Declarative boolean repOk() { return true; } public void op() { if (k != null && l != null && k != l) assert k.hashCode() != l.hashCode(); } static class K { int h; public int hashCode() { return h; } } }",
        &["A.op() assertion", "A.A() verified"],
    );
    // What throws can do harm as what asserts can; what only looks cannot.
    check(
        &format!(
            "public class A {{ int n; {OK} public void op() {{ }} void stop(int k) {{ if (k > n) throw new IllegalStateException(); }} int look() {{ return n; }} }}"
        ),
        &["A.op() verified", "A.stop(int) exception", "A.A() verified"],
    );
}

#[test]
fn exceptions_are_named() {
    let with = |throws: &str, body: &str| {
        format!(
            "public class A {{ int n; int[] a; {OK} {throws} {{ {body} }} static class Own extends Exception {{ }} static class Mine extends RuntimeException {{ }} }}"
        )
    };
    let (good, bad) = (["A.op() verified", "A.A() verified"], ["A.op() exception", "A.A() verified"]);
    for wide in ["Exception", "Throwable", "RuntimeException"] {
        check(&with(&format!("public void op() throws {wide}"), "a[0] = 1;"), &bad);
        check(&with(&format!("public void op() throws {wide}"), "throw new Mine();"), &bad);
        check(&with(&format!("@MayThrow({wide}.class) public void op()"), "a[0] = 1;"), &good);
    }
    check(&with("public void op() throws Exception", "throw new Own();"), &good);
    check(&with("public void op() throws Exception", "throw new Exception();"), &good);
    check(&with("public void op() throws RuntimeException", "throw new RuntimeException();"), &good);
    check(&with("public void op() throws Exception", "throw new RuntimeException();"), &bad);
    check(&with("public void op() throws NullPointerException", "a = null; a[0] = 1;"), &good);
    check(&with("public void op() throws IndexOutOfBoundsException", "a = new int[0]; a[0] = 1;"), &good);
    check(&with("public void op() throws IndexOutOfBoundsException", "a = null; a[0] = 1;"), &bad);
    check(&with("public <T extends Exception> void op() throws T", "a = null; a[0] = 1;"), &bad);
    check(&with("public void op() throws Error", "throw new Error();"), &good);
    check(&with("public void op() throws Throwable", "throw new StackOverflowError();"), &bad);
    check(&with("public void op() throws Exception, Mine", "throw new Mine();"), &good);
    // The invariant holds all the same.
    check(
        &with("public void op() throws Exception", "n = -1; throw new Exception();"),
        &["A.op() invariant", "A.A() verified"],
    );
    // A constructor.
    check(
        "public class A { int[] a; int n; @Declarative boolean repOk() { return true; } public A() throws Exception { n = a.length; } }",
        &["A.A() exception"],
    );
}
