#[test]
fn scratch() {
    let Ok(paths) = std::env::var("SCRATCH") else { return };
    for path in paths.split_whitespace() {
        let mut sources = source::SourceMap::default();
        let file = sources.add(path, std::fs::read_to_string(path).unwrap());
        let r = java::load(java::Inputs { sources: &mut sources, files: vec![file], library: &java::no_library, class: None, method: None });
        match r {
            Ok(l) => {
                if std::env::var("ALL").is_ok() { println!("{}", ir::print::program(&l.program)); }
                for p in ir::wellformed::problems(&l.program) { println!("{path}: ILL-FORMED {p}"); }
                let ops: Vec<_> = l.checked.iter().flat_map(|c| c.operations.iter().map(|o| o.name.clone())).collect();
                println!("{path}: ok {ops:?}");
            }
            Err(ds) => for d in ds {
                let at = d.span.map(|s| { let p = sources.start(s); format!("{}:{}:{}", sources.file(s.file).name, p.line, p.column) });
                println!("{path}: {:?} {}: {} help {:?} rel {:?}", at, d.id, d.message, d.help, d.related.len());
            }
        }
    }
}
