fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut map = source::SourceMap::default();
        let id = map.add(&path, &text);
        let file = lang::syntax::parse(&text, id);
        for d in &file.diagnostics {
            let at = d.span.map(|s| map.start(s));
            println!(
                "{path}:{}:{}: {} {:?}: {} | {}",
                at.map_or(0, |a| a.line),
                at.map_or(0, |a| a.column),
                d.id,
                d.severity,
                d.message,
                d.help.clone().unwrap_or_default()
            );
        }
        for l in file.langs() {
            println!(
                "{} sorts {} prods {} judgments {} rules {} checks {}",
                l.name,
                l.sorts.len(),
                l.prods.len(),
                l.judgments.len(),
                l.rules.len(),
                l.checks.len()
            );
            for s in &l.sorts {
                println!(
                    "   {} tree={} {}",
                    s.name,
                    s.is_tree,
                    match &s.kind {
                        lang::SortKind::Sub { base, .. } => format!("sub of {}", l.sort(*base).name),
                        lang::SortKind::Context { base, .. } => format!("contexts of {}", l.sort(*base).name),
                        k => format!("{k:?}").split('{').next().unwrap().to_string(),
                    }
                );
            }
        }
    }
}
