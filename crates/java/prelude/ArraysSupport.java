package jdk.internal.util;

public class ArraysSupport {
    public static final int SOFT_MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

    public static int newLength(int oldLength, int minGrowth, int prefGrowth) {
        int prefLength = oldLength + Math.max(minGrowth, prefGrowth);
        if (0 < prefLength && prefLength <= SOFT_MAX_ARRAY_LENGTH) return prefLength;
        int minLength = oldLength + minGrowth;
        if (minLength < 0) throw new OutOfMemoryError("Required array length too large");
        if (minLength <= SOFT_MAX_ARRAY_LENGTH) return SOFT_MAX_ARRAY_LENGTH;
        return minLength;
    }
}
