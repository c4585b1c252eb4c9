import glassbox.*;

/** The order of initialisation: constructors, fields, blocks, virtual calls from constructors, exceptions on the way. */
class Order {
    @Declarative boolean repOk() { return true; }
    static long log;
    static int say(int n) { log = log * 10 + n; return n; }
    private static long told() { long n = log; log = 0; return n; }

    static class A {
        int a = say(1); { say(2); } int b = say(3);
        A() { this(say(4)); say(5); hook(); }
        A(int x) { say(6); hook(); }
        { say(7); }
        void hook() { say(8); }
    }
    static class B extends A {
        int k = say(9); final int c = 5; int d = 6;
        B() { super(); say(1); }
        B(int x) { super(say(x)); d = x; }
        B(String s) { this(s == null ? 2 : 3); say(4); }
        @Override void hook() { log = log * 100 + c * 10 + d; }
    }
    @Check static long plain() { told(); new A(); return told(); }
    @Check static long withSuper() { told(); new B(); return told(); }
    @Check static long withArgument() { told(); new B(7); return told(); }
    @Check static long chained() { told(); B b = new B((String) null); return told() * 100 + b.d; }

    static class Forward { int x = this.y + 1; int y = 5; int z = x + y; { w = 9; } int w = 3; int v; { v = w; w = 4; } }
    @Check static long forward() { Forward f = new Forward(); return f.x + f.y * 10 + f.z * 100 + f.w * 10000 + f.v * 100000; }

    static class Thrower { int n = say(1); { if (log > 0) fail(); } int m = say(2); Thrower() { say(3); } static void fail() { throw new IllegalStateException(); } }
    static class SubThrower extends Thrower { { say(4); } SubThrower() { super(); say(5); } }
    @Check static long throwing() { told(); try { new SubThrower(); } catch (IllegalStateException e) { say(9); } finally { say(8); } return told(); }

    static Leaky kept;
    static class Leaky { int x = 1; Leaky() { kept = this; x = 2; if (say(3) == 3) throw new RuntimeException(); x = 4; } }
    @Check static long leaks() { told(); try { new Leaky(); } catch (RuntimeException e) { return kept.x * 10 + told(); } return 0; }

    static class Arg { Arg(int... xs) { say(xs.length); } Arg(Object o, int y) { this(y, y, y); say(5); } }
    @Check static long varargsConstructor() { told(); new Arg(); new Arg(1, 2, 3); new Arg("s", 2); new Arg(new int[4]); return told(); }

    abstract static class Template { final int r; Template() { r = compute(); } abstract int compute(); }
    static class Impl extends Template { int base = 10; Integer boxed = 4; int compute() { return base + (boxed == null ? 1 : boxed); } }
    @Check static long template() { Impl i = new Impl(); return i.r * 100 + i.compute(); }
    @Check static long anonymousTemplate() { int cap = 6; Template t = new Template() { int own = 3; { own++; } int compute() { return own * 10 + cap; } }; return t.r * 1000 + t.compute(); }

    class Inner { int i = say(1); Inner() { say(outer); } class Deep { int d = i + outer; } }
    int outer = say(7);
    @Check static long innerOrder() { told(); Order o = new Order(); o.outer = 8; Inner in = o.new Inner(); return told() * 100 + in.new Deep().d; }
    @Check static long innerOfNull() { told(); Order o = null; try { o.new Inner(); } catch (NullPointerException e) { return 5 + told(); } return 0; }
    Inner make() { return new Inner(); }
    class SubInner extends Inner { SubInner() { super(); say(2); } SubInner(int x) { this(); outer += x; } }
    @Check static long subInner() { told(); Order o = new Order(); o.new SubInner(3); return told() * 100 + o.outer; }
    static class Detached extends Order.Inner { Detached(Order o) { o.super(); say(6); } }
    @Check static long qualifiedSuper() { told(); Order o = new Order(); o.outer = 2; new Detached(o); return told(); }

    interface WithField { int[] SHARED = {1, 2}; int LATE = SHARED.length + 5; }
    static class UsesField implements WithField { int get() { SHARED[0]++; return SHARED[0] * 10 + LATE; } }
    @Check static long interfaceFields() { int before = WithField.SHARED[0]; int got = new UsesField().get(); WithField.SHARED[0] = before; return got - before * 10; }

    static class Counted { static int count; final int id; static Counted last; Counted() { id = ++count; last = this; } static { count = 10; } }
    @Check static long counted() { int c = Counted.count; new Counted(); new Counted(); return Counted.count - c + (Counted.last.id - c) * 10; }

    static class S1 { static int v = 3; static int w; static { w = v * 2; v = 4; } static int u = v + w; }
    static class S2 extends S1 { static int z = u + v; }
    @Check static long staticOrder() { return S2.z * 1000 + S1.u * 10 + S1.v; }

    static class ArrayField { int[] a = {1, 2, 3}; int[][] b = new int[2][2], c; int d[] = {4}, e = 5; { b[1][0] = a[2]; c = new int[][] {a, {}, null}; } }
    @Check static long arrayFields() { ArrayField f = new ArrayField(); f.a[0] = 9; return f.b[1][0] + f.c[0][0] * 10 + f.c.length * 100 + f.d[0] * 1000 + f.e * 10000 + new ArrayField().a[0] * 100000; }

