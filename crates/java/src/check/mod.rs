//! What is to be checked (JAVA.md, points 6, 7, 10, 11): classes with an invariant, their operations, the specifications
//! of these. Runs the whole front-end.

mod annotations;
mod declarative;
mod operations;
mod specs;

use crate::lower::Lowering;
use crate::resolve::*;
use crate::{Inputs, Loaded, prelude};
use ir::{Checked, CheckedKind};
use source::{Diagnostic, Severity};

pub fn load(inputs: Inputs) -> Result<Loaded, Vec<Diagnostic>> {
    let mut table = Table::new(inputs.sources, inputs.library);
    prelude::declare(&mut table);
    for &file in &inputs.files {
        table.declare_file(file, Origin::Input);
    }
    if !table.diagnostics.is_empty() {
        return Err(table.diagnostics);
    }
    let mut picker = Picker { low: Lowering::new(table), class: inputs.class, method: inputs.method };
    picker.check_annotations();
    let mut checked = picker.checked();
    let mut low = picker.low;
    low.finish(&mut checked);
    annotations::check_max(&mut low);
    annotations::check_tree_arrays(&mut low);
    declarative::check(&mut low);
    let mut found = std::mem::take(&mut low.table.diagnostics);
    found.sort_by_key(|d| d.span.map(|s| (s.file, s.start)));
    let (errors, warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
        found.into_iter().partition(|d| d.severity == Severity::Error);
    if errors.is_empty() { Ok(Loaded { program: low.program, checked, warnings }) } else { Err(errors) }
}

struct Picker<'a> {
    low: Lowering<'a>,
    class: Option<String>,
    method: Option<String>,
}

impl Picker<'_> {
    fn checked(&mut self) -> Vec<Checked> {
        let candidates = self.candidates();
        let mut checked = Vec::new();
        let mut any_invariant = false;
        for &class in &candidates {
            let invariant = self.invariant(class);
            any_invariant |= invariant.is_some();
            if let Some(Some((kind, invariant))) = invariant {
                checked.extend(self.check_class(class, kind, invariant));
            }
        }
        if !any_invariant && self.low.table.diagnostics.is_empty() {
            let span = candidates.first().map(|c| self.low.table.class(*c).decl.name.span);
            let message = match (&self.class, candidates.as_slice()) {
                (Some(_), [only]) => format!("the class `{}` has no `repOk`", self.low.table.class(*only).name),
                _ => "no class has an invariant: there is nothing to check".to_string(),
            };
            let help = "add `@Declarative boolean repOk()` to the class that is to be checked";
            self.low.error(Diagnostic::error("no-invariant", span, message).help(help));
        }
        if let (Some(wanted), true) = (&self.method, any_invariant && checked.iter().all(|c| c.operations.is_empty()))
            && self.low.table.diagnostics.is_empty()
        {
            let message = format!("there is no operation `{wanted}`");
            self.low.error(
                Diagnostic::error("unknown-operation", None, message)
                    .help("see `--method`: a name, or `name(int,int)`"),
            );
        }
        checked
    }

    /// Top-level input classes; or the one that was asked for.
    fn candidates(&mut self) -> Vec<ClassIx> {
        let inputs = self.low.table.input_classes();
        let Some(wanted) = self.class.clone() else {
            return inputs.into_iter().filter(|c| self.low.table.class(*c).outer.is_none()).collect();
        };
        let dotted = wanted.replace('$', ".");
        let exact: Vec<ClassIx> = inputs.iter().copied().filter(|c| self.low.table.class(*c).name == dotted).collect();
        if !exact.is_empty() {
            return exact;
        }
        let simple: Vec<ClassIx> =
            inputs.iter().copied().filter(|c| *self.low.table.class(*c).simple == *dotted).collect();
        if simple.is_empty() {
            let names: Vec<String> = inputs.iter().map(|c| self.low.table.class(*c).name.clone()).collect();
            let mut d = Diagnostic::error("unknown-class", None, format!("the inputs have no class `{wanted}`"));
            d.help = did_you_mean(&wanted, names.iter().map(String::as_str))
                .or(Some(format!("they have {}", names.join(", "))));
            self.low.error(d);
        }
        simple
    }

    /// `repOk` or `wellTyped`; `Some(None)` if there is one and it is wrong.
    fn invariant(&mut self, class: ClassIx) -> Option<Option<(CheckedKind, MethodIx)>> {
        let info = self.low.table.class(class);
        let is_abstract = info.is_interface() || info.decl.modifiers.is_abstract;
        if is_abstract && self.class.is_none() {
            return None;
        }
        let language = self.is_language(class);
        let name = if language { "wellTyped" } else { "repOk" };
        let ty = self.low.table.self_type(class);
        let found = self.low.table.find_methods(&ty, name);
        let method = found.iter().find(|c| c.params.is_empty()).or(found.first())?.method;
        let info = self.low.table.method(method).clone();
        let declarative = self.low.is_declarative(method);
        let problem = match () {
            _ if is_abstract => Some("its class is abstract: there are no objects to check"),
            _ if !info.params.is_empty() => Some("it must have no parameters"),
            _ if info.ret != BOOL => Some("it must return `boolean`"),
            _ if info.is_static => Some("it must not be static"),
            _ if !declarative => Some("it must be `@Declarative`"),
            _ => None,
        };
        if let Some(problem) = problem {
            let message = format!("`{name}` cannot be the invariant: {problem}");
            let d = Diagnostic::error("bad-invariant", info.name_span, message);
            self.low.error(d.help(format!("write `@Declarative boolean {name}()`")));
            return Some(None);
        }
        let method = self.low.implementation(class, method).unwrap_or(method);
        let kind = match language {
            true => {
                let last =
                    self.low.table.find_methods(&ty, "isFinalState").into_iter().find(|c| c.params.is_empty())?.method;
                let last = self.low.implementation(class, last).unwrap_or(last);
                if !self.low.is_declarative(last) {
                    let span = self.low.table.method(last).name_span;
                    let d = Diagnostic::error("bad-invariant", span, "`isFinalState` must be `@Declarative`");
                    self.low.error(d);
                }
                CheckedKind::Language { is_final_state: self.low.method_id(last) }
            }
            false => CheckedKind::DataStructure,
        };
        Some(Some((kind, method)))
    }

    fn is_language(&mut self, class: ClassIx) -> bool {
        let names = ["glassbox.Language", "glassbox.NondeterministicLanguage"];
        names.into_iter().any(|n| {
            let language = self.low.table.known(n);
            self.low.table.is_subclass(class, language)
        })
    }

    fn check_class(&mut self, class: ClassIx, kind: CheckedKind, invariant: MethodIx) -> Option<Checked> {
        let all = self.operations(class, kind);
        if all.is_empty() {
            let info = self.low.table.class(class);
            let message = format!("the class `{}` has an invariant, but no operation to check", info.name);
            let d = Diagnostic::error("no-operation", info.decl.name.span, message);
            self.low.error(d.help("add a method or constructor that is not declarative, or mark one with `@Check`"));
            return None;
        }
        let specs = self.specs(class, &all);
        let mut operations = Vec::new();
        for (i, op) in all.iter().enumerate() {
            // What the others do says which states there are.
            let method = self.low.method_id(op.method);
            self.low.operations.push(method);
            if self.is_wanted(op.method) {
                operations.push(self.operation(op, &specs[i]));
            }
        }
        let invariant = self.low.method_id(invariant);
        let class = self.low.class_id(class);
        Some(Checked { class, kind, invariant, operations })
    }
}
