//! What the command takes.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Parser, Debug)]
#[command(
    name = "glassbox",
    version,
    about = "Can this ever go wrong? Java classes with an invariant, languages with a type system, programs with refinement types, modules with abstract sets",
    after_help = "Examples: glassbox check examples/java/search-tree/SearchTree.java --size 7\n          \
                  glassbox check examples/lang/stlc.lang"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check Java classes that have an invariant, languages that have a type system, Dminor programs, or Hob modules
    #[command(
        long_about = "Java classes (.java): takes every state of a class within the bounds that satisfies its invariant \
                      (`repOk`), runs every operation on it with every argument, and checks that the invariant and the \
                      postconditions hold afterwards, assertions hold, and no unexpected exception escapes.\n\n\
                      Languages (.lang): takes every program within the bounds that satisfies the premises of a check \
                      (it is well typed, it takes a step), and checks that the conclusion holds (it is a value or \
                      steps; what it steps to is well typed).\n\n\
                      Dminor programs (.dm): proves of every function that no input of its parameter types makes it fail \
                      or give a result outside of its type, or shows one that does.\n\n\
                      Hob modules (.fl, .sl, .al, .scope, or a folder of them): proves of every procedure that it meets its set \
                      specification on all heaps (plugin `flags`), or on all heaps up to a bound (plugin `bounded`), or shows \
                      a heap on which it does not.",
        after_help = "Exit status: 0 all verified (or as `expect` lines say), 1 a violation, 2 bad usage or bad input, 3 unknown."
    )]
    Check(Box<Check>),
    /// Run a program of a language with its typing derivation, a function of a Dminor file on JSON, or a Hob program
    #[command(
        after_help = "Examples: glassbox run examples/lang/arith.lang 'if iszero 0 then pred 0 else succ 0'\n          \
                            glassbox run shop.dm total '[{\"price\": 3}]'\n\n\
                            Exit status: 0 it was run, 1 the function ends with an error or a result outside of its type, \
                            2 bad usage or bad input, 3 a limit was hit."
    )]
    Run(Run),
    /// Tell whether JSON data is in a type of a Dminor file, and if not, which part misses which clause
    #[command(after_help = "Example: glassbox validate shop.dm Order order.json\n\n\
                            Exit status: 0 it is, 1 it is not, 2 bad usage or bad input, 3 a limit was hit.")]
    Validate(Validate),
    /// Print a value of a type of a Dminor file, or prove that there is none
    #[command(after_help = "Example: glassbox inhabit shop.dm 'Order where value.total > 100'\n\n\
                            Exit status: 0 there is one, 1 there is none, 2 bad usage or bad input, 3 unknown.")]
    Inhabit(Inhabit),
    /// Prove that every value of one type of a Dminor file is in another, or print one that is not
    #[command(after_help = "Example: glassbox subtype shop.dm Order '{total: Integer;}'\n\n\
                            Exit status: 0 it is a subtype, 1 it is not, 2 bad usage or bad input, 3 unknown.")]
    Subtype(Subtype),
    /// Turn a JSON Schema into Dminor types, and name each keyword that they cannot express
    #[command(after_help = "Example: glassbox import json-schema order.schema.json > order.dm\n\n\
                            The module is printed; a keyword that is not carried is a comment in it and a warning.\n\
                            Exit status: 0 imported, 2 bad usage, bad input, or with --strict a keyword that is not carried.")]
    Import(Import),
}

#[derive(Args, Debug)]
pub struct Inhabit {
    /// A Dminor program (.dm, .m)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// A type: one of the program's, or one written out
    #[arg(value_name = "TYPE")]
    pub type_text: String,

    #[command(flatten)]
    pub asking: Asking,
}

#[derive(Args, Debug)]
pub struct Subtype {
    /// A Dminor program (.dm, .m)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The type whose values are asked about
    #[arg(value_name = "TYPE")]
    pub type_text: String,

    /// The type that they should be in
    #[arg(value_name = "OF")]
    pub of: String,

    #[command(flatten)]
    pub asking: Asking,
}

/// How questions about types are asked.
#[derive(Args, Debug)]
pub struct Asking {
    #[command(flatten)]
    pub reading: Reading,

    /// The SMT solver: Z3 or cvc5 [default: GLASSBOX_Z3, then z3, then cvc5]
    #[arg(long, value_name = "PATH")]
    pub solver: Option<PathBuf>,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Args, Debug)]
pub struct Run {
    /// A language definition (.lang), a Dminor program (.dm, .m), or the folder of a Hob program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The program, in the syntax of the language; or the function of a Dminor program; or the procedure of a Hob program
    /// [default there: Main.main]
    #[arg(value_name = "TERM|FUNCTION")]
    pub term: Option<String>,

