//! What a user got wrong is reported with its place, what is wrong and what to do: one case per kind of mistake.

use source::SourceMap;

fn report(text: &str, class: Option<&str>, method: Option<&str>) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add("Test.java", text);
    let (class, method) = (class.map(str::to_string), method.map(str::to_string));
    let inputs = java::Inputs { class, method, ..java::Inputs::new(&mut sources, vec![file]) };
    let problems = match java::load(inputs) {
        Ok(loaded) => {
            let problems = ir::wellformed::problems(&loaded.program);
            assert!(problems.is_empty(), "{problems:#?}");
            return "fine\n".to_string();
        }
        Err(problems) => problems,
    };
    let mut out = String::new();
    for d in problems {
        match d.span {
            Some(span) => {
                let at = sources.start(span);
                out.push_str(&format!("{}:{} ", at.line, at.column));
            }
            None => out.push_str("- "),
        }
        out.push_str(&format!("{}: {}\n", d.id, d.message));
        if let Some(help) = d.help {
            out.push_str(&format!("  {help}\n"));
        }
    }
    out
}

const OK: &str = "@Declarative boolean repOk() { return true; } public void op() { use(); }";

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(report(text, None, None), expected, "for\n{text}");
}

/// The members of a class with an invariant and an operation; they start on line 2.
#[track_caller]
fn check_in(members: &str, expected: &str) {
    check(&format!("class A {{ int f; {OK}\n{members}\n}}"), expected);
}

#[test]
fn syntax_errors() {
    let help = "  look for a bracket, comma or operator too many or too few\n";
    check("class A { int f( { }", &format!("1:11 syntax-error: syntax error at or after `int`\n{help}"));
    check_in("void use() { f = 1 +; f = 2; }", &format!("2:20 syntax-error: syntax error at or after `+`\n{help}"));
    check_in(
        "void use() { String s = \"abc; }",
        "2:25 syntax-error: this string does not end on its line\n  close it with a quotation mark\n",
    );
    check("class A { void f() { int x = 1 } }", "1:31 syntax-error: syntax error: `;` is missing here\n");
    check(
        "class A { int x = 99999999999; }",
        "1:19 bad-literal: the number does not fit an `int`\n  write a smaller number, or a `long` with `L` at its end\n",
    );
    let deep = format!("class A {{ int x = {}1{}; }}", "(".repeat(400), ")".repeat(400));
    check(&deep, "1:313 nesting-too-deep: more than 300 levels of nesting\n  split the expression or the block\n");
}

#[test]
fn a_missing_semicolon_or_brace_is_told_once_and_where_it_is() {
    let semicolon = |at: &str| format!("{at} syntax-error: syntax error: `;` is missing here\n");
    check_in("void use() {\n  int x = 1\n  f = x;\n}\nvoid more() { }", &semicolon("3:12"));
    check_in("void use() {\n  f = 1 // one\n}", &semicolon("3:8"));
    check_in("void use() {\n  f()\n  g();\n}", &semicolon("3:6"));
    check_in("int g\n@Declarative boolean p() { return true; }", &semicolon("2:6"));
    check_in("void use() {\n  String é = \"→\"\n  é = null;\n}", &semicolon("3:17"));
    check_in("void use() { return }", &semicolon("2:20"));
    check_in("void use() {\n  f = 1\n}\nvoid more() {\n  f = 2\n}", &(semicolon("3:8") + &semicolon("6:8")));
    check_in("void use() { f = g(1, 2; }", "2:24 syntax-error: syntax error: `)` is missing here\n");
    let unclosed = |at: &str| {
        format!("{at} syntax-error: syntax error: this `{{` is never closed\n  add a `}}` where its block ends\n")
    };
    check_in("void use() {\n  if (f > 0) {\n    f = 1;\n}\nvoid more() { f = 2; }", &unclosed("3:14"));
    check_in("void use() { f = 1;\nvoid more() {\n  f = 2;\n}", &unclosed("2:12"));
    check_in(
        "  void use() {\n    if (f > 0)\n      f = '}';\n    }\n  }\n  void more() { f = 2; }",
        "5:5 syntax-error: syntax error: this `}` closes nothing\n  remove it, or add the `{` that it should close\n",
    );
}

