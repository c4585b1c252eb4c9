//! Terms and formulas of SMT-LIB as text, with the simplifications that save most queries, and values of which the sort is known.
//!
//! Every function keeps the meaning: `and([a, "true"])` is `a`. A [`Val`] is a term of sort Value together with what is known of its sort, so
//! that an operation on a number that was just computed needs no test at all.

pub type Formula = String;

pub fn is_true(f: &str) -> bool {
    f == "true"
}

pub fn is_false(f: &str) -> bool {
    f == "false"
}

pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all: Vec<Formula> = Vec::new();
    for part in parts {
        if is_false(&part) {
            return part;
        }
        if !is_true(&part) && !all.contains(&part) {
            all.push(part);
        }
    }
    match all.len() {
        0 => "true".to_string(),
        1 => all.remove(0),
        _ => format!("(and {})", all.join(" ")),
    }
}

pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let mut all: Vec<Formula> = Vec::new();
    for part in parts {
        if is_true(&part) {
            return part;
        }
        if !is_false(&part) && !all.contains(&part) {
            all.push(part);
        }
    }
    match all.len() {
        0 => "false".to_string(),
        1 => all.remove(0),
        _ => format!("(or {})", all.join(" ")),
    }
}

pub fn not(f: &str) -> Formula {
    match f {
        "true" => "false".to_string(),
        "false" => "true".to_string(),
        _ => format!("(not {f})"),
    }
}

pub fn implies(a: &str, b: &str) -> Formula {
    if is_true(a) || is_true(b) {
        b.to_string()
    } else if is_false(a) {
        "true".to_string()
    } else if is_false(b) {
        not(a)
    } else {
        format!("(=> {a} {b})")
    }
}

pub fn ite(c: &str, a: &str, b: &str) -> String {
    match c {
        "true" => a.to_string(),
        "false" => b.to_string(),
        _ if a == b => a.to_string(),
        _ => format!("(ite {c} {a} {b})"),
    }
}

pub fn eq(a: &str, b: &str) -> Formula {
    if a == b { "true".to_string() } else { format!("(= {a} {b})") }
}

pub fn app(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_string() } else { format!("({name} {})", args.join(" ")) }
}

/// A member of a bag.
pub fn mem(value: &str, bag: &str) -> Formula {
    format!("(mem {value} {bag})")
}

/// A value, and what is known of its sort: the payload of each constructor, or a term of sort Value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Val {
    Null,
    Int(String),
    Bool(Formula),
    Text(String),
    Coll(String),
    Ent(String),
    Any(String),
}

/// The sorts of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Int,
    Bool,
    Text,
    Coll,
    Ent,
}

impl Sort {
    fn constructor(self) -> &'static str {
        match self {
            Sort::Int => "VInt",
            Sort::Bool => "VBool",
            Sort::Text => "VText",
            Sort::Coll => "VColl",
            Sort::Ent => "VEnt",
        }
    }

    fn selector(self) -> &'static str {
        match self {
            Sort::Int => "ival",
            Sort::Bool => "bval",
            Sort::Text => "tval",
            Sort::Coll => "cval",
            Sort::Ent => "eval",
        }
    }

    /// The sort of SMT-LIB of its payload.
    pub fn payload(self) -> &'static str {
        match self {
            Sort::Int => "Int",
            Sort::Bool => "Bool",
            Sort::Text => "String",
            Sort::Coll => "Bag",
            Sort::Ent => "Ent",
        }
    }

    pub fn of(self, payload: String) -> Val {
        match self {
            Sort::Int => Val::Int(payload),
            Sort::Bool => Val::Bool(payload),
            Sort::Text => Val::Text(payload),
            Sort::Coll => Val::Coll(payload),
            Sort::Ent => Val::Ent(payload),
        }
    }
}

impl Val {
    /// What is known of the sort; none for null, and if nothing is.
    pub fn sort(&self) -> Option<Sort> {
        match self {
            Val::Int(_) => Some(Sort::Int),
            Val::Bool(_) => Some(Sort::Bool),
            Val::Text(_) => Some(Sort::Text),
            Val::Coll(_) => Some(Sort::Coll),
            Val::Ent(_) => Some(Sort::Ent),
            Val::Null | Val::Any(_) => None,
        }
    }

    /// As a term of sort Value.
    pub fn term(&self) -> String {
        match self {
            Val::Null => "VNull".to_string(),
            Val::Any(term) => term.clone(),
            Val::Int(p) | Val::Bool(p) | Val::Text(p) | Val::Coll(p) | Val::Ent(p) => {
                format!("({} {p})", self.sort().map_or("VNull", Sort::constructor))
            }
        }
    }

    pub fn is(&self, sort: Sort) -> Formula {
        match self {
            Val::Any(term) => format!("((_ is {}) {term})", sort.constructor()),
            _ => (self.sort() == Some(sort)).to_string(),
        }
    }

    pub fn is_null(&self) -> Formula {
        match self {
            Val::Any(term) => eq(term, "VNull"),
            _ => (*self == Val::Null).to_string(),
        }
    }

    /// The payload, if it is of the sort; something of that type if not.
    pub fn payload(&self, sort: Sort) -> String {
        match self {
            Val::Int(p) | Val::Bool(p) | Val::Text(p) | Val::Coll(p) | Val::Ent(p) if self.sort() == Some(sort) => {
                p.clone()
            }
            _ => format!("({} {})", sort.selector(), self.term()),
        }
    }

    /// Whether it is `true`.
    pub fn truth(&self) -> Formula {
        match self {
            Val::Bool(f) => f.clone(),
            Val::Any(term) => eq(term, "(VBool true)"),
            _ => "false".to_string(),
        }
    }

    pub fn equals(&self, other: &Val) -> Formula {
        match (self, other) {
            (Val::Any(_), _) | (_, Val::Any(_)) => eq(&self.term(), &other.term()),
            (Val::Null, Val::Null) => "true".to_string(),
            _ if self.sort() != other.sort() => "false".to_string(),
            _ => match self.sort() {
                Some(sort) => eq(&self.payload(sort), &other.payload(sort)),
                None => "true".to_string(),
            },
        }
    }

    /// One or the other.
    pub fn choice(c: &str, a: &Val, b: &Val) -> Val {
        match (c, a.sort()) {
            ("true", _) => a.clone(),
            ("false", _) => b.clone(),
            _ if a == b => a.clone(),
            (_, Some(sort)) if b.sort() == Some(sort) => sort.of(ite(c, &a.payload(sort), &b.payload(sort))),
            _ => Val::Any(ite(c, &a.term(), &b.term())),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Val::Null => 5,
            Val::Int(p) | Val::Bool(p) | Val::Text(p) | Val::Coll(p) | Val::Ent(p) | Val::Any(p) => p.len(),
        }
    }
}
