//! `java-library`: classes of the JDK on a JVM and here. Each operation that a specification in `specs/` marks runs from random valid states: on
//! a JVM, which makes them by reflection, and in our interpreter. Both must return the same or throw the same, leave the same objects, field by
//! field, and find that the invariant and all postconditions hold: there, `javac` compiled them.
//!
//! A seed is a specification, a size, and some states for each of its operations. The code on the JVM is that of the JDK's sources, with the
//! members of the specification put behind (`scripts/WeaveEach.java`, once for all seeds); `scripts/ReplayEach.java` makes states and runs.

mod graph;

use crate::{Disagreement, Found, Kind};
use graph::Graph;
use ir::check::{Judgement, check_state};
use ir::interp::{Interp, Linked, NoChoice, Outcome};
use ir::replay::heap_of;
use ir::space::{Concrete, Shape, Space};
use ir::{Checked, MethodId, Operation, OperationKind, Program, Spec, SpecArgument, Ty, Value};
use search::{Described, Session};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use work::{Chance, with_room};

pub fn kind() -> Kind {
    Kind {
        name: "java-library",
        about: "classes of the JDK with their specifications: random states on a JVM, against our interpreter",
        ci: 8,
        attempt,
    }
}

/// How many for an operation, and how many values are drawn for each.
#[derive(Clone, Copy)]
struct States {
    size: i64,
    count: usize,
    draws: usize,
}

fn attempt(seed: u64) -> Found {
    let names: Vec<&str> = java::specs::all().collect();
    let (name, round) = (names[seed as usize % names.len()], seed / names.len() as u64);
    let mut chance = Chance::new(seed);
    let states = match name {
        // Trees of HashMap begin with eight entries in a bin; a solver takes long to find such states.
        "java.util.HashMap.TreeNode" => States { size: 8, count: 1, draws: 3 },
        // At size 6 it takes minutes.
        "java.util.LinkedHashMap" | "java.util.LinkedHashSet" => States { size: 3, count: 4, draws: 10 },
        _ => States { size: 3 + (round % 4) as i64, count: 4, draws: 10 },
    };
    let woven = match woven() {
        Ok(woven) => woven,
        Err(why) => return Found::Skipped(why.clone()),
    };
    let compared = with_room(|| compare(woven, name, states, &mut chance)).unwrap_or_else(|e| Err(e.to_string()));
    let disagreed = |answers| {
        let input = format!("{name} at size {}, seed {seed}", states.size);
        Found::Disagreed(Box::new(Disagreement { input, answers }))
    };
    match compared {
        // Every operation of every specification is compared: there is no reason to leave one out.
        Err(why) => disagreed(vec![("nothing was compared".to_string(), why)]),
        Ok(compared) if !compared.wrong.is_empty() => disagreed(compared.wrong),
        Ok(compared) if compared.has_thrown => Found::Agreed("returned and thrown"),
        Ok(_) => Found::Agreed("returned"),
    }
}

struct Compared {
    wrong: Vec<(String, String)>,
    has_thrown: bool,
}

/// A call: the commands that make it on the JVM, and the answer that is expected.
struct Call {
    text: String,
    expected: String,
    operation: String,
}