    /// What the function is called with: JSON, or @FILE for JSON in a file
    #[arg(value_name = "ARGUMENT", allow_negative_numbers = true)]
    pub arguments: Vec<String>,

    /// Which language of the file [default: the first]
    #[arg(long, value_name = "NAME", help_heading = "Languages")]
    pub language: Option<String>,

    /// Check also, of Dminor programs, the parameters and results of calls inside, ascriptions, and the types and invariants of
    /// accumulators; of Hob programs, what every procedure requires and ensures
    #[arg(long, help_heading = "Dminor and Hob programs")]
    pub contracts: bool,

    /// Take the members of collections in a random order [default: canonical order]; of Hob programs, other random numbers
    #[arg(long, value_name = "NUMBER", help_heading = "Dminor and Hob programs")]
    pub seed: Option<u64>,

    /// Which members of collections to take, as `glassbox check` prints it: at each choice among different members the number of
    /// one in canonical order, from 0; the first one after the end of the list
    #[arg(
        long,
        value_name = "N,N,…",
        value_delimiter = ',',
        conflicts_with = "seed",
        help_heading = "Dminor programs"
    )]
    pub order: Vec<usize>,

    #[command(flatten)]
    pub reading: Reading,

    /// Steps before it counts as endless [default: 100 of a language, 100000000 of a Dminor program, none of a Hob program]
    #[arg(long, value_name = "K")]
    pub max_steps: Option<u64>,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Args, Debug)]
pub struct Validate {
    /// A Dminor program (.dm, .m)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// A type: one of the program's, or one written out, as 'Order*'
    #[arg(value_name = "TYPE")]
    pub type_text: String,

    /// A file with JSON in it
    #[arg(value_name = "DATA.json")]
    pub data: PathBuf,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Args, Debug)]
pub struct Import {
    /// What the file is written in
    #[arg(value_enum, value_name = "FORMAT")]
    pub format: SchemaFormat,

    /// The schema
    #[arg(value_name = "FILE.json")]
    pub file: PathBuf,

    /// The name of the type, if the schema has no title [default: made of the file's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// A keyword that is not carried is an error, and nothing is printed
    #[arg(long)]
    pub strict: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SchemaFormat {
    /// JSON Schema 2020-12 and draft-07
    JsonSchema,
}

/// How Dminor programs are read, where the papers allow two readings.
#[derive(Args, Clone, Copy, Debug)]
pub struct Reading {
    /// The condition of a refinement also runs on values outside of the refined type
    #[arg(long, help_heading = "Dminor programs")]
    pub strict_type_tests: bool,

    /// `&&` and `||` evaluate both operands
    #[arg(long, help_heading = "Dminor programs")]
    pub strict_ops: bool,
}

#[derive(Args, Clone, Copy, Debug)]
pub struct Output {
    /// Print one JSON object (of Dminor programs)
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

#[derive(Args, Debug)]
pub struct Check {
    /// Java sources: the classes to check and all that their states consist of. Or language definitions (.lang). Or
    /// Dminor programs (.dm, .m). Or Hob modules (.fl, .sl, .al, .scope), or a folder of them
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The bound n; `A..B` runs the sizes one after another and stops at the first violation
    #[arg(long, short = 'n', default_value = "4", value_name = "N|A..B", help_heading = "Java classes")]
    pub size: Sizes,

    /// Only this class and those that extend it; a nested one as `Outer.Inner`
    #[arg(long, value_name = "CLASS", help_heading = "Java classes")]
    pub class: Option<String>,

    /// Only operations of this name, or with this signature, as `put(int,int)`. Of Dminor programs: how they are checked, by
    /// verification `conditions` [default there] or by the `types` of the Dminor type system
    #[arg(long, value_name = "METHOD", help_heading = "Java classes")]
    pub method: Option<String>,

    /// Where the sources of library classes are: a folder, or a .jar or .zip of sources
    #[arg(long, value_name = "PATH", help_heading = "Java classes")]
    pub source_path: Vec<PathBuf>,

    /// Only this language of a file
    #[arg(long, value_name = "NAME", help_heading = "Languages")]
    pub language: Option<String>,

    /// Only this check
    #[arg(long, value_name = "NAME", help_heading = "Languages")]
    pub check: Option<String>,

    /// Change each rule and alternative of a language in turn, and report which changes the checks notice
    #[arg(long, help_heading = "Languages")]
    pub mutate: bool,

