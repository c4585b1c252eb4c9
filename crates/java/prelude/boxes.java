package java.lang;

import glassbox.Declarative;

public abstract class Number implements java.io.Serializable {
    @Declarative
    public abstract int intValue();
    @Declarative
    public abstract long longValue();
    @Declarative
    public abstract short shortValue();
    @Declarative
    public abstract byte byteValue();
}

public final class Byte extends Number implements Comparable<Byte> {
    public static final byte MIN_VALUE = -128;
    public static final byte MAX_VALUE = 127;
    public static final int SIZE = 8;
    public static final int BYTES = 1;

    private final byte value;

    @Declarative
    public Byte(byte value) {
        this.value = value;
    }

    @Declarative
    public static Byte valueOf(byte value) {
        return value;
    }

    @Declarative
    public int intValue() {
        return (int) value;
    }

    @Declarative
    public long longValue() {
        return (long) value;
    }

    @Declarative
    public short shortValue() {
        return (short) value;
    }

    @Declarative
    public byte byteValue() {
        return (byte) value;
    }

    @Declarative
    public static int compare(byte a, byte b) {
        return a - b;
    }

    @Declarative
    public int compareTo(Byte other) {
        return compare(value, other.value);
    }

    @Declarative
    public boolean equals(Object other) {
        return other instanceof Byte && value == ((Byte) other).value;
    }

    @Declarative
    public static int hashCode(byte value) {
        return value;
    }

    @Declarative
    public int hashCode() {
        return hashCode(value);
    }

    public native String toString();

    public static native String toString(byte value);

    @Declarative
    public static int toUnsignedInt(byte value) {
        return value & 0xff;
    }

    @Declarative
    public static long toUnsignedLong(byte value) {
        return value & 0xffL;
    }

    @Declarative
    public static int compareUnsigned(byte a, byte b) {
        return toUnsignedInt(a) - toUnsignedInt(b);
    }

    public static native byte parseByte(String text);
}

public final class Short extends Number implements Comparable<Short> {
    public static final short MIN_VALUE = -32768;
    public static final short MAX_VALUE = 32767;
    public static final int SIZE = 16;
    public static final int BYTES = 2;

    private final short value;

    @Declarative
    public Short(short value) {
        this.value = value;
    }

    @Declarative
    public static Short valueOf(short value) {
        return value;
    }

    @Declarative
    public int intValue() {
        return (int) value;
    }

    @Declarative
    public long longValue() {
        return (long) value;
    }

    @Declarative
    public short shortValue() {
        return (short) value;
    }

    @Declarative
    public byte byteValue() {
        return (byte) value;
    }

    @Declarative
    public static int compare(short a, short b) {
        return a - b;
    }

    @Declarative
    public int compareTo(Short other) {
        return compare(value, other.value);
    }

    @Declarative
    public boolean equals(Object other) {
        return other instanceof Short && value == ((Short) other).value;
    }

    @Declarative
    public static int hashCode(short value) {
        return value;
    }

    @Declarative
    public int hashCode() {
        return hashCode(value);
    }

    public native String toString();

    public static native String toString(short value);

    @Declarative
    public static int toUnsignedInt(short value) {
        return value & 0xffff;
    }

    @Declarative
    public static long toUnsignedLong(short value) {
        return value & 0xffffL;
    }

    @Declarative
    public static int compareUnsigned(short a, short b) {
        return toUnsignedInt(a) - toUnsignedInt(b);
    }

    @Declarative
    public static short reverseBytes(short value) {
        return (short) (value << 8 | (value & 0xff00) >> 8);
    }

    public static native short parseShort(String text);
}

public final class Integer extends Number implements Comparable<Integer> {
    public static final int MIN_VALUE = 0x80000000;
    public static final int MAX_VALUE = 0x7fffffff;
    public static final int SIZE = 32;
    public static final int BYTES = 4;

    private final int value;

    @Declarative
    public Integer(int value) {
        this.value = value;
    }

