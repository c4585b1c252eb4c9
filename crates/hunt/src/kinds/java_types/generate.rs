//! Expressions over the members of `Members.java`. Most of them have a type; `javac` refuses the others.

use work::Chance;

pub struct Generator {
    chance: Chance,
    is_overload: bool,
    /// So many variables in patterns have names.
    patterns: usize,
}

/// What an operand should be, roughly.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Number,
    Bool,
    Any,
}

const NUMBERS: &[&str] = &[
    "b",
    "b2",
    "s",
    "c",
    "i",
    "j",
    "l",
    "B",
    "S",
    "C",
    "I",
    "J",
    "N",
    "L",
    "CN",
    "KB",
    "KS",
    "KC",
    "KI",
    "KM",
    "KL",
    "KBOX",
    "0",
    "1",
    "5",
    "100",
    "127",
    "128",
    "300",
    "70000",
    "-1",
    "'a'",
    "'\\0'",
    "1L",
    "bi.v",
    "bi.get()",
    "bn.v",
    "bb.v.v",
    "bb.get().get()",
    "bw.get().intValue()",
    "sub.v",
    "sub.get()",
    "nl.v",
    "nl.n()",
    "pr.x",
    "pr.y",
    "pr.snd()",
    "ba[0].v",
    "ba[1].v",
    "ia[0]",
    "na[0]",
    "na[1]",
    "bc.v",
    "e.ordinal()",
    "ia.length",
    "(byte) 3",
    "(short) 4",
    "(char) 98",
    "(long) 5",
    "none(i)",
    "boxed(i)",
    "inc(i)",
];
const BOOLS: &[&str] = &["t", "u", "Z", "ZN", "KT", "true", "false", "i > 2", "I == 7", "N == null", "c == 99"];
const OTHERS: &[&str] = &[
    "null",
    "\"s\"",
    "str",
    "strn",
    "o",
    "on",
    "oi",
    "num",
    "cmp",
    "e",
    "bi",
    "bn",
    "bb",
    "bw",
    "bs",
    "bq",
    "raw",
    "sub",
    "pr",
    "bw.v",
    "bs.v",
    "bq.v",
    "raw.v",
    "bw.get()",
    "bs.get()",
    "raw.get()",
    "E.P",
    "KSTR",
    "make()",
    "fl",
    "d",
    "1.5f",
    "2.5",
    "na",
    "ia",
];
const TYPES: &[&str] = &[
    "byte",
    "short",
    "char",
    "int",
    "long",
    "Byte",
    "Short",
    "Character",
    "Integer",
    "Long",
    "Object",
    "Number",
    "boolean",
    "Boolean",
    "String",
    "Comparable<?>",
    "float",
    "double",
];
/// What may be assigned to.
const TARGETS: &[&str] =
    &["b", "s", "c", "i", "l", "B", "S", "C", "I", "L", "N", "bi.v", "ia[0]", "na[0]", "pr.y", "bb.v.v", "sub.v"];
const COMPOUND: &[&str] = &["+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>", ">>>", ""];
const OVERLOADS: &[&str] = &["f", "f", "f", "g", "h", "k", "m", "n", "q", "r", "x", "y", "z"];

impl Generator {
    pub fn new(seed: u64, is_overload: bool) -> Generator {
        Generator { chance: Chance::new(seed), is_overload, patterns: 0 }
    }

    /// Names and bodies.
    pub fn methods(&mut self, count: usize) -> Vec<(String, String)> {
        (0..count).map(|n| (format!("t{n}"), format!("reset(); {}", self.body()))).collect()
    }

    fn pick(&mut self, from: &[&str]) -> String {
        self.chance.pick(from).to_string()
    }

