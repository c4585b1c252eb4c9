//! What the command takes.

mod ask;
mod check;

pub use ask::{Asking, Import, Inhabit, Output, Reading, Run, SchemaFormat, Subtype, Validate};
pub use check::{By, Check, Emit, Engine, Search, TreeShape};

use clap::{Parser, Subcommand, ValueEnum};
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
    /// Say whether JSON data is in a type of a Dminor file, and if not, which part breaks which clause
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
    /// Print a completion script for a shell
    #[command(after_help = "Example: glassbox completions bash > ~/.local/share/bash-completion/completions/glassbox")]
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example: glassbox man > glassbox.1 && man ./glassbox.1")]
    Man,
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

/// `A=B`
pub fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok((a.to_string(), b.to_string())),
        _ => Err("expected CLASS=ABSTRACTION".to_string()),
    }
}

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 1e9 => Ok(s),
        _ => Err("expected a positive number of seconds".to_string()),
    }
}
