//! Programs and what they print, or how they go wrong. Each case is a text: bodies of modules, input, expected output.

use hob::interp::{self, Ending, Options, Outcome, Refused, Script, Value, World};
use hob::{FileKind, Input, Program};
use source::{SourceMap, Span};

fn load(text: &str) -> (Program, SourceMap) {
    let mut map = SourceMap::default();
    let file = map.add("test.fl", text);
    let loaded = hob::load(&[Input { file, kind: FileKind::Implementation, text }]);
    let messages: Vec<String> =
        loaded.diagnostics.iter().map(|d| format!("{} at {:?}", d.message, d.span.map(|s| map.text(s)))).collect();
    match loaded.program {
        Some(program) => (program, map),
        None => panic!("{messages:#?}\n{text}"),
    }
}

fn run_with(program: &Program, input: &str, options: &Options) -> (Outcome, String) {
    let entry = interp::entry_point(program).unwrap();
    let mut world = Script::reading(input);
    world.files.push(("numbers.txt".into(), vec!["3".into(), "4 5".into()]));
    let outcome = interp::run(program, entry, &[], &mut world, options);
    (outcome, world.output)
}

/// Statements of `Main.main`, and members of the module before it.
fn main_of(members: &str, statements: &str) -> String {
    format!("impl module Main {{\n{members}\nproc main() {{\n{statements}\n}}\n}}")
}

fn prints_reading(members: &str, statements: &str, input: &str, expected: &str) {
    let (program, _) = load(&main_of(members, statements));
    let (outcome, output) = run_with(&program, input, &Options::default());
    assert_eq!((outcome.diagnostic(&program), output.as_str()), (None, expected), "{members}{statements}");
}

fn prints(members: &str, statements: &str, expected: &str) {
    prints_reading(members, statements, "", expected);
}

/// An expression of any type, joined to a text.
fn is(expression: &str, expected: &str) {
    prints("", &format!("Console.print(\"\" + ({expression}));"), expected);
}

/// The identifier of the message, the text it points at, and the procedures that were running, innermost first.
fn fails_with(members: &str, statements: &str, options: &Options) -> (String, String, String) {
    let (program, map) = load(&main_of(members, statements));
    let (outcome, _) = run_with(&program, "", options);
    let diagnostic = outcome.diagnostic(&program).expect("it should fail");
    let at = diagnostic.span.map_or("", |span: Span| map.text(span)).to_string();
    let calls = diagnostic.related.iter().map(|(_, text)| text.replace(" was called here", "")).collect::<Vec<_>>();
    (diagnostic.id.to_string(), at, calls.join(" "))
}

fn fails(members: &str, statements: &str, id: &str, at: &str) {
    let (found, text, _) = fails_with(members, statements, &Options::default());
    assert_eq!((found.as_str(), text.as_str()), (id, at), "{members}{statements}");
}

#[test]
fn ints_wrap_and_divide_towards_zero() {
    is("7 / 2", "3");
    is("-7 / 2", "-3");
    is("-7 % 2", "-1");
    is("2147483647 + 1", "-2147483648");
    is("-2147483647 - 2", "2147483647");
    is("(-2147483647 - 1) / -1", "-2147483648");
    is("65536 * 65536", "0");
    is("1 << 33", "2");
    is("-8 >> 1", "-4");
    is("-8 >>> 28", "15");
    is("(6 & 3) + (6 | 3) * 10 + (6 ^ 3) * 100", "572");
    is("2 + 3 * 4 - 10 / 3 % 2", "13");
    is("0x1F", "31");
}

#[test]
fn floats_and_mixtures() {
    is("1.5 + 1", "2.5");
    is("1 / 2.0", "0.5");
    is("1.0 / 0.0 > 1000000", "true");
    is("3.0", "3.0");
    is("Strings.fromFloat(3.14159, 2)", "3.14");
    is("Math.toInt(-3.7)", "-3");
    is("Math.round(2.5)", "3");
    is("Math.floor(-0.5)", "-1.0");
    is("Math.sqrt(2.25) + Math.abs(-1.0) + Math.pow(2.0, 3.0)", "10.5");
    is("Math.exp(0.0) + Math.log(1.0) + Math.sin(0.0) + Math.cos(0.0)", "2.0");
    is("Math.toFloat(3) / 2", "1.5");
}

#[test]
fn conditions() {
    is("1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2 && !(1 == 2)", "true");
    is("true ^ true", "false");
    is("true & false | true", "true");
    is("\"ab\" == \"a\" + \"b\"", "true");
    is("null == null", "true");
    // The right side would divide by zero.
    is("1 > 2 && 1 / 0 == 1", "false");
    is("1 < 2 || 1 / 0 == 1", "true");
}

