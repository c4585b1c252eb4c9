//! What the states of a class hold that uses classes of the JDK: as many objects as it has places for, of the types that it says. Each case is a
//! right class beside a faulty one.

use crate::{Ran, glassbox, java_file, object};
use serde_json::Value;

fn by(engine: &str, text: &str, more: &[&str]) -> Ran {
    let file = java_file("Client", text);
    let mut arguments = vec!["check", &file, "--class", "Client", "--size", "2", "--engine", engine, "--timeout", "20"];
    arguments.extend(more);
    glassbox(&arguments)
}

/// By both engines, at size 2.
fn each(text: &str, more: &[&str]) -> [Ran; 2] {
    ["glassbox", "exhaustive"].map(|engine| by(engine, text, more))
}

fn client(members: &str) -> String {
    format!("import java.util.*; public class Client {{ {members} }}")
}

fn ends(status: i32, text: &str, more: &[&str]) -> [Ran; 2] {
    let runs = each(text, more);
    for ran in &runs {
        assert_eq!(ran.status, status, "{text}: {}{}", ran.stdout, ran.stderr);
    }
    runs
}

fn left_out(ran: &Ran) -> Vec<String> {
    let report: Value = object(ran);
    let items = crate::items(&report);
    let holes = items.iter().flat_map(|item| item["left_out"].as_array().cloned().unwrap_or_default());
    holes.map(|hole| hole["id"].as_str().unwrap_or_default().to_string()).collect()
}

/// Whoever made them, and of every class of boxes.
#[test]
fn boxes_that_are_the_same_have_one_identity_hash_code() {
    let text = |says: &str| {
        client(&format!(
            "@Declarative boolean repOk() {{ return true; }}
            public void hash(@Range(\"126..128\") int a, Integer b) {{
                Object x = a, y = a; Object c = (char) 7, d = (char) 7; Object t = true, f = Boolean.TRUE; Object l = 3L, m = 3L;
                assert {says} (x != y || System.identityHashCode(x) == System.identityHashCode(y));
                assert b == null || a != b || x != (Object) b || System.identityHashCode(x) == System.identityHashCode(b);
                assert System.identityHashCode(c) == System.identityHashCode(d);
                assert System.identityHashCode(t) == System.identityHashCode(f);
                assert System.identityHashCode(l) == System.identityHashCode(m); }}"
        ))
    };
    ends(0, &text(""), &[]);
    ends(1, &text("System.identityHashCode(x) != System.identityHashCode(y) ||  x != y &&"), &[]);
    let map = |size: &str| {
        client(&format!(
            "@Declarative boolean repOk() {{ return true; }}
            public void put(@Range(\"0..3\") int a) {{
                IdentityHashMap<Integer, Integer> m = new IdentityHashMap<>(); m.put(a, 1); m.put(3, 2); assert m.size() == {size}; }}"
        ))
    };
    ends(0, &map("(a == 3 ? 1 : 2)"), &[]);
    ends(1, &map("2"), &[]);
}

#[test]
fn no_object_where_one_must_be_is_no_state() {
    let text = |max: &str| {
        client(&format!(
            "@Max(\"{max}\") static class Box {{ int x; }} final Box b = new Box();
            @Declarative boolean repOk() {{ return true; }}
            public void bad() {{ if (b != null) throw new IllegalStateException(); }}"
        ))
    };
    for ran in ends(3, &text("0"), &[]) {
        assert!(ran.stdout.contains("no start state has any `Client.Box`, as `@Max` says"), "{}", ran.stdout);
    }
    ends(1, &text("1"), &[]);
}