    fn body(&mut self) -> String {
        let depth = 1 + self.chance.below(3);
        if self.is_overload {
            return match self.chance.below(10) {
                0 => format!("var v = {}; return f(v);", self.expr(Sort::Any, depth)),
                1 => format!("return p({}, {});", self.expr(Sort::Number, depth), self.expr(Sort::Number, depth)),
                2 => format!("return r({}, {});", self.expr(Sort::Any, depth), self.expr(Sort::Any, depth)),
                3 => format!("return n({}, {});", self.expr(Sort::Any, depth), self.expr(Sort::Any, depth)),
                4 => format!("return {}({});", self.pick(&["sf", "sg"]), self.lambda(depth)),
                _ => format!("return {}({});", self.pick(OVERLOADS), self.expr(Sort::Any, depth)),
            };
        }
        match self.chance.below(16) {
            0 | 1 => format!("var v = {}; return w(v);", self.expr(Sort::Any, depth)),
            2..=4 => {
                let (ty, sort) = self.typed();
                format!("{ty} v = {}; return w(v);", self.expr(sort, depth))
            }
            5 => format!("Object v = {}; return w(v);", self.expr(Sort::Number, depth)),
            6 => format!("return w((Object) {});", self.tight(Sort::Any, depth)),
            7 => {
                let (target, op) = (self.pick(TARGETS), self.pick(COMPOUND));
                format!("var v = {target} {op}= {}; return w(v) * 7 + w({target});", self.expr(Sort::Number, depth))
            }
            8 => {
                let (update, target) = self.update();
                format!("var v = {update}; return w(v) * 7 + w({target});")
            }
            9 => {
                let ty = self.pick(&["byte", "short", "char", "int", "long"]);
                format!("final {ty} v = {}; return w(t ? v : 5) * 7 + f(v);", self.expr(Sort::Number, 1))
            }
            10 => format!(
                "switch ({}) {{ case 1: return 1; case 7: return 2; default: return 3; }}",
                self.expr(Sort::Number, depth)
            ),
            11 => format!("return w({});", self.constant_text()),
            12 => format!(
                "{}[] v = {{{}, {}}}; return w(v[0]) * 7 + w(v[1]);",
                self.pick(&[
                    "byte",
                    "short",
                    "char",
                    "int",
                    "long",
                    "Byte",
                    "Character",
                    "Integer",
                    "Object",
                    "Number"
                ]),
                self.expr(Sort::Number, depth),
                self.expr(Sort::Number, depth)
            ),
            13 => {
                let (ty, sort) = self.typed();
                format!("Sup<{}> v = () -> {}; return w(v.get());", boxed(&ty), self.expr(sort, depth))
            }
            _ => format!("return w({});", self.expr(Sort::Any, depth)),
        }
    }

    /// `i++` and the like, and what it changes.
    fn update(&mut self) -> (String, String) {
        let target = self.pick(TARGETS);
        let update = match self.chance.below(4) {
            0 => format!("{target}++"),
            1 => format!("++{target}"),
            2 => format!("{target}--"),
            _ => format!("--{target}"),
        };
        (update, target)
    }

    fn typed(&mut self) -> (String, Sort) {
        let ty = self.pick(TYPES);
        let sort = match ty.as_str() {
            "boolean" | "Boolean" => Sort::Bool,
            "Object" | "String" => Sort::Any,
            _ => Sort::Number,
        };
        (ty, sort)
    }

    /// Constant strings are one object if they are equal.
    fn constant_text(&mut self) -> String {
        let parts = [
            "1",
            "KB",
            "KC",
            "'x'",
            "KI",
            "KL",
            "true",
            "KT",
            "\"s\"",
            "KSTR",
            "(byte) 300",
            "(char) 98",
            "1 + 2",
            "'a' + 1",
            "null",
            "KM * KM",
            "KT ? 'a' : 0",
            "KT ? 1 : 'b'",
            "-KB",
            "(short) KM",
        ];
        let (a, b) = (self.pick(&parts), self.pick(&parts));
        let whole = [
            "\"1s\"",
            "\"ks\"",
            "\"xs\"",
            "\"trues\"",
            "\"s1\"",
            "\"sk\"",
            "\"sx\"",
            "\"s97\"",
            "\"sa\"",
            "\"s3\"",
            "\"98s\"",
            "\"bs\"",
            "\"44s\"",
            "\"s-1\"",
            "\"s1000000\"",
            "\"s12\"",
            "\"ss\"",
            "\"s98\"",
            "\"s44\"",
            "\"sb\"",
            "\"strue\"",
            "\"s10\"",
        ];
        let text = if self.chance.one_in(2) { format!("\"s\" + ({b})") } else { format!("({a}) + \"s\"") };
        let text = if self.chance.one_in(3) { format!("KT ? {text} : \"q\"") } else { text };
        format!("({text}) == {}", self.pick(&whole))
    }

    fn lambda(&mut self, depth: usize) -> String {
        match self.chance.below(6) {
            0 => format!("() -> {}", self.expr(Sort::Number, depth)),
            1 => format!("() -> {{ return {}; }}", self.expr(Sort::Number, depth)),
            2 => format!("() -> {{ {}; }}", self.pick(&["i++", "inc(i)", "reset()"])),
            3 => format!("x -> {}", self.expr(Sort::Any, depth)),
            4 => format!("x -> {{ return {}; }}", self.expr(Sort::Any, depth)),
            _ => self.pick(&[
                "() -> i++",
                "() -> reset()",
                "() -> inc(i)",
                "() -> { throw new RuntimeException(); }",
                "() -> id(N)",
            ]),
        }
    }