    static class Gen<T> { T v; java.util.function.Supplier<T> s = () -> v; Gen(T v) { this.v = v; } T twice() { T first = s.get(); v = null; return first; } }
    @Check static long lambdaField() { Gen<Integer> g = new Gen<>(5); int x = g.twice(); return x * 10 + (g.s.get() == null ? 1 : 0); }

    static class Finals { final int a; final int b; { a = say(3); } Finals(boolean p) { if (p) b = 1; else b = 2; } Finals() { this(true); } }
    @Check static long finals() { told(); return new Finals().b + new Finals(false).b * 10 + new Finals(true).a * 100 + told() * 1000; }
    static class Hidden { int x = 1; int get() { return x; } static int st() { return 1; } }
    static class Hides extends Hidden { int x = 2; int get() { return x + super.x * 10 + ((Hidden) this).x * 100; } int up() { return super.get(); } static int st() { return 2; } void set() { super.x = 7; this.x = 8; } }
    @Check static long hidden() { Hides h = new Hides(); Hidden g = h; h.set(); return g.x + h.x * 10 + g.get() * 100 + h.up() * 100000 + Hidden.st() * 1000000 + Hides.st() * 10000000; }
    @Check static long superOfNull() { try { new Detached(null); } catch (NullPointerException e) { return 3; } return 4; }
    static class MyEx extends Exception { final int c; MyEx(int c) { super("m"); this.c = c; } MyEx(Throwable t) { super(t); c = 9; } }
    static void thrower(int n) throws MyEx { if (n == 1) throw new MyEx(1); if (n == 2) throw new MyEx(new Error()); }
    @Check static long checked() { int s = 0; for (int i = 0; i < 3; i++) try { thrower(i); s += 1; } catch (MyEx e) { s += e.c * 10; if (e.getCause() != null) s += 1000; if (e.getMessage() == null) s += 5000; } return s; }
    @Check static long rethrowPrecise() throws MyEx { try { try { thrower(1); } catch (Exception e) { throw e; } } catch (MyEx e) { return 3; } return 4; }
    @Check static long throwableCause() { try { try { int x = 1 / (int) (log - log); } catch (ArithmeticException e) { throw new RuntimeException("w", e); } } catch (RuntimeException e) { return e.getCause() instanceof ArithmeticException && e.getMessage() == "w" ? 1 : 0; } return 2; }
    @Check static long noMessage() { try { throw new IllegalArgumentException(); } catch (RuntimeException e) { return e.getMessage() == null && e.getCause() == null ? 1 : 0; } }

    static int five() { return 5; }
    static int before = five(); static Nested nested = new Nested(); static int after = five() + Nested.v;
    static class Nested { static int v = before + 1; static int w = after + 1; int x = v * 10 + w; }
    @Check static long circle() { return nested.x * 100 + after; }
    static class Ping { static int p = Pong.q + 1; static int r = 100; } static class Pong { static int q = Ping.r + 1; }
    static int[] pings = {Ping.p, Pong.q};
    @Check static long pingPong() { return pings[0] * 100 + pings[1]; }
    static class Single { static final Single ONE = new Single(); static int count = 7; int seen = ++count; static final Single TWO = new Single(); }
    @Check static long singleton() { return Single.ONE.seen * 100 + Single.TWO.seen * 10 + Single.count; }
    static class Sup { static int s = 3; static { s += Sub.t; } } static class Sub extends Sup { static int t = s * 2; }
    static int viaSub = Sub.t;
    @Check static long superFirst() { return viaSub * 100 + Sup.s; }
    interface Lazy { int[] MADE = {five()}; int get(); } static class UsesLazy implements Lazy { static int[] own = {6}; public int get() { return MADE[0] + own[0]; } }
    static long early = new UsesLazy().get();
    @Check static long lazyInterface() { return early; }

    static class Told { int n; public String toString() { n++; if (n == 3) throw new IllegalStateException(); return "t"; } } static class Quiet extends Told { @Override public String toString() { return "q"; } } interface Named {} static class Name implements Named { static int calls; public String toString() { calls++; return null; } }
    @Check static long conversions() { Told t = new Told(); Object o = t, none = null; String s = "a" + o; s += t; long r = t.n; try { s = o + s; } catch (IllegalStateException e) { r += 10; } s = "" + none + new Quiet() + 5 + 'c' + new int[0] + Integer.valueOf(3); Told q = new Quiet(); s = q + "x"; return r * 100 + q.n * 10 + t.n; }
    @Check static long interfaceConversions() { int c = Name.calls; Named n = new Name(); Object[] all = {n, "s", 1, 'c', new Object(), new int[1], null, new Told()}; String s = ""; for (Object o : all) s += o; s = n + "" + n; s = String.valueOf(n); s = java.util.Objects.toString(n); s = Integer.toString(5) + String.valueOf('c'); return Name.calls - c; }
    static <T> String show(T t, Comparable<?> c) { return "<" + t + c + ">"; }
    @Check static long genericConversion() { Told t = new Told(); String s = show(t, 5) + show(t, "x"); return t.n; }
}