    @Declarative
    public static Integer valueOf(int value) {
        return value;
    }

    @Declarative
    public int intValue() {
        return (int) value;
    }

    @Declarative
    public long longValue() {
        return (long) value;
    }

    @Declarative
    public short shortValue() {
        return (short) value;
    }

    @Declarative
    public byte byteValue() {
        return (byte) value;
    }

    @Declarative
    public static int compare(int a, int b) {
        return a < b ? -1 : a == b ? 0 : 1;
    }

    @Declarative
    public int compareTo(Integer other) {
        return compare(value, other.value);
    }

    @Declarative
    public boolean equals(Object other) {
        return other instanceof Integer && value == ((Integer) other).value;
    }

    @Declarative
    public static int hashCode(int value) {
        return value;
    }

    @Declarative
    public int hashCode() {
        return hashCode(value);
    }

    public native String toString();

    public static native String toString(int value);

    public static String toHexString(int value) {
        return String.format("%x", value);
    }

    public static String toOctalString(int value) {
        return String.format("%o", value);
    }

    public static native int parseInt(String text);

    @Declarative
    public static int min(int a, int b) {
        return a <= b ? a : b;
    }

    @Declarative
    public static int max(int a, int b) {
        return a >= b ? a : b;
    }

    @Declarative
    public static int sum(int a, int b) {
        return a + b;
    }

    @Declarative
    public static int signum(int i) {
        return i > 0 ? 1 : i < 0 ? -1 : 0;
    }

    @Declarative
    public static int bitCount(int i) {
        int count = 0;
        for (int bit = 0; bit < 32; bit++) {
            count += (int) (i >>> bit) & 1;
        }
        return count;
    }

    @Declarative
    public static int numberOfLeadingZeros(int i) {
        int count = 0;
        for (int bit = 31; bit >= 0; bit--) {
            if (((i >>> bit) & 1) != 0) return count;
            count++;
        }
        return count;
    }

    @Declarative
    public static int numberOfTrailingZeros(int i) {
        int count = 0;
        for (int bit = 0; bit < 32; bit++) {
            if (((i >>> bit) & 1) != 0) return count;
            count++;
        }
        return count;
    }

    @Declarative
    public static int highestOneBit(int i) {
        return i == 0 ? 0 : 1 << (31 - numberOfLeadingZeros(i));
    }

    @Declarative
    public static int lowestOneBit(int i) {
        return i & -i;
    }

    @Declarative
    public static int rotateLeft(int i, int distance) {
        return (i << distance) | (i >>> -distance);
    }

    @Declarative
    public static int rotateRight(int i, int distance) {
        return (i >>> distance) | (i << -distance);
    }

    @Declarative
    public static int reverse(int i) {
        int result = 0;
        for (int bit = 0; bit < 32; bit++) {
            result = (result << 1) | ((i >>> bit) & 1);
        }
        return result;
    }

    @Declarative
    public static int compareUnsigned(int a, int b) {
        return compare(a + MIN_VALUE, b + MIN_VALUE);
    }

    @Declarative
    public static int reverseBytes(int i) {
        return i << 24 | (i & 0xff00) << 8 | i >>> 8 & 0xff00 | i >>> 24;
    }

    @Declarative
    public static int divideUnsigned(int a, int b) {
        return (int) (toUnsignedLong(a) / toUnsignedLong(b));
    }

    @Declarative
    public static int remainderUnsigned(int a, int b) {
        return (int) (toUnsignedLong(a) % toUnsignedLong(b));
    }

    public static String toString(int value, int radix) {
        return Long.toString(value, radix);
    }

    public static String toBinaryString(int value) {
        return Long.toString(toUnsignedLong(value), 2);
    }

    public static String toUnsignedString(int value) {
        return Long.toString(toUnsignedLong(value));
    }

    public static String toUnsignedString(int value, int radix) {
        return Long.toString(toUnsignedLong(value), radix);
    }

    public static native int parseInt(String text, int radix);

