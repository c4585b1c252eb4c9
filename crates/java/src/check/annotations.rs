//! A misspelt or misplaced annotation would silently change what is checked: every annotation of the inputs must be
//! known, and stand where its own `@Target` allows it.

use super::Picker;
use crate::lower::Lowering;
use crate::resolve::*;
use crate::syntax::ast::{Annotation, AnnotationValue, ClassDecl, DeclKind, Expr, ExprKind, Member, Modifiers};
use ir::{ClassId, ClassKind, Field, Program, Ty};
use source::Diagnostic;

/// Those of package `glassbox`.
const KNOWN: [&str; 18] = [
    "Declarative",
    "Tree",
    "Check",
    "Pre",
    "Post",
    "MayThrow",
    "Max",
    "Range",
    "Length",
    "OneOf",
    "NonNull",
    "Varies",
    "Owned",
    "Abstraction",
    "ReplacedBy",
    "Commutes",
    "Show",
    "Model",
];

impl Picker<'_> {
    pub fn check_annotations(&mut self) {
        for class in self.low.table.input_classes() {
            let decl = self.low.table.class(class).decl.clone();
            let scope = self.low.table.scope_of(class);
            self.annotations(&scope, &decl.modifiers, &["TYPE"]);
            for member in &decl.members {
                match member {
                    Member::Field(field) => {
                        self.annotations(&scope, &field.modifiers, component_or("FIELD", decl.kind))
                    }
                    Member::Method(method) => {
                        let of = if method.is_constructor { "CONSTRUCTOR" } else { "METHOD" };
                        self.annotations(&scope, &method.modifiers, &[of]);
                        for param in &method.params {
                            self.annotations(&scope, &param.modifiers, component_or("PARAMETER", decl.kind));
                        }
                    }
                    Member::Class(_) | Member::Initialiser { .. } => {}
                }
            }
        }
    }

    fn annotations(&mut self, scope: &TypeScope, modifiers: &Modifiers, place: &[&str]) {
        for annotation in &modifiers.annotations {
            self.annotation(scope, annotation, place);
        }
    }

    fn annotation(&mut self, scope: &TypeScope, annotation: &Annotation, place: &[&str]) {
        let name = &annotation.name;
        // Those of the original are its own business.
        let class_file = scope.class.map(|c| self.low.table.class(self.low.table.outermost(c)).decl.name.span.file);
        let is_library = scope.class.is_some_and(|c| self.low.table.class(c).unit.origin == Origin::Library);
        if is_library && class_file == Some(annotation.span.file) {
            return;
        }
        let takes_nothing = matches!(
            &*name.name,
            "Declarative" | "Tree" | "Check" | "NonNull" | "Owned" | "Abstraction" | "Varies" | "Show" | "Model"
        );
        if let Some((key, _)) = annotation.arguments.first().filter(|_| takes_nothing) {
            let message = format!("`@{}` takes no argument", name.name);
            self.low.error(Diagnostic::error("unknown-annotation-argument", key.span, message));
        }
        // One of another library, imported by name, is none of our business.
        let imported = scope.unit.as_ref().is_some_and(|u| {
            u.imports.iter().any(|i| {
                i.path.rsplit('.').next() == Some(&name.name) || (i.wildcard && !i.path.starts_with("glassbox"))
            })
        });
        if &*name.name == "Model" && !self.low.table.spec_files.contains(&annotation.span.file) {
            let message = "`@Model` is for methods of a specification beside the code (`@SpecFor`)";
            let help = "elsewhere the code itself can be changed";
            self.low.error(Diagnostic::error("misplaced-annotation", annotation.span, message).help(help));
        }
        let found = self.low.table.find_simple(scope, &name.name);
        let is_dotted = name.span.start > annotation.span.start + 1;
        // A specification beside the code has a file of its own: what is in the package of the original hides nothing there.
        let is_spec = self.low.table.spec_files.contains(&annotation.span.file);
        if let Some(Type::Class(class, _)) = &found
            && self.low.table.class(*class).unit.package != "glassbox"
            && !(is_spec && self.low.table.class(*class).unit.origin == Origin::Library)
            && KNOWN.contains(&&*name.name)
            && !is_dotted
        {
            let message = format!("`{0}` is a type of the inputs here, and hides the annotation `@{0}`", name.name);
            let help = format!("write `@glassbox.{}`, or give that type another name", name.name);
            self.low.error(Diagnostic::error("hidden-annotation", annotation.span, message).help(help));
            return;
        }
        if let Some(Type::Class(class, _)) = found
            && self.low.table.class(class).unit.origin == Origin::Prelude
        {
            let allowed = targets(&self.low.table.class(class).decl);
            if !allowed.is_empty() && !place.iter().any(|p| allowed.contains(p)) {
                let here = place.first().map_or("", |p| described(p));
                let message = format!("`@{}` means nothing on {here}", name.name);
                // On a local it is for a block that is checked by itself, which is not what is meant elsewhere.
                let allowed = allowed.iter().filter(|a| **a != "LOCAL_VARIABLE");
                let allowed: Vec<&str> = allowed.map(|a| described(a)).collect();
                let help = format!("it belongs on {}", allowed.join(" or "));
                self.low.error(Diagnostic::error("misplaced-annotation", annotation.span, message).help(help));
            }
        }
        // As in Java, `@Padded` is for its own package.
        let is_own = || scope.unit.as_ref().is_some_and(|u| u.package == "glassbox");
        if imported || found.is_some() && (&*name.name != "Padded" || is_own()) {
            return;
        }
        // A dotted name keeps only its last part here.
        if annotation.span.end - annotation.span.start > name.name.len() as u32 + 1 && annotation.arguments.is_empty() {
            return;
        }
        let mut d =
            Diagnostic::error("unknown-type", name.span, format!("the annotation `@{}` is not known", name.name));
        d.help = did_you_mean(&name.name, KNOWN.into_iter());
        self.low.error(d);
    }
}

