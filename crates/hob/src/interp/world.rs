//! What is outside of a program: its input, its output and its files. The caller provides it, because engines neither read nor print.

use std::collections::VecDeque;

/// `Send`, because a program runs on a thread of its own that has a large stack.
pub trait World: Send {
    fn print(&mut self, text: &str);

    /// The next line without its end; None at the end of the input.
    fn read_line(&mut self) -> Option<String>;

    fn file(&mut self, name: &str) -> Result<Vec<u8>, Refused>;

    /// Puts that into a file, which is made if need be.
    fn save(&mut self, _name: &str, _bytes: &[u8]) -> Result<(), Refused> {
        Err(Refused::NotAllowed)
    }

    /// Seconds since 1970.
    fn now(&self) -> f64 {
        0.0
    }

    /// Asked every few thousand steps: whether to stop.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Why a file is not opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    Missing,
    NotAllowed,
    Failed(String),
}

/// A world in memory: input, output and files are texts.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub input: VecDeque<String>,
    pub output: String,
    pub files: Vec<(String, Vec<String>)>,
}

impl Script {
    /// With these lines to read.
    pub fn reading(lines: &str) -> Script {
        Script { input: lines.lines().map(String::from).collect(), ..Script::default() }
    }
}

impl World for Script {
    fn print(&mut self, text: &str) {
        self.output.push_str(text);
    }

    fn read_line(&mut self) -> Option<String> {
        self.input.pop_front()
    }

    fn file(&mut self, name: &str) -> Result<Vec<u8>, Refused> {
        let found = self.files.iter().find(|(n, _)| n == name);
        found.map(|(_, lines)| lines.join("\n").into_bytes()).ok_or(Refused::Missing)
    }

    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), Refused> {
        let lines = String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
        self.files.retain(|(n, _)| n != name);
        self.files.push((name.to_owned(), lines));
        Ok(())
    }
}