#[test]
fn a_misspelt_keyword() {
    let told = |at: &str, wrong: &str, right: &str| {
        format!("{at} syntax-error: syntax error: `{wrong}` is not a keyword\n  did you mean `{right}`?\n")
    };
    check("clas A {\n  int x;\n  void f() { x = 1; }\n}\nclass B { }", &told("1:1", "clas", "class"));
    check(
        "improt glassbox.*;\npubic class A { }",
        &(told("1:1", "improt", "import") + &told("2:1", "pubic", "public")),
    );
    check("class A extend B { }", &told("1:9", "extend", "extends"));
    check_in("privat int x;", &told("2:1", "privat", "private"));
    check_in("void use() {\n  retrun 1;\n}", &told("3:3", "retrun", "return"));
    check_in("void use() {\n  fro (int i = 0; i < 3; i++) { }\n}", &told("3:3", "fro", "for"));
    check_in("void use() {\n  if (f > 0) { } esle { }\n}", &told("3:18", "esle", "else"));
    check_in("void use() { throw nwe Error(); }", &told("2:20", "nwe", "new"));
}

#[test]
fn what_later_versions_of_java_allow() {
    let first = |at: &str, name: &str| {
        format!(
            "{at} syntax-error: statements before `{name}(…)` (Java 25) are not supported\n  \
             make the call the first statement; a static method can compute or check what it is given\n"
        )
    };
    check(
        "class A {\n  A(int x) {\n    if (x < 0) throw new Error();\n    this();\n  }\n  A() { }\n}",
        &first("4:5", "this"),
    );
    check("class A {\n  A(int x) { x++; super(); }\n}", &first("2:19", "super"));
    let import = "1:8 syntax-error: `import module` (Java 25) is not supported\n  import the packages, such as `import java.util.*;`\n";
    check("import module java.base;\nclass A { }", import);
    let outside =
        "syntax-error: fields and methods outside of a class (Java 25) are not supported\n  put them into a class\n";
    check("int x;\nvoid main() { x = 1; }", &format!("1:1 {outside}2:1 {outside}"));
    let pattern = "2:24 type-mismatch: a `int` is never a `byte`\n  \
        patterns of primitive types, which later versions of Java have, are not supported: compare numbers\n";
    check_in("boolean use() { return f instanceof byte; }", pattern);
}

#[test]
fn nothing_to_check() {
    let help = "  add `@Declarative boolean repOk()` to the class that is to be checked\n";
    check(
        "class A { void f() { } }",
        &format!("1:7 no-invariant: no class has an invariant: there is nothing to check\n{help}"),
    );
    check(
        "class A { static class B { @Declarative boolean repOk() { return true; } void f() { } } }",
        "1:7 no-invariant: no class has an invariant: there is nothing to check\n  a nested class is checked if it is asked for: `--class A.B`\n",
    );
    let text = "class A { private A() { } @Declarative boolean repOk() { return true; } }";
    let expected = "1:7 no-operation: the class `A` has an invariant, but no operation to check\n  add a method or constructor that is not declarative, or mark one with `@Check`\n";
    check(text, expected);
    let text =
        "class A { @Declarative boolean repOk() { return true; } void op() { } static class B { void f() { } } }";
    assert_eq!(report(text, Some("C"), None), "- unknown-class: the inputs have no class `C`\n  they have A, A.B\n");
    assert_eq!(report(text, Some("A.B"), None), format!("1:84 no-invariant: the class `A.B` has no `repOk`\n{help}"));
    assert_eq!(
        report(text, None, Some("pop")),
        "- unknown-operation: there is no operation `pop`\n  see `--method`: a name, or `name(int,int)`\n"
    );
    assert_eq!(report(text, None, Some("op()")), "fine\n");
}

#[test]
fn bad_invariants() {
    let help = "  write `@Declarative boolean repOk()`\n";
    check(
        "class A { boolean repOk() { return true; } void f() { } }",
        &format!("1:19 bad-invariant: `repOk` cannot be the invariant: it must be `@Declarative`\n{help}"),
    );
    check(
        "class A { @Declarative int repOk() { return 1; } void f() { } }",
        &format!("1:28 bad-invariant: `repOk` cannot be the invariant: it must return `boolean`\n{help}"),
    );
    check(
        "class A { @Declarative boolean repOk(int x) { return true; } void f() { } }",
        &format!("1:32 bad-invariant: `repOk` cannot be the invariant: it must have no parameters\n{help}"),
    );
}

