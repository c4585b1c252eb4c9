//! Clients of a map: as they are, and with its abstraction in its place (dissertation, 6.2). Every seeded bug is found both ways.

use crate::{items, object, of_bug, root, run};

/// Folder, class, the module's file, the module.
pub const CLIENTS: [[&str; 4]; 4] = [
    ["int-counter", "IntCounter", "map-tree/TreeMap.java", "TreeMap"],
    ["dual-cache", "DualCache", "map-tree/TreeMap.java", "TreeMap"],
    ["set-of-tree", "TreeSet", "map-tree/TreeMap.java", "TreeMap"],
    ["set-of-hash", "HashSet", "map-hash/HashMap.java", "HashMap"],
];

/// The client's operations: name, verdict, size, what is wrong.
fn told(file: &str, [_, class, module, _]: [&str; 4], arguments: &str) -> Vec<(String, String, i64, String)> {
    let ran = run(&format!("{file} examples/java/{module} --class {class} --json {arguments}"));
    let text = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_string();
    let of_client = items(&object(&ran)).into_iter().filter(|i| i["subject"] == class);
    let of_client = of_client.map(|i| {
        let problem = text(&i["failures"][0]["problems"][0]["id"]);
        (text(&i["name"]), text(&i["verdict"]), i["size"].as_i64().unwrap_or_default(), problem)
    });
    of_client.collect()
}

fn both_ways([.., module]: [&str; 4]) -> [String; 2] {
    [String::new(), format!("--replace {module}=AbsIntMap")]
}

#[test]
fn clients_are_verified() {
    for client in CLIENTS {
        let file = format!("examples/java/clients/{}/{}.java", client[0], client[1]);
        for replaced in both_ways(client) {
            for how in ["--size 1 --engine exhaustive", "--size 2 --engine glassbox --certify"] {
                let told = told(&file, client, &format!("{how} {replaced}"));
                assert!(
                    told.len() >= 4 && told.iter().all(|(_, verdict, ..)| verdict == "verified"),
                    "{file} {how}: {told:?}"
                );
            }
        }
    }
}

#[test]
fn bugs_of_clients_are_found_both_ways() {
    let mut count = 0;
    for client in CLIENTS {
        let folder = root().join("examples/java/clients").join(client[0]).join("bugs");
        for bug in std::fs::read_dir(folder).expect("bugs").flatten() {
            count += 1;
            let path = bug.path().join(format!("{}.java", client[1]));
            let (size, operation, kind) =
                (of_bug(&path, "Smallest size:"), of_bug(&path, "Operation:"), of_bug(&path, "Kind:"));
            let file = path.display().to_string();
            for replaced in both_ways(client) {
                let arguments = format!("--size 1..{size} --method {operation} --engine glassbox --certify {replaced}");
                let told = told(&file, client, &arguments);
                let violated: Vec<_> = told.iter().filter(|(_, verdict, ..)| verdict != "verified").collect();
                let is_it =
                    |t: &&(String, String, i64, String)| t.1 == "violated" && t.2.to_string() == size && t.3 == kind;
                assert!(matches!(&violated[..], [only] if is_it(only)), "{file} {replaced}: {told:?}");
            }
        }
    }
    assert!(count >= 16, "{count}");
}

/// `new Integer(…)` is as good as `valueOf` where nothing may tell; else it is refused, wherever the box went meanwhile.
#[test]
fn new_boxes() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-boxes");
    std::fs::create_dir_all(&folder).expect("a folder");
    let check = |name: &str, body: &str, expected: i32| {
        let path = folder.join(format!("{name}.java"));
        let text = format!(
            "import glassbox.*;\npublic class {name} {{ Object a, b; @Declarative boolean repOk() {{ return true; }}\n{body}\n\
             void setA(Object x) {{ a = x; }} void setB(Object x) {{ b = x; }} }}"
        );
        std::fs::write(&path, text).expect("a file");
        let ran = run(&format!("{} --size 1", path.display()));
        assert_eq!(ran.status, expected, "{name}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stderr.contains("`new` of a box class"), expected == 2, "{name}: {}", ran.stderr);
    };
    check("Equal", "public void f() { setA(new Integer(5)); setB(new Integer(5)); assert a.equals(b); }", 0);
    check("Sum", "public int f(@Range(\"0..3\") int x) { return new Integer(x) + 1; }", 0);
    check("Missed", "public void f() { setA(new Integer(5)); setB(new Integer(5)); assert a == b; }", 2);
    check("Twins", "public void f() { setA(new Integer(5)); setB(new Integer(5)); assert a != b; }", 2);
    check("Hash", "public int f() { Object x = new Integer(5); return System.identityHashCode(x); }", 2);
}