    public static native int parseUnsignedInt(String text);

    public static native Integer decode(String text);

    public static Integer valueOf(String text) {
        return parseInt(text);
    }

    @Declarative
    public static long toUnsignedLong(int i) {
        return i & 0xffffffffL;
    }
}

public final class Long extends Number implements Comparable<Long> {
    public static final long MIN_VALUE = 0x8000000000000000L;
    public static final long MAX_VALUE = 0x7fffffffffffffffL;
    public static final int SIZE = 64;
    public static final int BYTES = 8;

    private final long value;

    @Declarative
    public Long(long value) {
        this.value = value;
    }

    @Declarative
    public static Long valueOf(long value) {
        return value;
    }

    @Declarative
    public int intValue() {
        return (int) value;
    }

    @Declarative
    public long longValue() {
        return (long) value;
    }

    @Declarative
    public short shortValue() {
        return (short) value;
    }

    @Declarative
    public byte byteValue() {
        return (byte) value;
    }

    @Declarative
    public static int compare(long a, long b) {
        return a < b ? -1 : a == b ? 0 : 1;
    }

    @Declarative
    public int compareTo(Long other) {
        return compare(value, other.value);
    }

    @Declarative
    public boolean equals(Object other) {
        return other instanceof Long && value == ((Long) other).value;
    }

    @Declarative
    public static int hashCode(long value) {
        return (int) (value ^ (value >>> 32));
    }

    @Declarative
    public int hashCode() {
        return hashCode(value);
    }

    public native String toString();

    public static native String toString(long value);

    public static String toHexString(long value) {
        return String.format("%x", value);
    }

    public static String toOctalString(long value) {
        return String.format("%o", value);
    }

    public static native long parseLong(String text);

    @Declarative
    public static long min(long a, long b) {
        return a <= b ? a : b;
    }

    @Declarative
    public static long max(long a, long b) {
        return a >= b ? a : b;
    }

    @Declarative
    public static long sum(long a, long b) {
        return a + b;
    }

    @Declarative
    public static int signum(long i) {
        return i > 0 ? 1 : i < 0 ? -1 : 0;
    }

    @Declarative
    public static int bitCount(long i) {
        int count = 0;
        for (int bit = 0; bit < 64; bit++) {
            count += (int) (i >>> bit) & 1;
        }
        return count;
    }

    @Declarative
    public static int numberOfLeadingZeros(long i) {
        int count = 0;
        for (int bit = 63; bit >= 0; bit--) {
            if (((i >>> bit) & 1) != 0) return count;
            count++;
        }
        return count;
    }

    @Declarative
    public static int numberOfTrailingZeros(long i) {
        int count = 0;
        for (int bit = 0; bit < 64; bit++) {
            if (((i >>> bit) & 1) != 0) return count;
            count++;
        }
        return count;
    }

    @Declarative
    public static long highestOneBit(long i) {
        return i == 0 ? 0 : 1L << (63 - numberOfLeadingZeros(i));
    }

    @Declarative
    public static long lowestOneBit(long i) {
        return i & -i;
    }

    @Declarative
    public static long rotateLeft(long i, int distance) {
        return (i << distance) | (i >>> -distance);
    }

    @Declarative
    public static long rotateRight(long i, int distance) {
        return (i >>> distance) | (i << -distance);
    }

    @Declarative
    public static long reverse(long i) {
        long result = 0;
        for (int bit = 0; bit < 64; bit++) {
            result = (result << 1) | ((i >>> bit) & 1);
        }
        return result;
    }

    @Declarative
    public static long reverseBytes(long i) {
        return (long) Integer.reverseBytes((int) i) << 32 | Integer.reverseBytes((int) (i >>> 32)) & 0xffffffffL;
    }

    /** Of a divisor above all that is signed, there is one in the dividend or none; else the last bit is found by trying. */
    @Declarative
    public static long divideUnsigned(long a, long b) {
        if (b < 0) return compareUnsigned(a, b) < 0 ? 0 : 1;
        if (a >= 0) return a / b;
        long quotient = (a >>> 1) / b << 1;
        return compareUnsigned(a - quotient * b, b) >= 0 ? quotient + 1 : quotient;
    }

