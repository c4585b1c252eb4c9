//! JSON Schema to types: the cases of `schema/*.json`, each also given to a validator that shares nothing with the importer, and the two
//! compared on random schemas and data.

#[path = "../schema/random.rs"]
mod random;
#[path = "../schema/validator.rs"]
mod validator;

use crate::corpus::{program, render, value};
use dminor::Program;
use dminor::import::{Effect, Imported, json_schema};
use dminor::interp::{First, Interp, Options, Random};
use random::Maker;
use serde_json::Value;
use source::{FileId, SourceMap};
use std::path::Path;
use validator::Validator;

fn import(schema: &str) -> Result<Imported, String> {
    let mut map = SourceMap::default();
    let file = map.add("test.json", schema);
    json_schema(schema, file, "Root", "test.json").map_err(|d| render(&map, &d))
}

fn is_in(program: &Program, root: &str, data: &Value) -> bool {
    let named = program.named(program.type_called(root).expect("the root"));
    let value = value(&data.to_string());
    let mut first = First;
    let options = Options { fuel: Some(5_000_000), ..Options::default() };
    let answer = Interp::new(program, &options, &mut first).is_in(&value, &named.definition, &named.variables);
    answer.unwrap_or_else(|stop| panic!("testing {data} stops: {}", stop.diagnostics()[0].message))
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::More => "more",
        Effect::Fewer => "fewer",
        Effect::Other => "other",
        Effect::Nothing => "nothing",
    }
}

fn files() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schema");
    let entries = std::fs::read_dir(&folder).expect("the cases").map(|e| e.expect("an entry").path());
    let mut paths: Vec<_> = entries.filter(|p| p.extension().is_some_and(|e| e == "json")).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().to_string();
        let text = std::fs::read_to_string(path).expect("UTF-8");
        (name, serde_json::from_str(&text).expect("JSON"))
    };
    paths.iter().map(read).collect()
}

/// Of a case: `valid` and `invalid` data, of which `also` (invalid, but in the type) and `lacks` (valid, but not in the type) are where
/// the type differs; `not_carried` says why. Or the `error` of the import. `direct: false` if the validator does not know a keyword.
#[test]
fn cases() {
    let (mut problems, mut count) = (Vec::new(), 0);
    work::on_large_stack(|| {
        for (file, groups) in files() {
            for case in groups.as_array().expect("cases") {
                let name = format!("{file}: {}", case["description"].as_str().expect("a description"));
                let schema = &case["schema"];
                let imported = match (import(&schema.to_string()), case["error"].as_str()) {
                    (Ok(imported), None) => imported,
                    (Err(told), Some(wanted)) if told.contains(wanted) => {
                        count += 1;
                        continue;
                    }
                    (Ok(_), Some(_)) => {
                        problems.push(format!("{name}: no error"));
                        continue;
                    }
                    (Err(told), _) => {
                        problems.push(format!("{name}: {told}"));
                        continue;
                    }
                };
                let told: Vec<Value> =
                    imported.not_carried.iter().map(|n| format!("{} {}", n.path, effect(n.effect)).into()).collect();
                let wanted = case["not_carried"].as_array().cloned().unwrap_or_default();
                if told != wanted {
                    problems.push(format!("{name}: not carried: {}", Value::Array(told)));
                }
                let program = program(&imported.text);
                let is_old = schema["$schema"].as_str().is_some_and(|s| s.contains("draft-07"));
                let validator = Validator { root: schema, is_old };
                for (key, is_valid, is_member) in
                    [("valid", true, true), ("invalid", false, false), ("also", false, true), ("lacks", true, false)]
                {
                    for data in case[key].as_array().into_iter().flatten() {
                        count += 1;
                        if is_in(&program, &imported.root, data) != is_member {
                            problems.push(format!("{name}: {key} {data} is not told so by\n{}", imported.text));
                        }
                        if case["direct"] != Value::Bool(false) && validator.valid(schema, data) != is_valid {
                            problems.push(format!("{name}: the validator does not find {data} {key}"));
                        }
                    }
                }
            }
        }
    });
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
    assert!(count >= 990, "{count} cases");
}

/// Exactly equal where everything is carried, and one-sided where all that is not carried says in which direction.
#[test]
fn random_schemas_mean_what_the_specification_says() {
    let (mut problems, mut exact, mut one_sided, mut valid) = (Vec::new(), 0, 0, 0);
    work::on_large_stack(|| {
        for seed in 0..3_000 {
            let with_references = seed % 3 == 0;
            let mut maker = Maker { random: Random::new(seed), with_references };
            let mut schema = maker.schema(3);
            if with_references && let Value::Object(keys) = &mut schema {
                let definitions = serde_json::json!({"p": maker.schema(2), "q": maker.schema(1)});
                keys.insert("$defs".to_string(), definitions);
            }
            let imported = match import(&schema.to_string()) {
                Ok(imported) => imported,
                // References at random lead in circles.
                Err(told) if told.contains("unguarded-reference") || told.contains("leads nowhere") => continue,
                Err(told) => {
                    problems.push(format!("{schema}\n{told}"));
                    continue;
                }
            };
            let program = program(&imported.text);
            let validator = Validator { root: &schema, is_old: false };
            let effects: Vec<Effect> = imported.not_carried.iter().map(|n| n.effect).collect();
            let is_all = |e: Effect| effects.iter().all(|f| *f == e || *f == Effect::Nothing);
            for k in 0..24 {
                let data = if k % 3 == 0 { maker.object(2) } else { maker.data(2) };
                let (wanted, found) = (validator.valid(&schema, &data), is_in(&program, &imported.root, &data));
                let is_right = if is_all(Effect::Nothing) {
                    exact += 1;
                    valid += usize::from(wanted);
                    wanted == found
                } else if with_references {
                    true
                } else if is_all(Effect::More) {
                    one_sided += 1;
                    !wanted || found
                } else if is_all(Effect::Fewer) {
                    one_sided += 1;
                    wanted || !found
                } else {
                    true
                };
                if !is_right {
                    problems
                        .push(format!("{schema}\non {data}: valid {wanted}, in the type {found}\n{}", imported.text));
                    break;
                }
            }
        }
    });
    let shown: Vec<&String> = problems.iter().take(5).collect();
    assert!(problems.is_empty(), "{} problems, of {exact} exact pairs\n{shown:#?}", problems.len());
    assert!(exact > 30_000 && one_sided > 3_000, "{exact} exact, {one_sided} one-sided");
    assert!(valid * 5 > exact && valid * 5 < exact * 4, "{valid} of {exact} are valid");
}

