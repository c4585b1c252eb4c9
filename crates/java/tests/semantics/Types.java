import glassbox.*;
import java.util.*;
import java.util.function.*;

/** Types: generics by erasure, dispatch, arrays, enums, records, nested and local classes, lambdas. */
class Types {
    @Declarative boolean repOk() { return true; }
    static long log;
    static int say(int n) { log = log * 10 + n; return n; }
    private static long told() { long n = log; log = 0; return n; }
    static long mix(long... xs) { long h = 17; for (long x : xs) h = h * 31 + x; return h; }

    // dispatch
    interface I { default int m() { return 1; } int n(); static int s() { return 5; } private int p() { return n() * 2; } default int q() { return p() + m(); } }
    interface J { default int m() { return 2; } }
    static class IJ implements I, J { public int m() { return I.super.m() * 10 + J.super.m(); } public int n() { return 3; } }
    static class Up { public int m() { return 9; } }
    static class UpI extends Up implements J {}
    @Check static long defaults() { IJ x = new IJ(); I i = x; J j = new UpI(); return mix(x.m(), i.q(), j.m(), I.s()); }
    static class P { int f(Object o) { return 1; } int f(P p) { return 2; } int g(P p) { return p.f(this); } protected P me() { return this; } }
    static class Q extends P { int f(Object o) { return 3; } int f(Q q) { return 4; } int g(P p) { return p.f(this); } @Override public Q me() { return this; } int only() { return 7; } }
    @Check static long overloadOverride() { P p = new Q(); Q q = new Q(); return mix(p.f(p), p.f(q), q.f(p), q.f(q), p.g(q), q.g(q), q.f((Object) q), ((P) q).f((Object) null), q.me().only(), p.me() instanceof Q ? 1 : 0); }
    static int o(long x) { return 1; } static int o(int x) { return 2; } static int o(Object x) { return 3; } static int o(Integer x) { return 4; } static int o(int... x) { return 5; }
    static int c(char x) { return 1; } static int c(int x) { return 2; } static int d(double x) { return 1; } static int d(Object x) { return 2; } static int v(Object... x) { return 1; } static int v(String s, Object... x) { return 2; } static int n(Number x) { return 1; } static int n(Comparable<?> x) { return 2; } static int n(Object o) { return 3; }
    @Check static long overloads() { byte b = 1; Short s = 2; return mix(o(b), o('a'), o(5L), o(s), o(Integer.valueOf(1)), o(), o(1, 2), c('x'), c('x' + 1), c((char) 5), v("a"), v(1), v("a", 1), n((Number) 5), n("s"), n(new int[0])); }
    static abstract class Sh { abstract int area(); int twice() { return 2 * area(); } public String toString() { return "Sh"; } }
    static class Sq extends Sh { int s; Sq(int s) { this.s = s; } int area() { return s * s; } @Override public boolean equals(Object o) { return o instanceof Sq && ((Sq) o).s == s; } @Override public int hashCode() { return s; } }
    @Check static long abstracts() { Sh a = new Sq(3), b = new Sq(3); Object o = a; return mix(a.twice(), a.equals(b) ? 1 : 0, o.equals(b) ? 1 : 0, a == b ? 1 : 0, o.hashCode(), Objects.equals(a, b) ? 1 : 0, Objects.hash(a, b), a.toString() == "Sh" ? 1 : 0, a.equals(null) ? 1 : 0); }
    static int st = 4; int inst = 6; static Types tnull; int viaNull() { return 3; } static int stat() { return 8; }
    @Check static long staticThroughNull() { return tnull.st + tnull.stat() * 10; }
    @Check static long privateInner() { Holder h = new Holder(); h.secret += 2; return h.secret * 10 + h.peek() + new Holder.Sub().up(); }
    static class Holder { private int secret = 5; private int peek() { return secret; } static class Sub extends Holder { private int peek() { return 100; } int up() { return super.peek() + ((Holder) this).peek() + peek(); } } }

