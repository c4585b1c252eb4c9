//! Programs: a few types, a few functions, each on a line. Expressions are made for a type, so that most of them make sense; a few are not.

use std::fmt::Write;
use work::Chance;

#[derive(Clone, PartialEq, Debug)]
enum Ty {
    Any,
    Integer,
    Text,
    Logical,
    Nullable(Box<Ty>),
    Collection(Box<Ty>),
    Entity(Vec<(&'static str, Ty)>),
    Or(Box<Ty>, Box<Ty>),
    /// With a condition on `value`.
    Refined(Box<Ty>, String),
    /// A text of its own: `{"a"}`.
    Only(&'static str),
    Named(usize),
}

const LABELS: [&str; 3] = ["a", "b", "c"];
const TEXTS: [&str; 3] = ["\"\"", "\"a\"", "\"b\""];

struct Signature {
    name: String,
    parameters: Vec<(String, Ty)>,
    result: Ty,
}

struct Maker {
    chance: Chance,
    types: Vec<Ty>,
    functions: Vec<Signature>,
    variables: usize,
    /// The function that is being made.
    current: usize,
}

/// What is known by name.
type Scope = Vec<(String, Ty)>;

pub fn program(seed: u64) -> String {
    let mut maker =
        Maker { chance: Chance::new(seed), types: Vec::new(), functions: Vec::new(), variables: 0, current: 0 };
    let mut out = String::new();
    for k in 0..maker.chance.below(3) {
        let ty = maker.ty(2);
        let _ = writeln!(out, "type T{k} : {};", maker.text(&ty));
        maker.types.push(ty);
    }
    for k in 0..1 + maker.chance.below(3) {
        let parameters = (0..1 + maker.chance.below(2)).map(|_| (maker.fresh(), maker.parameter())).collect();
        let result = maker.ty(2);
        maker.functions.push(Signature { name: format!("f{k}"), parameters, result });
    }
    for k in 0..maker.functions.len() {
        maker.current = k;
        let Signature { name, parameters, result } = &maker.functions[k];
        let (name, scope, result) = (name.clone(), parameters.clone(), result.clone());
        let body = maker.expr(&result, 3, &scope);
        let promised = maker.promised(&result, &scope);
        let parameters: Vec<String> = scope.iter().map(|(x, ty)| format!("{x}: {}", maker.text(ty))).collect();
        let _ = writeln!(out, "{name}({}) : {promised} {{ {body} }}", parameters.join(", "));
    }
    let narrow = maker.narrow();
    let _ = writeln!(out, "{narrow}");
    out
}

impl Maker {
    fn fresh(&mut self) -> String {
        self.variables += 1;
        format!("x{}", self.variables)
    }

    fn text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Any => "Any".to_string(),
            Ty::Integer => "Integer".to_string(),
            Ty::Text => "Text".to_string(),
            Ty::Logical => "Logical".to_string(),
            Ty::Nullable(inner) => format!("({})?", self.text(inner)),
            Ty::Collection(inner) => format!("({})*", self.text(inner)),
            Ty::Entity(fields) => {
                let fields: Vec<String> = fields.iter().map(|(l, t)| format!("{l}: {};", self.text(t))).collect();
                format!("{{{}}}", fields.join(" "))
            }
            Ty::Or(a, b) => format!("({} | {})", self.text(a), self.text(b)),
            Ty::Refined(inner, condition) => format!("({} where {condition})", self.text(inner)),
            Ty::Only(text) => format!("{{{text}}}"),
            Ty::Named(k) => format!("T{k}"),
        }
    }

    /// What a name or a condition stands on.
    fn base<'t>(&'t self, ty: &'t Ty) -> &'t Ty {
        match ty {
            Ty::Refined(inner, _) => self.base(inner),
            Ty::Named(k) => self.base(&self.types[*k]),
            ty => ty,
        }
    }

    fn ty(&mut self, depth: usize) -> Ty {
        let plain = match self.chance.below(if depth == 0 { 6 } else { 13 }) {
            0 | 1 => Ty::Integer,
            2 => Ty::Text,
            3 => Ty::Logical,
            4 => Ty::Only(TEXTS[1 + self.chance.below(2)]),
            5 if !self.types.is_empty() => Ty::Named(self.chance.below(self.types.len())),
            5 => Ty::Any,
            6 | 7 => Ty::Collection(Box::new(self.ty(depth - 1))),
            8..=10 => {
                let count = 1 + self.chance.below(3);
                Ty::Entity(LABELS[..count].iter().map(|l| (*l, self.ty(depth - 1))).collect())
            }
            11 => Ty::Nullable(Box::new(self.ty(depth - 1))),
            _ => Ty::Or(Box::new(self.ty(depth - 1)), Box::new(self.ty(depth - 1))),
        };
        if !self.chance.one_in(3) {
            return plain;
        }
        match self.condition(&plain, "value") {
            Some(condition) => Ty::Refined(Box::new(plain), condition),
            None => plain,
        }
    }

    /// A function that is fine or not by very little: loops whose last member counts, loops whose invariant has to be guessed, null.
    fn narrow(&mut self) -> String {
        let (a, b, c) = (self.integer(), self.integer(), self.integer());
        let compare = *self.chance.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.chance.below(3) {
            0 => {
                let body = match self.chance.below(3) {
                    0 => "x".to_string(),
                    1 => format!("(x {compare} y ? x : y)"),
                    _ => format!("(x {compare} {a} ? x : y)"),
                };
                let members = ["0, 1", "0, 1, 2", "(0 - 1), 3"][self.chance.below(3)];
                let result = *self.chance.pick(&["{1} | {2}", "{0} | {1}", "{1}", "{3} | {2} | {1}", "Integer"]);
                format!(
                    "last(c: {{{{{members}}}}}) : {result} {{ from x in c let y = {b} : Integer accumulate {body} }}"
                )
            }
            1 => {
                let (first, body, result) = match self.chance.below(5) {
                    0 => (a, "y + 1".to_string(), format!("r {compare} {b} + c.Count")),
                    1 => (a, format!("(x {compare} y ? x : y)"), format!("r {compare} {b}")),
                    2 => (a, "y + x * x".to_string(), format!("r {compare} {b}")),
                    3 => ("{}".to_string(), "x :: y".to_string(), format!("r.Count {compare} c.Count")),
                    _ => {
                        let body = format!("(x {compare} {b} ? x :: y : y)");
                        ("{1}".to_string(), body, format!("r.Count {compare} c.Count + {}", self.chance.below(2)))
                    }
                };
                format!(
                    "guess(c: Integer*) : (r: Any where {result}) {{ from x in c let y = {first} accumulate {body} }}"
                )
                .replace("r: Any", if first.starts_with('{') { "r: Integer*" } else { "r: Integer" })
            }
            _ => {
                let body = match self.chance.below(4) {
                    0 => format!("x == null ? {a} : x + {b}"),
                    1 => format!("x != null && x {compare} {a} ? x : {c}"),
                    2 => format!("x {compare} {a} ? 1 : 0"),
                    _ => format!("(x in Integer) ? x : {c}"),
                };
                format!("maybe(x: Integer?) : Integer {{ {body} }}")
            }
        }
    }

    /// Often one that has to be tested before it is used.
    fn parameter(&mut self) -> Ty {
        match self.chance.below(6) {
            0 => Ty::Any,
            1 => Ty::Nullable(Box::new(self.ty(1))),
            2 => Ty::Or(Box::new(self.ty(1)), Box::new(self.ty(1))),
            _ => self.ty(2),
        }
    }

    fn small(&mut self) -> i64 {
        self.chance.below(7) as i64 - 2
    }

    /// An integer as an expression.
    fn integer(&mut self) -> String {
        let n = self.small();
        if n < 0 { format!("(0 - {})", -n) } else { n.to_string() }
    }

    /// Something pure about a value of the type.
    fn condition(&mut self, ty: &Ty, value: &str) -> Option<String> {
        let compare = *self.chance.pick(&["<", "<=", ">", ">=", "!="]);
        Some(match self.base(ty).clone() {
            Ty::Integer => match self.chance.below(4) {
                0 => format!("{value} * 2 {compare} {} + {value}", self.integer()),
                1 => format!("{value} {compare} {} && {value} < 9", self.integer()),
                _ => format!("{value} {compare} {}", self.integer()),
            },
            Ty::Text => format!("{value} != {}", self.chance.pick(&TEXTS)),
            Ty::Collection(inner) => match (self.base(&inner).clone(), self.chance.below(5)) {
                // The same for every order.
                (Ty::Integer, 0) => {
                    format!("(from m in {value} let s = 0 accumulate s + m) {compare} {}", self.integer())
                }
                (Ty::Integer, 1) => {
                    format!("(from m in {value} where m {compare} {} select m).Count <= 1", self.integer())
                }
                _ => format!("{value}.Count {compare} {}", 1 + self.chance.below(3)),
            },
            Ty::Entity(fields) => {
                let numbers: Vec<&str> =
                    fields.iter().filter(|(_, t)| *self.base(t) == Ty::Integer).map(|(l, _)| *l).collect();
                match numbers[..] {
                    [] => return None,
                    [one] => format!("{value}.{one} {compare} {}", self.integer()),
                    [one, other, ..] => format!("{value}.{one} {compare} {value}.{other}"),
                }
            }
            _ => return None,
        })
    }

    /// The declared type of a result: what it was made for, perhaps with a relation to a parameter.
    fn promised(&mut self, result: &Ty, scope: &Scope) -> String {
        let text = self.text(result);
        if !self.chance.one_in(3) {
            return text;
        }
        let compare = *self.chance.pick(&["<=", ">=", "=="]);
        let alike = |maker: &Maker, wanted: fn(&Ty) -> bool| {
            scope.iter().find(|(_, t)| wanted(maker.base(t))).map(|(x, _)| x.clone())
        };
        match self.base(result) {
            Ty::Integer => match alike(self, |t| *t == Ty::Integer) {
                Some(x) => format!("(r: {text} where r {compare} {x})"),
                None => format!("(r: {text} where r {compare} {})", self.integer()),
            },
            Ty::Collection(_) => match alike(self, |t| matches!(t, Ty::Collection(_))) {
                Some(x) => format!("(r: {text} where r.Count {compare} {x}.Count)"),
                None => format!("(r: {text} where r.Count {compare} {})", self.chance.below(3)),
            },
            _ => text,
        }
    }

    /// An expression that is meant to be of the type.
    fn expr(&mut self, want: &Ty, depth: usize, scope: &Scope) -> String {
        if self.chance.one_in(60) {
            let other = self.ty(1);
            return self.expr_of(&other, depth.min(1), scope);
        }
        self.expr_of(want, depth, scope)
    }

    fn expr_of(&mut self, want: &Ty, depth: usize, scope: &Scope) -> String {
        let base = self.base(want).clone();
        if base != *want && !self.chance.one_in(3) {
            let exact: Vec<&String> = scope.iter().filter(|(_, ty)| ty == want).map(|(x, _)| x).collect();
            match exact.is_empty() {
                false => return self.chance.pick(&exact).to_string(),
                true if depth > 0 => return self.guarded(want, depth, scope),
                true => {}
            }
        }
        let fitting = self.places(&base, scope);
        if !fitting.is_empty() && (depth == 0 || self.chance.one_in(3)) {
            return self.chance.pick(&fitting).clone();
        }
        if depth == 0 {
            return self.literal(&base, scope);
        }
        match self.chance.below(12) {
            0 | 1 => {
                let condition = self.truth(depth - 1, scope);
                let (a, b) = (self.expr(want, depth - 1, scope), self.expr(want, depth - 1, scope));
                format!("({condition} ? {a} : {b})")
            }
            2 => {
                let ty = self.ty(1);
                let value = self.expr(&ty, depth - 1, scope);
                let (x, mut inner) = (self.fresh(), scope.clone());
                inner.push((x.clone(), ty));
                format!("(let {x} = {value} in {})", self.expr(want, depth - 1, &inner))
            }
            3 => self.guarded(want, depth, scope),
            8 | 9 => match self.narrowed(want, depth, scope) {
                Some(text) => text,
                None => self.operation(&base, depth, scope),
            },
            4 => {
                // Most recursion at random does not end.
                let most = if self.chance.one_in(8) { self.functions.len() } else { self.current };
                let all = (0..most).filter(|k| *self.base(&self.functions[*k].result) == base);
                let all: Vec<usize> = all.collect();
                if all.is_empty() {
                    return self.operation(&base, depth, scope);
                }
                let k = *self.chance.pick(&all);
                let types: Vec<Ty> = self.functions[k].parameters.iter().map(|(_, t)| t.clone()).collect();
                let arguments: Vec<String> = types.iter().map(|t| self.expr(t, depth - 1, scope)).collect();
                format!("{}({})", self.functions[k].name, arguments.join(", "))
            }
            5 => {
                let inner = self.expr(want, depth - 1, scope);
                format!("({inner} : {})", self.text(want))
            }
            6 | 7 => self.accumulate(want, depth, scope),
            _ => self.operation(&base, depth, scope),
        }
    }

    /// A variable that is tested, and used as what it is where the test holds; sometimes also where it does not.
    fn narrowed(&mut self, want: &Ty, depth: usize, scope: &Scope) -> Option<String> {
        let is_open = |ty: &Ty| matches!(self.base(ty), Ty::Any | Ty::Nullable(_) | Ty::Or(..));
        let open: Vec<String> = scope.iter().filter(|(_, ty)| is_open(ty)).map(|(x, _)| x.clone()).collect();
        if open.is_empty() {
            return None;
        }
        let x = self.chance.pick(&open).clone();
        let ty = if self.chance.one_in(2) { want.clone() } else { self.ty(1) };
        let mut inner: Scope = scope.iter().filter(|(y, _)| *y != x).cloned().collect();
        inner.push((x.clone(), ty.clone()));
        let test = format!("({x} in ({}))", self.text(&ty));
        let then = self.expr(want, depth - 1, &inner);
        let beside = if self.chance.one_in(4) { &inner } else { scope };
        let other = self.expr(want, depth - 1, beside);
        if !self.chance.one_in(3) {
            return Some(format!("({test} ? {then} : {other})"));
        }
        // What was known inside of a branch is not known afterwards.
        let y = self.fresh();
        let mut after = if self.chance.one_in(3) { inner } else { scope.clone() };
        after.push((y.clone(), want.clone()));
        Some(format!("(let {y} = ({test} ? {then} : {other}) in {})", self.expr(want, depth - 1, &after)))
    }

    /// A value that is tested before it is used as what is wanted.
    fn guarded(&mut self, want: &Ty, depth: usize, scope: &Scope) -> String {
        let source = if self.chance.one_in(2) { Ty::Any } else { want.clone() };
        let value = self.expr(&source, depth - 1, scope);
        let (x, mut inner) = (self.fresh(), scope.clone());
        inner.push((x.clone(), want.clone()));
        let then = self.expr(want, depth - 1, &inner);
        let other = self.expr(want, depth - 1, scope);
        format!("(let {x} = {value} in ({x} in ({})) ? {then} : {other})", self.text(want))
    }

    /// Variables, and fields of variables, that stand on this.
    fn places(&self, base: &Ty, scope: &Scope) -> Vec<String> {
        let mut all = Vec::new();
        for (x, ty) in scope {
            if *base == Ty::Any || self.base(ty) == base {
                all.push(x.clone());
            }
            if let Ty::Entity(fields) = self.base(ty) {
                let fitting = fields.iter().filter(|(_, t)| self.base(t) == base);
                all.extend(fitting.map(|(l, _)| format!("{x}.{l}")));
            }
        }
        all
    }

    fn truth(&mut self, depth: usize, scope: &Scope) -> String {
        self.expr(&Ty::Logical, depth, scope)
    }

    fn literal(&mut self, base: &Ty, scope: &Scope) -> String {
        match base {
            Ty::Any => self.integer(),
            Ty::Integer => self.integer(),
            Ty::Text => self.chance.pick(&TEXTS).to_string(),
            Ty::Logical => self.chance.pick(&["true", "false"]).to_string(),
            Ty::Nullable(inner) if self.chance.one_in(2) => self.literal_of(inner, scope),
            Ty::Nullable(_) => "null".to_string(),
            Ty::Collection(inner) if self.chance.one_in(2) => format!("{{{}}}", self.literal_of(inner, scope)),
            Ty::Collection(_) => "{}".to_string(),
            Ty::Entity(fields) => {
                let parts: Vec<String> =
                    fields.iter().map(|(l, t)| format!("{l} => {}", self.literal_of(t, scope))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Ty::Or(a, b) => {
                let chosen = if self.chance.one_in(2) { a } else { b };
                self.literal_of(chosen, scope)
            }
            Ty::Only(text) => text.to_string(),
            Ty::Refined(..) | Ty::Named(_) => {
                let base = self.base(base).clone();
                self.literal(&base, scope)
            }
        }
    }

    fn literal_of(&mut self, ty: &Ty, scope: &Scope) -> String {
        let base = self.base(ty).clone();
        let fitting = self.places(&base, scope);
        if !fitting.is_empty() && self.chance.one_in(2) {
            return self.chance.pick(&fitting).clone();
        }
        self.literal(&base, scope)
    }

    fn operation(&mut self, base: &Ty, depth: usize, scope: &Scope) -> String {
        match base {
            Ty::Integer => match self.chance.below(5) {
                0 => {
                    let inner = self.ty(0);
                    let all = self.expr(&Ty::Collection(Box::new(inner)), depth - 1, scope);
                    format!("({all}).Count")
                }
                1 => {
                    let divisor = if self.chance.one_in(2) { "2".to_string() } else { self.integer() };
                    format!("({} / {divisor})", self.expr(&Ty::Integer, depth - 1, scope))
                }
                _ => {
                    let op = *self.chance.pick(&["+", "+", "-", "*"]);
                    let (a, b) = (self.expr(base, depth - 1, scope), self.expr(base, depth - 1, scope));
                    format!("({a} {op} {b})")
                }
            },
            Ty::Logical => match self.chance.below(5) {
                0 => {
                    let op = *self.chance.pick(&["&&", "||"]);
                    format!("({} {op} {})", self.truth(depth - 1, scope), self.truth(depth - 1, scope))
                }
                1 => format!("(!{})", self.truth(depth - 1, scope)),
                2 => {
                    let (of, ty) = (self.ty(1), self.ty(1));
                    format!("({} in ({}))", self.expr(&of, depth - 1, scope), self.text(&ty))
                }
                3 => {
                    let ty = self.ty(1);
                    format!("({} == {})", self.expr(&ty, depth - 1, scope), self.expr(&ty, depth - 1, scope))
                }
                _ => {
                    let op = *self.chance.pick(&["<", "<=", ">", ">="]);
                    let (a, b) = (self.expr(&Ty::Integer, depth - 1, scope), self.expr(&Ty::Integer, depth - 1, scope));
                    format!("({a} {op} {b})")
                }
            },
            Ty::Collection(inner) => match self.chance.below(5) {
                0 => {
                    let (one, all) = (self.expr(inner, depth - 1, scope), self.expr(base, depth - 1, scope));
                    format!("({one} :: {all})")
                }
                1 => format!("({} ++ {})", self.expr(base, depth - 1, scope), self.expr(base, depth - 1, scope)),
                2 => self.literal(base, scope),
                _ => self.query(inner, depth, scope),
            },
            Ty::Entity(fields) => {
                let fields = fields.clone();
                let parts: Vec<String> =
                    fields.iter().map(|(l, t)| format!("{l} => {}", self.expr(t, depth - 1, scope))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Ty::Or(a, b) => {
                let chosen = if self.chance.one_in(2) { a.clone() } else { b.clone() };
                self.expr(&chosen, depth - 1, scope)
            }
            Ty::Nullable(inner) => {
                let inner = inner.clone();
                self.expr(&inner, depth - 1, scope)
            }
            _ => self.literal(base, scope),
        }
    }

    /// Members, their name, and a scope with it.
    fn members(&mut self, depth: usize, scope: &Scope) -> (String, String, Scope) {
        let known: Vec<Ty> = scope.iter().map(|(_, t)| self.base(t).clone()).collect();
        let known: Vec<Ty> = known.into_iter().filter(|t| matches!(t, Ty::Collection(_))).collect();
        let of = match known.first() {
            Some(Ty::Collection(inner)) => (**inner).clone(),
            _ => self.ty(1),
        };
        let source = self.expr(&Ty::Collection(Box::new(of.clone())), depth - 1, scope);
        let (x, mut inner) = (self.fresh(), scope.clone());
        inner.push((x.clone(), of));
        (source, x, inner)
    }

    fn query(&mut self, select: &Ty, depth: usize, scope: &Scope) -> String {
        let (source, x, inner) = self.members(depth, scope);
        let filter = match self.chance.below(3) {
            0 => format!(" where ({x} in ({}))", self.text(select)),
            1 => format!(" where {}", self.truth(depth - 1, &inner)),
            _ => String::new(),
        };
        let selected = if filter.contains(" in ") { x.clone() } else { self.expr(select, depth - 1, &inner) };
        format!("(from {x} in {source}{filter} select {selected})")
    }

    fn accumulate(&mut self, want: &Ty, depth: usize, scope: &Scope) -> String {
        let (source, x, mut inner) = self.members(depth, scope);
        let first = self.expr(want, depth - 1, scope);
        let y = self.fresh();
        let annotation = match self.chance.below(3) {
            0 => String::new(),
            1 => format!(" : {}", self.text(self.base(want))),
            _ => format!(" : {}", self.text(want)),
        };
        let invariant = match self.condition(want, &y) {
            Some(condition) if self.chance.one_in(6) => format!(" invariant {condition}"),
            _ => String::new(),
        };
        inner.push((y.clone(), want.clone()));
        let body = match self.chance.below(3) {
            // Which member is last depends on the order.
            0 => x.clone(),
            _ => self.expr(want, depth - 1, &inner),
        };
        format!("(from {x} in {source} let {y} = ({first}){annotation}{invariant} accumulate {body})")
    }
}
