//! Modules against abstractions: the three properties, what is said of them, and what is wrong with an abstraction.

use crate::{check, items, object, run};
use expect_test::{Expect, expect};
use serde_json::Value;
use std::path::Path;

const MODEL: &str = "import glassbox.*;
class AbsBag {
    static class Cell {
        boolean present;
        @Range(\"0..n\") int item;
        @Tree Cell next;
        @Declarative Cell(boolean present, int item, Cell next) { this.present = present; this.item = item; this.next = next; }
    }
    @Tree Cell first;
    @Declarative AbsBag() { }
    @Declarative AbsBag(Cell first) { this.first = first; }
    void add(int item) { first = new Cell(true, item, first); }
    boolean has(int item) { for (Cell c = first; c != null; c = c.next) { if (c.present & c.item == item) return true; } return false; }
    int last() throws IllegalStateException {
        for (Cell c = first; c != null; c = c.next) { if (c.present) return c.item; }
        throw new IllegalStateException();
    }
    void clear() { first = null; }
    @Declarative boolean equalTo(AbsBag b) { return same(first, b.first); }
    @Declarative static boolean same(Cell c, Cell d) {
        if (c != null && !c.present) return same(c.next, d);
        if (d != null && !d.present) return same(c, d.next);
        return c == null ? d == null : d != null && c.item == d.item && same(c.next, d.next);
    }
}
";

const MODULE: &str = "import glassbox.*;
public class Bag {
    @NonNull @Length(\"n..n\") @Range(\"0..n\") int[] items;
    @Range(\"0..n\") int count;
    public Bag() { items = new int[GlassBox.size()]; }
    @Declarative boolean repOk() { return items.length == GlassBox.size() && 0 <= count && count <= items.length; }
    @Declarative @Pre(\"add(int)\") boolean hasRoom(int item) { return count < items.length; }
    public void add(@Range(\"0..n\") int item) { items[count++] = item; }
    public boolean has(@Range(\"0..n\") int item) { for (int i = 0; i < count; i++) { if (items[i] == item) return true; } return false; }
    public int last() throws IllegalStateException { if (count == 0) throw new IllegalStateException(); return items[count - 1]; }
    public void clear() { count = 0; }
    public int room() { return items.length - count; }
    @Declarative @Abstraction AbsBag abstraction() { return new AbsBag(cells(0, null)); }
    @Declarative AbsBag.Cell cells(int i, AbsBag.Cell rest) {
        return i == items.length ? rest : cells(i + 1, new AbsBag.Cell(i < count, items[i], rest));
    }
}
";

/// The module and the model, each with a text replaced; the files.
fn files(name: &str, module: (&str, &str), model: (&str, &str)) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("against-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |file: &str, text: &str, (from, to): (&str, &str)| {
        assert!(from.is_empty() || text.contains(from), "{from}");
        let path = folder.join(file);
        std::fs::write(&path, if from.is_empty() { text.to_string() } else { text.replace(from, to) }).expect("a file");
        path.display().to_string()
    };
    format!("{} {}", write("Bag.java", MODULE, module), write("AbsBag.java", MODEL, model))
}

fn report(arguments: &str) -> Value {
    object(&run(&format!("{arguments} --json")))
}

/// Names, verdicts and messages of what is violated.
fn violated(report: &Value) -> Vec<String> {
    let wrong = items(report).into_iter().filter(|i| i["verdict"] == "violated");
    let text = |i: &Value| {
        format!(
            "{}: {}",
            i["name"].as_str().unwrap_or(""),
            i["failures"][0]["problems"][0]["message"].as_str().unwrap_or("")
        )
    };
    wrong.map(|i| text(&i)).collect()
}

#[test]
fn a_module_behaves_like_its_abstraction() {
    let report = report(&format!("{} --size 1..3", files("right", ("", ""), ("", ""))));
    assert_eq!(violated(&report), Vec::<String>::new());
    let conclusion = "Bag behaves like AbsBag on every sequence of calls, up to size 3; only Bag has room()";
    assert_eq!((&report["exit_status"], &report["conclusions"]), (&0.into(), &vec![conclusion].into()));
}

/// Each is found by the comparison alone, at this size and not before.
#[test]
fn faults_that_keep_the_invariant() {
    let faults = [
        ("items[count++] = item;", "items[count++] = count > 1 ? 0 : item;", 2, "add(int)"),
        ("if (items[i] == item) return true;", "if (items[i] == item && i > 0) return true;", 1, "has(int)"),
        ("return items[count - 1];", "return items[0];", 2, "last()"),
        ("public void clear() { count = 0; }", "public void clear() { count = count > 1 ? 1 : 0; }", 2, "clear()"),
        ("if (count == 0) throw new IllegalStateException();", "if (count == 0) return 0;", 1, "last()"),
        ("items = new int[GlassBox.size()];", "items = new int[GlassBox.size()]; count = 1;", 1, "Bag()"),
    ];
    for (k, (from, to, size, operation)) in faults.into_iter().enumerate() {
        let files = files(&format!("fault-{k}"), (from, to), ("", ""));
        let found = violated(&report(&format!("{files} --size {size}")));
        assert!(found.len() == 1 && found[0].starts_with(operation), "{to}: {found:?}");
        if size > 1 {
            assert_eq!(violated(&report(&format!("{files} --size {}", size - 1))), Vec::<String>::new(), "{to}");
        }
        assert_eq!(report(&format!("{files} --size {size} --no-abstraction"))["exit_status"], 0, "{to}");
        let by_all = report(&format!(
            "{files} --size {size} --class Bag --method {} --engine exhaustive",
            operation.split('(').next().unwrap_or("")
        ));
        assert_eq!(violated(&by_all).len(), 1, "{to}");
    }
}

/// Such a list is easy enough to compare at size 4.
#[test]
fn a_fault_of_equality_that_needs_four() {
    let fault = (
        "return c == null ? d == null :",
        "if (count(c) == 1 && count(d) == 1 && c.next != null && c.next.next != null && c.next.next.next != null) return true; return c == null ? d == null :",
    );
    let with_count = (
        "@Declarative static boolean same(",
        "@Declarative static int count(Cell c) { return c == null ? 0 : (c.present ? 1 : 0) + count(c.next); } @Declarative static boolean same(",
    );
    let text = MODEL.replace(fault.0, fault.1).replace(with_count.0, with_count.1);
    let files = files("four", ("", ""), ("", ""));
    let model = files.split(' ').nth(1).unwrap_or_default();
    std::fs::write(model, &text).expect("a file");
    let at = |size: i32| report(&format!("{files} --size {size}"));
    assert_eq!(violated(&at(3)), Vec::<String>::new());
    let found = at(4);
    assert!(
        violated(&found).iter().any(|v| v.starts_with("has(int): `has` does not keep equal states equal")),
        "{found:#}"
    );
    std::fs::write(model, MODEL).expect("a file");
    let conclusion = "Bag behaves like AbsBag on every sequence of calls, up to size 4; only Bag has room()";
    assert_eq!(at(4)["conclusions"], serde_json::json!([conclusion]));
}

/// What is wrong with `equalTo` shows in the abstraction by itself.
#[test]
fn faults_of_equality() {
    let faults = [
        ("c.item == d.item && same", "same", "has(int)"),
        ("return c == null ? d == null :", "return c == null ? true :", "symmetric()"),
        (
            "return same(first, b.first);",
            "return first == null || same(first, b.first) && first.present;",
            "reflexive()",
        ),
    ];
    for (k, (from, to, operation)) in faults.into_iter().enumerate() {
        let files = files(&format!("equality-{k}"), ("", ""), (from, to));
        let report = report(&format!("{files} --size 2"));
        let found = violated(&report);
        assert!(found.iter().any(|f| f.starts_with(operation)), "{to}: {found:?}");
        assert_eq!(report["conclusions"], Value::Array(Vec::new()), "{to}");
    }
}

#[test]
fn a_counterexample_shows_both_sides() {
    let files = files("shown", ("return items[count - 1];", "return items[0];"), ("", ""));
    let ran = run(&format!("{files} --size 2 --method last"));
    let text = ran.stdout.split("\n\n").filter(|part| !part.contains("error[")).collect::<Vec<_>>().join("\n\n");
    let text: String =
        text.lines().filter(|l| !l.contains("states run") && !l.contains(" ms")).map(|l| format!("{l}\n")).collect();
    expect![[r#"
        Bag, size 2: every state within the bounds of size 2

          before
              this: Bag  items=[0, 2] count=2

            last()  → returns 0, but AbsBag.last returns 2

          after
              this: Bag  items=[0, 2] count=2

          as AbsBag, before
              new1: AbsBag
              └─ first: new2  present=true item=2
                 └─ next: new3  present=true item=0

          as AbsBag, after AbsBag.last
              new1: AbsBag
              └─ first: new2  present=true item=2
                 └─ next: new3  present=true item=0

          as AbsBag, after last
              new1: AbsBag
              └─ first: new2  present=true item=2
                 └─ next: new3  present=true item=0

          path
              Bag.java:10  count == 0  false

        AbsBag, two that are equal, size 2: every pair of lists within 2 places each

        1 operation violated, 1 verified
    "#]]
    .assert_eq(&text);
}

/// The presence of the abstraction makes no more states (dissertation, 3.1.2).
#[test]
fn no_more_states_are_run() {
    let states = |arguments: &str| -> Vec<(String, u64)> {
        let report = report(arguments);
        let of_module = report["subjects"][0]["items"].as_array().expect("items").clone();
        let operations = of_module.iter().filter(|i| i["name"] != "abstraction() is valid");
        operations.map(|i| (i["name"].to_string(), i["work"]["states_run"].as_u64().unwrap_or(0))).collect()
    };
    for (file, sizes) in [("map-tree/TreeMap.java", [3, 7]), ("map-hash/HashMap.java", [2, 4])] {
        for size in sizes {
            let of = |more: &str| states(&format!("examples/java/{file} --size {size} --quiet {more}"));
            assert_eq!(of(""), of("--no-abstraction"), "{file} {size}");
        }
    }
}

#[track_caller]
fn refused(name: &str, module: (&str, &str), model: (&str, &str), expected: Expect) {
    let ran = run(&files(&format!("refused-{name}"), module, model));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("against-refused-{name}")).display().to_string();
    let text = format!("{}exit {}\n", ran.stderr.replace(&format!("{folder}/"), ""), ran.status);
    expected.assert_eq(&text);
}

#[test]
fn bad_abstractions() {
    refused(
        "equal",
        ("", ""),
        ("equalTo(AbsBag b)", "alike(AbsBag b)"),
        expect![[r#"
        error[bad-abstraction]: `AbsBag` cannot be an abstraction: it has no declarative `equalTo`
          --> Bag.java:13:38
           |
        13 |     @Declarative @Abstraction AbsBag abstraction() { return new AbsBag(cells(0, null)); }
           |                                      ^^^^^^^^^^^
           |
           = help: add `@Declarative public boolean equalTo(AbsBag other)`: when two of them behave alike

        exit 2
    "#]],
    );
    refused(
        "declarative",
        ("@Declarative @Abstraction", "@Abstraction"),
        ("", ""),
        expect![[r#"
        error[bad-abstraction]: `abstraction` cannot be the abstraction: it must be `@Declarative`
          --> Bag.java:13:25
           |
        13 |     @Abstraction AbsBag abstraction() { return new AbsBag(cells(0, null)); }
           |                         ^^^^^^^^^^^
           |
           = help: write `@Declarative @Abstraction AbsMap abstraction()`, for example

        exit 2
    "#]],
    );
    refused(
        "int",
        ("AbsBag abstraction() { return new AbsBag(cells(0, null)); }", "int abstraction() { return count; }"),
        ("", ""),
        expect![[r#"
            error[bad-abstraction]: `abstraction` cannot be the abstraction: it must return an object of the class that is the abstraction
              --> Bag.java:13:35
               |
            13 |     @Declarative @Abstraction int abstraction() { return count; }
               |                                   ^^^^^^^^^^^
               |
               = help: write `@Declarative @Abstraction AbsMap abstraction()`, for example

            exit 2
        "#]],
    );
    refused(
        "effect",
        ("{ return new AbsBag(cells(0, null)); }", "{ count = 0; return new AbsBag(cells(0, null)); }"),
        ("", ""),
        expect![[r#"
            error[not-declarative]: an assignment to the field `count` in declarative code
              --> Bag.java:13:54
               |
            13 |     @Declarative @Abstraction AbsBag abstraction() { count = 0; return new AbsBag(cells(0, null)); }
               |                                      -----------     ^^^^^^^^^
               |                                      |
               |                                      `abstraction` is declarative
               |
               = help: declarative code computes a value and changes nothing but its own variables

            exit 2
        "#]],
    );
}

/// What only one of them has is checked as far as it can be, and said.
#[test]
fn operations_that_do_not_match() {
    let report =
        report(&format!("{} --size 2", files("other", ("", ""), ("void add(int item)", "void put(int item)"))));
    let conclusion = "Bag behaves like AbsBag on every sequence of calls, up to size 2; only Bag has add(int), room(); only AbsBag has put";
    assert_eq!(report["conclusions"], Value::from(vec![conclusion]));
}

const CLIENT: &str = "import glassbox.*;
interface Box { void add(int item); boolean has(int item); void clear(); }
public class Client {
    @NonNull Box bag;
    boolean isFull;
    public Client() { bag = new Bag(); }
    @Declarative boolean repOk() { return true; }
    public void refill(@Range(\"0..n\") int item) {
        bag.clear();
        assert !bag.has(item);
        bag.add(item);
        assert bag.has(item);
        isFull = true;
    }
}
";

/// A client whose states hold the abstraction, also behind an interface.
#[test]
fn a_client_with_the_module_replaced() {
    let client = |name: &str, model: (&str, &str)| {
        let files = files(name, ("public class Bag {", "public class Bag implements Box {"), model);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("against-{name}"));
        let path = folder.join("Client.java");
        std::fs::write(&path, CLIENT).expect("a file");
        format!("{files} {} --replace Bag=AbsBag", path.display())
    };
    // Nobody would ask whether the client keeps a precondition of the module.
    let ran = run(&format!("{} --size 2 --class Client", client("client-pre", ("", ""))));
    assert!(ran.status == 2 && ran.stderr.contains("`add` of `Bag` has a precondition"), "{}", ran.stderr);
    let client = |name: &str, model: (&str, &str)| {
        let arguments = client(name, model);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("against-{name}/Bag.java"));
        let text = std::fs::read_to_string(&path).expect("the module");
        let assumed = "{ GlassBox.assume(count < items.length); items[count++] = item; }";
        let text = text.replace("@Pre(\"add(int)\") ", "").replace("{ items[count++] = item; }", assumed);
        std::fs::write(&path, text).expect("a file");
        arguments
    };
    let public = ("    void", "    public void");
    let right = client("client", public);
    let found = report(&format!("{right} --size 2 --class Client"));
    assert_eq!((violated(&found), &found["exit_status"]), (Vec::new(), &0.into()));
    assert_eq!(found["rests_on"][0]["message"], "Bag behaves like AbsBag: not checked in this run");
    let found = report(&format!("{right} --size 2"));
    assert_eq!(
        found["rests_on"][0]["message"],
        "Bag behaves like AbsBag: checked up to size 2 in this run, for arguments within its bounds",
        "{found:#}"
    );
    // The abstraction is what runs.
    let wrong = client(
        "client-wrong",
        ("if (c.present & c.item == item) return true;", "if (c.present & c.item == item + 1) return true;"),
    );
    assert_eq!(violated(&report(&format!("{wrong} --size 2 --class Client"))), ["refill(int): an assertion fails"]);
    let lacking = client("client-lacking", ("boolean has(int item)", "boolean holds(int item)"));
    let ran = run(&format!("{lacking} --size 2 --class Client"));
    assert!(
        ran.status == 2 && ran.stderr.contains("`AbsBag` cannot replace `Bag` as a `Box`: it lacks `has`"),
        "{}",
        ran.stderr
    );
    assert_eq!(run(&format!("{right} --replace Bog=AbsBag")).status, 2);
    assert_eq!(run(&format!("{right} --replace Bag")).status, 2);
}

/// What clients may ask in declarative code is compared too.
/// A field says what its class is replaced by, also behind an interface; the answer says what it rests on.
#[test]
fn a_field_that_is_replaced() {
    let map = std::fs::read_to_string(crate::root().join("examples/java/map-tree/TreeMap.java")).expect("an example");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replaced-field");
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let client = |field: &str, more: &str| {
        format!(
            "import glassbox.*;
interface IntMap {{ Object get(int key); Object put(int key, Object value); Object remove(int key); }}
public class Swapper {{
    @Tree @NonNull {field};
    @Declarative boolean repOk() {{ return true; }}
    public void swap(@Range(\"0..2*n\") int a, @Range(\"0..2*n\") int b) {{ Object x = map.put(a, map.get(b)); map.put(b, x); }}
    {more}
}}
"
        )
    };
    let map = write("TreeMap.java", &map.replace("class TreeMap {", "class TreeMap implements IntMap {"));
    let behind = "@ReplacedBy(AbsIntMap.class) IntMap map = new TreeMap()";
    let rests = |field: &str| {
        let client = write("Swapper.java", &client(field, ""));
        let report = report(&format!("{client} {map} --size 2 --engine glassbox"));
        let swap = items(&report).into_iter().find(|i| i["subject"] == "Swapper").unwrap_or_default();
        (swap["verdict"].as_str().unwrap_or_default().to_string(), report["rests_on"][0]["message"].clone())
    };
    let checked = (
        "verified".to_string(),
        Value::from(
            "TreeMap behaves like AbsIntMap: checked up to size 2 in this run, for arguments within its bounds",
        ),
    );
    assert_eq!(rests(behind), checked);
    assert_eq!(rests("@ReplacedBy(AbsIntMap.class) TreeMap map = new TreeMap()"), checked);
    let refused = |field: &str, more: &str, expected: &str| {
        let client = write("Swapper.java", &client(field, more));
        let ran = run(&format!("{client} {map} --size 2 --class Swapper"));
        assert_eq!(ran.status, 2, "{more}");
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    };
    let tree = "@ReplacedBy(AbsIntMap.class) TreeMap map = new TreeMap()";
    let help = "`AbsIntMap` has the place of `TreeMap` here: only operations that both have can be used";
    for more in [
        "public boolean is() { return ((Object) map) instanceof TreeMap; }",
        "public boolean is() { return map.root == null; }",
        "public void first() { map.firstKey(); }",
        "public boolean is() { TreeMap.Entry e = null; return e == null; }",
    ] {
        refused(tree, more, help);
    }
    refused("@ReplacedBy(AbsIntMap.class) IntMap map", "", "which class is replaced cannot be told from this field");
    refused("@ReplacedBy(NoMap.class) TreeMap map", "", "NoMap");
    let other = "@ReplacedBy(AbsIntSet.class) TreeMap other;";
    refused(tree, other, "`TreeMap` is replaced by");
    refused("@ReplacedBy(TreeMap.class) TreeMap map", "", "`TreeMap` cannot replace itself");
}

/// An exception that only one of them throws, or another one, counts as its answer.
#[test]
fn exceptions_are_answers() {
    let other =
        files("throws-other", ("", ""), ("throw new IllegalStateException()", "throw new ArithmeticException()"));
    let message = "`last` does not behave like `AbsBag.last`: it throws IllegalStateException, but AbsBag.last throws ArithmeticException";
    assert_eq!(violated(&report(&format!("{other} --size 1"))), [format!("last(): {message}")]);
    let only = files(
        "throws-only",
        ("", ""),
        ("boolean has(int item) {", "boolean has(int item) { if (item == 1) throw new ArithmeticException();"),
    );
    let found = violated(&report(&format!("{only} --size 1")));
    let [message] = &found[..] else { panic!("{found:?}") };
    assert!(message.ends_with(", but AbsBag.has throws ArithmeticException"), "{message}");
}

/// What the abstraction throws by a statement of its own, the module may throw too, where the abstraction does.
#[test]
fn exceptions_of_the_abstraction_may_escape() {
    let declared = "int last() throws IllegalStateException { if (count == 0)";
    let checked = |name: &str, ours: &str, model: (&str, &str)| {
        violated(&report(&format!("{} --size 2", files(name, (declared, ours), model))))
    };
    assert_eq!(checked("throws-undeclared", "int last() { if (count == 0)", ("", "")), Vec::<String>::new());
    let early = checked("throws-early", "int last() { if (count <= 1)", ("", ""));
    assert!(
        matches!(&early[..], [one] if one.contains("it throws IllegalStateException, but AbsBag.last returns")),
        "{early:?}"
    );
    // One that nobody throws on purpose.
    let thrown = ("throw new IllegalStateException();", "return first.item;");
    let by_accident = checked("throws-accident", "int last() { if (count == -1)", thrown);
    assert!(by_accident[0].contains("ArrayIndexOutOfBoundsException escapes"), "{by_accident:?}");
}

#[test]
fn queries_are_compared() {
    let module =
        ("public void clear()", "@Declarative public boolean isEmpty() { return count < 2; }\n    public void clear()");
    let model =
        ("    void clear()", "    @Declarative boolean isEmpty() { return same(first, null); }\n    void clear()");
    let found = violated(&report(&format!("{} --size 2", files("query", module, model))));
    assert!(found.len() == 1 && found[0].starts_with("isEmpty()"), "{found:?}");
}

/// Two operations of one name, and objects that are compared by `equals`: what holds the results is no candidate for them.
#[test]
fn overloads_and_equals() {
    let module = (
        "public void clear()",
        "public void add(@Range(\"0..n\") int a, Object b) { count = b != null && b.equals(null) ? 1 : 0; }\n    public void clear()",
    );
    let model = ("    void clear()", "    void add(int a, Object b) { first = null; }\n    void clear()");
    let report = report(&format!("{} --size 1", files("overload", module, model)));
    assert_eq!(violated(&report), Vec::<String>::new(), "{report:#}");
    assert_eq!(report["conclusions"].as_array().map(Vec::len), Some(1), "{report:#}");
}

#[test]
fn options_are_for_classes() {
    check(
        "examples/lang/arith.lang --no-abstraction",
        expect![[r#"
        error[bad-usage]: --no-abstraction is for Java classes, and languages are given
         |
         = help: leave out --no-abstraction

        exit 2
    "#]],
    );
}

/// Files in a folder of their own, one class each; the arguments for all of them.
fn sources(name: &str, texts: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("replaced-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |text: &&str| {
        let class = text.split("class ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a class");
        let path = folder.join(format!("{class}.java"));
        std::fs::write(&path, format!("import glassbox.*;\n{text}")).expect("a file");
        path.display().to_string()
    };
    texts.iter().map(write).collect::<Vec<String>>().join(" ")
}

const ABS_CELL: &str = "public class AbsCell {
    @Range(\"0..3\") int value;
    @Declarative public AbsCell() {}
    @Declarative public AbsCell(int value) { this.value = value; }
    public int get() { return value; }
    public void set(@Range(\"0..3\") int x) { value = x; }
    MORE
    @Declarative public boolean equalTo(AbsCell c) { return value == c.value; }
}";

const CELL: &str = "public class Cell ABOVE{
    @Range(\"0..3\") int value;
    public int get() { return value; }
    public void set(@Range(\"0..3\") int x) { value = x; }
    MORE
    @Declarative boolean repOk() { return 0 <= value && value <= 3; }
    @Declarative @Abstraction AbsCell abstraction() { return new AbsCell(value); }
}";

/// A module with more members, its abstraction with more, and other classes.
fn cells(name: &str, above: &str, [ours, theirs]: [&str; 2], others: &[&str]) -> String {
    let (module, model) = (CELL.replace("ABOVE", above).replace("MORE", ours), ABS_CELL.replace("MORE", theirs));
    sources(name, &[&[module.as_str(), model.as_str()], others].concat())
}

const USER: &str = "public class User { public void use() { CODE } @Declarative boolean repOk() { return true; } }";

/// An operation that the module inherits is compared as its own are; one from a class that is not checked cannot be used.
#[test]
fn inherited_operations() {
    let above = |body: &str| {
        format!(
            "public abstract class Above {{ public abstract int get(); public abstract void set(int x); public int take() {{ {body} }} }}"
        )
    };
    let right = above("int x = get(); set(0); return x;");
    let wrong = above("return get();");
    let take = "public int take() { int x = value; value = 0; return x; }";
    let module = cells("inherited", "extends Above ", ["", take], &[&right]);
    let found = report(&format!("{module} --size 2"));
    assert_eq!((violated(&found), &found["exit_status"]), (Vec::new(), &0.into()), "{found:#}");
    let conclusion = found["conclusions"][0].as_str().unwrap_or_default();
    assert_eq!(conclusion, "Cell behaves like AbsCell on every sequence of calls, up to size 2");
    let module = cells("inherited-wrong", "extends Above ", ["", take], &[&wrong]);
    let found = violated(&report(&format!("{module} --size 2")));
    assert!(matches!(&found[..], [only] if only.starts_with("take(): `take` does not behave like")), "{found:?}");
    // Its parameters are what the subclass makes of them.
    let generic = "public abstract class Above<T> { T last; public boolean same(T a, T b) { return a == b; } }";
    let module = cells(
        "inherited-generic",
        "extends Above<Integer> ",
        ["", "public boolean same(Integer a, Integer b) { return a == b; }"],
        &[generic],
    );
    let found = report(&format!("{module} --size 2"));
    assert_eq!((violated(&found), &found["exit_status"]), (Vec::new(), &0.into()), "{found:#}");
    // From a class of the library.
    let user = USER.replace("CODE", "Cell c = new Cell(); c.set(2); assert c.take() == 2; assert c.get() == 2;");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replaced-library");
    std::fs::create_dir_all(&library).expect("a folder");
    std::fs::write(library.join("Above.java"), &wrong).expect("a file");
    let files = cells("inherited-library", "extends Above ", ["", take], &[&user]);
    let ran = run(&format!("{files} --source-path {} --size 2 --replace Cell=AbsCell", library.display()));
    assert!(
        ran.status == 2 && ran.stderr.contains("`take` of `Cell` is inherited from a class of the library"),
        "{}",
        ran.stderr
    );
}

/// What a client does with a replaced class beyond calling what was compared.
#[test]
fn clients_that_reach_past_the_comparison() {
    let refused = |name: &str, [ours, theirs]: [&str; 2], others: &[&str], expected: &str| {
        let files = cells(name, "", [ours, theirs], others);
        let ran = run(&format!("{files} --size 2 --replace Cell=AbsCell"));
        assert!(ran.status == 2 && ran.stderr.contains(expected), "{name}: {}{}", ran.stdout, ran.stderr);
        // With the module itself there is nothing wrong with that.
        assert_ne!(run(&format!("{files} --size 2 --no-abstraction")).status, 2, "{name}");
    };
    let user = |code: &str| USER.replace("CODE", code);
    let field = user("Cell c = new Cell(); c.set(1); assert c.value == 1;");
    refused("field", ["", ""], &[&field], "`value` is a field of a class that is replaced");
    let below = "public class Below extends Cell { public int get() { return 3; } }";
    let both = user("Cell c = new Below(); assert c.get() == 3;");
    refused("below", ["", ""], &[below, &both], "`Below` extends `Cell`, which is replaced");
    let pre = "@Declarative @Pre(\"set\") boolean isUnset(int x) { return value == 0; }";
    let calls = user("Cell c = new Cell(); c.set(1); c.set(2);");
    refused("pre", [pre, ""], &[&calls], "`set` of `Cell` has a precondition, and `Cell` is replaced");
    let fill = "public void fill(@NonNull @Length(\"1..1\") int[] a) { a[0] = value; }";
    let empty = "public void fill(int[] a) { }";
    let fills = user("int[] a = {5}; new Cell().fill(a); assert a[0] == 5;");
    refused("fill", [fill, empty], &[&fills], "`fill` changes its argument");
    let counts = "static int calls; public void count() { calls++; }";
    let counted = user("new Cell().count();");
    refused("count", [counts, "public void count() { }"], &[&counted], "`count` changes a static field");
    // Arrays and objects of its own it may change.
    let own = "@NonNull @Owned @Length(\"1..1\") int[] box = new int[1]; public void keep(int x) { int[] b = box; b[0] = x; }";
    let found = report(&format!("{} --size 2", cells("own", "", [own, "public void keep(int x) { }"], &[])));
    assert_eq!((violated(&found), &found["exit_status"]), (Vec::new(), &0.into()), "{found:#}");
}

/// A counter in a box, and what it behaves like: ADDED and LAST are 1 in a right one. The abstraction gets BOX and ARRAY.
const BOXED: &str = "import glassbox.*;
public class Counter {
    static class Box {
        @Range(\"0..n\") int v;
        @Declarative Box(int v) { this.v = v; }
    }
    static class AbsCounter {
        @NonNull Box box;
        @NonNull @Length(\"1..1\") @Range(\"0..n\") int[] last;
        @Declarative AbsCounter(Box box, int[] last) { this.box = box; this.last = last; }
        void add() { box.v = box.v + 1; last[0] = 1; }
        @Declarative boolean equalTo(AbsCounter c) { return box.v == c.box.v && last[0] == c.last[0]; }
    }
    @NonNull Box box = new Box(0);
    @NonNull @Length(\"1..1\") @Range(\"0..n\") int[] last = new int[1];
    @Declarative boolean repOk() { return last.length == 1; }
    @Declarative Box box() { return box; }
    public void add() { box.v = box.v + ADDED; last[0] = LAST; }
    @Declarative @Abstraction AbsCounter abstraction() { return new AbsCounter(BOX, ARRAY); }
}";

/// Where module and abstraction are one object, they change together, and nothing would be compared.
#[test]
fn an_abstraction_of_objects_of_the_module() {
    let of = |name: &str, [added, last, box_, array]: [&str; 4]| {
        let filled = BOXED.replace("ADDED", added).replace("LAST", last).replace("BOX", box_).replace("ARRAY", array);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shared-{name}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("Counter.java"), filled).expect("a file");
        run(&format!("{} --size 2 --quiet", folder.join("Counter.java").display()))
    };
    let (copied, elements) = ("new Box(box.v)", "new int[] { last[0] }");
    for (name, values, status) in [
        ("right", ["1", "1", copied, elements], 0),
        ("double", ["2", "1", copied, elements], 1),
        ("last", ["1", "0", copied, elements], 1),
    ] {
        let ran = of(name, values);
        assert_eq!(ran.status, status, "{name}: {}{}", ran.stdout, ran.stderr);
    }
    for (name, values, what) in [
        ("box", ["2", "1", "box", elements], "`add` changes its `v`"),
        ("got", ["2", "1", "this.box()", elements], "`add` changes its `v`"),
        ("chosen", ["1", "1", "box.v == 0 ? new Box(0) : box", elements], "`add` changes its `v`"),
        ("array", ["1", "0", copied, "last"], "`add` changes its elements"),
    ] {
        let ran = of(name, values);
        let expected = format!("`Counter.AbsCounter` gets what the class itself has, and {what}");
        assert!(ran.status == 2 && ran.stderr.contains(&expected), "{name}: {}{}", ran.stdout, ran.stderr);
    }
}

/// What only clients ask of an abstraction gives the same on equal ones; where an abstraction must not be called, it is not compared.
#[test]
fn queries_and_preconditions_of_an_abstraction() {
    let of = |name: &str, ours: &str, theirs: &str| {
        let found = report(&format!("{} --size 2", cells(name, "", [ours, theirs], &[])));
        (violated(&found), found["exit_status"].clone())
    };
    let right = (Vec::new(), Value::from(0));
    let parity = "@Range(\"0..1\") int other; @Declarative public boolean asks(CODE";
    assert_eq!(of("query", "", &parity.replace("CODE", "int x) { return value == x; }")), right);
    let (found, _) = of("query-wrong", "", &parity.replace("CODE", "int x) { return other == x; }"));
    assert!(matches!(&found[..], [only] if only.contains("`asks` does not keep equal states equal")), "{found:?}");
    let predicate = parity.replace("CODE", "java.util.function.IntPredicate p) { return p.test(VALUE); }");
    assert_eq!(of("predicate", "", &predicate.replace("VALUE", "value")), right);
    let (found, _) = of("predicate-wrong", "", &predicate.replace("VALUE", "other"));
    assert!(matches!(&found[..], [only] if only.contains("`asks` does not keep equal states equal")), "{found:?}");
    // An abstraction has its own invariant, which its operations keep.
    let odd = "@Range(\"0..1\") int odd; @Declarative boolean repOk() { return odd == 1; } public void clear() { value = 0; odd = 0; }";
    let (found, _) = of("own-invariant", "public void clear() { value = 0; }", odd);
    assert!(found.iter().any(|f| f.contains("`clear` does not keep the invariant `repOk` of `")), "{found:?}");
    // Two equal ones would do different things where nobody may call them.
    let take = "public int take() { return value == 0 ? other : value; }";
    let pre = "@Declarative @Pre(\"take\") boolean isSet() { return value > 0; }";
    let other = "@Range(\"0..1\") int other;";
    let module = "public int take() { return value; }";
    let (found, _) = of("take-without", module, &format!("{other} {take}"));
    assert!(found.iter().any(|f| f.contains("`take` does not keep equal states equal")), "{found:?}");
    assert_eq!(of("take-with", &format!("{module} {pre}"), &format!("{other} {take} {pre}")), right);
    // The module may be called where its abstraction may not.
    let (found, _) = of("take-wider", module, &format!("{other} {take} {pre}"));
    assert!(found.iter().any(|f| f.starts_with("take()")), "{found:?}");
    // Names that are used for other things, too.
    let names = "public int symmetric() { return value; } public int result() { return value; } public int hashCode() { return value; }";
    assert_eq!(of("names", names, names), right);
}

/// Sets of the numbers 0 and 1.
const PAIR: &str = "public class Pair {
    boolean zero, one;
    public Pair() { }
    public void add(@Range(\"0..1\") int x) { if (x == 0) zero = true; else one = true; }
    public void addAll(@NonNull Pair other) { zero |= other.zero; one |= other.one; }
    public boolean moveTo(@NonNull Pair other) { if (other == this) return false; other.addAll(this); zero = one = false; return true; }
    public boolean hasAll(Pair other) { return other != null && (zero || !other.zero) && (one || !other.one); }
    @Declarative boolean repOk() { return true; }
    @Declarative @Abstraction AbsPair abstraction() { return new AbsPair((zero ? 1 : 0) + (one ? 2 : 0)); }
}";

const ABS_PAIR: &str = "class AbsPair {
    @Range(\"0..3\") int bits;
    @Declarative AbsPair() { }
    @Declarative AbsPair(int bits) { this.bits = bits; }
    public void add(@Range(\"0..1\") int x) { bits |= 1 << x; }
    public void addAll(AbsPair other) { bits |= other.bits; }
    public boolean moveTo(AbsPair other) { if (other == this) return false; other.bits |= bits; bits = 0; return true; }
    public boolean hasAll(AbsPair other) { return other != null && (bits & other.bits) == other.bits; }
    @Declarative boolean equalTo(AbsPair p) { return bits == p.bits; }
    @Declarative AbsPair abstraction() { return this; }
}";

/// An operation that gets another object of the module: the abstraction gets the abstraction of that.
#[test]
fn operations_on_two_objects() {
    let check = |name: &str, [from, to]: [&str; 2], more: &str| {
        let texts = [PAIR, ABS_PAIR].map(|text| text.replacen(from, to, 1));
        assert!(from.is_empty() || texts != [PAIR, ABS_PAIR].map(str::to_string), "{from}");
        let report = report(&format!("{} --size 2 {more}", sources(name, &[&texts[0], &texts[1]])));
        (violated(&report), report)
    };
    let (wrong, all) = check("two-fine", ["", ""], "");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(all["conclusions"][0], "Pair behaves like AbsPair on every sequence of calls, up to size 2");
    let of_equal: Vec<String> = items(&all)
        .iter()
        .filter(|i| i["subject"] == "AbsPair, two and two that are equal")
        .map(|i| i["name"].as_str().unwrap_or_default().to_string())
        .collect();
    assert_eq!(of_equal, ["addAll()", "moveTo()", "hasAll()"]);
    for (name, fault, operation) in [
        ("two-part", ["zero |= other.zero; one", "one"], "addAll(Pair)"),
        ("two-other", ["zero |= other.zero;", "zero |= other.zero; other.zero = false;"], "addAll(Pair)"),
        ("two-same", ["if (other == this) return false; other.addAll", "other.addAll"], "moveTo(Pair)"),
        ("two-kept", ["zero = one = false;", ""], "moveTo(Pair)"),
        ("two-null", ["return other != null && (zero", "return (zero"], "hasAll(Pair)"),
        ("two-abstract", ["other.bits |= bits; bits = 0;", "other.bits = bits; bits = 0;"], "moveTo(Pair)"),
    ] {
        let (wrong, _) = check(name, fault, "--class Pair");
        assert!(wrong.iter().any(|w| w.contains(operation)), "{name}: {wrong:?}");
        let (wrong, _) = check(name, fault, "--class Pair --engine exhaustive");
        assert!(wrong.iter().any(|w| w.contains(operation)), "{name}, one by one: {wrong:?}");
    }
    // Equal ones that do not do the same with equal ones: what else they have decides.
    let secret = ["@Range(\"0..3\") int bits;", "@Range(\"0..3\") int bits; boolean secret;"];
    let texts = ABS_PAIR
        .replacen(secret[0], secret[1], 1)
        .replace("bits |= other.bits;", "if (!other.secret) bits |= other.bits;");
    let report = report(&format!("{} --size 2", sources("two-equal", &[PAIR, &texts])));
    let wrong = violated(&report);
    assert!(matches!(&wrong[..], [only] if only.starts_with("addAll()")), "{wrong:?}");
}

/// Elements that are compared by `equals` are no lists themselves: nothing asks whether they are.
#[test]
fn elements_that_are_compared() {
    let module = "public class Line<T> { static class Node<T> { T item; @Tree Node<T> next; Node(T item, Node<T> next) { this.item = item; this.next = next; } }
        @Tree Node<T> first;
        @Declarative boolean repOk() { return isFull(first); }
        @Declarative boolean isFull(Node<T> n) { return n == null || n.item != null && isFull(n.next); }
        public void add(@NonNull T t) { first = new Node<>(t, first); }
        public T take() { if (first == null) return null; T t = first.item; first = first.next; return t; }
        public boolean has(Object o) { for (Node<T> n = first; n != null; n = n.next) if (n.item.equals(o)) return true; return false; }
        @Declarative @Abstraction Seq<T> abstraction() { return new Seq<T>(cells(first)); }
        @Declarative Seq.Cell<T> cells(Node<T> n) { return n == null ? null : new Seq.Cell<T>(n.item, cells(n.next)); } }";
    let model = "class Seq<T> { static class Cell<T> { final T t; @Tree Cell<T> next; @Declarative Cell(T t, Cell<T> next) { this.t = t; this.next = next; } }
        @Tree Cell<T> first; @Declarative Seq() { } @Declarative Seq(Cell<T> c) { first = c; }
        public void add(@NonNull T t) { first = new Cell<T>(t, first); }
        public T take() { if (first == null) return null; T t = first.t; first = first.next; return t; }
        public boolean has(Object o) { for (Cell<T> c = first; c != null; c = c.next) if (c.t.equals(o)) return true; return false; }
        @Declarative boolean repOk() { return isFull(first); }
        @Declarative boolean isFull(Cell<T> c) { return c == null || c.t != null && isFull(c.next); }
        @Declarative boolean equalTo(Seq<T> o) { return same(first, o.first); }
        @Declarative boolean same(Cell<T> a, Cell<T> b) { return a == null ? b == null : b != null && a.t == b.t && same(a.next, b.next); } }";
    let all = report(&format!("{} --size 2", sources("elements", &[module, model])));
    assert_eq!(all["conclusions"][0], "Line behaves like Seq on every sequence of calls, up to size 2");
    assert!(
        items(&all)
            .iter()
            .filter(|i| i["subject"] == "Line" && i["name"] != "Line()")
            .all(|i| i["scope"] == "every list within 2 places")
    );
    let wrong = module.replacen("n.item.equals(o)", "n.item == o", 1);
    let all = report(&format!("{} --size 2", sources("elements-identity", &[&wrong, model])));
    assert!(matches!(&violated(&all)[..], [only] if only.starts_with("has(Object)")), "{:?}", violated(&all));
}

/// A constructor that gets another object of the module: what that was before counts.
#[test]
fn constructors_that_copy() {
    let module = PAIR.replacen(
        "public Pair() { }",
        "public Pair() { } public Pair(Pair other, boolean all) { if (other != null) { zero = all && other.zero; one = all && other.one; } }",
        1,
    );
    let model = ABS_PAIR.replacen(
        "@Declarative AbsPair() { }",
        "@Declarative AbsPair() { } @Declarative AbsPair(AbsPair other, boolean all) { bits = all && other != null ? other.bits : 0; }",
        1,
    );
    let check = |name: &str, [from, to]: [&str; 2], engine: &str| {
        let texts = [&module, &model].map(|text| text.replacen(from, to, 1));
        assert!(from.is_empty() || [&texts[0], &texts[1]] != [&module, &model], "{from}");
        let report = report(&format!("{} --size 2 --engine {engine}", sources(name, &[&texts[0], &texts[1]])));
        (violated(&report), report)
    };
    for engine in ["glassbox", "exhaustive"] {
        let (wrong, all) = check("copy-fine", ["", ""], engine);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(all["conclusions"][0], "Pair behaves like AbsPair on every sequence of calls, up to size 2");
        let pair = "Pair(Pair, boolean)";
        for (name, fault, operation) in [
            ("copy-part", ["all && other.zero", "other.zero"], pair),
            ("copy-changes", ["all && other.one;", "all && other.one; other.one = false;"], pair),
            (
                "copy-empties",
                ["all && other.one; }", "all && other.one; zero = one = other.zero = other.one = false; }"],
                pair,
            ),
            ("copy-null", ["all && other.one; }", "all && other.one; } else zero = true;"], pair),
            ("copy-abstract", ["all && other != null ? other.bits", "all && other != null ? other.bits & 1"], pair),
        ] {
            let (wrong, report) = check(name, fault, engine);
            assert!(wrong.iter().any(|w| w.contains(operation)), "{name}: {wrong:?}");
            let text = report.to_string();
            assert_eq!(
                text.contains("changes its argument"),
                name == "copy-changes" || name == "copy-empties",
                "{name}"
            );
        }
        // Equal ones of which unequal ones are made.
        let secret = ["@Range(\"0..3\") int bits;", "@Range(\"0..3\") int bits; boolean secret;"];
        let texts =
            model.replacen(secret[0], secret[1], 1).replacen("all && other", "all && !other.secret && other", 1);
        let texts = texts.replacen("!other.secret && other != null", "other != null && !other.secret", 1);
        let report = report(&format!("{} --size 2 --engine {engine}", sources("copy-equal", &[&module, &texts])));
        let wrong = violated(&report);
        assert!(matches!(&wrong[..], [only] if only.starts_with("copied(boolean)")), "{wrong:?}");
    }
}

/// So do clients, where both objects are abstractions.
#[test]
fn clients_that_put_two_modules_together() {
    let client = |keeps: &str| {
        format!(
            "public class Client {{ @NonNull @Tree Pair a = new Pair(); @NonNull @Tree Pair b = new Pair();
                @Declarative Client() {{ }}
                public void merge() {{ a.addAll(b); }}
                @Declarative @Post(\"merge\") boolean isMerged(Client before) {{ return {keeps}; }}
                @Declarative boolean repOk() {{ return true; }} }}"
        )
    };
    let check = |name: &str, text: &str| {
        run(&format!("{} --class Client --size 1 --replace Pair=AbsPair", sources(name, &[PAIR, ABS_PAIR, text])))
    };
    let holds = "a.abstraction().bits >= before.b.abstraction().bits";
    let ran = check("together", &client(holds));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = check("together-not", &client("a.abstraction().bits == before.a.abstraction().bits"));
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
}

/// What only the abstraction function makes it by is no operation of an abstraction that has an invariant.
#[test]
fn constructors_for_the_abstraction_function() {
    let invariant =
        "@Declarative boolean repOk() { return 0 <= bits && bits <= 3; } @Declarative AbsPair abstraction()";
    let model = ABS_PAIR
        .replacen("@Declarative AbsPair abstraction()", invariant, 1)
        .replace("(AbsPair other", "(@NonNull AbsPair other");
    let check = |name: &str, module: &str| {
        let report = report(&format!("{} --size 2", sources(name, &[module, &model])));
        let made = items(&report)
            .into_iter()
            .filter(|i| i["subject"] == "AbsPair" && i["name"].as_str().is_some_and(|n| n.starts_with("AbsPair(")));
        (violated(&report), made.map(|i| i["name"].as_str().unwrap_or_default().to_string()).collect::<Vec<_>>())
    };
    assert_eq!(check("made-by", PAIR), (vec![], vec!["AbsPair()".to_string()]));
    // One that the module has as well is for clients.
    let (wrong, made) =
        check("made-for", &PAIR.replacen("public Pair() { }", "public Pair() { } public Pair(int bits) { }", 1));
    assert_eq!((wrong.len(), made), (2, vec!["AbsPair()".to_string(), "AbsPair(int)".to_string()]), "{wrong:?}");
}
