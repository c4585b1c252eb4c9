import glassbox.*;
import java.util.Iterator;

/** Jumps: finally, try-with-resources, switch old and new, labels, for-each. */
class Jumps {
    @Declarative boolean repOk() { return true; }
    static long log;
    static int say(int n) { log = log * 10 + n; return n; }
    private static long told() { long n = log; log = 0; return n; }
    enum C { X, Y { int v() { return 20; } }, Z(7); int n = 1; C() {} C(int n) { this.n += n; } int v() { return n; } }

    static class Res implements AutoCloseable { final int id; final boolean bad; Res(int id, boolean bad) { this.id = id; this.bad = bad; say(id); } public void close() { say(id + 5); if (bad) throw new IllegalStateException(); } }
    static int resources(boolean badBody, boolean badClose) {
        try (Res a = new Res(1, badClose); Res b = new Res(2, false); Res c = null) { say(3); if (badBody) throw new IllegalArgumentException(); return 4; } catch (IllegalArgumentException e) { say(4); return 5; } catch (IllegalStateException e) { say(5); return 6; } finally { say(9); }
    }
    @Check static long resourcesClose() { told(); long r = resources(false, false); return told() * 10 + r; }
    @Check static long resourcesThrow() { told(); long r = resources(true, false); return told() * 10 + r; }
    @Check static long resourcesBadClose() { told(); long r = resources(false, true); return told() * 10 + r; }
    @Check static long resourcesBoth() { told(); long r = resources(true, true); return told() * 10 + r; }
    @Check static long resourceVariable() { told(); Res r = new Res(1, false); try (r) { say(2); } return told(); }
    @Check static long resourceLoop() { told(); for (int i = 1; i < 4; i++) try (Res r = new Res(i, false)) { if (i == 2) continue; if (i == 3) break; say(0); } return told(); }

    static int f1() { int x = 1; try { x = 2; return x; } finally { x = 3; } }
    static int f2() { try { return say(1); } finally { say(2); } }
    @SuppressWarnings("finally") static int f3() { for (;;) try { return 1; } finally { break; } return 2; }
    @SuppressWarnings("finally") static int f4() { int n = 0; while (n < 3) { try { n++; continue; } finally { if (n == 2) return n * 10; } } return n; }
    static int f5() { try { try { throw new RuntimeException(); } finally { say(1); } } catch (RuntimeException e) { say(2); } finally { say(3); } return say(4); }
    @SuppressWarnings("finally") static int f6() { try { throw new Error(); } catch (Error e) { return 1; } finally { return 2; } }
    static int f7() { int[] a = {1}; try { return a[0]++ + a[5]; } catch (ArrayIndexOutOfBoundsException e) { return a[0] * 10; } finally { a[0] = 99; } }
    static int f8() { outer: try { try { break outer; } finally { say(5); } } finally { say(6); } return 8; }
    @Check static long finals() { told(); long r = f1() + f2() * 10 + f3() * 100 + f4() * 1000 + f5() * 100000L + f6() * 1000000L + f7() * 10000000L + f8() * 1000000000L; return r * 31 + told(); }
    @Check static long finallyBreak() { int n = 0; a: for (int i = 0; i < 3; i++) { for (int j = 0; ; j++) { try { if (j == 2) continue a; if (i == 2) break a; n += 1; } finally { n += 10; } } } return n; }
    @Check static long finallyThrowReplaces() { try { try { throw new IllegalStateException(); } finally { Object o = null; o.hashCode(); } } catch (NullPointerException e) { return 1; } catch (IllegalStateException e) { return 2; } }
    @Check static long catchThrowsFinally() { told(); try { try { throw new IllegalStateException(); } catch (IllegalStateException e) { say(1); throw new ArithmeticException(); } finally { say(2); } } catch (RuntimeException e) { say(e instanceof ArithmeticException ? 3 : 4); } return told(); }
    @Check static long multiCatch() { int n = 0; for (int i = 0; i < 4; i++) try { switch (i) { case 0: throw new IllegalStateException(); case 1: throw new ArithmeticException(); case 2: Object o = "s"; Integer x = (Integer) o; break; default: int[] a = new int[-1]; } } catch (IllegalStateException | ArithmeticException e) { n += 1; } catch (ClassCastException e) { n += 10; } catch (RuntimeException e) { n += e instanceof NegativeArraySizeException ? 100 : 1000; } return n; }