fn compare(woven: &Path, name: &str, states: States, chance: &mut Chance) -> Result<Compared, String> {
    let size = states.size;
    let library = library::Library::open(&[home()?.join("lib/src.zip")]).map_err(|d| d[0].message.clone())?;
    let (file, text) = java::specs::find(name).map_err(|d| d.message)?;
    let mut sources = source::SourceMap::default();
    let file = sources.add(file, text);
    let find = |class: &str| library.find(class);
    let beside = |class: &str| library.beside(class);
    let inputs = java::Inputs {
        library: &find,
        beside: &beside,
        abstraction: false,
        ..java::Inputs::new(&mut sources, vec![file])
    };
    let loaded = java::load(inputs).map_err(|problems| problems[0].message.clone())?;
    let linked = Linked::new(&loaded.program);
    let session = Session::new(&linked, size).map_err(|stop| format!("static initialisers: {stop:?}"))?;
    let mut calls = Vec::new();
    let mut wrong = Vec::new();
    for (checked, operation) in loaded.checked.iter().flat_map(|c| c.operations.iter().map(move |o| (c, o))) {
        let title = format!("{}.{}", loaded.program.class(checked.class).name, operation.name);
        let space = session.space(checked, operation, Shape::Complete).map_err(|d| d.message)?;
        let program = &loaded.program;
        let described = Described::new(program, &space, &session.statics, checked, operation, symex::Limits::default());
        let mut described = described.map_err(|stop| format!("{title}: {stop:?}"))?;
        let found = described.random_states(states.count, states.draws, chance)?;
        if found.is_empty() {
            return Err(format!("{title}: there is no valid state"));
        }
        for state in found {
            match call(&session, &space, checked, operation, &state) {
                Ok((text, expected)) => calls.push(Call { text, expected, operation: title.clone() }),
                Err(judgement) => wrong.push((title.clone(), judgement)),
            }
        }
    }
    let has_thrown = calls.iter().any(|c| !c.expected.starts_with("returned"));
    let (told, problem) = on_the_jvm(woven, name, size, &calls)?;
    if !problem.is_empty() {
        wrong.push(("the JVM".into(), problem));
    }
    for (number, call) in calls.iter().enumerate() {
        let told = told.iter().find_map(|line| line.strip_prefix(&format!("{number}\t"))).unwrap_or("nothing");
        if told != call.expected {
            wrong.push((call.operation.clone(), format!("\n{}here: {}\nJVM:  {told}", call.text, call.expected)));
        }
    }
    Ok(Compared { wrong, has_thrown })
}

/// The commands that make a call on the JVM, and what our interpreter makes of it.
fn call(
    session: &Session<'_>,
    space: &Space,
    checked: &Checked,
    operation: &Operation,
    state: &Concrete,
) -> Result<(String, String), String> {
    let linked = session.linked;
    let program = linked.program;
    let before = heap_of(linked, &session.heap, space, state);
    let mut judge = Interp::new(linked, before.clone(), NoChoice, session.size);
    match check_state(&mut judge, checked, operation, space.main, &state.arguments) {
        Judgement::Fine => {}
        judgement => return Err(format!("{judgement:?} on {state:?}")),
    }
    let mut roots: Vec<Value> = space.main.map(Value::Obj).into_iter().collect();
    roots.extend(&state.arguments);
    let mut text = graph::commands(linked, &before, &roots, space.main);
    let specs = |all: &[Spec]| all.iter().map(|s| spec(program, checked, s)).collect::<Vec<String>>().join(";");
    let method = program.method(operation.method);
    let class = &program.class(checked.class).name;
    text.push_str(&format!("run\t{class}\t{}\t", signature(program, operation.method)));
    let mut after = vec![specs(&operation.postconditions)];
    after.extend(operation.made.map(|_| "valid:result".to_string()));
    after.retain(|spec| !spec.is_empty());
    text.push_str(&format!("{}\t{}", specs(&operation.preconditions), after.join(";")));
    let arguments = state.arguments.iter().map(|&a| format!("\t{}", graph::reference(a, space.main)));
    text.extend(arguments);
    text.push('\n');

    let mut interp = Interp::new(linked, before, NoChoice, session.size);
    let mut object = space.main;
    if operation.kind == OperationKind::Constructor {
        object = Some(interp.heap.allocate(&linked.layout, method.class));
    }
    let mut given: Vec<Value> = match operation.kind {
        OperationKind::Static => Vec::new(),
        _ => object.map(Value::Obj).into_iter().collect(),
    };
    given.extend(&state.arguments);
    let outcome = interp.run_virtual(operation.method, &given);
    let mut end = String::from("returned");
    let mut result = None;
    match outcome {
        Outcome::Normal(value) => result = value,
        Outcome::Threw(exception) => {
            end = program.class(interp.class_of(exception)).name.clone();
            object = object.filter(|_| operation.kind != OperationKind::Constructor);
        }
        Outcome::Stop(stop) => return Err(format!("{stop:?}")),
    }
    let object = object.filter(|_| operation.kind != OperationKind::Static);
    let mut roots = vec![object.map_or(Value::Null, Value::Obj)];
    roots.extend(&state.arguments);
    roots.extend(result.filter(|_| method.return_ty != Ty::Void && !method.is_constructor));
    Ok((text, format!("{end}\t{}", Graph::of(linked, &interp.heap, &roots))))
}

