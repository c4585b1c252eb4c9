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
    let mut rows = folded(rows, |name| example.variables.iter().any(|(_, value)| value == name));
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

/// So many rows that say the same become one.
const ALIKE: usize = 5;

/// Rows of objects that no variable holds and that are in the same sets, in a line: from the first to the last.
fn folded(rows: Vec<[String; 4]>, is_held: impl Fn(&str) -> bool) -> Vec<[String; 4]> {
    let says_same = |a: &[String; 4], b: &[String; 4]| a[1..] == b[1..] && !is_held(&a[0]) && !is_held(&b[0]);
    let mut out = Vec::new();
    for alike in rows.chunk_by(says_same) {
        match alike {
            [first, .., last] if alike.len() >= ALIKE => {
                let [_, ty, entry, now] = first.clone();
                out.push([format!("{} … {}", first[0], last[0]), ty, entry, now]);
            }
            _ => out.extend_from_slice(alike),
        }
    }
    out
}
