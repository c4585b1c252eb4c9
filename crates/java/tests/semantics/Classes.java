import glassbox.*;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.*;

/** Classes: inheritance, inner classes, captured variables, generics, initialisation order. */
class Classes {
    static int log;
    static void say(int n) { log = log * 10 + n; }
    static int told() { int n = log; log = 0; return n; }

    int base = 3;
    { say(1); }
    Classes() { say(2); }
    Classes(int base) { this(); this.base = base; say(3); }

    @Declarative
    boolean repOk() { return true; }

    static class Parent {
        int x = init();
        static int made;
        Parent() { made++; say(x); hook(); }
        int init() { return 4; }
        void hook() { say(5); }
        int over(Object o) { return 1; }
        int over(int i) { return 2; }
        int over(long l) { return 3; }
        int over(Integer i) { return 4; }
        int over(int... is) { return 5 + is.length; }
        static int st() { return 1; }
        int hidden = 10;
        int getHidden() { return hidden; }
    }
    static class Child extends Parent {
        int y = 7;
        int hidden = 20;
        Child() { super(); say(y); }
        @Override int init() { return y + 1; }
        @Override void hook() { say(y); super.hook(); }
        static int st() { return 2; }
        int sum() { return hidden * 100 + super.hidden + ((Parent) this).hidden; }
    }
    interface Shape { int area(); default int twice() { return 2 * area(); } static Shape unit() { return () -> 1; } }
    interface Named { default int twice() { return -1; } }
    static class Square implements Shape, Named {
        int side = 3;
        public int area() { return side * side; }
        public int twice() { return Shape.super.twice() + Named.super.twice(); }
    }
    static abstract class Animal<T extends Comparable<T>> implements Comparable<Animal<T>> {
        T tag;
        Animal(T tag) { this.tag = tag; }
        public int compareTo(Animal<T> other) { return tag.compareTo(other.tag); }
        abstract T make();
    }
    static class Dog extends Animal<Integer> { Dog(int n) { super(n); } Integer make() { return tag + 1; } }
    static class Pair<A, B> {
        A a; B b;
        Pair(A a, B b) { this.a = a; this.b = b; }
        static <X, Y> Pair<X, Y> of(X x, Y y) { return new Pair<>(x, y); }
        <C> Pair<C, B> with(C c) { return new Pair<>(c, b); }
        Pair<B, A> swap() { return new Pair<B, A>(b, a); }
        @Override public boolean equals(Object o) { return o instanceof Pair<?, ?> p && Objects.equals(a, p.a) && Objects.equals(b, p.b); }
        @Override public int hashCode() { return Objects.hash(a, b); }
    }
    static class Stack<E> implements Iterable<E> {
        class Node { E value; Node next; Node(E value, Node next) { this.value = value; this.next = next; size++; } E get() { return value; } }
        Node top; int size;
        void push(E e) { top = new Node(e, top); }
        E pop() { Node n = top; top = n.next; size--; return n.get(); }
        public Iterator<E> iterator() { return new Iter(); }
        class Iter implements Iterator<E> {
            Node at = top;
            public boolean hasNext() { return at != null; }
            public E next() { E e = at.value; at = at.next; return e; }
        }
    }
    class Inner {
        int base = 100;
        class Deep { int sum() { return base + Inner.this.base * 10 + Classes.this.base; } }
        Deep deep() { return new Deep(); }
    }