    /// Print grammar and rules as a LaTeX figure; nothing is checked
    #[arg(long, help_heading = "Languages")]
    pub latex: bool,

    #[command(flatten)]
    pub reading: Reading,

    /// Types need not be well-formed: their conditions may fail on values that nobody tests
    #[arg(long, help_heading = "Dminor programs")]
    pub lenient_types: bool,

    /// The SMT solver: Z3 or cvc5 [default: GLASSBOX_Z3, then z3, then cvc5]
    #[arg(long, value_name = "PATH", help_heading = "Dminor programs")]
    pub solver: Option<PathBuf>,

    /// Print what is made of the program; nothing is checked
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Dminor and Hob programs")]
    pub emit: Option<Emit>,

    /// Only this module
    #[arg(long, value_name = "NAME", help_heading = "Hob modules")]
    pub module: Option<String>,

    /// Only this procedure, as `insert` or `List.insert`
    #[arg(long, value_name = "NAME", help_heading = "Hob modules")]
    pub proc: Option<String>,

    /// Every object whose field is used must be there
    #[arg(long, help_heading = "Hob modules")]
    pub check_null: bool,

    /// How to search
    #[arg(long, value_enum, default_value_t = Engine::Auto, help_heading = "Search")]
    pub engine: Engine,

    /// How the glass box finds its next state
    #[arg(long, value_enum, default_value_t = Search::Execution, help_heading = "Search")]
    pub search: Search,

    /// Which trees size n means
    #[arg(long, value_enum, default_value_t = TreeShape::Complete, help_heading = "Search")]
    pub shape: TreeShape,

    /// How many threads, for operations and for their checks [default: as many as there are cores]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Search")]
    pub threads: Option<u32>,

    /// Have every "unsatisfiable" of the solver checked by an independent proof checker; of Dminor programs, have every proof
    /// repeated by a second SMT solver [GLASSBOX_CVC5, then cvc5]
    #[arg(long, help_heading = "Search")]
    pub certify: bool,

    /// Stop after this many seconds and report what is known; operations of a class share the time. Of Dminor programs, the work that
    /// the solver does in so many seconds, for each condition [default there: 3]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<f64>,

    /// End when so many megabytes are in use, with what is known then [default: nine tenths of what is free at the start]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub memory: Option<u64>,

    /// Steps of one run before it counts as endless
    #[arg(long, value_name = "K", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_steps: u64,

    /// Show the lines of operations, and of what they call, that no run reached
    #[arg(long, help_heading = "Output")]
    pub coverage: bool,

    /// Of classes: show the bounds in force, which are defaults, and the raw space they span; then check. Of languages: other
    /// bounds than the file's, as 't: size 12  T: depth 2'
    #[arg(long, value_name = "BOUNDS", num_args = 0..=1, default_missing_value = "", help_heading = "Output")]
    pub bounds: Option<String>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Terminal, help_heading = "Output")]
    pub format: Format,

    /// Only what is not verified, a line each
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}

impl Check {
    /// `--bounds FILE` names no bounds: what looks like a file is one.
    pub fn tidy(mut self) -> Check {
        if let Some(text) = &self.bounds
            && !text.is_empty()
            && !text.contains(':')
        {
            self.files.push(PathBuf::from(text));
            self.bounds = Some(String::new());
        }
        self
    }

    pub fn is_json(&self) -> bool {
        self.json || self.format == Format::Json
    }
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// Both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    pub first: i64,
    pub last: i64,
}

const GREATEST_SIZE: i64 = 1 << 16;

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let number = |part: &str| match part.trim().parse::<i64>() {
            Ok(n) if (1..=GREATEST_SIZE).contains(&n) => Ok(n),
            Ok(n) => Err(format!("{n} is not between 1 and {GREATEST_SIZE}")),
            Err(_) => Err("expected a number such as 7, or a range such as 1..8".to_string()),
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
            None => (number(text)?, number(text)?),
        };
        if first > last {
            return Err(format!("the range is empty: write {last}..{first}"));
        }
        Ok(Sizes { first, last })
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 1e9 => Ok(s),
        _ => Err("expected a positive number of seconds".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_a_number_or_a_range() {
        let parse = |text: &str| text.parse::<Sizes>().map(|s| (s.first, s.last));
        assert_eq!(parse("7"), Ok((7, 7)));
        assert_eq!(parse("3..8"), Ok((3, 8)));
        assert_eq!(parse("3..=8"), Ok((3, 8)));
        assert_eq!(parse("8..3"), Err("the range is empty: write 3..8".to_string()));
        assert!(parse("0").is_err() && parse("").is_err() && parse("..").is_err() && parse("-1").is_err());
    }

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
