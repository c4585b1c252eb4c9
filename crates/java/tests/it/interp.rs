//! From Java text to values: each case is the body of a method, and what it returns or throws. The expected values were
//! confirmed on a JVM once; `jvm` compares generated programs every time.

use ir::interp::{Interp, Linked, NoChoice, Outcome, run_statics};
use ir::{Ty, Value};
use work::with_room;

/// Declarations around the bodies.
const MEMBERS: &str = r#"
    static int counter;
    static int next() { return ++counter; }
    static int[] array() { counter += 10; return null; }
    static int fail() { throw new IllegalStateException(); }
    static int tryReturn() { int x = 1; try { return x; } finally { x = 2; } }
    @SuppressWarnings("finally") static int overrule() { try { throw new RuntimeException(); } finally { return 3; } }
    static class Base { int v = 1; Base() { init(); } void init() { v = 2; } int get() { return v; } static String name() { return "b"; } }
    static class Derived extends Base { int w = 5; void init() { w = 9; v = 7; } int get() { return super.get() * 10 + w; } }
    interface Shape { int area(); default int twice() { return 2 * area(); } }
    record Square(int side) implements Shape { public int area() { return side * side; } }
    enum Color { RED { int f() { return 1; } }, GREEN; int f() { return 2; } }
    class Inner { int x = counter; int outer() { return x + base; } }
    int base = 40;
    int plus(int x) { return base + x; }
    static int recurse(int x) { return recurse(x + 1) + 1; }
    static <T extends Comparable<T>> T max(T a, T b) { return a.compareTo(b) >= 0 ? a : b; }
"#;

