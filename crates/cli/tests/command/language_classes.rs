//! Languages as Java classes (dissertation, section 6.3): each is sound, and counterexamples are programs.

use crate::{items, object, run};
use expect_test::{Expect, expect};
use serde_json::Value;

fn first(arguments: &str) -> Value {
    items(&object(&run(&format!("{arguments} --json")))).into_iter().next().unwrap_or_default()
}

/// The states run at each size. At size 1 all programs of IMP and Featherweight Java are final.
fn check(language: &str, states: &[(i64, u64)]) {
    for (n, expected) in states {
        let item = first(&format!("examples/java/languages/{language} --size {n} --engine glassbox"));
        assert_eq!(
            (&item["verdict"], &item["work"]["states_run"]),
            (&"verified".into(), &(*expected).into()),
            "{language} {n}"
        );
    }
}

#[test]
fn they_are_sound() {
    check("lambda/Lambda.java", &[(4, 2), (13, 5), (40, 13)]);
    check("imp/Imp.java", &[(2, 5), (3, 7), (4, 13), (5, 23), (7, 24), (15, 61), (31, 138)]);
    check("heap-threads/HeapThreads.java", &[(1, 25), (2, 43), (7, 43)]);
    check("featherweight-java/FeatherweightJava.java", &[(2, 3), (5, 14)]);
    check("mini-java/MiniJava.java", &[(1, 6), (2, 19)]);
    check("ownership-java/OwnershipJava.java", &[(1, 6), (2, 31)]);
    check("mini-java-threads/MiniJavaThreads.java", &[(1, 11), (2, 45)]);
}

/// Extensions of Mini Java, with Mini Java assumed (`Efficient Software Model Checking of Soundness of Type Systems`, section 4), and
/// with nothing assumed: the same states are run, since no step is added.
#[test]
fn extensions_are_sound() {
    check("non-null/NonNullJava.java", &[(1, 6), (2, 18)]);
    check("tainted/TaintedJava.java", &[(1, 6), (2, 19)]);
    for (files, states) in [
        ("non-null/whole/WholeNonNullJava.java examples/java/languages/non-null/NonNullJava.java", 18),
        ("tainted/whole/WholeTaintedJava.java examples/java/languages/tainted/TaintedJava.java", 19),
    ] {
        let class = files.split(['/', '.']).nth(2).unwrap_or_default();
        check(&format!("{files} --class {class}"), &[(2, states)]);
    }
}

/// What is assumed is not checked: an error of Mini Java is found by the whole only, one of the extension by both, at the same size.
#[test]
fn what_an_extension_assumes() {
    let text = std::fs::read_to_string(crate::root().join("examples/java/languages/non-null/NonNullJava.java"));
    let text = text.expect("the extension");
    let whole = "examples/java/languages/non-null/whole/WholeNonNullJava.java";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("extension");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("NonNullJava.java");
    for (rule, wrong, alone, together) in [
        ("t1 == INT && t2 == INT && type == BOOLEAN", "t1 == INT && t2 == INT && type == INT", "verified", "violated"),
        ("return !q || q1;", "return true;", "violated", "violated"),
    ] {
        assert_eq!(text.matches(rule).count(), 1, "{rule}");
        std::fs::write(&file, text.replace(rule, wrong)).expect("a file");
        let file = file.display();
        let verdict = |arguments: &str| first(&format!("{arguments} --size 3 --engine glassbox"))["verdict"].clone();
        assert_eq!(verdict(&file.to_string()), alone, "{wrong}");
        assert_eq!(verdict(&format!("{whole} {file} --class WholeNonNullJava")), together, "{wrong}");
    }
}

/// Where all states can be run one by one, they are; and proofs are checked.
#[test]
fn others_say_so_too() {
    for arguments in
        ["imp/Imp.java --size 2 --engine exhaustive", "heap-threads/HeapThreads.java --size 1 --engine exhaustive"]
    {
        assert_eq!(first(&format!("examples/java/languages/{arguments}"))["verdict"], "verified", "{arguments}");
    }
    for arguments in [
        "imp/Imp.java --size 7",
        "heap-threads/HeapThreads.java --size 2",
        "featherweight-java/FeatherweightJava.java --size 3",
        "mini-java/MiniJava.java --size 1",
        "ownership-java/OwnershipJava.java --size 1",
        "mini-java-threads/MiniJavaThreads.java --size 1",
    ] {
        let item = first(&format!("examples/java/languages/{arguments} --engine glassbox --certify"));
        assert_eq!(item["verdict"], "verified", "{arguments}");
    }
}

