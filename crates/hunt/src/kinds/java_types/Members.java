    @Declarative boolean repOk() { return true; }
    static byte b = 1, b2 = 2; static short s = 2; static char c = 'c'; static int i = 3, j = 0; static long l = 4L;
    static float fl = 1.5f; static double d = 2.5; static boolean t = true, u = false;
    static Byte B = 5; static Short S = 6; static Character C = 'd'; static Integer I = 7, J = 300, N = null;
    static Long L = 8L; static Boolean Z = true, ZN = null; static Character CN = null;
    static Object o = "s", on = null, oi = 11; static String str = "s", strn = null; static Number num = 9;
    static Comparable<Integer> cmp = 3; static E e = E.Q; static int[] ia = {1, 2, 3}; static Integer[] na = {4, null, 6};
    static final byte KB = 1; static final short KS = 2; static final char KC = 'k'; static final int KI = 10, KM = 1000;
    static final long KL = 12L; static final boolean KT = true; static final String KSTR = "k"; static final Integer KBOX = 13;
    enum E { P, Q, R }
    static class Box<V> { V v; Box(V v) { this.v = v; } V get() { return v; } <W> W as(W w) { return w; } static <X> Box<X> of(X x) { return new Box<>(x); } }
    static class Sub extends Box<Integer> { Sub(Integer v) { super(v); } Integer get() { return v; } }
    static class Pair<X, Y> { X x; Y y; Pair(X x, Y y) { this.x = x; this.y = y; } <Z> Pair<Z, Y> with(Z z) { return new Pair<>(z, y); } Y snd() { return y; } }
    static class Num<V extends Number> { V v; Num(V v) { this.v = v; } int n() { return v.intValue(); } }
    static class Con { int k; Con(int x) { k = 1; } Con(long x) { k = 2; } Con(Object x) { k = 3; } Con(Integer x) { k = 4; } Con(char x) { k = 5; } <A> Con(Box<A> x) { k = 6; } }
    static Box<Integer> bi = new Box<>(21), bn = new Box<>(null); static Box<Box<Integer>> bb = new Box<>(new Box<>(22));
    static Box<? extends Number> bw = new Box<>(23L); static Box<? super Integer> bs = new Box<Object>(24); static Box<?> bq = new Box<>('q');
    static Box raw = new Box(25); static Box<Character> bc = new Box<>('b'); static Sub sub = new Sub(26); static Num<Long> nl = new Num<>(27L);
    static Pair<Integer, Character> pr = new Pair<>(28, 'p'); @SuppressWarnings("unchecked") static Box<Integer>[] ba = new Box[] {new Box<>(29), new Box<>(null)};
    interface IntSup { int get(); } interface LongSup { long get(); } interface Sup<R> { R get(); } interface Run { void run(); }
    interface Fn<A, R> { R ap(A a); } interface ToInt<A> { int ap(A a); } interface IntFn<R> { R ap(int a); } interface Op<A> { A ap(A a, A b); }
    static <A> A id(A v) { return v; }
    static <A> A pick(A v, A w) { return v; }
    static <A> A make() { return null; }
    static <A extends Comparable<A>> A max(A v, A w) { return v.compareTo(w) >= 0 ? v : w; }
    static <A extends Number> A nu(A v) { return v; }
    static <A extends Number & Comparable<A>> A both(A v, A w) { return v.compareTo(w) > 0 ? v : w; }
    static <A> A first(A... v) { return v[0]; }
    static <A> Box<A> wrap(A v) { return new Box<>(v); }
    static <A> A unwrap(Box<A> v) { return v.v; }
    static <A> A elem(A[] v, int i) { return v[i]; }
    static <A> A sup(Sup<A> f) { return f.get(); }
    static <A, R> R ap(Fn<A, R> f, A a) { return f.ap(a); }
    static <A> int toInt(ToInt<A> f, A a) { return f.ap(a); }
    static <R> R intFn(IntFn<R> f, int a) { return f.ap(a); }
    static <A> A op(Op<A> f, A a, A b) { return f.ap(a, b); }
    static int run(Run r) { r.run(); return 1; } static int ints(IntSup f) { return f.get(); }
    static int inc(int x) { return x + 1; } static Integer boxed(int x) { return x; } static Integer none(Object x) { return null; }
    static int f(byte x) { return 1; } static int f(short x) { return 2; } static int f(char x) { return 3; } static int f(int x) { return 4; }
    static int f(long x) { return 5; } static int f(float x) { return 6; } static int f(double x) { return 7; } static int f(boolean x) { return 8; }
    static int f(Byte x) { return 11; } static int f(Short x) { return 12; } static int f(Character x) { return 13; } static int f(Integer x) { return 14; }
    static int f(Long x) { return 15; } static int f(Boolean x) { return 18; } static int f(String x) { return 19; } static int f(Object x) { return 20; }
    static int g(int x) { return 1; } static int g(long x) { return 2; } static int g(Object x) { return 3; }
    static int h(short x) { return 1; } static int h(int x) { return 2; } static int h(float x) { return 3; }
    static int k(char x) { return 1; } static int k(Integer x) { return 2; } static int k(Object x) { return 3; }
    static int m(long x) { return 1; } static int m(Integer x) { return 2; } static int m(Number x) { return 3; } static int m(double x) { return 4; }
    static int n(Object x) { return 1; } static int n(int... x) { return 2; } static int n(Integer x, Object... y) { return 3; } static int n(long x, long... y) { return 4; }
    static int p(int x, long y) { return 1; } static int p(long x, int y) { return 2; } static int p(Object x, Object y) { return 3; } static int p(long x, long y) { return 4; }
    static int q(Number x) { return 1; } static int q(Comparable<?> x) { return 2; } static int q(String x) { return 3; } static int q(boolean x) { return 4; }
    static <A> int r(A x) { return 1; } static int r(int x) { return 2; } static <A extends Number> int r(A x, A y) { return 3; } static int r(Object x, Object y) { return 4; }
    static int sf(IntSup x) { return 1; } static int sf(Run x) { return 2; }
    static int sg(Sup<Object> x) { return 1; } static int sg(Fn<Integer, Object> x) { return 2; }
    static int x(Box<Integer> x) { return 1; } static int x(Object x) { return 2; }
    static int y(byte x) { return 1; } static int y(Object... x) { return 2; } static int y(Character x) { return 3; }
    static int z(Character x) { return 1; } static int z(Integer x) { return 2; }
    static void reset() {
        b = 1; b2 = 2; s = 2; c = 'c'; i = 3; j = 0; l = 4L; t = true; u = false; B = 5; S = 6; C = 'd'; I = 7; J = 300; L = 8L; Z = true;
        N = null; CN = null; ZN = null; str = "s"; o = "s"; bi.v = 21; ia[0] = 1; na[0] = 4; num = 9;
        pr.y = 'p'; bb.v.v = 22; sub.v = 26; strn = null; oi = 11;
    }
    static long w(Object x) {
        if (x == null) return 0;
        if (x instanceof Integer) return 1_000_000L + (Integer) x;
        if (x instanceof Long) return 200_000_000_000L + (Long) x;
        if (x instanceof Short) return 3_000_000L + (Short) x;
        if (x instanceof Byte) return 4_000_000L + (Byte) x;
        if (x instanceof Character) return 5_000_000L + (Character) x;
        if (x instanceof Boolean) return 6_000_000L + ((Boolean) x ? 1 : 0);
        if (x == "s") return 7_000_001L;
        if (x instanceof String) return 7_000_000L;
        if (x instanceof Box) return 8_000_000L + 1000 * w(((Box<?>) x).v);
        if (x instanceof Pair) return 9_000_000L;
        if (x instanceof E) return 10_000_000L + ((E) x).ordinal();
        return -1;
    }
