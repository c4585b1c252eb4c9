//! What the commands take that ask one question: `run`, `validate`, `inhabit`, `subtype`, `import`.

use super::Color;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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

    /// The folder whose files the program may open; without it, none
    #[arg(long, value_name = "DIR", help_heading = "Hob programs")]
    pub files: Option<PathBuf>,

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

    #[command(flatten)]
    pub output: Output,
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
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
}
