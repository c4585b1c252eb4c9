use search::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    std::thread::Builder::new().stack_size(4 << 30).spawn(move || run(args)).unwrap().join().unwrap();
}
fn run(args: Vec<String>) {
    let mut sources = source::SourceMap::default();
    let file = sources.add(args[1].clone(), std::fs::read_to_string(&args[1]).unwrap());
    let n: i64 = args[2].parse().unwrap();
    let models = args.get(3).is_some_and(|a| a == "models");
    let loaded = java::load(java::Inputs { sources: &mut sources, files: vec![file], library: &java::no_library, class: None, method: std::env::var("METHOD").ok() });
    let loaded = match loaded { Ok(l) => l, Err(d) => { for d in d { println!("{:?} {} {:?}", d.span.map(|s| sources.start(s)), d.message, d.help); } return; } };
    let linked = ir::interp::Linked::new(&loaded.program);
    let heap = ir::interp::run_statics(&linked, n).unwrap();
    let statics = ir::interp::snapshot(&linked, &heap);
    let (mut total, t0) = (0, std::time::Instant::now());
    for checked in &loaded.checked {
        for op in &checked.operations {
            let t = std::time::Instant::now();
            let space = ir::space::Space::new(&loaded.program, checked, op, n, Default::default(), &statics.objects).unwrap();
            let options = Options { size: n, shape: Default::default(), strategy: Strategy::Execution, certify: std::env::var("CERTIFY").is_ok(), limits: Default::default(), deadline: None, stop: Default::default() };
            let (outcome, counts) = if models { search_models(&loaded.program, &space, &statics, checked, op, &options) } else {
                let mut g = GlassBox::new(&loaded.program, &space, &statics, checked, op, &options);
                let o = g.search(); (o, g.counts) };
            total += counts.states_run;
            let o = format!("{outcome:?}");
            println!("{} {} {:.3}s {:?}", op.name, &o[..o.len().min(300)], t.elapsed().as_secs_f64(), counts);
        }
    }
    println!("total {total} in {:.3}", t0.elapsed().as_secs_f64());
}
