//! What is outside of a program: its input, its output and its files. The caller provides it, because engines neither read nor print.

use std::collections::VecDeque;

/// `Send`, because a program runs on a thread of its own that has a large stack.
pub trait World: Send {
    fn print(&mut self, text: &str);

    /// The next line without its end; None at the end of the input.
    fn read_line(&mut self) -> Option<String>;

    /// The lines of a file; None if it cannot be read.
    fn file(&mut self, name: &str) -> Option<Vec<String>>;

    /// Asked every few thousand steps: whether to stop.
    fn interrupted(&self) -> bool {
        false
    }
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

    fn file(&mut self, name: &str) -> Option<Vec<String>> {
        self.files.iter().find(|(n, _)| n == name).map(|(_, lines)| lines.clone())
    }
}
