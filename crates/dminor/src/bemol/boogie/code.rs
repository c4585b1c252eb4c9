//! Pieces of Boogie, with what must be known of them beside their text.

use std::fmt;

/// A formula, or a term that is not a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Code {
    True,
    False,
    /// Decimal digits.
    Number(String),
    /// Names and applications alone: fit for a trigger, and to be repeated.
    Plain(String),
    /// With operators or quantifiers.
    Other(String),
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::True => f.write_str("true"),
            Code::False => f.write_str("false"),
            Code::Number(text) | Code::Plain(text) | Code::Other(text) => f.write_str(text),
        }
    }
}

/// The sorts of values, as the prelude calls them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Int,
    Bool,
    Text,
    Coll,
    Ent,
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Int => "Int",
            Sort::Bool => "Bool",
            Sort::Text => "Text",
            Sort::Coll => "Coll",
            Sort::Ent => "Ent",
        }
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Val {
    Null,
    /// By the constructor of a sort, of this payload.
    Made(Sort, Code),
    /// A variable, a field, what a function gives.
    Other(Code),
}

impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Null => f.write_str("null"),
            Val::Made(sort, payload) => write!(f, "V{}({payload})", sort.name()),
            Val::Other(code) => write!(f, "{code}"),
        }
    }
}

/// Longer ones are not repeated.
const LONGEST: usize = 200;

impl Code {
    pub fn truth(truth: bool) -> Code {
        if truth { Code::True } else { Code::False }
    }

    pub fn len(&self) -> usize {
        match self {
            Code::True => 4,
            Code::False => 5,
            Code::Number(text) | Code::Plain(text) | Code::Other(text) => text.len(),
        }
    }
}

impl Val {
    pub fn name(name: &str) -> Val {
        Val::Other(Code::Plain(name.to_string()))
    }

    pub fn code(&self) -> Code {
        match self {
            Val::Null => Code::Plain("null".to_string()),
            Val::Made(sort, payload) => call(&format!("V{}", sort.name()), std::slice::from_ref(payload)),
            Val::Other(code) => code.clone(),
        }
    }

    /// Short enough to be repeated, and fit for a trigger.
    pub fn is_simple(&self) -> bool {
        let code = self.code();
        code.len() <= LONGEST && !matches!(code, Code::Other(_))
    }

    /// `IntOf(t)`; of `VInt(n)` it is n.
    pub fn payload(&self, sort: Sort) -> Code {
        match self {
            Val::Made(made, payload) if *made == sort => payload.clone(),
            _ => call(&format!("{}Of", sort.name()), &[self.code()]),
        }
    }

    /// `IsInt(t)`; true of `VInt(n)`.
    pub fn is(&self, sort: Sort) -> Code {
        match self {
            Val::Made(made, _) if *made == sort => Code::True,
            _ => call(&format!("Is{}", sort.name()), &[self.code()]),
        }
    }

    pub fn truth(&self) -> Code {
        self.payload(Sort::Bool)
    }

    pub fn equal(&self, other: &Val) -> Code {
        let is_scalar = |val: &Val| matches!(val, Val::Null | Val::Made(Sort::Int | Sort::Text | Sort::Bool, _));
        if is_scalar(self) || is_scalar(other) {
            Code::Other(format!("({self} == {other})"))
        } else {
            call("Eq", &[self.code(), other.code()])
        }
    }
}

/// `f(a, b)`
pub(super) fn call(function: &str, parts: &[Code]) -> Code {
    let text = format!("{function}({})", list(parts));
    if parts.iter().any(|part| matches!(part, Code::Other(_))) { Code::Other(text) } else { Code::Plain(text) }
}

/// `a, b`
pub(super) fn list(parts: &[Code]) -> String {
    parts.iter().map(Code::to_string).collect::<Vec<_>>().join(", ")
}

pub(super) fn and(conjuncts: &[Code]) -> Code {
    joined(conjuncts, " && ").unwrap_or(Code::True)
}

fn joined(parts: &[Code], by: &str) -> Option<Code> {
    match parts {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(Code::Other(format!("({})", many.iter().map(Code::to_string).collect::<Vec<_>>().join(by)))),
    }
}

pub(super) fn not(formula: &Code) -> Code {
    match formula {
        Code::True => Code::False,
        Code::False => Code::True,
        f => Code::Other(format!("!({f})")),
    }
}

pub(super) fn or(mut parts: Vec<Code>) -> Code {
    parts.retain(|part| *part != Code::False);
    if parts.contains(&Code::True) { Code::True } else { joined(&parts, " || ").unwrap_or(Code::False) }
}

/// More conjuncts, without those that are there, or are true.
pub(super) fn extend(conjuncts: &mut Vec<Code>, more: impl IntoIterator<Item = Code>) {
    for one in more {
        if one != Code::True && !conjuncts.contains(&one) {
            conjuncts.push(one);
        }
    }
}
