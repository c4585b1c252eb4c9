//! The abstractions that come with the tool: modules that behave like them, faults in `equalTo`, mutants; and modules within modules.

use crate::{items, object, of_bug, root, run};
use std::path::{Path, PathBuf};

/// Modules that no example has.
const OWN: &str = "crates/cli/tests/ready-made";

fn file(name: &str, text: &str, folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ready-made").join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{name}.java"));
    std::fs::write(&path, text).expect("a file");
    path
}

fn built_in(name: &str) -> String {
    std::fs::read_to_string(root().join(format!("java/glassbox/{name}.java"))).expect("a ready-made abstraction")
}

/// The module with one place of its abstraction changed: the operations that are violated, by both engines where that is quick.
fn with_fault(abstraction: &str, module: &str, [from, to]: [&str; 2], smallest: i64) {
    let text = built_in(abstraction);
    assert!(text.contains(from), "{abstraction}: {from}");
    let path =
        file(abstraction, &text.replacen(from, to, 1), &to.chars().filter(|c| c.is_alphabetic()).collect::<String>());
    let class = Path::new(module).file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    // Lists of any objects have too many states even then.
    let is_small = ["AbsIntMap", "AbsIntSet", "AbsPriorityQueue"].contains(&abstraction);
    for n in 1..=smallest {
        for engine in ["glassbox", "exhaustive"].iter().take(if n == 1 && is_small { 2 } else { 1 }) {
            let ran = run(&format!("{module} {} --class {class} --size {n} --engine {engine} --json", path.display()));
            let violated: Vec<String> = items(&object(&ran))
                .iter()
                .filter(|i| i["verdict"] == "violated")
                .map(|i| i["failures"][0]["problems"][0]["id"].to_string())
                .collect();
            assert_eq!(!violated.is_empty(), n == smallest, "{abstraction}, {to}, {n}, {engine}: {}", ran.stdout);
            assert_eq!(ran.status, i32::from(n == smallest), "{}", ran.stdout);
        }
    }
}

#[test]
fn faults_of_equality() {
    let [chain_map, chain_set, chain_list, bag] =
        ["ChainMap", "ChainSet", "ChainList", "Bag"].map(|m| format!("{OWN}/{m}.java"));
    let [map, set, stack, queue, heap] = [
        "examples/java/map-tree/TreeMap.java",
        "examples/java/set-tree/TreeSet.java",
        "examples/java/stack-array/Stack.java",
        "examples/java/queue-array/Queue.java",
        "examples/java/heap-queue/PriorityQueue.java",
    ];
    for module in [map, set, stack, queue, heap, &chain_map, &chain_set, &chain_list, &bag] {
        let class = Path::new(module).file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        assert_eq!(run(&format!("{module} --class {class} --size 2 --quiet")).status, 0, "{module}");
    }
    with_fault("AbsIntMap", map, ["key == c.key && value == c.value", "key == c.key"], 1);
    with_fault("AbsIntMap", map, [" && areIn(m.first, first, null, this)", " && m != null"], 1);
    with_fault(
        "AbsIntSet",
        set,
        ["areIn(first, s.first, null, s) && areIn(s.first, first, null, this)", "count(first) == count(s.first)"],
        1,
    );
    with_fault("AbsIntSet", set, [" && areIn(s.first, first, null, this)", " && s != null"], 1);
    with_fault(
        "AbsMap",
        &chain_map,
        ["Objects.equals(key, c.key) && value == c.value", "Objects.equals(key, c.key)"],
        1,
    );
    with_fault(
        "AbsMap",
        &chain_map,
        [
            "!present || c.present && Objects.equals(key, c.key) && value",
            "!present || Objects.equals(key, c.key) && value",
        ],
        1,
    );
    with_fault(
        "AbsSet",
        &chain_set,
        ["areIn(first, s.first, null, s) && areIn(s.first, first, null, this)", "areIn(first, s.first, null, s)"],
        1,
    );
    with_fault(
        "AbsSet",
        &chain_set,
        ["(found != null || isIn(c, s.first))", "(at == null ? !c.present : c.isLike(at))"],
        1,
    );
    for (abstraction, module) in [("AbsList", chain_list.as_str()), ("AbsQueue", queue)] {
        with_fault(
            abstraction,
            module,
            ["if (c == null) return isAbsent(d);", "if (c == null || !c.present) return true;"],
            1,
        );
        with_fault(abstraction, module, ["(!c.present | c.element == d.element)", "(c.element == d.element)"], 1);
    }
    with_fault(
        "AbsStack",
        stack,
        ["c.present == d.present & (!c.present | c.element == d.element)", "c.present == d.present"],
        1,
    );
    with_fault(
        "AbsStack",
        stack,
        ["(!c.present | c.element == d.element)", "(!c.present | isAbsent(c.next) | c.element == d.element)"],
        1,
    );
    with_fault("AbsPriorityQueue", heap, [" && areAsOften(q.first, first, q.first, first)", " && q != null"], 1);
    with_fault(
        "AbsPriorityQueue",
        heap,
        ["count(list, c.element) == count(other, c.element)", "count(other, c.element) > 0"],
        2,
    );
    with_fault(
        "AbstractionList",
        &bag,
        [
            "areAsOften(first, list.first, first, list.first) && areAsOften(list.first, first, list.first, first)",
            "count(first) == count(list.first)",
        ],
        1,
    );
    with_fault("AbstractionList", &bag, ["count(list, p.data) == count(other, p.data)", "count(other, p.data) > 0"], 2);
}

