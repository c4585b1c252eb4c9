use ir::interp::*;
#[test]
fn lib() {
    with_stack(|| {
    let text = std::fs::read_to_string("/tmp/jvm/Lib.java").unwrap();
    let only = std::env::var("ONLY").ok();
    let mut sources = source::SourceMap::default();
    let file = sources.add("Lib.java", text);
    let library = |name: &str| { let p = format!("/tmp/jdk/java.base/{}.java", name.replace('.', "/")); std::fs::read_to_string(&p).ok().map(|t| (p, t)) };
    let t = std::time::Instant::now();
    let r = java::load(java::Inputs { sources: &mut sources, files: vec![file], library: &library, class: None, method: only });
    println!("loaded in {:?}", t.elapsed());
    match r {
        Ok(l) => {
            for p in ir::wellformed::problems(&l.program) { println!("ILL-FORMED {p}"); }
            println!("{} methods {} classes", l.program.methods.len(), l.program.classes.len());
            let linked = Linked::new(&l.program);
            for op in &l.checked[0].operations {
                let heap = match run_statics(&linked, 3) { Ok(h) => h, Err(s) => { println!("statics {s:?}"); return; } };
                let mut i = Interp::new(&linked, heap, NoChoice, 3);
                println!("{} {:?}", op.name, i.run(op.method, &[]));
            }
        }
        Err(ds) => { println!("{} errors", ds.len()); for d in ds.iter().take(40) {
            let at = d.span.map(|s| { let p = sources.start(s); format!("{}:{}:{}", sources.file(s.file).name, p.line, p.column) });
            println!("{:?} {}: {} help {:?}", at, d.id, d.message, d.help);
        } }
    }
    }).unwrap();
}
