//! Clients with a module replaced that reach more of it than was compared: each is refused, with its place.

use crate::{java_file, run};

const CLIENT: &str = "import java.util.function.*;
class Count {
    @Range(\"0..n\") int x;
    public Count() {}
    public Count(@Range(\"0..n\") int y) { x = y; }
    public Count(@Range(\"0..n\") int y, @Range(\"0..n\") int z) { x = z; }
    @Declarative boolean repOk() { return 0 <= x && x <= GlassBox.size(); }
    public int get() { return x; }
    static Count one() { Count c = new Count(); c.x = 1; return c; }
    @Declarative @Pre(\"less\") boolean isPositive() { return x > 0; }
    public void less() { x--; }
    public int two(@Range(\"0..n\") int k) { return 1; }
    public void addAll(@NonNull Count o) { x = o.x; }
    @Declarative @Abstraction Abs abstraction() { return new Abs(x); }
}
class Abs {
    @Range(\"0..n\") int x;
    @Declarative Abs() { }
    @Declarative Abs(int x) { this.x = x; }
    @Declarative Abs(int x, byte y) { this.x = x; }
    @Declarative Abs(int x, int y, int z) { this.x = x; }
    public int get() { return x; }
    public int two(long k) { return 1; }
    public int two(byte k) { return 2; }
    public void less() { if (x > 0) x--; }
    public boolean extra() { return true; }
    public void addAll(Abs o) { x += o.x; }
    @Declarative Abs abstraction() { return this; }
    @Declarative int value() { return x; }
    @Declarative boolean equalTo(Abs a) { return x == a.x; }
}
class Holder<T extends Count> { T t; void lessen() { t.less(); } }
public class Client {
    @Tree @NonNull Count in = new Count();
    public Client() {}
    @Declarative boolean repOk() { return true; }
    METHOD
}";

fn ran(text: &str, method: &str) -> (i32, String) {
    let file = java_file("Client", &text.replace("METHOD", method));
    let ran = run(&format!("{file} --size 2 --class Client --replace Count=Abs"));
    (ran.status, ran.stdout + &ran.stderr)
}

#[test]
fn calls_that_were_not_compared() {
    let compared = "goes to `OPERATION` of `Abs`, which is not compared with `Count`";
    let made = "by a constructor that is not compared with one of `Count`";
    let pre = "`less` of `Count` has a precondition";
    let refused = [
        ("public void f() { assert new Count(2, (byte) 1).get() == 2; }", made.to_string()),
        ("public void f() { assert new Count(2, 1, 1).get() == 2; }", made.to_string()),
        (
            "public void f() { BiFunction<Integer, Byte, Count> r = Count::new; assert r.apply(2, (byte) 1).get() == 2; }",
            made.to_string(),
        ),
        ("public void f() { assert in.two((byte) 1) == 2; }", compared.replace("OPERATION", "two")),
        ("public void f() { assert in.extra(); }", compared.replace("OPERATION", "extra")),
        ("public void f() { Runnable r = in::less; r.run(); }", pre.to_string()),
        ("public void f() { Runnable r = () -> in.less(); r.run(); }", pre.to_string()),
        ("public void f() { Consumer<Count> r = Count::less; r.accept(in); }", pre.to_string()),
        ("public void f() { Holder<Count> h = new Holder<>(); h.t = in; h.lessen(); }", pre.to_string()),
        ("public <T extends Count> void f() { T t = (T) in; t.less(); }", pre.to_string()),
        (
            "public void f() { Count c = new Count() { public int get() { return 7; } }; assert c.get() == 7; }",
            "this class extends `Count`, which is replaced".to_string(),
        ),
        (
            "public void f() { class D extends Count { public int get() { return 7; } } assert new D().get() == 7; }",
            "`D` extends `Count`, which is replaced".to_string(),
        ),
        // Of a module it is a copy, of the abstraction in its place the object itself.
        ("public void f() { Abs a = in.abstraction(); assert a.value() >= 0; }", "is the object itself".to_string()),
        (
            "public void f() { in.abstraction().two(1L); }",
            "`two` may change the object whose abstraction this is".to_string(),
        ),
    ];
    for (method, message) in refused {
        let (status, told) = ran(CLIENT, method);
        assert!(status == 2 && told.contains(&message) && told.contains("Client.java:"), "{method}: {told}");
    }
    let allowed = [
        "public void f() { assert new Count(2).get() == 2; }",
        "public void f() { Function<Integer, Count> r = Count::new; assert r.apply(2).get() == 2; }",
        "public void f() { assert in.two(1) == 1; }",
        // Both get one of their own kind.
        "public void f() { in.addAll(new Count(1)); }",
        "public void f() { Consumer<Count> c = in::addAll; c.accept(in); }",
        // A static method of the module runs as it is.
        "public void f() { assert Count.one().get() == 1; }",
        "public void f() { assert in.abstraction().value() == in.get(); }",
        "public void f() { IntSupplier s = in::get; assert s.getAsInt() == in.get(); }",
    ];
    for method in allowed {
        let (status, told) = ran(CLIENT, method);
        assert_eq!(status, 0, "{method}: {told}");
    }
}

/// What every object has is asked without a call that would tell.
#[test]
fn equality_of_an_abstraction() {
    let method = "public void f() { assert java.util.Objects.equals(new Count(), new Count()); }";
    let equals = "public boolean equals(Object o) { return o instanceof Abs a && a.x == x; } public boolean extra";
    let (status, told) = ran(&CLIENT.replace("public boolean extra", equals), method);
    assert!(status == 2 && told.contains("`Abs` cannot replace `Count`: it has its own `equals`"), "{told}");
    assert_eq!(ran(CLIENT, method).0, 1);
}

/// A default method is the same code for both; where only one of them overrides it, they are compared.
#[test]
fn default_methods() {
    let with = |count: &str, abs: &str| {
        let interface = "interface Counted { int get(); default boolean isZero() { return get() == 0; } } class Count implements Counted {";
        CLIENT
            .replace("class Count {", &format!("{interface} {count}"))
            .replace("    public boolean extra", &format!("{abs} public boolean extra"))
    };
    let method = "public void f() { Counted c = in; assert c.isZero() == (in.get() == 0); }";
    assert_eq!(ran(&with("", ""), method).0, 0);
    let (status, told) = ran(&with("", "public boolean isZero() { return true; }"), method);
    assert!(status == 1 && told.contains("Count behaves like Abs: not checked in this run"), "{told}");
    let own = "public boolean isZero() { return x == 0; }";
    assert_eq!(ran(&with(own, own), method).0, 0);
}