    fn atom(&mut self, sort: Sort) -> String {
        match sort {
            Sort::Number => self.pick(NUMBERS),
            Sort::Bool => self.pick(BOOLS),
            Sort::Any => match self.chance.below(4) {
                0 => self.pick(OTHERS),
                1 => self.pick(BOOLS),
                _ => self.pick(NUMBERS),
            },
        }
    }

    /// An operand of something that binds tightly.
    fn tight(&mut self, sort: Sort, depth: usize) -> String {
        let e = self.expr(sort, depth);
        // A `switch` may stand there as it is.
        if e.starts_with("switch") || e.bytes().all(|c| c.is_ascii_alphanumeric()) { e } else { format!("({e})") }
    }

    fn test(&mut self) -> String {
        match self.chance.below(4) {
            0 => self.pick(&["KT", "true", "false", "!KT"]),
            1 => "u".into(),
            _ => "t".into(),
        }
    }

    fn expr(&mut self, sort: Sort, depth: usize) -> String {
        if depth == 0 {
            return self.atom(sort);
        }
        let inner = depth - 1;
        match self.chance.below(28) {
            0..=3 => {
                format!("{} ? {} : {}", self.test(), self.tight(sort, inner), self.tight(sort, inner))
            }
            4..=7 => self.switch(sort, inner),
            8 => format!("id({})", self.expr(sort, inner)),
            9 => format!("pick({}, {})", self.expr(sort, inner), self.expr(sort, inner)),
            10 => match self.chance.below(12) {
                0 => format!("T.<Integer>id({})", self.expr(sort, inner)),
                1 => "make()".into(),
                2 => "T.<Integer>make()".into(),
                3 => format!("max({}, {})", self.expr(sort, inner), self.expr(sort, inner)),
                4 => format!("nu({})", self.expr(sort, inner)),
                5 => format!("first({}, {})", self.expr(sort, inner), self.expr(sort, inner)),
                6 => format!("unwrap({})", self.pick(&["bi", "bn", "bc", "bw", "bs", "sub", "bb.v", "ba[0]"])),
                7 => format!("elem(na, {})", self.pick(&["0", "1"])),
                8 => format!("bi.as({})", self.expr(sort, inner)),
                9 => format!("T.<Long>pick({}, {})", self.expr(sort, inner), self.expr(sort, inner)),
                10 => format!("first({})", self.expr(sort, inner)),
                _ => format!("pr.with({}).x", self.expr(sort, inner)),
            },
            11 => match self.chance.below(6) {
                0 => format!("wrap({}).v", self.expr(sort, inner)),
                1 => format!("unwrap(wrap({}))", self.expr(sort, inner)),
                2 => format!("new Box<>({}).get()", self.expr(sort, inner)),
                3 => format!("new Box<Integer>({}).v", self.expr(sort, inner)),
                4 => format!("Box.of({}).get()", self.expr(sort, inner)),
                _ => format!("new Pair<>({}, 1).x", self.expr(sort, inner)),
            },
            12 => {
                let (ty, e) = (self.pick(TYPES), self.tight(sort, inner));
                // `javac` does not box the value of a `switch` for a cast to a superclass of boxes.
                if ty == "Number" && e.starts_with("switch") { e } else { format!("({ty}) {e}") }
            }
            13 | 14 if sort != Sort::Bool => {
                let op = self.pick(&["+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>", ">>>"]);
                format!("{} {op} {}", self.tight(Sort::Number, inner), self.tight(Sort::Number, inner))
            }
            13 => format!(
                "{} {} {}",
                self.tight(Sort::Number, inner),
                self.pick(&["==", "<", "!=", ">="]),
                self.tight(Sort::Number, inner)
            ),
            14 => format!(
                "{} {} {}",
                self.tight(Sort::Bool, inner),
                self.pick(&["&&", "||", "&", "|", "^", "=="]),
                self.tight(Sort::Bool, inner)
            ),
            15 => format!("{}{}", self.pick(&["-", "~", "+", "!"]), self.tight(sort, inner)),
            16 => format!("{}({})", self.pick(OVERLOADS), self.expr(Sort::Any, inner)),
            17 => match self.chance.below(9) {
                0 => format!("sup(() -> {})", self.expr(sort, inner)),
                1 => format!("sup(() -> {{ return {}; }})", self.expr(sort, inner)),
                2 => format!(
                    "ap(x -> {}, {})",
                    self.pick(&["x", "id(x)", "null", "t ? x : null", "1"]),
                    self.expr(sort, inner)
                ),
                3 => {
                    format!("ap(T::{}, {})", self.pick(&["id", "inc", "boxed", "none", "wrap"]), self.expr(sort, inner))
                }
                4 => format!(
                    "toInt({}, {})",
                    self.pick(&["x -> x", "x -> 5", "T::inc", "x -> x.hashCode()"]),
                    self.expr(Sort::Number, inner)
                ),
                5 => format!(
                    "intFn(x -> {}, i)",
                    self.pick(&["x", "t ? x : null", "(long) x", "id(x)", "t ? id(x) : 'a'"])
                ),
                6 => format!("ints(() -> {})", self.expr(Sort::Number, inner)),
                7 => format!(
                    "op((x, y) -> {}, {}, {})",
                    self.pick(&["x", "t ? x : y", "pick(y, x)", "null"]),
                    self.expr(sort, inner),
                    self.expr(sort, inner)
                ),
                _ => format!(
                    "intFn({}, i)",
                    self.pick(&["T::boxed", "T::inc", "Box::new", "T::wrap", "int[]::new", "T::none", "T::id"])
                ),
            },
            18 => {
                format!("{} = {}", self.pick(&["i", "l", "b", "c", "I", "N", "o", "C", "num"]), self.tight(sort, inner))
            }
            19 => format!(
                "({} instanceof {})",
                self.tight(Sort::Any, inner),
                self.pick(&["Integer", "Long", "Character", "Object", "Number", "Comparable", "Box", "String"])
            ),
            20 => format!(
                "({} {} {})",
                self.tight(Sort::Any, inner),
                self.pick(&["==", "!="]),
                self.tight(Sort::Any, inner)
            ),
            21 => match self.chance.below(4) {
                0 => format!("({})", self.update().0),
                1 => format!("(str += {})", self.tight(Sort::Any, inner)),
                2 => format!("(t {}= {})", self.pick(&["&", "|", "^", ""]), self.tight(Sort::Bool, inner)),
                _ => {
                    let (target, op) = (self.pick(TARGETS), self.pick(COMPOUND));
                    format!("({target} {op}= {})", self.tight(Sort::Number, inner))
                }
            },
            22 => format!("new Con({}).k", self.expr(Sort::Any, inner)),
            23 => match self.chance.below(3) {
                0 => format!("both({}, {})", self.expr(Sort::Number, inner), self.expr(Sort::Number, inner)),
                1 => format!("ia[{}]", self.expr(Sort::Number, inner)),
                _ => format!("new long[{}].length", self.expr(Sort::Number, inner)),
            },
            // A lambda in a cast, and in the arms of what decides between two.
            24 => {
                let (x, y) = (self.expr(sort, inner), self.expr(sort, inner));
                match self.chance.below(5) {
                    0 => format!("((Sup<{}>) () -> {x}).get()", boxed(&self.pick(TYPES))),
                    1 => format!("((IntSup) () -> {x}).get()"),
                    2 => format!("sup({} ? () -> {x} : () -> {y})", self.test()),
                    3 => format!("sup(switch (i) {{ case 3 -> () -> {x}; default -> () -> {y}; }})"),
                    _ => format!("ap(({} x) -> {y}, {x})", self.pick(&["Integer", "Object", "Number", "var"])),
                }
            }
            25 => {
                self.patterns += 1;
                let (number, ty) = (self.patterns, self.pick(&["Integer", "Number", "String", "Character", "Object"]));
                let (of, other) = (self.pick(&["oi", "num", "o", "cmp", "bq.v", "raw.v"]), self.tight(sort, inner));
                format!("{of} instanceof {ty} p{number} ? p{number} : {other}")
            }
            _ => self.atom(sort),
        }
    }