    @Declarative
    public static long remainderUnsigned(long a, long b) {
        return a - divideUnsigned(a, b) * b;
    }

    public static String toString(long value, int radix) {
        if (radix < 2 || radix > 36) radix = 10;
        String text = "";
        long rest = value;
        do {
            text = Character.forDigit((int) Math.abs(rest % radix), radix) + text;
            rest = rest / radix;
        } while (rest != 0);
        return value < 0 ? "-" + text : text;
    }

    public static String toUnsignedString(long value, int radix) {
        if (value >= 0) return toString(value, radix);
        if (radix < 2 || radix > 36) radix = 10;
        long front = divideUnsigned(value, radix);
        return toString(front, radix) + Character.forDigit((int) (value - front * radix), radix);
    }

    public static String toUnsignedString(long value) {
        return toUnsignedString(value, 10);
    }

    public static String toBinaryString(long value) {
        return toUnsignedString(value, 2);
    }

    public static native long parseLong(String text, int radix);

    public static native Long decode(String text);

    public static Long valueOf(String text) {
        return parseLong(text);
    }

    @Declarative
    public static int compareUnsigned(long a, long b) {
        return compare(a + MIN_VALUE, b + MIN_VALUE);
    }
}

public final class Character implements Comparable<Character> {
    public static final char MIN_VALUE = '\u0000';
    public static final char MAX_VALUE = '\uffff';
    public static final int SIZE = 16;
    public static final int BYTES = 2;
    public static final int MIN_RADIX = 2;
    public static final int MAX_RADIX = 36;
    public static final char MIN_HIGH_SURROGATE = 0xd800;
    public static final char MAX_HIGH_SURROGATE = 0xdbff;
    public static final char MIN_LOW_SURROGATE = 0xdc00;
    public static final char MAX_LOW_SURROGATE = 0xdfff;
    public static final char MIN_SURROGATE = 0xd800;
    public static final char MAX_SURROGATE = 0xdfff;
    public static final int MIN_CODE_POINT = 0;
    public static final int MAX_CODE_POINT = 0x10ffff;
    public static final int MIN_SUPPLEMENTARY_CODE_POINT = 0x10000;

    private final char value;

    @Declarative
    public Character(char value) {
        this.value = value;
    }

    @Declarative
    public static Character valueOf(char value) {
        return value;
    }

    @Declarative
    public char charValue() {
        return value;
    }

    @Declarative
    public static int compare(char a, char b) {
        return a - b;
    }

    @Declarative
    public int compareTo(Character other) {
        return value - other.value;
    }

    @Declarative
    public boolean equals(Object other) {
        return other instanceof Character && value == ((Character) other).value;
    }

    @Declarative
    public static int hashCode(char value) {
        return value;
    }

    @Declarative
    public int hashCode() {
        return value;
    }

    public native String toString();

    public static native String toString(char value);

    /** What a character beyond 255 is. */
    private static native boolean isUnknown(char c);

    /** As a `char`, if it is one: nothing is known of others. */
    private static char of(int codePoint) {
        return codePoint >= 0 && codePoint < MAX_VALUE ? (char) codePoint : MAX_VALUE;
    }

    public static boolean isLetter(char c) {
        if (c > 255) return isUnknown(c);
        return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == 170 || c == 181 || c == 186
            || c >= 192 && c != 215 && c != 247;
    }

    public static boolean isLetterOrDigit(char c) {
        return isLetter(c) || isDigit(c);
    }

    public static boolean isWhitespace(char c) {
        if (c > 255) return isUnknown(c);
        return c == ' ' || 9 <= c && c <= 13 || 28 <= c && c <= 31;
    }

    public static boolean isDigit(char c) {
        if (c > 255) return isUnknown(c);
        return '0' <= c && c <= '9';
    }