/// Every state is run, one after the other: modules, their bugs that show at size 1, the abstractions by themselves.
#[test]
fn the_exhaustive_engine_agrees() {
    for example in ["map-tree", "map-hash", "set-tree", "set-hash", "stack-array", "queue-array", "heap-queue"] {
        let folder = root().join("examples/java").join(example);
        let files = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
            entries.filter(|p| p.extension().is_some_and(|e| e == "java")).collect()
        };
        let bugs = std::fs::read_dir(folder.join("bugs")).into_iter().flatten().flatten();
        let mut bugs: Vec<PathBuf> = bugs.flat_map(|b| files(&b.path())).collect();
        bugs.sort();
        // Every second bug: the tests of `search` compare the engines on all of them.
        for path in files(&folder).into_iter().chain(bugs.into_iter().step_by(2)) {
            let told = |engine: &str| {
                let ran = run(&format!("{} --size 1 --engine {engine} --json", path.display()));
                let of = |i: &serde_json::Value| format!("{} {} {}", i["subject"], i["name"], i["verdict"]);
                items(&object(&ran)).iter().map(of).collect::<Vec<String>>()
            };
            let found = told("exhaustive");
            assert!(found.len() > 6, "{}", path.display());
            assert_eq!(found, told("glassbox"), "{}", path.display());
        }
    }
}

/// Operators that stand for each other, one place at a time.
const SWAPS: [[&str; 2]; 8] = [
    [" && ", " || "],
    [" || ", " && "],
    [" == ", " != "],
    [" & ", " | "],
    ["true", "false"],
    ["(first", "(null"],
    [".next)", ")"],
    ["!c.present", "c.present"],
];

/// What stays verified though it is changed: the line, and why nothing is wrong with that.
const HARMLESS: [(&str, &str); 8] = [
    (
        "return has(first, x); [(first -> (null]",
        "what a query means is for its clients to say: the same on all equal sets",
    ),
    ("return allElements(first, p); [(first -> (null]", "the same"),
    (
        "return c == null || (!c.present || p.test(c.element)) && allElements(c.next, p); [&& -> ||]",
        "true of every set, so the same on equal ones",
    ),
    ("Cell next = isNew || at == null ? at : at.next; [|| -> &&]", "it says which cell is looked at first"),
    ("Cell next = isNew || at == null ? at : at.next; [== -> !=]", "the same"),
    (
        "return list == null ? !c.present : c.isLike(list) || isIn(c, list.next); [|| -> &&]",
        "asked where no cell of the list is surely like c: on a single state, where none is",
    ),
    ("return list == null ? !c.present : c.isLike(list) || isIn(c, list.next); [== -> !=]", "the same"),
    ("return list == null ? !c.present : c.isLike(list) || isIn(c, list.next); [.next) -> )]", "the same"),
];