    static int old(int x) { int n = 0; switch (x) { case 1: n += 1; case 2: { n += 10; break; } default: n += 100; case 5: case 6: n += 1000; break; case 7: int y = 3; n += y; } return n; }
    @Check static long oldSwitch() { long h = 0; for (int i = 0; i < 9; i++) h = h * 7 + old(i); return h; }
    @Check static long sharedScope() { int r = 0; for (int i = 0; i < 3; i++) switch (i) { case 0: int y; y = 5; r += y; break; case 1: y = 7; r += y * 10; break; default: y = 1; r += y * 1000; } return r; }
    static int arrow(String s) { return switch (s) { case "a", "b" -> 1; case "c" -> { int k = 0; for (int i = 0; i < 3; i++) { if (i == 1) continue; k += i; } yield k; } case "boom" -> throw new IllegalStateException(); default -> { try { yield 7; } finally { say(3); } } }; }
    @Check static long arrows() { told(); long r = arrow("a") + arrow("b") * 10 + arrow("c") * 100 + arrow("zz") * 1000; try { arrow("boom"); } catch (IllegalStateException e) { r += 10000; } return r * 10 + told(); }
    @Check static long arrowStatement() { int n = 0; for (C c : C.values()) switch (c) { case X -> n += 1; case Y -> { if (n > 0) break; n += 10; } case Z -> n += c.v() * 100; } return n; }
    @Check static long arrowContinue() { int n = 0; for (int i = 0; i < 5; i++) { switch (i) { case 1 -> { continue; } case 3 -> { break; } default -> n += i; } n += 100; } return n; }
    @Check static long yieldOld() { int n = 0; for (int i = 0; i < 4; i++) n = n * 10 + switch (i) { case 0: yield 3; case 1: n++; case 2: yield n; default: { if (n > 5) yield 8; yield 9; } }; return n; }
    @Check static long nestedSwitchExpr() { int x = 2, y = 3; int r = switch (x) { case 1 -> 0; case 2 -> switch (y) { case 3 -> { int q = switch (x + y) { case 5 -> 50; default -> 60; }; yield q + 1; } default -> 2; }; default -> 3; }; return r; }
    @Check static long switchExprTypes() { int i = 2; long l = switch (i) { case 1 -> 1; case 2 -> 'c'; default -> 5L; }; Object o = switch (i) { case 1 -> 1; case 2 -> 'c'; default -> 5L; }; var v = switch (i) { case 1 -> 1; default -> (byte) 2; }; int w = (switch (i) { case 2 -> 'a'; default -> (short) 1; }) + 1; return l + (o instanceof Character ? 1000 : 0) + v * 10000 + w * 100000; }
    @Check static long switchAsArgument() { C c = C.Z; return Math.max(switch (c) { case X -> 1; case Y -> 2; case Z -> c.v() + 3; }, 5) + (switch (c) { case Z -> true; default -> false; } ? 100 : 0); }
    @Check static long switchEvalOrder() { told(); int[] a = {1, 2, 3}; int i = 0; a[i++] += switch (i) { case 1 -> say(4) + i++; default -> 0; }; return a[0] * 100 + i * 10 + told() * 1000; }
    @Check static long switchNoMatch() { int n = 0; switch (9) { case 1: n = 1; } switch (n) { } switch (C.X) { case Y: n = 5; } return n; }
    @Check static long switchNullDefaultOnly() { String s = null; switch (s) { default: return 1; } }
    @Check static long switchNullEmpty() { String s = null; switch (s) { } return 2; }
    @Check static long switchNullEnumExpr() { C c = null; return switch (c) { case X -> 1; case Y -> 2; case Z -> 3; }; }
    @Check static long switchBoxed() { Integer i = 3; Character c = 'q'; Byte b = 2; int n = 0; switch (i) { case 3: n += 1; } switch (c) { case 'q': n += 10; } switch (b) { case 2: n += 100; } return n; }
    @Check static long switchStringHash() { int n = 0; String[] all = {"Aa", "BB", "C", ""}; for (String s : all) switch (s) { case "BB": n += 1; break; case "Aa": n += 10; break; case "": n += 100; break; default: n += 1000; } return n; }
    @Check static long switchSideEffect() { told(); switch (say(2)) { case 1: say(1); case 2: say(5); case 3: say(6); break; case 4: say(7); } return told(); }
    @Check static long enumMix() { C c = C.Y; return c.v() + C.Z.v() * 100 + c.ordinal() * 10000 + C.values().length * 100000; }

