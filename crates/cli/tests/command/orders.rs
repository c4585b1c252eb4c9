//! Operations in both orders, and blocks by themselves (dissertation, 8.1): both engines say the same of each.

use crate::{items, java_file, object, run};

/// What is told of orders and equal states, or of the block: each name with its verdict and what is wrong. By both engines.
fn check(name: &str, text: &str, arguments: &str, expected: &[&str]) {
    let file = java_file(name, text);
    for engine in ["glassbox --certify", "exhaustive"] {
        let report = object(&run(&format!("{file} {arguments} --engine {engine} --json")));
        let told = |item: &serde_json::Value| {
            let name = item["name"].as_str().unwrap_or_default();
            let is_ours = ["in both orders", "on equal states", "a block of"].iter().any(|part| name.contains(part));
            let problem = item["failures"][0]["problems"][0]["id"].as_str().unwrap_or_default();
            is_ours.then(|| {
                format!("{name}: {} {problem}", item["verdict"].as_str().unwrap_or_default()).trim().to_string()
            })
        };
        let found: Vec<String> = items(&report).iter().filter_map(told).collect();
        assert_eq!(found, expected, "{name} by {engine}: {report:#}");
    }
}

/// Exit status and message.
fn refused(name: &str, text: &str, arguments: &str, expected: &[&str]) {
    let ran = run(&format!("{} {arguments}", java_file(name, text)));
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    for part in expected {
        assert!(ran.stderr.contains(part) || ran.stdout.contains(part), "{part}: {}{}", ran.stdout, ran.stderr);
    }
}

