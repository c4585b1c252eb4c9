//! Clients with a module replaced (dissertation, 3.3): outside of the module, its name means its abstraction. States hold abstractions, calls go
//! to them.

use super::against::{methods, specifies};
use crate::resolve::*;
use crate::syntax::ast::{Annotation, AnnotationValue, ExprKind, FieldDecl, Ident, Member, TypeRefKind};
use source::{Diagnostic, Span};

/// Classes and their abstractions, by name, and those that fields name with `@ReplacedBy`.
pub fn replace(table: &mut Table, pairs: &[(String, String)]) {
    let mut all: Vec<(ClassIx, ClassIx, Option<Span>)> = Vec::new();
    for (module, abstraction) in pairs {
        if let (Some(class), Some(by)) = (find(table, module), find(table, abstraction)) {
            all.push((class, by, None));
        }
    }
    for class in table.input_classes() {
        let decl = table.class(class).decl.clone();
        for member in &decl.members {
            if let Member::Field(field) = member
                && let Some(annotation) = field.modifiers.annotation("ReplacedBy")
            {
                match of_field(table, class, field, annotation) {
                    Ok((module, by)) => all.push((module, by, Some(annotation.span))),
                    Err(problem) => table.diagnostics.push(*problem),
                }
            }
        }
    }
    for (class, by, span) in all {
        match table.replaced.get(&class) {
            None => {
                table.replaced.insert(class, by);
                take_interfaces(table, class, by);
                refuse_subclasses(table, class, by);
            }
            Some(other) if *other == by => {}
            // What the command line says is meant.
            Some(_) if pairs.iter().any(|(module, _)| *module == table.class(class).name) => {}
            Some(other) => {
                let names = [class, *other, by].map(|c| &table.class(c).name);
                let message = format!("`{}` is replaced by `{}` and by `{}`", names[0], names[1], names[2]);
                let problem = Diagnostic::error("bad-replacement", span, message);
                table.diagnostics.push(problem.help("name the same abstraction at all fields"));
            }
        }
    }
}

/// Why a call of a replaced class is more than what was compared: the operation has a precondition, which nobody asks for, or is inherited
/// from a class of the library, which is not checked.
pub fn not_compared(table: &mut Table, module: ClassIx, name: &Ident, arguments: usize) -> Option<Diagnostic> {
    let (own, object) = (table.self_type(module), table.known("java.lang.Object"));
    let (module_name, operation) = (table.class(module).name.clone(), &name.name);
    let called = table.find_methods(&own, operation);
    let mut called = called.iter().filter(|c| c.params.len() == arguments).map(|c| table.method(c.method).class);
    let is_library = |c: ClassIx| c != object && !table.class(c).is_input();
    if table.class(module).is_input() && called.next().is_some_and(is_library) && called.all(is_library) {
        let message =
            format!("`{operation}` of `{module_name}` is inherited from a class of the library, and not compared");
        let help = format!("give the file of that class, too, or declare `{operation}` in `{module_name}`");
        return Some(Diagnostic::error("replaced-class", name.span, message).help(help));
    }
    let decls = super::against::lineage(table, module);
    let pre = decls.iter().find_map(|(_, decl)| {
        let found = methods(decl).find(|m| specifies(m, operation, "Pre"))?;
        Some(found.name.span)
    })?;
    let message = format!("`{operation}` of `{module_name}` has a precondition, and `{module_name}` is replaced");
    let help = "nothing would check that this call meets it: if it is a bound of the check, write `GlassBox.assume` into the operation; \
                otherwise let the operation do something wherever it is called, such as throw an exception, in both classes";
    Some(Diagnostic::error("replaced-class", name.span, message).related(pre, "the precondition").help(help))
}

/// A subclass of a module overrides what the module itself calls: it cannot be one of the abstraction.
fn refuse_subclasses(table: &mut Table, module: ClassIx, by: ClassIx) {
    for class in table.input_classes() {
        let written = table.class(class).decl.superclass.clone();
        let is_below = matches!(table.header(class).superclass, Some(Type::Class(c, _)) if c == by || c == module);
        let Some(written) = written.as_ref().filter(|_| is_below && class != by) else { continue };
        // Of the abstraction itself there may be some.
        if matches!(&written.kind, TypeRefKind::Named(parts) if parts.last().is_some_and(|(n, _)| n.name == table.class(by).simple))
        {
            continue;
        }
        let [class, module] = [class, module].map(|c| table.class(c).name.clone());
        let message = format!("`{class}` extends `{module}`, which is replaced");
        let help = format!("leave `{class}` out, or do not replace `{module}`");
        table.diagnostics.push(Diagnostic::error("replaced-class", written.span, message).help(help));
    }
}

/// `@ReplacedBy(AbsIntMap.class) TreeMap map`, or `@ReplacedBy(AbsIntMap.class) Map map = new TreeMap()`.
fn of_field(
    table: &mut Table,
    class: ClassIx,
    field: &FieldDecl,
    annotation: &Annotation,
) -> Result<(ClassIx, ClassIx), Box<Diagnostic>> {
    let scope = table.scope_of(class);
    let problem = |message: &str| Diagnostic::error("bad-replacement", annotation.span, message);
    let help = "write `@ReplacedBy(AbsIntMap.class) TreeMap map`, for example";
    let by = match annotation.arguments.first() {
        Some((_, AnnotationValue::Expr(e))) => match &e.kind {
            ExprKind::ClassLiteral(written) => table.resolve(&scope, written)?,
            _ => return Err(Box::new(problem("`@ReplacedBy` takes the class that is the abstraction").help(help))),
        },
        _ => return Err(Box::new(problem("`@ReplacedBy` takes the class that is the abstraction").help(help))),
    };
    let mut of = table.resolve(&scope, &field.ty)?;
    let is_interface = |table: &Table, ty: &Type| matches!(ty, Type::Class(c, _) if table.class(*c).is_interface());
    if is_interface(table, &of)
        && let Some(init) = &field.init
        && let ExprKind::New { ty, .. } = &init.kind
    {
        of = table.resolve(&scope, ty)?;
    }
    match (&of, &by) {
        (Type::Class(module, _), Type::Class(by, _)) if !is_interface(table, &of) => Ok((*module, *by)),
        _ => {
            let problem = problem("which class is replaced cannot be told from this field");
            Err(Box::new(problem.help(format!("{help}, or give an interface's field a `new` object"))))
        }
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
