//! A deterministic generator of Java methods that compile and end: integer arithmetic of all widths, side effects within
//! expressions, arrays, objects with virtual calls, all loops, labelled jumps, switches old and new, exceptions with
//! `finally`. What a method computes is folded into the `long` it returns.

use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum T {
    Bool,
    Byte,
    Short,
    Char,
    Int,
    Long,
}

impl T {
    fn name(self) -> &'static str {
        match self {
            T::Bool => "boolean",
            T::Byte => "byte",
            T::Short => "short",
            T::Char => "char",
            T::Int => "int",
            T::Long => "long",
        }
    }
}

const INTEGRAL: [T; 5] = [T::Byte, T::Short, T::Char, T::Int, T::Long];

#[derive(Clone)]
struct Variable {
    name: String,
    ty: T,
    /// A loop's counter must not be written to, so that the loop ends.
    is_counter: bool,
}

/// A label in scope: of a loop, or of a block.
#[derive(Clone)]
struct Label {
    name: String,
    is_loop: bool,
}

pub struct Generator {
    state: u64,
    variables: Vec<Variable>,
    labels: Vec<Label>,
    next: u32,
    loops: u32,
    out: String,
    indent: usize,
}

/// What every class of methods starts with. `reset` makes the methods independent of each other.
const MEMBERS: &str = r#"
    static int si;
    static long sl;
    static byte sb;
    static char sc;
    static int[] shared = new int[4];

    static void reset() { si = 3; sl = -5L; sb = 100; sc = 'x'; shared = new int[] {1, -2, 3, Integer.MAX_VALUE}; }

    enum K { P, Q, R }

    static class Failure extends RuntimeException { int code; Failure(int code) { this.code = code; } }
    static class SubFailure extends Failure { SubFailure(int code) { super(code * 2); } }

    static abstract class A {
        int f = 7;
        long g;
        A next;
        A(int f) { this.f += f; g = init(); }
        int init() { return f + 1; }
        abstract int m(int x);
        int n(long x) { return (int) (x ^ g) + m((int) x); }
    }
    static class B extends A {
        short h = 5;
        B(int f) { super(f); h += f; }
        int m(int x) { return x * 31 + f + h; }
        int init() { return h - 2; }
    }
    static class C extends B {
        C() { this(9); }
        C(int f) { super(f + 1); next = this; }
        int m(int x) { if (x < 0) { throw new Failure(x); } return super.m(x) - ++h; }
        int n(long x) { return x > 4 ? super.n(x) : (int) g; }
    }

    static A make(int x) {
        switch (x & 3) {
            case 0: return new B(x);
            case 1: return new C();
            case 2: return new C(x);
            default: return (x & 12) == 12 ? null : new B(-x);
        }
    }
    static Integer box(int x) { return x; }
    static Long boxLong(long x) { return x; }
    static int twice(int x) { si += x; return x << 1; }
    static long mix(int a, long b, byte c) { sl += a; return a * 31L + (b >>> 3) - c; }
    static boolean odd(long x) { return x % 2 != 0; }
    static int over(int x) { return 1; }
    static int over(long x) { return 2; }
    static int over(char x) { return 3; }
    static int over(byte x) { return 4; }
    static int over(Object x) { return 5; }
    static int sum(int... xs) { int s = xs.length; for (int x : xs) { s = s * 3 + x; } return s; }
    static int recurse(int x) { return x <= 0 ? si++ : recurse(x - 1) + x; }