const CLOCK: &str = "public class Clock {
    @Range(\"0..3\") int hour;
    @Declarative boolean repOk() { return 0 <= hour && hour < 4; }
    public void forward(@Range(\"0..2\") int by) { hour = (hour + by) % 4; }
    public void back(@Range(\"0..2\") int by) { hour = (hour + 4 - by) % 4; }
    public int set(@Range(\"0..3\") int to) { int was = hour; hour = to; return was; }
}";

#[test]
fn numbers() {
    let same =
        ["forward, on equal states: verified", "back, on equal states: verified", "set, on equal states: verified"];
    let with = |first: &[&'static str]| [first, &same[..]].concat();
    check("Clock", CLOCK, "--size 1 --commute forward,back", &with(&["forward and back, in both orders: verified"]));
    // What no operation changes is the same in both orders.
    let shared = CLOCK.replace("int hour;", "int hour; static int step = 1;").replace("hour + by", "hour + by * step");
    check("Clock", &shared, "--size 1 --commute forward,back", &with(&["forward and back, in both orders: verified"]));
    check("Clock", CLOCK, "--size 1 --commute forward", &with(&["forward and forward, in both orders: verified"]));
    check(
        "Clock",
        CLOCK,
        "--size 1 --commute forward,set",
        &with(&["forward and set, in both orders: violated order"]),
    );
    let all = format!("@Commutes({{\"forward\", \"back(int)\", \"set\"}}) {CLOCK}");
    let pairs = [
        "forward and back, in both orders: verified",
        "forward and set, in both orders: violated order",
        "back and set, in both orders: violated order",
    ];
    check("Clock", &all, "--size 1", &with(&pairs));
}

/// With a pointer back, private members, a precondition and an exception.
const STACK: &str = "public class Stack {
    private static class Node {
        @Range(\"0..1\") int item;
        @Tree Node next;
        Node before;
        Node(int item, Node next) { this.item = item; this.next = next; }
    }
    @Tree private Node top;
    @Declarative private boolean repOk() { return isLinked(top, null); }
    @Declarative static boolean isLinked(Node n, Node before) { return n == null || n.before == before && isLinked(n.next, n); }
    public void push(@Range(\"0..1\") int item) { Node n = new Node(item, top); if (top != null) top.before = n; top = n; }
    public int pop() { int item = top.item; top = top.next; if (top != null) top.before = null; return item; }
    @Declarative @Pre(\"pop\") private boolean isFilled() { return top != null; }
    public int peek() throws IllegalStateException { if (top == null) throw new IllegalStateException(); return top.item; }
    public boolean isEmpty() { return top == null; }
}";

#[test]
fn shapes() {
    let same = ["push", "pop", "peek", "isEmpty"].map(|operation| format!("{operation}, on equal states: verified"));
    let same: Vec<&str> = same.iter().map(String::as_str).collect();
    let with = |first: &'static str| [&[first][..], &same[..]].concat();
    check("Stack", STACK, "--size 2 --commute peek,isEmpty", &with("peek and isEmpty, in both orders: verified"));
    check("Stack", STACK, "--size 2 --commute push,pop", &with("push and pop, in both orders: violated order"));
    check("Stack", STACK, "--size 2 --commute push,isEmpty", &with("push and isEmpty, in both orders: violated order"));
    check("Stack", STACK, "--size 2 --commute push", &with("push and push, in both orders: violated order"));
    // Each of two gets what the other one would.
    check("Stack", STACK, "--size 2 --commute pop", &with("pop and pop, in both orders: violated order"));
}

const BAG: &str = "public class Bag {
    @NonNull @Length(\"n..n\") @Range(\"0..1\") int[] items;
    @Range(\"0..n\") int count;
    @Declarative boolean repOk() { return items.length == GlassBox.size() && 0 <= count && count <= items.length; }
    public void add(@Range(\"0..1\") int item) { if (count < items.length) items[count++] = item; }
    public int count(@Range(\"0..1\") int item) { int k = 0; for (int i = 0; i < count; i++) if (items[i] == item) k++; return k; }
    public int last() { return count == 0 ? -1 : items[count - 1]; }
    ABSTRACTION
}
class AbsBag {
    int zeros, ones;
    @Declarative AbsBag(int zeros, int ones) { this.zeros = zeros; this.ones = ones; }
    @Declarative boolean equalTo(AbsBag b) { return zeros == b.zeros && ones == b.ones; }
    int count(int item) { return item == 0 ? zeros : ones; }
}";

const COUNTED: &str = "@Declarative @Abstraction AbsBag abstraction() { return new AbsBag(number(0, 0), number(1, 0)); }
    @Declarative int number(int item, int i) { return i >= count ? 0 : (items[i] == item ? 1 : 0) + number(item, i + 1); }";

/// In another order the array is another one, and the bag is the same; what looks behind the abstraction can tell.
#[test]
fn abstractions_say_what_is_equal() {
    let shape = BAG.replace("ABSTRACTION", "");
    let verified = ["add, on equal states: verified", "count, on equal states: verified"];
    let by_shape =
        ["add and add, in both orders: violated order", verified[0], verified[1], "last, on equal states: verified"];
    check("Bag", &shape, "--size 2 --class Bag --commute add", &by_shape);
    // The last one into a full bag is lost.
    let bag = BAG.replace("ABSTRACTION", COUNTED);
    let full = [
        "add and add, in both orders: violated order",
        verified[0],
        verified[1],
        "last, on equal states: violated order",
    ];
    check("Bag", &bag, "--size 2 --class Bag --no-abstraction --commute add", &full);
    let roomy = bag.replace("if (count < items.length) items[count++] = item;", "items[count++] = item;").replace(
        "public int last",
        "@Declarative @Pre(\"add\") boolean hasRoom() { return count < items.length; } public int last",
    );
    let expected =
        ["add and add, in both orders: verified", verified[0], verified[1], "last, on equal states: violated order"];
    check("Bag", &roomy, "--size 2 --class Bag --no-abstraction --commute add", &expected);
}

/// Operations of a class above are operations, too.
#[test]
fn inherited_operations() {
    let text = "class Hand { @Range(\"0..3\") int hour; public void forward() { hour = (hour + 1) % 4; } public void set(@Range(\"0..3\") int to) { hour = to; } }
        @Commutes({\"forward\", \"back\"}) public class Dial extends Hand {
            @Declarative boolean repOk() { return 0 <= hour && hour < 4; }
            public void back() { hour = (hour + 3) % 4; }
        }";
    let same =
        ["back, on equal states: verified", "forward, on equal states: verified", "set, on equal states: verified"];
    let with = |first: &'static str| [&[first][..], &same[..]].concat();
    check("Dial", text, "--size 1 --class Dial", &with("forward and back, in both orders: verified"));
    let sets = text.replace("\"back\"", "\"set\"");
    check("Dial", &sets, "--size 1 --class Dial", &with("forward and set, in both orders: violated order"));
}

/// Two boxes of one number, and two strings, are the same value in a state as they are in a result.
#[test]
fn values_in_states() {
    let text = "@Commutes({\"box\", \"name\"}) public class Values {
        Integer number; String name;
        @Declarative boolean repOk() { return true; }
        public Integer box() { number = 200; return number; }
        public void name() { name = \"x\"; }
        public boolean isBig() { return number != null && number > 100; }
    }";
    let same =
        ["box, on equal states: verified", "name, on equal states: verified", "isBig, on equal states: verified"];
    let with = |first: &'static str| [&[first][..], &same[..]].concat();
    check("Values", text, "--size 1", &with("box and name, in both orders: verified"));
    let other = text.replace("number = 200;", "number = name == null ? 200 : 201;");
    check("Values", &other, "--size 1", &with("box and name, in both orders: violated order"));
}

/// Arrays that are returned are compared by what is in them.
#[test]
fn arrays_as_results() {
    let text = "@Commutes({\"next\", \"all\"}) public class Row {
        @Range(\"0..2\") int x;
        @Declarative boolean repOk() { return true; }
        public int[] next() { x = (x + 1) % 3; return new int[] { 1, 2 }; }
        public int[] all() { return new int[] { 7 }; }
    }";
    let same = ["next, on equal states: verified", "all, on equal states: verified"];
    let with = |first: &'static str| [&[first][..], &same[..]].concat();
    check("Row", text, "--size 1", &with("next and all, in both orders: verified"));
    let other = text.replace("{ 7 }", "{ 7, x }");
    check("Row", &other, "--size 1", &with("next and all, in both orders: violated order"));
}

/// An abstraction in the place of a module is compared as an abstraction is.
#[test]
fn with_a_module_replaced() {
    let text = "class Cell { int[] kept = new int[1]; @Declarative boolean repOk() { return kept != null && kept.length == 1; }
            public int get() { return kept[0]; } public void set(@Range(\"0..2\") int x) { kept[0] = x; }
            @Declarative @Abstraction AbsCell abstraction() { return new AbsCell(kept[0], 7); } }
        class AbsCell { @Range(\"0..2\") int x; @Range(\"0..1\") int unused; @Declarative AbsCell() { } @Declarative AbsCell(int x, int unused) { this.x = x; }
            public int get() { return x; } public void set(int y) { x = y; unused = 1 - unused; }
            @Declarative boolean equalTo(AbsCell c) { return x == c.x; } }
        public class Two {
            @Tree @NonNull Cell first = new Cell(); @Tree @NonNull Cell second = new Cell();
            @Declarative boolean repOk() { return true; }
            public void one() { first.set(1); }
            public void other() { second.set(2); }
            public void copy() { second.set(first.get()); }
        }";
    let same =
        ["one, on equal states: verified", "other, on equal states: verified", "copy, on equal states: verified"];
    let with = |first: &'static str| [&[first][..], &same[..]].concat();
    let arguments = "--size 1 --class Two --replace Cell=AbsCell --commute";
    check("Two", text, &format!("{arguments} one,other"), &with("one and other, in both orders: verified"));
    check("Two", text, &format!("{arguments} one,copy"), &with("one and copy, in both orders: violated order"));
}

#[test]
fn what_cannot_be_compared() {
    refused("Clock", CLOCK, "--size 1 --commute forwards,back", &["no class that is checked has the operations"]);
    let annotated = format!("@Commutes({{\"forwards\", \"back\"}}) {CLOCK}");
    refused("Clock", &annotated, "--size 1", &["`Clock` has no operation `forwards`", "did you mean `forward`?"]);
    refused("Clock", &format!("@Commutes({{}}) {CLOCK}"), "--size 1", &["names no operation"]);
    let open = STACK.replace("@Tree Node next", "Node next").replace("@Tree private Node", "private Node");
    let parts = ["both orders cannot be compared: `top` leads to objects outside of its trees", "with `@Tree`"];
    refused("Stack", &open, "--size 1 --commute push,pop", &parts);
    let shared = CLOCK.replace("int hour;", "int hour; static int total; static final int[] kept = new int[1];");
    for write in ["total += by;", "kept[0] += by;"] {
        let writes = shared.replace("hour = (hour + by) % 4;", &format!("hour = (hour + by) % 4; {write}"));
        refused("Clock", &writes, "--size 1 --commute forward,back", &["a static field is changed here"]);
    }
    let bare = "@Commutes(\"f\") public class Bare { int x; public void f() { x++; } }";
    refused("Bare", bare, "--size 1", &["`Bare` has no invariant"]);
}

#[test]
fn a_counterexample_shows_both_orders() {
    let ran = run(&format!("{} --size 1 --commute set,forward", java_file("Shown", &CLOCK.replace("Clock", "Shown"))));
    let told = ["├─ a:", "└─ b:", "on a, set returns", "on b, forward returns, set returns"];
    for part in told.into_iter().chain(["`set` and `forward` do not commute", "other results in the other order"]) {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    // Of two calls of one operation it is said which is which.
    let ran = run(&format!("{} --size 1 --commute set", java_file("Shown", &CLOCK.replace("Clock", "Shown"))));
    for part in ["on a, the first set returns", "on b, the second set returns"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
}

const SEARCH: &str = "public class Search {
    @NonNull @Length(\"0..n\") @Range(\"0..n\") int[] items = new int[0];
    @Range(\"0..n\") int count;
    @Declarative boolean repOk() { return count <= items.length; }
    public int find(@Range(\"0..n\") int key) {
        @Range(\"0..n\") int low = 0;
        @Range(\"-1..n\") int high = count - 1;
        while (low <= high) {
            @Range(\"0..n\") int middle = 0;
            halve: {
                GlassBox.assume(low <= high);
                middle = (low + high) / 2;
                assert low <= middle && middle <= high;
            }
            look: {
                GlassBox.assume(0 <= middle && middle < items.length);
                if (items[middle] == key) return middle;
                if (key > 0) break look;
                assert items[middle] != key;
            }
            if (items[middle] < key) low = middle + 1; else high = middle - 1;
        }
        return -1;
    }
    static int half(@Range(\"-2..2\") int x) throws ArithmeticException {
        divide: { if (x == 0) throw new ArithmeticException(); x = 2 / x; }
        return x;
    }
}";

/// Classes and arguments for which some order matters.
pub fn violated_orders() -> Vec<(&'static str, String, &'static str)> {
    let roomy = BAG.replace("ABSTRACTION", COUNTED).replace("if (count < items.length) ", "");
    let roomy = roomy.replace(
        "public int last",
        "@Declarative @Pre(\"add\") boolean hasRoom() { return count < items.length; } public int last",
    );
    vec![
        ("Clock", CLOCK.to_string(), "--size 1 --commute forward,set"),
        ("Clock", CLOCK.to_string(), "--size 1 --commute set"),
        ("Stack", STACK.to_string(), "--size 2 --commute push,pop"),
        ("Stack", STACK.to_string(), "--size 2 --commute push,isEmpty"),
        ("Stack", STACK.to_string(), "--size 2 --commute push"),
        ("Stack", STACK.to_string(), "--size 2 --commute pop"),
        ("Bag", BAG.replace("ABSTRACTION", ""), "--size 2 --class Bag --commute add"),
        // Of one operation on equal states.
        ("Bag", roomy, "--size 2 --class Bag --no-abstraction --commute add"),
    ]
}

/// Classes, with a block that fails and the method that a JVM runs of it.
pub fn violated_blocks() -> Vec<(&'static str, String, &'static str, &'static str)> {
    let halve = SEARCH.replace("GlassBox.assume(low <= high);", "");
    let look = SEARCH.replace("GlassBox.assume(0 <= middle && middle < items.length);", "");
    let other = SEARCH.replace("items[middle] == key) return", "items[middle] == key + 1) return");
    let divide = SEARCH.replace(" throws ArithmeticException {", " {");
    vec![
        ("Search", halve, "halve", "int halve$block(int low, int high, int middle)"),
        ("Search", look, "look", "int look$block(int key, int middle)"),
        ("Search", other, "look", "int look$block(int key, int middle)"),
        ("Search", divide, "divide", "static int divide$block(int x)"),
    ]
}

#[test]
fn blocks() {
    check("Search", SEARCH, "--size 3 --block halve", &["halve, a block of find: verified"]);
    check("Search", SEARCH, "--size 3 --block look", &["look, a block of find: verified"]);
    check("Search", SEARCH, "--size 3 --block divide", &["divide, a block of half: verified"]);
    // Within a method the tree property need not hold.
    let turned = "public class Turned { static class Node { @Tree Node next; } @Tree Node top;
        @Declarative boolean repOk() { return true; }
        public void turn() { Node n = top; half: { GlassBox.assume(n != null); n.next = top; } top = null; } }";
    check("Turned", turned, "--size 2 --block half", &["half, a block of turn: verified"]);
    // Each condition is needed: no invariant is taken for granted, and any value is tried.
    let careless = SEARCH.replace("GlassBox.assume(low <= high);", "");
    check("Search", &careless, "--size 3 --block halve", &["halve, a block of find: violated assertion"]);
    let careless = SEARCH.replace("GlassBox.assume(0 <= middle && middle < items.length);", "");
    check("Search", &careless, "--size 3 --block look", &["look, a block of find: violated exception"]);
    let careless = SEARCH.replace("items[middle] == key) return", "items[middle] == key + 1) return");
    check("Search", &careless, "--size 3 --block look", &["look, a block of find: violated assertion"]);
    let careless = SEARCH.replace(" throws ArithmeticException {", " {");
    check("Search", &careless, "--size 3 --block divide", &["divide, a block of half: violated exception"]);
}

/// `break` and `continue` of a loop around end the block; brackets and dots are part of a type.
#[test]
fn blocks_in_loops() {
    let text = "public class Loop {
        @Declarative boolean repOk() { return true; }
        public int f(@Length(\"0..2\") @NonNull int b[], @Range(\"0..3\") int... more) {
            around: for (@Range(\"0..4\") int i = 0; i < 4; i++) {
                go: {
                    if (i == 1) continue;
                    if (i == 2) break;
                    if (i == 3) continue around;
                    for (int k = 0; k < 2; k++) { if (k == 1) break; }
                    switch (i) { case 4: break; default: break; }
                    assert i != 1 && i != 2 && i != 3;
                }
            }
            given: { if (b.length > 0) b[0] = 1; assert more == null || more.length < 3; }
            @Range(\"0..2\") int q = 2, r[] = {1};
            own: { if (r != null && r.length > 0) r[0] = q; assert q >= 0; }
            return q;
        }
    }";
    check("Loop", text, "--size 2 --block go", &["go, a block of f: verified"]);
    let stays = text.replace("if (i == 2) break;", "if (i == 5) break;");
    check("Loop", &stays, "--size 2 --block go", &["go, a block of f: violated assertion"]);
    check("Loop", text, "--size 2 --block given", &["given, a block of f: verified"]);
    let short = text.replace("more.length < 3", "more.length < 2");
    check("Loop", &short, "--size 2 --block given", &["given, a block of f: violated assertion"]);
    check("Loop", text, "--size 2 --block own", &["own, a block of f: verified"]);
    check("Loop", &text.replace("q >= 0", "q > 0"), "--size 2 --block own", &["own, a block of f: violated assertion"]);
}

#[test]
fn blocks_that_cannot_be_checked() {
    refused("Search", SEARCH, "--size 1 --block halv", &["no block with the label `halv`", "did you mean `halve`?"]);
    let twice = SEARCH.replace("look:", "halve:").replace("break look", "break halve");
    refused("Search", &twice, "--size 1 --block halve", &["several blocks with the label `halve`"]);
    let unknown = SEARCH.replace("@Range(\"0..n\") int low = 0", "var low = 0");
    refused("Search", &unknown, "--size 1 --block halve", &["uses `low`, whose type is left out"]);
    let one =
        SEARCH.replace("divide: { if (x == 0) throw new ArithmeticException(); x = 2 / x; }", "divide: x = 2 / x;");
    refused("Search", &one, "--size 1 --block divide", &["`divide` is not a block"]);
    let ran = run(&format!(
        "{} --size 2 --block halve",
        java_file("Halved", &SEARCH.replace("Search", "Halved").replace("GlassBox.assume(low <= high);", ""))
    ));
    assert!(ran.stdout.contains("halve: low="), "{}", ran.stdout);
}

/// The same other object for two that are equal would tell them apart.
#[test]
fn operations_that_get_another_object() {
    let text = "public class P { @Range(\"0..2\") int x; public void add() { x = x == 2 ? 0 : x + 1; } public void clear() { x = 0; }
        public void take(@NonNull P other) { if (other != this) { x = other.x; other.x = 0; } }
        @Declarative boolean repOk() { return 0 <= x && x <= 2; } }";
    let ask = |pair: &str| crate::run(&format!("{} --size 2 --commute {pair}", crate::java_file("P", text)));
    let ran = ask("clear");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let words = "left out: whether `take`, which gets another object of the class, does the same on equal states was not checked";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    let ran = ask("add,take");
    assert!(
        ran.status == 2 && ran.stderr.contains("both orders of `take` cannot be compared: it gets another `P`"),
        "{}",
        ran.stderr
    );
}
