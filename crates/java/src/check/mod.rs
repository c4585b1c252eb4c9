//! What is to be checked (docs/java.md, "What is checked"): classes with an invariant, their operations, the specifications
//! of these. Runs the whole front-end.

mod against;
mod annotations;
mod beside;
mod block;
mod commute;
mod declarative;
mod effects;
mod exceptions;
mod left_out;
mod made;
mod operations;
mod package;
mod receivers;
mod replace;
mod show;
mod specs;
mod taken;

pub use against::{ALLOWED, IS_VALID, LAW, VALID, WRAPPED};
pub use replace::{extends, not_compared, not_made};

use crate::lower::Lowering;
use crate::resolve::*;
use crate::{Inputs, Loaded, prelude};
use ir::{Checked, CheckedKind};
use source::{Diagnostic, FileId, Severity};

pub fn load(mut inputs: Inputs) -> Result<Loaded, Vec<Diagnostic>> {
    let mut without = Vec::new();
    loop {
        let mut taken = Vec::new();
        let mut load = |with_to_string| {
            taken.clear();
            load_with(&mut inputs, with_to_string, &without, &mut taken)
        };
        let loaded = load(true).or_else(|| load(false)).unwrap_or_else(|| Err(Vec::new()));
        // What nobody asked for is in nobody's way.
        let is_about = |d: &Diagnostic, file: FileId| {
            d.id == "type-arguments"
                || d.span.iter().chain(d.related.iter().map(|(at, _)| at)).any(|at| at.file == file)
        };
        match &loaded {
            Err(problems) => match taken.iter().rev().find(|(_, file)| problems.iter().any(|d| is_about(d, *file))) {
                Some((class, _)) => without.push(*class),
                None => return loaded,
            },
            Ok(_) => return loaded,
        }
    }
}

