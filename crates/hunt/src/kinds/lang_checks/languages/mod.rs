//! Small languages made at random, each with one check: what examples never vary is varied here, above all the shapes of checks.

mod inference;
mod programs;
mod relations;
mod shapes;
mod states;

use work::Chance;

/// A language with one check.
pub struct Made {
    pub text: String,
    /// The names of the inputs of the check, environments before the programs over them.
    pub inputs: Vec<&'static str>,
}

pub fn make(seed: u64) -> Made {
    let mut chance = Chance::new(seed);
    let family = chance.below(10);
    let writer = Writer { chance, text: "language made\n".to_string(), rules: 0 };
    match family {
        0..=4 => programs::make(writer),
        5 | 6 => states::make(writer),
        7 | 8 => relations::make(writer),
        _ => inference::make(writer),
    }
}

/// A text under way, and the choices that make it.
struct Writer {
    chance: Chance,
    text: String,
    rules: u32,
}

impl Writer {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        self.chance.pick(from).clone()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.chance.one_in(n)
    }

    /// An axiom, or a rule with premises.
    fn rule(&mut self, premises: &[String], conclusion: impl AsRef<str>) {
        self.rules += 1;
        let (name, conclusion) = (format!("R{}", self.rules), conclusion.as_ref());
        if premises.is_empty() {
            self.line(format!("  {conclusion}  [{name}]"));
        } else {
            let above = premises.join("   ");
            self.text.push_str(&format!("\n  {above}\n  ------------------------------ {name}\n  {conclusion}\n\n"));
        }
    }

    /// The last line: a check, perhaps with bounds of its own.
    fn check(mut self, bounds: &str, premises: &str, conclusion: &str, inputs: Vec<&'static str>) -> Made {
        if self.one_in(6) {
            self.line(format!("check c bounds {bounds} : {premises} => {conclusion}"));
        } else {
            self.line(format!("bounds {bounds}"));
            self.line(format!("check c : {premises} => {conclusion}"));
        }
        Made { text: self.text, inputs }
    }
}
