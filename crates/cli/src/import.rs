//! `glassbox import json-schema FILE.json`: a module of Dminor types on standard output, what it does not carry on standard error.

use crate::args::{Import, SchemaFormat};
use crate::check::{print, tell};
use crate::inputs;
use dminor::import::{Imported, json_schema};
use source::{Diagnostic, SourceMap};
use std::path::Path;

pub fn import(arguments: &Import) -> u8 {
    let mut sources = SourceMap::default();
    let imported = match imported(arguments, &mut sources) {
        Ok(imported) => imported,
        Err(problems) => {
            tell(arguments.color, false, &sources, &problems);
            return 2;
        }
    };
    let mut told: Vec<Diagnostic> = imported.not_carried.iter().map(|n| n.diagnostic(arguments.strict)).collect();
    told.extend(imported.note.clone());
    tell(arguments.color, false, &sources, &told);
    if arguments.strict && !imported.not_carried.is_empty() {
        return 2;
    }
    print(&imported.text);
    0
}

fn imported(arguments: &Import, sources: &mut SourceMap) -> Result<Imported, Vec<Diagnostic>> {
    let files = inputs::read(sources, std::slice::from_ref(&arguments.file))?;
    let from = arguments.file.file_name().unwrap_or_default().to_string_lossy().to_string();
    let name = arguments.name.clone().unwrap_or_else(|| type_name(&from));
    match arguments.format {
        SchemaFormat::JsonSchema => json_schema(&sources.file(files[0]).text, files[0], &name, &from),
    }
}

/// `order.schema.json` has a schema of orders.
fn type_name(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().to_string();
    stem.trim_end_matches(".schema").trim_end_matches("-schema").to_string()
}
