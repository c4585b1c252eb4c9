package java.util;

import glassbox.Declarative;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/** Arrays of objects; those of numbers are made from `ArraysOf.java`. */
public final class Arrays {
    private Arrays() {}

    /** An array of the same type: see `lower/by_class.rs`. */
    private static native Object[] like(Object[] original, int length);

    private static native Object[] make(Class<?> type, int length);

    private static void checkRange(int length, int from, int to) {
        if (from > to) throw new IllegalArgumentException("from > to");
        if (from < 0) throw new ArrayIndexOutOfBoundsException(from);
        if (to > length) throw new ArrayIndexOutOfBoundsException(to);
    }

    public static <T> T[] copyOf(T[] original, int newLength) {
        if (newLength == original.length) return original.clone();
        T[] copy = (T[]) like(original, newLength);
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static <T, U> T[] copyOf(U[] original, int newLength, Class<? extends T[]> newType) {
        T[] copy = (T[]) make(newType, newLength);
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static <T> T[] copyOfRange(T[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        T[] copy = (T[]) like(original, newLength);
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(Object[] a, Object value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(Object[] a, int from, int to, Object value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (!Objects.equals(a[i], b[i])) return false;
        }
        return true;
    }

    @Declarative
    public static int hashCode(Object[] a) {
        if (a == null) return 0;
        int result = 1;
        for (int i = 0; i < a.length; i++) result = 31 * result + (a[i] == null ? 0 : a[i].hashCode());
        return result;
    }

    // How often and in which order elements are compared matters where a comparison is no order: so the JDK's own code does it.
    public static void sort(Object[] a) {
        ComparableTimSort.sort(a, 0, a.length, null, 0, 0);
    }

    public static void sort(Object[] a, int from, int to) {
        checkRange(a.length, from, to);
        ComparableTimSort.sort(a, from, to, null, 0, 0);
    }

    public static <T> void sort(T[] a, Comparator<? super T> order) {
        if (order == null) sort(a);
        else TimSort.sort(a, 0, a.length, order, null, 0, 0);
    }

    public static <T> void sort(T[] a, int from, int to, Comparator<? super T> order) {
        if (order == null) {
            sort(a, from, to);
        } else {
            checkRange(a.length, from, to);
            TimSort.sort(a, from, to, order, null, 0, 0);
        }
    }

    @SafeVarargs
    public static <T> List<T> asList(T... a) {
        return new ArrayList<>(a);
    }

    private static class ArrayList<E> extends AbstractList<E> implements RandomAccess {
        private final E[] a;

        ArrayList(E[] array) {
            a = Objects.requireNonNull(array);
        }

        @Override
        public int size() {
            return a.length;
        }

        @Override
        public Object[] toArray() {
            Object[] copy = new Object[a.length];
            System.arraycopy(a, 0, copy, 0, a.length);
            return copy;
        }

        @Override
        public E get(int index) {
            return a[index];
        }

        @Override
        public E set(int index, E element) {
            E old = a[index];
            a[index] = element;
            return old;
        }

        @Override
        public int indexOf(Object o) {
            for (int i = 0; i < a.length; i++) {
                if (Objects.equals(o, a[i])) return i;
            }
            return -1;
        }

        @Override
        public boolean contains(Object o) {
            return indexOf(o) >= 0;
        }

        @Override
        public void sort(Comparator<? super E> order) {
            Arrays.sort(a, order);
        }

        // None that removes: not even one that asks first whether there is something to remove.
        @Override
        public Iterator<E> iterator() {
            return new Iterator<E>() {
                private int cursor;

                @Override
                public boolean hasNext() {
                    return cursor < a.length;
                }

                @Override
                public E next() {
                    if (cursor >= a.length) throw new NoSuchElementException();
                    return a[cursor++];
                }
            };
        }
    }

    public static String toString(Object[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }

    public static int binarySearch(Object[] a, Object key) {
        return binarySearch(a, 0, a.length, key);
    }

    public static int binarySearch(Object[] a, int from, int to, Object key) {
        Comparator<Object> order = (one, other) -> ((Comparable<Object>) one).compareTo(other);
        return binarySearch(a, from, to, key, order);
    }

    public static <T> int binarySearch(T[] a, T key, Comparator<? super T> order) {
        return binarySearch(a, 0, a.length, key, order);
    }

    public static <T> int binarySearch(T[] a, int from, int to, T key, Comparator<? super T> order) {
        if (order == null) return binarySearch(a, from, to, key);
        checkRange(a.length, from, to);
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int found = order.compare(a[middle], key);
            if (found < 0) low = middle + 1;
            else if (found > 0) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }

    public static <T, U> T[] copyOfRange(U[] original, int from, int to, Class<? extends T[]> newType) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        T[] copy = (T[]) make(newType, newLength);
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static boolean equals(Object[] a, int from, int to, Object[] b, int bFrom, int bTo) {
        return mismatch(a, from, to, b, bFrom, bTo) < 0;
    }

    public static <T> boolean equals(T[] a, T[] b, Comparator<? super T> order) {
        Objects.requireNonNull(order);
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (order.compare(a[i], b[i]) != 0) return false;
        }
        return true;
    }

    @Declarative
    public static int mismatch(Object[] a, Object[] b) {
        int length = Math.min(a.length, b.length);
        for (int i = 0; a != b && i < length; i++) {
            if (!Objects.equals(a[i], b[i])) return i;
        }
        return a.length == b.length ? -1 : length;
    }

    public static int mismatch(Object[] a, int from, int to, Object[] b, int bFrom, int bTo) {
        checkRange(a.length, from, to);
        checkRange(b.length, bFrom, bTo);
        int length = Math.min(to - from, bTo - bFrom);
        for (int i = 0; i < length; i++) {
            if (!Objects.equals(a[from + i], b[bFrom + i])) return i;
        }
        return to - from == bTo - bFrom ? -1 : length;
    }

    public static <T extends Comparable<? super T>> int compare(T[] a, T[] b) {
        if (a == b) return 0;
        if (a == null || b == null) return a == null ? -1 : 1;
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            T one = a[i];
            T other = b[i];
            if (one != other) {
                if (one == null || other == null) return one == null ? -1 : 1;
                int order = one.compareTo(other);
                if (order != 0) return order;
            }
        }
        return a.length - b.length;
    }

    public static <T> int compare(T[] a, T[] b, Comparator<? super T> order) {
        Objects.requireNonNull(order);
        if (a == b) return 0;
        if (a == null || b == null) return a == null ? -1 : 1;
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            if (a[i] != b[i]) {
                int result = order.compare(a[i], b[i]);
                if (result != 0) return result;
            }
        }
        return a.length - b.length;
    }

    @Declarative
    static boolean deepEqual(Object a, Object b) {
        if (a == b) return true;
        if (a == null || b == null) return false;
        if (a instanceof Object[] && b instanceof Object[]) return deepEquals((Object[]) a, (Object[]) b);
        if (a instanceof boolean[] && b instanceof boolean[]) return equals((boolean[]) a, (boolean[]) b);
        if (a instanceof byte[] && b instanceof byte[]) return equals((byte[]) a, (byte[]) b);
        if (a instanceof char[] && b instanceof char[]) return equals((char[]) a, (char[]) b);
        if (a instanceof short[] && b instanceof short[]) return equals((short[]) a, (short[]) b);
        if (a instanceof int[] && b instanceof int[]) return equals((int[]) a, (int[]) b);
        if (a instanceof long[] && b instanceof long[]) return equals((long[]) a, (long[]) b);
        return a.equals(b);
    }

    @Declarative
    public static boolean deepEquals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (!deepEqual(a[i], b[i])) return false;
        }
        return true;
    }

