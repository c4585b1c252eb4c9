//! Colours, or none.

use anstyle::{AnsiColor, Style};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    pub color: bool,
}

impl Paint {
    fn with(self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::Green.on_default(), text)
    }

    pub fn bad(self, text: &str) -> String {
        self.with(AnsiColor::Red.on_default().bold(), text)
    }

    /// Also what changed.
    pub fn warn(self, text: &str) -> String {
        self.with(AnsiColor::Yellow.on_default().bold(), text)
    }

    pub fn strong(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    pub fn faint(self, text: &str) -> String {
        self.with(Style::new().dimmed(), text)
    }
}