#[test]
fn a_client_holds_as_many_objects_of_the_library_as_it_has_places() {
    let text = |class: &str, condition: &str| {
        client(&format!(
            "@NonNull {class} a, b; @Declarative boolean repOk() {{ return a != b; }}
            public void other(@NonNull {class} c) {{ assert {condition}; }}"
        ))
    };
    let (right, faulty) = ("a != b && (c != a || c != b)", "c == a || c == b");
    let spec = "@SpecFor(\"java.util.OptionalInt\") @Max(\"1\") class S { @Range(\"0..1\") int value; }";
    ends(0, &(text("OptionalInt", right) + spec), &["--method", "other"]);
    ends(1, &(text("OptionalInt", faulty) + spec), &["--method", "other"]);
    for (class, spec) in
        [("TreeMap<Integer, Integer>", "java.util.TreeMap"), ("ArrayList<Integer>", "java.util.ArrayList")]
    {
        for (condition, status) in [(right, 0), (faulty, 1)] {
            let ran = by("glassbox", &text(class, condition), &["--spec", spec, "--method", "other"]);
            assert_eq!(ran.status, status, "{class}, {condition}: {}{}", ran.stdout, ran.stderr);
        }
    }
}

#[test]
fn what_a_constant_max_leaves_out_is_said() {
    let text = |max: &str, same: &str| {
        client(&format!(
            "{max} static class Box {{ int x; }} final Box a = new Box(), b = new Box();
            @Declarative boolean repOk() {{ return true; }}
            public void same() {{ if (a != b && !{same}) throw new IllegalStateException(); }}"
        ))
    };
    for ran in ends(0, &text("@Max(\"1\")", "false"), &["--json"]) {
        assert_eq!(left_out(&ran), ["few-objects"], "{}", ran.stdout);
    }
    ends(1, &text("", "false"), &[]);
    for ran in ends(0, &text("@Max(\"2\")", "true"), &["--json"]) {
        assert_eq!(left_out(&ran), Vec::<String>::new(), "{}", ran.stdout);
    }
}