    // generics
    static class Box<T> { T v; Box(T v) { this.v = v; } T get() { return v; } <R> Box<R> map(Function<? super T, ? extends R> f) { return new Box<R>(f.apply(v)); } boolean same(Box<? extends T> o) { return o.v == v; } static <A extends Comparable<? super A>> A max(A a, A b) { return a.compareTo(b) >= 0 ? a : b; } }
    static class IntBox extends Box<Integer> implements Comparable<IntBox> { IntBox(int i) { super(i); } @Override Integer get() { return super.get() + 1; } public int compareTo(IntBox o) { return v - o.v; } }
    @Check static long boxes() { Box<Integer> b = new IntBox(4); int x = b.get(); b.v++; int y = b.map(k -> k * 2).map(k -> k + "").get() == null ? 0 : 1; IntBox m = Box.max(new IntBox(3), new IntBox(8)); Box<?> w = b; Object o = w.get(); Box<? super Integer> s = new Box<Number>(3); s.v = 5; Object so = s.v; return mix(x, b.v, y, m.v, (Integer) o, (Integer) so, Box.max(2, 9), Box.max('a', 'b')); }
    @SuppressWarnings({"unchecked", "rawtypes"}) @Check static long pollution() { Box raw = new Box("s"); Box<Integer> b = raw; Object fine = b.v; try { int n = b.v; return n; } catch (ClassCastException e) { return fine == "s" ? 1 : 2; } }
    @SuppressWarnings({"unchecked", "rawtypes"}) @Check static long bridgeCast() { Comparable c = new IntBox(1); try { return c.compareTo(5); } catch (ClassCastException e) { return 3; } }
    @SuppressWarnings("unchecked") static <T> T[] fill(T[] a, T v) { for (int i = 0; i < a.length; i++) a[i] = v; return a; }
    @Check static long genericArray() { Integer[] a = fill(new Integer[3], 7); Stk<String> s = new Stk<>(2); s.push("a"); s.push("b"); return a[2] * 10 + (s.pop() == "b" ? 1 : 0) + s.n * 100; }
    static class Stk<T> { T[] items; int n; @SuppressWarnings("unchecked") Stk(int k) { items = (T[]) new Object[k]; } void push(T t) { items[n++] = t; } T pop() { T t = items[--n]; items[n] = null; return t; } T[] raw() { return items; } }
    @Check static long genericArrayLeak() { Stk<String> s = new Stk<>(1); try { String[] a = s.raw(); return a.length; } catch (ClassCastException e) { return 4; } }
    static class Bnd<T extends Comparable<T>> { T[] a; @SuppressWarnings("unchecked") Bnd() { a = (T[]) new Comparable[2]; } boolean less() { return a[0].compareTo(a[1]) < 0; } }
    @Check static long boundedArray() { Bnd<Integer> b = new Bnd<>(); b.a = new Integer[] {1, 2}; return b.less() ? 1 : 0; }
    static <T extends Sq & Comparable<T>> int inter(T t) { return t.compareTo(t) + t.area(); }
    static class CSq extends Sq implements Comparable<CSq> { CSq() { super(5); } public int compareTo(CSq o) { return s - o.s + 1; } }
    @Check static long intersections() { return inter(new CSq()); }
    interface Vis<R> { R leaf(int n); R node(T2 l, T2 r); }
    static abstract class T2 { abstract <R> R acc(Vis<R> v); static T2 leaf(int n) { return new T2() { <R> R acc(Vis<R> v) { return v.leaf(n); } }; } static T2 node(T2 a, T2 b) { return new T2() { <R> R acc(Vis<R> v) { return v.node(a, b); } }; } }
    @Check static long visitor() { T2 t = T2.node(T2.leaf(1), T2.node(T2.leaf(2), T2.leaf(3))); int s = t.acc(new Vis<Integer>() { public Integer leaf(int n) { return n; } public Integer node(T2 l, T2 r) { return 10 * l.acc(this) + r.acc(this); } }); return s; }
    static <A, B> B fold(A[] as, B z, BiFunction<B, A, B> f) { for (A a : as) z = f.apply(z, a); return z; }
    @Check static long folds() { Integer[] is = {1, 2, 3}; int a = fold(is, 0, (x, y) -> x * 10 + y); long b = fold(is, 5L, (x, y) -> x + y); boolean c = Types.<Integer, Boolean>fold(is, false, (x, y) -> x || y > 2); return mix(a, b, c ? 1 : 0); }