#[test]
fn unknown_names_and_types() {
    check_in(
        "Nodee n; class Node { } void use() { n = null; }",
        "2:1 unknown-type: the type `Nodee` is not known\n  did you mean `Node`?\n",
    );
    check_in(
        "int count; void use() { conut = 1; }",
        "2:25 unknown-name: `conut` is not known here\n  did you mean `count`?\n",
    );
    check_in("void use() { this.g = 1; }", "2:19 unknown-name: `A` has no field `g`\n");
    check_in(
        "void use() { inset(1); } void insert(int x) { }",
        "2:14 unknown-method: `A` has no method `inset`\n  did you mean `insert`?\n",
    );
    check_in(
        "void use() { insert(true); } void insert(int x) { }",
        "2:14 unknown-method: `insert` takes (int), but is given (boolean)\n",
    );
    check_in("void use() { int x = \"s\"; }", "2:22 type-mismatch: `String` is given where `int` is expected\n");
    check_in(
        "void use() { A a = this; switch (a) { default: } }",
        "2:33 type-mismatch: a `switch` over `A` is not possible\n  use a pattern: `case T x -> …`\n",
    );
    check_in(
        "void use() { byte b = 300; boolean c = 1; }",
        "2:23 type-mismatch: `int` is given where `byte` is expected\n2:40 type-mismatch: `int` is given where `boolean` is expected\n",
    );
    check_in("void use() { break; }", "2:14 unknown-name: `break` is not inside a loop\n");
    check_in(
        "static void use() { f = 1; }",
        "2:21 unknown-name: `f` belongs to an object, but there is no `this` in a static context\n",
    );
    check_in(
        "void use() { new Z(); } abstract class Z { }",
        "2:14 abstract-class: `A.Z` is abstract: no object of it can be made\n",
    );
    check_in(
        "void use() { g(null); } void g(String s) { } void g(Integer s) { }",
        "2:14 ambiguous-call: more than one `g` fits these arguments\n  cast an argument\n",
    );
    check(
        "import java.util.ArrayList;\nclass A { ArrayList<A> l; @Declarative boolean repOk() { return l != null; } void f() { } }",
        "2:11 unknown-type: the type `ArrayList` is not known\n  give its source: `--source-path` with a folder or archive that holds `java.util.ArrayList`\n",
    );
    check(
        "class A extends B { @Declarative boolean repOk() { return true; } void f() { } } class B extends A { }",
        "1:88 cyclic-inheritance: the class `B` is its own supertype\n",
    );
    check("class A { } class A { }", "1:19 duplicate-class: the class `A` is declared twice\n");
}

#[test]
fn code_that_is_not_reached_is_not_looked_at() {
    check_in("void use() { } void other(Unknown u) { nonsense(); }", "fine\n");
    check_in("void use() { double d = 1.5; Object o = A.class; }", "fine\n");
    check_in("double d; void use() { } double mean() { return (f + d) / 2.0; }", "fine\n");
    assert!(!lowered("double d; void use() { } private double mean() { return d / 2.0; }").contains("Unsupported"));
    let reached = lowered("void use() { if (f > 1.5) { f = 0; } }");
    assert!(reached.contains("Intrinsic(Float(Lt, Double)"), "{reached}");
    for test in ["if (o instanceof Cloneable) { f = 0; }", "Object p = (java.io.Serializable) o;"] {
        let reached = lowered(&format!("Object o; void use() {{ {test} }}"));
        assert!(reached.contains("is not supported"), "{reached}");
    }
}

/// All that is reached, with what a run may not get to.
fn lowered(members: &str) -> String {
    let text = format!("class A {{ int f; {OK}\n{members}\n}}");
    let mut sources = SourceMap::default();
    let file = sources.add("Test.java", text);
    let library = &java::no_library;
    let inputs = java::Inputs { library, ..java::Inputs::new(&mut sources, vec![file]) };
    let loaded = java::load(inputs).expect("it loads");
    format!("{:?}", loaded.program.methods)
}

