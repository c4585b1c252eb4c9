//! Modules to a [`Program`]: names, arities, distinct labels (`names`), purity of refinements (docs/dminor.md, "Purity"), and recursive
//! types whose recursion ends (`recursion`). All declarations of a file see each other; each is checked by itself, so one mistake hides no
//! other.

mod names;
mod recursion;

use crate::program::{FunId, Function, NamedType, Program, Type, TypeId, TypeKind};
use crate::syntax::ast::{Decl, Ident, Module};
use names::Resolver;
use source::nearest;
use source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};
use work::Stop;

use source::suggestion;

/// Types that every program knows.
pub(crate) const BUILT_IN: [&str; 6] = ["Any", "Integer", "Integer32", "Text", "Logical", "Empty"];

/// What declarations there are.
#[derive(Default)]
struct Scope {
    types: HashMap<String, TypeId>,
    functions: HashMap<String, FunId>,
    /// By function.
    arities: Vec<(usize, Span)>,
    /// Names that may be of a declaration that could not be read.
    doubtful: HashSet<String>,
    stop: Stop,
}

/// When `stop` is due, what comes out is not all of it.
pub(crate) fn resolve(
    modules: &[Module],
    doubtful: HashSet<String>,
    stop: &Stop,
    diagnostics: &mut Vec<Diagnostic>,
) -> Program {
    let decls: Vec<&Decl> = modules.iter().flat_map(|m| &m.decls).collect();
    let mut program = Program::default();
    let mut scope = Scope { doubtful, stop: stop.clone(), ..Scope::default() };
    let mut modules_seen: HashMap<&str, Span> = HashMap::new();
    for name in modules.iter().filter_map(|m| m.name.as_ref()) {
        if let Some(first) = modules_seen.insert(&name.text, name.span) {
            diagnostics.push(twice("module", name, first));
        }
    }
    let declared = declare(&decls, &mut scope, diagnostics);
    for decl in declared {
        if stop.is_due() {
            return program;
        }
        let start = program.variables.len() as u32;
        let mut resolver = Resolver::new(&scope, &mut program, diagnostics);
        match decl {
            Decl::Type { name, definition, notes } => {
                let definition = resolver.type_(definition);
                let variables = start..program.variables.len() as u32;
                let (name, name_span) = (name.text.clone(), name.span);
                let notes = notes.clone();
                program.types.push(NamedType { name, name_span, definition, variables, is_recursive: false, notes });
            }
            Decl::Function { name, parameters, result, body } => {
                let parameters = resolver.parameters(parameters);
                let result = resolver.type_(result);
                let body = resolver.expr(body);
                let variables = start..program.variables.len() as u32;
                let (name, name_span) = (name.text.clone(), name.span);
                program.functions.push(Function { name, name_span, parameters, result, body, variables });
            }
        }
    }
    recursion::check(&mut program, diagnostics);
    program
}

fn twice(what: &str, name: &Ident, first: Span) -> Diagnostic {
    let message = format!("there are two {what}s called `{}`", name.text);
    Diagnostic::error("duplicate-name", name.span, message)
        .related(first, "the first one")
        .help("give one of them another name: all modules of a file share their names")
}

/// The first of each name, in order.
fn declare<'a>(decls: &[&'a Decl], scope: &mut Scope, diagnostics: &mut Vec<Diagnostic>) -> Vec<&'a Decl> {
    let mut spans: HashMap<(bool, &str), Span> = HashMap::new();
    let mut declared = Vec::new();
    for decl in decls {
        let (name, is_type) = match decl {
            Decl::Type { name, .. } => (name, true),
            Decl::Function { name, .. } => (name, false),
        };
        if let Some(first) = spans.get(&(is_type, name.text.as_str())) {
            diagnostics.push(twice(if is_type { "type" } else { "function" }, name, *first));
            continue;
        }
        if is_type && BUILT_IN.contains(&name.text.as_str()) {
            let message = format!("`{}` is a type of the language", name.text);
            let problem = Diagnostic::error("duplicate-name", name.span, message);
            diagnostics.push(problem.help("give your type another name"));
            continue;
        }
        spans.insert((is_type, &name.text), name.span);
        match decl {
            Decl::Type { .. } => {
                scope.types.insert(name.text.clone(), TypeId(scope.types.len() as u32));
            }
            Decl::Function { parameters, .. } => {
                scope.functions.insert(name.text.clone(), FunId(scope.functions.len() as u32));
                scope.arities.push((parameters.len(), name.span));
            }
        }
        declared.push(*decl);
    }
    declared
}

/// Resolves a closed type, such as one of the command line; it has no free variables.
pub(crate) fn resolve_type(
    program: &mut Program,
    ty: &crate::syntax::ast::Type,
    diagnostics: &mut Vec<Diagnostic>,
) -> Type {
    let mut scope = Scope::default();
    for (k, named) in program.types.iter().enumerate() {
        scope.types.insert(named.name.clone(), TypeId(k as u32));
    }
    for (k, function) in program.functions.iter().enumerate() {
        scope.functions.insert(function.name.clone(), FunId(k as u32));
        scope.arities.push((function.parameters.len(), function.name_span));
    }
    Resolver::new(&scope, program, diagnostics).type_(ty)
}

/// The type of the language with this name.
fn built_in(name: &str) -> Option<TypeKind> {
    Some(match name {
        "Any" => TypeKind::Any,
        "Empty" => TypeKind::Empty,
        "Integer" | "Integer32" => TypeKind::Integer,
        "Text" => TypeKind::Text,
        "Logical" => TypeKind::Logical,
        _ => return None,
    })
}

/// What other languages call our types.
fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "str" | "varchar" => "Text",
        "bool" | "boolean" => "Logical",
        "int" | "number" | "long" | "integer" | "integer64" => "Integer",
        "null" | "void" | "none" | "unit" => "{null}",
        "never" | "nothing" | "bottom" => "Empty",
        "object" | "top" => "Any",
        _ => return None,
    })
}