    static class Three implements Iterable<Integer> { int from; Three(int from) { this.from = from; say(from); } public Iterator<Integer> iterator() { say(9); return new Iterator<>() { int i; public boolean hasNext() { return i < 3; } public Integer next() { return from + i++; } }; } }
    @Check static long forEachOrder() { told(); long n = 0; for (int x : new Three(1)) for (Integer y : new Three(x + 1)) { if (y == 3) continue; n = n * 3 + y; } return n * 7 + told(); }
    @Check static long forEachNull() { Iterable<Integer> it = null; for (int x : it) return x; return 0; }
    @Check static long forEachNullArray() { int[] a = null; for (int x : a) return x; return 0; }
    @Check static long forEachNullElement() { Integer[] a = {1, null}; int n = 0; for (int x : a) n += x; return n; }
    @Check static long forEachWiden() { char[] cs = {'a', 'b'}; long s = 0; for (int c : cs) s += c; byte[] bs = {-1, 2}; for (long b : bs) s = s * 10 + b; for (final Object o : new Integer[] {1, 2}) s += (Integer) o; return s; }
    @Check static long forEachAssign() { int[] a = {1, 2, 3}; int s = 0; for (int x : a) { x *= 2; s += x; a[2] = 10; } return s; }
    @Check static long labels() { int n = 0; a: do { n++; b: for (int i = 0; i < 3; i++) { c: while (true) { n += 10; if (i == 0) continue b; if (i == 1) break c; continue a; } n += 100; } } while (n < 300); return n; }
    @Check static long labelledBlocks() { int n = 0; x: { y: { if (n == 0) break y; n += 1; } n += 10; if (n == 10) break x; n += 100; } z: if (n > 5) { n *= 2; break z; } w: switch (n) { case 20: for (;;) { break w; } default: n = 0; } return n; }
    @Check static long loopForms() { int n = 0; for (;;) { if (n++ > 3) break; } int i, j; for (i = 0, j = 5; i < j; i++, --j) n += i; for (int k = 0; k < 3; n += k, k++); while (n-- > 10) ; do n++; while (n < 4); return n * 100 + i * 10 + j; }
    @Check static long whileTrueReturn() { int n = 0; while (true) { n++; if (n > 4) return n; } }
    @Check static long emptyStatements() { ; {} int n = 1;; if (n == 1); else n = 5; for (int i = 0; i < 2; i++) {} return n; }
    @Check static long danglingElse() { int x = 1, n = 0; if (x > 0) if (x > 1) n = 1; else n = 2; return n; }
    @Check static long assertMessage() { told(); assert say(1) == 1 : say(2); try { assert say(3) == 4 : say(5); } catch (AssertionError e) { say(6); } return told(); }
    @Check static long localVar() { var x = 5; var y = 'c'; var z = new int[] {1}; for (var q : z) x += q; var s = "a"; var o = new Object() { int hid = 4; int twice() { return hid * 2; } }; o.hid = 6; return x + y + o.twice() + (s == "a" ? 1000 : 0); }
    @Check static long shadowBlocks() { int n = 0; for (int i = 0; i < 2; i++) { int k = i; n += k; } for (int i = 5; i < 6; i++) { int k = i * 10; n += k; } { int k = 100; n += k; } return n; }
    @Check static long synchronizedBlock() { int n = 0; try { synchronized ((Object) null) { n = 1; } } catch (NullPointerException e) { n = 2; } return n; }
    @Check static long throwFromLambda() { Runnable r = () -> { throw new IllegalStateException(); }; try { r.run(); } catch (IllegalStateException e) { return 6; } return 7; }
}
