//! Random JSON Schemas: the types made of them are compared with a validator that shares nothing with the importer, on random data and on
//! random values of the type; what is imported reads back, and its types are well-formed.

#[path = "../../../dminor/tests/schema/random.rs"]
mod random;
#[path = "../../../dminor/tests/schema/validator.rs"]
mod validator;

use crate::{Disagreement, Found, Kind};
use dminor::generate::Generator;
use dminor::import::{Effect, json_schema};
use dminor::interp::{First, Interp, Options, Random};
use dminor::verify::{self, Verdict};
use drive::programs::{Method, answers};
use random::Maker;
use serde_json::{Value, json};
use source::FileId;
use std::sync::Arc;
use std::time::Duration;
use validator::Validator;
use work::Stop;

pub fn kind() -> Kind {
    Kind {
        name: "dminor-schema",
        about: "types of random JSON Schemas, a validator, values of the types, well-formedness",
        ci: 40,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    // The tests of the importer take the first seeds.
    let mut maker = Maker { random: Random::new(seed + 50_000), with_references: seed.is_multiple_of(3) };
    let mut schema = maker.schema(3);
    if let (0, Value::Object(keys)) = (seed % 3, &mut schema) {
        keys.insert("$defs".to_string(), json!({"p": maker.schema(2), "q": maker.schema(1)}));
    }
    work::on_large_stack(|| compare(&schema, &mut maker, seed))
}

fn disagreed(schema: &Value, one: (&str, String), other: (&str, String)) -> Found {
    let answers = [one, other].map(|(way, said)| (way.to_string(), said)).to_vec();
    Found::Disagreed(Box::new(Disagreement { input: format!("{schema:#}"), answers }))
}

fn compare(schema: &Value, maker: &mut Maker, seed: u64) -> Found {
    let imported = match json_schema(&schema.to_string(), FileId(0), "Root", "random.json") {
        Ok(imported) => imported,
        Err(problems) => return Found::Skipped(problems.first().map_or(String::new(), |d| d.message.clone())),
    };
    let Some(program) = dminor::load(&imported.text, FileId(0)).program.map(Arc::new) else {
        return disagreed(schema, ("import", imported.text), ("reader", "it does not read back".to_string()));
    };
    let Some(id) = program.type_called(&imported.root) else {
        return disagreed(schema, ("import", imported.text), ("reader", "the root is missing".to_string()));
    };
    let named = program.named(id);
    let is_all =
        |effect: Effect| imported.not_carried.iter().all(|n| n.effect == effect || n.effect == Effect::Nothing);
    // Through a reference, what is not carried may have another effect on the whole.
    let is_one_sided = !seed.is_multiple_of(3);
    let validator = Validator { root: schema, is_old: false };
    let mut generator = Generator::new(&program, seed);
    let (mut valid, mut exact) = (0, 0);
    for k in 0..24 {
        let data = match k % 3 {
            0 => maker.object(2),
            1 => maker.data(2),
            _ => match generator.value(&named.definition, &named.variables) {
                Some(value) => serde_json::from_str(&value.to_string()).unwrap_or_default(),
                None => continue,
            },
        };
        let Ok(value) = dminor::json::parse(&data.to_string(), FileId(0)) else { continue };
        let options = Options { fuel: Some(5_000_000), ..Options::default() };
        let found =
            Interp::new(&program, &options, &mut First).is_in(&value.value, &named.definition, &named.variables);
        let wanted = validator.valid(schema, &data);
        let told = |found: &str| {
            let said = format!("{data} is {}", if wanted { "valid" } else { "invalid" });
            disagreed(schema, ("validator", said), ("type", format!("{found}\n{}", imported.text)))
        };
        let Ok(found) = found else { return told("the test goes wrong") };
        let is_right = if is_all(Effect::Nothing) {
            exact += 1;
            wanted == found
        } else if is_one_sided && is_all(Effect::More) {
            !wanted || found
        } else if is_one_sided && is_all(Effect::Fewer) {
            wanted || !found
        } else {
            true
        };
        if !is_right {
            return told(if found { "it is in the type" } else { "it is not in the type" });
        }
        valid += usize::from(wanted);
    }
    if seed.is_multiple_of(4) {
        let Ok(solver) = smt::find(None, &Stop::default()) else {
            return Found::Skipped("there is no solver".to_string());
        };
        let options = verify::Options {
            reading: dminor::bemol::Reading::default(),
            lenient_types: false,
            solver,
            patience: Duration::from_secs(1),
            threads: 1,
            tries: 100,
            certifier: None,
            stop: Stop::default(),
        };
        if let Some(answer) = answers(&program, Method::Conditions, &options)
            .into_iter()
            .find(|a| matches!(a.verdict, Verdict::Violated(_)))
        {
            let said = format!("{:?}\n{}", answer.verdict, imported.text);
            return disagreed(schema, ("import", "types are well-formed".to_string()), ("verifier", said));
        }
    }
    match (exact, valid) {
        (0, _) => Found::Agreed("not all carried"),
        (_, 0) => Found::Agreed("nothing valid"),
        _ => Found::Agreed("exact"),
    }
}