/// The programs before and after the step.
fn shows(bug: &str, size: i64, expected: &Expect) {
    let item = first(&format!("examples/java/languages/{bug} --size {size} --engine glassbox"));
    let example = &item["failures"][0]["example"];
    let text = |key: &str| example[key].as_str().unwrap_or("nothing").to_string();
    expected.assert_eq(&format!("{}\n-->\n{}\n", text("shown_before"), text("shown_after")));
}

/// The dissertation's own example: a language that rejects casts between unrelated classes (Table 6.5).
#[test]
fn programs_that_go_wrong() {
    shows(
        "featherweight-java/bugs/06-stupid-cast-rejected/FeatherweightJava.java",
        6,
        &expect![[r#"
            class C1 { }
            class C2 { }
            class C3 { }
            class C4 { }
            ((C1) ((Object) new C4()))
            -->
            class C1 { }
            class C2 { }
            class C3 { }
            class C4 { }
            ((C1) new C4())
        "#]],
    );
    shows(
        "ownership-java/bugs/20-stupid-cast-rejected/OwnershipJava.java",
        5,
        &expect![[r#"
            class C1<p1> { }
            class C2<p1> { }
            class C3<p1> { }
            class C4<p1> { }
            o1 = C3<world> { }
            ((C1<world>) ((Object<world>) o1))
            -->
            class C1<p1> { }
            class C2<p1> { }
            class C3<p1> { }
            class C4<p1> { }
            o1 = C3<world> { }
            ((C1<world>) o1)
        "#]],
    );
    shows(
        "imp/bugs/07-no-rule-for-not/Imp.java",
        4,
        &expect![[r#"
        b0 = false
        b0 := not false
        -->
        b0 = false
        b0 := not false
    "#]],
    );
    shows(
        "heap-threads/bugs/06-locks-in-any-order/HeapThreads.java",
        3,
        &expect![[r#"
            object 0: shared, locked by 1, value 0
            object 1: shared, locked by 0, value 0
            object 2: local to 0, value 0
            thread 0, register 0: LOCK 0; UNLOCK 0; UNLOCK 1;
            thread 1, register 0: LOCK 1; UNLOCK 0; UNLOCK 1;
            -->
            nothing
        "#]],
    );
}

/// Handles that must be closed: what a statement leaves open is handed on, in a call for each case. As many formulas as statements, not 3^n.
#[test]
fn a_judgement_that_hands_on_what_it_computes() {
    let text = "public class Handles implements Language {
    enum Op { OPEN, READ, CLOSE }
    static class Statement { @NonNull Op op; @Range(\"0..2\") int handle; @Tree Statement next; }
    @NonNull @Owned @Length(\"3..3\") boolean[] open;
    @Tree Statement rest;
    @Declarative static boolean leavesNone(Statement s, int held) {
        if (s == null) return held == 0;
        int bit = 1 << s.handle;
        return switch (s.op) {
            case OPEN -> (held & bit) == 0 && leavesNone(s.next, held | bit);
            case READ -> (held & bit) != 0 && leavesNone(s.next, held);
            case CLOSE -> (held & bit) != 0 && leavesNone(s.next, held & ~bit);
        };
    }
    @Declarative public boolean wellTyped() {
        return leavesNone(rest, (open[0] ? 1 : 0) | (open[1] ? 2 : 0) | (open[2] ? 4 : 0));
    }
    @Declarative public boolean isFinalState() { return rest == null; }
    public void smallStep() throws StuckException {
        int h = rest.handle;
        if (open[h] == (rest.op == Op.OPEN)) throw new StuckException();
        if (rest.op == Op.OPEN) open[h] = true;
        if (rest.op == Op.CLOSE) open[h] = false;
        rest = rest.next;
    }
    public String toString() {
        StringBuilder text = new StringBuilder(java.util.Arrays.toString(open));
        for (Statement s = rest; s != null; s = s.next)
            text.append(String.format(\" %s h%d;\", s.op.name().toLowerCase(), s.handle));
        return text.toString();
    }
}";
    let item = first(&format!("{} --size 8 --engine glassbox", crate::java_file("Handles", text)));
    assert_eq!(item["verdict"], "verified", "{item:#}");
    assert!(item["work"]["nodes"].as_u64() < Some(20_000), "{}", item["work"]);
    let wrong = text.replace("held & ~bit);", "held);").replace("return held == 0;", "return held <= 1;");
    let item = first(&format!("{} --size 8 --engine glassbox", crate::java_file("Handles", &wrong)));
    let example = &item["failures"][0]["example"];
    assert_eq!(example["shown_before"], "[true, false, false] close h0; read h0;", "{item:#}");
    assert_eq!(example["shown_after"], "[false, false, false] read h0;");
}

/// Information flow: two runs of one program, on memories that agree on low variables, which typed programs keep so. Both engines say so,
/// and find each rule that is left out.
#[test]
fn a_type_system_about_two_runs() {
    let text = "public class Flow implements Language {
    interface Statement {}
    record Sum(@Range(\"0..2\") int to, @Range(\"0..2\") int left, @Range(\"0..2\") int right) implements Statement {}
    record When(@Range(\"0..2\") int test, @Range(\"0..2\") int to, @Range(\"0..2\") int from) implements Statement {}
    static class Line { @NonNull @Tree Statement statement; @Tree Line next; }
    @NonNull @Owned @Length(\"3..3\") boolean[] isHigh;
    @NonNull @Owned @Length(\"3..3\") @Range(\"0..1\") int[] one, two;
    @Tree Line rest;
    @Declarative boolean flows(int from, int to) { return !isHigh[from] || isHigh[to]; }
    @Declarative boolean isTyped(Statement s) {
        if (s instanceof Sum a) return flows(a.left(), a.to()) && flows(a.right(), a.to());
        return s instanceof When w && flows(w.test(), w.to()) && flows(w.from(), w.to());
    }
    @Declarative boolean isTyped(Line l) { return l == null || isTyped(l.statement) && isTyped(l.next); }
    @Declarative public boolean wellTyped() {
        return isTyped(rest) && GlassBox.forall(0, 3, v -> isHigh[v] || one[v] == two[v]);
    }
    @Declarative public boolean isFinalState() { return rest == null; }
    public void smallStep() throws StuckException {
        run(one, rest.statement);
        run(two, rest.statement);
        rest = rest.next;
    }
    static void run(int[] memory, Statement s) throws StuckException {
        if (s instanceof Sum a) memory[a.to()] = memory[a.left()] + memory[a.right()];
        else if (!(s instanceof When w)) throw new StuckException();
        else if (memory[w.test()] != 0) memory[w.to()] = memory[w.from()];
    }
}";
    let runs = [("glassbox", 1), ("glassbox", 4), ("exhaustive", 1)];
    for (rule, expected) in [
        ("", "verified"),
        ("flows(w.test(), w.to()) && ", "violated"),
        (" && flows(a.right(), a.to())", "violated"),
        ("        run(two, rest.statement);\n", "violated"),
    ] {
        let file = crate::java_file("Flow", &if rule.is_empty() { text.into() } else { text.replacen(rule, "", 1) });
        for (engine, size) in runs {
            let item = first(&format!("{file} --size {size} --engine {engine}"));
            assert_eq!(item["verdict"], expected, "{rule} {engine} {size}");
        }
    }
}

/// Continuations in any heap: what a declarative method makes of a list is made anew for each way through the heap, none of which goes
/// through an object twice. At size 2 it was unrolled for minutes.
#[test]
fn a_list_that_is_made_of_any_other() {
    let text = "public class Machine implements Language {
    static class C {
        @Range(\"0..1\") int op;
        C yes, no, next;
        @Declarative C(int op, C yes, C no, C next) { this.op = op; this.yes = yes; this.no = no; this.next = next; }
    }
    C code;
    boolean flag;
    @Declarative static boolean isTyped(C c) {
        return c == null
            || isTyped(c.yes) && isTyped(c.no) && isTyped(c.next) && (c.op == 1 || c.yes == null && c.no == null);
    }
    @Declarative public boolean wellTyped() { return isTyped(code); }
    @Declarative public boolean isFinalState() { return code == null; }
    @Declarative static C append(C a, C b) { return a == null ? b : new C(a.op, a.yes, a.no, append(a.next, b)); }
    public void smallStep() {
        code = code.op == 0 ? code.next : append(flag ? code.yes : code.no, code.next);
    }
}";
    let wrong = text.replace("new C(a.op,", "new C(0,");
    for (text, size, expected) in
        [(text, 3, "verified"), (wrong.as_str(), 2, "verified"), (wrong.as_str(), 3, "violated")]
    {
        let file = crate::java_file("Machine", text);
        for engine in ["glassbox", "exhaustive"] {
            let item = first(&format!("{file} --shape any --size {size} --engine {engine}"));
            assert_eq!(item["verdict"], expected, "{engine} {size}");
        }
    }
}