#[test]
fn mutants_of_a_set() {
    let text = built_in("AbsIntSet");
    let (mut tried, mut killed, mut alive) = (0, 0, Vec::new());
    let mut is_comment = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        is_comment = is_comment && !line.contains("*/") || line.contains("/**") && !line.contains("*/");
        if is_comment || line.trim_start().starts_with(['/', '*', '@']) {
            continue;
        }
        for [from, to] in SWAPS {
            for (place, _) in line.match_indices(from) {
                let place = start + place;
                // Every other one.
                tried += 1;
                if tried % 2 == 0 {
                    continue;
                }
                let mutant = format!("{}{to}{}", &text[..place], &text[place + from.len()..]);
                let path = file("AbsIntSet", &mutant, &format!("mutant-{place}"));
                let module = "examples/java/clients/set-of-tree/TreeSet.java examples/java/map-tree/TreeMap.java";
                let ran = run(&format!(
                    "{module} {} --class TreeSet --size 2 --quiet --timeout 10 --engine glassbox",
                    path.display()
                ));
                match ran.status {
                    0 => alive.push(format!("{} [{} -> {}]", line.trim(), from.trim(), to.trim())),
                    _ => killed += 1,
                }
            }
        }
    }
    let unexplained: Vec<&String> =
        alive.iter().filter(|a| !HARMLESS.iter().any(|(line, _)| a.as_str() == *line)).collect();
    assert!(unexplained.is_empty(), "{killed} killed; {unexplained:#?}");
    assert!(killed > 15, "{killed}");
}

/// Two sets that are built on maps, and a map; a map in a field of an interface type, and in one of its own class.
#[test]
fn modules_within_modules() {
    let maps = "examples/java/map-tree/TreeMap.java examples/java/map-hash/HashMap.java";
    let nested = "crates/cli/tests/nested";
    let roster = format!("{nested}/roster/TreeSet.java {maps}");
    let ledger = format!("{nested}/ledger/IntMap.java {nested}/ledger/ListMap.java");
    let cases: [(&str, &str, &str, &[&str]); 2] = [
        (
            "roster",
            "Roster",
            &roster,
            &[
                "",
                "--replace TreeSet=AbsIntSet",
                "--replace TreeSet=AbsIntSet --replace HashMap=AbsIntMap",
                "--replace TreeMap=AbsIntMap --replace HashMap=AbsIntMap",
            ],
        ),
        ("ledger", "Ledger", &ledger, &["", "--replace ListMap=AbsIntMap"]),
    ];
    for (folder, class, others, ways) in cases {
        for way in ways {
            let check = |file: &str, n: i64| {
                let ran = run(&format!("{nested}/{folder}/{file} {others} --class {class} --size {n} {way} --json"));
                let violated = items(&object(&ran)).into_iter().filter(|i| i["verdict"] == "violated");
                let names = violated
                    .map(|i| i["name"].as_str().unwrap_or_default().split('(').next().unwrap_or_default().to_string());
                (ran.status, names.collect::<Vec<String>>())
            };
            assert_eq!(check(&format!("{class}.java"), 2), (0, Vec::new()), "{folder} {way}");
            let bugs = std::fs::read_dir(root().join(nested).join(folder).join("bugs")).expect("bugs");
            for bug in bugs.flatten() {
                let name = format!("bugs/{}/{class}.java", bug.file_name().to_string_lossy());
                let after = |key: &str| of_bug(&bug.path().join(format!("{class}.java")), key);
                let smallest: i64 = after("Smallest size:").parse().expect("a size");
                for n in 1..smallest {
                    assert_eq!(check(&name, n), (0, Vec::new()), "{name} {way}");
                }
                assert_eq!(check(&name, smallest), (1, vec![after("Operation:")]), "{name} {way}");
            }
        }
    }
}

/// Each thing once, by the names that the user gave.
#[test]
fn what_is_left_out_of_a_bag() {
    let ran = run(&format!("{OWN}/Bag.java --size 2"));
    let told: Vec<&str> = ran.stdout.lines().filter(|l| l.starts_with("left out:")).collect();
    let of = |what: &str| format!("left out: {what} is never a `AbstractionList.Element`, which the code asks for");
    assert_eq!(told, ["`element`", "`x` of `add`", "`x` of `remove`", "`data`"].map(of));
}

/// No start state has objects of library classes. The report says so, however the code asks for them.
#[test]
fn library_classes_that_the_code_asks_for() {
    for asks in ["o instanceof BitSet", "o != null && o.getClass() == BitSet.class", "BitSet.class.isInstance(o)"] {
        let text = format!(
            "import java.util.*; public class Asks {{ @Check boolean f(Object o) {{ return {asks}; }}
            @Post @Declarative boolean never(Asks before, Object o, boolean result) {{ return !result; }} @Declarative boolean repOk() {{ return true; }} }}"
        );
        let ran = run(&format!("{} --size 2", crate::java_file("Asks", &text)));
        let told = "left out: `o` of `f` is never a `BitSet`, which the code asks for";
        assert!(ran.status == 0 && ran.stdout.lines().any(|l| l == told), "{asks}: {}{}", ran.stdout, ran.stderr);
    }
}

