//! Counterexamples on a JVM: the state is made there, the operation runs on the object and on its abstraction, and what is wrong must be
//! what the command said (`scripts/ReplayEach.java`). So do clients with a module replaced, operations in both orders, and blocks.

use crate::{items, object, of_bug, root, run};
use serde_json::Value;
use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Counterexamples to run.
#[derive(Default)]
pub struct Cases {
    text: String,
    /// What the JVM must say of each, and what it is.
    expected: Vec<(String, String)>,
    /// Tests run beside each other.
    folder: &'static str,
}

impl Cases {
    pub fn in_folder(folder: &'static str) -> Cases {
        Cases { folder, ..Cases::default() }
    }

    /// A violated item of a class in these folders. False if it is not of a kind that a JVM can show.
    pub fn add(&mut self, folders: &str, class: &str, item: &Value) -> bool {
        self.add_replaced(folders, class, item, "")
    }

    /// The same where an abstraction has the place of a module: `TreeMap=AbsIntMap`.
    pub fn add_replaced(&mut self, folders: &str, class: &str, item: &Value, replaced: &str) -> bool {
        if let Some((operation, all)) = choices(item) {
            // Every choice is cut off, from the same state.
            for choice in all {
                let mut one = item.clone();
                let failure = &mut one["failures"][0];
                failure["problems"][0]["id"] = "cut-off".into();
                failure["example"]["call"] = format!("{operation}({choice})").into();
                self.add_replaced(folders, class, &one, replaced);
            }
            return true;
        }
        let failure = &item["failures"][0];
        let problem = &failure["problems"][0];
        let is_about_trees = problem["message"].as_str().is_some_and(|m| m.contains("tree"));
        let expected = match problem["id"].as_str() {
            Some(kind @ ("abstraction" | "order" | "postcondition")) => kind,
            Some(kind @ "invariant") if !is_about_trees => kind,
            Some("preservation") if !is_about_trees => "invariant",
            Some("progress") => "StuckException",
            Some("cut-off") => "AssumptionViolated",
            Some("assertion") => "AssertionError",
            Some("exception") => problem["message"].as_str().and_then(|m| m.split(' ').next()).unwrap_or_default(),
            _ => return false,
        };
        let example = &failure["example"];
        let Some(calls) = example["call"].as_str().and_then(calls) else { return false };
        let number = self.expected.len();
        let text = |v: &Value| v.as_str().unwrap_or("null").to_string();
        let replaced = if replaced.is_empty() { String::new() } else { format!("\t{replaced}") };
        let mut out = format!("case\t{number}\t{folders}{replaced}\nsize\t{}\n", item["size"]);
        let all = example["before"].as_array().cloned().unwrap_or_default();
        // Two objects in an order are those of an object that was made for that.
        let is_order = expected == "order";
        let objects = all.iter().filter(|o| !is_order || o["name"] != "this");
        for object in objects.clone() {
            let (name, class) = (text(&object["name"]), text(&object["class"]));
            let _ = match object["is_array"].as_bool() {
                Some(true) => {
                    writeln!(out, "array\t{name}\t{class}\t{}", object["fields"].as_array().map_or(0, Vec::len))
                }
                _ => writeln!(out, "object\t{name}\t{class}"),
            };
        }
        for object in objects {
            for field in object["fields"].as_array().into_iter().flatten() {
                let (name, value) = (text(&field["name"]), text(&field["value"]));
                let _ = writeln!(out, "field\t{}\t{name}\t{value}", text(&object["name"]));
            }
        }
        if expected == "postcondition" {
            let name = problem["message"].as_str().and_then(|m| m.split('`').nth(1)).unwrap_or_default();
            let _ = writeln!(out, "post\t{name}");
        }
        let operation = calls[0][0].clone();
        let calls: Vec<String> = calls.iter().map(|call| call.join("\t")).collect();
        if is_order {
            let field = |name: &str| {
                let both = all.iter().find(|o| o["name"] == "this")?["fields"].as_array()?.iter();
                both.clone().find(|f| f["name"] == name).map(|f| text(&f["value"]))
            };
            let (Some(a), Some(b)) = (field("a"), field("b")) else { return false };
            let class = class.split(',').next().unwrap_or_default();
            let _ = writeln!(out, "orders\t{class}\t{a}\t{b}\t{}", calls.join("\t|\t"));
        } else {
            let _ = writeln!(out, "call\t{class}\t{}", calls[0]);
        }
        self.text += &out;
        self.expected.push((expected.to_string(), format!("{folders} {class}.{operation}")));
        true
    }

