//! Which classes and operations are checked, with which specifications; and what small pieces of code are lowered to.

use source::SourceMap;

fn load(text: &str) -> java::Loaded {
    load_with(text, None, &java::no_library)
}

fn load_with(
    text: &str,
    class: Option<&str>,
    library: &(dyn Fn(&str) -> Option<(String, String)> + Sync),
) -> java::Loaded {
    let mut sources = SourceMap::default();
    let file = sources.add("Test.java", text);
    let class = class.map(str::to_string);
    let inputs = java::Inputs { library, class, ..java::Inputs::new(&mut sources, vec![file]) };
    match java::load(inputs) {
        Ok(loaded) => {
            let problems = ir::wellformed::problems(&loaded.program);
            assert!(problems.is_empty(), "{problems:#?}");
            loaded
        }
        Err(problems) => panic!("{problems:#?}"),
    }
}

/// One line per class, then one per operation: its name, `pre`, `post` and what it `may` throw.
fn summary(loaded: &java::Loaded) -> String {
    let p = &loaded.program;
    let mut out = String::new();
    for checked in &loaded.checked {
        out.push_str(&format!("{} by {}\n", p.class(checked.class).name, p.method(checked.invariant).name));
        for op in &checked.operations {
            out.push_str(&format!("  {:?} {}", op.kind, op.name));
            for (word, specs) in [("pre", &op.preconditions), ("post", &op.postconditions)] {
                for spec in specs {
                    out.push_str(&format!(" {word} {}{:?}", p.method(spec.method).name, spec.arguments));
                }
            }
            for may in &op.may_throw {
                let but = may.except.iter().map(|c| format!(" but {}", p.class(*c).name));
                out.push_str(&format!(" may {}{}", p.class(may.class).name, but.collect::<String>()));
            }
            out.push('\n');
        }
    }
    out
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(summary(&load(text)), expected);
}

const OK: &str = "@Declarative boolean repOk() { return true; }";

#[test]
fn marked_then_public_then_all_but_private() {
    check(
        &format!("class A {{ {OK} A() {{ }} void a() {{ }} private void b() {{ }} static void c() {{ }} }}"),
        "A by repOk\n  Constructor A()\n  Method a()\n",
    );
    check(
        &format!(
            "class A {{ {OK} public A() {{ }} public void a() {{ }} void b() {{ }} public static void c() {{ }} @Declarative public int d() {{ return 1; }} }}"
        ),
        "A by repOk\n  Constructor A()\n  Method a()\n",
    );
    check(
        &format!(
            "class A {{ {OK} public void a() {{ }} @Check static void c(int x) {{ }} @Check private void d() {{ }} }}"
        ),
        "A by repOk\n  Static c(int)\n  Method d()\n",
    );
}

#[test]
fn inherited_operations_and_invariants() {
    check(
        &format!(
            "abstract class B {{ {OK} public void a() {{ }} public void b() {{ }} public B() {{ }} }} class A extends B {{ public void a() {{ }} }} class C {{ void x() {{ }} }}"
        ),
        "A by repOk\n  Method a()\n  Constructor A()\n  Method b()\n",
    );
    let nested = format!("class A {{ static class N {{ {OK} void f() {{ }} }} }}");
    assert_eq!(
        summary(&load_with(&nested, Some("N"), &java::no_library)),
        "A.N by repOk\n  Method f()\n  Constructor N()\n"
    );
}

