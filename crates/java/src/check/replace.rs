//! Clients with a module replaced (dissertation, 3.3): outside of the module, its name means its abstraction. States hold abstractions, calls go
//! to them.

use crate::resolve::*;
use source::Diagnostic;

/// Classes and their abstractions, by name.
pub fn replace(table: &mut Table, pairs: &[(String, String)]) {
    for (module, abstraction) in pairs {
        let (Some(class), Some(by)) = (find(table, module), find(table, abstraction)) else { continue };
        table.replaced.insert(class, by);
        take_interfaces(table, class, by);
    }
}

/// An input, a library class by its qualified name, or a ready-made abstraction.
fn find(table: &mut Table, name: &str) -> Option<ClassIx> {
    let inputs = table.input_classes();
    let is_called = |c: &ClassIx| table.class(*c).name == name || *table.class(*c).simple == *name;
    if let Some(found) = inputs.iter().copied().find(is_called) {
        return Some(found);
    }
    let found = table.find_qualified(name).or_else(|| table.find_top(&format!("glassbox.{name}")));
    if found.is_none() {
        let names: Vec<String> = inputs.iter().map(|c| table.class(*c).name.clone()).collect();
        let problem = Diagnostic::error("unknown-class", None, format!("--replace: there is no class `{name}`"));
        let near = did_you_mean(name, names.iter().map(String::as_str));
        table.diagnostics.push(
            problem.help(near.unwrap_or("write --replace TreeMap=AbsIntMap, and give the files of both".to_string())),
        );
    }
    found
}

/// The abstraction is whatever the module is, if it has the methods for that: `Map map = new TreeMap()`.
fn take_interfaces(table: &mut Table, module: ClassIx, abstraction: ClassIx) {
    let own = table.self_type(abstraction);
    let mut header = Header::clone(&table.header(abstraction));
    for interface in table.header(module).interfaces.clone() {
        let Type::Class(class, _) = interface else { continue };
        if table.is_subclass(abstraction, class) {
            continue;
        }
        let mut missing = Vec::new();
        for &method in &table.members(class).methods {
            let info = table.method(method).clone();
            let has = |m: &hierarchy::Candidate| m.params.len() == info.params.len();
            if info.is_abstract && !table.find_methods(&own, &info.name).iter().any(has) {
                missing.push(format!("`{}`", info.name));
            }
        }
        if missing.is_empty() {
            header.interfaces.push(interface);
            continue;
        }
        let (name, wanted) = (&table.class(abstraction).name, &table.class(class).name);
        let message = format!(
            "`{name}` cannot replace `{}` as a `{wanted}`: it lacks {}",
            table.class(module).name,
            missing.join(", ")
        );
        let span = table.class(abstraction).decl.name.span;
        table
            .diagnostics
            .push(Diagnostic::error("bad-replacement", span, message).help(format!("add them to `{name}`")));
    }
    table.set_header(abstraction, header);
}
