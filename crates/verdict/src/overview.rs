//! A program of modules as a whole: who proves what, how far, what rests on what, and how objects move between sets.

/// Of a check of all modules, or of one that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// All of it was asked for: a part says nothing of the whole.
    pub is_whole: bool,
    pub modules: Vec<ModuleRow>,
    pub scopes: Vec<ScopeBox>,
    /// The module that the program starts in.
    pub main: Option<String>,
    /// Modules that are trusted and that calls from there lead to.
    pub open: Vec<String>,
    /// How many times the modules that calls from there lead to assume something.
    pub assumed: usize,
}

impl Overview {
    /// Whether nothing that the program runs is trusted; None if there is no program to start.
    pub fn is_closed(&self) -> Option<bool> {
        self.main.as_ref().map(|_| self.open.is_empty())
    }
}

/// One part of a module: what one plugin checks, or what nobody does.
#[derive(Clone, Debug)]
pub struct ModuleRow {
    pub name: String,
    /// As the abstraction names it; None if there is no abstraction.
    pub plugin: Option<String>,
    pub proved: Proved,
    /// Other modules whose contracts its code relies on.
    pub rests_on: Vec<String>,
    pub sets: Vec<String>,
    pub moves: Vec<Move>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proved {
    AllHeaps,
    /// On all heaps up to the bound.
    UpTo(i64),
    Trusted,
    Violated,
    Unknown,
}

impl Proved {
    /// As in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Proved::AllHeaps => "all-heaps",
            Proved::UpTo(_) => "up-to",
            Proved::Trusted => "trusted",
            Proved::Violated => "violated",
            Proved::Unknown => "unknown",
        }
    }
}

#[derive(Clone, Debug)]
pub struct ScopeBox {
    pub name: String,
    pub modules: Vec<String>,
    pub exports: Vec<String>,
}

/// A procedure takes an object from one set to another; from or to nowhere if None.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Move {
    pub from: Option<String>,
    pub to: Option<String>,
    pub procedure: String,
}