/// `@Max` limits the objects of exactly one class that no tree field reaches: a tree has n places.
pub fn check_max(low: &mut Lowering) {
    let is_in_tree = |low: &Lowering, class: ClassId| {
        let targets = low.program.fields.iter().filter_map(|f| tree_target(&low.program, f));
        targets.into_iter().any(|of| low.program.is_subclass(class, of))
    };
    for class in (0..low.program.classes.len() as u32).map(ClassId) {
        let info = low.program.class(class);
        let why = match () {
            // That of a library class counts where the class itself is checked.
            _ if info.max.is_none() || info.is_of_library => continue,
            _ if info.is_abstract => "has no objects of its own",
            _ if info.kind == ClassKind::Enum => "is an enum: a state may hold all its constants",
            _ if is_in_tree(low, class) => "is reached by a tree field: a tree has n places",
            _ => continue,
        };
        let message = format!("`@Max` means nothing on `{}`, which {why}", info.name);
        let at = low.table.class(low.class_ix(class)).decl.modifiers.annotation("Max").map(|a| a.span);
        low.error(Diagnostic::error("misplaced-annotation", at, message).help("leave it out, or choose a `--size`"));
    }
}

/// A node that holds an array of such nodes: there is no end to the places of its tree.
pub fn check_tree_arrays(low: &mut Lowering) {
    let program = &low.program;
    let next = |class: ClassId| {
        let fields = program.instance_fields(class).into_iter();
        let targets = fields.filter_map(|f| tree_target(program, program.field(f)));
        targets.flat_map(|of| program.state_subclasses(of)).collect::<Vec<ClassId>>()
    };
    let arrays = program.fields.iter().filter(|f| matches!(f.ty, Ty::Array(_)));
    let endless = arrays.filter(|field| {
        let mut todo: Vec<ClassId> =
            tree_target(program, field).iter().flat_map(|of| program.state_subclasses(*of)).collect();
        let mut seen = Vec::new();
        while let Some(class) = todo.pop() {
            if !seen.contains(&class) {
                seen.push(class);
                todo.extend(next(class));
            }
        }
        seen.iter().any(|class| program.is_subclass(*class, field.class))
    });
    let problems: Vec<Diagnostic> = endless
        .map(|field| {
            let instead = "give each child a field of its own, or keep the array outside the nodes";
            crate::lower::unsupported(field.span, "`@Tree` on an array of nodes within a node", instead)
        })
        .collect();
    problems.into_iter().for_each(|d| low.error(d));
}

/// The class at the end of a tree field, or of the elements of its array.
fn tree_target(program: &Program, field: &Field) -> Option<ClassId> {
    let mut ty = field.ty;
    while let Ty::Array(array) = ty {
        ty = program.element_ty(array);
    }
    match ty {
        Ty::Class(class) if field.bound.tree => Some(class),
        _ => None,
    }
}

/// A component of a record is a field and a parameter at once: its annotations go where they fit.
fn component_or(place: &'static str, kind: DeclKind) -> &'static [&'static str] {
    match (kind, place) {
        (DeclKind::Record, _) => &["FIELD", "PARAMETER"],
        (_, "FIELD") => &["FIELD"],
        _ => &["PARAMETER"],
    }
}

/// The names in the `@Target` of an annotation's declaration.
fn targets(decl: &ClassDecl) -> Vec<&str> {
    let mut names = Vec::new();
    for (_, value) in decl.modifiers.annotation("Target").iter().flat_map(|t| &t.arguments) {
        let values = if let AnnotationValue::Array(values, _) = value { values } else { std::slice::from_ref(value) };
        for value in values {
            if let AnnotationValue::Expr(Expr { kind: ExprKind::Field(_, name), .. }) = value {
                names.push(&*name.name);
            }
        }
    }
    names
}

fn described(place: &str) -> &str {
    match place {
        "TYPE" => "a class",
        "FIELD" => "a field",
        "METHOD" => "a method",
        "CONSTRUCTOR" => "a constructor",
        _ => "a parameter",
    }
}