fn spec(program: &Program, checked: &Checked, spec: &Spec) -> String {
    let given = spec.arguments.iter().map(|argument| match argument {
        SpecArgument::PreState => "before".to_string(),
        SpecArgument::Parameter(index) => index.to_string(),
        SpecArgument::Before(index) => format!("before {index}"),
        SpecArgument::Result => "result".to_string(),
    });
    // Not in the source: an argument that is an object of the class is valid.
    let is_made = program.method(spec.method).name_span == program.method(checked.invariant).name_span;
    let method = match program.method(spec.method).name.starts_with('@') {
        // Nor that it has no array that the checked one owns.
        true => {
            let fields = program.instance_fields(checked.class).into_iter().map(|f| program.field(f));
            let owned = fields.filter(|f| f.bound.owned && matches!(f.ty, Ty::Array(_))).map(|f| f.name.as_str());
            format!("apart {}", owned.collect::<Vec<&str>>().join("/"))
        }
        false if is_made => "valid".to_string(),
        false => signature(program, spec.method),
    };
    format!("{method}:{}", given.collect::<Vec<String>>().join(","))
}

/// A method as reflection names it, with simple names of types.
fn signature(program: &Program, method: MethodId) -> String {
    let method = program.method(method);
    let types = method.parameters.iter().map(|p| match p.bound.format {
        Some(ir::float::Format::Single) => "float".to_string(),
        Some(ir::float::Format::Double) => "double".to_string(),
        None => program.ty_name(p.ty).rsplit('.').next().unwrap_or_default().to_string(),
    });
    let name = if method.is_constructor { "<init>" } else { &method.name };
    format!("{name}({})", types.collect::<Vec<String>>().join(","))
}

/// The folder with everything compiled; the reason if that is not possible here.
fn woven() -> &'static Result<PathBuf, String> {
    static WOVEN: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    WOVEN.get_or_init(|| {
        let root = root();
        // Beside the program: there is one such folder, and it is made anew.
        let folder = std::env::current_exe().map_err(|e| e.to_string())?.with_file_name("java-library");
        let _ = std::fs::remove_dir_all(&folder);
        let specs = java::specs::all().map(|name| {
            let file = name.strip_prefix("java.util.").unwrap_or(name);
            format!("specs/java.util/{file}.java")
        });
        let home = home()?;
        let run = Command::new(home.join("bin/java"))
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "scripts/WeaveEach.java"])
            .args([folder.as_path(), &home.join("lib/src.zip")])
            .args(["java/glassbox", "scripts/ReplayEach.java"])
            .args(specs)
            .current_dir(root)
            .output()
            .map_err(|e| format!("java: {e}"))?;
        match run.status.success() {
            true => Ok(folder),
            false => Err(format!("not compiled: {}", String::from_utf8_lossy(&run.stderr))),
        }
    })
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The JDK whose sources are checked: its own JVM runs them.
fn home() -> Result<PathBuf, String> {
    let homes = library::src_zips().into_iter().filter_map(|zip| Some(zip.ancestors().nth(2)?.to_path_buf()));
    let mut of_17 = homes.filter(|home| library::is_17(home) && home.join("bin/java").is_file());
    of_17.next().ok_or_else(|| "there is no JDK 17 with its sources".to_string())
}

/// The lines that it prints, and what it complains about.
fn on_the_jvm(woven: &Path, name: &str, size: i64, calls: &[Call]) -> Result<(Vec<String>, String), String> {
    let file = name.strip_prefix("java.util.").unwrap_or(name);
    let patch =
        format!("java.base={}:{}", woven.join(file).join("classes").display(), woven.join("glassbox").display());
    let mut child = Command::new(home()?.join("bin/java"))
        .args(["-ea", "-esa", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--patch-module", &patch])
        .args(["--add-opens", "java.base/java.util=ALL-UNNAMED", "--add-opens", "java.base/java.lang=ALL-UNNAMED"])
        .args(["--add-opens", "java.base/glassbox=ALL-UNNAMED", "-cp"])
        .args([woven.join("run").as_path(), Path::new("ReplayEach")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("java: {e}"))?;
    let mut stdin = child.stdin.take().ok_or("no input")?;
    let text: String = calls
        .iter()
        .enumerate()
        .map(|(number, call)| format!("case\t{number}\t-\nsize\t{size}\n{}", call.text))
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    // It may have ended before all was read: then it says so.
    let _ = writer.join();
    let told = String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect();
    Ok((told, String::from_utf8_lossy(&output.stderr).into_owned()))
}
