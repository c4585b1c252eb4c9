package java.lang;

import glassbox.Declarative;
import java.util.Iterator;
import java.util.function.Consumer;

public class Object {
    @Declarative
    public Object() {}

    @Declarative
    public boolean equals(Object other) {
        return this == other;
    }

    @Declarative
    public native int hashCode();

    @Declarative
    public native String toString();

    public final native Class<?> getClass();

    protected Object clone() throws CloneNotSupportedException {
        if (!isCloneable()) throw new CloneNotSupportedException();
        return copy();
    }

    private native boolean isCloneable();

    private native Object copy();
}

/** Strings are opaque: a constant is one object; what was built at run time has no contents. */
public final class String implements Comparable<String>, CharSequence {
    /** A number for the contents: equal strings have the same. */
    private final int text;

    private String() {}

    @Declarative
    public boolean equals(Object other) {
        return this == other || (other instanceof String && !differs(other));
    }

    @Declarative
    private native boolean differs(Object other);

    @Declarative
    public native int hashCode();

    @Declarative
    public String toString() {
        return this;
    }

    public native int length();

    public native char charAt(int index);

    @Declarative
    public boolean isEmpty() {
        return equals("");
    }

    public native int compareTo(String other);

    public String concat(String other) {
        return this + other.toString();
    }

    public native String substring(int begin);

    public native String substring(int begin, int end);

    public native int indexOf(String other);

    public native int indexOf(int letter);

    public native boolean contains(CharSequence other);

    public native boolean startsWith(String prefix);

    public native boolean endsWith(String suffix);

    public native boolean isBlank();

    public native String trim();

    public native String strip();

    public native String toLowerCase();

    public native String toUpperCase();

    public native String repeat(int times);

    public native String replace(char old, char by);

    public native String replace(CharSequence old, CharSequence by);

    public native String formatted(Object... arguments);

    public static native String format(String format, Object... arguments);

    public static String join(CharSequence between, CharSequence... parts) {
        String text = "";
        for (int i = 0; i < parts.length; i++) text = i == 0 ? text + parts[i] : text + between + parts[i];
        return text;
    }

    public static String join(CharSequence between, Iterable<? extends CharSequence> parts) {
        String text = "";
        boolean isFirst = true;
        for (CharSequence part : parts) {
            text = isFirst ? text + part : text + between + part;
            isFirst = false;
        }
        return text;
    }

    public static String valueOf(Object value) {
        return value == null ? "null" : value.toString();
    }

    public static native String valueOf(int value);

    public static native String valueOf(long value);

    public static native String valueOf(char value);

    public static native String valueOf(boolean value);
}

/** What it holds can only be shown. */
public final class StringBuilder {
    private String text;

    public StringBuilder() {
        text = "";
    }

    public StringBuilder(int capacity) {
        text = "";
    }

    public StringBuilder(String start) {
        text = start.toString();
    }

    public StringBuilder append(Object more) {
        text = text + more;
        return this;
    }

    public StringBuilder append(String more) {
        text = text + more;
        return this;
    }

    public StringBuilder append(boolean more) {
        text = text + more;
        return this;
    }

    public StringBuilder append(char more) {
        text = text + more;
        return this;
    }

    public StringBuilder append(int more) {
        text = text + more;
        return this;
    }

    public StringBuilder append(long more) {
        text = text + more;
        return this;
    }

    public StringBuilder insert(int at, Object more) {
        text = text.substring(0, at) + more + text.substring(at);
        return this;
    }

    public StringBuilder reverse() {
        String all = text;
        text = "";
        for (int i = all.length() - 1; i >= 0; i--) text = text + all.charAt(i);
        return this;
    }

    public StringBuilder deleteCharAt(int at) {
        text = text.substring(0, at) + text.substring(at + 1);
        return this;
    }

    /** A longer one would be filled up with characters that cannot be shown. */
    public void setLength(int length) {
        text = text.substring(0, length);
    }

    public int length() {
        return text.length();
    }

    public char charAt(int index) {
        return text.charAt(index);
    }

    public boolean isEmpty() {
        return text.isEmpty();
    }

    public String toString() {
        return text;
    }
}

public interface CharSequence {
    int length();

    char charAt(int index);
}

public interface Comparable<T> {
    int compareTo(T other);
}

public interface Iterable<T> {
    Iterator<T> iterator();

    default void forEach(Consumer<? super T> action) {
        java.util.Objects.requireNonNull(action);
        for (T element : this) action.accept(element);
    }
}