    public static boolean isUpperCase(char c) {
        if (c > 255) return isUnknown(c);
        return 'A' <= c && c <= 'Z' || 192 <= c && c <= 222 && c != 215;
    }

    public static boolean isLowerCase(char c) {
        if (c > 255) return isUnknown(c);
        return 'a' <= c && c <= 'z' || c == 170 || c == 181 || c == 186 || c >= 223 && c != 247;
    }

    public static char toUpperCase(char c) {
        if (c > 127 && isUnknown(c)) return c;
        return 'a' <= c && c <= 'z' ? (char) (c - 32) : c;
    }

    public static char toLowerCase(char c) {
        if (c > 127 && isUnknown(c)) return c;
        return 'A' <= c && c <= 'Z' ? (char) (c + 32) : c;
    }

    public static int getNumericValue(char c) {
        if (c > 127 && isUnknown(c)) return -1;
        return isDigit(c) ? c - '0' : isLetter(c) ? toLowerCase(c) - 'a' + 10 : -1;
    }

    public static boolean isLetter(int codePoint) {
        return isLetter(of(codePoint));
    }

    public static boolean isLetterOrDigit(int codePoint) {
        return isLetterOrDigit(of(codePoint));
    }

    public static boolean isWhitespace(int codePoint) {
        return isWhitespace(of(codePoint));
    }

    public static boolean isDigit(int codePoint) {
        return isDigit(of(codePoint));
    }

    public static boolean isUpperCase(int codePoint) {
        return isUpperCase(of(codePoint));
    }

    public static boolean isLowerCase(int codePoint) {
        return isLowerCase(of(codePoint));
    }

    public static boolean isAlphabetic(int codePoint) {
        return isLetter(of(codePoint));
    }

    public static int toUpperCase(int codePoint) {
        return toUpperCase(of(codePoint));
    }

    public static int toLowerCase(int codePoint) {
        return toLowerCase(of(codePoint));
    }

    public static int getNumericValue(int codePoint) {
        return getNumericValue(of(codePoint));
    }

    public static int digit(int codePoint, int radix) {
        return digit(of(codePoint), radix);
    }

    @Declarative
    public static boolean isISOControl(char c) {
        return c <= 31 || 127 <= c && c <= 159;
    }

    @Declarative
    public static char reverseBytes(char c) {
        return (char) (c << 8 | c >> 8);
    }

    @Declarative
    public static boolean isValidCodePoint(int codePoint) {
        return 0 <= codePoint && codePoint <= MAX_CODE_POINT;
    }

    @Declarative
    public static boolean isBmpCodePoint(int codePoint) {
        return 0 <= codePoint && codePoint <= MAX_VALUE;
    }

    @Declarative
    public static boolean isSupplementaryCodePoint(int codePoint) {
        return MIN_SUPPLEMENTARY_CODE_POINT <= codePoint && codePoint <= MAX_CODE_POINT;
    }

    @Declarative
    public static boolean isHighSurrogate(char c) {
        return MIN_HIGH_SURROGATE <= c && c <= MAX_HIGH_SURROGATE;
    }

    @Declarative
    public static boolean isLowSurrogate(char c) {
        return MIN_LOW_SURROGATE <= c && c <= MAX_LOW_SURROGATE;
    }

    @Declarative
    public static boolean isSurrogate(char c) {
        return MIN_SURROGATE <= c && c <= MAX_SURROGATE;
    }

    @Declarative
    public static boolean isSurrogatePair(char high, char low) {
        return isHighSurrogate(high) && isLowSurrogate(low);
    }

    @Declarative
    public static int charCount(int codePoint) {
        return codePoint >= MIN_SUPPLEMENTARY_CODE_POINT ? 2 : 1;
    }

    @Declarative
    public static int toCodePoint(char high, char low) {
        return (high - MIN_HIGH_SURROGATE << 10) + (low - MIN_LOW_SURROGATE) + MIN_SUPPLEMENTARY_CODE_POINT;
    }

