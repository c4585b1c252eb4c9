//! Which classes the checked object may be of, and the invariant of each (docs/java.md, "Classes").
//!
//! The top-level classes with an invariant, those within them that a specification beside the code gives one, or the class that was asked
//! for; and every class of the inputs that extends one of them, wherever it stands: an object of it is one of theirs too, with methods of
//! its own. Each is checked by itself, with the operations it inherits.

use super::Picker;
use crate::resolve::*;
use ir::CheckedKind;
use source::Diagnostic;

/// A class with objects to check.
#[derive(Clone, Copy, Debug)]
pub struct Receiver {
    pub class: ClassIx,
    /// `repOk` or `wellTyped`, as it, or the class that it extends, declares it.
    invariant: MethodIx,
}

impl Picker<'_> {
    pub fn receivers(&mut self) -> Vec<Receiver> {
        let roots = self.roots();
        let mut receivers: Vec<Receiver> = Vec::new();
        let (mut any_invariant, mut without) = (false, Vec::new());
        for &root in &roots {
            let Some(declared) = self.declared_invariant(root) else { continue };
            any_invariant = true;
            let mut has_objects = false;
            for class in self.low.table.input_classes() {
                if !self.low.table.is_subclass(class, root) || !self.low.table.class(class).has_objects() {
                    continue;
                }
                has_objects = true;
                // Top-level classes have their turn as roots of their own.
                let is_new = class == root || !roots.contains(&class);
                if is_new && receivers.iter().all(|r| r.class != class) {
                    let invariant = self.declared_invariant(class).unwrap_or(declared);
                    receivers.push(Receiver { class, invariant });
                }
            }
            if !has_objects {
                without.push(root);
            }
        }
        for class in without {
            self.without_objects(class, receivers.is_empty());
        }
        if !any_invariant && self.low.table.diagnostics.is_empty() {
            let span = roots.first().map(|c| self.low.table.class(*c).decl.name.span);
            let message = match (&self.class, roots.as_slice()) {
                (Some(_), [only]) => format!("the class `{}` has no `repOk`", self.low.table.class(*only).name),
                _ => "no class has an invariant: there is nothing to check".to_string(),
            };
            let inputs = self.low.table.input_classes();
            let nested = inputs.into_iter().find(|&c| !roots.contains(&c) && self.declared_invariant(c).is_some());
            let help = match nested.filter(|_| self.class.is_none()) {
                Some(nested) => {
                    let name = &self.low.table.class(nested).name;
                    format!("a nested class is checked if it is asked for: `--class {name}`")
                }
                None => "add `@Declarative boolean repOk()` to the class that is to be checked".to_string(),
            };
            self.low.error(Diagnostic::error("no-invariant", span, message).help(help));
        }
        receivers
    }

    /// Top-level input classes, and what a specification beside the code gives an invariant within them; or the one that was asked for.
    fn roots(&mut self) -> Vec<ClassIx> {
        let mut roots = self.wanted_roots();
        let made =
            self.modules.iter().filter(|m| roots.contains(&m.class)).flat_map(|m| m.made.iter().map(|(c, _)| *c));
        let orders = self.orders.iter().filter(|m| roots.contains(&m.of)).map(|m| m.class);
        for class in made.chain(orders).collect::<Vec<_>>() {
            if !roots.contains(&class) {
                roots.push(class);
            }
        }
        roots
    }

    fn wanted_roots(&mut self) -> Vec<ClassIx> {
        let inputs = self.low.table.input_classes();
        let Some(wanted) = self.class.clone() else {
            return inputs.into_iter().filter(|&c| self.is_root(c)).collect();
        };
        let found = self.low.table.called(&wanted);
        if found.is_empty() {
            let names: Vec<String> = inputs.iter().map(|c| self.low.table.class(*c).name.clone()).collect();
            let mut d = Diagnostic::error("unknown-class", None, format!("the inputs have no class `{wanted}`"));
            d.help = did_you_mean(&wanted, names.iter().map(String::as_str))
                .or(Some(format!("they have {}", names.join(", "))));
            self.low.error(d);
        }
        found
    }

    fn is_root(&mut self, class: ClassIx) -> bool {
        let Some(invariant) = self.declared_invariant(class) else {
            return self.low.table.class(class).outer.is_none();
        };
        if self.low.table.taken_files.contains(&self.low.table.method(invariant).span.file) {
            return false;
        }
        let info = self.low.table.class(class);
        // A specification beside a ready-made abstraction may only say what that holds: unless it marks operations, nothing is checked.
        let is_marked = || super::against::methods(&info.decl).any(|m| m.modifiers.has("Check"));
        if info.unit.package == "glassbox" && self.low.is_library_method(invariant) && !is_marked() {
            return false;
        }
        info.outer.is_none() || info.is_specified
    }

    /// Its invariant is never looked at: said, so that nobody takes silence for an answer.
    fn without_objects(&mut self, class: ClassIx, is_all: bool) {
        let info = self.low.table.class(class);
        let (message, help) = match info.is_enum() {
            true => (
                format!("the enum `{}` has an invariant, but enums are not checked", info.name),
                "move what changes into a class",
            ),
            false => (
                format!("`{}` has an invariant, but no class among the inputs to make objects of it", info.name),
                "give the file of a class that extends it",
            ),
        };
        let span = info.decl.name.span;
        let d = if is_all { Diagnostic::error } else { Diagnostic::warning }("no-objects", span, message);
        self.low.error(d.help(help));
    }

    fn is_language(&mut self, class: ClassIx) -> bool {
        let names = ["glassbox.Language", "glassbox.NondeterministicLanguage"];
        names.into_iter().any(|n| {
            let language = self.low.table.known(n);
            self.low.table.is_subclass(class, language)
        })
    }

    fn invariant_name(&mut self, class: ClassIx) -> &'static str {
        if self.is_language(class) { "wellTyped" } else { "repOk" }
    }

    fn declared_invariant(&mut self, class: ClassIx) -> Option<MethodIx> {
        let name = self.invariant_name(class);
        let ty = self.low.table.self_type(class);
        let found = self.low.table.find_methods(&ty, name);
        Some(found.iter().find(|c| c.params.is_empty()).or(found.first())?.method)
    }

    /// None if it is wrong, which is reported.
    pub fn invariant(&mut self, receiver: &Receiver) -> Option<(CheckedKind, MethodIx)> {
        let class = receiver.class;
        let name = self.invariant_name(class);
        let method = self.low.implementation(class, receiver.invariant).unwrap_or(receiver.invariant);
        let info = self.low.table.method(method).clone();
        let problem = match () {
            _ if !info.params.is_empty() => Some("it must have no parameters"),
            _ if info.ret != BOOL => Some("it must return `boolean`"),
            _ if info.is_static => Some("it must not be static"),
            _ if !self.low.is_declarative(method) => Some("it must be `@Declarative`"),
            _ => None,
        };
        if let Some(problem) = problem {
            let message = format!("`{name}` cannot be the invariant: {problem}");
            let d = Diagnostic::error("bad-invariant", info.name_span, message);
            self.low.error(d.help(format!("write `@Declarative boolean {name}()`")));
            return None;
        }
        if !self.is_language(class) {
            return Some((CheckedKind::DataStructure, method));
        }
        let ty = self.low.table.self_type(class);
        let last = self.low.table.find_methods(&ty, "isFinalState").into_iter().find(|c| c.params.is_empty())?.method;
        let last = self.low.implementation(class, last).unwrap_or(last);
        if !self.low.is_declarative(last) {
            let span = self.low.table.method(last).name_span;
            self.low.error(Diagnostic::error("bad-invariant", span, "`isFinalState` must be `@Declarative`"));
        }
        Some((CheckedKind::Language { is_final_state: self.low.method_id(last) }, method))
    }
}