public interface Runnable {
    void run();
}

public interface AutoCloseable {
    void close() throws Exception;
}

public interface Cloneable {}

public abstract class Enum<E extends Enum<E>> implements Comparable<E> {
    private final String name;
    private final int ordinal;

    @Declarative
    protected Enum(String name, int ordinal) {
        this.name = name;
        this.ordinal = ordinal;
    }

    @Declarative
    public final String name() {
        return name;
    }

    @Declarative
    public final int ordinal() {
        return ordinal;
    }

    @Declarative
    public String toString() {
        return name;
    }

    @Declarative
    public final boolean equals(Object other) {
        return this == other;
    }

    @Declarative
    public final int hashCode() {
        return System.identityHashCode(this);
    }

    @Declarative
    public final int compareTo(E other) {
        Enum<?> that = other;
        return ordinal - that.ordinal;
    }

    /** A constant with a body is of a class of its own. */
    public final Class<E> getDeclaringClass() {
        Class<?> own = getClass();
        Class<?> above = own.getSuperclass();
        return (Class<E>) (above == Enum.class ? own : above);
    }

    public static <T extends Enum<T>> T valueOf(Class<T> type, String name) {
        for (T constant : type.getEnumConstants()) {
            Enum<?> one = constant;
            if (one.name.equals(name)) return constant;
        }
        if (name == null) throw new NullPointerException("Name is null");
        throw new IllegalArgumentException("No enum constant");
    }
}

public abstract class Record {
    @Declarative
    protected Record() {}
}

public class Throwable {
    private String message;
    private Throwable cause;
    private boolean tellsCause;

    public Throwable() {}

    public Throwable(String message) {
        this.message = message;
    }

    public Throwable(String message, Throwable cause) {
        this.message = message;
        this.cause = cause;
    }

    public Throwable(Throwable cause) {
        this.cause = cause;
        this.tellsCause = cause != null;
    }

    @Declarative
    public String getMessage() {
        return tellsCause ? cause.toString() : message;
    }

    @Declarative
    public Throwable getCause() {
        return cause;
    }

    public Throwable initCause(Throwable cause) {
        this.cause = cause;
        return this;
    }

    @Declarative
    public native String toString();

    public void printStackTrace() {}
}

public final class System {
    private System() {}

    public static final java.io.PrintStream out = new java.io.PrintStream();

    public static final java.io.PrintStream err = new java.io.PrintStream();

    @Declarative
    public static native int identityHashCode(Object object);

    public static native void arraycopy(Object from, int fromIndex, Object to, int toIndex, int count);

    public static native String getProperty(String name);

    public static native long nanoTime();

    public static native long currentTimeMillis();
}

public class Runtime {
    private static final Runtime current = new Runtime();

    /** Any number that a machine may have. */
    @Range("1..2147483647") private static int processors;

    private Runtime() {}

    public static Runtime getRuntime() {
        return current;
    }

    public int availableProcessors() {
        return processors;
    }

    public native long freeMemory();

    public native long maxMemory();

    public native long totalMemory();

    public void gc() {}
}

public final class Math {
    private Math() {}

    @Declarative
    public static int abs(int a) {
        return a < 0 ? -a : a;
    }

    @Declarative
    public static long abs(long a) {
        return a < 0 ? -a : a;
    }

    @Declarative
    public static int min(int a, int b) {
        return a <= b ? a : b;
    }

    @Declarative
    public static long min(long a, long b) {
        return a <= b ? a : b;
    }

    @Declarative
    public static int max(int a, int b) {
        return a >= b ? a : b;
    }

    @Declarative
    public static long max(long a, long b) {
        return a >= b ? a : b;
    }

    @Declarative
    public static int floorDiv(int a, int b) {
        int q = a / b;
        return (a ^ b) < 0 && q * b != a ? q - 1 : q;
    }

    @Declarative
    public static long floorDiv(long a, long b) {
        long q = a / b;
        return (a ^ b) < 0 && q * b != a ? q - 1 : q;
    }

    @Declarative
    public static int floorMod(int a, int b) {
        int r = a % b;
        return (r ^ b) < 0 && r != 0 ? r + b : r;
    }

    @Declarative
    public static long floorMod(long a, long b) {
        long r = a % b;
        return (r ^ b) < 0 && r != 0 ? r + b : r;
    }

