//! JSON Schema (2020-12 and draft-07) to Dminor types: `schema` reads the document, `translate` makes types of it, with `sorts` and `objects`
//! for the keywords about one sort of values, `disjoint` for `oneOf`, `build` for syntax trees and `names`.
//!
//! What comes out is the text of a module that reads back. On values, which are JSON without fractions and without order in arrays, a
//! type is exactly its schema, but for the keywords that are told not to be carried ([`NotCarried`]).

mod build;
mod disjoint;
mod names;
mod objects;
mod schema;
mod sorts;
mod translate;

use crate::json;
use crate::syntax::ast::{Differs, Note, Type};
use crate::syntax::{laid_out, note};
use schema::Document;
use source::{Diagnostic, FileId};
use std::fmt::Write;
use translate::Translator;

pub use translate::{Effect, NotCarried};

/// A module of types.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The module, with a comment for each keyword that is not carried.
    pub text: String,
    /// The type of the document itself.
    pub root: String,
    pub not_carried: Vec<NotCarried>,
    /// That numbers are integers, if the schema speaks of others.
    pub note: Option<Diagnostic>,
}

const KEYWORDS: [&str; 38] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "type",
    "enum",
    "const",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "$defs",
    "definitions",
    "$id",
    "$schema",
];

/// Of 2019-09 and 2020-12.
const NEW_ONLY: [&str; 7] = [
    "prefixItems",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
    "minContains",
    "maxContains",
];

/// Until 2019-09.
const OLD_ONLY: [&str; 2] = ["additionalItems", "dependencies"];

/// How wide a line may be.
const WIDTH: usize = 110;

/// Reads a schema. The name is that of its type, if it has no title; `from` says where it comes from.
pub fn json_schema(text: &str, file: FileId, name: &str, from: &str) -> Result<Imported, Vec<Diagnostic>> {
    work::on_large_stack(|| {
        let data = json::parse_schema(text, file).map_err(|d| vec![d])?;
        let document = Document::new(&data);
        let mut translator = Translator::new(&document);
        translator.run(name);
        if !translator.errors.is_empty() {
            return Err(translator.errors);
        }
        let text = module(&translator, from);
        // Nothing that cannot be read is handed out.
        let loaded = crate::load(&text, file);
        if let Some(problem) = loaded.diagnostics.first() {
            let message = format!("the types of this schema cannot be read back: {}", problem.message);
            let help = "move its largest parts to `$defs`, and refer to them";
            return Err(vec![Diagnostic::error("too-large-schema", data.span, message).help(help)]);
        }
        let note = translator.numbers.map(|(span, count)| {
            let more = if count > 1 { format!(" (and {} more like this)", count - 1) } else { String::new() };
            let message = format!("numbers are integers here: one with a fraction is in no type{more}");
            let help = "glassbox reads no data with fractions, nor 1.0; count in cents, say";
            Diagnostic::note("integers-only", span, message).help(help)
        });
        let root = translator.types.first().map(|t| t.name.clone()).unwrap_or_default();
        Ok(Imported { text, root, not_carried: translator.lost, note })
    })
}

fn module(translator: &Translator, from: &str) -> String {
    let mut out = String::new();
    let dialect = translator.document.dialect.name();
    let _ = writeln!(out, "// Imported from {} (JSON Schema {dialect}).", on_one_line(from));
    if translator.numbers.is_some() {
        out.push_str("// Numbers are integers: one with a fraction is in no type.\n");
    }
    if translator.needs_object {
        let _ = writeln!(out, "\n// Entities with any fields, or none.");
        let _ = writeln!(out, "type {} : !(Integer | Text | Logical | {{null}} | Any*);", names::OBJECT);
    }
    for (k, named) in translator.types.iter().enumerate() {
        out.push('\n');
        if let Some(description) = named.node.text("description") {
            let _ = writeln!(out, "// {}", on_one_line(description));
        }
        for lost in translator.lost.iter().filter(|l| l.of == k) {
            let text = format!("{}: {}", on_one_line(&lost.path), on_one_line(&lost.reason));
            let _ = match lost.effect.differs() {
                Some(differs) => writeln!(out, "{}", note(&Note { differs, text })),
                None => writeln!(out, "// Not carried: {text}; {}.", lost.effect.text()),
            };
        }
        let definition: Type = named.definition.clone().unwrap_or_else(build::any);
        let _ = writeln!(out, "type {} : {};", named.name, laid_out(&definition, named.name.len() + 8, WIDTH));
    }
    out
}

/// Cut short.
fn on_one_line(text: &str) -> String {
    let mut words = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()) {
        if words.chars().count() + word.chars().count() > WIDTH {
            words.push_str(" …");
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

impl Effect {
    /// From the schema.
    fn differs(self) -> Option<Differs> {
        match self {
            Effect::More => Some(Differs::Wider),
            Effect::Fewer => Some(Differs::Narrower),
            Effect::Other => Some(Differs::Either),
            Effect::Nothing => None,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Effect::More => "the type has more values than the schema",
            Effect::Fewer => "the type has fewer values than the schema",
            Effect::Other => "the type may have more values than the schema, or fewer",
            Effect::Nothing => "the type is the same without it",
        }
    }
}

impl NotCarried {
    pub fn diagnostic(&self, is_error: bool) -> Diagnostic {
        let message = format!("not carried: {}: {}", on_one_line(&self.path), self.reason);
        let make = if is_error { Diagnostic::error } else { Diagnostic::warning };
        make("not-carried", Some(self.span), message).help(self.effect.text())
    }
}