    @Check static long initOrder() { told(); new Classes(9); return told(); }
    @Check static long hooks() { told(); new Child(); return told(); }
    @Check static long overloads() {
        Parent p = new Child();
        byte b = 1; char c = 'c'; Integer i = 3; Object o = i; Long l = 5L;
        return p.over(b) * 1 + p.over(c) * 10 + p.over(i) * 100 + p.over(o) * 1000 + p.over(5L) * 10000L + p.over(l) * 100000L + p.over() * 1000000L + p.over(1, 2) * 10000000L + p.over("s") * 100000000L;
    }
    @Check static long hiding() { Child c = new Child(); Parent p = c; return c.sum() + p.hidden * 10000L + p.getHidden() * 1000000L + Parent.st() + c.st(); }
    @Check static long defaults() { return new Square().twice() * 10 + Shape.unit().twice() + new Shape() { public int area() { return 50; } }.twice(); }
    @Check static long bridges() {
        Comparable raw = new Dog(3);
        Animal<Integer> a = new Dog(5);
        return raw.compareTo(new Dog(2)) * 100 + a.make() * 10 + new Dog(1).compareTo(a);
    }
    @SuppressWarnings("unchecked")
    @Check static long bridgeCasts() { Comparable raw = new Dog(3); return raw.compareTo("s"); }
    @Check static long pairs() {
        Pair<Integer, String> p = Pair.of(4, "x");
        Pair<String, Integer> q = p.swap();
        int n = q.b + p.a;
        var r = p.with('c');
        char c = r.a;
        return n + c + (p.equals(Pair.of(4, "x")) ? 1000 : 0) + (p.equals(q) ? 5000 : 0) + q.a.hashCode() * 0 + Pair.of(1, 2).hashCode() * 10000L;
    }
    @SuppressWarnings("unchecked")
    @Check static long heapPollution() { Pair p = new Pair("s", 1); Pair<Integer, Integer> q = p; Object o = q.a; int n = q.b; return n + (o == "s" ? 10 : 0) + q.a; }
    @Check static long stacks() {
        Stack<Integer> s = new Stack<>();
        for (int i = 0; i < 5; i++) s.push(i * i);
        int sum = s.pop() + s.pop();
        for (int v : s) sum = sum * 10 + v;
        return sum * 10 + s.size;
    }
    @Check static long inner() { Classes o = new Classes(7); Inner i = o.new Inner(); i.base = 8; return i.deep().sum() + o.new Inner().new Deep().sum(); }
    @Check static long lambdas() {
        int k = 5;
        IntUnaryOperator add = x -> x + k;
        Function<Integer, Integer> twice = x -> { int t = x * 2; return t; };
        BiFunction<Integer, Integer, Long> mul = (a, b) -> (long) a * b;
        Supplier<IntSupplier> nested = () -> () -> k + add.applyAsInt(1);
        Function<Integer, Integer> both = twice.andThen(x -> x + 1);
        Runnable r = () -> say(k);
        told(); r.run(); r.run();
        return add.applyAsInt(2) + twice.apply(4) * 10 + mul.apply(3, 4) * 1000 + nested.get().getAsInt() * 100000 + both.apply(10) * 10000000L + told() * 1000000000L;
    }
    int inc(int x) { return x + base; }
    static int triple(int x) { return 3 * x; }
    IntSupplier own() { return () -> this.base + base + inc(1); }
    @Check static long methodRefs() {
        Classes o = new Classes(6);
        IntUnaryOperator a = o::inc, b = Classes::triple;
        BiFunction<Classes, Integer, Integer> c = Classes::inc;
        Function<Integer, Classes> make = Classes::new;
        Supplier<Classes> plain = Classes::new;
        IntFunction<int[]> array = int[]::new;
        IntUnaryOperator d = new Classes(1)::inc;
        return a.applyAsInt(1) + b.applyAsInt(2) * 10 + c.apply(o, 3) * 100 + make.apply(4).base * 1000 + plain.get().base * 10000 + array.apply(3).length * 100000 + o.own().getAsInt() * 1000000L + d.applyAsInt(1) * 100000000L;
    }
    @Check static long comparators() {
        Comparator<Integer> c = Comparator.naturalOrder();
        Comparator<Pair<Integer, Integer>> byA = Comparator.comparing(p -> p.a);
        return c.compare(1, 2) + c.reversed().compare(1, 2) * 10 + byA.compare(Pair.of(3, 1), Pair.of(2, 2)) * 100 + byA.thenComparing((p, q) -> p.b - q.b).compare(Pair.of(1, 9), Pair.of(1, 2)) * 1000;
    }
    @Check static long localClasses() {
        int k = 3;
        class Counter {
            int n = k;
            Counter bump() { n += k; return this; }
            Counter fresh() { return new Counter(); }
        }
        IntSupplier s = () -> new Counter().bump().n;
        Object o = new Object() { @Override public int hashCode() { return k * 7 + new Counter().bump().bump().n; } };
        return new Counter().bump().fresh().n + s.getAsInt() * 10 + o.hashCode() * 1000;
    }
    @Check static long anonymousWithArguments() {
        int extra = 40;
        Dog d = new Dog(2) { @Override Integer make() { return super.make() + extra; } };
        return d.make();
    }
    static int varargs(Object... os) { return os == null ? -1 : os.length; }
    @Check static long variableArity() { return varargs() + varargs(1) * 10 + varargs(1, "2", null) * 100 + varargs((Object) null) * 1000 + varargs(new Object[] {1, 2}) * 10000; }
    static class Lazy { static int value = Early.value + 1; }
    static class Early { static int value = 41; static final int[] TABLE = new int[3]; static { TABLE[1] = value; value++; } }
    @Check static long statics() { return Lazy.value + Early.TABLE[1] * 100 + Early.value * 10000; }
    @Check static long equalsDispatch() { Object a = new Pair<>(1, 2), b = new Pair<>(1, 2); return (a.equals(b) ? 1 : 0) + (a == b ? 10 : 0) + (a.getClass() == b.getClass() ? 100 : 0) + (a.getClass() != new Object().getClass() ? 1000 : 0); }
    @Check static long nullReceiver() { Parent p = null; return p.init(); }
    @Check static long nullReceiverOrder() { told(); Parent p = null; try { p.over(mark()); } catch (NullPointerException e) { return told(); } return -1; }
    static int mark() { say(8); return 1; }
    record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException(); } int sum() { return x + y(); } static Point origin() { return new Point(0, 0); } }
    @Check static long records() { Point p = new Point(3, 4); return p.sum() + p.x() * 10 + (p.equals(new Point(3, 4)) ? 100 : 0) + (p.equals(Point.origin()) ? 1000 : 0); }
    @Check static long recordThrows() { return new Point(-1, 0).x(); }
    @Check static long quantifiers() {
        int[] a = {2, 4, 6};
        boolean all = GlassBox.forall(0, a.length, i -> a[i] % 2 == 0), some = GlassBox.exists(0, a.length, i -> a[i] == 5);
        return (all ? 1 : 0) + (some ? 10 : 0) + (GlassBox.implies(some, () -> a[9] == 0) ? 100 : 0) + (GlassBox.implies(all, some) ? 1000 : 0);
    }
    static <T extends Comparable<T>> T largest(T[] all) { T best = all[0]; for (T t : all) if (t.compareTo(best) > 0) best = t; return best; }
    @Check static long boundedGenerics() { Integer[] a = {3, 9, 2}; int m = largest(a); return m; }
}