#[test]
fn specifications_find_their_operations() {
    check(
        &format!(
            "class A {{ {OK} public A(int n) {{ }} public int add(int x) {{ return x; }} public void add(int x, int y) throws Exception {{ }} @MayThrow({{IllegalStateException.class, Error.class}}) public void rest() {{ }}
               @Pre(\"add(int)\") @Declarative boolean p(int x) {{ return x > 0; }} @Post(\"add(int)\") @Declarative boolean q(A old, int x, int result) {{ return true; }}
               @Post({{\"A\", \"rest\"}}) @Declarative boolean r() {{ return true; }} @Declarative boolean precondition() {{ return true; }} @Declarative boolean postcondition(A old) {{ return true; }} }}"
        ),
        "A by repOk
  Constructor A(int) post r[]
  Method add(int) pre p[Parameter(0)] pre precondition[] post q[PreState, Parameter(0), Result] post postcondition[PreState]
  Method add(int, int) pre precondition[] post postcondition[PreState] may Exception but RuntimeException
  Method rest() pre precondition[] post r[] post postcondition[PreState] may IllegalStateException may Error
",
    );
}

#[test]
fn of_a_language_only_the_step() {
    check(
        "class A implements Language { @Declarative public boolean wellTyped() { return true; } @Declarative public boolean isFinalState() { return false; } public void smallStep() throws StuckException { } public void other() { } }",
        "A by wellTyped\n  Method smallStep() may StuckException\n",
    );
}

#[test]
fn library_classes_are_asked_for_by_name() {
    let library = |name: &str| {
        match name {
        "lib.Box" => Some(("lib/Box.java".into(), "package lib; import lib.deep.*; public class Box<T> extends Deep { T v; public void set(T t) { v = t; touch(); } }".into())),
        "lib.deep.Deep" => Some(("lib/deep/Deep.java".into(), "package lib.deep; public class Deep { int n; protected void touch() { n++; } void unused(Missing m) { } }".into())),
        _ => None,
    }
    };
    let text = format!("import lib.Box; class A {{ Box<Integer> b; {OK} void f() {{ b.set(3); int x = b.v; }} }}");
    let loaded = load_with(&text, None, &library);
    let inputs: Vec<&str> = loaded.program.classes.iter().filter(|c| c.is_input).map(|c| c.name.as_str()).collect();
    assert_eq!(inputs, ["A"]);
    assert!(loaded.program.classes.iter().any(|c| c.name == "Deep"));
}

#[test]
fn a_state_may_hold_any_input_class_that_fits() {
    let loaded = load(&format!(
        "interface S {{ int area(); }} class Q implements S {{ int s; public int area() {{ return s; }} }} class A {{ S s; {OK} void f() {{ s.area(); }} }} class Unrelated {{ }}"
    ));
    let p = &loaded.program;
    let q = p.classes.iter().find(|c| c.name == "Q").expect("an implementation");
    assert_eq!(q.dispatch.len(), 1);
    assert!(!p.classes.iter().any(|c| c.name == "Unrelated"));
}

#[test]
fn a_state_holds_no_object_of_a_class_within_a_method() {
    let loaded = load(&format!(
        "interface S {{ int area(); }} class Q implements S {{ public int area() {{ return 1; }} }}
        enum E implements S {{ ONE {{ public int area() {{ return 3; }} }} }}
        class A {{ S s; E e; S[][] t; {OK}
            void f(int n) {{
                class L implements S {{ public int area() {{ return n; }} }}
                s = () -> n; s = new S() {{ public int area() {{ return 2; }} }}; s = new L(); e = E.ONE; s.area();
                java.util.function.IntPredicate p = i -> i > n; p.test(1);
            }} }}"
    ));
    let class = |c: &&ir::Class| c.name.contains('$');
    let mut local: Vec<String> =
        loaded.program.classes.iter().filter(class).map(|c| format!("{} {}", c.name, c.is_local)).collect();
    local.sort();
    assert_eq!(local, ["A$1L true", "A$2 true", "A$3 true", "A$4 true", "E$1 false"]);
}

#[test]
fn the_outer_instance_of_an_inner_object_is_the_checked_object() {
    let loaded = load(&format!(
        "class A {{ class N {{ int v; N next; }} class M {{ @Tree M next; }} N n; @Tree M m; {OK} void f() {{ n = new N(); m = null; }} }}"
    ));
    let (p, checked) = (&loaded.program, &loaded.checked[0]);
    let space = ir::space::Space::new(p, checked, &checked.operations[0], 2, ir::space::Shape::Complete, &[]);
    let space = space.expect("a space");
    let main = space.main.expect("a method has a receiver");
    let mut inner = 0;
    for object in &space.objects {
        let ir::Ty::Class(class) = object.ty else { continue };
        for (field, domain) in p.instance_fields(class).iter().zip(&object.slots) {
            if p.field(*field).is_synthetic {
                inner += 1;
                assert!(
                    matches!(domain, ir::space::Domain::Fixed(ir::Value::Obj(outer)) if *outer == main),
                    "{domain:?}"
                );
            }
        }
    }
    assert_eq!(inner, 4);
}

/// The method `f` of a class, as lowered.
#[track_caller]
fn lowers(members: &str, expected: &str) {
    let loaded = load(&format!("class A {{ int x; A a; int[] v; {OK} {members} }}"));
    let p = &loaded.program;
    let f = (0..p.methods.len() as u32).map(ir::MethodId).find(|m| p.method(*m).name == "f").expect("a method f");
    assert_eq!(ir::print::method(p, f).trim_end(), expected);
}

#[test]
fn lowered_code() {
    lowers(
        "void f(A b) { b.x += b.x; x++; }",
        "void A.f(A b) {\n  (b#1.x = (b#1.x + b#1.x))\n  (this#0.x = (this#0.x + 1))\n}",
    );
    lowers(
        "int f(byte b, long l) { b += l; return b << l; }",
        "int A.f(byte b, long l) {\n  (b#1 = (byte) ((long) b#1 +L l#2))\n  return ((int) b#1 << (int) l#2)\n}",
    );
    lowers(
        "int f() { int i = 0; return v[i++] + i; }",
        "int A.f() {\n  (i#1 = 0)\n  return (this#0.v[[(#2 = i#1); (i#1 = (#2 + 1)); #2]] + i#1)\n}",
    );
    lowers(
        "boolean f(Object o) { return o instanceof A b && b.x > 0; }",
        "boolean A.f(Object o) {\n  return (((o#1 instanceof A) && [(b#2 = ((A) o#1)); true]) && (b#2.x > 0))\n}",
    );
    lowers(
        "void f() { GlassBox.assume(x > 2 * 3); assert x > 0; }",
        "void A.f() {\n  assume (this#0.x > 6)\n  assert (this#0.x > 0)\n}",
    );
    lowers(
        "Integer f(Integer i) { return i + 1; }",
        "Integer A.f(Integer i) {\n  return new Integer((i#1.value + 1))\n}",
    );
}
