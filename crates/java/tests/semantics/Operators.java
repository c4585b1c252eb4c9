import glassbox.*;

/** Operators on all integral types: promotion, narrowing, order of evaluation, constants. */
class Operators {
    @Declarative boolean repOk() { return true; }
    static int log;
    static int t(int n) { log = log * 10 + n; return n; }
    static long mix(long... xs) { long h = 17; for (long x : xs) h = h * 31 + x; return h; }
    static int[] arr = {1, 2, 3};
    static int[] nil() { log = log * 10 + 9; return null; }
    int f; static Operators one = new Operators(); Operators self() { log = log * 10 + 4; return this; } Operators none() { log = log * 10 + 5; return null; }

    @Check static long compoundNarrows() { byte b = 100; b += 100; short s = 30000; s *= 3; char c = 'a'; c -= 100; byte d = -1; d >>>= 1; byte e = -128; e >>= 1; int i = 5; i += 1L << 33; i -= 1L << 40; char k = 1; k <<= 16; short h = -1; h >>>= 20; return mix(b, s, c, d, e, i, k, h); }
    @Check static long incrementWraps() { byte b = 127; b++; short s = -32768; s--; char c = 0; c--; int i = Integer.MAX_VALUE; i++; long l = Long.MIN_VALUE; l--; char d = 65535; d++; return mix(b, s, c, i, l, d); }
    @Check static long incrementValues() { byte b = 127; int x = b++; int y = ++b; char c = 'a'; int z = c++ + ++c; long l = 5; long m = l-- - --l; return mix(x, y, z, m, b, c, l); }
    @Check static long promotion() { byte b = -1; char c = 'z'; short s = -2; return mix(b + c, b * s, -c, ~b, +c, b >> c, (b & 0xff) << 24, c % s, b ^ c, b | s, c / s, ~c); }
    @Check static long shiftMasks() { int i = -17; long l = -17; return mix(i << 32, i << 33, i >> -1, i >>> -1, l << 64, l << 65, l >> -1, l >>> -1, i << 33L, i >>> (1L << 32), 1 << 31, 1L << 31, 1 << -1, i >>> 0, l >>> 0, (byte) 200 >>> 3, (short) -5 >> 40); }
    @Check static long divisions() { int m = Integer.MIN_VALUE; long n = Long.MIN_VALUE; return mix(m / -1, m % -1, n / -1, n % -1, -7 / 2, -7 % 2, 7 / -2, 7 % -2, m / 2, m % 3, n % 10, -m, -n, m * m, n * -1, m - 1, Math.abs(m)); }
    @Check static long divZero() { int z = log * 0; return 5 / z; }
    @Check static long remZero() { long z = log * 0; return 5 % z; }
    @Check static long divZeroCompound() { int x = 5; int z = log * 0; try { x /= z; } catch (ArithmeticException e) { return x * 10 + 1; } return 0; }
    @Check static long divZeroConstant() { return 1 / 0; }
    @Check static long divZeroFolded() { try { int x = 3 % (2 - 2); return x; } catch (ArithmeticException e) { return 77; } }
    @Check static long casts() { int i = 0x12345678; long l = 0xfedcba9876543210L; return mix((byte) i, (short) i, (char) i, (byte) l, (short) l, (char) l, (int) l, (char) (byte) -1, (int) (char) (byte) -1, (byte) (char) 200, (short) (char) 40000, (long) (int) l, (byte) 0x80, (long) 'a', (int) (short) 0x8000); }
    @Check static long literals() { return mix(0x7fff_ffff, 0x80000000, 0b1011, 017, -2147483648, 0xffffffffffffffffL, 'A', '\n', '\u0041', '\\', '\'', '\0', '\177', 1_000, -9223372036854775808L, 0b1L << 63, 00, 0x0); }
    @Check static long constantNarrowing() { final int k = 5; byte b = k; final byte q = 'a'; char c = q; short s = (short) 1 + 2; char d = (char) 97 + 1; byte e = true ? 10 : 20; Byte f = 12; Character g = 100; Short h = (byte) 3; return mix(b, c, s, d, e, f, g, h); }
    @Check static long conditionalTypes() { boolean t = log > -999; char c = 'x'; int i = 0; byte b = 1; short s = 2; Object o1 = t ? c : 0, o2 = t ? c : i, o3 = t ? b : 'a', o4 = t ? b : s, o5 = t ? 1 : 'a', o6 = t ? 1L : 2, o7 = t ? null : 0, o8 = t ? b : 200, o9 = t ? (Integer) 5 : (Character) 'c'; return mix(o1 instanceof Character ? 1 : 0, o2 instanceof Integer ? 1 : 0, o3 instanceof Byte ? 1 : 0, o4 instanceof Short ? 1 : 0, o5 instanceof Character ? 1 : 0, o6 instanceof Long ? 1 : 0, o7 == null ? 1 : 0, o8 instanceof Integer ? 1 : 0, o9 instanceof Integer ? 1 : 0); }
    @Check static long conditionalUnboxesNull() { Integer n = null; boolean t = log > -999; int x = 3; Integer r = t ? n : x; return r == null ? 1 : 2; }
    @Check static long conditionalKeepsNull() { Integer n = null; boolean t = log > -999; Integer r = t ? n : Integer.valueOf(3); return r == null ? 1 : 2; }
    @Check static long mixedComparisons() { char c = 'a'; byte b = 97; long l = 97; Integer i = 97; Long k = 97L; return (c == b ? 1 : 0) + (c == l ? 2 : 0) + (i == c ? 4 : 0) + (k == i + 0 ? 8 : 0) + (k.equals(97) ? 16 : 0) + (k.equals(97L) ? 32 : 0) + (i.equals(97) ? 64 : 0) + (i < k ? 128 : 0) + (i >= b ? 256 : 0); }
    @Check static long boxIdentity() { Integer a = 127, b = 127, c = 128, d = 128; Long e = -128L, f = -128L, g = -129L, h = -129L; Character i = 'z', j = 'z', k = '\u0080', l = '\u0080'; Boolean m = true, n = true; Byte o = 5, p = 5; Short q = 1000, r = 1000; Object s = a; return (a == b ? 1 : 0) + (c == d ? 2 : 0) + (e == f ? 4 : 0) + (g == h ? 8 : 0) + (i == j ? 16 : 0) + (k == l ? 32 : 0) + (m == n ? 64 : 0) + (o == p ? 128 : 0) + (q == r ? 256 : 0) + (s == b ? 512 : 0) + (c.equals(d) ? 1024 : 0) + (c >= d && c <= d ? 2048 : 0); }
    @Check static long boxSameObject() { Integer c = 1000, d = c; Object o = c; d++; Integer e = c; e += 0; return (o == c ? 1 : 0) + (c == d ? 2 : 0) + (d - c) * 10 + (e == c ? 4 : 0); }
    @Check static long orderBinary() { log = 0; int r = t(1) + t(2) * t(3) - (t(4) << t(5)); return log * 1000L + r; }
    @Check static long orderAssignIndex() { log = 0; int[] a = new int[5]; int i = 0; a[i] = i = 2; a[i++] = i++; a[i] += i++ + i; return mix(a[0], a[1], a[2], a[3], a[4], i); }
    @Check static long orderNullArray() { log = 0; try { nil()[t(1)] = t(2); } catch (NullPointerException e) { return log; } return -1; }
    @Check static long orderNullArrayCompound() { log = 0; try { nil()[t(1)] += t(2); } catch (NullPointerException e) { return log; } return -1; }
    @Check static long orderBoundsCompound() { log = 0; try { arr[t(7)] += t(2); } catch (ArrayIndexOutOfBoundsException e) { return log; } return -1; }
    @Check static long orderBoundsSimple() { log = 0; try { arr[t(7)] = t(2) / (log - log); } catch (ArithmeticException e) { return log; } return -1; }
    @Check static long orderNullField() { log = 0; try { one.none().f = t(2); } catch (NullPointerException e) { return log; } return -1; }
    @Check static long orderNullFieldCompound() { log = 0; try { one.none().f += t(2); } catch (NullPointerException e) { return log; } return -1; }
    @Check static long orderNullIncrement() { log = 0; try { one.none().f++; } catch (NullPointerException e) { return log; } return -1; }
    @Check static long fieldOnce() { log = 0; one.f = 3; one.self().f += one.self().f++ + ++one.self().f; return log * 100L + one.f; }
    @Check static long savedLeft() { int x = 3; x += x++ * 2 + x; int y = 5; y = y++ + y--; int z = 2; z -= z = 7; int w = 10; w = w++; return mix(x, y, z, w); }
    @Check static long chainedAssign() { int a, b; long c; byte d; c = a = b = d = 7; int[] q = {0, 0}; int i = 0; q[i] = q[i = 1] = 4; c += a -= b *= d ^= 3; return mix(a, b, c, d, q[0], q[1]); }
    @Check static long chainNarrow() { int i; byte b; long l; l = i = b = (byte) 300; char c; i = c = (char) -1; return mix(l, i, c, b); }
    @Check static long shortCircuit() { log = 0; boolean r = t(1) == 1 || t(2) == 2; r &= t(3) == 4 && t(4) == 4; r |= t(5) == 5 | t(6) == 7; r ^= true; boolean q = !r & t(7) > 0 ^ t(8) == 8; return log * 10L + (r ? 1 : 0) + (q ? 2 : 0); }
    @Check static long booleanCompound() { boolean a = true; a &= false; boolean b = a ^= true; Boolean c = b; c |= a; c = !c; return (a ? 1 : 0) + (b ? 2 : 0) + (c ? 4 : 0) + (a != b ? 8 : 0) + (a == c ? 16 : 0) + (true ^ true ^ true ? 32 : 0); }
    @Check static long unboxNull() { Integer n = null; int k = n; return k; }
    @Check static long unboxNullCompare() { Integer n = null; return n == 3 ? 1 : 2; }
    @Check static long unboxNullIncrement() { Integer[] a = new Integer[1]; a[0]++; return 1; }
    @Check static long unboxNullSwitch() { Integer n = null; switch (n) { default: return 1; } }
    @Check static long unboxNullCondition() { Boolean b = null; if (b) return 1; return 2; }
    @Check static long nullNotUnboxed() { Integer n = null, m = null; return (n == m ? 1 : 0) + (n == null ? 2 : 0); }
    @Check static long charArithmetic() { char c = 'a'; c += 1; c++; int d = c - 'a'; char e = (char) (c + d); return mix(c, d, e, '9' - '0', (char) ('a' + 25), Character.valueOf('x').charValue()); }
    @Check static long bitTricks() { int x = 0b101100; return mix(x & -x, x & (x - 1), ~x, x ^ x >>> 1, Integer.bitCount(x), Integer.MAX_VALUE + 1, Integer.MIN_VALUE - 1, Integer.highestOneBit(x), Integer.numberOfTrailingZeros(x), Long.numberOfTrailingZeros(8L), Integer.numberOfLeadingZeros(1), Integer.compare(3, 5), Integer.signum(-9), Long.compare(1, 0), Character.compare('a', 'c'), Boolean.compare(true, false)); }
    @Check static long mathOverflows() { int n = 0; try { Math.addExact(Integer.MAX_VALUE, 1); } catch (ArithmeticException e) { n++; } try { Math.multiplyExact(1 << 20, 1 << 20); } catch (ArithmeticException e) { n += 10; } return n + Math.floorMod(-7, 3) * 100 + Math.floorDiv(-7, 3) * 1000 + Math.max(-1, 3L) * 10000 + Math.min('a', 5) * 100000; }
    @Check static long longIntMix() { int i = 1_000_000; long l = i * i; long m = (long) i * i; l += i * 1L * i; i *= 3000; i /= 7L; i %= 1000L; i |= 1L << 40; i ^= -1L; return mix(i, l, m); }
    @Check static long stringIdentity() { String a = "ab", b = "a" + "b", c = "a"; final String e = "a"; String f = e + "b"; String n = null; return (a == b ? 1 : 0) + (a == c ? 2 : 0) + (a == f ? 4 : 0) + ("1" + 2 + 3 == "123" ? 8 : 0) + (1 + 2 + "3" == "33" ? 16 : 0) + ("" + 'c' + 1 + true == "c1true" ? 32 : 0) + ("x" + -1L == "x-1" ? 64 : 0) + (n == null ? 128 : 0) + ((char) 65 + "" == "A" ? 256 : 0) + ("" + (byte) 200 == "-56" ? 512 : 0) + (a.equals("ab") ? 1024 : 0) + (a.equals("b") ? 2048 : 0) + (a.equals(null) ? 4096 : 0); }
    @Check static long stringHash() { return "abc".hashCode() + "".hashCode() * 1000L + "héllo".hashCode(); }
    @Check static long precedence() { int a = 6, b = 3, c = 2; boolean p = a > b == b > c; return mix(a - b - c, a / b * c, a % b + c << 1, a & b | c ^ a, a << b >> c >>> 1, -a + ~b, p ? 1 : 0, a > b ? b > c ? 1 : 2 : 3, a & 1 + 1, - -a, -(-a), a+++b, a - --b); }
    @Check static long negativeZeroDivide() { int x = -0; return 0 / -5 + x; }
    @Check static long instanceofOrder() { Object o = "s"; boolean a = o instanceof String s && s == "s" || o instanceof Integer; boolean b = !(o instanceof Integer i) || i > 3; return (a ? 1 : 0) + (b ? 2 : 0) + (null instanceof Object ? 4 : 0); }
    @Check static long constantExpressions() { final long big = 1L << 40; final int h = (int) (big >> 35); final boolean deb = h == 32 && 'a' < 98; switch (32) { case h: return deb ? 1 : 2; case 33 - 5: return 3; default: return 4; } }
}
