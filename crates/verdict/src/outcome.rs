//! What comes of one question that has no parts: a function run on an input, a value held against a type.

use crate::Misfit;
use crate::program::Ran;
use source::Diagnostic;

#[derive(Clone, Debug)]
pub struct Outcome {
    /// `value`, `failed`, `valid`, `invalid`, `inhabited`, … as in JSON.
    pub word: &'static str,
    /// Of the process.
    pub status: u8,
    /// For a person; empty if the problems say it.
    pub text: String,
    /// As a text of JSON: integers of any size must not pass through machine numbers.
    pub value: Option<String>,
    pub problems: Vec<Diagnostic>,
    /// Which parts of which value are not in their type.
    pub misfits: Vec<Misfit>,
    /// Of a program of a language.
    pub ran: Option<Box<Ran>>,
}

impl Outcome {
    pub fn new(word: &'static str, status: u8) -> Outcome {
        let (text, value, problems, misfits) = (String::new(), None, Vec::new(), Vec::new());
        Outcome { word, status, text, value, problems, misfits, ran: None }
    }

    /// All went well, and this came out.
    pub fn with_value(word: &'static str, value: String) -> Outcome {
        Outcome { text: value.clone(), value: Some(value), ..Outcome::new(word, 0) }
    }

    /// Bad usage or bad input.
    pub fn refused(problems: Vec<Diagnostic>) -> Outcome {
        Outcome { problems, ..Outcome::new("error", 2) }
    }
}