#[test]
fn texts() {
    is("\"a\" + 1 + true + 'c' + null", "a1truecnull");
    is("Strings.length(\"häuser\")", "6");
    is("Strings.charAt(\"häuser\", 1)", "ä");
    is("Strings.substring(\"häuser\", 1, 3)", "äu");
    is("Strings.substring(\"abc\", 3, 3) + \"|\"", "|");
    is("Strings.indexOf(\"häuser\", \"user\")", "2");
    is("Strings.indexOf(\"abc\", \"x\")", "-1");
    is("Strings.trim(\"  a b \") + \"|\"", "a b|");
    is("Strings.equals(\"a\", \"a\") && !Strings.equals(\"a\", \"b\")", "true");
    is("Strings.isInt(\"-12\") && !Strings.isInt(\"1.5\") && !Strings.isInt(\"99999999999\")", "true");
    is("Strings.toInt(\" 42 \") + 1", "43");
    is("Strings.isFloat(\"1.5\") && !Strings.isFloat(\"x\")", "true");
    is("Strings.toFloat(\"1.5\") * 2", "3.0");
    is("Strings.fromInt(-5) + Strings.fromChar('x')", "-5x");
    is("Strings.word(\" one two  three\", 2) + \"|\" + Strings.word(\"a\", 1)", "three|");
}

