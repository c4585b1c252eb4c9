//! Java classes, as the command line gives them.

use crate::args::{Check, Engine, Search, TreeShape};
use crate::inputs;
use crate::session::Teller;
use drive::classes::{self, Behaves, Options};
use drive::{Audience, Event, keep};
use ir::space::Shape;
use java::Inputs;
use library::Library;
use source::{Diagnostic, SourceMap};
use std::path::PathBuf;
use std::sync::Arc;
use verdict::{Assumption, AssumptionKind};
use work::Stop;

pub fn check(arguments: &Check, files: &[PathBuf], sources: &mut SourceMap, stop: &Stop, teller: &mut Teller) {
    match load(arguments, files, sources) {
        Ok(mut loaded) => {
            let warnings = std::mem::take(&mut loaded.warnings);
            teller.tell(Event::Sources(Arc::new(sources.clone())));
            teller.tell(Event::Warnings(warnings));
            let options = keep(options(arguments));
            teller.watch(&options.states);
            let loaded = keep(loaded);
            let checked = classes::check(loaded, options, stop, teller);
            let rests_on = loaded.replaced.iter().map(|r| replaced(r, &loaded.modules, &checked));
            let rests_on = rests_on.chain(loaded.models.iter().map(modelled));
            teller.tell(Event::RestsOn(rests_on.chain(loaded.taken.iter().map(|class| taken(class))).collect()));
        }
        Err(errors) => {
            teller.tell(Event::Sources(Arc::new(sources.clone())));
            teller.tell(Event::Errors(errors));
        }
    }
}

fn load(arguments: &Check, files: &[PathBuf], sources: &mut SourceMap) -> Result<java::Loaded, Vec<Diagnostic>> {
    let mut files = inputs::read(sources, files)?;
    for class in &arguments.spec {
        let (name, text) = java::specs::find(class).map_err(|problem| vec![problem])?;
        files.push(sources.add(name, text));
    }
    let library = Library::open(&arguments.source_path)?;
    let find = |class: &str| library.find(class);
    let beside = |class: &str| library.beside(class);
    let (class, method) = (arguments.class.clone(), arguments.method.clone());
    let abstraction = !arguments.no_abstraction;
    let replace = arguments.replace.clone();
    let commute = arguments.commute.iter().map(|names| names_of(names)).collect();
    // Of a block alone, nothing else is asked.
    let (block, abstraction) = (arguments.block.clone(), abstraction && arguments.block.is_none());
    java::load(Inputs {
        library: &find,
        beside: &beside,
        looked_in: library.places(),
        class,
        method,
        abstraction,
        replace,
        commute,
        block,
        takes_specs: true,
        ..Inputs::new(sources, files)
    })
}

/// `put(int,Object),remove` are two: commas within parentheses belong to a signature.
fn names_of(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match names.last_mut() {
            Some(last) if c != ',' || depth > 0 => last.push(c),
            _ => names.push(String::new()),
        }
    }
    names.into_iter().map(|name| name.trim().to_string()).collect()
}

/// What an answer rests on that has an abstraction in the place of a module.
fn replaced((module, abstraction): &(String, String), compared: &[java::Module], checked: &[Behaves]) -> Assumption {
    let is_it = |b: &&Behaves| (&b.module, &b.abstraction) == (module, abstraction);
    let is_compared = compared.iter().any(|m| (&m.name, &m.abstraction) == (module, abstraction));
    let how = match checked.iter().find(is_it) {
        Some(behaves) => format!("checked up to size {} in this run, for arguments within its bounds", behaves.size),
        None if is_compared => "checked in this run, and not verified".to_string(),
        None => "not checked in this run".to_string(),
    };
    let message = format!("{module} behaves like {abstraction}: {how}");
    Assumption { kind: AssumptionKind::Trusted, name: module.clone(), message, span: None }
}

/// What an answer rests on that has a model in the place of a method.
fn modelled((method, model): &(String, source::Span)) -> Assumption {
    let message = format!("`{method}` does what its model in the specification does: its own code was not looked at");
    Assumption { kind: AssumptionKind::Trusted, name: method.clone(), message, span: Some(*model) }
}

/// What an answer rests on whose states hold objects of the library as a specification describes them.
fn taken(class: &str) -> Assumption {
    let message =
        format!("a `{class}` is as the specification says that comes with the command: `--spec {class}` checks that");
    Assumption { kind: AssumptionKind::Trusted, name: class.to_string(), message, span: None }
}

fn options(arguments: &Check) -> Options {
    Options {
        sizes: arguments.size.first..=arguments.size.last,
        engine: match arguments.engine {
            Engine::Auto => classes::Engine::Auto,
            Engine::Glassbox => classes::Engine::Glassbox,
            Engine::Exhaustive => classes::Engine::Exhaustive,
        },
        by_models: arguments.search == Search::Models,
        shape: match arguments.shape {
            TreeShape::Complete => Shape::Complete,
            TreeShape::Any => Shape::Any,
        },
        threads: arguments.threads(),
        certify: arguments.certify,
        max_steps: arguments.max_steps,
        is_counted: !arguments.quiet,
        is_bounds_told: arguments.show_bounds,
        ..Options::default()
    }
}