    /// What the JVM says otherwise. The reason, if there is none here.
    pub fn run(&self) -> Result<Vec<String>, String> {
        let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replayed").join(self.folder);
        let mut child = Command::new("java")
            .args(["-Dfile.encoding=UTF-8", "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"])
            .arg("scripts/ReplayEach.java")
            .args([classes.as_os_str(), "java/glassbox".as_ref()])
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("no JVM: {e}"))?;
        let mut stdin = child.stdin.take().ok_or("no input")?;
        let text = self.text.clone();
        let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        let _ = writer.join();
        let told = String::from_utf8_lossy(&output.stdout).to_string();
        let mut wrong: Vec<String> = Vec::new();
        // What the module itself does is the same, where it could be made.
        for line in told.lines().filter_map(|l| l.strip_prefix("original\t")) {
            let (number, said) = line.split_once('\t').unwrap_or_default();
            let expected = number.parse().ok().and_then(|n: usize| self.expected.get(n));
            if expected.is_none_or(|(expected, _)| said != expected && said != "cannot be made") {
                wrong.push(format!("{expected:?}, but with the module itself {said}"));
            }
        }
        for (number, (expected, what)) in self.expected.iter().enumerate() {
            let line = told.lines().find_map(|l| l.strip_prefix(&format!("{number}\t")));
            if line != Some(expected) {
                wrong.push(format!("{what}: {expected}, but the JVM says {line:?}"));
            }
        }
        if !wrong.is_empty() {
            wrong.push(String::from_utf8_lossy(&output.stderr).chars().take(3000).collect());
        }
        Ok(wrong)
    }
}

/// `put(1, o2)`, `new Bag()`, `put(1, o2) and remove(1)`, or `halve: low=1 high=0` of a block: each with its arguments.
fn calls(text: &str) -> Option<Vec<Vec<String>>> {
    let split = |arguments: &str| -> Vec<String> {
        arguments.split(", ").filter(|a| !a.is_empty()).map(str::to_string).collect()
    };
    if let Some((label, values)) = text.split_once(": ") {
        let values = values.split(' ').filter_map(|v| Some(v.split_once('=')?.1.to_string()));
        return Some(vec![std::iter::once(format!("{label}$block")).chain(values).collect()]);
    }
    let call = |text: &str| {
        let (operation, arguments) = text.strip_suffix(')')?.split_once('(')?;
        let operation = operation.strip_prefix("new ").unwrap_or(operation).to_string();
        Some(std::iter::once(operation).chain(split(arguments)).collect())
    };
    text.strip_suffix(" on both").unwrap_or(text).split(" and ").map(call).collect()
}

/// `smallStep(0..1)`: a call for each choice.
fn choices(item: &Value) -> Option<(String, std::ops::RangeInclusive<i64>)> {
    let (operation, arguments) = item["failures"][0]["example"]["call"].as_str()?.strip_suffix(')')?.split_once('(')?;
    let (first, last) = arguments.split_once("..")?;
    Some((operation.to_string(), first.parse().ok()?..=last.parse().ok()?))
}