    @Declarative
    private static int deepHash(Object o) {
        if (o == null) return 0;
        if (o instanceof Object[]) return deepHashCode((Object[]) o);
        if (o instanceof boolean[]) return hashCode((boolean[]) o);
        if (o instanceof byte[]) return hashCode((byte[]) o);
        if (o instanceof char[]) return hashCode((char[]) o);
        if (o instanceof short[]) return hashCode((short[]) o);
        if (o instanceof int[]) return hashCode((int[]) o);
        if (o instanceof long[]) return hashCode((long[]) o);
        return o.hashCode();
    }

    @Declarative
    public static int deepHashCode(Object[] a) {
        if (a == null) return 0;
        int result = 1;
        for (int i = 0; i < a.length; i++) result = 31 * result + deepHash(a[i]);
        return result;
    }

    public static <T> void setAll(T[] a, IntFunction<? extends T> make) {
        Objects.requireNonNull(make);
        for (int i = 0; i < a.length; i++) a[i] = make.apply(i);
    }

    public static void setAll(int[] a, IntUnaryOperator make) {
        Objects.requireNonNull(make);
        for (int i = 0; i < a.length; i++) a[i] = make.applyAsInt(i);
    }

    public static void setAll(long[] a, IntToLongFunction make) {
        Objects.requireNonNull(make);
        for (int i = 0; i < a.length; i++) a[i] = make.applyAsLong(i);
    }
}