#[test]
fn static_initialisers_that_depend_on_when_they_run() {
    let told = |at: &str, what: &str| {
        format!(
            "{at} unsupported: the static initialiser of `A.B` {what}: what it does depends on when it runs\n  initialise `A.B` from constants, or in a constructor\n"
        )
    };
    let uses = "void use() { f = B.b; g++; }";
    // A state that has one has initialised its class, nobody knows when.
    check_in(
        &format!("static int g; B h; static class B {{ static int b = g; }} {uses}"),
        &told("2:52", "reads `A.g`"),
    );
    check_in(
        &format!(
            "static int g; Object h; static int next() {{ return ++g; }} static class B {{ static int b = next(); }} {uses}"
        ),
        &told("2:52", "changes `A.g`"),
    );
    // Declarative code has no effects.
    check_in(
        &format!(
            "static int g; static class B {{ static int b = g; }} @Post @Declarative boolean is() {{ return B.b == 0; }} {uses}"
        ),
        &told("2:47", "reads `A.g`"),
    );
    check_in(&format!("static int g; static class B {{ static int b = g; }} {uses}"), "fine\n");
    check_in(&format!("static int g = 3; static int h = 4; static class B {{ static int b = h; }} {uses}"), "fine\n");
    check_in("static int g; static int b = g++; static class B extends A { } void use() { g++; }", "fine\n");
}

#[test]
fn bad_bounds() {
    let help = "  write a range over `n`, such as \"0..n-1\"\n";
    check_in("@Range(\"0..m\") int x; void use() { }", &format!("2:8 bad-bound: \"0..m\" is not a bound\n{help}"));
    check_in("@Range(\"n..\") int x; void use() { }", &format!("2:8 bad-bound: \"n..\" is not a bound\n{help}"));
    check_in("@Range(\"n\") int x; void use() { }", "fine\n");
    check_in("@Range(\"0..(n+1)*2/3 - -1\") int x; @Length({\"1..n\", \"2..2\"}) int[][] y; void use() { }", "fine\n");
    check_in(
        "@Range(\"0..1\") String x; void use() { }",
        "2:1 bad-bound: `@Range` needs an integral type or an array of it, but this is `String`\n",
    );
    check_in(
        "@Length(\"0..1\") int x; void use() { }",
        "2:1 bad-bound: `@Length` needs an array, with at most one range per dimension, but this is `int`\n",
    );
    check_in("@OneOf({A.class, String.class}) A x; void use() { }", "2:18 bad-bound: `String` is not a `A`\n");
    check_in(
        "@Range(max = \"1\") int x; void use() { }",
        "2:8 unknown-annotation-argument: `@Range` has no argument `max`\n  leave the name out\n",
    );
    check_in("@Tree(1) A x; void use() { }", "2:7 unknown-annotation-argument: `@Tree` takes no argument\n");
    // As javac sees it, a class of that name hides the annotation.
    let hidden = "`NonNull` is a type of the inputs here, and hides the annotation `@NonNull`\n  write `@glassbox.NonNull`, or give that type another name\n";
    check_in("static class NonNull { } @NonNull A x; void use() { }", &format!("2:26 hidden-annotation: {hidden}"));
    check_in("@interface NonNull { } @NonNull A x; void use() { }", &format!("2:24 hidden-annotation: {hidden}"));
    check_in("static class NonNull { } @glassbox.NonNull A x; void use() { }", "fine\n");
    check_in("static class Unknown { } @NonNull A x; void use() { }", "fine\n");
    check_in(
        "@Tre A x; void use() { }",
        "2:2 unknown-type: the annotation `@Tre` is not known\n  did you mean `Tree`?\n",
    );
    check(
        "@Max(\"k\") class A { @Declarative boolean repOk() { return true; } void f() { } }",
        "1:6 bad-bound: \"k\" is not a bound\n  write an expression over `n`, such as \"n\" or \"2*n\"\n",
    );
}

