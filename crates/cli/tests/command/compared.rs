//! What a comparison with an abstraction must not leave out: a counter, and what it is said to behave like.

use crate::{java_file, object, run};

/// Members of the module and of its abstraction, beside a number that each keeps.
const COUNTER: &str = "public class Counter {
    @Range(\"0..n\") int v;
    MODULE
    @Declarative boolean repOk() { return 0 <= v && v <= GlassBox.size(); }
    @Declarative @Abstraction Abs abstraction() { return new Abs(v); }
}
class Abs {
    @Range(\"0..n\") int w;
    @Declarative Abs() { }
    @Declarative Abs(int w) { this.w = w; }
    ABSTRACTION
}
";
const EQUAL: &str = "@Declarative boolean equalTo(Abs o) { return w == o.w; }";
const INC: &str = "public void inc() { if (v < GlassBox.size()) v++; }";
const ABSTRACT_INC: &str = "public void inc() { if (w < GlassBox.size()) w++; }";

/// By both engines: an error that the command ends with, what is wrong with the operations, or `behaves like`.
#[track_caller]
fn check(text: &str, more: &str, expected: &str) {
    let file = java_file("Counter", text);
    for engine in ["glassbox", "exhaustive"] {
        let ran = run(&format!("{file} --size 3 --engine {engine} --json {more}"));
        if ran.status == 2 {
            assert!(ran.stdout.contains(expected) && !expected.is_empty(), "{engine}: {}", ran.stdout);
            continue;
        }
        let report = object(&ran);
        let failures = crate::items(&report).into_iter().filter(|i| i["verdict"] == "violated");
        let problem = |i: serde_json::Value| {
            let problem = &i["failures"][0]["problems"][0];
            let [id, message] = ["id", "message"].map(|key| problem[key].as_str().unwrap_or_default().to_string());
            format!("{}: {id}: {message}", i["name"].as_str().unwrap_or_default())
        };
        let mut found: Vec<String> = failures.map(problem).collect();
        found.extend(
            report["conclusions"].as_array().into_iter().flatten().map(|c| c.as_str().unwrap_or_default().to_string()),
        );
        assert_eq!(found.join("\n"), expected, "{engine}: {}", ran.stderr);
    }
}

fn counter(module: &str, abstraction: &str) -> String {
    COUNTER.replace("MODULE", module).replace("ABSTRACTION", abstraction)
}

const ALIKE: &str = "Counter behaves like Abs on every sequence of calls, up to size 3";

/// What is known of abstractions is known of valid ones.
#[test]
fn an_abstraction_that_is_not_valid() {
    let abstract_inc = "public void inc() { if (w < 2) w++; }";
    let get = ["public int get() { return v; }", "public int get() { return w; }"];
    let loose = "@Declarative boolean equalTo(Abs o) { return w == o.w || w >= 2 && o.w >= 2; }";
    let valid = |most: &str| format!("@Declarative boolean repOk() {{ return 0 <= w && w <= {most}; }}");
    let [module, model] = [INC, abstract_inc].map(|inc| format!("{inc} {}", if inc == INC { get[0] } else { get[1] }));
    check(
        &counter(&module, &format!("{model} {loose} {}", valid("2"))),
        "",
        "abstraction() is valid: abstraction: the abstraction of a valid state is not valid: it breaks its own invariant",
    );
    let right = format!("{ABSTRACT_INC} {} {EQUAL} {}", get[1], valid("GlassBox.size()"));
    check(&counter(&module, &right), "", ALIKE);
}

/// What the operation may throw, its abstraction function may not.
#[test]
fn an_abstraction_function_that_throws() {
    let module = "public int inc() throws NullPointerException { return v == 1 ? 100 : v; }";
    let model = format!("public int inc() throws NullPointerException {{ return w; }} {EQUAL}");
    let text = counter(module, &model);
    let wrong = text.replace("{ return new Abs(v); }", "{ Counter c = v == 1 ? null : this; return new Abs(c.v); }");
    check(
        &wrong,
        "",
        "inc(): abstraction: `abstraction` throws NullPointerException in a valid state: `inc` cannot be compared there",
    );
    check(&text.replace("v == 1 ? 100 : v", "v"), "", ALIKE);
    check(
        &text.replace("{ return new Abs(v); }", "{ return v == 1 ? null : new Abs(v); }"),
        "--method inc",
        "inc(): abstraction: `abstraction` returns null in a valid state: `inc` cannot be compared there",
    );
}

/// States in which the abstraction's operation ends the run would not be compared.
#[test]
fn an_abstraction_that_assumes() {
    let module = "public int dec() { if (v == 0) return 7; v--; return v; }";
    let model = |first: &str| format!("public int dec() {{ {first} w--; return w; }} {EQUAL}");
    check(&counter(module, &model("GlassBox.assume(w != 0);")), "", "`dec` of `Abs` drops runs");
    check(&counter(module, &model("if (w == 0) return 7;")), "", ALIKE);
}

#[test]
fn nothing_to_compare_from() {
    let right = counter(INC, &format!("{ABSTRACT_INC} {EQUAL}"));
    let without = right.replace("@Declarative boolean repOk() { return 0 <= v && v <= GlassBox.size(); }", "");
    check(&without, "", "`Counter` has an abstraction, but no invariant: nothing of it would be checked");
    let made = right.replace("@Declarative Abs() { }", "Abs() { w = 1; }");
    check(&made, "", "the constructor of `Abs` must be `@Declarative`: what it makes is compared");
    let private = right.replace("public void inc() { if (w", "private void inc() { if (w");
    check(&private, "", "`Counter` and its abstraction `Abs` share no operation");
    let other = right.replace("equalTo(Abs o) { return w == o.w; }", "equalTo(Counter o) { return w == o.v; }");
    check(&other, "", "`Abs` cannot be an abstraction: it has no declarative `equalTo`");
    check(&right.replace("class Abs {", "abstract class Abs {"), "", "none that is abstract, and no interface or enum");
    check(&right, "", ALIKE);
}

/// Whoever changes the result can tell whether it is the object itself.
#[test]
fn the_object_itself_as_the_result() {
    let itself = ["public Counter copy() { return this; }", "public Abs copy() { return this; }"];
    let copied = [
        "public Counter copy() { Counter c = new Counter(); c.v = v; return c; }",
        "public Abs copy() { return new Abs(w); }",
    ];
    let text = |module: &str, model: &str| counter(module, &format!("{model} {EQUAL}"));
    let wrong = "copy(): abstraction: `copy` does not behave like `Abs.copy`: only one of them returns the object that was called";
    check(&text(copied[0], itself[1]), "", wrong);
    check(&text(itself[0], copied[1]), "", wrong);
    check(&text(itself[0], itself[1]), "", ALIKE);
    check(&text(copied[0], copied[1]), "", ALIKE);
}

/// What else results share is not compared, and said so.
#[test]
fn results_that_share() {
    let rows = |rows: &str| format!("public int[][] rows() {{ int[] a = {{VALUE}}; return new int[][] {{{rows}}}; }}");
    let module = rows("a, {v}").replace("VALUE", "v");
    let model = format!("{} {EQUAL}", rows("a, a").replace("VALUE", "w"));
    check(&counter(&module, &model), "", &format!("{ALIKE}, but for what is left out"));
}

/// A specification that names its operation with the types of its parameters is for no other one.
#[test]
fn overloaded_operations() {
    let module = "public void add(@Range(\"0..2\") int x) { if (v + x <= GlassBox.size()) v += x; }
        public void add(@Range(\"0..2\") int x, @Range(\"0..2\") int y) { add(x); add(y); }";
    let model = format!("{} {EQUAL}", module.replace("v + x", "w + x").replace("v += x", "w += x"));
    let post = |of: &str, most: &str| {
        format!(
            "{module} @Post(\"add({of})\") @Declarative boolean up(Counter before, int x) {{ return v <= before.v + {most}; }}"
        )
    };
    check(&counter(&post("int", "x"), &model), "", ALIKE);
    check(
        &counter(&post("int, int", "x"), &model),
        "",
        "add(int, int): postcondition: the postcondition `up` does not hold",
    );
    let pre = |of: &str| format!("{model} @Pre(\"add({of})\") @Declarative boolean few(int x) {{ return x < 2; }}");
    let wrong = "abstraction: the abstraction's operation has a precondition, which does not hold here";
    check(&counter(module, &pre("int")), "", &format!("add(int): {wrong}"));
    check(&counter(module, &pre("int,int")), "", &format!("add(int, int): {wrong}"));
}

/// What is wrong with the abstraction of another class does not matter, also if that has the same simple name.
#[test]
fn another_class_of_the_same_name() {
    let other =
        "class Outer { static class Counter { int v; void inc() {} @Declarative boolean repOk() { return true; }
        static class Model { int v; @Declarative Model(int v) { this.v = v; } void inc() {} }
        @Declarative @Abstraction Model abstraction() { return new Model(v); } } }";
    let text = format!("{} {other}", counter(INC, &format!("{ABSTRACT_INC} {EQUAL}")));
    check(&text, "--class Counter", ALIKE);
    check(
        &text,
        "--class Outer.Counter",
        "`Outer.Counter.Model` cannot be an abstraction: it has no declarative `equalTo`",
    );
}

/// Names that are made are no one else's.
#[test]
fn names_of_classes() {
    for name in ["Pairs", "Single", "Triple", "Couples", "Orders", "Both"] {
        let text = counter(INC, &format!("{ABSTRACT_INC} {EQUAL}")).replace("Abs", name);
        let text = text.replace(&format!("{name}traction"), "Abstraction");
        check(&text, "--commute inc", &ALIKE.replace("Abs", name));
    }
}

#[test]
fn laws_of_equality() {
    let text = |equal: &str| {
        counter(INC, &format!("{ABSTRACT_INC} @Declarative boolean equalTo(Abs o) {{ return {equal}; }}"))
    };
    check(&text("w <= o.w"), "", "symmetric(): abstraction: `equalTo` is not symmetric");
    check(
        &text("w == o.w && w != 3"),
        "",
        "inc(): abstraction: `inc` does not behave like `Abs.inc`: afterwards the abstraction of the object is not equal to what `Abs.inc` made\nreflexive(): abstraction: `equalTo` is not reflexive\ninc(): abstraction: `inc` does not keep equal states equal: the states afterwards are not equal",
    );
}

/// An interface that the abstraction lacks something for matters where it is needed.
#[test]
fn interfaces_of_a_replaced_class() {
    let module = counter(INC, &format!("{ABSTRACT_INC} {EQUAL}"))
        .replace("class Counter {", "class Counter implements Comparable<Counter> { public int compareTo(Counter o) { return o == null ? 1 : v - o.v; }");
    let client = |ty: &str| {
        format!(
            "{module} class Client {{ final {ty} c = new Counter(); public void go() {{ CALL }} @Declarative boolean repOk() {{ return true; }} }}"
        )
    };
    check(&client("Counter").replace("CALL", "c.inc();"), "--replace Counter=Abs --class Client", "");
    check(
        &client("Comparable<Counter>").replace("CALL", ""),
        "--replace Counter=Abs --class Client",
        "`Abs` cannot replace `Counter` as a `Comparable`: it lacks `compareTo`",
    );
}

/// The first of two calls would change what the second one gets.
#[test]
fn arguments_that_both_orders_change() {
    let text = "public class Counter {
        @Range(\"0..n\") int v;
        public void take(@NonNull @Length(\"1..1\") @Range(\"0..2\") int[] z) { BODY }
        public void clear() { v = 0; }
        @Declarative boolean repOk() { return true; }
    }";
    let writes = text.replace("BODY", "v = v | z[0]; z[0] = 0;");
    check(&writes, "--commute take", "both orders of `take` cannot be compared: an argument is changed here");
    let found = object(&run(&format!("{} --size 2 --commute clear --json", java_file("Counter", &writes))));
    assert!(found.to_string().contains("whether `take`, which changes its argument, does the same"), "{found:#}");
    check(&text.replace("BODY", "v = v | z[0];"), "--commute take", "");
}

/// A block runs in objects of all classes that inherit it.
#[test]
fn blocks_in_subclasses() {
    let text = "CLASS Counter { @Range(\"0..n\") int v; GET int h() { s: { v = g(); assert v == 1; } return v; } }
        class Two extends Counter { int g() { return TWO; } }";
    let concrete = text.replace("CLASS", "public class").replace("GET", "int g() { return 1; }");
    check(&concrete.replace("TWO", "2"), "--block s", "s, a block of h: assertion: an assertion fails");
    check(&concrete.replace("TWO", "1"), "--block s", "");
    let open = text.replace("CLASS", "public abstract class").replace("GET", "abstract int g();");
    check(&open.replace("TWO", "1"), "--block s", "");
    let none = open.split("class Two").next().unwrap_or_default();
    check(none, "--block s", "there are no objects to check the block in");
}

/// A name that a condition gives is one of the variables around a block; what is no statement of a method cannot be checked so.
#[test]
fn blocks_that_are_found() {
    let text = "public class Counter { int op(Object o) { BODY return 0; } }";
    let pattern = |says: &str| {
        text.replace("BODY", &format!("if (o instanceof Integer i && i > 2) {{ s: {{ assert {says}; }} }}"))
    };
    check(&pattern("i != null"), "--block s", "");
    check(&pattern("i > 2"), "--block s", "s, a block of op: assertion: an assertion fails");
    let lambda = "java.util.function.IntUnaryOperator g = x -> { s: { assert x > 0; } return x; };";
    check(&text.replace("BODY", lambda), "--block s", "the block `s` is not among the statements of a method");
    check(&text.replace("BODY", ""), "--block s", "there is no block with the label `s`");
}

/// A subclass inherits the abstraction, and must behave like it, too; also where only subclasses have objects.
#[test]
fn abstractions_that_are_inherited() {
    let text = counter(INC, &format!("{ABSTRACT_INC} {EQUAL}"));
    let sub = |inc: &str| format!("{text} class Sub extends Counter {{ @Override public void inc() {{ {inc} }} }}");
    let both = "Counter behaves like Abs on every sequence of calls, up to size 3\n\
        Sub behaves like Abs on every sequence of calls, up to size 3";
    check(&sub("super.inc();"), "", both);
    let wrong = "inc(): abstraction: `inc` does not behave like `Abs.inc`: \
        afterwards the abstraction of the object is not equal to what `Abs.inc` made";
    check(&sub("super.inc(); super.inc();"), "", &format!("{wrong}\n{ALIKE}"));
    let open = "public abstract class Counter {
        @Range(\"0..n\") int v;
        @Declarative boolean repOk() { return 0 <= v && v <= GlassBox.size(); }
        @Declarative @Abstraction abstract Abs abstraction();
        @Declarative @Post(\"inc\") private boolean grows(Counter before) { return v >= before.v; }
        abstract void inc();
    }
    class One extends Counter { @Declarative Abs abstraction() { return new Abs(v); } void inc() { if (v < GlassBox.size()) v++; } }
    class Two extends Counter { @Declarative Abs abstraction() { return new Abs(MORE); } void inc() { if (v < GlassBox.size()) v++; } }";
    let open = open.to_string() + text.split_once('}').map_or("", |_| &text[text.find("class Abs").unwrap_or(0)..]);
    let alike = |class: &str| format!("{class} behaves like Abs on every sequence of calls, up to size 3");
    check(&open.replace("MORE", "v"), "", &format!("{}\n{}", alike("One"), alike("Two")));
    check(&open.replace("MORE", "v / 2"), "", &format!("{wrong}\n{}", alike("One")));
}

/// What an interface or a superclass implements is compared like the rest.
#[test]
fn operations_that_are_inherited() {
    let base = "interface Twice { void inc(); default void twice() { inc(); TWICE } }
        abstract class Sized { @Declarative abstract int size(); @Declarative public int twiceTheSize() { return SIZE; } }";
    let module = format!("{INC} @Declarative int size() {{ return v; }}");
    let model = format!(
        "{ABSTRACT_INC} {EQUAL} public void twice() {{ inc(); inc(); }} public int twiceTheSize() {{ return w + w; }}"
    );
    let text = counter(&module, &model).replace("class Counter {", "class Counter extends Sized implements Twice {");
    let check = |twice: &str, size: &str, expected: &str| {
        check(&format!("{text}{}", base.replace("TWICE", twice).replace("SIZE", size)), "", expected);
    };
    check("inc();", "2 * size()", ALIKE);
    let wrong = "abstraction: `twice` does not behave like `Abs.twice`: afterwards the abstraction of the object is not equal to what `Abs.twice` made";
    check("", "2 * size()", &format!("twice(): {wrong}"));
    let wrong = "abstraction: `twiceTheSize` does not behave like `Abs.twiceTheSize`: it returns 1, but Abs.twiceTheSize returns 2";
    check("inc();", "2 * size() - (size() == 1 ? 1 : 0)", &format!("twiceTheSize(): {wrong}"));
}

/// Whatever is private in either class may still be what it is compared by.
#[test]
fn what_is_private() {
    let model = "@Declarative private boolean repOk() { return w >= 0; }
        @Declarative private boolean equalTo(Abs o) { return w == o.w; }
        @Declarative @Pre(\"inc\") private boolean isLow() { return w < 100; }
        @Declarative boolean isOdd() { return ODD; }
        public void inc() { if (w < GlassBox.size()) w++; }";
    let text = counter(INC, model).replace("@Abstraction Abs", "@Abstraction private Abs");
    check(&text.replace("ODD", "w % 2 == 1"), "", ALIKE);
    // Nobody but the abstraction itself asks it: it may tell equal ones apart.
    let loose = text.replace("return w == o.w;", "return (w > 0) == (o.w > 0);").replace("GlassBox.size()) w", "1) w");
    let loose = loose.replace("ODD", "w == 1").replace("GlassBox.size()) v", "1) v");
    check(&loose, "", ALIKE);
    let asked = "class Client { @Tree @NonNull Abs a; @Declarative boolean repOk() { return true; } boolean go() { return a.isOdd(); } }";
    let ran = run(&format!("{} --size 3 --class Counter", java_file("Counter", &(loose + asked))));
    assert!(ran.stdout.contains("`isOdd` does not keep equal states equal"), "{}", ran.stdout);
}

/// `equals` of the abstraction gets the abstraction of an object of the module.
#[test]
fn equals_of_both() {
    let equals = |class: &str, says: &str| {
        format!(
            "@Override public boolean equals(Object o) {{ return o instanceof {class} && {says}; }} @Override public int hashCode() {{ return 0; }}"
        )
    };
    let model = format!("{ABSTRACT_INC} {EQUAL} {}", equals("Abs", "((Abs) o).w == w"));
    let module = |says: &str| format!("{INC} {}", equals("Counter", says));
    check(&counter(&module("((Counter) o).v == v"), &model), "", ALIKE);
    let wrong = "equals(Object): abstraction: `equals` does not behave like `Abs.equals`: it returns true, but Abs.equals returns false";
    check(&counter(&module("((Counter) o).v <= v"), &model), "", wrong);
}

/// What an abstraction throws by a statement of its own is part of what it does: also where it is checked by itself.
#[test]
fn what_an_abstraction_throws() {
    let thrown = |v: &str| format!("public void inc() {{ if ({v} == 3) throw new IllegalStateException(); {v}++; }}");
    let valid = "@Declarative boolean repOk() { return 0 <= w && w <= GlassBox.size(); }";
    let right = counter(&thrown("v"), &format!("{} {EQUAL} {valid}", thrown("w")));
    check(&right, "", ALIKE);
    let wrong = right.replace("v++;", "int[] a = new int[v]; v++; a[v - 1] = 0; if (v == 2) a[2]++;");
    let file = java_file("Counter", &wrong);
    let ran = run(&format!("{file} --size 3"));
    assert!(ran.stdout.contains("`inc()` does not allow") && !ran.stdout.contains("made from"), "{}", ran.stdout);
}