    // arrays
    @Check static long arrays() { int[][] a = new int[3][]; a[0] = new int[] {1, 2}; int[][][] b = new int[2][3][4]; b[1][2][3] = 5; int c[][] = {{1}, {2, 3}}, d[] = {7}; long[] e = {'a', 1, (byte) 2}; Object o = a; int[][] back = (int[][]) o; int[] cl = c[1].clone(); cl[0] = 9; return mix(a.length, a[0].length, a[1] == null ? 1 : 0, b[1][2].length, b[1][2][3], c[1][0], d[0], e[0], back[0][1], cl[0], new int[0].length); }
    @Check static long arrayStore() { Object[] a = new Integer[1]; int n = 0; try { a[0] = "s"; } catch (ArrayStoreException e) { n = 1; } a[0] = null; Number[] m = new Integer[2]; m[1] = 4; Comparable<?>[] q = new String[1]; q[0] = "x"; try { q[0] = 5; } catch (ArrayStoreException e) { n += 10; } Object[] aa = new int[2][2]; aa[0] = new int[5]; try { aa[1] = new long[1]; } catch (ArrayStoreException e) { n += 100; } return n; }
    @Check static long arrayBounds() { int[] a = new int[2]; int n = 0; try { a[2] = 1; } catch (ArrayIndexOutOfBoundsException e) { n += 1; } try { a[-1]++; } catch (IndexOutOfBoundsException e) { n += 10; } try { int[] b = new int[-3]; } catch (NegativeArraySizeException e) { n += 100; } try { int[][] b = new int[2][-1]; } catch (NegativeArraySizeException e) { n += 1000; } int[][] z = new int[0][5]; return n * 10 + z.length; }
    @Check static long negativeInner() { return new int[0][-1].length; }
    @Check static long arrayCasts() { Object o = new String[] {"a"}; int n = 0; if (o instanceof Object[]) n += 1; if (o instanceof String[] s && s.length == 1) n += 10; if (o instanceof Comparable[]) n += 100; Object p = new int[1]; if (p instanceof Object[]) n += 1000; try { Integer[] i = (Integer[]) o; } catch (ClassCastException e) { n += 10000; } return n; }
    @Check static long arrayCopy() { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 0, a, 1, 4); int[] b = new int[3]; System.arraycopy(a, 2, b, 0, 3); int n = 0; try { System.arraycopy(a, 3, b, 0, 3); } catch (IndexOutOfBoundsException e) { n = 1; } try { System.arraycopy(a, -1, b, 0, 1); } catch (IndexOutOfBoundsException e) { n += 2; } try { System.arraycopy(null, 0, b, 0, 0); } catch (NullPointerException e) { n += 4; } try { System.arraycopy(new long[1], 0, b, 0, 0); } catch (ArrayStoreException e) { n += 8; } return mix(a[1], a[4], b[0], b[2], n); }
    @Check static long arrayCopyPartial() { Object[] from = {1, "s", 2}; Integer[] to = new Integer[3]; try { System.arraycopy(from, 0, to, 0, 3); } catch (ArrayStoreException e) { return to[0] * 10 + (to[2] == null ? 1 : 0); } return 0; }
    @Check static long arrayIndexChar() { int[] a = new int[100]; a['a'] = 3; byte b = 97; short s = 97; Integer i = 97; return a[b] + a[s] + a[i] + a[(char) 97]; }
    @Check static long arrayFieldLength() { int[][] a = {{1, 2}, {}}; int n = a[0].length; a[0][a[0].length - 1] += a.length; return a[0][1] * 10 + n; }
    @Check static long arrayDefaults() { return mix(new int[1][0].length, new char[1][0] == null ? 1 : 0, (new boolean[2])[1] ? 1 : 0, (new char[1])[0], new String[1][0] == null ? 1 : 0, new long[1][0 + 0].length, new byte[3][3][2].length); }
    static int va(int k, String... s) { return s == null ? -1 : k * 10 + s.length; }
    @Check static long varargs() { return mix(va(1), va(2, "a"), va(3, "a", "b"), va(4, (String[]) null), va(5, (String) null), va(6, new String[3])); }

    // enums
    enum Op implements IntBinaryOperator { ADD("+") { public int applyAsInt(int a, int b) { return a + b; } }, SUB("-") { public int applyAsInt(int a, int b) { return a - b; } @Override boolean flip() { return true; } }; final String sym; static int uses; Op(String s) { sym = s; } boolean flip() { return false; } static Op of(String s) { for (Op o : values()) if (o.sym == s) return o; return null; } }
    enum Day { MON, TUE, SUN; Day next() { return values()[(ordinal() + 1) % values().length]; } boolean weekend() { return this == SUN; } static final Day FIRST = MON; static int[] table = new int[Day.values().length]; static { table[SUN.ordinal()] = 7; } }
    @Check static long enumOps() { Op o = Op.of("-"); Day[] ds = Day.values(); ds[0] = null; return mix(o.applyAsInt(5, 3), Op.ADD.applyAsInt(1, 2), o.flip() ? 1 : 0, Op.ADD.flip() ? 1 : 0, Day.MON.next().ordinal(), Day.SUN.next() == Day.FIRST ? 1 : 0, Day.values()[0] == Day.MON ? 1 : 0, Day.table[2], Day.TUE.compareTo(Day.SUN), Day.SUN.compareTo(Day.MON), Day.TUE.name() == "TUE" ? 1 : 0, Day.TUE.toString() == "TUE" ? 1 : 0, Op.of("?") == null ? 1 : 0, o instanceof IntBinaryOperator ? 1 : 0, Day.MON.equals(Day.MON) ? 1 : 0); }
    @Check static long enumNullCompare() { Day d = null; return Day.MON.compareTo(d); }
    enum Planet { A(1), B(2); private final int w; private Planet next; Planet(int w) { this.w = w; } static { A.next = B; B.next = A; } int sum() { return w + next.w * 10; } interface K {} enum Nest { N1, N2 } }
    @Check static long enumState() { return Planet.A.sum() * 100 + Planet.B.sum() + Planet.Nest.N2.ordinal() * 10000; }
    @Check static long enumGeneric() { return pick(Day.values(), 1).ordinal() + pick(Op.values(), 0).applyAsInt(2, 3) * 10; }
    static <E extends Enum<E>> E pick(E[] all, int i) { return all[i]; }

    // records
    record Pt(int x, int y) implements Comparable<Pt> { static int made; Pt { if (x > 100) x = 100; made++; } Pt(int v) { this(v, v); } int dist() { return Math.abs(x) + Math.abs(y()); } public int compareTo(Pt o) { return dist() - o.dist(); } static Pt zero() { return new Pt(0); } Pt withX(int x) { return new Pt(x, y); } }
    record Pr<A, B>(A a, B b) { public A a() { return a; } <C> Pr<C, B> with(C c) { return new Pr<>(c, b); } }
    record Arr(int[] xs, String... names) {}
    record Mixed(long l, char c, boolean z, byte b, Integer i) {}
    @Check static long records() { Pt p = new Pt(500, 2), q = new Pt(100, 2); Pr<String, Integer> r = new Pr<>("k", 4); int[] xs = {1}; return mix(p.x(), p.equals(q) ? 1 : 0, p.hashCode() == q.hashCode() ? 1 : 0, p == q ? 1 : 0, p.compareTo(Pt.zero()), p.withX(3).x, r.b(), r.with(9).a(), r.equals(new Pr<>("k", 4)) ? 1 : 0, new Arr(xs).equals(new Arr(xs)) ? 1 : 0, new Arr(xs, "a").names().length, new Mixed(1L << 40, 'c', true, (byte) -1, null).equals(new Mixed(1L << 40, 'c', true, (byte) -1, null)) ? 1 : 0, new Pr<>(1, 2).hashCode(), new Pr<>(null, null).hashCode(), new Pt(3, 4).hashCode()); }

    // nested, local, anonymous, lambda
    int count; class In { int k = count; class Deeper { int all() { return count * 100 + k * 10 + Types.this.count + In.this.k; } } void bump() { count++; Types.this.inst++; } }
    @Check static long nested() { Types t = new Types(); t.count = 3; In i = t.new In(); i.bump(); In.Deeper d = i.new Deeper(); Types u = new Types(); return mix(d.all(), t.inst, u.new In().k); }
    @Check static long localCaptures() { int a = 3; int[] cell = {0}; class L { int b; L(int b) { this.b = b; cell[0] += a; } int go() { class M { int r() { return a * 100 + b; } } return new M().r() + new L2().x(); } class L2 { int x() { return b * 1000; } } } L l = new L(4); new L(5); return mix(l.go(), cell[0]); }
    @Check static long anonymous() { int k = 2; Comparator<Integer> c = new Comparator<Integer>() { int calls; { calls = 10; } @Override public int compare(Integer a, Integer b) { calls++; return (b - a) * k + calls * 0; } }; Sh s = new Sq(k) { int extra = super.area(); @Override int area() { return super.area() + k + extra; } }; return mix(c.compare(1, 5), s.area(), s.twice(), c.reversed().compare(1, 5)); }
    interface Rec { int f(int n); } static Rec fact; Rec own = n -> n == 0 ? inst : this.own.f(n - 1) + 1;
    @Check static long lambdas() { fact = n -> n <= 1 ? 1 : n * fact.f(n - 1); IntPredicate even = x -> x % 2 == 0, both = even.and(x -> x > 2).or(x -> x == -1).negate(); Supplier<Runnable> sr = () -> () -> say(4); told(); sr.get().run(); BinaryOperator<Integer> add = Integer::sum; UnaryOperator<Integer> inc = x -> x + 1; Function<Integer, Integer> comp = inc.compose(x -> x * 10); return mix(fact.f(5), both.test(4) ? 1 : 0, both.test(3) ? 1 : 0, told(), add.apply(2, 3), comp.apply(3), new Types().own.f(3), Function.<Integer>identity().apply(6)); }
    int plus(int x) { return x + inst; } int plus2(Integer x, int y) { return x * y + inst; } static int neg(int x) { return -x; } Types() {} Types(int i) { inst = i; }
    static class SupT extends Types { int plus(int x) { return 1000; } IntUnaryOperator sup() { return super::plus; } IntUnaryOperator thi() { return this::plus; } }
    @Check static long methodRefs() { Types t = new Types(3); IntUnaryOperator a = t::plus; t.inst = 5; IntFunction<Types> mk = Types::new; BiFunction<Types, Integer, Integer> un = Types::plus; Function<int[], Integer> len = x -> x.length; Supplier<int[]> cl = new int[] {1, 2}::clone; Function<Integer, int[][]> mk2 = int[][]::new; IntBinaryOperator mx = Math::max; ToIntFunction<String> h = String::hashCode; return mix(a.applyAsInt(1), mk.apply(9).inst, un.apply(t, 2), len.apply(new int[4]), cl.get()[1], mk2.apply(3).length, mx.applyAsInt(4, 7), new SupT().sup().applyAsInt(1), new SupT().thi().applyAsInt(1)); }
    @Check static long methodRefNull() { Types t = null; try { IntUnaryOperator a = t::plus; return 1; } catch (NullPointerException e) { return 2; } }
    @Check static long methodRefOnce() { told(); IntUnaryOperator a = make()::plus; a.applyAsInt(1); a.applyAsInt(2); return told(); }
    static Types make() { say(3); return new Types(); }
    interface Tri<A, B, C, R> { R go(A a, B b, C c); default <V> Tri<A, B, C, V> then(Function<? super R, ? extends V> f) { return (a, b, c) -> f.apply(go(a, b, c)); } }
    @Check static long customFunctional() { Tri<Integer, Integer, Integer, Integer> t = (a, b, c) -> a * 100 + b * 10 + c; Tri<Types, Integer, Integer, Integer> u = Types::plus2; return t.then(x -> x + 1L).go(1, 2, 3) + u.go(new Types(1), 3, 4) * 10000; }
    @Check static long captureThis() { return new Types(4).cap(); }
    int cap() { int k = 2; Supplier<Supplier<Integer>> s = () -> { int j = k * 10; return () -> inst + k + j + count++; }; return s.get().get() + s.get().get() * 100 + count * 10000; }
    @Check static long loopCapture() { List1 l = null; for (int x : new int[] {1, 2, 3}) { List1 t = l; l = new List1() { int v() { return x; } List1 n() { return t; } }; } int n = 0; for (List1 i = l; i != null; i = i.n()) n = n * 10 + i.v(); return n; }
    static abstract class List1 { abstract int v(); abstract List1 n(); }
    static int sfield = 5; static class SN { static int sfield = 6; int sfield() { return sfield + Types.sfield * 10; } static class SNN { int get() { return sfield; } } }
    @Check static long nestedStatics() { return new SN().sfield() * 10 + new SN.SNN().get(); }
    @Check static long castTernary() { Object o = log > -999 ? (Object) 1 : "s"; Number n = (Number) o; Comparable<Integer> c = (Comparable<Integer> & java.io.Serializable) 5; return n.intValue() + c.compareTo(3); }
    @Check static long patternScope() { Object o = 5; int n = 0; if (!(o instanceof Integer i)) { return -1; } n += i; while (!(o instanceof String s)) { o = "x"; } n += s == "x" ? 10 : 0; boolean b = o instanceof String t && t != null ? t == "x" : false; for (Object p = 3; p instanceof Integer q && q > 0; p = q - 1) n += 100; return n + (b ? 1000 : 0); }
    @Check static long equalsSymmetry() { Object[] all = {1, 1L, 'a', "a", true, new Pt(1, 1), new Pt(1), Day.MON, null}; int n = 0; for (Object a : all) for (Object b : all) { n <<= 1; if (a != null && a.equals(b)) n ^= 0x5bd1e995; } return n; }
    @Check static long hashOfBoxes() { return mix(Integer.valueOf(-5).hashCode(), Long.valueOf(1L << 33 | 5).hashCode(), Character.valueOf('a').hashCode(), Boolean.TRUE.hashCode(), Boolean.valueOf(false).hashCode(), Byte.valueOf((byte) -1).hashCode(), Short.valueOf((short) 300).hashCode(), Objects.hash(1, 2, 3), Objects.hash(), Objects.hashCode(null)); }
    @Check static long classTests() { Object a = new Sq(1), b = new CSq(); return (a.getClass() == b.getClass() ? 1 : 0) + (a.getClass() != new Sq(2).getClass() ? 10 : 0) + (b instanceof Sq ? 100 : 0) + (b instanceof Comparable ? 1000 : 0); }
    @Check static long classLiterals() { Object[] all = {new Sq(1), new CSq(), "a", 1, new Object(), new Object[1], new String[1], new int[1], Day.MON, new Sq(2) {}}; int n = 0; for (Object a : all) { n = n * 3 + (a.getClass() == Sq.class ? 1 : 0) + (CSq.class != a.getClass() ? 1 : 0); n = n * 5 + (a.getClass() == String.class ? 1 : a.getClass() == Object.class ? 2 : 0) + (a.getClass() == Comparable.class ? 3 : 0); n = n * 3 + (a.getClass() == Object[].class ? 1 : 0) + (int[].class == a.getClass() ? 2 : 0); } return n + (Sq[].class == Sq[].class ? 1 : 0); }
    @Check static long classValues() { Object[] all = {new Sq(1), new CSq(), "a", 1, 1L, new Object(), new Object[1], new String[1], new int[1], Day.MON, new Sq(2) {}, new Sq(3) {}}; Class<?>[] some = new Class<?>[all.length]; for (int i = 0; i < all.length; i++) some[i] = all[i].getClass(); long n = 0; for (Class<?> a : some) for (Class<?> b : some) n = n * 3 % 1000003 + (a == b ? 1 : 0) + (a.equals(b) ? 1 : 0); Class<?>[] named = {Sq.class, CSq.class, String.class, Integer.class, int.class, long.class, void.class, Object.class, Object[].class, int[].class, Day.class, Comparable.class}; for (Class<?> a : some) for (Object b : named) n = n * 2 % 1000003 + (a == b ? 1 : 0); return n; }
    @Check static long classOfConstants() { Class<?> c = Day.class; int n = 0; for (Day d : Day.values()) n = n * 2 + (d.getClass() == c ? 1 : 0); return n; }
    @Check static long classIn() { Object o = Types.class; Class<?> c = (Class<?>) o; return (o instanceof Class ? 1 : 0) + (c == Types.class ? 10 : 0) + (o == Sq.class ? 100 : 0) + (pick(Sq.class) == Sq.class ? 1000 : 0); }
    static <T> Class<T> pick(Class<T> c) { return c; }
    @Check static long classOfNull() { Object a = null; int n = 1; if (a.getClass() == String.class) n++; return n; }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    @Check static long deepRecursion() { return deep(300); }
    static boolean ev(int n) { return n == 0 || od(n - 1); } static boolean od(int n) { return n != 0 && ev(n - 1); }
    @Check static long mutual() { return (ev(50) ? 1 : 0) + (od(51) ? 10 : 0); }
    int q = 7; Object held = "h"; Types other; IntUnaryOperator viaField; Integer shadow = 40;
    int orScope(Object o) { if (o instanceof Integer q || q == 7) return q; return -1; }
    int elseScope(Object o) { if (o instanceof Integer q) { return q; } else { return q + 100; } }
    int behindScope(Object o) { if (o instanceof Integer q && q > 5) { return 1; } return q; }
    int notScope(Object o) { if (!(o instanceof Integer q)) { return q * 2; } q++; return q; }
    int ternaryScope(Object o) { return o instanceof Integer q ? q : q; }
    int loopScope(Object o) { int n = 0; while (o instanceof Integer q && q > 0) { n += q; o = q - 1; } do { n += q; } while (!(o instanceof Integer q) && n < 0); return n; }
    int breakScope(Object o) { while (!(o instanceof String q)) { if (o == null) break; o = "s"; } return q; }
    int twice(Object o, Object p) { return ((o instanceof Integer q && q > 3) ^ (p instanceof Integer r && r > 4 && q == 7)) ? q : -q; }
    int lambdaScope(Object o) { IntSupplier s = () -> o instanceof Integer q ? q : q; if (o instanceof Integer q) return s.getAsInt() + q; IntSupplier t = () -> q; return t.getAsInt(); }
    @Check static long patternFields() { Types t = new Types(); return mix(t.orScope(1), t.orScope("x"), t.elseScope(3), t.elseScope("x"), t.behindScope(9), t.behindScope(2), t.notScope("x"), t.notScope(4), t.ternaryScope(2), t.ternaryScope("x"), t.loopScope(3), t.loopScope("x"), t.breakScope(null), t.breakScope(5), t.twice(4, 1), t.twice(1, 5), t.twice(1, 1), t.lambdaScope(3), t.lambdaScope("x")); }
    @Check static long methodRefField() { Types t = new Types(); t.other = new Types(30); return t.refs(); }
    int refs() { IntUnaryOperator a = other::plus, b = this.other::plus; other = new Types(90); Types loc = other; IntUnaryOperator c = loc::plus; other = null; int r = a.applyAsInt(1) + b.applyAsInt(2) * 100 + c.applyAsInt(3) * 10000; try { IntUnaryOperator d = other::plus; return -1; } catch (NullPointerException e) { return r; } }
    @Check static long anonymousInnerOrder() { told(); int[] a = {say(1)}; Sh s = new Sq(say(2)) { int z = say(3); { say(4); } int area() { return z; } }; return told() * 10 + s.area(); }
    static class Cell<T> { private T t; private static int made; Cell(T t) { this.t = t; made++; } <U extends T> void put(U u) { t = u; } static <V> Cell<V> of(V v) { return new Cell<>(v); } Cell<Cell<T>> wrap() { return of(this); } }
    @Check static long cells() { Cell<Cell<Integer>> c = Cell.of(5).wrap(); int v = c.t.t; c.t.put(8); c.t.t++; Cell<? extends Number> w = c.t; Number n = w.t; Cell<int[]> arr = Cell.of(new int[] {3}); arr.t[0] += 4; return mix(v, c.t.t, n.intValue(), arr.t[0], Cell.of('c').t + 1, Cell.of(1L).t << 3); }
    @SafeVarargs static <T> T first(T... ts) { return ts[0]; }
    @Check static long genericVarargs() { String s = first("a", "b"); int n = first(4, 5); Object o = first(1, "x"); Integer[] is = {9}; int m = first(is); return mix(s == "a" ? 1 : 0, n, (Integer) o, m); }
    interface Stack2<E> { void push(E e); E pop(); boolean isEmpty(); static <E> Stack2<E> make() { return new Stack2<E>() { private Object[] es = new Object[1]; private int n; public void push(E e) { if (n == es.length) { Object[] big = new Object[2 * n]; System.arraycopy(es, 0, big, 0, n); es = big; } es[n++] = e; } @SuppressWarnings("unchecked") public E pop() { return (E) es[--n]; } public boolean isEmpty() { return n == 0; } }; } }
    @Check static long anonymousGeneric() { Stack2<Integer> s = Stack2.make(); for (int i = 0; i < 5; i++) s.push(i * i); int h = 0; while (!s.isEmpty()) h = h * 7 + s.pop(); return h; }
    static class Par { int v() { return 1; } int call() { return v(); } static int sv() { return 10; } } static class Mid extends Par { } static class Low extends Mid { int v() { return super.v() + 2; } int viaLambda() { IntSupplier s = () -> super.v() + this.v(); return s.getAsInt(); } class Inn { int up() { return Low.super.v() * 100 + Low.this.v(); } } }
    @Check static long superCalls() { Low l = new Low(); return mix(l.call(), l.viaLambda(), l.new Inn().up(), ((Par) l).v(), Low.sv()); }
    static int[] counter = {0}; static int[] cnt() { counter[0]++; return counter; }
    @Check static long updateOnce() { counter[0] = 0; int[] a = {5, 6}; int r = a[cnt()[0]]++ + --a[0]; cnt()[0] += cnt()[0]; Integer[] b = {1}; b[0]++; ++b[0]; int s = b[0]-- - b[0]; Types t = new Types(); t.shadow += 2; t.shadow++; return mix(r, a[0], a[1], counter[0], b[0], s, t.shadow); }
    enum Tok { PLUS('+', 1), STAR('*', 2) { @Override int bind(Tok o) { return this == o ? 9 : super.bind(o); } }; final char c; private final int p; private static final Tok[] ALL = values(); Tok(char c, int p) { this.c = c; this.p = p; } int bind(Tok o) { return p - o.p; } static Tok find(char c) { for (Tok t : ALL) if (t.c == c) return t; throw new IllegalArgumentException("no " + c); } }
    @Check static long tokens() { int n = Tok.find('*').bind(Tok.STAR) * 10 + Tok.find('+').bind(Tok.STAR); try { Tok.find('-'); } catch (IllegalArgumentException e) { n += 1000; } return n + switch (Tok.find('+')) { case PLUS -> 5000; case STAR -> 0; }; }
    @Check static long nestedTernaryBox() { Integer a = null; boolean t = log < 0; Integer b = t ? 1 : t ? 2 : a == null ? null : 3; Long c = t ? 1L : null; long d = t ? 1 : 2L; char e = t ? 'a' : 98; return mix(b == null ? 1 : 0, c == null ? 1 : 0, d, e); }
}