#[test]
fn bounds_that_are_never_sensible() {
    check_in("@Range(5) int x; void use() { }", "2:8 bad-bound: `@Range` takes a string, such as \"0..n-1\"\n");
    check_in("@Range int x; void use() { }", "2:1 bad-bound: `@Range` takes one string\n");
    for text in ["5..1", "0..n/0", "n..n-1", "0..0-n"] {
        let told = format!("2:8 bad-bound: \"{text}\" holds nothing at any size\n  write the smaller end first\n");
        check_in(&format!("@Range(\"{text}\") int x; void use() {{ }}"), &told);
    }
    // At some sizes they are: that is reported when the size is known.
    check_in("@Range(\"5..n\") int x; @Range(\"0..10/(n-1)\") int y; void use() { }", "fine\n");
    check_in(
        "B b; void use() { }\n@Max(\"0-1\") static class B { }",
        "3:6 bad-bound: \"0-1\" is not a number at any size\n",
    );
}

#[test]
fn annotations_where_they_mean_nothing() {
    let told = |at: &str, name: &str, here: &str, there: &str| {
        format!("{at} misplaced-annotation: `@{name}` means nothing on {here}\n  it belongs on {there}\n")
    };
    check_in("@Max(\"3\") int x; void use() { }", &told("2:1", "Max", "a field", "a class"));
    check_in("@Range(\"0..1\") int use() { return 1; }", &told("2:1", "Range", "a method", "a field or a parameter"));
    check_in("@Tree void use() { }", &told("2:1", "Tree", "a method", "a field"));
    check_in("void use() { } void g(@Tree A a) { }", &told("2:23", "Tree", "a parameter", "a field"));
    check_in("@Check int x; void use() { }", &told("2:1", "Check", "a field", "a method or a constructor"));
    check_in("record R(@Tree R next, @Range(\"0..1\") int x, @NonNull String s) { } R r; void use() { }", "fine\n");
    let max = |at: &str, what: &str| {
        let help = "leave it out, or choose a `--size`";
        format!("{at} misplaced-annotation: `@Max` means nothing on `A.{what}\n  {help}\n")
    };
    check_in(
        "B b; void use() { } @Max(\"3\") static class B { @Tree B next; }",
        &max("2:21", "B`, which is reached by a tree field: a tree has n places"),
    );
    check_in(
        "B b; void use() { } @Max(\"3\") static abstract class B { } static class C extends B { }",
        &max("2:21", "B`, which has no objects of its own"),
    );
    check_in("B b; void use() { } @Max(\"3\") static class B { B next; }", "fine\n");
    check_in(
        "@Tree B[] b; void use() { } static class B { @Tree C c; } static class C { @Tree B[][] kids; }",
        "2:88 unsupported: `@Tree` on an array of nodes within a node is not supported\n  give each child a field of its own, or keep the array outside the nodes\n",
    );
}

#[test]
fn specifications() {
    check_in(
        "void use() { } @Pre(\"opp\") @Declarative boolean p() { return true; }",
        "2:21 unknown-operation: there is no operation `opp` to specify\n  did you mean `op`?\n",
    );
    check_in(
        "void use() { } @Pre(\"op\") boolean p() { return true; }",
        "2:35 bad-spec: `p` cannot be a specification: it must be `@Declarative`\n",
    );
    check_in(
        "void use() { } @Pre(\"op\") @Declarative boolean p(int x) { return true; }",
        "2:48 bad-spec: `p` does not fit as precondition of `op()`\n  it takes (), or nothing\n",
    );
    check_in(
        "void use() { } @Post(\"op\") @Declarative boolean p(A before, int x) { return true; }",
        "2:49 bad-spec: `p` does not fit as postcondition of `op()`\n  it takes (A); trailing ones may be left out\n",
    );
    check_in(
        "void use() { } public int add(int a, int b) { return a + b; } @Post(\"add(int,int)\") @Declarative boolean p(A old, int a, int b, int sum) { return true; } @Pre @Declarative boolean q() { return f == 0; } @Declarative boolean postcondition(A a) { return true; }",
        "fine\n",
    );
    check_in(
        "void use() { } public A() { } @Pre(\"A\") @Declarative boolean p() { return true; }",
        "2:62 bad-spec: `p` needs an object, but `A()` has none then\n  make it static\n",
    );
    check_in("@MayThrow(String.class) public void use() { }", "2:11 bad-spec: `String` is not an exception\n");
    check(
        "@SpecFor(\"x.Y\") class A { @Declarative boolean repOk() { return true; } void f() { } }",
        "1:1 unknown-class: the source of `x.Y`, which this specifies, was not found\n  there is no library; give another place with `--source-path`\n",
    );
}