/// None if a `toString` was to show states, and is not supported. Tells the specifications that were taken by themselves.
fn load_with(
    inputs: &mut Inputs,
    with_to_string: bool,
    without: &[&str],
    taken: &mut Vec<(&'static str, FileId)>,
) -> Option<Result<Loaded, Vec<Diagnostic>>> {
    let mut table = Table::new(inputs.sources, inputs.library, inputs.beside);
    prelude::declare(&mut table);
    let (mut units, mut specs) = (Vec::new(), Vec::new());
    for &file in &inputs.files {
        match crate::syntax::parse(table.sources, file).and_then(|mut unit| Ok((beside::take(&mut unit)?, unit))) {
            Ok((found, unit)) => {
                specs.extend(found);
                units.push(unit);
            }
            Err(problems) => table.diagnostics.extend(problems),
        }
    }
    if inputs.takes_specs {
        for class in taken::wanted(&units, &specs).into_iter().filter(|class| !without.contains(class)) {
            let Ok((name, text)) = crate::specs::find(class) else { continue };
            let file = table.sources.add(name, text);
            taken.push((class, file));
            table.taken_files.insert(file);
            let found = crate::syntax::parse(table.sources, file).and_then(|mut unit| beside::take(&mut unit));
            // Nothing is compared with an abstraction, so none need hold what this library class does.
            specs.extend(found.unwrap_or_default().into_iter().filter(|s| !s.is_of_package("glassbox")));
        }
    }
    if !specs.is_empty() && units.iter().any(|unit| !unit.classes.is_empty()) {
        let (name, text) = crate::specs::ELEMENTS;
        let file = table.sources.add(name, text);
        table.taken_files.insert(file);
        if let Ok(unit) = crate::syntax::parse(table.sources, file) {
            let elements = beside::elements(unit, &specs);
            specs.extend(elements);
        }
    }
    beside::weave(&mut table, units, specs, &inputs.looked_in);
    if !table.diagnostics.is_empty() {
        return Some(Err(table.diagnostics));
    }
    replace::replace(&mut table, &inputs.replace);
    let block = inputs.block.as_ref().and_then(|name| block::extend(&mut table, name));
    let orders = commute::extend(&mut table, &inputs.commute);
    let modules = if inputs.abstraction { against::extend(&mut table, inputs.class.as_deref()) } else { Vec::new() };
    if !table.diagnostics.is_empty() {
        return Some(Err(table.diagnostics));
    }
    let mut picker = Picker {
        modules,
        orders,
        low: Lowering::new(table),
        class: inputs.class.clone(),
        method: inputs.method.clone(),
        receiving: Vec::new(),
        not_checked: Vec::new(),
        with_to_string,
    };
    picker.check_annotations();
    let mut checked = match block {
        Some(block) => picker.checked_block(&block),
        None => picker.checked(),
    };
    let modules = picker.loaded_modules(&checked);
    let (mut low, not_checked) = (picker.low, picker.not_checked);
    if !low.finish(&mut checked) {
        return None;
    }
    left_out::say(&low, &mut checked, &not_checked);
    annotations::check_max(&mut low);
    annotations::check_tree_arrays(&mut low);
    declarative::check(&mut low);
    effects::check(&mut low, &mut checked);
    let mut found = std::mem::take(&mut low.table.diagnostics);
    found.sort_by_key(|d| d.span.map(|s| (s.file, s.start)));
    let (errors, warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
        found.into_iter().partition(|d| d.severity == Severity::Error);
    if !errors.is_empty() {
        return Some(Err(errors));
    }
    let name = |class: &ClassIx| low.table.class(*class).name.clone();
    let mut replaced: Vec<(String, String)> = low.table.replaced.iter().map(|(m, a)| (name(m), name(a))).collect();
    replaced.sort_unstable();
    let is_model = |m: &&ir::Method| low.table.models.contains(&m.name_span);
    let named = |m: &ir::Method| (format!("{}.{}", low.program.class(m.class).name, m.name), m.name_span);
    let models = low.program.methods.iter().filter(is_model).map(named).collect();
    let taken = taken.iter().map(|(class, _)| *class).collect();
    Some(Ok(Loaded { program: low.program, checked, modules, replaced, models, taken, warnings }))
}

struct Picker<'a> {
    low: Lowering<'a>,
    /// Classes that are compared with their abstractions.
    modules: Vec<against::Module>,
    /// Classes that run operations of others in both orders.
    orders: Vec<commute::Made>,
    class: Option<String>,
    method: Option<String>,
    /// The classes that are checked.
    receiving: Vec<ClassIx>,
    /// Methods that are not operations, though others may call them.
    not_checked: Vec<left_out::NotChecked>,
    /// Whether a `toString` shows states.
    with_to_string: bool,
}

impl Picker<'_> {
    fn loaded_modules(&mut self, checked: &[Checked]) -> Vec<crate::Module> {
        let is_whole = self.method.is_none();
        let modules = std::mem::take(&mut self.modules);
        let loaded = modules.into_iter().filter(|m| self.receiving.contains(&m.class)).map(|m| {
            let class = self.low.class_id(m.class);
            let made = m.made.into_iter().map(|(c, _)| self.low.class_id(c)).collect();
            let program = &self.low.program;
            let is_alone = |o: &&ir::Operation| o.compared.is_none() && program.method(o.method).name != against::VALID;
            let operations = checked.iter().filter(|c| c.class == class).flat_map(|c| &c.operations);
            crate::Module {
                name: self.low.table.class(m.class).name.clone(),
                abstraction: m.name,
                class,
                made,
                is_whole,
                not_compared: operations.filter(is_alone).map(|o| o.name.clone()).collect(),
                only_abstraction: m.only_abstraction,
            }
        });
        loaded.collect()
    }

    fn checked(&mut self) -> Vec<Checked> {
        let receivers = self.receivers();
        self.receiving = receivers.iter().map(|r| r.class).collect();
        let mut checked = Vec::new();
        for receiver in &receivers {
            if let Some((kind, invariant)) = self.invariant(receiver) {
                checked.extend(self.check_class(receiver.class, kind, invariant));
            }
        }
        if let (Some(wanted), true) =
            (&self.method, !receivers.is_empty() && checked.iter().all(|c| c.operations.is_empty()))
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

    /// A block alone, in objects of its class and of all that extend it.
    fn checked_block(&mut self, block: &block::Made) -> Vec<Checked> {
        let [method, invariant] = [&block.method, &block.invariant].map(|name| self.member(block.class, name));
        let (Some(method), Some(invariant)) = (method, invariant) else { return Vec::new() };
        let is_static = self.low.table.method(method).is_static;
        let classes = if is_static { vec![block.class] } else { self.classes_of_objects(block.class) };
        if classes.is_empty() {
            let info = self.low.table.class(block.class);
            let message = match info.is_enum() {
                true => {
                    format!("`{}` is an enum: a block is checked in objects with any values of the fields", info.name)
                }
                false => format!(
                    "`{}` is abstract, and no class here extends it: there are no objects to check the block in",
                    info.name
                ),
            };
            let help = "move the block into a static method that gets what it uses";
            self.low.error(Diagnostic::error("unsupported", block.span, message).help(help));
        }
        let kind = if is_static { ir::OperationKind::Static } else { ir::OperationKind::Method };
        let candidate = operations::Candidate { method, kind };
        let made = self.low.method_id(method);
        let invariant = self.low.method_id(invariant);
        let mut checked = Vec::new();
        for &class in &classes {
            self.low.operations.push(made);
            let operation = self.operation(&candidate, &specs::Specs::default());
            let operation = ir::Operation {
                name: block.name.clone(),
                span: block.span,
                block: Some(block.label.clone()),
                ..operation
            };
            let class = self.low.class_id(class);
            let kind = CheckedKind::DataStructure;
            checked.push(Checked { class, kind, invariant, operations: vec![operation], show: None });
        }
        self.receiving = classes;
        checked
    }

    /// A class, and those that extend it, as far as objects of them can be made here.
    fn classes_of_objects(&mut self, class: ClassIx) -> Vec<ClassIx> {
        let all = self.low.table.input_classes();
        let all: Vec<ClassIx> = all.into_iter().filter(|c| self.low.table.is_subclass(*c, class)).collect();
        let is_enum = self.low.table.class(class).is_enum();
        all.into_iter().filter(|c| !is_enum && self.low.table.class(*c).has_objects()).collect()
    }

    fn check_class(&mut self, class: ClassIx, kind: CheckedKind, invariant: MethodIx) -> Option<Checked> {
        let mut all = self.operations(class, kind);
        all.extend(self.queries(class, &all));
        if all.is_empty() {
            let info = self.low.table.class(class);
            let message = format!("the class `{}` has an invariant, but no operation to check", info.name);
            let d = Diagnostic::error("no-operation", info.decl.name.span, message);
            self.low.error(d.help("add a method or constructor that is not declarative, or mark one with `@Check`"));
            return None;
        }
        let not_checked = self.not_checked(class, kind, &all);
        self.not_checked.extend(not_checked);
        let specs = self.specs(class, &all);
        if self.method.is_some() {
            // Of the library, what they need is read before what others lead to.
            for op in all.iter().filter(|op| self.is_wanted(op.method)).map(|op| op.method).collect::<Vec<_>>() {
                self.low.method_id(op);
            }
            self.low.run();
        }
        let mut operations = Vec::new();
        for (i, op) in all.iter().enumerate() {
            // What the others do says which states there are.
            let method = self.low.method_id(op.method);
            self.low.operations.push(method);
            if self.is_wanted(op.method) {
                let operation = self.operation(op, &specs[i]);
                let operation = self.compared(class, op.method, operation);
                operations.push(self.ordered(class, operation));
            }
        }
        // Of the module as a whole.
        let validity = if self.method.is_none() { self.validity(class) } else { None };
        operations.extend(validity);
        let invariant = self.low.method_id(invariant);
        self.find_show(class);
        let class = self.low.class_id(class);
        Some(Checked { class, kind, invariant, operations, show: None })
    }
}
