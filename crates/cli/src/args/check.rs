//! What `glassbox check` takes. Options are grouped by the inputs they are for; `misuse` refuses them elsewhere.

use super::{Color, Reading, Sizes, seconds};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Check {
    /// Files and folders: Java sources (.java), definitions of languages (.lang), Dminor programs (.dm, .m), Hob modules (.fl, .sl, .al,
    /// .scope). Each is checked as what it is; a folder is searched for all of these
    #[arg(value_name = "FILE", required_unless_present = "spec")]
    pub files: Vec<PathBuf>,

    /// The bound n; `A..B` runs the sizes one after another and stops at the first violation. Of Hob modules with the plugin `bounded`,
    /// the objects of a heap
    #[arg(
        long,
        short = 'n',
        default_value = "4",
        value_name = "N|A..B",
        help_heading = "Java classes and Hob modules"
    )]
    pub size: Sizes,

    /// Only this class and those that extend it; a nested one as `Outer.Inner`
    #[arg(long, value_name = "CLASS", help_heading = "Java classes")]
    pub class: Option<String>,

    /// Only operations of this name, or with this signature, as `put(int,int)`
    #[arg(long, value_name = "METHOD", help_heading = "Java classes")]
    pub method: Option<String>,

    /// Do not compare classes with their abstractions
    #[arg(long, help_heading = "Java classes")]
    pub no_abstraction: bool,

    /// Check what uses a class with its abstraction in its place, as TreeMap=AbsIntMap
    #[arg(long, value_name = "CLASS=ABSTRACTION", value_parser = super::pair, help_heading = "Java classes")]
    pub replace: Vec<(String, String)>,

    /// Operations that are to give the same results and equal states in any order, as put,remove
    #[arg(long, value_name = "METHOD,METHOD", help_heading = "Java classes")]
    pub commute: Vec<String>,

    /// Only the block with this label, from every value of the fields and variables that it uses
    #[arg(long, value_name = "LABEL", conflicts_with_all = ["method", "class", "commute"], help_heading = "Java classes")]
    pub block: Option<String>,

    /// Check a class of the JDK as it is, against the specification that comes with the command, as java.util.TreeMap
    #[arg(long, value_name = "CLASS", help_heading = "Java classes")]
    pub spec: Vec<String>,

    /// Where the sources of library classes are: a folder, or a .jar or .zip of sources
    #[arg(long, value_name = "PATH", help_heading = "Java classes")]
    pub source_path: Vec<PathBuf>,

    /// How the glass box finds its next state
    #[arg(long, value_enum, default_value_t = Search::Execution, help_heading = "Java classes")]
    pub search: Search,

    /// Which trees size n means
    #[arg(long, value_enum, default_value_t = TreeShape::Complete, help_heading = "Java classes")]
    pub shape: TreeShape,

    /// Steps of one run before it counts as endless
    #[arg(long, value_name = "K", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Java classes")]
    pub max_steps: u64,

    /// Show the lines of operations, and of what they call, that no run reached
    #[arg(long, help_heading = "Java classes")]
    pub coverage: bool,

    /// Show the bounds in force, which of them are defaults, and the raw space they span; then check
    #[arg(long, help_heading = "Java classes")]
    pub show_bounds: bool,

    /// How to search. Of languages, `exhaustive` enumerates programs one by one
    #[arg(long, value_enum, default_value_t = Engine::Auto, help_heading = "Java classes and languages")]
    pub engine: Engine,

    /// Only this language of a file
    #[arg(long, value_name = "NAME", help_heading = "Languages")]
    pub language: Option<String>,

    /// Only this check
    #[arg(long, value_name = "NAME", help_heading = "Languages")]
    pub check: Option<String>,

    /// Other bounds than the file's, as 't: size 12  T: depth 2'
    #[arg(long, value_name = "BOUNDS", help_heading = "Languages")]
    pub bounds: Option<String>,

    /// Change each rule and alternative of a language in turn, and report which changes the checks notice
    #[arg(long, help_heading = "Languages")]
    pub mutate: bool,

    /// Print grammar and rules as a LaTeX figure; nothing is checked
    #[arg(long, help_heading = "Languages")]
    pub latex: bool,

    /// How a program is checked
    #[arg(long, value_enum, default_value_t = By::Conditions, help_heading = "Dminor programs")]
    pub by: By,

    #[command(flatten)]
    pub reading: Reading,

    /// Types need not be well-formed: their conditions may fail on values that nobody tests
    #[arg(long, help_heading = "Dminor programs")]
    pub lenient_types: bool,

    /// The SMT solver: Z3 or cvc5 [default: GLASSBOX_Z3, then z3, then cvc5]
    #[arg(long, value_name = "PATH", help_heading = "Dminor programs")]
    pub solver: Option<PathBuf>,

    /// The work that the solver does in so many seconds, for each condition
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "3", help_heading = "Dminor programs")]
    pub solver_timeout: f64,

    /// Print what is made of the program; nothing is checked
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Dminor programs and Hob modules")]
    pub emit: Option<Emit>,

    /// Draw the modules, their scopes and sets, and the life cycles of their objects
    #[arg(long, value_name = "FILE.svg", help_heading = "Hob modules")]
    pub graph: Option<PathBuf>,

    /// Only this module
    #[arg(long, value_name = "NAME", help_heading = "Hob modules")]
    pub module: Option<String>,

    /// Only this procedure, as `insert` or `List.insert`
    #[arg(long, value_name = "NAME", help_heading = "Hob modules")]
    pub proc: Option<String>,

    /// Every object whose field is used must be there
    #[arg(long, help_heading = "Hob modules")]
    pub check_null: bool,

    /// How many threads [default: as many as there are cores]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "All inputs")]
    pub threads: Option<u32>,

    /// Have every "unsatisfiable" of the solver checked by an independent proof checker; of Dminor programs, have every proof
    /// repeated by a second SMT solver [GLASSBOX_CVC5, then cvc5]
    #[arg(long, help_heading = "All inputs")]
    pub certify: bool,

    /// Stop after this many seconds and report what is known
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "All inputs")]
    pub timeout: Option<f64>,

    /// Stop when so many megabytes are in use, and report what is known [default: nine tenths of what is free at the start]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), help_heading = "All inputs")]
    pub memory: Option<u64>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Terminal, help_heading = "Output")]
    pub format: Format,

    /// Also write a SARIF file, for code hosts and editors
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub sarif: Option<PathBuf>,

    /// Also write one self-contained page with drawings of all counterexamples
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,

    /// Only what is not verified, a line each
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

impl Check {
    pub fn is_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    pub fn threads(&self) -> usize {
        work::threads(self.threads)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum By {
    /// By verification conditions, and inputs that refute them
    Conditions,
    /// By the Dminor type system
    Types,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Emit {
    /// The conditions for a solver
    Smt2,
    /// The program in Bemol, the while language of the paper, with an assert before every operation that can fail
    Bemol,
    /// The same as a Boogie program
    Boogie,
    /// Of Hob modules: each obligation, for MONA
    Mona,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// The glass box; where it takes long or cannot go on and there are few states, the exhaustive engine: the first answer counts
    Auto,
    /// Run one state, check all that behave alike at once
    Glassbox,
    /// Run every valid state one by one
    Exhaustive,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Search {
    /// By executing with unit propagation
    Execution,
    /// By asking a solver for an unchecked state each time
    Models,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TreeShape {
    /// Those that fit into the n places of a complete tree
    Complete,
    /// Those of at most n objects
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Terminal,
    Json,
}