pub fn expect_all(cases: &Cases, least: usize) {
    assert!(cases.expected.len() >= least, "{} counterexamples for a JVM", cases.expected.len());
    match cases.run() {
        Ok(wrong) => assert!(wrong.is_empty(), "{}", wrong.join("\n")),
        // CI has one.
        Err(why) if std::env::var_os("CI").is_none() => eprintln!("skipped: {why}"),
        Err(why) => panic!("{why}"),
    }
}

/// A class alone in its folder, all of which is compiled: the folder, and the file.
fn source(kind: &str, number: usize, name: &str, text: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("replayed-{kind}-{number}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.java"));
    std::fs::write(&file, format!("import glassbox.*;\n{text}")).expect("a file");
    (folder.display().to_string(), file.display().to_string())
}

/// The first that is violated.
fn violated(arguments: &str, is_it: impl Fn(&Value) -> bool) -> Option<Value> {
    let report = object(&run(&format!("{arguments} --json")));
    items(&report).into_iter().find(|i| i["verdict"] == "violated" && is_it(i))
}

/// The abstraction in the place of the module, and then the module itself.
#[test]
fn clients_with_a_module_replaced() {
    let mut cases = Cases::in_folder("clients");
    for [folder, class, module, name] in crate::clients::CLIENTS {
        let bugs = root().join("examples/java/clients").join(folder).join("bugs");
        for bug in std::fs::read_dir(bugs).expect("bugs").flatten() {
            let path = bug.path().join(format!("{class}.java"));
            let (size, operation) = (of_bug(&path, "Smallest size:"), of_bug(&path, "Operation:"));
            let replaced = format!("{name}=AbsIntMap");
            let arguments = format!(
                "{} examples/java/{module} --class {class} --method {operation} --size {size} --replace {replaced}",
                path.display()
            );
            let item = violated(&arguments, |i| i["subject"] == class).expect("a bug");
            let module = module.split('/').next().unwrap_or_default();
            let folders = format!("{}+examples/java/{module}", bug.path().display());
            assert!(cases.add_replaced(&folders, class, &item, &replaced), "{arguments}: {item:#}");
        }
    }
    expect_all(&cases, 16);
}

/// A set whose objects do not change: sorted, and compared with one that is not.
const LASTING: &str = "public final class Lasting {
    static final class Node { final int key; final @Tree Node next; Node(int key, Node next) { this.key = key; this.next = next; } }
    final @Tree Node first;
    public Lasting() { this(null); }
    private Lasting(Node first) { this.first = first; }
    @Declarative boolean repOk() { return isSorted(first); }
    @Declarative static boolean isSorted(Node n) { return n == null || n.next == null || n.key < n.next.key && isSorted(n.next); }
    public boolean has(int k) { Node n = first; while (n != null && n.key < k) n = n.next; return n != null && n.key == k; }
    public Lasting with(int k) { return has(k) ? this : new Lasting(insert(first, k)); }
    private static Node insert(Node n, int k) {
        return n == null || k < n.key ? new Node(k, n) : new Node(n.key, insert(n.next, k)); }
    public Lasting without(int k) { return has(k) ? new Lasting(delete(first, k)) : this; }
    private static Node delete(Node n, int k) { return n.key == k ? n.next : new Node(n.key, delete(n.next, k)); }
    @Declarative @Abstraction Elements abstraction() { return new Elements(cells(first)); }
    @Declarative static Elements.Cell cells(Node n) { return n == null ? null : new Elements.Cell(n.key, cells(n.next)); }
}
class Elements {
    static final class Cell { final int k; final @Tree Cell next; @Declarative Cell(int k, Cell next) { this.k = k; this.next = next; } }
    final @Tree Cell first;
    @Declarative Elements() { this(null); }
    @Declarative Elements(Cell first) { this.first = first; }
    @Declarative static boolean in(Cell c, int k) { return c != null && (c.k == k || in(c.next, k)); }
    boolean has(int k) { return in(first, k); }
    Elements with(int k) { return in(first, k) ? this : new Elements(new Cell(k, first)); }
    Elements without(int k) { return new Elements(filter(first, k)); }
    static Cell filter(Cell c, int k) { return c == null ? null : c.k == k ? filter(c.next, k) : new Cell(c.k, filter(c.next, k)); }
    @Declarative boolean equalTo(Elements o) { return within(first, o.first) && within(o.first, first); }
    @Declarative static boolean within(Cell a, Cell b) { return a == null || in(b, a.k) && within(a.next, b); }
}";