#[test]
fn declarative_code_has_no_side_effects() {
    let own = "  declarative code computes a value and changes nothing but its own variables\n";
    check_in(
        "@Declarative boolean p() { f = 1; return true; } void use() { p(); }",
        &format!("2:28 not-declarative: an assignment to the field `f` in declarative code\n{own}"),
    );
    check_in(
        "A a; @Declarative boolean p() { return a.f++ > 0; } void use() { p(); }",
        &format!("2:40 not-declarative: an assignment to the field `f` in declarative code\n{own}"),
    );
    check_in(
        "static int s; @Declarative boolean p() { s++; return true; } void use() { p(); }",
        &format!("2:42 not-declarative: an assignment to the static field `s` in declarative code\n{own}"),
    );
    check_in(
        "@Declarative int p(int[] a) { a[0] = 1; return 0; } void use() { p(null); }",
        &format!("2:31 not-declarative: an assignment to an array that was not made here in declarative code\n{own}"),
    );
    check_in(
        "@Declarative int p(int n) { int[] a = new int[n]; int[][] b = {{1}}; for (int i = 0; i < n; i++) a[i] = i; b[0][0]++; return a[0]; } void use() { p(1); }",
        "fine\n",
    );
    check_in(
        "@Declarative int p() { throw new Error(); } void use() { p(); }",
        "2:24 not-declarative: `throw` in declarative code\n  return a value instead: `false`, `null`, or one that no other case returns, such as -1\n",
    );
    check_in(
        "@Declarative int p() { try { return 1; } finally { } } void use() { p(); }",
        "2:24 not-declarative: `try` in declarative code\n  test for the condition before\n",
    );
    check_in(
        "@Declarative boolean p() { GlassBox.assume(f > 0); return true; } void use() { p(); }",
        "2:28 not-declarative: `assume` in declarative code\n  make it a `@Pre`\n",
    );
    check_in(
        "@Declarative boolean p() { q(); return true; } void q() { } void use() { p(); }",
        "2:28 not-declarative: a call of the method `A.q`, which is not declarative, in declarative code\n  mark the method `@Declarative`\n",
    );
    check_in(
        "@Declarative int p(B b) { return b.v(); } static class B { @Declarative int v() { return 1; } } static class C extends B { int v() { return 2; } } void use() { p(new C()); }",
        "2:34 not-declarative: a call of the method `A.C.v`, which is not declarative, in declarative code\n  mark the method `@Declarative`\n",
    );
    check_in(
        "@Declarative int p() { return new B(1).x; } static class B { int x; @Declarative B(int x) { this.x = x; } } void use() { p(); }",
        "fine\n",
    );
    check_in(
        "@Declarative int p() { return new B(1).x; } static class B { int x; B(int x) { this.x = x; } } void use() { p(); }",
        "2:31 not-declarative: a call of the constructor `A.B.B`, which is not declarative, in declarative code\n  mark the constructor `@Declarative`\n",
    );
    check_in(
        "@Declarative int p() { return new B().x; } static int n; static class B { int x = n++; } void use() { p(); }",
        &format!("2:83 not-declarative: an assignment to the static field `n` in declarative code\n{own}"),
    );
    check_in(
        "@Declarative boolean p() { return GlassBox.forall(0, 3, i -> { f = i; return true; }); } void use() { p(); }",
        &format!("2:64 not-declarative: an assignment to the field `f` in declarative code\n{own}"),
    );
}

#[test]
fn several_mistakes_are_told_at_once() {
    check_in(
        "void use() { a(); b = 1; c.d(); }",
        "2:14 unknown-method: `A` has no method `a`\n2:19 unknown-name: `b` is not known here\n2:26 unknown-name: `c` is not known here\n",
    );
}
