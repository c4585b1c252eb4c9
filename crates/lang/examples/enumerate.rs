use lang::enumerate::{Limits, Outcome, run_check};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let max: u32 = args[2].parse().unwrap();
    let bounds = args.get(3);
    let file = lang::syntax::parse(&text, source::FileId(0));
    for d in &file.diagnostics {
        println!("{} {:?}: {}", d.id, d.severity, d.message);
    }
    for l in file.langs() {
        let mut l = l.clone();
        if let Some(b) = bounds {
            match lang::syntax::read_bounds(&l, b, source::FileId(0)) {
                Ok(b) => l.bounds.extend(b),
                Err(d) => println!("{d:?}"),
            }
        }
        for check in &l.checks {
            let start = std::time::Instant::now();
            let r = run_check(&l, check, &Limits::size(max), |e, r| {
                let text = match &r.outcome {
                    Outcome::Fails(f) => {
                        let parts: Vec<String> = check
                            .metas
                            .iter()
                            .zip(&f.assignment)
                            .filter_map(|(m, t)| {
                                t.map(|t| format!("{} = {}", m.name, lang::print::term(&e.interp.terms, t)))
                            })
                            .collect();
                        format!("FAILS size {}: {}", f.size, parts.join(", "))
                    }
                    o => format!("{o:?}"),
                };
                let unused: Vec<&str> = r
                    .coverage
                    .rules
                    .iter()
                    .enumerate()
                    .filter(|(_, w)| w.is_none())
                    .map(|(i, _)| l.rules[i].name.as_str())
                    .collect();
                format!(
                    "{text} | {} assignments, terms {:?}, clipped {} {:?}, unused {unused:?}, {} calls, {} terms",
                    r.assignments,
                    r.terms,
                    r.clipped,
                    r.clipped_instances,
                    e.interp.calls(),
                    e.interp.terms.len()
                )
            });
            println!(
                "{} {}: {:.2?} {}",
                l.name,
                check.name,
                start.elapsed(),
                r.unwrap_or_else(|f| format!("FAULT {f:?}"))
            );
        }
    }
}