"#;

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Generator { state, variables: Vec::new(), labels: Vec::new(), next: 0, loops: 0, out: String::new(), indent: 2 }
    }

    /// A class with methods `t0`, `t1` … that are `public static long` without parameters, each an operation to check: so
    /// that they are reached.
    pub fn class(&mut self, name: &str, methods: usize) -> String {
        let mut text = format!("import glassbox.*;\n\npublic class {name} {{\n{MEMBERS}\n");
        text.push_str("    @Declarative boolean repOk() { return true; }\n\n");
        for index in 0..methods {
            let _ = write!(text, "    @Check\n    public static long t{index}() {{\n{}    }}\n\n", self.method());
        }
        text.push_str("}\n");
        text
    }

    fn method(&mut self) -> String {
        self.out.clear();
        self.variables.clear();
        self.labels.clear();
        (self.next, self.loops, self.indent) = (0, 0, 2);
        self.line("reset();");
        self.line("int[] a = {5, -1, 0x7fffffff, 8};");
        self.line("byte[] bs = {127, -128, 1, 0};");
        self.line("char[] cs = new char[4];");
        self.line("long[][] m = new long[2][3];");
        self.line("A o = make(si);");
        self.line("K k = K.Q;");
        self.line("int[] none = null;");
        self.line("A[] as = new C[2];");
        for ty in [T::Int, T::Long, T::Byte, T::Short, T::Char, T::Bool, T::Int] {
            self.declare(ty, 0);
        }
        // Straight-line code first: every operator counts, nothing hides it.
        for _ in 0..4 {
            let ty = self.pick(&[T::Int, T::Int, T::Long, T::Byte, T::Char]);
            self.declare(ty, 3);
        }
        let variables = self.variables.len();
        let guarded = self.chance(40);
        if guarded {
            self.line("try {");
            self.indent += 1;
        }
        let count = 2 + self.below(6);
        for _ in 0..count {
            self.statement(2);
        }
        self.variables.truncate(variables);
        if guarded {
            self.indent -= 1;
            let e = self.fresh("e");
            self.line(&format!("}} catch (RuntimeException {e}) {{ sl += {e} instanceof Failure ? 77 : 78; }}"));
        }
        self.line("long r = si * 7 + sl + sb + sc + k.ordinal();");
        for variable in self.variables.clone() {
            let name = &variable.name;
            match variable.ty {
                T::Bool => self.line(&format!("r = r * 31 + ({name} ? 1 : 0);")),
                _ => self.line(&format!("r = r * 31 + {name};")),
            }
        }
        self.line(
            "for (int q = 0; q < 4; q++) { r = r * 31 + a[q] + bs[q] * 3 + cs[q] + shared[q] + m[q & 1][q >> 1]; }",
        );
        self.line("if (o != null) { r = r * 31 + o.f + o.g; }");
        self.line("return r;");
        std::mem::take(&mut self.out)
    }

    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.random() % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<X: Copy>(&mut self, items: &[X]) -> X {
        items[self.below(items.len())]
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn declare(&mut self, ty: T, depth: usize) {
        let value = self.expr(ty, depth);
        let name = self.fresh("v");
        self.line(&format!("{} {name} = {value};", ty.name()));
        self.variables.push(Variable { name, ty, is_counter: false });
    }

    fn variable(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let fitting: Vec<usize> = (0..self.variables.len()).filter(|&i| fits(&self.variables[i])).collect();
        if fitting.is_empty() {
            return None;
        }
        let index = self.pick(&fitting);
        Some(self.variables[index].clone())
    }

    // Statements

    fn block(&mut self, depth: usize, head: &str, tail: &str) {
        let variables = self.variables.len();
        self.line(head);
        self.indent += 1;
        let count = 1 + self.below(2);
        for _ in 0..count {
            self.statement(depth);
        }
        for variable in self.variables.split_off(variables) {
            if variable.ty != T::Bool {
                self.line(&format!("sl = sl * 31 + {};", variable.name));
            }
        }
        self.indent -= 1;
        self.line(tail);
    }

    /// Something that fails half of the time, and how much of it was evaluated until then.
    fn risk(&mut self) {
        let int = self.effect_of(|t| !matches!(t, T::Bool | T::Long), 1);
        let effect = self.effect_of(|t| !matches!(t, T::Bool | T::Long), 1);
        let risky = match self.below(9) {
            0 => format!("a[({int}) & 7] = {effect}"),
            1 => format!("a[({int}) & 7] += {effect}"),
            2 => format!("none[({int}) & 7] = {effect}"),
            3 => format!("none[({int}) & 7] -= {effect}"),
            4 => format!("as[({int}) & 3] = {effect} > 0 ? new B(1) : new C(2)"),
            5 => format!("si = ((C) make({int})).m({effect})"),
            6 => format!("make({int}).f = {effect}"),
            7 => format!("m = new long[({int}) % 9][({effect}) % 9 + 3]; m = new long[2][3]"),
            _ => format!("si = {effect} / (({int}) & 1)"),
        };
        let e = self.fresh("e");
        self.line(&format!("try {{ {risky}; }} catch (RuntimeException {e}) {{ sl = sl * 7 + si; }}"));
    }

    fn statement(&mut self, depth: usize) {
        let choice = if depth == 0 { self.below(8) } else { self.below(21) };
        match choice {
            0 | 1 => {
                let ty = self.pick(&[T::Bool, T::Byte, T::Short, T::Char, T::Int, T::Long]);
                self.declare(ty, 2);
            }
            2..=4 => {
                let text = self.side_effect(2);
                self.line(&format!("{text};"));
            }
            5 => {
                let text = self.assignment(T::Bool, 2);
                self.line(&format!("{text};"));
            }
            6 => {
                let line = match self.below(4) {
                    0 => format!("o = make({});", self.expr(T::Int, 2)),
                    1 => format!("k = {} ? K.P : K.R;", self.expr(T::Bool, 2)),
                    2 => format!("cs[{}] = {};", self.index(4), self.expr(T::Char, 2)),
                    _ => format!("System.arraycopy(a, {}, shared, {}, {});", self.small(), self.small(), self.small()),
                };
                self.line(&line);
            }
            7 => self.risk(),
            8 | 20 => {
                let condition = self.expr(T::Bool, 2);
                self.block(depth - 1, &format!("if ({condition}) {{"), "}");
                if self.chance(50) {
                    self.block(depth - 1, "else {", "}");
                }
            }
            9..=11 => self.loop_statement(depth - 1),
            12 | 13 => self.switch(depth - 1),
            14 | 15 => self.try_statement(depth - 1),
            16 => self.jump(),
            17 => {
                let label = self.fresh("l");
                self.labels.push(Label { name: label.clone(), is_loop: false });
                self.block(depth - 1, &format!("{label}: {{"), "}");
                self.labels.pop();
            }
            18 => {
                let condition = self.expr(T::Bool, 2);
                let exception = match self.below(4) {
                    0 => format!("new Failure({})", self.expr(T::Int, 1)),
                    1 => "new SubFailure(4)".into(),
                    2 => "new IllegalStateException()".into(),
                    _ => "new ArithmeticException()".into(),
                };
                self.line(&format!("if ({condition}) {{ throw {exception}; }}"));
            }
            _ => {
                let condition = self.expr(T::Bool, 2);
                let value = self.expr(T::Long, 2);
                self.line(&format!("if ({condition}) {{ return {value}; }}"));
            }
        }
    }

    /// Loops nest three deep at most and run a few times each.
    fn loop_statement(&mut self, depth: usize) {
        if self.loops >= 3 {
            return;
        }
        self.loops += 1;
        let counter = self.fresh("i");
        let limit = 1 + self.below(5);
        let label = self.fresh("l");
        let named = self.chance(60);
        let prefix = if named { format!("{label}: ") } else { String::new() };
        if named {
            self.labels.push(Label { name: label, is_loop: true });
        }
        let variables = self.variables.len();
        let variable = |name: &str| Variable { name: name.into(), ty: T::Int, is_counter: true };
        match self.below(4) {
            0 => {
                self.variables.push(variable(&counter));
                let update = if self.chance(30) { format!(", {}", self.side_effect(1)) } else { String::new() };
                let head = format!("{prefix}for (int {counter} = 0; {counter} < {limit}; {counter}++{update}) {{");
                self.block(depth, &head, "}");
            }
            1 => {
                self.line(&format!("int {counter} = {limit};"));
                self.variables.push(variable(&counter));
                let extra = if self.chance(40) { format!(" && {}", self.expr(T::Bool, 2)) } else { String::new() };
                self.block(depth, &format!("{prefix}while ({counter}-- > 0{extra}) {{"), "}");
            }
            2 => {
                self.line(&format!("int {counter} = 0;"));
                self.variables.push(variable(&counter));
                self.block(depth, &format!("{prefix}do {{"), &format!("}} while (++{counter} < {limit});"));
            }
            _ => {
                self.variables.push(variable(&counter));
                self.block(depth, &format!("{prefix}for (int {counter} : a) {{"), "}");
            }
        }
        self.variables.truncate(variables);
        if named {
            self.labels.pop();
        }
        self.loops -= 1;
    }

    fn jump(&mut self) {
        if self.labels.is_empty() {
            return;
        }
        let index = self.below(self.labels.len());
        let label = self.labels[index].clone();
        let word = if label.is_loop && self.chance(50) { "continue" } else { "break" };
        let condition = self.expr(T::Bool, 2);
        self.line(&format!("if ({condition}) {{ {word} {}; }}", label.name));
    }

    fn switch(&mut self, depth: usize) {
        let (on, cases): (String, Vec<String>) = match self.below(4) {
            0 => ("k".into(), ["P", "Q", "R"].map(String::from).into()),
            1 => (self.expr(T::Char, 2), (0..4).map(|i| format!("'{}'", (b'w' + i) as char)).collect()),
            2 => (format!("(byte) ({})", self.expr(T::Int, 2)), [-128, 0, 1, 127].map(|i: i32| i.to_string()).into()),
            _ => (format!("({}) & 3", self.expr(T::Int, 2)), [0, 1, 2, 3].map(|i: i32| i.to_string()).into()),
        };
        let count = 1 + self.below(cases.len());
        if self.chance(30) {
            // A switch expression, which has to have a default.
            let ty = self.pick(&[T::Int, T::Long, T::Bool]);
            let name = self.fresh("v");
            let mut text = format!("{} {name} = switch ({on}) {{ ", ty.name());
            for case in &cases[..count] {
                let _ = write!(text, "case {case} -> {}; ", self.expr(ty, 2));
            }
            let _ = write!(text, "default -> {{ {}; yield {}; }} }};", self.side_effect(2), self.expr(ty, 1));
            self.line(&text);
            self.variables.push(Variable { name, ty, is_counter: false });
            return;
        }
        self.line(&format!("switch ({on}) {{"));
        self.indent += 1;
        let default = self.below(count + 2);
        for (index, case) in cases[..count].iter().enumerate() {
            if default == index {
                self.block(depth.min(1), "default: {", "}");
            }
            self.block(depth, &format!("case {case}: {{"), "}");
            if self.chance(50) {
                self.line("break;");
            }
        }
        if default == count {
            self.block(depth.min(1), "default: {", "}");
        }
        self.indent -= 1;
        self.line("}");
    }

    fn try_statement(&mut self, depth: usize) {
        self.block(depth, "try {", "");
        if self.chance(30) {
            let (condition, value) = (self.expr(T::Bool, 1), self.expr(T::Long, 1));
            self.line(&format!("if ({condition}) {{ return {value}; }}"));
        }
        self.line("}");
        let catches = [
            "ArithmeticException",
            "SubFailure",
            "Failure",
            "NullPointerException | ArrayIndexOutOfBoundsException",
            "RuntimeException",
        ];
        // In this order none hides a later one.
        let chosen: Vec<&str> = catches.into_iter().filter(|_| self.chance(35)).collect();
        for catch in &chosen {
            let e = self.fresh("e");
            self.block(depth, &format!("catch ({catch} {e}) {{"), "}");
            if catch.ends_with("Failure") && self.chance(50) {
                // Reopen the handler: use what was caught.
                let trimmed = self.out.trim_end().len() - 1;
                self.out.truncate(trimmed);
                self.line(&format!("    si += {e}.code; }}"));
            }
        }
        if chosen.is_empty() || self.chance(40) {
            let call = format!("sl += twice({}); }}", self.next);
            self.block(depth, "finally {", &call);
        }
    }

    // Expressions

    /// Something that may stand alone as a statement.
    fn side_effect(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 | 1 => {
                let ty = self.pick(&INTEGRAL);
                self.assignment(ty, depth)
            }
            2 | 3 => self.compound(depth),
            4 => self.increment(),
            _ => match self.below(3) {
                0 => format!("twice({})", self.expr(T::Int, depth)),
                1 => format!("make({}).m({})", self.expr(T::Int, 1), self.expr(T::Int, 1)),
                _ => format!("recurse({})", self.small()),
            },
        }
    }

    fn assignment(&mut self, ty: T, depth: usize) -> String {
        let value = self.expr(ty, depth);
        let target = self.target(Some(ty)).0;
        format!("{target} = {value}")
    }

    fn compound(&mut self, depth: usize) -> String {
        let op = self.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"]);
        let (target, _) = self.target(None);
        let ty = self.pick(&INTEGRAL);
        let value = self.expr(ty, depth);
        let guard = if matches!(op, "/" | "%") && self.chance(95) { " | 1" } else { "" };
        format!("{target} {op}= {}{guard}", bracketed(value))
    }

    fn increment(&mut self) -> String {
        let target = self.target(None).0;
        let op = self.pick(&["++", "--"]);
        if self.chance(50) { format!("{target}{op}") } else { format!("{op}{target}") }
    }

    /// Something that can be assigned to; of that type, or of any integral one.
    fn target(&mut self, ty: Option<T>) -> (String, T) {
        let others: Vec<(String, T)> = match self.below(9) {
            0 => vec![(format!("a[{}]", self.index(4)), T::Int)],
            1 => vec![(format!("bs[{}]", self.index(4)), T::Byte)],
            2 => vec![(format!("cs[{}]", self.index(4)), T::Char)],
            3 => vec![(format!("m[{}][{}]", self.index(2), self.index(3)), T::Long)],
            4 => vec![("o.f".into(), T::Int), ("o.g".into(), T::Long)],
            5 => vec![("si".into(), T::Int), ("sl".into(), T::Long), ("sb".into(), T::Byte), ("sc".into(), T::Char)],
            _ => vec![],
        };
        let fits = |t: T| ty.map_or(t != T::Bool, |ty| ty == t);
        if let Some(other) = others.into_iter().find(|(_, t)| fits(*t)) {
            return other;
        }
        match self.variable(|v| !v.is_counter && fits(v.ty)) {
            Some(variable) => (variable.name, variable.ty),
            None => ("si".into(), T::Int),
        }
    }

    /// Mostly within bounds.
    fn index(&mut self, length: usize) -> String {
        match self.below(12) {
            0 if self.chance(30) => format!("({}) & {}", self.expr(T::Int, 1), length),
            0..=5 => self.below(length).to_string(),
            _ if length == 3 => format!("(({}) & 0xff) % 3", self.expr(T::Int, 1)),
            _ => format!("({}) & {}", self.expr(T::Int, 1), length - 1),
        }
    }

    fn small(&mut self) -> String {
        let n = self.below(7) as i64 - 1;
        n.to_string()
    }

    fn expr(&mut self, ty: T, depth: usize) -> String {
        match ty {
            T::Bool => self.boolean(depth),
            T::Int => self.int(depth),
            T::Long => self.long(depth),
            T::Byte | T::Short | T::Char => {
                if self.chance(35)
                    && let Some(variable) = self.variable(|v| v.ty == ty)
                {
                    return variable.name;
                }
                if ty == T::Byte && self.chance(20) {
                    return format!("bs[{}]", self.index(4));
                }
                let from = self.pick(&[T::Int, T::Int, T::Long]);
                let value = self.expr(from, depth.saturating_sub(1));
                format!("({}) {}", ty.name(), bracketed(value))
            }
        }
    }

    fn literal(&mut self, ty: T) -> String {
        if self.chance(40) {
            return match ty {
                T::Long => format!("{}L", (self.random() as i64).wrapping_mul(65_537)),
                _ => format!("{}", self.random() as i32),
            };
        }
        if ty == T::Long {
            return self
                .pick(&["0L", "1L", "-1L", "3_000_000_000L", "Long.MAX_VALUE", "-9223372036854775808L", "0xffL", "33L"])
                .into();
        }
        let odd = ["0", "1", "-1", "'a'", "255", "0x80000000", "-2147483648", "2147483647", "0b101", "017", "31", "32"];
        if self.chance(50) { self.pick(&odd).into() } else { (self.below(200) as i64 - 100).to_string() }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(15) {
            return match self.variable(|v| !matches!(v.ty, T::Bool | T::Long)) {
                Some(variable) if self.chance(70) => variable.name,
                _ => self.literal(T::Int),
            };
        }
        let depth = depth - 1;
        let narrow = |generator: &mut Generator| {
            let ty = generator.pick(&[T::Int, T::Int, T::Int, T::Byte, T::Short, T::Char]);
            generator.expr(ty, depth)
        };
        match self.below(20) {
            0..=5 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {op} {})", narrow(self), narrow(self))
            }
            6 | 7 => {
                let op = self.pick(&["/", "%"]);
                let guard = if self.chance(95) { " | 1" } else { "" };
                format!("({} {op} ({}{guard}))", narrow(self), narrow(self))
            }
            8 | 9 => {
                let op = self.pick(&["<<", ">>", ">>>"]);
                let distance = self.pick(&[T::Int, T::Long, T::Byte]);
                format!("({} {op} {})", narrow(self), self.expr(distance, depth))
            }
            10 => format!("{}{}", self.pick(&["-", "~", "+"]), bracketed(narrow(self))),
            11 => format!("(int) {}", bracketed(self.long(depth))),
            12 => format!("({} ? {} : {})", self.boolean(depth), narrow(self), narrow(self)),
            13 => self.effect_of(|t| !matches!(t, T::Bool | T::Long), depth),
            14 => format!("a[{}]", self.index(4)),
            15 => format!("twice({})", narrow(self)),
            16 => match self.below(4) {
                0 => "o.f".into(),
                1 => format!("o.m({})", narrow(self)),
                2 => format!("make({}).n({})", self.small(), self.long(depth)),
                _ => format!("recurse({})", self.small()),
            },
            17 => {
                let ty = self.pick(&INTEGRAL);
                format!("over({})", self.expr(ty, depth))
            }
            18 => format!("sum({}, {})", narrow(self), narrow(self)),
            _ => format!("(box({}) + {})", narrow(self), narrow(self)),
        }
    }

    fn long(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(15) {
            return match self.variable(|v| v.ty != T::Bool) {
                Some(variable) if self.chance(70) => variable.name,
                _ => self.literal(T::Long),
            };
        }
        let depth = depth - 1;
        match self.below(12) {
            0..=3 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                let other = self.pick(&INTEGRAL);
                if self.chance(50) {
                    format!("({} {op} {})", self.long(depth), self.expr(other, depth))
                } else {
                    format!("({} {op} (long) {})", self.expr(other, depth), self.long(0))
                }
            }
            4 => {
                let op = self.pick(&["/", "%"]);
                let guard = if self.chance(95) { " | 1" } else { "" };
                format!("((long) {} {op} ({}{guard}))", self.long(0), self.long(depth))
            }
            5 | 6 => {
                let op = self.pick(&["<<", ">>", ">>>"]);
                let distance = self.pick(&[T::Int, T::Long]);
                format!("((long) {} {op} {})", self.long(0), self.expr(distance, depth))
            }
            7 => format!("{}((long) {})", self.pick(&["-", "~"]), self.long(0)),
            8 => format!("mix({}, {}, {})", self.int(depth), self.long(depth), self.expr(T::Byte, depth)),
            9 => format!("({} ? {} : {})", self.boolean(depth), self.int(depth), self.long(depth)),
            10 => self.effect_of(|t| t != T::Bool, depth),
            _ => format!("m[{}][{}]", self.index(2), self.index(3)),
        }
    }

    /// An assignment of whatever kind as a value, to a target whose type fits.
    fn effect_of(&mut self, fits: impl Fn(T) -> bool, depth: usize) -> String {
        let Some(variable) = self.variable(|v| !v.is_counter && fits(v.ty)) else { return self.literal(T::Int) };
        let name = variable.name;
        match self.below(4) {
            0 => format!("({name} = {})", self.expr(variable.ty, depth)),
            1 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", ">>>"]);
                let ty = self.pick(&INTEGRAL);
                format!("({name} {op}= {})", self.expr(ty, depth))
            }
            2 => format!("{name}{}", self.pick(&["++", "--"])),
            // In brackets: a sign may stand before it.
            _ => format!("({}{name})", self.pick(&["++", "--"])),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(8) {
            return match self.variable(|v| v.ty == T::Bool) {
                Some(variable) if self.chance(80) => variable.name,
                _ => self.pick(&["true", "false"]).into(),
            };
        }
        let depth = depth - 1;
        match self.below(14) {
            0..=4 => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.pick(&INTEGRAL), self.pick(&INTEGRAL));
                format!("({} {op} {})", self.expr(a, depth), self.expr(b, depth))
            }
            5 | 6 => {
                let op = self.pick(&["&&", "||", "&", "|", "^", "==", "!="]);
                format!("({} {op} {})", self.boolean(depth), self.boolean(depth))
            }
            7 => format!("!({})", self.boolean(depth)),
            8 => format!("({} ? {} : {})", self.boolean(depth), self.boolean(depth), self.boolean(depth)),
            9 => format!("odd({})", self.long(depth)),
            10 => match self.below(5) {
                0 => "o instanceof C".into(),
                1 => "(o == null)".into(),
                2 => "(k == K.P)".into(),
                3 => "(o != null && o.next == o)".into(),
                _ => {
                    let b = self.fresh("b");
                    format!("(o instanceof B {b} && {b}.h > 10)")
                }
            },
            11 => {
                let edge = self.pick(&["126", "-130"]);
                let number = format!("{edge} + ({} & 3)", self.int(0));
                format!("(box({number}) == box({number}))")
            }
            12 => match self.variable(|v| v.ty == T::Bool && !v.is_counter) {
                Some(variable) => {
                    let op = self.pick(&["=", "&=", "|=", "^="]);
                    format!("({} {op} {})", variable.name, self.boolean(depth))
                }
                None => "true".into(),
            },
            _ => format!("(boxLong({}) == {})", self.long(depth), self.int(depth)),
        }
    }
}

/// In brackets unless it is a plain name: the front-end takes `(x) - y` for a cast of `-y`, as its grammar does.
fn bracketed(value: String) -> String {
    let is_name = value.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
    if is_name { value } else { format!("({value})") }
}
