import glassbox.*;
import java.util.*;
import java.util.function.*;

class More {
    @Declarative boolean repOk() { return true; }
    static int log;
    static <T> T id(T t) { log++; return t; }
    static int[] arr(int[] a) { log = log * 10 + 1; return a; }
    static int ix(int i) { log = log * 10 + 2; return i; }

    // a private method in a superclass is not overridden
    static class P { private int f() { return 1; } int g() { return f(); } }
    static class Q extends P { int f() { return 2; } }
    @Check static long privates() { return new Q().g() * 10 + new Q().f(); }

    interface A { default int m() { return 1; } }
    interface B extends A { default int m() { return 2; } }
    static class C implements A {}
    static class D extends C implements B {}
    @Check static long diamondDefault() { A a = new D(); return a.m(); }

    static abstract class Op { abstract int apply(int x); Op then(Op next) { Op self = this; return new Op() { int apply(int x) { return next.apply(self.apply(x)); } }; } }
    @Check static long chained() { int k = 3; Op add = new Op() { int apply(int x) { return x + k; } }; Op mul = new Op() { int calls; int apply(int x) { calls++; return x * 10 + calls; } }; return add.then(mul).then(add).then(mul).apply(1); }

    static class Outer<T> {
        T v; int n = 1;
        Outer(T v) { this.v = v; }
        class In { T get() { return v; } int up() { return ++n; } class In2 { T deep() { n += 10; return v; } } }
        static class St<U> { U u; }
        In in() { return new In(); }
    }
    @Check static long inners() { Outer<Integer> o = new Outer<>(5); Outer<Integer>.In i = o.in(); int a = i.get() + i.up(); Outer<Integer>.In.In2 d = i.new In2(); int b = d.deep(); return a * 100 + b * 10 + o.n; }

    static class Base { int v; Base(int v) { this.v = v; } class Part { int p() { return v; } } }
    static class Derived extends Base { Derived() { super(7); } int use() { return new Part().p(); } class Sub extends Part { int q() { return p() * 2; } } }
    @Check static long innerOfSuper() { Derived d = new Derived(); return d.use() * 100 + d.new Sub().q(); }

