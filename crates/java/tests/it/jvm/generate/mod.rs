//! A deterministic generator of Java methods that compile and end: integer arithmetic of all widths, side effects within
//! expressions, arrays, objects with virtual calls, all loops, labelled jumps, switches old and new, exceptions with
//! `finally`. What a method computes is folded into the `long` it returns.

mod expressions;
mod statements;

use std::fmt::Write;
use work::Chance;

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
    chance: Chance,
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
        Generator {
            chance: Chance::new(seed),
            variables: Vec::new(),
            labels: Vec::new(),
            next: 0,
            loops: 0,
            out: String::new(),
            indent: 2,
        }
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
        self.chance.draw() >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        self.chance.below(n)
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
}