    @Declarative
    public static char highSurrogate(int codePoint) {
        return (char) ((codePoint - MIN_SUPPLEMENTARY_CODE_POINT >>> 10) + MIN_HIGH_SURROGATE);
    }

    @Declarative
    public static char lowSurrogate(int codePoint) {
        return (char) ((codePoint & 0x3ff) + MIN_LOW_SURROGATE);
    }

    public static char forDigit(int digit, int radix) {
        if (radix < 2 || radix > 36 || digit < 0 || digit >= radix) return 0;
        return (char) (digit < 10 ? '0' + digit : 'a' - 10 + digit);
    }

    public static int digit(char c, int radix) {
        int value = getNumericValue(c);
        return 2 <= radix && radix <= 36 && value < radix ? value : -1;
    }
}

public final class Boolean implements Comparable<Boolean> {
    public static final Boolean TRUE = true;
    public static final Boolean FALSE = false;

    private final boolean value;

    @Declarative
    public Boolean(boolean value) {
        this.value = value;
    }

    @Declarative
    public static Boolean valueOf(boolean value) {
        return value;
    }

    @Declarative
    public boolean booleanValue() {
        return value;
    }

    @Declarative
    public static int compare(boolean a, boolean b) {
        return a == b ? 0 : a ? 1 : -1;
    }

    @Declarative
    public int compareTo(Boolean other) {
        return compare(value, other.value);
    }

    @Declarative
    public boolean equals(Object other) {
        return other instanceof Boolean && value == ((Boolean) other).value;
    }

    @Declarative
    public static int hashCode(boolean value) {
        return value ? 1231 : 1237;
    }

    @Declarative
    public int hashCode() {
        return hashCode(value);
    }

    @Declarative
    public static boolean logicalAnd(boolean a, boolean b) {
        return a & b;
    }

    @Declarative
    public static boolean logicalOr(boolean a, boolean b) {
        return a | b;
    }

    @Declarative
    public static boolean logicalXor(boolean a, boolean b) {
        return a ^ b;
    }

    public native String toString();

    public static native String toString(boolean value);
}

/** Nobody looks at its value. */
public final class Float extends Number implements Comparable<Float> {
    public static final int SIZE = 32;
    public static final int BYTES = 4;
    public static final int MIN_EXPONENT = -126;
    public static final int MAX_EXPONENT = 127;
    private final float value;

    @Declarative
    public Float(float value) {
        this.value = value;
    }

    public static Float valueOf(float value) {
        return value;
    }

    @Declarative
    public native int intValue();

    @Declarative
    public native long longValue();

    @Declarative
    public native short shortValue();

    @Declarative
    public native byte byteValue();

    public native float floatValue();

    @Declarative
    public native int compareTo(Float other);

    public static native int compare(float a, float b);

    @Declarative
    public native boolean equals(Object other);

    @Declarative
    public native int hashCode();

    public native String toString();

    public static native String toString(float value);

    public static boolean isNaN(float value) {
        return value != value;
    }
}

/** Nobody looks at its value. */
public final class Double extends Number implements Comparable<Double> {
    public static final int SIZE = 64;
    public static final int BYTES = 8;
    public static final int MIN_EXPONENT = -1022;
    public static final int MAX_EXPONENT = 1023;
    private final double value;

    @Declarative
    public Double(double value) {
        this.value = value;
    }

    public static Double valueOf(double value) {
        return value;
    }

    @Declarative
    public native int intValue();

    @Declarative
    public native long longValue();

    @Declarative
    public native short shortValue();

    @Declarative
    public native byte byteValue();

    public native double doubleValue();

    @Declarative
    public native int compareTo(Double other);

    public static native int compare(double a, double b);

    @Declarative
    public native boolean equals(Object other);

    @Declarative
    public native int hashCode();

    public native String toString();

    public static native String toString(double value);

    public static boolean isNaN(double value) {
        return value != value;
    }
}
