import glassbox.*;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;

/** What `Math`, the boxes, `Arrays` and `Objects` compute, over numbers where something may overflow. */
class Numbers {
    static final int[] INTS = {0, 1, -1, 2, -2, 3, 7, -7, 31, 32, 255, -256, 65535, 1 << 30, -(1 << 30), Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, 0x12345678, 0x87654321};

    static final long[] LONGS = {0, 1, -1, 2, -3, 10, 63, 1L << 31, -(1L << 31), (1L << 32) + 5, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, 0x123456789abcdefL, 0xfedcba9876543210L, 3037000500L, -3037000500L};

    @Declarative boolean repOk() { return true; }

    private static long mix(long r, long value) { return r * 1000003 + value; }

    @Check static long ofInt() {
        long r = 0;
        for (int i : INTS) {
            r = mix(r, Integer.bitCount(i) + 100 * Integer.numberOfLeadingZeros(i) + 10000 * Integer.numberOfTrailingZeros(i));
            r = mix(mix(r, Integer.highestOneBit(i)), Integer.lowestOneBit(i));
            r = mix(mix(r, Integer.reverse(i)), Integer.reverseBytes(i));
            r = mix(mix(r, Integer.signum(i)), Integer.toUnsignedLong(i));
            r = mix(mix(r, Math.abs(i)), (long) Math.signum(i) + 10 * Character.charCount(i & 0x1ffff));
            r = mix(mix(r, Short.reverseBytes((short) i)), Character.reverseBytes((char) i));
            r = mix(mix(r, Short.toUnsignedInt((short) i)), Byte.toUnsignedInt((byte) i));
        }
        return r;
    }

    @Check static long ofLong() {
        long r = 0;
        for (long i : LONGS) {
            r = mix(r, Long.bitCount(i) + 100 * Long.numberOfLeadingZeros(i) + 10000 * Long.numberOfTrailingZeros(i));
            r = mix(mix(r, Long.highestOneBit(i)), Long.lowestOneBit(i));
            r = mix(mix(r, Long.reverse(i)), Long.reverseBytes(i));
            r = mix(mix(r, Long.signum(i)), Long.hashCode(i));
            r = mix(mix(r, Math.abs(i)), (long) Math.signum(i));
        }
        return r;
    }

    @Check static long ofInts() {
        long r = 0;
        for (int a : INTS) {
            for (int b : INTS) {
                r = mix(r, Integer.compare(a, b) * 3 + Integer.compareUnsigned(a, b) + 10 * Short.compareUnsigned((short) a, (short) b));
                r = mix(r, Integer.rotateLeft(a, b) - 3L * Integer.rotateRight(a, b));
                r = mix(mix(r, Math.multiplyFull(a, b)), Math.max(a, b) - Byte.compareUnsigned((byte) a, (byte) b));
                if (b == 0) continue;
                r = mix(mix(r, Math.floorDiv(a, b)), Math.floorMod(a, b));
                r = mix(mix(r, Integer.divideUnsigned(a, b)), Integer.remainderUnsigned(a, b));
            }
        }
        return r;
    }

    @Check static long ofLongs() {
        long r = 0;
        for (long a : LONGS) {
            for (long b : LONGS) {
                r = mix(r, Long.compare(a, b) * 3 + Long.compareUnsigned(a, b));
                r = mix(r, Long.rotateLeft(a, (int) b) - 3L * Long.rotateRight(a, (int) b));
                r = mix(r, Math.multiplyHigh(a, b));
                if (b == 0) continue;
                r = mix(mix(r, Math.floorDiv(a, b)), Math.floorMod(a, b));
                r = mix(mix(r, Long.divideUnsigned(a, b)), Long.remainderUnsigned(a, b));
                if ((int) b == 0) continue;
                int m = Math.floorMod(a, (int) b);
                r = mix(mix(r, Math.floorDiv(a, (int) b)), m);
            }
        }
        return r;
    }

    private static long exact(int which, long a, long b) {
        try {
            switch (which) {
                case 0: return Math.addExact(a, b);
                case 1: return Math.subtractExact(a, b);
                case 2: return Math.multiplyExact(a, b);
                case 3: return Math.incrementExact(a);
                case 4: return Math.decrementExact(a);
                case 5: return Math.negateExact(a);
                case 6: return Math.absExact(a);
                case 7: return Math.multiplyExact(a, (int) b);
                case 8: return Math.addExact((int) a, (int) b);
                case 9: return Math.subtractExact((int) a, (int) b);
                case 10: return Math.multiplyExact((int) a, (int) b);
                case 11: return Math.incrementExact((int) a);
                case 12: return Math.decrementExact((int) a);
                case 13: return Math.negateExact((int) a);
                case 14: return Math.absExact((int) a);
                default: return Math.toIntExact(a);
            }
        } catch (ArithmeticException e) {
            return 77;
        }
    }

    @Check static long exactly() {
        long r = 0;
        for (int which = 0; which < 16; which++) {
            for (long a : LONGS) {
                for (long b : LONGS) r = mix(r, exact(which, a, b));
            }
            for (int a : INTS) {
                for (int b : INTS) r = mix(r, exact(which, a, b));
            }
        }
        return r;
    }

    @Check static long characters() {
        long r = 0;
        for (int c = 0; c < 128; c++) {
            r = r * 31 + Character.toUpperCase(c) + Character.toLowerCase(c) + Character.getNumericValue(c) + Character.digit(c, 16)
                + (Character.isDigit(c) ? 1 : 0) + (Character.isLetter(c) ? 2 : 0) + (Character.isWhitespace(c) ? 4 : 0)
                + (Character.isUpperCase(c) ? 8 : 0) + (Character.isLowerCase(c) ? 16 : 0) + (Character.isLetterOrDigit(c) ? 32 : 0)
                + (Character.isAlphabetic(c) ? 64 : 0) + (Character.isISOControl((char) c) ? 128 : 0);
        }
        return r;
    }

