//! Code that is made from what the user wrote.

use crate::resolve::*;
use crate::syntax::ast::Member;

/// Declares a class beside another one, with the same imports.
pub fn add_class(table: &mut Table, beside: ClassIx, name: String, text: &str) -> Option<ClassIx> {
    let id = table.sources.add(format!("<made from>/{name}.java"), text);
    table.made_files.insert(id);
    let unit = match crate::syntax::parse(table.sources, id) {
        Ok(unit) => unit,
        Err(problems) => {
            table.diagnostics.extend(problems);
            return None;
        }
    };
    let scope = table.class(beside).unit.clone();
    // Within the module, whose own classes it names as the module does.
    let made = table.declare_class(unit.classes.first()?.clone(), scope, Some(beside), None, Some(true));
    // What is said beside a class of a library is looked into as the class is.
    let is_specified = table.class(beside).is_specified;
    let info = &mut table.classes[made.index()];
    (info.name, info.is_specified) = (name, is_specified);
    table.made.insert(made);
    Some(made)
}

/// Adds members to a class that nothing was resolved in for good.
pub fn add(table: &mut Table, class: ClassIx, members: &str) {
    if let Some(members) = parse_members(table, class, members) {
        table.add_members(class, &members);
    }
}

/// Members that are made for a class.
pub fn parse_members(table: &mut Table, class: ClassIx, members: &str) -> Option<Vec<Member>> {
    let info = table.class(class);
    let (simple, file) = (info.simple.clone(), format!("<made from>/{}.java", info.name));
    let id = table.sources.add(file, format!("class {simple} {{\n{members}}}\n"));
    table.made_files.insert(id);
    match crate::syntax::parse(table.sources, id) {
        Ok(unit) => unit.classes.first().map(|made| made.members.clone()),
        Err(problems) => {
            table.diagnostics.extend(problems);
            None
        }
    }
}
