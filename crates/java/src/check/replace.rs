//! Clients with a module replaced (dissertation, 3.3): outside of the module, its name means its abstraction. States hold abstractions, calls go
//! to them.

use super::against::{methods, specifies, ways_to_name};
use crate::resolve::hierarchy::Candidate;
use crate::resolve::overload::{Argument, Selection};
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
        if class == by {
            let problem = Diagnostic::error(
                "bad-replacement",
                span,
                format!("`{}` cannot replace itself", table.class(class).name),
            );
            table.diagnostics.push(problem.help("name its abstraction"));
            continue;
        }
        match table.replaced.get(&class) {
            None => {
                table.replaced.insert(class, by);
                take_interfaces(table, class, by);
                refuse_subclasses(table, class, by);
                refuse_own_equality(table, class, by);
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

/// Why a call that goes to the abstraction is more than what was compared with it: no operation of the module is meant by the same call, or
/// it has a precondition, which nobody asks for, or it is inherited from a class of the library, which is not checked.
pub fn not_compared(table: &mut Table, module: ClassIx, name: &Ident, called: &Candidate) -> Option<Diagnostic> {
    let (own, object) = (table.self_type(module), table.known("java.lang.Object"));
    let (module_name, operation) = (table.class(module).name.clone(), &name.name);
    let arguments = called.params.len();
    let found = table.find_methods(&own, operation);
    let mut found = found.iter().filter(|c| c.params.len() == arguments).map(|c| table.method(c.method).class);
    let is_library = |c: ClassIx| c != object && !table.class(c).is_input();
    if table.class(module).is_input() && found.next().is_some_and(is_library) && found.all(is_library) {
        let message =
            format!("`{operation}` of `{module_name}` is inherited from a class of the library, and not compared");
        let help = format!("give the file of that class, too, or declare `{operation}` in `{module_name}`");
        return Some(Diagnostic::error("replaced-class", name.span, message).help(help));
    }
    let by = *table.replaced.get(&module)?;
    if !is_compared(table, module, by, operation, called) {
        let by = &table.class(by).name;
        let message = format!("this call goes to `{operation}` of `{by}`, which is not compared with `{module_name}`");
        let help = format!(
            "`{by}` has the place of `{module_name}` here: only operations that both have, with the same parameters, can be used"
        );
        return Some(Diagnostic::error("replaced-class", name.span, message).help(help));
    }
    let decls = super::against::lineage(table, module);
    let mut called_so = Vec::new();
    for own in table.find_methods(&own, operation).into_iter().filter(|c| c.params.len() == arguments) {
        if let Some(decl) = table.method(own.method).decl.clone() {
            called_so.extend(ways_to_name(table, &decl, &own.params));
        }
    }
    let pre = decls.iter().find_map(|(_, decl)| {
        let found = methods(decl).find(|m| specifies(m, &called_so, "Pre"))?;
        Some(found.name.span)
    })?;
    let message = format!("`{operation}` of `{module_name}` has a precondition, and `{module_name}` is replaced");
    let help = "nothing would check that this call meets it: if it is a bound of the check, write `GlassBox.assume` into the operation; \
                otherwise let the operation do something wherever it is called, such as throw an exception, in both classes";
    Some(Diagnostic::error("replaced-class", name.span, message).related(pre, "the precondition").help(help))
}

/// Whether a method of the abstraction, or of an interface of it, is what an operation of the module is compared with.
fn is_compared(table: &mut Table, module: ClassIx, by: ClassIx, name: &str, called: &Candidate) -> bool {
    let theirs = erased(table, by, name);
    let target = match theirs.iter().find(|c| c.method == called.method) {
        Some(found) => Some(found.method),
        None => {
            let called = erased_candidate(table, called);
            select(table, &theirs, &called.params)
        }
    };
    let Some(target) = target else { return false };
    let own = erased(table, module, name);
    let is_declarative = table.method(target).decl.as_ref().is_some_and(|d| d.modifiers.has("Declarative"));
    // What only the abstraction has, specifications ask of `map.abstraction()`; these two are not operations.
    if is_declarative && (own.is_empty() || ["repOk", "equalTo"].contains(&name)) {
        return true;
    }
    let decls = super::against::lineage(table, module);
    let is_input = table.class(module).is_input();
    own.iter().any(|c| {
        let MethodInfo { class, is_static, is_private, .. } = *table.method(c.method);
        // What both inherit is the same code; what only interfaces declare is not compared.
        let is_known = !is_input || decls.iter().any(|(d, _)| *d == class);
        // An object of the module stands for one of the abstraction.
        let is_own = |ty: &Type| matches!(ty, Type::Class(class, _) if *class == module);
        let replaced: Vec<Type> =
            c.params.iter().map(|ty| if is_own(ty) { Type::class(by) } else { ty.clone() }).collect();
        let mut means = |params: &[Type]| select(table, &theirs, params) == Some(target);
        c.method == target || is_known && !is_static && !is_private && (means(&c.params) || means(&replaced))
    })
}

/// Why `new` of a replaced class makes something else than the module's constructor was compared with.
pub fn not_made(table: &mut Table, module: ClassIx, called: &Candidate, span: Span) -> Option<Diagnostic> {
    let by = *table.replaced.get(&module)?;
    let [own, theirs] = [module, by].map(|class| {
        let all = table.constructors(&Type::class(class));
        all.iter().map(|c| erased_candidate(table, c)).collect::<Vec<_>>()
    });
    let is_declarative = table.method(called.method).decl.as_ref().is_none_or(|d| d.modifiers.has("Declarative"));
    if is_declarative && own.iter().any(|c| select(table, &theirs, &c.params) == Some(called.method)) {
        return None;
    }
    let [module, by] = [module, by].map(|c| table.class(c).name.clone());
    let message = format!("this makes a `{by}` by a constructor that is not compared with one of `{module}`");
    let help = format!("give both a constructor with these parameters, that of `{by}` with `@Declarative`");
    Some(Diagnostic::error("replaced-class", span, message).help(help))
}

/// The methods of a class by what their types erase to: whether two are alike does not depend on type arguments.
fn erased(table: &mut Table, class: ClassIx, name: &str) -> Vec<Candidate> {
    let own = table.self_type(class);
    table.find_methods(&own, name).iter().map(|c| erased_candidate(table, c)).collect()
}

fn erased_candidate(table: &mut Table, candidate: &Candidate) -> Candidate {
    let params = candidate.params.iter().map(|p| table.erasure(p)).collect();
    Candidate { params, ..candidate.clone() }
}

fn select(table: &mut Table, candidates: &[Candidate], params: &[Type]) -> Option<MethodIx> {
    let arguments: Vec<Argument> = params.iter().cloned().map(Argument::Typed).collect();
    match table.select(candidates, &arguments) {
        Selection::Found(found, _) => Some(found.method),
        _ => None,
    }
}

/// What every object has is asked of an abstraction without its name, as by `Objects.equals`: no call tells.
fn refuse_own_equality(table: &mut Table, module: ClassIx, by: ClassIx) {
    let object = table.known("java.lang.Object");
    let types = [module, by].map(|c| table.self_type(c));
    for (name, parameters) in [("equals", 1), ("hashCode", 0), ("toString", 0)] {
        let [own, theirs] = types.each_ref().map(|ty| {
            let found = table.find_methods(ty, name).into_iter().find(|c| c.params.len() == parameters);
            found.map(|c| c.method).filter(|m| table.method(*m).class != object)
        });
        let (None, Some(theirs)) = (own, theirs) else { continue };
        let span = table.method(theirs).name_span;
        let [module, by] = [module, by].map(|c| table.class(c).name.clone());
        let message = format!("`{by}` cannot replace `{module}`: it has its own `{name}`, and `{module}` has none");
        let help = format!("leave `{name}` out of `{by}`, or declare it in `{module}` too");
        table.diagnostics.push(Diagnostic::error("bad-replacement", span, message).help(help));
    }
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
        let problem = extends(table, &table.class(class).name, module, written.span);
        table.diagnostics.push(problem);
    }
}

/// `class`: its name, empty for an anonymous one.
pub fn extends(table: &Table, class: &str, module: ClassIx, span: Span) -> Diagnostic {
    let module = &table.class(module).name;
    let class = if class.is_empty() { "this class".to_string() } else { format!("`{class}`") };
    let message = format!("{class} extends `{module}`, which is replaced");
    let help = format!("leave {class} out, or do not replace `{module}`");
    Diagnostic::error("replaced-class", span, message).help(help)
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
    if let Some(&found) = table.called(name).first() {
        return Some(found);
    }
    let found = table.find_qualified(name).or_else(|| table.find_top(&format!("glassbox.{name}")));
    if found.is_none() {
        let names: Vec<String> = table.input_classes().iter().map(|c| table.class(*c).name.clone()).collect();
        let problem = Diagnostic::error("unknown-class", None, format!("--replace: there is no class `{name}`"));
        let near = did_you_mean(name, names.iter().map(String::as_str));
        table.diagnostics.push(
            problem.help(near.unwrap_or("write --replace TreeMap=AbsIntMap, and give the files of both".to_string())),
        );
    }
    found
}

/// The abstraction is whatever the module is, if it has the methods for that: `Map map = new TreeMap()`. If not, it is said where one is needed.
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
            let has = |m: &Candidate| m.params.len() == info.params.len();
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
        let help = format!("add them to `{name}`");
        table.not_taken.insert((abstraction, class), (message, help));
    }
    table.set_header(abstraction, header);
}