/// Data with fractions is not a value, and 1.0 is not written as an integer.
#[test]
fn data_with_fractions_is_not_read() {
    for text in ["1.5", "1.0", "[1e2]"] {
        assert!(dminor::json::parse(text, FileId(0)).is_err(), "{text}");
    }
}

fn union(k: usize) -> String {
    vec![format!(r##"{{"$ref": "#/$defs/d{k}"}}"##); 12].join(",")
}

/// Mangled schemas are reported, or imported; the import never fails otherwise, and what it prints reads back.
#[test]
fn no_schema_breaks_the_import() {
    let mut random = Random::new(5);
    let texts: Vec<String> = files().iter().map(|(_, groups)| groups.to_string()).collect();
    work::on_large_stack(|| {
        for (_, groups) in files() {
            for case in groups.as_array().into_iter().flatten() {
                let schema = case["schema"].to_string();
                for _ in 0..20 {
                    let mut bytes = schema.clone().into_bytes();
                    let other = texts[random.below(texts.len())].as_bytes();
                    let at = random.below(bytes.len());
                    let from = random.below(other.len() - 20);
                    let length = random.below(20);
                    let end = (at + random.below(20)).min(bytes.len());
                    bytes.splice(at..end, other[from..from + length].iter().copied());
                    if let Ok(text) = String::from_utf8(bytes) {
                        let _ = import(&text).map(|i| program(&i.text));
                    }
                }
            }
        }
    });
    let deep = format!("{}true{}", r#"{"items":"#.repeat(900), "}".repeat(900));
    program(&import(&deep).expect("deep").text);
    let deep = format!("{}true{}", r#"{"not":{"properties":{"a":"#.repeat(300), "}}}".repeat(300));
    program(&import(&deep).expect("deep").text);
    let wide: Vec<String> = (0..3_000).map(|n| format!(r#""f{n}": {{"type": "integer", "minimum": {n}}}"#)).collect();
    program(&import(&format!(r#"{{"properties": {{{}}}}}"#, wide.join(","))).expect("wide").text);
    let long: Vec<String> = (0..20_000).map(|n| n.to_string()).collect();
    let long = import(&format!(r#"{{"enum": [{}]}}"#, long.join(","))).expect("long");
    let known = program(&long.text);
    let answers = work::on_large_stack(|| [19_999, 20_000].map(|n| is_in(&known, &long.root, &n.into())));
    assert_eq!(answers, [true, false]);
    let fields: Vec<String> = (0..9_000).map(|n| format!("\"f{n}\"")).collect();
    program(&import(&format!(r#"{{"required": [{}]}}"#, fields.join(","))).expect("wide").text);
    // Unions of unions of unions: comparing the alternatives of `oneOf` must end.
    let all: Vec<String> = (0..8).map(|k| format!(r##""d{k}": {{"anyOf": [{}]}}"##, union(k + 1))).collect();
    let definitions =
        format!(r#"{{"$defs": {{{}, "d8": {{"type": "object"}}}}, "oneOf": [{}]}}"#, all.join(","), union(0));
    program(&import(&definitions).expect("unions").text);
    let nested = format!(r#"{{"const": {}1{}}}"#, "[".repeat(400), "]".repeat(400));
    let told = import(&nested).expect_err("too deep");
    assert!(told.contains("too-large-schema"), "{told}");
}

/// Types are named after titles and paths: names of the language, each once.
#[test]
fn names_of_types_are_valid_and_unique() {
    let titles =
        ["line-item", "line_item", "ORDER_ITEM", "text", "Integer", "type", "2nd", "größe", "", "_x", "Object"];
    let mut properties = serde_json::Map::new();
    for (k, title) in titles.iter().enumerate() {
        let part = serde_json::json!({ "type": "object", "title": title, "properties": { "k": { "const": k } } });
        properties.insert(format!("p{k:02}"), part);
    }
    properties.insert("q".into(), serde_json::json!({ "$ref": "#/properties/lines/items" }));
    properties.insert("r".into(), serde_json::json!({ "$ref": "#/anyOf/0" }));
    properties.insert("lines".into(), serde_json::json!({ "items": { "type": "integer" } }));
    let schema = serde_json::json!({ "properties": properties, "anyOf": [{ "minProperties": 1 }] });
    let imported = import(&schema.to_string()).expect("a schema");
    let program = program(&imported.text);
    let expected = [
        "LineItem",
        "LineItem2",
        "ORDER_ITEM",
        "TextType",
        "IntegerType",
        "Type",
        "T2nd",
        "GrE",
        "Schema",
        "X",
        "ObjectType",
        "LinesItem",
        "Part",
    ];
    for name in expected {
        assert!(program.type_called(name).is_some(), "{name} is not in\n{}", imported.text);
    }
}