/// What an operation returns is as valid as what a constructor makes, and has the abstraction that the other returns.
#[test]
fn results_of_the_class() {
    let (_, file) = source("results", 0, "Lasting", LASTING);
    let report = object(&run(&format!("{file} --class Lasting --size 3 --json")));
    assert_eq!(report["conclusions"][0], "Lasting behaves like Elements on every sequence of calls, up to size 3");
    let mut cases = Cases::in_folder("results");
    for (from, to, kind) in [
        ("n == null || k < n.key ? new Node(k, n)", "n == null ? new Node(k, n)", "invariant"),
        ("k < n.key ? new Node(k, n)", "k <= n.key + 1 ? new Node(k, n)", "invariant"),
        ("n.key == k ? n.next", "n.key == k ? null", "abstraction"),
        ("new Node(n.key, delete(n.next, k))", "delete(n.next, k)", "abstraction"),
    ] {
        let text = LASTING.replacen(from, to, 1);
        assert_ne!(text, LASTING, "{from}");
        let (folder, file) = source("results", 1 + cases.expected.len(), "Lasting", &text);
        for engine in ["glassbox", "exhaustive"] {
            let found = violated(&format!("{file} --class Lasting --size 2 --engine {engine}"), |_| true);
            let item = found.unwrap_or_else(|| panic!("{to} by {engine}"));
            assert_eq!(item["failures"][0]["problems"][0]["id"], kind, "{item:#}");
            if engine == "glassbox" && kind == "invariant" {
                assert!(cases.add(&folder, "Lasting", &item), "{item:#}");
            }
        }
    }
    expect_all(&cases, 2);
}

#[test]
fn both_orders() {
    let mut cases = Cases::in_folder("orders");
    for (name, text, arguments) in crate::orders::violated_orders() {
        let (folder, file) = source("orders", cases.expected.len(), name, &text);
        let item = violated(&format!("{file} {arguments}"), |i| i["failures"][0]["problems"][0]["id"] == "order");
        let item = item.unwrap_or_else(|| panic!("{name} {arguments}"));
        let class = item["subject"].as_str().unwrap_or_default().to_string();
        assert!(cases.add(&folder, &class, &item), "{item:#}");
    }
    expect_all(&cases, 6);
}

/// A block becomes a method: `declared` are the variables around it that it names, in their order.
#[test]
fn blocks() {
    let mut cases = Cases::in_folder("blocks");
    for (name, text, label, declared) in crate::orders::violated_blocks() {
        let (folder, file) = source("blocks", cases.expected.len(), name, &text);
        let item = violated(&format!("{file} --size 3 --block {label}"), |_| true);
        let item = item.unwrap_or_else(|| panic!("{name} {label}"));
        let written = std::fs::read_to_string(&file).expect("the class");
        let made = format!("{declared} {{ {} return 0; }}", block(&written, label));
        let end = written.rfind('}').unwrap_or_default();
        std::fs::write(&file, format!("{}{made} }}", &written[..end])).expect("a file");
        assert!(cases.add(&folder, name, &item), "{item:#}");
    }
    expect_all(&cases, 4);
}

/// `halve: { … }` of a source.
fn block<'t>(text: &'t str, label: &str) -> &'t str {
    let start = text.find(&format!("{label}: {{")).expect("the block");
    let mut depth = 0;
    for (at, c) in text[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return &text[start..=start + at],
            '}' => depth -= 1,
            _ => {}
        }
    }
    panic!("{label}")
}