    fn switch(&mut self, sort: Sort, depth: usize) -> String {
        let (on, cases) = match self.chance.below(4) {
            0 => ("e", ["P", "Q"]),
            1 => ("str", ["\"s\"", "\"r\""]),
            2 => ("I", ["7", "8"]),
            _ => ("i", ["4", "3"]),
        };
        let [x, y, z] = [self.expr(sort, depth), self.expr(sort, depth), self.expr(sort, depth)];
        let [a, b] = cases;
        match self.chance.below(4) {
            0 => format!("switch ({on}) {{ case {a}: yield {x}; case {b}: yield {y}; default: yield {z}; }}"),
            1 => {
                format!("switch ({on}) {{ case {a} -> {x}; case {b} -> {{ var q = {y}; yield q; }} default -> {z}; }}")
            }
            2 => format!("switch ({on}) {{ case {a}, {b} -> {x}; default -> {z}; }}"),
            _ => format!("switch ({on}) {{ case {a} -> {x}; case {b} -> {y}; default -> {z}; }}"),
        }
    }
}

fn boxed(ty: &str) -> &str {
    match ty {
        "byte" => "Byte",
        "short" => "Short",
        "char" => "Character",
        "int" | "float" => "Integer",
        "long" | "double" => "Long",
        "boolean" => "Boolean",
        _ => ty,
    }
}