    @Check static long evalOrder() { log = 0; int[] a = {1, 2, 3}; arr(a)[ix(1)] += ix(5); int r = arr(a)[ix(0)]++; return log * 100L + a[1] + r; }
    @Check static long boxedArray() { Integer[] a = {1, null, 3}; a[0]++; a[2] += 5; int s = 0; for (Integer x : a) s = s * 10 + (x == null ? 7 : x); return s; }
    @Check static long boxedCompound() { Integer i = 5; Long l = 2L; Character c = 'a'; Byte b = 1; i *= 2; l += i; c++; b++; i <<= 2; return i + l * 100 + c * 10000 + b * 10000000; }
    @Check static long charConcatNum() { char c = 'b'; int n = c + 1; return n + (c + c); }
    @Check static long ternaryChain() { int x = 5; return x > 3 ? x > 4 ? 1 : 2 : 3; }
    @Check static long nestedSwitch() { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) switch (i) { case 1: switch (j) { case 1: n += 100; break; default: n += 10; } break; case 2: continue; default: n++; } return n; }
    @Check static long whileAssign() { int i = 0, s = 0; while ((i += 2) < 10 && (s += i) < 100); return s * 100 + i; }
    @Check static long tryInLoop() { int n = 0; for (int i = 0; i < 4; i++) { try { if (i % 2 == 0) throw new IllegalArgumentException("x" + i); n += 1; } catch (IllegalArgumentException e) { n += 10; continue; } finally { n += 100; } n += 1000; } return n; }
    @Check static long rethrow() { try { try { throw new IllegalStateException(); } catch (RuntimeException e) { throw new Error(e); } } catch (Error e) { return e.getCause() instanceof IllegalStateException ? 1 : 2; } }
    @Check static long finallyOverrides() { try { throw new RuntimeException(); } finally { return 5; } }
    @Check static long genericArrays() { Object[] raw = new Integer[2]; Integer[] is = (Integer[]) raw; is[0] = 4; Number n = is[0]; return n.intValue() + (raw instanceof Integer[] ? 10 : 0) + (raw instanceof Number[] ? 100 : 0); }
    @Check static long comparableInts() { Comparable<Integer> c = 5; return c.compareTo(3) + Integer.valueOf(2).compareTo(9) * 10; }
    @Check static long longs() { long a = 1L << 62; a += a; int s = (int) (a >>> 32); return a + s + (a < 0 ? 1 : 0); }
    @Check static long intDivShort() { short s = -32768; s /= -1; byte b = -128; b = (byte) -b; int i = s; return i * 1000 + b; }
    @Check static long stringsConst() { final String a = "p", b = "q"; return ("pq" == a + b ? 1 : 0) + ("a1" == "a" + 1L ? 10 : 0); }
    static int fin(int[] a) { try { return a[0]; } finally { a[0] = 99; } }
    @Check static long finallyValue() { int[] a = {3}; return fin(a) * 100 + a[0]; }
    static int sum(int... xs) { int s = 0; for (int x : xs) s += x; return s; }
    static int sum(int a, long b) { return -1; }
    @Check static long varargsPhase() { return sum(1, 2) * 1000 + sum(1, 2, 3) + sum(new int[] {9}) * 100; }
    static int f(Object o) { return 1; } static int f(String s) { return 2; } static int f(Integer s) { return 3; }
    @Check static long nullOverload() { return f((String) null) * 10 + f((Object) "x") + f(5) * 100; }
    static int g(long x) { return 1; } static int g(Integer x) { return 2; } static int g(Object x) { return 3; }
    @Check static long boxVsWiden() { short s = 1; return g(5) * 100 + g(s) * 10 + g('c'); }
    static <T> int cnt(T a, T b) { return a == b ? 1 : 0; }
    @Check static long inferJoin() { return cnt(1, "a") + cnt("a", "a") * 10; }
    @Check static long optionalChain() { Function<Integer, Function<Integer, Integer>> add = a -> b -> a + b; return add.apply(3).apply(4); }
    @Check static long supplierOf() { Supplier<Supplier<Integer>> s = () -> () -> 8; int v = s.get().get(); return v; }
    interface Visitor<R> { R num(int n); R add(E a, E b); }
    interface E { <R> R accept(Visitor<R> v); }
    static E num(int n) { return new E() { public <R> R accept(Visitor<R> v) { return v.num(n); } }; }
    static E add(E a, E b) { return new E() { public <R> R accept(Visitor<R> v) { return v.add(a, b); } }; }
    static class Eval implements Visitor<Integer> { public Integer num(int n) { return n; } public Integer add(E a, E b) { return a.accept(this) + b.accept(this); } }
    @Check static long visitors() { return add(num(3), add(num(4), num(5))).accept(new Eval()); }
    static class Lnk<T extends Comparable<? super T>> { T head; Lnk<T> tail; Lnk(T h, Lnk<T> t) { head = h; tail = t; } T max() { if (tail == null) return head; T m = tail.max(); return head.compareTo(m) > 0 ? head : m; } }
    @Check static long recursiveGenerics() { Lnk<Integer> l = new Lnk<>(3, new Lnk<>(8, new Lnk<>(5, null))); int m = l.max(); return m; }
    static int depth; static int sideEffect() { return depth++; }
    @Check static long staticsCompound() { depth = 4; depth += depth++ + ++depth; return depth; }
    enum Level { LOW(1), MID(LOW.v + 1), HIGH(MID.v * 5) { @Override int get() { return -super.get(); } }; static final Level[] ALL = values(); static int count = ALL.length; final int v; Level(int v) { this.v = v; } int get() { return v; } Level next() { return ALL[(ordinal() + 1) % ALL.length]; } }
    @Check static long levels() { Level l = Level.HIGH; return l.get() + l.next().v * 100 + Level.count * 1000 + (l.next() == Level.LOW ? 5 : 0) + (l.equals(Level.MID) ? 50000 : 0); }
    interface K { int X = 5, Y = X + compute(); static int compute() { return 10; } }
    static class KI implements K { int get() { return X + Y; } }
    @Check static long ifaceConsts() { return new KI().get() + K.Y; }
    static class Shadow { int x = 1; int test(int x) { int y = x; { int z = this.x; y += z * 10; } class L { int x = 100; int all() { return x + Shadow.this.x; } } return y + new L().all() * 100; } }
    @Check static long shadowing() { return new Shadow().test(7); }
    static long fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
    @Check static long facts() { return fact(20) + fact(21); }
    static class Node<T> { T val; Node<T> next; Node(T v, Node<T> n) { val = v; next = n; } }
    @Check static long linked() { Node<int[]> n = new Node<>(new int[] {1, 2}, null); n = new Node<>(new int[] {3}, n); n.next.val[1] += n.val[0]++; return n.next.val[1] * 10 + n.val.length + n.val[0] * 100; }
    @Check static long intCast() { Object o = 65; int i = (int) o; char c = (char) i; long l = (Integer) o; return i + c + l; }
    @Check static long badUnboxCast() { Object o = 65L; return (int) o; }
    @Check static long instMethodOnNullStatic() { More m = null; return m.stat(); } static int stat() { return 6; }
    @Check static long condLambda() { boolean t = log > -5; IntUnaryOperator f = t ? x -> x + 1 : x -> x - 1; return f.applyAsInt(1); }
    @Check static long castLambda() { return ((IntUnaryOperator) x -> x * 3).applyAsInt(4); }
    static int apply(IntUnaryOperator f, int x) { return f.applyAsInt(x); } static int apply(Function<Integer, Integer> f, String x) { return -f.apply(1); }
    @Check static long lambdaOverload() { return apply(x -> x + 1, 5) * 10 + apply(x -> x + 2, "s"); }
    @Check static long localRecords() { record R(int a, Integer b) {} R r = new R(1, null); return (r.equals(new R(1, null)) ? 1 : 0) + r.hashCode(); }
    @Check static long localEnum() { enum Z { A, B } return Z.B.ordinal() + Z.values().length * 10; }
    @Check static long arrayInitNested() { long[][] a = {{1, 2}, null, {}, new long[] {'c'}}; return a[0][1] + a[3][0] * 10 + a.length * 10000; }
    @Check static long nullArrayLength() { int[][] a = new int[2][]; return a[1].length; }
    @Check static long continueLabelWhile() { int i = 0, n = 0; o: while (i < 5) { i++; int j = 0; do { j++; if (j == 2) continue o; n += j; } while (j < 5); n += 1000; } return n; }
    @Check static long compoundString() { String s = "a"; s += 1; s += 'c'; return s == null ? 0 : 1; }
    @Check static long byteLoop() { int n = 0; for (byte b = 120; b > 0; b++) n++; return n; }
    @Check static long unsignedByte() { byte b = (byte) 0xf0; return (b & 0xff) + (b >> 4) * 1000 + (b >>> 4) * 100000L; }
    @Check static long capturedInLoop() { Runnable[] rs = new Runnable[3]; log = 0; for (int i = 0; i < 3; i++) { int j = i; rs[i] = () -> log = log * 10 + j; } for (Runnable r : rs) r.run(); return log; }
    @Check static long thisEscape() { return new Esc(4).seen; }
    static class EscBase { int seen; EscBase() { seen = peek(); } int peek() { return -1; } }
    static class Esc extends EscBase { final int k; Esc(int k) { this.k = k; seen = seen * 10 + peek(); } @Override int peek() { return k; } }
    @Check static long captureBeforeSuper() { int cap = 9; class L extends EscBase { @Override int peek() { return cap; } } return new L().seen; }
    static String name(Object o) { return o instanceof Integer ? "int" : o instanceof int[] ? "ints" : "other"; }
    @Check static long instanceofArrays() { return (name(1) == "int" ? 1 : 0) + (name(new int[1]) == "ints" ? 10 : 0) + (name(new long[1]) == "other" ? 100 : 0); }
    static class It implements Iterator<String> { int n; public boolean hasNext() { return n < 2; } public String next() { n++; return n == 1 ? "a" : "b"; } }
    @Check static long iterRemove() { new It().remove(); return 0; }
    @Check static long hashes() { return Objects.hash(1, 'c', true, 5L, null) + Objects.hashCode(null) + Integer.valueOf(7).hashCode(); }
    interface Nd<T> { Nd<T> child(); int v(); }
    interface NdP<T> extends Nd<T> { NdP<T> child(); int p(); }
    static abstract class AbsNd<T, N extends Nd<T>> implements Nd<T> { N c; AbsNd(N c) { this.c = c; } public N child() { return c; } public int v() { return 1; } }
    static class ConcNd extends AbsNd<Integer, NdP<Integer>> implements NdP<Integer> { ConcNd(NdP<Integer> c) { super(c); } public int p() { return 5; } }
    @Check static long returnBridge() { NdP<Integer> n = new ConcNd(new ConcNd(null)); Nd<Integer> m = n; return n.child().p() * 10 + m.child().v(); }
    static <T extends Object & Comparable<? super T>> int both(T a, T b) { return a.compareTo(b) + (a.equals(b) ? 10 : 0); }
    @Check static long intersection() { return both(3, 2) * 100 + both(4, 4); }
    static Object pick(boolean b) { return b ? 'x' : 5; }
    @Check static long pickBoxes() { return (pick(true) instanceof Character ? 1 : 0) + (pick(false) instanceof Character ? 10 : 0); }
    static Object mixed(boolean b, Integer i, Long l) { return b ? i : l; }
    @Check static long mixedBoxes() { return mixed(true, 1, 2L) instanceof Long ? 1 : 0; }
    @Check static long mixedNull() { return mixed(true, null, 2L) == null ? 1 : 0; }
    static class Acc { private int total; Acc add(int x) { total += x; return this; } int total() { return total; } }
    @Check static long chain() { return new Acc().add(1).add(2).add(3).total(); }
    @Check static long arrayCovariance() { Object[][] a = new Integer[2][3]; a[0] = new Integer[] {1}; try { a[1] = new String[1]; } catch (ArrayStoreException e) { return a[0].length; } return -1; }
    @Check static long evalArrayInit() { int i = 0; int[] a = {i++, i++, i += 5, -i}; return a[0] + a[1] * 10 + a[2] * 100 + a[3] * 10000L; }
    @Check static long dimOrder() { int i = 1; int[][] a = new int[i++][i++]; return a.length * 10 + a[0].length; }
    @Check static long negDimOrder() { log = 0; try { int[][] a = new int[ix(-1)][ix(2)]; } catch (NegativeArraySizeException e) { return log; } return -1; }
    @Check static long castPrecedence() { int i = -5; return (long) i >>> 60 | (byte) i & 0xf; }
    @Check static long divOrder() { log = 0; try { int r = ix(1) / (ix(0) - 0) + ix(3); } catch (ArithmeticException e) { return log; } return -1; }
    @Check static long longDivMin() { long m = Long.MIN_VALUE; return m / -1 + m % -1; }
    @Check static long modNeg() { return -5 % 3 * 100 + 5 % -3 * 10 + (-5 & 3); }
    @Check static long loopLabelBlock() { int n = 0; a: { b: for (;;) { for (;;) { n++; if (n == 3) break a; if (n == 2) continue b; } } } return n; }
    @Check static long doContinue() { int i = 0; do { if (++i < 3) continue; break; } while (i < 10); return i; }
    @Check static long tryReturnLoop() { for (int i = 0; ; i++) { try { if (i == 2) return i; } finally { if (i == 2) log = 77; } } }
    @Check static long throwInFinally() { try { try { throw new IllegalStateException(); } finally { throw new IllegalArgumentException(); } } catch (RuntimeException e) { return e instanceof IllegalArgumentException ? 1 : 2; } }
    @Check static long catchOrder() { try { Object o = null; return o.hashCode(); } catch (ClassCastException e) { return 1; } catch (RuntimeException e) { return 2; } catch (Exception e) { return 3; } }
    @Check static long stackOverflowCaught() { try { return inf(0); } catch (StackOverflowError e) { return 42; } }
    static int inf(int x) { return inf(x + 1) + 1; }
    static class Const { final int seven = 7; final String s = "s"; int get() { return seven; } }
    @Check static long constantFields() { Const c = new Const(); return c.seven * 10 + c.get() + (c.s == "s" ? 100 : 0); }
    @Check static long constantOfNull() { Const c = null; return c.seven; }
}
