//! Objects with the sets they are in, at entry and now, and what variables hold.

use std::fmt::Write;
use verdict::SetsExample;

pub fn render(text: &mut String, example: &SetsExample) {
    for line in lines(example) {
        let _ = writeln!(text, "{}", format!("    {line}").trim_end());
    }
}

fn lines(example: &SetsExample) -> Vec<String> {
    let mut rows = Vec::new();
    for (object, (name, ty)) in example.objects.iter().enumerate() {
        let within = |is_now: bool| {
            let inside = example.sets.iter().filter(|s| if is_now { &s.now } else { &s.entry }.contains(&object));
            let names: Vec<&str> = inside.map(|s| s.name.as_str()).collect();
            if names.is_empty() { "–".to_owned() } else { names.join(", ") }
        };
        rows.push([name.clone(), ty.clone().unwrap_or_default(), within(false), within(true)]);
    }
    for boolean in &example.booleans {
        rows.push([boolean.name.clone(), String::new(), boolean.entry.to_string(), boolean.now.to_string()]);
    }
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let (name, ty, entry) = (width(0), width(1), width(2).max("at entry".len()));
    let mut lines = Vec::new();
    if !rows.is_empty() {
        let head = name + usize::from(ty > 0) * (ty + 1);
        lines.push(format!("{:head$}  {:entry$}  now", "", "at entry"));
        for row in &rows {
            let of_type = if ty > 0 { format!(" {:ty$}", row[1]) } else { String::new() };
            lines.push(format!("{:name$}{of_type}  {:entry$}  {}", row[0], row[2], row[3]));
        }
    }
    let variables: Vec<String> = example.variables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !variables.is_empty() {
        lines.push(variables.join(", "));
    }
    lines
}
