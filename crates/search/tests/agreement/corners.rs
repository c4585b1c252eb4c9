//! Small classes at the corners of what a state may be: the engines agree on them in both shapes.

use crate::engines::{Answer, Engine, Subject, load};
use ir::interp::Linked;
use ir::space::Shape;

fn engines_agree(body: &str) {
    let is_language = body.contains("isFinalState()");
    let kind = if is_language { "C implements Language" } else { "C" };
    let text = format!("import glassbox.*; public class {kind} {{ {body} }}");
    let loaded = load(&text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    for shape in [Shape::Complete, Shape::Any] {
        for size in 1..=2 {
            let subject = Subject { shape, steps: 20_000, ..Subject::new(&linked, size) };
            for operation in &loaded.checked[0].operations {
                let ask = |engine| subject.ask(engine, &loaded.checked[0], operation);
                let expected = ask(Engine::Exhaustive);
                assert!(!matches!(expected, Answer::Other(_)), "{text}\n{shape:?} {size}: {expected:?}");
                // A planted fault and its correct twin.
                if size == 2 && operation.name.starts_with("wrong") {
                    assert!(matches!(expected, Answer::Violated(_)), "{text}\n{}: {expected:?}", operation.name);
                } else if size == 2 && operation.name.starts_with("right") {
                    assert_eq!(expected, Answer::Verified, "{text}\n{}", operation.name);
                }
                for engine in [Engine::GlassBox, Engine::Models] {
                    let answer = ask(engine);
                    assert!(
                        answer.agrees(&expected),
                        "{text}\n{shape:?} {size} {engine:?}: {answer:?}, not {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn references_into_trees() {
    engines_agree(
        "static class Node { @Tree Node left; @Tree Node right; Node parent; }
         @Tree Node root; Node last;
         @Check void look(Node n) { assert n == null || n.parent != n || last == n; }
         @Declarative boolean repOk() { return root == null || root.parent == null; }",
    );
}

/// What a quotient is where its divisor is zero matters to nobody, and all ways to compute it say the same.
#[test]
fn divisions_by_zero_in_declarative_code() {
    engines_agree(
        "static class Cell { @Range(\"0..1\") int v; @Tree Cell next; }
         @Range(\"-1..2\") int k; @Tree Cell d;
         @Declarative int g(int k, Cell c) { if (c.next != null) return 4 / k; return 0; }
         @Declarative boolean repOk() { return g(k, d) >= 0; }
         @Check void wrong(@Range(\"0..2\") int j) { assert g(j, d) >= 0; }
         @Check void right(@Range(\"1..2\") int j) { assert g(j, d) >= 0; }",
    );
}

#[test]
fn objects_that_look_alike() {
    engines_agree(
        "static class P { P friend; int v; }
         P a; P b;
         @Check void look(P x) { if (x != null && x.friend != null && x.friend != x) assert a != x || x.friend != b; }
         @Check void three(P x) { assert a == null || b == null || x == null || a == b || b == x || a == x; }
         @Declarative boolean repOk() { return a == null || a.friend != a; }",
    );
}

#[test]
fn arrays_of_objects_with_arrays() {
    engines_agree(
        "static class P { int[] data; P other; }
         P a; P[] all;
         @Check void look(@Length(\"0..1\") int[] x) {
             if (all != null && all.length > 1 && all[0] != null && all[0].data != null && x != null)
                 assert all[1] != a || all[0].data.length != x.length;
         }
         @Declarative boolean repOk() { return a != null && a.other == null; }",
    );
}

#[test]
fn opaque_objects() {
    engines_agree(
        "Object a; Object b;
         @Check void look(Object x) { assert a == b || x != a; }
         @Check void hashes(Object x) { assert x == null || a == null || x == a || x.hashCode() != a.hashCode(); }
         @Declarative boolean repOk() { return a != null; }",
    );
}

/// A field takes some of the classes only: what does not fit there is not in the state either.
#[test]
fn places_that_not_every_class_may_take() {
    engines_agree(
        "static abstract class Node { @Tree @OneOf({Leaf.class}) Node child; }
         static class Leaf extends Node {} static class Inner extends Node {}
         @Tree Node root; Node ref;
         @Check void look() { assert ref == null || ref == root || ref == root.child; }
         @Declarative boolean repOk() { return true; }",
    );
}

#[test]
fn trees_in_arrays_share_a_budget() {
    engines_agree(
        "static class Node { @Tree Node next; }
         @Tree @Length(\"2..2\") Node[] bins;
         @Check void look() { assert bins == null || bins[0] == null || bins[1] == null || GlassBox.size() > 1; }
         @Declarative boolean repOk() { return true; }",
    );
}

#[test]
fn enums_boxes_and_strings() {
    engines_agree(
        "enum E { A, B } E e; Integer i; String s;
         @Check void look(E x, Integer j) { assert e != x || i == null || j == null || !i.equals(j) || s == null; }
         @Declarative boolean repOk() { return e != null; }",
    );
}

#[test]
fn assumptions_that_are_known_to_fail() {
    engines_agree(
        "@Range(\"0..3\") int a;
         @Check void never() { GlassBox.assume(false); }
         @Check void rightSome() { if (a > 1) GlassBox.assume(a == 1); else assert a < 2; }
         @Check void after() { assert a < 3; GlassBox.assume(a < 0); }
         @Declarative boolean repOk() { return a >= 0; }",
    );
}

#[test]
fn quantifiers_in_operations() {
    engines_agree(
        "@NonNull @Length(\"0..2\") @Range(\"0..2\") int[] xs; @Range(\"0..2\") int a;
         @Check void all() { assert GlassBox.forall(0, xs.length, i -> xs[i] <= a); }
         @Check void some() { if (GlassBox.exists(0, xs.length, i -> xs[i] == a)) a = 5; }
         @Declarative boolean repOk() { return a < 3; }",
    );
}

#[test]
fn loops_in_circles() {
    engines_agree(
        "static class N { N next; @Range(\"0..1\") int v; } N head; N tail;
         @Check void touch() { if (head != null) head.v = 1; assert tail != head || tail == null || tail.next == null; }
         @Check void cut() { if (head != null) { assert head.next != head; head.next = null; } }
         @Declarative boolean repOk() {
             N n = head; boolean isOdd = false;
             while (n != null && n.next != null) { n = n.next; isOdd = !isOdd; }
             return tail == n;
         }",
    );
}

/// What decides whether a loop goes on may be assigned within an expression, or be an object that a call makes.
#[test]
fn loops_that_end_late() {
    engines_agree(
        "@Range(\"0..1\") int a;
         @Check void look() { assert a == 0; }
         @Declarative boolean repOk() {
             boolean isDone = false, b = false; int i = 0;
             while (!isDone) { i++; b = i > 60 && (isDone = true); }
             return b;
         }",
    );
    engines_agree(
        "static class Box { final int depth; @Declarative Box(int depth) { this.depth = depth; } }
         @Range(\"0..1\") int a;
         @Check void look() { assert a == 0; }
         @Declarative static Box deeper(Box b) { return new Box(b.depth + 1); }
         @Declarative boolean repOk() {
             Box b = deeper(new Box(0));
             while (b.depth < 60) b = deeper(b);
             return b.depth == 60;
         }",
    );
}

/// A state that declarative code would have to go too far for is not left out silently.
#[test]
fn declarative_code_beyond_the_limit() {
    for holds in ["down(k) == 0", "up(k) == 2 * k"] {
        let text = format!(
            "import glassbox.*; public class C {{
                @Range(\"0..5000\") int k;
                @Check void look() {{ assert k < 4500; }}
                @Declarative boolean repOk() {{ return {holds}; }}
                @Declarative static int down(int i) {{ return i <= 0 ? 0 : down(i - 1); }}
                @Declarative static int up(int k) {{ int c = 0; for (int i = 0; i < k; i++) c += 2; return c; }} }}"
        );
        let loaded = load(&text).unwrap_or_else(|e| panic!("{e}"));
        let linked = Linked::new(&loaded.program);
        let subject = Subject { seconds: 120, ..Subject::new(&linked, 1) };
        for engine in [Engine::GlassBox, Engine::Models] {
            let answer = subject.ask(engine, &loaded.checked[0], &loaded.checked[0].operations[0]);
            assert!(matches!(answer, Answer::Unsupported(_)), "{holds}, {engine:?}: {answer:?}");
        }
    }
}

#[test]
fn strings_may_be_those_of_the_program() {
    let text = "import glassbox.*; public class C {
        String s;
        @Check void look() { assert s == null || !s.equals(\"x\"); }
        @Declarative boolean repOk() { return true; } }";
    let loaded = load(text).unwrap_or_else(|e| panic!("{e}"));
    let linked = Linked::new(&loaded.program);
    let subject = Subject::new(&linked, 1);
    for engine in Engine::ALL {
        let answer = subject.ask(engine, &loaded.checked[0], &loaded.checked[0].operations[0]);
        assert!(matches!(answer, Answer::Violated(_)), "{engine:?}: {answer:?}");
    }
}

/// One that throws or never ends is false.
#[test]
fn invariants_that_throw() {
    engines_agree(
        "static class N { N next; int v; } N a;
         @Check void look() { assert a.next.next.v != 1; }
         @Declarative boolean repOk() { return a.next.next.v >= 0; }",
    );
}

#[test]
fn pool_objects_with_trees() {
    engines_agree(
        "static class Node { @Tree Node next; } static class Holder { @Tree Node head; }
         Holder holder;
         @Check void look() { assert holder == null || holder.head == null; }
         @Declarative boolean repOk() { return true; }",
    );
}

/// What a call means does not depend on the calls around it: `b` ends where `a` does not go on to `b`.
#[test]
fn recursion_in_circles() {
    engines_agree(
        "static class N { boolean goesOn; N next; boolean turns; N side; }
         N a; N b;
         @Check void look() { assert a.goesOn || !b.turns || b.goesOn || b.side != a || a.turns; }
         @Check void pass() { assert !a.goesOn || a.next != a; }
         @Declarative boolean repOk() { return a != null && b != null && a != b && (ends(a) || !a.goesOn) && ends(b); }
         @Declarative static boolean ends(N n) { return n.goesOn ? ends(n.next) : n.turns ? ends(n.side) : true; }",
    );
}

#[test]
fn references_of_the_state_before() {
    engines_agree(
        "static class N { N next; } N a; N b;
         @Check void cut(boolean first) { a.next = null; }
         @Declarative boolean repOk() { return a != null && b != null; }
         @Declarative @Post(\"cut\") boolean wasCut(C before, boolean first) {
             N was = first ? before.a.next : null;
             return (was == null) == (!first || before.a.next == null) && (was == null || before.a.next == was);
         }",
    );
}

#[test]
fn multiples_of_the_least_long() {
    engines_agree(
        "@Range(\"0..1\") long x; @Range(\"-9223372036854775807..-9223372036854775804\") long z;
         @Check void look() { assert x * Long.MIN_VALUE + 1 >= z; }
         @Declarative boolean repOk() { return true; }",
    );
}

/// What decides may be a number that stays within a range, in a loop or an argument, or what an array of its own holds.
#[test]
fn loops_on_numbers_in_circles() {
    engines_agree(
        "@Range(\"0..3\") int a, b;
         @Check void step() { a = (a + 1) % 4; }
         @Check void beyond() { a = -6; }
         @Check void look() { assert a != 3 || b != 1; }
         @Declarative boolean repOk() { int j = a; while (j != b) j = (j + 1) % 4; return true; }",
    );
    engines_agree(
        "@Range(\"0..3\") int a, b;
         @Check void step() { a = (a + 2) % 4; }
         @Check void odd() { a = (a + 1) % 4; }
         @Declarative boolean repOk() { int j = a, k = 0; while (j != b) { j = (j + 2) % 4; k++; } return k < 4; }",
    );
    engines_agree(
        "@NonNull @Length(\"3..3\") @Range(\"0..2\") int[] p;
         @Check void rightJoin(@Range(\"0..2\") int a, @Range(\"0..2\") int b) { p[root(a)] = root(b); }
         @Check void wrongJoin(@Range(\"0..2\") int a, @Range(\"0..2\") int b) { p[root(a)] = b; }
         @Declarative int root(int x) { return p[x] == x ? x : root(p[x]); }
         @Declarative boolean repOk() { return GlassBox.forall(0, 3, i -> root(i) >= 0); }",
    );
    engines_agree(
        "@NonNull @Length(\"0..3\") @Range(\"-1..2\") int[] next; @Range(\"-1..2\") int head;
         @Check void rightPop() { if (head != -1) head = next[head]; }
         @Check void wrongTie() { if (head != -1) next[head] = head; }
         @Declarative boolean repOk() {
             boolean[] seen = new boolean[next.length]; int i = head;
             while (i != -1) { if (seen[i]) return false; seen[i] = true; i = next[i]; }
             return true;
         }",
    );
    // It counts while it goes in a circle: no other state comes again.
    engines_agree(
        "static class N { N next; } N start; @Range(\"0..3\") int size;
         @Check void rightTurn() { if (start != null) start = start.next; }
         @Check void wrongDrop() { if (start != null) { start.next = start.next.next; size--; } }
         @Declarative boolean repOk() {
             if (start == null) return size == 0;
             int k = 1;
             for (N n = start.next; n != start; n = n.next) { if (n == null) return false; k++; }
             return k == size;
         }",
    );
}

/// A declarative call that allocates makes another object each time.
#[test]
fn declarative_calls_that_allocate() {
    let boxes = "static class Box { @Range(\"0..2\") int v; Box next; @Declarative Box(int v) { this.v = v; }
                                   @Declarative Box(int v, Box next) { this(v); this.next = next; } }
         @Range(\"0..2\") int x; Box kept;
         @Declarative static Box make(int v) { return new Box(v); }
         @Declarative static Box copy(Box b, int most) { return b == null || most == 0 ? null : new Box(b.v, copy(b.next, most - 1)); }
         @Declarative static Box either(int v, Box b) { Box mine = make(v); return v > 1 ? mine : b; }
         @Declarative static int sum(int v) { Box a = make(v), b = make(v); return a == b ? 100 : a.v + b.v; }
         @Declarative int[] row(int k) { int[] a = new int[k]; for (int i = 0; i < k; i++) a[i] = x; return a; }
         @Declarative boolean repOk() { return make(x) != make(x) && make(x).v == x && (kept == null || kept.next != kept); }";
    for operation in [
        "void rightIdentity() { Box a = make(x), b = make(x); assert a != b; }",
        "void wrongIdentity() { assert make(x) == make(x); }",
        "void rightWrite() { Box a = make(x), b = make(x); a.v = 7; assert b.v == x; }",
        "void wrongWrite() { Box a = make(x); a.v = 7; assert make(x).v == 7; }",
        "void rightAgain() { make(x).v = 9; assert make(x).v == x && sum(x) == 2 * x; }",
        "void rightDeep() { Box a = copy(kept, 2), b = copy(kept, 2); if (a != null) { a.v = 5; if (a.next != null) a.next.v = 6; } assert b == null || b.v != 5 && (b.next == null || b.next.v != 6); }",
        "void wrongDeep() { Box a = copy(kept, 2); if (a != null && a.next != null) a.next.v = 6; assert kept == null || copy(kept, 2).next == null || copy(kept, 2).next.v == 6; }",
        "void rightSome() { Box a = either(x, kept), b = either(x, kept); assert x > 1 ? a != b : a == b; }",
        "void wrongSome() { assert either(x, kept) == either(x, kept); }",
        "void rightRows() { int[] a = row(x), b = row(x); if (x > 0) a[0] = 8; assert x == 0 || b[0] == x; }",
        "void wrongRows() { int[] a = row(x); if (x > 1) a[1] = 8; assert x < 2 || row(x)[1] == 8; }",
    ] {
        engines_agree(&format!("{boxes} @Check {operation}"));
    }
}

/// A call makes the objects that it made before with other contents: what was said about them is said again, and nobody can tell.
#[test]
fn objects_made_again() {
    let cells = "static class N { @Range(\"0..2\") int v; @Tree N next; @Declarative N(int v, N next) { this.v = v; this.next = next; } }
         @Tree N head; @Range(\"0..2\") int x;
         @Declarative static N copy(N c) { return c == null ? null : new N(c.v, copy(c.next)); }
         @Declarative static N back(N c, N done) { return c == null ? done : back(c.next, new N(c.v, done)); }
         @Declarative static boolean has(N c, int v) { return c != null && (c.v == v || has(c.next, v)); }
         @Declarative static boolean apart(N c, N d) { return c == null || c != d && apart(c.next, d.next); }
         @Declarative static N first(N c) { return c; }
         @Declarative boolean tells(int v) { return has(copy(head), v); }
         @Declarative boolean isOther(N c) { return c == null || c != copy(head) && apart(c, copy(head)); }
         @Declarative boolean repOk() {
             N twin = copy(head);
             return !has(twin, 2) && !has(back(twin, null), 2) && isOther(twin) && apart(first(twin), copy(head));
         }";
    for operation in [
        "void rightSet(@Range(\"0..1\") int v) { if (head != null && head.next != null) head.next.v = v; }",
        "void wrongSet(@Range(\"0..2\") int v) { if (head != null && head.next != null) head.next.v = v; }",
        "void rightFront(@Range(\"0..1\") int v) { head = new N(v, head); }",
        "void wrongFront(@Range(\"1..2\") int v) { head = new N(v, head); }",
        "void rightSwap() { if (head != null && head.next != null) { N n = head.next; head.next = n.next; n.next = head; head = n; } }",
        "void wrongSwap() { if (head != null && head.next != null) { N n = head.next; head.next = n.next; n.next = head; head = n; n.v = 1; n.next.v += n.v; } }",
        "void rightDrop() { if (head != null) head = head.next; }",
        "void wrongDrop() { if (head != null && head.next != null) { head.next = new N(head.v + 1, null); } }",
        "void rightAsk() { assert isOther(copy(head)); if (head != null) head.v = 0; assert isOther(copy(head)) && !has(back(head, null), 2); }",
        "void wrongAsk() { boolean before = has(back(head, null), x); if (head != null) head.v = 0; assert before == has(back(head, null), x); }",
        "void rightBack() { boolean before = tells(x); N old = head; head = new N(1, null); assert tells(x) == (x == 1); head = old; assert before == tells(x); }",
        "void wrongBack() { boolean before = tells(x); head = new N(1, head); assert before == tells(x); head = head.next; }",
        "void rightTwice() { if (head != null) { head.v = 1 - head.v; assert repOk(); head.v = 2; assert !repOk(); head.v = 1; } }",
        "void wrongTwice() { if (head != null) { head.v = 2; assert !repOk(); head.v = 1; assert !repOk(); } }",
    ] {
        engines_agree(&format!("{cells} @Check {operation}"));
    }
}

/// What nobody wrote as a constructor may do anything.
#[test]
fn constructors_that_nobody_wrote() {
    engines_agree(
        "static int next; @Range(\"0..3\") int cnt;
         static class Node { int id = next++; }
         static class Holder { int a = 1; int z = a++; int w; { try { w = z / (a - 2); } catch (ArithmeticException e) { w = 3; } } }
         static class Base { int v; Base() { set(); } void set() { v = 5; } }
         static class Derived extends Base { int u = v + 1; void set() { v = 7; } }
         class Inner { int[] q = new int[cnt - 1]; }
         @Declarative boolean repOk() { return cnt >= 0; }
         @Check void rightNode() { Node a = new Node(), b = new Node(); assert b.id == a.id + 1; }
         @Check void wrongNode() { assert new Node().id == new Node().id; }
         @Check void rightHolder() { Holder h = new Holder(); assert h.a == 2 && h.z == 1 && h.w == 3; }
         @Check void wrongHolder() { assert new Holder().z == 2; }
         @Check void rightDerived() { assert new Derived().u == 8; }
         @Check void wrongDerived() { assert new Derived().u == 6; }
         @Check void rightInner() { if (cnt > 0) assert new Inner().q.length == cnt - 1; }
         @Check void wrongInner() { assert new Inner().q != null; }",
    );
}

/// A state of which nobody can tell whether it is final is neither final nor does it go on.
#[test]
fn final_states_that_throw() {
    for (test, step) in [
        ("a.length == x", "if (a == null) throw new StuckException(); x = 0;"),
        ("a.length == x", "x = 0;"),
        ("a != null && a.length == x", "x = 0;"),
        ("a != null && 1 / x == 1", "x = 0;"),
        ("x == 0 || a != null && a.length < 1 / x", "x = 0;"),
    ] {
        engines_agree(&format!(
            "@Range(\"0..2\") int x; int[] a;
             public void smallStep() throws StuckException {{ {step} }}
             @Declarative public boolean wellTyped() {{ return true; }}
             @Declarative public boolean isFinalState() {{ return {test}; }}"
        ));
    }
}

/// What an operation does before it decides anything is run once: each run finds it as it was, whatever others did to it.
#[test]
fn what_every_run_does_first() {
    let class = |operations: &str| {
        format!(
            "static class Cell {{ int v; Cell next; Cell(int v, Cell next) {{ this.v = v; this.next = next; }} }}
             static class Peer {{ @Range(\"0..1\") int mark; }}
             @Range(\"0..2\") int x; Peer first; Peer second; static int made;
             Cell three() {{ Cell c = new Cell(1, null); c = new Cell(2, c); c.next.v = 3; return c; }}
             @Declarative static int sum(Cell c) {{ return c == null ? 0 : c.v + sum(c.next); }}
             @Declarative boolean repOk() {{ return x >= 0; }}
             {operations}"
        )
    };
    // The cells are changed on some paths, and asked about on all.
    engines_agree(&class(
        "@Check void right(@Range(\"0..3\") int k) {
             Cell c = three(); int before = sum(c);
             if (k == x) c.v = 7; else if (k > x) c.next.v += k;
             assert sum(c) == before + (k == x ? 5 : k > x ? k : 0);
         }
         @Check void wrong(@Range(\"0..3\") int k) {
             Cell c = three(); int before = sum(c);
             if (k == x) c.v = 7; else if (k > x) c.next.v += k;
             assert sum(c) == before + (k == x ? 5 : k >= x + 2 ? k : 0);
         }",
    ));
    // What was there is changed at once: that is not the same for all runs.
    engines_agree(&class(
        "@Check void right(@Range(\"0..3\") int k) { made = 0; x = x + 0; made = made + 1; if (k > x) made++; assert made == (k > x ? 2 : 1); }
         @Check void wrong(@Range(\"0..3\") int k) { made = 0; made = made + 1; if (k > x) made++; assert made == 1; }",
    ));
    // An object that was met is not one of many.
    engines_agree(&class(
        "@Check void right() { Peer p = first; if (p != null && second == p) assert second == first; }
         @Check void wrong() { Peer p = first; if (p != null && second != null) { p.mark = 1; second.mark = 0; assert first.mark == 1; } }",
    ));
}

/// Of what a write disables, what comes out as before is kept; and it is asked again when what it then rests on changes.
#[test]
fn what_a_write_leaves_as_it_was() {
    let class = |operations: &str| {
        format!(
            "static class Cell {{ @Range(\"0..2\") int v; @Tree Cell next; Cell(int v, Cell next) {{ this.v = v; this.next = next; }} }}
             @Tree Cell first;
             @Declarative static boolean areSmall(Cell c) {{ return c == null || isSmall(c) && areSmall(c.next); }}
             @Declarative static boolean isSmall(Cell c) {{ return c.v <= 1; }}
             @Declarative static int sum(Cell c) {{ return c == null ? 0 : head(c) + sum(c.next); }}
             @Declarative static int head(Cell c) {{ return c.v; }}
             @Declarative static int second(Cell c) {{ return c == null || c.next == null ? 0 : head(c.next); }}
             @Declarative static boolean isOdd(Cell c) {{ return second(c) == 1; }}
             @Declarative boolean repOk() {{ return areSmall(first) && sum(first) <= 3; }}
             {operations}"
        )
    };
    // Changed to the same, to something else that is as small, to something that is not, and back again.
    engines_agree(&class(
        "@Check void right(@Range(\"0..1\") int k) {
             if (first == null || first.next == null) return;
             first.next.v = k; assert areSmall(first);
             first.next.v = k + 1; assert areSmall(first) == (k == 0);
             first.next.v = k; assert areSmall(first); first.next.v = 0;
         }
         @Check void wrong(@Range(\"0..1\") int k) {
             if (first == null || first.next == null) return;
             first.next.v = k; assert areSmall(first); first.next.v = k + 1; assert areSmall(first);
         }
         @Check void invariant(@Range(\"0..2\") int k) { if (first != null && first.next != null) first.next.v = k; }",
    ));
    // Another cell with the same number takes the place of one, and then changes: the answer rests on the new one now.
    engines_agree(&class(
        "@Check void right() {
             if (first == null || first.next == null) return;
             boolean was = isOdd(first); Cell other = new Cell(first.next.v, null); first.next = other; assert isOdd(first) == was;
             other.v = 1 - other.v; assert isOdd(first) != was; first.next = null;
         }
         @Check void wrong() {
             if (first == null || first.next == null) return;
             boolean was = isOdd(first); Cell other = new Cell(first.next.v, null); first.next = other; assert isOdd(first) == was;
             other.v = 1 - other.v; assert isOdd(first) == was;
         }
         @Check void later() {
             if (first == null || first.next == null) return;
             int before = sum(first); Cell other = new Cell(first.next.v, first.next.next); first.next = other; assert sum(first) == before;
             other.v = 0; assert sum(first) <= before; other.v = 2;
         }",
    ));
    // The old cell is out of the way: what happens to it is of no interest.
    engines_agree(&class(
        "@Check void right() {
             if (first == null || first.next == null) return;
             int before = sum(first); Cell old = first.next; first.next = new Cell(old.v, old.next); old.v = 2; old.next = null;
             assert sum(first) == before;
         }
         @Check void wrong() {
             if (first == null || first.next == null) return;
             int before = sum(first); Cell old = first.next; first.next = new Cell(old.v, old.next); old.v = 2;
             assert sum(first) == before + 2 - before % 2;
         }",
    ));
}

/// A recursion over objects that lie anywhere, which ends by a count alone.
#[test]
fn a_count_ends_a_recursion() {
    let ring = |remove: &str| {
        format!(
            "static class Node {{ Node prev, next; @Range(\"0..1\") int v; }}
             @NonNull Node sentinel; @Range(\"0..n\") int size;
             @Declarative boolean repOk() {{ return isRing(sentinel, size); }}
             @Declarative boolean isRing(Node n, int left) {{
                 return n.next != null && n.next.prev == n
                     && (left == 0 ? n.next == sentinel : n.next != sentinel && isRing(n.next, left - 1));
             }}
             @Declarative int sum(Node n, int from) {{ return from >= size ? 0 : n.v + sum(n.next, from + 1); }}
             @Check void {remove}
             @Check void right2() {{ assert sum(sentinel.next, 0) >= 0 && sum(sentinel, 0) <= size; }}
             @Check void wrong2() {{ assert sum(sentinel.next, 0) < 1; }}"
        )
    };
    engines_agree(&ring(
        "right() { if (size > 0) { sentinel.next = sentinel.next.next; sentinel.next.prev = sentinel; size--; } }",
    ));
    engines_agree(&ring(
        "wrong() { if (size > 0) { sentinel.next = sentinel.next.next; sentinel.next.prev = sentinel; } }",
    ));
    engines_agree(&ring("wrong() { if (size > 0) { sentinel.next = sentinel.next.next; size--; } }"));
}

/// One object in two places of a tree is as good as two if nothing can tell: it never changes, and nobody compares it.
#[test]
fn values_in_two_places() {
    let pair = |kind: &str, below: &str, operations: &str| {
        format!(
            "interface Term {{}}
             {kind}
             record Pair(@Tree Term left, @Tree Term right) implements Term {{}}
             {below}
             @Tree Term root;
             @Declarative boolean repOk() {{ return true; }}
             {operations}"
        )
    };
    let twice = |name: &str| format!("@Check void {name}() {{ root = new Pair(root, root); }}");
    let leaf = "record Leaf(@Range(\"0..1\") int v) implements Term {}";
    engines_agree(&pair(leaf, "", &twice("right")));
    engines_agree(&pair(
        "static class Leaf implements Term { final int v; Leaf(int v) { this.v = v; } }",
        "",
        &twice("right"),
    ));
    // Only constructors write it.
    let plain = "static class Leaf implements Term { int v; Leaf(int v) { this.v = v; } }";
    engines_agree(&pair(plain, "", &twice("right")));
    // It changes, or what is below it does.
    let changes = "@Check void change() { if (root instanceof Leaf) ((Leaf) root).v = 1; }";
    engines_agree(&pair(plain, "", &format!("{} {changes}", twice("wrong"))));
    let holder = "static class Cell { @Range(\"0..1\") int v; } record Holder(@Tree Cell cell) implements Term {}";
    let changes = "@Check void change() { if (root instanceof Holder && ((Holder) root).cell != null) ((Holder) root).cell.v = 1; }";
    engines_agree(&pair(leaf, holder, &format!("{} {changes}", twice("wrong"))));
    // It is compared.
    let compares =
        |of: &str| format!("{} @Check boolean compares({of} a, {of} b) {{ return a == b; }}", twice("wrong"));
    engines_agree(&pair(leaf, "", &compares("Term")));
    engines_agree(&pair(leaf, "", &compares("Object")));
    engines_agree(&pair(
        leaf,
        "record Other(int v) {}",
        &format!("{} @Check boolean compares(Other a, Other b) {{ return a == b; }}", twice("right")),
    ));
    // A class without its own `equals` has that of Object, which compares.
    let equals = "@Check boolean compares(Term a, Term b) { return a != null && a.equals(b); }";
    let plain = "static class Leaf implements Term { final int v; Leaf(int v) { this.v = v; } }";
    engines_agree(&pair(plain, "", &format!("{} {equals}", twice("wrong"))));
    engines_agree(&pair(leaf, "", &format!("{} {equals}", twice("right"))));
    // Never the checked object, and what is no value in two places.
    engines_agree(&pair(
        leaf,
        "record Back(@Tree C c) implements Term {}",
        "@Check void wrong() { root = new Back(this); }",
    ));
}

#[test]
fn records_are_records() {
    engines_agree(
        "record P(int x) {} @Range(\"0..1\") int k;
         @Check void right() { Object o = new P(k); assert o instanceof Record; }
         @Check void wrong() { Object o = k == 0 ? new P(k) : this; assert o instanceof Record; }
         @Declarative boolean repOk() { return true; }",
    );
}
