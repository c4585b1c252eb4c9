import glassbox.*;
import java.util.Iterator;

/** Control flow: loops, labels, switch, exceptions. */
class Control {
    enum Colour { RED, GREEN { int weight() { return 20; } }, BLUE(3); final int n; Colour() { this(1); } Colour(int n) { this.n = n; } int weight() { return n; } static Colour valueOfN(int n) { for (Colour c : values()) if (c.n == n) return c; return null; } }

    static class Range implements Iterable<Integer> {
        final int lo, hi;
        Range(int lo, int hi) { this.lo = lo; this.hi = hi; }
        public Iterator<Integer> iterator() {
            return new Iterator<Integer>() {
                int at = lo;
                public boolean hasNext() { return at < hi; }
                public Integer next() { return at++; }
            };
        }
    }

    static class Boom extends Exception { final int code; Boom(int code) { super("boom " + code); this.code = code; } }

    @Declarative
    boolean repOk() { return true; }

    @Check static long labels() {
        int sum = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; ; j++) {
                if (j == 3) continue outer;
                if (i == 5) break outer;
                if (j == i) continue;
                sum += 10 * i + j;
            }
        }
        block: { if (sum > 0) break block; sum = -1; }
        return sum;
    }
    @Check static long doWhile() { int i = 0, n = 0; do { i++; if (i % 2 == 0) continue; n += i; } while (i < 9); return n; }
    @Check static long manyUpdates() { int n = 0; for (int i = 0, j = 10; i < j; i++, j -= 2) { n += i * j; } return n; }
    @Check static long forEach() { long n = 0; for (int x : new Range(2, 6)) { if (x == 4) continue; n = n * 10 + x; } return n; }
    @Check static long forEachCopies() { int[] a = {1, 2, 3}; int n = 0; for (int x : a) { a = new int[0]; n += x; } return n; }
    @Check static long fallThrough() {
        int n = 0;
        for (int i = 0; i < 6; i++) {
            switch (i) { case 0: n += 1; case 1: n += 10; break; default: n += 100; case 3: case 4: n += 1000; }
        }
        return n;
    }
    @Check static long switchMiddleDefault() { int n = 0; for (int i = 0; i < 4; i++) switch (i) { default: n += 1; break; case 2: n += 100; } return n; }
    @Check static long switchEnum() {
        int n = 0;
        for (Colour c : Colour.values()) switch (c) { case RED: n += 1; break; case BLUE: n += 10; default: n += 100; }
        return n;
    }
    @Check static long switchExpression() {
        int n = 0;
        for (Colour c : Colour.values()) {
            n = n * 100 + switch (c) { case RED -> 1; case GREEN -> { int t = 5; yield t * 2; } case BLUE -> c.weight(); };
        }
        String s = "two";
        n = n * 10 + switch (s) { case "one": yield 1; case "two": default: yield 2; };
        return n;
    }
    @Check static long switchString() { String s = "b"; switch (s) { case "a": return 1; case "b": return 2; default: return 3; } }
    @Check static long switchChar() { char c = 'z'; final char z = 'z'; switch (c) { case 'a' -> { return 1; } case z -> { return 26; } default -> { return 0; } } }
    @Check static long switchNull() { Colour c = null; switch (c) { case RED: return 1; default: return 2; } }
    @Check static long switchNullString() { String c = null; switch (c) { case "a": return 1; default: return 2; } }
    @Check static long enums() { Colour c = Colour.GREEN; return c.ordinal() + c.weight() * 10 + c.n * 1000 + Colour.RED.compareTo(Colour.BLUE) + (Colour.valueOfN(3) == Colour.BLUE ? 5 : 0); }

    static int log;
    static int finallyOrder(int how) {
        try {
            log = log * 10 + 1;
            if (how == 1) throw new IllegalStateException();
            if (how == 2) return 5;
            if (how == 3) { Object o = null; o.hashCode(); }
        } catch (IllegalStateException | UnsupportedOperationException e) {
            log = log * 10 + 2;
            return 7;
        } finally {
            log = log * 10 + 3;
            if (how == 4) return 9;
        }
        log = log * 10 + 4;
        return 1;
    }
    @Check static long finallyRuns() { log = 0; int a = finallyOrder(0), b = finallyOrder(1), c = finallyOrder(2), d = finallyOrder(4); return log * 10000L + a * 1000 + b * 100 + c * 10 + d; }
    @Check static long finallyThrows() { log = 0; try { finallyOrder(3); } catch (NullPointerException e) { return log; } return -1; }
    @Check static long finallyKeepsValue() { int x = 1; try { return valueThenFinally(); } finally { x = 2; } }
    static int valueThenFinally() { int x = 1; try { return x; } finally { x = 5; } }
    @Check static long finallyBreaks() { int n = 0; for (int i = 0; i < 5; i++) { try { if (i == 1) continue; if (i == 3) break; n += 1; } finally { n += 10; } } return n; }
    @Check static long finallySwallows() { while (true) { try { throw new RuntimeException(); } finally { break; } } return 3; }
    @Check static long nestedTry() throws Boom {
        int n = 0;
        try { try { throw new Boom(4); } catch (RuntimeException e) { n = 1; } finally { n += 10; } } catch (Boom b) { n += b.code * 100; }
        try { throw new Boom(2); } catch (Exception e) { n += ((Boom) e).code * 1000; }
        return n;
    }
    @Check static long escapes() throws Boom { throw new Boom(1); }
    @Check static long badCast() { Object o = "s"; return (Integer) o; }
    @Check static long castNull() { Object o = null; String s = (String) o; return s == null ? 1 : 0; }
    @Check static long throwNull() { RuntimeException e = null; throw e; }
    @Check static long asserts() { assert log < -1 : "no"; return 0; }
    @Check static long synced() { Object o = new Object(); int n; synchronized (o) { n = 4; } return n; }
    @Check static long patterns() {
        Object[] all = {1, "s", 'c', 5L, null};
        int n = 0;
        for (Object o : all) {
            if (o instanceof Integer i && i > 0) n += i;
            else if (!(o instanceof String s)) n += 10;
            else n += 100 + (s == "s" ? 1000 : 0);
        }
        Object o = 7;
        if (!(o instanceof Integer k)) return -1;
        return n + k * 10000;
    }
    static int depth(int n) { return depth(n + 1) + 1; }
    @Check static long overflows() { return depth(0); }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    @Check static long recursion() { return fib(12); }
}