const CASES: &[(&str, &str)] = &[
    ("int x = 5; return x++ + ++x;", "12"),
    ("int x = 5; x = x++ + x--; return x;", "11"),
    ("int x = 3; x += x++ * 2 + x; return x;", "13"),
    ("int[] a = {0, 0, 0}; int i = 0; a[i++] = a[i] = i = 2; return a[0] * 100 + a[1] * 10 + i;", "222"),
    ("int i = 2; int[] a = {4, 5, 6}; a[--i] += i++ + i; return a[1] * 10 + i;", "82"),
    ("byte b = 127; b++; return b;", "-128"),
    ("byte b = 10; b += 300; return b;", "54"),
    ("short s = -1; s >>>= 10; return s;", "-1"),
    ("char c = 'a'; c += 1; return c;", "98"),
    ("char c = 0; c--; return c;", "65535"),
    ("int x = 1; x <<= 33L; return x;", "2"),
    ("long x = 1; x <<= 33; return x;", "8589934592"),
    ("int x = 7; x *= 1 << 31; return x;", "-2147483648"),
    ("return Integer.MIN_VALUE / -1;", "-2147483648"),
    ("return -7 / 2 * 10 + -7 % 2;", "-31"),
    ("return (byte) 200 + (char) -1 + (short) 70000;", "69943"),
    ("return (int) 3_000_000_000L;", "-1294967296"),
    ("return -1 >>> 28;", "15"),
    ("return -1L >>> 60;", "15"),
    ("return (byte) -1 >>> 4;", "268435455"),
    ("return 'a' + 1;", "98"),
    ("int zero = 0; return 1 / zero;", "ArithmeticException"),
    ("long zero = 0; return 1 % zero;", "ArithmeticException"),
    (
        "counter = 0; try { array()[next()] = next(); } catch (NullPointerException e) { return counter; } return -1;",
        "12",
    ),
    (
        "counter = 0; try { array()[next()] += next(); } catch (NullPointerException e) { return counter; } return -1;",
        "11",
    ),
    (
        "counter = 0; int[] a = {1}; try { a[1] += next(); } catch (ArrayIndexOutOfBoundsException e) { return counter; } return -1;",
        "0",
    ),
    (
        "counter = 0; int[] a = {1}; try { a[1] = next(); } catch (ArrayIndexOutOfBoundsException e) { return counter; } return -1;",
        "1",
    ),
    (
        "counter = 0; Base b = null; try { b.v = next(); } catch (NullPointerException e) { return counter; } return -1;",
        "1",
    ),
    (
        "counter = 0; try { int[][] m = new int[next()][-next()]; } catch (NegativeArraySizeException e) { return counter; } return -1;",
        "2",
    ),
    ("Object[] o = new String[1]; o[0] = new Base(); return 0;", "ArrayStoreException"),
    ("Object o = new Base(); return ((Derived) o).w;", "ClassCastException"),
    ("return fail() + next();", "IllegalStateException"),
    ("assert counter > 1000000 : next(); return 0;", "AssertionError"),
    ("return tryReturn() * 10 + overrule();", "13"),
    (
        "int s = 0; for (int i = 0; i < 3; i++) { try { if (i == 1) continue; s += i; } finally { s += 10; } } return s;",
        "32",
    ),
    (
        "int s = 0; outer: for (int i = 0; ; i++) { for (int j = 0; ; j++) { if (j > i) continue outer; if (i == 4) break outer; s++; } } return s;",
        "10",
    ),
    (
        "int s = 0; switch (2) { case 1: s += 1; case 2: s += 2; case 3: s += 3; break; default: s += 4; } return s;",
        "5",
    ),
    ("int s = 0; switch (9) { default: s += 4; case 1: s += 1; } return s;", "5"),
    ("return switch (Color.GREEN) { case RED -> 1; case GREEN -> { int x = 5; yield x * 2; } };", "10"),
    ("return Color.RED.f() * 100 + Color.GREEN.f() * 10 + Color.GREEN.ordinal();", "121"),
    // The subclass's initialiser runs after the constructor of the superclass called its method.
    ("return new Derived().get();", "75"),
    ("Base b = new Derived(); return b.v + ((Derived) b).w;", "12"),
    ("Shape s = new Square(3); return s.twice();", "18"),
    ("Object o = new Square(4); return o instanceof Square q && q.side() > 3 ? q.area() : 0;", "16"),
    (
        "Integer a = 127, b = 127, c = 128, d = 128; return (a == b ? 1 : 0) + (c == d ? 10 : 0) + (c.equals(d) ? 100 : 0);",
        "101",
    ),
    ("Integer a = 5; a++; a += 2; return a;", "8"),
    ("Integer a = null; return a + 1;", "NullPointerException"),
    ("return max(3, 8) + max(7, 2);", "15"),
    (
        "java.util.function.IntBinaryOperator f = (x, y) -> x * y + counter; counter = 2; return f.applyAsInt(3, 4);",
        "14",
    ),
    ("int n = 6; java.util.function.IntUnaryOperator f = x -> x + n; return f.applyAsInt(f.applyAsInt(1));", "13"),
    ("String s = \"a\"; String t = \"a\"; return s == t ? 1 : 0;", "1"),
    (
        "int[][] m = {{1, 2}, {3}}; int s = 0; for (int[] row : m) { for (int x : row) { s = s * 10 + x; } } return s + m[1].length;",
        "124",
    ),
    (
        "int[] a = {1, 2, 3, 4}; System.arraycopy(a, 0, a, 1, 3); return a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];",
        "1123",
    ),
    ("int[] a = {1, 2}; int[] b = a.clone(); b[0] = 9; return a[0] * 10 + b[0];", "19"),
    ("int x = 0; boolean b = true | (x++ > 0) & (++x < 0) || (x = 100) > 0; return x;", "2"),
    ("boolean b = false; b |= true; b ^= b; return b ? 1 : 0;", "0"),
    ("return true ? 1 : 'a';", "1"),
    ("long x = true ? 1 : 2L; return x;", "1"),
    ("int x = 10; do { x--; if (x % 2 == 0) continue; if (x < 5) break; } while (x > 0); return x;", "3"),
    ("int f = 0; Runnable r = new Runnable() { public void run() { counter = 77; } }; r.run(); return counter;", "77"),
    (
        "try { Object o = null; o.hashCode(); return 1; } catch (NullPointerException | ClassCastException e) { return 2; }",
        "2",
    ),
    ("try { try { fail(); } finally { counter = 5; } } catch (RuntimeException e) { return counter; } return 0;", "5"),
    ("return recurse(0);", "StackOverflowError"),
    ("return Math.max(3, -4) * Math.abs(-5) + Integer.compare(2, 3);", "14"),
    ("counter = 3; T t = new T(); return t.new Inner().outer();", "43"),
    ("final int[] box = {0}; for (int i = 0, j = 10; i < j; i++, j--) { box[0] += j - i; } return box[0];", "30"),
    ("int i = 0; i = i++ + i++; return i * 10 + (i = 3) + i;", "16"),
    // A name in brackets before a sign is no cast, though the grammar takes it for one.
    ("int x = 9, y = 2; return (x) - y;", "7"),
    ("int x = 9, y = 2; return (x) - y * 2;", "5"),
    ("int x = 9, y = 2, z = 100; return (x) - y * 2 + z;", "105"),
    ("int a = 3, x = 9, y = 2; return a * (x) - y;", "25"),
    ("int a = 3, x = 9, y = 2; return a * (x) - y * a;", "21"),
    ("int x = 9, y = 2, z = 3; return (x) - y - z;", "4"),
    ("int x = 9, y = 2, z = 3; return (x) - y * z - (y) - z * (x) + y;", "-24"),
    ("int x = 9, y = 2; return (x) + y == 11 && (x) - y * 2 == 5 ? 1 : 0;", "1"),
    ("int x = 9, y = 2; return -(x) - y * 3 + ~(x) + y;", "-23"),
    ("boolean x = false; int y = 2; return !(x) && (y) + 1 * 2 > 3 ? (y) - 1 * 5 : (y) + 1 * 5;", "-3"),
    ("int x = 9, y = 2; return (x) - y++ * 2 + y;", "8"),
    ("int x = 9, y = 2; return (x)++ + y * 2 + x;", "23"),
    ("int x = 9, y = 2; return (x)-- - --y * 2 + x;", "15"),
    ("int x = 9, y = 2; return (x) - -y * 2;", "13"),
    ("int x = 300, y = 2; return (byte) (x) + y * 2;", "48"),
    ("int x = 300, y = 2; return (byte) -(x) - y++ * 2;", "-48"),
    ("int x = 300; return (int) -x * 2 - (byte) x++ - x;", "-945"),
    ("return (Integer.MAX_VALUE) - 1 + (Long.MAX_VALUE) - Long.MAX_VALUE;", "2147483646"),
    ("T t = new T(); return (t.base) + t.plus(2) * 3 << 1;", "332"),
    ("T t = new T(); return (t.base)++ - t.base * 2;", "-42"),
    ("T t = new T(); return 1 << (t.base) - 38 | (t.base) + 1;", "45"),
    ("Object x = 9; int y = 2; return (Integer) x - y * 2 + ((Integer) (x) - y);", "12"),
    ("int x = 9, y = 2; int z = (x) - y * 2; z += (y) - x * 2; z <<= (y) - 1; return z;", "-22"),
    ("int x = 0; return (x) -2147483647 - 1 == -2147483648 ? 1 : 0;", "1"),
    (
        "int y = 5; int[] a = {1, 2, 3}; int i = 0; return -y++ + -a[i++] * ~a[i]-- + a[1] * 10 + i * 100 + y * 1000;",
        "6108",
    ),
    ("int x = 6, y = 3; return x & y | x ^ y << 1 & ~x + 1 << x % 4 - 1;", "2"),
    ("int a = 2; String b = \"s\"; return ((a) + b + a * a) != null ? 1 : 0;", "1"),
    ("return 0x7fffffff + 1 + 0b11 + 017 + 1_0;", "-2147483620"),
];

