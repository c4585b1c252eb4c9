//! The small scope hypothesis (Table 6.5): by which size the seeded errors of each language show up.

use crate::Name;
use crate::measure::Subject;
use crate::paper::{FIGURE_10, TABLE_6_4, TABLE_6_5};
use std::path::Path;

pub fn table_6_5(is_quick: bool, only: Option<Name>, limit: f64) -> Result<(), String> {
    let sizes = TABLE_6_5.len() as i64;
    let heading: Vec<String> = (1..=sizes).map(|n| format!("{n:>4}")).collect();
    println!("errors that show up by size n, in percent\n\nlanguage       errors {}", heading.join(" "));
    let row = |title: &str, errors: usize, percent: &[u32]| {
        let percent: Vec<String> = percent.iter().map(|p| format!("{p:>4}")).collect();
        println!("{title:14} {errors:>6} {}", percent.join(" "));
    };
    row("dissertation", 25, &TABLE_6_5);
    let mut late = Vec::new();
    for subject in TABLE_6_4.iter().chain(FIGURE_10).filter(|s| only.is_none_or(|o| o == s.name)) {
        let (folder, file) = subject.path.rsplit_once('/').unwrap_or(("", subject.path));
        let bugs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java").join(folder).join("bugs");
        let entries = std::fs::read_dir(&bugs).map_err(|e| format!("{}: {e}", bugs.display()))?;
        let mut names: Vec<String> =
            entries.filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().to_string())).collect();
        names.sort_unstable();
        let mut found: Vec<i64> = Vec::new();
        for name in &names {
            let bug = Subject::load(&format!("{folder}/bugs/{name}/{file}"))?;
            match bug.smallest(1..=if is_quick { 3 } else { sizes }, limit.max(crate::SECONDS)) {
                Ok(Some(n)) => found.push(n),
                Ok(None) => late.push(format!(
                    "{}: {name} does not show up{}",
                    subject.title,
                    higher(&bugs.join(name).join(file))
                )),
                Err(why) => late.push(format!("{}: {name} {why}", subject.title)),
            }
        }
        let by = |n: i64| (100 * found.iter().filter(|&&size| size <= n).count() / names.len().max(1)) as u32;
        row(subject.title, names.len(), &(1..=sizes).map(by).collect::<Vec<u32>>());
    }
    late.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Where an error that needs a higher tree shows up: its file says so.
fn higher(bug: &Path) -> String {
    let text = std::fs::read_to_string(bug).unwrap_or_default();
    let size = text.split_once("Smallest size: ").and_then(|(_, rest)| rest.split_once('.'));
    size.map_or(String::new(), |(n, _)| {
        format!(
            " before size {n}: up to size {} a balanced tree is too low for its smallest program",
            n.parse::<i64>().map_or(0, |n| n - 1)
        )
    })
}