    @Check static long codePoints() {
        long r = 0;
        for (int c : new int[] {0, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff, 0x110000, -1}) {
            char at = (char) c;
            r = r * 31 + (Character.isHighSurrogate(at) ? 1 : 0) + (Character.isLowSurrogate(at) ? 2 : 0) + (Character.isSurrogate(at) ? 4 : 0)
                + (Character.isValidCodePoint(c) ? 8 : 0) + (Character.isBmpCodePoint(c) ? 16 : 0) + (Character.isSupplementaryCodePoint(c) ? 32 : 0);
            char high = Character.highSurrogate(c), low = Character.lowSurrogate(c);
            r = mix(mix(r, high * 65536L + low), Character.toCodePoint(high, low));
        }
        return r;
    }

    private static int sign(int i) { return Integer.signum(i); }

    private static long ranges(int which, int[] a, int from, int to, int[] b) {
        try {
            switch (which) {
                case 0: return Arrays.mismatch(a, from, to, b, 0, b.length);
                case 1: return sign(Arrays.compare(a, from, to, b, 0, b.length));
                case 2: return Arrays.equals(a, from, to, b, 0, b.length) ? 1 : 0;
                case 3: return Arrays.hashCode(Arrays.copyOfRange(a, from, to));
                case 4: return Arrays.binarySearch(a, from, to, 2);
                default: Arrays.fill(a = a.clone(), from, to, 9); return Arrays.hashCode(a);
            }
        } catch (IllegalArgumentException e) {
            return 55;
        } catch (ArrayIndexOutOfBoundsException e) {
            return 66;
        }
    }

    @Check static long arrays() {
        int[][] all = {{}, {1}, {1, 2}, {1, 2, 3}, {1, 3}, {-1, 2, 5, 9}, null};
        long r = 0;
        for (int[] a : all) {
            for (int[] b : all) {
                r = r * 31 + sign(Arrays.compare(a, b)) * 3 + (Arrays.equals(a, b) ? 1 : 0) + Arrays.hashCode(a);
                if (a == null || b == null) continue;
                r = r * 31 + Arrays.mismatch(a, b);
                for (int which = 0; which < 6; which++) {
                    for (int from = -1; from < 4; from++) {
                        for (int to = -1; to < 5; to++) r = mix(r, ranges(which, a, from, to, b));
                    }
                }
            }
        }
        return r;
    }

    @Check static long hashes() {
        long r = Arrays.hashCode(new boolean[] {true, false}) + Arrays.hashCode(new byte[] {-1, 3});
        r = mix(r, Arrays.hashCode(new char[] {'a'}) + Arrays.hashCode(new short[] {-9}) + Arrays.hashCode(new long[] {1L << 40, -5}));
        Object[] deep = {1, null, new int[] {1, 2}, new Object[] {new long[] {5}, 'c'}, new boolean[] {true}};
        Object[] same = {1, null, new int[] {1, 2}, new Object[] {new long[] {5}, 'c'}, new boolean[] {true}};
        Object[] other = {1, null, new int[] {1, 2}, new Object[] {new short[] {5}, 'c'}, new boolean[] {true}};
        r = mix(r, Arrays.deepHashCode(deep) + Arrays.deepHashCode(null));
        r = r * 16 + (Arrays.deepEquals(deep, same) ? 1 : 0) + (Arrays.deepEquals(deep, other) ? 2 : 0) + (Arrays.equals(deep, same) ? 4 : 0);
        return r * 4 + (Objects.deepEquals(deep, same) ? 1 : 0) + (Objects.deepEquals(new int[0], null) ? 2 : 0);
    }

    @Check static long objects() {
        Integer[] a = {1, 2, null}, b = {1, 2, 3}, c = {3, 2, 1};
        Comparator<Integer> down = (x, y) -> Integer.compare(y, x);
        long r = Arrays.mismatch(a, b) + 10 * Arrays.mismatch(b, b) + 100 * Arrays.mismatch(b, c);
        r = r * 100 + Arrays.compare(a, b) * 9 + Arrays.compare(b, a) * 3 + Arrays.compare(b, c);
        r = r * 100 + Arrays.compare(b, c, down) * 3 + (Arrays.equals(b, new Integer[] {1, 2, 3}, down) ? 1 : 0);
        r = r * 100 + Arrays.mismatch(a, 0, 2, b, 1, 3) + (Arrays.equals(a, 0, 2, b, 0, 2) ? 10 : 0) + Arrays.binarySearch(c, 1, down);
        int[] squares = new int[4];
        Arrays.setAll(squares, i -> i * i);
        Integer[] boxes = new Integer[3];
        Arrays.setAll(boxes, i -> i + 5);
        r = mix(r, Arrays.hashCode(squares) + Arrays.hashCode(boxes));
        Object[] range = Arrays.copyOfRange(new Object[] {1, 2, 3}, 1, 5, Integer[].class);
        return r * 10 + (range instanceof Integer[] && range.length == 4 && range[3] == null ? 1 : 0);
    }

    @Check static long nullArray() { return Arrays.mismatch((int[]) null, new int[0]); }

    @Check static long lateMessage() { return Objects.requireNonNull(null, () -> "m") == null ? 1 : 0; }

    @Check static long longIndex() { return Objects.checkIndex(3L, 4L) + Objects.checkIndex(1L << 40, 1L << 39); }

    @Check static long divideByZero() { return Long.divideUnsigned(1, 0); }
}
