package java.util;

import glassbox.Declarative;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

public interface Iterator<E> {
    boolean hasNext();

    E next();

    default void remove() {
        throw new UnsupportedOperationException("remove");
    }

    default void forEachRemaining(Consumer<? super E> action) {
        Objects.requireNonNull(action);
        while (hasNext()) action.accept(next());
    }
}

public interface Comparator<T> {
    int compare(T a, T b);

    boolean equals(Object other);

    default Comparator<T> reversed() {
        return (a, b) -> compare(b, a);
    }

    default Comparator<T> thenComparing(Comparator<? super T> other) {
        Objects.requireNonNull(other);
        return (a, b) -> {
            int first = compare(a, b);
            return first != 0 ? first : other.compare(a, b);
        };
    }

    default <U extends Comparable<? super U>> Comparator<T> thenComparing(Function<? super T, ? extends U> key) {
        Comparator<T> second = comparing(key);
        return thenComparing(second);
    }

    default <U> Comparator<T> thenComparing(Function<? super T, ? extends U> key, Comparator<? super U> order) {
        Comparator<T> second = comparing(key, order);
        return thenComparing(second);
    }

    default Comparator<T> thenComparingInt(ToIntFunction<? super T> key) {
        Comparator<T> second = comparingInt(key);
        return thenComparing(second);
    }

    default Comparator<T> thenComparingLong(ToLongFunction<? super T> key) {
        Comparator<T> second = comparingLong(key);
        return thenComparing(second);
    }

    static <T extends Comparable<? super T>> Comparator<T> naturalOrder() {
        return (a, b) -> a.compareTo(b);
    }

    static <T extends Comparable<? super T>> Comparator<T> reverseOrder() {
        return (a, b) -> b.compareTo(a);
    }

    static <T, U extends Comparable<? super U>> Comparator<T> comparing(Function<? super T, ? extends U> key) {
        Objects.requireNonNull(key);
        return (a, b) -> key.apply(a).compareTo(key.apply(b));
    }

    static <T, U> Comparator<T> comparing(Function<? super T, ? extends U> key, Comparator<? super U> order) {
        Objects.requireNonNull(key);
        Objects.requireNonNull(order);
        return (a, b) -> order.compare(key.apply(a), key.apply(b));
    }

    static <T> Comparator<T> comparingInt(ToIntFunction<? super T> key) {
        Objects.requireNonNull(key);
        return (a, b) -> Integer.compare(key.applyAsInt(a), key.applyAsInt(b));
    }

    static <T> Comparator<T> comparingLong(ToLongFunction<? super T> key) {
        Objects.requireNonNull(key);
        return (a, b) -> Long.compare(key.applyAsLong(a), key.applyAsLong(b));
    }

    static <T> Comparator<T> nullsFirst(Comparator<? super T> order) {
        return (a, b) -> a == null ? (b == null ? 0 : -1) : b == null ? 1 : order == null ? 0 : order.compare(a, b);
    }

    static <T> Comparator<T> nullsLast(Comparator<? super T> order) {
        return (a, b) -> a == null ? (b == null ? 0 : 1) : b == null ? -1 : order == null ? 0 : order.compare(a, b);
    }
}

public final class Objects {
    private Objects() {}

    @Declarative
    public static boolean equals(Object a, Object b) {
        return a == b || (a != null && a.equals(b));
    }

    @Declarative
    public static boolean deepEquals(Object a, Object b) {
        return Arrays.deepEqual(a, b);
    }

    @Declarative
    public static int hashCode(Object o) {
        return o == null ? 0 : o.hashCode();
    }

    @Declarative
    public static int hash(Object... values) {
        if (values == null) return 0;
        int result = 1;
        for (Object value : values) result = 31 * result + (value == null ? 0 : value.hashCode());
        return result;
    }

    @Declarative
    public static boolean isNull(Object o) {
        return o == null;
    }

    @Declarative
    public static boolean nonNull(Object o) {
        return o != null;
    }

    public static <T> int compare(T a, T b, Comparator<? super T> order) {
        return a == b ? 0 : order.compare(a, b);
    }

    public static <T> T requireNonNull(T o) {
        if (o == null) throw new NullPointerException();
        return o;
    }

    public static <T> T requireNonNull(T o, String message) {
        if (o == null) throw new NullPointerException(message);
        return o;
    }

    public static <T> T requireNonNull(T o, Supplier<String> message) {
        if (o == null) throw new NullPointerException(message == null ? null : message.get());
        return o;
    }

    public static <T> T requireNonNullElse(T o, T other) {
        return o != null ? o : requireNonNull(other);
    }

    public static int checkIndex(int index, int length) {
        if (index < 0 || index >= length) throw new IndexOutOfBoundsException();
        return index;
    }

    public static long checkIndex(long index, long length) {
        if (index < 0 || index >= length) throw new IndexOutOfBoundsException();
        return index;
    }

    public static int checkFromToIndex(int from, int to, int length) {
        if (from < 0 || from > to || to > length) throw new IndexOutOfBoundsException();
        return from;
    }

    public static int checkFromIndexSize(int from, int size, int length) {
        if ((length | from | size) < 0 || size > length - from) throw new IndexOutOfBoundsException();
        return from;
    }

    public static <T> T requireNonNullElseGet(T o, Supplier<? extends T> supplier) {
        return o != null ? o : requireNonNull(requireNonNull(supplier, "supplier").get(), "supplier.get()");
    }

    public static String toString(Object o, String ifNull) {
        return o == null ? ifNull : o.toString();
    }

    public static String toString(Object o) {
        return String.valueOf(o);
    }
}