#[test]
fn everything_starts_as_zero_false_empty_or_null() {
    let members = "format C { n : int; f : float; b : bool; t : string; c : C; a : int[]; }
        reference n : int; reference b : bool; reference t : string; reference c : C;";
    prints(
        members,
        "int i; bool d; string u; C o; float g; byte y;
         C x = new C();
         Console.print(n + \" \" + b + \" \" + t + \" \" + c + \" \" + i + d + u + o + g + y);
         Console.print(\" \" + x.n + x.f + x.b + x.t + x.c + (x.a == null));",
        "0 false  null 0falsenull0.00 00.0falsenulltrue",
    );
}

#[test]
fn a_variable_of_a_loop_starts_anew_each_time() {
    prints("", "int i = 0; while (i < 3) { int n; n = n + 1; Console.print(\"\" + n); i = i + 1; }", "111");
}

#[test]
fn loops_and_steps() {
    prints("", "int i; for (i = 0; i < 4; i++) { if (i % 2 == 0) Console.print(i + \" \"); }", "0 2 ");
    prints(
        "",
        "int i = 5; int a = i++; int b = ++i; int c = i--; int d = --i; Console.print(a+\" \"+b+\" \"+c+\" \"+d);",
        "5 7 7 5",
    );
    prints(
        "reference g : int; format C { n : int; }",
        "C c = new C(); int[] a = new int[2]; int i = 0;
         g++; c.n--; a[i++]++; a[i]--;
         Console.print(g + \" \" + c.n + \" \" + a[0] + \" \" + a[1] + \" \" + i);",
        "1 -1 1 -1 1",
    );
    prints("", "byte b = 127; b++; Console.print(\"\" + b);", "-128");
    prints("", "while (true) { Console.print(\"once\"); return; }", "once");
}

#[test]
fn evaluation_goes_from_left_to_right() {
    let members = "private proc say(n : int) returns m : int { Console.print(n + \" \"); return n; }";
    prints(members, "int[] a = new int[9]; a[say(1)] = say(2) + say(3) * say(4);", "1 2 3 4 ");
    prints(
        &format!("{members} private proc two(a : int; b : int) returns s : int {{ return a * 10 + b; }}"),
        "Console.print(\"\" + two(say(1), two(say(2), say(3))));",
        "1 2 3 33",
    );
}

#[test]
fn arrays() {
    prints(
        "",
        "int[][] a = new int[2][3]; a[1][2] = 7; int[] row = a[1]; row[0] = 5;
         Console.print(a.length + \" \" + a[0].length + \" \" + a[1][2] + a[1][0] + a[0][2]);",
        "2 3 750",
    );
    prints("", "int[][] a = new int[2][]; Console.print((a[0] == null) + \" \" + (new int[0]).length);", "true 0");
    prints("", "string[] s = new string[1]; float[] f = new float[1]; f[0] = 1; Console.print(s[0] + f[0]);", "1.0");
}

#[test]
fn objects_are_shared_and_compared_by_identity() {
    prints(
        "format C { n : int; next : C; }",
        "C a = new C(); C b = new C(); a.next = b; b.n = 3; C c = a.next; c.n = c.n + 1;
         Console.print(b.n + \" \" + (a == b) + (c == b) + (b.next == null));",
        "4 falsetruetrue",
    );
}

#[test]
fn each_module_has_its_own_fields_and_variables() {
    let text = "impl module A {
        format C { n : int; } reference g : int;
        proc set(c : C) { c.n = 1; g = 10; }
        proc get(c : C) returns n : int { return c.n + g; } }
      impl module B {
        format C { n : int; } reference g : int;
        proc set(c : C) { c.n = 2; g = 20; }
        proc get(c : C) returns n : int { return c.n + g; } }
      impl module Main {
        format C { }
        proc main() { C c = new C(); A.set(c); B.set(c); Console.print(A.get(c) + \" \" + B.get(c)); } }";
    let (program, _) = load(text);
    assert_eq!(run_with(&program, "", &Options::default()).1, "11 22");
}

#[test]
fn recursion() {
    prints(
        "proc fib(n : int) returns r : int { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }",
        "Console.print(\"\" + fib(20));",
        "6765",
    );
    // Deep, but not too deep.
    prints(
        "proc down(n : int) returns r : int { if (n == 0) { return 0; } else { return 1 + down(n - 1); } }",
        "Console.print(\"\" + down(15000));",
        "15000",
    );
}

#[test]
fn the_console_and_files() {
    prints_reading(
        "",
        "while (!Console.atEnd()) { string s = Console.readLine(); Console.println(\"[\" + s + \"]\"); }
         Console.print(\"<\" + Console.readLine() + \">\");",
        "a b\n\nc",
        "[a b]\n[]\n[c]\n<>",
    );
    prints(
        "",
        "Console.print(Files.exists(\"numbers.txt\") + \" \" + Files.exists(\"none\") + \" \" + Files.lines(\"numbers.txt\")
           + Files.lines(\"none\") + \" \" + Files.line(\"numbers.txt\", 1) + Files.line(\"numbers.txt\", 2) + Files.line(\"none\", 0));",
        "true false 20 4 5",
    );
}

#[test]
fn random_numbers_follow_the_seed() {
    let six = "Math.seed(7); for (i = 0; i < 6; i++) Console.print(Math.random(10) + \" \");";
    let (program, _) = load(&main_of("", &format!("int i; {six} {six}")));
    let (_, output) = run_with(&program, "", &Options::default());
    let numbers: Vec<&str> = output.split_whitespace().collect();
    assert_eq!(numbers.len(), 12);
    assert_eq!(numbers[..6], numbers[6..]);
    assert!(numbers.iter().any(|n| *n != numbers[0]) && numbers.iter().all(|n| n.len() == 1));

    let (program, _) = load(&main_of("", "Console.print(Math.random(1000000) + \" \" + Math.randomFloat());"));
    let with = |seed| run_with(&program, "", &Options { seed, ..Options::default() }).1;
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
}

#[test]
fn choices_and_havoc_take_every_way() {
    let (program, _) = load(&main_of(
        "format C { }",
        "C a = new C(); C x = a; bool b; choice { Console.print(\"l\"); } | { Console.print(\"r\"); }
         havoc x, b; Console.print((x == null) + \" \" + b);",
    ));
    let with = |seed| run_with(&program, "", &Options { seed, ..Options::default() }).1;
    let mut all: Vec<String> = (0..200).map(with).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 8, "{all:?}");
}

#[test]
fn faults_point_at_the_place() {
    let node = "format C { n : int; next : C; }";
    fails(node, "C c; Console.print(\"\" + c.n);", "null-dereference", "c");
    fails(node, "C c = new C(); c.next.n = 1;", "null-dereference", "c.next");
    fails("", "int[] a; a[0] = 1;", "null-dereference", "a");
    fails("", "int[] a; a[0]++;", "null-dereference", "a");
    fails(node, "C c; c.n = 1 / 0;", "division-by-zero", "0");
    fails("", "int[] a; int n = a.length;", "null-dereference", "a");
    fails("", "int[] a = new int[2]; int i = 2; a[i] = 1;", "index-out-of-bounds", "i");
    fails("", "int[] a = new int[2]; int n = a[-1];", "index-out-of-bounds", "-1");
    fails("", "int z; int n = 1 / z;", "division-by-zero", "z");
    fails("", "int z; int n = 1 % (z + z);", "division-by-zero", "(z + z)");
    fails("", "int[] a = new int[0 - 3];", "negative-array-size", "0 - 3");
    fails("", "char c = Strings.charAt(\"ab\", 2);", "text-out-of-bounds", "Strings.charAt(\"ab\", 2)");
    fails("", "string s = Strings.substring(\"ab\", 2, 1);", "text-out-of-bounds", "Strings.substring(\"ab\", 2, 1)");
    fails("", "int n = Strings.toInt(\"x\");", "not-a-number", "Strings.toInt(\"x\")");
    fails("", "int n = Math.random(0);", "empty-range", "Math.random(0)");
    fails("", "int[] a = new int[2000000000];", "out-of-memory", "new int[2000000000]");
    let small = Options { memory: 1000, ..Options::default() };
    let (id, at, _) = fails_with(node, "C c; while (true) { c = new C(); }", &small);
    assert_eq!((id.as_str(), at.as_str()), ("out-of-memory", "new C()"));
    fails("", "string s = \"ab\"; while (true) { s = s + s; }", "out-of-memory", "s + s");
}

#[test]
fn runs_that_do_not_end_are_stopped() {
    let options = Options { steps: 10_000, ..Options::default() };
    let (id, _, _) = fails_with("", "while (true) { }", &options);
    assert_eq!(id, "step-limit");
    let recursion = "proc f(n : int) returns r : int { return 1 + f(n + 1); }";
    let (id, at, _) = fails_with(recursion, "int n = f(0);", &Options::default());
    assert_eq!((id.as_str(), at.as_str()), ("calls-too-deep", "f(n + 1)"));
    // However deep the frames may be: the native stack is guarded, too.
    let (id, _, _) = fails_with(recursion, "int n = f(0);", &Options { depth: usize::MAX, ..Options::default() });
    assert_eq!(id, "calls-too-deep");
}

#[test]
fn an_interrupted_run_ends() {
    struct Impatient;
    impl interp::World for Impatient {
        fn print(&mut self, _: &str) {}
        fn read_line(&mut self) -> Option<String> {
            None
        }
        fn file(&mut self, _: &str) -> Result<Vec<u8>, Refused> {
            Err(Refused::Missing)
        }
        fn interrupted(&self) -> bool {
            true
        }
    }
    let (program, _) = load(&main_of("", "while (true) { }"));
    let entry = interp::entry_point(&program).unwrap();
    let outcome = interp::run(&program, entry, &[], &mut Impatient, &Options::default());
    assert_eq!(outcome.ending, Ending::Stopped(Box::new(interp::Stop::Interrupted)));
}

#[test]
fn a_fault_names_the_calls() {
    let members = "private proc inner(n : int) returns r : int { return 1 / n; }
        private proc outer(n : int) returns r : int { return inner(n - 1); }";
    let (id, at, calls) = fails_with(members, "int n = outer(1);", &Options::default());
    assert_eq!((id.as_str(), at.as_str(), calls.as_str()), ("division-by-zero", "n", "Main.inner Main.outer"));
}

#[test]
fn where_to_start() {
    let entry = |text: &str| {
        let (program, _) = load(text);
        interp::entry_point(&program).map(|id| program.proc_name(id))
    };
    assert_eq!(entry("impl module A { proc main() {} } impl module Main { proc main() {} }"), Ok("Main.main".into()));
    assert_eq!(entry("impl module A { proc main() {} private proc f() {} }"), Ok("A.main".into()));
    let none = entry("impl module A { proc go() {} proc main(n : int) {} }").unwrap_err();
    assert!(none.contains("A.go()") && !none.contains("main(n"), "{none}");
    let many = entry("impl module A { proc main() {} } impl module B { proc main() {} }").unwrap_err();
    assert!(many.contains("A.main()") && many.contains("B.main()"), "{many}");
}

#[test]
fn arguments_and_results() {
    let (program, _) =
        load("impl module M { proc add(a : int; b : float; c : string) returns s : string { return c + (a + b); } }");
    let entry = hob::program::ProcId(0);
    let arguments = [Value::Int(1), Value::Float(0.5), Value::text("=")];
    let outcome = interp::run(&program, entry, &arguments, &mut Script::default(), &Options::default());
    assert_eq!(outcome.ending, Ending::Returned(Some(Value::text("=1.5"))));
    // Too few are no reason to break.
    let outcome = interp::run(&program, entry, &[], &mut Script::default(), &Options::default());
    assert_eq!(outcome.ending, Ending::Returned(Some(Value::text("0.0"))));
}

#[test]
fn long_expressions() {
    let sum = vec!["1"; 900].join(" + ");
    let (program, _) = load(&main_of("", &format!("Console.print(\"\" + ({sum}));")));
    let (outcome, output) = run_with(&program, "", &Options::default());
    assert_eq!((outcome.diagnostic(&program), output.as_str()), (None, "900"));
}

#[test]
fn the_library_of_the_original() {
    is("String.get(\"abc\", 1)", "b");
    is("String.string_after(\"abcd\", 1) + String.string_before(\"abcd\", 1)", "bcda");
    is("String.index(\"abcab\", 'b') + String.rindex(\"abcab\", 'b') + String.index(\"abc\", 'x')", "4");
    is("String.contains(\"abc\", 'c')", "true");
    is("String.make(3, 'x') + String.chr(65)", "xxxA");
    is("System.string_of_int(System.int_of_string(\"42\") + 1)", "43");
    is("System.mime_time(784111777)", "Sun, 06 Nov 1994 08:49:37 GMT");
    is("System.unmime_time(System.mime_time(784111777)) == 784111777", "true");
    is("System.O_RDWR() | System.O_CREAT()", "66");
    prints_reading("", "while (!System.eof()) { System.print_int(System.read_int() + 1); }", "1\n2\n", "23");
    // It helps to ask for the end of the input only at the end of it.
    for (input, help) in
        [("", "ask `System.eof` first"), ("3 4\n", "each line that is read must hold one number, and nothing else")]
    {
        let (program, _) = load(&main_of("", "int n = System.read_int();"));
        let found = run_with(&program, input, &Options::default()).0.diagnostic(&program).expect("it should fail");
        assert_eq!((found.id, found.help.as_deref()), ("not-a-number", Some(help)), "{input:?}");
    }
    let copy =
        "byte[] a = System.byte_array_of_string(\"hello\"); byte[] b = new byte[5]; System.arraycopy(a, 1, b, 0, 4);
        Console.print(\"\" + b[0] + \" \" + b[3] + \" \" + b[4]);";
    prints("", copy, "101 111 0");
    let read = "file_descr f = System.openfile(\"numbers.txt\", System.O_RDONLY(), 0); StringBuffer b = new StringBuffer();
        int n = System.read(f, b, 0, 3); System.print_stringbuffer(b); System.print_int(System.st_size(System.fstat(f)));";
    prints("", read, "3\n45");
    fails("", "CRC.reset();", "not-performed", "CRC.reset()");
    fails("", "in_channel c = System.open_in(\"nothing\");", "file-not-opened", "System.open_in(\"nothing\")");
    let closed = "in_channel c = System.open_in(\"numbers.txt\"); System.close_in(c); string s = System.input_line(c);";
    fails("", closed, "not-open", "System.input_line(c)");
    let (program, _) = load(&main_of("", "System.print_int(1); System.exit(3); System.print_int(2);"));
    let (outcome, output) = run_with(&program, "", &Options::default());
    assert_eq!((outcome.ending, output.as_str()), (Ending::Exited(3), "1"));
}

/// A folder that is not there, or is full: whoever opens or writes a file learns of it.
#[test]
fn files_that_cannot_be_made() {
    struct Disk(bool);
    impl World for Disk {
        fn print(&mut self, _: &str) {}
        fn read_line(&mut self) -> Option<String> {
            None
        }
        fn file(&mut self, _: &str) -> Result<Vec<u8>, Refused> {
            Err(Refused::Missing)
        }
        fn save(&mut self, _: &str, bytes: &[u8]) -> Result<(), Refused> {
            if self.0 && bytes.is_empty() { Ok(()) } else { Err(Refused::Failed("full".into())) }
        }
    }
    let code = |end: &str| {
        main_of(
            "",
            &format!(
                "file_descr f = System.openfile(\"a\", System.O_WRONLY() | System.O_CREAT(), 438); System.write(f, \"x\", 0, 1); {end}"
            ),
        )
    };
    let said = |end: &str, is_made: bool| {
        let (program, _) = load(&code(end));
        let entry = interp::entry_point(&program).expect("a main");
        let outcome = interp::run(&program, entry, &[], &mut Disk(is_made), &Options::default());
        outcome.diagnostic(&program).map(|d| d.message)
    };
    for end in ["", "System.close(f);", "System.exit(0);"] {
        for is_made in [false, true] {
            assert_eq!(said(end, is_made).as_deref(), Some("the file \"a\" cannot be used: full"), "{end} {is_made}");
        }
    }
}
