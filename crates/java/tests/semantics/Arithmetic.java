import glassbox.*;

/** Integers, conversions, operators and their order. Each method is run here and on a JVM. */
class Arithmetic {
    int field = 5;
    byte small;
    static int counter;
    static final int BIG = 1 << 30, TWICE = BIG * 2;
    final int seven = 7;

    @Declarative
    boolean repOk() { return true; }

    static int next() { return ++counter; }

    @Check static long wraps() { int x = Integer.MAX_VALUE; x++; return x + Long.MAX_VALUE + 1; }
    @Check static long constants() { return TWICE + BIG + new Arithmetic().seven; }
    @Check static long byteCompound() { byte b = 127; b += 1; b >>>= 1; byte c = (byte) 200; c *= 3; return b * 1000 + c; }
    @Check static long shortCharMix() { short s = (short) 40000; char c = (char) -1; c++; c--; return s + c + 'a'; }
    @Check static long shifts() { int x = -17; long y = -17; return (x >> 33) + (x >>> 28) * 100 + (y >>> 60) * 10000 + (x << 35L) + (y << 65) + (1 << -1); }
    @Check static long shiftCompound() { int x = 5; x <<= 33L; x >>>= 1; byte b = -1; b >>>= 10; return x * 1000 + b; }
    @Check static long division() { return (-7 / 2) + (-7 % 2) * 10 + (7 % -3) * 100 + (Integer.MIN_VALUE / -1) + (Integer.MIN_VALUE % -1); }
    @Check static long divisionByZero() { int zero = 0; return 1 / zero; }
    @Check static long remainderByZero() { long zero = 0; return 1 % zero; }
    @Check static long longIntMix() { int i = 1 << 31; long l = 1L << 31; return i + l + (i & 0xffffffffL) + (i ^ l); }
    @Check static long complement() { return ~5 + ~5L * 10 + -(-128) + (~(byte) 7); }
    @Check static long order() {
        counter = 0;
        int[] a = {10, 20, 30, 40};
        int i = 0;
        a[i] = i = 2;
        a[i++] += a[i] + i++;
        return a[0] * 1000000L + a[2] * 1000 + a[3] * 10 + i;
    }
    @Check static long orderOfCalls() { counter = 0; return next() * 100 + next() * 10 + next() - next() * next(); }
    @Check static long postfix() { int i = 5; i = i++ + ++i; int j = i-- - --i; return i * 100 + j; }
    @Check static long selfAssign() { int x = 3; x += (x = 10) + x; int y = 1; y = y++ * 2 + y; return x * 100 + y; }
    @Check static long compoundField() {
        Arithmetic a = new Arithmetic(), b = new Arithmetic();
        Arithmetic t = a;
        t.field += (t = b).field++ + t.field;
        t.small += 300;
        t.small--;
        return a.field * 10000 + b.field * 100 + b.small;
    }
    @Check static long compoundElement() {
        long[] a = {1, 2, 3};
        long[] b = a;
        a[(int) (a = new long[] {7, 8, 9})[0] - 6] *= a[1];
        byte[] c = {100};
        c[0] += 100;
        int k = c[0]++ + ++c[0];
        return b[1] * 1000 + a[1] * 100 + c[0] + k;
    }
    @Check static long conditional() {
        boolean t = next() > -1;
        char c = 'x';
        int i = 0;
        Object o = t ? 1 : "s";
        long l = t ? 1 : 2L;
        byte b = 3;
        short s = 4;
        return (t ? c : 0) + (t ? b : s) + (t ? i : c) + l + (o instanceof Integer ? 100 : 200) + (t ? null == o ? 1 : 2 : 3);
    }
    @Check static long conditionalUnboxesNull() { Integer n = null; boolean t = true; int x = t ? n : 0; return x; }
    @Check static long conditionalBoxes() { boolean t = true; Integer n = null; Integer r = t ? n : Integer.valueOf(1); return r == null ? 1 : 0; }
    @Check static long boxes() {
        Integer a = 127, b = 127, c = 128, d = 128;
        Long l = 5L;
        Character ch = 'c';
        Boolean yes = true;
        a++;
        int sum = 0;
        if (b == 127) sum += 1;
        if (c == d) sum += 10;
        if (c.equals(d)) sum += 100;
        if (a.equals(128)) sum += 1000;
        if (!l.equals(5)) sum += 10000;
        if (yes & ch == 'c') sum += 100000;
        return sum + a + l;
    }
    @Check static long boxCaches() { Integer a = 127, b = 127; Long c = 1000L, d = 1000L; return (a == b ? 1 : 0) + (c == d ? 10 : 0); }
    @Check static long unboxNull() { Integer a = null; a++; return a; }
    @Check static long characters() { char c = 'a'; c += 1; c++; int up = c - 'a' + 'A'; char d = (char) up; return d == 'C' ? c : -1; }
    @Check static long narrowing() { return (byte) 300 + (short) 70000 * 10L + (char) -2 + (int) 5000000000L + (byte) (char) -56; }
    @Check static long logic() {
        counter = 0;
        boolean a = next() == 1 | next() == 9, b = next() == 0 && next() == 4, c = next() == 4 || next() == 5, d = a ^ b;
        a &= c; b |= d; c ^= a;
        return (a ? 1 : 0) + (b ? 10 : 0) + (c ? 100 : 0) + (d ? 1000 : 0) + counter * 10000;
    }
    @Check static long compare() { char c = 200; byte b = -56; return (c > b ? 1 : 0) + (c == (byte) c ? 10 : 0) + (-1 < 0x80000000 ? 100 : 0) + (1L << 40 > Integer.MAX_VALUE ? 1000 : 0); }
    @Check static long assigned() { int a, b, c; a = b = c = 7; long l = a = 3; byte x; int y = x = (byte) 200; return a + b * 10 + c * 100 + l * 1000 + y; }
    @Check static long maths() {
        return Math.abs(-5) + Math.min(3, -4) * 10 + Math.max(2L, 7) * 100 + Math.floorMod(-7, 3) * 1000 + Math.floorDiv(-7, 3) * 10000
            + Integer.bitCount(-1) + Long.numberOfTrailingZeros(8) + Integer.highestOneBit(100) + Integer.numberOfLeadingZeros(1)
            + Integer.compare(3, 5) + Integer.rotateLeft(0x80000001, 1) + Integer.reverse(6);
    }
    @Check static long overflow() { return Math.addExact(Integer.MAX_VALUE, 1); }
    @Check static long literals() { return 0xff + 0b101 + 017 + 1_000 + 0x7fff_ffff_ffffL + '\u0041' + '\n' + '\\' + -2147483648 + 0xffffffff; }
    @Check static long strings() { final String a = "x"; String b = "x" + 1 + 'c' + true; return (a == "x" ? 1 : 0) + (b == "x1ctrue" ? 10 : 0) + ("" + a == "x" ? 100 : 0) + (a.equals("y") ? 1000 : 0); }
    @Check static long arrays() {
        int[][] a = new int[3][4], b = {{1}, {2, 3}, {}};
        int[][][] c = new int[2][3][];
        a[2][3] = 9;
        int[] row = a[2].clone();
        row[3]++;
        int sum = 0;
        for (int[] r : b) for (int v : r) sum += v;
        System.arraycopy(row, 2, row, 0, 2);
        return a[2][3] + row[3] * 10 + sum * 100 + (c[1][2] == null ? 1000 : 0) + c[1].length * 10000 + row[1] * 100000;
    }
    @Check static long arrayStore() { Object[] a = new String[1]; a[0] = 1; return 0; }
    @Check static long negativeSize() { int n = -1; return new int[n].length; }
    @Check static long outOfBounds() { int[] a = new int[2]; return a[2]; }
    @Check static long orderBeforeNull() { counter = 0; int[] a = null; try { a[next()] = next(); } catch (NullPointerException e) { return counter; } return -1; }
    @Check static long orderBeforeNullField() { counter = 0; Arithmetic a = null; try { a.field = next(); } catch (NullPointerException e) { return counter; } return -1; }
    @Check static long compoundNullField() { counter = 0; Arithmetic a = null; try { a.field += next(); } catch (NullPointerException e) { return counter; } return -1; }
    @Check static long compoundBadIndex() { counter = 0; int[] a = new int[1]; try { a[1] += next(); } catch (ArrayIndexOutOfBoundsException e) { return counter; } return -1; }
    @Check static long longIndex() { long[] a = new long[3]; char i = 1; byte j = 2; a[i] = j; a[j] = i; return a[1] * 10 + a[2]; }
    @Check static long hash() { return Long.hashCode(1L << 32) + Boolean.hashCode(true) + Character.valueOf('a').hashCode() + Integer.valueOf(-3).hashCode(); }
}
