//! A misspelt annotation would silently change what is checked: every annotation of the inputs must be known.

use super::Picker;
use crate::resolve::*;
use crate::syntax::ast::{Annotation, Member, Modifiers};
use source::Diagnostic;

impl Picker<'_> {
    pub fn check_annotations(&mut self) {
        for class in self.low.table.input_classes() {
            let decl = self.low.table.class(class).decl.clone();
            let scope = self.low.table.scope_of(class);
            self.annotations(&scope, &decl.modifiers);
            for member in &decl.members {
                match member {
                    Member::Field(field) => self.annotations(&scope, &field.modifiers),
                    Member::Method(method) => {
                        self.annotations(&scope, &method.modifiers);
                        for param in &method.params {
                            self.annotations(&scope, &param.modifiers);
                        }
                    }
                    Member::Class(_) | Member::Initialiser { .. } => {}
                }
            }
        }
    }

    fn annotations(&mut self, scope: &TypeScope, modifiers: &Modifiers) {
        for annotation in &modifiers.annotations {
            self.annotation(scope, annotation);
        }
    }

    fn annotation(&mut self, scope: &TypeScope, annotation: &Annotation) {
        let name = &annotation.name;
        if &*name.name == "SpecFor" {
            let d = crate::lower::unsupported(
                annotation.span,
                "`@SpecFor`",
                "write the specification into the class itself",
            );
            self.low.error(d);
            return;
        }
        let takes_nothing = matches!(&*name.name, "Declarative" | "Tree" | "Check" | "NonNull" | "Abstraction");
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
        if imported || self.low.table.find_simple(scope, &name.name).is_some() {
            return;
        }
        // A dotted name keeps only its last part here.
        if annotation.span.end - annotation.span.start > name.name.len() as u32 + 1 && annotation.arguments.is_empty() {
            return;
        }
        let known =
            ["Declarative", "Tree", "Check", "Pre", "Post", "MayThrow", "Max", "Range", "Length", "OneOf", "NonNull"];
        let mut d =
            Diagnostic::error("unknown-type", name.span, format!("the annotation `@{}` is not known", name.name));
        d.help = did_you_mean(&name.name, known.into_iter());
        self.low.error(d);
    }
}