/// Null would be a false alarm, any other object would be made up.
#[test]
fn a_new_object_of_a_class_without_states() {
    let text = client(
        "private final BitSet bits = new BitSet(); @Range(\"0..n\") int x; @Declarative boolean repOk() { return true; }
        public void set(@Range(\"0..n\") int i) { bits.set(i); } public void more() { x++; }",
    );
    let random = text.replace("BitSet", "Random").replace("bits.set(i)", "bits.nextInt()");
    for ran in ends(2, &random, &[]) {
        assert!(
            ran.stderr.contains("`bits` holds a new `Random` from the beginning, but no state has one"),
            "{}",
            ran.stderr
        );
        assert!(ran.stdout.contains("✓ more()"), "{}", ran.stdout);
    }
    ends(0, &random, &["--method", "more"]);
    // Words of any 64 bits are too many to run one by one.
    let text = text.replace("return true", "return bits == null || ((BitSetSpec) (Object) bits).repOk()");
    let faulty = text.replace("bits.set(i);", "bits.set(i); assert !bits.get(0);");
    for (text, status) in [(&text, 0), (&faulty, 1)] {
        let ran = by("glassbox", text, &["--spec", "java.util.BitSet"]);
        assert_eq!(ran.status, status, "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn objects_of_classes_without_a_name() {
    let text = |op: &str| {
        client(&format!(
            "interface Op {{ int f(int x); }} static class Next implements Op {{ public int f(int v) {{ return v + 1; }} }}
            @Range(\"0..2\") int x; private final Op op = {op}; public void go() {{ x = op.f(x); }} @Declarative boolean repOk() {{ return x >= 0; }}"
        ))
    };
    let named = "static class Next implements Op { public int f(int v) { return v + 1; } }";
    for ran in ends(2, &text("v -> v + 1").replace(named, ""), &[]) {
        assert!(ran.stderr.contains("make a nested class of the lambda"), "{}", ran.stderr);
    }
    ends(0, &text("new Next()"), &[]);
}

#[test]
fn an_argument_that_nothing_can_be_passed_for() {
    let text = client(
        "@Range(\"0..n\") int x; @Declarative boolean repOk() { return true; }
        public void run(@NonNull Runnable r) { r.run(); } public void more() { x++; }",
    );
    ends(0, &text, &["--method", "more"]);
    for ran in ends(2, &text, &[]) {
        assert!(ran.stderr.contains("no-implementation"), "{}", ran.stderr);
        assert!(ran.stdout.contains("✓ more()"), "{}", ran.stdout);
    }
}

#[test]
fn type_arguments_that_the_specification_excludes() {
    let text = |ty: &str| {
        client(&format!(
            "@NonNull final {ty} held = null; public int size() {{ return held.size(); }}
        @Declarative boolean repOk() {{ return true; }}"
        ))
    };
    let ran = by("glassbox", &text("HashMap<Runnable, Integer>"), &["--spec", "java.util.HashMap"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("type-arguments") && ran.stderr.contains("key"), "{}", ran.stderr);
    let held = [
        ("HashMap<String, Integer>", "java.util.HashMap"),
        ("HashSet<Long>", "java.util.HashSet"),
        ("HashMap<Integer, String>", "java.util.HashMap"),
        ("Map<Long, Integer>", "java.util.TreeMap"),
        ("ArrayList<String>", "java.util.ArrayList"),
        ("ArrayList<Integer>", "java.util.ArrayList"),
        ("ArrayList<? extends Number>", "java.util.ArrayList"),
    ];
    for (ty, spec) in held {
        let ran = by("glassbox", &text(ty), &["--spec", spec]);
        assert_eq!(ran.status, 0, "{ty}: {}{}", ran.stdout, ran.stderr);
    }
}

/// Of every class, with any hash code; the mark that sets keep in their maps is no value of other maps.
#[test]
fn a_client_has_maps_with_its_own_keys() {
    let text = |key: &str, asked: &str| {
        client(&format!(
            "enum Color {{ RED, BLUE }} record Id(@Range(\"0..1\") int number) {{}}
            private final Map<{key}, Integer> m = new HashMap<>(); private final Set<{key}> s = new HashSet<>();
            @Declarative boolean repOk() {{ return m.size() == s.size(); }}
            public void hasNone() {{ if (m.containsKey({asked})) throw new IllegalStateException(); }}
            public void hasNew({key} k) {{ int n = s.size(); boolean isNew = s.add(k); assert s.contains(k) && s.size() == n + 1; s.remove(k); }}
            public void has({key} k) {{
                boolean isNew = !s.contains(k); int n = s.size(); s.add(k); assert s.contains(k) && s.size() == (isNew ? n + 1 : n);
                if (isNew) s.remove(k); }}"
        ))
    };
    let check = |key: &str, asked: &str, method: &str, status: i32| {
        let specs = ["--spec", "java.util.HashMap", "--spec", "java.util.HashSet", "--method", method];
        let ran = by("glassbox", &text(key, asked), &specs);
        assert_eq!(ran.status, status, "{key}, {method}: {}{}", ran.stdout, ran.stderr);
    };
    for (key, asked) in [("String", "\"here\""), ("Color", "Color.RED"), ("Id", "new Id(1)"), ("Integer", "100000")] {
        check(key, asked, "hasNone", 1);
    }
    check("Color", "Color.RED", "hasNew", 1);
    check("Color", "Color.RED", "has", 0);
}

/// What the type arguments say, whatever the specification says of the elements; declarative code asks the library.
#[test]
fn a_client_holds_what_its_type_arguments_say() {
    let cart = |removed: &str, got: &str| {
        client(&format!(
            "static class Item {{ @Range(\"1..3\") int price; }}
            private final List<Item> items = new ArrayList<>(); @Range(\"0..9\") private int total;
            public void add(@NonNull Item i) {{ items.add(i); total += i.price; }}
            public void remove(Item i) {{ if (items.remove(i)) total -= {removed}; }}
            @Declarative boolean repOk() {{
                int t = 0;
                for (int i = 0; i < items.size(); i++) {{ Item it = {got}; if (it == null) return false; t += it.price; }}
                return t == total; }}"
        ))
    };
    let spec = ["--spec", "java.util.ArrayList"];
    for ran in ends(0, &cart("i.price", "items.get(i)"), &spec) {
        assert!(!ran.stdout.contains("never reached"), "{}", ran.stdout);
    }
    ends(1, &cart("1", "items.get(i)"), &spec);
    for ran in ends(2, &cart("i.price", "items.iterator().next()"), &spec) {
        let expected = "an assignment to the field `cursor` in `ArrayList.Itr.next`";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    // A key that is an Optional in no state; of the library's own `equals`, some change something.
    let keys = |found: &str| {
        client(&format!(
            "private final Object[] keys = new Object[2];
            public Optional<Object> get(@Range(\"0..1\") int i) {{ return Optional.ofNullable({found}); }}
            public List<Object> all() {{ return new ArrayList<>(List.of(keys)); }}
            @Post(\"get\") @Declarative boolean isThere(Client before, int i, Optional<Object> result) {{
                return keys[i] == null ? !result.isPresent() : keys[i].equals(result.get()); }}
            @Declarative boolean repOk() {{ return keys.length == 2; }}"
        ))
    };
    ends(0, &keys("keys[i]"), &["--method", "get"]);
    ends(1, &keys("keys[0]"), &["--method", "get"]);
}

/// What the specification of a library class says of its objects is part of the invariant of a class that keeps them, at any depth, and of what
/// an operation gets.
#[test]
fn objects_of_the_library_are_valid() {
    let map = |present: &str| {
        client(&format!(
            "static class Account {{ @Range(\"0..2\") int money; }}
            private final SortedMap<Integer, Account> all = new TreeMap<>();
            public void open(@Range(\"0..2\") int id) {{
                int size = all.size(); if (!all.containsKey(id)) {{ all.put(id, new Account()); size++; }}
                assert all.size() == size && all.containsKey(id); }}
            public boolean close(@Range(\"0..2\") int id) {{ Account a = all.remove(id); return a != null && {present}; }}
            @Declarative boolean repOk() {{ return true; }}"
        ))
    };
    let spec = ["--spec", "java.util.TreeMap"];
    ends(0, &map("!all.containsKey(id)"), &spec);
    ends(1, &map("all.get(id).money > 0"), &spec);
    let rows = |end: &str| {
        client(&format!(
            "private final List<List<Integer>> rows = new ArrayList<>(); @Range(\"0..2\") private int width;
            public void add(@Range(\"0..1\") int x) {{
                List<Integer> r = new ArrayList<>(); for (int i = 0; {end}; i++) r.add(x); rows.add(r); }}
            public int sizes(@NonNull List<Integer> r) {{ return r.isEmpty() ? 0 : r.lastIndexOf(r.get(r.size() - 1)) / r.size(); }}
            @Declarative boolean repOk() {{
                for (int i = 0; i < rows.size(); i++) if (rows.get(i) == null || rows.get(i).size() != width) return false;
                return true; }}"
        ))
    };
    let spec = ["--spec", "java.util.ArrayList"];
    ends(0, &rows("i < width"), &spec);
    ends(1, &rows("i <= width"), &spec);
    // Its own order, and keys of its own; one that changes while it is in the queue breaks the order.
    let queue = |more: &str| {
        client(&format!(
            "static class Event implements Comparable<Event> {{
                @Range(\"0..3\") int time; Event(int time) {{ this.time = time; }}
                public int compareTo(Event o) {{ return Integer.compare(time, o.time); }} }}
            private final PriorityQueue<Event> all = new PriorityQueue<>();
            public void add(@Range(\"0..3\") int time) {{ all.add(new Event(time)); }}
            public void next() {{ Event e = all.poll(); assert e == null || all.isEmpty() || all.peek().time >= e.time; {more} }}
            @Declarative boolean repOk() {{ return true; }}"
        ))
    };
    let spec = ["--spec", "java.util.PriorityQueue"];
    ends(0, &queue(""), &spec);
    for ran in ends(1, &queue("} public void late() { if (!all.isEmpty()) all.peek().time = 4;"), &spec) {
        assert!(ran.stdout.contains("PriorityQueue"), "{}", ran.stdout);
    }
}

/// Type arguments of one's own: what is looked for may be anything, but nothing that only the library would ask for.
#[test]
fn generic_classes_that_keep_objects_in_collections() {
    let bag = |less: &str| {
        "import java.util.*; public class Client<T> {
            @NonNull private final Map<T, Integer> counts = new HashMap<>();
            public void add(T t) { counts.merge(t, 1, Integer::sum); assert counts.get(t) != null; }
            public boolean remove(T t) {
                Integer c = counts.get(t); if (c == null) return false;
                if (c == 1) counts.remove(t); else counts.put(t, c - 1);
                assert LESS; return true; }
            @Declarative boolean repOk() { return true; } }"
            .replace("LESS", less)
    };
    let spec = ["--spec", "java.util.HashMap"];
    let ran = by("glassbox", &bag("c == 1 ? !counts.containsKey(t) : counts.get(t) == c - 1"), &spec);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(by("glassbox", &bag("counts.containsKey(t)"), &spec).status, 1);
    let stack = |at: &str| {
        "import java.util.*; public class Client<T> {
            @NonNull private final ArrayList<T> items = new ArrayList<>();
            public T pop() { return items.isEmpty() ? null : items.remove(AT); }
            public Optional<T> find(@NonNull T wanted) {
                for (T t : items) if (t.equals(wanted)) return Optional.of(t);
                return Optional.empty(); }
            @Post(\"pop\") @Declarative boolean popped(Client<T> before, T r) {
                return before.items.isEmpty() ? r == null : before.items.get(items.size()) == r; }
            @Post(\"find\") @Declarative boolean found(Client<T> before, T wanted, Optional<T> r) {
                return r.isPresent() == items.contains(wanted); }
            @Declarative boolean repOk() { return !items.contains(null); } }"
            .replace("AT", at)
    };
    let spec = ["--spec", "java.util.ArrayList"];
    for ran in ends(0, &stack("items.size() - 1"), &spec) {
        assert!(!ran.stdout.contains("left out"), "{}", ran.stdout);
    }
    ends(1, &stack("0"), &spec);
}

/// Of a collection that it makes and keeps: but the library is not checked, and orders are not known.
#[test]
fn a_client_without_words_about_specifications() {
    let text = |made: &str, asserted: &str| {
        client(&format!(
            "private final {made}; @Declarative boolean repOk() {{ return true; }}
            public void run() {{ int n = all.size(); all.add(7); assert all.size() == n + {asserted}; }}"
        ))
    };
    let list = "List<Integer> all = new ArrayList<>()";
    for (asserted, status) in [("1", 0), ("n", 1)] {
        for ran in ends(status, &text(list, asserted), &["--json"]) {
            let report: Value = object(&ran);
            assert_eq!(report["rests_on"][0]["name"], "java.util.ArrayList", "{}", ran.stdout);
            assert_eq!(crate::items(&report).len(), 2, "{}", ran.stdout);
        }
    }
    for made in [
        "Queue<Integer> all = new PriorityQueue<>((a, b) -> b - a)",
        "List<Integer> all = new java.util.concurrent.CopyOnWriteArrayList<>()",
    ] {
        let ran = by("glassbox", &text(made, "1"), &[]);
        assert_eq!(ran.status, 2, "{made}: {}", ran.stdout);
        assert!(ran.stderr.contains("no-implementation"), "{}", ran.stderr);
    }
    // A specification of one's own, and a class of that name, are what is meant.
    let own = "class ArrayList<E> { int size() { return 0; } boolean add(E e) { return true; } }";
    let ran = by("glassbox", &(text("ArrayList<Integer> all = new ArrayList<>()", "0") + own), &[]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("rests on"), "{}", ran.stdout);
}

/// What is asked of them is what their type arguments say, however the library writes its fields.
#[test]
fn collections_hold_what_they_are_asked_for() {
    let text = |ty: &str, asked: &str| {
        client(&format!(
            "enum Color {{ RED }} private final {ty}<>(); @Declarative boolean repOk() {{ return true; }}
            public void run() {{ assert !m.contains{asked}; }}"
        ))
    };
    let check = |ty: &str, asked: &str, status: i32| {
        let ran = by("glassbox", &text(ty, asked), &["--method", "run"]);
        assert_eq!(ran.status, status, "{ty}, {asked}: {}{}", ran.stdout, ran.stderr);
    };
    check("Hashtable<String, Integer> m = new Hashtable", "Key(\"a\")", 1);
    check("Set<Color> m = new LinkedHashSet", "(Color.RED)", 1);
    check("Set<Long> m = new TreeSet", "(5L)", 1);
    check("Map<Object, Object> m = new HashMap", "Key(\"k\")", 1);
    check("List<Object> m = new ArrayList", "(\"k\")", 1);
    check("Map<Color, Integer> m = new IdentityHashMap", "Key(Color.RED)", 2);
}

/// The values of a map are not all one; they are sets, and no views, which cannot be added to.
#[test]
fn collections_in_collections() {
    let text = |values: &str, made: &str, asserted: &str| {
        client(&format!(
            "private final Map<Integer, {values}<Integer>> m = new TreeMap<>(); @Declarative boolean repOk() {{ return true; }}
            public void run() {{ if (m.get(0) == null || m.get(1) == null) return; assert {asserted}; }}
            public void put(int k) {{ m.put(k, new {made}<>()); }}"
        ))
    };
    let check = |values: &str, made: &str, asserted: &str, status: i32| {
        let ran = by("glassbox", &text(values, made, asserted), &["--method", "run"]);
        assert_eq!(ran.status, status, "{values}, {asserted}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran.stdout.contains("UnsupportedOperationException"), "{}", ran.stdout);
    };
    check("List", "ArrayList", "m.get(0) != m.get(1)", 1);
    check("List", "ArrayList", "m.get(0) == m.get(1)", 1);
    check("List", "ArrayList", "m.get(0).add(7)", 0);
    check("Set", "HashSet", "m.get(0).add(7) & false", 1);
}

/// As the constant says that is empty; nothing else of what is in a string is known.
#[test]
fn whether_a_string_is_empty() {
    let text = |test: &str| {
        client(&format!(
            "@NonNull String name = \"x\"; @Declarative boolean repOk() {{ return !name.isEmpty(); }}
            public void name(@NonNull String s) {{ if ({test}) name = s; }}"
        ))
    };
    for (test, status) in
        [("!s.isEmpty()", 0), ("s != \"\"", 1), ("s == \"Ann\"", 0), ("!name.isEmpty()", 1), ("s.length() > 0", 2)]
    {
        ends(status, &text(test), &[]);
    }
}

/// Declarative code goes through lists of the library by index; other iterators are refused, with the place.
#[test]
fn an_invariant_that_goes_through_what_a_class_keeps() {
    let text = |kept: &str, price: &str| {
        client(&format!(
            "static class Item {{ @Range(\"1..2\") int price; }} private final {kept}<>(); @Range(\"0..4\") int total;
            @Declarative boolean repOk() {{ int t = 0; for (Item i : items) {{ if (i == null) return false; t += i.price; }} return t == total; }}
            public void add(@NonNull Item i) {{ items.add(i); total += {price}; }}"
        ))
    };
    for kept in ["List<Item> items = new LinkedList", "ArrayList<Item> items = new ArrayList"] {
        ends(0, &text(kept, "i.price"), &[]);
        ends(1, &text(kept, "1"), &[]);
    }
    // Of an item that is there already, the price counts twice.
    let set = text("Set<Item> items = new HashSet", "i.price");
    assert_eq!(by("glassbox", &set, &[]).status, 1);
    let by_iterator = "for (Iterator<Item> at = items.iterator(); at.hasNext();) { Item i = at.next();";
    let ran = by("glassbox", &set.replace("for (Item i : items) {", by_iterator), &[]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("not-declarative") && ran.stderr.contains("Client.java:3"), "{}", ran.stderr);
}

/// Without a specification, said once for all operations.
#[test]
fn a_specification_that_is_missing() {
    let text = client(
        "private final Queue<Integer> all = new PriorityQueue<>(7); @Declarative boolean repOk() { return true; }
        public void add(int x) { all.add(x); } public int size() { return all.size(); }",
    );
    for ran in ends(2, &text, &[]) {
        assert_eq!(ran.stderr.matches("no-implementation").count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("--spec PriorityQueue"), "{}", ran.stderr);
    }
    ends(0, &text, &["--spec", "PriorityQueue"]);
}

/// What the library keeps for all is part of the states of those operations that ask for it.
#[test]
fn the_number_of_processors() {
    let text = |more: &str| {
        client(&format!(
            "@Range(\"0..n\") int x; public void inc() {{ x++; }} {more} @Declarative boolean repOk() {{ return true; }}"
        ))
    };
    let asks = "public void ask() { int p = Runtime.getRuntime().availableProcessors(); assert p > 0; }";
    ends(0, &text(asks), &["--method", "inc"]);
    for (condition, status) in [("p > 0", 0), ("p > 1", 1)] {
        let ran = by("glassbox", &text(&asks.replace("p > 0", condition)), &[]);
        assert_eq!(ran.status, status, "{}", ran.stdout);
    }
}

/// Only where a run gets there, whichever constructor or method is meant.
#[test]
fn an_overload_whose_argument_is_not_supported() {
    let text = |call: &str| {
        client(&format!(
            "@Range(\"0..n\") int x; void f(String s) {{}} void f(Exception e) {{}} static class A {{ A(String s) {{}} A(Exception e) {{}} }}
            static class B extends A {{ B(int x) {{ super(\"b\" + Character.getName(x)); }} }}
            @Check public void odd() {{ if (x == 1) {{ {call} }} }} @Check public void more() {{ x++; }}
            @Declarative boolean repOk() {{ return true; }}"
        ))
    };
    for call in [
        "throw new IllegalArgumentException(\"flag 0x\" + Character.getName(x));",
        "f(Character.getName(x));",
        "f(x > 7 ? \"\" : Character.getName(x));",
        "new B(x);",
    ] {
        for ran in ends(2, &text(call), &[]) {
            assert!(ran.stderr.contains("`Character.getName` is not supported"), "{call}: {}", ran.stderr);
            assert!(ran.stdout.contains("✓ more()"), "{call}: {}", ran.stdout);
        }
        ends(0, &text(call), &["--method", "more"]);
    }
    ends(1, &text("throw new IllegalArgumentException(\"flag 0x\" + Integer.toHexString(x));"), &["--method", "odd"]);
}

/// Of a field that no operation looks at, what its class does when it is first used does not matter.
#[test]
fn a_field_that_no_operation_looks_at() {
    let text = client(
        "private final Random rnd = new Random(1); @Range(\"0..n\") int x; public void inc() { x++; }
        @Declarative boolean repOk() { return true; }",
    );
    ends(0, &text, &["--method", "inc"]);
    ends(1, &text.replace("x++;", "x++; assert x < 2;"), &["--method", "inc"]);
}

/// A string that another operation builds is in no state.
#[test]
fn strings_that_another_operation_builds() {
    let text = client(
        "int x; public String nm() { return \"a\" + x; } public boolean eqi(String s) { return \"abc\".equals(s); }
        @Declarative @Post(\"eqi\") boolean is(Client before, String s, boolean result) { return s != null || !result; }
        @Declarative boolean repOk() { return true; }",
    );
    ends(0, &text, &["--method", "eqi"]);
    ends(1, &text.replace("\"abc\".equals(s)", "s == null || \"abc\".equals(s)"), &["--method", "eqi"]);
    ends(2, &text, &[]);
}

#[test]
fn what_specifications_say_of_one_member() {
    let text = |spec: &str| {
        client(&format!(
            "@Range(\"0..n\") int x; public void more() {{ x++; }} @Declarative boolean repOk() {{ return true; }} }} {spec} class Last {{"
        ))
    };
    for (spec, says) in [
        (
            "@SpecFor(\"java.util.OptionalInt\") class S { @Check native long orElse(int other); }",
            "is of type `int` in the original",
        ),
        (
            "@SpecFor(\"java.util.OptionalInt\") class S { native OptionalInt of(int value); }",
            "is static in the original",
        ),
        (
            "@SpecFor(\"java.util.OptionalInt\") class S { static native boolean isPresent(); }",
            "is not static in the original",
        ),
        (
            "@SpecFor(\"java.util.BitSet\") class S { @Range(\"0..1\") int wordsInUse; }
            @SpecFor(\"java.util.BitSet\") class T { @Range(\"0..2\") int wordsInUse; }",
            "`@Range` is given twice",
        ),
    ] {
        let ran = by("glassbox", &text(spec), &[]);
        assert_eq!(ran.status, 2, "{spec}: {}", ran.stdout);
        assert!(ran.stderr.contains(says), "{spec}: {}", ran.stderr);
    }
    // What one leaves out, another describes.
    let both = "@SpecFor(\"java.util.BitSet\") @Max(\"0\") class S { } @SpecFor(\"java.util.BitSet\") @Max(\"1\") class T { @Range(\"0..2\") int wordsInUse; }";
    assert_eq!(by("glassbox", &text(both), &[]).status, 0);
}

/// By number, in the order of the iterator, which declarative code cannot use.
#[test]
fn declarative_code_goes_through_sets_queues_and_maps() {
    let faults = client(
        "final Map<Integer, Integer> a = new HashMap<>(); final NavigableMap<Integer, Integer> b = new TreeMap<>();
        final Set<Integer> d = new HashSet<>(); final SortedSet<Integer> e = new TreeSet<>();
        final Deque<Integer> g = new ArrayDeque<>(); final Queue<Integer> h = new PriorityQueue<>();
        final Collection<Integer> i = new ArrayList<>();
        @Declarative boolean repOk() {
            for (Integer v : a.values()) if (v == null || v < 0) return false;
            for (Map.Entry<Integer, Integer> v : b.entrySet()) if (v.getKey() > v.getValue()) return false;
            for (int v : d) if (v < 0) return false; for (int v : e) if (v < 0) return false;
            for (int v : g) if (v < 0) return false; for (int v : h) if (v < 0) return false; for (int v : i) if (v < 0) return false;
            return true; }
        public void a() { a.put(1, -1); } public void b() { b.put(1, 0); }
        public void d() { d.add(-1); } public void e() { e.add(-1); }
        public void g() { g.push(-1); } public void h() { h.add(-1); } public void i() { i.add(-1); }",
    );
    for ran in ends(1, &faults, &[]) {
        assert!(ran.stdout.contains("7 operations violated, 1 verified"), "{}", ran.stdout);
    }
    let sorted = |class: &str| {
        client(&format!(
            "final Set<Integer> all = new {class}<>(); public void more(int k) {{ if (k >= 0) all.add(k); }}
            @Declarative boolean repOk() {{ int last = -1; for (int k : all) {{ if (k <= last) return false; last = k; }} return true; }}"
        ))
    };
    let linked = client(
        "final LinkedHashMap<Integer, Integer> all = new LinkedHashMap<>(); public void more() { all.put(null, 0); }
        @Declarative boolean repOk() { for (var e : all.entrySet()) if (e.getKey() == null) return false; return true; }",
    );
    let table = linked
        .replace("LinkedHashMap", "Hashtable")
        .replace("put(null, 0)", "put(3, 0)")
        .replace("() == null", "() == 3");
    for (text, status) in [(linked, 1), (table, 1), (sorted("LinkedHashSet"), 1)] {
        assert_eq!(by("glassbox", &text, &[]).status, status, "{text}");
    }
    let map = client(
        "final Map<Integer, Integer> all = new TreeMap<>(); public void more(int k) { all.put(k, k); } public void less(int k) { all.remove(k); }
        @Declarative boolean repOk() { for (var e : all.entrySet()) if (!e.getKey().equals(e.getValue())) return false; return true; }",
    );
    ends(0, &map, &[]);
    // Sets in a map, one of them new; and a map that another class extends.
    let sets = client(
        "final Map<Integer, Set<Integer>> all = new TreeMap<>(); public void more(int k) { all.putIfAbsent(k, new TreeSet<>()); }
        @Declarative boolean repOk() { for (var e : all.entrySet()) { if (e.getValue() == null) return false;
            for (Integer v : e.getValue()) if (v == null) return false; } return true; }",
    );
    let extended = client(
        "static class Two extends TreeMap<Integer, Integer> { } final Two all = new Two();
        public void less(int k) { all.remove(k); assert all.size() >= 0; } @Declarative boolean repOk() { return true; }",
    );
    assert_eq!(by("glassbox", &sets, &[]).status, 0, "{sets}");
    assert_eq!(by("glassbox", &extended, &["--spec", "java.util.TreeMap"]).status, 0, "{extended}");
    let other = client(
        "@Range(\"0..1\") int x; public void no() {}
        @Declarative boolean repOk() { for (int v : Collections.singleton(1)) if (v < x) return false; return true; }",
    );
    for ran in ends(2, &other, &[]) {
        assert!(ran.stderr.contains("`for` over a `Set` like this one"), "{}", ran.stderr);
    }
}