    public static float signum(int a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    public static float signum(long a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    public static float signum(float a) {
        return a > 0 ? 1 : a < 0 ? -1 : a;
    }

    public static double signum(double a) {
        return a > 0 ? 1 : a < 0 ? -1 : a;
    }

    @Declarative
    public static long floorDiv(long a, int b) {
        return floorDiv(a, (long) b);
    }

    @Declarative
    public static int floorMod(long a, int b) {
        return (int) floorMod(a, (long) b);
    }

    @Declarative
    public static long multiplyFull(int a, int b) {
        return (long) a * b;
    }

    @Declarative
    public static long multiplyHigh(long a, long b) {
        long low = a & 0xffffffffL;
        long high = a >> 32;
        long middle = high * (b & 0xffffffffL) + (low * (b & 0xffffffffL) >>> 32);
        return high * (b >> 32) + (middle >> 32) + ((middle & 0xffffffffL) + low * (b >> 32) >> 32);
    }

    public static int absExact(int a) {
        if (a == Integer.MIN_VALUE) throw new ArithmeticException("overflow");
        return abs(a);
    }

    public static long absExact(long a) {
        if (a == Long.MIN_VALUE) throw new ArithmeticException("overflow");
        return abs(a);
    }

    /** Two that fit into 32 bits do not overflow, and need no division. */
    public static long multiplyExact(long a, long b) {
        long product = a * b;
        boolean isSmall = a == (int) a && b == (int) b;
        if (!isSmall && b != 0 && (product / b != a || a == Long.MIN_VALUE && b == -1)) {
            throw new ArithmeticException("long overflow");
        }
        return product;
    }

    public static long multiplyExact(long a, int b) {
        return multiplyExact(a, (long) b);
    }

    public static long incrementExact(long a) {
        return addExact(a, 1);
    }

    public static long decrementExact(long a) {
        return subtractExact(a, 1);
    }

    public static long negateExact(long a) {
        return subtractExact(0, a);
    }

    public static native double ceil(double a);

    public static native double floor(double a);

    public static float min(float a, float b) {
        if (a != a) return a;
        if (a == 0 && b == 0) return 1 / a < 0 ? a : b;
        return a <= b ? a : b;
    }

    public static float max(float a, float b) {
        if (a != a) return a;
        if (a == 0 && b == 0) return 1 / a < 0 ? b : a;
        return a >= b ? a : b;
    }

    public static float abs(float a) {
        return a <= 0 ? 0 - a : a;
    }

    public static double min(double a, double b) {
        if (a != a) return a;
        if (a == 0 && b == 0) return 1 / a < 0 ? a : b;
        return a <= b ? a : b;
    }

    public static double max(double a, double b) {
        if (a != a) return a;
        if (a == 0 && b == 0) return 1 / a < 0 ? b : a;
        return a >= b ? a : b;
    }

    public static double abs(double a) {
        return a <= 0 ? 0 - a : a;
    }

    public static int addExact(int a, int b) {
        int sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) throw new ArithmeticException("integer overflow");
        return sum;
    }

    public static long addExact(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) throw new ArithmeticException("long overflow");
        return sum;
    }

    public static int subtractExact(int a, int b) {
        int difference = a - b;
        if (((a ^ b) & (a ^ difference)) < 0) throw new ArithmeticException("integer overflow");
        return difference;
    }

    public static long subtractExact(long a, long b) {
        long difference = a - b;
        if (((a ^ b) & (a ^ difference)) < 0) throw new ArithmeticException("long overflow");
        return difference;
    }

    public static int multiplyExact(int a, int b) {
        long product = (long) a * b;
        if ((int) product != product) throw new ArithmeticException("integer overflow");
        return (int) product;
    }

    public static int incrementExact(int a) {
        if (a == Integer.MAX_VALUE) throw new ArithmeticException("integer overflow");
        return a + 1;
    }

    public static int decrementExact(int a) {
        if (a == Integer.MIN_VALUE) throw new ArithmeticException("integer overflow");
        return a - 1;
    }

    public static int negateExact(int a) {
        if (a == Integer.MIN_VALUE) throw new ArithmeticException("integer overflow");
        return -a;
    }

    public static int toIntExact(long a) {
        if ((int) a != a) throw new ArithmeticException("integer overflow");
        return (int) a;
    }
}

public @interface Override {}

public @interface Deprecated {}

public @interface SuppressWarnings {
    String[] value();
}

public @interface FunctionalInterface {}

public @interface SafeVarargs {}
