//! The plugin `bounded` on the modules of its tests: seconds by module and bound. One thread.

use hob::bounded::{Task, space, translate};
use hob::program::ModuleId;
use hob::{FileKind, Input, Program};
use ir::interp::Linked;
use search::{Options, Outcome, Session, Strategy};
use source::SourceMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use work::with_room;

const MODULES: [&str; 7] = ["sequence", "list", "dlist", "arrayset", "tree", "hashtable", "bag"];

/// A bound of a module that takes longer is given up.
const SECONDS: u64 = 120;

pub fn table(is_quick: bool) -> Result<(), String> {
    let bounds: &[i64] = if is_quick { &[2, 4] } else { &[2, 4, 6, 8] };
    let heads: Vec<String> = bounds.iter().map(|n| format!("{n:>9}")).collect();
    println!(
        "\nbounded: seconds with so many objects of each type\n{:<12} {:>5} {}",
        "module",
        "procs",
        heads.join(" ")
    );
    for module in MODULES {
        let program = load(module)?;
        let plugin_use = program.modules[0].plugins.first().ok_or("no plugin")?;
        let task = translate(&program, ModuleId(0), plugin_use).map_err(|e| format!("{e:?}"))?;
        let mut line = format!("{module:<12} {:>5}", program.modules[0].procs.len());
        for &n in bounds {
            match with_room(|| seconds(&program, &task, n)).map_err(|e| e.to_string())?? {
                Some(seconds) => line += &format!(" {seconds:>9.2}"),
                None => {
                    line += &format!(" {:>9}", format!("> {SECONDS}"));
                    break;
                }
            }
        }
        println!("{line}");
    }
    Ok(())
}

/// Of all operations with this bound. None: too many.
pub fn seconds(hob: &Program, task: &Task, n: i64) -> Result<Option<f64>, String> {
    let linked = Linked::new(&task.program);
    let session = Session::new(&linked, n).map_err(|e| format!("{e:?}"))?;
    let start = Instant::now();
    let deadline = start + Duration::from_secs(SECONDS);
    for (operation, described) in task.checked.operations.iter().enumerate() {
        let space = Arc::new(space::space(hob, task, operation, n));
        let options = Options {
            size: n,
            shape: ir::space::Shape::Complete,
            strategy: Strategy::Execution,
            certify: false,
            limits: symex::Limits { steps: 20_000, depth: 1_000, ..Default::default() },
            stop: work::Stop::default().until(Some(deadline)),
            beside: Arc::default(),
            progress: Arc::default(),
            observe: None,
            rein: None,
        };
        match session.search(&space, &task.checked, described, &options).0 {
            Outcome::Verified => {}
            _ if Instant::now() >= deadline => return Ok(None),
            other => return Err(format!("{} with {n}: {other:?}", task.name(hob, operation))),
        }
    }
    Ok(Some(start.elapsed().as_secs_f64()))
}

fn load(module: &str) -> Result<Program, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hob/tests/modules");
    let mut sources = SourceMap::default();
    let mut files = Vec::new();
    for end in ["fl", "sl", "al"] {
        let name = format!("{module}.{end}");
        let text = std::fs::read_to_string(folder.join(&name)).map_err(|e| e.to_string())?;
        let kind = FileKind::of(&name).ok_or("a kind of file")?;
        files.push((sources.add(name, text.clone()), kind, text));
    }
    let inputs: Vec<Input> = files.iter().map(|(file, kind, text)| Input { file: *file, kind: *kind, text }).collect();
    let loaded = hob::load(&inputs);
    loaded.program.ok_or_else(|| format!("{module}: {:?}", loaded.diagnostics.first()))
}