const TREE: &str = "import glassbox.AbstractionList.*;
public class Sorted {
    static class N implements TreeSource<Key> {
        @Range(\"0..n\") int key;
        @Tree N left, right;
        @Declarative public TreeSource<Key> left() { return left; }
        @Declarative public TreeSource<Key> right() { return right; }
        @Declarative public Key abstraction() { return new Key(key); }
        @Declarative boolean isBetween(int lo, int hi) {
            return lo < key && key < hi && (left == null || left.isBetween(lo, key)) && (right == null || right.isBetween(key, hi));
        }
    }
    @Tree N root;
    @Declarative boolean repOk() { return root == null || root.isBetween(-1, GlassBox.size() + 1); }
    public boolean has(@Range(\"0..n\") int k) {
        int depth = 0;
        N n = root;
        while (n != null && n.key != k) { n = k < n.key ? n.left : n.right; depth++; }
        return n != null && depth < 99;
    }
    @Declarative @Abstraction Keys abstraction() { return new Keys(AbstractionList.ofTree(root)); }
}
class Key implements Element {
    @Range(\"0..n\") int key;
    @Declarative Key(int key) { this.key = key; }
    @Declarative public boolean equalTo(Object o) { return o instanceof Key && ((Key) o).key == key; }
}
class Keys {
    @Tree @NonNull AbstractionList<Key> list;
    @Declarative Keys(AbstractionList<Key> list) { this.list = list; }
    boolean has(int k) {
        for (Node<Key> p = list.first(); p != null; p = p.after()) { if (p.isPresent() && p.data() != null && p.data().key == k) return true; }
        return false;
    }
    @Declarative boolean equalTo(Keys k) { return list.equalTo(k.list); }
}";

/// With `--shape any` a tree is deeper than a complete one: what is at the bottom is part of its abstraction.
#[test]
fn a_list_of_any_tree() {
    let verdict = |text: &str| {
        let file = crate::java_file("Sorted", text);
        let ran = run(&format!("{file} --size 5 --shape any --class Sorted --method has --json"));
        let report = object(&ran);
        let of_class = items(&report).into_iter().find(|i| i["subject"] == "Sorted").unwrap_or_default();
        of_class["verdict"].as_str().unwrap_or("none").to_string()
    };
    assert_eq!(verdict(TREE), "verified");
    assert_eq!(verdict(&TREE.replace("depth < 99", "depth < 4")), "violated");
}

/// What `@Padded` says: every list is equal to one of the greatest length. A fault in the padding is noticed.
#[test]
fn a_shorter_list_is_equal_to_a_longer_one() {
    for (abstraction, fields, none) in [
        ("AbsIntMap", "c.key, c.value", "0, null"),
        ("AbsMap", "c.key, c.value", "null, null"),
        ("AbsIntSet", "c.element", "0"),
        ("AbsSet", "c.element", "null"),
    ] {
        for (is_present, expected) in [("false", 0), ("true", 1)] {
            let text = format!(
                "package glassbox;
                public class Pads {{
                    @Tree @NonNull {abstraction} a = new {abstraction}();
                    @Declarative boolean repOk() {{ return a.repOk(); }}
                    @Check public void pad() {{ assert a.equalTo(new {abstraction}(pad(a.first, GlassBox.size()))); }}
                    @Declarative static {abstraction}.Cell pad({abstraction}.Cell c, int places) {{
                        return places == 0 ? c
                            : c == null ? new {abstraction}.Cell({is_present}, {none}, pad(null, places - 1))
                            : new {abstraction}.Cell(c.present, {fields}, pad(c.next, places - 1));
                    }}
                }}"
            );
            let path = file("Pads", &text, abstraction);
            let ran = run(&format!("{} --size 4 --engine glassbox", path.display()));
            assert_eq!(ran.status, expected, "{abstraction} {is_present}: {}{}", ran.stdout, ran.stderr);
        }
    }
    let own = "import glassbox.*; public class Own { static class C { @Tree C next; } @Tree @Padded C first; public void f() {}
        @Declarative boolean repOk() { return true; } }";
    let ran = run(&format!("{} --size 1", file("Own", own, "own").display()));
    assert!(ran.status == 2 && ran.stderr.contains("`@Padded` is not known"), "{}", ran.stderr);
}

const LINE: &str = "import glassbox.*;
public class Line<T> {
    static class Link<T> { T it; @Tree Link<T> next; Link(T it, Link<T> next) { this.it = it; this.next = next; } }
    @Tree Link<T> top;
    public void push(T x) { top = new Link<>(x, top); }
    public T pop() throws java.util.NoSuchElementException {
        if (top == null) throw new java.util.NoSuchElementException();
        T x = top.it;
        top = top.next;
        return x;
    }
    public boolean isEmpty() { return top == null; }
    public int size() { int n = 0; for (Link<T> l = top; l != null; l = l.next) n++; return n; }
    public boolean has(Object x) { for (Link<T> l = top; l != null; l = l.next) if (l.it == x) return true; return false; }
    @Declarative boolean repOk() { return true; }
    @Declarative @Abstraction public AbsStack abstraction() { return new AbsStack(cells(top)); }
    @Declarative static AbsStack.Cell cells(Link<?> l) { return l == null ? null : new AbsStack.Cell(true, l.it, cells(l.next)); }
}
";

const DESK: &str = "import glassbox.*;
public class Desk {
    static class Job { boolean isUrgent; }
    @NonNull final Line<Job> jobs = new Line<>();
    @Range(\"0..n\") int count;
    public void take(@NonNull Job j) { jobs.push(j); count++; }
    public boolean next() {
        if (jobs.isEmpty()) return false;
        Job j = jobs.pop();
        count--;
        return j.isUrgent;
    }
    public int waiting() { return jobs.size(); }
    @Post(\"waiting\") @Declarative boolean isCount(Desk before, int result) { return result == count; }
    @Declarative boolean repOk() {
        return jobs.repOk() && count == jobs.abstraction().size() && jobs.abstraction().allElements(j -> j != null);
    }
}
";

/// A generic module is replaced with its type arguments; both ways a fault of the client is found, and shown where the client says what broke.
#[test]
fn clients_of_generic_modules() {
    let module = file("Line", LINE, "generic");
    let told = |fault: [&str; 2], arguments: &str| {
        assert!(DESK.contains(fault[0]), "{fault:?}");
        let client = file("Desk", &DESK.replacen(fault[0], fault[1], 1), "generic");
        let ran = run(&format!("{} {} --class Desk --size 2 {arguments}", client.display(), module.display()));
        let shown = ran.stdout.contains("<built in>");
        assert!(!shown || ran.stdout.contains("is thrown here"), "{}", ran.stdout);
        ran.status
    };
    let faults = [
        ["jobs.push(j); count++;", "jobs.push(j); if (j.isUrgent) count++;"],
        ["jobs.push(j); count++;", "jobs.push(count == 1 ? null : j); count++;"],
        ["if (jobs.isEmpty()) return false;", ""],
        ["count--;", "if (!j.isUrgent) count--;"],
        ["return jobs.size();", "return jobs.isEmpty() ? 0 : 1;"],
    ];
    for arguments in ["--engine glassbox", "--engine exhaustive"] {
        for replaced in ["", "--replace Line=AbsStack"] {
            let arguments = format!("{arguments} {replaced}");
            assert_eq!(told(["", ""], &arguments), 0, "{arguments}");
            for fault in faults {
                assert_eq!(told(fault, &arguments), 1, "{fault:?} {arguments}");
            }
        }
    }
    let asked = ["if (jobs.isEmpty()) return false;", "if (!jobs.has(null)) return false;"];
    assert_eq!(told(asked, "--replace Line=AbsStack"), 2);
}

/// What a client looks for in its module may be there, also where elements are any objects.
#[test]
fn a_client_finds_its_own_objects() {
    let set = "import glassbox.*;
public class Club {
    static class Member { }
    @NonNull final AbsSet<Member> members = new AbsSet<>();
    @NonNull final AbsMap<Member, Integer> ages = new AbsMap<>();
    public void join(@NonNull Member m) { boolean isNew = members.add(m); assert isNew; }
    public void leave(@NonNull Member m) { members.remove(m); ages.remove(m); assert !members.contains(m); }
    public void expel(@NonNull Member m) { members.remove(m); }
    @Declarative boolean repOk() {
        return members.repOk() && ages.repOk() && members.allElements(m -> m != null)
            && ages.allEntries((m, age) -> members.has(m) && age != null && age >= 0);
    }
}
";
    let path = file("Club", set, "club");
    for engine in ["glassbox", "exhaustive"] {
        let ran = run(&format!("{} --class Club --size 1 --engine {engine} --json", path.display()));
        let report = object(&ran);
        let violated = items(&report).into_iter().filter(|i| i["verdict"] == "violated").map(|i| i["name"].to_string());
        assert_eq!(
            violated.collect::<Vec<_>>().join(", "),
            "\"join(Club.Member)\", \"expel(Club.Member)\"",
            "{engine}"
        );
    }
}
