//! Java classes, as the command line gives them.

mod library;

use crate::args::{Check, Engine, Search, TreeShape};
use crate::inputs;
use crate::session::Teller;
use drive::classes::{self, Options};
use drive::{Audience, Event, keep};
use ir::space::Shape;
use java::Inputs;
use library::Library;
use source::{Diagnostic, SourceMap};
use std::path::PathBuf;
use std::sync::Arc;
use work::Stop;

pub fn check(arguments: &Check, files: &[PathBuf], sources: &mut SourceMap, stop: &Stop, teller: &mut Teller) {
    match load(arguments, files, sources) {
        Ok(mut loaded) => {
            let warnings = std::mem::take(&mut loaded.warnings);
            teller.tell(Event::Sources(Arc::new(sources.clone())));
            teller.tell(Event::Warnings(warnings));
            let options = keep(options(arguments));
            teller.watch(&options.states);
            classes::check(keep(loaded), options, stop, teller);
        }
        Err(errors) => {
            teller.tell(Event::Sources(Arc::new(sources.clone())));
            teller.tell(Event::Errors(errors));
        }
    }
}

fn load(arguments: &Check, files: &[PathBuf], sources: &mut SourceMap) -> Result<java::Loaded, Vec<Diagnostic>> {
    let files = inputs::read(sources, files)?;
    let library = Library::open(&arguments.source_path)?;
    let find = |class: &str| library.find(class);
    let (class, method) = (arguments.class.clone(), arguments.method.clone());
    java::load(Inputs { sources, files, library: &find, class, method })
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