#[test]
fn values() {
    let mut text =
        format!("import glassbox.*;\npublic class T {{\n{MEMBERS}\n@Declarative boolean repOk() {{ return true; }}\n");
    for (index, (body, _)) in CASES.iter().enumerate() {
        text.push_str(&format!("    @Check public static long t{index}() {{ {body} }}\n"));
    }
    text.push_str("}\n");
    let mut sources = source::SourceMap::default();
    let file = sources.add("T.java", text);
    let inputs = java::Inputs::new(&mut sources, vec![file]);
    let loaded = match java::load(inputs) {
        Ok(loaded) => loaded,
        Err(problems) => {
            let at = |d: &source::Diagnostic| d.span.map_or(String::new(), |span| sources.text(span).to_string());
            let problems: Vec<String> = problems.iter().map(|d| format!("{d}: {}", at(d))).collect();
            panic!("{}", problems.join("\n"))
        }
    };
    let problems = ir::wellformed::problems(&loaded.program);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let linked = Linked::new(&loaded.program);
    let heap = run_statics(&linked, 0).expect("static initialisers run");
    let mut wrong = Vec::new();
    for (index, (body, expected)) in CASES.iter().enumerate() {
        let name = format!("t{index}()");
        let operation =
            loaded.checked.iter().flat_map(|c| &c.operations).find(|o| o.name == name).expect("an operation");
        let mut interp = Interp::new(&linked, heap.clone(), NoChoice, 0);
        let result = match with_room(|| interp.run(operation.method, &[])).expect("a thread") {
            Outcome::Normal(Some(Value::Int(value))) => value.to_string(),
            Outcome::Threw(object) => class_name(&loaded.program, interp.heap.ty(object)),
            other => format!("{other:?}"),
        };
        if result != *expected {
            wrong.push(format!("{body}\n  expected {expected}, got {result}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn class_name(program: &ir::Program, ty: Ty) -> String {
    let name = program.ty_name(ty);
    name.rsplit('.').next().unwrap_or(&name).to_string()
}
